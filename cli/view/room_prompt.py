"""What a room waits for, and what starts its next match, in a sentence."""

from __future__ import annotations

from cli.news import SeatOffered
from cli.text import Translator
from cli.view.in_room import InRoom, names_of, obstacle
from cli.view.partings import offered_told
from protocol.room.refusals import RoomRefusal


def room_prompt(_: Translator, standing: InRoom, offered: SeatOffered | None = None, bots_coming: int = 0) -> str:
    """What Enter does for us now, and whom we wait for. `offered`: an empty seat at the running match; `bots_coming`: our
    bots that are on their way."""
    room, own = standing.room, standing.own
    if offered is not None:
        return offered_told(_, offered)
    if room.is_playing:
        if own is not None and not own.plays:
            return _("A match is being played · {@row-enter:watch}")
        if own is not None and own.key not in room.seating:
            return _("A match is being played, and the next one is full · {@row-enter:watch}")
        if standing.is_ready:
            return _("You’ll play in the next match · {@row-enter:watch this one}")
        return _("A match is being played: you’ll play in the next one · {@row-enter:watch}")
    if own is not None and not own.plays:
        return _("You sit out the next match · {@sit-out:play after all}")
    if own is not None and own.key not in room.seating:
        return _("All seats are taken: you play as soon as one is free")
    if not standing.is_ready:
        return _unready(_, standing)
    if 0 < bots_coming >= room.seats.count(None) and not standing.awaited:
        return _("The bots are sitting down; the cards will be dealt in a moment.")
    told = [_("Ready"), missing(_, standing)]
    if standing.is_host and not start_told(_, standing):
        told.insert(1, _("{@start:start with {n}}", n=len(standing.start.players)))
    elif standing.is_host and None in room.seats and needed(standing):
        told.append(_("{@bot:add a bot}"))
    return " · ".join(part for part in told if part)


def _unready(_: Translator, standing: InRoom) -> str:
    start = standing.if_ready.start
    if start.obstacle is None and not standing.awaited:
        told = _("{@row-enter:start with {n}}", n=len(start.players))
        return _("Everyone else is ready · {told}", told=told)
    ready = names_of(each for each in standing.friends if each.ready)
    told = _.n("{names} is ready", "{names} are ready", len(ready), names=_.list(ready)) if ready else ""
    return " · ".join(part for part in (_("{@row-enter:I’m ready}"), told) if part)


def missing(_: Translator, standing: InRoom) -> str:
    """Whom or what the next match waits for, once we are ready; empty: nothing."""
    if standing.awaited:
        return _("waiting for {names}", names=_.list(names_of(standing.awaited)))
    if count := needed(standing):
        return _.n("one more player is needed", "{n} more players are needed", count)
    if standing.start.obstacle is None and not standing.is_host:  # the host may want to wait for more
        return _("waiting for {names}", names=standing.host_name)
    return obstacle(_, standing)


def start_label(_: Translator, standing: InRoom) -> str:
    """What starting does: "Start with 3"."""
    return _("Start with {n}", n=len(standing.if_ready.start.players))


def start_told(_: Translator, standing: InRoom) -> str:
    """Why the host, who is ready by starting, cannot start now; empty where it can."""
    return obstacle(_, standing.if_ready)


def needed(standing: InRoom) -> int:
    """How many players are missing before the game can be played; 0 if something else is in the way, or nothing."""
    found = standing.start.obstacle
    if not isinstance(found, RoomRefusal) or found.code != "few":
        return 0
    return int(str(found.fields["least"])) - len(standing.start.players)
