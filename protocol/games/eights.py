"""The common part of Crazy Eights, Two-Four-Jack and Mau-Mau: one card a turn, and a wild rank that names a suit.

A card matches by the suit or rank of the top card. The wild rank (eights, aces, jacks) matches anything, and its player names
the suit that the next card must have. Players who cannot or do not want to play draw. Games may give other ranks effects: the
next player must draw or is skipped, the direction changes, or the player plays again.
(PROTOCOL.md, "Crazy Eights, Two-Four-Jack, Mau-Mau".)
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, TypeAlias, assert_never

from protocol.cards import RANKS, SUITS, Card, Seat
from protocol.errors import IllegalMove
from protocol.games.game import Outcome
from protocol.games.shedding import (
    CALL,
    CARD_ORDER,
    DRAW,
    PASS,
    Call,
    Draw,
    Motion,
    Move,
    Pass,
    PlayCards,
    Shedding,
    SheddingState,
    draw,
    next_in,
    one_card,
    with_size,
)

Choices: TypeAlias = tuple[tuple[bool, bool], ...]
"""Whether the last-card word may be said with the next card; and for each choice whether a wild card names a suit then."""
USUAL: Choices = ((False, True),)
"""With more than two cards in hand: no word is due, and the next card does not end the round."""
Ways: TypeAlias = Mapping[Card, tuple[PlayCards, ...]]
"""For each card the ways to play it, one for each effect."""
Upon: TypeAlias = str
"""What a card must fit: a card; only a suit, since it was named; only a rank, since cards are due; or ANYTHING."""
ANYTHING: Upon = ""

NOTHING: tuple[Move, ...] = ()
ONLY_DRAW, ONLY_PASS = (DRAW,), (PASS,)

place_of = CARD_ORDER.__getitem__
from_the_highest = {card: -place for card, place in CARD_ORDER.items()}.__getitem__


class Eights(Shedding[SheddingState]):
    """Crazy Eights and similar games. The attributes say what the ranks do; see the games for their rules."""

    round_type = SheddingState
    wild: ClassVar[str]
    """The rank that may be played on anything and names a suit."""
    must_answer: bool = False
    """Whether drawing the cards that are due is a breach with an answer in hand."""

    def __init__(self, seats: int, options: Mapping[str, object] | None = None) -> None:
        super().__init__(seats, options)
        self.set_effects()
        self._draws_one = self.options["draw"] == "one"
        self._fitting = all_fitting(self)
        # A hand is filtered by these sooner than the sets are intersected with it.
        self._fits = {upon: cards.__contains__ for upon, cards in self._fitting.items()}
        self._has_twins = len(self._faces) < len(self._deck)
        self._usual_ways: Ways = {card: self._ways_to_play(card, USUAL) for card in self._faces}
        self._ways = {USUAL: self._usual_ways}

    def set_effects(
        self,
        *,
        dues: Mapping[str, int] | None = None,
        reverse: str | None = None,
        skip: str | None = None,
        again: str | None = None,
    ) -> None:
        """Say what the ranks do. `dues`: for ranks that make the next player draw, how many cards; only the same rank may be
        played on them."""
        self.dues = dues or {}
        self.reverse, self.skip, self.again = reverse, skip, again
        ranks = (*self.dues, reverse, skip, again)
        self._with_effect = frozenset(card for card in self._faces if card[0] in ranks)

    @property
    def hand_size(self) -> int:
        chosen: int | None = self.options["hand"]
        return chosen or self.usual_hand

    @property
    @abstractmethod
    def usual_hand(self) -> int:
        """The number of cards dealt by default."""

    @abstractmethod
    def card_cost(self, card: Card) -> int:
        """Return the points of a card that is left in a hand."""

    # --- what fits ---

    def fits(self, state: SheddingState, card: Card) -> bool:
        """Return whether a card may be played now."""
        return card in self.fitting(state)

    def fitting(self, state: SheddingState) -> frozenset[Card]:
        """Return the cards that may be played now."""
        top = state.pile[-1]
        return self._fitting[top[0] if state.penalty else ANYTHING if state.again else state.suit or top]

    def wild_fits(self, rank: str) -> bool:
        """Return whether a card of the wild rank may be played on a card of this rank."""
        return True

    def goes_out(self, state: SheddingState, seat: Seat, said: bool) -> bool:
        """Return whether the next card takes its player out, with the word or without."""
        return state.hand_sizes[seat] == 1

    def is_word_due(self, state: SheddingState, seat: Seat) -> bool:
        """Return whether the last-card word is due with the seat's next card."""
        return self.word_penalty is not None and state.hand_sizes[seat] == 2

    def calls(self, state: SheddingState, seat: Seat) -> tuple[bool, ...]:
        """List whether the word may be said with the next card; choices with the same effect are listed once."""
        return (True, False) if self.is_word_due(state, seat) else (False,)

    def wild_names(self, state: SheddingState, seat: Seat, said: bool) -> bool:
        """Return whether a wild card played next, with the word or without, names a suit: unless it ends the round."""
        return not (self.goes_out(state, seat, said) and self.is_last_out(state, seat))

    def names(self, state: SheddingState, seat: Seat, play: PlayCards) -> bool:
        """Return whether this play names a suit."""
        return play.cards[0][0] == self.wild and self.wild_names(state, seat, play.call)

    # --- judging ---

    def _check_public(self, state: SheddingState, seat: Seat, move: Move) -> None:
        self.check_acting(state, seat, move)
        if isinstance(move, PlayCards):
            self._check_play(state, seat, move)
        elif isinstance(move, Draw):
            if state.penalty:
                return
            if state.again:
                raise IllegalMove("after this card, play any other card or pass: you can't draw in between")
            if state.drawn and self._draws_one:
                raise IllegalMove("you can draw only one card per turn: play or pass")
            if not self.can_draw(state):
                raise IllegalMove("there is nothing to draw: play or pass", code="no stock")
        elif isinstance(move, Pass):
            if state.penalty:
                raise IllegalMove(
                    "the penalty is {count} cards: draw them or play the same rank", code="penalty", count=state.penalty
                )
            if not (state.again or (state.drawn and self._draws_one)) and self.can_draw(state):
                raise IllegalMove("you can't pass while there are cards to draw: play or draw")

    def _check_play(self, state: SheddingState, seat: Seat, play: PlayCards) -> None:
        if len(play.cards) != 1:
            raise IllegalMove("play one card at a time")
        self.check_faces(play.cards)
        card = play.cards[0]
        if state.hand_sizes[seat] < 1:
            raise IllegalMove("{card} is not in the hand", card=card)
        if not self.fits(state, card):
            self._refuse(state, card)
        if self.names(state, seat, play):
            if play.suit is None:
                raise IllegalMove("choose a suit when you play {card}", card=card)
        elif play.suit is not None:
            if card[0] == self.wild:
                raise IllegalMove("the play that ends the round can't choose a suit: leave it out")
            raise IllegalMove("{card} can't choose a suit: leave it out", card=card)
        if play.call and not self.is_word_due(state, seat):
            raise IllegalMove("you don't need to call “last card” with this play")

    def _refuse(self, state: SheddingState, card: Card) -> None:
        top = state.pile[-1]
        if state.penalty:
            raise IllegalMove(
                "the penalty is {count} cards: only a {rank} can be played",
                code="penalty",
                count=state.penalty,
                rank=top[0],
            )
        if card[0] == self.wild:
            raise IllegalMove("{card} can't be played on {top}: no wild card on a wild card", card=card, top=top)
        if state.suit is not None:
            raise IllegalMove("{card} doesn't match: the suit asked for is {suit}", card=card, suit=state.suit)
        raise IllegalMove("{card} doesn't match {top} in suit or rank", card=card, top=top)

    def check(self, state: SheddingState, seat: Seat, hand: Sequence[Card], move: Move) -> None:
        self._check_public(state, seat, move)
        if isinstance(move, PlayCards):
            self.check_held(hand, move)
        elif isinstance(move, Draw):
            if state.penalty and self.must_answer and any(self.fits(state, card) for card in hand):
                raise IllegalMove("a player holding a {rank} must play it", rank=state.pile[-1][0])
        elif isinstance(move, Pass):
            free = state.again or (state.drawn and self._draws_one)
            if not free and any(self.fits(state, card) for card in hand):
                raise IllegalMove("with nothing left to draw, a player who can play must not pass")

    # --- offering ---

    def legal(self, state: SheddingState, seat: Seat, hand: Sequence[Card]) -> Sequence[Move]:
        """List plays from the lowest card to the highest (first with the word, then without), then the draw, then the pass."""
        if seat != state.turn:
            return (CALL,) if state.word == seat else ()
        ways = self._usual_ways if state.hand_sizes[seat] > 2 else self._ways_with_few(state, seat)
        top = state.pile[-1]
        if state.penalty:
            held = [*filter(self._fits[top[0]], hand)]
            moves = NOTHING if held and self.must_answer else ONLY_DRAW
        elif state.again:
            held, moves = [*filter(self._fits[ANYTHING], hand)], ONLY_PASS
        else:
            held = [*filter(self._fits[state.suit or top], hand)]
            if state.drawn and self._draws_one:
                moves = ONLY_PASS
            elif state.stock_size or self.can_draw(state):
                moves = ONLY_DRAW
            else:
                moves = NOTHING if held else ONLY_PASS
        if len(held) > 1:
            if self._has_twins:
                held = [*{*held}]
            held.sort(key=from_the_highest)
        for card in held:
            moves = ways[card] + moves
        return moves

    def _ways_with_few(self, state: SheddingState, seat: Seat) -> Ways:
        """Return the ways to play each card of a hand of one or two."""
        choices = tuple([(said, self.wild_names(state, seat, said)) for said in self.calls(state, seat)])
        if choices not in self._ways:
            self._ways[choices] = {card: self._ways_to_play(card, choices) for card in self._faces}
        return self._ways[choices]

    def _ways_to_play(self, card: Card, choices: Choices) -> tuple[PlayCards, ...]:
        if card[0] != self.wild:
            return tuple(one_card(card, None, said) for said, _ in choices)
        return tuple(one_card(card, suit, said) for said, names in choices for suit in (SUITS if names else (None,)))

    def default(self, state: SheddingState, seat: Seat, hand: Sequence[Card]) -> Move | None:
        """Return the play of the lowest matching card, by rank from 2 to A, then by suit (clubs, diamonds, hearts, spades),
        with the word if it is due; else a draw if allowed; else a pass. If a suit must be named it is the most frequent one
        among the cards left, the first in that order if several are; with no card left, the suit of the card."""
        if seat != state.turn:
            return None
        fitting = [card for card in hand if self.fits(state, card)]
        if fitting:
            card, call = min(fitting, key=place_of), self.is_word_due(state, seat)
            play = one_card(card, None, call)
            return one_card(card, most_held(hand, card), call) if self.names(state, seat, play) else play
        return next(move for move in self.legal(state, seat, hand) if isinstance(move, (Draw, Pass)))

    # --- what a move does ---

    def apply(self, state: SheddingState, seat: Seat, move: Move) -> Outcome[SheddingState]:
        self._check_public(state, seat, move)
        return Outcome(*self.follow(state, seat, move))

    def take_effect(self, motion: Motion[SheddingState], state: SheddingState, seat: Seat, move: Move) -> None:
        if isinstance(move, PlayCards):
            self._apply_play(motion, state, seat, move)
        elif isinstance(move, Draw):
            draw(self, motion, seat, state.penalty or 1)
            motion.drawn = True
            if state.penalty:
                motion.penalty = 0
                self.begin_turn(motion, next_in(motion, seat))
        elif isinstance(move, Pass):
            motion.again = False
            if not state.again and self.count_pass(motion):
                motion.end("blocked")
            else:
                self.begin_turn(motion, next_in(motion, seat))
        elif isinstance(move, Call):
            self.say_word(motion, seat)
        else:
            assert_never(move)

    def _apply_play(self, motion: Motion[SheddingState], state: SheddingState, seat: Seat, play: PlayCards) -> None:
        card, left = play.cards[0], state.hand_sizes[seat] - 1
        has_effect = card in self._with_effect
        motion.pile += play.cards
        motion.hand_sizes = with_size(motion.hand_sizes, seat, left)
        motion.suit = play.suit
        motion.passes = 0
        motion.again = False
        if has_effect:
            motion.penalty += self.dues.get(card[0], 0)
            if card[0] == self.reverse:
                motion.direction = -motion.direction
        goes_out = False
        if not left:
            goes_out = self.goes_out(state, seat, play.call)
            if not goes_out:
                self.stay_in(motion, seat)
            else:
                motion.out += (seat,)
                if self.is_last_out(motion, seat):
                    motion.end("out")
                    return
        following = next_in(motion, seat)
        if has_effect:
            if card[0] == self.skip:
                following = next_in(motion, following)
            elif card[0] == self.again and not goes_out:
                motion.again = True
                following = seat
        if left < 2:
            self.open_word(motion, seat, play.call, following)
        self.begin_turn(motion, following)

    def stay_in(self, motion: Motion[SheddingState], seat: Seat) -> None:
        """Handle a last card that does not take its player out."""


def all_fitting(game: Eights) -> Mapping[Upon, frozenset[Card]]:
    """Return the cards that fit, for whatever there may be to fit."""
    faces = frozenset(game.deck)
    having = {each: frozenset([card for card in faces if each in card]) for each in RANKS + SUITS}
    wild = having[game.wild]

    def matching(cards: frozenset[Card], rank: str) -> frozenset[Card]:
        return cards | wild if game.wild_fits(rank) else cards - wild

    return {
        ANYTHING: faces,
        **{rank: having[rank] for rank in RANKS},
        **{suit: matching(having[suit], game.wild) for suit in SUITS},
        **{top: matching(having[top[0]] | having[top[1]], top[0]) for top in faces},
    }


def most_held(hand: Sequence[Card], played: Card) -> str:
    """Return the most frequent suit of a hand without the card played; the card's own suit if it was the last."""
    left = list(hand)
    left.remove(played)
    counts = {suit: sum(card[1] == suit for card in left) for suit in SUITS}
    return max(SUITS, key=counts.__getitem__) if left else played[1]
