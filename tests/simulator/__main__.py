"""`python -m tests.simulator SEED [--real] [WAY]` replays a run; FIRST LAST searches. WAY: one of `WAYS`, such as `--votes`."""

from __future__ import annotations

import sys
import time

from .search import Draw, Found, hunt, simulate
from .setting import draw, draw_ahead, draw_ends, draw_hindrances, draw_lies, draw_room, draw_seats, draw_votes

WAYS: dict[str, Draw] = {
    "--votes": draw_votes,
    "--seats": draw_seats,
    "--ends": draw_ends,
    "--lies": draw_lies,
    "--hindrances": draw_hindrances,
    "--room": draw_room,
    "--ahead": draw_ahead,
}


def main() -> None:
    is_real = "--real" in sys.argv
    drawn = next((draws for word, draws in WAYS.items() if word in sys.argv), draw)
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    if len(numbers) == 1:
        world, wrong = simulate(numbers[0], is_real, drawn)
        print(world.setting, *world.trace, *wrong, sep="\n")
        sys.exit(bool(wrong))
    begin = time.process_time()

    def report(seed: int, found: Found) -> None:
        if (fault := found.faults.get(seed)) is not None:
            print(f"  {seed}: {fault.strip().splitlines()[-1] if fault.startswith('Traceback') else fault}", flush=True)
        if (seed + 1) % 100 == 0 or seed + 1 == numbers[-1]:
            seconds = time.process_time() - begin
            print(f"up to {seed}: {dict(found.counts)}, {seconds:.1f} s of processor time", flush=True)

    found = hunt(range(*numbers), is_real, report, drawn)
    sys.exit(bool(found.faults))


if __name__ == "__main__":
    main()
