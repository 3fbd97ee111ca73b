"""Tables as the lobby lists them, from what anybody may announce."""

from __future__ import annotations

import pytest

from cli.finding import rows
from cli.words import load_words
from cli.words.options import announced_rules
from p2p.announcements import Sighting


def seen(name: str, **said: str) -> Sighting:
    return Sighting(name, ((name, 4711),), said)


def table(title: str, state: str = "open", taken: str = "1", **more: str) -> Sighting:
    return seen(title, id=title, table=title, game="tichu", seats="4", taken=taken, state=state, **more)


def test_open_seats_come_first_then_what_is_played_then_the_full() -> None:
    found = rows(
        [table("full", taken="4"), table("paused", "paused", "4"), table("b"), table("a", "playing", "4"), table("C")]
    )
    assert [row.title for row in found] == ["b", "C", "a", "paused", "full"]


def test_what_is_announced_for_people_is_read() -> None:
    (row,) = rows([table("Kitchen", "paused", "4", host="Mia", players="Mia,Jonas", away="Jonas", score="240:-185")])
    assert (row.host, row.players, row.away, row.score) == ("Mia", ("Mia", "Jonas"), ("Jonas",), (240, -185))


def test_an_announcement_without_names_is_a_row_without_names() -> None:
    (row,) = rows([table("Kitchen")])
    assert (row.host, row.players, row.away, row.score) == ("", (), (), ())


def test_what_a_stranger_announces_stays_in_bounds() -> None:
    (row,) = rows([table("K", host="\x1b[31mMia\u202e", players=",,\u200b," + "x," * 400, score="1:two", away="\n")])
    assert row.host == "[31mMia"
    assert len(row.players) <= 16
    assert (row.score, row.away) == ((), ())


def test_one_row_a_table_and_the_seat_that_lost_all_others_has_no_say() -> None:
    lost = seen(
        "192.0.2.1", id="t", table="T", game="tichu", seats="4", taken="4", state="paused", away="A,B,C", key="aa"
    )
    fine = seen("192.0.2.2", id="t", table="T", game="tichu", seats="4", taken="4", state="playing", key="bb")
    for order in ([lost, fine], [fine, lost]):
        (row,) = rows(order)
        assert (row.state, row.away) == ("playing", ())
        assert {host for host, _port in row.addresses} == {"192.0.2.1", "192.0.2.2"}
        assert row.keys == ("aa", "bb")


def test_rules_are_read_as_pairs_and_not_trusted() -> None:
    (row,) = rows([table("K", rules="draw=one,nonsense,target=200,time=20,=,a=b=c")])
    assert row.rules == (("draw", "one"), ("target", "200"), ("time", "20"), ("", ""), ("a", "b=c"))
    (row,) = rows([table("K")])
    assert row.rules is None
    (row,) = rows([table("K", rules="")])
    assert row.rules == ()
    words = load_words("en")
    odd = (("draw", "one"), ("target", "200"), ("time", "20"), ("time", "9" * 30), ("target", "-1"), ("hat", "red"))
    understood = "Drawing: one card a turn · Match to: 200 points · Time: 20 s a turn"
    assert announced_rules(words, "crazy-eights", odd) == understood
    assert announced_rules(words, "crazy-eights", ()) == "Match to: 100 points"
    told = (("suggest", "false"), ("remind", "false"), ("suggest", "maybe"))
    assert announced_rules(words, "macau-wars", told).endswith(
        "Hints: only what is allowed · Last-card reminder: none, who forgets pays"
    )
    assert "reminder" not in announced_rules(words, "tichu", told), "there is no such word"
    assert announced_rules(words, "poker", told) == ""


@pytest.mark.parametrize("value", ["--5", "-", "", "9" * 200, "\u00b2", "{n}", "null", "5-5", "-1"])
def test_a_stranger_announces_numbers_that_are_none(value: str) -> None:
    words = load_words("en")
    (row,) = rows([table("K", rules=f"hand={value},target={value},time={value}")])
    assert announced_rules(words, "crazy-eights", row.rules or ()) == "Match to: 100 points"
