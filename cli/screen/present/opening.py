"""Opening a table: which game, how many seats and bots, which options. Also for practice against bots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from cli.clean import clean_name
from cli.screen.canvas import Action
from cli.screen.commands import LIST
from cli.screen.effects import AskText, Do, Repaint
from cli.screen.present.presenter import Clock, Presenter
from cli.screen.present.titles import game_title, option_value
from cli.screen.settings import Settings
from cli.screen.views import Cap, Frame, Line, ListView, Row
from protocol.errors import BadOption
from protocol.games.catalogue import BUILT_IN, game_class
from protocol.games.game import Option

USUAL_SEATS = 4
TIMES = (None, 20, 30, 60, 120)


@dataclass(frozen=True, slots=True)
class Plan:
    """The table that was asked for."""

    game: str
    seats: int
    bots: int
    options: dict[str, Any] = field(default_factory=dict)
    title: str = ""
    time_s: float | None = None


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
    return found


class OpeningPresenter(Presenter):
    """A list of what can be chosen; leaves as `Do("open", Plan)` or `Do("back")`."""

    place = LIST

    def __init__(
        self, settings: Settings, clock: Clock, practice: bool, title: str, games: Sequence[str] = tuple(BUILT_IN)
    ) -> None:
        super().__init__(settings, clock)
        self.practice = practice
        self.games = tuple(games)
        self.game = self.games[0]
        self.title = title
        self.seats, self.bots = USUAL_SEATS, 0
        self.time_at = 0
        self.options: dict[str, object] = {}
        self.cursor = 0
        self.notice = ""
        self._seat_bounds()

    # --- what is chosen ---

    def _seat_bounds(self) -> tuple[int, int]:
        counts = game_class(self.game).seat_counts
        low, high = min(counts), max(counts)
        self.seats = max(low, min(self.seats, high))
        self.bots = min(self.bots, self.seats - 1)
        return low, high

    @property
    def names(self) -> tuple[str, ...]:
        """The rows, by what they set."""
        first = ("open", "game", "seats") if self.practice else ("open", "game", "seats", "bots", "title", "time")
        return (*first, *(f"option {name}" for name in game_class(self.game).OPTIONS))

    @property
    def plan(self) -> Plan:
        return Plan(
            self.game,
            self.seats,
            self.seats - 1 if self.practice else self.bots,
            dict(self.options),
            self.title,
            TIMES[self.time_at],
        )

    def refusal(self) -> str:
        """Why this table cannot be opened; empty where it can."""
        from cli.plain.explain import explain

        try:
            game_class(self.game)(self.seats, self.options)
        except BadOption as fault:
            return explain(self._, fault)
        return ""

    # --- keys ---

    def command(self, name: str, pressed: str = "") -> None:
        count = len(self.names)
        self.notice = ""
        match name:
            case "row-up":
                self.cursor = (self.cursor - 1) % count
            case "row-down":
                self.cursor = (self.cursor + 1) % count
            case "row-left":
                self._change(-1)
            case "row-right" | "row-space":
                self._change(1)
            case "row-enter":
                row = self.names[self.cursor]
                if row == "open":
                    self._open()
                else:
                    self._change(1)
            case "back" | "quit":
                self.effects.append(Do("back"))
            case "settings":
                from cli.screen.present.options import SettingsPresenter

                self.overlay = SettingsPresenter(self.settings, self.clock, self._("New table"))
            case "repaint":
                self.effects.append(Repaint())
            case _other:
                pass

    def act(self, action: Action, twice: bool = False) -> None:
        if action.name == "row" and isinstance(action.arg, int):
            self.cursor = action.arg
            self.command("row-enter")
        else:
            self.command(action.name)

    def _open(self) -> None:
        refused = self.refusal()
        if refused:
            self.notice = refused
        else:
            self.effects.append(Do("open", self.plan))

    def _change(self, by: int) -> None:
        match self.names[self.cursor]:
            case "game":
                at = (self.games.index(self.game) + by) % len(self.games)
                self.game, self.options = self.games[at], {}
                self._seat_bounds()
            case "seats":
                low, high = self._seat_bounds()
                self.seats = low + (self.seats - low + by) % (high - low + 1)
                self.bots = min(self.bots, self.seats - 1)
            case "bots":
                self.bots = (self.bots + by) % self.seats
            case "title":
                self.effects.append(AskText(self._("Name of the table"), self._titled, self.title))
            case "time":
                self.time_at = (self.time_at + by) % len(TIMES)
            case "open":
                if by > 0:
                    self._open()
            case row:
                name = row.removeprefix("option ")
                option = game_class(self.game).OPTIONS[name]
                values = list(steps(option))
                now = self.options.get(name, option.default)
                at = next((at for at, each in enumerate(values) if each == now and type(each) is type(now)), 0)
                self.options[name] = values[(at + by) % len(values)]

    def _titled(self, text: str) -> None:
        self.title = clean_name(text, self.title)

    # --- the view ---

    def own_view(self, columns: int, rows: int) -> ListView:
        _ = self._
        kind = game_class(self.game)
        seats_text = _.n("{n} seat", "{n} seats", self.seats)
        shown: list[Row] = []
        for name in self.names:
            match name:
                case "open":
                    begin = _("Begin to play") if self.practice else _("Open the table")
                    shown.append(Row((begin, "Enter"), ink="strong"))
                case "game":
                    shown.append(Row((_("Game"), game_title(_, self.game)), gap=True))
                case "seats":
                    text = _("{seats}, all others are bots", seats=seats_text) if self.practice else seats_text
                    shown.append(Row((_("Players"), text)))
                case "bots":
                    shown.append(Row((_("Bots among them"), str(self.bots))))
                case "title":
                    shown.append(Row((_("Name of the table"), self.title)))
                case "time":
                    time_s = TIMES[self.time_at]
                    text = _("no limit") if time_s is None else _("{n} s a turn", n=time_s)
                    shown.append(Row((_("Time"), text)))
                case row:
                    option_name = row.removeprefix("option ")
                    option = kind.OPTIONS[option_name]
                    value = self.options.get(option_name, option.default)
                    is_first = option_name == next(iter(kind.OPTIONS))
                    shown.append(Row((_(option.text) or option_name, option_value(_, value)), gap=is_first))
        refused = self.notice or self.refusal()
        facts: tuple[Line, ...] = ()
        name = self.names[self.cursor]
        if name.startswith("option "):
            facts = (((_(kind.OPTIONS[name.removeprefix("option ")].text), "text"),),)
        return ListView(
            Frame(
                _("Practise against bots") if self.practice else _("New table"),
                prompt=refused or self._prompt(name),
                mood="no" if refused else "turn",
                caps=(
                    self.cap("row-up"),
                    Cap("←→", _("change"), Action("row-right")),
                    self.cap("row-enter", _("open") if name == "open" else _("change")),
                    self.cap("back"),
                ),
            ),
            game_title(_, self.game),
            rows=tuple(shown),
            widths=(9, 4),
            cursor=self.cursor,
            facts=facts,
        )

    def _prompt(self, name: str) -> str:
        if name == "open":
            if self.practice:
                return self._("Enter begins · ↓ chooses the game")
            return self._("Enter opens the table · ↓ chooses the game")
        return self._("←→ changes · ↑ to the first row, Enter opens")
