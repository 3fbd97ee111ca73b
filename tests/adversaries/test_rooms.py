"""What somebody in the room, its host above all, may try before the match: another roster than the room showed, and refusals
that are more than a code."""

from __future__ import annotations

from typing import Any

import pytest

from p2p.room.offers import read_offer
from protocol.errors import BadMessage
from protocol.games.catalogue import load
from protocol.identity import Identity
from protocol.room.refusals import RoomRefusal, decode_refusal
from protocol.room.starting import check_roster, starting
from protocol.room.statements import read_statement, state
from protocol.room.values import Guest, Room
from protocol.table.options import TableOptions
from protocol.table.roster import Member, Roster, nonce_hash
from protocol.values import replace
from tests.adversaries.declared import By, attack

KEYS = [Identity(bytes([number]) * 32).public for number in range(1, 6)]
OWN, HOST, FRIEND, BOT, STRANGER = KEYS
NONCE = bytes(32)


def guest(key: bytes, name: str, keeper: bytes | None = None) -> Guest:
    return Guest(key, name, keeper or key, keeper is not None, nonce_hash(key, NONCE), ready=True)


def sealing() -> tuple[Room, Roster]:
    """A room in which all are asked to sign, and the honest roster."""
    members = (guest(HOST, "Hanna"), guest(OWN, "Mia"), guest(FRIEND, "Jonas"), guest(BOT, "Bot", HOST))
    seating = tuple(each.key for each in members)
    game = load("crazy-eights", len(members), {"hand": 7})
    room = Room(bytes(16), HOST, "T", game.name, game.version, dict(game.options), TableOptions(), members, seating)
    return starting(room, members, bytes(32)), room.roster(bytes(16), members)


def with_member(roster: Roster, at: int, **changed: Any) -> Roster:
    members = list(roster.members)
    members[at] = replace(members[at], **changed)
    return replace(roster, members=tuple(members))


OTHER_ROSTERS: dict[str, Any] = {
    "another name": lambda r: with_member(r, 2, name="Johnas"),
    "a person called a bot": lambda r: with_member(r, 2, bot=True),
    "a bot called a person": lambda r: with_member(r, 3, bot=False),
    "another keeper": lambda r: with_member(r, 3, keeper=FRIEND),
    "another key": lambda r: with_member(r, 2, key=STRANGER),
    "another number": lambda r: with_member(r, 2, nonce_hash=bytes(32)),
    "our own number": lambda r: with_member(r, 1, nonce_hash=bytes(32)),
    "everybody a bot": lambda r: replace(r, members=tuple(replace(m, bot=True, keeper=HOST) for m in r.members)),
    "one more": lambda r: replace(
        r, members=(*r.members, Member(STRANGER, "X", STRANGER, False, nonce_hash(STRANGER, NONCE)))
    ),
    "without a friend": lambda r: replace(r, members=(*r.members[:2], *r.members[3:])),
    "without a bot": lambda r: replace(r, members=r.members[:3]),
    "without us": lambda r: replace(r, members=tuple(m for m in r.members if m.key != OWN)),
    "another order": lambda r: replace(r, members=r.members[::-1]),
    "other options": lambda r: replace(r, options={**r.options, "hand": 5}),
    "another game": lambda r: replace(r, game="mau-mau"),
    "another table": lambda r: replace(r, table=TableOptions(recovery="on")),
}


@attack(
    By.ROOM,
    "The host asks everybody to sign a list of players that differs from what the room showed: other "
    "names, keys, seats or rules, or a person listed as a bot.",
    "Before anything is signed, by everybody’s computer: nobody signs, and the table says so.",
    "nobody is convicted, as no match has begun",
)
@pytest.mark.parametrize("change", OTHER_ROSTERS, ids=str)
def test_another_roster_than_the_room_showed_is_not_signed(change: str) -> None:
    room, roster = sealing()
    own = {OWN: nonce_hash(OWN, NONCE)}
    check_roster(room, roster, own)
    with pytest.raises(RoomRefusal):
        check_roster(room, OTHER_ROSTERS[change](roster), own)


def test_a_bot_that_is_said_to_be_ours_is_not_signed() -> None:
    room, roster = sealing()
    with pytest.raises(RoomRefusal) as refused:
        check_roster(room, with_member(roster, 3, keeper=OWN), {OWN: nonce_hash(OWN, NONCE)})
    assert refused.value.code == "not-our-bot"


def test_nothing_is_signed_while_the_room_shows_no_start() -> None:
    room, roster = sealing()
    with pytest.raises(RoomRefusal):
        check_roster(replace(room, sealing=False), roster, {OWN: nonce_hash(OWN, NONCE)})


@attack(
    By.ROOM,
    "Instead of a reason, a refusal carries its sender’s own text, colours or placeholders.",
    "At once, by the computer that reads it: a refusal is one of a few known codes with checked numbers; "
    "everything else is dropped.",
)
@pytest.mark.parametrize(
    ("code", "fields"),
    [
        ("{x:>400000000}", {}),
        ("\x1b[2J", {}),
        ("full", {"x": 1}),
        ("few", {"least": "\x1b[31m{least}"}),
        ("few", {"least": -1}),
        ("few", {"least": True}),
        ("few", {}),
        ("few", []),
        ("rules", {"game": "{0.__class__}", "theirs": 1, "ours": 1}),
        ("rules", {"game": "x" * 70, "theirs": 1, "ours": 1}),
        ("rules", {"game": "tichu", "theirs": 1 << 40, "ours": 1}),
    ],
)
def test_refusals_are_codes_and_numbers(code: str, fields: Any) -> None:
    with pytest.raises(BadMessage):
        decode_refusal(code, fields)
    assert str(decode_refusal("few", {"least": 3}))


@attack(
    By.ROOM,
    "Somebody offers an empty seat in a match other than the one running in the room.",
    "At once, by the computer that reads it: the offer is dropped.",
)
def test_a_seat_of_another_match_is_not_taken() -> None:
    room, roster = sealing()
    room = replace(room, match=roster.table_id)
    body: dict[str, Any] = {
        "roster": roster.encode(),
        "epoch": 1,
        "seat": 2,
        "name": "Jonas",
        "points": -5,
        "bot": False,
    }
    offer = read_offer(body, room, STRANGER)
    assert offer is not None and (offer.roster, offer.seat, offer.points) == (roster, 2, -5)
    others: list[dict[str, Any]] = [
        {"roster": with_member(roster, 2, name="Johnas").encode()},
        {"seat": len(roster.members)},
    ]
    for other in (*others, {"roster": b"nonsense"}):
        with pytest.raises(BadMessage):
            read_offer(body | other, room, STRANGER)
    with pytest.raises(BadMessage):
        read_offer(body, room, roster.members[0].key)
    assert read_offer(body | {"roster": b""}, room, STRANGER) is None


@pytest.mark.parametrize(
    "other", [{"points": 1 << 25}, {"seat": 10}, {"epoch": -1}, {"name": ""}, {"roster": 5}, {"bot": 1}]
)
def test_an_offer_in_another_form_is_dropped(other: dict[str, Any]) -> None:
    who = Identity(bytes([1]) * 32)
    body: dict[str, Any] = {"roster": b"", "epoch": 0, "seat": 0, "name": "-", "points": 0, "bot": False}
    assert read_statement(state(who, bytes(16), OWN, 1, "offer", **body), who.public).kind == "offer"
    with pytest.raises(BadMessage):
        read_statement(state(who, bytes(16), OWN, 1, "offer", **(body | other)), who.public)
