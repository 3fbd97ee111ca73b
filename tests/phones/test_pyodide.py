"""The same Python in a phone: under Pyodide, with libsodium.js, everything is imported and computes what it does here."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import threading
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from mimetypes import guess_type
from pathlib import Path
from typing import Any

import pytest

from cli.bench.chrome import browser_path, chrome
from cli.phones import assets
from cli.phones.bundle import bundle, files
from cli.phones.files import download_bytes
from protocol.games.catalogue import game_names
from protocol.identity import Identity
from protocol.table.verify import verify

HERE = Path(__file__).parent
VECTORS = HERE.parent / "vectors"
SCRIPT = HERE / "in_pyodide.py"


FOUND = browser_path()
WAIT_S = 240


def missing() -> str:
    """Why nothing of this can be run here; empty if it can."""
    try:
        assets.folder()
    except assets.NoAssets:
        return "the files for phones are not installed (make phones)"
    return ""


def in_node(folder: Path) -> dict[str, Any]:
    """What Pyodide says in Node.js."""
    source = folder / "source.zip"
    source.write_bytes(bundle())
    command = ["node", HERE / "under_pyodide.mjs", assets.folder(), source, SCRIPT, VECTORS]
    ran = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=WAIT_S, check=False)
    assert ran.returncode == 0, ran.stderr[-3000:]
    return dict(json.loads(ran.stdout.strip().splitlines()[-1]))


def in_chromium(_folder: Path) -> dict[str, Any]:
    """What it says in a worker of a page."""
    assert FOUND is not None
    with served(_files()) as address, chrome(FOUND) as browser:
        tab = browser.tab()
        tab.open(f"{address}/page.html")
        tab.wait("document.title === 'ready'")
        tab.js(STARTS)
        said = tab.wait("globalThis.said", WAIT_S)
    assert "fault" not in said, said["fault"]
    return dict(json.loads(said["said"]))


STARTS = """(() => {
  const worker = new Worker("under_chromium.mjs", { type: "module" });
  worker.onmessage = ({ data }) => (globalThis.said = data);
  worker.onerror = ({ message }) => (globalThis.said = { fault: message });
})()"""


def _files() -> dict[str, bytes]:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for path in (*VECTORS.glob("*.json"), *VECTORS.glob("matches/*.match")):
            archive.write(path, path.relative_to(VECTORS))
    return {
        "sums.js": (HERE.parents[1] / "cli/page/static/sums.js").read_bytes(),
        **{f"assets/{name}": (assets.folder() / name).read_bytes() for name in assets.NAMES},
        "page.html": b"<title>ready</title>",
        "under_chromium.mjs": (HERE / "under_chromium.mjs").read_bytes(),
        "script.py": SCRIPT.read_bytes(),
        "source.zip": bundle(),
        "data.zip": data.getvalue(),
    }


@contextmanager
def served(files: Mapping[str, bytes]) -> Iterator[str]:
    """These files, at an address of this computer."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            data = files.get(self.path.strip("/"))
            self.send_response(404 if data is None else 200)
            self.send_header("Content-Type", guess_type(self.path)[0] or "application/octet-stream")
            self.end_headers()
            self.wfile.write(data or b"")

        def log_message(self, *_said: object) -> None:
            """Nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.slow
@pytest.mark.sockets
@pytest.mark.skipif(bool(missing()), reason=missing() or "-")
@pytest.mark.parametrize(
    "run",
    [
        pytest.param(in_chromium, marks=pytest.mark.skipif(FOUND is None, reason="needs Chromium (CHROME names one)")),
        pytest.param(
            in_node, marks=[pytest.mark.soak, pytest.mark.skipif(not shutil.which("node"), reason="no Node.js")]
        ),
    ],
)
def test_a_phone_computes_what_a_computer_does(tmp_path: Path, run: Callable[[Path], dict[str, Any]]) -> None:
    found = run(tmp_path)
    cases = json.loads((VECTORS / "signatures.json").read_text())["cases"]
    group = json.loads((VECTORS / "ristretto255.json").read_text())
    assert found["signatures"] == [case["valid"] for case in cases]
    assert found["multiples"] == group["generator_multiples"]["encodings"][1:]
    assert found["points"] and not any(found["points"])
    assert found["sums"] == "PageSums", "the page's own sums pass their test against libsodium"
    assert found["key"] == Identity(bytes(32)).public.hex()
    assert set(found["games"]) <= set(game_names()) and len(found["games"]) >= 5
    for name, is_ok, match in found["matches"]:
        here = verify((VECTORS / "matches" / f"{name}.match").read_bytes(), lambda count: b"r" * count)
        assert (is_ok, match) == (here.ok, here.match.hex() if here.match else None), name
    assert len(found["matches"]) == 5


@pytest.mark.skipif(bool(missing()), reason=missing() or "-")
def test_a_phone_loads_less_than_eight_megabytes() -> None:
    assert download_bytes() < 8_000_000


def test_the_bundle_holds_what_a_phone_runs_and_nothing_that_it_cannot() -> None:
    names = {name for name, _ in files()}
    assert {"cli/web/worker.py", "p2p/browser/store.py", "protocol/browser.py", "msgpack/fallback.py"} <= names
    assert "cli/text/de.po" in names
    assert not [name for name in names if name.startswith(("cli/terminal/", "cli/bench/", "cli/commands/", "tests/"))]
    assert not [name for name in names if name.endswith((".so", ".pyc", ".pyd"))]
    assert bundle() == bundle.__wrapped__(), "the same files make the same bytes"
