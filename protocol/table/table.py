"""One seat at one match, without any input or output: bytes, the person's moves and times go in, a step comes out.

A table is a record (what all can see) and what this seat adds, each in its own place: its secrets and cards (`hand`), its next
move (`choice`), what it says (`voice`) and shows (`showing`), whom it waits for (`waits`) and what it wishes (`wishes`), what
help it takes (`help`), when it rests (`pauses`). Whatever the seat owes is said as soon as possible; nothing
is sent before the driver has saved the step's records. The same setup, inputs and randomness give the same steps.
(PROTOCOL.md, "The table".)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from protocol.cards import Card, Seat
from protocol.errors import BadMessage, IllegalMove
from protocol.games.game import AnyGame
from protocol.identity import Identity
from protocol.messages import Ask, Chat, Emote, Evidence, Goodbye, Ready, Vote
from protocol.signed import Page, Signed, decode, decode_signed
from protocol.table import pauses
from protocol.table.choice import Choice
from protocol.table.effort import Effort
from protocol.table.events import Accused, Awaiting, CameBack, Emoted, Event, HandChanged, MoveLost, Returned, Said
from protocol.table.hand import Hand
from protocol.table.hints import Help
from protocol.table.own import Own
from protocol.table.pauses import Pauses
from protocol.table.phases.handlers import next_message
from protocol.table.record import Phase, Record
from protocol.table.roster import Roster
from protocol.table.showing import UNASKED, Showing
from protocol.table.signer import Signer
from protocol.table.step import Entry, Step
from protocol.table.trust import distrust, trust
from protocol.table.waits import Waits
from protocol.table.wishes import Wishes
from protocol.table.work import Job, Result, Rng

BREAK_OFF_STEP_S = 0.5
"""How much longer than the seat before it a seat waits before it proposes to break off, so that one proposal is enough."""
RETURN_S = 10.0
"""How long at most we sign nothing after a return, while the others show us what they know of us."""


class Table:
    """One seat at one match."""

    def __init__(self, roster: Roster, game: AnyGame, identity: Identity, nonce: bytes, rng: Rng, now: float) -> None:
        """`nonce`: the 32 bytes whose hash the roster holds for us. Raises ValueError if we are not in the roster."""
        keys = [member.key for member in roster.members]
        if identity.public not in keys:
            raise ValueError("this identity does not sit at this table")
        self.identity = identity
        self.record = Record(roster, game, rng)
        self.hand = Hand()
        self.own = Own(keys.index(identity.public), identity.public, nonce, rng, self.hand)
        self.choice = Choice(self.record, self.hand, rng)
        self.signer = Signer(self.record, self.hand, identity, self.own.place)
        self.waits = Waits(self.record, now)
        self.wishes = Wishes(self.record, self.signer, self.waits)
        self.help = Help(self.record, self.signer)
        self.effort = Effort()
        self.returning: set[Seat] = set()
        """Since we came back: who has not shown us our own messages."""
        self._return_until: float | None = None
        self._showing = Showing(self.record, self.signer)
        self._pauses = Pauses(self.record, now)
        self._now = now
        self._heard: list[Entry] = []
        self._news: list[Event] = []
        self._written = 0
        self._height_seen = 0

    # --- what a client asks ---

    @property
    def game(self) -> AnyGame:
        """The rules."""
        return self.record.game

    @property
    def seat(self) -> Seat:
        """Our seat; before the draw our place in the roster."""
        return self.signer.seat

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen: played to the end, or broken off."""
        return self.record.is_over

    @property
    def can_move(self) -> bool:
        """Whether a move may be made now: none of ours is under way, and the table is settled."""
        if self.record.phase is not Phase.PLAYING or self.choice.intent is not None or self.returning:
            return False
        said = self.record.from_seat(self.seat, "vote", self.record.height)
        return said is None or isinstance(said.message, Vote)

    @property
    def cards(self) -> tuple[Card, ...]:
        """Our hand, as far as it is open to us."""
        return self.hand.cards(self.record.round, self.seat)

    @property
    def cards_as_they_came(self) -> tuple[Card, ...]:
        """Our hand, as far as it is open to us, in the order in which it came, as far as we know that."""
        return self.hand.as_they_came(self.record.round, self.seat)

    def take_entered(self) -> tuple[Card, ...]:
        """The cards that entered our hand last by a re-mask, in the order in which they came; asked for once, and nothing where
        that is not known (after a return)."""
        return self.hand.take_entered(self.record.round, self.seat)

    def legal(self) -> Sequence[Any]:
        """The moves that we may make now; none while the table settles."""
        if not self.can_move:
            return ()
        return self.game.legal(self.record.state, self.seat, self.cards)

    def view(self) -> dict[str, Any]:
        """What our seat sees of the game; empty before the first deal."""
        if self.record.state is None:
            return {}
        return self.game.view(self.record.state, self.seat, self.cards)

    @property
    def awaited(self) -> tuple[Seat, ...]:
        """Whom the table waits for now: for a move, or for what needs no thought."""
        owing = self.waits.owing(self.seat, self.is_pausing(self._now))
        if self.record.phase is Phase.PLAYING and not owing:
            return self.game.awaited(self.record.state)
        return tuple(sorted(owing))

    @property
    def may_go(self) -> bool:
        """The match is over and all hold its last certificate, or were given the time to."""
        return self._pauses.may_go

    @property
    def pause_until(self) -> float:
        """When the pause between rounds ends, whoever is not ready."""
        return self._pauses.until

    @property
    def grace_s(self) -> float:
        """How long a closing move of ours waits, so that others can still act."""
        return pauses.grace_of(self.record, self.seat)

    @property
    def closing(self) -> tuple[Seat, float] | None:
        """The seat whose closing move is expected now, and how long an honest client of it waits with that, in seconds, since
        the table has settled at the least; None where nothing waits."""
        return pauses.closing(self.record)

    @property
    def move_deadline(self) -> float | None:
        """When our move is made for us, by the table's time limit."""
        limit = self.waits.move_limit(self.seat)
        if limit is None or not self.can_move or self.seat not in self.game.awaited(self.record.state):
            return None
        return limit

    def move_deadline_of(self, seat: Seat) -> float | None:
        """When the client of this seat makes its move for it, as far as we know."""
        return self.move_deadline if seat == self.seat else self.waits.move_limit(seat)

    # --- inputs ---

    def start(self, now: float) -> Step:
        """Sign the roster: the first input."""
        return self._step(now)

    def receive(self, sender: Seat, data: bytes, now: float) -> Step:
        """A peer sent these bytes (not necessarily its own). Raises BadMessage for what no honest peer sends; nothing has
        changed then."""
        found = decode(data)
        if isinstance(found, Page):
            for inner in found.messages:
                try:
                    self._take(decode_signed(inner))
                except BadMessage:
                    continue  # somebody passed on what is not for us; the rest may still be
                if self.returning:
                    self._catch_up()  # all of it, before we sign anything: our own word may be further on
            if found.last and found.index != UNASKED:
                self._shown_by(sender)
        elif isinstance(found.message, Ask):
            if found.table != self.record.table:
                raise BadMessage("a message for another table")
            found.verify(self.record.key(sender))  # not by its number: before the draw that is its place in the roster
            self._showing.answer(sender, found.message, now)
            # Without its vote no height is passed: what it asked for earlier is passed on by somebody else.
            is_new = self.record.seed is not None and abs(found.message.height - self.record.height) <= 1
            if found.message.own and is_new and self.waits.come_back(sender, now):
                self._news.append(CameBack(sender))
        else:
            self._take(found)
        return self._step(now)

    def act(self, move: Any, now: float) -> Step:
        """Our player chose. Raises IllegalMove, and nothing has changed then."""
        if not self.can_move:
            raise IllegalMove("the table is not ready for your move yet: wait a moment")
        state, seat = self.record.state, self.seat
        self.game.check(state, seat, self.cards, move)
        grace = self.grace_s if self.game.waits_grace(state, seat, move) else 0.0
        self.choice.choose(move, now + grace)
        return self._step(now)

    def done(self, job: Job, result: Result, now: float) -> Step:
        """Take the result of a job. Raises GameFailed if a bug, ours or the game's, made it fail."""
        if self.record.done(job.name, result):
            self.effort.add(job.name, result.took_s)
        return self._step(now)

    def wake(self, now: float) -> Step:
        """Do what is due now: the deadline has passed."""
        if self._return_until is not None and now >= self._return_until:
            self._stop_returning()
        limit = self.move_deadline
        if limit is not None and now >= limit and (move := self._default()) is not None:
            self.choice.choose(move, now)
        return self._step(now)

    def connected(self, seat: Seat, now: float) -> Step:
        """Greet a seat that can be reached (again): show it what we hold, and ask for what it holds."""
        if seat == self.seat:
            return Step()
        self.waits.find(seat, now)
        if self.returning and self._return_until is None:
            self._return_until = now + RETURN_S
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

    def say(self, text: str, now: float) -> Step:
        """Send a chat message."""
        self.signer.send(Chat(self.signer.count(), text))
        self._news.append(Said(self.seat, text))
        return self._step(now)

    def emote(self, name: str, now: float) -> Step:
        """Send an emote."""
        self.signer.send(Emote(self.signer.count(), name))
        self._news.append(Emoted(self.seat, name))
        return self._step(now)

    def wish_on(self, wish: bool, now: float) -> Step:
        """Our player wishes to go on without whoever is awaited, or no longer does. Raises IllegalMove where one cannot, or
        not yet; nothing has changed then."""
        if wish:
            self.wishes.wish(now)
        else:
            self.wishes.take_back()
        return self._step(now)

    def take_help(self, level: int, now: float) -> Step:
        """Our player wants this much help with the hand (a place in `HINT_LEVELS`), or as much of it as the table allows."""
        self.help.take(level)
        return self._step(now)

    def leave(self, now: float) -> Step:
        """Say goodbye for good; only when the player asked for exactly that."""
        if not self.is_over:
            self.signer.say(Goodbye(b""))
        return self._step(now)

    def restore(self, entries: Iterable[Entry], now: float) -> Step:
        """Take up a match from its journal: the first input of a table that was away. What we said counts as it was said;
        until the others have shown us what they know of us, nothing is signed."""
        lines = list(entries)
        trust(self.record, lines)
        for entry in lines:
            if entry.kind == "secret":
                self.hand.learn(entry.data)
            elif entry.kind in ("in", "out"):
                try:
                    self.record.receive(decode_signed(entry.data))
                except BadMessage:
                    continue  # a message of a moment that is past
                self._catch_up()
        self._catch_up()
        distrust(self.record)
        self.record.take_events()
        self._height_seen = self.record.height
        self.wishes.is_back = True
        if not self.is_over:
            self.returning = {seat for seat in self.record.present if seat != self.seat}
        self.waits.begin_again(self.returning if self.record.seed is not None else (), now)
        self._pauses.begin_again(now)
        return self._step(now)

    @property
    def deadline(self) -> float | None:
        """When to call `wake`, if nothing comes before."""
        now = self._now
        times = [*self.waits.times(now), *self.wishes.times(now), *self.help.times(now), *self._pauses.times(now)]
        if self._return_until is not None:
            times.append(self._return_until)
        if (intent := self.choice.intent) is not None and intent.not_before > now:
            times.append(intent.not_before)
        if (limit := self.move_deadline) is not None and (limit > now or self._default() is not None):
            times.append(limit)
        stuck = self.waits.stuck_at
        if stuck is not None and self.record.from_seat(self.seat, "vote", self.record.height) is None:
            own = stuck + BREAK_OFF_STEP_S * self.seat
            times.append(stuck if now < stuck else max(own, now + 0.01))
        return min(times, default=None)

    # --- the step ---

    def _take(self, signed: Signed) -> None:
        broken = self.record.broken
        if not self.record.receive(signed):
            return
        is_proof = isinstance(signed.message, Evidence) and self.record.broken is not broken
        if signed.message.slot is not None or is_proof:
            self._heard.append(Entry("in", signed.data))

    def _catch_up(self) -> None:
        """While a journal is read: all work at once."""
        while True:
            while self.record.advance():
                pass
            if not self.record.run_jobs():
                return

    def _step(self, now: float) -> Step:
        self._now = now
        while self.record.advance() or self._speak(now):
            self._pauses.look_for_round(now)  # before we can vote for the next one, which may be prepared already
        self._notice(now)
        record = self.record
        letters, said = self.signer.take_said()
        events, records = (*record.take_events(), *self._news), (*self._heard, *said)
        transcript = tuple(record.transcript[self._written :])
        self._written = len(record.transcript)
        self._news, self._heard = [], []
        return Step(events, letters, records, record.ledger.desk.take_jobs(), transcript)

    def _speak(self, now: float) -> bool:
        """Say one thing that we owe; False when there is none."""
        if self.returning or self.record.phase is Phase.BROKEN:
            return False
        record, own = self.record, self.own
        own.seat = self.seat
        may_break_off = self._is_stuck(now - BREAK_OFF_STEP_S * own.seat)
        pausing, stuck = self.is_pausing(now), self._is_stuck(now)
        found = next_message(record.now, record.ledger, own, pausing, stuck, may_break_off)
        if found is None:
            return self._propose(now)
        self.signer.say(found)
        return True

    def _propose(self, now: float) -> bool:
        """Our player's move, if it can go out at this height."""
        if (lost := self.choice.weigh(self.seat)) is not None:
            self._news.append(lost)
        found = self.choice.proposal(self.seat, now)
        if isinstance(found, MoveLost):
            self._news.append(found)
        elif found is not None:
            self.signer.say(found)
        return found is not None

    def _notice(self, now: float) -> None:
        """After everything is said: what is new for our player, and who is slow."""
        record = self.record
        if record.round is not None:
            self.effort.begin(record.round.number, record.height)
        self._pauses.look_for_end(now)
        if record.height != self._height_seen:
            self._height_seen = record.height
            self.waits.begin_height(now)
            self.own.forget_seeds()
        self.choice.look(self.seat)
        if (changed := self.hand.changes(record.round, self.seat)) is not None:
            self._news.append(HandChanged(*changed))
        self._showing.settle_quarrels()
        for event in record.events:
            if isinstance(event, Accused):
                self._showing.prove(event)
        self._mind_waits(now)
        if (levels := self.help.look(now, bool(self.returning))) is not None:
            self._news.append(levels)

    def _mind_waits(self, now: float) -> None:
        """Ask those who keep us waiting, and say again what we said: links lose what was under way when they broke."""
        own, waits = self.seat, self.waits
        late = waits.late_seats(own, self.is_pausing(now), now) | self.returning
        if (ended := waits.look(late, now)) is not None:
            self.wishes.end(ended)
            self._news.append(Awaiting(tuple(sorted(waits.awaiting))))
        if (changed := self.wishes.look(now)) is not None:
            self._news.append(changed)
        for seat in waits.due(now):
            self._remind(seat)

    def _remind(self, seat: Seat) -> None:
        """Ask a seat for what it holds, and show it what we hold of the open height."""
        self._showing.ask(seat, own=seat in self.returning)
        self._showing.show(seat, self.record.height)

    # --- coming back ---

    def _shown_by(self, seat: Seat) -> None:
        self.returning.discard(seat)
        if not self.returning and self._return_until is not None:
            self._stop_returning()

    def _stop_returning(self) -> None:
        self._news.append(Returned(tuple(sorted(self.returning))))
        self.returning = set()
        self._return_until = None

    # --- what our duties ask ---

    def is_pausing(self, now: float) -> bool:
        """Between rounds: the pause is not over, and not all are ready."""
        return self._pauses.is_pausing(now)

    def _is_stuck(self, now: float) -> bool:
        """Whether the round stands where it may be broken off, and has stood there long enough with all present."""
        stuck = self.waits.stuck_at
        return stuck is not None and now >= stuck

    def _default(self) -> Any:
        """The move that is made for us; None where only our hand shows that we need not act (nobody waits for us then)."""
        return self.game.default(self.record.state, self.seat, self.cards)
