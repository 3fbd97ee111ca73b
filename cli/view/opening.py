"""Opening a table: which game, how many seats and bots, which options. Also for practice against bots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from cli.clean import clean_name
from cli.games.options import (
    HINTS,
    SPEED,
    WORD,
    option_about,
    option_label,
    option_words,
    remind_words,
    suggest_words,
    time_words,
    word_costs,
)
from cli.games.titles import game_title
from cli.news import Do
from cli.requests import option_values
from cli.terminal.canvas import Action
from cli.text import key
from cli.view.choosing import Answer, ChoicePresenter
from cli.view.effects import AskText
from cli.view.listing import ListPresenter
from cli.view.presenter import Clock
from cli.view.settings import Settings
from cli.view.views import Cap, Frame, Line, ListView, Row
from protocol.errors import BadOption
from protocol.games.catalogue import BUILT_IN, game_class
from protocol.games.game import Option
from protocol.games.options import spelled

USUAL_SEATS = 4
TIMES = (None, 20, 30, 60, 120)
BY_THE_PLAYERS = {"hand": "hand_size", "decks": "decks"}
"""Options that a game settles by its seats where nobody does, and where it tells what came of that."""
TABLE_ROWS = {
    "suggest": key("All see who has plays proposed (H, as set in F2)."),
    "remind": key("Asked before a play that leaves the word unsaid?"),
}

NO_PROPOSALS = key("H shows which plays the rules allow, and proposes none of them.")


@dataclass(frozen=True, slots=True)
class Plan:
    """The table that was asked for."""

    game: str
    seats: int
    bots: int
    options: dict[str, Any] = field(default_factory=dict)
    title: str = ""
    time_s: float | None = None
    suggest: bool = True
    remind: bool = True


def noted(game: str, seats: int, options: Mapping[str, Any]) -> str:
    """The game with its seats and options in a line, to begin with the next time: "tichu 4 target=0"."""
    return " ".join((game, str(seats), *(f"{name}={spelled(value)}" for name, value in options.items())))


def read_note(text: str, games: Sequence[str]) -> Plan | None:
    """What `noted` wrote; None for anything that could not be opened now."""
    game, *rest = text.split() or [""]
    if game not in games or not rest or not rest[0].isdecimal() or len(rest[0]) > 2:
        return None
    kind = game_class(game)
    pairs = tuple((name, value) for name, _sign, value in (each.partition("=") for each in rest[1:]))
    try:
        options = option_values(kind, pairs)
        kind(int(rest[0]), options)
    except BadOption:
        return None
    return Plan(game, int(rest[0]), 0, options)


def steps(option: Option) -> Sequence[object]:
    """What an option may be, in the order in which ←→ goes through it."""
    found: list[object] = list(option.values)
    if option.low is not None and option.high is not None:
        if option.high - option.low <= 20:
            found += range(option.low, option.high + 1)
        else:
            rounded = (0, 50, 100, 150, 200, 250, 300, 500, 1000, 2000)
            found += [each for each in rounded if option.low <= each <= option.high]
    if option.none and None not in found:
        found.insert(0, None)
    if option.default not in found:
        found.insert(0, option.default)
    if is_number(option):
        found.sort(key=lambda each: (isinstance(each, int), each if isinstance(each, int) else 0))
    return found


def is_number(option: Option) -> bool:
    """Whether ←→ raises and lowers it: that ends at either end, while words begin anew."""
    return option.low is not None and option.high is not None


class OpeningPresenter(ListPresenter):
    """A list of what can be chosen; leaves as `Do("open", Plan)` or `Do("back")`."""

    def __init__(
        self, settings: Settings, clock: Clock, practice: bool, title: str, games: Sequence[str] = tuple(BUILT_IN)
    ) -> None:
        super().__init__(settings, clock)
        self.practice = practice
        self.games = tuple(games)
        self.game = self.games[0]
        self.table = title
        self.seats, self.bots = USUAL_SEATS, 0
        self._wished = USUAL_SEATS
        """The seats that were asked for: a game that is always for four does not forget them."""
        self.time_at = 0
        self.suggest = self.remind = True
        self.options: dict[str, object] = {}
        if (last := read_note(settings.last_table, self.games)) is not None:
            self.game, self._wished, self.options = last.game, last.seats, dict(last.options)
        self._seat_bounds()

    # --- what is chosen ---

    def _seat_bounds(self) -> tuple[int, int]:
        counts = game_class(self.game).seat_counts
        low, high = min(counts), max(counts)
        self.seats = max(low, min(self._wished, high))
        self.bots = min(self.bots, self.seats - 1)
        return low, high

    @property
    def names(self) -> tuple[str, ...]:
        """The rows, by what they set."""
        first: tuple[str, ...] = ("open", "game", "seats")
        if not self.practice:
            first = (*first, "bots", "title", "time", "suggest")
        last = ("remind",) if self._word_costs and not self.practice else ()  # comes and goes: no row may move for it
        return (*first, *(f"option {name}" for name in game_class(self.game).OPTIONS), *last)

    @property
    def _word_costs(self) -> bool:
        defaults = {name: option.default for name, option in game_class(self.game).OPTIONS.items()}
        return word_costs(self.game, defaults | self.options)

    @property
    def plan(self) -> Plan:
        return Plan(
            self.game,
            self.seats,
            self.seats - 1 if self.practice else self.bots,
            dict(self.options),
            self.table,
            TIMES[self.time_at],
            self.suggest,
            self.remind or not self._word_costs,
        )

    def refusal(self) -> str:
        """Why this table cannot be opened; empty where it can."""
        from cli.games.explain import explain

        try:
            game_class(self.game)(self.seats, self.options)
        except BadOption as fault:
            fields = dict(fault.fields)
            if isinstance(named := fields.get("option"), str):  # as its row is called
                fields["option"] = option_label(self._, named)
            return explain(self._, BadOption(fault.template, **fields))
        return ""

    def _value(self, name: str) -> object:
        """What an option is as things stand: where it is not set itself, another one may set it."""
        if name in self.options:
            return self.options[name]
        with suppress(BadOption):
            kind = game_class(self.game)
            usual: object = kind(self.seats).options[name]
            held: object = kind(self.seats, self.options).options[name]
            if held != usual:
                return held
        return game_class(self.game).OPTIONS[name].default

    # --- keys ---

    def count(self) -> int:
        return len(self.names)

    def turn(self, by: int) -> bool:
        self._change(by)
        return True

    def enter(self) -> None:
        if self.names[self.cursor] == "open":
            self._open()
        elif self.names[self.cursor] == "game":
            self.list_games()
        else:
            self._change(1, begins_anew=True)

    def other(self, pressed: str) -> None:
        if not (len(pressed) == 1 and pressed.isdecimal() and self._typed(int(pressed))):
            super().other(pressed)

    def _typed(self, digit: int) -> bool:
        """A digit sets a row of numbers at once; False where it is none of them."""
        match self.names[self.cursor]:
            case "seats" if (digit or 10) in game_class(self.game).seat_counts:
                self._wished = self.seats = digit or 10
                self._seat_bounds()
            case "bots" if digit < self.seats:
                self.bots = digit
            case row if row.startswith("option "):
                name = row.removeprefix("option ")
                found = self._steps(name)
                wanted = None if digit == self._made_by_players(name) and None in found else digit
                if not is_number(game_class(self.game).OPTIONS[name]) or wanted not in found:
                    return False
                self.options[name] = wanted
                self._let_hold(name)
            case _other:
                return False
        return True

    def list_games(self) -> None:
        """All games below each other; the last answer keeps the one that is set."""
        answers = [Answer(name, game_title(self._, name)) for name in self.games]
        keep = Answer("", self._("Back, keep {game}", game=game_title(self._, self.game)))
        listed = ChoicePresenter(self.settings, self.clock, self._("Which game?"), (*answers, keep))
        listed.cursor = self.games.index(self.game)
        self.overlay = listed

    def _look_after(self) -> None:
        """The answer of the list of games is taken here; all else goes on to the session."""
        super()._look_after()
        chosen = next((each for each in self.effects if isinstance(each, Do) and each.name == "chosen"), None)
        if chosen is None:
            return
        self.effects.remove(chosen)
        self.overlay = None
        if chosen.about:
            self._set_game(str(chosen.about))

    def _set_game(self, name: str) -> None:
        if name != self.game:
            self.game, self.options = name, {}
            self._seat_bounds()

    def back(self) -> None:
        self.effects.append(Do("back"))

    def clicked(self, place: int, twice: bool) -> None:
        self.cursor = place
        self.enter()

    def title(self) -> str:
        return self._("Practise against bots") if self.practice else self._("New table")

    def help_keys(self) -> list[tuple[str, str]]:
        return [
            ("←→", self._("change the row; Enter, too, and lists the games")),
            ("Enter", self._("on the first row: begin")),
        ]

    def help_text(self, columns: int) -> tuple[Line, ...]:
        """The rules as they are set now."""
        from cli.games.rules_page import rules_lines

        try:
            game = game_class(self.game)(self.seats, self.options)
        except BadOption:
            return ()
        lines = rules_lines(self._, game, self.seats, columns)
        return tuple(((line, "gold" if line.isupper() else "text"),) for line in lines)

    def _open(self) -> None:
        refused = self.refusal()
        if refused:
            self.say(refused, True)
        else:
            self.settings.last_table = noted(self.game, self.seats, self.options)
            self.settings.save()
            self.effects.append(Do("open", self.plan))

    def _next(self, now: int, by: int, low: int, high: int, begins_anew: bool) -> int:
        """A number one further; at its end it stays, and that is said, or it begins anew."""
        if low <= now + by <= high:
            return now + by
        if begins_anew:
            return low
        self.say(self._("No further that way: {key} goes back.", key="→" if by < 0 else "←"), True)
        return now

    def _change(self, by: int, begins_anew: bool = False) -> None:
        match self.names[self.cursor]:
            case "game":
                self._set_game(self.games[(self.games.index(self.game) + by) % len(self.games)])
            case "seats":
                low, high = self._seat_bounds()
                if low == high:
                    self.say(self._("This game is always for {n}.", n=low), True)
                else:
                    self._wished = self.seats = self._next(self.seats, by, low, high, begins_anew)
                self.bots = min(self.bots, self.seats - 1)
            case "bots":
                self.bots = self._next(self.bots, by, 0, self.seats - 1, begins_anew)
            case "title":
                needed = self._("A name is needed (Esc: the old one)")
                self.effects.append(AskText(self._("Name of the table"), self._titled, self.table, needed=needed))
            case "time":
                self.time_at = (self.time_at + by) % len(TIMES)
            case "suggest":
                self.suggest = not self.suggest
            case "remind":
                self.remind = not self.remind
            case "open":
                self.say(self._("Enter begins; the rows below can be changed."), True)
            case row:
                name = row.removeprefix("option ")
                option = game_class(self.game).OPTIONS[name]
                values = self._steps(name)
                now = self._value(name)
                at = next((at for at, each in enumerate(values) if each == now and type(each) is type(now)), 0)
                if is_number(option):
                    self.options[name] = values[self._next(at, by, 0, len(values) - 1, begins_anew)]
                else:
                    self.options[name] = values[(at + by) % len(values)]
                self._let_hold(name)

    def _steps(self, name: str) -> list[object]:
        """What this row can be, in the order of ←→. A number that is left to the players stands where it comes to: fewer cards
        are to the left of it, more to the right."""
        found = list(steps(game_class(self.game).OPTIONS[name]))
        usual = self._made_by_players(name)
        if usual is not None and None in found and self.options.get(name) != usual:
            found.remove(None)
            found = [None if each == usual else each for each in found]
        return found

    def _let_hold(self, name: str) -> None:
        """A row that sets others takes them back from who set them before: what it says holds."""
        with suppress(BadOption):
            kind = game_class(self.game)
            usual, held = kind(self.seats).options, kind(self.seats, {name: self.options[name]}).options
            for other in [each for each in self.options if each != name and held[each] != usual[each]]:
                del self.options[other]

    def _by_the_players(self, name: str, value: object) -> str:
        """What the number of players makes of a row that is left to it; empty for all others."""
        number = self._made_by_players(name) if value is None else None
        return self._("{n}, usual for {seats} players", n=number, seats=self.seats) if number is not None else ""

    def _made_by_players(self, name: str) -> int | None:
        """The number that this row comes to where it is left to the number of players."""
        if name not in BY_THE_PLAYERS:
            return None
        with suppress(BadOption):
            game = game_class(self.game)(self.seats, {**self.options, name: None})
            if isinstance(number := getattr(game, BY_THE_PLAYERS[name], None), int):
                return number
        return None

    def _titled(self, text: str) -> None:
        self.table = clean_name(text, self.table)

    # --- the view ---

    def own_view(self, columns: int, rows: int) -> ListView:
        _ = self._
        kind = game_class(self.game)
        seats_text = (
            _.n("you and {n} bot", "you and {n} bots", self.seats - 1)
            if self.practice
            else _.n("{n} seat", "{n} seats", self.seats)
        )
        is_fixed = len(set(kind.seat_counts)) == 1
        shown: list[Row] = []
        for name in self.names:
            match name:
                case "open":
                    begin = _("Begin to play") if self.practice else _("Open the table")
                    shown.append(Row((begin, "Enter"), ink="strong"))
                case "game":
                    shown.append(Row((_("Game"), game_title(_, self.game)), gap=True))
                case "seats":
                    shown.append(Row((_("Players"), seats_text)))
                case "bots":
                    shown.append(Row((_("Bots among them"), str(self.bots))))
                case "title":
                    shown.append(Row((_("Name of the table"), self.table)))
                case "time":
                    shown.append(Row((_(SPEED), time_words(_, 1000 * (TIMES[self.time_at] or 0)))))
                case "suggest":
                    shown.append(Row((_(HINTS), suggest_words(_, self.suggest))))
                case "remind":
                    shown.append(Row((_(WORD), remind_words(_, self.remind))))
                case row:
                    option_name = row.removeprefix("option ")
                    value = self._value(option_name)
                    is_first = option_name == next(iter(kind.OPTIONS))
                    words = self._by_the_players(option_name, value)
                    words = words or option_words(_, option_name, value, self.options)
                    shown.append(Row((option_label(_, option_name), words), gap=is_first))
        refused = self.notice or self.refusal()
        is_no = self.notice_is_no if self.notice else bool(refused)
        facts: tuple[Line, ...] = ()
        name = self.names[self.cursor]
        if name in TABLE_ROWS:
            about = TABLE_ROWS[name] if name != "suggest" or self.suggest else NO_PROPOSALS
            facts = (((_(about), "text"),),)
        if name.startswith("option "):
            option_name = name.removeprefix("option ")
            facts = (((option_about(_, option_name, kind.OPTIONS[option_name]), "text"),),)
        return ListView(
            Frame(
                self.title(),
                prompt=refused or self._prompt(name),
                mood="no" if is_no else "turn",
                caps=(
                    self.cap("row-up"),
                    self.cap("row-enter", _("begin"))
                    if name == "open"
                    else Cap("Enter", _("type a name"), Action("row-enter"))
                    if name == "title"
                    else Cap("Enter", _("all games"), Action("row-enter"))
                    if name == "game"
                    else self.cap("settings")
                    if name == "seats" and is_fixed
                    else Cap("←→", _("change"), Action("row-right")),
                    *(() if name == "seats" and is_fixed else (self.cap("settings"),)),
                    replace(self.cap("back"), is_needed=True),
                ),
                help=self.cap("help"),
            ),
            game_title(_, self.game),
            rows=tuple(shown),
            widths=(5, 4),
            cursor=self.cursor,
            facts=facts,
        )

    def _prompt(self, name: str) -> str:
        if name == "open":
            if self.practice:
                return self._("Enter begins · ↓ chooses the game")
            return self._("Enter opens the table · ↓ chooses the game")
        if name == "game":
            return self._("←→ changes · Enter lists all games")
        if name == "seats" and min(counts := game_class(self.game).seat_counts) == max(counts):
            return self._("This game is always for {n}.", n=min(counts))
        if name == "title":
            return self._("Enter lets you type another name")
        return self._("←→ changes · Home: to the first row, to begin")
