"""A host with a modified client, over real links: other rosters than the room showed, rosters without sense, refusals that are
more than a code. Nobody signs, nobody's program fails, and all are still in the room."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

from protocol.errors import BadMessage
from protocol.room.refusals import RoomRefusal
from protocol.room.starting import starting
from protocol.room.statements import encode_room, read_statement, state
from protocol.table.roster import Roster, decode_roster
from protocol.values import replace
from protocol.wire import pack, unpack
from tests.adversaries import test_rooms
from tests.adversaries.declared import over_links
from tests.adversaries.test_rooms import OTHER_ROSTERS
from tests.p2p.aio import run, until
from tests.p2p.test_rooms import Party, party
from tests.table import test_roster
from tests.table.test_roster import MALFORMED

pytestmark = [pytest.mark.sockets, pytest.mark.slow]

over_links(
    __name__,
    test_rooms.test_another_roster_than_the_room_showed_is_not_signed,
    test_rooms.test_refusals_are_codes_and_numbers,
    test_roster.test_a_malformed_roster_is_refused,
)
Body = dict[str, Any]
Shown = list[dict[str, Any]]
GUESTS = ("Jonas", "Lena")
COUNTER = itertools.count(1 << 30)


@pytest.fixture
def faults(caplog: pytest.LogCaptureFixture) -> Iterator[Callable[[], Shown]]:
    """What the event loop was told of tasks and callbacks that failed; also what was logged as an error."""
    shown: Shown = []

    def listen() -> Shown:
        asyncio.get_running_loop().set_exception_handler(lambda _loop, context: shown.append(context))
        return shown

    yield listen
    assert not shown
    assert not [each for each in caplog.records if each.levelname in ("ERROR", "CRITICAL")]


def lies(friends: Party, kind: str, lie: Callable[[Body], Body]) -> None:
    """The host says something else in the statements of this kind."""
    host = friends["Mia"]
    send = host.mesh.send

    def changed(key: bytes, data: bytes) -> bool:
        try:
            said = read_statement(data, host.identity.public)
        except BadMessage:  # a message of a table
            return send(key, data)
        if said.kind == kind:
            data = say(friends, key, kind, **lie(dict(said.body)))
        return send(key, data)

    host.mesh.send = changed  # type: ignore[method-assign]  # this is the lie


def say(friends: Party, to: bytes, kind: str, **body: Any) -> bytes:
    return state(friends["Mia"].identity, friends.room("Mia").id, to, next(COUNTER), kind, **body)


def three(folder: Path) -> AbstractAsyncContextManager[Party]:
    return party(folder, "Mia", *GUESTS)


def declined(friends: Party) -> dict[str, list[str]]:
    """Why each guest did not sign, as its own person is told."""
    found: dict[str, list[str]] = {name: [] for name in GUESTS}
    for name in GUESTS:

        def note(key: bytes, reason: RoomRefusal, name: str = name) -> None:
            if key == friends.key(name):
                found[name].append(reason.code)

        friends.owners[name].on_declined = note  # type: ignore[method-assign]
    return found


def of_roster(change: Callable[[Roster], Roster]) -> Callable[[Body], Body]:
    return lambda body: {"roster": change(decode_roster(body["roster"])).encode()}


@pytest.mark.parametrize(
    "change",
    ["another name", "a person called a bot", "everybody a bot", "another number", "other options", "another table"],
)
def test_nobody_signs_another_roster_than_the_room_showed(
    change: str, tmp_path: Path, faults: Callable[[], Shown]
) -> None:
    async def deed() -> None:
        faults()
        async with three(tmp_path) as friends:
            lies(friends, "roster", of_roster(OTHER_ROSTERS[change]))
            reasons = declined(friends)
            for node in friends.nodes.values():
                node.waiting_room.ready()
            await until(lambda: all(reasons.values()))
            assert reasons == {name: ["roster"] for name in GUESTS}
            assert not any(friends[name].driver for name in GUESTS)
            assert all("Mia" in friends.names(name) for name in GUESTS)

    run(deed())


@pytest.mark.parametrize(
    "name", ["one member", "one key twice", "a key of small order", "a key off the curve", "no version", "not a roster"]
)
def test_nobody_signs_a_roster_that_makes_no_sense(name: str, tmp_path: Path, faults: Callable[[], Shown]) -> None:
    def lie(body: Body) -> Body:
        value: Any = unpack(body["roster"])
        if name in MALFORMED:
            MALFORMED[name](value)
        return {"roster": pack(value) if name in MALFORMED else b"\xc1"}

    async def deed() -> None:
        faults()
        async with three(tmp_path) as friends:
            lies(friends, "roster", lie)
            for node in friends.nodes.values():
                node.waiting_room.ready()
            await until(lambda: friends["Mia"].driver is not None)
            said = friends.owners["Jonas"].said
            friends["Lena"].waiting_room.say("hello")  # what was sent before has arrived
            await until(lambda: said == ["hello"])
            assert not any(friends[each].driver for each in GUESTS)
            assert all("Mia" in friends.names(each) for each in GUESTS)

    run(deed())


UNPLAYABLE: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "tichu for three": ("tichu", lambda room: room),
    "an option out of its domain": ("crazy-eights", lambda room: replace(room, options=room.options | {"hand": 1000})),
    "an unknown option": ("crazy-eights", lambda room: replace(room, options=room.options | {"colour": 1})),
    "a missing option": ("crazy-eights", lambda room: replace(room, options={})),
    "an unknown game": ("crazy-eights", lambda room: replace(room, game="bridge")),
    "other rules": ("crazy-eights", lambda room: replace(room, rules_version=999)),
}
LEAVES = ("an unknown game", "other rules")
"""Where a guest cannot play here at all, and leaves with the reason."""


@pytest.mark.parametrize("name", UNPLAYABLE)
def test_nobody_signs_what_the_room_shows_if_no_game_can_be_played_so(
    name: str, tmp_path: Path, faults: Callable[[], Shown]
) -> None:
    """Room and roster say the same, and both are wrong."""
    game, change = UNPLAYABLE[name]

    async def deed() -> None:
        faults()
        async with party(tmp_path, "Mia", *GUESTS, game=game) as friends:
            reasons = declined(friends)
            room = friends.room("Mia")
            room = change(replace(room, members=tuple(replace(each, ready=True) for each in room.members)))
            roster = room.roster(bytes(16), room.members)
            shown = replace(starting(room, room.members, roster.table_id), number=room.number + 100)
            links = [friends["Mia"].mesh.links[friends.key(guest)] for guest in GUESTS]
            for guest in GUESTS:
                for kind, body in (("room", {"room": encode_room(shown)}), ("roster", {"roster": roster.encode()})):
                    friends["Mia"].mesh.send(friends.key(guest), say(friends, friends.key(guest), kind, **body))
            if name in LEAVES:
                await until(lambda: all(friends.owners[guest].refusals for guest in GUESTS))
                assert not any(friends.names(guest) for guest in GUESTS)
            else:
                await until(lambda: all(reasons.values()))
                assert reasons == {guest: ["roster"] for guest in GUESTS}
                assert all(link.is_open for link in links)
            assert not any(friends[guest].driver for guest in GUESTS)

    run(deed())


@pytest.mark.parametrize(
    ("code", "fields"),
    [("{x:>400000000}", {}), ("\x1b[2J", {}), ("few", {"least": 1 << 60}), ("rules", {"game": "{0.__class__}"})],
)
def test_a_refusal_that_is_no_code_is_not_shown(
    code: str, fields: Body, tmp_path: Path, faults: Callable[[], Shown]
) -> None:
    async def deed() -> None:
        faults()
        async with three(tmp_path) as friends:
            lies(friends, "refused", lambda body: {"code": code, "fields": fields})
            friends["Jonas"].waiting_room.move_to(0)  # Mia sits there
            said = friends.owners["Jonas"].said
            friends["Lena"].waiting_room.say("hello")
            await until(lambda: said == ["hello"])
            assert not friends.owners["Jonas"].not_done and not friends.owners["Jonas"].refusals
            assert "Mia" in friends.names("Jonas")

    run(deed())
