"""Macau Wars.

For two or more players, with a deck of 52 and two jokers, or two such decks from six players on. Each player is dealt five
cards, and one is turned up; play goes to the right. In your turn, play a card that matches the top card in suit or rank, or
several cards of one rank of which the first matches; or draw one card, then play or pass.

Twos, threes and the kings of hearts and spades start a war: the next player (after the king of spades: the previous one) adds
to it, turns it away with a queen, or draws all the cards. Queens: hearts ends a war, diamonds skips a player, spades reverses
the direction, clubs names who plays next. A jack may call a rank, an ace a suit. After a four all others are asked for fours,
twice; then the last to have played one plays as many turns alone as there were fours. Jokers stand for any card. A player with
one card left says "Macau!".

The round continues until one player holds cards, and each player scores the number of players beaten; in a championship the
first one out wins the round. The other files: `rules` (options, cards, scoring, views), `state` (what is public, which cards
match), `judge` (what is allowed), `effects` (what follows), `offers` (what a hand can do, and the default move).
"""

from __future__ import annotations

from collections.abc import Sequence

from protocol.cards import Card, Seat
from protocol.games.game import LEVELS, STRONG, Outcome, Strategy
from protocol.games.macau_wars import effects, offers
from protocol.games.macau_wars.judge import judge
from protocol.games.macau_wars.rules import MacauRules
from protocol.games.macau_wars.state import MacauState, Turn
from protocol.games.shedding import Move
from protocol.games.strategies.careless import careless_or
from protocol.games.strategies.imagining import Explaining
from protocol.games.strategies.macau_wars import FITTED, MacauBot


class MacauWars(MacauRules):
    """Macau Wars for a table."""

    levels = LEVELS

    def check(self, state: MacauState, seat: Seat, hand: Sequence[Card], move: Move) -> None:
        judge(self, state, seat, move)
        self.check_held(hand, move)

    def apply(self, state: MacauState, seat: Seat, move: Move) -> Outcome[MacauState]:
        judge(self, state, seat, move)
        return Outcome(*self.follow(state, seat, move))

    def take_effect(self, motion: Turn, state: MacauState, seat: Seat, move: Move) -> None:
        effects.take_effect(self, motion, state, seat, move)

    def legal(self, state: MacauState, seat: Seat, hand: Sequence[Card]) -> Sequence[Move]:
        return offers.legal(self, state, seat, hand)

    def default(self, state: MacauState, seat: Seat, hand: Sequence[Card]) -> Move | None:
        return offers.default(self, state, seat, hand)

    def strategy(self, level: str = "") -> Strategy:
        """Trying moves on imagined deals made no bot better for certain, so the strong one is the one with fitted weights."""
        if level == STRONG:
            return Explaining(self, MacauBot(self, FITTED))
        return careless_or(self, MacauBot(self), level)
