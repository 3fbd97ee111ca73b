"""Invitations for phones: secrets that the page's address carries. One lets in as many at a time as the room has places."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from p2p.guests.challenge import INVITATION_BYTES, Challenge, ChallengeAnswer

GRACE_S = 60.0
"""How long an invitation is good after the next one has taken its place: somebody may have just scanned it."""
MAX_GUESTS = 32
"""How many keys are let in again without an invitation to sit, and as many to watch; the oldest is forgotten first."""


class Admission(StrEnum):
    """What somebody may do who was let in."""

    SIT = "sit"
    WATCH = "watch"


class Invitations:
    """The invitation that is shown now, the one before, one to watch only, and who came with one."""

    def __init__(self, random: Callable[[int], bytes]) -> None:
        self._random = random
        self._secret = b""
        self._before: tuple[bytes, float] | None = None
        self._guests: dict[Admission, dict[bytes, None]] = {Admission.SIT: {}, Admission.WATCH: {}}
        self.watching = random(INVITATION_BYTES)
        """Good for watching as long as the server runs."""

    def renew(self, now: float) -> bytes:
        """Make another invitation; the one before is good for GRACE_S more. Return its secret."""
        if self._secret:
            self._before = self._secret, now + GRACE_S
        self._secret = self._random(INVITATION_BYTES)
        return self._secret

    def end(self) -> None:
        """No invitation is good any more; who is here may still come back."""
        self._secret, self._before = b"", None

    def admits(self, challenge: Challenge, answer: ChallengeAnswer, now: float) -> Admission | None:
        """Return what this phone may do, None if it may not come in. Its signature is checked elsewhere."""
        if not answer.mac:
            return next((may for may, keys in self._guests.items() if answer.key in keys), None)
        secrets = [self._secret] if self._secret else []
        if self._before is not None and now < self._before[1]:
            secrets.append(self._before[0])
        if any(answer.is_invited(challenge, secret) for secret in secrets):
            return Admission.SIT
        return Admission.WATCH if answer.is_invited(challenge, self.watching) else None

    def remember(self, key: bytes, may: Admission) -> None:
        """Let this key come back without an invitation, to do this."""
        for keys in self._guests.values():
            keys.pop(key, None)
        guests = self._guests[may]
        guests[key] = None
        if len(guests) > MAX_GUESTS:
            del guests[next(iter(guests))]
