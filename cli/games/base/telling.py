"""Moves in the words of the screen."""

from __future__ import annotations

from collections.abc import Iterable

from cli import news as events
from cli.games.base.narrator import Narrator, gained
from protocol.values import replace


def moved(who: Narrator, news: events.Moved) -> list[str]:
    """The sentences of a move."""
    return who.moved(news.seat, news.move, news.before, news.after)


def drawn_together(who: Narrator, first: events.Moved, then: events.Moved) -> events.Moved | None:
    """Two draws of one seat as one, where they follow each other and nothing else came of them."""
    if first.seat != then.seat or first.move.get("do") != "draw" or then.move.get("do") != "draw":
        return None
    if first.before.turn != first.seat or first.after.turn != first.seat or first.before.due:
        return None
    if (
        len(who.moved(then.seat, then.move, then.before, then.after)) != 1
        or gained(then.before, then.after, then.seat) < 1
    ):
        return None
    # In the order in which they came: the last one named is the one drawn last.
    came = [*who.drawn_cards(first.before, first.after), *who.drawn_cards(then.before, then.after)]
    after = then.after.with_arrived(then.seat, came) if then.seat == who.seat else then.after
    return replace(then, before=first.before, after=after)


def in_short(who: Narrator, news: Iterable[events.Moved]) -> list[events.Moved]:
    """Moves one after the other, what somebody draws in a row as one."""
    found: list[events.Moved] = []
    for each in news:
        together = drawn_together(who, found[-1], each) if found else None
        found[-1:] = [together] if together is not None else [*found[-1:], each]
    return found
