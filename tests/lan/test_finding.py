"""Tables are found across hosts: at once, later, and when the network comes back."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.lan.lab import Host, Lab, Program, ip

pytestmark = pytest.mark.netns

Lan = Callable[[int], Lab]


def finder(host: Host, what: str) -> Program:
    program = host.start("finder", what)
    program.read_until(ready=True)
    return program


def announce(announcer: Program, table: str) -> None:
    announcer.tell(start=7001, table=table)
    announcer.read()


def card_number(host: Host) -> int:
    number = json.loads(ip("-n", host.namespace, "-j", "link", "show", "eth0"))[0]["ifindex"]
    assert isinstance(number, int)
    return number


def test_what_one_host_announces_another_sees_at_once(lan: Lan) -> None:
    one, two = lan(2).hosts
    browser, announcer = finder(two, "browse"), finder(one, "announce")
    browser.tell(mute=True)
    browser.read_until(muted=True)
    announce(announcer, "Ann's")
    browser.read_until(tables=["Ann's"])
    announcer.tell(table="Ben's")
    seen = browser.read_until(tables=["Ben's"])
    hosts = {one.v4, one.v6, f"{one.link_local()}%{card_number(two)}"}
    assert {tuple(address) for address in seen["addresses"]} == {(host, 7001) for host in hosts}
    assert announcer.end() == ""
    browser.read_until(tables=[])
    assert browser.end() == ""


def test_a_browser_that_comes_later_finds_what_is_there(lan: Lan) -> None:
    one, two = lan(2).hosts
    announcer = finder(one, "announce")
    announce(announcer, "Ann's")
    browser = finder(two, "browse")
    browser.read_until(tables=["Ann's"])
    assert announcer.end() == browser.end() == ""


@pytest.mark.slow
def test_a_cable_that_is_plugged_in_late_is_noticed_on_both_sides(lan: Lan) -> None:
    """Neither has a network when it starts; nobody tells them when it is there."""
    one, two = lan(2).hosts
    for host in (one, two):
        host.unplug()
        host.strip("eth0")
    browser, announcer = finder(two, "browse"), finder(one, "announce")
    announce(announcer, "Ann's")
    for host in (one, two):
        host.plug()
    browser.read_until(tables=["Ann's"])
    assert announcer.end() == browser.end() == ""


def test_a_network_that_heals_is_noticed_without_any_sign_from_the_cards(lan: Lan) -> None:
    lab = lan(2)
    one, two = lab.hosts
    lab.part([one], [two])
    browser, announcer = finder(two, "browse"), finder(one, "announce")
    announce(announcer, "Ann's")
    lab.part([one, two])
    browser.tell(refresh=True)
    browser.read_until(tables=["Ann's"])
    assert announcer.end() == browser.end() == ""


def test_a_machine_without_any_address_runs_on_without_a_complaint(lan: Lan) -> None:
    (one,) = lan(1).hosts
    one.strip("eth0")
    one.strip("lo")
    browser, announcer = finder(one, "browse"), finder(one, "announce")
    announce(announcer, "Ann's")
    announcer.tell(table="Ben's")
    announcer.read_until(updated=True)
    browser.read_until(tables=[])
    assert announcer.end() == browser.end() == ""


def test_two_clients_on_a_machine_with_loopback_alone_find_each_other(lan: Lan) -> None:
    (one,) = lan(1).hosts
    one.strip("eth0")
    browser, announcer = finder(one, "browse"), finder(one, "announce")
    announce(announcer, "Ann's")
    assert browser.read_until(tables=["Ann's"])["addresses"] == [["127.0.0.1", 7001]]
    assert announcer.end() == browser.end() == ""
