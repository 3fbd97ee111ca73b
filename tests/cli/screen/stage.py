"""A table before a presenter, without terminal, network or waiting: keys go in, the table moves, views come out."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from cli import news
from cli.client.practice import PracticeTable
from cli.news import News, Player, Say
from cli.terminal.canvas import Action, Canvas
from cli.terminal.render import render
from cli.view.effects import Advise, Effect, Leave, Play
from cli.view.settings import Settings
from cli.view.table.presenter import TablePresenter
from protocol.cards import Seat
from protocol.errors import IllegalMove
from protocol.games import LocalTable

NAMES = ("Mia", "Jonas", "ハナコ", "Priya", "Sam", "Lukas", "Bot Ada", "Kurt", "Emmy", "Alan")


class Clock:
    """Time that passes when told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    def passes(self, seconds: float) -> None:
        self.now += seconds


class Stage:
    """One seat's screen at a table that is dealt in this process."""

    def __init__(
        self,
        table: LocalTable,
        seat: Seat | None = 0,
        lang: str = "en",
        names: Sequence[str] = NAMES,
        settings: Settings | None = None,
        begun: bool = True,
    ) -> None:
        game = table.game
        self.table = table
        people = tuple(range(game.seats))
        self.practice = PracticeTable(game, tuple(names[: game.seats]), people, Random(1), table=table)
        self.playing = self.practice.people[seat] if seat is not None else self.practice.watch()
        self.practice.facts = news.TableFacts(options=dict(game.options))
        self.settings = settings or Settings(lang=lang)
        self.clock = Clock()
        self.presenter = TablePresenter(
            self.playing, self.settings, self.clock, lambda columns: ["HOW TO PLAY", "Rules " * (columns // 6)]
        )
        self.effects: list[Effect] = []
        if begun:
            self.hear(news.RoundBegan(1, self.playing.view()))

    # --- what happens ---

    def hear(self, *news: News) -> None:
        for each in news:
            self.presenter.hear(each)
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
                self.presenter.hear(news)

    def _carry_out(self) -> None:
        effects = self.presenter.effects
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
                move = thought() if thought is not None else None
                self.presenter.advised(None if move is None else self.table.game.encode(move))
            elif isinstance(effect, Say) and self.playing.seat is not None:
                self.hear(news.Said(self.playing.seat, effect.text))

    def press(self, *keys: str) -> None:
        for key in keys:
            self.presenter.key(key)
            self._carry_out()

    def click(self, action: Action, twice: bool = False) -> None:
        self.presenter.click(action, twice)
        self._carry_out()

    def tick(self, seconds: float) -> None:
        self.clock.passes(seconds)
        self.presenter.tick()
        self._carry_out()

    # --- what is seen ---

    def canvas(self, columns: int = 80, rows: int = 24) -> Canvas:
        view = self.presenter.view(columns, rows)
        return render(view, columns, rows, self.settings.shown, self.settings.words)

    def text(self, columns: int = 80, rows: int = 24) -> str:
        return self.canvas(columns, rows).text()

    @property
    def prompt(self) -> str:
        """The prompt line, without the last event behind it in our turn."""
        line = self.text(300, 40).splitlines()[-2].strip()
        event = f" · {self.presenter.last_event}"
        return line.removesuffix(event) if line.startswith("YOUR TURN") else line

    @property
    def played(self) -> list[Any]:
        """The moves that left the screen, as objects."""
        return [self.table.game.encode(effect.move) for effect in self.effects if isinstance(effect, Play)]

    @property
    def left(self) -> Leave | None:
        return next((effect for effect in self.effects if isinstance(effect, Leave)), None)


def away(stage: Stage, seat: Seat) -> None:
    """This seat's link is lost."""
    stage.practice.players[seat] = Player(stage.practice.players[seat].name, away=True)
    stage.hear(news.Away(seat))
