"""Imports go one way, and the protocol stands alone: cli -> p2p -> protocol, and within it table -> games, dealing -> cards."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from cli.games.own_actions import OWN_ACTIONS
from tests.trees import nodes_of

ROOT = Path(__file__).parent.parent
FACES = {"cli.plain", "cli.terminal", "cli.web"}
COMMAND_LINE = {
    "cli.argument_parser",
    "cli.argument_values",
    "cli.arguments",
    "cli.bench",
    "cli.command_facts",
    "cli.commands",
    "cli.console",
    "cli.context",
    "cli.doctor",
    "cli.main",
    "cli.start",
}
NOT_IN_A_BROWSER = {
    *("concurrent", "ctypes", "curses", "fcntl", "msvcrt", "multiprocessing", "prompt_toolkit", "signal", "socket"),
    *("sqlite3", "ssl", "subprocess", "termios", "threading", "zeroconf"),
}
"""What Python lacks when it is compiled to WebAssembly."""
PRODUCT = ("protocol", "p2p", "cli")
IMPURE = {"asyncio", "os", "pathlib", "random", "secrets", "socket", "threading", "time"}


@cache
def imported(path: Path) -> frozenset[str]:
    """Every module that a file imports, anywhere in it; `random.Random` for the type `Random`, which is a mere name."""
    return frozenset(imports(path))


def imports(path: Path) -> Iterator[str]:
    package = path.relative_to(ROOT).with_suffix("").parts[:-1]
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) + 1 - node.level]) if node.level else ""
            module = ".".join(filter(None, (base, node.module)))
            if module == "random" and [alias.name for alias in node.names] == ["Random"]:
                yield "random.Random"
            else:
                yield module
                yield from (f"{module}.{alias.name}" for alias in node.names)


def files(folder: str) -> list[Path]:
    found = sorted((ROOT / folder).rglob("*.py"))
    assert found, folder
    return found


def is_in(module: str, packages: set[str]) -> bool:
    return any(module == package or module.startswith(package + ".") for package in packages)


@cache
def module_graph() -> dict[str, set[str]]:
    """Return the modules of the product, and which of them each imports, for types too."""
    paths = {path: ".".join(path.relative_to(ROOT).with_suffix("").parts) for each in PRODUCT for path in files(each)}
    modules = {name.removesuffix(".__init__") for name in paths.values()}
    graph: dict[str, set[str]] = {}
    for path, name in paths.items():
        own = name.removesuffix(".__init__")
        graph[own] = set()
        for node in nodes_of(path):
            if isinstance(node, ast.Import):
                graph[own] |= {alias.name for alias in node.names} & modules
            elif isinstance(node, ast.ImportFrom):
                assert not node.level, f"{path}: imports are absolute"
                found = {f"{node.module}.{alias.name}" for alias in node.names}
                graph[own] |= (found & modules) or ({str(node.module)} & modules)
        graph[own].discard(own)
    return graph


def ways(graph: Mapping[str, set[str]], starts: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Yield each module that one of these imports, directly or not, at the end of a chain of imports that leads there."""
    chains: list[tuple[str, ...]] = [(start,) for start in starts]
    seen = {start for (start,) in chains}
    for chain in chains:
        for module in sorted(graph[chain[-1]] - seen):
            seen.add(module)
            chains.append((*chain, module))
            yield chains[-1]


@pytest.mark.parametrize(
    ("folder", "forbidden"),
    [
        ("protocol", {"p2p", "cli", "tests"}),
        ("p2p", {"cli", "tests"}),
        ("cli", {"tests"}),
        ("cli/text", {"cli.client", "cli.games", "cli.news", "cli.view", "p2p", *FACES, *COMMAND_LINE}),
        ("cli/news", {"cli.client", "cli.games", "cli.view", "p2p", *FACES, *COMMAND_LINE}),
        ("cli/games", {"cli.client", "cli.view", "p2p", *FACES, *COMMAND_LINE}),
        ("cli/view", {"cli.client", "p2p", *FACES, *COMMAND_LINE}),
        ("cli/client", {"cli.games", "cli.view", *FACES, *COMMAND_LINE}),
        ("cli/flow", {"cli.commands", *FACES}),
        ("cli/page", {"cli.client", "cli.flow", "cli.phones", "p2p", *FACES, *COMMAND_LINE}),
        ("cli/phones", {"cli.client", "cli.flow", *FACES, *COMMAND_LINE}),
        ("cli/terminal", {"cli.commands", "cli.plain", "cli.web"}),
        ("cli/plain", {"cli.commands", "cli.terminal", "cli.web"}),
        ("cli/web", {"cli.commands", "cli.plain", "cli.terminal"}),
        ("protocol/games", {"protocol.dealing", "protocol.table"}),
        ("protocol/dealing", {"protocol.games", "protocol.table"}),
    ],
)
def test_imports_go_one_way(folder: str, forbidden: set[str]) -> None:
    """Neither directly nor through a module that may itself import more."""
    for path in files(folder):
        for module in imported(path):
            assert not is_in(module, forbidden), f"{path} imports {module}"
    graph = module_graph()
    for way in ways(graph, (module for module in graph if is_in(module, {folder.replace("/", ".")}))):
        assert not is_in(way[-1], forbidden), " imports ".join(way)


def test_no_two_folders_need_each_other() -> None:
    """A folder of a package counts as one, its files beside the folders each by itself."""

    def part_of(module: str) -> str:
        words = module.split(".")
        return ".".join(words[: 2 if words[0] in PRODUCT else 1])

    needs: dict[str, set[str]] = {}
    for path in (each for folder in PRODUCT for each in files(folder)):
        own = part_of(".".join(path.relative_to(ROOT).with_suffix("").parts))
        found = {part_of(each) for each in imported(path) if each.split(".")[0] in PRODUCT}
        needs.setdefault(own, set()).update(found - {own} - set(PRODUCT))
    reach = {part: set(direct) for part, direct in needs.items()}
    for middle in reach:
        for found in reach.values():
            if middle in found:
                found |= reach[middle]
    assert not {part for part, found in reach.items() if part in found}


LOADERS = {ROOT / "protocol/dealing/library.py", ROOT / "protocol/dealing/sums.py"}
"""They load the group's library, and the compiled sums, from the disk; a browser has another form of the first alone."""


def test_the_protocol_touches_no_world() -> None:
    for path in set(files("protocol")) - LOADERS:
        for module in imported(path):
            if module != "random.Random":
                assert not is_in(module, IMPURE), f"{path} imports {module}"


@pytest.mark.parametrize("folder", ["protocol", "cli/games", "cli/news", "cli/text", "cli/view"])
def test_a_browser_can_run_it(folder: str) -> None:
    for path in set(files(folder)) - LOADERS:
        for module in imported(path):
            assert not is_in(module, NOT_IN_A_BROWSER), f"{path} imports {module}"


@pytest.mark.parametrize(
    ("package", "importers"),
    [
        # Importing it unpacks a library into the temporary folder: protocol.dealing.library reads its file.
        ("rbcl", set()),
        ("msgpack", {"protocol/wire.py"}),
        ("cryptography.hazmat.primitives.asymmetric", {"protocol/ed25519.py"}),
        ("cryptography", {"protocol/ed25519.py", "p2p/tls.py"}),  # certificates are nobody else's
    ],
)
def test_a_cryptographic_package_has_one_importer(package: str, importers: set[str]) -> None:
    found = {
        path.relative_to(ROOT).as_posix()
        for folder in ("protocol", "p2p", "cli")
        for path in files(folder)
        if any(is_in(module, {package}) for module in imported(path))
    }
    assert found == importers


def test_games_need_no_more_than_cards_errors_steps_and_values() -> None:
    allowed = {"protocol.cards", "protocol.errors", "protocol.games", "protocol.steps", "protocol.values"}
    for path in files("protocol/games"):
        for module in imported(path):
            assert module == "protocol" or not is_in(module, {"protocol"}) or is_in(module, allowed), (
                f"{path}: {module}"
            )


def test_randomness_is_a_type_only() -> None:
    """Files of the protocol name `Random`, they never make one."""
    for path in files("protocol"):
        for node in nodes_of(path):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id != "Random", f"{path}, line {node.lineno}"


def test_importing_the_games_imports_no_cryptography() -> None:
    code = "import sys, protocol.games; print([m for m in ('ctypes', 'cryptography', 'asyncio') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


NAMES = {"crazy-eights", "two-four-jack", "mau-mau", "macau-wars", "tichu"}


def games_named(path: Path) -> Iterator[str]:
    """Where a file speaks of one game: its name in the code, a module of its own, an attribute that only it has."""
    for module in imported(path):
        if module.rpartition(".")[2] in {"tichu", "macau_wars", "shedding", "eights", "mau_mau"}:
            yield module
    for node in nodes_of(path):
        if isinstance(node, ast.Constant) and node.value in NAMES | {action.name for action in OWN_ACTIONS}:
            yield f"line {node.lineno}"
        if isinstance(node, ast.Attribute) and node.attr == "is_tichu":
            yield f"line {node.lineno}"


@pytest.mark.parametrize(
    "folder",
    [
        "cli/plain",
        "cli/client",
        "cli/news",
        "cli/text",
        "cli/view",
        "cli/terminal",
        "cli/web",
        "cli/page",
        "cli/phones",
        "cli/flow",
        "cli/commands",
    ],
)
def test_only_the_faces_of_games_know_games_by_name(folder: str) -> None:
    """Nor what only one game's players do."""
    for path in files(folder):
        assert not list(games_named(path)), f"{path}: {list(games_named(path))}"


def test_the_page_knows_no_game_by_name() -> None:
    words = "|".join(NAMES | {action.name for action in OWN_ACTIONS})
    for path in (ROOT / "cli/page/static").rglob("*.*s"):  # scripts and style sheets
        found = re.search(rf"\b({words})\b", path.read_text(encoding="utf-8"), re.IGNORECASE)
        assert found is None, f"{path}: {found}"


KEY_NAMES = re.compile(r"\b(Enter|Esc|Ctrl-\w|Space|Backspace|Tab|F\d+)\b|[Pp]ress [A-Z]\b|(^|[·(] ?)[A-Z/]: |[←→↑↓]")
DIRECTIONS = {"left ←", "right →"}
"""Arrows that point to a neighbour, and are no keys."""


def texts_in(path: Path) -> Iterator[tuple[int, str]]:
    """Yield every string of a file but its docstrings, with its line: arguments, and what stands in tuples and tables."""
    documented = {id(node.value) for node in nodes_of(path) if isinstance(node, ast.Expr)}
    for node in nodes_of(path):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented:
            yield node.lineno, node.value


@pytest.mark.parametrize("folder", ["cli/games", "cli/view", "cli/flow", "cli/news", "cli/page"])
def test_only_the_terminal_has_keys(folder: str) -> None:
    """Views and the faces of games name actions; sentences name them as `{@draw}`."""
    for path in files(folder):
        if path.name == "progress.py":  # said on the command line, before there is a face
            continue
        for line, text in texts_in(path):
            assert text in DIRECTIONS or not KEY_NAMES.search(text), f"{path}, line {line}: {text}"


GAME_WORDS = re.compile(r"\b(Tichu|Mah Jong|Dragon|Phoenix|Mau|Macau|[Ff]ours)\b")


@pytest.mark.parametrize("folder", ["cli/client", "cli/flow", "cli/news", "cli/terminal", "cli/view", "cli/web"])
def test_only_the_faces_of_games_speak_of_them(folder: str) -> None:
    for path in files(folder):
        for line, text in texts_in(path):
            assert not GAME_WORDS.search(text), f"{path}, line {line}: {text}"


def test_no_imports_go_round_in_a_circle() -> None:
    graph = module_graph()
    assert len(graph) > 200
    is_shrinking = True
    while is_shrinking:
        needed = set().union(*graph.values()) if graph else set()
        left = {
            module: uses & graph.keys() for module, uses in graph.items() if uses & graph.keys() and module in needed
        }
        is_shrinking, graph = len(left) < len(graph), left
    assert not graph, "these import each other"
