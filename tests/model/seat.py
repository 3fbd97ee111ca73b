"""One honest seat of the model: what it holds, what it concludes, and what it says.

Whatever a seat says is saved before it is sent, so a crash is no more than being cut off for a while.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from .quorum import is_quorum, is_whole
from .rules import Rules
from .values import (
    Attempt,
    Book,
    Closed,
    Duty,
    Echo,
    Epoch,
    Goodbye,
    Key,
    Log,
    Message,
    Roll,
    Vote,
    Without,
    between,
    demands_duties,
    due,
    holders,
    rounds_closed,
)


class Seat:
    """A player's client."""

    def __init__(
        self,
        key: Key,
        book: Book,
        rules: Rules,
        keepers: Mapping[Key, Key],
        recovery: bool,
        is_seated: bool = True,
        rounds: int = 0,
    ) -> None:
        """`rounds`: with how many the match ends; 0: it does not."""
        self.key = key
        self.book = book
        self.rules = rules
        self.keepers = keepers
        self.recovery = recovery
        self.rounds = rounds
        self.end: tuple[Epoch, Log] | None = None
        """The epoch in which the match ended, and its last entry, once that stands."""
        self.epoch = book.first
        """The last epoch that this seat saw begin."""
        self.is_seated = is_seated
        self.log = book.root
        self.signed = 0
        """The highest number that it signed a `without` for."""
        self.has_left = False
        self.convicted: dict[Key, str] = {}
        self.held: dict[Message, None] = {}
        """Every message that it has, its own too, in the order in which they came."""
        self.said: list[Message] = []
        self.begun: list[tuple[Epoch, Log]] = []
        """The epochs that it saw begin, each with its log before."""
        self.certified: list[tuple[Epoch, Log, bool]] = []
        """(epoch, log, whether all voted alike)"""
        self.votes: dict[tuple[Epoch, int, Key], Vote] = {}
        self.echoes: set[tuple[Epoch, Log, Key]] = set()
        self.duties: set[tuple[Epoch, Log, Key]] = set()
        self.closed: set[tuple[Epoch, Log, Key]] = set()
        self.withouts: dict[tuple[int, Key], Without] = {}
        self.byes: dict[Key, Goodbye] = {}

    # --- what it knows ---

    @property
    def is_frozen(self) -> bool:
        """Whether it has left its epoch for one that has not begun."""
        return self.rules.freeze and self.signed > self.epoch.number

    @property
    def out(self) -> set[Key]:
        """The keepers of everyone who was convicted."""
        return {self.keepers[key] for key in self.convicted}

    def own(self, base: Epoch) -> tuple[Attempt, ...]:
        """What this seat signed for since an epoch."""
        mine = (w for (number, key), w in self.withouts.items() if key == self.key and number > base.number)
        return tuple(sorted(w.attempt for w in mine))

    def own_vote(self) -> Vote | None:
        """Its vote above its highest certificate."""
        vote = self.votes.get((self.epoch, self.log.height + 1, self.key))
        return vote if vote is not None and vote.entry.parent is self.log else None

    def quorum(self, stay: Roll, added: Roll, number: int, shown: Iterable[Without] = ()) -> bool:
        """Whether these may begin an epoch, as far as this seat knows: its own word, and what the others signed."""
        shown = [w for w in shown if w.key in {p.key for p in stay}]
        if not shown or not self.rules.own_words:
            bases = [self.epoch, *(w.base for w in shown)]
        else:
            bases = [w.base for w in shown]
        base = max(bases, key=lambda epoch: epoch.number)
        attempts = {attempt for w in shown for attempt in w.earlier} if shown else set(self.own(base))
        return is_quorum(stay, added, number, base, attempts, self.byes.values(), self.out, self.rules)

    # --- what comes in ---

    def receive(self, message: Message) -> None:
        if message in self.held:
            return
        self.held[message] = None
        if isinstance(message, Vote):
            name = (message.epoch, message.entry.height, message.key)
            if self.votes.setdefault(name, message) is not message:
                self._convict(message.key, "two votes")
        elif isinstance(message, Echo):
            self.echoes.add((message.epoch, message.log, message.key))
        elif isinstance(message, Duty):
            self.duties.add((message.epoch, message.log, message.key))
        elif isinstance(message, Closed):
            self.closed.add((message.epoch, message.log, message.key))
        elif isinstance(message, Without):
            if self.withouts.setdefault((message.number, message.key), message) is not message:
                self._convict(message.key, "two withouts of one number")
        else:
            self.byes.setdefault(message.key, message)
        self._look_for_lies(message.key)
        self.advance()

    def _look_for_lies(self, key: Key) -> None:
        """Compare all that one key signed: pairs that no honest client ever signs."""
        mine = sorted((w for (_, who), w in self.withouts.items() if who == key), key=lambda w: w.number)
        for index, low in enumerate(mine):
            for high in mine[index + 1 :]:
                if low.number > high.base.number and low.attempt not in high.earlier:
                    self._convict(key, "an earlier without is not named")
                if high.base.number < low.base.number or (high.base is low.base and not high.log.contains(low.log)):
                    self._convict(key, "a later without goes back")
        for (epoch, height, who), vote in self.votes.items():
            if who != key:
                continue
            for w in mine:
                if epoch.number >= w.number:
                    continue
                if epoch.number > w.base.number:
                    self._convict(key, "voted in an epoch that a higher without does not know")
                elif epoch is w.base and height > w.log.height and w.vote is not vote:
                    self._convict(key, "a vote that a without of a higher number does not name")

    def _convict(self, key: Key, why: str) -> None:
        self.convicted.setdefault(key, why)

    # --- what it does by itself ---

    def advance(self) -> None:
        while self.end is None and (
            self._confirm() or self._begin() or self._certify() or self._close() or self._echo() or self._do_duty()
        ):
            pass

    def say(self, message: Message) -> None:
        self.said.append(message)
        self.receive(message)

    @property
    def _is_mute(self) -> bool:
        return self.has_left or not self.is_seated or self.is_frozen or self.end is not None

    def ends(self, log: Log) -> bool:
        """Whether the match is over with this entry."""
        return log.kind == "close" and 0 < self.rounds <= rounds_closed(log)

    def _close(self) -> bool:
        """Say that it has the end, at which its epoch began."""
        if self._is_mute or not self.ends(self.log) or (self.epoch, self.log, self.key) in self.closed:
            return False
        self.say(Closed(self.key, self.epoch, self.log))
        return True

    def _confirm(self) -> bool:
        """End the match where all of an epoch that began with its end have said so."""
        epochs = [epoch for epoch, _ in self.begun] if self.rules.late_confirm else [self.epoch]
        for epoch in epochs:
            said = ((epoch, epoch.start, p.key) in self.closed for p in epoch.roll)
            if self.ends(epoch.start) and (not self.rules.confirm or all(said)):
                self.end = epoch, epoch.start
                return True
        return False

    def _certify(self) -> bool:
        if not self.is_seated or self.is_frozen or not self.is_settled or self.ends(self.log):
            return False
        votes = [self.votes.get((self.epoch, self.log.height + 1, p.key)) for p in self.epoch.roll]
        if any(vote is None or vote.entry.parent is not self.log for vote in votes):
            return False
        count = Counter(vote.entry for vote in votes if vote is not None)
        best = max(count.values())
        winner = min((entry for entry in count if count[entry] == best), key=lambda entry: entry.choice)
        if winner.kind in ("open", "close") and len(count) > 1:
            return False  # these have no author: somebody lies
        self.log = winner
        self.certified.append((self.epoch, winner, len(count) == 1))
        if self.ends(winner):
            self.end = self.epoch, winner
        return True

    def _is_unanimous(self, log: Log) -> bool:
        votes = [self.votes.get((self.epoch, log.height, p.key)) for p in self.epoch.roll]
        return log is not self.epoch.start and all(vote is not None and vote.entry is log for vote in votes)

    def _owes(self) -> bool:
        """Whether its last certificate demands duties."""
        return demands_duties(self.log) and not between(self.epoch, self.log)

    def _echo(self) -> bool:
        name = (self.epoch, self.log, self.key)
        if self._is_mute or not self._owes() or name in self.echoes:
            return False
        self.say(Echo(self.key, self.epoch, self.log))
        return True

    def _do_duty(self) -> bool:
        name = (self.epoch, self.log, self.key)
        if self._is_mute or not self._owes() or name in self.duties or not self._may_do_duty():
            return False
        self.say(Duty(self.key, self.epoch, self.log))
        return True

    def _may_do_duty(self) -> bool:
        needs_echo = self.rules.start_echo if self.log is self.epoch.start else self.rules.echo
        if not needs_echo or self._is_unanimous(self.log):
            return True
        return all((self.epoch, self.log, p.key) in self.echoes for p in self.epoch.roll)

    @property
    def is_settled(self) -> bool:
        """Whether all duties of its last certificate are in."""
        return not self._owes() or all((self.epoch, self.log, p.key) in self.duties for p in self.epoch.roll)

    def _begin(self) -> bool:
        for number in sorted({n for n, _ in self.withouts if n > self.epoch.number}, reverse=True):
            for first in [w for (n, _), w in self.withouts.items() if n == number]:
                signed = [self.withouts.get((number, p.key)) for p in first.roll]
                shown = [w for w in signed if w is not None and (w.stay, w.added) == (first.stay, first.added)]
                if len(shown) == len(signed) and self._begins(first, shown):
                    return True
        return False

    def _begins(self, first: Without, shown: list[Without]) -> bool:
        is_ours = self.key in {p.key for p in first.roll}
        if is_ours and first.number < self.signed and not self.rules.late_begin:
            return False
        if any(p.keeper in self.out for p in first.roll) or not self.quorum(
            first.stay, first.added, first.number, shown
        ):
            return False
        stayers = {p.key for p in first.stay}
        chooses = [w for w in shown if w.key in stayers] if self.rules.stayers_only else shown
        top = self._start(chooses)
        base = max((w.base for w in shown if w.key in stayers), key=lambda epoch: epoch.number)
        if first.added and (not between(base, top, self.rules.after_void) or self.ends(top)):
            return False
        if self.ends(top) and any(w.log is top and w.base.start is not top for w in chooses):
            self.end = base, top  # somebody holds all its votes, and shows them
            return True
        epoch = self.book.epoch(first.number, first.roll, top, self._is_void(base, top, first))
        self.begun.append((epoch, self.log))
        self.epoch, self.is_seated = epoch, is_ours
        if is_ours:
            self.log = top
        return True

    def _start(self, shown: list[Without]) -> Log:
        """The highest certificate, and the entry above it if all have voted alike there."""
        top = max(shown, key=lambda w: (w.base.number, w.log.height)).log
        if self.rules.adopt:
            entries = {w.vote.entry if w.vote is not None else None for w in shown}
            if len(entries) == 1 and (entry := entries.pop()) is not None and entry.parent is top:
                return entry
        return top

    def _is_void(self, base: Epoch, top: Log, first: Without) -> bool:
        """Whether the round that is open at the start ends there: more than one key is missing, or there is no recovery."""
        if between(base, top) or first.added:
            return True
        missing = {p.key for p in holders(top)} - {p.key for p in first.stay}
        return not (self.recovery and len(missing) == 1)

    # --- what its player wants ---

    def vote(self, author: int, follow: float, height: int) -> None:
        """Vote for the next entry, if that is possible: for one that was proposed (`follow`: 0 to 1, which), or one's own."""
        if self._is_mute or self.log.height >= height or not self.is_settled or self.ends(self.log):
            return
        name = (self.epoch, self.log.height + 1, self.key)
        if name in self.votes:
            return
        kind = due(self.epoch, self.log)
        choice = (author,) if kind == "move" else ()
        entry = self.book.log(self.log, kind, choice, self.epoch)
        seen = [v.entry for (e, h, _), v in self.votes.items() if e is self.epoch and v.entry.parent is self.log]
        honest = [e for e in seen if e.kind == kind and (kind == "move" or e.choice == ())]
        if honest and follow < 1:
            entry = honest[int(follow * len(honest))]
        self.say(Vote(self.key, self.epoch, entry))

    def remaining(self, reached: set[Key]) -> Roll:
        """With whom it would go on: those of its epoch whom it reaches, with their keepers."""
        here = tuple(p for p in self.epoch.roll if p.key in reached and p.keeper not in self.out | set(self.byes))
        return tuple(p for p in here if is_whole((p, *here), self.epoch.roll, self.rules))

    def change(self, reached: set[Key], newcomers: Roll = (), without: Key | None = None) -> None:
        """Sign for the next epoch, if there is a reason to: somebody is missing, somebody else has signed, a seat is added, or a
        bot of ours makes room (`without`)."""
        if self.has_left:
            return
        if not self.is_seated:
            self._accept(reached)
            return
        if self.rules.silent_bot and self._makes_room():
            return
        stay = self.remaining(reached)
        if without is not None and (
            not between(self.epoch, self.log, self.rules.after_void) or self.own_vote() is not None
        ):
            return
        if self.key not in {p.key for p in stay}:
            return
        keys = {p.key for p in self.epoch.roll}
        calls = [w for (n, who), w in self.withouts.items() if n > self.epoch.number and who in keys]
        is_called = bool(calls) and self.rules.answer
        if len(stay) == len(self.epoch.roll) and not is_called and not newcomers and without is None:
            return
        if self.end is not None and (not is_called or newcomers):
            return
        is_between = between(self.epoch, self.log, self.rules.after_void) and not self.ends(self.log)
        can_add = is_between and self.own_vote() is None
        for w in sorted(calls, key=lambda w: -w.number):
            may_say_yes = is_between if self.rules.late_yes else can_add
            fits = not w.added or (may_say_yes and {p.key for p in w.added} <= reached and self._may_add(w.added))
            is_same = w.stay == stay or (is_between and w.stay == self._without_bots(stay, w))
            if is_same and w.number > self.signed and fits and self.sign(w.number, w.stay, w.added):
                return
        mine = self.withouts.get((self.signed, self.key))
        is_newer = mine is not None and self.signed > self.epoch.number
        is_done = is_newer and mine is not None and mine.stay in (stay, self._without_bots(stay, mine))
        others = [w for w in calls if w.number >= self.signed and mine is not None and w.attempt != mine.attempt]
        is_hopeless = mine is not None and self._cannot_add(mine, reached)
        if (
            is_done
            and not is_hopeless
            and not any(w.key in {p.key for p in stay} for w in others)
            and not newcomers
            and without is None
        ):
            return
        added = newcomers if can_add and self._may_add(newcomers) else ()
        if newcomers and not added:
            return
        highest = max([n for n, _ in self.withouts] + [self.signed, self.epoch.number])
        self.sign(highest + 1, tuple(p for p in stay if p.key != without), added)

    def _without_bots(self, stay: Roll, w: Without) -> Roll:
        """Who stays where the keepers of bots have promised just this, in which their bots make room."""
        said = {key for (n, key), each in self.withouts.items() if n == w.number and each.stay == w.stay}
        asked = any(each.stay == w.stay for (_, key), each in self.withouts.items() if key == self.key)
        said |= {self.key} if asked else set()
        left = {p for p in stay if p not in w.stay and p.keeper != p.key and p.keeper in said}
        return tuple(p for p in stay if p not in left)

    def _makes_room(self) -> bool:
        """Whether it is a bot whose keeper's last promise leaves it out."""
        keeper = self.keepers[self.key]
        said = [w for (n, key), w in self.withouts.items() if key == keeper != self.key and n > self.epoch.number]
        return bool(said) and self.key not in {p.key for p in max(said, key=lambda w: w.number).roll}

    def _may_add(self, added: Roll) -> bool:
        """Whether these may take the empty seats."""
        if any(p.keeper in self.out or p.keeper in self.byes for p in added):
            return False
        here = {p.keeper for p in self.epoch.roll}
        return not self.rules.one_at_a_time or len({p.keeper for p in added} - here) <= 1

    def _cannot_add(self, mine: Without, reached: set[Key]) -> bool:
        """Whether an added seat is away, or everybody has signed and the epoch does not begin: the start is in a round."""
        signed = (self.withouts.get((mine.number, p.key)) for p in mine.roll)
        is_full = all(w is not None and w.attempt == mine.attempt for w in signed)
        return bool(mine.added) and (is_full or not {p.key for p in mine.added} <= reached)

    def _accept(self, reached: set[Key]) -> None:
        """Take a seat that is offered."""
        offers = [w for (n, _), w in self.withouts.items() if n > self.signed and self.key in {p.key for p in w.added}]
        for w in sorted(offers, key=lambda w: -w.number):
            if w.number > self.epoch.number and {p.key for p in w.roll} <= reached | {self.key}:
                before = [own.base for (_, key), own in self.withouts.items() if key == self.key]
                base = max((self.epoch, w.base, *before), key=lambda epoch: epoch.number)
                earlier = self.own(base)
                self.signed = w.number
                self.say(Without(self.key, w.number, w.stay, w.added, base, base.start, None, earlier))
                return

    def sign(self, number: int, stay: Roll, added: Roll) -> bool:
        """Sign for an epoch, if that is allowed. Return whether it was."""
        if number <= self.signed or not self.quorum(stay, added, number):
            return False
        vote, earlier = self.own_vote(), self.own(self.epoch)
        self.signed = number
        self.say(Without(self.key, number, stay, added, self.epoch, self.log, vote, earlier))
        return True

    def leave(self) -> None:
        """Say goodbye, for good."""
        if not self.has_left:
            self.has_left = True
            self.say(Goodbye(self.key, max(self.signed, self.epoch.number)))
