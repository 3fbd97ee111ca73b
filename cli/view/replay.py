"""A finished match, step by step: all hands that are open, the table as it was, forwards and backwards."""

from __future__ import annotations

from collections.abc import Iterable

from cli.clean import pad, width
from cli.games.narrator import hand_in
from cli.games.short_cards import narrator_of
from cli.games.titles import game_title
from cli.news import Do, Moved, Player, Recording, RoundBegan, RoundEnded, rounds_of
from cli.terminal.canvas import Action
from cli.terminal.layout import has_room
from cli.view.commands import PAGE
from cli.view.effects import Repaint
from cli.view.presenter import Clock, PagePresenter, Presenter
from cli.view.settings import Settings
from cli.view.table import seats
from cli.view.table.middle import pile_of, trick_of
from cli.view.table.wording import drawn_together, moved
from cli.view.views import Cap, Frame, Line, Piece, Pile, TableView
from protocol.cards import Card
from protocol.games.game import Data

STEP_S = 1.0
"""Between two steps while it plays by itself."""


class ReplayPresenter(Presenter):
    """Space plays and stops, arrows step, N and B jump by round, Esc leaves (`Do("back")`)."""

    place = PAGE

    def __init__(self, recording: Recording, settings: Settings, clock: Clock, path: str = "", note: str = "") -> None:
        super().__init__(settings, clock)
        self.recording = recording
        self.path = path
        self.note = note
        self.note_is_no = bool(note)
        self.at = 0
        self.is_playing = False
        self._next_at = 0.0
        self.rounds = list(rounds_of(recording))
        self._told: dict[int, str] = {}
        self._lang = settings.lang
        self.narrator, self.cards = narrator_of(self._, recording.game, recording.names, None)

    # --- keys ---

    def first(self, pressed: str) -> bool:
        self.note, self.note_is_no = "", False
        last = len(self.recording.steps) - 1
        match pressed:
            case " ":
                self.is_playing = not self.is_playing
                if self.is_playing and self.at == last:
                    self.go(0)  # once more from the beginning
                self._next_at = self.clock() + STEP_S
            case "right" | "down" | "enter" | "l":
                self.go(self.at + 1)
            case "left" | "up" | "backspace":
                self.go(self.at - 1)
            case "home":
                self.go(0)
            case "end":
                self.go(last)
            case "pagedown" | "n" | "N":
                following = next((start for start in self.rounds if start > self.at), None)
                if following is None:
                    self.note = self._("There is no later round. End: to the last step.")
                else:
                    self.go(following)
            case "pageup" | "b" | "B":
                self.go(max([start for start in self.rounds if start < self.at], default=0))
            case "e" | "E":
                self.effects.append(Do("export", self.path))
            case "escape" | "q" | "c-q" | "c-c" | "f10":
                self.effects.append(Do("back"))
            case "f2":
                from cli.view.options import SettingsPresenter

                self.overlay = SettingsPresenter(self.settings, self.clock, lambda: self._("Replay"))
            case "tab":
                self.overlay = self._log_page()
            case "?" | "f1":
                self.overlay = self._help_page()
            case "c-l":
                self.effects.append(Repaint())
            case _other:
                shown = pressed.upper() if len(pressed) > 1 else pressed
                self.note = self._("“{key}” does nothing here: ? lists the keys.", key=shown)
                self.note_is_no = True
        return True

    def go(self, place: int) -> None:
        self.at = max(0, min(place, len(self.recording.steps) - 1))

    def act(self, action: Action, twice: bool = False) -> None:
        if action.name == "key" and isinstance(action.arg, str):
            self.key(action.arg)
        elif action.name in ("log", "chat"):
            self.overlay = self._log_page()

    def scroll(self, by: int) -> None:
        if self.overlay is not None:
            super().scroll(by)
        else:
            self.go(self.at + (1 if by > 0 else -1))

    def tick(self) -> bool:
        super().tick()
        if self.is_playing and self.clock() >= self._next_at:
            self._next_at = self.clock() + STEP_S
            self.is_playing = self.at < len(self.recording.steps) - 1
            self.go(self.at + 1)
            return True
        return False

    # --- the view ---

    def told(self, place: int) -> str:
        """What happened at a step, in words."""
        if self._lang != self.settings.lang:
            self._lang, self._told = self.settings.lang, {}
            self.narrator, self.cards = narrator_of(self._, self.recording.game, self.recording.names, None)
        if place not in self._told:
            news = self.recording.steps[place].news
            if isinstance(news, RoundBegan):
                sentences = self.narrator.round_began(news.number, news.view)
            elif isinstance(news, Moved):
                sentences = self.narrator.moved(news.seat, news.move, news.before, news.after)
            else:
                sentences = self.narrator.round_ended(news.view)
            self._told[place] = self._.join(sentences)
        return self._told[place]

    def is_told_in_lines(self, columns: int, rows: int) -> bool:
        return has_room(columns, rows) if self.overlay is None else super().is_told_in_lines(columns, rows)

    def _log(self, count: int) -> tuple[Piece, ...]:
        lines = self._lines(range(max(0, self.at - count + 1), self.at + 1))
        return tuple((text, "strong" if place == len(lines) else "text") for place, text in enumerate(lines, 1))

    def _lines(self, places: Iterable[int]) -> list[str]:
        """What happened at these steps in words; what somebody draws in a row in one line, as at the table."""
        lines: list[str] = []
        before: Moved | None = None
        for place in places:
            news, text = self.recording.steps[place].news, self.told(place)
            together = (
                drawn_together(self.narrator, before, news) if before is not None and isinstance(news, Moved) else None
            )
            if together is not None:
                lines[-1] = self._.join(moved(self.narrator, together))
            else:
                lines.append(text)
            before = together or (news if isinstance(news, Moved) else None)
        return lines

    def own_view(self, columns: int, rows: int) -> TableView:
        _, recording = self._, self.recording
        step = recording.steps[self.at]
        told = self.told(self.at)
        if isinstance(step.news, RoundEnded):  # what came of it is said last, and is what must be read
            sentences = self.narrator.round_ended(step.news.view)
            while len(sentences) > 1 and width(self._.join(sentences)) > columns - 2:
                del sentences[0]
            told = self._.join(sentences)
        view, game = step.view, recording.game
        players = [Player(name) for name in recording.names]
        is_tichu = game.name == "tichu"
        sizes = view.get("hand_sizes") or ()
        hands = tuple(
            (name, self._hand(seat, sizes[seat] if seat < len(sizes) else 0))
            for seat, name in enumerate(recording.names)
        )
        is_hidden = any(sizes) and not any(hand_in(view, seat) for seat in range(len(recording.names)))
        jumps = (
            *((Cap("N", _("next round"), Action("key", "n")),) if self.rounds[-1:] > [self.at] else ()),
            *((Cap("B", _("round before"), Action("key", "b")),) if self.rounds[:1] < [self.at] else ()),
        )
        return TableView(
            frame=Frame(
                game_title(_, game.name),
                _("replay · round {number}", number=step.round),
                ((_("step {at} of {all}", at=self.at + 1, all=len(recording.steps)), "gold"),),
                prompt=self.note or told,
                mood="no" if self.note_is_no else "turn",
                caps=(
                    Cap(_("Space"), _("stop") if self.is_playing else _("run"), Action("key", " ")),
                    Cap("←", _("back"), Action("key", "left")),
                    Cap("→", _("forward"), Action("key", "right")),
                    *(jumps if len(self.rounds) > 1 else ()),
                    Cap("E", _("export"), Action("key", "e")),
                    Cap("Esc", _("leave"), Action("key", "escape"), is_needed=True),
                ),
                help=Cap("?", _("help"), Action("key", "?")),
            ),
            seats=seats.tiles(_, game, view, players, recording.names, None, {}, {}, is_past=True),
            me=None,
            hand=(),
            heading=_("Hands stay hidden: this round was not played to its end.")
            if is_hidden
            else _("All hands")
            if any(sizes)
            else "",
            sorting="",
            picked="",
            log=self._log(40),
            log_title=_("What happened"),
            pile=None if is_tichu else self._pile(view),
            trick=trick_of(_, game, self.cards, self.narrator, view, None, None, self.settings.shown.kanji)
            if is_tichu
            else None,
            open_hands=hands,
        )

    def _hand(self, seat: int, size: int) -> str:
        """A hand of this step: a round that was not played to its end never opened it."""
        cards = hand_in(self.recording.steps[self.at].view, seat)
        if cards:
            return " ".join(self.cards.short(card) for card in self.cards.sort(cards))
        return self._.n("{n} card, hidden", "{n} cards, hidden", size) if size else "-"

    def _pile(self, view: Data) -> Pile:
        """With the card that the last play of this round has covered, and who named what with it."""
        played = self._last_play()
        covered: Card | None = played.before.get("top") if played is not None else None
        names = played is not None and (played.move.get("suit") or played.move.get("rank"))
        return pile_of(
            self._,
            self.recording.game,
            self.cards,
            view,
            covered,
            None,
            self.narrator,
            played.seat if played is not None and names else None,
        )

    def _last_play(self) -> Moved | None:
        """The last play of this round so far."""
        for step in reversed(self.recording.steps[: self.at + 1]):
            if isinstance(step.news, RoundBegan):
                return None
            if isinstance(step.news, Moved) and step.news.move.get("cards"):
                return step.news
        return None

    def say(self, text: str) -> None:
        """On the prompt line, until the next key."""
        self.note, self.note_is_no = text, False

    def story(self) -> list[str]:
        """All that happened, in words."""
        return self._lines(range(len(self.recording.steps)))

    def _help_page(self) -> PagePresenter:
        def lines(_columns: int) -> tuple[Line, ...]:
            _ = self._
            keys = [
                (_("Space"), _("play by itself, and stop")),
                ("← →", _("one step back, one step on (the wheel, too)")),
                (_("Home End"), _("to the first step, to the last")),
                ("N B", _("to the next round, to the round before")),
                ("Tab", _("what happened so far")),
                ("E", _("write it down in files, to read and to check")),
                ("F2", _("language, colours, mouse, sound")),
                ("Esc", _("leave")),
            ]
            return tuple(((pad(key, 10), "gold"), (text, "text")) for key, text in keys)

        return PagePresenter(self.settings, self.clock, lambda: self._("Replay"), lambda: self._("Help"), lines)

    def _log_page(self) -> PagePresenter:
        def lines(_columns: int) -> tuple[Line, ...]:
            return tuple((piece,) for piece in self._log(self.at + 1))

        return PagePresenter(
            self.settings,
            self.clock,
            lambda: game_title(self._, self.recording.game.name),
            lambda: self._("What happened"),
            lines,
            at_end=True,
        )
