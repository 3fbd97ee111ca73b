"""A computer that is a hotspot shows phones the way into its Wi-Fi: what NetworkManager tells, and what a phone reads."""

from __future__ import annotations

import os
import stat
import sys
import time
from pathlib import Path

import pytest

from cli.news import Hotspot
from cli.phones import hotspot
from cli.phones.hotspot import hotspot_of, own_hotspot

UUID = "0f5a6bd5-8c39-4b5e-9b2f-2f0b3f1f7a10"
OTHER = "7d2a6bd5-8c39-4b5e-9b2f-2f0b3f1f7a10"
ACTIVE = f"{OTHER}:802-3-ethernet\n{UUID}:802-11-wireless\n"


def profile(ssid: str = "Hut", mode: str = "ap", lock: str = "wpa-psk", password: str = "come in please") -> list[str]:
    """What nmcli prints of a profile that is asked for by its properties (nmcli(1), `--terse`)."""
    security = [f"802-11-wireless-security.key-mgmt:{lock}", f"802-11-wireless-security.psk:{password}"] if lock else []
    return [f"802-11-wireless.ssid:{ssid}", f"802-11-wireless.mode:{mode}", *security]


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (profile(), "WIFI:T:WPA;S:Hut;P:come in please;;"),
        (profile(lock="sae"), "WIFI:T:WPA;S:Hut;P:come in please;;"),
        (profile(lock=""), "WIFI:T:nopass;S:Hut;;"),
        (profile(ssid="a:b;c", password='x\\"y;z:'), 'WIFI:T:WPA;S:a\\:b\\;c;P:x\\\\\\"y\\;z\\:;;'),
    ],
)
def test_the_code_is_what_phones_read(lines: list[str], code: str) -> None:
    """The form is that of ZXing's "Barcode Contents", Wi-Fi network configuration, which phones' cameras read."""
    found = hotspot_of(lines)
    assert found is not None
    assert found.code == code


@pytest.mark.parametrize(
    "lines",
    [
        [],
        ["", ":", "nonsense"],
        profile(mode="infrastructure"),
        profile(ssid=""),
        profile(password=""),
        profile(lock="wpa-eap"),
        profile(lock="none"),
    ],
)
def test_no_code_without_a_hotspot_whose_password_may_be_read(lines: list[str]) -> None:
    assert hotspot_of(lines) is None


def test_a_name_is_shown_without_what_moves_the_screen() -> None:
    found = hotspot_of(profile(ssid="Hut\x1b[2J\u202eevil"))
    assert found is not None
    assert found.name == "Hut[2Jevil"


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder in which programs are found."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def put_nmcli(folder: Path, body: str) -> None:
    path = folder / "nmcli"
    path.write_text(f"#!{sys.executable}\nimport sys, time\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


posix = pytest.mark.skipif(os.name != "posix", reason="a script stands for NetworkManager's program")


@posix
def test_the_running_hotspot_is_found_by_its_profile(programs: Path) -> None:
    told = "\n".join(profile())
    put_nmcli(
        programs, f"print({ACTIVE!r} if '--active' in sys.argv else {told!r} if sys.argv[-1] == {UUID!r} else 1/0)"
    )
    assert own_hotspot() == Hotspot("Hut", "WIFI:T:WPA;S:Hut;P:come in please;;")


def test_a_computer_without_networkmanager_is_no_hotspot(programs: Path) -> None:
    assert own_hotspot() is None


@posix
@pytest.mark.parametrize(
    "body",
    [
        "sys.exit(8)",
        "sys.stdout.buffer.write(b'\\xff\\xfe')",
        f"print({ACTIVE!r} if '--active' in sys.argv else 'x' * 1_000_000)",
        "print('--help:802-11-wireless')",
    ],
)
def test_a_program_that_fails_or_babbles_shows_no_code(programs: Path, body: str) -> None:
    put_nmcli(programs, body)
    assert own_hotspot() is None


@posix
def test_a_program_that_hangs_is_not_waited_for(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hotspot, "PATIENCE_S", 0.2)
    put_nmcli(programs, "time.sleep(60)")
    begin = time.monotonic()
    assert own_hotspot() is None
    assert time.monotonic() - begin < 30
