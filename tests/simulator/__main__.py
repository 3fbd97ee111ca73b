"""`python -m tests.simulator SEED [--real]` replays a run; `python -m tests.simulator FIRST LAST [--real]` searches."""

from __future__ import annotations

import sys
import time

from .search import hunt, simulate


def main() -> None:
    is_real = "--real" in sys.argv
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    if len(numbers) == 1:
        world, wrong = simulate(numbers[0], is_real)
        print(world.setting, *world.trace, *wrong, sep="\n")
        sys.exit(bool(wrong))
    begin = time.process_time()
    found = hunt(range(*numbers), is_real)
    print(dict(found.counts), f"{time.process_time() - begin:.1f} s of processor time")
    for seed, fault in found.faults.items():
        print(f"  {seed}: {fault.strip().splitlines()[-1] if fault.startswith('Traceback') else fault}")
    sys.exit(bool(found.faults))


if __name__ == "__main__":
    main()
