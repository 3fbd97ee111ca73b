"""Finding a table: by address, by name over mDNS, or the only one there is."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING

from cli.clean import clean_name
from cli.faults import NobodyThere, WrongUse
from cli.news import Found, Notify, Searching, TableSeen, is_free, is_running
from p2p.interfaces import Address

if TYPE_CHECKING:
    from p2p.announcements import Sighting
    from p2p.discovery import Browser

RECHECK_S = 0.05
KNOCK_S = 1.0
MAX_KNOCKS = 128
LOOK_S = 2.0
"""With no name said, how long to look for all the tables that there are."""
SAY_S = 15.0
"""How often it is said that we still look: who only hears lines cannot see it."""


def parse_address(text: str) -> Address | None:
    """HOST[:PORT], [V6]:PORT or a bare IPv6 address; None where it looks like a name."""
    if match := re.fullmatch(r"\[([0-9A-Fa-f:.%\w]+)\](?::(\d{1,5}))?", text):
        return match[1], _port(match[2])
    if re.fullmatch(r"[0-9A-Fa-f:]*:[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*(%\w+)?", text):
        return text, _port(None)
    if match := re.fullmatch(r"([A-Za-z0-9.-]+):(\d{1,5})", text):
        return match[1], _port(match[2])
    if re.fullmatch(r"\d{1,3}(\.\d{1,3}){3}", text) or re.fullmatch(r"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+|localhost", text):
        return text, _port(None)
    return None


def _port(text: str | None) -> int:
    from p2p.node import DEFAULT_PORT  # the lobby must be there before what a node needs

    port = DEFAULT_PORT if text is None else int(text)
    if not 0 < port < 65536:
        raise WrongUse("a port is a number from 1 to 65535, not {port}", port=port)
    return port


def rows(sightings: Sequence[Sighting]) -> list[Found]:
    """One row a table, whoever announces it; the tables that can be joined first."""
    found: dict[str, Found] = {}
    for seen in sightings:
        row = _row(seen)
        known = found.get(row.id)
        if known is None:
            found[row.id] = row
            continue
        # A seat that has lost all others says less than they do, and its word on who is away is not the table's.
        fuller = max(known, row, key=lambda each: (bool(each.title), each.state == "playing", bool(each.host)))
        addresses = tuple(dict.fromkeys((*known.addresses, *row.addresses)))
        found[row.id] = replace(fuller, addresses=addresses, keys=tuple(sorted({*known.keys, *row.keys})))
    return sorted(found.values(), key=lambda row: (not is_free(row), not is_running(row), row.title.casefold(), row.id))


def _row(seen: Sighting) -> Found:
    told = seen.properties
    return Found(
        clean_name(told.get("table", ""), "?"),
        clean_name(told.get("game", ""), "?"),
        _number(told.get("seats")),
        _number(told.get("taken")),
        clean_name(told.get("state", ""), "?"),
        told.get("id", "") or seen.name,
        tuple(seen.addresses),
        clean_name(told.get("host", ""), ""),
        _names(told.get("players", "")),
        _names(told.get("away", "")),
        _points(told.get("score", "")),
        _rules(told.get("rules")),
        tuple(key for key in (told.get("key", ""),) if key),
    )


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for each in text.split(",")[:16] if (name := clean_name(each, "")))


def _rules(text: str | None) -> tuple[tuple[str, str], ...] | None:
    if text is None:
        return None
    pairs = (each.partition("=") for each in text.split(",")[:16])
    return tuple((name, value) for name, sign, value in pairs if sign)


def _points(text: str) -> tuple[int, ...]:
    """Points of each side; none where one of them is no number."""
    found = text.split(":")[:16]
    return tuple(map(int, found)) if all(re.fullmatch(r"-?[0-9]{1,5}", each) for each in found) else ()


def _number(text: str | None) -> int:
    return int(text) if text is not None and text.isdecimal() and len(text) < 3 else 0


async def find_table(
    where: str | None, limit: float | None, notify: Notify, wanted: Callable[[Found], bool]
) -> tuple[Address, ...]:
    """Where the table is that was asked for, by name or address. Raises NobodyThere."""
    if where is not None and (address := parse_address(where)) is not None:
        return (address,)
    from p2p.discovery import Browser  # mDNS is slow to import, and an address does without

    browser = Browser()
    await browser.start()
    try:
        async with asyncio.timeout(limit):
            return (await _find(where, notify, browser, wanted)).addresses
    except TimeoutError as late:
        if where is not None:
            raise NobodyThere(
                "no table named {name} was found in {seconds} seconds: join by its address, or see fairdeal doctor",
                name=where,
                seconds=limit,
            ) from late
        raise NobodyThere(
            "no open table was found in {seconds} seconds: same Wi-Fi? Join by address, or see fairdeal doctor",
            seconds=limit,
        ) from late
    finally:
        await browser.close()


async def _find(where: str | None, notify: Notify, browser: Browser, wanted: Callable[[Found], bool]) -> Found:
    loop = asyncio.get_running_loop()
    looked_until = loop.time() + (0.0 if where is not None else LOOK_S)
    say_at, has_said = looked_until, False
    while True:
        tables = [row for row in rows(browser.sightings) if wanted(row)]
        if where is not None:
            tables = [row for row in tables if row.title.casefold() == clean_name(where).casefold()]
        has_looked = loop.time() >= looked_until
        if tables and has_looked:
            alive = await reachable(tables)
            if len(alive) == 1 or (alive and where is not None):
                return alive[0]
            if alive:
                for row in alive:
                    notify(TableSeen(row))
                raise WrongUse(
                    "there are several tables: say which one, like fairdeal join {name}", name=alive[0].title
                )
        if loop.time() >= say_at:
            notify(Searching(has_said))
            say_at, has_said = loop.time() + SAY_S, True
        await asyncio.sleep(RECHECK_S)


async def reachable(tables: Sequence[Found]) -> list[Found]:
    """Those behind which somebody listens: an announcement outlives a killed program by many minutes."""
    doors = await asyncio.to_thread(doors_of, tables)
    opened = dict(zip(doors, await asyncio.gather(*map(_knock, doors)), strict=True))
    return [row for row in tables if any(opened.get(address) for address in row.addresses)]


def doors_of(tables: Sequence[Found]) -> list[Address]:
    """Where to knock for them: anybody may announce anything, so each address once, no more than MAX_KNOCKS, every table's
    first before any table's second, and those on our own networks before all others."""
    from p2p.interfaces import interfaces, is_near

    here = interfaces()
    turns = zip_longest(*(row.addresses for row in tables))
    doors = dict.fromkeys(address for turn in turns for address in turn if address is not None)
    return sorted(doors, key=lambda address: not is_near(address[0], here))[:MAX_KNOCKS]


async def _knock(address: Address) -> bool:
    try:
        async with asyncio.timeout(KNOCK_S):
            _reader, writer = await asyncio.open_connection(*address)
    except (OSError, TimeoutError):
        return False
    writer.close()
    with contextlib.suppress(OSError):
        await writer.wait_closed()
    return True
