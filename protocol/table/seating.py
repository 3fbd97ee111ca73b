"""Manage the waiting room, where players gather before a roster is sealed. Statements are signed by keys, not seats.

The host keeps the room and shows it to everyone. Nothing here is binding: each client checks the roster before signing it.
A statement is ["w", payload, signature]; its payload is [kind, room, key, counter, body]. (PROTOCOL.md, "The waiting room".)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from protocol.cards import Seat
from protocol.errors import BadMessage, FairdealError
from protocol.identity import KEY_BYTES, SIGNATURE_BYTES, Identity, check_signature
from protocol.schema import HASH, MAX_SEATS, Flag, Plain, Raw, Seq, String, Uint
from protocol.table.roster import (
    MAX_NAME_BYTES,
    MAX_ROSTER_BYTES,
    Member,
    Roster,
    TableOptions,
    decode_table_options,
    table_options_data,
)
from protocol.wire import pack, unpack

MAX_STATEMENT_BYTES = 60 * 1024
MAX_TITLE_BYTES = 64
ROOM_ID_BYTES = 16

_KINDS: dict[str, dict[str, Any]] = {
    "sit": {"bot": Flag(), "keeper": Raw(KEY_BYTES, KEY_BYTES), "name": String(MAX_NAME_BYTES, 1), "nonce": HASH},
    "leave": {},
    "ready": {"ready": Flag()},
    "move": {"seat": Uint(MAX_SEATS - 1)},
    "say": {"text": String(400, 1)},
    "said": {"text": String(400, 1), "who": Raw(KEY_BYTES, KEY_BYTES)},
    "room": {"room": Raw(1, MAX_STATEMENT_BYTES)},
    "roster": {"roster": Raw(1, MAX_ROSTER_BYTES)},
    "refused": {"fields": Plain(), "reason": String(300, 1)},
}


@dataclass(frozen=True, slots=True)
class Statement:
    """A decoded statement."""

    kind: str
    room: bytes
    key: bytes
    body: Mapping[str, Any]


def state(identity: Identity, room: bytes, counter: int, kind: str, /, **body: Any) -> bytes:
    """Sign and encode a statement."""
    assert set(body) == set(_KINDS[kind]), kind
    payload = pack([kind, room, identity.public, counter, body])
    return pack(["w", payload, identity.sign(_label(kind), payload)])


def read_statement(data: bytes, sender: bytes) -> Statement:
    """Decode a statement and check that `sender`, on whose link it arrived, signed it. Raises BadMessage."""
    outer = unpack(data, MAX_STATEMENT_BYTES + 4096)
    if type(outer) is not list or len(outer) != 3 or outer[0] != "w":
        raise BadMessage("this is not a room message")
    payload = Raw(1, MAX_STATEMENT_BYTES + 2048).decode(outer[1])
    signature = Raw(SIGNATURE_BYTES, SIGNATURE_BYTES).decode(outer[2])
    inner = unpack(payload)
    if type(inner) is not list or len(inner) != 5:
        raise BadMessage("a room message must have five parts")
    kind, room, key, counter, body = inner
    codecs = _KINDS.get(kind) if type(kind) is str else None
    if codecs is None:
        raise BadMessage("a room message of unknown kind, perhaps from a newer version")
    if key != sender:
        raise BadMessage("a room message in someone else's name")
    Uint(1 << 40).decode(counter)
    if type(body) is not dict or set(body) != set(codecs):
        raise BadMessage("a room message has missing or extra parts")
    check_signature(sender, _label(kind), payload, signature)
    decoded = {name: codec.decode(body[name]) for name, codec in codecs.items()}
    return Statement(kind, Raw(ROOM_ID_BYTES, ROOM_ID_BYTES).decode(room), key, decoded)


def _label(kind: str) -> bytes:
    return b"fairdeal/v1/room/" + kind.encode("ascii")


class Refusal(FairdealError):
    """The host refuses a request. The text says why."""


@dataclass(frozen=True, slots=True)
class Sitter:
    """Somebody who took a seat. `address` is the (host, port) seen by the host's computer, or ("", 0)."""

    key: bytes
    name: str
    keeper: bytes
    bot: bool
    nonce_hash: bytes
    ready: bool = False
    address: tuple[str, int] = ("", 0)


@dataclass(frozen=True, slots=True)
class Room:
    """The waiting room as the host shows it. `seats` contains a sitter or None for each seat."""

    id: bytes
    host: bytes
    title: str
    game: str
    rules_version: int
    options: Mapping[str, Any]
    table: TableOptions
    seats: tuple[Sitter | None, ...]
    is_open: bool = True
    refused: frozenset[bytes] = field(default=frozenset())

    # --- what the host decides; each returns the new room ---

    def with_sitter(self, sitter: Sitter) -> Room:
        """Seat somebody on the first free seat, or update its entry. Raises Refusal."""
        if sitter.key in self.refused:
            raise Refusal("the host removed you from this table")
        place = self.place_of(sitter.key)
        if place is None:
            if not self.is_open:
                raise Refusal("the game at this table has already started: watch it, or wait for the next one")
            if None not in self.seats:
                raise Refusal("this table is full")
            place = self.seats.index(None)
        if sitter.bot and sitter.keeper not in {self.host, sitter.key}:
            raise Refusal("a bot must belong to the host or join on its own")
        return self._put(place, sitter)

    def without(self, key: bytes) -> Room:
        """Remove somebody."""
        place = self.place_of(key)
        return self if place is None else self._put(place, None)

    def with_ready(self, key: bytes, ready: bool) -> Room:
        """Set whether somebody is ready."""
        place = self.place_of(key)
        sitter = None if place is None else self.seats[place]
        return self if place is None or sitter is None else self._put(place, replace(sitter, ready=ready))

    def moved(self, key: bytes, seat: Seat) -> Room:
        """Move somebody to another free seat, for example to choose a partner. Raises Refusal."""
        place = self.place_of(key)
        if place is None or seat >= len(self.seats):
            raise Refusal("there is no such seat at this table")
        if self.seats[seat] is not None:
            raise Refusal("that seat is already taken")
        return self._put(place, None)._put(seat, self.seats[place])

    def _put(self, place: int, sitter: Sitter | None) -> Room:
        return replace(self, seats=(*self.seats[:place], sitter, *self.seats[place + 1 :]))

    # --- what can be asked ---

    def place_of(self, key: bytes) -> int | None:
        """Return the seat of a key, or None."""
        return next((i for i, sitter in enumerate(self.seats) if sitter is not None and sitter.key == key), None)

    @property
    def sitters(self) -> tuple[Sitter, ...]:
        """Return everyone who has a seat."""
        return tuple(sitter for sitter in self.seats if sitter is not None)

    @property
    def can_start(self) -> bool:
        """Whether all seats are taken and everyone is ready."""
        return len(self.sitters) == len(self.seats) and all(sitter.ready for sitter in self.sitters)

    def roster(self, id: bytes) -> Roster:
        """Return the roster that everyone is asked to sign. `id`: 16 fresh bytes."""
        members = tuple(Member(s.key, s.name, s.keeper, s.bot, s.nonce_hash) for s in self.sitters)
        return Roster(self.game, self.rules_version, self.options, self.table, id, members)

    def check_roster(self, roster: Roster, own: Mapping[bytes, bytes]) -> None:
        """Check, before signing, that a roster matches the room. Raises Refusal.

        `own`: our keys (ours first, then our bots') with their nonce hashes.
        """
        if (roster.game, roster.rules_version, dict(roster.options), roster.table) != (
            self.game,
            self.rules_version,
            dict(self.options),
            self.table,
        ):
            raise Refusal("the host asked you to sign for another game than the room showed")
        nonces = {member.key: member.nonce_hash for member in roster.members}
        for key, nonce in own.items():
            if nonces.get(key) != nonce:
                raise Refusal("the host asked you to sign a player list without you")
        ours = next(iter(own))
        if any(m.keeper == ours and m.key not in own for m in roster.members):
            raise Refusal("the host claims that one of the bots is yours, but it is not")

    # --- on the wire ---

    def encode(self) -> bytes:
        """Encode the room, to be shown to everyone."""
        return pack(
            {
                "game": self.game,
                "host": self.host,
                "open": self.is_open,
                "options": dict(self.options),
                "rules": self.rules_version,
                "seats": [None if s is None else _sitter_data(s) for s in self.seats],
                "table": table_options_data(self.table),
                "title": self.title,
            }
        )


def decode_room(id: bytes, data: bytes) -> Room:
    """Decode a room as its host shows it. Raises BadMessage."""
    value = unpack(data, MAX_STATEMENT_BYTES)
    if type(value) is not dict or set(value) != {
        "game",
        "host",
        "open",
        "options",
        "rules",
        "seats",
        "table",
        "title",
    }:
        raise BadMessage("a room has missing or extra parts")
    seats = Seq(_Seat(), MAX_SEATS, 2).decode(value["seats"])
    return Room(
        id,
        Raw(KEY_BYTES, KEY_BYTES).decode(value["host"]),
        String(MAX_TITLE_BYTES).decode(value["title"]),
        String(64, 1).decode(value["game"]),
        Uint(1 << 16).decode(value["rules"]),
        Plain(64).decode(value["options"]),
        decode_table_options(value["table"]),
        seats,
        Flag().decode(value["open"]),
    )


def _sitter_data(s: Sitter) -> dict[str, Any]:
    return {
        "bot": s.bot,
        "host": s.address[0],
        "keeper": s.keeper,
        "key": s.key,
        "name": s.name,
        "nonce": s.nonce_hash,
        "port": s.address[1],
        "ready": s.ready,
    }


class _Seat:
    """Codec for a sitter or nil."""

    def encode(self, value: Sitter | None) -> Any:
        return None if value is None else _sitter_data(value)

    def decode(self, data: Any) -> Sitter | None:
        if data is None:
            return None
        if type(data) is not dict or set(data) != {"bot", "host", "keeper", "key", "name", "nonce", "port", "ready"}:
            raise BadMessage("a player entry has missing or extra parts")
        key = Raw(KEY_BYTES, KEY_BYTES)
        return Sitter(
            key.decode(data["key"]),
            String(MAX_NAME_BYTES, 1).decode(data["name"]),
            key.decode(data["keeper"]),
            Flag().decode(data["bot"]),
            HASH.decode(data["nonce"]),
            Flag().decode(data["ready"]),
            (String(64).decode(data["host"]), Uint(65535).decode(data["port"])),
        )
