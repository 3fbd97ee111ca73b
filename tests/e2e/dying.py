"""The program on a computer that fails in the middle of a round: python -m tests.e2e.dying ROUND MOVES FLAG COMMAND...

When it has seen so many moves of this round or a later one it stands still until the file FLAG is there, and then is gone as in a
power cut. So it never matters how quickly the others play, or how soon a test looks.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from p2p.driver import Driver
from protocol.table.events import Moved, RoundOpened
from protocol.table.step import Step
from tests import toy_program


def main() -> int:
    round, moves, flag = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    del sys.argv[1:4]
    begun = seen = 0
    carry_out = Driver._carry_out

    def failing(driver: Driver, step: Step) -> None:
        nonlocal begun, seen
        carry_out(driver, step)
        for event in step.events:
            if isinstance(event, RoundOpened):
                begun, seen = begun + 1, 0
            seen += isinstance(event, Moved)
        if begun >= round and seen >= moves:
            while not flag.exists():
                time.sleep(0.05)
            os._exit(1)

    Driver._carry_out = failing  # type: ignore[method-assign, assignment]
    return toy_program.main()


if __name__ == "__main__":
    sys.exit(main())
