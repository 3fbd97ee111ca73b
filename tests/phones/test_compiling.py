"""A phone gets Python compiled where that was made of the very source that is installed, else the source."""

from __future__ import annotations

import shutil
import subprocess
import zipfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

import pytest

from cli.phones import assets, build, compiling, files
from cli.phones.bundle import bundle, sources_digest
from cli.phones.bundle import files as own_files

FIRST, SECOND = "protocol/cards.py", "protocol/errors.py"


@pytest.fixture
def sources(monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    """The sources, of which the first was compiled; the second has changed since."""
    found = dict(own_files())
    made = {
        compiling.key_of(FIRST, found[FIRST]): b"compiled",
        compiling.key_of(SECOND, b"# another\n"): b"stale",
        compiling.key_of(SECOND, found[FIRST]): b"of the wrong place",
    }
    monkeypatch.setattr(assets, "compiled", lambda: made)
    return found


def inside(data: bytes) -> Mapping[str, bytes]:
    with zipfile.ZipFile(BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_what_has_changed_since_goes_as_source(sources: dict[str, bytes]) -> None:
    found = inside(bundle.__wrapped__())
    assert found[f"{FIRST}c"] == b"compiled" and FIRST not in found
    assert found[SECOND] == sources[SECOND] and f"{SECOND}c" not in found
    assert len(found) == len(sources)


def test_a_page_is_the_same_version_compiled_or_not(sources: dict[str, bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    before = files.page_version.__wrapped__(), sources_digest.__wrapped__()
    monkeypatch.setattr(assets, "compiled", dict)
    assert before == (files.page_version.__wrapped__(), sources_digest.__wrapped__())


def test_no_phone_loads_what_nobody_runs_there() -> None:
    kept = {
        *("asyncio/base_events.py", "encodings/utf_8.py", "encodings/cp437.py", "typing.py", "encodings/__init__.py"),
        *("pyodide/__init__.py", "_pyodide/_base.py", "importlib/metadata/__init__.py", "zipfile/__init__.py"),
    }
    left = {"encodings/koi8_r.py", "unittest/case.py", "pdb.py", "_pyrepl/reader.py", "multiprocessing/pool.py"}
    assert {name for name in kept | left if compiling.is_kept(name)} == kept


def test_what_npm_has_fetched_is_not_fetched_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until other files are pinned."""
    calls: list[object] = []

    def npm(command: list[str], cwd: Path, check: bool) -> subprocess.CompletedProcess[str]:
        calls.append(command)
        (cwd / "node_modules").mkdir(exist_ok=True)
        (cwd / "node_modules" / f".{build.LOCK}").touch()
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr("cli.phones.build.shutil.which", lambda name: name)
    monkeypatch.setattr("cli.phones.build.subprocess.run", npm)
    for _time in range(2):
        assert build._fetched(tmp_path / "npm") == tmp_path / "npm" / "node_modules"
    assert len(calls) == 1
    (tmp_path / "npm" / build.LOCK).write_text("others")
    build._fetched(tmp_path / "npm")
    assert len(calls) == 2


def _missing() -> str:
    try:
        assets.folder()
    except assets.NoAssets:
        return "the files for phones are not installed (make phones)"
    return "" if shutil.which("node") else "no Node.js"


@pytest.mark.slow
@pytest.mark.skipif(bool(_missing()), reason=_missing() or "-")
def test_compiled_python_is_what_pyodide_runs() -> None:
    """By the header: of its Python's version, and known by a hash that nobody checks (PEP 552)."""
    found = compiling.compiled(assets.folder(), {"fairdeal/one.py": b"def one():\n    return 1\n"})
    code = found["fairdeal/one.py"]
    assert code[2:4] == b"\r\n" and code[4:8] == b"\x01\0\0\0" and b"/fairdeal/one.py" in code
    with zipfile.ZipFile(assets.folder() / "stdlib.zip") as library:
        assert library.read("typing.pyc")[:4] == code[:4]
