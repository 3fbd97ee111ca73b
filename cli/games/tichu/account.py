"""How a round of Tichu came to its points: who was out, the cards, the calls."""

from __future__ import annotations

from cli.games.base.narrator import Narrator
from cli.games.base.sheet import Sheet
from cli.games.shown import Line
from cli.text import Translator
from protocol.games.game import AnyGame
from protocol.games.tichu.rules import CALL_POINTS, DOUBLE_VICTORY
from protocol.games.tichu.view import TichuView
from protocol.games.views import PublicView, seen_as

ALL_POINTS = 100
"""What all cards count together."""


def account(_: Translator, game: AnyGame, narrator: Narrator, view: TichuView) -> tuple[Line, ...]:
    """Lines for the score sheet; none before a round has been scored."""
    points, out = view.round_points, view.out
    if points is None:
        return ()
    lines: list[Line] = []
    if out:
        order = _.list(narrator.who(seat) for seat in out)
        lines.append(((_("Out in this order: {names}", names=order), "text"),))
    left = list(points)
    calls: list[Line] = []
    for seat, call in view.callers:
        made = bool(out) and out[0] == seat
        worth = CALL_POINTS[call] if made else -CALL_POINTS[call]
        team = next(number for number, members in enumerate(game.teams) if seat in members)
        left[team] -= worth
        named = _("Grand Tichu") if call == "grand" else _("Tichu")
        told = narrator.did(seat, "Your {call}: {points}", "{name}’s {call}: {points}", call=named, points=f"{worth:+}")
        calls.append(((told, "ok" if made else "alarm"),))
    if view.ended == "double":
        names = _.list(narrator.who(seat) for seat in out[:2])
        lines.append(((_("Double victory for {names}: {points}", names=names, points=f"+{DOUBLE_VICTORY}"), "ok"),))
    else:
        shares = " · ".join(f"{narrator.team(number)} {each}" for number, each in enumerate(left))
        lines.append(((_("Card points: {shares}", shares=shares), "text"),))
        if last := _last_of_all(_, game, narrator, view):
            lines.append(((last, "dim"),))
    return (*lines, *calls)


def _last_of_all(_: Translator, game: AnyGame, narrator: Narrator, view: TichuView) -> str:
    """What became of the cards and tricks of who was left over; they are in the points already."""
    out, captured = view.out, view.captured
    left = [seat for seat in range(game.seats) if seat not in out]
    if len(left) != 1 or not captured:
        return ""
    held = ALL_POINTS - sum(captured)
    first = narrator.who(out[0])
    return narrator.did(
        left[0],
        "You were last: the cards in your hand ({points} points) go to the other team, your tricks to {first}.",
        "{name} was last: the cards in hand ({points} points) go to the other team, the tricks to {first}.",
        points=held,
        first=first,
    )


def so_far(_: Translator, game: AnyGame, narrator: Narrator, view: TichuView) -> tuple[Line, ...]:
    """While a round is played: what its tricks brought until now, and who has called."""
    captured = view.captured
    lines: list[Line] = []
    if view.played and captured:
        taken = [sum(captured[seat] for seat in team) for team in game.teams]
        shares = " · ".join(f"{narrator.team(number)} {points}" for number, points in enumerate(taken))
        lines.append(((_("Trick points: {shares}", shares=shares), "text"),))
    for seat, call in view.callers:
        named = _("Grand Tichu") if call == "grand" else _("Tichu")
        told = narrator.did(seat, "You called {call}.", "{name} called {call}.", call=named)
        lines.append(((told, "gold"),))
    return tuple(lines)


class TichuSheet(Sheet):
    """For one seat."""

    def account(self, view: PublicView) -> tuple[Line, ...]:
        return account(self.at._, self.at.game, self.at.narrator, seen_as(TichuView, view))

    def so_far(self) -> tuple[Line, ...]:
        return so_far(self.at._, self.at.game, self.at.narrator, seen_as(TichuView, self.at.view))
