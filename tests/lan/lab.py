"""A local network of several hosts on one Linux machine: network namespaces on a bridge, made and removed by a test.

Each host has an `eth0` with an IPv4 address, a global and a link-local IPv6 address. Cables can be pulled, groups parted,
two hosts walled off from each other, multicast filtered as some access points do. Run as root; `reason_not()` says what
is missing otherwise. Everything it makes carries its own prefix, and is removed with it; processes it started are ended.
"""

from __future__ import annotations

import ctypes
import itertools
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
SETTINGS = (
    "net.ipv6.conf.all.accept_dad=0",
    "net.ipv6.conf.default.accept_dad=0",  # so that addresses can be used at once
    "net.ipv6.conf.default.router_solicitations=0",
)
_labs = itertools.count(1)


def ip(*words: str) -> str:
    """Runs `ip`; its complaint becomes the exception's text."""
    done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise OSError(f"ip {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


@cache
def reason_not() -> str | None:
    """Why no network can be made here; None if it can."""
    if sys.platform != "linux":
        return "network namespaces are Linux's"
    if shutil.which("ip") is None or shutil.which("bridge") is None:
        return "needs `ip` and `bridge` (iproute2)"
    if os.geteuid() != 0:
        return "needs root, to make network namespaces"
    probe = f"fairdeal-probe-{os.getpid()}"
    try:
        ip("netns", "add", probe)
    except OSError as fault:
        return f"needs the right to make network namespaces (CAP_SYS_ADMIN): {fault}"
    try:
        ip("-n", probe, "link", "add", "br0", "type", "bridge")
        ip("-n", probe, "link", "add", "v0", "type", "veth", "peer", "name", "v1")
    except OSError as fault:
        return f"needs bridges and veth pairs: {fault}"
    finally:
        ip("netns", "del", probe)
    return None


class Program:
    """A process on a host, which talks in lines of JSON."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def read(self) -> dict[str, Any]:
        """The next line; AssertionError with what it complained about if there is none."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            assert self.process.stderr is not None
            raise AssertionError(f"the program ended: {self.process.stderr.read()}")
        value = json.loads(line)
        assert isinstance(value, dict)
        return value

    def read_until(self, **wanted: object) -> dict[str, Any]:
        """The first line that has these values."""
        while True:
            line = self.read()
            if wanted.items() <= line.items():
                return line

    def tell(self, **values: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(values) + "\n")
        self.process.stdin.flush()

    def end(self) -> str:
        """Closes its input, waits, and returns what it wrote to standard error."""
        _, complaints = self.process.communicate(timeout=240)
        return complaints


class Host:
    """One machine: `v4`, `v6` are its addresses."""

    def __init__(self, lab: Lab, number: int) -> None:
        self._lab = lab
        self._programs: list[subprocess.Popen[Any]] = []
        self.number = number
        self.namespace = f"{lab.prefix}h{number}"
        self.port = f"p{number}"  # the switch's end of its cable
        self.v4 = f"10.77.0.{number}"
        self.v6 = f"fd77::{number}"

    def start(self, program: str, *words: str) -> Program:
        """Runs a Python program of tests/lan/ on this host."""
        return self.launch(f"tests.lan.{program}", *words)

    def launch(self, module: str, *words: str) -> Program:
        """Runs any Python module on this host."""
        command = ["ip", "netns", "exec", self.namespace, sys.executable, "-m", module, *words]
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
        )
        self._programs.append(process)
        return Program(process)

    def adopt(self, process: subprocess.Popen[Any]) -> None:
        """End this process, too, when the lab is removed."""
        self._programs.append(process)

    def link_local(self) -> str:
        shown = json.loads(ip("-n", self.namespace, "-j", "addr", "show", "dev", "eth0"))
        return next(str(a["local"]) for a in shown[0]["addr_info"] if a["family"] == "inet6" and a["scope"] == "link")

    def address(self) -> None:
        ip("-n", self.namespace, "addr", "replace", f"{self.v4}/24", "brd", "+", "dev", "eth0")
        ip("-n", self.namespace, "addr", "replace", f"{self.v6}/64", "dev", "eth0", "nodad")

    def unplug(self) -> None:
        """Pulls the cable: the card sees it."""
        ip("-n", self.namespace, "link", "set", "eth0", "down")

    def strip(self, card: str) -> None:
        """Takes all addresses from a card, as a machine does that has lost its network."""
        ip("-n", self.namespace, "addr", "flush", "dev", card)

    def plug(self) -> None:
        ip("-n", self.namespace, "link", "set", "eth0", "up")
        self.address()

    def add_card(self, name: str, cidr: str) -> None:
        """A further card that leads nowhere, as containers and VPNs bring."""
        ip("-n", self.namespace, "link", "add", name, "type", "veth", "peer", "name", f"{name}x")
        ip("-n", self.namespace, "addr", "add", cidr, "dev", name)
        for end in (name, f"{name}x"):
            ip("-n", self.namespace, "link", "set", end, "up")

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Sockets that this thread makes meanwhile are this host's."""
        with open("/proc/thread-self/ns/net") as outside, open(f"/var/run/netns/{self.namespace}") as here:
            _enter(here.fileno())
            try:
                yield
            finally:
                _enter(outside.fileno())

    def end_programs(self) -> None:
        for process in self._programs:
            process.kill()
            for pipe in (process.stdin, process.stdout, process.stderr):
                if pipe is not None:
                    with suppress(BrokenPipeError):
                        pipe.close()
            process.wait()


def _enter(namespace: int) -> None:
    """Let this thread be in a network namespace, by its file descriptor (setns(2); `os.setns` came with Python 3.12)."""
    if ctypes.CDLL(None, use_errno=True).setns(namespace, 0):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


class Lab:
    """Hosts on one switch."""

    def __init__(self, count: int) -> None:
        self.prefix = f"fd{os.getpid()}x{next(_labs)}"
        self.switch = f"{self.prefix}sw"
        self.hosts = [Host(self, number) for number in range(1, count + 1)]

    def build(self) -> None:
        ip("netns", "add", self.switch)
        self._bridge("br0")
        for host in self.hosts:
            ip("netns", "add", host.namespace)
            subprocess.run(["ip", "netns", "exec", host.namespace, "sysctl", "-qw", *SETTINGS], check=True)
            ip("-n", host.namespace, "link", "set", "lo", "up")
            cable = ("link", "add", host.port, "type", "veth", "peer", "name", "eth0", "netns", host.namespace)
            ip("-n", self.switch, *cable)
            ip("-n", self.switch, "link", "set", host.port, "master", "br0", "up")
            host.plug()
        self._settle()

    def _bridge(self, name: str) -> None:
        ip("-n", self.switch, "link", "add", name, "type", "bridge", "mcast_snooping", "0", "forward_delay", "0")
        ip("-n", self.switch, "link", "set", name, "up")

    def _settle(self) -> None:
        """Waits until the last host's link-local address is there."""
        until = time.monotonic() + 60
        while time.monotonic() < until:
            shown = ip("-n", self.hosts[-1].namespace, "-6", "addr", "show", "dev", "eth0", "scope", "link")
            if "fe80" in shown and "tentative" not in shown:
                return
            time.sleep(0.01)
        raise TimeoutError("the hosts got no link-local addresses")

    def part(self, *groups: Sequence[Host]) -> None:
        """Only hosts of one group reach each other; one group of all heals it."""
        for number, group in enumerate(groups):
            bridge = f"br{number}"
            if bridge not in ip("-n", self.switch, "-br", "link"):
                self._bridge(bridge)
            for host in group:
                ip("-n", self.switch, "link", "set", host.port, "master", bridge)

    def wall_off(self, *hosts: Host, up: bool = True) -> None:
        """These cannot reach each other, but all others, as with clients of an access point that isolates them."""
        for host in hosts:
            self._port(host, "isolated", up)

    def filter_multicast(self, *, on: bool = True) -> None:
        """Multicast does not pass any more, and with it neither mDNS nor IPv6; broadcasts and IPv4 do."""
        for host in self.hosts:
            self._port(host, "mcast_flood", not on)

    def _port(self, host: Host, flag: str, value: bool) -> None:
        words = ["bridge", "-n", self.switch, "link", "set", "dev", host.port, flag, "on" if value else "off"]
        subprocess.run(words, check=True, capture_output=True)

    def remove(self) -> None:
        for host in self.hosts:
            host.end_programs()
        there = ip("netns", "list").split()
        for namespace in (*(host.namespace for host in self.hosts), self.switch):
            if namespace in there:
                ip("netns", "del", namespace)


@contextmanager
def hosts_on_a_lan(count: int) -> Iterator[Lab]:
    lab = Lab(count)
    try:
        lab.build()
        yield lab
    finally:
        lab.remove()
