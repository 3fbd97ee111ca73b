"""Mau-Mau.

As Crazy Eights, with these differences. 32 cards, seven to ace; two such decks from six players on. The pile is reshuffled.
Jacks are wild instead of eights: a jack may be played on anything, even a jack, and its player names a suit. A jack turned up
counts by its own suit.

A player says "Mau" with their last card ("Mau-Mau" if it is a jack). A player who forgets is not out: the card has its usual
effect, they are dealt a card at once, and play continues; only if there is nothing to draw are they out anyway.

Each player scores the cards left in their own hand, and low scores are good: aces 11, tens 10, kings 4, queens 3, jacks 2. If
the round ended with a jack, everything counts double. The match ends when a player has 100 points; the lowest score wins.

With options, a seven makes the next player draw two cards (or play another seven to pass them on, with two more), and an eight
skips the next player.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from protocol.cards import PACK_32, Card, Seat
from protocol.games.eights import Eights
from protocol.games.game import LEVELS, Option, Strategy
from protocol.games.labels import key
from protocol.games.shedding import (
    DECKS,
    HAND,
    POINTS,
    Motion,
    SheddingState,
    draw,
    draw_option,
    recycle_option,
    target_option,
)
from protocol.games.strategies.eights import EightsBot
from protocol.games.strategies.imagining import at_level

GERMAN: Mapping[str, Any] = {"sevens": True, "eights": True, "draw": "one"}
"""The options that the preset "german" sets unless they are given."""


class MauMau(Eights):
    """The rules of Mau-Mau."""

    name = "mau-mau"
    version = 2
    title = key("Mau-Mau")
    levels = LEVELS
    words = ("Mau!", "Mau-Mau!")
    few_points_win = True
    wild = "J"
    OPTIONS: ClassVar[Mapping[str, Option]] = {
        "jack_points": Option(
            2, values=(2, 20), text="points for a jack left in hand", label=key("Jack left in hand"), unit=POINTS
        ),
        "jack_doubles": Option(
            True,
            values=(True, False),
            text="going out on a jack doubles the round",
            label=key("Going out on a jack doubles"),
        ),
        "jack_on_jack": Option(
            True, values=(True, False), text="a jack may be played on a jack", label=key("Jack on a jack")
        ),
        "sevens": Option(
            False,
            values=(False, True),
            text="after a seven the next player draws two cards",
            label=key("Seven: next player draws 2"),
        ),
        "eights": Option(False, values=(False, True), text="an eight skips the next player", label=key("Eights skip")),
        "preset": Option(
            None,
            values=("german",),
            none=True,
            text="german: sevens and eights have effects, draw one card per turn",
            label=key("German rules"),
            about=key("German rules: sevens and eights have effects, and you draw one card a turn."),
            names={"german": key("yes"), None: key("no")},
        ),
        "recycle": recycle_option(True),
        "draw": draw_option("until"),
        "hand": HAND,
        "decks": DECKS,
        "target": target_option(100),
    }

    def __init__(self, seats: int, options: Mapping[str, object] | None = None) -> None:
        given = dict(options or {})
        if given.get("preset") == "german":
            given = {**GERMAN, **given}
        super().__init__(seats, given)
        self.recycles = self.options["recycle"]
        self.set_effects(dues={"7": 2} if self.options["sevens"] else {}, skip="8" if self.options["eights"] else None)
        self._points = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": self.options["jack_points"]}

    @property
    def pack(self) -> tuple[Card, ...]:
        return PACK_32

    @property
    def usual_hand(self) -> int:
        return 7 if self.seats == 2 else 5

    def card_cost(self, card: Card) -> int:
        points: int = self._points.get(card[0], 0)
        return points

    def wild_fits(self, rank: str) -> bool:
        return bool(self.options["jack_on_jack"]) or rank != self.wild

    def is_word_due(self, state: SheddingState, seat: Seat) -> bool:
        return state.hand_sizes[seat] == 1

    def calls(self, state: SheddingState, seat: Seat) -> tuple[bool, ...]:
        if state.hand_sizes[seat] != 1:
            return (False,)
        return (True, False) if self._can_draw_after_play(state) else (True,)

    def goes_out(self, state: SheddingState, seat: Seat, said: bool) -> bool:
        return state.hand_sizes[seat] == 1 and (said or not self._can_draw_after_play(state))

    def _can_draw_after_play(self, state: SheddingState) -> bool:
        """Return whether there will be a card to draw. The card played covers another one, so a recycled pile always has one."""
        return state.stock_size > 0 or self.recycles

    def stay_in(self, motion: Motion[SheddingState], seat: Seat) -> None:
        draw(self, motion, seat, 1)

    def is_match_over(self, state: SheddingState) -> bool:
        return state.points is not None and max(state.scores) >= self.options["target"]

    def is_doubled(self, ended: str | None, top: Card) -> bool:
        """Return whether the round counts double, because a player went out with a jack, which is now on top."""
        return ended == "out" and top[0] == "J" and bool(self.options["jack_doubles"])

    def round_points(self, state: SheddingState, hands: Sequence[Sequence[Card]]) -> tuple[int, ...]:
        """Return each player's points for their own hand, doubled if a jack ended the round."""
        doubled = self.is_doubled(state.ended, state.pile[-1])
        held = [sum(self.card_cost(card) for card in hand) for hand in hands]
        return tuple(2 * points if doubled else points for points in held)

    def strategy(self, level: str = "") -> Strategy:
        return at_level(self, EightsBot(self), level)
