"""What each command was asked to do, typed, with fixed defaults filled in."""

from __future__ import annotations

from pathlib import Path

from cli.faults import WrongUse
from protocol.table.options import TableOptions
from protocol.values import dataclass

USUAL = TableOptions()


@dataclass(frozen=True, slots=True)
class Common:
    """What every command has."""

    command: str
    lang: str | None = None
    home: Path | None = None
    plain: bool = False
    ascii: bool = False
    motion: bool = True
    json: bool = False
    browser: bool = False
    """The page in this computer's browser instead of the terminal."""
    log: Path | None = None


@dataclass(frozen=True, slots=True)
class LobbyRequest(Common):
    phones: bool = False
    """Whether phones can sit down from the beginning, wherever one sits down."""


@dataclass(frozen=True, slots=True)
class TableRequest(Common):
    """`play`, `host` and `join`. None means "not given": the table's defaults depend on who plays."""

    game: str = ""
    where: str | None = None
    name: str | None = None
    table: str | None = None
    seats: int | None = None
    bots: int | None = None
    level: str | None = None
    """How well our bots play; for `join`, with autoplay, the one in our seat."""
    options: tuple[tuple[str, str], ...] = ()
    port: int | None = None
    rounds: int | None = None
    transcript: Path | None = None
    recovery: str | None = None
    lots: bool = False
    suggest: bool = True
    remind: bool = True
    time_s: float | None = None
    grace_s: float = USUAL.grace / 1000
    pause_s: float | None = None
    leave_after_s: float = USUAL.leave_after / 1000
    wait_s: float | None = None
    autoplay: bool = False
    fresh: bool = False
    start_after_s: float | None = None
    matches: int | None = None
    phones: bool = False
    """Whether phones can sit down from the beginning; for `host` and `join`."""

    @property
    def matches_or_default(self) -> int | None:
        """How many matches an unattended client plays: one if it hosts, else as many as there are (None)."""
        return self.matches if self.matches is not None else (None if self.command == "join" else 1)

    @property
    def pause_or_default_s(self) -> float:
        """Seconds between rounds: the usual for people, 0 unattended."""
        return self.pause_s if self.pause_s is not None else (0.0 if self.autoplay else USUAL.pause / 1000)

    @property
    def wait_or_default_s(self) -> float | None:
        """How long to wait for a table or players: people forever (None), unattended 60 s."""
        return self.wait_s if self.wait_s is not None else (60.0 if self.autoplay else None)


@dataclass(frozen=True, slots=True)
class WatchRequest(Common):
    where: str | None = None
    wait_s: float | None = None
    tv: bool = False
    """In the browser, to be looked at from across the room."""


@dataclass(frozen=True, slots=True)
class TablesRequest(Common):
    seconds: float = 2.0


@dataclass(frozen=True, slots=True)
class FilesRequest(Common):
    """`verify`, `playthrough`, `replay`. `all` has no effect any more: `verify` always checks every proof."""

    files: tuple[Path, ...] = ()
    all: bool = False


@dataclass(frozen=True, slots=True)
class RulesRequest(Common):
    game: str = ""
    seats: int | None = None
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class WhoamiRequest(Common):
    name: str | None = None


@dataclass(frozen=True, slots=True)
class CompletionsRequest(Common):
    shell: str = ""


@dataclass(frozen=True, slots=True)
class BenchRequest(Common):
    quick: bool = False
    only: tuple[str, ...] = ()
    plot: Path | None = None


def split_option(text: str) -> tuple[str, str]:
    """Split KEY=VALUE. Raises WrongUse."""
    name, sign, value = text.partition("=")
    if not sign or not name.strip():
        raise WrongUse("write an option as KEY=VALUE, like target=200, not {text}", text=text)
    return name.strip(), value
