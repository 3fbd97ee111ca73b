"""The whole program in plain mode, by pipes: a table of real peers on this machine."""

from __future__ import annotations

import errno
import io
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from cli.console import Terminal
from cli.context import Context
from cli.faults import INTERRUPTED, OutputLost
from cli.start import start
from cli.text import Translator

pytestmark = [pytest.mark.sockets, pytest.mark.slow]

RUN = "import sys; from cli.main import main; sys.exit(main())"
TOY_RUN = "import sys; from tests.toy_program import main; sys.exit(main())"
"""Where what is dealt does not matter."""


def fairdeal(
    home: Path, *words: str, typed: str | None = None, run: str = RUN, **environ: str
) -> subprocess.CompletedProcess[str]:
    """Runs it with these lines typed, or with its input closed."""
    return subprocess.run(
        [sys.executable, "-c", run, "--home", str(home), *words],
        input=typed,
        stdin=None if typed is not None else subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=240,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "LANG": "C", **environ},
        check=False,
    )


def test_a_script_plays_its_turns(tmp_path: Path) -> None:
    done = fairdeal(tmp_path, "play", "crazy-eights", "--bots", "2", typed="who\ndraw\ndraw\nhelp\nquit\nyes\n")
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert "Deal proven fair: 3 shuffles" in done.stdout
    assert done.stdout.count("You drew ") == 2
    assert "You can type:" in done.stdout
    assert done.stdout.rstrip().endswith("You stepped away. Your seat is kept.")
    assert "\x1b" not in done.stdout


def test_a_closed_input_is_no_fault(tmp_path: Path) -> None:
    done = fairdeal(tmp_path, "play", "mau-mau", "--bots", "1", run=TOY_RUN)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert "No more input, so you step away from the table. Your seat is kept." in done.stdout


def test_whoever_sees_no_lobby_is_told_the_commands(tmp_path: Path) -> None:
    done = fairdeal(tmp_path)
    assert done.returncode == 0, done.stderr
    for command in ("fairdeal join ", "fairdeal host ", "fairdeal play "):
        assert f"\n{command}" in done.stdout
    assert "fairdeal" not in fairdeal(tmp_path, "tables", "--seconds", "0.1", "--json").stdout


def test_work_goes_on_though_nobody_reads_of_it(tmp_path: Path) -> None:
    """A node tells its progress from within the event loop, where a broken pipe once stopped it for good."""

    class Broken(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    out = io.StringIO()
    Context(Translator(), {}, io.StringIO(), out, Broken(), Terminal(False, True, False, 0, 80), tmp_path).note(
        "Hello."
    )


def test_an_answer_that_cannot_be_written_is_said_to_be_lost(tmp_path: Path) -> None:
    class Full(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    context = Context(
        Translator(), {}, io.StringIO(), Full(), io.StringIO(), Terminal(False, True, False, 0, 80), tmp_path
    )
    with pytest.raises(OutputLost, match="No space left on device"):
        context.tell("Hello.")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the device that is always full is Linux's")
def test_a_full_disk_is_not_called_the_programs_fault(tmp_path: Path) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-c", RUN, "--home", str(tmp_path), "rules", "tichu"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "LANG": "C"},
            timeout=240,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr.startswith("Could not write the output")
    assert len(done.stderr.splitlines()) == 1
    assert not list(tmp_path.glob("faults/*"))


def test_it_speaks_the_systems_language(tmp_path: Path) -> None:
    done = fairdeal(tmp_path, "play", "crazy-eights", "--bots", "1", typed="", run=TOY_RUN, LANG="ja_JP.UTF-8")
    assert done.returncode == 0, done.stderr
    assert "第1ラウンド。" in done.stdout


LOADED = """
import sys
from cli.main import main
try:
    main()
finally:
    print(*sys.modules, file=sys.stderr)
"""


@pytest.mark.parametrize(
    ("words", "unneeded"),
    [
        (["--help"], {"asyncio", "cryptography", "msgpack", "prompt_toolkit", "rbcl", "sqlite3", "ssl", "zeroconf"}),
        (["rules", "tichu"], {"prompt_toolkit", "rbcl", "sqlite3", "websockets", "zeroconf"}),
    ],
)
def test_what_is_not_needed_is_not_loaded(tmp_path: Path, words: list[str], unneeded: set[str]) -> None:
    """Loading the libraries is most of the time until something shows; `fairdeal bench --only start` measures that time."""
    done = subprocess.run(
        [sys.executable, "-c", LOADED, "--home", str(tmp_path), *words],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    loaded = set(done.stderr.split())
    assert "cli.main" in loaded
    assert not loaded & unneeded


STOPPED = """
import sys
class Stops:
    def find_spec(self, name, path=None, target=None):
        if name == "cli.main":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Stops())
from cli.start import start
sys.exit(start())
"""


def test_ctrl_c_while_the_program_is_still_loading_leaves_no_traceback() -> None:
    done = subprocess.run([sys.executable, "-c", STOPPED], capture_output=True, text=True, timeout=240, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (INTERRUPTED, "", "")


def test_the_installed_program_is_the_one_that_loads_quietly() -> None:
    project = tomllib.loads(Path(__file__).parents[2].joinpath("pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["scripts"] == {"fairdeal": f"{start.__module__}:{start.__name__}"}
