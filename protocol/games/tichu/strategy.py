"""A bot that plays Tichu with a partner, using only the public state and its own hand.

It finds the cheapest plan for its hand (`outlook`), and rates each play by how much cheaper the rest becomes and by what the
lead and the trick are worth.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeAlias

from protocol.cards import DOG, DRAGON, MAH_JONG, PHOENIX, Card, Seat
from protocol.games.tichu import offers
from protocol.games.tichu.calls import tichu_worth
from protocol.games.tichu.combinations import (
    ACE,
    BOMB,
    DOG_STRENGTH,
    ORDER,
    PHOENIX_RANKS,
    RANK,
    SINGLE,
    Combo,
    beats,
    rank_name,
)
from protocol.games.tichu.moves import CallTichu, Collect, Give, Grand, Move, Pass, PlayCombination, Show
from protocol.games.tichu.outlook import HandEstimates, HandPlan
from protocol.games.tichu.plays import Cards, PlayGroup, bits_of, bombs_in, groups
from protocol.games.tichu.rules import may_interrupt, points
from protocol.games.tichu.state import (
    ALL_CARDS,
    COLLECT,
    GIVE,
    GRAND,
    PLAY,
    SEATS,
    SHOW,
    TichuState,
    is_dragon,
    is_in,
    may_call,
    partner,
    team,
)
from protocol.values import dataclass


@dataclass(frozen=True, slots=True)
class Temper:
    """What the bot values, in leads. Found by letting bots with different values play each other."""

    lead: float = 0.6
    """Winning a trick."""
    points: float = 0.02
    """A point in the trick."""
    least: float = 0.3
    """The least value of a play; below it the bot passes."""
    danger: float = 0.6
    """Stopping an opponent who has called or has few cards left."""
    tichu: float = 2.6
    """The cost of a hand below which the bot calls Tichu."""
    fitted_calls: bool = False
    """Whether it calls Tichu by what calls have been worth (`calls`), not by the cost of the hand."""
    grand: float = 2.6
    """The value of eight cards above which the bot calls Grand Tichu."""
    own_partner: float = 0.6
    """The least saving for a play on the partner's cards."""
    over_partner: float = 0.6
    """The cost of taking the partner's trick."""
    guard: float = 1.0
    """Playing high on the partner's trick before an opponent who could go out on it."""
    called: float = 0.3
    """How much more the lead is worth after a call."""
    bomb_to_finish: float = 0.6
    """The cost of the remaining hand up to which the bot plays a bomb."""
    hindered: float = 0.8
    """How much a gift's harm to an ordinary hand counts beside its use to the partner."""
    dog_across: float = -0.5
    """The use of the Dog to the partner of a strong hand."""


SEARCHING = Temper(fitted_calls=True, grand=2.0, hindered=0.4, dog_across=0.8)
"""The values of a bot that searches. It makes more of a call: on equal deals this Grand Tichu alone brought 9.4 ± 8.9 points
a round (150 deals, both bots normal otherwise); the gifts made no difference that could be measured, but are what good players
give (tests/games/tichu/positions.py)."""


Outlooks: TypeAlias = Callable[[TichuState, Seat, Sequence[Card]], HandEstimates]
"""Estimates a seat's hand."""
FEW_CARDS = 3
"""The most cards with which an opponent counts as dangerous."""
RICH_TRICK = 25
"""The points in a trick that justify a bomb."""
SURE = 0.8
"""The chance to win its trick from which a play counts as a winner."""
PHOENIX_LED_HOLDS = 0.3
DOG_HELPS = -0.5
"""The worth of the Dog to the partner of a hand that is not strong, in leads."""
GRAND_WORTH = {DRAGON: 1.1, PHOENIX: 1.0, MAH_JONG: 0.1, DOG: -0.3}
GRAND_ACE, GRAND_KING, GRAND_BOMB = 0.65, 0.2, 0.9


class TeamPlayer:
    """A bot that keeps winners, gets rid of losers, and does not take its partner's tricks without need."""

    def __init__(self, any_bomb: bool, temper: Temper | None = None, outlooks: Outlooks = HandEstimates) -> None:
        """`outlooks`: how the bot estimates a hand; who imagines many rounds gives estimates that serve for several moves."""
        self._any_bomb = any_bomb
        self._temper = temper or Temper()
        self._outlooks = outlooks

    def choose(self, state: TichuState, seat: Seat, hand: Sequence[Card], rng: Random) -> Move | None:
        if state.phase == GRAND:
            return None if state.decided[seat] else Grand(self._calls_grand(state, seat, hand))
        if state.phase == GIVE:
            return None if state.given[seat] else Give(self._gifts(state, seat, hand))
        if state.phase == SHOW:
            return Show() if MAH_JONG in hand else None
        return _Decision(state, seat, hand, self._temper, self._any_bomb, self._outlooks).move()

    def ranked(self, state: TichuState, seat: Seat, hand: Sequence[Card]) -> list[Move]:
        """Return moves in turn that are worth a try, the most promising first: a play of each kind and height, and to pass."""
        return _Decision(state, seat, hand, self._temper, self._any_bomb, self._outlooks).ranked()

    def calls(self, state: TichuState, seat: Seat, hand: Sequence[Card]) -> bool:
        """Return whether it would call Tichu before a play."""
        return _Decision(state, seat, hand, self._temper, self._any_bomb, self._outlooks).calls()

    def _calls_grand(self, state: TichuState, seat: Seat, hand: Sequence[Card]) -> bool:
        if state.calls[partner(seat)] is not None:
            return False
        worth = sum(GRAND_WORTH.get(card, 0.0) for card in hand)
        ranks = [RANK.get(card, 0) for card in hand]
        worth += GRAND_ACE * ranks.count(ACE) + GRAND_KING * ranks.count(ACE - 1)
        worth += GRAND_BOMB * len(groups(hand, None, bombs_only=True))
        return worth >= self._temper.grand

    def _gifts(self, state: TichuState, seat: Seat, hand: Sequence[Card]) -> Cards:
        """Choose a helpful card for the partner and two harmless ones for the opponents."""
        outlook = self._outlooks(state, seat, hand)
        whole = outlook.cost(hand)
        strong = whole < self._temper.tichu + 0.7 or state.calls[seat] is not None
        harm: dict[Card, float] = {}
        for card in hand:
            rest = [each for each in hand if each != card]
            harm[card] = outlook.cost(rest) - whole
        hindered = self._temper.hindered if state.calls[partner(seat)] is None else 0.0
        dog = self._temper.dog_across if strong else DOG_HELPS
        weight = 1.6 if strong else hindered  # for a partner who has called nothing is too good
        across = max(hand, key=lambda card: ((dog if card == DOG else _help(card)) - weight * harm[card], -ORDER[card]))
        rest = sorted(
            (card for card in hand if card != across), key=lambda card: (harm[card] + _help_to_foes(card), ORDER[card])
        )
        return rest[0], across, rest[1]


def _help(card: Card) -> float:
    """Return what a card but the Dog is worth to a partner, in leads."""
    if card in (DRAGON, PHOENIX):
        return 0.9
    return {1: 0.2, ACE: 0.6, ACE - 1: 0.35, ACE - 2: 0.2}.get(RANK[card], 0.1)


def _help_to_foes(card: Card) -> float:
    if card in (DRAGON, PHOENIX):
        return 5.0
    if card == DOG:
        return -0.2
    rank = RANK[card]
    return 0.6 if rank == 1 else rank / 20 + (0.6 if rank == ACE else 0.0)


class _Decision:
    """One decision in `play` or `collect`."""

    def __init__(
        self,
        state: TichuState,
        seat: Seat,
        hand: Sequence[Card],
        temper: Temper,
        any_bomb: bool,
        outlooks: Outlooks,
    ) -> None:
        self.state, self.seat, self.hand, self.temper = state, seat, hand, temper
        self.partner = partner(seat)
        self.in_turn = state.phase == PLAY and state.turn == seat
        self._any_bomb, self._outlooks = any_bomb, outlooks
        self._outlook: HandEstimates | None = None
        self._bits = bits_of(hand)

    @property
    def outlook(self) -> HandEstimates:
        """The estimates, made when they are needed: many decisions need none."""
        if self._outlook is None:
            self._outlook = self._outlooks(self.state, self.seat, self.hand)
        return self._outlook

    def _may_bomb(self) -> bool:
        return is_in(self.state, self.seat) and (self.in_turn or may_interrupt(self.state, self.seat, self._any_bomb))

    def move(self) -> Move | None:
        state = self.state
        if state.phase == COLLECT and state.turn == self.seat:
            return self._bomb() or Collect(self._dragon_to() if is_dragon(state.combo) else None)
        if not self.in_turn:
            return self._bomb()
        move = self._lead() if state.combo is None else self._follow()
        if isinstance(move, PlayCombination) and self.calls():
            return CallTichu()
        return move

    def calls(self) -> bool:
        """Return whether this is a hand to call Tichu with, before a play."""
        state = self.state
        if not may_call(state, self.seat) or state.out or state.calls[self.partner] is not None:
            return False
        if self.temper.fitted_calls:
            return tichu_worth(state, self.seat, self.hand, self.outlook.cost_of(self._bits)) > 0
        ahead = min(state.hand_sizes) < ALL_CARDS - 5
        return self.outlook.cost_of(self._bits) < self.temper.tichu - (0.8 if ahead else 0.0)

    def _cost_without(self, cards: Cards) -> float:
        return self.outlook.cost_of(self._bits - bits_of(cards))

    def ranked(self) -> list[Move]:
        """See `TeamPlayer.ranked`."""
        if not self.in_turn:
            return []
        state = self.state
        found = groups(self.hand) if state.combo is None else offers.in_turn(state, self.hand)
        must = offers.must_meet_wish(state, self.seat, self.hand)
        if must:
            found = offers.in_turn(state, self.hand)
        picked = sorted(((group, self._pick(group)) for group in found), key=self._promise)
        plays: list[Move] = [self._play(group, cards) for group, cards in picked]
        return plays if must or state.combo is None else [Pass(), *plays]

    # --- leading ---

    def _lead(self) -> Move:
        if offers.must_meet_wish(self.state, self.seat, self.hand):
            return self._best_of(offers.in_turn(self.state, self.hand))
        found = groups(self.hand)
        for group in found:
            if group.combo.size == len(self.hand):
                return self._play(group, group.cards[0])
        plan = self.outlook.plan(self.hand)
        chosen = self._choose_lead(plan)
        for group in found:
            if group.combo == chosen and (group.phoenix or 0) == (plan.phoenix if group.phoenix else 0):
                cards = self._pick(group)
                return self._play(group, cards)
        return self._best_of(found)

    def _choose_lead(self, plan: HandPlan) -> Combo:
        """Choose the play to lead: a sure winner if little else is left, else one that will be hard to get rid of."""
        bombs = [item.combo for item in plan.items if item.combo.kind == BOMB]
        others = [item.combo for item in plan.items if item.combo.kind != BOMB]
        if not others:
            return min(bombs, key=lambda each: (each.size, each.strength))
        losers = [each for each in others if self._holds(each) < SURE]
        winners = [each for each in others if self._holds(each) >= SURE]
        if not losers or (winners and len(losers) == 1 and not bombs):
            return min(winners, key=lambda each: (self._danger(each), -each.size, each.strength))
        return max(losers, key=self._lead_worth)

    def _holds(self, what: Combo) -> float:
        if what.kind == SINGLE and what.strength % 2:
            return PHOENIX_LED_HOLDS  # it leads as 1.5 only
        return self.outlook.holds(what)

    def _lead_worth(self, what: Combo) -> float:
        if what.kind == SINGLE and what.strength == DOG_STRENGTH:
            worth = 0.5 if is_in(self.state, self.partner) else -0.5
            if self.state.calls[self.partner] is not None:
                worth += 1.0
            return worth
        worth = 0.18 * (what.size - 1) - what.strength / 40 + 0.3 * self._holds(what)
        if what.strength % 2:
            worth -= 1.0
        return worth - self._danger(what)

    def _danger(self, what: Combo) -> float:
        """Return the cost of a lead that may let an opponent with few cards go out."""
        for foe in self.outlook.foes:
            if self.state.hand_sizes[foe] == what.size <= 2:
                return 1.5 * (1 - self._holds(what)) - 0.03 * what.strength
        return 0.0

    # --- following ---

    def _follow(self) -> Move:
        state = self.state
        found = offers.in_turn(state, self.hand)
        if offers.must_meet_wish(state, self.seat, self.hand):
            return self._best_of(found)
        if (bomb := self._bomb()) is not None:
            return bomb
        plain = [group for group in found if group.combo.kind != BOMB]
        for group in plain:
            if group.combo.size == len(self.hand) and not self._spoils_partners_call():
                return self._play(group, group.cards[0])
        best: tuple[float, PlayGroup, Cards] | None = None
        for group in plain:
            cards = self._pick(group)
            worth = self._worth(group.combo, cards)
            if worth > 0 and (best is None or worth > best[0]):
                best = worth, group, cards
        return Pass() if best is None else self._play(best[1], best[2])

    def _spoils_partners_call(self) -> bool:
        return self.state.calls[self.partner] is not None and not self.state.out

    def _worth(self, what: Combo, cards: Cards) -> float:
        """Return what a play is worth compared with a pass, in leads."""
        state, temper = self.state, self.temper
        gain = self.outlook.cost_of(self._bits) - self._cost_without(cards)
        hold = self.outlook.holds(what)
        if state.owner == self.partner:
            if self._spoils_partners_call():
                return -1.0
            return (
                gain - temper.own_partner - temper.over_partner * hold + temper.guard * hold * self._next_is_close(what)
            )
        trick = temper.points * points(state.pile)
        lead = temper.lead
        if state.calls[self.seat] is not None and not state.out:
            lead += temper.called
        worth = gain + hold * (lead + (-trick / 2 if is_dragon(what) else trick)) - temper.least
        if state.owner is not None and self._is_dangerous(state.owner):
            worth += hold * temper.danger
        return worth

    def _next_is_close(self, what: Combo) -> bool:
        """Return whether the next opponent could go out on this trick."""
        following = (self.seat + 1) % SEATS
        return self.state.hand_sizes[following] == what.size

    def _is_dangerous(self, foe: Seat) -> bool:
        size = self.state.hand_sizes[foe]
        return 0 < size <= FEW_CARDS or (size > 0 and self.state.calls[foe] is not None and not self.state.out)

    # --- bombs ---

    def bombs(self) -> list[PlayGroup]:
        """Return all bombs in the hand."""
        return bombs_in(self._bits)

    def _bomb(self) -> Move | None:
        """Return a bomb if this is the time for one."""
        state = self.state
        if state.owner is None or state.owner == self.seat or not self.bombs() or not self._may_bomb():
            return None
        found = [each for each in self.bombs() if state.combo is None or beats(each.combo, state.combo)]
        if not found:
            return None
        group = min(found, key=lambda each: self._cost_without(each.cards[0]))
        after = self._cost_without(group.cards[0])
        is_last = group.combo.size == len(self.hand)
        if team(state.owner) == team(self.seat):
            return self._play(group, group.cards[0]) if is_last and not self._spoils_partners_call() else None
        if after <= self.temper.bomb_to_finish:
            return self._play(group, group.cards[0])
        won = state.phase == COLLECT
        rich = won and points(state.pile) >= RICH_TRICK and not is_dragon(state.combo)
        stops = (won and self._is_dangerous(state.owner)) or self._about_to_go_out(state.owner)
        return self._play(group, group.cards[0]) if rich or stops else None

    def _about_to_go_out(self, foe: Seat) -> bool:
        return 0 < self.state.hand_sizes[foe] <= 2

    # --- choosing cards ---

    def _best_of(self, found: Sequence[PlayGroup]) -> Move:
        """Return the play that leaves the cheapest hand; of equal ones, the least likely to win a trick."""
        group, cards = min(
            ((group, self._pick(group)) for group in found),
            key=self._promise,
        )
        return self._play(group, cards)

    def _promise(self, play: tuple[PlayGroup, Cards]) -> tuple[float, int, int]:
        group, cards = play
        left = self._cost_without(cards) - 0.3 * self.outlook.holds(group.combo)
        return left, group.combo.size, group.combo.strength

    def _pick(self, group: PlayGroup) -> Cards:
        """Choose the suits to play so that bombs stay whole."""
        if len(group.cards) == 1:
            return group.cards[0]
        if not self.bombs():
            return group.cards[0]
        bombs = {card for each in self.bombs() for card in each.cards[0]}
        return min(group.cards, key=lambda cards: sum(card in bombs for card in cards))

    def _play(self, group: PlayGroup, cards: Cards) -> Move:
        phoenix = None if group.phoenix is None else rank_name(group.phoenix)
        return PlayCombination(cards, self._wish() if MAH_JONG in cards else None, phoenix)

    def _wish(self) -> str | None:
        """Choose the rank with the most hidden copies, the highest of these: the next player, an opponent, may hold one."""
        unseen = self.outlook.unseen
        return rank_name(max(PHOENIX_RANKS, key=lambda rank: (unseen[rank], rank)))

    def _dragon_to(self) -> Seat:
        """Choose the opponent with the most cards: the last player's tricks go to the first one out."""
        return max(self.outlook.foes, key=lambda foe: (self.state.hand_sizes[foe], -foe))
