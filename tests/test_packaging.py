"""What is installed is what is here: packages, their data files, their types."""

from __future__ import annotations

import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest

from protocol.dealing import sums

ROOT = Path(__file__).parent.parent
PACKAGES = ("protocol", "p2p", "cli")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("package", PACKAGES)
def test_every_data_file_is_installed(package: str) -> None:
    patterns = PROJECT["tool"]["setuptools"]["package-data"]["*"]
    for path in (ROOT / package).rglob("*"):
        if path.is_file() and path.suffix not in (".py", ".pyc") and path != sums.PATH:
            assert any(fnmatch(path.name, pattern) for pattern in patterns), path


@pytest.mark.parametrize("package", PACKAGES)
def test_types_are_announced(package: str) -> None:
    assert (ROOT / package / "py.typed").exists()


def test_the_games_are_announced_where_the_catalogue_looks() -> None:
    from protocol.games.catalogue import BUILT_IN

    assert PROJECT["project"]["entry-points"]["fairdeal.games"] == dict(BUILT_IN)
