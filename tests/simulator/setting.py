"""What a run plays, and what goes wrong in it: all drawn from its seed."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any, Literal, TypeAlias

from protocol.table.options import RECOVERY, TableOptions
from protocol.values import replace

GAMES: dict[str, dict[str, Any]] = {
    "crazy-eights": {"target": 500, "hand": 2},
    "two-four-jack": {"target": 500, "hand": 2},
    "mau-mau": {"target": 500, "hand": 2},
    "macau-wars": {"hand": 2},
    "tichu": {},
}

Kind: TypeAlias = Literal[
    "cut",
    "one-way",
    "deaf",
    "parts",
    "crash",
    "all",
    "idle",
    "goodbye",
    "die",
    "restored",
    "vote",
    "taking",
    "reveal",
    "promise",
]


Lie: TypeAlias = Literal[
    "admits",
    "denies",
    "lowers",
    "goes back",
    "invents",
    "invents a later one",
    "names nobody",
    "names itself",
    "names strangers",
    "waits far off",
    "tears",
]
LIES: tuple[Lie, ...] = ("admits", "denies", "lowers", "goes back", "invents", "invents a later one")
"""What a liar makes of its promises to go on, of which each of its programs knows: it names all that any of them has promised (so
that it conceals none); and besides that it names no vote, or the certificate below its highest, or an epoch before its last, or
one that never was."""

HINDRANCES: tuple[Lie, ...] = ("names nobody", "names itself", "names strangers", "waits far off", "tears")
"""What it makes of them to keep the others from going on: it claims to have promised before to go on without anybody, by itself,
or with strangers who sit down; or goes on, under a number far off, from an epoch that never was, or each of its programs from
another version of the last one."""


@dataclass(frozen=True)
class Fault:
    """Something that goes wrong at a time, for a while."""

    at: float
    kind: Kind
    who: tuple[int, ...]
    seconds: float
    loses: float = 0.0
    """crash: how much of the journal that was not durable yet is lost, from 0 (nothing) to 1. restored: how much of all of it."""
    is_unsent: bool = False
    """crash: it dies between its journal and the network."""
    then: Kind = "crash"
    """vote, taking, reveal, promise: what it signs next of this (taking: a promise that somebody takes a seat) reaches only the
    rest of `who`; then this happens."""


@dataclass(frozen=True)
class Spare:
    """Somebody who would take a seat, as soon as one is empty: from a time on, if whoever keeps it is there."""

    at: float
    keeper: int
    """Which client keeps it: itself, if it is a person."""


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
    lie: Lie | None = None
    """What they promise; None: what an honest program would."""
    is_one_program: bool = False
    """Whether all meet the same program of the liar, which then contradicts nothing but itself."""
    is_real: bool = False
    """Whether in the real group."""
    spares: tuple[Spare, ...] = ()
    """Who may sit down later: clients behind those of the roster."""
    lossy_until: float = 0.0
    """Until then letters get lost."""
    works_ahead: bool = False
    """Whether the programs make halves of their proofs while they wait, as real clients do; their other runs are older."""


def draw(seed: int, is_open: bool = True) -> Setting:
    """The setting of a seed. `is_open`: somebody new may sit down, and a home may be restored from an older copy."""
    setting = _drawn(seed)
    return _with_older_copy(_with_spares(setting)) if is_open and setting.liar is None else setting


def draw_ahead(seed: int) -> Setting:
    """The setting of a seed, with halves of proofs made ahead."""
    return replace(draw(seed), works_ahead=True)


def draw_votes(seed: int, is_open: bool = True) -> Setting:
    """The setting of a seed in which votes reach only some, and whoever cast them crashes, is cut off or leaves just then: the
    entry above the start of an epoch is what all who stay have voted for, or not."""
    setting, random = draw(seed, is_open), Random(f"votes {seed}")
    honest = sorted({*setting.keepers} - {setting.liar})
    faults = [_at_a_vote(random, setting, honest) for _ in range(random.choice([1, 2, 3]) if honest else 0)]
    people = sorted(set(setting.keepers))
    gone = {fault.who[0] for fault in setting.faults if fault.kind in ("goodbye", "die")}
    for fault in [each for each in faults if each.then in ("goodbye", "die")]:
        gone.add(fault.who[0])
        if 2 * len(gone) >= len(people):
            faults.remove(fault)  # too few would be left to go on
    all_of_them = tuple(sorted((*setting.faults, *faults), key=lambda fault: fault.at))
    calm_at = max(setting.calm_at, *(fault.at + fault.seconds + 5.0 for fault in faults), 0.0)
    return replace(setting, faults=all_of_them, calm_at=calm_at)


def draw_ends(seed: int) -> Setting:
    """The setting of a seed in which somebody hears nothing any more when the last round is over, and does not vote for its
    closing; and of the others, who go on, one vanishes just as it promises so: it may alone have all promises."""
    random = Random(f"ends {seed}")
    game, seats = random.choice([name for name in GAMES if name != "tichu"]), random.choice([3, 3, 4, 4, 5])
    slow, alone, *others = random.sample(range(seats), seats)
    told = random.sample(others, random.choice([0, 0, 1]))
    then: Kind = random.choice(["die", "die", "crash", "cut"])
    faults = [
        Fault(0.0, "reveal", (slow, alone, *others), random.choice([15.0, 30.0, 60.0]), then="deaf"),
        Fault(0.0, "promise", (alone, *told), random.choice([12.0, 30.0]), then=then),
    ]
    table = TableOptions(pause=0, grace=0, rounds=1, leave_after=5_000, recovery=random.choice(RECOVERY))
    times = random.choice([0.0, 0.02, 0.2, 1.0]), 0.0, random.choice([0.0, 0.1])
    return Setting(seed, game, seats, tuple(range(seats)), dict(GAMES[game]), table, *times, tuple(faults), 30.0, True)


def draw_seats(seed: int) -> Setting:
    """The setting of a seed in which seats are taken, also beside a liar. Whoever agrees to that, or would sit down, crashes, is
    cut off or leaves just then."""
    setting, random = _drawn(seed), Random(f"seats {seed}")
    if setting.liar is None and setting.seats > 2 and random.random() < 0.4:
        setting = _beside(setting, setting.keepers[random.randrange(setting.seats)])
    people, liar = sorted({*setting.keepers}), setting.liar
    honest = [each for each in people if each != liar]
    taken: list[int] = []
    for index in range(setting.seats, setting.seats + random.choice([1, 1, 2, 3])):
        kept = bool(honest) and random.random() < 0.3
        taken.append(random.choice(honest) if kept else index)
    ends: list[Kind] = ["goodbye", "die"]
    faults = list(setting.faults)
    gone = {fault.who[0] for fault in faults if fault.kind in ends} | ({liar} if liar is not None else set())
    if not gone and len(people) > 2:
        gone.add(random.choice(honest))
        faults.append(Fault(random.random() * 10, random.choice(ends), (max(gone),), 0.0))
    elif liar is not None and len(people) > 4 and random.random() < 0.5:  # beside him, who is convicted or not
        gone.add(leaver := random.choice(honest))
        faults.append(Fault(random.random() * 10, random.choice(ends), (leaver,), 0.0))
    everybody = range(setting.seats + len(taken))
    for _ in range(random.choice([0, 1, 1, 2, 3])):
        who = random.choice([each for each in everybody if each != liar])
        told = random.sample([each for each in everybody if each != who], random.choice([0, 1, 1, 2]))
        then: Kind = random.choice(["cut", "cut", "crash", "die"] if liar is None else ["cut"])
        if then == "die" and (who in gone or 2 * len({*gone, who} & {*people}) >= len(people)):
            then = "cut"  # else too few would be left to go on
        gone |= {who} if then == "die" else set()
        faults.append(
            Fault(random.random() * 20, "taking", (who, *told), random.choice([0.5, 4.0, 12.0, 30.0]), then=then)
        )
    calm_at = max([setting.calm_at, 45.0, *(fault.at + fault.seconds + 5.0 for fault in faults)])
    return replace(
        setting,
        spares=tuple(Spare(random.random() * 10, keeper) for keeper in taken),
        faults=tuple(sorted(faults, key=lambda fault: fault.at)),
        table=setting.table if setting.game == "tichu" else replace(setting.table, rounds=3, pause=2_000),
        calm_at=calm_at,
    )


def draw_lies(seed: int) -> Setting:
    """The setting of a seed in which a liar knows what it has promised whom, and lies about where it stands. Half of them are at
    the end of a match, where it would undo the last round."""
    random = Random(f"lies {seed}")
    setting = _drawn(seed) if random.random() < 0.5 else draw_ends(seed)
    while setting.seats not in (3, 4, 5) or setting.game == "tichu" or len({*setting.keepers}) < 3:
        setting = _drawn(random.randrange(1 << 40))
    people = sorted({*setting.keepers})
    setting = replace(_beside(setting, random.choice(people)), lie=random.choice(LIES))
    away = [each for each in people if each != setting.liar]
    faults = list(setting.faults)
    for _ in range(random.choice([1, 2, 3, 4])):
        who = (random.choice(away), random.choice(people))
        if len({*who}) > 1:
            faults.append(Fault(random.random() * 15, "cut", who, random.choice([15.0, 25.0, 40.0])))
    if random.random() < 0.5 and len(away) > 1:
        alone = random.choice(away)
        at, seconds = random.random() * 15, random.choice([15.0, 25.0, 40.0])
        others = [each for each in people if each not in (alone, setting.liar)]
        faults += [Fault(at, "cut", (alone, other), seconds) for other in others]
    calm_at = max([fault.at + fault.seconds for fault in faults], default=0.0)
    faults.sort(key=lambda fault: fault.at)
    return replace(setting, seed=seed, faults=tuple(faults), calm_at=calm_at, lossy_until=calm_at)


def draw_hindrances(seed: int) -> Setting:
    """The setting of a seed in which a liar keeps the others from going on. In half of them seats are taken."""
    random = Random(f"hindrances {seed}")
    lie, is_one_program = random.choice(HINDRANCES), random.random() < 0.7
    setting = draw_lies(seed)
    if random.random() < 0.5:
        setting = draw_seats(random.randrange(1 << 40))
        while setting.liar is None:
            setting = draw_seats(random.randrange(1 << 40))
    return replace(setting, seed=seed, lie=lie, is_one_program=is_one_program)


def _at_a_vote(random: Random, setting: Setting, people: list[int]) -> Fault:
    who = random.choice(people)
    told = random.sample(
        [each for each in range(setting.seats) if each != who], random.choice([0, 1, 1, 2]) % setting.seats
    )
    kinds: list[Kind] = (
        ["cut", "goodbye", "die"] if setting.liar is not None else ["crash", "crash", "cut", "goodbye", "die"]
    )
    return Fault(
        random.random() * 20, "vote", (who, *told), random.choice([0.5, 12.0, 30.0]), then=random.choice(kinds)
    )


def draw_room(seed: int) -> Setting:
    """The setting of a seed in which people play with bots, and others come who take the bots' seats; whoever promises that may
    crash, be cut off or vanish just then."""
    random = Random(f"room {seed}")
    game = random.choice([name for name in GAMES if name != "tichu"])
    keepers = random.choice([(0, 0, 0), (0, 0, 0), (0, 1, 0), (0, 1, 0, 1), (0, 1, 2, 0)])
    seats = len(keepers)
    spares = tuple(Spare(random.random() * 2, index) for index in range(seats, seats + random.choice([1, 1, 2])))
    faults: list[Fault] = []
    for who in random.sample(range(seats + len(spares)), random.choice([0, 1, 1, 2])):
        reached = random.sample([each for each in range(seats) if each != who], random.randrange(seats))
        kind: Kind = random.choice(["promise", "promise", "crash", "cut"])
        then: Kind = random.choice(["crash", "cut", "die"]) if who >= seats else "crash"
        seconds, at = random.choice([0.5, 4.0, 12.0]), random.random() * 4
        cut = (who, *reached[:1]) if reached else (who, (who + 1) % seats)
        faults.append(
            Fault(
                at, kind, (who, *reached) if kind == "promise" else cut if kind == "cut" else (who,), seconds, then=then
            )
        )
    table = TableOptions(pause=500, grace=0, rounds=3, leave_after=5_000, recovery="off")
    times = random.choice([0.0, 0.02, 0.2]), 0.0, random.choice([0.0, 0.1])
    ordered = tuple(sorted(faults, key=lambda fault: fault.at))
    return Setting(seed, game, seats, keepers, dict(GAMES[game]), table, *times, ordered, 40.0, True, spares=spares)


def _with_spares(setting: Setting) -> Setting:
    """Let others take seats, drawn beside all else, so that the rest of a seed means what it did before."""
    random = Random(f"spares {setting.seed}")
    count = random.choice([0, 0, 0, 1, 2, 3])
    if not count or (setting.game == "tichu" and random.random() < 0.5):
        return setting
    spares: list[Spare] = []
    people = sorted(set(setting.keepers))
    for index in range(setting.seats, setting.seats + count):
        others = [
            *people,
            *(each for each in range(setting.seats, index) if spares[each - setting.seats].keeper == each),
        ]
        keeper = random.choice(others) if random.random() < 0.4 else index
        spares.append(Spare(random.random() * max(setting.calm_at, 3.0), keeper))
    faults = list(setting.faults)
    ends: list[Kind] = ["goodbye", "die"]
    if len(people) > 2 and not any(fault.kind in ends for fault in faults):  # else hardly a seat is empty
        faults.append(Fault(random.random() * 10, random.choice(ends), (random.choice(people),), 0.0))
    kinds: list[Kind] = ["crash", "crash", "cut", "idle", *ends]
    for index in range(setting.seats, setting.seats + count):
        if random.random() < 0.4 and spares[index - setting.seats].keeper == index:
            kind = random.choice(kinds)
            who = (index, random.randrange(setting.seats)) if kind == "cut" else (index,)
            at, seconds = random.random() * (setting.calm_at + 10), random.choice([0.5, 4.0, 12.0])
            seconds = 0.0 if kind in ends else seconds
            faults.append(Fault(at, kind, who, seconds, random.choice([0.0, 1.0]), random.random() < 0.5))
    return replace(
        setting,
        spares=tuple(spares),
        faults=tuple(sorted(faults, key=lambda fault: fault.at)),
        table=setting.table if setting.game == "tichu" else replace(setting.table, rounds=3, pause=2_000),
        calm_at=max(
            each.at + each.seconds for each in (*faults, *(Fault(spare.at, "idle", (), 25.0) for spare in spares))
        ),
    )


def _with_older_copy(setting: Setting) -> Setting:
    """Restore somebody's home from an older copy when all else is over: whoever lost the secrets of a round asks the others, and
    only those who can be reached can tell."""
    random = Random(f"restored {setting.seed}")
    if random.random() > 0.2:
        return setting
    at = setting.calm_at + random.random() * 10
    fault = Fault(at, "restored", (random.randrange(setting.seats),), 4.0, random.random())
    return replace(setting, faults=(*setting.faults, fault), calm_at=at + fault.seconds)


def _drawn(seed: int) -> Setting:
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
    calm_at = max([fault.at + fault.seconds for fault in faults], default=0.0)
    setting = Setting(
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
        calm_at,
        random.random() < 0.1,
        lossy_until=calm_at,
    )
    return setting if liar is None else _beside(setting, keepers[liar])


def _beside(setting: Setting, liar: int) -> Setting:
    """The same beside a liar: nobody crashes or leaves."""
    faults = tuple(fault for fault in setting.faults if fault.kind in ("cut", "one-way", "parts", "idle"))
    calm_at = max([fault.at + fault.seconds for fault in faults], default=0.0)
    return replace(setting, liar=liar, faults=faults, calm_at=calm_at, lossy_until=calm_at)


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
