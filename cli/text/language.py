"""Choose the language: the flag, else the config file, else the system's setting, else English."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


def languages() -> tuple[str, ...]:
    """Return the codes of the available languages, English first."""
    return ("en", *sorted(path.stem for path in Path(__file__).parent.glob("*.po")))


def choose_language(flag: str | None, config: str | None, system: Iterable[str]) -> str:
    """Return the first available language; `system`: the system's own, most preferred first. The caller rejects a flag with an
    unknown language."""
    wishes = [flag, config, *system]
    known = languages()
    for wish in wishes:
        code = (wish or "").replace("-", "_").split("_")[0].split(".")[0].casefold()
        if code in known:
            return code
        if code in ("c", "posix"):
            return "en"
    return "en"
