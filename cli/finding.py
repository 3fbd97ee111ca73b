"""Finding a table: by address, by name over mDNS, or the only one there is."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING


from cli.clean import clean_name
from cli.context import Context
from cli.faults import NobodyThere, WrongUse
from cli.requests import TableRequest
from cli.tabling import DEFAULT_PORT
from p2p.interfaces import Address

if TYPE_CHECKING:
    from p2p.discovery import Browser, Sighting

LOOK_S = 2.0
"""With no name said, how long to look for all the tables that there are."""


@dataclass(frozen=True, slots=True)
class Found:
    """A table that was seen: one row, though each of its seats announces it."""

    title: str
    game: str
    seats: int
    taken: int
    state: str
    id: str
    addresses: tuple[Address, ...]


def parse_address(text: str) -> Address | None:
    """HOST[:PORT], [V6]:PORT or a bare IPv6 address; None where it looks like a name."""
    if match := re.fullmatch(r"\[([0-9A-Fa-f:.%\w]+)\](?::(\d{1,5}))?", text):
        return match[1], _port(match[2])
    if re.fullmatch(r"[0-9A-Fa-f:]*:[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*(%\w+)?", text):
        return text, DEFAULT_PORT
    if match := re.fullmatch(r"([A-Za-z0-9.-]+):(\d{1,5})", text):
        return match[1], _port(match[2])
    if re.fullmatch(r"\d{1,3}(\.\d{1,3}){3}", text) or re.fullmatch(r"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+|localhost", text):
        return text, DEFAULT_PORT
    return None


def _port(text: str | None) -> int:
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
        if known is None or (row.title and not known.title):
            found[row.id] = row
        else:
            merged = tuple(dict.fromkeys((*known.addresses, *row.addresses)))
            found[row.id] = Found(known.title, known.game, known.seats, known.taken, known.state, known.id, merged)
    return sorted(found.values(), key=lambda row: (row.state != "open", row.taken >= row.seats, row.title))


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
    )


def _number(text: str | None) -> int:
    return int(text) if text is not None and text.isdecimal() and len(text) < 3 else 0


async def find_table(request: TableRequest, context: Context) -> tuple[Address, ...]:
    """Where the host is that was asked for. Raises NobodyThere."""
    if request.where is not None and (address := parse_address(request.where)) is not None:
        return (address,)
    from p2p.discovery import Browser  # mDNS is slow to import, and joining by address does without

    limit = request.wait_or_default_s
    browser = Browser()
    await browser.start()
    try:
        async with asyncio.timeout(limit):
            return (await _find(request, context, browser)).addresses
    except TimeoutError as late:
        if request.where is not None:
            raise NobodyThere(
                "no table named {name} was found in {seconds} seconds: join by its address",
                name=request.where,
                seconds=limit,
            ) from late
        raise NobodyThere(
            "no open table was found in {seconds} seconds: same Wi-Fi? Or join by address", seconds=limit
        ) from late
    finally:
        await browser.close()


async def _find(request: TableRequest, context: Context, browser: Browser) -> Found:
    loop = asyncio.get_running_loop()
    looked_until = loop.time() + (0.0 if request.where is not None else LOOK_S)
    noted = False
    while True:
        tables = [row for row in rows(browser.sightings) if row.state == "open" and row.taken < row.seats]
        if request.where is not None:
            wanted = clean_name(request.where).casefold()
            tables = [row for row in tables if row.title.casefold() == wanted]
        if tables and (len(tables) == 1 or request.where is not None) and loop.time() >= looked_until:
            return tables[0]
        if len(tables) > 1 and loop.time() >= looked_until:
            for row in tables:
                context.note(
                    context.words(
                        "{table}: {game}, {taken} of {seats} seats taken",
                        table=row.title,
                        game=row.game,
                        taken=row.taken,
                        seats=row.seats,
                    )
                )
            raise WrongUse("there are several tables: say which one, like fairdeal join {name}", name=tables[0].title)
        if not noted and loop.time() >= looked_until and not tables:
            noted = True
            context.note(context.words("Looking for a table on this network…"))
        await browser.changed(0.5)
