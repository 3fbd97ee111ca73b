"""`--log FILE`: what happened, for a bug report. Versions, the machine, commands, events, links and faults; no card and no key.

Of an event only its name and numbers are written, and for a few kinds what is public besides: cards, hands, moves, chat and
evidence are text or bytes and are left out.
"""

from __future__ import annotations

import logging
import os
import platform
import sys
from dataclasses import fields
from pathlib import Path

from cli.clean import harmless
from cli.faults import WrongUse
from cli.text import Translator
from cli.versions import LIBRARIES, installed
from protocol.table.events import Accused, Differs, Event, Moved

LOG = logging.getLogger("fairdeal")


class Harmless(logging.Formatter):
    """What others have said may stand in a fault."""

    def format(self, record: logging.LogRecord) -> str:
        return harmless(super().format(record))


def begin(path: Path, words: Translator) -> None:
    """Log into this file from now on, behind what it holds. Only its owner can read it. Raises WrongUse."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        if sys.platform != "win32":
            os.fchmod(handle, 0o600)
    except OSError as fault:
        reason = fault.strerror or str(fault)
        raise WrongUse("the log {path} cannot be written ({reason})", path=path, reason=reason) from fault
    handler = logging.StreamHandler(open(handle, "w", encoding="utf-8", errors="replace"))  # noqa: SIM115  (until the end)
    handler.setFormatter(Harmless("%(asctime)s.%(msecs)03d %(name)s: %(message)s", "%Y-%m-%d %H:%M:%S"))
    logging.getLogger().addHandler(handler)
    LOG.setLevel(logging.INFO)
    LOG.info("fairdeal %s, Python %s, %s", installed("fairdeal") or "?", platform.python_version(), platform.platform())
    LOG.info("%s", ", ".join(f"{name} {installed(name) or '?'}" for name in LIBRARIES))
    LOG.info("language %s, terminal %s, arguments: %s", words.lang, os.environ.get("TERM", "-"), " ".join(sys.argv[1:]))


def described(event: Event) -> str:
    """An event without its cards: its name, its numbers, and what of it is public and useful."""
    parts = [type(event).__name__]
    for field in fields(event):
        value = getattr(event, field.name)
        numbers = value if isinstance(value, tuple) else (value,)
        if numbers and all(each is None or isinstance(each, (int, float)) for each in numbers):
            parts.append(f"{field.name}={','.join(map(str, numbers))}")
    match event:
        case Moved():
            parts.append(f"do={event.move.get('do')}")
        case Accused():
            parts.append(f"what={event.what}")
        case Differs():
            parts.append(f"fields={','.join(event.fields)}")
        case _:
            pass
    return " ".join(parts)
