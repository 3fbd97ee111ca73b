"""Encode and decode what is said in a room. Statements are signed by keys, not seats, and express wishes only.

A statement is ["w", payload, signature]; its payload is [kind, room, key, to, counter, body]. (PROTOCOL.md, "The room".)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from protocol.errors import BadMessage
from protocol.identity import KEY_BYTES, SIGNATURE_BYTES, Identity, check_signature
from protocol.room.refusals import SENTENCES, GameName
from protocol.room.values import MAX_COUNT, MAX_MEMBERS, MAX_REFUSED, Guest, Room
from protocol.schema import HASH, KEY, MAX_SEATS, NAME, SEAT, Codec, FixedList, Flag, Plain, Raw, Seq, String, Uint
from protocol.table.roster import MAX_ROSTER_BYTES, decode_table_options, table_options_data
from protocol.values import dataclass
from protocol.wire import pack, unpack

MAX_STATEMENT_BYTES = 60 * 1024
MAX_PASSED_BYTES = 56 * 1024
"""Limit for a word that is passed on: it has to fit into a statement."""
MAX_TITLE_BYTES = 64
ROOM_ID_BYTES = 16
MAX_COUNTER = 1 << 40
COUNTS_PER_S = 256
"""A client counts its statements from this many for each second since 1970, so that it goes on above its last after a restart."""
MAX_POINTS = 1 << 24
MAX_TOLD = 32
"""How many matches, and how many players, a tally names."""
MAX_TIME = 1 << 40
MAX_PLAYED = 1 << 16
MAX_FILE_BYTES = 16 << 20
"""Limit for the file of a match that is passed on."""
FILE_PART_BYTES = 48 << 10

_TEXT = String(400, 1)

_KINDS: dict[str, dict[str, Any]] = {
    # from members to the host
    "sit": {
        "bot": Flag(),
        "keeper": KEY,
        "name": NAME,
        "nonce": HASH,
        "phone": Flag(),
        "playing": Flag(),
        "plays": Flag(),
        "ready": Flag(),
        "serves": Uint(65535),
    },
    "ready": {"nonce": HASH, "plays": Flag(), "ready": Flag()},
    "move": {"seat": Uint(MAX_SEATS - 1)},
    "say": {"text": _TEXT},
    "sealed": {"silent": Seq(KEY, MAX_SEATS)},
    "declined": {"code": String(32, 1)},
    "leave": {},
    # from those who play to those who wait
    "offer": {
        "bot": Flag(),
        "epoch": Uint(MAX_COUNT),
        "name": NAME,
        "points": Uint(MAX_POINTS, -MAX_POINTS),
        "roster": Raw(0, MAX_ROSTER_BYTES),
        "seat": SEAT,
    },
    # from members to members
    "ask-tally": {},
    "tally": {
        "matches": Seq(FixedList((HASH, Uint(MAX_TIME))), MAX_TOLD),
        "standings": Seq(FixedList((NAME, Flag(), Uint(MAX_PLAYED), Uint(MAX_PLAYED))), MAX_TOLD),
    },
    "ask-file": {"match": HASH, "offset": Uint(MAX_FILE_BYTES)},
    "file": {
        "data": Raw(0, FILE_PART_BYTES),
        "match": HASH,
        "offset": Uint(MAX_FILE_BYTES),
        "size": Uint(MAX_FILE_BYTES),
    },
    # from the host to members
    "room": {"room": Raw(1, MAX_STATEMENT_BYTES)},
    "moved": {"host": String(64), "port": Uint(65535), "word": Raw(1, MAX_PASSED_BYTES)},
    "roster": {"roster": Raw(1, MAX_ROSTER_BYTES)},
    "said": {"text": _TEXT, "who": KEY},
    "refused": {"code": String(32, 1), "fields": Plain(8)},
    "hand-over": {},
    "close": {},
}


@dataclass(frozen=True, slots=True)
class Statement:
    """A decoded statement."""

    kind: str
    room: bytes
    key: bytes
    to: bytes
    """The key of the one client for which it is meant."""
    counter: int
    body: Mapping[str, Any]


def state(identity: Identity, room: bytes, to: bytes, counter: int, kind: str, /, **body: Any) -> bytes:
    """Sign and encode a statement. `to`: the receiver's key; `counter`: above that of every earlier statement."""
    assert set(body) == set(_KINDS[kind]), kind
    payload = pack([kind, room, identity.public, to, counter, body])
    return pack(["w", payload, identity.sign(_label(kind), payload)])


def read_statement(data: bytes, sender: bytes | None, to: bytes | None = None) -> Statement:
    """Decode a statement and check that `sender` signed it, or, without one, the member it names. Raises BadMessage.

    `to`: who must be its receiver, if it matters.
    """
    outer = unpack(data, MAX_STATEMENT_BYTES + 4096)
    if type(outer) is not list or len(outer) != 3 or outer[0] != "w":
        raise BadMessage("this is not a room message")
    payload = Raw(1, MAX_STATEMENT_BYTES + 2048).decode(outer[1])
    signature = Raw(SIGNATURE_BYTES, SIGNATURE_BYTES).decode(outer[2])
    inner = unpack(payload)
    if type(inner) is not list or len(inner) != 6:
        raise BadMessage("a room message must have six parts")
    kind, room, key, meant_for, counter, body = inner
    codecs = _KINDS.get(kind) if type(kind) is str else None
    if codecs is None:
        raise BadMessage("a room message of unknown kind, perhaps from a newer version")
    if KEY.decode(key) != sender and sender is not None:
        raise BadMessage("a room message in someone else's name")
    if KEY.decode(meant_for) != to and to is not None:
        raise BadMessage("a room message for somebody else")
    Uint(MAX_COUNTER).decode(counter)
    if type(body) is not dict or set(body) != set(codecs):
        raise BadMessage("a room message has missing or extra parts")
    check_signature(key, _label(kind), payload, signature)
    decoded = {name: codec.decode(body[name]) for name, codec in codecs.items()}
    if kind == "declined" and decoded["code"] not in SENTENCES:
        raise BadMessage("a refusal of unknown kind, perhaps from a newer version")
    return Statement(kind, Raw(ROOM_ID_BYTES, ROOM_ID_BYTES).decode(room), key, meant_for, counter, decoded)


def _label(kind: str) -> bytes:
    return b"fairdeal/v2/room/" + kind.encode("ascii")


def _guest_data(guest: Guest) -> dict[str, Any]:
    return {
        "arrived": guest.arrived,
        "bot": guest.bot,
        "host": guest.address[0],
        "keeper": guest.keeper,
        "key": guest.key,
        "name": guest.name,
        "nonce": guest.nonce_hash,
        "phone": guest.phone,
        "playing": guest.playing,
        "plays": guest.plays,
        "port": guest.address[1],
        "ready": guest.ready,
        "serves": guest.serves,
        "waited": guest.waited,
    }


def encode_room(room: Room) -> bytes:
    """Encode the host's word, to be shown to everyone."""
    return pack(
        {
            "barred": sorted(room.barred),
            "game": room.game,
            "host": room.host,
            "match": room.match,
            "members": [_guest_data(guest) for guest in room.members],
            "number": room.number,
            "options": dict(room.options),
            "refused": sorted(room.refused),
            "rules": room.rules_version,
            "sealing": room.sealing,
            "seating": list(room.seating),
            "table": table_options_data(room.table),
            "term": room.term,
            "title": room.title,
            "torn": room.torn,
        }
    )


def decode_room(id: bytes, data: bytes) -> Room:
    """Decode a room as its host shows it. Raises BadMessage."""
    found = _decode_map(
        unpack(data, MAX_STATEMENT_BYTES),
        {
            "barred": Seq(KEY, MAX_MEMBERS),
            "game": GameName(),
            "host": KEY,
            "match": Raw(0, 32),
            "members": Seq(_GuestCodec(), MAX_MEMBERS, 1),
            "number": Uint(MAX_COUNT),
            "options": Plain(64),
            "refused": Seq(KEY, MAX_REFUSED),
            "rules": Uint(1 << 16),
            "sealing": Flag(),
            "seating": Seq(Raw(0, KEY_BYTES), MAX_SEATS, 2),
            "table": Plain(64),
            "term": Uint(MAX_COUNT),
            "title": String(MAX_TITLE_BYTES),
            "torn": Uint(MAX_COUNT),
        },
    )
    members: tuple[Guest, ...] = found["members"]
    keys = [guest.key for guest in members]
    seated = [key for key in found["seating"] if key]
    if len(set(keys)) != len(keys) or len(set(seated)) != len(seated) or not set(seated) <= set(keys):
        raise BadMessage("somebody is in a room twice, or sits there without being in it")
    if found["host"] not in keys:
        raise BadMessage("the host is not in the room")
    return Room(
        id,
        found["host"],
        found["title"],
        found["game"],
        found["rules"],
        found["options"],
        decode_table_options(found["table"]),
        members,
        tuple(found["seating"]),
        found["sealing"],
        found["term"],
        found["number"],
        found["match"],
        found["torn"],
        frozenset(found["barred"]),
        frozenset(found["refused"]),
    )


class _GuestCodec:
    """Codec for a member of the room."""

    def encode(self, value: Guest) -> Any:
        return _guest_data(value)

    def decode(self, data: Any) -> Guest:
        found = _decode_map(
            data,
            {
                "arrived": Uint(MAX_COUNT),
                "bot": Flag(),
                "host": String(64),
                "keeper": KEY,
                "key": KEY,
                "name": NAME,
                "nonce": HASH,
                "phone": Flag(),
                "playing": Flag(),
                "plays": Flag(),
                "port": Uint(65535),
                "ready": Flag(),
                "serves": Uint(65535),
                "waited": Uint(1 << 16),
            },
        )
        return Guest(
            found["key"],
            found["name"],
            found["keeper"],
            found["bot"],
            found["nonce"],
            found["ready"],
            (found["host"], found["port"]),
            found["phone"],
            found["plays"],
            found["playing"],
            found["waited"],
            found["arrived"],
            found["serves"],
        )


def _decode_map(data: Any, codecs: Mapping[str, Codec[Any]]) -> dict[str, Any]:
    if type(data) is not dict or set(data) != set(codecs):
        raise BadMessage("a room has missing or extra parts")
    return {name: codec.decode(data[name]) for name, codec in codecs.items()}
