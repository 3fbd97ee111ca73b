"""What a home knows from before, for the lobby."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cli.clean import clean_name
from cli.client.results import FETCHED
from cli.news import FoundTable, Remembered, Unfinished, is_running
from protocol.errors import FairdealError

if TYPE_CHECKING:
    from p2p.home import Home
    from p2p.saved import SavedMatch

KNOWN_MATCHES = 50
"""The players of so many last matches count as friends, whose tables come first."""


def remembered(home_path: Path) -> Remembered:
    """Read the home even while another program has it open; what cannot be read is not remembered.

    A match that is being played in another window is not unfinished: then the guest profile's match counts, which a table
    opened here would use.
    """
    from p2p.home import read_home
    from protocol.table.roster import decode_roster

    home = read_home(home_path)
    profile, guest = _profile_now(home_path)
    left, over = _matches_of(home)
    if guest:
        left, _others = _matches_of(profile)
    unfinished = [found for match in left if (found := _unfinished(match)) is not None]
    friends: set[str] = set()
    for match in over:
        if match.role == FETCHED:
            continue  # others played it
        with contextlib.suppress(FairdealError):  # of an older version
            members = decode_roster(match.roster).members
            friends |= {member.key.hex() for member in members if not member.bot}
    return Remembered(home.name, next(iter(unfinished), None), frozenset(friends), guest, tuple(unfinished[1:]))


def _unfinished(match: SavedMatch) -> Unfinished | None:
    """A match that can be taken up again; None for one of another version, or a damaged one."""
    from protocol.table.roster import decode_roster

    try:
        roster = decode_roster(match.roster)
    except FairdealError:
        return None
    return Unfinished(
        clean_name(str(match.meta.get("title") or ""), "") or match.id.hex()[:8],
        roster.game,
        match.created,
        tuple(clean_name(member.name) for member in roster.members),
        tuple(member.bot for member in roster.members),
        match.id.hex(),
        tuple(clean_name(str(name)) for name in (match.result or {}).get("left") or ()),
    )


async def tell_ends(home_path: Path, tables: Sequence[FoundTable]) -> None:
    """Tell those who announce a match that is over here how it ended: they were away then."""
    from p2p.home import read_home
    from p2p.past import tell_end

    home = read_home(home_path)
    for table in tables:
        with contextlib.suppress(ValueError, FairdealError):  # a damaged journal is reported where it is needed
            if is_running(table):
                await tell_end(home, bytes.fromhex(table.id), table.addresses)


def _matches_of(home: Home) -> tuple[list[SavedMatch], list[SavedMatch]]:
    """Those left unfinished or put aside, and the last ones that are over."""
    from p2p.reading import read_journal

    with contextlib.suppress(FairdealError):
        journal = read_journal(home.journal)
        try:
            return [*journal.unfinished(), *journal.aside()], journal.finished(KNOWN_MATCHES)
        finally:
            journal.close()
    return [], []


def _profile_now(home_path: Path) -> tuple[Home, int]:
    """The home that a table opened now would use, and which guest's it is: see p2p.home.open_home."""
    from p2p.home import MAX_GUESTS, is_locked, read_home

    if is_locked(home_path):
        for number in range(1, MAX_GUESTS + 1):
            path = home_path / "guests" / str(number)
            if not is_locked(path):
                return read_home(path), number
    return read_home(home_path), 0
