"""What the installed program runs: it loads the rest, so that Ctrl-C before anything is loaded ends it without a traceback."""

from __future__ import annotations


def start() -> int:
    """Run the program; return the exit status."""
    try:
        from cli.main import main

        return main()
    except KeyboardInterrupt:  # while it was being loaded: later ones are answered by `main`
        from cli.faults import INTERRUPTED

        return INTERRUPTED
