"""The command line: commands and flags in the reader's language, with one-line error messages."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from cli import requests
from cli.argument_parser import Misused, Parser, ShowVersion, localised, refusal
from cli.argument_values import key_value, language, port, seconds, whole
from cli.command_facts import COMMANDS, CommandFacts
from cli.faults import WrongUse
from cli.text import Translator, languages
from cli.text.sentences import sentence
from protocol.games.catalogue import game_names
from protocol.games.game import LEVELS
from protocol.table.options import RECOVERY


def parse(argv: Sequence[str], _: Translator) -> requests.Common:
    """Parse the command line. Raises WrongUse; `--help` and `--version` print and raise SystemExit."""
    localised(_)
    parser, parsers = make_parser(_)
    arguments = list(argv)
    if "help" in arguments and parsers.keys().isdisjoint(arguments[: (at := arguments.index("help"))]):
        arguments = [*arguments[:at], *arguments[at + 1 :], "--help"]  # "fairdeal help host", as with other programs
    try:
        found, unknown = parser.parse_known_args(arguments)
    except Misused as fault:
        if fault.message == _("the following arguments are required: %s") % _("GAME"):
            games = ", ".join(game_names())
            raise WrongUse("{command} needs a game: {known}", command=fault.parser.prog, known=games) from fault
        raise WrongUse(
            "{command}: {reason} (see {command} --help)", command=fault.parser.prog, reason=fault.message
        ) from fault
    if unknown:
        raise refusal(parsers.get(found.command, parser), unknown[0], _)
    if found.phones and (found.command or "lobby") not in WITH_PHONES:
        raise refusal(parsers[found.command], "--phones", _)
    request = request_of(found)
    if isinstance(request, requests.TableRequest) and not request.autoplay:
        for flag, value in (("--matches", request.matches), ("--start-after", request.start_after_s)):
            if value is not None:
                raise WrongUse("{flag} is for tables without a person: add --autoplay", flag=flag)
    return request


def make_parser(_: Translator) -> tuple[Parser, dict[str, Parser]]:
    """Return the whole parser, and each command's own."""
    parser = Parser(
        prog="fairdeal",
        description=_(
            "Card games with friends on your local network. Without a command, shows the tables on this network."
        ),
        epilog=_("Example: {example}", example="fairdeal play crazy-eights"),
        allow_abbrev=False,
    )
    shown = _("show program's version number and exit")
    parser.add_argument("-V", "--version", action=ShowVersion, help=shown)
    add_common(parser, _)
    add_home(parser, _)
    add_phones(parser, _)
    commands = parser.add_subparsers(dest="command", title=_("commands"), metavar=_("COMMAND"), parser_class=Parser)
    parsers: dict[str, Parser] = {}
    for facts in COMMANDS:
        sub = commands.add_parser(
            facts.name,
            help=_(facts.help),
            description=sentence(_(facts.help)),
            epilog=_("Example: {example}", example=facts.example),
            allow_abbrev=False,
        )
        parsers[facts.name] = sub
        add_common(sub, _, inherited=True)
        FLAGS[facts.name](sub, _)
    return parser, parsers


# --- flags ---


def add_common(parser: argparse.ArgumentParser, _: Translator, inherited: bool = False) -> None:
    """Add the flags of all commands. With `inherited`, keep a value given before the command."""
    missing: Any = argparse.SUPPRESS if inherited else None
    parser.add_argument(
        "--lang",
        metavar=_("CODE"),
        type=language(_),
        default=missing,
        help=_("language: {known}", known=", ".join(languages())),
    )
    parser.add_argument(
        "--log",
        metavar=_("FILE"),
        type=Path,
        default=missing,
        help=_("write a log for bug reports (no hidden cards, no keys)"),
    )


def add_home(parser: argparse.ArgumentParser, _: Translator, inherited: bool = False) -> None:
    missing: Any = argparse.SUPPRESS if inherited else None
    parser.add_argument(
        "--home",
        metavar=_("DIR"),
        type=Path,
        default=missing,
        help=_("folder for your identity, saved matches and transcripts"),
    )
    parser.add_argument(
        "--plain", action="store_true", default=missing or False, help=_("plain text lines instead of the full screen")
    )
    parser.add_argument(
        "--browser", action="store_true", default=missing or False, help=_("play in this computer’s browser")
    )
    parser.add_argument("--ascii", action="store_true", default=missing or False, help=_("ASCII only"))
    parser.add_argument(
        "--no-motion", dest="motion", action="store_false", default=missing or True, help=_("no animation")
    )


def add_phones(parser: argparse.ArgumentParser, _: Translator, inherited: bool = False) -> None:
    missing: Any = argparse.SUPPRESS if inherited else False
    parser.add_argument(
        "--phones",
        action="store_true",
        default=missing,
        help=_("let friends join by phone: shows a code to scan, and an address"),
    )


def add_json(parser: argparse.ArgumentParser, _: Translator) -> None:
    parser.add_argument("--json", action="store_true", help=_("print JSON"))


def add_game(parser: argparse.ArgumentParser, _: Translator) -> None:
    parser.add_argument(
        "game",
        metavar=_("GAME"),
        help=_("crazy-eights, two-four-jack, mau-mau, macau-wars, tichu or another installed game"),
    )


def add_options(parser: argparse.ArgumentParser, _: Translator) -> None:
    parser.add_argument(
        "--option",
        dest="options",
        metavar=_("KEY=VALUE"),
        type=key_value(_),
        action="append",
        default=[],
        help=_("set an option of the game; repeatable (fairdeal rules GAME lists them)"),
    )


def add_where(parser: argparse.ArgumentParser, _: Translator) -> None:
    parser.add_argument("where", metavar=_("TABLE"), nargs="?", help=_("name of a table, HOST or HOST:PORT"))


def add_wait(parser: argparse.ArgumentParser, _: Translator) -> None:
    parser.add_argument(
        "--wait", dest="wait_s", metavar=_("S"), type=seconds(_), help=_("give up if nobody appears within S seconds")
    )


def add_table(parser: argparse.ArgumentParser, _: Translator) -> None:
    """Add what `play`, `host` and `join` share."""
    add_home(parser, _, inherited=True)
    add_json(parser, _)
    parser.add_argument("--name", metavar=_("NAME"), help=_("your name"))
    parser.add_argument("--table", metavar=_("NAME"), help=_("the table’s name"))
    parser.add_argument("--seats", metavar="N", type=whole(_, 2, 10), help=_("number of seats, bots included"))
    parser.add_argument("--bots", metavar="N", type=whole(_, 0, 9), help=_("number of seats played by bots"))
    parser.add_argument("--level", choices=LEVELS, help=_("how well your bots play (normal); not every game has all"))
    add_options(parser, _)
    parser.add_argument("--port", metavar=_("P"), type=port(_), help=_("port to listen on"))
    parser.add_argument("--rounds", metavar="N", type=whole(_, 1, 10_000), help=_("end the match after N rounds"))
    parser.add_argument("--transcript", metavar=_("FILE"), type=Path, help=_("where to save the transcript"))
    parser.add_argument(
        "--recovery",
        choices=RECOVERY,
        help=_(
            "whether the remaining players together can open the hand of a player who quits (auto: from 4 computers; on: from 3)"
        ),
    )
    parser.add_argument("--lots", action="store_true", help=_("assign the seats by drawing lots"))
    parser.add_argument("--suggest", choices=("on", "off"), help=_("whether hints may suggest a play (on)"))
    parser.add_argument(
        "--remind",
        choices=("on", "off"),
        help=_("whether players are reminded to call their last card (on); off: forgetting it has a penalty"),
    )
    parser.add_argument(
        "--time", dest="time_s", metavar=_("S"), type=seconds(_), help=_("time limit per move in seconds, or off")
    )
    parser.add_argument(
        "--grace",
        dest="grace_s",
        metavar=_("S"),
        type=seconds(_),
        default=argparse.SUPPRESS,
        help=_("seconds for bombs before a trick is taken ({n})", n=requests.USUAL.grace // 1000),
    )
    parser.add_argument(
        "--pause",
        dest="pause_s",
        metavar=_("S"),
        type=seconds(_),
        help=_("seconds between rounds ({n}; 0 if unattended)", n=requests.USUAL.pause // 1000),
    )
    parser.add_argument(
        "--leave-after",
        dest="leave_after_s",
        metavar=_("S"),
        type=seconds(_),
        default=argparse.SUPPRESS,
        help=_(
            "seconds before you can vote to play on without a missing player ({n})",
            n=requests.USUAL.leave_after // 1000,
        ),
    )
    add_wait(parser, _)
    parser.add_argument("--autoplay", action="store_true", help=_("let a bot play this seat, without a screen"))
    parser.add_argument(
        "--start-after",
        dest="start_after_s",
        metavar=_("S"),
        type=seconds(_),
        help=_("with --autoplay: start S seconds after enough players are there, even if seats are still free"),
    )
    parser.add_argument(
        "--matches",
        metavar="N",
        type=whole(_, 1, 10_000),
        help=_("with --autoplay: play N matches in the same room (default: 1; join: until the room closes)"),
    )
    parser.add_argument("--fresh", action="store_true", help=_("give up your seat in an unfinished match for good"))


def _files(parser: argparse.ArgumentParser, _: Translator, many: bool, what: str) -> None:
    parser.add_argument("files", metavar=_("FILE"), nargs="+" if many else 1, type=Path, help=what)


def _play(parser: argparse.ArgumentParser, _: Translator) -> None:
    add_game(parser, _)
    add_table(parser, _)


def _host(parser: argparse.ArgumentParser, _: Translator) -> None:
    _play(parser, _)
    add_phones(parser, _, inherited=True)


def _join(parser: argparse.ArgumentParser, _: Translator) -> None:
    add_where(parser, _)
    add_table(parser, _)
    add_phones(parser, _, inherited=True)


def _watch(parser: argparse.ArgumentParser, _: Translator) -> None:
    add_where(parser, _)
    parser.add_argument("--tv", action="store_true", help=_("in the browser, large, for everybody in the room"))
    add_home(parser, _, inherited=True)
    add_wait(parser, _)


def _tables(parser: argparse.ArgumentParser, _: Translator) -> None:
    parser.add_argument(
        "--seconds",
        metavar=_("S"),
        type=seconds(_, may_be_off=False),
        default=2.0,
        help=_("how many seconds to look (2)"),
    )
    add_json(parser, _)


def _verify(parser: argparse.ArgumentParser, _: Translator) -> None:
    _files(parser, _, True, _("transcripts"))
    parser.add_argument("--all", action="store_true", help=_("no effect: every proof is always checked"))
    add_json(parser, _)


def _replay(parser: argparse.ArgumentParser, _: Translator) -> None:
    _files(parser, _, False, _("a transcript or a rule example"))
    add_home(parser, _, inherited=True)


def _playthrough(parser: argparse.ArgumentParser, _: Translator) -> None:
    _files(parser, _, True, _("rule examples"))


def _rules(parser: argparse.ArgumentParser, _: Translator) -> None:
    add_game(parser, _)
    parser.add_argument("--seats", metavar="N", type=whole(_, 2, 10), help=_("the rules for this many players"))
    add_options(parser, _)


def _scores(parser: argparse.ArgumentParser, _: Translator) -> None:
    add_home(parser, _, inherited=True)
    add_json(parser, _)


def _whoami(parser: argparse.ArgumentParser, _: Translator) -> None:
    parser.add_argument("--name", metavar=_("NAME"), help=_("change your name to NAME"))
    add_home(parser, _, inherited=True)
    add_json(parser, _)


def _doctor(parser: argparse.ArgumentParser, _: Translator) -> None:
    parser.description = _.join([parser.description or "", _("Exit status: 1 if a problem was found (✗), else 0.")])
    add_home(parser, _, inherited=True)
    add_json(parser, _)


def _bench(parser: argparse.ArgumentParser, _: Translator) -> None:
    parser.add_argument("--quick", action="store_true", help=_("fewer repetitions"))
    parser.add_argument(
        "--only",
        metavar=_("NAME"),
        action="append",
        default=[],
        help=_("only rows whose name starts with NAME; repeatable"),
    )
    parser.add_argument(
        "--plot",
        metavar=_("DIR"),
        type=Path,
        help=_("measure deals and moves with 2 to 10 seats instead, and draw them in a file in this folder"),
    )
    add_json(parser, _)


def _completions(parser: argparse.ArgumentParser, _: Translator) -> None:
    parser.add_argument("shell", metavar=_("SHELL"), choices=("bash", "zsh", "fish"), help=_("bash, zsh or fish"))


FLAGS: dict[str, Callable[[argparse.ArgumentParser, Translator], None]] = {
    "play": _play,
    "host": _host,
    "join": _join,
    "watch": _watch,
    "tables": _tables,
    "verify": _verify,
    "replay": _replay,
    "playthrough": _playthrough,
    "rules": _rules,
    "scores": _scores,
    "whoami": _whoami,
    "doctor": _doctor,
    "bench": _bench,
    "completions": _completions,
}
WITH_PHONES = frozenset({"lobby", "host", "join"})
"""The commands after which others can join by phone."""
REQUESTS: dict[str, type[requests.Common]] = {
    "lobby": requests.LobbyRequest,
    "play": requests.TableRequest,
    "host": requests.TableRequest,
    "join": requests.TableRequest,
    "watch": requests.WatchRequest,
    "tables": requests.TablesRequest,
    "verify": requests.FilesRequest,
    "replay": requests.FilesRequest,
    "playthrough": requests.FilesRequest,
    "rules": requests.RulesRequest,
    "whoami": requests.WhoamiRequest,
    "bench": requests.BenchRequest,
    "completions": requests.CompletionsRequest,
}


def request_of(found: argparse.Namespace) -> requests.Common:
    """Return the typed request. Flags not given get their fixed default; `--time off` and the like stay None."""
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in vars(found).items()
    }
    values["command"] = values.get("command") or "lobby"
    if values["command"] not in WITH_PHONES:
        values.pop("phones", None)
    for name in ("suggest", "remind"):
        if name in values:
            said = values.pop(name)
            if said is not None:
                values[name] = said == "on"
    for name, off in (("grace_s", 0.0), ("leave_after_s", math.inf)):
        if name in values and values[name] is None:
            values[name] = off
    return REQUESTS.get(str(values["command"]), requests.Common)(**values)


__all__ = ["CommandFacts", "make_parser", "parse"]
