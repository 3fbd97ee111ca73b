"""A phone without a browser, and what a stranger does to the server of the phones' page, for measurements."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
from collections.abc import Awaitable, Callable

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from cli.phones.invitation import read
from p2p.guests.challenge import NONCE_BYTES, SOCKET, Challenge, ChallengeAnswer, GuestRefused, check_welcome
from protocol.errors import BadMessage
from protocol.identity import Identity

RETRY_S = 0.05
FILES = 24
SILENT = 24
BAD_FRAMES = (b"\x89\x80\0\0\0\0" * 700, b"\x02\x80\0\0\0\0" + b"\0\x80\0\0\0\0" * 700, b"\x82\x80\0\0\0\0" * 700)
"""Pings, empty parts of one message, and empty messages."""

Dial = Callable[[], Awaitable[tuple[asyncio.StreamReader, asyncio.StreamWriter]]]


async def comes_in(address: str, source: str) -> None:
    """Come in with the invitation of this address. Raises OSError, GuestRefused or BadMessage."""
    place, _, fragment = address.removeprefix("http://").partition("/#")
    invitation, _server = read(fragment)
    local = {"local_addr": (source, 0)} if source else {}
    try:
        opening = connect(f"ws://{place}{SOCKET}", origin=f"http://{place}", compression=None, **local)  # type: ignore[arg-type]
        async with opening as socket:
            challenge = Challenge.decode(_bytes(await socket.recv()))
            answer = ChallengeAnswer.to(
                challenge, Identity(secrets.token_bytes(32)), os.urandom(NONCE_BYTES), invitation
            )
            await socket.send(answer.encode())
            check_welcome(_bytes(await socket.recv()), challenge, answer)
    except (ConnectionClosed, InvalidHandshake, TimeoutError) as fault:
        raise OSError("not let in") from fault


async def seconds_to_come_in(address: str, source: str, limit_s: float) -> float:
    """Return the seconds until an invited phone is in, trying again as phones do; `limit_s` if it never is."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    while loop.time() - began < limit_s:
        with contextlib.suppress(OSError, GuestRefused, BadMessage):
            await comes_in(address, source)
            return loop.time() - began
        await asyncio.sleep(0.5)
    return limit_s


def _bytes(data: str | bytes) -> bytes:
    if isinstance(data, str):
        raise OSError("a text where bytes were due")
    return data


async def ask_for_files(dial: Dial, place: str) -> None:
    """Ask for the largest file and read nothing of it, and for others as fast as it goes."""
    reader, writer = await dial()
    writer.write(_request(place, "/build.json"))
    body = (await reader.read()).partition(b"\r\n\r\n")[2]
    writer.close()
    path = "/source/" + body.partition(b"/source/")[2].partition(b'"')[0].decode()

    async def unread() -> None:
        while True:
            with contextlib.suppress(OSError):
                reader, writer = await dial()
                writer.write(_request(place, path))
                reader._transport.pause_reading()  # type: ignore[attr-defined]
                await asyncio.sleep(20)
                writer.transport.abort()
            await asyncio.sleep(RETRY_S)

    async def read_on() -> None:
        while True:
            with contextlib.suppress(OSError):
                reader, writer = await dial()
                writer.write(_request(place, "/build.json"))
                await reader.read()
                writer.close()
            await asyncio.sleep(0.001)

    await asyncio.gather(*(unread() for _ in range(FILES)), *(read_on() for _ in range(8)))


async def open_sockets(dial: Dial, place: str) -> None:
    """Open sockets that say nothing, that say what nobody says, and that have no invitation."""
    answer = os.urandom(64)

    async def one(said: bytes, wait_s: float) -> None:
        while True:
            with contextlib.suppress(OSError, TimeoutError):
                reader, writer = await dial()
                writer.write(_request(place, SOCKET, _UPGRADE.format(place=place)))
                writer.write(said)
                async with asyncio.timeout(wait_s):
                    while await reader.read(1 << 16):
                        pass
                writer.transport.abort()
            await asyncio.sleep(RETRY_S)

    silent = [one(b"", 30) for _ in range(SILENT)]
    stranger = [one(b"\x82" + bytes((0x80 | len(answer),)) + bytes(4) + answer, 30) for _ in range(8)]
    bad = [one(frames, 30) for frames in BAD_FRAMES for _ in range(2)]
    await asyncio.gather(*silent, *stranger, *bad)


_UPGRADE = (
    "Origin: http://{place}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
)


def _request(place: str, path: str, more: str = "") -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: {place}\r\n{more}\r\n".encode()
