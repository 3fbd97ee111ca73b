"""The boxes over a table that does not go on: somebody is awaited, or we have lost everybody."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from cli.clean import wrap
from cli.games.explain import explain
from cli.games.narrator import Narrator
from cli.news import ALL_AGREE, BotsNews, BotsStopped, BotStuck, Paused, Player, Reconnecting
from cli.text import Translator
from cli.view.table.prompts import elapsed
from cli.view.views import Choice, Dialog, Line
from protocol.cards import Seat


def pause_dialog(
    _: Translator,
    who: Narrator,
    players: Sequence[Player],
    me: Seat | None,
    paused: Paused,
    passed_s: float,
    bots: BotsNews | None = None,
) -> Dialog:
    """Who is awaited since when, from when on one may wish to go on, and who does; `passed_s` since that was told. `bots`: what
    happened last to those that we keep."""
    names = who.everyone(paused.awaited)
    title = _("Paused: waiting for {names}", names=names)
    if all(players[seat].away for seat in paused.awaited):
        title = _("Paused: {names} lost the connection", names=names)
    lines: list[Line] = [
        ((_("Missing for {time}. Seats and cards are kept.", time=elapsed(paused.since_s + passed_s)), "text"),),
        ((_("In their lobby, U brings them back."), "text"),),
    ]
    is_possible, left_s = paused.left_s is not None, (paused.left_s or 0.0) - passed_s
    is_ours = only_our_bots(players, me, paused.awaited)
    if is_ours:
        title = _("Paused: waiting for {names}", names=names)
    if is_ours and isinstance(bots, BotsStopped) and not bots.is_for_good:
        lines[1] = ((_("They are bots of this machine, and are being started again."), "gold"),)
    elif is_ours:
        if isinstance(bots, BotStuck):
            lines += [((line, "alarm"),) for line in wrap(explain(_, bots.reason), 50)]
        lines[1] = ((_("They are bots of this machine: Ctrl-Q and A, then U in the lobby, begins them anew."), "gold"),)
    elif not is_possible:
        lines.append(((_("Too few would be left to go on without them: the match waits."), "text"),))
    elif left_s > 0:
        lines.append(((_("{time} until the others may go on, if all agree.", time=elapsed(left_s + 0.999)), "gold"),))
    elif not paused.all_agree:
        lines.append(((_("The others may go on now, if all agree."), "gold"),))
    if paused.all_agree:
        lines.append(((_(ALL_AGREE, names=names), "gold"),))
    if paused.agreed:
        lines.append(((_("Wish to go on: {names}", names=who.everyone(paused.agreed)), "text"),))
    wishes = me is not None and me in paused.agreed
    choices: tuple[Choice, ...] = (Choice("W", _("Keep waiting")),)
    if is_possible:
        choices = (*choices, Choice("G", _("Go on without")))
    footer = _("/ chat · Ctrl-Q leave")
    if wishes:
        footer = _("W takes your wish back · / chat · Ctrl-Q leave")
    elif is_possible:
        footer = _("G: all must agree · / chat · Ctrl-Q leave")
    return Dialog(title, choices, cursor=int(wishes), lines=tuple(lines), footer=footer)


def only_our_bots(players: Sequence[Player], me: Seat | None, awaited: Sequence[Seat]) -> bool:
    """Whether nobody is missing but bots that play through this very machine."""
    return me is not None and all(
        players[seat].bot
        and bool(players[seat].through)
        and players[seat].through in (players[me].name, players[me].through)
        for seat in awaited
    )


def answer_to(
    _: Translator, who: Narrator, players: Sequence[Player], me: Seat | None, paused: Paused, wish: bool
) -> str:
    """What W or G brings, said on the prompt line."""
    if not wish:
        return _("You keep waiting.") if me not in paused.agreed else _("Your wish to go on is taken back.")
    if paused.left_s is None:
        return _("Too few would be left to go on: only W, or Ctrl-Q to leave.")
    if me in paused.agreed:
        missing = [seat for seat in range(len(players)) if seat not in (*paused.awaited, *paused.agreed)]
        if not missing:
            return _("All wish to go on.")
        return _("You wish to go on; not yet: {names}.", names=who.everyone(missing))
    return _("You wish to go on. It counts when all agree; W takes it back.")


def reconnect_dialog(_: Translator, table: str, reconnecting: Reconnecting) -> Dialog:
    """Nobody can be reached: it is our own link."""
    lines: list[Line] = []
    if reconnecting.tries:
        told = _("try {n}, next in {seconds} s", n=reconnecting.tries + 1, seconds=ceil(reconnecting.next_s) or 1)
        lines.append(((told, "gold"),))
    lines.append(((_("Your cards are safe on this machine."), "text"),))
    title = _("Reconnecting to {table} …", table=table) if table else _("Reconnecting …")
    return Dialog(title, lines=tuple(lines), footer=_("Ctrl-Q leave · your seat is kept"))
