"""Errors of disk and network. Each carries a sentence for the user: a template and its fields."""

from __future__ import annotations

from protocol.errors import FairdealError


class HomeFault(FairdealError):
    """The data folder (identity, journal, transcripts) cannot be used; the sentence says why and what to do."""


class HomeUnwritable(HomeFault):
    """The folder cannot be created or written: permissions, a read-only disk, a file in its place."""


class DiskFull(HomeFault):
    """There is no space left for data that must be saved before it is sent."""


class HomeLocked(HomeFault):
    """Another process uses this home, and a guest profile was not wanted or none was free."""


class IdentityDamaged(HomeFault):
    """The identity file has changed, or is missing although its matches are still here."""


class IdentityExposed(HomeFault):
    """Other users of this computer can read the identity file, and so could play under this identity."""


class SaveFault(HomeFault):
    """The journal cannot be used."""


class SaveDamaged(SaveFault):
    """The journal is not what was written: a failing disk, a foreign file, a partly restored copy."""


class SaveLocked(SaveFault):
    """Another process is writing to the journal."""


class TranscriptTaken(HomeFault):
    """The file named for the transcript exists and holds something else."""


class LinkLost(FairdealError):
    """There is no connection (any more). `reason`: a short word listed in p2p.links, or the system's error text."""

    def __init__(self, template: str, *, reason: str, **fields: object) -> None:
        super().__init__(template, reason=reason, **fields)
        self.reason = reason


class LinkRefused(LinkLost):
    """The peer proved its identity and rejected this connection."""


class PortTaken(FairdealError):
    """Another program listens on the requested port."""
