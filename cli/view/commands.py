"""All commands of the screens: keys, labels and help lines. Key bar, help page and dispatch are made from this one list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from cli.text import Translator, key
from cli.view.inputs import Act as Action

TABLE, LIST, PAGE = "table", "list", "page"
SHEET, LOBBY, ROOM, MENU, REPORT, REPLAY = "sheet", "lobby", "room", "menu", "report", "replay"
WITHIN = {SHEET: TABLE, LOBBY: LIST, ROOM: LIST, MENU: LIST, REPORT: PAGE, REPLAY: PAGE}
"""Places that have keys of their own beside those of another."""


@dataclass(frozen=True, slots=True)
class Cap:
    """A key in the key bar: what stands on it, what it does, and what a click on it does."""

    key: str
    label: str
    action: Action
    glows: bool = False
    """Drawn to be noticed: a bomb is held."""
    is_needed: bool = False
    """Others give way to it where there is no room for all."""


@dataclass(frozen=True, slots=True)
class Command:
    """`keys` as the terminal names them; `cap` as they are shown, empty to leave the command out of key bar and help."""

    name: str
    keys: tuple[str, ...]
    cap: str
    label: str
    help: str
    places: tuple[str, ...] = (TABLE,)


COMMANDS = (
    Command("left", ("left",), "←→", "", key("move through your hand")),
    Command("right", ("right",), "", "", ""),
    Command("home", ("home",), "", "", ""),
    Command("end", ("end",), "", "", ""),
    Command("pick", (" ", "up"), key("Space"), key("pick"), key("pick the card or put it back (also Up/Down)")),
    Command("unpick", ("down",), "", "", ""),
    Command("enter", ("enter",), "Enter", key("play"), key("play the picked cards, or the card under the cursor")),
    Command("draw", ("d",), "D", key("draw"), key("draw a card, or take the penalty cards")),
    Command("pass", ("p",), "P", key("pass"), key("pass (before your turn: pass in advance)")),
    Command("call", ("o",), "O", key("one left"), key("call your last card, now or with your next play")),
    Command("tichu", ("t",), "T", key("Tichu"), key("call Tichu")),
    Command("grand", ("g",), "G", key("Grand"), key("call Grand Tichu")),
    Command(
        "bomb",
        ("b",),
        "B",
        key("bomb"),
        key("bomb: on your turn, pick one (again: the next); out of turn, play it at once"),
    ),
    Command("clear", ("x",), "X", key("clear"), key("unpick all cards (Backspace: only the last one)")),
    Command("unpick-last", ("backspace",), "", "", ""),
    Command("sort", ("s",), "S", key("sort"), key("change how your hand is sorted")),
    Command("hint", ("h",), "H", key("hint"), key("pick a legal play (press again for another)")),
    Command("chat", ("/", ":"), "/", key("chat"), key("chat (start with : for an emote)"), (TABLE, LIST)),
    Command("log", ("l", "tab"), "L", key("log"), key("show the full log")),
    Command("up", ("pageup", "pagedown"), "", "", ""),
    Command("report", ("v",), "V", key("proof"), key("show the fairness report")),
    Command("scores", ("f3",), "F3", key("scores"), key("show the scores")),
    Command("settings", ("f2",), "F2", key("settings"), key("language, colours, mouse, sound"), (TABLE, LIST, PAGE)),
    Command("big", ("+",), "+", key("big cards"), key("switch between big and normal cards")),
    Command(
        "leave",
        ("f10", "c-q", "c-c"),
        "Ctrl-Q",
        key("leave"),
        key("leave (on any screen: Ctrl-Q, F10 or Ctrl-C)"),
        (TABLE,),
    ),
    Command("escape", ("escape",), "Esc", "", ""),
    Command("repaint", ("c-l",), "", "", "", (TABLE, LIST, PAGE)),
    Command("help", ("?", "f1"), "?", key("help"), key("show keys and rules"), (TABLE, LIST, REPLAY)),
    # Lists: lobby, waiting room, settings.
    Command("row-up", ("up",), "↑↓", key("choose"), key("move through the list"), (LIST,)),
    Command("row-down", ("down",), "", "", "", (LIST,)),
    Command("row-left", ("left",), "", "", "", (LIST,)),
    Command("row-right", ("right",), "←→", key("change"), "", (LIST,)),
    Command("row-enter", ("enter",), "Enter", key("choose"), key("confirm your choice"), (LIST,)),
    Command("row-space", (" ",), "", "", "", (LIST,)),
    Command("back", ("escape",), "Esc", key("back"), key("back"), (LIST, PAGE)),
    Command(
        "quit",
        ("c-q", "f10", "c-c"),
        key("Ctrl-Q"),
        key("quit"),
        key("leave (on any screen: Ctrl-Q, F10 or Ctrl-C)"),
        (LIST,),
    ),
    Command("row-first", ("home", "pageup"), "", "", "", (LIST,)),
    Command("row-last", ("end", "pagedown"), "", "", "", (LIST,)),
    Command("resume", ("u",), "U", "", "", (LOBBY,)),
    Command("new", ("n",), "N", key("new"), "", (LOBBY,)),
    Command("address", ("c",), "C", key("address"), "", (LOBBY,)),
    Command("practise", ("b",), "B", "", "", (LOBBY,)),
    Command("records", ("r",), "R", "", "", (LOBBY,)),
    Command("name", ("y",), "Y", "", "", (LOBBY,)),
    Command("doctor", ("d",), "D", "", "", (LOBBY,)),
    Command("watch", ("w",), "W", "", "", (LOBBY,)),
    Command("bot", ("b",), "B", "", "", (ROOM,)),
    Command("send-away", ("x",), "X", "", "", (ROOM,)),
    Command("ready", ("r",), "R", "", "", (ROOM,)),
    Command("row-number", (), "1-9", "", "", (MENU,)),
    Command("row-letter", (), "A-Z", "", "", (MENU,)),
    # Pages.
    Command("scroll-up", ("up", "pageup", "home"), "", "", "", (PAGE,)),
    Command("scroll-down", ("down", "pagedown", " ", "enter", "end"), "↑↓", key("scroll"), "", (PAGE,)),
    Command("leave-page", ("c-q", "f10", "c-c", "q"), "", "", "", (PAGE,)),
    Command("export", ("e",), "E", "", "", (SHEET, REPORT, REPLAY)),
    Command("details", ("d",), "D", "", "", (REPORT,)),
    # The score sheet of a match that is over.
    Command("other-game", ("g",), "G", "", "", (SHEET,)),
    Command("replay", ("r",), "R", "", "", (SHEET,)),
    # A match that is over, step by step.
    Command("run", (" ",), "Space", "", "", (REPLAY,)),
    Command("step-back", ("left", "up", "backspace"), "←", "", "", (REPLAY,)),
    Command("step-on", ("right", "down", "enter", "l"), "→", "", "", (REPLAY,)),
    Command("first-step", ("home",), key("Home"), "", "", (REPLAY,)),
    Command("last-step", ("end",), key("End"), "", "", (REPLAY,)),
    Command("next-round", ("n", "pagedown"), "N", "", "", (REPLAY,)),
    Command("round-before", ("b", "pageup"), "B", "", "", (REPLAY,)),
    Command("story", ("tab",), "Tab", "", "", (REPLAY,)),
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
        text = label if label is not None else (_(command.label) if command.label else "")
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
