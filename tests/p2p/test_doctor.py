"""What the doctor sees of the network, on this machine; tests/lan has the cases that need several."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Mapping
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from p2p import doctor
from p2p.announcements import Sighting
from p2p.discovery import Announcer, Browser
from p2p.doctor import PortUse, active_firewalls, call_own_addresses, check_discovery
from p2p.interfaces import Address, Interface, interfaces, own_hosts
from p2p.mesh import Mesh
from p2p.network_adapters import Adapter, AdapterKind, adapters_of, for_friends, is_offline, kind_of
from p2p.probing import MAX_PROBES, ProbeResult, probe
from p2p.tcp import TcpLinks
from tests.p2p.aio import people, run

LO = Adapter("lo", AdapterKind.LOOPBACK, ("127.0.0.1",))


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        *[
            (name, AdapterKind.ROOM)
            for name in ("eth0", "enp3s0", "wlan0", "wlp2s0", "en0", "WLAN", "Wi-Fi", "Ethernet 2")
        ],
        *[(name, AdapterKind.ROOM) for name in ("Intel(R) Wi-Fi 6 AX201 160MHz", "Realtek PCIe GbE Family Controller")],
        *[
            (name, AdapterKind.TUNNEL)
            for name in ("tun0", "wg0", "wg-home", "utun4", "tailscale0", "ppp0", "zt5u4yxabc")
        ],
        *[(name, AdapterKind.TUNNEL) for name in ("WireGuard Tunnel", "TAP-Windows Adapter V9", "Tailscale")],
        *[(name, AdapterKind.VIRTUAL) for name in ("docker0", "br-8fa34c", "veth12ab", "virbr0", "vmnet8", "vboxnet0")],
        *[(name, AdapterKind.VIRTUAL) for name in ("vEthernet (WSL)", "Hyper-V Virtual Ethernet Adapter")],
        *[(name, AdapterKind.DIRECT) for name in ("awdl0", "llw0")],
        *[(name, AdapterKind.LOOPBACK) for name in ("lo", "lo0", "Software Loopback Interface 1")],
    ],
)
def test_cards_are_known_by_their_names(name: str, kind: AdapterKind) -> None:
    assert kind_of(name) is kind


def card(name: str, host: str) -> Interface:
    return Interface(name, 1, host, 24)


def test_the_card_to_friends_comes_first() -> None:
    found = [
        card("docker0", "172.17.0.1"),
        card("eth0", "fe80::1"),
        card("eth0", "192.168.1.23"),
        card("lo", "127.0.0.1"),
        card("tun0", "10.8.0.2"),
    ]
    assert [each.name for each in adapters_of(found)] == ["eth0", "tun0", "docker0", "lo"]
    assert adapters_of(found)[0].hosts == ("192.168.1.23", "fe80::1")
    assert own_hosts(for_friends(found)) == ("192.168.1.23", "fe80::1", "10.8.0.2")
    assert own_hosts(for_friends([found[0], found[3]])) == ("172.17.0.1",)


def test_an_address_that_a_card_gave_itself_is_none() -> None:
    assert not Adapter("eth0", AdapterKind.ROOM, ("169.254.7.7", "fe80::1")).is_numbered
    assert Adapter("eth0", AdapterKind.ROOM, ("169.254.7.7", "fd00::2")).is_numbered


def a_free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as sock:
        return int(sock.getsockname()[1])


@pytest.mark.sockets
def test_this_machine_calls_itself_on_a_free_port() -> None:
    for _ in range(5):  # another program may take it in between
        use, own = run(call_own_addresses(a_free_port()))
        if use is PortUse.FREE:
            break
    assert use is PortUse.FREE
    assert set(own) == set(own_hosts(interfaces()))
    assert all(answer.ms is not None for answer in own.values()), own


@pytest.mark.sockets
def test_another_program_on_the_port_is_told_from_ours() -> None:
    async def scene() -> None:
        with ExitStack() as stack:
            sock = stack.enter_context(closing(socket.create_server(("", 0))))
            use, own = await call_own_addresses(sock.getsockname()[1])
            assert use is PortUse.TAKEN
            assert all(answer.ms is not None for answer in own.values())  # tried on another port

        (own_key,) = people(1)

        async def is_ours(answer: str | None) -> bool:
            mesh = Mesh(TcpLinks(own_key), {}, lambda *_: None, lambda _: None, on_stranger=lambda *_: answer)
            port = await mesh.listen(0)
            use, _own = await call_own_addresses(port)
            await mesh.close()
            return use is PortUse.FAIRDEAL

        assert await is_ours(None)
        assert await is_ours("closed")  # it turns strangers away

    run(scene())


@pytest.mark.sockets
def test_a_knock_tells_a_listener_from_a_closed_door() -> None:
    async def scene() -> None:
        with closing(socket.create_server(("127.0.0.1", 0))) as sock:
            where = ("127.0.0.1", int(sock.getsockname()[1]))
            assert (await probe(where)).ms is not None
        assert (await probe(where)).reason == "refused"

    run(scene())


@pytest.mark.sockets
def test_what_is_announced_for_the_test_is_heard_by_oneself_and_no_table_to_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names: list[str] = []

    class Named(Announcer):
        async def start(self, port: int, properties: Mapping[str, str]) -> None:
            names.append(self.name)
            await super().start(port, properties)

    monkeypatch.setattr("p2p.doctor.Announcer", Named)

    async def scene() -> None:
        friend = Browser(only=("127.0.0.1",))
        await friend.start()
        seen: list[Sighting] = []

        async def watch() -> None:
            async for sightings in friend.changes():
                seen.extend(sightings)

        watching = asyncio.create_task(watch())
        heard: dict[str, float | None] = {"lo": None}
        try:
            while heard["lo"] is None:  # any packet may get lost
                heard, _sightings, _answers = await check_discovery([LO], 1.5)
        finally:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
            await friend.close()
        assert heard["lo"] is not None
        assert names and not {one.name for one in seen}.intersection(names)  # other tests announce tables here

    run(scene())


@pytest.mark.sockets
def test_without_cards_nothing_is_heard_and_nothing_fails() -> None:
    assert run(check_discovery([], 0.2))[0] == {}


def test_firewalls_are_seen_by_what_anybody_may_read(tmp_path: Path) -> None:
    assert active_firewalls(tmp_path) == ()
    (tmp_path / "etc/ufw").mkdir(parents=True)
    conf = tmp_path / "etc/ufw/ufw.conf"
    conf.write_text("# ENABLED=yes\nENABLED=no\nLOGLEVEL=low\n")
    assert active_firewalls(tmp_path) == ()
    conf.write_text("ENABLED=yes\n")
    assert active_firewalls(tmp_path) == ("ufw",)
    os.makedirs(tmp_path / "sys/fs/cgroup/system.slice/firewalld.service")
    assert active_firewalls(tmp_path) == ("firewalld", "ufw")


def test_where_nobody_may_look_no_firewall_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "exists", refuse)
    assert active_firewalls(tmp_path) == ()


@pytest.mark.sockets
def test_a_stranger_cannot_have_us_knock_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Announced are 4096 addresses near by and one far off: a few are tried, and nothing leaves our own networks."""
    far = ("198.51.100.7", 80)
    near = [(f"127.0.{table}.{number}", 80) for table in range(256) for number in range(1, 17)]
    listed = tuple(Sighting(str(at), (far, *near[at * 16 : at * 16 + 15]), {}) for at in range(256))
    knocked: list[Address] = []

    async def probes(address: Address) -> ProbeResult:
        knocked.append(address)
        return ProbeResult(None, "silent")

    monkeypatch.setattr(doctor, "probe", probes)
    monkeypatch.setattr(doctor.RecordingBrowser, "sightings", property(lambda _: listed))
    _heard, _sightings, answers = run(check_discovery([], 0.2))
    assert len(knocked) == len(answers) == MAX_PROBES
    assert far not in knocked


@pytest.mark.parametrize(
    ("names", "down", "offline"),
    [
        ((), (), True),
        (("eth0",), (), False),
        (("eth0",), ("eth0",), True),
        (("eth0", "wlan0"), ("eth0",), False),
        (("eth0", "docker0", "tun0"), ("eth0",), True),
        (("docker0",), (), False),
    ],
)
def test_offline_is_whose_likeliest_adapters_have_no_link(
    names: tuple[str, ...], down: tuple[str, ...], offline: bool
) -> None:
    found = [Interface("lo", 1, "127.0.0.1", 8)]
    found += [Interface(name, 2 + index, f"10.0.{index}.2", 24) for index, name in enumerate(names)]
    assert is_offline(found, lambda name: name in down) is offline
