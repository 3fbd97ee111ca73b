"""The exchange before a guest link, both sides, without sockets: who is there, and who may come in.

The server greets with a challenge; the phone answers with a signature over it and, if it was never here, proves that it holds an
invitation; the server answers with its signature. Then both carry on as on any link, with p2p.opening.
PROTOCOL.md: "Guest links".
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from enum import StrEnum

from p2p.frames import pack, unpack
from protocol.errors import BadMessage, FairdealError
from protocol.identity import KEY_BYTES, SIGNATURE_BYTES, Identity, check_public_key, check_signature
from protocol.values import dataclass

SOCKET = "/guest"
"""The path of the WebSocket on each machine that serves phones."""
GUEST_VERSION = 1
NONCE_BYTES = 16
INVITATION_BYTES = 16
MAC_BYTES = 32
MAX_BYTES = 1024
MAX_PLACE_BYTES = 80
GUEST_LABEL = b"fairdeal guest"
SERVER_LABEL = b"fairdeal guest server"
WATCHER_LABEL = b"fairdeal guest watcher"
MOST_ELSEWHERE = 6
"""Of so many other servers a watcher is told: more would not fit."""


class Code(StrEnum):
    """Why a server refuses a phone: its invitation is no longer good, another version, too many guests, a wrong signature."""

    INVITATION = "invitation"
    VERSION = "version"
    FULL = "full"
    PROOF = "proof"


def malformed() -> BadMessage:
    """Return the error for a message that no guest link carries."""
    return BadMessage("a malformed message of a guest link")


class GuestRefused(FairdealError):
    """The server refuses this guest."""

    def __init__(self, code: Code) -> None:
        super().__init__("the computer that serves this page does not let you in ({reason})", reason=code.value)
        self.code = code


@dataclass(frozen=True, slots=True)
class Challenge:
    """What the server says first. `place`: HOST:PORT as the page's address names it."""

    server: bytes
    nonce: bytes
    place: str

    def encode(self) -> bytes:
        return pack([GUEST_VERSION, self.server, self.nonce, self.place])

    @classmethod
    def decode(cls, data: bytes) -> Challenge:
        """Raises BadMessage, and GuestRefused: with VERSION for another version, and if a refusal comes in its place."""
        match _unpack(data):
            case [int() as version, *_] if type(version) is int and version != GUEST_VERSION:
                raise GuestRefused(Code.VERSION)
            case [_, str() as code]:
                raise _refused(code)
            case [_, bytes() as server, bytes() as nonce, str() as place] if (
                len(nonce) == NONCE_BYTES and len(place.encode()) <= MAX_PLACE_BYTES
            ):
                check_public_key(server)
                return cls(server, nonce, place)
        raise malformed()


@dataclass(frozen=True, slots=True)
class Voucher:
    """A server's word, for the others of its room, that it has let a key in to watch."""

    server: bytes
    signature: bytes

    @classmethod
    def of(cls, identity: Identity, watcher: bytes) -> Voucher:
        """Vouch for this key."""
        return cls(identity.public, identity.sign(WATCHER_LABEL, watcher))

    def check(self, watcher: bytes) -> None:
        """Check that it is for this key. Raises GuestRefused."""
        try:
            check_public_key(self.server)
            check_signature(self.server, WATCHER_LABEL, watcher, self.signature)
        except BadMessage as fault:
            raise GuestRefused(Code.PROOF) from fault


@dataclass(frozen=True, slots=True)
class ChallengeAnswer:
    """What the phone answers. `mac`: by the invitation; empty if it comes back. `voucher`: of whoever let it in elsewhere."""

    key: bytes
    nonce: bytes
    mac: bytes
    signature: bytes
    voucher: Voucher | None = None

    @classmethod
    def to(
        cls,
        challenge: Challenge,
        identity: Identity,
        nonce: bytes,
        invitation: bytes,
        voucher: Voucher | None = None,
    ) -> ChallengeAnswer:
        """Answer a challenge. `invitation` is empty when a phone comes back."""
        said = _said(challenge, identity.public, nonce, bool(invitation))
        mac = hmac.digest(invitation, said, "sha256") if invitation else b""
        return cls(identity.public, nonce, mac, identity.sign(GUEST_LABEL, said), voucher)

    def encode(self) -> bytes:
        vouched = [] if self.voucher is None else [self.voucher.server, self.voucher.signature]
        return pack([GUEST_VERSION, self.key, self.nonce, self.mac, self.signature, *vouched])

    @classmethod
    def decode(cls, data: bytes) -> ChallengeAnswer:
        """Raises BadMessage, and GuestRefused(VERSION) for another version."""
        match _unpack(data):
            case [int() as version, *_] if type(version) is int and version != GUEST_VERSION:
                raise GuestRefused(Code.VERSION)
            case [_, bytes() as key, bytes() as nonce, bytes() as mac, bytes() as signature, *vouched] if (
                len(key) == KEY_BYTES
                and len(nonce) == NONCE_BYTES
                and len(mac) in (0, MAC_BYTES)
                and len(signature) == SIGNATURE_BYTES
            ):
                return cls(key, nonce, mac, signature, _voucher(vouched))
        raise malformed()

    def check(self, challenge: Challenge) -> None:
        """Check the signature. Raises GuestRefused."""
        said = _said(challenge, self.key, self.nonce, bool(self.mac))
        try:
            check_public_key(self.key)
            check_signature(self.key, GUEST_LABEL, said, self.signature)
        except BadMessage as fault:
            raise GuestRefused(Code.PROOF) from fault

    def is_invited(self, challenge: Challenge, invitation: bytes) -> bool:
        """Whether the phone holds this invitation."""
        said = _said(challenge, self.key, self.nonce, True)
        return bool(self.mac) and hmac.compare_digest(hmac.digest(invitation, said, "sha256"), self.mac)


@dataclass(frozen=True, slots=True)
class Welcome:
    """What a guest that was let in is told. `watching`: an invitation to watch only.

    Who is neither in the room nor at the table is told, too, where else phones are served (key and HOST:PORT), and gets a voucher
    for there: if it only watches, it would find nobody when this server is gone.
    """

    watching: bytes
    voucher: Voucher | None = None
    elsewhere: tuple[tuple[bytes, str], ...] = ()


def welcome(
    challenge: Challenge,
    answer: ChallengeAnswer,
    identity: Identity,
    watching: bytes,
    elsewhere: Sequence[tuple[bytes, str]] | None = None,
) -> bytes:
    """Return what the server says to a guest that it lets in: it signs the phone's sitting down. See `Welcome`."""
    said = _said(challenge, answer.key, answer.nonce, bool(answer.mac))
    parts: list[object] = [GUEST_VERSION, identity.sign(SERVER_LABEL, said), watching]
    if elsewhere is not None:
        parts += [Voucher.of(identity, answer.key).signature, [list(each) for each in elsewhere[:MOST_ELSEWHERE]]]
    return pack(parts)


def refusal(code: Code) -> bytes:
    """Return what the server says to a guest that it does not let in."""
    return pack([GUEST_VERSION, code.value])


def check_welcome(data: bytes, challenge: Challenge, answer: ChallengeAnswer) -> Welcome:
    """Check, at the phone, that the server lets us in and holds its key. Raises GuestRefused or BadMessage."""
    match _unpack(data):
        case [int(), str() as code]:
            raise _refused(code)
        case [int(), bytes() as signature, bytes() as watching, *more] if (
            len(signature) == SIGNATURE_BYTES and len(watching) == INVITATION_BYTES
        ):
            said = _said(challenge, answer.key, answer.nonce, bool(answer.mac))
            check_signature(challenge.server, SERVER_LABEL, said, signature)
            if not more:
                return Welcome(watching)
            voucher = _voucher([challenge.server, *more[:1]])
            return Welcome(watching, voucher, _elsewhere(more[1:]))
        case _:
            raise malformed()


def _voucher(parts: list[object]) -> Voucher | None:
    """Raises BadMessage."""
    match parts:
        case []:
            return None
        case [bytes() as server, bytes() as signature] if (
            len(server) == KEY_BYTES and len(signature) == SIGNATURE_BYTES
        ):
            return Voucher(server, signature)
    raise malformed()


def _elsewhere(parts: list[object]) -> tuple[tuple[bytes, str], ...]:
    """Raises BadMessage."""
    match parts:
        case [[*places]] if len(places) <= MOST_ELSEWHERE:
            return tuple(map(_server, places))
    raise malformed()


def _server(part: object) -> tuple[bytes, str]:
    match part:
        case [bytes() as key, str() as place] if len(place.encode()) <= MAX_PLACE_BYTES:
            check_public_key(key)
            return key, place
    raise malformed()


def place_of(host: str, port: int) -> str:
    """Return HOST:PORT as an address of a page has it."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _refused(code: str) -> GuestRefused:
    return GuestRefused(Code(code) if code in list(Code) else Code.PROOF)


def _said(challenge: Challenge, key: bytes, nonce: bytes, is_invited: bool) -> bytes:
    return pack([challenge.server, challenge.nonce, challenge.place, key, nonce, is_invited])


def _unpack(data: bytes) -> object:
    if len(data) > MAX_BYTES:
        raise BadMessage("a message of {size} bytes is too long: {limit} are allowed", size=len(data), limit=MAX_BYTES)
    return unpack(data)
