"""A host that floods its guests with valid words, over real links, claims the room for ever, or has strangers called."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from p2p.budgets import ALL_TALK, TALK, Rate
from p2p.costs import Costs
from p2p.errors import LinkLost
from p2p.links import Link
from p2p.mesh import Mesh
from p2p.node import Node
from p2p.presence import announcement_of
from p2p.room import hosting
from p2p.room.membership import MAX_KNOWN
from p2p.routes import Route
from p2p.troubles import Trouble, Troubles
from protocol.room.statements import encode_room
from protocol.values import replace
from tests.adversaries.declared import By, attack
from tests.adversaries.statements import LITTLE, NAMES, hears, says
from tests.p2p.aio import run, until
from tests.p2p.test_rooms import party

pytestmark = pytest.mark.sockets


@attack(
    By.ROOM,
    "Somebody claims to host the room in its last possible term, so that nobody can ever host it again.",
    "At once: a room moves on by a few terms at a time.",
)
@pytest.mark.parametrize("kind", ["room", "moved"])
def test_nobody_hosts_a_room_in_its_last_term(kind: str, tmp_path: Path) -> None:
    """That somebody else may host it is no attack: it is what happens when the network was divided."""

    async def deed() -> None:
        async with party(tmp_path, *NAMES) as friends:
            mia, jonas, lena = (friends[name] for name in NAMES)
            room = friends.room("Lena")

            def claim(term: int) -> None:
                word = encode_room(replace(room, host=jonas.identity.public, term=term, number=1))
                if kind == "room":
                    hears(lena, jonas, says(jonas, lena, "room", room=word))
                    return
                shown = says(jonas, lena, "room", room=word)
                hears(lena, mia, says(mia, lena, "moved", host="", port=0, word=shown))

            claim(1 << 32)
            assert friends.host_of("Lena") == "Mia" and friends.room("Lena").term == 0
            claim(1)
            assert friends.host_of("Lena") == "Jonas"

    run(deed(), 60)


@attack(
    By.ROOM,
    "Somebody claims to host the room, shows numbers or options that leave no valid next step, and "
    "leaves, so that nobody understands the next host.",
    "At once: such options are dropped, and numbers above the limit do not count.",
)
@pytest.mark.parametrize("what", ["members", "options", "no options"])
def test_whoever_hosts_after_a_liar_is_understood(what: str, tmp_path: Path) -> None:
    async def deed() -> None:
        async with party(tmp_path, *NAMES, later=("Kim",)) as friends:
            mia, jonas = friends["Mia"], friends["Jonas"]
            jonas.waiting_room._host_watch.take_over(())
            await until(lambda: [friends.host_of(name) for name in NAMES] == ["Jonas"] * 3)
            liar = jonas.waiting_room._place.hosting
            assert liar is not None
            options = dict(liar.room.options)
            told = {"members": options, "options": options | {"padding": "x" * 56_000}, "no options": {}}[what]
            members = tuple(replace(each, arrived=1 << 32) for each in liar.room.members)
            liar.publish(replace(liar.room, options=told, members=members, title="Cellar"))
            if what == "members":
                await until(lambda: friends.room("Lena").title == "Cellar")
            await jonas.close()
            await until(lambda: [friends.host_of(name) for name in ("Mia", "Lena")] == ["Mia"] * 2)
            assert friends.room("Mia").options == options
            await friends.come("Kim")
            await until(lambda: "Kim" in friends.names("Lena"))
            assert announcement_of(mia) is not None

    run(deed(), 60)


@attack(
    By.ROOM,
    "The host sends its guests endless chat, from members or from people who do not exist.",
    "At once, by the guest’s computer, which shows a few lines a second.",
)
def test_a_guest_hears_a_few_lines_a_second_from_its_host(tmp_path: Path) -> None:
    async def deed() -> None:
        async with party(tmp_path, *NAMES) as friends:
            mia, lena = friends["Mia"], friends["Lena"]
            for number in range(60):
                who = itertools.islice(
                    itertools.cycle((friends.key("Mia"), friends.key("Jonas"), bytes(32))), number, None
                )
                hears(lena, mia, says(mia, lena, "said", text=f"line {number}", who=next(who)))
            assert TALK.burst <= len(friends.owners["Lena"].said) <= min(2 * TALK.burst, ALL_TALK.burst) + 2

    run(deed())


def changed_rooms(host: Node, guest: Node) -> Iterator[bytes]:
    room = guest.waiting_room.room
    assert room is not None
    for number in itertools.count(1):
        yield says(host, guest, "room", room=encode_room(replace(room, number=room.number + number)))


def rubbish(host: Node, guest: Node) -> Iterator[bytes]:
    return (b"rubbish" + bytes([number % 256]) * 1000 for number in itertools.count())


@attack(
    By.ROOM,
    "The host shows its guests a changed room thousands of times, or sends nonsense.",
    "After about a second of computing for it, by the guest’s computer, which ignores that host for a minute.",
    "the host’s computer, by its address",
)
@pytest.mark.parametrize("flood", [changed_rooms, rubbish])
def test_a_host_that_floods_is_cut_off(
    flood: Callable[[Node, Node], Iterator[bytes]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def deed() -> None:
        async with party(tmp_path, *NAMES) as friends:
            mia, lena = friends["Mia"], friends["Lena"]
            troubles: list[Trouble] = []
            lena.mesh._troubles = Troubles(troubles.append)
            monkeypatch.setattr("p2p.costs.IDLE_TIME", LITTLE)
            monkeypatch.setattr("p2p.costs.PATIENCE_S", 0.1)
            lena.mesh.charges.direct = Costs()
            for data in itertools.islice(flood(mia, lena), 50):
                hears(lena, mia, data)
            await until(lambda: lena.mesh.route(friends.key("Mia")) is not Route.DIRECT)
            assert troubles == [Trouble("127.0.0.1", "flood")]

    run(deed())


@attack(
    By.ROOM,
    "The host keeps showing new members, so that its guests remember all of them and call the addresses it gives.",
    "Nobody needs to notice: few keys are remembered, few addresses are called, and only addresses that "
    "friends nearby can have.",
)
def test_ever_new_members_are_not_remembered_nor_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[tuple[str, int]] = []

    async def deed() -> None:
        async with party(tmp_path, *NAMES) as friends:
            mia, lena = friends["Mia"], friends["Lena"]
            dial = lena.mesh._opening.dial

            async def noted(addresses: Any, *rest: Any, **more: Any) -> Any:
                called.extend(each for each in addresses if each[1] != mia.mesh.port)
                return await dial([], *rest, **more)

            monkeypatch.setattr(lena.mesh._opening, "dial", noted)
            lena.mesh.charges.direct.spend = lambda *_: 0.0  # type: ignore[method-assign]
            room = friends.room("Lena")
            known = [guest for guest in room.members if guest.key != friends.key("Jonas")]
            hosts = ["192.168.7.7", "8.8.8.8", "printer.local", "224.0.0.251", "10.0.0.9"]
            for number in range(10):
                keys = [number.to_bytes(16, "big") + at.to_bytes(16, "big") for at in range(13)]
                strangers = tuple(
                    replace(
                        known[0], key=key, keeper=key, address=(hosts[at % 5], 4711 if at < 10 else 80), arrived=9 + at
                    )
                    for at, key in enumerate(keys)
                )
                word = replace(room, number=room.number + 1 + number, members=(*known, *strangers), seating=(b"",) * 4)
                hears(lena, mia, says(mia, lena, "room", room=encode_room(word)))
                await asyncio.sleep(0.15)
            await until(lambda: {host for host, _port in called} >= {"192.168.7.7", "10.0.0.9"})
            place = lena.waiting_room._place
            assert len(place.known) <= MAX_KNOWN and {guest.key for guest in known} <= set(place.known)
            assert len(place._heard) <= 2 * MAX_KNOWN
            assert {host for host, _port in called} == {"192.168.7.7", "10.0.0.9"} and all(
                port == 4711 for _, port in called
            )

    run(deed())


def test_who_sits_down_and_vanishes_again_and_again_is_not_called_for_long(tmp_path: Path) -> None:
    async def deed() -> None:
        async with party(tmp_path, "Mia") as friends:
            side = friends["Mia"].waiting_room._place.hosting
            assert side is not None
            for number in range(500):
                side.look_for({number.to_bytes(32, "big"): (("10.0.0.9", 4711),)})
            assert len(side.former) <= hosting.MAX_FORMER and (499).to_bytes(32, "big") in side.former

    run(deed())


def test_addresses_are_called_at_a_bounded_rate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p.mesh.CALLED", Rate(10, 20))
    called: list[Any] = []

    async def deed() -> None:
        async with party(tmp_path, "Mia") as friends:
            mesh: Mesh = friends["Mia"].mesh

            async def noted(addresses: Any, *rest: Any, **more: Any) -> Link:
                called.extend(addresses)
                raise LinkLost("nobody", reason="lost")

            monkeypatch.setattr(mesh._opening, "dial", noted)
            began = asyncio.get_running_loop().time()
            for number in range(20):
                mesh.want({(number * 8 + at).to_bytes(32, "big"): [("10.0.0.9", 4711)] for at in range(8)})
                await asyncio.sleep(0.1)
            took = asyncio.get_running_loop().time() - began
            assert 10 <= len(called) <= 20 + 10 * took + 16

    run(deed())
