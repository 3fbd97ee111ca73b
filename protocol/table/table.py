"""Play one seat of one match, without input or output: messages, moves and times go in, and each input returns a step.

A table consists of a record (what everyone can see) and of this seat's own parts: its secrets and cards (`hand`), its next
move (`choice`), its outgoing messages (`signer`) and those it resends (`showing`), whom it waits for (`waits`), its votes to
play on (`wishes`), its hint level (`help`), and its pauses (`pauses`). A seat sends what it owes as soon as possible; the
driver saves a step's records before it sends anything. The same setup, inputs and randomness lead to the same steps.
(PROTOCOL.md, "The table".)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from protocol.cards import Card, Seat
from protocol.dealing.hashing import Rng
from protocol.errors import BadMessage, GameFailed, IllegalMove
from protocol.games.game import AnyGame
from protocol.games.memory import Memory
from protocol.games.views import PublicView
from protocol.identity import Identity
from protocol.messages import Aside, Ask, Evidence, Goodbye, Lost, Opinion, Ready, Shares, Vote
from protocol.signed import Page, Signed, decode, decode_signed
from protocol.steps import Steps, done
from protocol.table import pauses
from protocol.table.ahead import Ahead
from protocol.table.answers import Answers
from protocol.table.choice import PendingMove
from protocol.table.coming_back import ComingBack
from protocol.table.early import EarlyGoodbyes, EarlyKeys
from protocol.table.effort import Effort
from protocol.table.events import (
    Accused,
    Awaiting,
    CameBack,
    Event,
    HandChanged,
    MoveLost,
    RoundClosed,
    RoundVoid,
    Said,
)
from protocol.table.hand import SecretHand
from protocol.table.hints import Help
from protocol.table.lag import Lag
from protocol.table.leaving import Leaving, own_attempts
from protocol.table.offers import Offers
from protocol.table.own import Own
from protocol.table.pauses import Pauses
from protocol.table.phases.closing import awaits_certificate
from protocol.table.phases.confirming import say_closed
from protocol.table.phases.handlers import next_message
from protocol.table.phases.values import Playing
from protocol.table.record import Phase, Record
from protocol.table.roster import Member, Roster
from protocol.table.showing import UNASKED, ShownBefore
from protocol.table.signer import Signer
from protocol.table.step import NOTHING, Entry, Step
from protocol.table.trust import distrust, trust
from protocol.table.turn import Turn
from protocol.table.waits import Waits
from protocol.table.wishes import Wishes
from protocol.table.work import Job, Result
from protocol.values import replace

BREAK_OFF_STEP_S = 0.5
"""Seats propose to break off one after another, with this delay between them, so that one proposal is enough."""
LOOK_S = 0.05
"""So long nothing is looked at that waits for others' messages: what they are awaited for, and what is saved, can wait too."""


class Table:
    """One seat at one match."""

    def __init__(
        self,
        roster: Roster,
        game: AnyGame,
        identity: Identity,
        nonce: bytes,
        rng: Rng,
        now: float,
        taking: tuple[Seat, Member] | None = None,
    ) -> None:
        """`nonce`: the 32 bytes whose hash is in the roster for us. `taking`: the seat that we would take, and we as its player,
        if we are not in the roster. Raises ValueError if we are neither.
        """
        keys = [member.key for member in roster.members]
        if identity.public not in keys and taking is None:
            raise ValueError("this identity does not sit at this table")
        self.identity = identity
        taking = None if identity.public in keys else taking
        self.record = Record(roster, game, rng, identity.public, None if taking is None else taking[0])
        self.hand = SecretHand()
        place = self.record.own_seat
        assert place is not None
        self.ahead = Ahead(self.record.ledger.desk, rng)
        self.own = Own(place, identity.public, nonce, rng, self.hand, self.ahead)
        self.choice = PendingMove(self.record, self.hand, self.ahead, rng)
        self.signer = Signer(self.record, self.hand, identity)
        self.waits = Waits(self.record, now)
        self.turn = Turn(self.record, self.hand, self.choice, self.signer, self.waits)
        self.wishes = Wishes(self.record, self.signer, self.waits)
        self.leaving = Leaving(self.record)
        self._offers = Offers(self.record, self.signer, self.leaving.takers, taking, now)
        self.help = Help(self.record, self.signer)
        self.effort = Effort()
        self._coming_back = ComingBack()
        self._early, self._early_keys = EarlyGoodbyes(self.record), EarlyKeys(self.record)
        self.is_leaving = False
        """Our player has left for good, and the goodbye is not said yet."""
        self._showing = ShownBefore(self.record, self.signer)
        self.pauses = Pauses(self.record, self.own, self.waits, now)
        self._now = now
        self.useful = 0
        """How many messages of others have had an effect on the match."""
        self._taken = 0
        """How many were neither known nor of no use, also of those beside the match."""
        self._lag = Lag(self.record, self.waits)
        self.answers = Answers()
        self._look_by: float | None = None
        """When to look at what was taken, if what it waits for does not come before."""
        self._heard: list[Entry] = []
        self._news: list[Event] = []
        self._written = 0
        self._epoch_seen = 0
        self._height_seen = 0
        self._is_drawn = False
        self._proved = 0

    # --- what a client asks ---

    @property
    def game(self) -> AnyGame:
        """Return the game's rules."""
        return self.record.game

    @property
    def seat(self) -> Seat:
        """Return our seat; before the draw, our place in the roster."""
        return self.signer.seat

    @property
    def is_over(self) -> bool:
        """Whether the match was played to its end or broken off."""
        return self.record.is_over

    @property
    def is_present(self) -> bool:
        """Whether our seat takes part: the others have not gone on without it."""
        return self.record.is_seated

    @property
    def is_displaced(self) -> bool:
        """Whether somebody else sits in our seat: we only look on."""
        return not self.is_present and self.seat in self.record.present and self.record.seed is not None

    @property
    def is_behind(self) -> bool:
        """Whether we take in what happened without us, and sign nothing until the others have shown it."""
        return self.is_returning or not self.is_present

    def caught_up(self, now: float) -> float | None:
        """Return how much we have taken in, from 0 to 1, of what we missed while we were far behind; None if we are not, or are
        not being shown it."""
        return self._lag.caught_up(now)

    def is_reading(self, now: float) -> bool:
        """Whether we are still being shown what we missed."""
        return self._lag.is_reading(now)

    @property
    def is_returning(self) -> bool:
        """Whether we came back, and the others have not shown us our own messages yet."""
        return bool(self._coming_back.awaited)

    @property
    def is_newcomer(self) -> bool:
        """Whether our player would take, or has taken, a seat in which somebody else sat when the table was sealed."""
        return self._offers.taking is not None

    @property
    def would_sit(self) -> bool:
        """Whether our player would take our seat (again): see `Offers`."""
        return self._offers.would_sit

    @property
    def can_move(self) -> bool:
        """Whether our player can move now: the table is settled, and no move of ours is under way."""
        return not self.is_returning and self.turn.can_move

    @property
    def cards(self) -> tuple[Card, ...]:
        """Return our hand, as far as we can see it."""
        return self.turn.cards

    @property
    def cards_as_they_came(self) -> tuple[Card, ...]:
        """Return our hand, as far as we can see it, in the order in which the cards came, as far as known."""
        return self.hand.as_they_came(self.record.round, self.seat)

    @property
    def memory(self) -> Memory:
        """Return what our seat remembers of the round under way; empty between rounds."""
        return self.turn.memory

    def take_entered(self) -> tuple[Card, ...]:
        """Return, once, the cards that last entered our hand by a re-mask, in the order in which they came. Empty if unknown,
        as after a return."""
        return self.hand.take_entered(self.record.round, self.seat)

    def legal(self) -> Sequence[Any]:
        """Return the moves that we can make now; none while the table settles."""
        return self.turn.legal() if self.can_move else ()

    def view(self) -> PublicView:
        """Return what our seat sees of the game; empty before the first deal."""
        if self.record.state is None:
            return PublicView()
        return self.game.public_view(self.record.state).with_hands({self.seat: self.cards})

    @property
    def awaited(self) -> tuple[Seat, ...]:
        """Return the seats that the table waits for now, for a move or an automatic message."""
        owing = self.leaving.owing(self.seat) or self.waits.owing(self.seat, self.is_pausing(self._now))
        if self.record.phase is Phase.PLAYING and not owing:
            return self.game.awaited(self.record.state)
        return tuple(sorted(owing))

    @property
    def waits_for_more(self) -> bool:
        """Whether nothing has come of the last messages yet: they wait for others, or for the deadline."""
        return self._look_by is not None

    @property
    def may_go(self) -> bool:
        """Whether the match is over, and everyone knows how it ended or had time to learn it."""
        return self.pauses.may_go

    @property
    def pause_until(self) -> float:
        """Return when the pause between rounds ends, even if not everyone is ready."""
        return self.pauses.until

    @property
    def grace_s(self) -> float:
        """Return how long a closing move of ours waits, in seconds, so that others can still act."""
        return pauses.grace_of(self.record, self.seat)

    @property
    def closing(self) -> tuple[Seat, float] | None:
        """Return the seat whose closing move is expected now, and how long its client waits before making it, in seconds,
        counted from when the table settled. None if no closing move is expected."""
        return pauses.closing(self.record)

    @property
    def move_deadline(self) -> float | None:
        """Return when our time runs out and our move is made for us, or None."""
        return None if self.is_returning else self.turn.limit

    def move_deadline_of(self, seat: Seat) -> float | None:
        """Return when a seat's time runs out, as far as we know, or None."""
        return self.move_deadline if seat == self.seat else self.waits.move_limit(seat)

    # --- inputs ---

    def start(self, now: float) -> Step:
        """Sign the roster. The first input of a new table."""
        return self._step(now)

    def receive(self, sender: Seat, data: bytes, now: float, key: bytes | None = None) -> Step:
        """Take a message that a peer sent, its own or another seat's. Raises BadMessage for what no honest peer sends; nothing
        has changed then.

        `key`: the sender's, if somebody else sits in its seat now, or nobody does and it would.
        """
        useful, taken, found = self.useful, self._taken, decode(data)
        is_settled = self._is_drawn and not self.is_behind
        self._take_all(sender, found, now, key)
        if isinstance(found, Signed) and self.useful > useful and self._lacks_others(found):
            self._look_by = self._look_by or now + LOOK_S
            return Step()
        if self._look_by is not None and self.useful == useful and isinstance(found, Signed) and found.message.slot:
            return Step()  # it was known
        if is_settled and self._taken == taken and isinstance(found, Page) and not self.record.events:
            return Step()  # all of it was known, and what is due by now has its deadline
        return self._step(now)

    def _lacks_others(self, signed: Signed) -> bool:
        """Whether somebody else owes a vote, or shares, like this: nothing follows before these are there, too."""
        record, slot = self.record, signed.message.slot
        if record.may_change or record.has_stand_ins or record.is_over or self.is_behind or slot is None:
            return False
        if isinstance(signed.message, Vote):
            givers = record.present
        elif isinstance(signed.message, Shares) and record.round is not None:
            givers = tuple(seat for seat in record.round.active if seat != signed.message.take)
        else:
            return False
        return record.ledger.store.get_all(givers, record.epoch, *slot) is None

    def _take_all(self, sender: Seat, found: Signed | Page, now: float, key: bytes | None) -> None:
        if isinstance(found, Page):
            useful = self.useful
            for count, inner in enumerate(found.messages, start=1):
                try:
                    self._take_shown(
                        decode_signed(inner),
                        # What is left to do can be done elsewhere, if we sign nothing now.
                        count == len(found.messages) and self.is_behind and not (self.is_present and found.last),
                    )
                except BadMessage:
                    continue  # the rest of the page may be fine
            if self.useful > useful:
                self.waits.note_shown(now)
            if self._lag.leaves_more(found, self.useful):
                self._ask(sender)
            if found.last and found.index != UNASKED:
                self._news += self._coming_back.shown_by(sender)
        elif isinstance(found.message, Ask):
            if found.table != self.record.table:
                raise BadMessage("a message for another table")
            holder = self.record.key(sender)
            found.verify(key or holder)  # by the sender's key: before the draw its number is its place in the roster
            self._showing.answer(sender, key or holder, found.message, found.epoch, now)
            self.pauses.asked(sender, found.message.height, now)
            # No height is passed without its vote, so an older request was repeated by somebody else.
            is_new = self.record.seed is not None and abs(found.message.height - self.record.height) <= 1
            if found.message.own and is_new and key in (None, holder) and self.waits.come_back(sender, now):
                self._news.append(CameBack(sender))
        elif not self._early_keys.holds(sender, found):
            self._take(found)

    def _take_shown(self, signed: Signed, is_enough: bool) -> None:
        """Take a message of a page. `is_enough`: what it leads to is done later."""
        useful, before = self.useful, self.record.now
        self._take(signed)
        if is_enough or not (self.is_behind or self.record.ahead):
            return
        self._catch_up()  # before we sign anything: our own message may come later in the page
        if self.useful == useful and self.record.now is not before:
            self._take(signed)  # it was out of reach before

    def act(self, move: Any, now: float) -> Step:
        """Take our player's move. Raises IllegalMove; nothing has changed then."""
        if not self.can_move:
            raise IllegalMove("the table is not ready for your move yet: wait a moment")
        self.turn.choose(move, now)
        return self._step(now)

    def done(self, job: Job, result: Result, now: float) -> Step:
        """Take the result of a job. Raises GameFailed or LibraryUnusable if it failed through no peer's fault."""
        if self.record.done(job, result):
            self.effort.add(job.name, result.took_s)
            if self._is_early(job):
                return NOTHING
        return self._step(now)

    def _is_early(self, job: Job) -> bool:
        """Whether what was made ahead is of no use yet: nobody has drawn, and we have no move that waits for it."""
        record = self.record
        is_ahead = job.name[0] == "own" and ("shares" in job.name or "remask-half" in job.name)
        is_idle = self.choice.intent is None and not record.due and not record.may_change
        return is_ahead and is_idle and record.phase is Phase.PLAYING

    def wake(self, now: float) -> Step:
        """Do what is due when the deadline has passed."""
        self._news += self._coming_back.look(now)
        if not self.is_returning:
            self.turn.look(now)
        return self._step(now)

    def connected(self, seat: Seat, now: float) -> Step:
        """Note that a seat can be reached (again): show it our messages, and ask for its messages."""
        if seat == self.seat:
            return Step()
        self.waits.find(seat, now)
        self._coming_back.reached(now)
        self._remind(seat)
        return self._step(now)

    def lost(self, seat: Seat, now: float) -> Step:
        """Note that a seat cannot be reached now."""
        self.waits.lose(seat)
        return self._step(now)

    def ready(self, now: float) -> Step:
        """Say that our player does not need the rest of the pause."""
        if self.record.phase is Phase.BETWEEN:
            number = self.record.rounds_closed + 1
            self.record.ready[self.seat] = number
            self.signer.send(Ready(number))
        return self._step(now)

    def speak(self, aside: Aside, now: float) -> Step:
        """Send a chat message, an emote or the like. Its counter is set here."""
        said = replace(aside, counter=self.signer.count())
        signed = self.signer.sign(said).data
        self.signer.post(None, signed)
        self._news.append(Said(self.seat, said, signed))
        return self._step(now)

    def wish_on(self, wish: bool, now: float) -> Step:
        """Vote to play on without the awaited seats, or take that vote back. Raises IllegalMove if that is not possible (yet);
        nothing has changed then."""
        if wish:
            self.wishes.wish(now)
        else:
            self.wishes.take_back()
        return self._step(now)

    def wish_to_wait(self, now: float) -> Step:
        """Vote against playing on without the awaited seats, which blocks it. Raises IllegalMove if that is not possible (yet);
        nothing has changed then."""
        self.wishes.wish(now, Opinion.AGAINST)
        return self._step(now)

    def welcome(
        self, guests: Iterable[bytes], bots: Iterable[bytes], shown: Mapping[bytes, tuple[str, bool]] | None = None
    ) -> None:
        """Set who may take a seat in which they did not sit before: these keys. `bots`: those of them that are ours;
        `shown`: the name of each, and whether it is a bot, as far as that is known."""
        self.leaving.takers.bots = frozenset(bots)
        self.record.welcome = frozenset(guests) | self.leaving.takers.bots
        self.record.shown = shown or {}

    def withdraw(self, key: bytes, now: float) -> Step:
        """Forget that this key would take a seat: it cannot be reached. It says so again when it is back."""
        for name in [name for name in self.record.offers if name[1] == key]:
            del self.record.offers[name]
        return self._step(now)

    def take_help(self, level: int, now: float) -> Step:
        """Set how much help our player takes: an index of `HINT_LEVELS`, or the highest that the table allows."""
        self.help.take(level)
        return self._step(now)

    def leave(self, now: float) -> Step:
        """Leave for good. Only call it when the player asked for exactly that.

        After our closing vote the goodbye waits for the certificate, so that the outcome is the same at every seat.
        """
        if self.record.key(self.seat) != self.identity.public:
            # We never sat, or somebody else does now: there is nothing to give up.
            self.leaving.takers.wants_seat = False
            return self._step(now)
        self.is_leaving = not self.is_over
        self._say_goodbye()
        return self._step(now)

    def _say_goodbye(self) -> bool:
        """Say goodbye if we are leaving and nothing is against it. Return whether it was said."""
        record = self.record
        if not self.is_leaving or self.is_over or awaits_certificate(record.now, record.ledger, self.seat):
            return False
        self.is_leaving = False
        begun = ((record.epoch, record.present, ()),) if record.epoch else ()
        attempts = (*begun, *own_attempts(record, self.identity.public, record.epoch))
        self.signer.say(Goodbye(max(record.ledger.departures.promised, record.epoch), attempts))
        return True

    def tombstone(self) -> bytes:
        """Return the page with which we answer a player who was away when the match ended."""
        return self._showing.last_words()

    def restore(self, entries: Iterable[Entry], now: float) -> Step:
        """Restore a match from its journal. The first input of a table that was away.

        Nothing is signed until the others have shown us the messages of ours that they hold, or RETURN_S has passed.
        """
        return done(self.restoring(entries, now))

    def restoring(self, entries: Iterable[Entry], now: float) -> Steps[None, Step]:
        """As `restore`, in steps of one entry. The table takes no other input before it is done."""
        lines = list(entries)
        trust(self.record, lines)
        for entry in lines:
            if entry.kind == "secret":
                self.hand.learn(entry.data)
            elif entry.kind in ("in", "out"):
                try:
                    self.record.receive(decode_signed(entry.data))
                except BadMessage:
                    continue  # damaged, or no longer of use
                self._catch_up()
                self.hand.note_given(self.record.round, self.seat)
            yield
        self._catch_up()
        distrust(self.record)
        happened = self.record.take_events()
        if self.record.phase in (Phase.BETWEEN, Phase.OVER):  # how the last round ended is still looked at
            self._news += [event for event in happened if isinstance(event, (RoundClosed, RoundVoid))][-1:]
        self._height_seen, self._epoch_seen = self.record.height, self.record.epoch
        self.wishes.is_back = True
        if not self.is_over:
            self._coming_back.begin(self._others)
        self._is_drawn = self.record.seed is not None
        self.waits.begin_again(self._coming_back.awaited if self.record.seed is not None else (), now)
        self.pauses.begin_again(now)
        return self._step(now)

    @property
    def deadline(self) -> float | None:
        """Return when to call `wake` if there is no other input before, or None."""
        if self._look_by is not None:
            return self._look_by
        now = self._now
        times = [*self.waits.times(now), *self.wishes.times(now), *self.help.times(now), *self.pauses.times(now)]
        times += self.leaving.times(now)
        times += [*self._early.times(), *self._coming_back.times()]
        if not self.is_returning:
            times += [self._lag.reads_until] if self._lag.is_reading(now) else self._offers.times(now)
            times += self.turn.times(now)
        if self.record.has_stand_ins and self._may_vote:
            times.append(max(self.waits.stand_in_at, now + 0.01))
        stuck = self.waits.stuck_at
        if stuck is not None and self._may_vote:
            own = stuck + BREAK_OFF_STEP_S * self.seat
            times.append(stuck if now < stuck else max(own, now + 0.01))
        return min(times, default=None)

    @property
    def _may_vote(self) -> bool:
        """Whether our seat may vote at the open height, and has not."""
        record = self.record
        has_voted = record.from_seat(self.seat, "vote", record.height) is not None
        return self.is_present and not record.is_bound and not has_voted

    # --- the step ---

    def _take(self, signed: Signed) -> None:
        if self._early.holds(signed, self._now):
            return
        convicted = len(self.record.ledger.departures.convicted)
        if not self.record.receive(signed):
            return
        self._taken += 1
        is_proof = isinstance(signed.message, Evidence) and len(self.record.ledger.departures.convicted) > convicted
        if signed.message.slot is not None or is_proof:
            self.useful += 1
            self._heard.append(Entry("in", signed.data))

    def _catch_up(self) -> None:
        """Take all steps that can be taken, and do all work, at once: while a journal is read."""
        try:
            while self.record.advance() or self.record.run_jobs():
                pass
        except (BadMessage, IllegalMove) as fault:
            raise self._failure(fault) from fault

    def _step(self, now: float) -> Step:
        self._now, self._look_by = now, None
        try:
            self._look_for_draw()  # a page may have told of it
            self._lag.look()
            self._look_at_early(now)
            while self.record.advance() or self._accuse() or self._speak(now):
                self._look_for_draw()
                self.pauses.look_for_round(now)  # before we can vote for the next one, which may be prepared already
            self._notice(now)
        except (BadMessage, IllegalMove) as fault:
            raise self._failure(fault) from fault
        record = self.record
        letters, said = self.signer.take_said()
        self._proved = 0
        events, records = (*record.take_events(), *self._news), (*self._heard, *said)
        cut, record.ledger.cut_to = record.ledger.cut_to, None
        cut = cut if cut is not None and cut < self._written else None
        self._written = self._written if cut is None else cut
        transcript = tuple(record.transcript[self._written :])
        self._written = len(record.transcript)
        self._news, self._heard = [], []
        return Step(events, letters, records, record.ledger.desk.take_jobs(), transcript, cut)

    def _look_for_draw(self) -> None:
        """Name the others by their seats once these are drawn."""
        if self._is_drawn or self.record.seed is None:
            return
        self._is_drawn = True
        seating = self.record.seating
        self._coming_back.draw(seating)
        if self.waits.awaiting:
            self._news.append(Awaiting(()))
        self.waits.draw(seating)
        for signed in self._early_keys.take():
            try:
                self._take(signed)
            except BadMessage:  # not by who seemed to have sent it, who may have drawn before us all the same
                self.record.drew_before.add(signed.seat)
        if drew_before := self.record.drew_before - {self.seat}:
            self.record.ahead |= drew_before
            self.waits.ask_soon(self._now)
        self.record.drew_before.clear()

    def _failure(self, fault: BadMessage | IllegalMove) -> GameFailed:
        """Blame the game: once an input is taken, what the rules or our own code raise is not the input's fault."""
        return GameFailed(self.game.name, fault)

    def _speak(self, now: float) -> bool:
        """Send one message that we owe; return False if there is none."""
        record, own = self.record, self.own
        own.seat = self.seat
        if self.is_returning:
            return False
        if record.is_over and not self.is_present:
            return record.key(own.seat) == self.identity.public and self._confirm_end()
        if record.phase is Phase.BROKEN:
            return False
        if self._say_goodbye():
            return True
        if not self._lag.is_reading(now):
            self._offers.look(now)
        self.leaving.takers.away = self.waits.away
        carried, missing = self.wishes.carried(now), self.waits.missing()
        promise = self.leaving.promise(own.seat, carried, missing, self.waits.awaiting, now)
        if promise is not None:
            return self.signer.say(*promise)
        if record.is_bound or not self.is_present:
            return False
        if self.turn.has_lost:
            number = record.rounds_closed + 1
            is_said = record.from_seat(self.seat, "lost", number) is not None
            if not is_said:
                self.signer.say(Lost(number))
            return not is_said
        may_break_off = self._is_stuck(now - BREAK_OFF_STEP_S * own.seat)
        pausing, stuck = self.is_pausing(now), self._is_stuck(now)
        may_stand_in = now >= self.waits.stand_in_at
        found = next_message(record.now, record.ledger, own, pausing, stuck, may_break_off, may_stand_in)
        if found is None:
            return self._propose(now)
        self.signer.say(found)
        return True

    def _confirm_end(self) -> bool:
        """Say that we, who were left out, know how the match ended. Return whether it was due."""
        if self.record.ledger.departures.promised > self.record.epoch:
            return False  # we have signed for a later epoch, and so say nothing in this one
        found = say_closed(self.record.now, self.record.ledger, self.own)
        if found is not None:
            self.signer.say(found)
        return found is not None

    def _propose(self, now: float) -> bool:
        """Propose our player's move, if that can be done at this height. Return whether it was."""
        if (lost := self.choice.weigh(self.seat)) is not None:
            self._news.append(lost)
        found = self.choice.proposal(self.seat, now)
        if isinstance(found, MoveLost):
            self._news.append(found)
        elif found is not None:
            self.signer.say(found)
        return found is not None

    def _notice(self, now: float) -> None:
        """Collect what is new for our player and ask seats that are late, after everything that we owe is sent."""
        record = self.record
        self.leaving.end_alone(now)
        if record.round is not None:
            self.effort.begin(record.round.number, record.height)
        for seat in self.pauses.look_for_end(now):
            self._showing.show(seat, record.height)
        if record.epoch != self._epoch_seen:
            self._epoch_seen, self._height_seen = record.epoch, 0
            self.own.forget_seeds()
            self.choice.look(self.seat)
            if (given_up := self.choice.give_up()) is not None:
                self._news.append(given_up)
            self.waits.look((), now)
            self.wishes.begin_epoch()
            self._news.append(Awaiting(()))
        if record.height != self._height_seen:
            self._height_seen = record.height
            self.waits.begin_height(now)
            self.own.forget_seeds()
            self._look_ahead()
        self.choice.look(self.seat)
        self.hand.note_given(record.round, self.seat)
        if (changed := self.hand.changes(record.round, self.seat)) is not None:
            self._news.append(HandChanged(*changed))
        self._showing.settle_quarrels()
        self._mind_waits(now)
        if (levels := self.help.look(now, self.is_returning)) is not None:
            self._news.append(levels)

    def _look_ahead(self) -> None:
        """Have ready what our next move may need, now that nobody waits for us."""
        now, seat = self.record.now, self.seat
        if isinstance(now, Playing) and seat in now.round.active and not self.is_behind:
            secret = self.hand.secrets.get(now.round.number)
            if secret is not None:
                self.ahead.look_at_hand(now.match, now.round, seat, secret)

    def _accuse(self) -> bool:
        """Send the evidence against a seat, before our promise to play on without it: so the others see why."""
        for event in self.record.events[self._proved :]:
            if isinstance(event, Accused):
                self._showing.prove(event)
        self._proved = len(self.record.events)
        return False

    def _mind_waits(self, now: float) -> None:
        """Ask seats that are late, and resend our messages: they get lost when a link breaks."""
        own, waits = self.seat, self.waits
        late = owing = self.leaving.owing(own)
        if late is None:  # else those who have promised, too, sign nothing in this epoch any more
            late = waits.late_seats(own, self.is_pausing(now), now)
        if late or owing is not None:
            late = self.leaving.missed(own, late)
        late |= self._coming_back.awaited
        if not self.is_present and not self.is_over:
            # Who plays knows whom it waits for; who looks on may be forgotten.
            late |= waits.if_all_are_away(self._others)
        if (ended := waits.look(late, now)) is not None:
            self.wishes.end(ended)
            self._news.append(Awaiting(tuple(sorted(waits.awaiting))))
        if (changed := self.wishes.look(now)) is not None:
            self._news.append(changed)
        due = waits.due(now, self.record.ahead, not self.is_present and not self.is_returning)
        # At the last height a seat whose vote we miss, or its `closed`, may have gone: any other may hold it.
        for seat in self._others if due and self.record.phase in (Phase.CLOSING, Phase.CONFIRMING) else due:
            self._remind(seat)

    @property
    def _others(self) -> list[Seat]:
        return [seat for seat in self.record.present if seat != self.seat]

    def _remind(self, seat: Seat) -> None:
        """Ask a seat for its messages, and show it ours of the open height."""
        self._ask(seat)
        self._showing.show(seat, self.record.height)

    def _ask(self, seat: Seat) -> None:
        self.answers.ask(seat)
        self._showing.ask(seat, own=seat in self._coming_back.awaited)

    # --- before the draw ---

    def _look_at_early(self, now: float) -> None:
        """Take the goodbyes that came before the draw, once the seats are drawn here, or the others had time to show us how."""
        if self.is_returning or self._early.is_empty:
            return
        for seat in self._early.begin(self._others, now):
            self._remind(seat)
        early = self._early.take(now)
        for signed in early:
            with suppress(BadMessage):  # what was drawn since may show that somebody else has signed it
                self._take(signed)
        for seat in self._others if early else ():  # who came back meanwhile was not shown them
            self._showing.show(seat, self.record.height)

    # --- what our duties ask ---

    def is_pausing(self, now: float) -> bool:
        """Whether the pause between rounds goes on."""
        return self.pauses.is_pausing(now)

    def _is_stuck(self, now: float) -> bool:
        """Whether the round has been stuck long enough, with everyone present, to be broken off."""
        stuck = self.waits.stuck_at
        return stuck is not None and now >= stuck
