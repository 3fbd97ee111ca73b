"""Seats on several hosts reach each other, round walls and after broken cables."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.lan.lab import Host, Lab, Program

pytestmark = pytest.mark.netns

Lan = Callable[[int], Lab]


def seat(host: Host, place: int, count: int) -> Program:
    program = host.start("peer", str(place), str(count))
    program.read_until(ready=True)
    return program


def seats(lab: Lab) -> list[Program]:
    """A seat on each host, the smallest key on the first; all want all, and know their addresses."""
    made = [seat(host, place, len(lab.hosts)) for place, host in enumerate(lab.hosts)]
    for place, program in enumerate(made):
        program.tell(want={str(o): [h.v4, h.v6] for o, h in enumerate(lab.hosts) if o != place})
    return made


def test_what_two_cannot_send_each_other_a_third_passes_on(lan: Lan) -> None:
    lab = lan(4)
    lab.wall_off(lab.hosts[0], lab.hosts[3])
    programs = seats(lab)
    programs[0].read_until(seat=3, way="relayed", via=1)
    programs[3].read_until(seat=0, way="relayed", via=1)
    programs[0].tell(to=3, send="hello over the wall")
    programs[3].read_until(seat=0, heard="hello over the wall")
    lab.wall_off(lab.hosts[0], lab.hosts[3], up=False)
    programs[0].read_until(seat=3, way="direct")
    programs[3].read_until(seat=0, way="direct")
    assert [program.end() for program in programs] == [""] * 4


@pytest.mark.slow
def test_a_pulled_cable_is_noticed_and_its_return_too(lan: Lan) -> None:
    lab = lan(2)
    first, second = seats(lab)
    first.read_until(seat=1, way="direct")
    second.read_until(seat=0, way="direct")
    lab.hosts[1].unplug()
    first.read_until(seat=1, way="none")
    second.read_until(seat=0, way="none")
    lab.hosts[1].plug()
    first.read_until(seat=1, way="direct")
    second.read_until(seat=0, way="direct")
    second.tell(to=0, send="back")
    first.read_until(seat=1, heard="back")
    assert first.end() == second.end() == ""


def test_an_address_reaches_where_multicast_does_not_and_over_any_family(lan: Lan) -> None:
    lab = lan(2)
    one, two = lab.hosts
    first, second = seat(one, 0, 2), seat(two, 1, 2)
    first.tell(want={"1": []})
    second.tell(want={"0": [one.link_local()]})  # without a scope, as it comes in announcements
    first.read_until(seat=1, way="direct")
    assert first.end() == second.end() == ""
    lab.filter_multicast()
    first, second = seats(lab)
    first.read_until(seat=1, way="direct")
    second.read_until(seat=0, way="direct")
    assert first.end() == second.end() == ""
