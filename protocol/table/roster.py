"""Define the roster, which says who plays what by which rules, and draw seats and dealer from the table seed.

The roster's hash is the table's id. When all seats have signed it, each reveals a nonce whose hash is in the roster. The seed
is made from all nonces, so nobody can choose it. (PROTOCOL.md, "Sealing a table".)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from protocol.errors import BadMessage, BadOption
from protocol.games.catalogue import load
from protocol.games.game import AnyGame
from protocol.hashing import digest, number
from protocol.identity import check_public_key
from protocol.schema import HASH, KEY, MAX_SEATS, NAME, Codec, Flag, OneOf, Plain, Raw, Seq, String, Uint
from protocol.table.options import RECOVERY
from protocol.table.options import TableOptions as TableOptions
from protocol.values import dataclass
from protocol.wire import pack, unpack
from protocol.wordlist import words_of

PROTOCOL_VERSION = 2
MAX_ROSTER_BYTES = 32 * 1024
TABLE_WORDS = 4
"""32 bits are enough, because every part of the seed was fixed before any other was revealed."""


class OtherVersion(BadMessage):
    """A roster of another version of the protocol."""

    def __init__(self, template: str, version: int, ours: int) -> None:
        super().__init__(template, version=version, ours=ours)


@dataclass(frozen=True, slots=True)
class Member:
    """Someone at the table. `name` is only a label, `keeper` the key of the player responsible for it (a bot's owner)."""

    key: bytes
    name: str
    keeper: bytes
    bot: bool
    nonce_hash: bytes


_MILLISECONDS = Uint(24 * 3600 * 1000)
_TABLE_OPTIONS: dict[str, Codec[Any]] = {
    "grace": _MILLISECONDS,
    "leave_after": _MILLISECONDS,
    "lots": Flag(),
    "pause": _MILLISECONDS,
    "recovery": OneOf(RECOVERY),
    "remind": Flag(),
    "rounds": Uint(10_000),
    "suggest": Flag(),
    "time": _MILLISECONDS,
}


@dataclass(frozen=True, slots=True)
class Roster:
    """Everything that a match depends on before its first message is sent."""

    game: str
    rules_version: int
    options: Mapping[str, Any]
    table: TableOptions
    id: bytes
    members: tuple[Member, ...]

    def encode(self) -> bytes:
        """Encode canonically, for hashing and signing."""
        return pack(
            {
                "game": self.game,
                "id": self.id,
                "members": [
                    {"bot": m.bot, "keeper": m.keeper, "key": m.key, "name": m.name, "nonce": m.nonce_hash}
                    for m in self.members
                ],
                "options": dict(self.options),
                "protocol": PROTOCOL_VERSION,
                "rules": self.rules_version,
                "table": table_options_data(self.table),
            }
        )

    @property
    def table_id(self) -> bytes:
        """Return the table's id: 32 bytes."""
        return digest("roster", self.encode())


def decode_roster(data: bytes) -> Roster:
    """Decode a roster. Raises BadMessage. `game_of` checks whether its game can be played here."""
    value = unpack(data, MAX_ROSTER_BYTES)
    if type(value) is dict and type(version := value.get("protocol")) is int and version != PROTOCOL_VERSION:
        raise OtherVersion("this table uses version {version} of the protocol, not {ours}", version, PROTOCOL_VERSION)
    value = _map(value, {"game", "id", "members", "options", "protocol", "rules", "table"})
    if type(value["protocol"]) is not int:
        raise BadMessage("a roster does not name its version of the protocol")
    members = tuple(_member(item) for item in Seq(Plain(), MAX_SEATS, 2).decode(value["members"]))
    if len({member.key for member in members}) != len(members):
        raise BadMessage("the same key sits at this table twice")
    return Roster(
        String(64, 1).decode(value["game"]),
        Uint(1 << 16).decode(value["rules"]),
        Plain(64).decode(value["options"]),
        decode_table_options(value["table"]),
        Raw(16, 16).decode(value["id"]),
        members,
    )


def is_of_this_version(data: bytes) -> bool:
    """Whether an encoded roster is of this version of the protocol. A damaged one counts as such."""
    try:
        decode_roster(data)
    except OtherVersion:
        return False
    except BadMessage:
        pass
    return True


def game_of(roster: Roster) -> AnyGame:
    """Return the game that a roster names. Raises BadOption if it cannot be played here exactly as the roster says.

    A roster names all options of its game: a default that another version chose would change the rules unseen.
    """
    game = load(roster.game, len(roster.members), roster.options)
    if game.version != roster.rules_version:
        raise BadOption("this match was played with another version of the {game} rules", game=roster.game)
    if pack(dict(game.options)) != pack(dict(roster.options)):
        raise BadOption("the roster does not name all options of {game}", game=roster.game)
    return game


def table_options_data(table: TableOptions) -> dict[str, Any]:
    """Return table options as plain data."""
    return {key: getattr(table, key) for key in _TABLE_OPTIONS}


def decode_table_options(data: Any) -> TableOptions:
    """Decode table options from plain data. Raises BadMessage."""
    found = _map(data, set(_TABLE_OPTIONS))
    return TableOptions(**{key: codec.decode(found[key]) for key, codec in _TABLE_OPTIONS.items()})


def _member(data: Any) -> Member:
    fields = _map(data, {"bot", "keeper", "key", "name", "nonce"})
    key, keeper = KEY.decode(fields["key"]), KEY.decode(fields["keeper"])
    check_public_key(key)
    if keeper != key:
        check_public_key(keeper)
    return Member(key, NAME.decode(fields["name"]), keeper, Flag().decode(fields["bot"]), HASH.decode(fields["nonce"]))


def _map(value: Any, keys: set[str]) -> dict[str, Any]:
    if type(value) is not dict or set(value) != keys:
        raise BadMessage("a roster has missing or extra parts")
    return value


def nonce_hash(key: bytes, nonce: bytes) -> bytes:
    """Return the hash of a member's nonce of 32 bytes, as the roster holds it. It names the member's key, so that nobody can
    commit to another member's nonce by copying its hash."""
    return digest("nonce", key, nonce)


def table_seed(table_id: bytes, nonces: Sequence[bytes]) -> bytes:
    """Return the seed made from all nonces, in the roster's order."""
    return digest("seed", table_id, *nonces)


def table_words(seed: bytes) -> tuple[str, ...]:
    """Return the words that all screens show. Players compare them aloud to make sure that they sit at the same table."""
    return words_of(digest("words", seed), TABLE_WORDS)


def drawn(seed: bytes, what: bytes, below: int) -> int:
    """Draw a number from 0 to below-1 from the seed, without bias: 8-byte values above the last multiple are rejected."""
    limit = (1 << 64) - (1 << 64) % below
    counter = 0
    while True:
        value = int.from_bytes(digest("draw", seed, what, number(counter))[:8], "big")
        if value < limit:
            return value % below
        counter += 1


def draw_seating(roster: Roster, seed: bytes) -> tuple[int, ...]:
    """Return each seat's place in the roster: as listed, or drawn by lot (Fisher-Yates, from the top)."""
    order = list(range(len(roster.members)))
    if roster.table.lots:
        for top in range(len(order) - 1, 0, -1):
            other = drawn(seed, b"seat" + number(top), top + 1)
            order[top], order[other] = order[other], order[top]
    return tuple(order)


def draw_dealer(roster: Roster, seed: bytes) -> int:
    """Draw the first dealer."""
    return drawn(seed, b"dealer", len(roster.members))
