"""What is fuzzed: everything that reads bytes from others. A target takes any bytes; it may raise nothing but declared errors,
which it catches itself, and no honest seat may be convicted by what it does."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress
from functools import cache

from cli.web.incoming import Garbled, read_message
from p2p.announcements import read_addresses, read_name, read_properties
from p2p.errors import LinkLost
from p2p.frames import Hello
from p2p.guests.challenge import Challenge, ChallengeAnswer, GuestRefused, check_welcome, welcome
from p2p.heartbeats import Heartbeat, decode_heartbeat
from p2p.links import decode_reason
from protocol.dealing.elgamal import decode_deck
from protocol.dealing.keys import RoundKey, RoundSecret
from protocol.dealing.shares import ProvenShares
from protocol.dealing.shuffle_argument import ArgumentProof, argument_size
from protocol.errors import BadMessage, BadOption
from protocol.identity import Identity
from protocol.messages import ALL
from protocol.room.refusals import decode_refusal
from protocol.room.statements import decode_room, read_statement, state
from protocol.signed import Signed, decode, decode_body, decode_signed, sign, slices
from protocol.table.record import Record
from protocol.table.roster import decode_roster, game_of
from protocol.table.verify import Unreadable, verify
from protocol.wire import frame, frames, pack, unpack, unpack_any
from tests.fuzz.guests import door_seeds, doors, page_seeds, pages, socket_seeds, sockets
from tests.fuzz.matches import match
from tests.fuzz.meshes import mesh_seeds, meshes
from tests.fuzz.rooms import evening
from tests.independent.games import played, short
from tests.simulator.toy import toy_group
from tests.table.tables import Tables, stream

SIZE = argument_size(2)
SERVER, PHONE = Identity(bytes(32)), Identity(b"\1" * 32)
CHALLENGE = Challenge(SERVER.public, bytes(16), "192.0.2.7:4712")
ANSWER = ChallengeAnswer.to(CHALLENGE, PHONE, bytes(16), b"i" * 16)
KINDS = sorted(message.kind for message in ALL)


# --- decoders ---


READERS: tuple[Callable[[bytes], object], ...] = (
    unpack,
    unpack_any,
    decode,
    decode_signed,
    lambda data: game_of(decode_roster(data)),
    lambda data: list(frames(data)),
    lambda data: read_statement(data, None),
    lambda data: decode_room(bytes(16), data),
    RoundKey.decode,
    RoundSecret.decode,
    lambda data: decode_deck(data, len(data) // 64),
    lambda data: ProvenShares.decode(data, max(1, len(data) // 32 - 3)),
    lambda data: ArgumentProof.decode((data * SIZE)[:SIZE], 2),  # its length is checked by who calls it
    Hello.decode,
    decode_heartbeat,
    Challenge.decode,
    lambda data: ChallengeAnswer.decode(data).check(CHALLENGE),
    lambda data: check_welcome(data, CHALLENGE, ANSWER),
    lambda data: read_message(data.decode("utf-8", "replace")),
    decode_reason,
    lambda data: slices(data),
    lambda data: decode_refusal("rules", unpack(data)),
)


def decoders(data: bytes) -> None:
    """Every function that decodes bytes; the first byte says which."""
    if len(data) > 1:
        with suppress(BadMessage, BadOption, LinkLost, GuestRefused, Garbled):
            READERS[data[0] % len(READERS)](data[1:])


def bodies(data: bytes) -> None:
    """The fields of each kind of message, from any plain data."""
    with suppress(BadMessage):
        body = unpack(data[1:])
        decode_body(KINDS[data[0] % len(KINDS)] if data else "", body)


def announcements(data: bytes) -> None:
    """What an announcement says: names, properties and addresses."""
    parts = data.split(b"\0")
    read_properties({part.partition(b"=")[0]: part.partition(b"=")[2] for part in parts})
    for part in parts:
        read_name(part.decode("utf-8", "replace"))
        read_addresses([part.decode("utf-8", "replace")], len(data), ())
        if len(part) in (4, 16):
            family = socket.AF_INET if len(part) == 4 else socket.AF_INET6
            read_addresses([socket.inet_ntop(family, part)], 1, ())


# --- a transcript ---


@cache
def real_frames() -> tuple[bytes, ...]:
    """The messages of a small match."""
    return tuple(short().clients[0].transcript)


@cache
def toy_file() -> bytes:
    """The beginning of a match in the toy group, where checking it costs little."""
    with toy_group():
        return b"".join(map(frame, played("crazy-eights", 2, {"hand": 2, "target": 0}, 10).clients[0].transcript[:60]))


def transcripts(data: bytes) -> None:
    """A file of any bytes, and one of a match in which bytes are replaced at a place that the first three name."""
    whole = toy_file()
    at = int.from_bytes(data[:3], "big") % len(whole)
    with toy_group():
        assert not verify_any(data)
        assert not verify_any(whole[:at] + data[3:] + whole[at + len(data[3:]) :])


def verify_any(data: bytes) -> tuple[int, ...]:
    """Whom a file convicts."""
    try:
        return verify(data, stream(1)).convicted
    except Unreadable:
        return ()


# --- a record in each phase ---

PLACES = (2, 4, 7, 9, 11, 13, 16, 20, 24, 30, 40, 60)
"""How many messages of the match a record has read: sealing, preparing, opening, dealing, playing, drawing."""


@cache
def records() -> dict[int, Record]:
    return {}


def record_at(place: int) -> Record:
    """A record that has read this much of the match; made anew when a message has changed it."""
    if place not in records():
        tables = short()
        record = Record(tables.roster, tables.game, stream(1))
        for data in real_frames()[1:place]:
            record.receive(decode_signed(data))
            while record.advance() or record.run_jobs():
                pass
        record.take_events()
        records()[place] = record
    return records()[place]


def messages(data: bytes) -> None:
    """Any fields, signed with a seat's own key, in any phase: whatever they are, they convict that seat alone.

    The first byte names the phase, the second the kind, the third the seat, the rest are the fields; with an odd third byte they
    replace bytes of a real message of that kind, so that proofs and sizes are nearly right.
    """
    if len(data) < 4:
        return
    place, kind, seat = PLACES[data[0] % len(PLACES)], KINDS[data[1] % len(KINDS)], data[2] >> 1 & 1
    tables, record = short(), record_at(place)
    try:
        message = decode_body(kind, nearly(kind, seat, data[3:]) if data[2] & 1 else unpack(data[3:]))
    except BadMessage:
        return
    client = record.seating[seat] if kind not in ("seal", "nonce") else seat
    identity = tables.clients[client].identity
    template = next(signed for signed in real_messages() if signed.epoch == record.epoch)
    signed = sign(identity, record.table, template.epoch, template.epoch_hash, seat, message)
    with suppress(BadMessage):
        if record.receive(decode_signed(signed.data)):
            del records()[place]
            while record.advance() or record.run_jobs():
                pass
    signer = record.seating.index(seat) if kind in ("seal", "nonce") else seat
    assert {getattr(event, "seat", signer) for event in record.take_events() if is_accusation(event)} <= {signer}


def is_accusation(event: object) -> bool:
    return type(event).__name__ == "Accused"


@cache
def real_messages() -> tuple[Signed, ...]:
    return tuple(decode_signed(data) for data in real_frames()[1:])


def nearly(kind: str, seat: int, data: bytes) -> object:
    """The fields of a real message with some bytes replaced."""
    real = next((each for each in real_messages() if each.message.kind == kind and each.seat == seat), None)
    if real is None:
        return unpack(data)
    body = bytearray(pack_body(real))
    at = int.from_bytes(data[:2], "big") % len(body)
    body[at : at + len(data[2:])] = data[2:]
    return unpack(bytes(body))


def pack_body(signed: Signed) -> bytes:
    return pack(signed.message.body())


# --- a whole table ---


@cache
def tables_at() -> dict[int, Tables]:
    return {}


def letters(data: bytes) -> None:
    """Any bytes from another seat, at a table in some phase: a mangled letter of its own, or one made up."""
    stop = data[0] % 6 if data else 0
    if stop not in tables_at():
        tables = Tables("crazy-eights", 2, {"hand": 2, "target": 0}, 5)
        tables.start()
        for _ in range(stop * 25):
            tables.move_someone()
            tables.turn()
        tables_at()[stop] = tables
    tables = tables_at()[stop]
    client = tables.clients[0]
    before = len(client.events)
    with suppress(BadMessage):
        step = client.table.receive(1 - client.table.seat, data[1:], tables.now)
        assert not any(is_accusation(event) for event in step.events)
        if step.records or step.transcript:
            del tables_at()[stop]
    assert len(client.events) == before


TARGETS: dict[str, Callable[[bytes], None]] = {
    each.__name__: each
    for each in (decoders, bodies, announcements, transcripts, messages, letters, meshes, sockets, doors, pages)
}


SEEDED: dict[str, Callable[[int], int]] = {"matches": match, "rooms": evening}
"""What plays on by itself from a seed, and returns how many changed messages were received."""


def seeds(target: str) -> list[bytes]:
    """Inputs to begin with: real ones."""
    made = {"meshes": mesh_seeds, "sockets": socket_seeds, "doors": door_seeds, "pages": page_seeds}
    if target in made:
        return made[target]()
    if target == "announcements":
        return [b"table=Kitchen\0seats=4\0v=2", b"x._fairdeal._tcp.local.", bytes([10, 0, 0, 1]), bytes(15) + b"\1"]
    real = [*real_frames()[1:40]]
    if target == "bodies":
        return [bytes([KINDS.index(each.message.kind)]) + pack_body(each) for each in real_messages()[:40]]
    if target == "messages":
        heads = [(at, KINDS.index(each.message.kind), each.seat, each) for at, each in enumerate(real_messages()[:60])]
        return [bytes([at % len(PLACES), kind, seat << 1]) + pack_body(each) for at, kind, seat, each in heads]
    if target == "letters":
        return [bytes([at % 6]) + data for at, data in enumerate(real)]
    if target == "transcripts":
        return [bytes([0, at, at]) + b"\1" * (at % 7 + 1) for at in range(40)]
    guests = [CHALLENGE.encode(), ANSWER.encode(), welcome(CHALLENGE, ANSWER, SERVER, b"w" * 16)]
    taps = [
        b'{"type": "tap", "screen": 1, "input": {"act": "play", "arg": null}}',
        b'{"type": "open", "token": "t", "pass": ""}',
    ]
    fields = {"rules": 1, "theirs": 2}
    talk = [state(SERVER, bytes(16), PHONE.public, 7, "say", text="hello"), pack(fields)]
    hellos = [Hello(bytes(8), 4711, {"v": 2, "want": "look"}).encode(), Heartbeat(2, {}).encode("192.0.2.1")]
    some = [*real[:20], *guests, *taps, *talk, *hellos, bytes(range(96)), short().roster.encode()]
    return [bytes([reader]) + data for data in some for reader in range(len(READERS))]
