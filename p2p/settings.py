"""A node's settings, chosen by its owner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from protocol.games.game import NORMAL, AnyGame
from protocol.table.roster import TableOptions


@dataclass(slots=True)
class TablePlan:
    """What a host wants to be played. `game`: with the number of seats that may be taken at most."""

    game: AnyGame
    title: str
    options: TableOptions


@dataclass(slots=True)
class NodeSettings:
    """How a node behaves.

    `keeper`: the key of the player who runs this bot, or through whose machine this phone plays; `pace_s`: a bot's delay before
    each move; `level`: how well the bot in this seat plays, see `Game.levels`.
    """

    name: str
    bot: bool = False
    keeper: bytes | None = None
    pace_s: float = 0.0
    level: str = NORMAL
    transcript: Path | None = None
    auto_ready: bool = True
    port: int = 0
    hosts: tuple[str, str] = ("0.0.0.0", "::")
    fields: Mapping[str, Any] = field(default_factory=dict)
    bots: set[bytes] = field(default_factory=set)
    """The keys of the bots on our computer."""
    phones: dict[bytes, None] = field(default_factory=dict)
    """The keys of the phones that our computer serves, the last that came at the end."""
    serves: int = 0
    """The port at which our computer serves phones; 0: it does not."""
    start_after_s: float | None = None
    """Start a match this long after enough players are ready, even if there is room for more; for hosts."""

    @property
    def is_kept_bot(self) -> bool:
        """Whether another player runs this bot."""
        return self.bot and self.keeper is not None

    @property
    def is_phone(self) -> bool:
        """Whether this is a page that plays through another player's machine."""
        return not self.bot and self.keeper is not None
