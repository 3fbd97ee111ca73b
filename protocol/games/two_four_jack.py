"""Two-Four-Jack, also known as Switch or Black Jack.

As Crazy Eights, with these differences. Each player is dealt ten cards, or twelve with two or three players; two decks from
five players on. Eights are ordinary cards; aces may be played on anything and name a suit. A card turned up has no effect. The
pile is always reshuffled.

After a two the next player must draw two cards, or play another two (then the one after must draw four, and so on); after
drawing, the turn ends. Fours likewise, four cards each. Only a two answers a two, only a four a four, and no ace helps. Drawing
with an answer in hand is a breach (option `must_answer`). A jack reverses the direction.

A player with one card left says "One left", or is dealt a card when their next turn begins.

Aces score 20, jacks, fours and twos 15, kings and queens 10, others their number. 200 points end the match.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from protocol.cards import Card
from protocol.games.crazy_eights import POINTS_52, CrazyEights
from protocol.games.game import STRONG, Option, Strategy
from protocol.games.labels import key
from protocol.games.shedding import DECKS, HAND, TEAMS, draw_option, target_option
from protocol.games.strategies.careless import careless_or
from protocol.games.strategies.casual import CasualBot
from protocol.games.strategies.eights import EightsBot
from protocol.games.strategies.imagining import Explaining


class TwoFourJack(CrazyEights):
    """The rules of Two-Four-Jack."""

    name = "two-four-jack"
    version = 2
    title = key("Two-Four-Jack")
    words = ("One left!",)
    wild = "A"
    word_penalty = 1
    pays_in_turn = True
    recycles = True
    card_points: ClassVar[Mapping[str, int]] = {**POINTS_52, "A": 20, "J": 15, "4": 15, "2": 15}
    OPTIONS: ClassVar[Mapping[str, Option]] = {
        "must_answer": Option(
            True,
            values=(True, False),
            text="you must answer a two or a four if you can",
            label=key("Must answer a two or four"),
        ),
        "teams": TEAMS,
        "draw": draw_option("one"),
        "hand": HAND,
        "decks": DECKS,
        "target": target_option(200),
    }

    def _set_rules(self) -> None:
        self.set_effects(dues={"2": 2, "4": 4}, reverse="J")
        self.must_answer = self.options["must_answer"]

    @property
    def decks(self) -> int:
        """By default two from five players on, since one deck would leave a stock of a single card."""
        chosen: int | None = self.options["decks"]
        return chosen or (2 if self.seats >= 5 else 1)

    @property
    def usual_hand(self) -> int:
        return 12 if self.seats <= 3 else 10

    def is_covered(self, face: Card) -> bool:
        return False

    def strategy(self, level: str = "") -> Strategy:
        """Trying moves on imagined deals made no bot better here, so the strong one is the one that counts cards."""
        return Explaining(self, EightsBot(self)) if level == STRONG else careless_or(self, CasualBot(self), level)
