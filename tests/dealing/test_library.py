"""libsodium is kept as one checked copy, and where that cannot be, the program still deals or says what to do."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from protocol.dealing import library
from protocol.dealing.library import LibraryUnusable, find, installed, shipped

CODE = "import sys; from pathlib import Path; from protocol.dealing import library"
LOAD = f"{CODE}; library.use(Path(sys.argv[1])); print(library.load().source)"
IS_ROOT = sys.platform != "win32" and os.geteuid() == 0
ON_POSIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such rights")
ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux loads from memory")


@pytest.fixture
def content() -> bytes:
    found = shipped()
    assert found is not None
    return found


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing but the copy: no loading without one, no library of the system's."""

    def refused(_content: bytes) -> None:
        raise OSError("not here")

    monkeypatch.setattr(library, "_in_passing", refused)
    monkeypatch.setattr(library, "SYSTEM_NAMES", ("libsodium-of-nobody.so",))


def start(folder: Path, temporary: Path, code: str = LOAD) -> subprocess.Popen[str]:
    temporary.mkdir(exist_ok=True)
    return subprocess.Popen(
        [sys.executable, "-c", code, str(folder)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(temporary), "TEMP": str(temporary), "TMP": str(temporary)},
    )


def test_the_copy_is_made_once_and_used_again(tmp_path: Path, content: bytes, alone: None) -> None:
    folder = tmp_path / "library"
    assert find(folder).source == str(folder)
    (copy,) = folder.iterdir()
    assert copy.read_bytes() == content
    before = copy.stat()
    assert find(folder).source == str(folder)
    assert (copy.stat().st_ino, copy.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    if sys.platform != "win32":
        assert folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.slow
def test_processes_that_start_together_make_one_copy_and_nothing_temporary(tmp_path: Path, content: bytes) -> None:
    folder, temporary = tmp_path / "library", tmp_path / "temporary"
    starting = [start(folder, temporary) for _ in range(6)]
    assert [process.communicate()[0].strip() for process in starting] == [str(folder)] * 6
    assert [process.returncode for process in starting] == [0] * 6
    assert [path.read_bytes() for path in folder.iterdir()] == [content]
    assert list(temporary.iterdir()) == []


@pytest.mark.slow
def test_importing_loads_and_writes_nothing(tmp_path: Path) -> None:
    code = "import sys, p2p.node, protocol.table.verify; print([m for m in sys.modules if m.startswith('rbcl')])"
    process = start(tmp_path / "library", tmp_path / "temporary", f"{CODE}; {code}; assert library._loaded is None")
    assert process.communicate()[0].strip() == "[]"
    assert process.returncode == 0
    assert list((tmp_path / "temporary").iterdir()) == []
    assert not (tmp_path / "library").exists()


@pytest.mark.parametrize("damage", [b"", b"no library", b"\x7fELF" + bytes(100)])
def test_a_damaged_copy_is_replaced(tmp_path: Path, content: bytes, alone: None, damage: bytes) -> None:
    copy = installed(tmp_path, content)
    copy.write_bytes(damage)
    assert find(tmp_path).source == str(tmp_path)
    assert copy.read_bytes() == content


def test_a_copy_with_one_changed_bit_is_replaced(tmp_path: Path, content: bytes) -> None:
    copy = installed(tmp_path, content)
    middle = len(content) // 2
    copy.write_bytes(content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :])
    assert installed(tmp_path, content).read_bytes() == content


def test_two_versions_stand_side_by_side(tmp_path: Path, content: bytes, alone: None) -> None:
    other = content + b"a later version"  # bytes behind the end do not matter to the loader
    assert installed(tmp_path, content) != installed(tmp_path, other)
    assert {path.read_bytes() for path in tmp_path.iterdir()} == {content, other}
    assert find(tmp_path).source == str(tmp_path)


def test_a_library_that_computes_wrong_results_is_not_used(
    tmp_path: Path, alone: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "TWO", library.THREE)
    with pytest.raises(LibraryUnusable, match="wrong results"):
        find(tmp_path)


def test_a_killed_process_leaves_nothing_for_long(tmp_path: Path, content: bytes) -> None:
    old, young = tmp_path / "libsodium-abc.new", tmp_path / "libsodium-def.new"
    for path in (old, young):
        path.write_bytes(content[:100])
    os.utime(old, (0, 0))
    installed(tmp_path, content)
    assert not old.exists()
    assert young.exists()  # another process may be writing it now


def test_a_command_that_only_looks_makes_no_home(tmp_path: Path) -> None:
    folder = tmp_path / "home" / "library"
    assert find(folder).source != str(folder)
    assert not folder.parent.exists()


@ON_POSIX
def test_a_folder_in_which_others_can_write_is_not_trusted(tmp_path: Path, alone: None) -> None:
    tmp_path.chmod(0o777)
    with pytest.raises(LibraryUnusable, match="other users"):
        find(tmp_path)


@ON_POSIX
def test_in_a_read_only_home_cards_are_dealt_without_a_copy(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    with read_only(home):
        process = start(home / "library", tmp_path / "temporary")
        assert process.communicate()[0].strip() == "rbcl"
        assert process.returncode == 0
    assert list((tmp_path / "temporary").iterdir()) == []


@ON_POSIX
def test_where_nothing_loads_the_sentence_says_why_and_what_to_do(tmp_path: Path, alone: None) -> None:
    with read_only(tmp_path), pytest.raises(LibraryUnusable) as refused:
        find(tmp_path / "library")
    said = str(refused.value)
    assert str(tmp_path) in said
    assert "ead-only file system" in said or "denied" in said
    assert "libsodium-of-nobody.so" in said
    assert "--home" in said


def test_without_rbcl_the_systems_library_is_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "shipped", lambda: None)
    opened: list[str] = []

    def refuse(name: str) -> None:
        opened.append(name)
        raise OSError("no such library")

    monkeypatch.setattr(library, "_open", refuse)
    with pytest.raises(LibraryUnusable, match="the package holds no libsodium"):
        find(tmp_path)
    assert tuple(opened) == library.SYSTEM_NAMES


@ON_LINUX
def test_a_folder_in_which_nothing_may_run_does_no_harm(noexec: Path, alone: None) -> None:
    with pytest.raises(LibraryUnusable, match=str(noexec)):
        find(noexec / "library")


@ON_LINUX
def test_in_a_noexec_home_and_temporary_folder_cards_are_dealt(noexec: Path) -> None:
    process = start(noexec / "library", noexec / "temporary")
    assert process.communicate()[0].strip() == "rbcl"
    assert list((noexec / "temporary").iterdir()) == []


@pytest.fixture
def noexec(tmp_path: Path) -> Iterator[Path]:
    yield from mounted(tmp_path / "noexec", "noexec")


class read_only:
    """A folder in which nothing can be made: by its rights, or, for root, as a read-only mount."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __enter__(self) -> None:
        if IS_ROOT:
            self._mount = mounted(self.folder, "ro")
            next(self._mount)
        else:
            self.folder.chmod(0o500)

    def __exit__(self, *_: object) -> None:
        if IS_ROOT:
            next(self._mount, None)
        else:
            self.folder.chmod(0o700)


def mounted(folder: Path, how: str) -> Iterator[Path]:
    """An empty file system in memory, mounted that way."""
    folder.mkdir(exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", f"size=8m,mode=700,{how}", "tmpfs", str(folder)]
    if not IS_ROOT:
        pytest.skip("mounting needs root")
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("this system lets nobody mount a file system")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)
