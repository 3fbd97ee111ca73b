"""The prompt line of Tichu."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cli.games.base.prompts import Prompts
from cli.games.base.viewpoint import Viewpoint
from cli.games.position import Position
from protocol.cards import DRAGON, MAH_JONG, Seat
from protocol.games.tichu.view import TichuView
from protocol.games.views import seen_as


def must_obey(position: Position) -> bool:
    """Whether the wish leaves nothing else: the rank can be played, so each play that is allowed holds it. A leader without it
    may play anything, and passing is no choice of theirs."""
    wish = seen_as(TichuView, position.view).wish
    if not wish or not position.plays or "pass" in position.verbs:
        return False
    return all(any(card[0] == wish for card in cards) for cards in position.sets)


class TichuPrompts(Prompts):
    """For one seat. `receiver`: who gets the next card of the exchange."""

    def __init__(self, at: Viewpoint, receiver: Callable[[], str]) -> None:
        super().__init__(at)
        self.receiver = receiver

    def my_turn(self, position: Position, by_itself_s: int | None = None) -> str:
        _, cards, view = self.at._, self.at.cards, seen_as(TichuView, position.view)
        match view.phase:
            case "grand":
                return _("Call Grand Tichu? Win or lose 200 points")
            case "give":
                given = self.receiver()
                return _("Pass a card to each player · {@gift:choose who} · {@play:pass}", name=given)
            case "show" if by_itself_s is not None:
                return _("You have the Mah Jong and lead: shown in {seconds} s", seconds=by_itself_s)
            case "show":
                return _("You have the Mah Jong and lead · {@play:show it}")
            case "collect" if view.to_beat == (DRAGON,):
                return _("Give the Dragon’s trick to an opponent · {@play:choose who}")
            case "collect" if by_itself_s is not None:
                return _("You won the trick ({seconds} s for bombs · {@play:take it now})", seconds=by_itself_s)
            case "collect":
                return _("You won the trick: wait, or press {@play} to take it now")
            case _other:
                pass
        if not view.to_beat:
            told = _("You lead · play any combination")
            if MAH_JONG in position.hand:
                told = _("You lead · with the Mah Jong you can wish for a rank")
        elif "play" in position.verbs:
            told = _("Beat the trick, or press {@pass} to pass")
            if view.owner == (position.seat + 2) % 4:
                told = _("Your partner is winning: press {@pass} to pass, or beat it")
        else:
            told = _("You can’t beat this · {@pass:pass}")
        if view.wish:
            if must_obey(position):
                return _("The wish is {ranks}: you must play one", ranks=cards.rank_names(view.wish))
            told = _("{what} · wish: {rank}", what=told, rank=cards.rank(view.wish))
        return told

    def awaited(self) -> Sequence[Seat]:
        view = seen_as(TichuView, self.at.view)
        if view.phase in ("grand", "give"):
            done = view.decided if view.phase == "grand" else view.given
            return [seat for seat, ready in enumerate(done) if not ready and seat != self.at.me]
        return super().awaited()

    def waiting_for(self, seats: Sequence[Seat]) -> str:
        _ = self.at._
        names = _.list(self.at.narrator.name(seat) for seat in seats)
        match self.at.view.phase:
            case "grand":
                return _("Waiting for {names} to answer Grand Tichu", names=names)
            case "give":
                return _("Waiting for {names} to pass cards", names=names)
            case "show":  # publicly it may be anybody
                return _("Waiting for the player with the Mah Jong to lead")
            case _other:
                return super().waiting_for(seats)

    def has_order(self) -> bool:
        return self.at.view.phase != "collect"
