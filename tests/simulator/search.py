"""Run seeds, and gather what went wrong."""

from __future__ import annotations

import contextlib
import gc
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from protocol.values import replace
from tests.remembering import proven_once, verified_once

from .checks import faults
from .setting import Setting, draw
from .toy import toy_group
from .world import World

Draw: TypeAlias = Callable[[int], Setting]


def simulate(seed: int, is_real: bool = False, drawn: Draw = draw) -> tuple[World, list[str]]:
    """One run, wholly from its seed, and what is wrong with it. `drawn`: one of the ways to draw its setting."""
    setting = replace(drawn(seed), is_real=is_real)
    with verified_once() if is_real else toys():
        world = World(setting)
        try:
            world.run()
            return world, faults(world)
        except Exception:  # whatever a table raises is a finding: the trace must be printed with it
            return world, [*world.wrong, traceback.format_exc()]


@contextlib.contextmanager
def toys() -> Iterator[None]:
    """A run is over before looking for garbage pays."""
    gc.disable()
    try:
        with toy_group(), proven_once():
            yield
    finally:
        gc.enable()


@dataclass
class Found:
    """What a search has seen."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: dict[int, str] = field(default_factory=dict)
    """By seed: the first fault."""


def hunt(
    seeds: Iterable[int],
    is_real: bool = False,
    report: Callable[[int, Found], None] | None = None,
    drawn: Draw = draw,
) -> Found:
    """Run many seeds. `report`: told after each."""
    found = Found()
    for seed in seeds:
        world, wrong = simulate(seed, is_real, drawn)
        found.counts["runs"] += 1
        found.counts[world.setting.game] += 1
        found.counts["faults"] += len(world.setting.faults)
        found.counts["restarts"] += sum(client.life for client in world.clients)
        found.counts["epochs"] += max(client.table.record.epoch for client in world.clients)
        found.counts["liars"] += world.setting.liar is not None
        found.counts["liars caught"] += world.setting.liar in world.accused
        found.counts["for good"] += sum(client.is_gone for client in world.clients)
        found.counts["certificates"] += len(world.certificates)
        found.counts["played on"] += world.played_on
        found.counts["void"] += world.void
        found.counts["voted alike"] += world.voted_alike
        found.counts["ends to confirm"] += len(world.confirming)
        found.counts["seats taken"] += world.taken
        found.counts["older copies"] += any(fault.kind == "restored" for fault in world.setting.faults)
        with contextlib.suppress(IndexError):
            found.faults[seed] = wrong[0]
        if report is not None:
            report(seed, found)
    return found
