"""What happened to the bots that this machine keeps, in words."""

from __future__ import annotations

from cli.games.explain import explain
from cli.news import STOPPED, STOPPED_IN_ROOM, BotsBack, BotsNews, BotsStopped, BotStuck
from cli.text import Translator
from cli.text.sentences import sentence


def bots_told(_: Translator, news: BotsNews, *, is_seated: bool = True) -> str:
    """One or two sentences. `is_seated`: at a table that was sealed, so that there is a seat to come back to."""
    match news:
        case BotsBack(names):
            return _.n("{names} is back.", "{names} are back.", len(names), names=_.list(names))
        case BotStuck(name, reason, is_bug):
            told = [_("{name} can’t continue.", name=name or _("A bot on this computer")), explain(_, reason)]
            if is_seated and not is_bug:
                told.append(_("Then leave and rejoin: the bots come back with you."))
            return _.join(told)
        case BotsStopped(names, is_for_good, log, reason):
            if is_for_good:
                line = sentence(_(STOPPED if is_seated else STOPPED_IN_ROOM))
                line = line if reason is None else _.join([explain(_, reason), line])
            else:
                line = _.n(
                    "{names} stopped and is being restarted.",
                    "{names} stopped and are being restarted.",
                    len(names),
                    names=_.list(names),
                )
            return _.join([line, _("Details: {path}", path=log)]) if log else line
