"""A game's options in people's words: a short label, what it is about, and its value. For an option that is not known
here (of somebody else's game) its own name, text and spelling stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from cli.clean import width
from cli.games.cards import RANK_PLURALS
from cli.requests import option_value
from cli.text import Translator, key
from protocol.games.catalogue import BUILT_IN, game_class
from protocol.games.game import Option
from protocol.games.options import fits, spelled
from protocol.table.roster import TableOptions

LABELS = {
    "again": key("Give another play"),
    "bomb_on_bomb": key("Bomb over a bomb out of turn"),
    "decks": key("Decks"),
    "draw": key("Drawing"),
    "eights": key("Eights skip"),
    "grand": key("Grand Tichu"),
    "hand": key("Cards for each player"),
    "jack_call": key("A jack’s call holds"),
    "jack_doubles": key("Going out on a jack doubles"),
    "jack_on_jack": key("A jack on a jack"),
    "jack_points": key("A jack in hand"),
    "jokers": key("Jokers in each deck"),
    "last_card": key("“Last one!” must be said"),
    "last_card_penalty": key("Forgetting to say it"),
    "macau_penalty": key("Forgetting “Macau!”"),
    "mode": key("A round goes on until"),
    "must_answer": key("Must answer a two or four"),
    "play_drawn": key("Play after drawing"),
    "preset": key("German rules"),
    "recycle": key("The pile is used again"),
    "reverse": key("Turn the direction"),
    "sevens": key("Sevens: the next takes two"),
    "skip": key("Skip the next player"),
    "target": key("Match to"),
    "teams": key("Partners"),
}

ABOUT = {
    "decks": key("Decks that are shuffled together; usually by the number of players."),
    "draw": key("Draw as often as you like, or one card a turn at most, which makes shorter rounds."),
    "hand": key("Cards that everybody is dealt; usually by the number of players. Fewer make shorter rounds."),
    "preset": key("German rules: sevens, eights, and one card drawn a turn."),
    "target": key("So many points end the match; the least is a single round."),
    "teams": key("Four players as two teams: who sits across is the partner."),
}
"""Where the game's own text speaks of values as they are typed."""

WORDS: Mapping[tuple[str, object], str] = {
    ("again", None): key("no card"),
    ("bomb_on_bomb", "any"): key("allowed"),
    ("bomb_on_bomb", "turn"): key("not allowed"),
    ("decks", None): key("by the number of players"),
    ("draw", "one"): key("one card a turn"),
    ("draw", "until"): key("as often as liked"),
    ("hand", None): key("by the number of players"),
    ("jack_call", "round"): key("for one turn each"),
    ("jack_call", "until-met"): key("until it is met"),
    ("mode", "championship"): key("the first one is out"),
    ("mode", "last-standing"): key("one holds cards"),
    ("preset", "german"): key("yes"),
    ("preset", None): key("no"),
    ("reverse", None): key("no card"),
    ("skip", None): key("no card"),
    ("teams", "across"): key("as they sat down"),
    ("teams", "lot"): key("drawn by lot"),
    ("teams", False): key("none"),
    ("teams", True): key("two teams"),
}

CARDS = frozenset({"last_card_penalty", "macau_penalty"})


SPEED, HINTS, WORD = key("Time"), key("Hints"), key("Last-card reminder")


def has_word(game: str, options: Mapping[str, object]) -> bool:
    """Whether this variant has a word for the last card; `options` are all of the game's."""
    return bool(game_class(game).words) and options.get("last_card", True) is not False


def word_costs(game: str, options: Mapping[str, object]) -> bool:
    """Whether it costs something to forget it; Mau-Mau's goes with the card itself."""
    return has_word(game, options) and game != "mau-mau"


def time_words(_: Translator, time_ms: int) -> str:
    """A table's time limit."""
    return _("{n} s a turn", n=round(time_ms / 1000)) if time_ms else _("no limit")


def suggest_words(_: Translator, suggest: bool) -> str:
    """Whether programs may propose plays."""
    return _("as everybody likes") if suggest else _("only what is allowed")


def remind_words(_: Translator, remind: bool) -> str:
    """Whether programs remind of the last-card word."""
    return _("yes") if remind else _("none, who forgets pays")


def house_rules(_: Translator, game: str, options: Mapping[str, object], table: TableOptions) -> list[tuple[str, str]]:
    """What a table plays otherwise than usual: labels and values. Raises BadOption for a game that is not known here."""
    declared = game_class(game).OPTIONS
    found = [
        (option_label(_, name), option_words(_, name, value, options))
        for name, value in options.items()
        if name in declared and value != declared[name].default
    ]
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
    if game not in BUILT_IN:
        return ""
    declared = game_class(game).OPTIONS
    options = {name: option.default for name, option in declared.items()}
    table = TableOptions()
    for name, text in told:
        if name in declared and fits(declared[name], value := option_value(declared, name, text)):
            options[name] = value
        elif name == "time" and text.isdecimal() and len(text) < 6:
            table = replace(table, time=1000 * int(text))
        elif name in ("suggest", "remind") and text == "false":
            table = replace(table, **{name: False})
    rules = house_rules(_, game, options, table)
    usual = option_label(_, "target")
    if "target" in options and all(label != usual for label, _value in rules):
        rules.insert(0, (usual, option_words(_, "target", options["target"], options)))
    return " · ".join(_("{label}: {value}", label=label, value=value) for label, value in rules)


def option_label(_: Translator, name: str) -> str:
    """What stands in a list: a few words, without its value."""
    return _(LABELS[name]) if name in LABELS else name


def option_about(_: Translator, name: str, option: Option) -> str:
    """A sentence about it."""
    if name == "hand" and isinstance(option.default, int):
        return _("Cards that everybody is dealt; usually {n}. Fewer make shorter rounds.", n=option.default)
    text = _(ABOUT.get(name, option.text)) if option.text or name in ABOUT else ""
    if not text or text[-1] in ".。!?！？)":
        return text[:1].upper() + text[1:]
    return text[:1].upper() + text[1:] + ("。" if width(text[-1]) == 2 else ".")


def option_words(_: Translator, name: str, value: object, options: Mapping[str, object]) -> str:
    """The value as people say it; `options` are those of the same table, on which some values depend."""
    if (name, value) in WORDS:
        return _(WORDS[name, value])
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    match name:
        case "target":
            points = (3 if options.get("mode") == "championship" else 0) if value is None else value
            if isinstance(points, int):
                return _.n("{n} point", "{n} points", points) if points else _("a single round")
        case "jack_points" if isinstance(value, int):
            return _.n("{n} point", "{n} points", value)
        case "decks" | "hand" if isinstance(value, int):
            return str(value)
        case _other if name in CARDS and isinstance(value, int):
            return _.n("{n} card", "{n} cards", value)
        case "reverse" | "skip" | "again" if isinstance(value, str):
            return _(RANK_PLURALS.get(value, value))
        case _other:
            pass
    return spelled(value)
