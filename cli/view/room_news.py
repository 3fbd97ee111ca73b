"""What happened in a room besides its changes, in a sentence."""

from __future__ import annotations

from typing import assert_never

from cli.games.explain import explain
from cli.news import DrawTorn, NameNoticed, NotSigned, RequestRefused, RoomNews, SeatLost
from cli.text import Translator


def torn_text(_: Translator, torn: DrawTorn) -> str:
    """Who did not answer, and how often in a row: somebody who keeps interrupting draws may be choosing among them."""
    if torn.silent:
        told = [_("The match could not begin: {names} did not answer.", names=_.list(torn.silent))]
    elif torn.revealed:
        told = [_("The match could not begin: the host called it off after the seats were drawn.")]
    else:
        told = [_("The match could not begin.")]
    if torn.revealed:
        if torn.count > 1:
            told.append(_("This has happened {count} times in a row.", count=torn.count))
        told.append(_("Are you ready to try again?"))
    return _.join(told)


def room_news_text(_: Translator, news: RoomNews) -> str:
    """The sentence."""
    match news:
        case DrawTorn():
            return torn_text(_, news)
        case NotSigned("", reason) | RequestRefused(reason):
            return explain(_, reason)
        case NameNoticed(_key, name, ""):
            return _("A new key uses the name {name}. Is it the same person, on another device?", name=name)
        case NameNoticed(_key, name, before):
            return _("Last time, {name} was called {before}.", name=name, before=before)
        case SeatLost(""):
            return _("The match is over. You play in the next one.")
        case SeatLost(name):
            return _("{name} has taken the seat. You’ll play in the next match.", name=name)
        case NotSigned(name, reason):
            return _("{name}: {text}", name=name, text=explain(_, reason))
        case _:
            assert_never(news)
