"""The boxes over a table that does not go on: somebody is awaited, or we have lost everybody."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from cli.games.base.narrator import Narrator
from cli.games.base.prompts import elapsed
from cli.games.explain import explain
from cli.news import BotsNews, BotsStopped, BotStuck, Paused, Player, Playing, Reconnecting
from cli.text import Translator
from cli.view.actions import LABELS
from cli.view.model import Clock
from cli.view.partings import alone_told, awaited_told, fate_told, votes_told
from cli.view.phones import is_phone_near
from cli.view.views import Dialog, Line, Offer
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
        if self.news is not None and playing.seat is not None:
            missing_s = self.news.since_s + now - self._told_at
            away |= {seat: elapsed(missing_s) for seat in self.news.awaited if seat in away}  # as the box over it says
        return away

    @property
    def passed_s(self) -> float:
        """Seconds since the news."""
        return self._clock() - self._told_at

    def offers(self, me: Seat | None) -> list[Offer]:
        """How we can vote now."""
        return [] if self.news is None else vote_offers(me, self.news, self.passed_s)

    def dialog(self, who: Narrator, playing: Playing) -> Dialog | None:
        if self.news is None:
            return None
        return pause_dialog(who, playing.players, playing.seat, self.news, self.passed_s, self.bots)


def pause_dialog(
    who: Narrator,
    players: Sequence[Player],
    me: Seat | None,
    paused: Paused,
    passed_s: float,
    bots: BotsNews | None = None,
) -> Dialog:
    """Describe who is awaited and for how long (`passed_s` seconds since that was told), and what can be done about it.

    `bots` is what happened last to ours. Who only watches cannot do anything about it, and is not told since when.
    """
    _, names, title = who._, who.everyone(paused.awaited), awaited_told(who, paused)
    if paused.joining:
        alone = tuple(((line, "text"),) for line in alone_told(who, paused, passed_s))
        return Dialog(title, lines=alone, footer=_("{@chat:chat} · {@leave:leave}"), name="paused", asks=False)
    is_ours = only_our_bots(players, me, paused.awaited)
    is_offline = all(players[seat].away for seat in paused.awaited)
    if is_offline and not is_ours:
        title = _("Paused: {names} lost the connection", names=names)
        if machine := _lost_machine(players, paused.awaited):
            title = _("Paused: {name}’s computer isn’t answering", name=machine)
    time = elapsed(paused.since_s + passed_s)
    kept = _("No answer for {time}. Seats and cards are kept.", time=time)  # they may be there, and think
    if me is None:
        kept = _("Seats and cards are kept.")
    elif is_offline:
        kept = _("Away for {time}. Seats and cards are kept.", time=time)
    lines: list[Line] = [((kept, "text"),)]
    if is_ours and isinstance(bots, BotsStopped) and not bots.is_for_good:
        lines.append(((_("These bots run on your computer. Restarting them…"), "gold"),))
    elif is_ours and isinstance(bots, BotStuck) and bots.is_bug:
        lines.append(((explain(_, bots.reason), "alarm"),))  # back again, they would fail again
    elif is_ours:
        told = _("These bots run on your computer. To restart them: {@leave}, step away, then {@resume} in the lobby.")
        lines.append(((told, "gold"),))
        if isinstance(bots, BotStuck):
            lines.append(((explain(_, bots.reason), "alarm"),))
    elif is_offline:
        lines.append(((_("They can rejoin: open Fairdeal, press {@resume}."), "text"),))
    if me is None:
        return Dialog(title, lines=tuple(lines), name="paused", asks=False)
    lines += [((told, "gold"),) for told in votes_told(who, paused, passed_s)]
    if paused.left_s is not None:
        lines.append(((fate_told(who, paused.leaving or paused.awaited, paused.fate), "text"),))
    elif not is_ours:
        lines.append(((_stays(who, players, paused), "text"),))
    offers = [_.offer(offer.name, _(LABELS[offer.name])) for offer in vote_offers(me, paused, passed_s)]
    footer = " · ".join((*offers, _("{@chat:chat} · {@leave:leave}")))
    return Dialog(title, lines=tuple(lines), footer=footer, name="paused", asks=False)


def _stays(who: Narrator, players: Sequence[Player], paused: Paused) -> str:
    """Why the others cannot play on by themselves, and what they can do."""
    _ = who._
    people = [seat for seat, player in enumerate(players) if not player.left and not (player.bot and player.through)]
    if len(people) == 2:
        return _("With two players nobody plays on alone. Wait, or leave: nobody loses, and you can both rejoin later.")
    return _("Too many are missing to play on. Wait, or leave: your seat is kept.")


def vote_offers(me: Seat | None, paused: Paused, passed_s: float) -> list[Offer]:
    """How we can vote now."""
    if me is None or paused.left_s is None or paused.left_s > passed_s or me not in paused.needed:
        return []
    offers = [] if me in paused.agreed else [Offer("vote")]
    offers += [] if me in paused.against else [Offer("vote-no")]
    return [*offers, *([Offer("unvote")] if me in (*paused.agreed, *paused.against) else [])]


def only_our_bots(players: Sequence[Player], me: Seat | None, awaited: Sequence[Seat]) -> bool:
    """Whether nobody is missing but bots that play through this very machine; a phone keeps none."""
    return me is not None and all(players[seat].bot and players[seat].through == players[me].name for seat in awaited)


def _lost_machine(players: Sequence[Player], awaited: Sequence[Seat]) -> str:
    """Through whose computer all of these play, where that is missing as a whole; empty where it is about players."""
    machines = {players[seat].through or players[seat].name for seat in awaited}
    is_whole = all(player.away for player in players if player.name in machines)
    return machines.pop() if len(machines) == 1 and is_whole and any(players[seat].through for seat in awaited) else ""


def reconnect_dialog(_: Translator, table: str, reconnecting: Reconnecting) -> Dialog:
    """Nobody can be reached: it is our own link."""
    if reconnecting.through:
        return _phone_lost(_, table, reconnecting)
    lines: list[Line] = []
    if reconnecting.is_offline:
        lines.append(((_("This computer has no network. Check its cable or Wi-Fi."), "text"),))
    elif reconnecting.tries:
        told = _("attempt {n}, next in {seconds} s", n=reconnecting.tries + 1, seconds=ceil(reconnecting.next_s) or 1)
        lines.append(((told, "gold"),))
    lines.append(((_("Your cards are safe on this computer."), "text"),))
    title = _("Reconnecting to {table}…", table=table) if table else _("Reconnecting…")
    if reconnecting.is_offline:
        title = _("You are offline")
    return Dialog(title, lines=tuple(lines), footer=_("{@leave:leave} · your seat is kept"), asks=False)


def _phone_lost(_: Translator, table: str, reconnecting: Reconnecting) -> Dialog:
    """A phone reaches the table through a computer, and that one does not answer."""
    name, seconds = reconnecting.through, ceil(reconnecting.next_s) or 1
    next_try = _("next try in {seconds} s", seconds=seconds)
    kept = _("Your seat and your cards are kept. They are saved on this phone, and nobody else can see them.")
    return Dialog(
        _("Reconnecting…"),
        lines=(
            ((" · ".join(part for part in (table, next_try) if part), "dim"),),
            ((kept, "text"),),
            ((is_phone_near(_, name, reconnecting.is_long), "dim"),),
        ),
        footer=_("{name}’s computer", name=name),
        kind="lost",
        asks=False,
    )
