"""Words of others, over real links: old ones that somebody repeats, and rubbish in another's name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from p2p.budgets import Rate
from p2p.costs import RelayedCosts
from p2p.room.membership import Membership
from p2p.routes import Route
from protocol.identity import Identity
from protocol.room.statements import read_statement, state
from tests.adversaries.declared import By, attack
from tests.adversaries.statements import LITTLE, NAMES, hears, hears_passed_on, ready_body, says
from tests.p2p import test_node
from tests.p2p.aio import run, until
from tests.p2p.test_rooms import party

pytestmark = pytest.mark.sockets


@attack(
    By.ROOM,
    "Somebody who passes on messages repeats an old one from another member: that they leave, sit down, "
    "are ready or said something.",
    "At once, by the computer that gets it: senders number their messages, and what is not new is dropped.",
)
def test_old_statements_are_not_passed_on_again(tmp_path: Path) -> None:
    async def deed() -> None:
        async with party(tmp_path, *NAMES) as friends:
            mia, jonas, lena = (friends[name] for name in NAMES)
            old = [
                says(jonas, mia, "say", text="hello"),
                says(jonas, mia, "ready", **ready_body(True)),
                says(jonas, mia, "leave"),
            ]
            hears(mia, jonas, says(jonas, mia, "say", text="newer"))
            said, shown = list(friends.owners["Mia"].said), friends.room("Mia")
            for data in old:
                hears_passed_on(mia, lena, jonas, data)
            assert friends.owners["Mia"].said == said and friends.room("Mia") == shown
            fresh = says(jonas, mia, "say", text="fresh")
            for _ in range(3):
                hears_passed_on(mia, lena, jonas, fresh)
            assert friends.owners["Mia"].said == [*said, "fresh"]

    run(deed())


@attack(
    By.ROOM,
    "The former host of a room shows the new host what somebody said earlier, so that this person seems "
    "to leave or to be ready.",
    "At once, by the new host: each message names its recipient.",
)
def test_what_was_said_to_a_former_host_means_nothing_to_the_next(tmp_path: Path) -> None:
    async def deed() -> None:
        async with party(tmp_path, *NAMES) as friends:
            mia, jonas, lena = (friends[name] for name in NAMES)
            old = says(lena, mia, "leave")
            mia.waiting_room.hand_over(friends.key("Jonas"))
            await until(lambda: jonas.waiting_room.is_host and friends.host_of("Mia") == "Jonas")
            hears_passed_on(jonas, mia, lena, old)
            assert "Lena" in friends.names("Jonas")
            hears_passed_on(jonas, mia, lena, says(lena, jonas, "leave"))
            assert "Lena" not in friends.names("Jonas")

    run(deed())


@attack(
    By.ROOM,
    "Somebody passes on an old message that the host is leaving, so that its guests take over the room.",
    "At once, by the guests: it is older than what the host has said since.",
)
def test_a_hosts_old_leave_makes_nobody_take_over(tmp_path: Path) -> None:
    async def deed() -> None:
        async with party(tmp_path, *NAMES) as friends:
            mia, jonas, lena = (friends[name] for name in NAMES)
            hears_passed_on(
                jonas, lena, mia, state(mia.identity, friends.room("Mia").id, friends.key("Jonas"), 7, "leave")
            )
            assert friends.host_of("Jonas") == "Mia" and not jonas.waiting_room.is_host

    run(deed())


def test_statements_are_counted_on_after_a_restart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else nobody would hear, by way of others, who started its program anew."""

    class Said:
        identity = Identity(bytes(32))

        def __init__(self) -> None:
            self.mesh = self
            self.counters: list[int] = []

        def send(self, key: bytes, data: bytes) -> bool:
            self.counters.append(read_statement(data, None).counter)
            return True

    counters: list[int] = []
    for began in (1.8e9, 1.8e9 + 2):
        monkeypatch.setattr("time.time", lambda began=began: began)
        said: Any = Said()
        place = Membership(said)
        for _ in range(300):
            place.send(b"k" * 32, "leave", bytes(16))
        counters += said.counters
    assert counters == sorted(set(counters)) and counters[-1] < 1 << 40


@attack(
    By.PLAYER,
    "A player passes on rubbish in another player’s name, so that nobody listens to that player any more.",
    "At once, by the computer that gets it: it accepts less from the one who passes it on, and hears the "
    "other player through everybody else.",
)
def test_rubbish_in_anothers_name_silences_only_who_passes_it_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def deed() -> None:
        async with test_node.party(tmp_path) as friends:
            await friends.deal()
            node, other = friends.nodes
            mesh, driver = node.mesh, friends.driver(0)
            monkeypatch.setattr("p2p.costs.IDLE_TIME", LITTLE)
            monkeypatch.setattr("p2p.costs.RELAY_TIME", Rate(0.002, 0.002))
            mesh.charges.relayed = RelayedCosts()
            taken: list[bytes] = []
            monkeypatch.setattr(driver, "feed", lambda call: taken.append(b""))
            author, bad, honest = other.identity.public, b"m" * 32, b"r" * 32
            for _ in range(3000):
                mesh._on_relayed(author, bad, b"nonsense")
            assert len(taken) < 3000
            taken.clear()
            mesh._on_relayed(author, bad, b"true")
            assert not taken
            mesh._on_relayed(author, honest, b"true")
            assert len(taken) == 1

    run(deed())


def test_an_honest_relay_goes_on_although_one_of_those_whom_it_serves_floods() -> None:
    costs = RelayedCosts()
    for tick in range(1000):
        if not costs.is_in_debt(b"relay", b"bad", tick * 0.01):
            costs.spend(b"relay", b"bad", 0.05, tick * 0.01)
        assert not costs.is_in_debt(b"relay", b"good", tick * 0.01)
    assert costs.is_in_debt(b"relay", b"bad", 9.99)
    for author in range(20):
        costs.spend(b"relay", bytes([author]), 0.5, 10.0)
    assert costs.is_in_debt(b"relay", b"good", 10.0)


@attack(
    By.ROOM,
    "A client that relays for phones introduces any number of unknown keys.",
    "At once, by the host: whoever introduced most of them loses the oldest.",
)
def test_invented_keys_push_out_no_phone_of_another(tmp_path: Path) -> None:
    async def deed() -> None:
        async with party(tmp_path, *NAMES) as friends:
            mesh = friends["Mia"].mesh
            bad, good = friends.key("Jonas"), friends.key("Lena")
            mesh.reach(b"phone of lena".ljust(32), good)
            for number in range(200):
                mesh.reach(number.to_bytes(32, "big"), bad)
            assert mesh.route(b"phone of lena".ljust(32)) is Route.RELAYED
            assert len(mesh._routes.introduced) <= 32

    run(deed())
