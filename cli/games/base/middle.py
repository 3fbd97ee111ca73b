"""The middle of the table of any game, from its typed view alone: pile, trick and melds."""

from __future__ import annotations

from collections.abc import Sequence

from cli.games.base.viewpoint import Viewpoint
from cli.games.explain import spoken
from cli.games.shown import Facts, Line, Piece, ShownPile, ShownTrick
from protocol.cards import Card
from protocol.games import views
from protocol.games.labels import Text


def middle_of(at: Viewpoint) -> tuple[ShownPile | None, ShownTrick | None, Facts | None]:
    """What there is of each."""
    view = at.view
    has_trick = view.trick is not None or view.last_trick is not None
    pile = _pile(at, view) if not has_trick and (view.pile is not None or view.stock is not None) else None
    trick = _trick(at, view) if has_trick else None
    lines = _facts(at, view, beside_pile=pile is not None)
    return pile, trick, Facts(tuple(lines)) if lines else None


def _pile(at: Viewpoint, view: views.PublicView) -> ShownPile:
    _, pile, position = at._, view.pile or views.Pile(), at.position
    before = pile.cards[-2] if len(pile.cards) > 1 else None
    verbs = position.verbs if position is not None and position.must_act else frozenset()
    facts: list[Piece] = [(_("to match") if pile.suit or pile.rank else "", "dim")]
    if pile.due:
        facts.append((_("draw {n}", n=pile.due), "alarm"))
    if "draw" in verbs:
        facts.append((_("{@draw:draw {n}}", n=1), "text"))
    elif "pass" in verbs:
        facts.append((_("{@pass:pass}"), "text"))
    match: list[Line] = []
    if pile.suit:
        match.append(((at.cards.suit_name(pile.suit), "strong"),))
    if pile.rank:
        match.append(((at.cards.rank(pile.rank), "strong"),))
    return ShownPile(
        stock=view.stock.size if view.stock is not None else None,
        can_draw="draw" in verbs,
        top=at.cards.face(pile.top) if pile.top else None,
        before=at.cards.face(before) if before else None,
        match=tuple(match),
        facts=tuple(facts),
        action=next((verb for verb in ("draw", "pass") if verb in verbs), ""),
    )


def _trick(at: Viewpoint, view: views.PublicView) -> ShownTrick:
    """The trick with who played what; before a lead the one that was taken last, and by whom."""
    _, who = at._, at.narrator
    trick, last = view.trick, view.last_trick
    is_old = (trick is None or not trick.plays) and last is not None
    shown = last if is_old else trick
    plays = shown.plays if shown is not None else ()
    label, note = "", ""
    if shown is not None and is_old:
        taker = shown.taker if shown.taker is not None else shown.winner
        if taker is not None:
            label = who.did(taker, "You took the trick", "{name} took the trick")
    elif shown is not None and shown.winner is not None and plays:
        label = who.did(shown.winner, "You’re winning the trick", "{name} is winning the trick")
    if view.turn is not None and (trick is None or not trick.plays) and not view.round_over:
        note = _("you lead") if view.turn == at.me else _("{name} leads", name=who.name(view.turn))
    if shown is not None and shown.points:
        note = " · ".join(filter(None, (_.n("{n} point", "{n} points", shown.points), note)))
    names = at.short_names
    cards = [
        (card, _("you") if play.seat == at.me else names[play.seat], play) for play in plays for card in play.cards
    ]
    best = next((place for place, (_c, _n, play) in enumerate(cards) if shown and play.seat == shown.winner), -1)
    return ShownTrick(
        label=label,
        cards=tuple(at.cards.face(card, at.kanji) for card, _name, _play in cards),
        note=note,
        players=tuple(name for _card, name, _play in cards),
        best=best,
        sides=_sides(at, view),
        sign=(_("trump"), at.cards.glyph(view.trump) if view.trump in at.cards.suits else view.trump)
        if view.trump
        else ("", ""),
        partner=next((names[seat] for seat in range(at.game.seats) if at.is_partner(seat)), ""),
    )


def _sides(at: Viewpoint, view: views.PublicView) -> tuple[tuple[str, str], ...]:
    """Two teams and their points."""
    _, teams, scores = at._, at.game.teams, view.scores
    if len(teams) != 2 or len(teams[0]) < 2 or len(scores) != 2:
        return ()
    mine = next((number for number, team in enumerate(teams) if at.me in team), None)
    if mine is None:
        return tuple((_team(at, number), str(scores[number])) for number in (0, 1))
    return ((_("We"), str(scores[mine])), (_("They"), str(scores[1 - mine])))


def _team(at: Viewpoint, number: int) -> str:
    """A team's players in short, as there is little room beside the seats."""
    return "+".join(at.short_names[seat] for seat in at.game.teams[number])


def _facts(at: Viewpoint, view: views.PublicView, beside_pile: bool) -> list[Line]:
    """Melds, a stock that is not drawn beside a pile, and what the game tells."""
    _ = at._
    lines: list[Line] = []
    for meld in view.melds:
        name = at.narrator.who(meld.seat) if meld.seat is not None else ""
        head = " · ".join(part for part in (name, _(meld.label) if meld.label else "") if part)
        lines.append(((f"{head}  ", "gold"), (row(at, meld.cards), "strong")))
    if (stock := view.stock) is not None:
        left = _.n("1 card left in the stock.", "{n} cards left in the stock.", stock.size)
        line: list[Piece] = [] if beside_pile else [(left, "dim")]
        if stock.open:
            line.append((f"{' ' if line else ''}{_('Turned up: {card}.', card=row(at, stock.open))}", "strong"))
        if line:
            lines.append(tuple(line))
    for note in view.notes:
        lines.append(((written(at, note), "text"),))
    return lines


def row(at: Viewpoint, cards: Sequence[Card]) -> str:
    return " ".join(at.cards.short(card) for card in cards)


def written(at: Viewpoint, text: Text) -> str:
    """A game's own text in the reader's language, its fields in words."""
    fields = {name: spoken(at._, name, value, at.cards, at.narrator.names) for name, value in text.fields.items()}
    try:
        return at._(text.template, **fields)
    except (KeyError, IndexError, ValueError):
        return text.template
