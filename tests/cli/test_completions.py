"""What shells complete, asked of the shells themselves."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cli.command_facts import COMMANDS
from cli.commands.completions import SCRIPTS, commands_of, script
from cli.text import Translator, languages, load_translator
from protocol.games.catalogue import BUILT_IN, game_class

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no such shells")

CASES = [
    ("fairdeal pl", {"play", "playthrough"}, {"host"}),
    ("fairdeal rules ti", {"tichu"}, {"two-four-jack"}),
    ("fairdeal host mau-mau --op", {"--option"}, {"--plain"}),
    ("fairdeal host --recovery o", {"on", "off"}, set()),
    ("fairdeal host tichu --option grand=", {"grand=true", "grand=false"}, {"target="}),
    ("fairdeal play --option ", set(), {"grand=true"}),
    ("fairdeal rules mau-mau --option targ", {"target=", "target=100"}, {"grand=true"}),
    ("fairdeal --la", {"--lang"}, set()),
    ("fairdeal whoami --na", {"--name"}, {"--seats"}),
    ("fairdeal completions ", {"bash", "zsh", "fish"}, {"play"}),
]


def needs(shell: str) -> str:
    found = shutil.which(shell)
    if found is None:
        pytest.skip(f"{shell} is not installed")
    return found


@pytest.fixture(params=languages())
def words(request: pytest.FixtureRequest) -> Translator:
    return load_translator(str(request.param))


@pytest.mark.parametrize("shell", SCRIPTS)
def test_the_script_is_read_without_complaint(shell: str, words: Translator, tmp_path: Path) -> None:
    file = tmp_path / "script"
    file.write_text(script(shell, words), encoding="utf-8")
    done = subprocess.run([needs(shell), "-n", str(file)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(("line", "offered", "not_offered"), CASES)
def test_bash(line: str, offered: set[str], not_offered: set[str]) -> None:
    found = bash(line)
    shown = {word.partition("=")[2] for word in offered} if line.endswith("=") else offered
    assert shown <= found
    assert not found & not_offered


def bash(line: str, cursor: int | None = None) -> set[str]:
    """What a function of bash answers, asked as bash asks it."""
    asked = (
        f"{script('bash', Translator())}\nCOMP_LINE=$1 COMP_POINT=$2; _fairdeal; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    )
    point = str(len(line) if cursor is None else cursor)
    command = [needs("bash"), "--norc", "-c", asked, "bash", line, point]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return set(done.stdout.split())


def test_bash_looks_no_further_than_the_cursor() -> None:
    assert bash("fairdeal pl tichu", len("fairdeal pl")) == {"play", "playthrough"}


@pytest.mark.parametrize(("line", "offered", "not_offered"), CASES)
def test_fish(line: str, offered: set[str], not_offered: set[str], tmp_path: Path) -> None:
    file = tmp_path / "fairdeal.fish"
    file.write_text(script("fish", Translator()), encoding="utf-8")
    asked = "source $argv[1]; complete -C $argv[2]"
    done = subprocess.run(
        [needs("fish"), "--no-config", "-c", asked, str(file), line],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "HOME": str(tmp_path)},
    )
    found = {answer.partition("\t")[0] for answer in done.stdout.splitlines()}
    assert offered <= found
    assert not found & not_offered


ZSH_CASES = [
    ("fairdeal whoa", "whoami "),
    ("fairdeal rules ti", "rules tichu "),
    ("fairdeal host tichu --rec", "--recovery "),
    ("fairdeal host tichu --recovery of", "--recovery off "),
    ("fairdeal host tichu --option grand=t", "--option grand=true "),
    ("fairdeal completions f", "completions fish "),
]


@pytest.mark.parametrize(("line", "completed"), ZSH_CASES)
def test_zsh(line: str, completed: str, tmp_path: Path) -> None:
    assert completed in zsh(line, completed, tmp_path)


def zsh(line: str, until: str, folder: Path) -> str:
    """What a person sees who types the line and Tab, up to a text that is waited for."""
    assert sys.platform != "win32"
    import pty
    import select

    found = needs("zsh")
    (folder / "_fairdeal").write_text(script("zsh", Translator()), encoding="utf-8")
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(TERM="dumb", HOME=str(folder))
        os.execv(found, [found, "-f", "-i"])
    try:
        setup = f"PS1='ready> '; fpath=({folder} $fpath); autoload -Uz compinit; compinit -D -u; print set''up\n"
        os.write(terminal, setup.encode())
        shown, has_asked, end = "", False, time.monotonic() + 30
        while until not in shown and time.monotonic() < end:
            if not select.select([terminal], [], [], 1)[0]:
                continue
            shown += os.read(terminal, 1 << 16).decode("utf-8", "replace")
            if "setup" in shown and not has_asked:
                has_asked, shown = True, ""
                os.write(terminal, f"{line}\t".encode())
        return shown
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)
        os.close(terminal)


def test_every_command_game_and_option_is_offered() -> None:
    assert [command.name for command in commands_of(Translator())] == ["", *(facts.name for facts in COMMANDS)]
    for shell in SCRIPTS:
        made = script(shell, Translator())
        for game in BUILT_IN:
            assert game in made
            for option in game_class(game).OPTIONS:
                assert f"{option}=" in made
        for command in commands_of(Translator()):
            for flag in command.flags:
                assert (f"-l {flag[2:]}" if shell == "fish" and flag.startswith("--") else flag[1:]) in made
