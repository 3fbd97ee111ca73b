"""Collects every template that a person may come to read, from the source: the keys that each catalogue must have."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from cli.plain.verbs import LISTS, VERBS
from protocol.games.deck_style import FRENCH, RANK_NAMES, TICHU

ROOT = Path(__file__).parents[2]
SPEAKERS = {"_", "words", "self"}
"""Names under which a `Translator` is called."""
OUTPUTS = {"print", "tell", "note", "write"}
"""Functions that put a text before a person."""


def trees(*folders: str) -> Iterator[tuple[Path, ast.AST]]:
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield path, ast.parse(path.read_text(encoding="utf-8"))


def name_of(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def literal(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


@cache
def faults() -> frozenset[str]:
    """The names of all classes that derive from FairdealError, and its own."""
    bases: dict[str, set[str]] = {}
    for _path, tree in trees("protocol", "p2p", "cli"):
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                bases.setdefault(node.name, set()).update(name_of(base) for base in node.bases)
    found = {"FairdealError"}
    while more := {name for name, above in bases.items() if above & found} - found:
        found |= more
    return frozenset(found)


def is_own_init(function: ast.expr) -> bool:
    """`super().__init__("...")`: a fault that brings its template along."""
    return isinstance(function, ast.Attribute) and function.attr == "__init__" and isinstance(function.value, ast.Call)


@cache
def spoken_keys() -> dict[str, str]:
    """Templates that `cli` speaks itself, or that games bring for it, each with its place; a plural under its singular."""
    found: dict[str, str] = {}
    for path, tree in trees("cli", "protocol/games"):
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = name_of(node.func)
            literals: list[str | None] = []
            if name in (*SPEAKERS, "key", "Plural") or (
                name == "n" and isinstance(node.func, ast.Attribute) and len(node.args) >= 3
            ):
                literals = [literal(node.args[0])]
            elif name == "did" and len(node.args) >= 3:
                literals = [literal(node.args[1]), literal(node.args[2])]
            elif name == "of" and len(node.args) == 2 and None not in (pair := [literal(each) for each in node.args]):
                literals = [f"{pair[0]}: {pair[1]}"]
            for text in literals:
                if text is not None:
                    found.setdefault(text, f"{path.relative_to(ROOT)}:{node.lineno}")
    return found


def plurals() -> dict[str, str]:
    """The English plural of each template that has one."""
    found: dict[str, str] = {}
    for _path, tree in trees("cli", "protocol/games"):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and (
                (name_of(node.func) == "n" and len(node.args) >= 3) or name_of(node.func) == "Plural"
            ):
                one, many = literal(node.args[0]), literal(node.args[1])
                if one is not None and many is not None:
                    found[one] = many
    return found


@cache
def fault_keys() -> dict[str, str]:
    """Templates of the faults that reach a person: raised anywhere in the three packages."""
    found: dict[str, str] = {}
    texts = (faults() | {"Sentence"}) - {"RoomRefusal"}  # a refusal names its sentence by a code
    for path, tree in trees("protocol", "p2p", "cli"):
        for node in ast.walk(tree):
            speaks = isinstance(node, ast.Call) and (name_of(node.func) in texts or is_own_init(node.func))
            if isinstance(node, ast.Call) and node.args and speaks:
                text = literal(node.args[0])
                if text is not None:
                    found.setdefault(text, f"{path.relative_to(ROOT)}:{node.lineno}")
    return found


@cache
def option_keys() -> dict[str, str]:
    """The sentences of the games' options."""
    found: dict[str, str] = {}
    for path, tree in trees("protocol/games"):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and name_of(node.func) == "Option":
                for keyword in node.keywords:
                    if keyword.arg == "text" and (text := literal(keyword.value)):
                        found.setdefault(text, f"{path.relative_to(ROOT)}:{node.lineno}")
    return found


def typed_keys() -> set[str]:
    """Under these a language lists what may be typed: it must for verbs and small words, and may for cards."""
    styles = (FRENCH, TICHU)
    cards = {*RANK_NAMES.values(), *(suit.name for style in styles for suit in style.suits)}
    cards |= {special.name for style in styles for special in style.specials.values()}
    return {f"typed: {name}" for name in (*LISTS, *(verb.name for verb in VERBS), *cards)}


def unspoken() -> list[str]:
    """Places in `cli` where a literal text goes to a person without passing through a catalogue."""
    found: list[str] = []
    for path, tree in trees("cli"):
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call):
                continue
            suspects: list[ast.expr] = []
            if name_of(node.func) in OUTPUTS:
                suspects += node.args[:1]
            suspects += [each.value for each in node.keywords if each.arg in ("help", "description", "epilog", "title")]
            for suspect in suspects:
                if has_words(suspect):
                    found.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    return found


def has_words(node: ast.expr) -> bool:
    """Whether an expression holds literal letters that are no part of a call."""
    if isinstance(node, ast.Call):
        return False
    if isinstance(node, ast.IfExp):
        return has_words(node.body) or has_words(node.orelse)
    if isinstance(node, ast.JoinedStr):
        return any(has_words(each) for each in node.values if isinstance(each, ast.Constant))
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and any(char.isalpha() for char in node.value)
    return any(has_words(child) for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr))
