"""The same Python in a phone: under Pyodide, with libsodium.js, everything is imported and computes what it does here."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from cli.phones import assets
from cli.phones.bundle import bundle, files
from cli.phones.files import download_bytes
from protocol.games.catalogue import game_names
from protocol.identity import Identity
from protocol.table.verify import verify

HERE = Path(__file__).parent
VECTORS = HERE.parent / "vectors"


def reason() -> str:
    """Why this cannot be run here; empty if it can."""
    try:
        assets.folder()
    except assets.NoAssets:
        return "the files for phones are not installed (make phones)"
    return "" if shutil.which("node") else "needs Node.js"


@pytest.mark.slow
@pytest.mark.skipif(bool(reason()), reason=reason() or "-")
def test_a_phone_computes_what_a_computer_does(tmp_path: Path) -> None:
    source = tmp_path / "source.zip"
    source.write_bytes(bundle())
    command = ["node", HERE / "under_pyodide.mjs", assets.folder(), source, HERE / "in_pyodide.py", VECTORS]
    ran = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=240, check=False)
    assert ran.returncode == 0, ran.stderr[-3000:]
    found = json.loads(ran.stdout.strip().splitlines()[-1])
    cases = json.loads((VECTORS / "signatures.json").read_text())["cases"]
    group = json.loads((VECTORS / "ristretto255.json").read_text())
    assert found["signatures"] == [case["valid"] for case in cases]
    assert found["multiples"] == group["generator_multiples"]["encodings"][1:]
    assert found["points"] and not any(found["points"])
    assert found["key"] == Identity(bytes(32)).public.hex()
    assert set(found["games"]) <= set(game_names()) and len(found["games"]) >= 5
    for name, is_ok, match in found["matches"]:
        here = verify((VECTORS / "matches" / f"{name}.match").read_bytes(), lambda count: b"r" * count)
        assert (is_ok, match) == (here.ok, here.match.hex() if here.match else None), name
    assert len(found["matches"]) == 5


@pytest.mark.skipif(bool(reason()), reason=reason() or "-")
def test_a_phone_loads_less_than_eight_megabytes() -> None:
    assert download_bytes() < 8_000_000


def test_the_bundle_holds_what_a_phone_runs_and_nothing_that_it_cannot() -> None:
    names = {name for name, _ in files()}
    assert {"cli/web/worker.py", "p2p/browser/store.py", "protocol/browser.py", "msgpack/fallback.py"} <= names
    assert "cli/text/de.po" in names
    assert not [name for name in names if name.startswith(("cli/terminal/", "cli/bench/", "tests/"))]
    assert not [name for name in names if name.endswith((".so", ".pyc", ".pyd"))]
    assert bundle() == bundle.__wrapped__(), "the same files make the same bytes"
