"""What a page says, read strictly: an input for the model that it was shown, or the answer to a question for text."""

from __future__ import annotations

import json
from base64 import b64decode
from typing import Any

from cli.view.inputs import Act, Choose, Input, Pick, PlayNow
from protocol.values import dataclass

MOST_BYTES = 4096
MOST_CARDS = 200
MOST_TEXT = 1000
MOST_ARGS = 4
MOST_NAME = 100


class Garbled(ValueError):
    """A message that no page of ours sends."""


@dataclass(frozen=True, slots=True)
class Opens:
    """The first message: the token of the address, or the pass that this page was given before."""

    token: str
    held: str


@dataclass(frozen=True, slots=True)
class Tapped:
    """An input for the screen of this number: on another one by now it means nothing."""

    screen: int
    given: Input


@dataclass(frozen=True, slots=True)
class Typed:
    """What was typed where text `number` was asked for; None: nothing, it was closed."""

    number: int
    text: str | None


@dataclass(frozen=True, slots=True)
class FilePart:
    """A part of a match file that is to be checked."""

    name: str
    data: bytes
    is_last: bool


def read_message(data: str | bytes) -> Opens | Tapped | Typed | FilePart:
    """Raises Garbled."""
    if not isinstance(data, str) or len(data) > MOST_BYTES:
        raise Garbled("not a short text")
    try:
        said = json.loads(data)
    except (ValueError, RecursionError) as fault:
        raise Garbled("not JSON") from fault
    if not isinstance(said, dict):
        raise Garbled("not an object")
    match said:
        case {"type": "open", "token": str(token), "pass": str(held), **rest} if not rest:
            return Opens(token, held)
        case {"type": "typed", "number": int(number), "text": None | str() as text, **rest} if not rest:
            if text is not None and len(text) > MOST_TEXT:
                raise Garbled("too long a text")
            return Typed(number, text)
        case {"type": "part", "name": str(name), "data": str(part), "last": bool(is_last), **rest} if not rest:
            return FilePart(name[:MOST_NAME], _bytes(part), is_last)
        case {"type": "tap", "screen": int(screen), "input": dict(given), **rest} if not rest:
            return Tapped(screen, _input(given))
        case _other:
            raise Garbled("no such message")


def _bytes(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except ValueError as fault:
        raise Garbled("not base64") from fault


def _input(given: dict[str, Any]) -> Input:
    match given:
        case {"act": str(name), "arg": arg, **rest} if not rest and len(name) <= 40:
            return Act(name, _arg(arg))
        case {"pick": int(card), **rest} if not rest and type(card) is int:
            return Pick(card)
        case {"play": [*cards], **rest} if not rest and _are_cards(cards):
            return PlayNow(tuple(cards))
        case {"choose": int() | str() as key, **rest} if not rest and type(key) is not bool:
            return Choose(key)
        case _other:
            raise Garbled("no such input")


def _are_cards(cards: list[Any]) -> bool:
    return 0 < len(cards) <= MOST_CARDS and all(type(card) is int for card in cards)


def _arg(arg: Any) -> Any:
    """A word, a number, or a few of them: "gift" is about a place, a card, and whether to go on."""
    if isinstance(arg, list) and 0 < len(arg) <= MOST_ARGS:
        return tuple(_scalar(each) for each in arg)
    return _scalar(arg)


def _scalar(value: Any) -> str | int | bool | None:
    if value is None or isinstance(value, (str, bool, int)):
        return value
    raise Garbled("no such argument")
