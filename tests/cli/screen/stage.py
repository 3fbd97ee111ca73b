"""A table before a presenter, without terminal, network or waiting: keys go in, the table moves, views come out."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from cli import news
from cli.games.shedding.table import SheddingTable
from cli.games.tichu.table import TichuTable
from cli.news import News, Player, Say, suggestion_of
from cli.terminal.canvas import Action, Canvas
from cli.terminal.render import render
from cli.terminal.screen import Screen
from cli.terminal.settings import TerminalSettings
from cli.terminal.shown import screen_of as _screens  # noqa: F401, makes all kinds of screens known
from cli.terminal.table import TableScreen
from cli.text.rules import Heading
from cli.view.effects import Advise, Effect, Leave, Play
from cli.view.inputs import Input
from cli.view.table.model import TableModel
from cli.view.views import Dialog, TableView
from protocol.cards import Card, Seat
from protocol.errors import IllegalMove
from protocol.games import LocalTable
from protocol.steps import done
from tests.cli.practice import PracticeTable

NAMES = ("Mia", "Jonas", "ハナコ", "Priya", "Sam", "Lukas", "Bot Ada", "Kurt", "Emmy", "Alan")


class Clock:
    """Time that passes when told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    def passes(self, seconds: float) -> None:
        self.now += seconds


def drawn(screen: Screen, columns: int, rows: int) -> Canvas:
    """What a screen of any kind looks like."""
    view, look = screen.picture(columns, rows)
    return render(view, columns, rows, screen.settings.shown, screen.settings.words, look)


class Stage:
    """One seat's screen at a table that is dealt in this process."""

    def __init__(
        self,
        table: LocalTable,
        seat: Seat | None = 0,
        lang: str = "en",
        names: Sequence[str] = NAMES,
        settings: TerminalSettings | None = None,
        begun: bool = True,
    ) -> None:
        game = table.game
        self.table = table
        people = tuple(range(game.seats))
        self.practice = PracticeTable(game, tuple(names[: game.seats]), people, Random(1), table=table)
        self.playing = self.practice.people[seat] if seat is not None else self.practice.watch()
        self.practice.facts = news.TableFacts(options=dict(game.options))
        self.settings = settings or TerminalSettings(lang=lang)
        self.clock = Clock()
        self.model = TableModel(
            self.playing, self.settings, self.clock, lambda _columns: [Heading("HOW TO PLAY"), "Rules " * 6]
        )
        self.parts = self.model.table
        self.screen = TableScreen(self.model, self.settings, self.clock)
        self.effects: list[Effect] = []
        if begun:
            self.hear(news.RoundBegan(1, self.playing.view()))

    # --- what happens ---

    def hear(self, *news: News) -> None:
        for each in news:
            self.screen.hear(each)
        self._carry_out()

    def moves(self, seat: Seat, move: Any) -> None:
        """Another seat (or ours, from elsewhere) moves."""
        self.practice.play(seat, self.table.game.decode(move) if isinstance(move, dict) else move)
        self._drain()
        self._carry_out()

    def _drain(self) -> None:
        while not self.playing.news.empty():
            news = self.playing.news.get_nowait()
            if news is not None:
                self.screen.hear(news)

    def _carry_out(self) -> None:
        effects = self.screen.effects
        while effects:
            effect = effects.popleft()
            self.effects.append(effect)
            if isinstance(effect, Play):
                assert self.playing.seat is not None
                try:
                    self.practice.play(self.playing.seat, effect.move)
                except IllegalMove as fault:  # pragma: no cover - a presenter that offers what the rules forbid
                    raise AssertionError(f"the screen sent an illegal move: {fault}") from fault
                self._drain()
            elif isinstance(effect, Advise):
                thought = self.playing.thought()
                advice = done(thought) if thought is not None else None
                self.screen.take(self.model.advised(suggestion_of(self.table.game, advice)))
            elif isinstance(effect, Say) and self.playing.seat is not None:
                self.hear(news.Said(self.playing.seat, effect.text))

    def send(self, *inputs: Input) -> None:
        """What any face sends to the model."""
        for each in inputs:
            self.screen.send(each)
            self._carry_out()

    def press(self, *keys: str) -> None:
        for key in keys:
            self.screen.key(key)
            self._carry_out()

    # --- what is known ---

    @property
    def log(self) -> list[str]:
        """The entries of the log."""
        return [text for text, _ink in self.parts.log.entries]

    @property
    def view(self) -> TableView:
        """The table as it is seen now."""
        view = self.model.view()
        assert isinstance(view, TableView)
        return view

    @property
    def dialog(self) -> Dialog | None:
        """The question that is open."""
        return self.parts.question.dialog()

    @property
    def chosen(self) -> tuple[Card, ...]:
        """The picked cards, in the order of picking."""
        return self.parts.hand.chosen

    @property
    def hand(self) -> list[Card]:
        """The hand in the order shown."""
        return [held.card for held in self.parts.hand.cards]

    @property
    def under(self) -> Card | None:
        """The card under the cursor."""
        each = self.screen.cursor()
        return self.parts.hand.card(each) if each is not None else None

    @property
    def tichu(self) -> TichuTable:
        """Tichu's side of the table."""
        assert isinstance(self.parts.face, TichuTable)
        return self.parts.face

    @property
    def shedding(self) -> SheddingTable:
        """The same of the shedding games."""
        assert isinstance(self.parts.face, SheddingTable)
        return self.parts.face

    def caps(self, columns: int = 80, rows: int = 24) -> dict[str, str]:
        """The key bar: what each key does."""
        _view, look = self.screen.picture(columns, rows)
        return {cap.key: cap.label for cap in look.caps}

    def click(self, action: Action, twice: bool = False) -> None:
        self.screen.click(action, twice)
        self._carry_out()

    def tick(self, seconds: float) -> None:
        self.clock.passes(seconds)
        self.screen.tick()
        self._carry_out()

    # --- what is seen ---

    def canvas(self, columns: int = 80, rows: int = 24) -> Canvas:
        return drawn(self.screen, columns, rows)

    def text(self, columns: int = 80, rows: int = 24) -> str:
        return self.canvas(columns, rows).text()

    @property
    def prompt(self) -> str:
        """The prompt line, without the last event behind it in our turn."""
        line = self.text(300, 40).splitlines()[-2].strip()
        event = f" · {self.parts.log.last_event}"
        return line.removesuffix(event) if line.startswith("YOUR TURN") else line

    @property
    def played(self) -> list[Any]:
        """The moves that left the screen, as objects."""
        return [self.table.game.encode(effect.move) for effect in self.effects if isinstance(effect, Play)]

    @property
    def left(self) -> Leave | None:
        return next((effect for effect in self.effects if isinstance(effect, Leave)), None)


def asleep(stage: Stage, seat: Seat, is_asleep: bool = True) -> None:
    """Nobody looks at this seat's phone, or somebody does again."""
    stage.practice.players[seat] = Player(stage.practice.players[seat].name, asleep=is_asleep)
    stage.hear(news.Asleep(seat, is_asleep))


def away(stage: Stage, seat: Seat) -> None:
    """This seat's link is lost."""
    stage.practice.players[seat] = Player(stage.practice.players[seat].name, away=True)
    stage.hear(news.Away(seat))
