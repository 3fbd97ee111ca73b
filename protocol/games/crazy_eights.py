"""Crazy Eights.

For two or more players with one deck of 52, or two decks from six players on. Each player is dealt five cards (seven with two
players), and a card is turned up to start the pile; if it is an eight, another card is turned up until it isn't. The player to
the dealer's left begins.

In your turn, play a card that matches the top card in suit or rank, or draw. You may draw as often as you like, even if you
could play; your turn ends when you play. You may pass only if there is nothing to draw and you cannot play. An eight may be
played on anything; its player names a suit, and the next card must have that suit or be an eight.

The first player without cards ends the round and scores the cards that the others hold: eights 50, K Q J 10, aces 1, others
their number. If all players pass in a row, the hand with the fewest points scores its difference to each other hand. With
partners (four players, 0 and 2 against 1 and 3) the round ends when both players of a team are out. 100 points end the match.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from protocol.cards import PACK_52, RANKS, Card
from protocol.errors import BadOption
from protocol.games.eights import Eights
from protocol.games.game import LEVELS, Option, Strategy
from protocol.games.labels import key
from protocol.games.shedding import (
    CARDS,
    DECKS,
    HAND,
    TEAMS,
    SheddingState,
    draw_option,
    effect_option,
    recycle_option,
    target_option,
)
from protocol.games.strategies.eights import EightsBot
from protocol.games.strategies.imagining import at_level

OTHER_RANKS = tuple(rank for rank in RANKS if rank != "8")
EFFECTS = ("reverse", "skip", "again")

POINTS_52: Mapping[str, int] = {
    **{str(number): number for number in range(2, 10)},
    "T": 10,
    "J": 10,
    "Q": 10,
    "K": 10,
}
"""The points of cards left in hand: face cards 10, others their number. Games add their own."""


class CrazyEights(Eights):
    """The rules of Crazy Eights. Two-Four-Jack scores the same way."""

    name = "crazy-eights"
    version = 2
    title = key("Crazy Eights")
    levels: ClassVar[tuple[str, ...]] = LEVELS
    words = ("Last one!",)
    wild = "8"
    card_points: ClassVar[Mapping[str, int]] = {**POINTS_52, "8": 50, "A": 1}
    OPTIONS: ClassVar[Mapping[str, Option]] = {
        "teams": TEAMS,
        "recycle": recycle_option(False),
        "last_card": Option(
            False,
            values=(False, True),
            text="say “Last one!” when you are down to one card",
            label=key("Must call “Last one!”"),
        ),
        "last_card_penalty": Option(
            2, low=1, high=10, text="cards drawn for forgetting to say it", label=key("Forgetting it costs"), unit=CARDS
        ),
        "reverse": effect_option(key("Reverse card"), key("rank that reverses the direction"), OTHER_RANKS),
        "skip": effect_option(key("Skip card"), key("rank that skips the next player"), OTHER_RANKS),
        "again": effect_option(key("Play-again card"), key("rank that gives its player another play"), OTHER_RANKS),
        "draw": draw_option("until"),
        "hand": HAND,
        "decks": DECKS,
        "target": target_option(100),
    }

    def __init__(self, seats: int, options: Mapping[str, object] | None = None) -> None:
        super().__init__(seats, options)
        self._set_rules()

    def _set_rules(self) -> None:
        self.recycles = self.options["recycle"]
        self.word_penalty = self.options["last_card_penalty"] if self.options["last_card"] else None
        self.set_effects(**{effect: self.options[effect] for effect in EFFECTS})
        chosen = [rank for rank in (self.reverse, self.skip, self.again) if rank]
        for rank in chosen:
            if chosen.count(rank) > 1:
                raise BadOption(
                    "{rank} cannot have two effects: choose different ranks for reverse, skip and again", rank=rank
                )

    @property
    def pack(self) -> tuple[Card, ...]:
        return PACK_52

    @property
    def usual_hand(self) -> int:
        return 7 if self.seats == 2 else 5

    def card_cost(self, card: Card) -> int:
        return self.card_points[card[0]]

    def is_covered(self, face: Card) -> bool:
        return face[0] == self.wild

    def round_points(self, state: SheddingState, hands: Sequence[Sequence[Card]]) -> tuple[int, ...]:
        """Return the points: the first one out scores what the others hold; in a blocked round the lowest hand scores the
        differences."""
        cost = self.card_points
        held = [sum([cost[card[0]] for seat in team for card in hands[seat]]) for team in self.teams]
        if state.ended == "out":
            winner = next(place for place, team in enumerate(self.teams) if state.out[-1] in team)
            rest = sum(held) - held[winner]
            return tuple(rest if place == winner else 0 for place in range(len(held)))
        played = [place for place, team in enumerate(self.teams) if any(seat in state.present for seat in team)]
        fewest = min(held[place] for place in played)
        best = [place for place in played if held[place] == fewest]
        differences = sum(held[place] - fewest for place in played)
        return tuple(differences // len(best) if place in best else 0 for place in range(len(held)))

    def strategy(self, level: str = "") -> Strategy:
        return at_level(self, EightsBot(self), level)
