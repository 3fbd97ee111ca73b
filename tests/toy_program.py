"""The program `fairdeal`, and its bots, with the toy group's arithmetic: python -m tests.toy_program COMMAND...

For tests of what programs do to each other, where nobody looks at what the proofs prove. Its transcripts hold in the toy group.
Signatures are real: rooms and links know no others.
"""

from __future__ import annotations

import sys

START = "from cli.client.bot_process import main"


def in_toy_group(code: str) -> str:
    """The same code of a process for bots, but in the toy group."""
    assert START in code
    return code.replace(START, f"from tests.simulator import toy; toy.use_toy_arithmetic(); {START}")


def main() -> int:
    from cli import main as program
    from cli.client import bots
    from tests.simulator.toy import use_toy_arithmetic

    use_toy_arithmetic()
    bots.CODE = in_toy_group(bots.CODE)
    return program.main()


if __name__ == "__main__":
    sys.exit(main())
