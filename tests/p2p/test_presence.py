"""What a table says of itself on the network: enough to choose by, and never more than travels."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from p2p.announcements import MAX_TEXT_BYTES, text_size, write_properties
from p2p.node import Node
from p2p.presence import NAMES_BYTES, RULES_BYTES, announcement_of, names, rules
from p2p.routes import Route
from protocol.games.catalogue import load
from protocol.table.roster import TableOptions

KEYS = [bytes([seat]) * 32 for seat in range(10)]


def node(**parts: Any) -> Node:
    """As much of a node as an announcement looks at."""
    usual = {
        "identity": SimpleNamespace(public=KEYS[0]),
        "driver": None,
        "waiting_room": SimpleNamespace(room=None, is_host=True),
        "title": "Kitchen",
        "host_name": "Mia",
        "mesh": SimpleNamespace(route=lambda key: Route.DIRECT),
    }
    return cast(Node, SimpleNamespace(**(usual | parts)))


def driver(labels: list[str], scores: tuple[int, ...] = (0, 0), game: str = "tichu") -> Any:
    members = tuple(SimpleNamespace(key=key, name=name) for key, name in zip(KEYS, labels, strict=False))
    roster = SimpleNamespace(members=members, game=game)
    size = len(members)
    record = SimpleNamespace(roster=roster, size=size, table=b"t" * 32, phase=None, scores=scores)
    record.present, record.key, record.member = range(size), KEYS.__getitem__, members.__getitem__
    return SimpleNamespace(table=SimpleNamespace(record=record, is_over=False))


def sitter(seat: int, name: str) -> Any:
    return SimpleNamespace(key=KEYS[seat], name=name)


def waiting_room(
    sitters: list[Any], game: str = "tichu", options: dict[str, Any] | None = None, seats: int = 4, **table: Any
) -> Any:
    return SimpleNamespace(
        game=game,
        seats=[None] * seats,
        sitters=sitters,
        id=b"r" * 16,
        title="Kitchen",
        host=KEYS[1],
        options=options or {},
        table=TableOptions(**table),
    )


def test_a_waiting_room_says_who_opened_it_and_who_sits_there() -> None:
    sitters = [sitter(0, "Mia"), sitter(1, "Jonas"), sitter(2, "Bot Ada")]
    room = waiting_room(sitters)
    about = announcement_of(node(waiting_room=SimpleNamespace(room=room, is_host=True)))
    assert about is not None
    assert (about["host"], about["players"], about["state"]) == ("Jonas", "Mia,Jonas,Bot Ada", "open")
    assert "score" not in about
    assert "away" not in about


def test_a_table_in_play_says_its_points_and_who_is_away() -> None:
    playing = driver(["Mia", "Jonas", "Priya", "Lukas"], (240, 185))
    about = announcement_of(node(driver=playing))
    assert about is not None
    assert (about["state"], about["score"], about["host"]) == ("playing", "240:185", "Mia")
    lost = SimpleNamespace(route=lambda key: Route.NONE if key == KEYS[3] else Route.DIRECT)
    about = announcement_of(node(driver=playing, mesh=lost))
    assert about is not None
    assert (about["state"], about["away"]) == ("paused", "Lukas")
    playing.table.record.present = range(3)
    about = announcement_of(node(driver=playing, mesh=lost))
    assert about is not None
    assert about["state"] == "playing", "the others play on without him"
    assert "away" not in about


def test_names_are_short_whole_and_keep_their_commas_apart() -> None:
    assert names(["Mia, the first", "Jonas"], NAMES_BYTES) == "Mia the first,Jonas"
    assert names(["ハ" * 60], NAMES_BYTES) == "ハ" * 8
    many = names([f"Player number {n}" for n in range(10)], NAMES_BYTES)
    assert len(many.encode()) <= NAMES_BYTES
    assert all(len(each) == len("Player number 1") for each in many.split(","))


def test_the_largest_table_still_travels_with_its_id_whole() -> None:
    labels = ["名" * 21] * 10
    about = announcement_of(
        node(
            driver=driver(labels, (-12345, 12345), "crazy-eights"),
            title="卓" * 21,
            host_name="名" * 21,
            mesh=SimpleNamespace(route=lambda key: Route.NONE),
        )
    )
    assert about is not None
    written = {key: value.decode() for key, value in write_properties(about).items()}
    assert text_size(written) <= MAX_TEXT_BYTES
    for key in ("v", "key", "id", "game", "seats", "taken", "state"):
        assert written[key] == about[key]


def test_an_open_table_says_what_it_plays_otherwise_than_usual() -> None:
    options = dict(load("crazy-eights", 4, {"target": 200, "draw": "one"}).options)
    room = waiting_room([], "crazy-eights", options, time=20_000, suggest=False, remind=False)
    assert rules(room, RULES_BYTES).split(",") == ["draw=one", "target=200", "time=20", "suggest=false", "remind=false"]
    assert rules(waiting_room([], "crazy-eights", dict(load("crazy-eights", 4, {}).options)), RULES_BYTES) == ""
    assert rules(room, 20) == "draw=one,target=200"


def test_the_fullest_waiting_room_still_travels_with_its_id_whole() -> None:
    changed = {"recycle": False, "last_card": True, "last_card_penalty": 10, "draw": "one", "hand": 7, "target": 500}
    options = dict(load("crazy-eights", 10, {**changed, "reverse": "A", "skip": "Q", "again": None}).options)
    sitters = [sitter(seat, "名" * 21) for seat in range(10)]
    room = waiting_room(sitters, "crazy-eights", options, 10, time=120_000, suggest=False, remind=False)
    room.title = "卓" * 21
    about = announcement_of(node(waiting_room=SimpleNamespace(room=room, is_host=True)))
    assert about is not None
    written = {key: value.decode() for key, value in write_properties(about).items()}
    assert text_size(written) <= MAX_TEXT_BYTES
    for key in ("v", "key", "id", "game", "seats", "taken", "state", "rules"):
        assert written[key] == about[key]
