"""What a session runs on: a computer with its network, or a phone's browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from p2p.ports import Jobs, Ports
from protocol.values import dataclass

if TYPE_CHECKING:
    from p2p.node import Node
    from p2p.presence import Presence


@dataclass(frozen=True, slots=True)
class System:
    """`ports` None: this computer's. `presence`: announces a node over mDNS and searches for its peers; None: neither.

    `keeper`: the key of the machine through which a phone plays; `watching`: what links somebody who only watches, None: the
    same as everybody; `opened`: called with each node that is made.
    """

    jobs: Callable[[], Jobs]
    ports: Ports | None = None
    presence: Callable[[Node], Presence] | None = None
    keeper: bytes | None = None
    watching: Ports | None = None
    opened: Callable[[Node], None] = lambda _node: None


def native_system() -> System:
    """Return this computer's."""
    from p2p.presence import Presence
    from p2p.workers import Workers

    return System(Workers, None, Presence)
