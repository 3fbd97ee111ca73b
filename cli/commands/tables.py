"""`fairdeal tables`: list the tables on this network. Works beside a running client."""

from __future__ import annotations

import asyncio

from cli.client.discovery import reachable, rows
from cli.context import Context
from cli.faults import DONE
from cli.news import FoundTable
from cli.requests import TablesRequest
from cli.view.tables import address_of, table_line
from p2p.discovery import Browser
from p2p.introductions import Introductions


def run(request: TablesRequest, context: Context) -> int:
    tables = asyncio.run(_look(request.seconds))
    if request.json:
        context.tell_json({"tables": [as_json(row) for row in tables]})
        return DONE
    for row in tables:
        context.tell(table_line(context.words, row))
    if not tables:
        context.tell(context.words("No tables found. Same Wi-Fi? Guest networks hide players from each other."))
        context.tell(context.words("To find out why: fairdeal doctor"))
    return DONE


async def _look(seconds: float) -> list[FoundTable]:
    browser, introductions = Browser(), Introductions()
    await browser.start()
    try:
        await asyncio.sleep(seconds)
        introductions.look(browser.sightings)
        await introductions.settled()
        return await reachable(rows(browser.sightings, introductions.proved))
    finally:
        await introductions.close()
        await browser.close()


def as_json(row: FoundTable) -> dict[str, object]:
    """Return a table as `--json` prints it, with the first address announced."""
    return {
        "table": row.title,
        "game": row.game,
        "seats": row.seats,
        "taken": row.taken,
        "state": row.state,
        "address": address_of(row),
        "id": row.id,
    }
