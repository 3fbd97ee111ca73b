"""Find a table: by address, by name over mDNS, or the only one there is."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from cli.clean import clean_name, typed_form
from cli.faults import NobodyThere, WrongUse
from cli.news import FoundTable, Notify, Searching, TableSeen, is_free, is_running
from p2p.interfaces import Address
from p2p.probing import MAX_PROBES, probe
from protocol.values import dataclass, replace

if TYPE_CHECKING:
    from p2p.announcements import Sighting
    from p2p.discovery import Browser
    from p2p.introductions import Introductions

POLL_S = 0.05
LOOK_S = 2.0
"""Seconds to browse before choosing, when no table was named."""
NAMESAKE_S = 1.0
"""How long to look for another table of the same name before joining one."""
NOTIFY_S = 15.0
"""How often to report that the search continues, for users of plain mode."""


def parse_address(text: str) -> Address | None:
    """Parse HOST[:PORT], [V6]:PORT or a bare IPv6 address; None if the text looks like a table's name."""
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
    from p2p.node import DEFAULT_PORT  # imported late, so that the lobby appears sooner

    port = DEFAULT_PORT if text is None else int(text)
    if not 0 < port < 65536:
        raise WrongUse("a port must be a number from 1 to 65535, not {port}", port=port)
    return port


@dataclass(frozen=True, slots=True)
class TableLocation:
    """Where a table is, and the keys that announced it (hexadecimal): one of them must answer."""

    addresses: tuple[Address, ...]
    keys: tuple[str, ...] = ()
    match: str = ""
    """The id of the match that runs there (hexadecimal); empty: not known."""


def rows(sightings: Sequence[Sighting], proved: Callable[[Sighting], bool | None]) -> list[FoundTable]:
    """Return one row per table, even if several seats announce it; tables that can be joined come first.

    Announcements come into one row only if it is `proved` that each is of a seat of that match. Of those of one id of which it
    is not known yet (None), the first is shown, if no other is. An open room is announced by its host alone.
    """
    found: dict[tuple[str, ...], FoundTable] = {}
    unknown: list[FoundTable] = []
    for seen in sightings:
        if seen.properties.keys() <= {"v", "key"}:
            continue  # it only says where a seat is
        is_proved = proved(seen)
        row = _row(seen, bool(is_proved))
        if is_proved is None:
            unknown.append(row)
            continue
        known = found.get(row.name)
        if known is None:
            found[row.name] = row
            continue
        # Prefer the fullest announcement: a seat that has lost all others knows less than they do.
        fuller = max(known, row, key=lambda each: (bool(each.title), each.state == "playing", bool(each.host)))
        addresses = tuple(dict.fromkeys((*known.addresses, *row.addresses)))
        found[row.name] = replace(fuller, addresses=addresses, keys=tuple(sorted({*known.keys, *row.keys})))
    for row in unknown:
        if all(row.id != each.id for each in found.values()):
            found[row.name] = row
    return sorted(found.values(), key=lambda row: (not is_free(row), not is_running(row), row.title.casefold(), row.id))


def _row(seen: Sighting, is_proved: bool) -> FoundTable:
    properties = seen.properties
    return FoundTable(
        clean_name(properties.get("table", ""), "?"),
        clean_name(properties.get("game", ""), "?"),
        _number(properties.get("seats")),
        _number(properties.get("taken")),
        clean_name(properties.get("state", ""), "?"),
        properties.get("id", "") or seen.name,
        tuple(seen.addresses),
        clean_name(properties.get("host", ""), ""),
        _names(properties.get("players", "")),
        _names(properties.get("away", "")),
        _points(properties.get("score", "")),
        _rules(properties.get("rules")),
        tuple(key for key in (properties.get("key", ""),) if key),
        is_proved,
    )


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for each in text.split(",")[:16] if (name := clean_name(each, "")))


def _rules(text: str | None) -> tuple[tuple[str, str], ...] | None:
    if text is None:
        return None
    pairs = (each.partition("=") for each in text.split(",")[:16])
    return tuple((name, value) for name, sign, value in pairs if sign)


def _points(text: str) -> tuple[int, ...]:
    """Parse the points of each side; empty if one is not a number."""
    found = text.split(":")[:16]
    return tuple(map(int, found)) if all(re.fullmatch(r"-?[0-9]{1,5}", each) for each in found) else ()


def _number(text: str | None) -> int:
    return int(text) if text is not None and text.isdecimal() and len(text) < 3 else 0


async def find_table(
    where: str | None, limit: float | None, notify: Notify, *wanted: Callable[[FoundTable], bool]
) -> TableLocation:
    """Return where the requested table is. Raises NobodyThere after `limit` seconds, WrongUse if several have its name.

    `wanted`: what it has to be like; the second, if there is none like the first, and so on.
    """
    if where is not None and (address := parse_address(where)) is not None:
        return TableLocation((address,))
    from p2p.discovery import Browser  # slow to import, and not needed for an address
    from p2p.introductions import Introductions

    browser, introductions = Browser(), Introductions()
    await browser.start()
    try:
        async with asyncio.timeout(limit):
            found = await _find(where, notify, browser, introductions, *wanted)
            return TableLocation(found.addresses, found.keys, found.id if is_running(found) else "")
    except TimeoutError as late:
        if where is not None:
            raise NobodyThere(
                "no table named {name} found within {seconds} s: join by address, or run fairdeal doctor",
                name=where,
                seconds=round(limit or 0),
            ) from late
        raise NobodyThere(
            "no open table found within {seconds} s: same Wi-Fi? Join by address, or run fairdeal doctor",
            seconds=round(limit or 0),
        ) from late
    finally:
        await introductions.close()
        await browser.close()


def called(tables: Sequence[FoundTable], name: str) -> list[FoundTable]:
    """Return the tables with this name, or with a host of this name; if there are none, those whose name begins so.

    More than one is not chosen from: somebody may have called their table like a friend.
    """
    wanted = typed_form(clean_name(name))
    exact = [row for row in tables if wanted in (typed_form(row.title), typed_form(row.host))]
    return exact or [row for row in tables if wanted and typed_form(row.title).startswith(wanted)]


async def _find(
    where: str | None,
    notify: Notify,
    browser: Browser,
    introductions: Introductions,
    *wanted: Callable[[FoundTable], bool],
) -> FoundTable:
    loop = asyncio.get_running_loop()
    looked_until = loop.time() + (0.0 if where is not None else LOOK_S)
    notify_at, has_notified = looked_until, False
    namesake_until = 0.0
    while True:
        introductions.look(browser.sightings)
        seen = rows(browser.sightings, introductions.proved)
        named = seen if where is None else called(seen, where)
        choices = ([row for row in named if is_wanted(row)] for is_wanted in wanted)
        tables = next(filter(None, choices), [])
        if where is not None and tables and not namesake_until:  # another of the same name may be heard a little later
            looked_until = namesake_until = loop.time() + NAMESAKE_S
        has_looked = loop.time() >= looked_until
        if tables and has_looked:
            # What else is said of the same keys may say where these tables are.
            same = [row for row in named if row not in tables and any(set(row.keys) & set(one.keys) for one in tables)]
            alive = await true_ones(await reachable([*tables, *same]))
            if len(alive) == 1:
                return alive[0]
            if alive:
                for row in alive:
                    notify(TableSeen(row))
                if where is not None:
                    raise WrongUse("several tables are called {name}: join the right one by its address", name=where)
                raise WrongUse(
                    "several tables are open: say which one, for example fairdeal join {name}", name=alive[0].title
                )
        if loop.time() >= notify_at:
            notify(Searching(has_notified))
            if has_notified:
                for row in await reachable([row for row in seen if row not in tables]):
                    notify(TableSeen(row))
            notify_at, has_notified = loop.time() + NOTIFY_S, True
        await asyncio.sleep(POLL_S)


async def true_ones(tables: Sequence[FoundTable]) -> list[FoundTable]:
    """Return these tables, those of one key as one, without those at whose addresses everybody proves to be somebody else."""
    from p2p.introductions import proves, read_key

    proved = {key for row in tables if row.is_proved for key in row.keys}
    found: dict[tuple[str, ...], FoundTable] = {}
    for row in tables:
        if row.is_proved or proved.isdisjoint(row.keys):
            known = found.get(row.keys or (row.id,))
            found[row.keys or (row.id,)] = row if known is None else of_one_key(known, row)

    async def is_true(row: FoundTable) -> bool | None:
        key = read_key(row.keys[0]) if row.keys else None
        return row.is_proved or (key is not None and await proves(key, row.addresses))

    rows = list(found.values())
    if len(rows) < 2:
        return rows
    true = await asyncio.gather(*map(is_true, rows))
    return [row for row, is_one in zip(rows, true, strict=True) if is_one is not False]


def of_one_key(one: FoundTable, other: FoundTable) -> FoundTable:
    """Return the table of which two announcements of one key tell: it is where that is proved, and which match runs there is not
    known, if they don't agree on that."""
    id = one.id if (one.id, one.state) == (other.id, other.state) else ""
    return replace(one, id=id, addresses=tuple(dict.fromkeys((*one.addresses, *other.addresses))))


async def reachable(tables: Sequence[FoundTable]) -> list[FoundTable]:
    """Return the tables at which someone listens: the announcement of a killed program lasts for minutes."""
    addresses = await asyncio.to_thread(addresses_to_probe, tables)
    answers = await asyncio.gather(*map(probe, addresses))
    alive = {address for address, answer in zip(addresses, answers, strict=True) if answer.ms is not None}
    return [row for row in tables if alive.intersection(row.addresses)]


def addresses_to_probe(tables: Sequence[FoundTable]) -> list[Address]:
    """Return the addresses to probe, at most MAX_PROBES, since anyone may announce anything.

    Every table's first address comes before any table's second, and those on our own networks before all others.
    """
    from p2p.interfaces import interfaces, is_near

    here = interfaces()
    turns = zip_longest(*(row.addresses for row in tables))
    addresses = dict.fromkeys(address for turn in turns for address in turn if address is not None)
    return sorted(addresses, key=lambda address: not is_near(address[0], here))[:MAX_PROBES]
