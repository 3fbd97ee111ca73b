"""What must hold after an evening of the model: each check names what is wrong."""

from __future__ import annotations

from itertools import combinations

from .seat import Seat
from .values import Duty, Epoch, Log, Without
from .world import World


def faults(world: World) -> list[str]:
    """All that is wrong. With a liar at the table only what the liar cannot be convicted of is."""
    found = [*_false_convictions(world)]
    broken = [*_forks(world), *_lost(world), *_two_lives(world), *_ends(world)]
    if broken and world.liar is not None:
        world.exchange()
        if all(world.liar in seat.convicted for seat in world.honest):
            broken = []
    return found + broken


def _begun(world: World) -> list[Epoch]:
    return list({epoch: None for seat in world.honest for epoch, _ in seat.begun})


def _false_convictions(world: World) -> list[str]:
    return [
        f"{seat.key} convicts {key}, who is honest: {why}"
        for seat in world.honest
        for key, why in seat.convicted.items()
        if key != world.liar
    ]


def _forks(world: World) -> list[str]:
    """Two different certificates of one height and epoch, and two epochs of one number."""
    found: list[str] = []
    seen: dict[tuple[Epoch, int], Log] = {}
    for seat in world.honest:
        for epoch, log, _ in seat.certified:
            if seen.setdefault((epoch, log.height), log) is not log:
                found.append(f"fork: height {log.height} of epoch {epoch.number} is certified twice")
    for one, other in combinations(_begun(world), 2):
        if one.number == other.number:
            found.append(f"fork: number {one.number} began as {one} and as {other}")
    return found


def _lost(world: World) -> list[str]:
    """A later epoch undoes what must last."""
    found: list[str] = []
    begun = _begun(world)
    certified = {(epoch, log, alike) for seat in world.honest for epoch, log, alike in seat.certified}
    duties = {(m.epoch, m.log) for seat in world.honest for m in seat.said if isinstance(m, Duty)}
    claims = {w for seat in world.honest for w in seat.withouts.values() if w.key != world.liar}
    for later in begun:
        for epoch, log, alike in certified:
            if epoch.number < later.number and not later.start.contains(log):
                if alike:
                    found.append(f"lost: {log} was unanimous, and epoch {later} is without it")
                elif log.parent is not None and not later.start.contains(log.parent):
                    found.append(f"fork: epoch {later} leaves more than one certificate before {log}")
        for epoch, log in duties:
            if epoch.number < later.number and not later.start.contains(log):
                found.append(f"undone: a duty followed {log} in epoch {epoch.number}, and epoch {later} is without it")
        for w in claims:
            if _stays(w, later) and not later.start.contains(w.log):
                found.append(f"undone: {w.key} stays in {later} and loses {w.log}")
    return found


def _stays(w: Without, epoch: Epoch) -> bool:
    return w.number == epoch.number and w.roll == epoch.roll and w.key in {p.key for p in w.stay}


def _two_lives(world: World) -> list[str]:
    """Two epochs that could both go on for ever."""

    def is_in(seat: Seat, epoch: Epoch) -> bool:
        return seat.is_seated and seat.epoch is epoch and seat.signed <= epoch.number and not seat.has_left

    live = []
    for epoch in [world.book.first, *_begun(world)]:
        keys = {p.key for p in epoch.roll}
        if all(any(is_in(seat, epoch) for seat in world.seats if seat.key == key) for key in keys):
            live.append(epoch)
    return [f"fork: {live} all live"] if len(live) > 1 else []


def _ends(world: World) -> list[str]:
    """Two different ends, or an epoch that goes on from before one."""
    found: list[str] = []
    ends = [(seat.key, *seat.end) for seat in world.honest if seat.end is not None]
    for (one, _, log), (other, _, another) in combinations(ends, 2):
        if log is not another:
            found.append(f"fork: the match ends with {log} for {one}, and with {another} for {other}")
    for key, epoch, log in ends:
        for later in _begun(world):
            if later.number > epoch.number and not later.start.contains(log):
                found.append(f"fork: the match ended with {log} for {key}, and epoch {later} goes on without that")
    return found


def may_go_on(world: World, together: set[int]) -> bool:
    """Whether a quorum is among these, when each has been shown all that the others hold, and all are honest."""
    here = [seat for seat in world.seats if seat.key in together and not seat.has_left]
    seat = max((s for s in here if s.is_seated), key=lambda s: s.epoch.number)
    stay = seat.remaining(together - {s.key for s in world.seats if s.has_left})
    if seat.key not in {p.key for p in stay} or world.liar in {p.key for p in stay}:
        return False
    members = [s for s in here if s.is_seated and s.key in {p.key for p in stay}]
    attempts = tuple({attempt for s in members for attempt in s.own(seat.epoch)})
    highest = max(s.signed for s in here) + 1
    words = [Without(s.key, highest, stay, (), seat.epoch, seat.log, None, attempts) for s in members]
    return len(members) == len(stay) and seat.quorum(stay, (), highest, words)
