"""The whole program with --phones: the address on the first line of --json, the page there, and what is said without it."""

from __future__ import annotations

import json
import subprocess
import urllib.request
from contextlib import AbstractContextManager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from cli.faults import FAILED
from tests.e2e.clients import free_port
from tests.programs import begun

pytestmark = [pytest.mark.sockets, pytest.mark.timeout(120)]
RUN = "; from cli.main import main; sys.exit(main())"
WITHOUT_PYODIDE = "import sys; import cli.phones.serving as s; s.prepare = lambda: None" + RUN
"""The page is served, but not the Python that it runs."""
NOT_INSTALLED = "import sys; sys.modules['fairdeal_phones'] = None" + RUN


def host(home: Path, run: str, *words: str) -> AbstractContextManager[subprocess.Popen[str]]:
    arguments = ["host", "mau-mau", "--seats", "2", "--home", str(home), "--port", str(free_port()), "--phones"]
    return begun(run, *arguments, *words)


@pytest.mark.slow
def test_json_says_where_phones_sit_down_as_soon_as_the_page_is_there(tmp_path: Path) -> None:
    with host(tmp_path, WITHOUT_PYODIDE, "--autoplay", "--json") as process:
        assert process.stdout is not None
        address = json.loads(process.stdout.readline())["phones"]
        place, fragment = urlsplit(address).netloc, urlsplit(address).fragment
        with urllib.request.urlopen(f"http://{place}/", timeout=240) as answer:
            page = answer.read().decode()
        assert "<html" in page and fragment not in page


@pytest.mark.slow
def test_plain_mode_tells_the_address_and_whom_to_trust(tmp_path: Path) -> None:
    with host(tmp_path, WITHOUT_PYODIDE, "--plain", "--name", "Mia") as process:
        out, complaints = process.communicate("phones\nphones stop\nquit\n", timeout=240)
        told = out.splitlines()
        addresses = [line for line in told if line.startswith("Phones can join with: http://")]
        assert len(addresses) == 2 and len(set(addresses)) == 1
        assert any("as long as Mia’s computer runs the real Fairdeal" in line for line in told)
        assert told[-2:] == ["No more phones can join. The ones already here stay.", "You left the room."]
        assert (process.returncode, complaints) == (0, "")


@pytest.mark.slow
@pytest.mark.parametrize("words", [("--plain",), ("--autoplay", "--json")])
def test_what_is_missing_is_said_in_a_sentence(tmp_path: Path, words: tuple[str, ...]) -> None:
    with host(tmp_path, NOT_INSTALLED, *words) as process:
        _out, complaints = process.communicate(timeout=240)
        assert process.returncode == FAILED
        assert "Phones need one more package: run pipx install --force 'fairdeal[phones]'" in complaints
        assert "Traceback" not in complaints
