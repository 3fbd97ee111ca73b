"""Keep how a match stands: its phase, what follows from it, and what may be asked about it.

Only `enter` changes the phase. What changes a match is built on this: the messages that it takes (`inbox`), the epochs that
follow each other (`changes`), and all of it together (`record`). (PROTOCOL.md, "The table".)
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from protocol.cards import Seat
from protocol.dealing.group import Point
from protocol.dealing.hashing import Rng
from protocol.dealing.keys import RoundKey
from protocol.errors import BadMessage
from protocol.games.game import AnyGame
from protocol.messages import (
    Evidence,
    Goodbye,
    Nonce,
    Prepare,
    Proposal,
    Seal,
    Vote,
    Without,
)
from protocol.signed import Signed
from protocol.table.ballot import choice_of
from protocol.table.departures import TWO_VERSIONS, Departures, departed
from protocol.table.epochs import Epoch, Quorum, Waiting, plan_of
from protocol.table.events import Accused, Event
from protocol.table.ledger import LAST, BlockPlace, Convicted, Ledger
from protocol.table.phases.between import is_short
from protocol.table.phases.handlers import ENTERED, HANDLERS, Handler, prepare
from protocol.table.phases.values import (
    Between,
    Broken,
    Closing,
    Ending,
    Match,
    Now,
    Over,
    Phase,
    Playing,
    Sealing,
    certified,
    first_phase,
    key_of,
    member_of,
)
from protocol.table.places import Departure
from protocol.table.roster import Member, Roster
from protocol.table.sitters import Added, gives_way, keeper_of
from protocol.table.store import Said, Saved
from protocol.values import dataclass, replace

KEPT_CERTIFICATES = 3
"""Nobody can be further behind, because each height needs everyone's vote."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A moment to which a match can return: its phase, the messages of the open height that are already part of the match, and
    the number of messages and heights in the transcript."""

    now: Now
    block: tuple[tuple[BlockPlace, Signed], ...]
    kept: frozenset[Said]
    written: int
    heights: int


@dataclass(frozen=True, slots=True)
class Abandoned:
    """An epoch that was given up: the number of the promises for whose sake, and how much had been heard by then."""

    number: int
    heard: int


@dataclass(frozen=True, slots=True)
class Before:
    """What the last epoch was when the one after it began: nothing may come of that one, and the others may go on from here.

    `moment`: where it began. `certificates` and `opened`: those up to there.
    """

    epoch: Epoch
    moment: Checkpoint
    certificates: dict[bytes, Checkpoint]
    opened: dict[bytes, Checkpoint]
    store: Saved
    departures: Departures
    newcomers: dict[bytes, Seat]
    replaced: tuple[Replaced, ...]


@dataclass(frozen=True, slots=True)
class Replaced:
    """Somebody whose seat was taken by somebody else, and why they stand last; None if they only did not come back in time."""

    seat: Seat
    member: Member
    reason: Departure | None


@dataclass(frozen=True, slots=True)
class Ground:
    """What our promises to go on name: the last epoch that we saw begin with us in it, our last certificate there, and our vote
    above that."""

    epoch: Epoch
    height: int
    certificate: bytes
    vote: bytes | None


@dataclass(frozen=True, slots=True)
class LeftAlone:
    """Why the match is to be broken off, for which too few are left: as `Broken`, with what convicts somebody."""

    ending: Ending
    seat: Seat
    what: str
    accused: Accused | None = None
    evidence: tuple[Signed, ...] = ()


class Course:
    """How one match stands. `rng` gives the random weights of batched proofs."""

    def __init__(
        self, roster: Roster, game: AnyGame, rng: Rng, own: bytes | None = None, seat: Seat | None = None
    ) -> None:
        """`own`: our key, if we sit at this table, or would take `seat`."""
        self.own, self._own_seat = own, seat
        self._places = {member.key: place for place, member in enumerate(roster.members)}
        self._own_place = None if own is None else self._places.get(own)
        self.ledger = ledger = Ledger(roster, game, rng)
        self.roster, self.game, self.table, self.size = roster, game, ledger.table, ledger.size
        self.transcript, self.proof_checks = ledger.transcript, ledger.counts
        self.ready, self.wishes, self.hints = ledger.store.ready, ledger.store.wishes, ledger.store.hints
        self.certificates: dict[bytes, Checkpoint] = {}
        """The match at each of its last certificates. A new epoch begins at one of them."""
        self.opened: dict[bytes, Checkpoint] = {}
        """The match as its last heights were opened, by the certificate before each. All who go on may have voted alike there."""
        self.due: list[Handler] = []
        self.before: list[Before] = []
        """The epochs before this one to which we may have to return, because nothing is certified yet in those that followed."""
        self.waiting: list[Waiting] = []
        """The promises of all seats of an epoch to which we do not know the way, with where they begin; highest number first."""
        self.abandoned: dict[bytes, Abandoned] = {}
        """The epochs that were given up, by hash, since a height was certified last."""
        self.heard = 0
        """How many promises, goodbyes and convictions were taken: each may lead to another epoch."""
        self.given_up: Ground | None = None
        """The last epoch with us in it that we gave up, though we may have said something there: our promises still name it."""
        self.fruitless = 0
        """How many epochs since the last scored round left nobody out and let nobody in."""
        self.offers: dict[tuple[Seat, bytes], Signed] = {}
        """The last offer of each key to take an empty seat, in this epoch; each key has one."""
        self.welcome: frozenset[bytes] = frozenset()
        """Who may take an empty seat in which somebody else sat: these keys."""
        self.shown: Mapping[bytes, tuple[str, bool]] = {}
        """The name of each of them, and whether it is a bot, as the room shows it: they must not sit down as somebody else."""
        self.newcomers: dict[bytes, Seat] = {}
        """The seat of each key that is not in the roster, and sat or sits there."""
        self.replaced: list[Replaced] = []
        """Whose seats were taken by others, in that order."""
        self.withdrawn = ""
        """The name of who had taken a seat in an epoch that we gave up, until the next one begins; empty: nobody."""
        self.left_alone: LeftAlone | None = None
        """Why this match ends, unless an epoch begins for which all have signed and in which somebody else sits down."""
        self.drew_before: set[Seat] = set()
        """The seats that seem to have drawn the seats before us, and to have gone on."""
        self.ahead: set[Seat] = set()
        """The seats that speak of a later epoch or height than ours: they can show us how it came about."""
        self.claims: dict[bytes, int] = {}
        """The highest height of which each of their keepers has spoken."""
        self.is_following = False
        """Whether we only catch up with where another epoch begins."""
        self.may_change = False
        """Whether something was heard that may lead to another epoch."""
        first = first_phase(ledger)
        ledger.departures.begin(first.match.epoch)
        self.enter(first)

    def enter(self, following: Now) -> None:
        """Set the phase, and the attributes that others read from it. Nothing else changes the phase."""
        is_drawn = isinstance(getattr(self, "now", None), Sealing) and not isinstance(following, Sealing)
        before: Match | None = getattr(self, "match", None)
        self.now, self.phase, self.match, self.round = following, following.phase, following.match, following.round
        match = self.match
        self.seed, self.words, self.seating = match.draw.seed or None, match.draw.words, match.draw.seating
        self.own_seat = self._own_seat if self._own_place is None else self.seating.index(self._own_place)
        """Our seat (before the draw our place in the roster), also if we are left out or would take it; None if we only watch."""
        if before is None or before.epoch is not match.epoch or before.draw is not match.draw:
            self._keys = tuple(key_of(self.ledger, match, seat) for seat in range(self.size))
            self.keepers = self.keepers_of(match)
            """Who is responsible for each seat: the seat's own key, or a bot's keeper."""
            self.bots = self.bots_of(match)
            """The seats that somebody else keeps."""
        self.epoch, self.present, self.epoch_hash = match.epoch.number, match.epoch.present, match.epoch.hash
        seat = self.own_seat
        self.is_seated = seat is not None and seat in self.present and self.key(seat) == self.own
        """Whether we are present."""
        self.ledger.trust.epoch = self.epoch
        self.ledger.own = self.own_seat if self.is_seated else None
        self.height, self.previous, self.state = match.height, match.previous, match.state
        self.state_bytes, self.state_hash = match.state_bytes, match.state_hash
        if len(match.points) > len(getattr(self, "points", ())):
            self.fruitless = 0
        self.points, self.breaches = match.points, match.breaches
        self.dealer, self.rounds_closed, self.preparing = match.dealer, match.rounds_closed, match.preparing
        if self.previous not in self.certificates or is_drawn:
            self.certificates[self.previous] = self.checkpoint()
            if len(self.certificates) > 1:
                self.before.clear()  # all seats of this epoch have voted in it
                self.abandoned.clear()
            if len(self.certificates) > KEPT_CERTIFICATES:
                del self.certificates[next(iter(self.certificates))]
        if isinstance(following, Between | Playing | Closing) and self.previous not in self.opened:
            self.opened[self.previous] = self.checkpoint()
            if len(self.opened) > KEPT_CERTIFICATES:
                del self.opened[next(iter(self.opened))]
        self.scores = self.certificates[self.previous].now.match.scores
        """The scores of the last closing: those of a round that is not closed do not count."""
        self.is_over = self.phase in (Phase.OVER, Phase.BROKEN)
        self.may_change = bool(self.ledger.departures.withouts)
        self.due.clear()
        if self.preparing is not None:
            self.stir("prepare")
        self.stir(ENTERED)

    # --- what can be asked ---

    @property
    def broken(self) -> Broken | None:
        """Return how the match was broken off, or None."""
        return self.now if isinstance(self.now, Broken) else None

    @property
    def is_waiting_for_players(self) -> bool:
        """Whether the match waits between rounds, because its game cannot be dealt to those who are present."""
        return is_short(self.now, self.ledger)

    @property
    def ended_short(self) -> bool:
        """Whether the match is over though it was not played to its end, because players are missing."""
        return isinstance(self.now, Over) and self.now.is_short

    @property
    def has_stand_ins(self) -> bool:
        """Whether a seat that left has a default move to make now."""
        return isinstance(self.now, Playing) and bool(self.now.stand_ins)

    @property
    def events(self) -> list[Event]:
        """Return the events that were not taken yet."""
        return self.ledger.events

    def member(self, seat: Seat) -> Member:
        """Return who sits here, or sat here last."""
        return member_of(self.ledger, self.match, seat)

    @property
    def furthest(self) -> int:
        """Return how far the others seem to be: one who lies about it is not believed if there are others."""
        return sorted(self.claims.values())[-2:][0] if self.claims else 0

    def gives_way(self, seat: Seat) -> bool:
        """Whether a bot sits here that makes room for a person between rounds."""
        return seat in self.present and gives_way(self.member(seat), map(self.member, self.present))

    @property
    def is_newcomer(self) -> bool:
        """Whether we would take a seat, or took it, and are not in the roster."""
        return self._own_place is None and self._own_seat is not None

    def keepers_of(self, match: Match) -> tuple[bytes, ...]:
        """Return who is responsible for each seat, as this match stands."""
        members = (member_of(self.ledger, match, seat) for seat in range(self.size))
        return tuple(map(keeper_of, members))

    def bots_of(self, match: Match) -> frozenset[Seat]:
        """Return the seats that somebody else keeps, as this match stands."""
        members = ((seat, member_of(self.ledger, match, seat)) for seat in range(self.size))
        return frozenset(seat for seat, member in members if member.bot and member.keeper != member.key)

    def speaker(self, signed: Signed) -> bytes:
        """Return the key that has to have signed a message: its seat's or, of a promise, the new player's."""
        if isinstance(signed.message, Without):
            named = (key for seat, key, *_ in signed.message.added if seat == signed.seat)
            return next(named, self.key(signed.seat))
        return self.key(signed.seat)

    def is_by_sitter(self, signed: Signed) -> bool:
        """Whether a message that is signed as it has to be is by who sits in its seat: a promise may be by whoever would sit
        there, which anybody can say of themselves."""
        return self.speaker(signed) == self.key(signed.seat)

    def key(self, seat: Seat) -> bytes:
        """Return the public key that signs for this seat."""
        return self._keys[seat]

    def seat_of(self, key: bytes) -> Seat | None:
        """Return the seat (before the draw the place in the roster) of a key that sits or sat there; None for any other."""
        place = self._places.get(key)
        return self.newcomers.get(key) if place is None else self.seating.index(place)

    @property
    def quorum(self) -> Quorum:
        """Return who counts when seats go on alone, as far as we have heard."""
        departures = self.ledger.departures
        return departures.quorum(self.keepers, departures.out, self.bots)

    @property
    def ground(self) -> Ground:
        """Return what our promises name. Whoever goes back behind an epoch in which they have said something denies that; but not
        where somebody was convicted who stayed in it, for then it may have begun twice."""
        given_up, convicted = self.given_up, self.ledger.departures.convicted.keys()
        is_behind = given_up is not None and given_up.epoch.number > self.epoch and self.is_seated
        if given_up is not None and is_behind and convicted.isdisjoint(given_up.epoch.present):
            return given_up
        return self.ground_of(self.now, self.ledger.store.said)

    def ground_of(self, now: Now, said: Mapping[Said, Signed]) -> Ground:
        """Return what our promises name at such a moment. `said`: what was said there."""
        match, height = now.match, certified(now)
        vote = None if self.own_seat is None else said.get((self.own_seat, match.epoch.number, ("vote", height + 1)))
        stands = (
            vote is not None and isinstance(vote.message, Vote | Proposal) and vote.message.previous == match.previous
        )
        return Ground(match.epoch, height, match.previous, choice_of(vote) if vote is not None and stands else None)

    @property
    def height_of_own(self) -> int:
        """Return the highest certificate of this epoch that we had when we said what we hold of our own: more than we know, where
        our home was restored from an older copy. 0 where somebody present was convicted: then some of it may be undone."""
        departures, own = self.ledger.departures, self.own_seat
        if own is None or self.own is None or not departures.convicted.keys().isdisjoint(self.present):
            return 0
        found = [0]
        for each in (*departures.of(own, self.own), *self.ledger.said_by(own, self.epoch, self.certified_height + 1)):
            said = each.message
            if (each.epoch, each.epoch_hash) != (self.epoch, self.epoch_hash):
                continue
            if isinstance(said, Without):
                found.append(said.height)
            elif isinstance(said, Vote | Proposal):
                found.append(said.height - 1)
        return max(found)

    @property
    def lost(self) -> frozenset[Seat]:
        """Return the present seats that have lost their secret of the round under way, or of the next one."""
        said = self.ledger.store.said_by(self.present, self.epoch, "lost", self.rounds_closed + 1)
        return frozenset(signed.seat for signed in said)

    def is_as_shown(self, seat: Seat, key: bytes, name: str, is_bot: bool) -> bool:
        """Whether somebody who would sit in a seat says of itself what the others know of it, from that seat or from the room."""
        if key == self.key(seat):
            known, was_bot = self.member(seat).name, self.member(seat).bot
        else:
            known, was_bot = self.shown.get(key, (name, is_bot))
        return name == known and (was_bot or not is_bot)  # an unattended client takes a seat as anybody does

    def round_key(self, seat: Seat) -> Point | None:
        """Return a seat's public key of the round under way, or of the next one, once we hold it."""
        number = self.rounds_closed + 1
        if self.round is not None and self.round.number == number:
            return self.round.keys[seat].y if seat in self.round.active and self.phase is not Phase.CLOSING else None
        said = self.from_seat(seat, "prepare", number)
        return _point_of(said.message.key) if said is not None and isinstance(said.message, Prepare) else None

    @property
    def certified_height(self) -> int:
        """Return the height of our last certificate."""
        return certified(self.now)

    def from_seat(self, seat: Seat, *slot: str | int | None) -> Signed | None:
        """Return what a seat said for a slot in this epoch."""
        return self.ledger.store.get(seat, self.epoch, *slot)

    def take_events(self) -> tuple[Event, ...]:
        """Return the events since the last call."""
        events, self.ledger.events = tuple(self.ledger.events), []
        return events

    # --- messages ---

    def verify(self, signed: Signed) -> Seat:
        """Check the signature, and return the seat that signed. Raises BadMessage.

        Seals and nonces name the signer by its place in the roster. Evidence and goodbyes may do so too, as they may be sent
        before the seats are drawn.
        """
        self.ledger.counts["signatures"] += 1
        place = self.roster.members[signed.seat]
        if isinstance(signed.message, (Evidence, Goodbye)):
            if signed.is_by(self.speaker(signed)):
                return signed.seat
        elif not isinstance(signed.message, (Seal, Nonce)):
            signed.verify(self.speaker(signed))
            return signed.seat
        signed.verify(place.key)
        seat = self.seating.index(signed.seat)
        if self.key(seat) != place.key:
            raise BadMessage("somebody else sits there now")
        return seat

    def is_past(self, signed: Signed) -> bool:
        """Whether a message with a slot is of an epoch before the one that we follow; a promise, for one, begun or not."""
        if isinstance(signed.message, Without):
            return signed.message.number <= self.epoch
        is_known = self.ledger.departures.epochs.get(signed.epoch) == signed.epoch_hash
        return is_known and signed.epoch < self.epoch and signed.message.slot is not None

    def checkpoint(self) -> Checkpoint:
        """Return the current moment of the match."""
        ledger = self.ledger
        written, heights = len(ledger.transcript), len(ledger.marks)
        return Checkpoint(self.now, tuple(ledger.block), frozenset(ledger.kept), written, heights)

    def note_written(self) -> None:
        """Have the last certificate stand behind all that is in the transcript now."""
        written = len(self.transcript)
        for moments in (self.certificates, self.opened):
            if (moment := moments.get(self.previous)) is not None:
                moments[self.previous] = replace(moment, written=written)

    # --- the next epoch ---

    @property
    def is_held(self) -> bool:
        """Whether nothing of this epoch counts any more: we have signed for another, or somebody present was convicted. Not
        while we only catch up with where the next one begins, and no promise binds us once we are left out."""
        return self.is_bound and not self.is_following

    @property
    def is_bound(self) -> bool:
        """Whether nothing may be signed in this epoch any more: as `is_held`, but also while we catch up."""
        departures = self.ledger.departures
        if not departures.convicted and departures.promised <= self.epoch:
            return False
        has_promised = departures.promised > self.epoch and self.is_seated
        return (has_promised or not departures.convicted.keys().isdisjoint(self.present)) and not self.is_over

    def stir_all(self) -> None:
        """Schedule all handlers of the current phase: what was heard may now count."""
        for phase, kind in HANDLERS:
            if phase is type(self.now):
                self.stir(kind)

    def stir(self, kind: str) -> None:
        """Schedule the handler for a kind of message or job of which there is a new one."""
        handler = HANDLERS.get((type(self.now), kind))
        if handler is not None and handler not in self.due:
            self.due.insert(0 if handler is prepare else len(self.due), handler)

    # --- the end of it ---

    def convict_of_two(self, first: Signed, second: Signed, seat: Seat | None = None) -> None:
        """Convict a seat of signing two versions of one message. `seat`: who did, where the messages alone do not say so."""
        fault = BadMessage("two different signed versions of the same message")
        self.convict(Convicted(self.signer(first) if seat is None else seat, TWO_VERSIONS, fault, first, second))

    def signer(self, signed: Signed) -> Seat:
        """Return the seat of who signed a message with a slot: seals and nonces name the place in the roster. (So may a goodbye:
        see `verify`.)"""
        return self.seating.index(signed.seat) if isinstance(signed.message, (Seal, Nonce)) else signed.seat

    def convict(self, found: Convicted) -> None:
        """Count a seat no more because it was caught. The match ends if too few are left; the transcript holds the evidence."""
        departures = self.ledger.departures
        # Of two nonces, somebody may hold the wrong one, and never see the seats drawn: then nobody can vote for the first round.
        # So that all do the same, it ends the match also where something else has convicted the seat before.
        is_about_seats = any(isinstance(each.message, Seal | Nonce) for each in found.evidence)
        is_unsealed = self.seed is None or (is_about_seats and self.certified_height == 0)
        if self.is_over or (found.seat in departures.convicted and not is_unsealed):
            return
        for each in (found, *found.others):
            if each.seat not in departures.convicted:
                accused = _accusation(each)
                self.ledger.events.append(accused)
                departures.convicted[each.seat], departures.evidence[each.seat] = accused, each.evidence
        self.may_change = True
        self.heard += 1
        if is_unsealed or not self.quorum.can_go_on(self.present):
            evidence = tuple(signed for each in (found, *found.others) for signed in each.evidence)
            left = LeftAlone(Ending.CHEAT, found.seat, found.what, _accusation(found), evidence)
            if is_unsealed:
                self.break_off(left)
            else:
                self.leave_alone(left)

    def leave_alone(self, left: LeftAlone) -> None:
        """End the match, for which too few are left. Whoever plays waits if somebody else may be sitting down: others may have
        begun that epoch, though we have not. (Whoever only reads what was sent does not: it has no say in it.)"""
        self.left_alone = left
        if self.own is None or not self.sitting_down:
            self.break_off(left)

    @property
    def sitting_down(self) -> tuple[Added, ...]:
        """Return those with whom an epoch may begin though too few are left: somebody present who is not out has
        signed for it, and so have all who said goodbye."""
        departures, out = self.ledger.departures, self.quorum.out
        gone = self.quorum.people(out)
        for (number, seat), signed in departures.withouts.items():
            plan = plan_of(signed)
            if seat not in plan.stay or seat in out or departures.speakers[number, seat] != self.key(seat):
                continue
            people = self.quorum.people(set(plan.stay)) | {keeper for _, _, keeper, _, _ in plan.added}
            left = [departures.goodbyes[seat].message for seat in plan.stay if seat in departures.goodbyes]
            has_signed = all(isinstance(each, Goodbye) and plan.attempt(number) in each.attempts for each in left)
            if plan.added and has_signed and len(people - gone) >= 2:
                return plan.added
        return ()

    def break_off(self, left: LeftAlone) -> None:
        """End the match early. The messages of the open height go into the transcript, because evidence may depend on them.

        All who are out for good count now, also those whom no promise has named yet.
        """
        if left.evidence:
            self.ledger.keep_evidence(left.evidence)
        match = self.match
        match = replace(match, departed=departed(match.departed, self.ledger.departures.out))
        self.ledger.open_transcript()
        self.ledger.keep_rest()
        written = {*self.ledger.transcript, *(signed.data for _, signed in self.ledger.block)}
        for index, each in enumerate(self.ledger.departures.said()):
            if each.data not in written:
                self.ledger.keep((LAST + 2, index), each)
        self.ledger.emit(self.height)
        self.enter(Broken(match, self.round, left.ending, left.seat, left.what, left.accused))


@lru_cache(16)
def _point_of(key: bytes) -> Point:
    """Every step looks whether we have lost what belongs to ours."""
    return RoundKey.decode(key).y


def _accusation(found: Convicted) -> Accused:
    return Accused(found.seat, found.what, found.reason, tuple(signed.data for signed in found.evidence))
