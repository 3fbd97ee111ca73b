"""Make the packages of this folder visible as if they were installed, without installing anything.

A folder gets the modules and the metadata (`*.dist-info`) that an installation would put into site-packages; it goes onto
`sys.path` of this process, or into the `PYTHONPATH` of others.
"""

from __future__ import annotations

import os
import shutil
import sys
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from protocol.games.catalogue import GROUP, forget_packages

HERE = Path(__file__).parent


def install(folder: Path, package: Path) -> None:
    """Put a package (a folder with a pyproject.toml and modules) into a folder, as a wheel of it would be installed."""
    project = tomllib.loads((package / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for module in package.glob("*.py"):
        shutil.copy(module, folder)
    write_metadata(folder, project["name"], project["version"], project["entry-points"][GROUP])


def write_metadata(folder: Path, name: str, version: str, games: Mapping[str, str]) -> None:
    """The metadata of a distribution that offers these games."""
    info = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", encoding="utf-8")
    lines = [f"[{GROUP}]", *(f"{game} = {place}" for game, place in games.items())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


@contextmanager
def visible(folder: Path) -> Iterator[None]:
    """Let this process find what is installed in a folder; forget it afterwards."""
    before = set(sys.modules)
    sys.path.insert(0, str(folder))
    forget_packages()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in set(sys.modules) - before:
            if str(getattr(sys.modules[name], "__file__", "")).startswith(str(folder)):
                del sys.modules[name]
        forget_packages()


@pytest.fixture(scope="session")
def outside_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the packages `whisk` and `brittle` are installed."""
    folder = tmp_path_factory.mktemp("outside")
    for package in ("whisk", "brittle"):
        install(folder, HERE / package)
    return folder


@pytest.fixture
def whisk(outside_folder: Path) -> Iterator[str]:
    """The name of a game that an outside package offers, in this process."""
    with visible(outside_folder):
        yield "whisk"


@pytest.fixture
def whisk_env(outside_folder: Path) -> dict[str, str]:
    """The environment for a program that finds the game `whisk`."""
    path = os.pathsep.join(filter(None, [str(outside_folder), os.environ.get("PYTHONPATH")]))
    return {**os.environ, "PYTHONPATH": path}
