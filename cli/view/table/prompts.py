"""The prompt line: whose turn it is, what can be done, whom we wait for."""

from __future__ import annotations

from collections.abc import Sequence

from cli.games.cards import last_word
from cli.games.narrator import Narrator
from cli.games.short_cards import ShortCards
from cli.text import Translator
from cli.view.position import Position
from cli.view.table.middle import alone_next, wild_of
from cli.view.table.seats import ORDINALS, next_seat, turns_until
from protocol.cards import JOKER, MAH_JONG
from protocol.games.game import Data


def my_turn(
    _: Translator,
    cards: ShortCards,
    position: Position,
    is_said: bool = False,
    no_hints: bool = False,
    by_itself_s: int | None = None,
) -> str:
    """What I can do now. `is_said`: the last-card word goes with the next play already; `no_hints`: what fits is not told;
    `by_itself_s`: in so many seconds the only thing that can be done is done for us."""
    view, game = position.view, position.game
    if game.name == "tichu":
        return tichu_turn(_, cards, position, by_itself_s)
    fits = len([card for card in position.hand if card in position.playable])
    due = view.get("penalty") or 0
    draw = _("D takes {n}", n=due) if due else _("D draws")
    parts: list[str] = []
    wanted = ""
    """What would fit; where nothing does, it comes after the key that helps, and gives way first."""
    if view.get("phase") in ("fours", "last-call"):
        parts.append(fours_text(_, position, no_hints))
    elif due and game.name == "macau-wars":
        war = _("WAR +{n}: 2 3 K♠ K♥ raise, Q♥ ends", n=due)
        parts.append(war if "play" in position.verbs or no_hints else _("WAR +{n}", n=due))
    elif due:
        rank = cards.rank(str(view.get("top"))[0])
        answer = _("{n} cards are due: play a {rank}", n=due, rank=rank)
        parts.append(answer if "play" in position.verbs or no_hints else _("{n} cards are due", n=due))
    elif "play" in position.verbs or "draw" in position.verbs or "pass" in position.verbs:
        wanted = match_text(_, cards, position)
    has_none = "play" not in position.verbs and not no_hints
    if wanted and has_none:
        wanted = would_fit(_, cards, position)
    if wanted and not has_none:
        parts.append(wanted)
    answers = bool(due) and not has_none
    tells_draw = "draw" in position.verbs and (bool(due) or not fits or no_hints)
    if tells_draw and answers:
        parts.append(draw)
    # What must be matched comes first: in a narrow window this gives way to it, and the key bar names O all the same.
    if not is_said and (word := word_due(_, position)):
        parts.append(_("O says “{word}”", word=word))
    if fits and not due and not no_hints:
        parts.append(_.n("{n} card fits", "{n} cards fit", fits))
    elif has_none and view.get("phase") not in ("fours", "last-call"):
        parts.append(_("Nothing fits") if wanted else _("nothing fits"))
    if tells_draw and not answers:
        parts.append(draw)
    if due and game.name == "macau-wars" and ("play" in position.verbs or no_hints):
        parts.append(_("other queens pass it on"))
    if view.get("solo"):
        parts.append(_.n("you play alone: {n} turn", "you play alone: {n} turns", view["solo"]))
    if "pass" in position.verbs and view.get("phase") not in ("fours", "last-call"):
        parts.append(_("P passes"))
    if has_none:
        parts.append(wanted)
    return " · ".join(part for part in parts if part)


def fours_text(_: Translator, position: Position, no_hints: bool = False) -> str:
    """What to do about the fours that lie there; in the last call also what a pass brings on."""
    view = position.view
    has_four = "play" in position.verbs or no_hints
    if view.get("phase") != "last-call":
        if has_four:
            return _.n(
                "A four was played: add a 4, or P passes",
                "{n} fours were played: add a 4, or P passes",
                view.get("fours") or 1,
            )
        return _.n(
            "A four was played and you hold none: P passes",
            "{n} fours were played and you hold none: P passes",
            view.get("fours") or 1,
        )
    last = view.get("last")
    turns = alone_next(_, view)
    if last is None or not turns:
        return _("Last call: add a 4, or P passes") if has_four else _("Last call, you hold no 4: P passes")
    name = position.names[last]
    if has_four:
        return _("Last call: add a 4, or P: {name} may get {turns}", name=name, turns=turns)
    return _("Last call, you hold no 4 · P: {name} may get {turns}", name=name, turns=turns)


def word_due(_: Translator, position: Position, picked: Sequence[str] = ()) -> str:
    """The word that goes with some play that can be made now, of just the picked cards if there are any; empty where none
    does."""
    wanted = sorted(picked)
    called = next(
        (move for move in position.plays if move.get("call") and wanted in ([], sorted(move["cards"]))),
        None,
    )
    return last_word(_, position.game.words, called["cards"]) if called is not None else ""


def ways(_: Translator, cards: ShortCards, position: Position, is_held: bool) -> str:
    """All that fits now, "♦, 7 or J"; empty where anything does. `is_held`: the joker counts only if we hold one."""
    view, game = position.view, position.game
    top = view.get("top")
    if top is None or cards.is_joker(top):
        return ""
    also: list[str] = ["J", "A"] if game.name == "macau-wars" else [wild] if (wild := wild_of(game)) else []
    if rank := view.get("rank"):
        fitting = [rank, *also]
    elif suit := view.get("suit"):
        fitting = [cards.suit(suit), *also]
    else:
        also = also if game.name != "macau-wars" or top[0] in "JA" else []
        fitting = [cards.suit(top[1]), top[0], *also]
    shown = [cards.rank(way) for way in fitting]
    if JOKER in (position.hand if is_held else game.deck):
        shown.append(cards.short(JOKER))
    return _.either(dict.fromkeys(shown))


def would_fit(_: Translator, cards: ShortCards, position: Position) -> str:
    """What could be played by who held it: no order, as none is held."""
    fitting = ways(_, cards, position, is_held=False)
    return _("would fit: {cards}", cards=fitting) if fitting else ""


def match_text(_: Translator, cards: ShortCards, position: Position) -> str:
    """ "Match ♥ or J, or play any 8"."""
    view, game = position.view, position.game
    top = view.get("top")
    if top is None or cards.is_joker(top):
        return _("Play any card")
    if game.name == "macau-wars":
        return _("Match {cards}", cards=ways(_, cards, position, is_held=True))
    wild = wild_of(game)
    if suit := view.get("suit"):
        named = cards.suit(suit)
        return _("Match {suit}, or play any {wild}", suit=named, wild=wild) if wild else _("Match {suit}", suit=named)
    suit, rank = cards.suit(top[1]), cards.rank(top[0])
    if wild and top[0] != wild:
        return _("Match {suit} or {rank}, or play any {wild}", suit=suit, rank=rank, wild=cards.rank(wild))
    return _("Match {suit} or {rank}", suit=suit, rank=rank)


def tichu_turn(_: Translator, cards: ShortCards, position: Position, by_itself_s: int | None = None) -> str:
    """What a Tichu player can do now."""
    view = position.view
    match view.get("phase"):
        case "grand":
            return _("Grand Tichu? 200 points, won or lost · Y or N, then Enter")
        case "give":
            return _("Give one card to each player · 1 2 3 choose who · Enter gives")
        case "show" if by_itself_s is not None:
            return _("You lead with the Mah Jong: shown in {seconds} s", seconds=by_itself_s)
        case "show":
            return _("You lead with the Mah Jong · Enter shows it")
        case "collect" if list(view.get("trick") or ()) == ["Drg"]:
            return _("The Dragon gives the trick away · Enter chooses to whom")
        case "collect" if by_itself_s is not None:
            return _("The trick is yours: you get it in {seconds} s · Enter takes it at once", seconds=by_itself_s)
        case "collect":
            return _("The trick is yours: you get it by itself, or at once with Enter")
        case _other:
            pass
    wish = view.get("wish")
    if not view.get("trick"):
        told = _("You lead · play any combination")
        if MAH_JONG in position.hand:
            told = _("You lead · the Mah Jong lets you wish for a rank")
    elif "play" in position.verbs:
        told = _("Beat the trick, or P passes")
        if view.get("owner") == (position.seat + 2) % 4:
            told = _("Your partner’s trick: P leaves it, or beat it")
    else:
        told = _("You cannot beat it · P passes")
    if wish:
        if must_obey(position):
            return _("The wish binds you: play one of your {ranks}", ranks=cards.rank_names(wish))
        told = _("{what} · wish: {rank}", what=told, rank=cards.rank(wish))
    return told


def must_obey(position: Position) -> bool:
    """Whether the wish leaves nothing else: the rank can be played, so each play that is allowed holds it. A leader without it
    may play anything, and passing is no choice of theirs."""
    wish = position.view.get("wish")
    if not wish or not position.plays or "pass" in position.verbs:
        return False
    return all(any(card[0] == wish for card in move["cards"]) for move in position.plays)


LONG_S = 5.0
"""For how long somebody has been thinking is told from here on: it is of no interest before."""


def waiting(
    _: Translator, narrator: Narrator, view: Data, waited_s: float, count: int, left_s: float | None = None
) -> str:
    """Whom we wait for, how many come before us, and since when; where their time is limited (`left_s`), how much is left."""
    me = narrator.seat
    turn = view.get("turn")
    phase = view.get("phase")
    if view.get("round_over"):
        return _("The round is over")
    if turn is None:
        seats = awaited(view, phase, me)
        if not seats:
            return _("One moment…")
        names = _.list(narrator.name(seat) for seat in seats)
        if phase == "grand":
            return _("Waiting for {names} to answer Grand Tichu", names=names)
        if phase == "give":
            return _("Waiting for {names} to lay out their cards", names=names)
        if phase == "show":  # publicly it may be anybody
            return _("Waiting for the holder of the Mah Jong, who leads")
        return _("Waiting for {names}", names=names)
    # Told with the first news after our own move, before the table has said whose turn is next.
    if turn == me:
        return _("One moment…")
    told = _("Waiting for {name}", name=narrator.name(turn))
    if left_s is not None:
        since = _("{time} left", time=elapsed(left_s))
    else:
        since = _("{time} so far", time=elapsed(waited_s)) if waited_s >= LONG_S else ""
    return " · ".join(part for part in (_in_line(_, narrator, view, told, count), since) if part)


def _in_line(_: Translator, narrator: Narrator, view: Data, told: str, count: int) -> str:
    """Whom we wait for, and how many come before us."""
    me, phase = narrator.seat, view.get("phase")
    if me is None or phase == "collect" or me in (view.get("out") or ()):
        return told
    following = next_seat(view, count)
    distance = turns_until(view, me, count)
    if distance == 1 or following is None:
        return _("{waiting}, then you", waiting=told) if distance == 1 else told
    if distance > 1:
        return _(
            "{waiting}, then {name}; you are {place}",
            waiting=told,
            name=narrator.name(following),
            place=_(ORDINALS[min(distance, len(ORDINALS) - 1)]),
        )
    return told


def elapsed(seconds: float) -> str:
    """0:07."""
    whole = max(0, int(seconds))
    return f"{whole // 60}:{whole % 60:02d}"


def awaited(view: Data, phase: object, me: int | None) -> Sequence[int]:
    """Who has not acted yet where all act at once."""
    done: Sequence[bool] = view.get("decided" if phase == "grand" else "given") or ()
    if phase in ("grand", "give"):
        return [seat for seat, ready in enumerate(done) if not ready and seat != me]
    acting: Sequence[int] = view.get("to_act") or ()
    return [seat for seat in acting if seat != me]
