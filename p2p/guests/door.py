"""The door for phones on the machine that serves their page."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import Protocol

from p2p.budgets import Buckets, Rate
from p2p.errors import LinkLost
from p2p.frames import MAX_OPENING_BYTES
from p2p.guests.challenge import (
    NONCE_BYTES,
    Challenge,
    ChallengeAnswer,
    Code,
    GuestRefused,
    place_of,
    refusal,
    welcome,
)
from p2p.guests.invitations import Admission, Invitations
from p2p.guests.streams import Carrier, streams_over
from p2p.interfaces import Address
from p2p.links import Link
from p2p.mesh import Mesh
from protocol.errors import BadMessage
from protocol.identity import Identity
from protocol.values import dataclass

ANSWER_S = 10.0
"""How long a phone has to answer: it may still be loading."""
JOINS = Rate(4, 40)
"""Phones of one host that are let in: each costs milliseconds, and ten may come through one router, some twice."""
MAX_WAIT_S = 5.0


class GuestCarrier(Carrier, Protocol):
    """A carrier that can be told what it carries from now on."""

    def becomes_link(self, most: Callable[[], int]) -> None:
        """Each message is one frame of a link from now on, of at most so many bytes."""


@dataclass(frozen=True, slots=True)
class Doorkeeper:
    """What the door asks its owner.

    `belongs(key)`: whether a key is in the room or at the table, and so may come back without an invitation; `places()`: how
    many more the room has room for; `admitted(key)`: it was let in, to sit.
    """

    belongs: Callable[[bytes], bool]
    places: Callable[[], int]
    admitted: Callable[[bytes], None] = lambda _key: None
    vouches: Callable[[bytes], bool] = lambda _key: False
    elsewhere: Callable[[], list[tuple[bytes, Address]]] = list


class GuestDoor:
    """Lets phones in."""

    def __init__(
        self, mesh: Mesh, identity: Identity, keeper: Doorkeeper, random: Callable[[int], bytes] = os.urandom
    ) -> None:
        self._mesh, self._identity, self._random = mesh, identity, random
        self._keeper = keeper
        self.invitations = Invitations(random)
        self._joins: Buckets[str] = Buckets(JOINS)
        self._coming: dict[bytes, None] = {}
        """Who was let in to sit and is not in the room yet, the oldest first."""
        self._opening: set[bytes] = set()

    async def serve(
        self, carrier: GuestCarrier, host: str, place: str, is_known: Callable[[], None] = lambda: None
    ) -> Link | None:
        """Open a link on a connection, and return it; None if that fails: the connection is closed then.

        `host`: the phone's address; `place`: HOST:PORT as its page names us. `is_known` is called once it has proved that it
        may come in: until then it is a stranger, who may have to give way.
        """
        link = None
        try:
            async with asyncio.timeout(ANSWER_S):
                found = await self._exchange(carrier, host, place)
            if found is not None:
                is_known()
                link = await self._link(carrier, host, *found)
        except (BadMessage, LinkLost, OSError, TimeoutError):
            pass  # failed attempts of strangers are not reported
        finally:
            if link is None:
                carrier.close()
        return link

    async def _link(self, carrier: GuestCarrier, host: str, key: bytes, may: Admission) -> Link:
        """Raises LinkLost or TimeoutError."""
        link: Link | None = None
        carrier.becomes_link(lambda: MAX_OPENING_BYTES if link is None else link.max_frame_bytes)
        self._opening.add(key)
        try:
            only = "watch" if may is Admission.WATCH else None
            link = await self._mesh.answer(streams_over(carrier), key, host, only=only)
        finally:
            self._opening.discard(key)
        if may is Admission.SIT and key not in self._coming and not self._keeper.belongs(key):
            self._mesh.drop(key, Code.FULL.value)  # it gave way while its link was opened
        return link

    async def _exchange(self, carrier: Carrier, host: str, place: str) -> tuple[bytes, Admission] | None:
        """Return the phone's key and what it may do, or None if it was refused. Raises BadMessage or OSError."""
        challenge = Challenge(self._identity.public, self._random(NONCE_BYTES), place)
        try:
            carrier.send(challenge.encode())
            answer = ChallengeAnswer.decode(await carrier.receive())
            may = await self._admits(challenge, answer, host)
        except GuestRefused as refused:
            carrier.send(refusal(refused.code))
            return None
        except asyncio.CancelledError:
            carrier.send(refusal(Code.FULL))  # it gives way to others
            raise
        if may is Admission.SIT:
            self._keeper.admitted(answer.key)
        elsewhere = None
        if not self._keeper.belongs(answer.key):  # it may only want to watch
            elsewhere = [(key, place_of(*address)) for key, address in self._keeper.elsewhere()]
        carrier.send(welcome(challenge, answer, self._identity, self.invitations.watching, elsewhere))
        return answer.key, may

    async def _admits(self, challenge: Challenge, answer: ChallengeAnswer, host: str) -> Admission:
        """Return what a phone may do. What costs more comes after what costs less. Raises GuestRefused."""
        now = asyncio.get_running_loop().time()
        belongs = self._keeper.belongs(answer.key)
        may = Admission.SIT if belongs and not answer.mac else self.invitations.admits(challenge, answer, now)
        voucher = answer.voucher if may is None else None
        if voucher is not None and self._keeper.vouches(voucher.server):
            may = Admission.WATCH
        if may is None:
            raise GuestRefused(Code.INVITATION)
        wait_s = self._joins.spend(host, 1, now)
        if wait_s > MAX_WAIT_S:
            raise GuestRefused(Code.FULL)
        await asyncio.sleep(wait_s)
        answer.check(challenge)
        if voucher is not None:
            voucher.check(answer.key)
        if may is Admission.SIT and not belongs:
            self._make_room(answer.key)
        self.invitations.remember(answer.key, may)
        return may

    def _make_room(self, key: bytes) -> None:
        """Of those who are not in the room, as many are let in as it has places; the oldest gives way. Raises GuestRefused."""
        self._coming = {each: None for each in self._coming if each != key and self._is_coming(each)}
        places = self._keeper.places()
        if places <= 0:
            raise GuestRefused(Code.FULL)
        while len(self._coming) >= places:
            oldest = next(iter(self._coming))
            del self._coming[oldest]
            self._mesh.drop(oldest, Code.FULL.value)
        self._coming[key] = None

    def _is_coming(self, key: bytes) -> bool:
        return (key in self._mesh.links or key in self._opening) and not self._keeper.belongs(key)
