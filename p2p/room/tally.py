"""What members tell each other of the matches that were played in their room: a tally, and files. PROTOCOL.md: "The room".

None of it is trusted: a tally is what somebody says, and a file proves itself or nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from protocol.values import dataclass


@dataclass(frozen=True, slots=True)
class ToldStanding:
    """How a player has fared, as a member tells it."""

    name: str
    bot: bool
    played: int
    won: int


@dataclass(frozen=True, slots=True)
class ToldTally:
    """The evening in a room, as a member tells it. `matches`: the id of each, and when it ended, in seconds since 1970."""

    matches: tuple[tuple[bytes, int], ...]
    standings: tuple[ToldStanding, ...]

    def body(self) -> dict[str, Any]:
        """Encode it."""
        rows = tuple((each.name, each.bot, each.played, each.won) for each in self.standings)
        return {"matches": self.matches, "standings": rows}


@dataclass(frozen=True, slots=True)
class FilePart:
    """A part of the file of a match that is over. `size`: of the whole file; 0: it is not here."""

    match: bytes
    offset: int
    size: int
    data: bytes

    def body(self) -> dict[str, Any]:
        """Encode it."""
        return {"match": self.match, "offset": self.offset, "size": self.size, "data": self.data}


def read_tally(body: Mapping[str, Any]) -> ToldTally:
    """Decode what a member tells."""
    return ToldTally(tuple(body["matches"]), tuple(ToldStanding(*row) for row in body["standings"]))


def read_part(body: Mapping[str, Any]) -> FilePart:
    """Decode a part of a file."""
    return FilePart(body["match"], body["offset"], body["size"], body["data"])
