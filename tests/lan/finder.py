"""A program for a host in the lab: announces a table, or looks for them, and tells what it sees in lines of JSON."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from zeroconf import _core

from p2p.discovery import Announcer, Browser
from tests.lan.lines import log_complaints, stdin_lines


def say(**values: Any) -> None:
    print(json.dumps(values), flush=True)


async def announce() -> None:
    vars(_core)["_CHECK_TIME"] = 600_000  # if it asked first whether its name is free, that would take half an hour
    announcer = Announcer()
    say(ready=True)
    async for line in stdin_lines():
        if "start" in line:
            await announcer.start(line["start"], {"table": line["table"]})
            say(announced=announcer.name)
        else:
            await announcer.update({"table": line["table"]})
            say(updated=True)
    await announcer.close()


async def browse() -> None:
    browser = Browser()
    await browser.start()
    say(ready=True)

    async def tell() -> None:
        async for sightings in browser.changes():
            say(
                tables=sorted(one.properties.get("table", "") for one in sightings),
                addresses=[address for one in sightings for address in one.addresses],
            )

    telling = asyncio.create_task(tell())
    async for line in stdin_lines():
        if "refresh" in line:
            browser.refresh()
        if "mute" in line:  # it can ask nobody any more: what it learns is announced
            assert browser._mdns.stack is not None
            browser._mdns.stack.zeroconf.async_send = lambda *_, **__: None  # type: ignore[method-assign]
            say(muted=True)
    telling.cancel()
    await asyncio.gather(telling, return_exceptions=True)
    await browser.close()


if __name__ == "__main__":
    log_complaints()
    asyncio.run({"announce": announce, "browse": browse}[sys.argv[1]]())
