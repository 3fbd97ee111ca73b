"""The options, cards, scoring and views of Macau Wars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

from protocol.cards import JOKER, PACK_52, Card, Seat
from protocol.games.game import Option
from protocol.games.labels import key
from protocol.games.macau_wars.state import PHASES, PLAIN_UPTURNED, MacauState, Turn, phase, top
from protocol.games.macau_wars.view import MacauView
from protocol.games.shedding import CARDS, DECKS, ONE_ROUND, POINTS, Motion, Shedding, SheddingState

LAST_STANDING, CHAMPIONSHIP = "last-standing", "championship"
UNTIL_MET, ROUND = "until-met", "round"
USUAL_TARGET: Mapping[str, int] = {LAST_STANDING: 0, CHAMPIONSHIP: 3}


class MacauRules(Shedding[MacauState]):
    """Everything about the game except its moves: these are checked, applied and offered by the other files."""

    name = "macau-wars"
    version = 2
    title = key("Macau Wars")
    phases = PHASES
    words = ("Macau!",)
    play_keys = ("as", "suit", "rank", "next", "call")
    first_direction = -1
    recycles = True
    round_type = MacauState
    motion_type = Turn
    view_type = MacauView
    OPTIONS: ClassVar[Mapping[str, Option]] = {
        "mode": Option(
            LAST_STANDING,
            values=(LAST_STANDING, CHAMPIONSHIP),
            text=(
                "play on until one player is left (a point for each player you beat), or stop when the "
                "first player is out"
            ),
            label=key("A round lasts until"),
            names={CHAMPIONSHIP: key("the first player is out"), LAST_STANDING: key("one player is left")},
        ),
        "target": Option(
            None,
            low=0,
            high=100_000,
            none=True,
            text="points needed to win the match (null: one round; championship 3)",
            label=key("Play to"),
            about=key("The match ends at this many points; the lowest setting is a single round."),
            names={0: ONE_ROUND},
            unit=POINTS,
            null_means=lambda options: USUAL_TARGET[str(options["mode"])],
        ),
        "jokers": Option(2, low=0, high=4, text="jokers in each deck", label=key("Jokers per deck")),
        "decks": DECKS,
        "hand": Option(
            5,
            low=1,
            high=10,
            text="cards dealt to each player",
            label=key("Cards per player"),
            about=key("How many cards each player gets; usually {n}. Fewer cards make shorter rounds."),
        ),
        "macau_penalty": Option(
            5,
            low=0,
            high=10,
            text="cards drawn for forgetting to say “Macau!”",
            label=key("Forgetting “Macau!” costs"),
            unit=CARDS,
        ),
        "play_drawn": Option(
            True, values=(True, False), text="you may still play after drawing", label=key("Play after drawing")
        ),
        "jack_call": Option(
            UNTIL_MET,
            values=(UNTIL_MET, ROUND),
            text="a jack's call lasts until it is met, or for one turn of each player",
            label=key("A jack’s call lasts"),
            names={ROUND: key("for one turn each"), UNTIL_MET: key("until it is met")},
        ),
    }

    def __init__(self, seats: int, options: Mapping[str, object] | None = None) -> None:
        super().__init__(seats, options)
        self.is_championship: bool = self.options["mode"] == CHAMPIONSHIP
        self.plays_drawn: bool = self.options["play_drawn"]
        self.calls_for_a_round: bool = self.options["jack_call"] == ROUND
        self.word_penalty = self.options["macau_penalty"]
        target = self.OPTIONS["target"].meant(self.options["target"], self.options)
        self.options = MappingProxyType({**self.options, "target": target})

    # --- the cards ---

    @property
    def pack(self) -> tuple[Card, ...]:
        jokers: int = self.options["jokers"]
        return PACK_52 + (JOKER,) * jokers

    @property
    def hand_size(self) -> int:
        size: int = self.options["hand"]
        return size

    def is_covered(self, face: Card) -> bool:
        return face not in PLAIN_UPTURNED

    def is_last_out(self, state: SheddingState | Motion[MacauState], seat: Seat) -> bool:
        """Return whether the round ends: in a championship with the first one out, else when one player holds cards."""
        return self.is_championship or len(state.present) - len(state.out) <= 2

    # --- the end ---

    def round_points(self, state: MacauState, hands: Sequence[Sequence[Card]]) -> tuple[int, ...]:
        """Return a point for each player beaten: those who went out later or not at all and, in a blocked round, those left
        with more cards. In a championship, one point for the first one out, or in a blocked round for the fewest cards if no
        other hand has as few."""
        places = {seat: place for place, seat in enumerate(state.out)}
        if self.is_championship:
            winner = state.out[0] if state.out else self._fewest(state, hands)
            return tuple(int(seat == winner) for seat in range(self.seats))
        points = [0] * self.seats
        for seat in state.present:
            if seat in places:
                points[seat] = len(state.present) - 1 - places[seat]
            elif state.ended == "blocked":
                points[seat] = sum(len(hands[other]) > len(hands[seat]) for other in state.present)
        return tuple(points)

    def _fewest(self, state: MacauState, hands: Sequence[Sequence[Card]]) -> Seat | None:
        least = min(len(hands[seat]) for seat in state.present)
        found = [seat for seat in state.present if len(hands[seat]) == least]
        return found[0] if len(found) == 1 else None

    def next_dealer(self, state: MacauState) -> Seat:
        """Return the seat before the dealer; in a championship the winner, or the same dealer if nobody won."""
        if not self.is_championship:
            return (state.dealer - 1) % self.seats
        if state.points is None or 1 not in state.points:
            return state.dealer
        return state.points.index(1)

    # --- what people and programs see ---

    def top(self, state: MacauState) -> Card | None:
        return top(state)

    def phase(self, state: MacauState) -> str:
        return phase(state)

    def rank(self, state: MacauState) -> str | None:
        return state.rank

    def own_parts(self, state: MacauState) -> dict[str, Any]:
        covered = state.pile[:-1]
        return {
            "fours": state.fours,
            "last": state.last,
            "solo": state.solo,
            "caller": state.caller,
            "named": state.named,
            "covered": covered if all(map(self.is_covered, covered)) else (),
        }
