"""Who is in a room, row by row: those with a seat in the next match, free seats where they differ, and those without one."""

from __future__ import annotations

from cli.clean import clean_name
from cli.games.teams import announced_teams
from cli.news import name_with_levels
from cli.text import Translator
from cli.view.in_room import InRoom
from cli.view.views import Row
from protocol.errors import BadOption
from protocol.games.catalogue import game_class
from protocol.games.game import LEVELS
from protocol.room.values import Guest, Room

MOST_FREE = 4
"""At a larger table free seats are only counted: nobody needs ten rows for them."""


def places(standing: InRoom) -> dict[str, Guest | None]:
    """Who is in each row, by the row's id: the seat's place, from "0" on, or "member" and a key; None: a free seat."""
    room = standing.room
    shows_free = len(room.seats) <= MOST_FREE
    found = {str(at): each for at, each in enumerate(room.seats) if each is not None or shows_free}
    seated = set(room.seating)
    return found | {f"member {each.key.hex()}": each for each in room.members if each.key not in seated}


def room_rows(_: Translator, standing: InRoom, prompt: str, does: str) -> tuple[Row, ...]:
    """The rows. `prompt`, `does`: what Enter does, where it does not take a seat, in a sentence and in a word."""
    room, rows = standing.room, []
    teams = announced_teams(room.game, len(room.seats), room.options)
    mine = room.place_of(standing.me)
    for id, guest in places(standing).items():
        at = int(id) if id.isdecimal() else None
        number = str(at + 1) if at is not None else ""
        if guest is None:
            assert at is not None
            words = _("your partner’s seat") if any(mine in team and at in team for team in teams) else ""
            cells, ink = (number, _("- free -"), "", words), "dim"
            label, told = _("take this seat"), _("{@row-enter:take seat {n}}", n=at + 1)
        else:
            is_partner = guest.key != standing.me and any(mine in team and at in team for team in teams)
            cells = (number, shown_name(room, guest), state_of(_, room, guest), about(_, standing, guest, is_partner))
            ink = "text" if at is not None else "dim"
            label, told = does, prompt
            if (loser := standing.picks(guest)) is not None:
                label, names = _("let play"), (shown_name(room, guest), shown_name(room, loser))
                told = _("{@row-enter:let {name} play instead of {other}}", name=names[0], other=names[1])
        label = label if room.is_open else ""
        key, device = ("", "") if guest is None else (guest.key.hex(), device_of(guest))
        rows.append(Row(id, cells, (), label, told, ink=ink, key=key, device=device))
    return tuple(rows)


def state_of(_: Translator, room: Room, guest: Guest) -> str:
    """Whether somebody is ready, in a word."""
    if guest.playing:
        return _("playing")
    if not guest.plays:
        return _("watching")
    if guest.key in room.barred:
        return _("sits out")
    return _("✓ ready") if guest.ready else _("not yet")


def device_of(guest: Guest) -> str:
    """What somebody plays with; see `Row`."""
    if guest.bot:
        return "bot"
    return "phone" if guest.phone else "laptop"


def shown_name(room: Room, guest: Guest) -> str:
    """The name of somebody in the room; equal names are distinguished by a number, in the order of arrival."""
    name = _name(room, guest)
    before = room.members[: room.members.index(guest)] if guest in room.members else ()
    count = sum(_name(room, each) == name for each in before)
    return f"{name} {count + 1}" if count else name


def _name(room: Room, guest: Guest) -> str:
    """The same for itself; a bot's says how well it plays the chosen game."""
    if not guest.bot:
        return clean_name(guest.name)
    try:
        levels = game_class(room.game).levels
    except BadOption:  # a game that is not installed here
        levels = LEVELS
    return clean_name(name_with_levels(guest.name, levels))


def about(_: Translator, standing: InRoom, guest: Guest, is_partner: bool = False) -> str:
    """What else is to be known of somebody: host, you, whose bot, on a phone, without a seat."""
    room, words = standing.room, []
    if guest.key == room.host:
        words.append(_("host"))
    if guest.key == standing.me:
        words.append(_("you"))
    elif is_partner:
        words.append(_("your partner"))
    keeper = room.guest(guest.keeper)
    if guest.is_kept:
        owner = clean_name(keeper.name) if keeper is not None else "?"
        words.append(_("your bot") if guest.keeper == standing.me else _("{name}’s bot", name=owner))
    elif guest.bot:
        words.append(_("plays by itself"))
    elif guest.phone and keeper is not None and keeper.key != guest.key:
        words.append(_("phone, through {name}’s computer", name=clean_name(keeper.name)))
    if guest.plays and guest.key not in room.seating and not guest.playing:
        words.append(_("plays later"))
    return _(", ").join(words)
