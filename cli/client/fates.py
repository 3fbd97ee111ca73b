"""Tell what becomes of the open round when the others play on without some seats."""

from __future__ import annotations

from collections.abc import Collection

from cli.news import Fate
from protocol.cards import Seat
from protocol.table.events import EpochBegan
from protocol.table.record import Phase, Record


def expected_fate(record: Record, leaving: Collection[Seat]) -> Fate:
    """Return what would become of the round now without these seats."""
    stay, round = [seat for seat in record.present if seat not in leaving], record.round
    if record.phase is Phase.CONFIRMING:
        return Fate.END
    if record.phase in (Phase.SEALING, Phase.BETWEEN, Phase.OVER, Phase.BROKEN) or round is None:
        return Fate.NONE if record.game.can_deal_to(stay) else Fate.SHORT
    missing = set(round.active) - set(stay)
    # Before the first move the next epoch begins at the opening.
    if round.splits and round.history and len(missing) == 1:
        return Fate.PLAYED
    return Fate.VOID if record.game.can_deal_to(stay) else Fate.SHORT


def fate_of(record: Record, event: EpochBegan) -> Fate:
    """Return what became of the round when this epoch began."""
    if event.stand_in is not None:
        return Fate.PLAYED
    if record.phase in (Phase.CONFIRMING, Phase.OVER):
        return Fate.END
    if not record.game.can_deal_to(event.present):
        return Fate.SHORT
    return Fate.NONE if event.void is None else Fate.VOID
