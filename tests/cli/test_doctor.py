"""`fairdeal doctor`: what is said of what was seen, and the whole of it by a pipe."""

from __future__ import annotations

import datetime
import io
import json
import os
import shutil
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from cli.clean import width
from cli.commands import doctor
from cli.console import look
from cli.context import Context
from cli.doctor.check_result import Finding, State
from cli.doctor.data import LOW_BYTES, look_at_data
from cli.doctor.machine import clock, look_at_machine
from cli.doctor.network import look_at_network
from cli.flow.doctor import doctor_lines
from cli.phones import assets, serving
from cli.requests import Common
from cli.terminal import doctor as screen
from cli.terminal.doctor import WIDE_SIGN, look_at_screen, size, widths
from cli.text import Translator, languages, load_translator
from p2p.announcements import Sighting
from p2p.doctor import Examination, MdnsPort, PortUse
from p2p.home import open_home
from p2p.journal import Journal
from p2p.network_adapters import Adapter, AdapterKind
from p2p.probing import ProbeResult
from protocol.values import replace
from tests.adversaries.declared import By, attack
from tests.cli.test_terminal import Stream
from tests.programs import begun

_ = Translator()
RUN = "import sys; from cli.main import main; sys.exit(main())"
WLAN = Adapter("wlan0", AdapterKind.ROOM, ("192.168.1.23", "fe80::1"))
LO = Adapter("lo", AdapterKind.LOOPBACK, ("127.0.0.1",))
KITCHEN = Sighting(
    "k", (("192.168.1.5", 4711),), {"id": "k", "table": "Kitchen", "game": "tichu", "seats": "4", "taken": "1"}
)
WELL = Examination(
    adapters=(WLAN, LO),
    port=4711,
    port_use=PortUse.FREE,
    own={"192.168.1.23": ProbeResult(8.0)},
    mdns_port=MdnsPort.FREE,
    echo_s={"wlan0": 0.002},
    neighbours=("192.168.1.1",),
    sightings=(),
    answers={},
    firewalls=(),
)


def findings(seen: Examination, platform: str = "linux", words: Translator = _) -> dict[str, Finding]:
    found = look_at_network(words, seen, ["192.168.1.23:4711"], platform)
    assert len({finding.id for finding in found}) == len(found)
    for finding in found:
        assert finding.state is State.OK or finding.advice, finding
        json.dumps(finding.as_json())
    return {finding.id: finding for finding in found}


def states(found: Mapping[str, Finding]) -> dict[str, str]:
    """What is not as it should be."""
    return {id: finding.state.value for id, finding in found.items() if finding.state is not State.OK}


# --- the network ---


def test_where_all_is_well_only_the_lack_of_tables_is_open() -> None:
    found = findings(WELL)
    assert states(found) == {"tables": "unknown"}
    assert found["address"].what.endswith("fairdeal join 192.168.1.23:4711")
    assert "wlan0 (192.168.1.23)" in found["network"].what


@pytest.mark.parametrize(
    ("seen", "id", "state"),
    [
        (replace(WELL, adapters=(Adapter("docker0", AdapterKind.VIRTUAL, ("172.17.0.1",)), LO)), "network", "bad"),
        (replace(WELL, adapters=(Adapter("wlan0", AdapterKind.ROOM, ("169.254.3.4",)), LO)), "network", "warn"),
        (replace(WELL, adapters=(Adapter("wlan0", AdapterKind.ROOM, ("fd00::2", "fe80::1")), LO)), "network", "warn"),
        (replace(WELL, adapters=(WLAN, Adapter("tun0", AdapterKind.TUNNEL, ("10.8.0.2",)))), "vpn", "warn"),
        (replace(WELL, port_use=PortUse.TAKEN), "port", "warn"),
        (replace(WELL, port_use=PortUse.FORBIDDEN), "port", "warn"),
        (replace(WELL, own={"192.168.1.23": ProbeResult(None, "late")}), "self", "bad"),
        (replace(WELL, own={"192.168.1.23": ProbeResult(None, "late"), "fe80::1": ProbeResult(5.0)}), "self", "warn"),
        (replace(WELL, mdns_port=MdnsPort.REFUSED), "multicast", "bad"),
        (replace(WELL, echo_s={"wlan0": None}), "multicast", "bad"),
        (replace(WELL, echo_s={"wlan0": None, "docker0": 0.1}), "multicast", "bad"),
        (replace(WELL, neighbours=()), "neighbours", "unknown"),
        (replace(WELL, firewalls=("ufw",)), "firewall", "warn"),
        (replace(WELL, firewalls=("firewalld",)), "firewall", "warn"),
    ],
)
def test_what_is_amiss_is_said_with_advice(seen: Examination, id: str, state: str) -> None:
    assert states(findings(seen)) == {"tables": "unknown", id: state}


@pytest.mark.parametrize("cards", [(), (LO,)])
def test_without_a_network_nothing_else_is_blamed(cards: tuple[Adapter, ...]) -> None:
    seen = replace(WELL, adapters=cards, port_use=PortUse.NONE, own={}, echo_s={}, neighbours=())
    assert states(findings(seen)) == {"network": "bad"}


def test_what_is_fine_is_not_blamed() -> None:
    lan = Adapter("eth0", AdapterKind.ROOM, ("192.168.2.9",))
    docker = Adapter("docker0", AdapterKind.VIRTUAL, ("172.17.0.1",))
    seen = replace(WELL, adapters=(WLAN, lan, docker, LO), echo_s={"wlan0": 0.1, "eth0": 0.1, "docker0": None})
    assert states(findings(seen)) == {"tables": "unknown"}
    odd = Adapter("eth1", AdapterKind.ROOM, ("169.254.8.8",))
    seen = replace(
        WELL,
        adapters=(WLAN, odd, LO),
        echo_s={"wlan0": 0.1, "eth1": None},
        own={"192.168.1.23": ProbeResult(5.0), "169.254.8.8": ProbeResult(None, "late")},
    )
    assert states(findings(seen)) == {"tables": "unknown"}
    assert states(findings(replace(WELL, port_use=PortUse.FAIRDEAL))) == {"tables": "unknown"}
    assert states(findings(replace(WELL, mdns_port=MdnsPort.SHARED))) == {"tables": "unknown"}


@pytest.mark.parametrize(
    ("answer", "state"),
    [(ProbeResult(3.0), "ok"), (ProbeResult(None, "silent"), "bad"), (ProbeResult(None, "refused"), "unknown")],
)
def test_a_table_that_is_seen_is_reached_or_not(answer: ProbeResult, state: str) -> None:
    found = findings(replace(WELL, sightings=(KITCHEN,), answers={KITCHEN.addresses[0]: answer}))
    assert found["tables"].state.value == state
    assert "Kitchen" in found["tables"].what
    assert found["tables"].details["own"] is False


def test_one_address_that_answers_is_enough_and_a_table_of_ones_own_is_no_neighbour() -> None:
    two = replace(KITCHEN, addresses=(("192.168.1.5", 4711), ("172.17.0.1", 4711)))
    answers = {two.addresses[0]: ProbeResult(2.0), two.addresses[1]: ProbeResult(None, "silent")}
    assert findings(replace(WELL, sightings=(two,), answers=answers))["tables"].state is State.OK
    own = replace(KITCHEN, addresses=(("192.168.1.23", 4711), ("fe80::1%2", 4711)))
    found = findings(
        replace(WELL, neighbours=(), sightings=(own,), answers=dict.fromkeys(own.addresses, ProbeResult(1.0)))
    )
    assert found["tables"].details["own"] is True
    assert found["neighbours"].state is State.UNKNOWN


def test_hints_for_one_system_are_given_only_there() -> None:
    assert "Windows" in findings(WELL, "win32")["firewall"].what
    assert "macOS" in findings(WELL, "darwin")["firewall"].what
    assert findings(WELL)["firewall"].state is State.OK
    for name in ("ufw", "firewalld"):
        advice = str(findings(replace(WELL, firewalls=(name,)))["firewall"].advice)
        assert "4711/tcp" in advice and f"{serving.PORT}/tcp" in advice


@attack(
    By.STRANGER,
    "Names and texts contain terminal control codes.",
    "It does not work: whatever others send is cleaned before it is shown.",
)
def test_nothing_of_a_strangers_words_reaches_the_terminal() -> None:
    rude = replace(KITCHEN, properties={**KITCHEN.properties, "table": "\x1b[2JX\u202e\n"})
    found = findings(replace(WELL, sightings=(rude,), answers={rude.addresses[0]: ProbeResult(1.0)}))
    assert "[2JX" in found["tables"].what
    assert "\x1b" not in found["tables"].what


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("seen", [replace(WELL, adapters=(LO,)), replace(WELL, neighbours=())])
def test_where_no_friend_can_be_reached_each_systems_hotspot_is_explained(seen: Examination, lang: str) -> None:
    hotspot = findings(seen, words=load_translator(lang))["hotspot"]
    assert [line.split(":")[0].split("：")[0] for line in str(hotspot.advice).splitlines()[1:]] == [
        "iPhone・iPad" if lang == "ja" else "iPhone, iPad",
        "Android",
        "Windows",
        "Mac",
        "Linux",
    ]
    assert "hotspot" not in findings(WELL)


# --- the machine and its data ---


def test_the_machine_itself_is_in_order() -> None:
    found = {finding.id: finding for finding in look_at_machine(_)}
    assert states(found) == {}
    assert found["libsodium"].details["version"]


@pytest.mark.parametrize("lang", languages())
def test_what_guests_by_phone_need_is_named_but_not_missed(monkeypatch: pytest.MonkeyPatch, lang: str) -> None:
    monkeypatch.setattr(assets, "find_spec", lambda _name: None)
    found = {finding.id: finding for finding in look_at_machine(load_translator(lang))}
    assert states(found) == {}
    assert found["phones"].details == {"installed": False}
    assert "fairdeal[phones]" in str(found["phones"].advice)


def test_a_clock_that_is_far_off_is_noted() -> None:
    assert clock(_, datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)).state is State.WARN
    assert clock(_, datetime.datetime(2031, 1, 1, tzinfo=datetime.UTC)).state is State.OK


def data(home: Path) -> dict[str, Finding]:
    return {finding.id: finding for finding in look_at_data(_, home)}


def test_a_home_that_is_not_there_yet_is_fine_and_stays_away(tmp_path: Path) -> None:
    home = tmp_path / "a" / "b"
    assert states(data(home)) == {}
    assert list(tmp_path.iterdir()) == []


def test_a_home_in_use_is_in_order(tmp_path: Path) -> None:
    with open_home(tmp_path) as home:
        home.seed()
        Journal.open(home.journal).close()
        found = data(tmp_path)
        assert states(found) == {}
        assert found["in_use"].details["in_use"] is True
        assert found["journal"].details["matches"] == 0
    assert data(tmp_path)["in_use"].details["in_use"] is False
    with open_home(tmp_path, guests=False):  # looking took nothing away
        pass


def test_a_file_where_the_home_should_be(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("x")
    found = data(tmp_path / "home")
    assert states(found) == {"home": "bad"}
    assert "--home" in str(found["home"].advice)


def test_damage_is_told_with_what_to_do(tmp_path: Path) -> None:
    with open_home(tmp_path) as home:
        home.seed()
    (tmp_path / "identity").write_bytes(bytes(64))
    (tmp_path / "journal.sqlite").write_bytes(b"no database" * 100)
    found = data(tmp_path)
    assert states(found) == {"identity": "bad", "journal": "bad"}
    assert "is damaged" in found["identity"].what
    assert str(found["identity"].advice).startswith("Restore a backup")
    assert found["journal"].advice


@pytest.mark.skipif(os.name != "posix", reason="Windows has other rights")
def test_an_identity_that_others_can_read_is_bad(tmp_path: Path) -> None:
    with open_home(tmp_path) as home:
        home.seed()
    (tmp_path / "identity").chmod(0o644)
    found = data(tmp_path)
    assert states(found) == {"identity": "bad"}
    assert "chmod 600" in str(found["identity"].advice)


@pytest.mark.parametrize(("free", "state"), [(LOW_BYTES, "ok"), (LOW_BYTES - 1, "warn"), (1000, "bad")])
def test_little_room_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, state: str) -> None:
    class Usage:
        def __init__(self) -> None:
            self.free = free

    monkeypatch.setattr(shutil, "disk_usage", lambda _path: Usage())
    assert data(tmp_path)["space"].state.value == state


# --- the terminal ---


def context(
    home: Path,
    tty: bool = True,
    encoding: str = "utf-8",
    words: Translator = _,
    flags: tuple[bool, bool] = (False, False),
    **environ: str,
) -> Context:
    stdin, stdout, stderr = Stream(tty, encoding), Stream(tty, encoding), Stream(tty, encoding)
    environ = {"TERM": "xterm-256color", **environ}
    return Context(words, environ, stdin, stdout, stderr, look(environ, stdin, stdout, *flags), home)


def seen_on(context: Context) -> dict[str, Finding]:
    return {finding.id: finding for finding in look_at_screen(_, context)}


def test_a_terminal_that_says_nothing_is_unknown_and_a_dumb_or_old_one_a_warning(tmp_path: Path) -> None:
    assert states(seen_on(context(tmp_path))) == {"widths": "unknown"}  # a stream that answers nothing
    assert states(seen_on(context(tmp_path, TERM="dumb"))) == {"terminal": "warn"}
    assert states(seen_on(context(tmp_path, encoding="latin-1"))) == {"encoding": "warn", "widths": "unknown"}
    assert states(seen_on(context(tmp_path, tty=False))) == {}
    assert "widths" not in seen_on(context(tmp_path, tty=False))


def test_colours_are_told_with_their_reason(tmp_path: Path) -> None:
    assert "NO_COLOR" in seen_on(context(tmp_path, NO_COLOR="1"))["colours"].what
    assert seen_on(context(tmp_path, COLORTERM="truecolor"))["colours"].what == "Colours: 16 million"
    assert seen_on(context(tmp_path))["colours"].details["colours"] == 256


@pytest.mark.parametrize(
    ("columns", "rows", "state"), [(57, 40, "warn"), (80, 17, "warn"), (60, 18, "ok"), (80, 24, "ok"), (200, 60, "ok")]
)
def test_sizes(columns: int, rows: int, state: str) -> None:
    assert size(_, (columns, rows)).state.value == state


def test_signs_that_are_drawn_too_wide() -> None:
    narrow: dict[str, int | None] = dict.fromkeys(screen.SIGNS, 1)
    assert widths(_, {**narrow, WIDE_SIGN: 2}).state is State.OK
    assert widths(_, {**narrow, WIDE_SIGN: 1}).state is State.WARN
    found = widths(_, {**narrow, "♠": 2, WIDE_SIGN: 2})
    assert found.state is State.WARN
    assert "♠" in found.what
    assert "♥" not in found.what


# --- the command ---

BAD = Finding("multicast", State.BAD, "Deaf", "Mend it.", {"x": 1})
WARN = Finding("vpn", State.WARN, "A tunnel · x", "Switch it off.")


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[Finding]:
    """The network's findings, as the test wishes."""
    found: list[Finding] = []
    monkeypatch.setattr(doctor, "network", lambda _: (["192.168.1.23:4711"], found))
    return found


def told(context: Context) -> str:
    assert isinstance(context.stdout, io.StringIO)
    return context.stdout.getvalue()


def test_the_end_counts_what_is_to_mend(seen: list[Finding], tmp_path: Path) -> None:
    pipe = context(tmp_path, tty=False)
    assert doctor.run(Common("doctor"), pipe) == 0
    assert told(pipe).rstrip().endswith("\nNothing is stopping you from playing.")
    seen += [WARN, BAD]
    pipe = context(tmp_path, tty=False)
    assert doctor.run(Common("doctor"), pipe) == 1
    assert told(pipe).rstrip().endswith("\nOne problem to fix (✗). One possible problem (!).")
    assert " ✗ Deaf\n     Mend it.\n" in told(pipe)
    assert "\x1b" not in told(pipe)
    assert isinstance(pipe.stderr, io.StringIO)
    assert pipe.stderr.getvalue() == ""


def test_each_line_of_an_advice_stands_on_its_own_line(seen: list[Finding], tmp_path: Path) -> None:
    seen += [replace(WARN, advice="Do this.\nThen that.")]
    pipe = context(tmp_path, tty=False)
    doctor.run(Common("doctor"), pipe)
    assert " ! A tunnel · x\n     Do this.\n     Then that.\n" in told(pipe)
    page = doctor_lines(_, [("The network", seen)])
    assert page[-2:] == ((("    ", "text"), ("Do this.", "dim")), (("    ", "text"), ("Then that.", "dim")))


def test_with_ascii_no_other_sign_is_shown(seen: list[Finding], tmp_path: Path) -> None:
    seen += [WARN, BAD]
    ascii_only = context(tmp_path, flags=(False, True), NO_COLOR="1")
    doctor.run(Common("doctor"), ascii_only)
    assert told(ascii_only).isascii()
    assert " x Deaf" in told(ascii_only)
    assert " ! A tunnel - x" in told(ascii_only)


@pytest.mark.parametrize("lang", languages())
def test_lines_stay_in_the_window(
    seen: list[Finding], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lang: str
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    words = load_translator(lang)
    everything = replace(
        WELL,
        adapters=(
            WLAN,
            Adapter("tun0", AdapterKind.TUNNEL, ("10.8.0.2",)),
            Adapter("docker0", AdapterKind.VIRTUAL, ("172.17.0.1",)),
        ),
        port_use=PortUse.TAKEN,
        own={"192.168.1.23": ProbeResult(None, "late")},
        mdns_port=MdnsPort.REFUSED,
        neighbours=(),
        firewalls=("ufw", "firewalld"),
    )
    seen += look_at_network(words, everything, ["192.168.1.23:4711", "[fd00::2]:4711"])
    narrow = context(tmp_path, words=words, NO_COLOR="1")
    doctor.run(Common("doctor"), narrow)
    # A path or a word of its own that is longer than the line stays whole, to be copied.
    over = [line for line in told(narrow).splitlines() if width(line) > 60 and str(tmp_path) not in line]
    assert over == []


def test_the_wait_is_told_on_a_terminal_and_wiped(seen: list[Finding], tmp_path: Path) -> None:
    terminal = context(tmp_path)
    doctor.run(Common("doctor"), terminal)
    assert isinstance(terminal.stderr, io.StringIO)
    said = terminal.stderr.getvalue()
    assert said.startswith("Checking the network")
    assert said.split("\r")[1].strip() == ""
    assert said.endswith("\r")


def test_json_is_the_same_in_every_language(seen: list[Finding], tmp_path: Path) -> None:
    seen += [BAD]
    reports = []
    for lang in languages():
        pipe = context(tmp_path, tty=False, words=load_translator(lang))
        assert doctor.run(Common("doctor", json=True), pipe) == 1
        reports.append(json.loads(told(pipe)))
    report = reports[0]
    assert report["ok"] is False
    assert report["addresses"] == ["192.168.1.23:4711"]
    assert report["findings"][-1] == {
        "id": "multicast",
        "state": "bad",
        "what": "Deaf",
        "advice": "Mend it.",
        "details": {"x": 1},
    }
    for other in reports[1:]:
        for one, two in zip(report["findings"], other["findings"], strict=True):
            if one["id"] not in ("language", "clock", "space"):
                assert one == two


# --- the whole program ---


@pytest.mark.slow
@pytest.mark.sockets
def test_all_of_it_by_a_pipe(tmp_path: Path) -> None:
    """The network of the machine that runs this is what it is: the report says so one way or the other."""
    with begun(RUN, "doctor", "--home", str(tmp_path / "home"), "--json") as process:
        out, complaints = process.communicate(timeout=240)
        report: dict[str, Any] = json.loads(out)
        assert complaints == ""
        bad = [finding for finding in report["findings"] if finding["state"] == "bad"]
        assert (process.returncode, report["ok"]) == ((1, False) if bad else (0, True)), bad
        ids = {finding["id"] for finding in report["findings"]}
        assert {"program", "libsodium", "terminal", "home", "network", "tables", "firewall"} <= ids
        documented = set((doctor.__doc__ or "").replace(",", " ").split())
        assert ids <= documented
        assert not (tmp_path / "home").exists()


@pytest.mark.slow
@pytest.mark.sockets
@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_ctrl_c_while_it_looks(tmp_path: Path) -> None:
    patiently = "import p2p.doctor; p2p.doctor.LISTEN_S = 600.0; " + RUN
    # Whatever a shell starts in the background ignores Ctrl-C, these tests and their programs too.
    patiently = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); " + patiently
    with begun(patiently, "doctor", "--home", str(tmp_path)) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("Your data"):
                break
        while process.stdout.readline().strip():  # the empty line after it: the network is next
            pass
        process.send_signal(signal.SIGINT)
        _out, complaints = process.communicate(timeout=240)
        assert process.returncode == 130
        assert complaints.strip() == ""
