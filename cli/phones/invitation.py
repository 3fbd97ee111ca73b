"""What the address of a phone's page carries behind its "#": an invitation, and whose computer it leads to."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64

from p2p.guests.challenge import INVITATION_BYTES

PREFIX_BYTES = 16
"""How much of the server's key stands in the address: nobody finds another key that begins so, and the code stays small."""


def written(secret: bytes, server: bytes) -> str:
    """Write an invitation to the server with this key."""
    return urlsafe_b64encode(secret + server[:PREFIX_BYTES]).decode().rstrip("=")


def read(fragment: str) -> tuple[bytes, bytes]:
    """Return the invitation and the beginning of the server's key. Raises ValueError."""
    try:
        data = urlsafe_b64decode(fragment + "=" * (-len(fragment) % 4))
    except (NotBase64, ValueError) as fault:
        raise ValueError("not an invitation") from fault
    if len(data) != INVITATION_BYTES + PREFIX_BYTES:
        raise ValueError("not an invitation")
    return data[:INVITATION_BYTES], data[INVITATION_BYTES:]
