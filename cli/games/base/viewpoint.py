"""One seat at one table, or a watcher: what can be known from there now, and in which words it is told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from cli.games.base.hand import Hand
from cli.games.base.narrator import Narrator
from cli.games.position import MovesFace, Position, position_of
from cli.games.short_cards import ShortCards, told_apart
from cli.news import Playing
from cli.text import Translator
from protocol.cards import Seat
from protocol.games.game import AnyGame
from protocol.games.views import PublicView


class SeatFace(MovesFace, Protocol):
    """What a game's face knows of words and moves."""

    def screen_narrator(
        self, _: Translator, names: Sequence[str], seat: Seat | None, is_spelled: bool = False
    ) -> tuple[Narrator, ShortCards]:
        """Tells in short, beside a table that is seen; with the cards that it names."""


class Viewpoint:
    """`speak` sets the language; `forget` is called whenever the table may have changed."""

    narrator: Narrator
    cards: ShortCards
    _: Translator

    def __init__(self, playing: Playing, face: SeatFace, _: Translator, is_spelled: bool) -> None:
        self.playing, self.face = playing, face
        self.hand = Hand()
        self.hints = "legal"
        """How much help with the hand is given: one of `protocol.levels.HINT_LEVELS`."""
        self.kanji = False
        self.in_flight = False
        """A move of ours is on its way to the table."""
        self._position: Position | None = None
        self._is_known = False
        self.speak(_, is_spelled)

    def speak(self, _: Translator, is_spelled: bool) -> None:
        """From now on in this language; `is_spelled`: suits are drawn as letters."""
        self._ = _
        self.narrator, self.cards = self.face.screen_narrator(_, self.names, self.me, is_spelled)

    # --- who ---

    @property
    def game(self) -> AnyGame:
        return self.playing.game

    @property
    def me(self) -> Seat | None:
        return self.playing.seat

    @property
    def names(self) -> list[str]:
        return [player.name for player in self.playing.players]

    @property
    def short_names(self) -> list[str]:
        """Names without the words that several begin with."""
        return told_apart(self.narrator.names)

    def is_partner(self, seat: Seat) -> bool:
        """Whether this other seat plays with ours."""
        me = self.me
        return me is not None and seat != me and any(me in team and seat in team for team in self.game.teams)

    # --- how things stand ---

    def forget(self) -> None:
        self._is_known = False

    @property
    def position(self) -> Position | None:
        """How things stand for our seat; computed once until something happens. None for a watcher, and before the deal."""
        if not self._is_known:
            view = self.playing.view()
            self._position = position_of(self.playing, self.face, self.cards.sort) if view.seats else None
            self._is_known = True
        return self._position

    @property
    def view(self) -> PublicView:
        """The table as our news have told it: a table may be a step ahead of what it has told."""
        position = self.position
        return position.view if position is not None else self.playing.view()

    @property
    def may_tell(self) -> bool:
        """Whether our player wants to be told what can be played."""
        return self.hints != "off"

    @property
    def is_due(self) -> bool:
        """Whether the game waits for us."""
        position = self.position
        return position is not None and position.must_act

    @property
    def verbs(self) -> frozenset[str]:
        """The kinds of moves that we can make now."""
        position = self.position
        return position.verbs if position is not None and not self.in_flight else frozenset()
