"""The door for phones on the machine that serves their page."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable

from p2p.errors import LinkLost
from p2p.guests.challenge import NONCE_BYTES, Answer, Challenge, Code, GuestRefused, refusal, welcome
from p2p.guests.invitations import Invitations, Pass
from p2p.guests.streams import Carrier, streams_over
from p2p.mesh import Mesh
from protocol.errors import BadMessage
from protocol.identity import Identity

ANSWER_S = 10.0
"""So long a phone has to answer: it may still be loading."""
MAX_WAITING = 32
MAX_WAITING_PER_HOST = 16
"""So many phones, in all and of one host, may be in the exchange at a time: ten may come through one router, some twice."""


class GuestDoor:
    """Lets phones in. `may_return(key)`: whether a key may come back without an invitation; `admitted(key)`: it was let in."""

    def __init__(
        self,
        mesh: Mesh,
        identity: Identity,
        may_return: Callable[[bytes], bool],
        admitted: Callable[[bytes], None] = lambda _key: None,
        random: Callable[[int], bytes] = os.urandom,
    ) -> None:
        self._mesh, self._identity, self._random = mesh, identity, random
        self._may_return, self._admitted = may_return, admitted
        self.invitations = Invitations(random)
        self._waiting: list[str] = []

    async def serve(self, carrier: Carrier, host: str, place: str) -> None:
        """Serve one connection until it ends. `host`: the phone's address; `place`: HOST:PORT as its page names us."""
        try:
            if len(self._waiting) >= MAX_WAITING or self._waiting.count(host) >= MAX_WAITING_PER_HOST:
                carrier.send(refusal(Code.FULL))
                return
            self._waiting.append(host)
            try:
                async with asyncio.timeout(ANSWER_S):
                    found = await self._exchange(carrier, place)
                if found is None:
                    return
                key, may = found
                if may is Pass.SIT:
                    self._admitted(key)
                link = await self._mesh.answer(
                    streams_over(carrier), key, host, only="watch" if may is Pass.WATCH else None
                )
            finally:
                self._waiting.remove(host)
            await link.wait_closed()
        except (BadMessage, LinkLost, OSError, TimeoutError):
            pass  # failed attempts of strangers are not reported
        finally:
            await _sent(carrier)
            carrier.close()

    async def _exchange(self, carrier: Carrier, place: str) -> tuple[bytes, Pass] | None:
        """Return the phone's key and what it may do, or None if it was refused. Raises BadMessage or OSError."""
        challenge = Challenge(self._identity.public, self._random(NONCE_BYTES), place)
        carrier.send(challenge.encode())
        try:
            answer = Answer.decode(await carrier.receive())
            answer.check(challenge)
            now = asyncio.get_running_loop().time()
            may = self._admits(challenge, answer, now)
            if may is None:
                raise GuestRefused(Code.INVITATION)
        except GuestRefused as refused:
            carrier.send(refusal(refused.code))
            return None
        carrier.send(welcome(challenge, answer, self._identity, self.invitations.watching))
        return answer.key, may

    def _admits(self, challenge: Challenge, answer: Answer, now: float) -> Pass | None:
        if not answer.mac and self._may_return(answer.key):
            return Pass.SIT
        return self.invitations.admits(challenge, answer, now)


async def _sent(carrier: Carrier) -> None:
    """Give what was sent last a moment to leave."""
    for _ in range(50):
        if not carrier.queued:
            return
        await asyncio.sleep(0.01)
