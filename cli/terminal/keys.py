"""The keys of the terminal: which key does what, where. Key bar, help page and dispatch are made from this one list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from cli.games.own_actions import OWN_ACTIONS
from cli.text import Translator, key
from cli.view.actions import (
    LABELS,
    LIST,
    LOBBY,
    MENU,
    PAGE,
    PAUSED,
    PHONES,
    REPLAY,
    REPORT,
    ROOM,
    SHEET,
    TABLE,
    WITHIN,
)
from cli.view.inputs import Act as Action
from protocol.values import dataclass


@dataclass(frozen=True, slots=True)
class Cap:
    """A key in the key bar: what stands on it, what it does, and what a click on it does."""

    key: str
    label: str
    action: Action
    glows: bool = False
    """Highlighted: the player holds a bomb."""
    is_needed: bool = False
    """Shown even if that leaves no room for others."""


@dataclass(frozen=True, slots=True)
class Command:
    """`name` is the action's, `keys` are as the terminal names them, `cap` as they are shown. Without `help` the help page
    does not list it."""

    name: str
    keys: tuple[str, ...]
    cap: str
    help: str = ""
    places: tuple[str, ...] = (TABLE,)


COMMANDS = (
    Command("left", ("left",), "←→", key("move through your hand")),
    Command("right", ("right",), ""),
    Command("home", ("home",), ""),
    Command("end", ("end",), ""),
    Command("pick", (" ", "up"), key("Space"), key("pick the card or put it back (also Up/Down)")),
    Command("unpick", ("down",), ""),
    Command("enter", ("enter",), "Enter", key("play the picked cards, or the card under the cursor")),
    Command("draw", ("d",), "D", key("draw a card, or take the penalty cards")),
    Command("pass", ("p",), "P", key("pass (before your turn: pass in advance)")),
    Command("other", ("m",), "M", key("make another move of this game, instead of playing a card")),
    Command("call", ("o",), "O", key("call your last card, now or with your next play")),
    *(Command(each.name, (each.letter,), each.letter.upper(), each.help) for each in OWN_ACTIONS),
    Command("bomb", ("b",), "B", key("bomb: on your turn, pick one (again: the next); out of turn, play it at once")),
    Command("clear", ("x",), "X", key("unpick all cards (Backspace: only the last one)")),
    Command("unpick-last", ("backspace",), ""),
    Command("sort", ("s",), "S", key("change how your hand is sorted")),
    Command("hint", ("h",), "H", key("pick a legal play (press again for another)")),
    Command("chat", ("/", ":"), "/", key("chat (start with : for an emote)"), (TABLE, LIST)),
    Command("log", ("l", "tab"), "L", key("show the full log")),
    Command("up", ("pageup", "pagedown"), ""),
    Command("report", ("v",), "V", key("show the fairness report")),
    Command("scores", ("f3",), "F3", key("show the scores")),
    Command("settings", ("f2",), "F2", key("language, colours, mouse, sound"), (TABLE, LIST, PAGE)),
    Command("big", ("+",), "+", key("switch between big and normal cards")),
    Command("leave", ("f10", "c-q", "c-c"), "Ctrl-Q", key("leave (on any screen: Ctrl-Q, F10 or Ctrl-C)"), (TABLE,)),
    Command("escape", ("escape",), "Esc"),
    # Answers to a question; a sentence may name them.
    Command("gift", (), "1 2 3"),
    Command("yes", (), key("Y")),
    Command("no", (), key("N")),
    Command("repaint", ("c-l",), "", places=(TABLE, LIST, PAGE)),
    Command("help", ("?", "f1"), "?", key("show keys and rules"), (TABLE, LIST, REPLAY)),
    # The box about somebody who is missing.
    Command("vote", ("g",), "G", places=(PAUSED,)),
    Command("vote-no", ("n",), "N", places=(PAUSED,)),
    Command("unvote", ("w",), "W", places=(PAUSED,)),
    # Lists: lobby, waiting room, settings.
    Command("row-up", ("up",), "↑↓", key("move through the list"), (LIST,)),
    Command("row-down", ("down",), "↓", places=(LIST,)),
    Command("row-left", ("left",), "", places=(LIST,)),
    Command("row-right", ("right",), "←→", places=(LIST,)),
    Command("row-enter", ("enter",), "Enter", key("confirm your choice"), (LIST,)),
    Command("row-space", (" ",), "", places=(LIST,)),
    Command("back", ("escape",), "Esc", key("back"), (LIST, PAGE)),
    Command("quit", ("c-q", "f10", "c-c"), key("Ctrl-Q"), key("leave (on any screen: Ctrl-Q, F10 or Ctrl-C)"), (LIST,)),
    Command("row-first", ("home", "pageup"), key("Home"), places=(LIST,)),
    Command("row-last", ("end", "pagedown"), "", places=(LIST,)),
    Command("resume", ("u",), "U", places=(LOBBY,)),
    Command("new", ("n",), "N", places=(LOBBY,)),
    Command("address", ("c",), "C", places=(LOBBY,)),
    Command("practise", ("b",), "B", places=(LOBBY,)),
    Command("records", ("r",), "R", places=(LOBBY,)),
    Command("name", ("y",), "Y", places=(LOBBY,)),
    Command("doctor", ("d",), "D", places=(LOBBY,)),
    Command("watch", ("w",), "W", places=(LOBBY, ROOM)),
    Command("bot", ("b",), "B", places=(ROOM,)),
    Command("phones", ("g",), "G", places=(ROOM,)),
    Command("phones-next", ("n",), "N", places=(PHONES,)),
    Command("phones-stop", ("x",), "X", places=(PHONES,)),
    Command("hotspot", ("h",), "H", places=(PHONES,)),
    Command("send-away", ("x",), "X", places=(ROOM,)),
    Command("ready", ("r",), "R", places=(ROOM,)),
    Command("start", ("s",), "S", places=(ROOM,)),
    Command("hand-over", ("m",), "M", places=(ROOM,)),
    Command("sit-out", ("p",), "P", places=(ROOM,)),
    Command("row-number", (), "1-9", places=(MENU,)),
    Command("row-letter", (), "A-Z", places=(MENU,)),
    # Pages.
    Command("scroll-up", ("up", "pageup", "home"), "", places=(PAGE,)),
    Command("scroll-down", ("down", "pagedown", " ", "enter", "end"), "↑↓", places=(PAGE,)),
    Command("leave-page", ("c-q", "f10", "c-c", "q"), "", places=(PAGE,)),
    Command("export", ("e",), "E", places=(SHEET, REPORT, REPLAY)),
    Command("details", ("d",), "D", places=(REPORT,)),
    Command("words-match", ("w",), "W", places=(REPORT,)),
    # The score sheet of a match that is over.
    Command("other-game", ("o",), "O", places=(SHEET, ROOM)),
    Command("replay", ("r",), "R", places=(SHEET,)),
    # A match that is over, step by step.
    Command("run", (" ",), "Space", places=(REPLAY,)),
    Command("step-back", ("left", "up", "backspace"), "←", places=(REPLAY,)),
    Command("step-on", ("right", "down", "enter", "l"), "→", places=(REPLAY,)),
    Command("first-step", ("home",), key("Home"), places=(REPLAY,)),
    Command("last-step", ("end",), key("End"), places=(REPLAY,)),
    Command("next-round", ("n", "pagedown"), "N", places=(REPLAY,)),
    Command("round-before", ("b", "pageup"), "B", places=(REPLAY,)),
    Command("story", ("tab",), "Tab", places=(REPLAY,)),
)

RANK_KEYS: Mapping[str, str] = {
    **{str(number): str(number) for number in range(2, 10)},
    "0": "T",
    "j": "J",
    "q": "Q",
    "k": "K",
    "a": "A",
    "1": "1",
}
"""Keys that jump to a rank in the hand. No command may take them, so that Q never quits."""


def key_name(_: Translator, cap: str) -> str:
    """What is printed on the key: letters are the same on every keyboard, words are not."""
    return _(cap) if cap in ("Space", "Ctrl-Q", "Home", "End") else cap


@dataclass(frozen=True, slots=True)
class KeyNames:
    """How the terminal names actions in sentences: by their keys, with the player's own."""

    changed: tuple[tuple[str, str], ...] = ()

    def worded(self, template: str) -> str:
        return template

    def name(self, _: Translator, action: str) -> str:
        if action in ("yes", "no"):  # these letters are other ones in each language
            return _(registry_with(self.changed).by_name[action].cap)
        registry = registry_with(self.changed)
        return key_name(_, registry.shown_key(registry.by_name[action]))

    def offer(self, _: Translator, action: str, what: str) -> str:
        """An action with what it does there: "D: draw two"."""
        return f"{self.name(_, action)}: {what}"


class Registry:
    """The commands with the player's own keys: `changed` maps a command's name to another key."""

    def __init__(self, changed: Mapping[str, str] | None = None) -> None:
        self.changed = dict(changed or {})
        self.by_name = {command.name: command for command in COMMANDS}
        self.by_name["play"] = self.by_name["enter"]  # called so in `[keys]`
        self._by_place: dict[tuple[str, str], Command] = {}
        # The player's own keys last: they win over what a key usually does.
        for command in sorted(COMMANDS, key=lambda command: command.name in self.changed):
            for place in command.places:
                for each in self.keys(command):
                    self._by_place[place, each] = command

    def keys(self, command: Command) -> tuple[str, ...]:
        """Its keys: the player's own first."""
        own = self.changed.get(command.name)
        if own is None or own in RANK_KEYS or len(own) != 1:
            return command.keys
        return (own, *(each for each in command.keys if len(each) > 1))

    def command(self, place: str, pressed: str) -> Command | None:
        """What a key does in a place; letters count in either case."""
        for each in (place, WITHIN.get(place, place)):
            found = self._by_place.get((each, pressed)) or self._by_place.get((each, pressed.lower()))
            if found is not None:
                return found
        return None

    def cap(self, _: Translator, name: str, label: str | None = None, action: Action | None = None) -> Cap:
        """A command as the key bar shows it."""
        command = self.by_name[name]
        shown = key_name(_, self.shown_key(command))
        text = label if label is not None else _(LABELS[name]) if name in LABELS else ""
        return Cap(shown, text, action or Action(name))

    def shown_key(self, command: Command) -> str:
        own = self.changed.get(command.name)
        return own.upper() if own and self.keys(command) != command.keys else command.cap

    def help_lines(self, _: Translator, place: str, names: Iterable[str] | None = None) -> list[tuple[str, str]]:
        """(key, what it does) for every command of a place that has a help line."""
        wanted = set(names) if names is not None else None
        return [
            (key_name(_, self.shown_key(command)), _(command.help))
            for command in COMMANDS
            if place in command.places and command.help and command.cap and (wanted is None or command.name in wanted)
        ]


@lru_cache(maxsize=4)
def registry_with(changed: tuple[tuple[str, str], ...]) -> Registry:
    """Return the commands with these keys; cached, as every redraw needs them."""
    return Registry(dict(changed))
