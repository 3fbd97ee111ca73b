"""Opening a table: which game, how many seats and bots, which options. Also for practice against bots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from typing import Any

from cli.clean import clean_name
from cli.games.explain import explain
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
from cli.text import key
from cli.view.choosing import Alternative, ChoiceModel
from cli.view.effects import AskText, ShowModel, Tell
from cli.view.inputs import Act, Choose, Input, Type
from cli.view.listing import ListModel
from cli.view.model import Effects
from cli.view.page import rules_of
from cli.view.settings import Settings
from cli.view.views import Frame, Line, ListView, Offer, Row
from protocol.errors import BadOption
from protocol.games.catalogue import game_class, game_names
from protocol.games.game import AnyGame, Option
from protocol.games.options import option_values, spelled
from protocol.values import dataclass

USUAL_SEATS = 4
MOST_MADE = 8
"""So many games are kept: one view asks for three or four of them."""
TIMES = (None, 20, 30, 60, 120)
BY_THE_PLAYERS = {"hand": "hand_size", "decks": "decks"}
"""Options that a game settles by its seats where nobody does, and where it tells what came of that."""
SUGGEST = key("Everyone sees who gets suggestions ({@hint}, set under {@settings}).")
REMIND = key("Remind players who are about to forget to call their last card?")
NO_PROPOSALS = key("{@hint} shows legal plays but doesn’t suggest one.")


@dataclass(frozen=True, slots=True)
class OpeningPlan:
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


def read_note(text: str, games: Sequence[str]) -> OpeningPlan | None:
    """What `noted` wrote; None for anything that could not be opened now."""
    game, *rest = text.split() or [""]
    if game not in games or not rest or not rest[0].isdecimal() or len(rest[0]) > 2:
        return None
    kind = game_class(game)
    pairs = tuple((name, value) for name, _sign, value in (each.partition("=") for each in rest[1:]))
    try:
        options = option_values(kind.OPTIONS, pairs)
        kind(int(rest[0]), options)
    except BadOption:
        return None
    return OpeningPlan(game, int(rest[0]), 0, options)


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


class OpeningModel(ListModel):
    """A form of what can be chosen; leaves as `Do("open", Plan)` or `Do("back")`. The rows are called by what they set, those
    of the game's options "option NAME"."""

    def __init__(self, settings: Settings, practice: bool, title: str, games: Sequence[str] = ()) -> None:
        super().__init__(settings)
        self.practice = practice
        self.games = tuple(games) or game_names()
        self.game = self.games[0]
        self.table = title
        self.seats, self.bots = USUAL_SEATS, 0
        self._wished = USUAL_SEATS
        """The seats that were asked for: a game that is always for four does not forget them."""
        self.time_at = 0
        self.suggest = self.remind = True
        self.options: dict[str, object] = {}
        self._made: dict[tuple[str, int, str], AnyGame] = {}
        """By name, seats and options: every row asks for one of a few games."""
        if (last := read_note(settings.last_table, self.games)) is not None:
            self.game, self._wished, self.options = last.game, last.seats, dict(last.options)
        self._fit_seats()

    # --- what is chosen ---

    @property
    def _kind(self) -> type[AnyGame]:
        return game_class(self.game)

    def _with(self, options: Mapping[str, object]) -> AnyGame:
        """The game for these seats. Raises BadOption."""
        which = self.game, self.seats, repr(options)  # True is not 1 here, and a list may stand in what was remembered
        if which not in self._made:
            if len(self._made) >= MOST_MADE:
                self._made.clear()
            self._made[which] = self._kind(self.seats, options)
        return self._made[which]

    def _fit_seats(self) -> None:
        counts = self._kind.seat_counts
        self.seats = max(min(counts), min(self._wished, max(counts)))
        self.bots = min(self.bots, self.seats - 1)

    @property
    def _has_fixed_seats(self) -> bool:
        return len(set(self._kind.seat_counts)) == 1

    @property
    def names(self) -> tuple[str, ...]:
        """The rows, by what they set."""
        first: tuple[str, ...] = ("open", "game", "seats")
        if not self.practice:
            first = (*first, "bots", "title", "time", "suggest")
        last = ("remind",) if self._word_costs and not self.practice else ()  # comes and goes: no row may move for it
        return (*first, *(f"option {name}" for name in self._kind.OPTIONS), *last)

    @property
    def _word_costs(self) -> bool:
        return word_costs(self.game, self._all_options())

    def _all_options(self) -> dict[str, object]:
        """Those that are set, and the defaults of all others."""
        return {name: option.default for name, option in self._kind.OPTIONS.items()} | self.options

    @property
    def plan(self) -> OpeningPlan:
        return OpeningPlan(
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
        try:
            self._with(self.options)
        except BadOption as fault:
            fields = dict(fault.fields)
            named, declared = str(fields.get("option")), game_class(self.game).OPTIONS
            if named in declared:  # as its row is called
                fields["option"] = option_label(self._, named, declared[named])
            return explain(self._, BadOption(fault.template, **fields))
        return ""

    def _value(self, name: str) -> object:
        """What an option is as things stand: where it is not set itself, another one may set it."""
        if name in self.options:
            return self.options[name]
        with suppress(BadOption):
            usual: object = self._with({}).options[name]
            held: object = self._with(self.options).options[name]
            if held != usual:
                return held
        return self._kind.OPTIONS[name].default

    # --- inputs ---

    def update(self, given: Input) -> Effects:
        match given:
            case Choose("open"):
                return self._open()
            case Choose("game"):
                return (ShowModel(self.list_of_games()),)
            case Choose(str() as row):
                return self._change(row, 1, begins_anew=True)
            case Act("change", (str() as row, int() as by)):
                return self._change(row, by)
            case Act("set", (str() as row, int() as number)):
                return self._set(row, number)
            case Act("back" | "quit"):
                return (Do("back"),)
            case Type(text, "title"):
                self.table = clean_name(text, self.table)
                return ()
            case _other:
                return super().update(given)

    def _open(self) -> Effects:
        if refused := self.refusal():
            return (Tell(refused, is_no=True),)
        self.settings.last_table = noted(self.game, self.seats, self.options)
        self.settings.save()
        return (Do("open", self.plan),)

    def list_of_games(self) -> ChoiceModel:
        """All games below each other; the last answer keeps the one that is set."""
        answers = [Alternative(name, game_title(self._, name)) for name in self.games]
        keep = Alternative("", self._("Keep {game}", game=game_title(self._, self.game)))
        return ChoiceModel(self.settings, self._("Which game?"), (*answers, keep), self.set_game, self.game)

    def set_game(self, name: str) -> None:
        if name and name != self.game:
            self.game, self.options = name, {}
            self._fit_seats()

    def _set(self, row: str, number: int) -> Effects:
        """A number that the row offers."""
        if row == "seats":
            self._wished = number
            self._fit_seats()
        elif row == "bots":
            self.bots = number
        else:
            name = row.removeprefix("option ")
            is_usual = number == self._made_by_players(name) and None in self._steps(name)
            self.options[name] = None if is_usual else number
            self._let_hold(name)
        return ()

    def _change(self, row: str, by: int, begins_anew: bool = False) -> Effects:
        match row:
            case "game":
                self.set_game(self.games[(self.games.index(self.game) + by) % len(self.games)])
            case "seats" if self._has_fixed_seats:
                return (Tell(self._("This game always has {n} players.", n=self.seats), is_no=True),)
            case "seats":
                counts = self._kind.seat_counts
                self._wished, told = self._next(self.seats, by, min(counts), max(counts), begins_anew)
                self._fit_seats()
                return told
            case "bots":
                self.bots, told = self._next(self.bots, by, 0, self.seats - 1, begins_anew)
                return told
            case "title":
                needed = self._("Type a name ({@back:keep the old one})")
                return (AskText(self._("Table name"), initial=self.table, needed=needed, field=row),)
            case "time":
                self.time_at = (self.time_at + by) % len(TIMES)
            case "suggest":
                self.suggest = not self.suggest
            case "remind":
                self.remind = not self.remind
            case "open":
                return (Tell(self._("To start, press {@row-enter}. You can change the rows below."), is_no=True),)
            case _option:
                return self._change_option(row.removeprefix("option "), by, begins_anew)
        return ()

    def _change_option(self, name: str, by: int, begins_anew: bool) -> Effects:
        values, now = self._steps(name), self._value(name)
        at = next((at for at, each in enumerate(values) if each == now and type(each) is type(now)), 0)
        told: Effects = ()
        if is_number(self._kind.OPTIONS[name]):
            at, told = self._next(at, by, 0, len(values) - 1, begins_anew)
        else:
            at = (at + by) % len(values)
        self.options[name] = values[at]
        self._let_hold(name)
        return told

    def _next(self, now: int, by: int, low: int, high: int, begins_anew: bool) -> tuple[int, Effects]:
        """A number one further; at its end it stays, and that is said, or it begins anew."""
        if low <= now + by <= high:
            return now + by, ()
        if begins_anew:
            return low, ()
        return now, (Tell(self._("That’s the limit."), is_no=True),)

    def _steps(self, name: str) -> list[object]:
        """What this row can be, in the order of ←→. A number that is left to the players stands where it comes to: fewer cards
        are to the left of it, more to the right."""
        found = list(steps(self._kind.OPTIONS[name]))
        usual = self._made_by_players(name)
        if usual is not None and None in found and self.options.get(name) != usual:
            found.remove(None)
            found = [None if each == usual else each for each in found]
        return found

    def _numbers(self, row: str) -> tuple[int, ...]:
        """What a row can be set to at once."""
        if row == "seats":
            return tuple(self._kind.seat_counts)
        if row == "bots":
            return tuple(range(self.seats))
        name = row.removeprefix("option ")
        if name == row or not is_number(self._kind.OPTIONS[name]):
            return ()
        found, usual = self._steps(name), self._made_by_players(name)
        return tuple(each for each in ([*found, usual] if None in found else found) if isinstance(each, int))

    def _let_hold(self, name: str) -> None:
        """A row that sets others takes them back from who set them before: what it says holds."""
        with suppress(BadOption):
            usual, held = self._with({}).options, self._with({name: self.options[name]}).options
            for other in [each for each in self.options if each != name and held[each] != usual[each]]:
                del self.options[other]

    def _made_by_players(self, name: str) -> int | None:
        """The number that this row comes to where it is left to the number of players."""
        if name not in BY_THE_PLAYERS:
            return None
        with suppress(BadOption):
            game = self._with({**self.options, name: None})
            if isinstance(number := getattr(game, BY_THE_PLAYERS[name], None), int):
                return number
        return None

    # --- the view ---

    def title(self) -> str:
        return self._("Practise against bots") if self.practice else self._("New table")

    def help_keys(self) -> list[tuple[str, str]]:
        return [
            ("row-right", self._("change the value (so does {@row-enter}; for the game it opens a list)")),
            ("row-enter", self._("in the top row: start")),
        ]

    def help_text(self) -> Sequence[Line]:
        """The rules as they are set now."""
        with suppress(BadOption):
            return rules_of(self._, self._with(self.options))
        return ()

    def view(self) -> ListView:
        refused = self.refusal()
        return ListView(
            "opening",
            Frame(
                self.title(),
                prompt=refused,
                mood="no" if refused else "turn",
                actions=(Offer("settings"), Offer("back", is_needed=True)),
            ),
            game_title(self._, self.game),
            rows=tuple(self._row(name) for name in self.names),
        )

    def _row(self, name: str) -> Row:
        _ = self._
        cells: tuple[str, ...]
        label, prompt = "", _("{@row-right:change} · {@row-first:top row, to start}")
        about, can_change, ink, starts = "", True, "text", False
        match name:
            case "open":
                cells = (_("Start playing") if self.practice else _("Open the table"),)
                label, can_change, ink = _("begin"), False, "strong"
                prompt = (
                    _("{@row-enter:start} · {@row-down:choose a game}")
                    if self.practice
                    else _("{@row-enter:open the table} · {@row-down:choose a game}")
                )
            case "game":
                cells, label, starts = (_("Game"), game_title(_, self.game)), _("all games"), True
                prompt = _("{@row-right:change} · {@row-enter:list all games}")
            case "seats":
                seats = (
                    _.n("you and {n} bot", "you and {n} bots", self.seats - 1)
                    if self.practice
                    else _.n("{n} seat", "{n} seats", self.seats)
                )
                cells = (_("Players"), seats)
                if self._has_fixed_seats:
                    can_change, prompt = False, _("This game always has {n} players.", n=self.seats)
            case "bots":
                cells = (_("Bots"), str(self.bots))
            case "title":
                cells, label = (_("Table name"), self.table), _("type a name")
                can_change, prompt = False, _("{@row-enter:change the name}")
            case "time":
                cells = (_(SPEED), time_words(_, 1000 * (TIMES[self.time_at] or 0)))
            case "suggest":
                cells = (_(HINTS), suggest_words(_, self.suggest))
                about = _(SUGGEST if self.suggest else NO_PROPOSALS)
            case "remind":
                cells, about = (_(WORD), remind_words(_, self.remind)), _(REMIND)
            case _option:
                return self._option_row(name.removeprefix("option "), prompt)
        told: tuple[Line, ...] = (((about, "text"),),) if about else ()
        numbers = self._numbers(name)
        return Row(name, cells, (), label, prompt, told, can_change, numbers, ink, starts)

    def _option_row(self, name: str, prompt: str) -> Row:
        _, options, value = self._, self._kind.OPTIONS, self._value(name)
        told = option_words(_, options[name], value, self._all_options())
        if value is None and (number := self._made_by_players(name)) is not None:
            told = _("{n} (standard for {seats})", n=number, seats=self.seats)
        row = f"option {name}"
        return Row(
            row,
            (option_label(_, name, options[name]), told),
            prompt=prompt,
            about=(((option_about(_, options[name]), "text"),),),
            can_change=True,
            numbers=self._numbers(row),
            starts_group=name == next(iter(options)),
        )
