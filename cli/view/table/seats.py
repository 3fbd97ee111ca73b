"""The players as tiles: cards, points, and the one thing about each that matters most now."""

from __future__ import annotations

from collections.abc import Mapping

from cli.games.base.prompts import ORDINALS
from cli.games.base.table import TableFace
from cli.view.views import SeatTile
from protocol.cards import Seat


def tiles(
    face: TableFace, notes: Mapping[Seat, str], away: Mapping[Seat, str], is_past: bool = False
) -> tuple[SeatTile, ...]:
    """One for each seat in the order of the table. `notes`: what is to be said of a seat before all else; `away`: for how
    long it has been; `is_past`: nobody thinks any more."""
    at, _ = face.at, face.at._
    view, game, me, names, count = at.view, at.game, at.me, at.narrator.names, len(at.playing.players)
    sizes, turn, out, scores = view.hand_sizes, view.turn, view.out, view.scores
    gone = {seat for seat, player in enumerate(at.playing.players) if player.left}
    following = face.prompts.following(gone)
    briefly, across = at.short_names, face.across
    # Where partners sit across, the sides have their points in the corner.
    has_sides = across and len(game.teams) == 2
    found: list[SeatTile] = []
    for seat in range(count):
        is_dealt = seat < len(sizes)
        size = sizes[seat] if is_dealt else 0
        team = next((number for number, members in enumerate(game.teams) if seat in members), seat)
        is_last_card = size == 1 and face.marks_last_card
        note, ink, short = "", "dim", ""
        # Before the first deal the view is empty, and a face has nothing to read.
        chip = face.chip(seat) if is_dealt else ""
        if chip:
            note, ink = chip, "alarm"
        player = at.playing.players[seat]
        if player.stand_in:
            note, short = _("computer plays"), _("computer")
        elif player.left:
            note = short = _("gone") if player.away else _("watching")
        elif seat in out and not chip:
            note, ink = _("out: {place}", place=_(ORDINALS[out.index(seat)])), "gold"
            short = note
        elif player.asleep:
            note = short = _("asleep")
        elif seat in away:
            note = short = _("away {time}", time=away[seat])
        elif seat in notes:
            note, ink = (f"{chip} · {notes[seat]}", "alarm") if chip else (notes[seat], "chat")
        elif not note and is_last_card:
            note, ink = _("LAST CARD"), "alarm"
        elif not note and seat == turn and seat != me and not is_past and (special := face.turn_note(seat)):
            note, ink = special, "gold"
        elif not note and is_dealt and not is_past and (told := face.seat_note(seat)):
            note = told
        elif not note and seat == turn and me not in (None, seat) and not is_past:
            note = _("thinking…")  # on a screen for the whole room it would hide the points
        if not short and is_last_card:
            short = _("LAST")
        short = short or (face.seat_short(seat) if is_dealt else "")
        is_partner = at.is_partner(seat)
        tag = _("next") if seat == following and seat != me else ""
        if is_partner and not across:
            tag = tag or _("partner")
        found.append(
            SeatTile(
                seat,
                _("You") if seat == me else names[seat],
                "-" if seat in out else str(size),
                "" if has_sides else str(scores[team]) if team < len(scores) else "",
                note,
                ink,
                tag,
                "" if across else short,
                "" if across or seat == me else briefly[seat],
                size,
                is_turn=seat == turn,
                is_me=seat == me,
                is_partner=is_partner,
                is_away=seat in away or player.left or player.asleep,
                is_bot=player.bot,
                key=player.key,
            )
        )
    return tuple(found)
