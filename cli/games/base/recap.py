"""What the others did since our last move, in short: for a window that has no room for the log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cli import news as events
from cli.games.base.narrator import Narrator, gained
from cli.games.short_cards import ShortCards, told_apart
from cli.games.shown import Piece
from protocol.cards import Seat


def recap(
    who: Narrator, cards: ShortCards, moves: Iterable[events.Moved], half_told: events.Moved | None = None
) -> tuple[Piece, ...]:
    """An entry for each player's moves in a row, "Ada 9♦, out", the oldest first; before all what happened to ourselves, in the
    ink of an alarm. `half_told`: one more move of which others read only the beginning, so that here is what it led to."""
    names = told_apart(who.names)
    led_to: list[tuple[int, list[tuple[Seat, str]]]] = []
    """What befell players, each after so many entries."""
    entries: list[tuple[Seat, list[str]]] = []
    drawn = 0
    """How many the last entry's player drew just before."""
    for news in moves:
        actions = short_actions(who, cards, news)
        goes_on = bool(entries) and entries[-1][0] == news.seat
        count = gained(news.before, news.after, news.seat) if actions and news.move.get("do") == "draw" else 0
        if goes_on and drawn and count:
            entries[-1][1][-1] = who._("drew {n}", n=drawn + count)
        elif goes_on and drawn and actions and news.move.get("do") == "play":  # "drew 6, 6♣" would be two things drawn
            entries[-1][1].extend((who._("played {cards}", cards=actions[0]), *actions[1:]))
        elif goes_on:
            entries[-1][1].extend(actions)
        else:
            entries.append((news.seat, actions))
        drawn = (drawn if goes_on else 0) + count if count else 0
        led_to.append((len(entries), befallen(who, cards, news)))
    if half_told is not None:
        led_to.append((len(entries), befallen(who, cards, half_told)))
    own = [text for _place, found in led_to for seat, text in found if seat == who.seat]
    others = [(place, text) for place, found in led_to for seat, text in found if seat != who.seat]
    shown: list[Piece] = [(text, "alarm") for text in own]
    shown += [(text, "dim") for after, text in others if after == 0]
    for place, (seat, actions) in enumerate(entries, 1):
        if actions and seat != who.seat:
            shown.append((f"{names[seat]} {', '.join(actions)}", "dim"))
        shown += [(text, "dim") for after, text in others if after == place]
    return tuple(shown)


def short_actions(who: Narrator, cards: ShortCards, news: events.Moved) -> list[str]:
    """A move in a few words, without its player: "9♦", "drew 2", "passed"."""
    _, move = who._, news.move
    match move.get("do"):
        case "play":
            actions = [_shown(who, cards, news)]
            if move.get("call"):
                actions.append(_("“{text}”", text=who.last_word(move)))
        case "draw":
            count = gained(news.before, news.after, news.seat)
            taken = _("drew {n}", n=count)
            actions = [taken if count > 0 else _("drew nothing")]
        case "pass":
            actions = [_("passed")]
        case "call":
            actions = [_("“{text}”", text=who.last_word(move))]
        case _other:
            actions = []
    if news.seat in _newly_out(news):
        actions.append(_("out"))
    return actions


def _shown(who: Narrator, cards: ShortCards, news: events.Moved) -> str:
    """The cards of a play with what was named."""
    _, move = who._, news.move
    stands = iter(move.get("as") or ())
    shown = " ".join(
        f"{cards.short(card)} ({cards.short(face)})"
        if cards.is_joker(card) and (face := next(stands, None))
        else cards.short(card)
        for card in move["cards"]
    )
    if suit := move.get("suit"):
        return _("{cards}: chose {what}", cards=shown, what=cards.suit(suit))
    if rank := move.get("rank"):
        return _("{cards}: chose {what}", cards=shown, what=cards.rank(rank))
    if (chosen := move.get("next")) is not None:
        name = who.who(chosen) if chosen == who.seat else told_apart(who.names)[chosen]
        return _("{cards}: {name} plays next", cards=shown, name=name)
    return shown


def befallen(who: Narrator, cards: ShortCards, news: events.Moved) -> list[tuple[Seat, str]]:
    """What a move did to players: a forgotten word is paid for, a turn is missed."""
    _, names = who._, told_apart(who.names)
    told_of: list[tuple[Seat, str]] = []
    for seat in range(len(news.after.hand_sizes)):
        if seat == news.seat and news.move.get("do") == "draw":
            continue
        played = len(news.move.get("cards", ())) if seat == news.seat and news.move.get("do") == "play" else 0
        count = gained(news.before, news.after, seat) + played
        if count > 0 and "call" in who.game.MOVES:
            new = who.new_cards(news.before, news.after) if seat == who.seat else ()
            name = _("You") if seat == who.seat else names[seat]
            text = _("{name}: forgot to call, +{n}", name=name, n=count)
            told_of.append((seat, f"{text} ({cards.row(new)})" if new else text))
    if (missed := who.skipped(news.seat, news.move, news.after)) is not None:
        text = f"{names[missed]} {_.n('is skipped', 'is skipped {n} times', 1)}"
        told_of.append((missed, _("You are skipped.") if missed == who.seat else text))
    return told_of


def _newly_out(news: events.Moved) -> Sequence[Seat]:
    return [seat for seat in news.after.out if seat not in news.before.out]
