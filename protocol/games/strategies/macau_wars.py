"""A bot for Macau Wars. It gets rid of cards, but keeps queens, kings and jokers for wars; it directs wars at players who are
nearly out, keeps its fours for the last call, and always says the last-card word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from random import Random

from protocol.cards import JOKER, RANKS, SUITS, Card, Seat
from protocol.games.changing import changed
from protocol.games.macau_wars.effects import KING_CARDS
from protocol.games.macau_wars.judge import ends_round
from protocol.games.macau_wars.offers import canonical, stands_for, without_cards
from protocol.games.macau_wars.rules import MacauRules
from protocol.games.macau_wars.state import (
    CALLED_RANKS,
    NAMES_NEXT,
    WAR_CARDS,
    MacauState,
    faces_of,
    fitting,
    is_asked,
    is_war,
    others_in,
)
from protocol.games.shedding import CALL, PASS, Move, PlayCards, next_in
from protocol.values import dataclass

OUT = 1000.0
FEW = 2
"""The most cards with which a player counts as nearly out."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What the bot values, found by letting it play against itself and others (tests/strength.py)."""

    shed: float = 1.5
    """For each card played."""
    joker: float = 10.0
    """This and the next: for a card kept for later use."""
    queen: float = 2.0
    king: float = 3.2
    two: float = 1.6
    four: float = 1.0
    caller: float = 0.2
    follow: float = 1.0
    """For each card left that would match next, up to three."""
    value: float = 0.5
    """For each rank less in the hand."""
    war: float = 0.3
    """For each card that another player must draw."""
    war_most: float = 6.0
    urgent: float = 4.0
    """The factor if that player is nearly out."""
    bare: float = 0.1
    """For each card due that may come back to a hand without an answer."""
    skip: float = 0.8
    """For skipping a player who is nearly out."""
    turns: float = 1.5
    """For each turn alone."""
    call: float = 1.0
    due: float = 1.2
    """For each card that the bot must draw."""
    idle: float = 0.0
    """For not playing a card."""
    decline: float = 0.0
    """For letting another player have turns alone."""
    last: float = 0.0
    """For having one card left."""
    stuck: float = 0.0
    """For a last card that does not match."""
    answer: float = 0.0
    """For keeping a card that can be played in a war."""
    alone: float = 0.0
    """For each card played in a turn before another one alone."""
    alone_due: float = 0.0
    """For making cards due in such a turn."""


WEIGHTS = Weights()
FITTED = Weights(
    shed=2.5,
    joker=23.0,
    queen=5.5,
    king=10.0,
    two=3.0,
    four=2.0,
    caller=1.8,
    follow=2.0,
    value=2.0,
    urgent=6.0,
    bare=0.8,
    skip=4.8,
    due=2.7,
    idle=6.0,
    decline=20.0,
    last=12.0,
    stuck=11.0,
    answer=3.6,
    alone=7.0,
    alone_due=14.0,
)
"""The strong bot's, fitted to what moves brought that were tried in place of the normal bot's (`tests/fits/macau_wars.py`)."""


def keeping(weights: Weights) -> dict[Card, float]:
    """Return what each card is worth if it is kept for later."""
    kept = {JOKER: weights.joker, Card("Kh"): weights.king, Card("Ks"): weights.king}
    for suit in SUITS:
        kept[Card("Q" + suit)] = weights.queen
        kept[Card("2" + suit)] = kept[Card("3" + suit)] = weights.two
        kept[Card("4" + suit)] = weights.four
        kept[Card("J" + suit)] = kept[Card("A" + suit)] = weights.caller
    return kept


class MacauBot:
    """A bot that rates some plays of each rank and makes the best one, or draws or passes if none is worth it."""

    def __init__(self, game: MacauRules, weights: Weights = WEIGHTS) -> None:
        self._game = game
        self._weights = weights
        self._kept = keeping(weights)

    def choose(self, state: MacauState, seat: Seat, hand: Sequence[Card], rng: Random) -> Move | None:
        """Choose a move; out of turn, only the last-card word."""
        if seat != state.turn:
            return CALL if state.word == seat else None
        mind = _Mind(self._game, state, seat, hand, self._weights, self._kept)
        best: Move = without_cards(self._game, state)
        most = mind.worth_of_none(best)
        for play in mind.plays():
            if (worth := mind.worth(play)) > most:
                best, most = play, worth
        return canonical(state, seat, best) if isinstance(best, PlayCards) else best

    def ranked(self, state: MacauState, seat: Seat, hand: Sequence[Card]) -> list[Move]:
        """Return what the seat in turn can do, the most promising first."""
        mind = _Mind(self._game, state, seat, hand, self._weights, self._kept)
        none = without_cards(self._game, state)
        rated: list[tuple[float, Move]] = [(mind.worth(play), canonical(state, seat, play)) for play in mind.plays()]
        rated.append((mind.worth_of_none(none), none))
        rated.sort(key=lambda each: each[0], reverse=True)
        return list(dict.fromkeys(move for _worth, move in rated))

    def worth(self, state: MacauState, seat: Seat, hand: Sequence[Card], move: Move) -> float:
        """Rate a move of the seat in turn."""
        mind = _Mind(self._game, state, seat, hand, self._weights, self._kept)
        return mind.worth(move) if isinstance(move, PlayCards) else mind.worth_of_none(move)


class _Mind:
    """The ratings of one turn."""

    def __init__(
        self,
        game: MacauRules,
        state: MacauState,
        seat: Seat,
        hand: Sequence[Card],
        weights: Weights,
        kept: Mapping[Card, float],
    ) -> None:
        self.game, self.state, self.seat = game, state, seat
        self.weights, self.kept = weights, kept
        self.hand = tuple(hand)
        self.ranks: dict[str, list[Card]] = {}
        for card in hand:
            self.ranks.setdefault(card[0], []).append(card)
        self.jokers = hand.count(JOKER)
        self.fitting = fitting(state)
        self.following = next_in(state, seat)
        self.after_following = next_in(state, self.following)
        self.war = is_war(state)
        self.alone = state.solo > 1
        """Whether the next turn is this seat's own."""

    # --- what could be played ---

    def plays(self) -> Iterator[PlayCards]:
        """Yield for each rank the play of all its cards and of one alone, with each card on top; jokers only if needed."""
        for value in RANKS:
            own = [card for card in self.ranks.get(value, ()) if card != JOKER and (card in WAR_CARDS or not self.war)]
            firsts = [card for card in own if card in self.fitting]
            for first in dict.fromkeys(firsts):
                yield from self._finished((first,), (first,))
                rest = list(own)
                rest.remove(first)
                for last in dict.fromkeys(rest):
                    middle = list(rest)
                    middle.remove(last)
                    cards = (first, *middle, last)
                    yield from self._finished(cards, cards)
                    if middle:
                        yield from self._finished((first, last), (first, last))
            if self.jokers:
                yield from self._with_jokers(value, own, firsts)

    def _with_jokers(self, value: str, own: Sequence[Card], firsts: Sequence[Card]) -> Iterator[PlayCards]:
        """Yield plays of a joker alone, or before or after all cards of a rank."""
        for face in stands_for(self.war, value):
            if face in self.fitting:
                yield from self._finished((JOKER,), (face,))
                for last in dict.fromkeys(own):
                    middle = list(own)
                    middle.remove(last)
                    yield from self._finished((JOKER, *middle, last), (face, *middle, last))
            for first in dict.fromkeys(firsts):
                middle = list(own)
                middle.remove(first)
                yield from self._finished((first, *middle, JOKER), (first, *middle, face))
                if self.jokers > 1:
                    yield from self._finished((first, *middle, JOKER, JOKER), (first, *middle, face, face))

    def _finished(self, cards: tuple[Card, ...], faces: tuple[Card, ...]) -> Iterator[PlayCards]:
        """Return the play with what it should name, and with the last-card word."""
        upper = faces[-1]
        meant = tuple(face for card, face in zip(cards, faces, strict=True) if card == JOKER)
        call = len(self.hand) - len(cards) == 1
        if ends_round(self.game, self.state, self.seat, len(cards)):
            yield PlayCards(cards, stands_for=meant)
        elif upper[0] == "A":
            yield PlayCards(cards, self._suit(cards), None, meant, None, call)
        elif upper[0] == "J":
            yield PlayCards(cards, None, self._rank(cards), meant, None, call)
        elif upper == NAMES_NEXT:
            yield PlayCards(cards, None, None, meant, self._victim(), call)
        else:
            yield PlayCards(cards, stands_for=meant, call=call)

    def _left(self, cards: Sequence[Card]) -> list[Card]:
        left = list(self.hand)
        for card in cards:
            left.remove(card)
        return left

    def _suit(self, cards: Sequence[Card]) -> str | None:
        counts = Counter(card[1] for card in self._left(cards) if card != JOKER)
        return max(SUITS, key=lambda suit: counts[suit])

    def _rank(self, cards: Sequence[Card]) -> str | None:
        counts = Counter(card[0] for card in self._left(cards) if card != JOKER)
        return max(CALLED_RANKS, key=lambda rank: counts[rank])

    def _victim(self) -> Seat:
        """Choose who plays next: in a war the seat with the fewest cards, else the one with the most."""
        sizes = self.state.hand_sizes
        others = list(others_in(self.state, self.seat))
        if self.state.penalty:
            return min(others, key=lambda seat: sizes[seat])
        return max(others, key=lambda seat: sizes[seat])

    # --- what it is worth ---

    def worth_of_none(self, move: Move) -> float:
        """Rate drawing or passing."""
        state, weights = self.state, self.weights
        if is_asked(state):
            return -weights.decline
        if state.penalty:
            return -weights.due * state.penalty - weights.idle
        return -weights.idle - (weights.shed if move != PASS else 0.0)

    def worth(self, play: PlayCards) -> float:
        """Rate a play: cards played, minus their later use, plus their effects now."""
        weights = self.weights
        faces = faces_of(play.cards, play.stands_for)
        left = self._left(play.cards)
        worth = weights.shed * len(faces) - sum(self.kept.get(card, 0.0) for card in play.cards)
        if not left:
            worth += OUT
        follow = self._follow(left, faces[-1], play)
        worth += weights.follow * min(3, follow)
        if len(left) == 1:
            worth += weights.last - (0.0 if follow else weights.stuck)
        worth -= weights.value * len({card[0] for card in left})
        if is_asked(self.state):
            return worth + self._worth_of_fours(len(faces), left)
        return worth + self._worth_of_effect(faces, left, play)

    def _follow(self, left: Sequence[Card], upper: Card, play: PlayCards) -> int:
        """Return how many of the cards left would match the play."""
        if play.rank is not None:
            return sum(card == JOKER or card[0] in play.rank + "JA" for card in left)
        suit = play.suit or upper[1]
        return sum(card == JOKER or card[1] == suit or card[0] == upper[0] for card in left)

    def _worth_of_fours(self, count: int, left: Sequence[Card]) -> float:
        """Rate fours: they are kept for the last call, when the others' fours are known; then they give turns alone."""
        if not left:
            return 0.0
        if not self.state.last_call:
            return -OUT / 2
        return self.weights.turns * (self.state.fours + count)

    def _worth_of_effect(self, faces: Sequence[Card], left: Sequence[Card], play: PlayCards) -> float:
        """Rate what the play does to the others and to the bot."""
        state, weights, upper = self.state, self.weights, faces[-1]
        due = 0 if upper == "Qh" else state.penalty + _due(faces)
        answers = sum(card == JOKER or card in WAR_CARDS for card in left)
        if self.alone:
            return self._worth_alone(upper, due if left else 0, answers) + weights.alone * len(faces)
        if upper[0] == "4":
            return weights.turns * len(faces) - weights.turns / 2
        worth = weights.call if upper[0] in "JA" else 0.0
        if answers:
            worth += weights.answer
        target = self._target(upper, play)
        if due and target == self.seat:
            return worth - weights.due * due
        if due:
            urgent = weights.urgent if state.hand_sizes[target] <= FEW else 1.0
            worth += urgent * min(weights.war_most, weights.war * due)
            if not answers:
                others = len(list(others_in(state, self.seat)))
                worth -= weights.bare * due * 2 / (others + 1)
        elif upper == "Qd" and state.hand_sizes[self.following] <= FEW:
            worth += weights.skip
        return worth

    def _worth_alone(self, upper: Card, due: int, answers: int) -> float:
        """Rate a war during turns alone: it stays with the bot, which needs answers for all of them."""
        weights = self.weights
        if upper == "Qd":
            return -weights.shed
        if due:
            held_off = answers >= min(self.state.solo - 1, 2)
            return -weights.alone_due - (0.0 if held_off else weights.due * due)
        return weights.turns if upper[0] == "4" else 0.0

    def _target(self, upper: Card, play: PlayCards) -> Seat:
        """Return who acts next."""
        if play.next is not None:
            return play.next
        if upper == "Qd":
            return self.after_following
        if upper in ("Qs", "Ks"):
            return next_in(changed(self.state, direction=-self.state.direction), self.seat)
        return self.following


def _due(faces: Sequence[Card]) -> int:
    """Return the number of cards that a play makes due."""
    if faces[-1][0] in "23":
        return int(faces[-1][0]) * len(faces)
    return KING_CARDS if faces[-1] in ("Kh", "Ks") else 0
