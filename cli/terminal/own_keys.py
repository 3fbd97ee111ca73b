"""Keys that a player has set in `config.toml`: which of them can be had, and in words why the others cannot.

[keys]
draw = "z"
pass = "y"
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches

from cli.terminal.keys import COMMANDS, RANK_KEYS, Command
from cli.text import key
from cli.view.actions import TABLE
from protocol.errors import FairdealError

NO_TABLE = key('in config.toml: [keys] must contain lines like draw = "z"; it contains something else')
UNKNOWN = key("in config.toml: unknown command “{name}”. Commands: {known}")
MISSPELT = key("in config.toml: unknown command “{name}”. Did you mean “{near}”?")
NO_KEY = key("in config.toml: “{value}” is not a single letter or symbol, so “{name}” stays on {usual}")
RANK = key("in config.toml: “{value}” jumps to cards of that rank, so “{name}” stays on {usual}")
TWICE = key("in config.toml: “{value}” is already used for “{first}”, so “{name}” stays on {usual}")
TAKEN = key("in config.toml: “{value}” is the only key for “{other}”, so “{name}” stays on {usual}")

NAMES = tuple(each.name for each in COMMANDS if TABLE in each.places and each.help and each.name != "left")
"""The commands that can be given another key: those of the table that the key bar shows."""


def own_keys(wanted: object) -> tuple[dict[str, str], tuple[FairdealError, ...]]:
    """The keys that count, by command, and why others do not."""
    if wanted is None:
        return {}, ()
    if not isinstance(wanted, Mapping):
        return {}, (FairdealError(NO_TABLE),)
    by_name = {command.name: command for command in COMMANDS}
    found: dict[str, str] = {}
    faults: list[FairdealError] = []
    for name, value in ((str(name), value) for name, value in wanted.items()):
        if name not in NAMES:
            near = get_close_matches(name.lower(), NAMES, 1)
            faults.append(
                FairdealError(MISSPELT, name=name, near=near[0])
                if near
                else FairdealError(UNKNOWN, name=name, known=" ".join(NAMES))
            )
            continue
        pressed = value.lower() if isinstance(value, str) else str(value)
        fields = {"name": name, "value": pressed, "usual": by_name[name].cap}
        if pressed in RANK_KEYS:
            faults.append(FairdealError(RANK, **fields))
        elif len(pressed) != 1 or not pressed.isprintable() or pressed == " ":
            faults.append(FairdealError(NO_KEY, **fields))
        elif pressed in found.values():
            first = next(each for each, taken in found.items() if taken == pressed)
            faults.append(FairdealError(TWICE, first=first, **fields))
        else:
            found[name] = pressed
    return _without_thefts(found, by_name, faults), tuple(faults)


def _without_thefts(
    found: Mapping[str, str], by_name: Mapping[str, Command], faults: list[FairdealError]
) -> dict[str, str]:
    """No command may lose its only key to another: who wants D for something else gives draw another one, too."""
    kept = dict(found)
    is_settled = False
    while not is_settled:
        is_settled = True
        for name, pressed in kept.items():
            other = next(
                (
                    each
                    for each in COMMANDS
                    if TABLE in each.places and each.name not in (name, *kept) and each.keys == (pressed,)
                ),
                None,
            )
            if other is not None:
                usual = by_name[name].cap
                faults.append(FairdealError(TAKEN, name=name, value=pressed, usual=usual, other=other.name))
                del kept[name]
                is_settled = False
                break
    return kept
