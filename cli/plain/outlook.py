"""How things stand at a table, in lines, for one of its players: the turn, the table, the hand, the people."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from cli.games.base.narrator import Narrator
from cli.games.position import Position, position_of
from cli.games.registry import face_of
from cli.news import Playing
from cli.plain.drawing import Drawing
from cli.plain.reader import Reader
from cli.plain.verbs import shown
from cli.text import Translator
from cli.view.checks import computer_told
from cli.view.hint_levels import helped
from cli.view.partings import goodbye_told
from cli.view.secret_check import words_told
from protocol.cards import Card


class Outlook:
    """What one seat (or a watcher) sees of the table, and the words for it."""

    def __init__(self, playing: Playing, _: Translator, drawing: Callable[[Narrator], Drawing] | None = None) -> None:
        self.playing = playing
        self._ = _
        self.face = face_of(playing.game)
        names = [player.name for player in playing.players]
        self.narrator = self.face.narrator(_, names, playing.seat)
        self.narrator.reads_hand = True
        self.reader = Reader(_, self.face, names, playing.seat, partial(goodbye_told, _, playing))
        self.drawing = drawing(self.narrator) if drawing else None
        self._heard_hand: tuple[Card, ...] = ()
        """The hand as it was last read."""

    def refresh_names(self) -> None:
        """Players come and go between rounds."""
        names = [player.name for player in self.playing.players]
        if names != self.narrator.names or self.narrator.seat != self.playing.seat:
            self.narrator.names, self.narrator.seat = names, self.playing.seat
            goodbye = partial(goodbye_told, self._, self.playing)
            self.reader = Reader(self._, self.face, names, self.playing.seat, goodbye)

    def position(self) -> Position | None:
        return position_of(self.playing, face_of(self.playing.game), self.narrator.cards.sort)

    def standing(self, position: Position | None) -> list[str]:
        """The table as it stands: drawn on a screen, else in sentences."""
        view = self.playing.view() if position is None else position.view
        if self.drawing is not None:
            told = self._.join(self.narrator.turn(view))
            return [*self.drawing.table(self.narrator, view, position), *([f"  {told}"] if told else [])]
        lines = [self._.join(self.narrator.announced(view))]
        if position is not None and not self.reader.moves.needs_no_hand(position):
            lines.append(self._hand(position))
        return lines

    def _hand(self, position: Position) -> str:
        """The hand and what fits."""
        is_known, self._heard_hand = position.hand == self._heard_hand, position.hand
        return self.reader.moves.hand(self.narrator, position, is_known)

    def hand(self, position: Position) -> list[str]:
        """The hand alone, as it is asked for."""
        if self.drawing is not None:
            return self.drawing.hand(position.hand, position.playable)
        return [self.narrator.hand(position.hand, position.playable)]

    def in_short(self, position: Position | None) -> str:
        """Whose turn it is: the answer to an empty line."""
        _ = self._
        view = self.playing.view() if position is None else position.view
        told = self.narrator.turn(view)
        if position is not None and position.must_act:
            told.append(self.reader.moves.nothing_fits(position))
        return _.join([*told, _("Type {verb} to see what you can do.", verb=shown(_, "help"))])

    def away(self) -> list[str]:
        return [
            self._("{name} is away. The seat is kept.", name=player.name)
            for player in self.playing.players
            if player.away and not player.left
        ]

    def people(self) -> list[str]:
        """What need not be heard each time: who is shown what, who plays through whose machine, the table's words."""
        _ = self._
        told: list[str] = []
        for seat, player in enumerate(self.playing.players):
            if player.hints:
                told.append(helped(self.narrator, seat, player.hints))
            if where := computer_told(_, self.playing, player):
                told.append(where)
        if words := words_told(_, self.playing):
            told.append(words)
        return told
