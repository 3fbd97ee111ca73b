"""A seated client that floods: `python -m tests.adversaries.seats.flooder KIND HOME PORT`, a process of its own.

It joins the table on this computer's PORT and plays with a bot. On "flood" at its standard input it sends messages that it has
signed with its own key to the host, as fast as these are taken; on "idle" it is as busy and sends nothing, for control; on
"cheat" it says two things at once. For the kind "words" the host lets it host the room.
"""

from __future__ import annotations

import asyncio
import itertools
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from p2p.frames import FrameKind
from p2p.heartbeats import Heartbeat
from p2p.home import open_home
from p2p.links import Link
from p2p.node import Node
from p2p.settings import NodeSettings
from p2p.workers import Workers
from protocol.cards import Seat
from protocol.messages import Chat, Evidence, Hints, Message, Ready, Remask, Shares, Shuffled, StateReport, Vote, WishOn
from protocol.room.statements import encode_room, state
from protocol.room.values import Room
from protocol.signed import Page, sign
from protocol.table.table import Table
from protocol.values import replace
from protocol.wire import pack
from tests.adversaries.seats.linked import Witness, driver_of
from tests.adversaries.signing import resigner

PACE_S = 0.01
BATCH = 200


def signed(table: Table, message: Message, seat: Seat | None = None) -> bytes:
    """`seat`: in whose name; it is signed with our key."""
    record, seat = table.record, table.seat if seat is None else seat
    return sign(table.identity, record.table, record.epoch, record.epoch_hash, seat, message).data


def slots(table: Table, seat: Seat | None = None) -> Iterator[bytes]:
    """Valid messages for slots that nobody asked for, each a different one. `seat`: in another's name they are not valid."""
    for count in itertools.count():
        height, number = table.record.height, table.record.rounds_closed + 1 + count % 2
        stage, take = count // 6 % 1000 + 2, count // 2 % 3
        yield signed(table, Shares(height + count % 3, stage, take, bytes(32), bytes(96)), seat)
        yield signed(table, Remask(height + count % 2, stage, bytes(64), bytes(96)), seat)
        yield signed(table, Shuffled(number, count // 2 % 1000 + 20, 7, bytes(32), bytes(64 * 8)), seat)
        yield signed(table, Vote(height + 2 + count, bytes(32), bytes(32), bytes(32)), seat)


def beside(table: Table) -> Iterator[bytes]:
    """What may be repeated: chat, wishes, hints, ready, reports of a state."""
    for count in itertools.count(1 << 20):
        seat = (table.seat + 1) % table.record.size
        yield signed(table, Chat(count, "hello"))
        yield signed(table, WishOn(count, seat, count % 3))
        yield signed(table, Hints(count, count % 2))
        yield signed(table, Ready(table.record.rounds_closed + 1))
        yield signed(table, StateReport(table.record.height, pack({"turn": count})))


def signatures(table: Table) -> Iterator[bytes]:
    """Other true signatures under what was said already: each begins with another secret number."""
    sign_again = resigner(table.identity)
    while True:
        for each in [each for each in table.record.ledger.store.said.values() if each.seat == table.seat][-8:]:
            yield sign_again(each)


def evidence(table: Table) -> Iterator[bytes]:
    """Evidence that convicts nobody: the honest words of others."""
    while True:
        said = [each for each in table.record.ledger.store.said.values() if each.seat != table.seat][-8:]
        for each in said:
            yield signed(table, Evidence(each.seat, "two-versions", (each.data, each.data)))


def pages(table: Table) -> Iterator[bytes]:
    """All of it in pages, as if it had been asked for."""
    for parts in zip(*[slots(table)] * 1000, strict=False):
        yield Page(0, True, parts).encode()


Frames = Iterator[tuple[FrameKind, bytes]]


def statements(node: Node, to: bytes) -> Frames:
    """Ready, not ready, chat, and sitting down anew."""
    room = room_of(node)
    for count in itertools.count(1 << 39, 4):
        own, nonce = node.identity.public, count.to_bytes(32, "big")
        body = {"name": "Mallory", "keeper": own, "bot": True, "nonce": nonce, "phone": False}
        body |= {"playing": True, "plays": True, "ready": False, "serves": count % 60_000}
        ready = {"plays": True, "ready": count % 8 == 0, "nonce": nonce}
        yield FrameKind.DATA, state(node.identity, room.id, to, count, "sit", **body)
        yield FrameKind.DATA, state(node.identity, room.id, to, count + 1, "ready", **ready)
        yield FrameKind.DATA, state(node.identity, room.id, to, count + 2, "say", text=f"line {count}")


def heartbeats(node: Node, to: bytes) -> Frames:
    """Each reaches other seats at other addresses."""
    for count in itertools.count():
        reached = {bytes([at]) * 28 + count.to_bytes(4, "big"): [("192.168.7.7", 4711)] * 4 for at in range(32)}
        yield FrameKind.BEAT, Heartbeat(count % 8, reached).encode("127.0.0.1")


def words(node: Node, to: bytes) -> Frames:
    """As the room's host: the room, changed each time, and what members are said to have said."""
    room = room_of(node)
    for count in itertools.count(1):
        word = encode_room(replace(room, number=room.number + count, title=f"Room {count}"))
        counter = (1 << 39) + 2 * count
        yield FrameKind.DATA, state(node.identity, room.id, to, counter, "room", room=word)
        said = {"text": f"line {count}", "who": room.members[count % len(room.members)].key}
        yield FrameKind.DATA, state(node.identity, room.id, to, counter + 1, "said", **said)


def relayed(node: Node, to: bytes) -> Frames:
    """What another player is said to have said, of the match and of the room; neither is true."""
    record = driver_of(node).table.record
    author = next(m.key for m in record.roster.members if m.key not in (to, node.identity.public))
    messages = slots(driver_of(node).table, record.seat_of(author))
    for (_kind, said), message in zip(statements(node, to), messages, strict=False):
        yield FrameKind.PASSED_ON, author + message
        yield FrameKind.PASSED_ON, author + said


def two_versions(table: Table) -> list[bytes]:
    """Two votes on what comes next: whoever sees both knows enough to play on without us."""
    height = table.record.height + 1
    return [signed(table, Vote(height, bytes([at]) * 32, bytes(32), bytes(32))) for at in range(2)]


def room_of(node: Node) -> Room:
    assert node.waiting_room.room is not None
    return node.waiting_room.room


def at_table(flood: Callable[[Table], Iterator[bytes]]) -> Callable[[Node, bytes], Frames]:
    return lambda node, _to: ((FrameKind.DATA, data) for data in flood(driver_of(node).table))


FLOODS: dict[str, Callable[[Node, bytes], Frames]] = {
    **{each.__name__: at_table(each) for each in (slots, beside, signatures, evidence, pages)},
    **{each.__name__: each for each in (statements, heartbeats, words, relayed)},
}


async def main(kind: str, folder: str, port: int) -> None:
    workers, witness, home = Workers(), Witness(), open_home(Path(folder))
    node = Node(home, NodeSettings("Mallory", bot=True, hosts=("127.0.0.1", "::1"), pace_s=PACE_S), witness, workers)
    await node.open()
    await node.waiting_room.join([("127.0.0.1", port)])
    await witness.table.wait()
    driver = driver_of(node)
    while driver.table.record.round is None:
        driver.changed.clear()
        await driver.changed.wait()
    table = driver.table
    target = table.record.roster.members[0].key
    few = 4 if kind == "pages" else 10 * BATCH
    while kind == "words" and not node.waiting_room.is_host:
        await asyncio.sleep(0.01)
    # Signed beforehand: sending is quicker.
    flood = itertools.cycle(list(itertools.islice(FLOODS[kind](node, target), few)))
    doing = "wait"
    count = 0

    def told() -> None:
        nonlocal doing
        doing = sys.stdin.readline().strip() or "end"

    asyncio.get_running_loop().add_reader(sys.stdin, told)
    print("ready", flush=True)
    while doing != "end":
        if doing == "wait":
            await asyncio.sleep(0.01)
            continue
        link: Link | None = node.mesh.links.get(target)
        if doing == "cheat":  # more than once: the others may be ahead of us
            for data in two_versions(table):
                node.mesh.send(target, data)
            await asyncio.sleep(0.01)
            continue
        batch = list(itertools.islice(flood, 1 if kind == "pages" else BATCH))
        if doing == "flood" and link is not None and link.is_open:
            for each in batch:
                link.send_frame(*each)
            count += len(batch)
            await link.drained(1.0)
        await asyncio.sleep(0)
        if count and count % (10 * BATCH) == 0:
            print(count, flush=True)
    await node.close()
    home.close()
    workers.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
