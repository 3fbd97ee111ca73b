"""Macau Wars.

Two or more play, with a deck of 52 and two jokers, from six on with two such decks. Everyone is dealt five cards, one is
turned up; play goes to the right. In your turn play a card of the suit or value on top, or several of one value of which the
first fits; or draw one card, then play or pass.

Twos, threes and the kings of hearts and spades make a war: cards are due from the next player (king of spades: from the one
before), who adds to it, turns it away with a queen, or draws them all. Queens: hearts ends a war, diamonds skips a player,
spades turns the direction, clubs names who plays next. A jack may call a value, an ace a suit. After a four all others are
asked for fours, twice; then the last to have put one plays as many turns alone as there were fours. Jokers stand for any card.
With one card left one says "Macau!".

The round goes on until one player holds cards, and one scores the number of players whom one has beaten; in a championship the
first to go out wins the round. The files beside this one: `state` (what everybody knows, what fits), `judge` (what is
allowed), `effects` (what follows), `offers` (what a hand can do, and what it does by default).
"""

from __future__ import annotations

from collections.abc import Sequence

from protocol.cards import Card, Seat
from protocol.games.game import Outcome, Strategy
from protocol.games.macau_wars import effects, offers
from protocol.games.macau_wars.judge import judge
from protocol.games.macau_wars.rules import MacauRules
from protocol.games.macau_wars.state import MacauState
from protocol.games.shedding import Move
from protocol.games.strategies.macau_wars import MacauBot


class MacauWars(MacauRules):
    """Macau Wars for a table."""

    def check(self, state: MacauState, seat: Seat, hand: Sequence[Card], move: Move) -> None:
        judge(self, state, seat, move)
        self.check_held(hand, move)

    def apply(self, state: MacauState, seat: Seat, move: Move) -> Outcome[MacauState]:
        judge(self, state, seat, move)
        return effects.carry_out(self, state, seat, move)

    def follow(self, state: MacauState, seat: Seat, move: Move) -> Outcome[MacauState]:
        return effects.carry_out(self, state, seat, move)

    def legal(self, state: MacauState, seat: Seat, hand: Sequence[Card]) -> Sequence[Move]:
        return offers.legal(self, state, seat, hand)

    def default(self, state: MacauState, seat: Seat, hand: Sequence[Card]) -> Move | None:
        return offers.default(self, state, seat, hand)

    def strategy(self, level: str = "") -> Strategy:
        return MacauBot(self)
