"""Tichu, for two teams of two: partners sit across, and who gets rid of the cards first scores.

All players see eight of their 14 cards and may call Grand Tichu; then each passes a card to each of the others. The holder of
the Mah Jong leads. A combination is beaten by a higher one of the same kind and size; bombs beat everything and may be played
out of turn. At the end the last player's tricks go to the first one out, and their cards to the other team; partners who go
out first and second score 200 at once. See the other files for details: `combinations`, `rules` (what is allowed and what
follows), `offers` (what a hand can and must do), `state` (what is public).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from protocol.cards import MAH_JONG, PACK_TICHU, Card, Seat
from protocol.errors import BadOption
from protocol.games.deck_style import TICHU
from protocol.games.game import LEVELS, NO_CARDS, STRONG, Data, Game, Option, Outcome, Shuffle, Strategy, Uses
from protocol.games.labels import MoveKind, Plural, key
from protocol.games.strategies.careless import careless_or
from protocol.games.tichu import moves, offers, rules
from protocol.games.tichu.moves import Give, Move, PlayCombination, Show
from protocol.games.tichu.plays import groups
from protocol.games.tichu.search import Searcher
from protocol.games.tichu.state import (
    ALL_CARDS,
    COLLECT,
    FIRST_CARDS,
    GIVE,
    GRAND,
    OVER,
    PHASES,
    PLAY,
    SEATS,
    SHOW,
    TichuState,
    may_call,
)
from protocol.games.tichu.strategy import TeamPlayer
from protocol.games.tichu.view import TichuView, public_view

TURN, ANY = "turn", "any"
MAX_TARGET = 100_000


class Tichu(Game[TichuState, Move]):
    """Tichu for four."""

    name = "tichu"
    title = key("Tichu")
    OPTIONS: ClassVar[Mapping[str, Option]] = {
        "target": Option(
            1000,
            low=0,
            high=MAX_TARGET,
            text="points a team needs to win the match (0: one round only)",
            label=key("Play to"),
            about=key("The match ends at this many points; the lowest setting is a single round."),
            names={0: key("a single round")},
            unit=Plural("{n} point", "{n} points"),
        ),
        "bomb_on_bomb": Option(
            TURN,
            values=(TURN, ANY),
            text="whether you may bomb a bomb played out of turn when it isn't your turn",
            label=key("Bombing a bomb out of turn"),
            names={ANY: key("allowed"), TURN: key("not allowed")},
        ),
        "grand": Option(
            True,
            values=(True, False),
            text="whether you can call Grand Tichu on your first eight cards",
            label=key("Grand Tichu"),
        ),
        "teams": Option(
            "across",
            values=("across", "lot"),
            text="partners as seated (opposite), or drawn at random",
            label=key("Partners"),
            about=key("Four players in two teams; your partner sits opposite."),
            names={"across": key("sit opposite"), "lot": key("drawn by lot")},
        ),
    }
    deck_style = TICHU
    MOVES: ClassVar[Mapping[str, MoveKind]] = {
        "grand": MoveKind(key("Grand Tichu")),
        "tichu": MoveKind(key("call Tichu"), key("You call Tichu!"), key("{name} calls Tichu!")),
        "give": MoveKind(key("give"), key("You passed three cards."), key("{name} passed three cards.")),
        "show": MoveKind(
            key("show"), key("You have the Mah Jong and lead."), key("{name} has the Mah Jong and leads.")
        ),
        "collect": MoveKind(key("take"), key("You win the trick."), key("{name} wins the trick.")),
    }
    seat_counts = (SEATS,)
    levels = LEVELS
    phases = PHASES

    def __init__(self, seats: int, options: Mapping[str, object] | None = None) -> None:
        super().__init__(seats, options)
        self._any_bomb: bool = self.options["bomb_on_bomb"] == ANY

    @property
    def deck(self) -> tuple[Card, ...]:
        return PACK_TICHU

    @property
    def teams(self) -> tuple[tuple[Seat, ...], ...]:
        return ((0, 2), (1, 3))

    # --- the round ---

    def start(
        self, dealer: Seat, scores: Sequence[int] | None = None, present: Sequence[Seat] | None = None
    ) -> Outcome[TichuState]:
        if present is not None and not self.can_deal_to(present):
            raise ValueError("Tichu is dealt to all four seats only")
        first = FIRST_CARDS if self.options["grand"] else ALL_CARDS
        state = TichuState(
            phase=GRAND if self.options["grand"] else GIVE,
            dealer=dealer,
            scores=self._scores_before(scores),
            hand_sizes=(first,) * SEATS,
        )
        return Outcome(state, (Shuffle(self.deck), *rules.deal(dealer, first)))

    def lead_state(
        self,
        lead: Seat,
        hands: Sequence[Sequence[Card]],
        out: Sequence[Seat],
        scores: Sequence[int] | None = None,
        dealer: Seat = SEATS - 1,
    ) -> TichuState:
        """Return a state after the exchange in which `lead` leads, for playthroughs.

        `out` lists the seats that have gone out, first to last; seats without cards that are not in it follow by number. No
        tricks have been taken. A seat with 14 cards may still call. Raises BadOption.
        """
        gone = (*out, *(seat for seat in range(SEATS) if not hands[seat] and seat not in out))
        if not hands[lead] or any(hands[seat] for seat in gone):
            raise BadOption("the leader must hold cards, and a player who is out must hold none")
        return TichuState(
            phase=PLAY,
            dealer=dealer,
            scores=self._scores_before(scores),
            hand_sizes=tuple(len(hand) for hand in hands),
            turn=lead,
            decided=(bool(self.options["grand"]),) * SEATS,
            given=(True,) * SEATS,
            mah_jong=next((seat for seat in range(SEATS) if MAH_JONG in hands[seat]), None),
            out=gone,
        )

    def _scores_before(self, scores: Sequence[int] | None) -> tuple[int, ...]:
        before = (0, 0) if scores is None else tuple(scores)
        if len(before) != len(self.teams):
            raise ValueError("Tichu has a score for each of two teams")
        return before

    def opened_all(self, state: TichuState, hands: Sequence[Sequence[Card]]) -> TichuState:
        if state.phase != OVER or state.round_points is not None:
            raise ValueError("the hands are opened once, when the round has ended")
        return rules.score(state, hands)

    # --- moves ---

    def decode(self, data: Mapping[str, Any]) -> Move:
        return moves.decode(data)

    def encode(self, move: Move) -> Data:
        return moves.encode(move)

    def public(self, move: Move) -> Move:
        return move if not isinstance(move, Give) or isinstance(move.cards, int) else Give(len(move.cards))

    def hidden(self, move: Move) -> tuple[Card, ...]:
        return () if not isinstance(move, Give) or isinstance(move.cards, int) else move.cards

    def fill(self, move: Move, faces: Sequence[Card]) -> Move:
        return Give(tuple(faces)) if isinstance(move, Give) else move

    def uses(self, move: Move) -> Uses:
        match move:
            case PlayCombination():
                return Uses(move.cards)
            case moves.Pass() | moves.Collect():
                return NO_CARDS
            case Show():
                return Uses(shown=(MAH_JONG,))
            case Give(cards):
                return Uses(laid=cards if isinstance(cards, int) else len(cards))
            case _:
                return NO_CARDS

    def apply(self, state: TichuState, seat: Seat, move: Move) -> Outcome[TichuState]:
        return rules.follow(state, seat, move, rules.judge(state, seat, move, self._any_bomb))

    def follow(self, state: TichuState, seat: Seat, move: Move) -> Outcome[TichuState]:
        return rules.follow(state, seat, move)

    def check(self, state: TichuState, seat: Seat, hand: Sequence[Card], move: Move) -> None:
        offers.check(state, seat, hand, move, self._any_bomb)

    def legal(self, state: TichuState, seat: Seat, hand: Sequence[Card]) -> Sequence[Move]:
        return offers.legal(state, seat, hand, self._any_bomb)

    def default(self, state: TichuState, seat: Seat, hand: Sequence[Card]) -> Move | None:
        """See `offers.default`."""
        return offers.default(state, seat, hand)

    def to_act(self, state: TichuState) -> tuple[Seat, ...]:
        awaited = self.awaited(state)
        others = [
            seat
            for seat in range(SEATS)
            if seat not in awaited and (may_call(state, seat) or rules.may_interrupt(state, seat, self._any_bomb))
        ]
        if state.turn is None:
            return tuple(sorted((*awaited, *others)))
        return (*awaited, *others)

    def acting(
        self, state: TichuState, hands: Sequence[Sequence[Card]], legal: Callable[[Seat], Sequence[Move]]
    ) -> tuple[Seat, ...]:
        if state.turn is not None:
            return offers.acting(state, hands, self._any_bomb)
        seats = self.to_act(state)
        if state.phase != SHOW:
            return seats
        return tuple(seat for seat in seats if MAH_JONG in hands[seat] or may_call(state, seat))

    def awaited(self, state: TichuState) -> tuple[Seat, ...]:
        if state.turn is not None:
            return (state.turn,)
        if state.phase == GRAND:
            return tuple(seat for seat in range(SEATS) if not state.decided[seat])
        if state.phase == GIVE:
            return tuple(seat for seat in range(SEATS) if not state.given[seat])
        return tuple(range(SEATS)) if state.phase == SHOW else ()

    # --- grace periods and stuck rounds ---

    def waits_grace(self, state: TichuState, seat: Seat, move: Move) -> bool:
        """Return whether another seat could still bomb the trick that is collected, as far as the public can tell."""
        if state.phase != COLLECT or not isinstance(move, moves.Collect):
            return False
        others = [
            state.hand_sizes[each]
            for each in range(SEATS)
            if each != seat and rules.may_interrupt(state, each, self._any_bomb)
        ]
        if not others:
            return False
        unseen = set(self.deck).difference(state.played)
        bombs = groups(unseen, state.combo, bombs_only=True)
        return any(group.combo.size <= max(others) for group in bombs)

    def closing_seat(self, state: TichuState) -> Seat | None:
        seat = state.turn if state.phase == COLLECT else None
        return seat if seat is not None and self.waits_grace(state, seat, moves.Collect(None)) else None

    def is_stalled(self, state: TichuState) -> bool:
        return state.phase == SHOW

    def holding_up(self, state: TichuState, hands: Sequence[Sequence[Card]]) -> tuple[Seat, ...]:
        return tuple(seat for seat, hand in enumerate(hands) if MAH_JONG in hand)

    # --- the end ---

    def is_round_over(self, state: TichuState) -> bool:
        return state.phase == OVER and state.round_points is not None

    def scores(self, state: TichuState) -> tuple[int, ...]:
        return state.scores

    def is_match_over(self, state: TichuState) -> bool:
        if not self.is_round_over(state):
            return False
        target = self.options["target"]
        high, low = max(state.scores), min(state.scores)
        return target == 0 or (high >= target and high != low)

    def next_dealer(self, state: TichuState) -> Seat:
        return (state.dealer + 1) % SEATS

    # --- for people and programs ---

    def public_view(self, state: TichuState) -> TichuView:
        return public_view(state, self.standing(state, state.phase))

    def strategy(self, level: str = "") -> Strategy:
        if level == STRONG:
            return Searcher(self, self._any_bomb)
        return careless_or(self, TeamPlayer(self._any_bomb), level)
