"""What a run plays, and what goes wrong in it: all drawn from its seed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import Any, Literal, TypeAlias

from protocol.table.options import RECOVERY, TableOptions

GAMES: dict[str, dict[str, Any]] = {
    "crazy-eights": {"target": 500, "hand": 2},
    "two-four-jack": {"target": 500, "hand": 2},
    "mau-mau": {"target": 500, "hand": 2},
    "macau-wars": {"hand": 2},
    "tichu": {},
}

Kind: TypeAlias = Literal["cut", "one-way", "parts", "crash", "all", "idle", "goodbye", "die"]


@dataclass(frozen=True)
class Fault:
    """Something that goes wrong at a time, for a while."""

    at: float
    kind: Kind
    who: tuple[int, ...]
    seconds: float
    loses: float = 0.0
    """crash: how much of the journal that was not durable yet is lost, from 0 (nothing) to 1."""
    is_unsent: bool = False
    """crash: it dies between its journal and the network."""


@dataclass(frozen=True)
class Setting:
    """One run."""

    seed: int
    game: str
    seats: int
    keepers: tuple[int, ...]
    options: dict[str, Any]
    table: TableOptions
    delay: float
    loss: float
    effort: float
    """How long a job takes at most, in seconds."""
    faults: tuple[Fault, ...]
    calm_at: float
    """From then on everything that is not gone for good is up and joined."""
    is_whole: bool
    """Whether the match is played to its end; else until it has gone on for a while after the last fault."""
    liar: int | None = None
    """Whose key is in two programs that know nothing of each other."""
    is_real: bool = False
    """Whether in the real group."""


def draw(seed: int) -> Setting:
    """The setting of a seed."""
    random = Random(f"setting {seed}")
    game = random.choice([*GAMES, *[name for name in GAMES if name != "tichu"] * 4])
    seats = 4 if game == "tichu" else random.choice([2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 6, random.randrange(7, 11)])
    bots = random.choice([0, 0, 0, 1, 2]) if seats > 2 else 0
    keepers = tuple(index if index < seats - bots else 0 for index in range(seats))
    rounds = 1 if game == "tichu" else random.choice([1, 1, 2])
    options = TableOptions(pause=0, grace=0, rounds=rounds, lots=random.random() < 0.3, leave_after=5_000)
    span = random.choice([3.0, 10.0, 30.0, 60.0])
    faults = [_fault(random, seats, span) for _ in range(random.choice([0, 1, 2, 4, 8]))]
    people = sorted(set(keepers))
    gone = random.sample(people, random.choice([0, 0, 1, 1, max(0, (len(people) - 1) // 2)]))
    kinds: list[Kind] = ["goodbye", "die"]
    faults += [Fault(random.random() * span, random.choice(kinds), (who,), 0.0) for who in gone]
    if len(people) > 2:  # of its own, so that older seeds still mean the same match
        options = replace(options, recovery=Random(f"recovery {seed}").choice(RECOVERY))
    liar = random.choice([None, None, None, random.randrange(seats)]) if seats > 2 else None
    if liar is not None:
        liar = keepers[liar]
        faults = [fault for fault in faults if fault.kind in ("cut", "one-way", "parts", "idle")]
    return Setting(
        seed,
        game,
        seats,
        keepers,
        dict(GAMES[game]),
        options,
        random.choice([0.0, 0.02, 0.2, 1.0]),
        random.choice([0.0, 0.0, 0.05, 0.2]),
        random.choice([0.0, 0.1, 1.0]),
        tuple(sorted(faults, key=lambda fault: fault.at)),
        max([fault.at + fault.seconds for fault in faults], default=0.0),
        random.random() < 0.1,
        liar,
    )


def _fault(random: Random, seats: int, span: float) -> Fault:
    kinds: list[Kind] = ["cut", "one-way", "parts", "crash", "crash", "crash", "all", "idle"]
    kind = random.choice(kinds)
    if kind in ("cut", "one-way"):
        who = tuple(random.sample(range(seats), 2))
    elif kind == "parts":
        who = tuple(random.randrange(2) for _ in range(seats))
    elif kind == "all":
        who = tuple(range(seats))
    else:
        who = (random.randrange(seats),)
    seconds = random.choice([0.5, 0.5, 4.0, 12.0, 30.0])
    return Fault(
        random.random() * span, kind, who, seconds, random.choice([0.0, 1.0, random.random()]), random.random() < 0.5
    )
