"""Collects every template that a person may come to read, from the source: the keys that each catalogue must have."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from cli.plain.verbs import LISTS, VERBS
from protocol.games.deck_style import FRENCH, RANK_NAMES, TICHU
from tests.trees import nodes_of

ROOT = Path(__file__).parents[2]
SPEAKERS = {"_", "words", "self"}
"""Names under which a `Translator` is called."""
OUTPUTS = {"print", "tell", "note", "write"}
"""Functions that put a text before a person."""


def name_of(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def literal(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def is_own_init(function: ast.expr) -> bool:
    """`super().__init__("...")`: a fault that brings its template along."""
    return isinstance(function, ast.Attribute) and function.attr == "__init__" and isinstance(function.value, ast.Call)


@dataclass
class Source:
    """What the code says, found in one reading. A place is a file and a line."""

    bases: dict[str, set[str]] = field(default_factory=dict)
    """Of each class."""
    calls: list[tuple[str, bool, str, str]] = field(default_factory=list)
    """Calls with a text: the function's name, whether it is the own `__init__`, the text, the place."""
    spoken: list[tuple[str, str]] = field(default_factory=list)
    plurals: dict[str, str] = field(default_factory=dict)
    options: dict[str, str] = field(default_factory=dict)
    unspoken: list[str] = field(default_factory=list)


@cache
def read(root: Path) -> Source:
    found = Source()
    for folder in ("protocol", "p2p", "cli"):
        for path in sorted((root / folder).rglob("*.py")):
            file = path.relative_to(root).as_posix()
            for node in nodes_of(path):
                if isinstance(node, ast.ClassDef):
                    found.bases.setdefault(node.name, set()).update(name_of(base) for base in node.bases)
                elif isinstance(node, ast.Call):
                    _note(found, file, node)
    return found


def _note(found: Source, file: str, node: ast.Call) -> None:
    name, place = name_of(node.func), f"{file}:{node.lineno}"
    texts = [literal(each) for each in node.args]
    if texts and texts[0] is not None:
        found.calls.append((name, is_own_init(node.func), texts[0], place))
    if file.startswith(("cli/", "protocol/games/")):
        counts = name == "n" and len(texts) >= 3
        if name in (*SPEAKERS, "key", "Plural") or (counts and isinstance(node.func, ast.Attribute)):
            spoken = texts[:1]
        else:
            spoken = texts[1:3] if name == "did" and len(texts) >= 3 else []
        if name == "of" and len(texts) == 2 and None not in texts:
            spoken = [f"{texts[0]}: {texts[1]}"]
        found.spoken += [(each, place) for each in spoken if each is not None]
        if (counts or name == "Plural") and texts[0] is not None and texts[1] is not None:
            found.plurals[texts[0]] = texts[1]
    if file.startswith("protocol/games/") and name == "Option":
        for keyword in node.keywords:
            if keyword.arg == "text" and (text := literal(keyword.value)):
                found.options.setdefault(text, place)
    if file.startswith("cli/"):
        suspects = node.args[:1] if name in OUTPUTS else []
        suspects += [each.value for each in node.keywords if each.arg in ("help", "description", "epilog", "title")]
        found.unspoken += [place for suspect in suspects if has_words(suspect)]


def faults() -> frozenset[str]:
    """The names of all classes that derive from FairdealError, and its own."""
    found = {"FairdealError"}
    while more := {name for name, above in read(ROOT).bases.items() if above & found} - found:
        found |= more
    return frozenset(found)


@cache
def spoken_keys() -> dict[str, str]:
    """Templates that `cli` speaks itself, or that games bring for it, each with its place; a plural under its singular."""
    found: dict[str, str] = {}
    for text, place in sorted(read(ROOT).spoken, key=lambda each: not each[1].startswith("cli/")):
        found.setdefault(text, place)
    return found


def plurals() -> dict[str, str]:
    """The English plural of each template that has one."""
    return read(ROOT).plurals


@cache
def fault_keys() -> dict[str, str]:
    """Templates of the faults that reach a person: raised anywhere in the three packages."""
    found: dict[str, str] = {}
    speakers = (faults() | {"Sentence", "NamedStep"}) - {"RoomRefusal"}  # a refusal names its sentence by a code
    for name, is_own, text, place in read(ROOT).calls:
        if name in speakers or is_own:
            found.setdefault(text, place)
    return found


def option_keys() -> dict[str, str]:
    """The sentences of the games' options."""
    return read(ROOT).options


def typed_keys() -> set[str]:
    """Under these a language lists what may be typed: it must for verbs and small words, and may for cards."""
    styles = (FRENCH, TICHU)
    cards = {*RANK_NAMES.values(), *(suit.name for style in styles for suit in style.suits)}
    cards |= {special.name for style in styles for special in style.specials.values()}
    return {f"typed: {name}" for name in (*LISTS, *(verb.name for verb in VERBS), *cards)}


def unspoken() -> list[str]:
    """Places in `cli` where a literal text goes to a person without passing through a catalogue."""
    return read(ROOT).unspoken


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
