"""The faults of disk and network, each with a sentence for the person: a template and the values it names."""

from __future__ import annotations

from protocol.errors import FairdealError


class HomeFault(FairdealError):
    """The folder with identity, journal and transcripts cannot be used; the sentence says why and what to do."""


class HomeUnwritable(HomeFault):
    """The folder cannot be made or written (rights, a read-only disk, a file in its place)."""


class DiskFull(HomeFault):
    """No room is left for what must be saved before it is sent."""


class HomeLocked(HomeFault):
    """Another process uses this home, and no guest profile was wanted or free."""


class IdentityDamaged(HomeFault):
    """The identity file is not what was written there, or is gone while its matches are still here."""


class IdentityExposed(HomeFault):
    """Others on this machine can read the identity file, and so could play as this person."""


class SaveFault(HomeFault):
    """The journal cannot be used."""


class SaveDamaged(SaveFault):
    """The journal is no longer what was written: a failing disk, a foreign file, a half restored copy."""


class SaveLocked(SaveFault):
    """Another process is writing to the journal."""


class TranscriptTaken(HomeFault):
    """The file named for the transcript exists and is something else."""


class LinkLost(FairdealError):
    """No connection, or no longer one. `reason` is a short word of this program's (see p2p.links) or the system's text."""

    def __init__(self, template: str, *, reason: str, **fields: object) -> None:
        super().__init__(template, reason=reason, **fields)
        self.reason = reason


class Refused(LinkLost):
    """The other side answered, proved who it is, and does not want this connection."""


class PortTaken(FairdealError):
    """Another program listens on the wanted port."""
