"""What the values of flags may be. Each function returns a reader for argparse."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable

from cli import requests
from cli.faults import WrongUse
from cli.text import Translator, languages


def whole(_: Translator, low: int, high: int, besides: int | None = None) -> Callable[[str], int]:
    """Return a parser of whole numbers within bounds, or of the one `besides`."""

    def read(text: str) -> int:
        if text.isascii() and text.isdecimal() and (low <= int(text[:12]) <= high or int(text[:12]) == besides):
            return int(text)
        raise argparse.ArgumentTypeError(
            _("{text} is not a whole number from {low} to {high}", text=text, low=low, high=high)
        )

    return read


def seconds(_: Translator, may_be_off: bool = True) -> Callable[[str], float | None]:
    """Return a parser of times in seconds; `off` gives None, where it may be said."""

    def read(text: str) -> float | None:
        if may_be_off and text.casefold() == "off":
            return None
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if 0 <= value <= 86_400:
            return value
        if may_be_off:
            raise argparse.ArgumentTypeError(_("{text} is not a number of seconds (or off)", text=text))
        raise argparse.ArgumentTypeError(_("{text} is not a number of seconds", text=text))

    return read


def key_value(_: Translator) -> Callable[[str], tuple[str, str]]:
    """Return a parser of KEY=VALUE."""

    def read(text: str) -> tuple[str, str]:
        try:
            return requests.split_option(text)
        except WrongUse as fault:
            raise argparse.ArgumentTypeError(_(fault.template, **fault.fields)) from fault

    return read


def language(_: Translator) -> Callable[[str], str]:
    """Return a parser of languages that we support."""

    def read(text: str) -> str:
        if text.replace("-", "_").split("_")[0].casefold() in languages():
            return text
        raise argparse.ArgumentTypeError(
            _("there is no translation for {text}: choose from {known}", text=text, known=", ".join(languages()))
        )

    return read


def port(_: Translator) -> Callable[[str], int]:
    """Return a parser of ports on which others call a table, or 0 for any free one."""
    from p2p.interfaces import LOWEST_PORT

    return whole(_, LOWEST_PORT, 65_535, besides=0)
