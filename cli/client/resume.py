"""A match that was left on this machine: whether its seat is taken again, and how it is given up."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from cli.clean import clean_name
from cli.client.outcome import result_of
from cli.games.cards import plain
from p2p.journal import Match
from p2p.mesh import Way

if TYPE_CHECKING:
    from cli.client.session import Client

GOODBYE_S = 5.0


class StaysAsItIs(Exception):
    """A match that was left here is neither taken up again nor given up, so nothing else is begun."""


async def unfinished(client: Client) -> Match | None:
    """The match that was left here, if it is to be taken up again."""
    request, context = client.request, client.context
    match = client.node.resumable()
    if match is None:
        return None
    if request.fresh:
        await say_goodbye(client, match)
        return None
    if request.autoplay or not context.terminal.is_screen:
        return match
    return await ask_about_old(client, match)


async def ask_about_old(client: Client, match: Match) -> Match | None:
    """Asks until it is answered. None: the old seat was given up for good. Raises StaysAsItIs for neither."""
    from cli.plain.verbs import words_for

    _, voice = client.context.words, client.voice
    title = clean_name(str(match.meta.get("title") or ""), "") or match.id.hex()[:8]
    back = _("You left a match unfinished: {title}. Take your seat again? Yes or no.", title=title)
    give_up = _("Give the old seat up for good, and go on here? The match then ends for everybody. Yes or no.")
    for question in (back, give_up):
        answer = ""
        while answer not in words_for(_, "yes") | words_for(_, "no"):
            voice.tell(question)
            voice.prompt()
            line = await client.typed.peek()
            if line is None:
                raise StaysAsItIs
            client.typed.take()
            voice.entered()
            answer = plain(line)
        if answer in words_for(_, "yes"):
            if question == back:
                return match
            voice.tell(_("Telling the others…"))
            await say_goodbye(client, match)
            return None
    raise StaysAsItIs


async def say_goodbye(client: Client, match: Match) -> None:
    """--fresh: the old seat is given up in so many words, to whoever of the old table can be reached."""
    node = client.node
    node.resume(match)
    driver = node.driver
    assert driver is not None
    others = [driver.table.record.roster.members[place].key for place in range(driver.table.record.size)]
    deadline = time.monotonic() + GOODBYE_S
    while time.monotonic() < deadline and all(node.mesh.way(key) is Way.NONE for key in others):
        await asyncio.sleep(0.05)
    driver.feed(driver.table.leave)
    await asyncio.sleep(0.2)
    driver.finish(time.time(), result_of(driver, ""), "left")
    node.driver = None
    client.seat.forget()
    node.mesh.want({})
    for key in others:
        node.mesh.drop(key, "goodbye")
