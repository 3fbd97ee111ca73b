"""The middle of Tichu's table: the trick, the teams' points, the wish."""

from __future__ import annotations

from cli.games.base.viewpoint import Viewpoint
from cli.games.shown import ShownTrick
from cli.games.tichu.combos import named
from protocol.cards import DOG, Seat
from protocol.games.tichu.view import TichuView
from protocol.games.views import seen_as


def trick_of(at: Viewpoint, dog: Seat | None = None, out_winner: Seat | None = None) -> ShownTrick:
    """`dog`: who has just led the Dog, which lies there for a moment; `out_winner`: who has just won the lead and is out."""
    _, who, me, teams = at._, at.narrator, at.me, at.game.teams
    view = seen_as(TichuView, at.view)
    mine = next((number for number, team in enumerate(teams) if (me or 0) in team), 0)
    scores = view.scores or (0, 0)
    lying, combo, owner = view.to_beat, view.combo, view.owner
    label = ""
    if dog is not None and not lying:
        label, lying = _("{name}: the Dog", name=who.who(dog)), (DOG,)
    if combo is not None and owner is not None:
        label = _("{name}: {combo}", name=who.who(owner), combo=named(_, combo))
    names = at.short_names
    we, they = (_("We"), _("They")) if me is not None else ("+".join(names[seat] for seat in team) for team in teams)
    return ShownTrick(
        label=label,
        cards=tuple(at.cards.face(card, at.kanji) for card in lying),
        note=_note(at, view, out_winner),
        sides=(
            (we, str(scores[mine] if mine < len(scores) else 0)),
            (they, str(scores[1 - mine] if len(scores) == 2 else 0)),
        ),
        sign=(_("wish"), at.cards.rank(view.wish)) if view.wish else ("", ""),
        partner=names[(me + 2) % 4] if me is not None else "",
    )


def _note(at: Viewpoint, view: TichuView, out_winner: Seat | None) -> str:
    _, who, me = at._, at.narrator, at.me
    turn, phase = view.turn, view.phase
    if view.to_beat:
        told = [_("trick: {n} points", n=view.pile_points)]
        if phase == "collect" and turn is not None:
            told.append(_("it is yours") if turn == me else _("{name} takes it", name=who.name(turn)))
        elif turn == me and me is not None:
            verbs = at.position.verbs if at.position is not None else frozenset()
            if "play" not in verbs:
                told.append(_("you can’t beat it · {@pass:pass}"))
            elif "pass" not in verbs:
                told.append(_("your turn: fulfil the wish"))
            else:
                told.append(_("your turn: beat it, or {@pass:pass}"))
        return " · ".join(filter(None, told))
    if phase == "play" and turn is not None and out_winner is not None:
        name = who.name(turn)
        if out_winner == me:
            return _("you are out: {name} leads", name=name)
        winner = who.name(out_winner)
        return who.did(turn, "{winner} is out: you lead", "{winner} is out: {name} leads", winner=winner)
    if phase == "play" and turn is not None:
        return _("you lead") if turn == me else _("{name} leads", name=who.name(turn))
    return ""
