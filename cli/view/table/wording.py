"""How the log tells a piece of news. Nothing is known here but the news: it is worded anew when the language changes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from cli import news as events
from cli.games.explain import explain
from cli.games.narrator import Narrator, gained
from cli.games.short_cards import ShortCards
from cli.games.tichu_narrator import is_bomb
from cli.news import News
from cli.text import Translator
from cli.view.bot_news import bots_told
from cli.view.emotes import shown_text
from cli.view.hint_levels import change_of_help
from cli.view.views import Piece
from protocol.games.game import Data


def told_in_log(who: Narrator, cards: ShortCards, news: News, is_back: bool = False) -> list[Piece]:
    """Entries, the oldest first; none for news that only the screen shows. `is_back`: to who was away meanwhile."""
    return [(text, ink) for text, ink in _pieces(who, cards, news, is_back) if text]


def _pieces(who: Narrator, cards: ShortCards, news: News, is_back: bool) -> list[Piece]:
    _ = who._
    match news:
        case events.RoundBegan(number, view) if is_back and not view.get("round_over"):
            return [(_.join([_("You are back in round {number}.", number=number), *_lying(who, cards, view)]), "gold")]
        case events.RoundBegan(number, view):
            return [(_.join(who.round_began(number, view)), "gold")]
        case events.Moved():
            return [(_.join(moved(who, news)), "alarm" if _is_loud(who, news.move) else "text")]
        case events.Earlier(moves):
            return [piece for each in in_short(who, moves) for piece in _pieces(who, cards, each, is_back)]
        case events.RoundEnded(view, breaches):
            caught: list[Piece] = []
            for seat, fault in breaches:
                reason = explain(_, fault, cards, who.names)
                text = _(
                    "Found when the cards were opened: {name} broke a rule. {reason}",
                    name=who.name(seat),
                    reason=reason,
                )
                caught.append((text, "alarm"))
            return [(_.join(who.round_ended(view)), "gold"), *caught]
        case events.RoundVoid(held_up_by):
            return [(_.join(who.round_void(held_up_by)), "alarm")]
        case events.MatchEnded(view):
            return [(_.join(who.match_ended(view)), "gold")]
        case events.DealChecked(took_ms=took_ms) if took_ms:
            return [(_("✓ deal proven fair, {ms} ms", ms=round(took_ms)), "ok")]
        case events.Said(seat, text):
            return [(_("{name}: {text}", name=who.who(seat), text=shown_text(_, text)), "chat")]
        case events.HintsChanged():
            return [(change_of_help(who, news), "text")]
        case events.Away(seat) if not news.is_ours:
            return [(_("{name} is away; the seat is kept.", name=who.name(seat)), "alarm")]
        case events.Back(seat) if not news.is_ours:
            return [(_("{name} is back.", name=who.name(seat)), "ok")]
        case events.BotsStopped() | events.BotsBack() | events.BotStuck():
            return [(bots_told(_, news), "ok" if isinstance(news, events.BotsBack) else "alarm")]
        case events.Paused(awaited) if awaited:
            return [(_("Paused: waiting for {names}.", names=who.everyone(awaited)), "alarm")]
        case events.Paused():
            return [(_("The table goes on."), "ok")]
        case events.WentOn(without):
            names = who.everyone(without)
            return [(_("The game goes on without {names}; the rules play the open hand.", names=names), "alarm")]
        case events.TookSeat(seat):
            return [(_("{name} takes an empty seat.", name=who.name(seat)), "ok")]
        case events.Accused(seat, reason):
            reason_told = explain(_, reason, cards, who.names)
            return [(_("CHEATING: {name}. {reason}", name=who.name(seat), reason=reason_told), "alarm")]
        case events.Broken(reason):
            return [(_("The match cannot go on. {reason}", reason=explain(_, reason, cards, who.names)), "alarm")]
        case _quiet:
            return []


def moved(who: Narrator, news: events.Moved) -> list[str]:
    """The sentences of a move; in Tichu the seats show who has said no, or given."""
    sentences = who.moved(news.seat, news.move, news.before, news.after)
    do = news.move.get("do")
    is_silent = (do == "grand" and not news.move.get("call")) or (do == "give" and news.seat != who.seat)
    return sentences[1:] if is_silent else sentences


def drawn_together(who: Narrator, first: events.Moved, then: events.Moved) -> events.Moved | None:
    """Two draws of one seat as one, where they follow each other and nothing else came of them."""
    if first.seat != then.seat or first.move.get("do") != "draw" or then.move.get("do") != "draw":
        return None
    if first.before.get("turn") != first.seat or first.after.get("turn") != first.seat or first.before.get("penalty"):
        return None
    if len(moved(who, then)) != 1 or gained(then.before, then.after, then.seat) < 1:
        return None
    # In the order in which they came: the last one named is the one drawn last.
    came = [*who.new_cards(first.before, first.after), *who.new_cards(then.before, then.after)]
    after = {**then.after, "drawn": came} if then.seat == who.seat else then.after
    return replace(then, before=first.before, after=after)


def in_short(who: Narrator, news: Iterable[events.Moved]) -> list[events.Moved]:
    """Moves one after the other, what somebody draws in a row as one."""
    found: list[events.Moved] = []
    for each in news:
        together = drawn_together(who, found[-1], each) if found else None
        found[-1:] = [together] if together is not None else [*found[-1:], each]
    return found


def tichu_deed(_: Translator, cards: ShortCards, move: Data) -> str:
    """A move in a word or two, for a list of what one player has done; empty for what is not worth telling."""
    match move.get("do"):
        case "play":
            return cards.row(move["cards"])
        case "pass":
            return _("passed")
        case "collect":
            return _("took the trick")
        case "tichu":
            return _("Tichu!")
        case "grand" if move.get("call"):
            return _("Grand Tichu!")
        case _other:
            return ""


def _is_loud(who: Narrator, move: Data) -> bool:
    if move.get("do") == "tichu" or move.get("call") is True:
        return True
    return move.get("do") == "play" and who.game.name == "tichu" and is_bomb(move.get("cards", ()))


def _lying(who: Narrator, cards: ShortCards, view: Data) -> list[str]:
    """What lies on the table, with what its player named: that was said while we were away."""
    _ = who._
    if top := view.get("top"):
        card = cards.say(top)
        if suit := view.get("suit"):
            return [_("On the pile: {card}, {suit} named.", card=card, suit=cards.suit_name(suit))]
        if rank := view.get("rank"):
            return [_("On the pile: {card}, {rank} called.", card=card, rank=cards.ranks(rank))]
        return [_("On the pile: {card}.", card=card)]
    if trick := view.get("trick"):
        return [_("On the table: {cards}.", cards=cards.say_all(trick))]
    return []
