"""A game's options: what each may be, what people call it and its values, and the check of a table's choices.

Labels are English texts that clients translate; they belong to the option, so that two games may use one name for two things.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import field
from types import MappingProxyType
from typing import Any

from protocol.errors import BadOption
from protocol.games.labels import Plural
from protocol.values import dataclass


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a game: its default, what it may be, and what people call it."""

    default: object
    values: tuple[object, ...] = ()
    """All that is allowed, unless `low` and `high` bound a whole number (both inclusive)."""
    low: int | None = None
    high: int | None = None
    none: bool = False
    """Null is allowed as well."""
    text: str = ""
    """A sentence about the option, with values as they are typed."""
    label: str = ""
    """Its name in a list, in a few words. Where it is empty, clients show the name that is typed."""
    about: str = ""
    """A sentence about it where values are shown by their names (default: `text`); `{n}` in it is the default value."""
    names: Mapping[object, str] = field(default_factory=dict, hash=False)
    """What values are called: {"one": "one card a turn"}. True and false are "yes" and "no" unless they are named here."""
    unit: Plural | None = None
    """How other numbers are written: "{n} point", "{n} points"."""
    null_means: Callable[[Mapping[str, object]], object] | None = field(default=None, compare=False)
    """The value that null stands for, given all of the table's options."""

    def meant(self, value: object, options: Mapping[str, object]) -> object:
        """The value that holds: what null stands for where it stands for something."""
        return self.null_means(options) if value is None and self.null_means is not None else value

    def name_of(self, value: object) -> str | Plural | None:
        """What this value is called; None where it has no name."""
        for each, name in self.names.items():
            if each == value and type(each) is type(value):
                return name
        return self.unit if type(value) is int else None


def allowed(option: Option) -> str:
    """What an option may be, as a person would type it."""
    words = [spelled(value) for value in option.values]
    if option.low is not None:
        words.append(f"{option.low}-{option.high}")
    if option.none and None not in option.values:
        words.insert(0, "null")
    return ", ".join(words)


def spelled(value: object) -> str:
    """An option's value as it is written on a command line."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def fits(option: Option, value: object) -> bool:
    """Whether a value is one of those allowed; true is not 1 and false not 0."""
    if value is None:
        return option.none or None in option.values
    if any(value == each and type(value) is type(each) for each in option.values):
        return True
    if option.low is None or option.high is None or type(value) is not int:
        return False
    return option.low <= value <= option.high


def option_values(options: Mapping[str, Option], pairs: Iterable[tuple[str, str]]) -> dict[str, object]:
    """Options as a game wants them, from names and values as they were typed."""
    return {name: option_value(options, name, text) for name, text in pairs}


def option_value(options: Mapping[str, Option], name: str, text: str) -> object:
    """One value as it was typed. What has no allowed form stays text: `check_options` then refuses it with what is allowed, as
    it does unknown names."""
    option = options.get(name)
    if option is None:
        return text
    typed = text.strip().casefold()
    for value in (*option.values, option.default):
        if spelled(value).casefold() == typed:
            return value
    if typed in ("null", "none") and option.none:
        return None
    switches = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
    if typed in switches and switches[typed] in option.values:
        return switches[typed]
    if option.low is not None and typed.removeprefix("-").isdecimal() and len(typed) < 10:
        return int(typed)
    return text


def check_options(
    game: str,
    declared: Mapping[str, Option],
    seat_counts: Collection[int],
    seats: int,
    given: Mapping[str, object],
) -> Mapping[str, Any]:
    """All options of a game with defaults filled in. Raises BadOption that says what is allowed."""
    if type(seats) is not int or seats not in seat_counts:
        low, high = min(seat_counts), max(seat_counts)
        if low == high:
            raise BadOption("{game} needs {low} players, not {seats}", game=game, low=low, seats=seats)
        raise BadOption("{game} needs {low} to {high} players, not {seats}", game=game, low=low, high=high, seats=seats)
    for name, value in given.items():
        option = declared.get(name)
        if option is None:
            known = ", ".join(sorted(declared))
            raise BadOption("{game} has no option {option}: choose from {known}", game=game, option=name, known=known)
        if not fits(option, value):
            raise BadOption(
                "the option {option} can't be {value}: choose {allowed}",
                option=name,
                value=spelled(value),
                allowed=allowed(option),
            )
    return MappingProxyType({name: given.get(name, option.default) for name, option in declared.items()})
