"""The middle of a shedding table: stock and pile, what must be matched, and what else counts."""

from __future__ import annotations

from cli.games.base.viewpoint import Viewpoint
from cli.games.shown import Line, Piece, ShownPile
from protocol.cards import JOKER, Card, Seat
from protocol.games.game import AnyGame
from protocol.games.views import NO_PILE, PublicView


def wild_of(game: AnyGame) -> str | None:
    """The rank that fits on anything, where there is one."""
    wild = getattr(game, "wild", None)
    return wild if isinstance(wild, str) else None


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


class PileText:
    """For one seat. `before` is the card under the top one; `named_by`: whose word the suit or rank in force is, where that is
    known."""

    def __init__(self, at: Viewpoint) -> None:
        self.at = at
        self.before: Card | None = None
        self.named_by: Seat | None = None

    @property
    def _verbs(self) -> frozenset[str]:
        position = self.at.position
        return position.verbs if position is not None and position.must_act else frozenset()

    def pile(self) -> ShownPile:
        cards, view = self.at.cards, self.at.view
        top = view.top
        return ShownPile(
            stock=None if view.stock is None else view.stock.size,
            can_draw="draw" in self._verbs,
            top=None if top is None else cards.face(top),
            before=None if self.before is None else cards.face(self.before),
            match=self.match_lines(view),
            facts=(*self._heading(view), *self._namer(view), *self.facts(view)),
            action=next((verb for verb in ("draw", "pass") if verb in self._verbs), ""),
        )

    def _heading(self, view: PublicView) -> tuple[Piece, ...]:
        if view.round_over or view.top is None:
            return (("", "dim"),)
        return ((self.at._("to match"), "dim"),)

    def _namer(self, view: PublicView) -> tuple[Piece, ...]:
        """Who has named the suit or the rank that counts."""
        pile = view.pile or NO_PILE
        is_in_force = pile.suit or pile.rank
        if self.named_by is None or not is_in_force or pile.due or view.round_over:
            return ()
        if self.named_by == self.at.me:
            return ((self.at._("your choice"), "text"),)
        return ((self.at._("chosen by {name}", name=self.at.short_names[self.named_by]), "text"),)

    def joker(self, mark: str) -> str:
        """The joker behind other cards, where the game has any."""
        return f"{mark}{self.at.cards.short(JOKER)}" if JOKER in self.at.game.deck else ""

    def match_lines(self, view: PublicView) -> tuple[Line, ...]:
        """What the next card must have."""
        _, cards, top = self.at._, self.at.cards, view.top
        if top is None or view.round_over or cards.is_joker(top):
            return ()
        if view.due:
            return self.match_due(top)
        pile = view.pile or NO_PILE
        if rank := pile.rank:
            return (((cards.rank(rank), "strong"),), ((_("or {rank}", rank=self.always()), "text"),))
        suit = pile.suit or top[1]
        ink = cards.ink(suit)
        first: Line = ((f"{cards.glyph(suit)} ", ink), (capital(cards.suit_name(suit)), ink))
        also = self.always() if pile.suit else self.also(top)
        return (first, ((_("or {rank}", rank=also), "text"),)) if also else (first,)

    def match_due(self, top: Card) -> tuple[Line, ...]:
        """What answers cards that are due."""
        return (((self.at.cards.rank(top[0]), "strong"),),)

    def also(self, top: Card) -> str:
        """What fits on this card besides its suit."""
        return f"{self.at.cards.rank(top[0])}{self.joker(', ')}"

    def always(self) -> str:
        """What fits on any card; a wild rank is told elsewhere."""
        return ""

    def facts(self, view: PublicView) -> tuple[Piece, ...]:
        """Penalty, order, what D does."""
        _, told, verbs = self.at._, list(self.special(view)), self._verbs
        due = view.due
        if view.top is not None:  # nothing is dealt before
            told.append((_("order {arrows}", arrows="◀◀" if view.direction == -1 else "▶▶"), "dim"))
        if "draw" in verbs:
            # There is a pile then, else nothing could be drawn.
            is_empty = view.stock is not None and view.stock.size == 0 and not due
            drawing = _("{@draw:reshuffle, draw 1}") if is_empty else _("{@draw:draw {n}}", n=1)
            told.append((_("{@draw:draw {n}}", n=due) if due else drawing, "text"))
        elif "pass" in verbs:
            told.append((_("{@pass:pass}"), "text"))
        return tuple(told)

    def special(self, view: PublicView) -> tuple[Piece, ...]:
        """What is due."""
        _, verbs, due = self.at._, self._verbs, view.due
        if not due:
            return ()
        rank = self.at.cards.rank(str(view.top)[0])
        # Whose turn it is knows whether the rules leave the choice.
        if not self.at.is_due or {"draw", "play"} <= verbs:
            return ((_("draw {n} or play a {rank}", n=due, rank=rank), "alarm"),)
        if "play" in verbs:
            return ((_("+{n}: play a {rank}", n=due, rank=rank), "alarm"),)
        return ((_("draw {n}", n=due), "alarm"),)
