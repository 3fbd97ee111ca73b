"""Tables as the lobby lists them, from what anybody may announce."""

from __future__ import annotations

import asyncio
import io
import itertools
import socket
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from cli.client import discovery as finding
from cli.client.discovery import addresses_to_probe, called, reachable
from cli.console import Terminal
from cli.context import Context
from cli.faults import NobodyThere, WrongUse
from cli.games.options import announced_rules
from cli.news import FoundTable, TableSeen, is_busy, is_free
from cli.text import Translator, load_translator
from cli.view.lobby import LobbyModel
from p2p.announcements import Sighting
from p2p.introductions import Introductions
from p2p.probing import MAX_PROBES
from protocol.values import replace
from tests.adversaries.declared import By, attack
from tests.p2p.aio import until


def rows(sightings: Sequence[Sighting], proved: Callable[[Sighting], bool | None] = lambda _: True) -> list[FoundTable]:
    return finding.rows(sightings, proved)


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


@attack(
    By.STRANGER,
    "A stranger announces a friend’s match with its ID and everything else changed.",
    "In the list of tables: it gets a row of its own, marked as another of the same name, until it proves"
    " that it has a seat in that match.",
)
def test_who_does_not_prove_a_seat_is_in_nobodys_row() -> None:
    def said(host: str, key: str, name: str) -> Sighting:
        return seen(host, id="t", table=name, game="tichu", seats="4", taken="4", state="playing", host=name, key=key)

    mia, jonas, false = (
        said("192.0.2.1", "aa", "Mia"),
        said("192.0.2.2", "bb", "Mia"),
        said("192.0.2.9", "cc", "Mallory"),
    )
    for order in itertools.permutations([mia, jonas, false]):
        found = {row.host: row for row in rows(order, lambda each: each is not false)}
        assert found.keys() == {"Mia", "Mallory"}
        assert found["Mia"].keys == ("aa", "bb") and found["Mallory"].keys == ("cc",)
        assert {host for host, _port in found["Mia"].addresses} == {"192.0.2.1", "192.0.2.2"}
        assert found["Mia"].name != found["Mallory"].name
        assert len(rows(order, lambda _: False)) == 3


@pytest.mark.parametrize("name", ["kitchen", "Kitchen\u200b", "\u041aitchen", "Kitchеn", "K\uff49tchen"], ids=ascii)
def test_a_table_whose_name_looks_like_anothers_is_marked(name: str) -> None:
    tables = rows([seen("192.0.2.1", id="a", table="Kitchen"), seen("192.0.2.9", id="b", table=name)])
    model: Any = SimpleNamespace(tables=tables)
    assert all(LobbyModel._namesakes(model, each) for each in tables)
    other = SimpleNamespace(
        tables=rows([seen("192.0.2.1", id="a", table="Kitchen"), seen("192.0.2.9", id="b", table="K")])
    )
    assert not any(LobbyModel._namesakes(cast(Any, other), each) for each in other.tables)


def test_of_whom_it_is_not_known_yet_one_is_shown_until_somebody_has_proved_it() -> None:
    first, second = (seen(f"192.0.2.{n}", id="t", table="T", state="playing", key=f"{n}") for n in (1, 2))
    assert [row.keys for row in rows([first, second], lambda _: None)] == [("1",)]
    assert [row.keys for row in rows([first, second], lambda each: True if each is second else None)] == [("2",)]


def test_who_only_says_where_a_seat_is_has_no_row() -> None:
    assert not rows([seen("192.0.2.1", v="2", key="aa")])


def test_rules_are_read_as_pairs_and_not_trusted() -> None:
    (row,) = rows([table("K", rules="draw=one,nonsense,target=200,time=20,=,a=b=c")])
    assert row.rules == (("draw", "one"), ("target", "200"), ("time", "20"), ("", ""), ("a", "b=c"))
    (row,) = rows([table("K")])
    assert row.rules is None
    (row,) = rows([table("K", rules="")])
    assert row.rules == ()
    words = load_translator("en")
    odd = (("draw", "one"), ("target", "200"), ("time", "20"), ("time", "9" * 30), ("target", "-1"), ("hat", "red"))
    understood = "Drawing: one card a turn · Play to: 200 points · Time: 20 s a turn"
    assert announced_rules(words, "crazy-eights", odd) == understood
    assert announced_rules(words, "crazy-eights", ()) == "Play to: 100 points"
    told = (("suggest", "false"), ("remind", "false"), ("suggest", "maybe"))
    assert announced_rules(words, "macau-wars", told).endswith(
        "Hints: playable cards only · Last-card reminder: no (forgetting costs)"
    )
    assert "reminder" not in announced_rules(words, "tichu", told), "there is no such word"
    assert announced_rules(words, "poker", told) == ""


@pytest.mark.parametrize("value", ["--5", "-", "", "9" * 200, "\u00b2", "{n}", "null", "5-5", "-1"])
def test_a_stranger_announces_numbers_that_are_none(value: str) -> None:
    words = load_translator("en")
    (row,) = rows([table("K", rules=f"hand={value},target={value},time={value}")])
    assert announced_rules(words, "crazy-eights", row.rules or ()) == "Play to: 100 points"


def spread(title: str, *hosts: str) -> Sighting:
    return Sighting(title, tuple((host, 4711) for host in hosts), {"id": title, "table": title, "state": "open"})


def test_a_stranger_does_not_make_us_knock_at_many_doors() -> None:
    flood = [spread(f"t{n}", *(f"198.51.{n}.{m}" for m in range(16))) for n in range(200)]
    doors = addresses_to_probe(rows(flood))
    assert len(doors) == len(set(doors)) == MAX_PROBES


def test_every_table_has_a_knock_before_any_has_a_second_and_the_near_come_first() -> None:
    doors = addresses_to_probe(
        rows([spread("a", "198.51.100.1", "198.51.100.2"), spread("b", "198.51.100.1", "127.0.0.1")])
    )
    assert [host for host, _port in doors] == ["127.0.0.1", "198.51.100.1", "198.51.100.2"]
    doors = addresses_to_probe(rows([spread("a", *(f"198.51.100.{n}" for n in range(9))), spread("b", "203.0.113.1")]))
    assert [host for host, _port in doors][:2] == ["198.51.100.0", "203.0.113.1"]


@pytest.mark.sockets
def test_only_tables_behind_which_somebody_listens_are_listed() -> None:
    async def look() -> list[str]:
        server = await asyncio.start_server(lambda _reader, writer: writer.close(), "127.0.0.1", 0)
        async with server:
            port = server.sockets[0].getsockname()[1]
            heard = [
                Sighting("alive", (("127.0.0.1", port),), {"id": "alive", "state": "open"}),
                Sighting("dead", (("127.0.0.1", 1),), {"id": "dead", "state": "open"}),
            ]
            return [row.id for row in await reachable(rows(heard))]

    assert asyncio.run(look()) == ["alive"]


def test_who_only_hears_is_told_again_and_again_that_we_look(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without it a search that finds nothing sounds like a program that hangs."""
    monkeypatch.setattr(finding, "LOOK_S", 0.0)
    monkeypatch.setattr(finding, "NOTIFY_S", 0.0)
    heard = io.StringIO()
    context = Context(Translator(), {}, io.StringIO(), heard, heard, Terminal(False, True, False, 0, 80), tmp_path)

    class Nothing:
        sightings = ()

    async def look() -> None:
        search = finding._find(None, context.notify, Nothing(), Introductions(), is_free)  # type: ignore[arg-type]
        looking = asyncio.ensure_future(search)
        await until(lambda: len(heard.getvalue().splitlines()) >= 2)
        looking.cancel()

    asyncio.run(look())
    first, second, *_more = heard.getvalue().splitlines()
    assert first.startswith("Looking for a table on this network… Press Ctrl-C to stop.")
    assert second.startswith("Still looking for a table… Press Ctrl-C to stop.") and "fairdeal join ADDRESS" in second


def listening_at(port: int, *titles: str) -> list[Sighting]:
    """Open tables at one port; each announced under a key of its own, and all with the same id."""
    return [
        Sighting(
            f"s{n}",
            (("127.0.0.1", port),),
            {"id": "t", "table": title, "state": "open", "seats": "4", "taken": "1", "key": f"{n:064x}"},
        )
        for n, title in enumerate(titles)
    ]


@attack(
    By.STRANGER,
    "A stranger opens a table with the same name as a friend’s.",
    "When joining by name: the program asks which one, and marks both in the list.",
)
@pytest.mark.sockets
def test_of_two_tables_with_one_name_none_is_chosen_silently(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "NAMESAKE_S", 0.1)
    told: list[object] = []

    async def look(*titles: str) -> FoundTable:
        with socket.create_server(("127.0.0.1", 0)) as server:

            class Heard:
                sightings = listening_at(server.getsockname()[1], *titles)

            return await finding._find("kitchen", told.append, Heard(), Introductions(), is_free)  # type: ignore[arg-type]

    assert asyncio.run(look("Kitchen", "Attic")).keys == ("0" * 64,)
    with pytest.raises(WrongUse, match="several tables are called kitchen"):
        asyncio.run(look("Kitchen", "Kitchen"))
    assert sum(isinstance(each, TableSeen) for each in told) == 2


@pytest.mark.sockets
def test_who_comes_while_they_play_comes_into_their_room_unless_there_is_a_free_seat(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(finding, "NAMESAKE_S", 0.1)
    monkeypatch.setattr(finding, "LOOK_S", 0.1)

    async def look(where: str | None, *states: str) -> str:
        with socket.create_server(("127.0.0.1", 0)) as server:
            heard = [
                replace(each, properties={**each.properties, "state": state})
                for each, state in zip(
                    listening_at(server.getsockname()[1], *["Kitchen"] * len(states)), states, strict=True
                )
            ]

            class Heard:
                sightings = heard

            return (await finding._find(where, lambda _news: None, Heard(), Introductions(), is_free, is_busy)).state  # type: ignore[arg-type]

    for where in ("kitchen", None):
        assert asyncio.run(look(where, "playing")) == "playing"
        assert asyncio.run(look(where, "playing", "open")) == "open"


@pytest.mark.sockets
def test_who_looks_for_a_table_that_is_not_there_hears_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "NOTIFY_S", 0.0)
    told: list[object] = []

    async def look() -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:

            class Heard:
                sightings = listening_at(server.getsockname()[1], "Attic")

            search = finding._find("kitchen", told.append, Heard(), Introductions(), is_free)  # type: ignore[arg-type]
            looking = asyncio.ensure_future(search)
            await until(lambda: any(isinstance(each, TableSeen) for each in told))
            looking.cancel()

    asyncio.run(look())
    assert [each.table.title for each in told if isinstance(each, TableSeen)][:1] == ["Attic"]


def test_a_table_is_also_found_by_its_host_or_the_beginning_of_its_name() -> None:
    kitchen, hers = rows([table("Kitchen", host="Jonas")]), rows([table("Mia's table", host="Mia")])
    for name in ("mia", "Mia's", "MIA'S TABLE"):
        assert called([*kitchen, *hers], name) == hers
    assert called([*kitchen, *hers], "jonas") == kitchen
    assert not called([*kitchen, *hers], "Lena") and not called([*kitchen, *hers], "")


@pytest.mark.parametrize("name", ["Mia's table", "mia’s table", "MIA`S TABLE", "Ｍia´s ta"])
def test_a_name_is_found_as_keyboards_write_it(name: str) -> None:
    hers = rows([table("Mia’s table", host="Mia")])
    assert called(hers, name) == hers


def test_a_table_that_is_called_like_a_host_is_not_chosen_silently() -> None:
    hers, false = rows([table("Mia's table", host="Mia")]), rows([table("Mia", host="Mallory")])
    assert called([*hers, *false], "Mia") == [*hers, *false]


def test_how_long_nothing_was_found_is_told_in_whole_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    class Nothing:
        sightings = ()

        async def start(self) -> None:
            pass

        async def close(self) -> None:
            pass

    async def never(*_args: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr("p2p.discovery.Browser", Nothing)
    monkeypatch.setattr("p2p.introductions.Introductions", Nothing)
    monkeypatch.setattr(finding, "_find", never)
    for where in (None, "Kitchen"):
        with pytest.raises(NobodyThere, match=r"found within 0 s"):
            asyncio.run(finding.find_table(where, 0.0123, lambda _progress: None, is_free))
