"""Stands behind every honest seat and looks at each use of its secret key: which slots it takes its layer off, and when."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import pytest

from protocol.cards import Seat
from protocol.dealing.context import ProofContext
from protocol.dealing.elgamal import MaskedCard
from protocol.dealing.shares import prove_shares
from protocol.table import ballot, proposing
from protocol.table.phases.values import Playing
from protocol.table.proposals import PLAY_PURPOSE, proposal_hash
from protocol.table.record import Record
from tests.table.tables import Tables, giving


class ShareWatcher:
    """What must hold of every share that an honest seat makes, whatever the others have sent."""

    def __init__(self, tables: Tables, honest: Collection[int], patch: pytest.MonkeyPatch) -> None:
        self.tables = tables
        self.honest = honest
        self.given: dict[tuple[int, MaskedCard], ProofContext] = {}
        self.gone: set[MaskedCard] = set()
        """Slots that a re-mask has replaced: nobody takes a layer off them any more."""
        self.count = 0
        patch.setattr(proposing, "prove_shares", self.prove)

    def prove(self, ctx: ProofContext, x: Any, y: Any, cards: Sequence[MaskedCard], rng: Any) -> Any:
        if ctx.seat in self.honest:
            self.look(ctx, cards)
        return prove_shares(ctx, x, y, cards, rng)

    def look(self, ctx: ProofContext, cards: Sequence[MaskedCard]) -> None:
        self.count += 1
        record = self.tables.clients[ctx.seat].table.record
        round = record.round
        assert round is not None and round.number == ctx.round, "a share before its round was opened by all"
        hand = {place.card for place in round.hands[ctx.seat]}
        for card in cards:
            assert card not in self.gone, "a share for a slot that was re-masked since"
        if ctx.purpose == PLAY_PURPOSE:
            assert set(cards) <= hand
            return
        settling = giving(record)
        assert record.height == ctx.step, "a share for another height"
        if settling is None:
            # It is made while the others vote, and sent once the entry is committed.
            demanded = voted_for(record, ctx.seat)
            assert demanded, "a share that no entry demands which is committed, or for which its seat has voted"
        else:
            demanded = {place.card for hand in round.hands for place in hand}
            if settling.opening is not None:
                demanded.add(settling.opening.card)
        for card in cards:
            assert card not in hand, "a share for a card of one's own hand"
            assert card in demanded, "a share for a card that nobody was given"
            assert (ctx.seat, card) not in self.given, "a second share for one slot"
            self.given[ctx.seat, card] = ctx

    def note_remasks(self) -> None:
        """Called as often as one likes: remembers which slots were replaced."""
        for seat in self.honest:
            record = self.tables.clients[seat].table.record
            settling = giving(record)
            if settling is None or record.round is None:
                continue
            for owner in settling.remasked:
                now = {place.card for place in record.round.hands[owner]}
                self.gone |= set(settling.remasking[owner]) - now


def voted_for(record: Record, seat: Seat) -> set[MaskedCard]:
    """The new cards of the hand that is re-masked by the proposal for which this seat has voted."""
    vote = ballot.vote_of(record.match, record.ledger.store, seat)
    if not isinstance(record.now, Playing) or vote is None:
        return set()
    choice, proposed = ballot.choice_of(vote), record.now.proposed.values()
    found = (each for each in proposed if each.signed is not None and proposal_hash(each.signed) == choice)
    return {card for each in found for card in each.remask_after or ()}
