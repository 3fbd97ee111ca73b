"""A game, maybe a stranger's, that raised what it should not: the details go into a file, and people get one sentence."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cli.crash import write_down
from protocol.errors import FairdealError, GameFailed, failures_of


class FailureNoted(FairdealError):
    """A game failed, and a file says how."""


class SeatStopped(FailureNoted):
    """A game failed at our table. Our seat has stopped, and is kept."""


def noted(fault: FairdealError, home: Path, *, is_seat_kept: bool = False) -> FairdealError:
    """Write how a game failed into a file, and return the fault that names it; any other fault as it is."""
    if not isinstance(fault, GameFailed):
        return fault
    if sys.platform == "emscripten":  # nobody can read the files of a page
        kept = SeatStopped("the game {game} failed: {error}. Your seat is kept", **fault.fields)
        return kept if is_seat_kept else fault
    path = write_down(home, "".join(traceback.format_exception(fault)))
    if is_seat_kept:
        return SeatStopped(
            "the game {game} failed: {error} (details: {path}). Your seat is kept", path=path, **fault.fields
        )
    return failure_in(path, fault)


def failure_in(path: Path | str, fault: FairdealError) -> FailureNoted:
    """Return a game's failure with the file that has the details."""
    return FailureNoted("the game {game} failed: {error} (details: {path})", path=path, **fault.fields)


@contextmanager
def failing_in(game: str, home: Path) -> Iterator[None]:
    """Turn what a game or its face raises away from a table into the fault that names the file with the details. An OSError is
    not theirs: the output may be closed."""
    try:
        with failures_of(game, OSError):
            yield
    except GameFailed as failure:
        told = noted(failure, home)
        if told is failure:
            raise
        raise told from failure
