"""Bombs at the table: shown while one is held, played at once where others may be faster."""

from __future__ import annotations

from cli.games.base.replies import Move, Picked, Refused, Reply, Told
from cli.games.base.viewpoint import Viewpoint
from cli.games.position import Position
from cli.games.shown import Offer
from cli.games.tichu.bombs import bombs_in, is_bomb
from protocol.games.tichu.view import TichuView
from protocol.games.views import seen_as


class Bombing:
    """`place` is that of the bomb that was picked last, among those that can be played; -1: none."""

    def __init__(self, at: Viewpoint) -> None:
        self.at = at
        self.place = -1

    def offer(self) -> Offer | None:
        """Shown as long as one is held, and glowing: nobody may miss the moment."""
        _, position = self.at._, self.at.position
        if position is None or not bombs_in(position.hand) or position.view.phase not in ("play", "collect"):
            return None
        label = _("bomb now") if self.hurries(position) else _("pick bomb")
        return Offer("bomb", label if self.can_bomb() else None, glows=True, is_loud=True)

    def can_bomb(self) -> bool:
        """Whether one can be played now."""
        position = self.at.position
        return position is not None and any(map(is_bomb, position.sets))

    def hurries(self, position: Position) -> bool:
        """Whether others may be faster: out of turn, unless the trick is ours anyway."""
        return not position.must_act and seen_as(TichuView, position.view).owner != position.seat

    def is_chosen(self) -> bool:
        """Whether one has been picked and waits for our word."""
        return self.place >= 0 and bool(self.at.hand.picked)

    def bomb(self) -> Reply:
        """Plays the one that hurries, else picks one; again: another one."""
        _, at, position = self.at._, self.at, self.at.position
        if position is None:
            return None
        bombs = [cards for cards in position.sets if is_bomb(cards)]
        if not bombs:
            return Refused(
                _("You can’t play a bomb now.")
                if bombs_in(position.hand)
                else _("You have no bomb (four of a kind, or five or more of a suit in a row).")
            )
        if len(bombs) == 1 and self.hurries(position):
            return Move({"do": "play", "cards": list(bombs[0])})  # every moment counts: nothing is asked
        if len(bombs) == 1 and set(at.hand.chosen) == set(bombs[0]):
            told = _("This is your only bomb: {cards} · {@play:play}, {@clear:put back}", cards=at.cards.row(bombs[0]))
            return Told(told)
        self.place = (self.place + 1) % len(bombs)
        shown = at.cards.row(bombs[self.place])
        return Picked(
            bombs[self.place],
            _("Bomb: {cards} · {@play:play}, {@clear:put back}", cards=shown)
            if len(bombs) == 1
            else _(
                "Bomb {number} of {count}: {cards} · {@play:play}, {@bomb:next}",
                number=self.place + 1,
                count=len(bombs),
                cards=shown,
            ),
        )
