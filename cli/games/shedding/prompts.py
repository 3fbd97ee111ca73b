"""The prompt line of the shedding games: what must be matched, what is due, and the keys that help."""

from __future__ import annotations

from collections.abc import Callable

from cli.games.base.prompts import Prompts
from cli.games.base.viewpoint import Viewpoint
from cli.games.position import Position
from cli.games.shedding.middle import wild_of
from protocol.cards import JOKER
from protocol.games.views import NO_PILE


class SheddingPrompts(Prompts):
    """For one seat. `word_due` says which word goes with some play that can be made now, if it is not said already."""

    def __init__(self, at: Viewpoint, word_due: Callable[[], str]) -> None:
        super().__init__(at)
        self.word_due = word_due

    @property
    def no_hints(self) -> bool:
        """What fits is not told."""
        return not self.at.may_tell

    def my_turn(self, position: Position, by_itself_s: int | None = None) -> str:
        _, view = self.at._, position.view
        fits = len([card for card in position.hand if card in position.playable])
        due = view.due
        draw = _("{@draw:draw {n}}", n=due) if due else _("{@draw:draw}")
        has_none = "play" not in position.verbs and not self.no_hints
        parts, wanted = self.demand(position, has_none)
        if wanted and not has_none:
            parts.append(wanted)
        answers = bool(due) and not has_none
        tells_draw = "draw" in position.verbs and (bool(due) or not fits or self.no_hints)
        if tells_draw and answers:
            parts.append(draw)
        # What must be matched comes first: in a narrow window this gives way to it, and the key bar names O all the same.
        if word := self.word_due():
            parts.append(_("{@call:say “{word}”}", word=word))
        if fits and not due and not self.no_hints:
            parts.append(_.n("{n} playable", "{n} playable", fits))
        elif has_none and not self.is_answering(position):
            parts.append(_("You can’t play") if wanted else _("you can’t play"))
        if tells_draw and not answers:
            parts.append(draw)
        parts += self.special(position)
        if "pass" in position.verbs and not self.is_answering(position):
            parts.append(_("{@pass:pass}"))
        if has_none:
            parts.append(wanted)
        return " · ".join(part for part in parts if part)

    def demand(self, position: Position, has_none: bool) -> tuple[list[str], str]:
        """What is asked of us; and what would fit, which comes after the key that helps where we have none of it."""
        if due := position.view.due:
            return [self.told_due(position, due)], ""
        if position.verbs & {"play", "draw", "pass"}:
            return [], self.would_fit(position) if has_none else self.match_text(position)
        return [], ""

    def told_due(self, position: Position, due: int) -> str:
        _, rank = self.at._, self.at.cards.rank(str(position.view.top)[0])
        if self.no_hints or {"draw", "play"} <= position.verbs:
            return _("Draw {n} or play a {rank}", n=due, rank=rank)
        if "play" in position.verbs:
            return _("+{n}: play a {rank}", n=due, rank=rank)
        return _("Penalty: {n}", n=due)

    def is_answering(self, position: Position) -> bool:
        """Whether the demand says itself how to pass."""
        return False

    def special(self, position: Position) -> list[str]:
        return []

    def ways(self, position: Position, is_held: bool) -> str:
        """All that fits now, "♦, 7 or J"; empty where anything does. `is_held`: the joker counts only if we hold one."""
        cards, game = self.at.cards, position.game
        pile = position.view.pile or NO_PILE
        top = pile.top
        if top is None or cards.is_joker(top):
            return ""
        if pile.rank:
            fitting = [pile.rank, *self.wilds()]
        elif pile.suit:
            fitting = [cards.suit(pile.suit), *self.wilds()]
        else:
            fitting = [cards.suit(top[1]), top[0], *self.also(top)]
        shown = [cards.rank(way) for way in fitting]
        if JOKER in (position.hand if is_held else game.deck):
            shown.append(cards.short(JOKER))
        return self.at._.either(dict.fromkeys(shown))

    def wilds(self) -> list[str]:
        """Ranks that fit on anything that was named."""
        wild = wild_of(self.at.game)
        return [wild] if wild else []

    def also(self, top: str) -> list[str]:
        """Ranks that fit on this card besides its own."""
        return self.wilds()

    def would_fit(self, position: Position) -> str:
        """What could be played by who held it: no order, as none is held."""
        fitting = self.ways(position, is_held=False)
        return self.at._("you need {cards}", cards=fitting) if fitting else ""

    def match_text(self, position: Position) -> str:
        """ "Match ♥ or J, or play any 8"."""
        _, cards = self.at._, self.at.cards
        pile = position.view.pile or NO_PILE
        top = pile.top
        if top is None or cards.is_joker(top):
            return _("Play any card")
        wild = wild_of(position.game)
        if pile.suit:
            named = cards.suit(pile.suit)
            if wild:
                return _("Match {suit}, or any {wild}", suit=named, wild=wild)
            return _("Match {suit}", suit=named)
        suit, rank = cards.suit(top[1]), cards.rank(top[0])
        if wild and top[0] != wild:
            return _("Match {suit} or {rank}, or any {wild}", suit=suit, rank=rank, wild=cards.rank(wild))
        return _("Match {suit} or {rank}", suit=suit, rank=rank)
