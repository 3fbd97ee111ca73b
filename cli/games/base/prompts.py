"""The prompt line: what can be done, or whom we wait for."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from cli.games.base.viewpoint import Viewpoint
from cli.games.position import Position
from cli.text import key
from protocol.cards import Seat
from protocol.games.views import PublicView

LONG_S = 5.0
"""For how long somebody has been thinking is told from here on: it is of no interest before."""
ORDINALS = (
    key("1st"),
    key("2nd"),
    key("3rd"),
    key("4th"),
    key("5th"),
    key("6th"),
    key("7th"),
    key("8th"),
    key("9th"),
    key("10th"),
)


def elapsed(seconds: float) -> str:
    """0:07."""
    whole = max(0, int(seconds))
    return f"{whole // 60}:{whole % 60:02d}"


def next_seat(view: PublicView, count: int, gone: Collection[Seat] = ()) -> Seat | None:
    """The next seat in turn, if nothing special is played. `gone`: seats that take no part."""
    turn = view.turn
    if turn is None or not count or view.direction is None:
        return None
    out = {*view.out, *gone}
    for distance in range(1, count):
        seat: Seat = (turn + view.direction * distance) % count
        if seat not in out:
            return seat
    return None


def turns_until(view: PublicView, me: Seat, count: int, gone: Collection[Seat] = ()) -> int:
    """How many come before me, the one in turn included."""
    turn = view.turn
    out = {*view.out, *gone}
    if turn is None or me in out:
        return 0
    step = 1 if view.direction is None else view.direction
    distance, seat = 0, turn
    while seat != me and distance < count:
        seat = (seat + step) % count
        if seat not in out:
            distance += 1
    return distance


class Prompts:
    """For one seat. This one knows no game."""

    def __init__(self, at: Viewpoint) -> None:
        self.at = at

    def my_turn(self, position: Position, by_itself_s: int | None = None) -> str:
        """What I can do now."""
        _, view = self.at._, self.at.view
        parts: list[str] = []
        fits = len([card for card in position.hand if card in position.playable])
        if position.plays and view.trick is not None:
            parts.append(_("Play a card to the trick") if view.trick.plays else _("You lead"))
        if position.plays and self.at.may_tell:
            parts.append(_.n("{n} playable", "{n} playable", fits))
        elif not position.plays:
            parts.append(_("You can’t play"))
        if "draw" in position.verbs:
            parts.append(_("{@draw:draw}"))
        if "pass" in position.verbs:
            parts.append(_("{@pass:pass}"))
        return " · ".join(part for part in parts if part)

    def waiting(self, waited_s: float, left_s: float | None = None) -> str:
        """Whom we wait for, how many come before us, and since when; where their time is limited (`left_s`), how much is left."""
        _, who, view = self.at._, self.at.narrator, self.at.view
        turn = view.turn
        if view.round_over:
            return _("The round is over")
        if turn is None:
            seats = self.awaited()
            return self.waiting_for(seats) if seats else _("One moment…")
        # Told with the first news after our own move, before the table has said whose turn is next.
        if turn == self.at.me:
            return _("One moment…")
        told = _("Waiting for {name}", name=who.name(turn))
        if left_s is not None:
            since = _("{time} left", time=elapsed(left_s))
        else:
            since = _("waiting {time}", time=elapsed(waited_s)) if waited_s >= LONG_S else ""
        return " · ".join(part for part in (self._in_line(told), since) if part)

    def awaited(self) -> Sequence[Seat]:
        """Who has not acted yet where all act at once."""
        acting: Sequence[Seat] = self.at.view.to_act
        return [seat for seat in acting if seat != self.at.me]

    def waiting_for(self, seats: Sequence[Seat]) -> str:
        """The same in words."""
        return self.at._("Waiting for {names}", names=self.at._.list(self.at.narrator.name(seat) for seat in seats))

    def following(self, gone: Collection[Seat]) -> Seat | None:
        """The next seat in turn; None where that is not known."""
        return next_seat(self.at.view, len(self.at.playing.players), gone)

    def has_order(self) -> bool:
        """Whether it can be said who comes next."""
        return True

    def _in_line(self, told: str) -> str:
        """Whom we wait for, and how many come before us."""
        _, me, view, count = self.at._, self.at.me, self.at.view, len(self.at.playing.players)
        if me is None or not self.has_order() or me in view.out:
            return told
        gone = {seat for seat, player in enumerate(self.at.playing.players) if player.left}
        following = self.following(gone)
        distance = turns_until(view, me, count, gone)
        if distance == 1 or following is None:
            return _("{waiting}, then you", waiting=told) if distance == 1 else told
        if distance > 1:
            return _(
                "{waiting}, then {name}; you are {place}",
                waiting=told,
                name=self.at.narrator.name(following),
                place=_(ORDINALS[min(distance, len(ORDINALS) - 1)]),
            )
        return told
