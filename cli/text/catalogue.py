"""Read gettext catalogues from their text form (`.po`), so that a translation is one file without a build step.

Supports what our catalogues use: comments, `msgid`, `msgid_plural`, `msgstr`, `msgstr[n]`, strings over several lines.
Fuzzy entries are skipped, as gettext's own compiler does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

_LINE = re.compile(r'^(msgctxt|msgid_plural|msgid|msgstr(?:\[(\d)\])?)?\s*"(.*)"$')
_ESCAPE = re.compile(r"\\(.)")
_PLAIN = {"n": "\n", "t": "\t", "r": "\r"}


class BadCatalogue(ValueError):
    """A malformed catalogue; the message names the line."""


def read_catalogue(text: str) -> Mapping[str, tuple[str, ...]]:
    """Return each message's translations: one, or one per plural form. The header is the entry of the empty message."""
    entries: dict[str, tuple[str, ...]] = {}
    for fields, fuzzy in _entries(text):
        if fuzzy or "msgid" not in fields:
            continue
        forms = sorted(name for name in fields if name.startswith("msgstr"))
        translations = tuple(fields[name] for name in forms)
        if all(translations):
            entries[fields["msgid"]] = translations
    return entries


def _entries(text: str) -> Iterator[tuple[dict[str, str], bool]]:
    fields: dict[str, str] = {}
    current, fuzzy, fuzzy_next = "", False, False
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if line.startswith("#"):
            fuzzy_next = fuzzy_next or (line.startswith("#,") and "fuzzy" in line)
            continue
        if not line:
            continue
        found = _LINE.match(line)
        if found is None:
            raise BadCatalogue(f"line {number} is no line of a catalogue: {line}")
        if name := found[1]:
            if name in ("msgctxt", "msgid") and "msgid" in fields:
                yield fields, fuzzy
                fields = {}
            if name in ("msgctxt", "msgid") and not fields:
                fuzzy, fuzzy_next = fuzzy_next, False
            if name in fields:
                raise BadCatalogue(f"line {number} says {name} twice for one message")
            current = name
            fields[current] = ""
        elif not current:
            raise BadCatalogue(f"line {number} belongs to no message: {line}")
        fields[current] += _ESCAPE.sub(lambda escape: _PLAIN.get(escape[1], escape[1]), found[3])
    if fields:
        yield fields, fuzzy
