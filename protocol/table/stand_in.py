"""Play for a seat that left, once the others have opened its key: everybody sees its hand and computes its shares and moves.

Its move is the game's `default`. Every seat builds the same entry and votes for it; nobody signs it as its author.
(PROTOCOL.md, "Recovery".)
"""

from __future__ import annotations

from collections.abc import Iterable

from protocol.cards import Card, Seat
from protocol.dealing.elgamal import MaskedCard
from protocol.dealing.group import Point
from protocol.dealing.shares import open_card
from protocol.games.game import AnyGame
from protocol.hashing import digest, number
from protocol.table.phases.values import Match
from protocol.table.proposals import Proposed
from protocol.table.round import Places, Round
from protocol.wire import pack


def shares_of(round: Round, seat: Seat, places: Iterable[MaskedCard]) -> dict[MaskedCard, Point]:
    """Return the decryption shares of a seat whose key is open."""
    x = round.recovered[seat]
    return {card: x * card.a for card in places}


def open_hand(round: Round, seat: Seat) -> list[Card]:
    """Return the hand of a seat whose key is open, in the order of its places."""
    x = round.recovered[seat]
    return [
        open_card(place.card, [*(point for giver, point in place.shares.items() if giver != seat), x * place.card.a])
        for place in round.hands[seat]
    ]


def stand_ins(game: AnyGame, match: Match, round: Round) -> dict[Seat, Proposed]:
    """Return the default moves of the seats that left and are awaited, by seat."""
    if not round.recovered:
        return {}
    waiting = [seat for seat in game.awaited(match.state) if seat in round.recovered]
    found = {seat: _stand_in(game, match, round, seat) for seat in waiting}
    return {seat: entry for seat, entry in found.items() if entry is not None}


def _stand_in(game: AnyGame, match: Match, round: Round, seat: Seat) -> Proposed | None:
    faces = open_hand(round, seat)
    move = game.default(match.state, seat, faces)
    if move is None:
        return None
    uses = game.uses(move)
    left = list(enumerate(faces))
    places: Places = ()
    for face in (*uses.played, *uses.shown, *game.hidden(move)):
        index, _ = found = next(held for held in left if held[1] == face)
        left.remove(found)
        places = (*places, round.hands[seat][index])
    opened = len(uses.played) + len(uses.shown)
    public = game.public(move)
    outcome = game.apply(match.state, seat, public)
    return Proposed(seat, None, public, outcome, uses.played, uses.shown, places[:opened], places[opened:])


def stand_in_hash(game: AnyGame, round: Round, entry: Proposed) -> bytes:
    """Return the hash by which votes name a default move."""
    hand = round.hands[entry.seat]
    places = bytes(hand.index(place) for place in (*entry.places, *entry.laid))
    return digest("default", number(entry.seat), pack(game.encode(entry.move)), places)
