"""Who may use the page: anyone with the address that was shown, from a page that came from here."""

from __future__ import annotations

import hmac
from collections import deque
from collections.abc import Callable

TOKEN_BYTES = 16
MOST_PASSES = 32
"""How many pages can come back; the oldest is forgotten first."""


class Access:
    """Tokens open the page once; a pass, given to who showed one, lets the same page come back after a reload."""

    def __init__(self, random: Callable[[int], bytes]) -> None:
        self._random = random
        self._token = ""
        self._passes: deque[str] = deque(maxlen=MOST_PASSES)

    def new_token(self) -> str:
        """Another token, for another address; the one before is good no longer."""
        self._token = self._random(TOKEN_BYTES).hex()
        return self._token

    def admit(self, token: str, held: str) -> str | None:
        """A pass for who shows the token, which is used up then, or a pass; None for anybody else."""
        if self._token and _same(token, self._token):
            self._token = ""
            fresh = self._random(TOKEN_BYTES).hex()
            self._passes.append(fresh)
            return fresh
        return held if any(_same(held, each) for each in self._passes) else None


def _same(said: str, known: str) -> bool:
    return hmac.compare_digest(said.encode("utf-8", "replace"), known.encode())


def is_own_host(host: str | None, port: int) -> bool:
    """Whether a request names this server by its literal address: a name that somebody points here does not."""
    return host == f"127.0.0.1:{port}"


def is_own_origin(origin: str | None, port: int) -> bool:
    """Whether a socket is opened by our own page."""
    return origin == f"http://127.0.0.1:{port}"
