"""A long page heard in parts: its headings with numbers first, then the part that is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from cli.context import Context
from cli.games.cards import plain
from cli.games.rules_page import rules_parts
from cli.plain.verbs import shown, words_for
from cli.text import Translator
from protocol.games.game import AnyGame

Parts: TypeAlias = Sequence[tuple[str, Sequence[str]]]
"""Headings, each with its lines."""


def part_of(_: Translator, parts: Parts, asked: str) -> list[str]:
    """`asked`: a number, a heading's beginning, "all", or nothing: then the list of parts and the first one.

    A page of one part has no list.
    """
    wanted, typed = plain(asked), shown(_, "rules")
    if wanted in words_for(_, "all"):
        return [line for number in range(len(parts)) for line in _part(_, parts, number)]
    if not wanted and len(parts) == 1:
        heading, lines = parts[0]
        return [heading, *lines]
    if not wanted:
        listed = _(", ").join(_heading(_, parts, at) for at in range(len(parts)))
        how = _(
            "The rules have {n} parts. Type {verb} and a number to read one, e.g. {verb} 2.", n=len(parts), verb=typed
        )
        return [how, listed, *_part(_, parts, 0)]
    if wanted.isdecimal():
        at = int(wanted) - 1 if len(wanted) < 4 else -1
    else:
        at = next((at for at, (heading, _lines) in enumerate(parts) if plain(heading).startswith(wanted)), -1)
    if not 0 <= at < len(parts):
        return [_("There is no such part. Type {verb} to list parts 1 to {n}.", verb=typed, n=len(parts))]
    return _part(_, parts, at)


def _part(_: Translator, parts: Parts, at: int) -> list[str]:
    return [_heading(_, parts, at), *parts[at][1]]


def _heading(_: Translator, parts: Parts, at: int) -> str:
    return _("{number} {heading}", number=at + 1, heading=parts[at][0])


def rules_read(context: Context, game: AnyGame, asked: str) -> list[str]:
    """A part of a table's rules, as who hears lines asks for one: a number, all, or nothing for the list of parts."""
    columns = context.terminal.columns - 1 if context.terminal.is_screen else 10_000
    return part_of(context.words, rules_parts(context.words, game, columns), asked)
