"""The program `fairdeal`, and its bots, with the toy group's arithmetic: python -m tests.toy_program COMMAND...

For tests of what programs do to each other, where nobody looks at what the proofs prove. Its transcripts hold in the toy group.
"""

from __future__ import annotations

import sys

from cli.client import bots
from cli.main import main
from tests.simulator.toy import use_toy_arithmetic

if __name__ == "__main__":
    use_toy_arithmetic()
    start = "from cli.client.bot_process import main"
    assert start in bots.CODE
    bots.CODE = bots.CODE.replace(start, f"from tests.simulator import toy; toy.use_toy_arithmetic(); {start}")
    sys.exit(main())
