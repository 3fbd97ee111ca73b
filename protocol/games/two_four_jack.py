"""Two-Four-Jack, also known as Switch or Black Jack.

As Crazy Eights, with these differences. Ten cards each, twelve if two or three play; two decks from five players on. An eight
is an ordinary card; aces are played on anything and name a suit. A card turned up has no effect. The pile is always recycled.

A two makes two cards due from the next player, who must put another two on it (now four are due, and so on) or, having none,
take the cards, which ends the turn. Fours likewise, four cards each; only a two answers a two, only a four a four, and no ace
helps. To take the cards with an answer in hand is a breach (option `must_answer`). A jack turns the direction.

Who has one card left says "One left". Who forgets is dealt one card when their own next turn begins.

Aces count 20, jacks, fours and twos 15, kings and queens 10, others their number. 200 points end the match.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from protocol.cards import Card
from protocol.games.crazy_eights import POINTS_52, CrazyEights
from protocol.games.game import Option
from protocol.games.labels import key
from protocol.games.shedding import DECKS, DRAW_OPTION, HAND, TEAMS, target_option


class TwoFourJack(CrazyEights):
    """The rules of Two-Four-Jack with its options."""

    name = "two-four-jack"
    title = key("Two-Four-Jack")
    words = ("One left!",)
    wild = "A"
    word_penalty = 1
    pays_in_turn = True
    recycles = True
    reverse = "J"
    card_points: ClassVar[Mapping[str, int]] = {**POINTS_52, "A": 20, "J": 15, "4": 15, "2": 15}
    OPTIONS: ClassVar[Mapping[str, Option]] = {
        "must_answer": Option(
            True,
            values=(True, False),
            text="who holds an answer to a two or four must play it",
            label=key("Must answer a two or four"),
        ),
        "teams": TEAMS,
        "draw": DRAW_OPTION,
        "hand": HAND,
        "decks": DECKS,
        "target": target_option(200),
    }

    def _set_effects(self) -> None:
        self.dues = {"2": 2, "4": 4}
        self.must_answer = self.options["must_answer"]

    @property
    def decks(self) -> int:
        """Two from five players on: one would leave five of them a single card of stock."""
        chosen: int | None = self.options["decks"]
        return chosen or (2 if self.seats >= 5 else 1)

    @property
    def usual_hand(self) -> int:
        return 12 if self.seats <= 3 else 10

    def is_covered(self, face: Card) -> bool:
        return False
