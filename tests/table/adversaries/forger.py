"""A seat that cheats: its own table plays on honestly, and what leaves its machine is something else, signed with its own key.

So a cheat is told in one function: from a message and its receiver to what is sent instead (or None for silence). What the
others must find is told in one line: `convicted`, or `stalled` where nobody can prove anything.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from protocol.messages import Evidence, Message
from protocol.signed import Page, Signed, decode, decode_signed, sign
from protocol.table.events import Accused, Awaiting, Cause, EpochBegan, MatchOver, MatchShort
from protocol.table.places import Departure, Place
from protocol.table.record import Ending, Phase, Record
from protocol.table.roster import TableOptions
from protocol.table.table import Table
from protocol.table.verify import verify
from tests.table.matches import file_of
from tests.table.tables import Client, Link, Tables, stream

Change = Callable[[Message, int], Message | None]
"""What is sent to this seat in place of a message of ours."""

CHEATER = 1
ONE_ROUND = TableOptions(pause=0, grace=0, rounds=1, recovery="off")
"""Without recovery a caught seat ends the round, which is soon over."""
SMALL: dict[str, Any] = {"hand": 3, "draw": "one", "target": 500}
MOVED = 2
"""Heights after which a move was made: before it, a round may have to be opened."""
LONG: dict[str, Any] = {"hand": 8, "draw": "one", "target": 500}
"""For a cheat that has to wait for its chance: in a short round it may not come."""


class Forger:
    """One seat of a table (seats stand as listed, so client and seat have one number) sends what `change` makes of its words."""

    def __init__(
        self,
        change: Change | None = None,
        game: str = "crazy-eights",
        seats: int = 3,
        options: dict[str, Any] | None = None,
        seed: int = 2,
        table: TableOptions = ONE_ROUND,
        link: Link | None = None,
        is_hasty: bool = True,
    ) -> None:
        self.tables = Tables(game, seats, SMALL if options is None else options, seed, link, table)
        self.tables.tamper, self.tables.is_hasty = self._tamper, is_hasty
        self.change = change or (lambda message, to: message)
        self.made: dict[tuple[bytes, int], bytes] = {}
        self.changed = 0
        self.honest_bytes: list[tuple[int, int, bytes]] = []
        """What the others sent: (sender, receiver, bytes)."""

    # --- the cheater ---

    @property
    def client(self) -> Client:
        return self.tables.clients[CHEATER]

    @property
    def table(self) -> Table:
        return self.client.table

    @property
    def record(self) -> Record:
        return self.table.record

    def sign(self, message: Message, seat: int = CHEATER, **other: Any) -> Signed:
        """Any message, signed with the cheater's key; `other`: another table or epoch than the true ones."""
        record = self.record
        return sign(
            self.client.identity,
            other.get("table", record.table),
            other.get("epoch", record.epoch),
            other.get("epoch_hash", record.epoch_hash),
            seat,
            message,
        )

    def inject(self, message: Message, to: Collection[int] | None = None, **other: Any) -> None:
        """Say something that our own table knows nothing of."""
        self.inject_bytes(self.sign(message, **other).data, to)

    def inject_bytes(self, data: bytes, to: Collection[int] | None = None) -> None:
        for seat in self.honest if to is None else to:
            self.tables.count += 1
            self.tables.deliver(CHEATER, seat, self.tables.clients[seat].life, data)

    def _tamper(self, sender: int, to: int, data: bytes) -> bytes | None:
        found = decode(data)
        if sender != CHEATER:
            self.honest_bytes.append((sender, to, data))
            if to == CHEATER and isinstance(found, Page):  # it knows what it said, and is not shaken by hearing it
                others = tuple(inner for inner in found.messages if decode_signed(inner).seat != CHEATER)
                return Page(found.index, found.last, others).encode()
            return data
        if isinstance(found, Page):
            changed = [self._changed(decode_signed(inner), to) for inner in found.messages]
            return Page(found.index, found.last, tuple(each for each in changed if each is not None)).encode()
        return self._changed(found, to)

    def _changed(self, signed: Signed, to: int) -> bytes | None:
        if signed.seat != CHEATER:
            return signed.data
        if isinstance(signed.message, Evidence):
            return None  # its table is honest, and would give itself away
        key = (signed.data, to)
        if key not in self.made:
            message = self.change(signed.message, to)
            if message is None:
                self.changed += 1
                return None
            self.made[key] = signed.data if message == signed.message else self.sign(message).data
            self.changed += message != signed.message
        return self.made[key]

    # --- the others ---

    @property
    def honest(self) -> list[int]:
        return [seat for seat in range(len(self.tables.clients)) if seat != CHEATER]

    def honest_record(self, seat: int | None = None) -> Record:
        return self.tables.clients[self.honest[0] if seat is None else seat].table.record

    def start(self) -> None:
        self.tables.start()

    def until(self, condition: Callable[[], object], limit: int = 100_000) -> None:
        """Play on, with everybody's moves, until something holds."""
        for _ in range(limit):
            if condition():
                return
            self.tables.move_someone()
            if not self.tables.turn() and not any(c.table.can_move and c.table.legal() for c in self.tables.up()):
                raise AssertionError(f"nothing happens any more: {self.tables.where()}")
        raise AssertionError(f"no end: {self.tables.where()}")

    def until_height(self, height: int) -> None:
        self.until(lambda: self.honest_record().height >= height)

    def for_seconds(self, seconds: float) -> None:
        end = self.tables.now + seconds
        while self.tables.now < end:
            self.tables.move_someone()
            if not self.tables.turn():
                self.tables.now = end

    def is_over(self) -> bool:
        return all(self.tables.clients[seat].table.is_over for seat in self.honest)

    def has_gone_on(self, since: int) -> bool:
        """They stand at the same certificate, and at least one move was made after this height."""
        records = [self.honest_record(seat) for seat in self.honest]
        playing = all(record.phase is Phase.PLAYING and record.height >= since + MOVED for record in records)
        return playing and len({record.previous for record in records}) == 1

    # --- what they must find ---

    def convicted(self, *what: str, to_the_end: bool = False) -> None:
        """Plays until the cheater is caught: at every honest seat, it alone, for one of these; its file convinces anybody.

        The others have then gone on without it. What follows is a match like any other: it is played `to_the_end` for one cheat
        of each kind.
        """
        if not self.honest_record().seed and not self.tables.queue:
            self.start()
        self.until(lambda: self.is_over() or all(self.honest_record(seat).epoch for seat in self.honest))
        since = max(self.honest_record(seat).height for seat in self.honest)
        self.until(lambda: self.is_over() or (not to_the_end and self.has_gone_on(since)))
        for seat in self.honest:
            client = self.tables.clients[seat]
            record = client.table.record
            assert list(record.ledger.departures.convicted) == [CHEATER], f"seat {seat}: {record.broken}"
            assert record.ledger.departures.convicted[CHEATER].what in what
            if record.seed and len(self.tables.clients) > 2 and not (record.broken and record.certified_height == 0):
                self.assert_others_played_on(seat)
            else:
                assert record.broken is not None and record.broken.ending is Ending.CHEAT
            accused = [event for event in client.events if isinstance(event, Accused)]
            assert [event.seat for event in accused] == [CHEATER]
            self.assert_evidence(accused[0])
        self.assert_files_show(is_complete=self.is_over())
        assert self.changed or self.tables.count, "no cheat took place"

    def assert_others_played_on(self, seat: int) -> None:
        """In the same match, at whose end the cheater stands last."""
        client, first = self.tables.clients[seat], self.honest_record()
        assert client.table.record.previous == first.previous
        began = [event for event in client.events if isinstance(event, EpochBegan)]
        assert [event.without for event in began] == [{CHEATER: Cause.CONVICTED}]
        if not self.is_over():
            return
        if self.tables.game.can_deal_to(self.honest):
            assert client.table.record.phase is Phase.OVER, self.tables.where()
        else:
            assert client.table.record.ended_short
        over = next(event for event in client.events if isinstance(event, MatchOver | MatchShort))
        assert over.places[CHEATER] == Place(CHEATER, len(self.tables.clients), Departure.CONVICTED)

    def assert_evidence(self, event: Accused) -> None:
        """Messages of the cheater, signed with its key, which nobody else can have made."""
        assert event.evidence
        for data in event.evidence:
            signed = decode_signed(data)
            assert signed.seat == CHEATER
            signed.verify(self.client.identity.public)

    def assert_files_show(self, is_complete: bool = True) -> None:
        """Whoever reads a seat's copy comes to the same, knowing no more than its bytes. Equal copies are read once."""
        for data in {file_of(self.tables, seat): None for seat in self.honest}:
            report = verify(data, stream(9))
            assert report.ok, report.failed
            assert report.complete is is_complete
            assert [each["seat"] for each in report.evidence] == [CHEATER]
            for seat in self.honest:
                if file_of(self.tables, seat) == data:
                    assert report.match == self.tables.clients[seat].table.record.previous

    def stalled(self, seconds: float = 30.0, is_overdue: bool = True) -> None:
        """Nothing can be proved: nobody is accused, nothing goes on, and all honest seats say whom they wait for
        (a move is never overdue)."""
        self.for_seconds(seconds)
        heights = [self.honest_record(seat).height for seat in self.honest]
        self.for_seconds(seconds)
        assert heights == [self.honest_record(seat).height for seat in self.honest], "it went on"
        for seat in self.honest:
            client = self.tables.clients[seat]
            assert not [event for event in client.events if isinstance(event, Accused)]
            assert client.table.record.broken is None
            awaiting = [event.seats for event in client.events if isinstance(event, Awaiting)]
            assert awaiting[-1:] == ([(CHEATER,)] if is_overdue else []), awaiting
            assert client.table.awaited == (CHEATER,)

    def unharmed(self) -> None:
        """The match ends as if nothing had been said."""
        self.until(self.is_over)
        for seat in self.honest:
            client = self.tables.clients[seat]
            assert client.table.record.broken is None, client.table.record.broken
            assert not [event for event in client.events if isinstance(event, Accused)]
            assert client.transcript == self.tables.clients[self.honest[0]].transcript
        report = verify(file_of(self.tables, self.honest[0]), stream(9))
        assert report.ok and report.complete
        assert not report.evidence
