"""The phones' connection, both ends: bytes of any kind at the server's socket, messages of any kind at the door, and what a
computer that serves phones may say to a page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from types import SimpleNamespace
from typing import Any

from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.uri import parse_uri

from cli.phones.serving import Phones
from p2p.budgets import Buckets, Rate
from p2p.errors import LinkLost
from p2p.frames import FrameKind, Hello, Timing, encode_frame
from p2p.guests.challenge import MAX_BYTES, SOCKET, Challenge, ChallengeAnswer, welcome
from p2p.guests.door import Doorkeeper, GuestDoor
from p2p.guests.links import GuestLinks
from p2p.guests.page_server import QUIET, accepts, read_request
from p2p.guests.websocket import SocketCarrier
from p2p.mesh import Mesh
from protocol.errors import BadMessage
from protocol.identity import Identity
from tests.fuzz.meshes import NoLinks, runner

SERVER, PHONE = Identity(bytes(32)), Identity(b"\1" * 32)
PLACE = "192.0.2.1:4712"
INVITATION = b"i" * 16
QUICK = Timing(linger_s=0.01, opening_s=1.0, dial_s=1.0)
MANY = Rate(1e9, 1e9)
MOST_FED = 64 << 10


def parts_of(data: bytes) -> Iterator[bytes]:
    """Cut the input: two bytes say how long the next part is."""
    while data:
        size = int.from_bytes(data[:2], "big") % 2048
        yield data[2 : 2 + size]
        data = data[2 + size :]


def whole(*parts: bytes) -> bytes:
    return b"".join(len(part).to_bytes(2, "big") + part for part in parts)


class BytesWire:
    """A connection of which all bytes are here already."""

    def __init__(self, data: bytes) -> None:
        self._data, self.queued, self.sent = data, 0, 0

    async def read(self, most: int) -> bytes:
        found, self._data = self._data[:most], self._data[most:]
        return found

    def write(self, data: bytes) -> None:
        self.sent += len(data)

    def end(self) -> None:
        self._data = b""

    abort = end


@cache
def phones() -> Phones:
    """What answers requests, as far as it reads them."""
    found = Phones.__new__(Phones)
    node: Any = SimpleNamespace(identity=SERVER, origins=frozenset({("192.0.2.7", 4712)}))
    found._node, found._hosts, found.port, found._next_host = node, ("192.0.2.1",), 4712, 0
    found._own, found._own_until = frozenset(), 0.0
    return found


async def _socket(data: bytes, is_open: bool, is_link: bool) -> None:
    wire: Any = BytesWire(data)
    state = State.OPEN if is_open else State.CONNECTING
    protocol = ServerProtocol(state=state, max_size=MOST_FED, logger=QUIET)
    if not is_open:
        request = await read_request(wire, protocol)
        if request is None:
            return
        if request.path == SOCKET or request.method != "GET":
            phones()._reply(request)
        if not accepts(wire, protocol, request):
            return
    carrier = SocketCarrier(wire, protocol, "192.0.2.1")
    if is_link:
        carrier.becomes_link(lambda: MAX_BYTES)
    while True:
        message = await carrier.receive()
        assert 0 < len(message) <= MOST_FED


def sockets(data: bytes) -> None:
    """Bytes at the socket of the phones' page: a request, or frames behind it. The first byte says which."""
    if data:
        with suppress(BadMessage, OSError):
            runner().run(_socket(data[1:], bool(data[0] & 1), bool(data[0] & 2)))


class Scripted:
    """A carrier whose messages are in the input. `helps`: it answers as it should where only who has the keys can."""

    def __init__(self, messages: Iterator[bytes], helps: bool) -> None:
        self._messages, self._helps = messages, helps
        self.queued, self.own_host = 0, "192.0.2.1"
        self._prepared: list[bytes] = []
        self._challenge: Challenge | None = None

    async def receive(self) -> bytes:
        found = self._prepared.pop() if self._prepared else next(self._messages, b"")
        if not found:
            raise OSError("closed")
        return found

    def send(self, data: bytes) -> None:
        if not self._helps:
            return
        self._helps = False
        if self._challenge is None:
            challenge = Challenge.decode(data)
            self._prepared = [ChallengeAnswer.to(challenge, PHONE, bytes(16), INVITATION).encode()]
        else:
            self._prepared = [welcome(self._challenge, ChallengeAnswer.decode(data), SERVER, b"w" * 16)]

    def challenge_first(self) -> None:
        self._challenge = Challenge(SERVER.public, bytes(16), PLACE)
        self._prepared = [self._challenge.encode()]

    def becomes_link(self, most: Any) -> None:
        """Sizes are checked elsewhere."""

    def close(self) -> None:
        self._messages = iter(())


def _mesh() -> Mesh:
    links: Any = NoLinks()
    return Mesh(links, {}, lambda _author, _data: None, lambda _change: None, on_stranger=lambda _key, _fields: None)


async def _door(carrier: Any) -> None:
    mesh = _mesh()
    door = GuestDoor(mesh, SERVER, Doorkeeper(lambda _key: False, lambda: 3), lambda size: INVITATION[:size])
    door._joins = Buckets(MANY)
    door.invitations.renew(0.0)
    link = await door.serve(carrier, "192.0.2.9", PLACE)
    if link is not None:
        assert link.peer == PHONE.public
        await link.wait_closed()
    await mesh.close()


def doors(data: bytes) -> None:
    """Messages of somebody who wants to come in, and frames once it is in."""
    if data:
        runner().run(_door(Scripted(parts_of(data[1:]), bool(data[0] & 1))))


async def _page(carrier: Any, helps: bool) -> None:
    async def connect(_url: str) -> Any:
        return carrier

    links = GuestLinks(PHONE.secret_seed, PLACE, SERVER.public, INVITATION, connect)
    if helps:
        carrier.challenge_first()
    with suppress(LinkLost):
        link = await links._open(PLACE, SERVER.public, Hello(bytes(8), 0, {}), QUICK)
        assert link.peer == SERVER.public
        link.start(lambda *_: None)
        await link.wait_closed()


def pages(data: bytes) -> None:
    """What a computer that serves phones says to a page."""
    if data:
        runner().run(_page(Scripted(parts_of(data[1:]), bool(data[0] & 1)), bool(data[0] & 1)))


# --- real ones, to begin with ---


def _frames(*frames: Frame) -> bytes:
    return b"".join(frame.serialize(mask=True) for frame in frames)


def socket_seeds() -> list[bytes]:
    client = ClientProtocol(parse_uri(f"ws://{PLACE}{SOCKET}"))
    request = client.connect()
    request.headers["Origin"] = f"http://{PLACE}"
    client.send_request(request)
    opening = b"".join(client.data_to_send())
    link = encode_frame(FrameKind.BEAT, b"\0")
    talk = _frames(
        Frame(Opcode.BINARY, link[:3], fin=False),
        Frame(Opcode.PING, b"x"),
        Frame(Opcode.CONT, link[3:]),
        Frame(Opcode.BINARY, link),
        Frame(Opcode.CLOSE, b"\x03\xe8"),
    )
    texts = _frames(Frame(Opcode.TEXT, b"hello"), Frame(Opcode.BINARY, bytes(2000)))
    plain = f"GET / HTTP/1.1\r\nHost: {PLACE}\r\n\r\n".encode()
    return [b"\0" + opening + talk, b"\1" + talk, b"\3" + talk, b"\1" + texts, b"\0" + plain]


def door_seeds() -> list[bytes]:
    hello = encode_frame(FrameKind.HELLO, Hello(bytes(8), 0, {"v": 2, "want": "look"}).encode())
    rest = (hello, encode_frame(FrameKind.WELCOME), encode_frame(FrameKind.BEAT), encode_frame(FrameKind.BYE, b"bye"))
    answer = ChallengeAnswer.to(Challenge(SERVER.public, INVITATION, PLACE), PHONE, bytes(16), INVITATION).encode()
    return [b"\1" + whole(*rest), b"\0" + whole(answer, *rest), b"\0" + whole(answer[:40])]


def page_seeds() -> list[bytes]:
    challenge = Challenge(SERVER.public, bytes(16), PLACE).encode()
    return [*door_seeds(), b"\0" + whole(challenge, b"\x92\x01\xa4full"), b"\0" + whole(b"\x92\x01\xa7version")]
