"""The words of plain mode: one registry from which the reader, the help and the tests are made."""

from __future__ import annotations

from cli.games.base import words as move_words
from cli.games.base.words import WORDS, Verb, shown
from cli.games.registry import move_verbs
from cli.text import Translator, key

__all__ = ["BY_NAME", "COMMANDS", "LISTS", "ROOM", "VERBS", "Verb", "shown", "spellings", "words_for", "words_shown"]

COMMANDS = (
    Verb("hint", (), key("hint: show a legal move")),
    Verb("moves", ("options",), key("moves: your legal moves with their numbers (moves 3 plays the third)")),
    Verb("hand", ("h", "cards"), key("hand: show your cards")),
    Verb(
        "who",
        ("w", "table"),
        key("who: show the state of the game (who all: hints, computers and secret-check words too)"),
    ),
    Verb("score", ("scores",), key("score: show the scores")),
    Verb("say", ("/",), key("say TEXT: chat")),
    Verb("verify", ("v", "fair"), key("verify: show the fairness report")),
    Verb("words", (), key("words: confirm that everybody has the same secret-check words")),
    Verb("rules", (), key("rules: read this table’s rules in parts (rules 2, rules all)")),
    Verb("ready", (), key("ready: continue to the next round")),
    Verb("vote", (), key("vote: vote to play on without the missing player")),
    Verb("wait", (), key("wait: vote to keep waiting for the missing player")),
    Verb("unvote", (), key("unvote: undo your vote")),
    Verb("aside", (), key("aside: put the match aside, unfinished, and play something else")),
    Verb("bot", (), key("bot: let a bot take the empty seat")),
    Verb("help", ("?",), key("help: this list")),
    Verb("quit", ("exit",), key("quit: step away, your seat is kept")),
    Verb("goodbye", ("leave", "bye"), key("goodbye: quit for good (you are asked first)")),
)
VERBS = (*move_verbs(), *COMMANDS)
BY_NAME = {verb.name: verb for verb in VERBS}

LISTS = {
    **WORDS,
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
    "bot easy": ("easy",),
    "bot normal": ("normal",),
    "bot strong": ("strong",),
    "room phones": ("phones", "phone"),
    "phones next": ("next", "another"),
    "phones stop": ("stop",),
    "phones hotspot": ("hotspot",),
    "room send away": ("remove", "kick"),
    "room start": ("begin", "start", "deal"),
    "room again": ("again",),
    "room game": ("game",),
    "room host": ("host",),
    "room pick": ("pick",),
    "room watch": ("watch",),
    "room skip": ("skip",),
    "room close": ("close",),
}
"""Other words that are understood, in English."""

ROOM = ("again", "bot", "close", "game", "host", "phones", "pick", "seat", "send away", "skip", "start", "watch")
"""What only a waiting room knows; the words for it stand in `LISTS`."""


def spellings(_: Translator) -> dict[str, str]:
    """Each typed form of a verb in this language and in English, with the verb's name."""
    return move_words.spellings(_, VERBS)


def words_shown(_: Translator, name: str) -> str:
    """The word for one of `LISTS` that a person of this language is told to type."""
    return next(iter(_.typed(name)), LISTS[name][0])


def words_for(_: Translator, name: str) -> frozenset[str]:
    """All words for one of `LISTS`, in English and in the reader's language."""
    return move_words.words_for(_, name, LISTS)
