"""The players as tiles: cards, points, and the one thing about each that matters most now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cli.games.short_cards import told_apart
from cli.news import Player
from cli.text import Translator, key
from cli.view.views import SeatTile
from protocol.cards import Seat
from protocol.games.game import AnyGame, Data

ORDINALS = (
    key("1st"),
    key("2nd"),
    key("3rd"),
    key("4th"),
    key("5th"),
    key("6th"),
    key("7th"),
    key("8th"),
    key("9th"),
    key("10th"),
)


def tiles(
    _: Translator,
    game: AnyGame,
    view: Data,
    players: Sequence[Player],
    names: Sequence[str],
    me: Seat | None,
    notes: Mapping[Seat, str],
    away: Mapping[Seat, str],
    is_past: bool = False,
) -> tuple[SeatTile, ...]:
    """One for each seat in the order of the table. `notes`: what is to be said of a seat before all else; `away`: for how
    long it has been; `is_past`: nobody thinks any more."""
    sizes: Sequence[int] = view.get("hand_sizes", ())
    turn = view.get("turn")
    following = next_seat(view, len(players))
    out: Sequence[Seat] = view.get("out") or ()
    scores: Sequence[int] = view.get("scores") or ()
    calls: Mapping[str, str] = view.get("calls") or {}
    is_tichu = game.name == "tichu"
    briefly = told_apart(names)
    found: list[SeatTile] = []
    for seat in range(len(players)):
        size = sizes[seat] if seat < len(sizes) else 0
        team = next((number for number, members in enumerate(game.teams) if seat in members), seat)
        note, ink, short = "", "dim", ""
        chip = call_chip(_, calls.get(str(seat)), seat, out)
        if chip:
            note, ink = chip, "alarm"
        if seat in out and not chip:
            note, ink = _("out: {place}", place=_(ORDINALS[list(out).index(seat)])), "gold"
            short = note
        elif seat in away:
            note = short = _("away {time}", time=away[seat])
        elif seat in notes:
            note, ink = (f"{chip} · {notes[seat]}", "alarm") if chip else (notes[seat], "chat")
        elif not note and size == 1 and not is_tichu:
            note, ink = _("LAST CARD"), "alarm"
        elif not note and seat == turn and seat != me and view.get("solo") and not is_past:
            note, ink = _.n("alone: {n} turn", "alone: {n} turns", view["solo"]), "gold"
        elif not note and is_tichu and not is_past and (waiting := tichu_note(_, view, seat)):
            note = waiting
        elif not note and seat == turn and me not in (None, seat) and not is_past:
            note = _("thinking…")  # who looks on is not told who is away, so this would not be known
        if not short and size == 1 and not is_tichu:
            short = _("LAST")
        is_partner = me is not None and seat != me and any(me in each and seat in each for each in game.teams)
        tag = _("next") if seat == following and seat != me else ""
        if is_partner and not is_tichu:
            tag = tag or _("partner")
        found.append(
            SeatTile(
                seat,
                _("You") if seat == me else names[seat],
                "-" if seat in out else str(size),
                "" if is_tichu else str(scores[team]) if team < len(scores) else "",
                note,
                ink,
                tag,
                "" if is_tichu else short,
                "" if is_tichu or seat == me else briefly[seat],
                size,
                is_turn=seat == turn,
                is_me=seat == me,
                is_partner=is_partner,
                is_away=seat in away,
            )
        )
    return tuple(found)


def call_chip(_: Translator, call: str | None, seat: Seat, out: Sequence[Seat]) -> str:
    """A call stands at its caller's place for the whole round, and how it ended as soon as somebody is out."""
    if not call:
        return ""
    if out and out[0] == seat:
        return _("Grand made!") if call == "grand" else _("Tichu made!")
    if out:
        return _("Grand lost") if call == "grand" else _("Tichu lost")
    return _("GRAND!") if call == "grand" else _("TICHU!")


def tichu_note(_: Translator, view: Data, seat: Seat) -> str:
    """Who has said or given already, before the first lead."""
    phase = view.get("phase")
    decided: Sequence[bool] = view.get("decided") or ()
    given: Sequence[bool] = view.get("given") or ()
    if phase == "collect":
        return _("takes it") if seat == view.get("turn") else ""
    if phase == "grand" and seat < len(decided):
        return _("says no") if decided[seat] else _("thinking…")
    if phase == "give" and seat < len(given):
        return _("has given") if given[seat] else _("choosing…")
    return ""


def next_seat(view: Data, count: int) -> Seat | None:
    """Who comes after the seat in turn, as the direction stands and nothing special is played."""
    turn = view.get("turn")
    if turn is None or not count or "direction" not in view or (view.get("solo") or 0) > 1:
        return None
    out = set(view.get("out") or ())
    step = 1 if view.get("direction", 1) > 0 else -1
    for distance in range(1, count):
        seat: Seat = (turn + step * distance) % count
        if seat not in out:
            return seat
    return None


def turns_until(view: Data, me: Seat, count: int) -> int:
    """How many come before me, the one in turn included."""
    turn = view.get("turn")
    out = set(view.get("out") or ())
    if turn is None or me in out:
        return 0
    step = 1 if view.get("direction", 1) > 0 else -1
    distance, seat = 0, turn
    while seat != me and distance < count:
        seat = (seat + step) % count
        if seat not in out:
            distance += 1
    return distance
