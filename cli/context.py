"""What a command gets besides its request: translator, streams, environment. Commands print only through it."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from cli.clean import escaped
from cli.console import Terminal
from cli.faults import OutputLost
from cli.text import Translator

if TYPE_CHECKING:
    from cli.news import Progress


@dataclass(frozen=True)
class Context:
    """One run of the program."""

    words: Translator
    environ: Mapping[str, str]
    stdin: TextIO
    stdout: TextIO
    stderr: TextIO
    terminal: Terminal
    home: Path
    """The folder of identity, journal and transcripts; it may not exist yet."""

    def tell(self, line: str = "") -> None:
        """Print a line of the answer to standard output at once. Raises OutputLost."""
        try:
            print(line, file=self.stdout, flush=True)
        except BrokenPipeError:
            raise
        except OSError as fault:
            reason = fault.strerror or str(fault)
            raise OutputLost("could not write the output ({reason}): is the disk full?", reason=reason) from fault

    def note(self, line: str) -> None:
        """Print a line about the progress to standard error. Write errors are ignored."""
        with suppress(OSError):
            print(line, file=self.stderr, flush=True)

    def notify(self, progress: Progress) -> None:
        """Print what a client reports, as notes."""
        from cli.view.progress import progress_lines

        for line in progress_lines(self.words, progress):
            self.note(line)

    def tell_json(self, value: object) -> None:
        """Print one object on one line, the same in every language."""
        self.tell(escaped(json.dumps(value, ensure_ascii=self.terminal.ascii_only)))


def home_folder(flag: Path | None, environ: Mapping[str, str]) -> Path:
    """Return --home, else FAIRDEAL_HOME, else the platform's data folder for this user."""
    if flag is not None:
        return flag.expanduser()
    if named := environ.get("FAIRDEAL_HOME"):
        return Path(named).expanduser()
    from platformdirs import user_data_path

    return user_data_path("fairdeal", appauthor=False)


def config_of(home: Path) -> Mapping[str, object]:
    """Return the settings in `config.toml`; empty if missing or invalid."""
    path = home / "config.toml"
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return {}
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        print(f"{path}: {fault}", file=sys.stderr)
        return {}
