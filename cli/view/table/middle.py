"""The middle of the table as a view: pile and what must be matched, or the trick and the teams' points."""

from __future__ import annotations

from collections.abc import Sequence

from cli.games.narrator import Narrator
from cli.games.short_cards import INKS, ShortCards, told_apart
from cli.terminal.canvas import Action
from cli.text import Translator
from cli.view.position import Position
from cli.view.table.combos import combo_of, named
from cli.view.views import Line, Piece, Pile, Trick
from protocol.cards import DOG, JOKER, Card, Seat
from protocol.games.game import AnyGame, Data


def pile_of(
    _: Translator,
    game: AnyGame,
    cards: ShortCards,
    view: Data,
    before: Card | None,
    position: Position | None,
    narrator: Narrator | None = None,
    named_by: Seat | None = None,
) -> Pile:
    """Stock, pile and demands; `named_by`: whose word the suit or rank in force is, where that is known."""
    top = view.get("top")
    verbs = position.verbs if position is not None else frozenset()
    return Pile(
        stock=view.get("stock_size"),
        can_draw="draw" in verbs,
        top=None if top is None else cards.face(top),
        before=None if before is None else cards.face(before),
        match=match_lines(_, game, cards, view),
        facts=(
            *_heading(_, view),
            *_namer(_, view, narrator, named_by),
            *facts(_, game, cards, view, position, narrator),
        ),
        deed=next((Action(verb) for verb in ("draw", "pass") if verb in verbs), None),
    )


def _heading(_: Translator, view: Data) -> tuple[Piece, ...]:
    if view.get("round_over") or view.get("top") is None:
        return (("", "dim"),)
    return ((_("to match"), "dim"),)


def _namer(_: Translator, view: Data, narrator: Narrator | None, seat: Seat | None) -> tuple[Piece, ...]:
    """Who has named the suit or the rank that counts."""
    is_in_force = view.get("suit") or view.get("rank")
    if narrator is None or seat is None or not is_in_force or view.get("penalty") or view.get("round_over"):
        return ()
    if seat == narrator.seat:
        return ((_("named by you"), "text"),)
    return ((_("named by {name}", name=told_apart(narrator.names)[seat]), "text"),)


def wild_of(game: AnyGame) -> str | None:
    """The rank that fits on anything, where there is one."""
    wild = getattr(game, "wild", None)
    return wild if isinstance(wild, str) else None


def match_lines(_: Translator, game: AnyGame, cards: ShortCards, view: Data) -> tuple[Line, ...]:
    """What the next card must have."""
    top = view.get("top")
    if top is None or view.get("round_over") or cards.is_joker(top):
        return ()
    has_jokers = JOKER in game.deck
    if view.get("phase") in ("fours", "last-call"):
        four = _("a 4 or {joker}", joker=cards.short(JOKER)) if has_jokers else _("a 4")
        return (((four, "strong"),), ((_("or pass"), "text"),))
    if view.get("penalty"):
        if game.name == "macau-wars":
            joker = f" {cards.short(JOKER)}" if has_jokers else ""
            raising = _("{cards} raise", cards=f"2 3 K♠ K♥{joker}")
            return (((raising, "strong"),), ((_("Q♥ ends, other Q pass on"), "text"),))
        return (((cards.rank(top[0]), "strong"),),)
    joker = f", {cards.short(JOKER)}" if has_jokers else ""
    if rank := view.get("rank"):
        return (((cards.rank(rank), "strong"),), ((_("or {rank}", rank=f"J, A{joker}"), "text"),))
    suit = view.get("suit") or top[1]
    ink = INKS.get(suit, "text")
    first: Line = ((f"{cards.glyph(suit)} ", ink), (capital(cards.suit_name(suit)), ink))
    if view.get("suit"):
        also = _("or {rank}", rank=f"J, A{joker}") if game.name == "macau-wars" else ""
    else:
        rank = "J, A" if game.name == "macau-wars" and top[0] in "JA" else cards.rank(top[0])
        also = _("or {rank}", rank=f"{rank}{joker}")
    return (first, ((also, "text"),)) if also else (first,)


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def alone_next(_: Translator, view: Data) -> str:
    """The turns alone that the fours bring the last player, if nobody adds one; empty where that player is out: they lapse."""
    if view.get("last") in (view.get("out") or ()):
        return ""
    return _.n("{n} turn alone", "{n} turns alone", view.get("fours") or 1)


def facts(
    _: Translator,
    game: AnyGame,
    cards: ShortCards,
    view: Data,
    position: Position | None,
    narrator: Narrator | None = None,
) -> tuple[Piece, ...]:
    """Penalty, order, fours, what D does."""
    told: list[Piece] = []
    verbs = position.verbs if position is not None else frozenset()
    due = view.get("penalty") or 0
    if due and game.name == "macau-wars":
        told.append((_("WAR +{n}", n=due), "alarm"))
    elif due:
        rank = cards.rank(str(view.get("top"))[0])
        # Whose turn it is knows whether the rules leave the choice.
        both = position is None or {"draw", "play"} <= verbs
        if both:
            told.append((_("take {n} or play a {rank}", n=due, rank=rank), "alarm"))
        elif "play" in verbs:
            told.append((_("{n} due: play a {rank}", n=due, rank=rank), "alarm"))
        else:
            told.append((_("take {n}", n=due), "alarm"))
    if view.get("phase") in ("fours", "last-call"):
        fours = _.n("{n} four", "{n} fours", view.get("fours") or 1)
        told.append((_("LAST CALL: {fours}", fours=fours) if view.get("phase") == "last-call" else fours, "alarm"))
        last, turns = view.get("last"), alone_next(_, view)
        if last is not None and turns and narrator is not None:
            told.append((_("{name}: {turns}", name=narrator.who(last), turns=turns), "gold"))
    elif view.get("solo"):
        told.append((_.n("alone: {n} turn", "alone: {n} turns", view["solo"]), "gold"))
    if view.get("top") is not None:  # nothing is dealt before
        told.append((_("order {arrows}", arrows="▶▶" if view.get("direction", 1) > 0 else "◀◀"), "dim"))
    if position is not None and "draw" in position.verbs:
        is_empty = view.get("stock_size") == 0 and not due  # there is a pile then, else nothing could be drawn
        told.append(
            (_("D: take {n}", n=due) if due else _("D: shuffle, draw 1") if is_empty else _("D: draw {n}", n=1), "text")
        )
    elif position is not None and "pass" in position.verbs:
        told.append((_("P: pass"), "text"))
    return tuple(told)


def trick_of(
    _: Translator,
    game: AnyGame,
    cards: ShortCards,
    narrator: Narrator,
    view: Data,
    me: Seat | None,
    position: Position | None,
    kanji: bool,
    dog: Seat | None = None,
    out_winner: Seat | None = None,
) -> Trick:
    """Tichu's middle; `dog`: who has just led the Dog, which lies there for a moment; `out_winner`: who has just won the lead
    and is out."""
    seat = me if me is not None else 0
    mine = next((number for number, team in enumerate(game.teams) if seat in team), 0)
    scores: Sequence[int] = view.get("scores") or (0, 0)
    lying: Sequence[Card] = view.get("trick") or ()
    combo = combo_of(view)
    owner = view.get("owner")
    label = ""
    if dog is not None and not lying:
        label, lying = _("{name}: the Dog", name=narrator.who(dog)), (DOG,)
    if combo is not None and owner is not None:
        label = _("{name}: {combo}", name=narrator.who(owner), combo=named(_, combo))
    return Trick(
        we=_("We") if me is not None else _team(game, narrator, 0),
        they=_("They") if me is not None else _team(game, narrator, 1),
        we_points=str(scores[mine] if mine < len(scores) else 0),
        they_points=str(scores[1 - mine] if len(scores) == 2 else 0),
        wish=cards.rank(view["wish"]) if view.get("wish") else "",
        label=label,
        cards=tuple(cards.face(card, kanji) for card in lying),
        note=_note(_, view, narrator, me, position, out_winner),
        partner=told_apart(narrator.names)[(seat + 2) % 4] if me is not None else "",
    )


def _team(game: AnyGame, narrator: Narrator, number: int) -> str:
    """A team's players in short, as there is little room beside the seats."""
    names = told_apart(narrator.names)
    return "+".join(names[seat] for seat in game.teams[number])


def _note(
    _: Translator,
    view: Data,
    narrator: Narrator,
    me: Seat | None,
    position: Position | None,
    out_winner: Seat | None = None,
) -> str:
    turn, phase = view.get("turn"), view.get("phase")
    if view.get("trick"):
        points = _("trick: {n} points", n=view.get("pile_points") or 0)
        if phase == "collect" and turn is not None:
            return f"{points} · " + (_("it is yours") if turn == me else _("{name} takes it", name=narrator.name(turn)))
        if turn == me and me is not None:
            verbs = position.verbs if position is not None else frozenset()
            if "play" not in verbs:
                return f"{points} · " + _("you cannot beat it, P passes")
            if "pass" not in verbs:
                return f"{points} · " + _("your turn: the wish binds you")
            return f"{points} · " + _("your turn: beat it, or P passes")
        return points
    if phase == "play" and turn is not None and out_winner is not None:
        name = narrator.name(turn)
        if out_winner == me:
            return _("you are out: {name} leads", name=name)
        winner = narrator.name(out_winner)
        return narrator.did(turn, "{winner} is out: you lead", "{winner} is out: {name} leads", winner=winner)
    if phase == "play" and turn is not None:
        return _("you lead") if turn == me else _("{name} leads", name=narrator.name(turn))
    return ""
