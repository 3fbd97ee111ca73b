"""`python -m tests.model SEED` prints one evening; `python -m tests.model FIRST LAST [RULE...]` searches, with rules off."""

from __future__ import annotations

import sys

from .rules import Rules
from .search import evening, hunt


def main() -> None:
    numbers = [int(word) for word in sys.argv[1:] if word.lstrip("-").isdigit()]
    off = [word for word in sys.argv[1:] if not word.lstrip("-").isdigit() and word != "honest"]
    rules = Rules(**dict.fromkeys(off, False))
    liars = "honest" not in sys.argv
    if len(numbers) == 1:
        world, wrong = evening(numbers[0], rules, liars)
        print(*world.trace, *wrong, sep="\n")
        return
    found = hunt(range(*numbers), rules, liars)
    print(dict(found.counts))
    for seed, fault in list(found.faults.items())[:10]:
        print(f"  {seed}: {fault}")


if __name__ == "__main__":
    main()
