"""The words of plain mode: one registry from which the reader, the help and the tests are made."""

from __future__ import annotations

from dataclasses import dataclass

from cli.plain.names import plain
from cli.words import Words, key


@dataclass(frozen=True, slots=True)
class Verb:
    """A word that may be typed: its name, other English spellings, a key whose translation lists the local ones (separated
    by blanks), and its line in the help. `move` verbs are offered only while such a move is legal."""

    name: str
    also: tuple[str, ...]
    local: str
    help: str
    move: bool = False


VERBS = (
    Verb("play", (), key("play"), key("numbers or names of cards: play them (2, 8s, eight of spades)"), move=True),
    Verb("draw", ("d", "take"), key("draw"), key("draw: draw, or take the cards that are due"), move=True),
    Verb("pass", ("p",), key("pass"), key("pass: pass"), move=True),
    Verb("call", ("o", "last", "macau", "mau"), key("call"), key("call: say the last-card word"), move=True),
    Verb("grand", ("yes", "no"), key("grand"), key("yes or no: whether you call Grand Tichu"), move=True),
    Verb("tichu", ("t",), key("tichu"), key("tichu: call Tichu"), move=True),
    Verb(
        "give",
        (),
        key("give"),
        key("give and three cards: to the next player, your partner, the previous player"),
        move=True,
    ),
    Verb("show", (), key("show"), key("show: show the Mah Jong and lead"), move=True),
    Verb("bomb", ("b",), key("bomb"), key("bomb: play a bomb, also out of turn"), move=True),
    Verb(
        "collect",
        (),
        key("collect"),
        key("collect: take the trick (with the Dragon: collect and an opponent’s name)"),
        move=True,
    ),
    Verb("hint", (), key("hint"), key("hint: a move that is allowed")),
    Verb("hand", ("h", "cards"), key("hand"), key("hand: your cards")),
    Verb("who", ("w", "table"), key("who"), key("who: how things stand")),
    Verb("score", ("scores",), key("score"), key("score: the points so far")),
    Verb("say", ("/",), key("say"), key("say TEXT: speak to the table")),
    Verb("verify", ("v", "fair"), key("verify"), key("verify: what was checked about the deal")),
    Verb("rules", (), key("rules"), key("rules: the rules of this table")),
    Verb("ready", (), key("ready"), key("ready: go on to the next round")),
    Verb("wait", (), key("wait"), key("wait: keep waiting for the missing player")),
    Verb("go", (), key("go"), key("go: go on without the missing player, if all agree")),
    Verb("help", ("?",), key("help"), key("help: this list")),
    Verb("quit", ("exit",), key("quit"), key("quit: leave; your seat is kept")),
    Verb("goodbye", (), key("goodbye"), key("goodbye: leave for good; your hand is opened")),
)
BY_NAME = {verb.name: verb for verb in VERBS}


def spellings(_: Words) -> dict[str, str]:
    """Each typed form of a verb in this language and in English, with the verb's name."""
    found: dict[str, str] = {}
    for verb in VERBS:
        for word in (*_(verb.local).split(), verb.name, *verb.also):
            found.setdefault(plain(word), verb.name)
    return found


YES = key("yes y")
NO = key("no n")


def yes_words(_: Words) -> tuple[str, ...]:
    return tuple({plain(word) for word in (*_(YES).split(), *YES.split())})


def no_words(_: Words) -> tuple[str, ...]:
    return tuple({plain(word) for word in (*_(NO).split(), *NO.split())})
