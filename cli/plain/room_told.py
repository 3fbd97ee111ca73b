"""How a waiting room stands, in sentences: what is played there, and who sits where."""

from __future__ import annotations

from itertools import groupby

from cli.games.options import house_rules
from cli.games.teams import announced_teams
from cli.games.titles import game_title
from cli.plain.verbs import shown
from cli.text import Translator
from cli.view.in_room import InRoom
from cli.view.room_rows import about, shown_name, state_of
from protocol.errors import BadOption
from protocol.room.values import Guest, Room


def typed_here(_: Translator, name: str) -> str:
    """What a person of this language is told to type for something that is done in waiting rooms only."""
    if name == "not ready":
        first = next(iter(_.typed("room not")), "not")
        return f"{first} {shown(_, 'ready')}" if first.isascii() else first
    return next(iter(_.typed(f"room {name}")), name)


def table_told(_: Translator, room: Room) -> str:
    """The game, and for how many."""
    return _("{game}, {seats}", game=game_title(_, room.game), seats=_.n("{n} seat", "{n} seats", len(room.seats)))


def rules_told(_: Translator, room: Room) -> list[str]:
    """What differs from the standard rules."""
    try:
        changed = house_rules(_, room.game, room.options, room.table)
    except BadOption:
        return []
    if not changed:
        return [_("Standard rules.")]
    told = _(", ").join(_("{label}: {value}", label=label, value=value) for label, value in changed)
    return [_("House rules: {rules}.", rules=told)]


def people_told(_: Translator, standing: InRoom, is_ready: bool) -> str:
    """Each seat with who sits there. `is_ready`: we are, even if the host does not know it yet."""
    room, mine = standing.room, standing.room.place_of(standing.me)
    teams = announced_teams(room.game, len(room.seats), room.options)
    told = []
    for is_free, neighbours in groupby(range(len(room.seats)), key=lambda at: room.seats[at] is None):
        run = list(neighbours)
        if is_free:
            told.append(_free_seats(_, run[0] + 1, run[-1] + 1))
            continue
        for at in run:
            each = room.seats[at]
            assert each is not None
            is_partner = at != mine and any(mine in team and at in team for team in teams)
            words = _words(_, standing, each, is_partner, is_ready)
            told.append(_("Seat {n}: {words}.", n=at + 1, words=words))
    for each in room.members:
        if each.key not in room.seating:
            told.append(_("Without a seat: {words}.", words=_words(_, standing, each, False, is_ready)))
    return _.join(told)


def _words(_: Translator, standing: InRoom, guest: Guest, is_partner: bool, is_ready: bool) -> str:
    room, is_ours = standing.room, guest.key == standing.me
    words = [
        shown_name(room, guest),
        about(_, standing, guest, is_partner),
        _state(_, room, guest, guest.ready or (is_ours and is_ready)),
    ]
    return _(", ").join(word for word in words if word)


def _free_seats(_: Translator, first: int, last: int) -> str:
    if first == last:
        return _("Seat {n}: {words}.", n=first, words=_("free"))
    return _("Seats {first} to {last}: free.", first=first, last=last)


def _state(_: Translator, room: Room, guest: Guest, is_ready: bool) -> str:
    """Whether somebody is ready, in a word."""
    if guest.playing or not guest.plays or guest.key in room.barred:
        return state_of(_, room, guest)
    return _("ready") if is_ready else _("not ready yet")
