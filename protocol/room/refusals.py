"""Say why a request in a room is refused: a code from a closed list with typed fields, never a sentence from the other side.

(PROTOCOL.md, "The room".)
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from typing import Any

from protocol.errors import BadMessage, FairdealError
from protocol.schema import Codec, String, Uint
from protocol.values import dataclass


@dataclass(frozen=True, slots=True)
class GameName:
    """A game's name: short, and harmless wherever it is shown."""

    def encode(self, value: str) -> str:
        return value

    def decode(self, data: Any) -> str:
        text = String(64, 1).decode(data)
        if not re.fullmatch(r"[a-z0-9-]+", text):
            raise BadMessage("a game's name has unexpected characters")
        return text


@dataclass(frozen=True, slots=True)
class Sentence:
    """What a code means to a person, and the fields that come with it."""

    text: str
    fields: Mapping[str, Codec[Any]] = field(default_factory=dict)


VERSION = Uint(1 << 16)
SENTENCES: Mapping[str, Sentence] = {
    "removed": Sentence("the host removed you from this table"),
    "full": Sentence("this room is full"),
    "bot": Sentence("a bot must belong to somebody in the room, or join on its own"),
    "seat": Sentence("there is no such seat at this table"),
    "taken": Sentence("that seat is already taken"),
    "closed": Sentence("the host closed the room"),
    "nothing": Sentence("there is no table to join at this address right now"),
    "host-only": Sentence("only the host can do that"),
    "running": Sentence("a match is still running"),
    "few": Sentence("the match can start as soon as {least} players are ready", {"least": Uint(16)}),
    "we-are-older": Sentence("this table uses a newer version of Fairdeal: update Fairdeal on this computer"),
    "they-are-older": Sentence("this table uses an older version of Fairdeal: it must be updated there"),
    "rules": Sentence(
        "the host has version {theirs} of the {game} rules, you have version {ours}: update the older Fairdeal",
        {"game": GameName(), "theirs": VERSION, "ours": VERSION},
    ),
    "busy": Sentence("another match is still open on this computer"),
    "roster": Sentence("the host asked you to sign for other players or another game than the room showed"),
    "not-in-roster": Sentence("the host asked you to sign a player list without you"),
    "not-our-bot": Sentence("the host claims that one of the bots is yours, but it is not"),
    "not-barred": Sentence("the host seated a player who kept silent in the last draw"),
    "not-ready": Sentence("the host started the match with a player who was not ready"),
}
"""All refusals there are. What a peer sends beyond them is not shown to anybody."""


class RoomRefusal(FairdealError):
    """A request in a room is refused. `code`: one of SENTENCES."""

    def __init__(self, code: str, **fields: object) -> None:
        assert set(fields) == set(SENTENCES[code].fields), code
        super().__init__(SENTENCES[code].text, **fields)
        self.code = code


def decode_refusal(code: str, fields: Any) -> RoomRefusal:
    """Decode a refusal. Raises BadMessage for an unknown code or fields that do not belong to it."""
    known = SENTENCES.get(code)
    if known is None or type(fields) is not dict or set(fields) != set(known.fields):
        raise BadMessage("a refusal of unknown kind, perhaps from a newer version")
    return RoomRefusal(code, **{name: codec.decode(fields[name]) for name, codec in known.fields.items()})
