"""Cheats over real links: nodes with TLS, journals and bots of their own, one of which sends something else than it should.

What its own table says leaves the machine changed and signed with its own key; everybody else must refuse it before it has any
effect, name the seat, and hold a file that shows it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from p2p.driver import Driver
from p2p.home import open_home
from p2p.node import Node, Owner
from p2p.settings import NodeSettings, TablePlan
from p2p.workers import Workers
from protocol.cards import Card, Seat
from protocol.dealing.elgamal import decode_deck, encode_deck
from protocol.errors import BadMessage
from protocol.games.catalogue import load
from protocol.messages import Evidence, Message, MoveProposal, Shares, Shuffled, Vote
from protocol.signed import Page, Signed, decode, sign
from protocol.table.events import Accused, Event
from protocol.table.roster import TableOptions
from protocol.table.verify import verify
from tests.adversaries.declared import By, attack
from tests.table.tables import stream

pytestmark = [pytest.mark.sockets, pytest.mark.slow]

SEATS = 3
CHEATER = 1
WAIT_S = 60
Change = Callable[["Liar", Message], list[Message]]


class Witness(Owner):
    """A node's owner that keeps what it is told."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.table = asyncio.Event()

    def on_table(self, driver: Driver) -> None:
        self.table.set()

    def on_events(self, driver: Driver, events: tuple[Event, ...]) -> None:
        self.events += events


class Liar:
    """Sits between a node's table and its links: what `change` makes of each message of our own goes out instead."""

    def __init__(self, node: Node, change: Change) -> None:
        self.node, self.change = node, change
        self.made: dict[bytes, list[bytes]] = {}
        self._send = node.mesh.send
        node.mesh.send = self.send  # type: ignore[method-assign]  # this is the lie

    def send(self, key: bytes, data: bytes) -> bool:
        for each in self.lies(data):
            self._send(key, each)
        return True

    def lies(self, data: bytes) -> list[bytes]:
        """Also where our words go out once more, in a page."""
        try:
            found = decode(data)
        except BadMessage:
            return [data]
        if isinstance(found, Page):
            inner = [lie for each in found.messages for lie in self.lies(each)]
            return [Page(found.index, found.last, tuple(inner)).encode()]
        if data not in self.made:
            told = self.told(found)
            self.made[data] = [data if each == found.message else self.sign(found, each) for each in told]
        return self.made[data]

    def told(self, found: Signed) -> list[Message]:
        """Of our own words what `change` makes of them. Shown its lie, our honest table accuses itself of two versions: no
        cheat would pass that on, and whoever heard it before it has weighed the lie would name the other offence."""
        if found.seat != self.seat:
            return [found.message]
        if isinstance(found.message, Evidence) and found.message.accused == self.seat:
            return []
        return self.change(self, found.message)

    def sign(self, like: Signed, message: Message) -> bytes:
        return sign(self.node.identity, like.table, like.epoch, like.epoch_hash, like.seat, message).data

    @property
    def record(self) -> Any:
        assert self.node.driver is not None
        return self.node.driver.table.record

    @property
    def seat(self) -> Seat:
        assert self.node.driver is not None
        return self.node.driver.table.seat


def duplicates_a_card(liar: Liar, message: Message) -> list[Message]:
    """The first card of its shuffled deck stands there twice."""
    if not isinstance(message, Shuffled):
        return [message]
    deck = list(decode_deck(message.cards, 52))
    deck[1] = deck[0]
    return [replace(message, cards=encode_deck(tuple(deck)))]


def gives_a_wrong_share(liar: Liar, message: Message) -> list[Message]:
    """Two shares of a batch change places."""
    if not isinstance(message, Shares) or len(message.shares) < 32 * 5:
        return [message]
    first, second, rest = message.shares[:32], message.shares[32:64], message.shares[64:]
    return [replace(message, shares=second + first + rest)]


def claims_a_false_face(liar: Liar, message: Message) -> list[Message]:
    """A play says that its card is an eight."""
    if not isinstance(message, MoveProposal) or message.move["do"] != "play":
        return [message]
    face = next(Card("8" + suit) for suit in "cdhs" if message.move["cards"] != ["8" + suit])
    return [replace(message, move={**message.move, "cards": [face], "suit": "c"})]


def votes_twice(liar: Liar, message: Message) -> list[Message]:
    """A second vote at a height, for something else."""
    return [message, replace(message, choice=b"\1" * 32)] if isinstance(message, Vote) else [message]


def moves_out_of_turn(liar: Liar, message: Message) -> list[Message]:
    """In place of its vote for another's move it wants to draw."""
    if not isinstance(message, Vote) or liar.record.phase.value != "playing":
        return [message]
    return [MoveProposal(message.height, message.previous, message.state, {"do": "draw"}, (), b"", b"", b"")]


@attack(
    By.PLAYER,
    "The same cheats over real connections: cards twice, wrong parts, false faces, two votes, moves out of turn.",
    evidence="the cheater, on every other screen and in every file",
)
@pytest.mark.parametrize(
    ("change", "what"),
    [
        (duplicates_a_card, {"shuffle"}),
        (gives_a_wrong_share, {"share"}),
        (claims_a_false_face, {"false-card", "illegal-move"}),
        (votes_twice, {"two-versions"}),
        (moves_out_of_turn, {"illegal-move", "two-versions"}),
    ],
)
def test_a_cheat_is_refused_and_named_on_every_other_screen(tmp_path: Path, change: Change, what: set[str]) -> None:
    asyncio.run(play(tmp_path, change, what))


async def play(folder: Path, change: Change, what: set[str]) -> None:
    workers = Workers()
    witnesses = [Witness() for _ in range(SEATS)]
    homes = [open_home(folder / str(number)) for number in range(SEATS)]
    nodes = [
        Node(home, NodeSettings(f"P{number}", bot=True, hosts=("127.0.0.1", "::1")), witness, workers)
        for number, (home, witness) in enumerate(zip(homes, witnesses, strict=True))
    ]
    try:
        for node in nodes:
            await node.open()
        Liar(nodes[CHEATER], change)
        nodes[0].waiting_room.open(TablePlan(load("crazy-eights", SEATS, {}), "T", TableOptions(pause=0, grace=0)))
        for node in nodes[1:]:
            await node.waiting_room.join([("127.0.0.1", nodes[0].mesh.port)])
        await asyncio.gather(*(witness.table.wait() for witness in witnesses))
        honest = [number for number in range(SEATS) if number != CHEATER]
        drivers = {number: driver_of(nodes[number]) for number in range(SEATS)}
        async with asyncio.timeout(WAIT_S):
            for number in honest:
                while not drivers[number].table.record.epoch:
                    drivers[number].changed.clear()
                    await drivers[number].changed.wait()
        guilty = drivers[CHEATER].table.seat
        for number in honest:
            record = drivers[number].table.record
            assert list(record.ledger.departures.convicted) == [guilty]
            assert record.ledger.departures.convicted[guilty].what in what
            assert guilty not in record.present
            accused = [event for event in witnesses[number].events if isinstance(event, Accused)]
            assert [event.seat for event in accused] == [guilty]
            assert accused[0].evidence
            drivers[number].close()
            report = verify(drivers[number].transcript_path.read_bytes(), stream(1))
            assert report.ok, report.failed
            assert [each["seat"] for each in report.evidence] == [guilty]
    finally:
        for node in nodes:
            await node.close()
        for home in homes:
            home.close()
        workers.close()


def driver_of(node: Node) -> Driver:
    assert node.driver is not None
    return node.driver
