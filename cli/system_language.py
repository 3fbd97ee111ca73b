"""Ask the system which languages its user prefers."""

from __future__ import annotations

import sys
from collections.abc import Mapping


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
