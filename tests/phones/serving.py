"""A computer that serves phones, and phones at its door without a browser, over real WebSockets."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from websockets.asyncio.client import ClientConnection, connect

from cli.phones import invitation
from cli.phones.serving import Phones
from p2p.frames import Hello, Timing
from p2p.guests.challenge import Challenge, ChallengeAnswer, check_welcome
from p2p.guests.streams import streams_over
from p2p.home import open_home
from p2p.links import Link
from p2p.node import Node, Owner
from p2p.opening import open_link
from p2p.settings import NodeSettings, TablePlan
from p2p.workers import Workers
from protocol.games.catalogue import load
from protocol.identity import Identity
from protocol.table.roster import PROTOCOL_VERSION, TableOptions
from tests.phones.pages import Carried

LENA = Identity(b"l" * 32)
HERE = ("127.0.0.1", "::1")


@asynccontextmanager
async def kitchen(folder: Path) -> AsyncIterator[tuple[Node, Phones]]:
    """A room with its host, who serves phones."""
    home, workers = open_home(folder), Workers()
    node = Node(home, NodeSettings("Mia", hosts=HERE), Owner(), workers)
    await node.open()
    node.waiting_room.open(TablePlan(load("crazy-eights", 3, {}), "Kitchen", TableOptions()))
    try:
        async with Phones(node, hosts=("127.0.0.1",), port=0) as phones:
            yield node, phones
    finally:
        await node.close()
        workers.close()
        home.close()


async def dialled(
    phones: Phones, origin: str | None = None, source: str | None = None, host: str = "127.0.0.1"
) -> ClientConnection:
    """Open the phones' socket. `source`: from which of this computer's addresses."""
    place = f"[{host}]:{phones.port}" if ":" in host else f"{host}:{phones.port}"
    local = {} if source is None else {"local_addr": (source, 0)}
    return await connect(
        f"ws://{place}/guest",
        origin=origin or f"http://{place}",  # type: ignore[arg-type]
        compression=None,
        ping_interval=None,
        open_timeout=60,
        **local,  # type: ignore[arg-type]
    )


async def sits_down(
    phones: Phones,
    secret: bytes,
    identity: Identity = LENA,
    source: str | None = None,
    heard: Callable[[Hello], None] = lambda _hello: None,
) -> Link:
    """Open a guest link. `heard` is called with the server's hello. Raises GuestRefused."""

    def admit(_key: bytes, hello: Hello, _host: str) -> None:
        heard(hello)

    carrier = Carried(await dialled(phones, source=source))
    challenge = Challenge.decode(await carrier.receive())
    assert challenge.place == phones.place
    said = ChallengeAnswer.to(challenge, identity, b"p" * 16, secret)
    carrier.send(said.encode())
    check_welcome(await carrier.receive(), challenge, said)
    return await open_link(
        streams_over(carrier),
        lambda: challenge.server,
        identity.public,
        Hello(b"r" * 8, 0, {"v": PROTOCOL_VERSION}),
        is_caller=True,
        peer_host="127.0.0.1",
        expect=challenge.server,
        admit=admit,
        timing=Timing(),
    )


def secret_of(address: str) -> bytes:
    return invitation.read(address.partition("#")[2])[0]
