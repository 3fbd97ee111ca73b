"""A game's options in people's words: a short label, what it is about, and its value, as the game brings them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cli.clean import width
from cli.games.help_keys import has_word
from cli.games.registry import face_type
from cli.text import Translator, key
from protocol.errors import BadOption
from protocol.games.catalogue import game_class
from protocol.games.game import Option
from protocol.games.options import fits, option_value, spelled
from protocol.table.roster import TableOptions
from protocol.values import replace

SPEED, HINTS, WORD, ROUNDS = key("Time"), key("Hints"), key("Last-card reminder"), key("At most")


def word_costs(game: str, options: Mapping[str, object]) -> bool:
    """Whether it costs something to forget it."""
    return has_word(game_class(game), options) and face_type(game).word_costs


def time_words(_: Translator, time_ms: int) -> str:
    """A table's time limit."""
    return _("{n} s a turn", n=round(time_ms / 1000)) if time_ms else _("no limit")


def suggest_words(_: Translator, suggest: bool) -> str:
    """Whether programs may propose plays."""
    return _("each player decides") if suggest else _("playable cards only")


def remind_words(_: Translator, remind: bool) -> str:
    """Whether programs remind of the last-card word."""
    return _.of("option", "yes") if remind else _("no (forgetting costs)")


def house_rules(_: Translator, game: str, options: Mapping[str, object], table: TableOptions) -> list[tuple[str, str]]:
    """What a table plays otherwise than usual: labels and values. Raises BadOption for a game that is not known here."""
    declared = game_class(game).OPTIONS
    found = [
        (option_label(_, name, declared[name]), option_words(_, declared[name], value, options))
        for name, value in options.items()
        if name in declared and value != declared[name].default
    ]
    if table.rounds:
        found.append((_(ROUNDS), _.n("one round", "{n} rounds", table.rounds)))
    if table.time:
        found.append((_(SPEED), time_words(_, table.time)))
    if not table.suggest:
        found.append((_(HINTS), suggest_words(_, False)))
    if not table.remind and word_costs(game, options):
        found.append((_(WORD), remind_words(_, False)))
    return found


def announced_rules(_: Translator, game: str, told: Sequence[tuple[str, str]]) -> str:
    """The same in a line, from what a stranger announces: what is not understood is left out. How long is played is always in
    it. Empty for a game that is not known here."""
    try:
        declared = game_class(game).OPTIONS
    except BadOption:
        return ""
    options = {name: option.default for name, option in declared.items()}
    table = TableOptions()
    for name, text in told:
        if name in declared and fits(declared[name], value := option_value(declared, name, text)):
            options[name] = value
        elif name == "time" and text.isdecimal() and len(text) < 6:
            table = replace(table, time=1000 * int(text))
        elif name in ("suggest", "remind") and text == "false":
            table = replace(table, suggest=False) if name == "suggest" else replace(table, remind=False)
    rules = house_rules(_, game, options, table)
    if (target := declared.get("target")) is not None:
        usual = option_label(_, "target", target)
        if all(label != usual for label, _value in rules):
            rules.insert(0, (usual, option_words(_, target, options["target"], options)))
    return " · ".join(_("{label}: {value}", label=label, value=value) for label, value in rules)


def option_label(_: Translator, name: str, option: Option) -> str:
    """What stands in a list: a few words, without its value."""
    return _(option.label) if option.label else name


def option_about(_: Translator, option: Option) -> str:
    """A sentence about it."""
    text = option.about or option.text
    text = _(text, n=option.default) if text else ""
    if not text or text[-1] in ".。!?！？)":
        return text[:1].upper() + text[1:]
    return text[:1].upper() + text[1:] + ("。" if width(text[-1]) == 2 else ".")


def option_words(_: Translator, option: Option, value: object, options: Mapping[str, object]) -> str:
    """The value as people say it; `options` are those of the same table, on which some values depend."""
    value = option.meant(value, options)
    name = option.name_of(value)
    if isinstance(name, str):
        return _.of("option", name)
    if name is not None and isinstance(value, int):
        return _.n(name.one, name.many, value)
    if isinstance(value, bool):
        return _.of("option", "yes") if value else _.of("option", "no")
    return spelled(value)
