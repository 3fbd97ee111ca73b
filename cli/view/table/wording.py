"""How the log tells a piece of news. Nothing is known here but the news: it is worded anew when the language changes."""

from __future__ import annotations

from cli import news as events
from cli.games.base.narrator import Narrator
from cli.games.base.table import TableFace
from cli.games.base.telling import in_short, moved
from cli.games.explain import explain
from cli.games.short_cards import ShortCards
from cli.news import News
from cli.news.emotes import shown_text
from cli.view.bot_news import bots_told
from cli.view.hint_levels import change_of_help
from cli.view.misbehaviour import misbehaved_told
from cli.view.partings import (
    alone_told,
    back_told,
    match_ended_told,
    seat_wanted_told,
    took_seat_told,
    voted_on_told,
    went_on_told,
)
from cli.view.views import Piece
from protocol.games.views import PublicView


def told_in_log(face: TableFace, news: News, is_back: bool = False) -> list[Piece]:
    """Entries, the oldest first; none for news that only the screen shows. `is_back`: to who was away meanwhile."""
    return [(text, ink) for text, ink in _pieces(face, news, is_back) if text]


def _pieces(face: TableFace, news: News, is_back: bool) -> list[Piece]:
    who, cards = face.at.narrator, face.at.cards
    _ = who._
    match news:
        case events.RoundBegan(view=view) if view.round_over:
            return []  # we came when it was over: how it ended follows
        case events.RoundBegan(number, view) if is_back:
            return [(_.join([_("You rejoined in round {number}.", number=number), *_lying(who, cards, view)]), "gold")]
        case events.RoundBegan(number, view):
            return [(_.join(who.round_began(number, view)), "gold")]
        case events.Moved():
            return [(_.join(moved(who, news)), face.log_ink(news.move))]
        case events.Earlier(moves):
            return [piece for each in in_short(who, moves) for piece in _pieces(face, each, is_back)]
        case events.RoundEnded(view, breaches):
            caught: list[Piece] = []
            for seat, fault in breaches:
                reason = explain(_, fault, cards, who.names)
                text = _(
                    "The opened hands show that {name} broke a rule. {reason}",
                    name=who.name(seat),
                    reason=reason,
                )
                caught.append((text, "alarm"))
            return [(_.join(who.round_ended(view)), "gold"), *caught]
        case events.RoundVoid(held_up_by):
            return [(_.join(who.round_void(held_up_by)), "alarm")]
        case events.MatchEnded():
            return [(_.join(match_ended_told(who, news)), "gold")]
        case events.DealChecked(took_ms=took_ms) if took_ms:
            return [(_("✓ deal proven fair, {ms} ms", ms=round(took_ms)), "ok")]
        case events.Said(seat, text):
            return [(_("{name}: {text}", name=who.who(seat), text=shown_text(_, text)), "chat")]
        case events.HintsChanged():
            return [(change_of_help(who, news), "text")]
        case events.Misbehaved():
            return [(misbehaved_told(who, news), "alarm")]
        case events.WasAsleep():
            return [(_("Your computer was asleep. Reconnecting…"), "gold")]
        case events.Away(seat) if not (news.is_ours or news.is_after_sleep):
            return [(_("{name} is away. The seat is kept.", name=who.name(seat)), "alarm")]
        case events.Back(seat) if not (news.is_ours or news.is_after_sleep):
            return [(back_told(who, seat, face.at.playing.players), "ok")]
        case events.BotsStopped() | events.BotsBack() | events.BotStuck():
            return [(bots_told(_, news), "ok" if isinstance(news, events.BotsBack) else "alarm")]
        case events.Paused() if news.joining:
            return [(told, "alarm") for told in alone_told(who, news)]
        case events.Paused(awaited) if awaited:
            return [(_("Paused: waiting for {names}.", names=who.everyone(awaited)), "alarm")]
        case events.Paused():
            return [(_("The match continues."), "ok")]
        case events.VotedOn():
            return [(voted_on_told(who, news), "alarm")]
        case events.WentOn():
            playing = face.at.playing
            lines = went_on_told(who, news, playing.players, playing.seat)
            return [(told, "alarm") for told in lines]  # much to read in a narrow pane
        case events.TookSeat():
            return [(took_seat_told(who, news), "ok")]
        case events.SeatWanted():
            return [(seat_wanted_told(who, news), "ok")]
        case events.Accused(seat, reason):
            reason_told = explain(_, reason, cards, who.names)
            return [(_("CHEATING: {name}. {reason}", name=who.name(seat), reason=reason_told), "alarm")]
        case events.Broken(reason):
            return [(_("The match can’t continue. {reason}", reason=explain(_, reason, cards, who.names)), "alarm")]
        case _quiet:
            return []


def _lying(who: Narrator, cards: ShortCards, view: PublicView) -> list[str]:
    """What lies on the table, with what its player named: that was said while we were away."""
    _ = who._
    pile = view.pile
    if pile is not None and pile.top:
        card = cards.say(pile.top)
        if pile.suit:
            return [_("On the pile: {card}, suit chosen: {suit}.", card=card, suit=cards.suit_name(pile.suit))]
        if pile.rank:
            return [_("On the pile: {card}, asking for {rank}.", card=card, rank=cards.ranks(pile.rank))]
        return [_("On the pile: {card}.", card=card)]
    if view.trick is not None and view.trick.plays:
        return [_("On the table: {cards}.", cards=cards.say_all(view.trick.cards))]
    return []
