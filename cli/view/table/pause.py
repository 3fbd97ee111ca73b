"""The boxes over a table that does not go on: somebody is awaited, or we have lost everybody."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from cli.games.base.narrator import Narrator
from cli.games.base.prompts import elapsed
from cli.games.explain import explain
from cli.news import BotsNews, BotsStopped, BotStuck, Paused, Player, Playing, Reconnecting
from cli.text import Translator
from cli.view.model import Clock
from cli.view.views import Dialog, Line
from protocol.cards import Seat


class Pause:
    """Who is missing, and since when."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.news: Paused | None = None
        self._told_at = 0.0
        self._away_since: dict[Seat, float] = {}
        self.bots: BotsNews | None = None
        """What happened last to the bots that we keep, if anything did."""

    def hear(self, news: Paused) -> None:
        self.news, self._told_at = news if news.awaited else None, self._clock()

    def over(self) -> None:
        self.news = None

    def left(self, seat: Seat) -> None:
        self._away_since.setdefault(seat, self._clock())

    def came_back(self, seat: Seat) -> None:
        self._away_since.pop(seat, None)

    def away(self, playing: Playing) -> dict[Seat, str]:
        """For how long each has been away, where that is known."""
        now = self._clock()
        away = {seat: elapsed(now - since) for seat, since in self._away_since.items()}
        for seat, player in enumerate(playing.players):
            if player.away:
                away.setdefault(seat, "")
        if self.news is not None:
            missing_s = self.news.since_s + now - self._told_at
            away |= {seat: elapsed(missing_s) for seat in self.news.awaited if seat in away}  # as the box over it says
        return away

    def dialog(self, _: Translator, who: Narrator, playing: Playing) -> Dialog | None:
        if self.news is None:
            return None
        passed_s = self._clock() - self._told_at
        return pause_dialog(_, who, playing.players, playing.seat, self.news, passed_s, self.bots)


def pause_dialog(
    _: Translator,
    who: Narrator,
    players: Sequence[Player],
    me: Seat | None,
    paused: Paused,
    passed_s: float,
    bots: BotsNews | None = None,
) -> Dialog:
    """Describe who is awaited and for how long (`passed_s` seconds since that was told); `bots` is what happened last to ours.

    Voting to play on is not offered: no table can yet play on without a player.
    """
    names = who.everyone(paused.awaited)
    title = _("Paused: waiting for {names}", names=names)
    if all(players[seat].away for seat in paused.awaited):
        title = _("Paused: {names} lost the connection", names=names)
    lines: list[Line] = [
        ((_("Away for {time}. Seats and cards are kept.", time=elapsed(paused.since_s + passed_s)), "text"),),
        ((_("They can rejoin: open Fairdeal, press {@resume}."), "text"),),
    ]
    is_ours = only_our_bots(players, me, paused.awaited)
    if is_ours:
        title = _("Paused: waiting for {names}", names=names)
    if is_ours and isinstance(bots, BotsStopped) and not bots.is_for_good:
        lines[1] = ((_("These bots run on your computer. Restarting them…"), "gold"),)
    elif is_ours:
        if isinstance(bots, BotStuck):
            lines.append(((explain(_, bots.reason), "alarm"),))
        told = _("These bots run on your computer. To restart them: {@leave}, step away, then {@resume} in the lobby.")
        lines[1] = ((told, "gold"),)
    return Dialog(title, lines=tuple(lines), footer=_("{@chat:chat} · {@leave:leave}"), name="paused", asks=False)


def only_our_bots(players: Sequence[Player], me: Seat | None, awaited: Sequence[Seat]) -> bool:
    """Whether nobody is missing but bots that play through this very machine."""
    return me is not None and all(
        players[seat].bot
        and bool(players[seat].through)
        and players[seat].through in (players[me].name, players[me].through)
        for seat in awaited
    )


def reconnect_dialog(_: Translator, table: str, reconnecting: Reconnecting) -> Dialog:
    """Nobody can be reached: it is our own link."""
    lines: list[Line] = []
    if reconnecting.is_offline:
        lines.append(((_("This computer has no network. Check its cable or Wi-Fi."), "text"),))
    elif reconnecting.tries:
        told = _("attempt {n}, next in {seconds} s", n=reconnecting.tries + 1, seconds=ceil(reconnecting.next_s) or 1)
        lines.append(((told, "gold"),))
    lines.append(((_("Your cards are safe on this computer."), "text"),))
    title = _("Reconnecting to {table} …", table=table) if table else _("Reconnecting …")
    if reconnecting.is_offline:
        title = _("You are offline")
    return Dialog(title, lines=tuple(lines), footer=_("{@leave:leave} · your seat is kept"), asks=False)
