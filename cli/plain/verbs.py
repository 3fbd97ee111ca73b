"""The words of plain mode: one registry from which the reader, the help and the tests are made."""

from __future__ import annotations

from dataclasses import dataclass

from cli.games.cards import plain
from cli.text import Translator, key


@dataclass(frozen=True, slots=True)
class Verb:
    """A word that may be typed: its name, other English spellings, and its line in the help. `move` verbs are offered only
    while such a move is legal. The other languages' spellings stand in their catalogues (`typed: NAME`)."""

    name: str
    also: tuple[str, ...]
    help: str
    move: bool = False


VERBS = (
    Verb("play", (), key("numbers or names of cards: play them (2, 8s, eight of spades)"), move=True),
    Verb("draw", ("d", "take"), key("draw: draw, or take the cards that are due"), move=True),
    Verb("pass", ("p",), key("pass: pass"), move=True),
    Verb("call", ("o", "last", "macau", "mau"), key("call: say the last-card word"), move=True),
    Verb("grand", (), key("yes or no: whether you call Grand Tichu"), move=True),
    Verb("tichu", ("t",), key("tichu: call Tichu"), move=True),
    Verb(
        "give",
        (),
        key("give and three cards: to the next player, your partner, the previous player"),
        move=True,
    ),
    Verb("show", (), key("show: show the Mah Jong and lead"), move=True),
    Verb("bomb", ("b",), key("bomb: play a bomb, also out of turn"), move=True),
    Verb(
        "collect",
        (),
        key("collect: take the trick (with the Dragon: collect and an opponent’s name)"),
        move=True,
    ),
    Verb("hint", (), key("hint: a move that is allowed")),
    Verb("hand", ("h", "cards"), key("hand: your cards")),
    Verb("who", ("w", "table"), key("who: how things stand (who all: also who is shown what)")),
    Verb("score", ("scores",), key("score: the points so far")),
    Verb("say", ("/",), key("say TEXT: speak to the table")),
    Verb("verify", ("v", "fair"), key("verify: what was checked about the deal")),
    Verb("rules", (), key("rules: the rules of this table, in parts (rules 2, rules all)")),
    Verb("ready", (), key("ready: go on to the next round")),
    Verb("wait", (), key("wait: keep waiting for the missing player")),
    Verb("go", (), key("go: go on without the missing player, if all agree")),
    Verb("help", ("?",), key("help: this list")),
    Verb("quit", ("exit",), key("quit: leave; your seat is kept")),
    Verb("goodbye", (), key("goodbye: leave for good; the match ends for all")),
)
BY_NAME = {verb.name: verb for verb in VERBS}


def spellings(_: Translator) -> dict[str, str]:
    """Each typed form of a verb in this language and in English, with the verb's name."""
    found: dict[str, str] = {}
    for verb in VERBS:
        for word in (*_.typed(verb.name), verb.name, *verb.also):
            found.setdefault(plain(word), verb.name)
    for word in words_for(_, "yes") | words_for(_, "no"):
        found.setdefault(word, "grand")
    return found


def shown(_: Translator, name: str) -> str:
    """What a person of this language is told to type for a verb: the first of its spellings."""
    return next(iter(_.typed(name)), name)


LISTS = {
    "yes": ("yes", "y"),
    "no": ("no", "n", "nothing", "none"),
    "naming": (
        "name",
        "naming",
        "names",
        "call",
        "calls",
        "calling",
        "wish",
        "wishing",
        "wishes",
        "suit",
        "rank",
        "value",
        "for",
        "=",
    ),
    "standing": ("as",),
    "next": ("next", "to"),
    "last word": ("macau", "mau", "maumau", "mau-mau", "last", "!"),
    "fillers": ("and", "with", "the", "a", "+"),
    "replay next": ("next", "n"),
    "replay back": ("back", "b"),
    "replay round": ("round", "r"),
    "replay hands": ("hands", "hand", "h"),
    "replay all": ("all",),
    "replay quit": ("quit", "q", "exit"),
    "all": ("all",),
    "room not": ("not", "unready"),
    "room seat": ("seat", "sit", "move"),
    "room bot": ("bot",),
    "room send away": ("remove", "kick"),
    "room begin": ("begin", "start", "deal"),
}
"""Other words that are understood, in English."""

ROOM = ("seat", "bot", "send away", "begin")
"""What only a waiting room knows; the words for it stand in `LISTS`."""


def words_for(_: Translator, name: str) -> frozenset[str]:
    """All words for one of `LISTS`, in English and in the reader's language."""
    return frozenset(plain(word) for word in (*_.typed(name), *LISTS[name]))
