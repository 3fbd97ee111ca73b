"""The program `fairdeal`: choose the language, parse the command line, run one command, report errors in one sentence.

Nothing heavy is imported before it is needed, so that help and the first screen appear at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from cli.console import look, prepare
from cli.context import Context, config_of, home_folder
from cli.faults import DONE, FAILED, INTERRUPTED, WRONG_USE, CommandFault, OutputLost
from cli.system_language import system_languages
from cli.text import Translator, choose_language, load_translator
from protocol.dealing import library
from protocol.errors import BadOption, FairdealError, GameFailed


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; return the exit status."""
    words = Translator()
    home = Path()
    try:
        prepare(sys.stdout, sys.stderr)
        arguments = list(sys.argv[1:] if argv is None else argv)
        home = home_folder(_early_home(arguments), os.environ)
        library.use(home / "library")
        config = config_of(home)
        wish = _early(arguments, "--lang")
        words = load_translator(choose_language(wish, str(config.get("lang", "")), system_languages(os.environ)))
        return run(arguments, words, home)
    except FairdealError as fault:
        from cli.games.explain import explain

        if isinstance(fault, OutputLost):
            _close_output()
        if isinstance(fault, GameFailed):
            from cli.client.game_failures import noted

            fault = noted(fault, home)
        with suppress(OSError):  # the terminal may be closed
            print(explain(words, fault), file=sys.stderr)
        return status_of(fault)
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        _close_output()  # the reader has exited (`| head`)
        return FAILED
    except Exception:  # a bug: its report is kept, and the person gets a sentence instead of a traceback
        from cli.crash import record

        path = record(home)
        if "cli.log" in sys.modules:
            sys.modules["cli.log"].LOG.exception("fault")
        print(words("Fairdeal crashed. This is a bug, not your mistake. Details: {path}", path=path), file=sys.stderr)
        return FAILED


def run(arguments: Sequence[str], words: Translator, home: Path) -> int:
    """Parse the request and run its command."""
    from cli.arguments import parse
    from cli.command_facts import BY_NAME, LOBBY

    try:
        request = parse(arguments, words)
    except SystemExit as asked:  # --help and --version have printed what was asked for
        return DONE if asked.code in (None, 0) else WRONG_USE
    if request.log is not None:
        from cli.log import begin

        begin(request.log, words)
    terminal = look(os.environ, sys.stdin, sys.stdout, request.plain, request.ascii, request.motion)
    context = Context(words, os.environ, sys.stdin, sys.stdout, sys.stderr, terminal, home)
    module = import_module(f"cli.commands.{BY_NAME.get(request.command, LOBBY).module}")
    return int(module.run(request, context))


def _close_output() -> None:
    """Redirect standard output to nowhere, so that Python does not report the same error again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def status_of(fault: FairdealError) -> int:
    """Return the exit status for an error that ended the program."""
    if isinstance(fault, CommandFault):
        return fault.status
    if isinstance(fault, BadOption):
        return WRONG_USE
    from p2p.errors import HomeFault, PortTaken

    return WRONG_USE if isinstance(fault, (HomeFault, PortTaken)) else FAILED


def _early(arguments: Sequence[str], flag: str) -> str | None:
    """Return a flag's value before the command line is parsed, which needs the language."""
    for place, word in enumerate(arguments):
        if word == flag and place + 1 < len(arguments):
            return arguments[place + 1]
        if word.startswith(flag + "="):
            return word.partition("=")[2]
    return None


def _early_home(arguments: Sequence[str]) -> Path | None:
    named = _early(arguments, "--home")
    return Path(named) if named else None


if __name__ == "__main__":
    sys.exit(main())
