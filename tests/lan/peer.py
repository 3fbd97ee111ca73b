"""A program for a host in the lab: one seat of a mesh. It tells how it reaches whom, and what it hears."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from p2p.mesh import Mesh
from p2p.routes import RouteChange
from p2p.tcp import TcpLinks
from p2p.tls import Credentials
from tests.lan.lines import log_complaints, stdin_lines
from tests.p2p.aio import people

PORT = 7777


def say(**values: Any) -> None:
    print(json.dumps(values), flush=True)


async def play(own: int, count: int) -> None:
    """`own`: our place among `count` seats, 0 the smallest key."""
    seats: list[Credentials] = people(count)
    keys = [seat.public for seat in seats]

    def on_change(change: RouteChange) -> None:
        via = None if change.via is None else keys.index(change.via)
        say(seat=keys.index(change.key), way=change.route.value, via=via)

    def on_message(author: bytes, data: bytes) -> None:
        say(seat=keys.index(author), heard=data.decode())

    mesh = Mesh(TcpLinks(seats[own]), {}, on_message, on_change)
    await mesh.listen(PORT)
    say(ready=True)
    async for line in stdin_lines():
        if "want" in line:
            others = {keys[int(place)]: [(host, PORT) for host in hosts] for place, hosts in line["want"].items()}
            mesh.want(others, keys)
        if "send" in line:
            mesh.send(keys[line["to"]], line["send"].encode())
    await mesh.close()


if __name__ == "__main__":
    log_complaints()
    asyncio.run(play(int(sys.argv[1]), int(sys.argv[2])))
