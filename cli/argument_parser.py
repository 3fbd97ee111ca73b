"""A parser of command lines that speaks the reader's language, and says in one line what is wrong and what was probably meant."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any, NoReturn

from cli.clean import width, wrap
from cli.faults import WrongUse
from cli.text import Translator, key
from cli.versions import installed
from protocol.games.catalogue import game_names

ARGPARSE_TEXTS = (
    key("usage: "),
    key("positional arguments"),
    key("options"),
    key("show this help message and exit"),
    key("show program's version number and exit"),
    key("expected one argument"),
    key("expected at least one argument"),
    key("the following arguments are required: %s"),
    key("invalid choice: %(value)r (choose from %(choices)s)"),
    key("invalid %(type)s value: %(value)r"),
    key("argument %(argument_name)s: %(message)s"),
    key("ignored explicit argument %r"),
)
"""argparse's own messages, listed for the catalogues; `localised` lets argparse look them up there."""


class HelpByWidth(argparse.HelpFormatter):
    """Lays help out by terminal cells: argparse itself counts characters, of which Japanese ones take two cells."""

    def _format_usage(self, *given: Any) -> str:
        text = super()._format_usage(*given)
        if max(map(width, text.splitlines())) <= self._width:
            return text
        before, prog, after = " ".join(text.split()).partition(f"{self._prog} ")
        lines, indent = [before + prog.rstrip()], " " * width(before + prog)
        for part in re.findall(r"\[[^\]]*\]|\S+", after):
            if width(lines[-1]) + 1 + width(part) <= self._width:
                lines[-1] += f" {part}"
            else:
                lines.append(indent + part)
        return "\n".join(lines) + "\n\n"

    def _format_action(self, action: argparse.Action) -> str:
        text = super()._format_action(action)
        invocation = self._format_action_invocation(action)
        extra = width(invocation) - len(invocation)
        head, found, help_text = text.partition(invocation)
        told = help_text.lstrip(" ")
        blanks = len(help_text) - len(told)
        if not extra or not found or head.strip() or blanks < 2:
            return text
        if blanks - extra < 2:  # too long for its column: the help begins below it
            return f"{head}{invocation}\n{' ' * (len(head) + len(invocation) + blanks)}{told}"
        return f"{head}{invocation}{' ' * (blanks - extra)}{told}"

    def _split_lines(self, text: str, width: int) -> list[str]:
        return wrap(" ".join(text.split()), width)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n".join(indent + line for line in self._split_lines(text, width - len(indent)))


class Parser(argparse.ArgumentParser):
    """An argument parser that raises instead of exiting."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **{"formatter_class": HelpByWidth, **named})

    def error(self, message: str) -> NoReturn:
        raise Misused(self, message)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if isinstance(action, argparse._SubParsersAction) and value not in action.choices:
            raise unknown_command(str(value), list(action.choices))
        super()._check_value(action, value)


class Misused(Exception):
    """Raised with the parser that refused, and the reason."""

    def __init__(self, parser: argparse.ArgumentParser, message: str) -> None:
        super().__init__(message)
        self.parser = parser
        self.message = message


class ShowVersion(argparse.Action):
    """Prints the version. It is looked up only then: reading the installation's metadata is slow."""

    def __init__(self, option_strings: Sequence[str], help: str | None = None, **_fields: object) -> None:
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, default=argparse.SUPPRESS, help=help)

    def __call__(self, parser: argparse.ArgumentParser, *_given: object) -> NoReturn:
        print(parser.prog, installed("fairdeal") or "?")
        parser.exit()


def unknown_command(word: str, known: Sequence[str]) -> WrongUse:
    """What is wrong with a first word that is no command, and which was probably meant."""
    close = [f"play {word}"] if word in game_names() else get_close_matches(word, known, 1)
    if close:
        return WrongUse(
            "there is no command {word}: did you mean fairdeal {close}? (see fairdeal --help)",
            word=word,
            close=close[0],
        )
    return WrongUse("there is no command {word}; the commands are {known}", word=word, known=", ".join(known))


def refusal(parser: argparse.ArgumentParser, word: str, _: Translator) -> WrongUse:
    """Return what is wrong with an unexpected word, and which flag was probably meant."""
    flags = sorted(flag for flag in parser._option_string_actions if flag.startswith("--"))
    flag = word.partition("=")[0]
    if not flag.startswith("-"):
        return WrongUse("{command} does not understand {word} (see {command} --help)", command=parser.prog, word=word)
    if flag in flags:  # it stood before the command, where only what all commands know is read
        return WrongUse("{flag} goes after the command: {command} … {flag}", flag=flag, command=parser.prog)
    if close := get_close_matches(flag, flags, 1, 0.7):
        return WrongUse(
            "{command} has no {flag}: did you mean {close}? Available: {flags}",
            command=parser.prog,
            flag=flag,
            close=close[0],
            flags=_.list(flags),
        )
    return WrongUse("{command} has no {flag}; available: {flags}", command=parser.prog, flag=flag, flags=_.list(flags))


def localised(_: Translator) -> None:
    """Make argparse use our catalogues instead of gettext, which would need compiled files."""

    def plural(one: str, many: str, n: int) -> str:
        return _(one if n == 1 else many)

    vars(argparse).update(_=_, ngettext=plural)
