"""Rosters from outside: what is not exactly as specified is refused with a sentence, never with a traceback."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from protocol.errors import BadMessage, BadOption
from protocol.games.catalogue import BUILT_IN, game_class
from protocol.identity import Identity
from protocol.table.roster import (
    PROTOCOL_VERSION,
    Member,
    OtherVersion,
    Roster,
    TableOptions,
    decode_roster,
    game_of,
    nonce_hash,
)
from protocol.table.verify import Unreadable, verify
from protocol.wire import frame, pack, unpack
from tests.adversaries.declared import By, attack
from tests.table.tables import stream

Change = Callable[[dict[str, Any]], object]


def roster(game: str = "crazy-eights", seats: int = 2) -> Roster:
    rules = game_class(game)(seats, {})
    keys = [Identity(bytes([seat]) * 32).public for seat in range(seats)]
    members = tuple(Member(key, "P", key, False, nonce_hash(key, bytes(32))) for key in keys)
    return Roster(game, rules.version, dict(rules.options), TableOptions(), bytes(16), members)


def changed(change: Change, game: str = "crazy-eights", seats: int = 2) -> bytes:
    value: dict[str, Any] = unpack(roster(game, seats).encode())
    change(value)
    return pack(value)


def number(value: int) -> bytes:
    return value.to_bytes(32, "little")


@pytest.mark.parametrize("game", BUILT_IN)
def test_a_roster_of_each_game_is_taken(game: str) -> None:
    seats = min(game_class(game).seat_counts)
    sealed = roster(game, seats)
    assert decode_roster(sealed.encode()) == sealed
    assert dict(game_of(sealed).options) == sealed.options


MALFORMED: dict[str, Change] = {
    "no map of members": lambda value: value.update(members={}),
    "one member": lambda value: value.update(members=value["members"][:1]),
    "eleven members": lambda value: value.update(members=value["members"] * 6),
    "one key twice": lambda value: value.update(members=value["members"][:1] * 2),
    "an extra part": lambda value: value.update(extra=1),
    "a missing part": lambda value: value.pop("rules"),
    "the version true": lambda value: value.update(protocol=True),
    "no version": lambda value: value.pop("protocol"),
    "a negative time": lambda value: value["table"].update(time=-1),
    "a table option of another type": lambda value: value["table"].update(lots=0),
    "a key of small order": lambda value: value["members"][0].update(key=number(1)),
    "a key of small order, sign set": lambda value: value["members"][0].update(key=number(1 + 2**255)),
    "a key in another encoding": lambda value: value["members"][0].update(key=number(2**255 - 19 + 3)),
    "a key off the curve": lambda value: value["members"][0].update(key=number(2)),
    "a keeper of small order": lambda value: value["members"][0].update(keeper=bytes(32)),
    "a keeper off the curve": lambda value: value["members"][1].update(keeper=number(2)),
    "an empty name": lambda value: value["members"][0].update(name=""),
    "a bot that is 1": lambda value: value["members"][0].update(bot=1),
    "a short id": lambda value: value.update(id=b"1"),
}


@attack(
    By.ROOM,
    "A nonsensical list of players is sent: two players in a game for four, wrong options, weak keys.",
    "At once; nobody signs it.",
)
@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_roster_is_refused(name: str) -> None:
    data = changed(MALFORMED[name])
    with pytest.raises(BadMessage):
        decode_roster(data)
    with pytest.raises(Unreadable):
        verify(frame(pack(["r", data])), stream(1))


UNPLAYABLE: dict[str, tuple[Change, str, int]] = {
    "an option is missing": (lambda value: value["options"].pop("target"), "crazy-eights", 2),
    "no options": (lambda value: value.update(options={}), "crazy-eights", 2),
    "an unknown option": (lambda value: value["options"].update(colour=1), "crazy-eights", 2),
    "an option out of its domain": (lambda value: value["options"].update(hand=1000), "crazy-eights", 2),
    "true where a number stands": (lambda value: value["options"].update(target=True), "crazy-eights", 2),
    "one where true stands": (lambda value: value["options"].update(recycle=1), "crazy-eights", 2),
    "an option that is a list": (lambda value: value["options"].update(target=[]), "crazy-eights", 2),
    "an option that is a map": (lambda value: value["options"].update(suit={}), "crazy-eights", 2),
    "teams for two": (lambda value: value["options"].update(teams=True), "crazy-eights", 2),
    "tichu for two": (lambda value: value.update(members=value["members"][:2]), "tichu", 4),
    "an unknown game": (lambda value: value.update(game="bridge"), "crazy-eights", 2),
    "other rules": (lambda value: value.update(rules=999), "crazy-eights", 2),
    "rules 0": (lambda value: value.update(rules=0), "crazy-eights", 2),
}


@pytest.mark.parametrize("name", UNPLAYABLE)
def test_a_game_that_cannot_be_played_so_is_refused(name: str) -> None:
    change, game, seats = UNPLAYABLE[name]
    data = changed(change, game, seats)
    with pytest.raises(BadOption):
        game_of(decode_roster(data))
    with pytest.raises(Unreadable):
        verify(frame(pack(["r", data])), stream(1))


def test_another_version_is_named() -> None:
    for version in (0, 1, PROTOCOL_VERSION + 1):
        with pytest.raises(OtherVersion, match=f"version {version} "):
            decode_roster(pack(unpack(roster().encode()) | {"protocol": version}))
    with pytest.raises(OtherVersion):
        decode_roster(pack({"protocol": 7}))


@attack(
    By.PLAYER,
    "A player copies another player’s number in the draw of seats.",
    "Before anything is drawn.",
    "the copier, by their own signed number",
)
def test_a_nonce_hash_cannot_be_copied() -> None:
    one, other = Identity(bytes(32)).public, Identity(bytes([1]) * 32).public
    assert nonce_hash(one, bytes(32)) != nonce_hash(other, bytes(32))
