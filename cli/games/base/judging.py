"""What the rules say to picked cards: the move that they make, what must be asked first, or why not and what would do.

Legality is never judged here: `Position.check` asks the rules, and `Position.moves` holds what they offer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from cli.games.base.moves import MoveWords
from cli.games.base.replies import Move, Query, QueryOption, Refused, Reply
from cli.games.base.viewpoint import Viewpoint
from cli.games.explain import explain
from cli.games.position import Position
from cli.games.shown import Choice
from protocol.cards import Card
from protocol.errors import BadMessage, FairdealError, IllegalMove
from protocol.games.game import Data

MOST_FITS = 6
MOST_OPTIONS = 16
Ask: TypeAlias = Callable[[Data], Query | Data]
"""What a move still needs: the question, or the fields where there is no choice."""


class Judging:
    """For one moment of one seat. This one knows no game: what can be played is what the rules offer."""

    def __init__(self, at: Viewpoint, position: Position) -> None:
        self.at, self._, self.cards, self.position = at, at._, at.cards, position
        self.may_tell = at.may_tell
        """What could be played is told with a refusal."""

    # --- reasons ---

    def refusal(self, move: Data) -> str | None:
        """Why this move is not allowed; None where it is."""
        try:
            self.position.check(self.position.game.decode(move))
        except FairdealError as fault:
            return self.told(fault)
        return None

    def told(self, fault: FairdealError) -> str:
        """A rule's refusal, as a sentence for this moment."""
        turn = self.position.view.turn
        if turn not in (None, self.position.seat) and not self.position.verbs:
            return self._("It is {name}’s turn.", name=self.position.names[turn])
        return explain(self._, fault, self.cards, self.position.names)

    def is_known(self, move: Data) -> bool:
        """Whether the game has a move of this kind at all: a key may belong to moves of other games."""
        try:
            self.position.game.decode(move)
        except BadMessage:
            return False
        return True

    def passes(self, move: Data) -> bool:
        return self.refusal(move) is None

    def suggested(self, reason: str) -> str:
        """The reason with what would do: the cards that fit come first, so that they are read in any case."""
        if self.fitting and self.may_tell:
            return self.after_fits(reason)
        return self._.join([reason, self.way_out()]) if self.position.verbs else reason

    def after_fits(self, reason: str) -> str:
        fits = self.fitting
        if not fits or not self.may_tell:
            return reason
        named = [self.cards.short(card) for card in fits[:MOST_FITS]]
        if len(fits) > MOST_FITS:
            named.append("…")
        return self._("Playable: {cards} · {reason}", cards=" ".join(named), reason=reason)

    @property
    def fitting(self) -> list[Card]:
        """The cards that could be played now."""
        return [card for card in dict.fromkeys(self.position.hand) if card in self.position.playable]

    def way_out(self) -> str:
        """The key that does something where no card does."""
        if "draw" in self.position.verbs:
            return self.drawing()
        return self._("Press {@pass} to pass.") if "pass" in self.position.verbs else ""

    def drawing(self) -> str:
        return self._("Press {@draw} to draw.")

    def nothing_fits(self) -> str:
        """What a hint says where there is no play."""
        way_out = self.way_out()
        return self._("You can’t play: {what}", what=way_out) if way_out else ""

    # --- from cards to a move ---

    def feasible(self, cards: Sequence[Card]) -> bool:
        """Whether these cards can be played, with something named if need be."""
        return any(Counter(each) == Counter(cards) for each in self.position.sets)

    def feasible_orders(self, cards: Sequence[Card]) -> list[tuple[Card, ...]]:
        """In which orders these cards can be played: in this one alone where that is one of them."""
        return [tuple(cards)] if self.feasible(cards) else []

    def simple(self, move: Data) -> Move | Refused:
        """A move without cards."""
        if not self.is_known(move):
            return Refused(self._("You can’t do that in this game."))
        reason = self.refusal(move)
        if reason is None:
            return Move(move)
        if move.get("do") == "pass" and "draw" in self.position.verbs:
            return Refused(self.after_fits(self._("You can’t pass yet. {what}", what=self.drawing())))
        return Refused(self.after_fits(reason))

    def resolve(self, picked: Sequence[Card], said: Mapping[str, Any]) -> Reply:
        """The move, the next question, or why not. `said` holds answers by the question's name."""
        same = [move for move in self.position.plays if Counter(move["cards"]) == Counter(picked)]
        if (number := said.get("which")) is not None:
            return Move(same[number])
        if len(same) == 1:
            return Move(same[0])
        if same:
            game = self.position.game
            words = MoveWords(self._, game, self.cards, self.position.names)
            options, kinds = [], set()
            for at, move in enumerate(same[:MOST_OPTIONS]):
                named = game.move_view(game.decode(move)).named
                kinds |= {(move["do"], name) for name in named}
                told = [words.value(name, value) for name, value in named.items()] or [self._("none")]
                options.append(QueryOption(at, Choice(str(at + 1) if at < 9 else "", " · ".join(told))))
            row = self.cards.row(picked)
            question = words.question(*kinds.pop()) if len(kinds) == 1 else ""
            return Query(
                "which",
                f"{row}: {question}" if question else self._("{cards}: which way?", cards=row),
                tuple(options),
                self._("back"),
                kind="list",
            )
        return Refused(self.suggested(self.why(picked)))

    def open_question(self, move: Data, said: Mapping[str, Any], asks: Mapping[str, Ask]) -> Query | None:
        """Enter what was said into the move, or return the first open question."""
        for name, ask in asks.items():
            if name in said:
                if said[name] is not None:
                    move[name] = said[name]
                continue
            asked = ask(move)
            if isinstance(asked, Query):
                return asked
            move.update(asked)
        return None

    def why(self, cards: Sequence[Card]) -> str:
        """The rule that forbids these cards."""
        do = next((move["do"] for move in self.position.plays), "play")
        return self.refusal({"do": do, "cards": list(cards)}) or ""


def code_of(fault: FairdealError) -> str:
    """Which rule a refusal names; empty for most."""
    return fault.code if isinstance(fault, IllegalMove) else ""
