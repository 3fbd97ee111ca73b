"""Whatever arrives, a table says BadMessage at worst; every message has an answer in every phase; the same inputs lead to the
same steps."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, fields
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.errors import BadMessage, IllegalMove
from protocol.games.catalogue import load
from protocol.games.local import LocalTable
from protocol.identity import Identity
from protocol.messages import BY_KIND, Ask, Chat, Emote, Message
from protocol.signed import Page, decode, decode_signed, sign
from protocol.table.events import Accused, Said
from protocol.table.record import Phase
from protocol.table.roster import Roster, TableOptions, game_of
from protocol.table.step import Entry, Step
from protocol.table.table import Table
from protocol.values import replace
from tests.rows import row
from tests.table.endings import begun_alone
from tests.table.tables import Link, Tables, stream
from tests.test_wire import PLAIN
from tests.vectors.make_messages import samples

pytestmark = pytest.mark.usefixtures("toy")

ONE_ROUND = TableOptions(pause=0, grace=0, rounds=1)
SMALL: dict[str, Any] = {"hand": 3, "draw": "one", "target": 500}
SENDER = 1


@dataclass
class Scene:
    """A moment of a match: enough to put seat 0 back into it as often as one likes."""

    roster: Roster
    identities: list[Identity]
    nonce: bytes
    journal: list[Entry]
    now: float

    def table(self) -> Table:
        """Seat 0, as it was."""
        game = game_of(self.roster)
        table = Table(self.roster, game, self.identities[0], self.nonce, stream(99), self.now)
        table.restore(self.journal, self.now)
        for seat in range(1, table.record.size):
            table.connected(seat, self.now)
        drive(table, table.wake(self.now + 10), self.now + 10)
        return table


def drive(table: Table, step: Step, now: float) -> list[Any]:
    """Runs a step's jobs, and theirs; returns all events."""
    events = list(step.events)
    work = list(step.work)
    while work:
        job = work.pop(0)
        step = table.done(job, job.run(), now)
        events += step.events
        work += step.work
    return events


@cache
def scene(phase: Phase) -> Scene:
    """The first moment at which seat 0 is in this phase, with all that it has heard."""
    if phase is Phase.CONFIRMING:
        return kept(begun_alone())
    tables = Tables("crazy-eights", 3, SMALL, 1, Link(delay=0.2), ONE_ROUND)
    client = tables.clients[0]
    tables.start()
    while client.table.record.phase is not phase or (phase is Phase.PLAYING and client.table.record.height < 5):
        assert not all(each.table.is_over for each in tables.clients), f"a match without {phase}"
        tables.move_someone()
        tables.turn()
        for other in (1, 2):  # one alone could not go on
            if phase is Phase.BROKEN and client.table.record.height > 3 and not tables.clients[other].table.is_over:
                tables.take(other, tables.clients[other].table.leave(tables.now))
    return kept(tables)


def kept(tables: Tables) -> Scene:
    client, identities = tables.clients[0], [each.identity for each in tables.clients]
    return Scene(tables.roster, identities, client.nonce, list(client.journal), tables.now)


def summary(table: Table) -> tuple[Any, ...]:
    """What an input that was refused must leave as it was."""
    record = table.record
    return (
        record.phase,
        record.height,
        record.previous,
        record.state_hash,
        dict(record.ledger.store.said),
        list(record.ledger.store.held_bytes),
        dict(record.ready),
        list(record.transcript),
        table.hand.secrets,
        table.choice.intent,
    )


def fitted(message: Message, table: Table) -> Iterator[Message]:
    """A message as it is, and as if it were of this very moment: its height, round, previous certificate and state."""
    yield message
    record = table.record
    round = record.rounds_closed + 1
    now = {"height": record.height, "round": round, "previous": record.previous, "state": record.state_hash, "deck": 0}
    names = {field.name for field in fields(message)}
    found = {
        key: value
        for key, value in now.items()
        if key in names and not (key == "state" and message.kind == "state-report")
    }
    yield replace(message, **found)
    if "deck" in names:
        yield replace(message, **{**found, "deck": 1})
    if "height" in names:
        yield replace(message, **{**found, "height": record.height + 1})


PHASES = list(Phase)


@pytest.mark.sample
@pytest.mark.parametrize("phase", PHASES, ids=lambda phase: phase.value)
def test_every_message_has_an_answer_in_every_phase(phase: Phase) -> None:
    """Well signed, and with any content: it is taken, refused, or convicts its sender; and the table stays able to work."""
    here = scene(phase)
    assert {sample.kind for sample in samples()} == set(BY_KIND)
    for number, sample in enumerate(samples()):
        with row(f"{number}, {sample.kind}"):
            answered(here, sample)


def answered(here: Scene, sample: Message) -> None:
    table = here.table()
    for message in fitted(sample, table):
        record = table.record
        signed = sign(here.identities[SENDER], record.table, record.epoch, record.epoch_hash, SENDER, message)
        before = summary(table)
        try:
            step = table.receive(SENDER, signed.data, here.now + 20)
        except BadMessage:
            assert summary(table) == before
            continue
        events = drive(table, step, here.now + 20)
        assert {event.seat for event in events if isinstance(event, Accused)} <= {SENDER}
        if record.phase is Phase.BROKEN:
            break
    drive(table, table.wake(here.now + 40), here.now + 40)
    assert table.deadline is None or table.deadline > here.now + 40


@pytest.mark.sample
@pytest.mark.parametrize("phase", PHASES, ids=lambda phase: phase.value)
def test_any_bytes(phase: Phase) -> None:
    here = scene(phase)
    table = here.table()

    @settings(max_examples=60, deadline=None)
    @given(st.binary(max_size=300), st.integers(1, 2))
    def check(data: bytes, sender: int) -> None:
        before = summary(table)
        with pytest.raises(BadMessage):
            table.receive(sender, data, here.now + 20)
        assert summary(table) == before

    check()


@cache
def letters() -> list[tuple[int, bytes]]:
    """All letters of a match to seat 0: (sender, bytes)."""
    tables = Tables("crazy-eights", 3, SMALL, 1, table=ONE_ROUND)
    found: list[tuple[int, bytes]] = []

    def listen(sender: int, to: int, data: bytes) -> bytes:
        if to == 0:
            found.append((sender, data))
        return data

    tables.tamper = listen
    tables.start()
    tables.play()
    return found


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(st.data())
def test_letters_with_flipped_bits_are_refused(drawn: st.DataObject) -> None:
    """Nothing of them is taken, refused or dropped as of no use; in a page, what is whole still is."""
    sender, data = drawn.draw(st.sampled_from(letters()))
    bit = drawn.draw(st.integers(0, len(data) * 8 - 1))
    flipped = data[: bit // 8] + bytes([data[bit // 8] ^ (1 << bit % 8)]) + data[bit // 8 + 1 :]
    table = shared_table()
    before = summary(table)
    with suppress(BadMessage):
        table.receive(sender, flipped, 2000.0)
    if not isinstance(decode(data), Page):
        assert summary(table) == before
    assert table.record.broken is None


@cache
def shared_table() -> Table:
    return scene(Phase.PLAYING).table()


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(range(60)), min_size=1, max_size=30), st.integers(0, 2), st.booleans(), st.integers(0, 3)
)
def test_pages_of_any_messages_in_any_order(order: list[int], sender: int, last: bool, index: int) -> None:
    inner = [data for _, data in letters() if not isinstance(decode(data), Page)]
    page = Page(index, last, tuple(inner[each % len(inner)] for each in order))
    table = scene(Phase.BETWEEN).table()
    events = drive(table, table.receive(max(1, sender), page.encode(), 2000.0), 2000.0)
    assert not [event for event in events if isinstance(event, Accused)]


# --- determinism ---


def log_of(seed: int, link: Link) -> tuple[list[list[Entry]], list[bytes], list[list[bytes]]]:
    tables = Tables("crazy-eights", 3, SMALL, seed, link, TableOptions(pause=0, grace=0, rounds=2))
    wire: list[bytes] = []

    def listen(sender: int, to: int, data: bytes) -> bytes:
        wire.append(data)
        return data

    tables.tamper = listen
    tables.start()
    tables.play()
    return [c.journal for c in tables.clients], wire, [c.transcript for c in tables.clients]


@pytest.mark.slow
def test_the_same_seed_leads_to_the_same_bytes_on_bad_links() -> None:
    """Every bug report is a replay."""
    link = Link(loss=0.05, double=0.1, delay=0.3)
    assert log_of(9, link) == log_of(9, link)


# --- nothing happens twice, and nothing is late ---


def test_a_repeated_letter_leads_to_nothing() -> None:
    tables = Tables("crazy-eights", 3, SMALL, 1, table=ONE_ROUND)
    tables.start()
    seen: set[tuple[int, int, bytes]] = set()
    plain = tables.deliver

    def twice(sender: int, to: int, life: int, data: bytes) -> None:
        plain(sender, to, life, data)
        found = decode(data)
        if isinstance(found, Page) or isinstance(found.message, Ask) or found.message.slot is None:
            return
        table = tables.clients[to].table
        step = table.receive(sender, data, tables.now)
        assert not step.events and not step.records
        assert not step.outbox
        seen.add((sender, to, data))

    tables.deliver = twice  # type: ignore[method-assign]  # the network doubles every letter
    tables.play()
    assert len(seen) > 100


def test_thinking_long_makes_nobody_late() -> None:
    """A person takes an hour for a move. When it comes, nobody is overdue, and nothing is sent but the votes."""
    tables = Tables("crazy-eights", 3, SMALL, 1, table=ONE_ROUND)
    tables.start()
    tables.run(lambda: all(c.table.record.phase is Phase.PLAYING for c in tables.clients) and tables.is_quiet())
    tables.now += 3600
    for client in tables.clients:
        step = client.table.wake(tables.now)
        assert not step.outbox and not step.events
    sent: list[str] = []

    def listen(sender: int, to: int, data: bytes) -> bytes:
        found = decode(data)
        sent.append("page" if isinstance(found, Page) else found.message.kind)
        return data

    tables.tamper = listen
    tables.move_someone()
    height = tables.clients[0].table.record.height
    tables.run(lambda: all(c.table.record.height > height for c in tables.clients))
    assert set(sent) <= {"move", "vote", "shares"}
    assert "Awaiting" not in {type(event).__name__ for client in tables.clients for event in client.events}


@pytest.mark.slow
@pytest.mark.parametrize("grace", [0, pytest.param(2000, marks=pytest.mark.soak)])
def test_no_deadline_lies_in_the_past(grace: int) -> None:
    """A driver that wakes a table at its deadline does not turn in circles: after it, the deadline lies ahead."""
    table_options = TableOptions(pause=15_000, grace=grace, rounds=2, time=5_000)
    tables = Tables("tichu", 4, {}, 3, Link(delay=0.01), table_options, bots=False)
    tables.start()
    silent = 0
    for _ in range(60_000):
        if all(client.table.is_over for client in tables.clients):
            break
        if tables.random.random() < 0.1:
            tables.move_someone()
        for client in tables.clients:
            deadline = client.table.deadline
            if deadline is not None and deadline <= tables.now and not tables.jobs:
                step = client.table.wake(tables.now)
                tables.take(tables.clients.index(client), step)
                again = client.table.deadline
                assert again is None or again > tables.now or step.work or step.outbox, client.table.record.phase
                silent += 1
        tables.turn()
    for client in tables.clients:
        for seconds in (0.0, 4.0, 5.0, 60.0):
            client.table.wake(tables.now + seconds)
            deadline = client.table.deadline
            assert deadline is None or deadline > tables.now + seconds


# --- moves of all games ---

GAMES = [("crazy-eights", 3), ("two-four-jack", 3), ("mau-mau", 3), ("macau-wars", 3), ("tichu", 4)]
WORDS = st.sampled_from(
    ["do", "cards", "suit", "rank", "call", "next", "as", "wish", "to", "play", "draw", "pass", "give", "grand", "tichu", "show",
     "collect", "8h", "Mah", "Phx", "Jk", "h", "7", ""]
)  # fmt: skip
VALUES = st.one_of(WORDS, PLAIN, st.lists(st.one_of(WORDS, PLAIN), max_size=4), st.integers(-2, 20))
MOVES = st.dictionaries(WORDS, VALUES, max_size=5)


@cache
def states(game: str, seats: int) -> list[Any]:
    """Positions of a few rounds, with the seat in turn."""
    import random

    found = []
    for seed in range(3):
        table = LocalTable(load(game, seats), random.Random(seed))
        for _ in range(60):
            if table.over or not table.to_act:
                break
            found.append((table.state, table.to_act[0]))
            moves = table.legal(table.to_act[0])
            table.play(table.to_act[0], moves[len(found) % len(moves)])
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), GAMES, ids=[game for game, _ in GAMES])
def test_any_move_is_refused_with_a_reason_at_worst(game: str, seats: int) -> None:
    """What a peer proposes is plain data; the games answer it with BadMessage or IllegalMove, and with nothing else."""
    rules = load(game, seats)
    places = states(game, seats)

    @settings(max_examples=80, deadline=None)
    @given(
        MOVES, st.integers(0, len(places) - 1), st.integers(0, seats - 1), st.sampled_from(["", "play", "give", "draw"])
    )
    def check(data: dict[str, Any], index: int, seat: int, do: str) -> None:
        if do:
            data = {**data, "do": do}
        state, _ = places[index]
        try:
            move = rules.decode(data)
            rules.encode(rules.public(move))
            rules.uses(move)
            rules.apply(state, seat, move)
        except (BadMessage, IllegalMove):
            return

    check()


@pytest.mark.sample
@pytest.mark.parametrize(("game", "seats"), GAMES, ids=[game for game, _ in GAMES])
def test_legal_moves_with_one_part_changed(game: str, seats: int) -> None:
    rules = load(game, seats)
    import random

    table = LocalTable(rules, random.Random(4))
    pool: list[tuple[Any, int, dict[str, Any]]] = []
    for _ in range(80):
        if table.over or not table.to_act:
            break
        seat = table.to_act[0]
        moves = table.legal(seat)
        move = moves[len(pool) % len(moves)]
        pool.append((table.state, seat, rules.encode(move)))
        table.play(seat, move)

    @settings(max_examples=150, deadline=None)
    @given(st.integers(0, len(pool) - 1), st.integers(0, 6), VALUES)
    def check(index: int, key: int, value: Any) -> None:
        state, seat, data = pool[index]
        names = list(data)
        try:
            move = rules.decode({**data, names[key % len(names)]: value})
            rules.encode(rules.public(move))
            rules.uses(move)
            rules.apply(state, seat, move)
        except (BadMessage, IllegalMove):
            return

    check()


def test_decode_signed_alone_takes_no_pages() -> None:
    with pytest.raises(BadMessage):
        decode_signed(Page(0, True, ()).encode())


@pytest.mark.slow
def test_work_that_is_done_with_is_forgotten() -> None:
    """A long match does not fill the memory, and witnesses of shuffles do not outlive their round."""
    tables = Tables(
        "crazy-eights", 3, {"hand": 5, "draw": "one", "target": 500}, 2, table=TableOptions(pause=0, grace=0, rounds=3)
    )
    tables.start()
    most = 0
    while not all(client.table.is_over for client in tables.clients):
        tables.move_someone()
        tables.turn()
        record = tables.clients[0].table.record
        most = max(most, len(record.ledger.desk._results))
        for name in record.ledger.desk._results:
            if name[0] == "own" and isinstance(name[1], int):
                assert name[1] > record.rounds_closed or record.phase is Phase.OVER
    assert tables.clients[0].table.record.height > 40
    assert most < 40


def test_what_is_said_is_heard_once() -> None:
    tables = Tables("crazy-eights", 3, SMALL, 1, Link(double=1.0), ONE_ROUND)
    tables.start()
    tables.run(lambda: all(c.table.record.phase is Phase.PLAYING for c in tables.clients))
    for text in ("hello", "hello", "bye"):
        tables.take(1, tables.clients[1].table.speak(Chat(0, text), tables.now))
        tables.take(1, tables.clients[1].table.speak(Emote(0, "clap"), tables.now))
    while tables.queue or tables.jobs:
        tables.turn()
    for index in (0, 2):
        said = [event.message for event in tables.clients[index].events if isinstance(event, Said)]
        assert [message.text for message in said if isinstance(message, Chat)] == ["hello", "hello", "bye"]
        assert [message.name for message in said if isinstance(message, Emote)] == ["clap"] * 3
