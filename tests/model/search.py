"""Search for evenings on which the rules fail: `python -m tests.model SEED...`, or `hunt` from tests."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from random import Random

from .checks import faults, may_go_on
from .rules import Rules
from .world import World

TABLES = (
    [0, 1, 2],
    [0, 1, 2, 3],
    [0, 1, 2, 3, 4],
    [0, 1, 2, 0, 1],
    [0, 1, 2, 2, 2],
    [0, 0, 0],
    [0, 1, 0, 1],
    [0, 1, 2, 3, 3],
    [0, 1, 2, 3, 4, 5],
)
"""Who keeps each seat, table by table."""


@dataclass
class Found:
    """What a search has seen."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: dict[int, str] = field(default_factory=dict)
    """By the run's seed: the first fault."""


def evening(seed: int, rules: Rules | None = None, liars: bool = True) -> tuple[World, list[str]]:
    """One evening, wholly from its seed, and what is wrong with it."""
    random = Random(seed)
    keepers = random.choice(TABLES)
    people = sorted(set(keepers))
    liar = random.choice(people) if liars and random.random() < 0.25 else None
    world = World(
        keepers,
        random,
        rules,
        spare=random.choice([0, 0, 1, 2, 3]),
        liar=liar,
        recovery=random.random() < 0.5,
        empty=random.choice([0, 0, 1, 2, 3]),
        rounds=random.choice([0, 1, 1, 2]),
    )
    if liar is None and world.rounds == 1 and random.random() < 0.5:
        world.play()
    world.run(random.randrange(30, 400), random.choice([0, 0, 0.005, 0.02]), random.choice([0, 0.05, 0.2]))
    wrong = faults(world)
    if not wrong and liar is None:
        wrong = _stuck(world)
    return world, wrong


def _stuck(world: World) -> list[str]:
    """Whether a quorum that is together from now on does not go on."""
    random = world.random
    alive = [seat for seat in world.seats if not seat.has_left and seat.is_seated]
    if not alive:
        return []
    last = max((seat.epoch for seat in alive), key=lambda epoch: epoch.number)
    people = sorted({p.keeper for p in last.roll if not any(s.has_left for s in world.seats if s.key == p.keeper)})
    if len(people) < 2:
        return []
    chosen = random.sample(people, random.randrange(min(len(people), len(people) // 2 + 1), len(people) + 1))
    together = {p.key for p in last.roll if p.keeper in chosen}
    goes_on = world.heal(together)
    wrong = faults(world)
    if not wrong and not goes_on and may_go_on(world, together):
        wrong = [f"stuck: {sorted(together)} are a quorum"]
    world.note("goes on" if goes_on else "waits")
    return wrong


def hunt(seeds: range, rules: Rules | None = None, liars: bool = True, enough: int = 0) -> Found:
    """Run many evenings; stop after `enough` faults, if that is not 0."""
    found = Found()
    for seed in seeds:
        world, wrong = evening(seed, rules, liars)
        found.counts["evenings"] += 1
        found.counts["epochs"] += len({epoch for seat in world.honest for epoch, _ in seat.begun})
        found.counts["with additions"] += any(
            p not in world.book.first.roll for seat in world.honest for epoch, _ in seat.begun for p in epoch.roll
        )
        found.counts["ended"] += any(seat.end is not None for seat in world.honest)
        found.counts["ended where an epoch begins"] += any(
            seat.end is not None and seat.end[0].start is seat.end[1] for seat in world.honest
        )
        found.counts["convictions"] += any(seat.convicted for seat in world.honest)
        found.counts[world.trace[-1] if world.trace and world.trace[-1] in ("goes on", "waits") else "not healed"] += 1
        if wrong:
            found.counts[wrong[0].split(":")[0]] += 1
            found.faults[seed] = wrong[0]
            if enough and len(found.faults) >= enough:
                break
    return found
