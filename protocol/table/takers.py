"""Decide who is asked to take an empty seat between rounds, which bot makes room for a person, and when our seat agrees.

People are proposed by the client of the lowest present seat, bots by the client that keeps them, which also has them make room.
Which of them may sit is decided by `sitters` and by all who are present: each has to sign.
(PROTOCOL.md, "Going on without a seat".)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection

from protocol.cards import Seat
from protocol.messages import TakeSeat
from protocol.table.epochs import REACH, Plan, plan_of
from protocol.table.phases.values import Between
from protocol.table.record import Record
from protocol.table.sitters import Added, keeper_of

MOST_TRIES = 3
"""So often is the same key asked, if it does not sign in time; one that never sat there, once."""
MOST_FRUITLESS = 2
"""After so many epochs that changed nobody since the last round that was scored, nobody new is asked to take a seat: those who
play do not wait for strangers again and again."""
MOST_FRUITLESS_WAITING = 4
"""The same where all wait for a player anyway. With more, the next epoch would have to wait (`leaving.MOST_FRUITLESS`)."""


class Takers:
    """Chooses who takes the empty seats."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self.wants_seat = True
        """Whether our player would take a seat, if we are not present."""
        self.bots: frozenset[bytes] = frozenset()
        """The keys of our bots."""
        self.away: Collection[Seat] = ()
        """The seats that cannot be reached."""
        self._failed: defaultdict[bytes, set[int]] = defaultdict(set)
        """By key: the epochs for which it did not sign."""

    # --- whom we propose ---

    def next(self, own: Seat, missing: Collection[Seat]) -> tuple[Added, ...]:
        """Return who is to take seats now, as far as that is ours to propose: one person at most, and our bots."""
        record = self._record
        if not isinstance(record.now, Between) or record.from_seat(own, "vote", record.height) is not None:
            return ()
        found: dict[Seat, Added] = {}
        offers = self._offers()
        for each in sorted(offers, key=lambda each: each[1] != record.key(each[0])):
            seat, key, keeper, *_ = each
            is_ours = keeper == record.own and key in self.bots if keeper != key else self.is_proposer(own)
            if seat in record.present or seat in found or seat in missing or seat in self.away or not is_ours:
                continue
            if keeper != key and any(other[0] == seat and other[2] == other[1] for other in offers):
                continue  # our bot has made room for somebody
            plan = tuple(sorted((*found.values(), each)))
            if self._may_sit(each) and record.changes.may_join(plan, record.ledger.departures.out):
                found[seat] = each
        return tuple(sorted(found.values()))

    def makes_room(self, own: Seat, missing: Collection[Seat]) -> Seat | None:
        """Return the seat of a bot of ours in which somebody wants to sit, for whom it is to make room now."""
        record = self._record
        if not isinstance(record.now, Between) or record.from_seat(own, "vote", record.height) is not None:
            return None
        for each in self._offers():
            seat, out = each[0], record.ledger.departures.out
            is_ours = record.gives_way(seat) and record.keepers[seat] == record.own and seat not in missing
            if is_ours and self._may_sit(each) and record.changes.may_join((each,), out):
                return seat
        return None

    def number(self, added: tuple[Added, ...]) -> int:
        """Return the number of the epoch in which these join: above all for which they, or those before them, have signed."""
        record, seats = self._record, {seat for seat, *_ in added}
        said = [record.offers[seat, key].message for seat, key, *_ in added]
        before = [number for number, seat in record.ledger.departures.within_reach(record.epoch) if seat in seats]
        return max([record.epoch, *before, *(each.number for each in said if isinstance(each, TakeSeat))]) + 1

    def failed(self, number: int, plan: Plan) -> None:
        """Note that some of these did not sign."""
        for _, key, *_ in plan.added:
            self._failed[key].add(number)

    def would_sit(self, seat: Seat, key: bytes) -> bool:
        """Whether this key says that it would sit there, and we believe it."""
        return any(each[:2] == (seat, key) for each in self._offers())

    def _offers(self) -> list[Added]:
        record, found = self._record, []
        for (seat, key), signed in record.offers.items():
            said = signed.message
            assert isinstance(said, TakeSeat)
            if len(self._failed[key]) < self._tries(seat, said) and said.number < record.epoch + REACH:
                found.append((seat, key, said.keeper, said.name, said.bot))
        return found

    def _tries(self, seat: Seat, said: TakeSeat) -> int:
        """Return how often whoever says this is asked to sit there: anybody can come with any number of keys."""
        record = self._record
        if said.key == record.key(seat) or said.keeper == record.own != said.key:
            return MOST_TRIES
        most = MOST_FRUITLESS_WAITING if record.is_waiting_for_players else MOST_FRUITLESS
        return 1 if record.fruitless < most else 0

    def is_proposer(self, own: Seat) -> bool:
        """Whether our client asks people to take seats: it is the lowest present seat that is no bot of somebody else."""
        members = {seat: self._record.member(seat) for seat in self._record.present}
        return own == next((seat for seat, member in members.items() if keeper_of(member) == member.key), None)

    def _may_sit(self, added: Added) -> bool:
        """Whether we know this key, from this seat, from the room, or as our bot, and it takes the seat under its name."""
        seat, key, _, name, bot = added
        is_known = key == self._record.key(seat) or key in self._record.welcome
        return is_known and self._record.is_as_shown(seat, key, name, bot)

    # --- what we agree to ---

    def welcomes(self, own: Seat, number: int, plan: Plan, missing: Collection[Seat]) -> bool:
        """Whether we sign for this plan of somebody else."""
        record = self._record
        if not isinstance(record.now, Between) or not record.changes.may_join(plan.added, record.ledger.departures.out):
            return False
        if set(plan.stay) != set(record.present):
            return False  # those who ask are in an epoch that we do not know yet
        if not set(plan.taken).isdisjoint(missing) or not all(map(self._may_sit, plan.added)):
            return False
        keepers = {record.key(seat): seat for seat in record.present}
        for _, key, keeper, *_ in plan.added:
            if keeper == key or keeper not in keepers:
                continue
            said = record.ledger.departures.withouts.get((number, keepers[keeper]))
            if keepers[keeper] == own and key in self.bots and self._has_asked(own, plan):
                continue  # others ask for what we have asked for, under a higher number
            if keepers[keeper] == own or said is None or plan_of(said) != plan:
                return False  # only its keeper brings a bot
        return True

    def making_room(self, plan: Plan) -> frozenset[Seat]:
        """Return the bots that this plan leaves out because their keepers, who stay, have promised just that. Two keepers may do
        so at the same time; then all agree to the plan of one of them, under a higher number."""
        record = self._record
        if not isinstance(record.now, Between):
            return frozenset()
        promises = record.ledger.departures.withouts
        asking = {
            record.key(seat) for (_, seat), each in promises.items() if seat in plan.stay and plan_of(each) == plan
        }
        left = record.bots & set(record.present) - set(plan.stay)
        return frozenset(seat for seat in left if record.keepers[seat] in asking)

    def _has_asked(self, own: Seat, plan: Plan) -> bool:
        """Whether we have promised this plan."""
        promises = self._record.ledger.departures.withouts
        return any(seat == own and plan_of(each) == plan for (_, seat), each in promises.items())
