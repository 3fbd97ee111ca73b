"""A finished match, step by step: all hands that are open, the table as it was, forwards and backwards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

from cli.games.base.table import TableFace
from cli.games.base.telling import drawn_together, moved
from cli.games.base.viewpoint import Viewpoint
from cli.games.registry import face_of
from cli.games.titles import game_title
from cli.news import Do, Moved, Player, Playing, Recording, RoundBegan, RoundEnded, rounds_of
from cli.text import Translator
from cli.view.actions import REPLAY
from cli.view.effects import ShowModel, Tell
from cli.view.inputs import Act, Input, Tick
from cli.view.model import Clock, Effects
from cli.view.options import SettingsModel
from cli.view.page import PageModel
from cli.view.settings import Settings
from cli.view.table import seats
from cli.view.views import Frame, Line, Offer, Piece, TableView
from protocol.games.views import PublicView

STEP_S = 1.0
"""Between two steps while it plays by itself."""


class _Seen:
    """A step of a recording, as a table that somebody watches."""

    seat = None

    def __init__(self, recording: Recording, view: PublicView) -> None:
        self.game = recording.game
        self.players = list(recording.players) or [Player(name) for name in recording.names]
        self._view = view

    def view(self) -> PublicView:
        return self._view


class ReplayModel:
    """It runs by itself or goes step by step and round by round; going back leaves as `Do("back")`."""

    place = REPLAY

    def __init__(self, recording: Recording, settings: Settings, clock: Clock, path: str = "") -> None:
        self.recording = recording
        self.settings = settings
        self.clock = clock
        self.path = path
        self.at = 0
        self.is_playing = False
        self._next_at = 0.0
        self.rounds = list(rounds_of(recording))
        self._told: dict[int, str] = {}
        self._lang = settings.lang
        self.narrator, self.cards = face_of(recording.game).screen_narrator(self._, recording.names, None)

    @property
    def _(self) -> Translator:
        return self.settings.words

    @property
    def window_title(self) -> str:
        return self._("Fairdeal")

    # --- inputs ---

    def update(self, given: Input) -> Effects:
        last = len(self.recording.steps) - 1
        match given:
            case Tick() if self.is_playing and self.clock() >= self._next_at:
                self._next_at = self.clock() + STEP_S
                self.is_playing = self.at < last
                self.go(self.at + 1)
            case Act("run"):
                self.is_playing = not self.is_playing
                if self.is_playing and self.at == last:
                    self.go(0)  # once more from the beginning
                self._next_at = self.clock() + STEP_S
            case Act("step-on"):
                self.go(self.at + 1)
            case Act("step-back"):
                self.go(self.at - 1)
            case Act("first-step"):
                self.go(0)
            case Act("last-step"):
                self.go(last)
            case Act("next-round"):
                following = next((start for start in self.rounds if start > self.at), None)
                if following is None:
                    return (Tell(self._("This is the last round. End: to the last step.")),)
                self.go(following)
            case Act("round-before"):
                self.go(max([start for start in self.rounds if start < self.at], default=0))
            case Act("export"):
                return (Do("export", self.path),)
            case Act("back" | "leave-page"):
                return (Do("back"),)
            case Act("settings"):
                return (ShowModel(SettingsModel(self.settings, self._title)),)
            case Act("story"):
                return (ShowModel(self._story_page()),)
            case Act("help"):
                return (ShowModel(self._help_page()),)
            case _other:
                pass
        return ()

    def go(self, place: int) -> None:
        self.at = max(0, min(place, len(self.recording.steps) - 1))

    # --- what happened ---

    def told(self, place: int) -> str:
        """What happened at a step, in words."""
        if self._lang != self.settings.lang:
            self._lang, self._told = self.settings.lang, {}
            self.narrator, self.cards = face_of(self.recording.game).screen_narrator(self._, self.recording.names, None)
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

    def story(self) -> list[str]:
        """All that happened, in words."""
        return self._lines(range(len(self.recording.steps)))

    # --- the view ---

    def _title(self) -> str:
        return self._("Replay")

    def view(self) -> TableView:
        _, recording = self._, self.recording
        step = recording.steps[self.at]
        view, face = step.view, self._face()
        middle = face.middle()
        sizes = view.hand_sizes
        hands = tuple(
            (name, self._hand(seat, sizes[seat] if seat < len(sizes) else 0))
            for seat, name in enumerate(recording.names)
        )
        is_hidden = any(sizes) and not any(view.hand(seat) for seat in range(len(recording.names)))
        return TableView(
            frame=self._frame(),
            seats=seats.tiles(face, {}, {}, is_past=True),
            me=None,
            hand=(),
            heading=_("Hands are hidden: this round wasn’t finished.")
            if is_hidden
            else _("All hands")
            if any(sizes)
            else "",
            sorting="",
            picked="",
            log=self._log(40),
            log_title=_("What happened"),
            across=face.across,
            pile=middle.pile,
            trick=middle.trick,
            facts=middle.facts,
            open_hands=hands,
        )

    def _frame(self) -> Frame:
        _, steps = self._, self.recording.steps
        step = steps[self.at]
        jumps = (
            *((Offer("next-round", _("next round")),) if self.rounds[-1:] > [self.at] else ()),
            *((Offer("round-before", _("previous round")),) if self.rounds[:1] < [self.at] else ()),
        )
        return Frame(
            game_title(_, self.recording.game.name),
            _("replay · round {number}", number=step.round),
            ((_("step {at} of {all}", at=self.at + 1, all=len(steps)), "gold"),),
            prompt=self.told(self.at),
            mood="turn",
            # What came of a round is said last, and is what must be read.
            sentences=tuple(self.narrator.round_ended(step.news.view)) if isinstance(step.news, RoundEnded) else (),
            actions=(
                Offer("run", _("pause") if self.is_playing else _("start")),
                Offer("step-back", _("back")),
                Offer("step-on", _("forward")),
                *(jumps if len(self.rounds) > 1 else ()),
                Offer("export", _("export")),
                Offer("back", _("leave"), is_needed=True),
            ),
        )

    def _hand(self, seat: int, size: int) -> str:
        """A hand of this step: a round that was not played to its end never opened it."""
        cards = self.recording.steps[self.at].view.hand(seat)
        if cards:
            return " ".join(self.cards.short(card) for card in self.cards.sort(cards))
        return self._.n("{n} card, hidden", "{n} cards, hidden", size) if size else "-"

    def _face(self) -> TableFace:
        """The table of this step, as it looks after the last play of this round."""
        table = cast(Playing, _Seen(self.recording, self.recording.steps[self.at].view))
        at = Viewpoint(table, face_of(table.game), self._, self.settings.ascii_only)
        at.kanji = self.settings.shown.kanji
        face = face_of(self.recording.game).table(at)
        if (played := self._last_play()) is not None:
            face.moved(played)
        return face

    def _last_play(self) -> Moved | None:
        """The last play of this round up to this step."""
        for step in reversed(self.recording.steps[: self.at + 1]):
            if isinstance(step.news, RoundBegan):
                return None
            if isinstance(step.news, Moved) and step.news.move.get("cards"):
                return step.news
        return None

    # --- pages ---

    def _help_page(self) -> PageModel:
        def keys() -> tuple[tuple[str, str], ...]:
            _ = self._
            return (
                ("run", _("start or pause autoplay")),
                ("step-back step-on", _("one step back or forward (also with the mouse wheel)")),
                ("first-step last-step", _("to the first or last step")),
                ("next-round round-before", _("to the next or previous round")),
                ("story", _("show the log up to here")),
                ("export", _("save the match: as text, and as a file anyone can verify")),
                ("settings", _("language, colours, mouse, sound")),
                ("back", _("leave")),
            )

        return PageModel(self.settings, self._title, lambda: self._("Help"), tuple, keys=keys)

    def _story_page(self) -> PageModel:
        def lines() -> Sequence[Line]:
            return [(piece,) for piece in self._log(self.at + 1)]

        title = self.recording.game.name
        return PageModel(
            self.settings,
            lambda: game_title(self._, title),
            lambda: self._("What happened"),
            lines,
            from_end=True,
        )
