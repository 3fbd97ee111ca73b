"""Probe whether anyone listens at an address."""

from __future__ import annotations

import asyncio
import contextlib

from p2p.interfaces import Address
from protocol.values import dataclass

PROBE_TIMEOUT_S = 1.0
MAX_PROBES = 128
"""Limits open files: anyone may announce thousands of addresses."""


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """The result of calling an address: the time to the answer in milliseconds, or None and the reason.

    `reason` is `refused` (the computer is there but nobody listens), `silent` (no answer in time) or `unreachable` (no
    route); for links also one of the reasons in p2p.links.
    """

    ms: float | None
    reason: str = ""


async def probe(address: Address) -> ProbeResult:
    """Open a TCP connection and close it at once."""
    loop = asyncio.get_running_loop()
    since = loop.time()
    try:
        async with asyncio.timeout(PROBE_TIMEOUT_S):
            _reader, writer = await asyncio.open_connection(*address)
    except TimeoutError:
        return ProbeResult(None, "silent")
    except ConnectionRefusedError:
        return ProbeResult(None, "refused")
    except OSError:
        return ProbeResult(None, "unreachable")
    took = loop.time() - since
    writer.close()
    with contextlib.suppress(OSError):
        await writer.wait_closed()
    return ProbeResult(took * 1000)
