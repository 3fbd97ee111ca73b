"""Budgets: what may be spent at once and in the long run, who waits, who is cut, and who gives way."""

from __future__ import annotations

import pytest

from p2p import budgets
from p2p.budgets import ALLOWANCES, Bucket, Buckets, Meter, PassedOn, PeerRank, Rate, gives_way
from p2p.waiting_line import (
    HOST_OPENINGS,
    MAX_OPENINGS,
    MAX_OPENINGS_PER_HOST,
    MAX_WAITING,
    MAX_WAITING_PER_HOST,
    OVERDUE_S,
    WASTED_OPENINGS,
    WaitingLine,
)


def test_a_bucket_gives_its_burst_at_once_and_then_its_rate() -> None:
    bucket = Bucket(Rate(10, 5), 100.0)
    assert [bucket.spend(1, 100.0) for _ in range(5)] == [0.0] * 5
    assert bucket.spend(1, 100.0) == pytest.approx(0.1)
    assert bucket.spend(1, 100.0) == pytest.approx(0.2)
    assert bucket.debt_s(100.2) == pytest.approx(0.0)
    assert bucket.spend(5, 200.0) == 0.0  # it never holds more than its burst
    assert bucket.spend(1, 200.0) == pytest.approx(0.1)


def test_a_clock_that_stands_still_or_goes_back_gives_nothing() -> None:
    bucket = Bucket(Rate(10, 1), 100.0)
    bucket.spend(1, 100.0)
    assert bucket.spend(1, 99.0) == pytest.approx(0.1)


def test_hosts_are_forgotten_but_not_the_busy_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "MAX_BUCKETS", 10)
    buckets: Buckets[int] = Buckets(Rate(1, 2))
    buckets.spend(-1, 1000, 0.0)
    for host in range(1000):
        buckets.spend(host, 1, host * 0.01)
        buckets.spend(-1, 0, host * 0.01)
    assert len(buckets) <= 10
    assert buckets.debt_s(-1, 10.0) > 900


@pytest.mark.parametrize("standing", [PeerRank.LOOKER, PeerRank.WATCHER, PeerRank.MEMBER])
def test_who_is_held_back_for_long_is_cut(standing: PeerRank) -> None:
    meter, now, frames = Meter(0.0), 0.0, 0
    while (wait_s := meter.spend(standing, 2, False, now)) is not None:
        now, frames = now + wait_s, frames + 1
    patience_s = ALLOWANCES[standing].patience_s
    assert patience_s is not None
    assert patience_s <= now <= patience_s * 1.3
    assert frames <= ALLOWANCES[standing].frames.burst + ALLOWANCES[standing].frames.per_s * now + 1


def test_whose_connection_was_wasted_waits_for_the_next_and_nobody_else_does() -> None:
    line: WaitingLine[int] = WaitingLine(0.0)
    for count in range(8):  # eight at once
        line.charge("192.0.2.66", 0.0)
        line.add("192.0.2.66", count)
    assert line.next({}, 0.0) is None
    assert 0 < line.wait_s(0.0) <= 2 * WASTED_OPENINGS / HOST_OPENINGS.per_s
    line.add("192.0.2.1", 9)
    assert line.next({}, 0.0) == ("192.0.2.1", 9)
    assert line.next({}, line.wait_s(0.0) + 0.01) == ("192.0.2.66", 7)


def test_a_relay_may_say_as_much_as_it_passes_on() -> None:
    """Its link is held back for both together."""
    seat = ALLOWANCES[PeerRank.SEAT].frames
    assert 2 * budgets.PASSED_ON.per_s <= seat.per_s
    assert 2 * budgets.PASSED_ON.burst <= seat.burst
    passed, frames = PassedOn(), 0
    for _ in range(20_000):
        frames += passed.takes(b"flooder", b"target", 0.0)
    assert frames <= budgets.PASSED_ON_FOR_ONE.burst + 1
    for _ in range(4000):  # another author's words are not dropped for that
        assert passed.takes(b"honest", b"target", 0.0)


def test_a_seat_is_held_back_and_never_cut() -> None:
    meter, now = Meter(0.0), 0.0
    for _ in range(200_000):
        wait_s = meter.spend(PeerRank.SEAT, 100, True, now)
        assert wait_s is not None
        now += wait_s
    assert now > 100


def test_who_becomes_a_member_has_a_members_budget() -> None:
    meter = Meter(0.0)
    for _ in range(8):
        meter.spend(PeerRank.LOOKER, 100, True, 0.0)
    assert [meter.spend(PeerRank.MEMBER, 100, True, 0.0) for _ in range(25)] == [0.0] * 25


def test_the_oldest_of_the_host_with_the_most_places_gives_way() -> None:
    holders = [(1, "a"), (2, "b"), (3, "a"), (4, "a"), (5, "b")]
    assert gives_way(holders, "c") == 1
    assert gives_way(holders, "a") == 1
    assert gives_way(holders, "b") is None  # it would only trade places
    assert gives_way([(1, "a"), (2, "b")], "c") is None
    assert gives_way([], "c") is None


def test_hosts_take_turns_however_long_their_lines_are() -> None:
    line: WaitingLine[str] = WaitingLine(0.0)
    for number in range(1000):
        line.add("flood", f"flood {number}")
    assert line.add("friend", "friend") is None
    begun = [line.next({}, 0.0) for _ in range(2)]
    assert ("friend", "friend") in begun


def test_the_line_is_short_and_the_host_with_most_in_it_loses() -> None:
    line: WaitingLine[str] = WaitingLine(0.0)
    gone = [line.add(f"flood {number % 3}", f"{number}") for number in range(1000)]
    assert len(line) == MAX_WAITING
    assert sum(one is not None for one in gone) == 1000 - MAX_WAITING
    assert line.add("friend", "friend") not in (None, "friend")
    single: WaitingLine[int] = WaitingLine(0.0)
    for number in range(1000):
        single.add("flood", number)
    assert len(single) == MAX_WAITING_PER_HOST


def test_a_host_has_so_many_openings_at_once_and_so_many_a_second() -> None:
    line: WaitingLine[int] = WaitingLine(0.0)
    begun, now = 0, 0.0
    while now < 20:
        for number in range(10):
            line.add("flood", number)
        while line.next({}, now) is not None:
            begun += 1
        now += 0.05
    assert begun <= HOST_OPENINGS.burst + 20 * HOST_OPENINGS.per_s + 1
    line.add("other", 1)
    assert line.next({"other": MAX_OPENINGS_PER_HOST}, 100.0) is not None  # the flood's turn
    assert line.next({"flood": MAX_OPENINGS, "other": 0}, 100.0) is None


def test_openings_that_take_long_give_way_only_to_those_who_wait() -> None:
    line: WaitingLine[int] = WaitingLine(0.0)
    openings = {number: ("flood", number * 0.01) for number in range(MAX_OPENINGS_PER_HOST)}
    assert line.overdue(openings, 10.0) is None
    line.add("friend", 1)
    assert line.overdue(openings, 10.0) is None  # there is room for the friend
    line.add("flood", 2)
    assert line.overdue(openings, OVERDUE_S / 2) is None
    assert line.overdue(openings, 10.0) == 0


def test_talk_that_nobody_can_read_is_not_shown() -> None:
    """A person sends a few lines at once; a modified client thousands."""
    talk: Buckets[int] = Buckets(budgets.TALK)
    shown = sum(talk.spend(1, 1, number / 500) == 0.0 for number in range(4000))
    assert shown <= budgets.TALK.burst + 8 * budgets.TALK.per_s
    assert talk.spend(2, 1, 8.0) == 0.0
