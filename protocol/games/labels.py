"""Texts that a game brings for people: English templates, which clients translate. No sentence is put together here.

Every text is a template with its fields apart, as errors have it, and the template is the key of the translation
catalogues. A client writes fields out by their names: `card`, `cards`, `suit`, `rank`, `to` (a seat); others as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import NamedTuple

from protocol.values import dataclass


def key(template: str) -> str:
    """Mark a template that clients translate; return it unchanged."""
    return template


class Plural(NamedTuple):
    """A text that depends on a number `{n}`: for one, and for all other numbers."""

    one: str
    many: str


class Text(NamedTuple):
    """A template and its fields: `text("Trump: {suit}", suit="h")`."""

    template: str
    fields: Mapping[str, object]


def text(template: str, /, **fields: object) -> Text:
    """Make a `Text`."""
    return Text(template, fields)


@dataclass(frozen=True, slots=True)
class MoveKind:
    """How people speak of one kind of move, named by the `do` of its object.

    In `you` and `told`, `{name}` is the player and the other fields are the keys of the move's object. Where one of these
    is empty, clients fall back to the label.
    """

    label: str
    """What the player does, as on a button: "draw"."""
    you: str = ""
    """Tells the player's own move: "You bid {tricks}."."""
    told: str = ""
    """Tells the others: "{name} bids {tricks}."."""
    questions: Mapping[str, str] = field(default_factory=dict, hash=False)
    """The question for each key of the object besides `do` and `cards` that the player chooses: {"tricks": "How many?"}."""


MOVES: Mapping[str, MoveKind] = {
    "play": MoveKind(key("play"), key("You played {cards}."), key("{name} played {cards}.")),
    "draw": MoveKind(key("draw"), key("You drew one card."), key("{name} drew one card.")),
    "pass": MoveKind(key("pass"), key("You passed."), key("{name} passed.")),
}
"""What most games call by the same names. Games add their own in `Game.MOVES`."""
