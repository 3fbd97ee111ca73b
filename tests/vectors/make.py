"""Makes all vectors again: `python -m tests.vectors.make`. Each `make_*.py` beside this file has a `main` that writes its own."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path


def main() -> None:
    for path in sorted(Path(__file__).parent.glob("make_*.py")):
        import_module(f"tests.vectors.{path.stem}").main()


if __name__ == "__main__":
    main()
