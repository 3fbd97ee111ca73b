"""How things stand for one seat, as far as reading its typed lines needs: the view, the hand, the moves offered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, Protocol

from cli.news import Playing
from protocol.cards import Card, Seat
from protocol.games.game import AnyGame, Data
from protocol.games.views import PublicView

MOST_MOVES = 4000
"""As many moves are looked at to say what could be played; a hand of jokers offers more than anyone wants to hear."""


class MovesFace(Protocol):
    """What a game's face knows of moves."""

    @property
    def unforced(self) -> frozenset[str]:
        """Moves that nobody has to make, though they are legal."""

    def playable(self, moves: Sequence[Data]) -> frozenset[Card]:
        """The cards that stand out as those that can be played now."""


@dataclass(frozen=True)
class Position:
    """Frozen at one moment. `check` raises IllegalMove for a move (its own value) that this seat may not make."""

    game: AnyGame
    face: MovesFace
    seat: Seat
    names: tuple[str, ...]
    view: PublicView
    hand: tuple[Card, ...]
    """In the order in which it is shown and numbered."""
    legal: Sequence[Any]
    check: Callable[[Any], None]
    warn_call: bool = True

    @cached_property
    def moves(self) -> tuple[Data, ...]:
        """The moves offered, as objects."""
        return tuple(self.game.encode(move) for move in islice(iter(self.legal), MOST_MOVES))

    @cached_property
    def verbs(self) -> frozenset[str]:
        """Which kinds of moves are legal now."""
        return frozenset(str(move["do"]) for move in self.moves)

    @cached_property
    def plays(self) -> tuple[Data, ...]:
        return tuple(move for move in self.moves if move["do"] == "play")

    @cached_property
    def sets(self) -> tuple[tuple[Card, ...], ...]:
        """The cards of each play that is offered, each set once."""
        return tuple(dict.fromkeys(tuple(move["cards"]) for move in self.plays))

    @cached_property
    def playable(self) -> frozenset[Card]:
        """The cards that stand out as those that can be played now."""
        return self.face.playable(self.moves)

    @property
    def must_act(self) -> bool:
        """Whether the game waits for this seat: in turn, or one of several that owe something."""
        view = self.view
        if view.turn is not None:
            return view.turn == self.seat and bool(self.verbs)
        return bool(self.verbs - self.face.unforced) and not view.round_over


def position_of(
    playing: Playing, face: MovesFace, sort: Callable[[Sequence[Card]], tuple[Card, ...]]
) -> Position | None:
    """How things stand for the seat that this client plays; None for a watcher."""
    if playing.seat is None:
        return None
    view = playing.view()
    return Position(
        playing.game,
        face,
        playing.seat,
        tuple(player.name for player in playing.players),
        view,
        sort(playing.hand()),
        () if view.round_over else playing.legal(),
        playing.check,
        playing.facts.warn_call,
    )
