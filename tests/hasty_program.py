"""The program in the toy group, with bots that do not take a person's time to think: python -m tests.hasty_program COMMAND..."""

from __future__ import annotations

import sys

from tests import toy_program


def main() -> int:
    from cli.client import opening

    opening.HUMAN_PACE_S /= 20
    return toy_program.main()


if __name__ == "__main__":
    sys.exit(main())
