"""Tichu's moves and their objects in files and on the wire."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, assert_never

from protocol.cards import Card, Seat
from protocol.errors import BadMessage
from protocol.games.game import Data
from protocol.games.tichu.combinations import ORDER
from protocol.values import dataclass

MAX_CARDS = 15
"""The most cards that a move may name; the longest straight has 14."""
MAX_RANK_LETTERS = 3
GIFTS = 3
"""The number of cards that each player passes in the exchange."""


@dataclass(frozen=True, slots=True)
class Grand:
    """Call Grand Tichu, or decline to, after seeing eight cards."""

    call: bool


@dataclass(frozen=True, slots=True)
class CallTichu:
    """Call Tichu."""


@dataclass(frozen=True, slots=True)
class Give:
    """Lay out a card each for the next seat, the partner and the previous seat, in this order; publicly, only their number."""

    cards: tuple[Card, ...] | int


@dataclass(frozen=True, slots=True)
class Show:
    """Show the Mah Jong, and lead."""


@dataclass(frozen=True, slots=True)
class PlayCombination:
    """Play cards. `wish` is a rank from 2 to A or None; `phoenix` is the rank that the Phoenix stands for, or None for the
    highest legal one (also if it is alone or not among the cards)."""

    cards: tuple[Card, ...]
    wish: str | None = None
    phoenix: str | None = None


@dataclass(frozen=True, slots=True)
class Pass:
    """Pass."""


@dataclass(frozen=True, slots=True)
class Collect:
    """Take the trick that the player has won; `to` is the opponent who gets it if the Dragon won it."""

    to: Seat | None = None


Move: TypeAlias = Grand | CallTichu | Give | Show | PlayCombination | Pass | Collect


def encode(move: Move) -> Data:
    """Return a move's object with all keys of its kind."""
    match move:
        case Grand(call):
            return {"do": "grand", "call": call}
        case CallTichu():
            return {"do": "tichu"}
        case Give(cards):
            return {"do": "give", "cards": cards if isinstance(cards, int) else list(cards)}
        case Show():
            return {"do": "show"}
        case PlayCombination(cards, wish, phoenix):
            return {"do": "play", "cards": list(cards), "wish": wish, "phoenix": phoenix}
        case Pass():
            return {"do": "pass"}
        case Collect(to):
            return {"do": "collect", "to": to}
        case _:
            assert_never(move)


def decode(data: Mapping[str, Any]) -> Move:
    """Read a move from its object. Checks only its form, not the rules. Raises BadMessage."""
    what = data.get("do")
    known = _KEYS.get(what) if isinstance(what, str) else None
    if known is None:
        raise BadMessage("Tichu has no move {move}", move=str(what)[:20])
    for key in data:
        if key != "do" and key not in known:
            raise BadMessage("a {move} has no {key}", move=what, key=str(key)[:20])
    return _DECODERS[str(what)](data)


def _grand(data: Mapping[str, Any]) -> Move:
    call = data.get("call", False)
    if type(call) is not bool:
        raise BadMessage("{key} must be true or false", key="call")
    return Grand(call)


def _give(data: Mapping[str, Any]) -> Move:
    count = data.get("cards")
    if type(count) is not int:
        return Give(_cards(data))
    if not 1 <= count <= MAX_CARDS:
        raise BadMessage("{key} must list 1 to {most} cards", key="cards", most=MAX_CARDS)
    return Give(count)


def _play(data: Mapping[str, Any]) -> Move:
    return PlayCombination(_cards(data), _rank(data, "wish"), _rank(data, "phoenix"))


def _collect(data: Mapping[str, Any]) -> Move:
    to = data.get("to")
    if to is not None and (type(to) is not int or not 0 <= to <= 9):
        raise BadMessage("{key} must be a seat", key="to")
    return Collect(to)


_KEYS: Mapping[str, tuple[str, ...]] = {
    "grand": ("call",),
    "tichu": (),
    "give": ("cards",),
    "show": (),
    "play": ("cards", "wish", "phoenix"),
    "pass": (),
    "collect": ("to",),
}
_DECODERS: Mapping[str, Callable[[Mapping[str, Any]], Move]] = {
    "grand": _grand,
    "tichu": lambda data: CallTichu(),
    "give": _give,
    "show": lambda data: Show(),
    "play": _play,
    "pass": lambda data: Pass(),
    "collect": _collect,
}


def _cards(data: Mapping[str, Any]) -> tuple[Card, ...]:
    names = data.get("cards")
    if not isinstance(names, list | tuple) or not 1 <= len(names) <= MAX_CARDS:
        raise BadMessage("{key} must list 1 to {most} cards", key="cards", most=MAX_CARDS)
    for name in names:
        if not isinstance(name, str) or name not in ORDER:
            raise BadMessage("{card} is not a card in this game", card=str(name)[:20])
    return tuple(Card(name) for name in names)


def _rank(data: Mapping[str, Any], key: str) -> str | None:
    name = data.get(key)
    if name is not None and (not isinstance(name, str) or not 1 <= len(name) <= MAX_RANK_LETTERS):
        raise BadMessage("{key} must be a rank", key=key)
    return name
