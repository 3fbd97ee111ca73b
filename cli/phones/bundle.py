"""Our own Python for the phone: zipped at run time from what is installed, with games by others."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

from cli.phones import assets
from cli.phones.compiling import key_of, packed

FOLDERS = ("protocol", "p2p", "cli")
LIBRARIES = ("msgpack", "segno", "wcwidth")
LEFT_OUT = (
    *("cli/bench", "cli/terminal", "cli/plain", "cli/doctor", "cli/page/static", "cli/phones/npm", "cli/phones/build"),
    *("cli/argument", "cli/command", "cli/main", "cli/client/bot_process", "cli/flow/doctor", "cli/flow/entry"),
    *("cli/web/entry", "cli/web/server", "p2p/doctor", "segno/cli"),
    "protocol/games/playthrough",
    "wcwidth/table_grapheme_overrides/_known",  # of single terminals, loaded where they are there
)
KINDS = frozenset({".py", ".po", ".txt"})
GROUPS = ("fairdeal.games", "fairdeal.faces")
NATIVE = frozenset({".so", ".pyd", ".dylib", ".dll"})
OURS = "fairdeal"


@cache
def bundle() -> bytes:
    """Return the zip that the page's worker unpacks: each module compiled, if that is at hand, else its source."""
    ready = assets.compiled()
    inside: dict[str, bytes] = {}
    for name, data in files():
        code = ready.get(key_of(name, data)) if name.endswith(".py") else None
        inside[name if code is None else f"{name}c"] = data if code is None else code
    return packed(inside)


@cache
def sources_digest() -> str:
    """Return a name for our own Python, compiled or not."""
    return assets.digest(b"".join(key_of(name, data).encode() for name, data in files()))


def files() -> Iterator[tuple[str, bytes]]:
    """Yield each file's name in the zip and its bytes."""
    for package in (*FOLDERS, *LIBRARIES, *_others()):
        yield from _package(package)
    yield f"{OURS}-0.dist-info/METADATA", b"Metadata-Version: 2.1\nName: fairdeal\nVersion: 0\n"
    yield f"{OURS}-0.dist-info/entry_points.txt", _entry_points().encode()


def _package(name: str) -> Iterator[tuple[str, bytes]]:
    found = find_spec(name)
    for folder in (found.submodule_search_locations or ()) if found else ():
        for path in sorted(Path(folder).rglob("*")):
            inside = f"{name}/{path.relative_to(folder).as_posix()}"
            if path.suffix in KINDS and not inside.startswith(LEFT_OUT):
                yield inside, path.read_bytes()
        return
    if found and found.origin and found.origin.endswith(".py"):
        yield f"{name}.py", Path(found.origin).read_bytes()


def _others() -> list[str]:
    """The packages of games and faces by others that are Python alone."""
    values = [point.value for group in GROUPS for point in entry_points(group=group)]
    return sorted({_top(each) for each in values if _top(each) not in FOLDERS and _is_pure(each)})


def _entry_points() -> str:
    lines: list[str] = []
    for group in GROUPS:
        lines.append(f"[{group}]")
        usable = (each for each in entry_points(group=group) if _top(each.value) in FOLDERS or _is_pure(each.value))
        lines += [f"{each.name} = {each.value}" for each in usable]
    return "\n".join(lines) + "\n"


def _top(value: str) -> str:
    return value.partition(":")[0].partition(".")[0]


def _is_pure(value: str) -> bool:
    found = find_spec(_top(value))
    folders = (found.submodule_search_locations or ()) if found else ()
    return found is not None and not any(path.suffix in NATIVE for each in folders for path in Path(each).rglob("*"))
