"""Links over TLS and TCP."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Self

from p2p.dialing import dial
from p2p.frames import Hello, Timing
from p2p.interfaces import Address
from p2p.links import Link
from p2p.listening import Listener, listen
from p2p.opening import Admit
from p2p.tls import Credentials


class TcpLinks:
    """See `p2p.ports.Links`."""

    def __init__(self, credentials: Credentials) -> None:
        self._credentials = credentials
        self.public = credentials.public

    @classmethod
    def of(cls, seed: bytes) -> Self:
        """Return the links of the identity with this seed."""
        return cls(Credentials.of(seed))

    async def dial(self, addresses: Iterable[Address], hello: Hello, *, expect: bytes | None, timing: Timing) -> Link:
        """Call all addresses at once."""
        return await dial(addresses, self._credentials, hello, expect=expect, timing=timing)

    def phones_are_served(self, ports: Mapping[bytes, int]) -> None:
        """Nothing changes: a computer links to everybody."""

    async def listen(
        self,
        port: int,
        hosts: tuple[str, str],
        hello: Callable[[], Hello],
        admit: Admit,
        on_link: Callable[[Link], None],
        timing: Timing,
    ) -> Listener:
        """Listen on `port` (0: any free one)."""
        return await listen(port, self._credentials, hello, admit, on_link, timing=timing, hosts=hosts)
