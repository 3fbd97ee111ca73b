"""Tichu's moves as the screen tells them."""

from __future__ import annotations

from cli.games.base.screen_narrator import InShort
from cli.games.short_cards import ShortCards
from cli.games.tichu.narrator import TichuNarrator
from protocol.cards import DOG, Seat
from protocol.games.game import Data
from protocol.games.tichu.moves import Give, Grand, PlayCombination
from protocol.games.tichu.view import TichuView
from protocol.games.views import PublicView, seen_as


class ScreenTichuNarrator(InShort, TichuNarrator):
    """Tichu's moves in short."""

    def ranks(self, rank: str) -> str:
        """In full, as "three 5" is no language."""
        return self.cards.rank_names(rank) if isinstance(self.cards, ShortCards) else super().ranks(rank)

    def moved(self, seat: Seat, move: Data, before: PublicView, after: PublicView) -> list[str]:
        """The seats show who has said no to Grand Tichu, or given."""
        told = super().moved(seat, move, before, after)
        match self.game.decode(move):
            case Grand(call=False):
                return told[1:]
            case Give() if seat != self.seat:
                return told[1:]
            case _other:
                return told

    def played_combination(self, seat: Seat, play: PlayCombination, before: PublicView, after: PublicView) -> str:
        leader = after.turn
        if play.cards != (DOG,) or leader is None or after.round_over:
            return super().played_combination(seat, play, before, after)
        if leader == self.seat:
            return self.did(seat, "You play the Dog and lead again.", "{name} plays the Dog: you lead.")
        return self.did(
            seat, "You play the Dog: {leader} leads.", "{name} plays the Dog: {leader} leads.", leader=self.name(leader)
        )

    def consequences(self, seat: Seat, move: Data, before: PublicView, after: PublicView) -> list[str]:
        told = super().consequences(seat, move, before, after)
        if after.phase == "collect" and before.phase != "collect":
            told = told[:-1]  # whose trick it is stands on the table; that it is taken is told next
        out = after.out
        if out and not before.out:
            for caller, call in seen_as(TichuView, after).callers:
                if caller != out[0]:
                    named = self._("Grand Tichu") if call == "grand" else self._("Tichu")
                    told.append(self.did(caller, "Your {call} failed.", "{name}’s {call} failed.", call=named))
        return told
