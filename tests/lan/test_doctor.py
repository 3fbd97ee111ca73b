"""`fairdeal doctor` on real hosts: what it says when all is well, and when something of the network is missing."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.lan.lab import Host, Lab, Program, ip

pytestmark = pytest.mark.netns

Lan = Callable[[int], Lab]
TITLE = "Ann's"


class Seen:
    """What one run of the doctor printed."""

    def __init__(self, program: Program) -> None:
        out, self.complaints = program.process.communicate(timeout=240)
        self.status = program.process.returncode
        assert "Traceback" not in self.complaints
        self.report: dict[str, Any] = json.loads(out)

    def __getitem__(self, id: str) -> dict[str, Any]:
        """The only finding with this id."""
        (found,) = [finding for finding in self.report["findings"] if finding["id"] == id]
        return dict(found)

    @property
    def bad(self) -> set[str]:
        return {finding["id"] for finding in self.report["findings"] if finding["state"] == "bad"}


def doctor(host: Host, home: Path, *bad: str) -> Seen:
    """What it finds, with these things amiss. It listens for some seconds only: on a computer that stands still meanwhile it
    misses what is there, and is asked again."""
    for _try in range(3):
        seen = Seen(host.launch("cli.main", "doctor", "--json", "--home", str(home)))
        if seen.bad == set(bad):
            break
    return seen


def open_table(host: Host, home: Path) -> Program:
    """A table of this program, open and announced."""
    program = host.launch(
        "cli.main", "host", "crazy-eights", "--table", TITLE, "--seats", "2", "--autoplay", "--home", str(home)
    )
    assert program.process.stderr is not None
    for line in program.process.stderr:
        if "In the room:" in line:
            return program
    raise AssertionError("no table was opened")


def shut(host: Host, *rule: str) -> None:
    """What a firewall does that drops silently, for both families."""
    for family in ("-4", "-6"):
        ip("-n", host.namespace, family, "rule", "add", "pref", "0", *rule, "blackhole")


def test_all_is_well_and_nobody_takes_the_test_for_a_table(lan: Lan, tmp_path: Path) -> None:
    ann, ben, cem = lan(3).hosts
    open_table(ann, tmp_path / "ann")
    onlooker = cem.start("finder", "browse")
    onlooker.read_until(tables=[TITLE])
    listing = cem.launch("cli.main", "tables", "--json", "--seconds", "12")
    seen = doctor(ben, tmp_path / "ben")

    assert (seen.status, seen.report["ok"], seen.bad) == (0, True, set())
    assert seen.report["addresses"][0] == "10.77.0.2:4711"
    assert seen["network"]["state"] == seen["multicast"]["state"] == seen["self"]["state"] == "ok"
    assert set(seen["self"]["details"]["addresses"]) == {ben.v4, ben.v6, ben.link_local()}
    assert seen["multicast"]["details"]["heard_ms"]["eth0"] is not None
    assert seen["neighbours"]["state"] == "ok"
    assert (seen["tables"]["state"], seen["tables"]["details"]["table"]) == ("ok", TITLE)
    assert seen["port"]["details"]["use"] == "free"
    assert not (tmp_path / "ben").exists()

    # On the machine of the table: its port is known for ours, its home in use, and the table is its own.
    own = doctor(ann, tmp_path / "ann")
    assert own.status == 0
    assert own["port"]["details"]["use"] == "fairdeal"
    assert own["in_use"]["details"]["in_use"] is True
    assert own["self"]["state"] == own["identity"]["state"] == "ok"
    assert own["tables"]["details"]["own"] is True

    listed, _complaints = listing.process.communicate(timeout=240)
    assert [table["table"] for table in json.loads(listed)["tables"]] == [TITLE]
    onlooker.tell(refresh=True)
    ann.unplug()  # the onlooker's next news; nothing came between the two
    assert onlooker.process.stdin is not None
    onlooker.process.stdin.close()
    assert onlooker.process.stdout is not None
    news = [json.loads(line) for line in onlooker.process.stdout]
    assert all(set(each["tables"]) <= {TITLE} for each in news)


def test_a_network_without_multicast_is_not_blamed_for_sure(lan: Lan, tmp_path: Path) -> None:
    """Hearing oneself proves nothing of the network; hearing nobody is said, and no more."""
    lab = lan(2)
    ann, ben = lab.hosts
    lab.filter_multicast()
    open_table(ann, tmp_path / "ann")
    seen = doctor(ben, tmp_path / "ben")
    assert (seen.status, seen.bad) == (0, set())
    assert seen["multicast"]["state"] == "ok"
    assert seen["neighbours"]["state"] == seen["tables"]["state"] == "unknown"
    assert seen["neighbours"]["advice"]


def test_a_table_behind_a_firewall_is_seen_but_not_reached(lan: Lan, tmp_path: Path) -> None:
    ann, ben = lan(2).hosts
    open_table(ann, tmp_path / "ann")
    shut(ann, "ipproto", "tcp", "sport", "4711")  # its answers go nowhere
    seen = doctor(ben, tmp_path / "ben", "tables")
    assert (seen.status, seen.report["ok"], seen.bad) == (1, False, {"tables"})
    assert {answer["reason"] for answer in seen["tables"]["details"]["addresses"].values()} == {"silent"}
    assert "firewall" in seen["tables"]["advice"]
    # From behind it nothing is amiss: such a firewall leaves a machine's own calls alone.
    assert doctor(ann, tmp_path / "other").bad == set()


def test_a_system_that_lets_nobody_into_the_multicast_group(lan: Lan, tmp_path: Path) -> None:
    (ben,) = lan(1).hosts
    settings = ("net.ipv4.igmp_max_memberships=0", "net.ipv6.conf.all.disable_ipv6=1")
    subprocess.run(["ip", "netns", "exec", ben.namespace, "sysctl", "-qw", *settings], check=True)
    seen = doctor(ben, tmp_path / "ben", "multicast")
    assert (seen.status, seen.bad) == (1, {"multicast"})
    assert seen["multicast"]["details"]["heard_ms"] == {"eth0": None}
    assert "5353" in seen["multicast"]["advice"]
    assert seen["self"]["state"] == "ok"


def test_without_a_network_it_says_so(lan: Lan, tmp_path: Path) -> None:
    (ben,) = lan(1).hosts
    ben.unplug()
    ben.strip("eth0")
    seen = doctor(ben, tmp_path / "ben", "network")
    assert (seen.status, seen.bad) == (1, {"network"})
    assert seen.report["addresses"] == []
    assert [card["name"] for card in seen["network"]["details"]["cards"]] == ["lo"]

    ip("-n", ben.namespace, "link", "set", "lo", "down")
    ben.strip("lo")
    seen = doctor(ben, tmp_path / "ben", "network")
    assert (seen.status, seen.bad) == (1, {"network"})
    assert seen["network"]["details"]["cards"] == []


def test_cards_that_lead_elsewhere_come_after_the_one_to_friends(lan: Lan, tmp_path: Path) -> None:
    (ben,) = lan(1).hosts
    ben.add_card("docker0", "172.17.0.1/16")
    ben.add_card("tun0", "10.8.0.2/24")
    seen = doctor(ben, tmp_path / "ben")
    assert (seen.status, seen.bad) == (0, set())
    assert "tun0" in seen["vpn"]["details"]["cards"]
    assert "docker0" in seen["virtual"]["details"]["cards"]
    assert seen["network"]["details"]["cards"][0]["name"] == "eth0"
    assert seen.report["addresses"][:2] == [f"{ben.v4}:4711", f"[{ben.v6}]:4711"]
    assert "172.17.0.1:4711" not in seen.report["addresses"]
    assert seen["multicast"]["state"] == "ok"

    ip("-n", ben.namespace, "addr", "del", f"{ben.v4}/24", "dev", "eth0")
    seen = doctor(ben, tmp_path / "ben")
    assert seen["network"]["state"] == "warn"
    assert "IPv6 only" in seen["network"]["what"]
    assert seen["multicast"]["state"] == "ok"


def test_other_programs_have_the_ports(lan: Lan, tmp_path: Path) -> None:
    (ben,) = lan(1).hosts
    for words in (("tcp", "4711"), ("udp", "5353")):
        ben.start("hog", *words).read_until(ready=True)
    seen = doctor(ben, tmp_path / "ben", "multicast")
    assert (seen.status, seen.bad) == (1, {"multicast"})
    assert (seen["port"]["state"], seen["port"]["details"]["use"]) == ("warn", "taken")
    assert seen["self"]["state"] == "ok"  # tried on another port
    assert seen["multicast"]["details"]["mdns_port"] == "refused"
