"""The home: one process a profile, an identity that stays, clear refusals."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from p2p import home as home_module
from p2p.errors import DiskFull, HomeFault, HomeLocked, HomeUnwritable, IdentityDamaged, IdentityExposed
from p2p.home import lock_home, open_home, read_home

posix = pytest.mark.skipif(os.name != "posix", reason="rights of files are the system's on Windows")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@posix
def test_what_it_makes_is_the_owners_alone(tmp_path: Path) -> None:
    previous = os.umask(0)
    try:
        with open_home(tmp_path / "home") as home:
            home.seed()
            home.set_name("Ann")
            assert [mode(home.path), mode(home.path / "identity"), mode(home.path / "name")] == [0o700, 0o600, 0o600]
    finally:
        os.umask(previous)


def test_the_identity_stays(tmp_path: Path) -> None:
    with open_home(tmp_path) as home:
        seed = home.seed()
    with open_home(tmp_path) as home:
        assert home.seed() == seed
        assert len(seed) == 32
    assert read_home(tmp_path).seed() == seed


def test_reading_makes_nothing(tmp_path: Path) -> None:
    home = read_home(tmp_path / "nowhere")
    assert home.name is None
    assert not home.has_identity
    with pytest.raises(HomeFault, match="nobody has played"):
        home.seed()
    assert not home.path.exists()


def test_a_second_client_is_a_guest_with_an_identity_of_its_own(tmp_path: Path) -> None:
    with open_home(tmp_path) as first, open_home(tmp_path) as second, open_home(tmp_path) as third:
        assert [first.guest, second.guest, third.guest] == [0, 1, 2]
        assert second.path == tmp_path / "guests" / "1"
        assert len({first.seed(), second.seed(), third.seed()}) == 3
        guest_seed = second.seed()
        second.close()
        with open_home(tmp_path) as again:
            assert (again.guest, again.seed()) == (1, guest_seed)
        with pytest.raises(HomeLocked, match="another Fairdeal is using"):
            open_home(tmp_path, guests=False)


HOLDER = """
import pathlib, sys
from p2p.home import lock_home
home = lock_home(pathlib.Path(sys.argv[1]))
print("held", flush=True)
input()
"""


def test_another_process_keeps_it_locked_until_it_is_killed(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(HomeLocked):
            lock_home(tmp_path)
        holder.kill()
        holder.wait()
        lock_home(tmp_path).close()


def test_profiles_run_out_with_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home_module, "MAX_GUESTS", 1)
    with (
        open_home(tmp_path),
        open_home(tmp_path),
        pytest.raises(HomeLocked, match=r"and all its \d+ guest profiles are in use"),
    ):
        open_home(tmp_path)


def test_bots_have_homes_within_their_keepers(tmp_path: Path) -> None:
    with open_home(tmp_path) as keeper, keeper.bot("bot-1") as bot:
        assert bot.path == tmp_path / "bots" / "bot-1"
        assert bot.seed() != keeper.seed()
        for name in ("", "..", "a/b", "Bot", "x" * 40):
            with pytest.raises(ValueError):
                keeper.bot(name)


@pytest.mark.parametrize(
    "damage", [lambda b: b[:40], lambda b: b"", lambda b: bytes([b[0] ^ 1]) + b[1:], lambda b: b + b"x"]
)
def test_a_damaged_identity_is_nobody(tmp_path: Path, damage: object) -> None:
    assert callable(damage)
    with open_home(tmp_path) as home:
        home.seed()
        path = home.path / "identity"
        path.write_bytes(damage(path.read_bytes()))
        with pytest.raises(IdentityDamaged, match="restore a backup"):
            home.seed()


def test_a_lost_identity_beside_saved_matches_is_not_replaced(tmp_path: Path) -> None:
    with open_home(tmp_path) as home:
        home.seed()
        home.journal.touch()
        (home.path / "identity").unlink()
        with pytest.raises(IdentityDamaged, match="missing"):
            home.seed()


@posix
def test_an_identity_that_others_can_read_is_refused(tmp_path: Path) -> None:
    with open_home(tmp_path) as home:
        home.seed()
        (home.path / "identity").chmod(0o640)
        with pytest.raises(IdentityExposed, match="chmod 600"):
            home.seed()


def test_a_file_in_its_place_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(HomeUnwritable, match="--home"):
        open_home(tmp_path / "file")


def test_a_full_disk_is_said_and_leaves_nothing_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with open_home(tmp_path) as home:
        home.set_name("Ann")
        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(DiskFull, match="free up some space"):
            home.set_name("Ben")
        monkeypatch.undo()
        assert home.name == "Ann"
        assert sorted(p.name for p in tmp_path.iterdir()) == ["lock", "name"]


def test_names_are_cleaned_and_bounded(tmp_path: Path) -> None:
    with open_home(tmp_path) as home:
        home.set_name("  A\x1b[31m\u202enn\u200b\n" + "é" * 100)
        assert home.name is not None
        assert home.name.startswith("A[31mnn é")
        assert len(home.name.encode()) <= 64
