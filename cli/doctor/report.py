"""What every face needs for the doctor's report: the findings about the network, a mark for each, and the summary."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from cli.doctor.check_result import Finding, State
from cli.text import Translator

MARKS = {State.OK: "✓", State.WARN: "!", State.BAD: "✗", State.UNKNOWN: "?"}


def network(_: Translator) -> tuple[Sequence[str], list[Finding]]:
    """Return the addresses for friends, and the findings. Imports late, so that earlier findings appear at once."""
    from cli.client.addresses import addresses_of
    from cli.doctor.network import look_at_network
    from p2p.doctor import examine
    from p2p.node import DEFAULT_PORT

    seen = asyncio.run(examine(DEFAULT_PORT))
    addresses = addresses_of(DEFAULT_PORT)
    return addresses, look_at_network(_, seen, addresses)


def summary(_: Translator, found: list[Finding]) -> str:
    """Return the last line."""
    bad = sum(finding.state is State.BAD for finding in found)
    doubtful = sum(finding.state is State.WARN for finding in found)
    return _.join(
        [
            _.n("One problem to fix (✗).", "{n} problems to fix (✗).", bad)
            if bad
            else _("Nothing is stopping you from playing."),
            _.n("One possible problem (!).", "{n} possible problems (!).", doubtful) if doubtful else "",
        ]
    )
