"""Choose the language: the flag, else the config file, else the system's setting, else English."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path


def languages() -> tuple[str, ...]:
    """Return the codes of the available languages, English first."""
    return ("en", *sorted(path.stem for path in Path(__file__).parent.glob("*.po")))


def choose_language(flag: str | None, config: str | None, environ: Mapping[str, str]) -> str:
    """Return the first available language. The caller rejects a flag with an unknown language."""
    wishes = [flag, config, *system_languages(environ)]
    known = languages()
    for wish in wishes:
        code = (wish or "").replace("-", "_").split("_")[0].split(".")[0].casefold()
        if code in known:
            return code
        if code in ("c", "posix"):
            return "en"
    return "en"


def system_languages(environ: Mapping[str, str]) -> list[str]:
    """Return the system's languages, most preferred first. Windows sets no variable, so its API is used."""
    said: list[str] = []
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environ.get(name):
            said.append(value)
            break
    # LANGUAGE lists several, and is ignored in the C locale, as in GNU gettext.
    if said and said[0].split(".")[0] not in ("C", "POSIX"):
        said = [each for each in environ.get("LANGUAGE", "").split(":") if each] + said
    if not said and sys.platform == "win32":  # pragma: no cover - only there
        import ctypes
        import locale

        number = ctypes.windll.kernel32.GetUserDefaultUILanguage()
        said.append(locale.windows_locale.get(number, ""))
    return said
