"""A game's options in people's words: a short label, what it is about, and its value. For an option that is not known
here (of somebody else's game) its own name, text and spelling stand."""

from __future__ import annotations

from collections.abc import Mapping

from cli.plain.names import RANK_PLURALS
from cli.words import Words, key
from protocol.games.game import Option
from protocol.games.options import spelled

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
    "hand": key("Cards that everybody is dealt; usually by the number of players."),
    "preset": key("German rules: sevens, eights, and one card drawn a turn."),
    "target": key("The points that end the match, or a single round."),
    "teams": key("Four players as two teams: who sits across is the partner."),
}
"""Where the game's own text speaks of values as they are typed."""

WORDS: Mapping[tuple[str, object], str] = {
    ("again", None): key("no card"),
    ("bomb_on_bomb", "any"): key("allowed"),
    ("bomb_on_bomb", "turn"): key("not allowed"),
    ("decks", None): key("by the players"),
    ("draw", "one"): key("one card a turn"),
    ("draw", "until"): key("as often as liked"),
    ("hand", None): key("by the players"),
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


def option_label(_: Words, name: str) -> str:
    """What stands in a list: a few words, without its value."""
    return _(LABELS[name]) if name in LABELS else name


def option_about(_: Words, name: str, option: Option) -> str:
    """A sentence about it."""
    return _(ABOUT.get(name, option.text)) if option.text or name in ABOUT else ""


def option_words(_: Words, name: str, value: object, options: Mapping[str, object]) -> str:
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
