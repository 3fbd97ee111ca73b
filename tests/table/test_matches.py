"""Whole matches of every game, on good links and on bad ones: all seats end with the same match, and nobody is blamed."""

from __future__ import annotations

from typing import Any

import pytest

from protocol.table.events import Recycled
from protocol.table.roster import TableOptions
from tests.table.matches import assert_all_agree
from tests.table.tables import Link, Tables, printed

FAST = TableOptions(pause=0, grace=0)
ONE_ROUND = TableOptions(pause=0, grace=0, rounds=1)
BAD = Link(loss=0.05, double=0.1, delay=0.4)
LATE = Link(delay=3.0)

GAMES: list[tuple[str, int, dict[str, Any]]] = [
    ("crazy-eights", 2, {"target": 30}),
    ("crazy-eights", 4, {"teams": True, "draw": "one", "target": 30}),
    ("crazy-eights", 3, {"recycle": True, "hand": 14, "target": 30}),
    ("crazy-eights", 5, {"last_card": True, "reverse": "A", "skip": "Q", "again": "2", "target": 30}),
    ("two-four-jack", 3, {"draw": "one", "hand": 3, "target": 30}),
    ("mau-mau", 3, {"target": 20}),
    ("mau-mau", 4, {"hand": 3, "sevens": True, "eights": True, "target": 20}),
    ("macau-wars", 3, {"hand": 2}),
    ("tichu", 4, {}),
]
NAMES = [f"{game}-{seats}" for game, seats, _ in GAMES]
REAL = ("crazy-eights-2", "tichu-4")
"""Which are played with real arithmetic, with the fewest seats and with an exchange of cards."""
OTHERS = ("mau-mau-4", "tichu-4")
"""On bad links: one that recycles, and one with an exchange of cards. What letters a table writes is the same in all games."""
RECYCLES_SOON = 9
"""A seed with which Mau-Mau does so in a short round."""


def played(
    game: str, seats: int, options: dict[str, Any], seed: int, link: Link | None = None, table: TableOptions = ONE_ROUND
) -> Tables:
    tables = Tables(game, seats, options, seed, link, table)
    with printed(seed):
        tables.start()
        tables.play()
        assert_all_agree(tables)
    return tables


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        pytest.param(*each, id=name, marks=() if name in REAL else pytest.mark.soak)
        for each, name in zip(GAMES, NAMES, strict=True)
    ],
)
def test_a_round_on_good_links(game: str, seats: int, options: dict[str, Any]) -> None:
    tables = played(game, seats, options, seed=11)
    assert not tables.refused


@pytest.mark.slow
@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        pytest.param(*each, id=name, marks=() if name in OTHERS else pytest.mark.soak)
        for each, name in zip(GAMES, NAMES, strict=True)
    ],
)
def test_a_round_on_bad_links(game: str, seats: int, options: dict[str, Any]) -> None:
    """Letters are lost, doubled and late, and jobs come back in any order; what a link does is nobody's fault."""
    tables = played(game, seats, options, seed=RECYCLES_SOON, link=BAD)
    assert not tables.refused
    if game == "mau-mau" and seats == 4:
        assert any(isinstance(event, Recycled) for client in tables.clients for event in client.events)


@pytest.mark.slow
@pytest.mark.usefixtures("toy")
def test_a_whole_match_is_the_same_at_every_seat() -> None:
    tables = played("crazy-eights", 3, {"hand": 3, "target": 100}, seed=3, table=FAST)
    assert tables.clients[0].table.record.rounds_closed > 1


@pytest.mark.slow
@pytest.mark.usefixtures("toy")
def test_seats_are_drawn_by_lot_on_bad_links() -> None:
    """Before the draw seats are numbered by the roster, after it by lot: no letter in between is taken for another's."""
    tables = played(
        "crazy-eights", 4, {"target": 30}, seed=5, link=BAD, table=TableOptions(pause=0, grace=0, rounds=1, lots=True)
    )
    assert tables.clients[0].table.record.seating != (0, 1, 2, 3)
    assert not tables.refused


@pytest.mark.slow
@pytest.mark.usefixtures("toy")
def test_played_cards_are_shuffled_again_by_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Tables, "is_hasty", False)  # the stock has to run out
    tables = played("crazy-eights", 3, {"recycle": True, "hand": 14, "target": 0}, seed=4)
    assert any(isinstance(event, Recycled) for event in tables.clients[0].events)
    assert (
        len({str(client.table.record.round.chains[1].top) for client in tables.clients if client.table.record.round})
        == 1
    )


@pytest.mark.slow
@pytest.mark.usefixtures("toy")
def test_people_get_their_pause_and_their_grace() -> None:
    """The clock of the table is told when to look again, and goes on from there."""
    bots = Tables(
        "crazy-eights", 3, {"hand": 3, "draw": "one", "target": 500}, 4, Link(delay=0.01), TableOptions(rounds=2)
    )
    bots.start()
    while bots.clients[0].table.record.rounds_closed == 0 or bots.clients[0].table.record.phase.value != "playing":
        bots.move_someone()
        bots.turn()
    assert bots.now < 1015, "a table of bots makes no pause"
    people = Tables(
        "crazy-eights",
        3,
        {"hand": 3, "draw": "one", "target": 500},
        4,
        Link(delay=0.01),
        TableOptions(pause=15_000, rounds=2),
        bots=False,
    )
    people.start()
    people.play()
    assert_all_agree(people)
    assert 1015 <= people.now < 1030


@pytest.mark.slow
@pytest.mark.usefixtures("toy")
def test_the_pause_is_over_when_all_are_ready() -> None:
    tables = Tables(
        "crazy-eights",
        3,
        {"hand": 3, "draw": "one", "target": 500},
        4,
        Link(delay=0.01),
        TableOptions(pause=600_000, rounds=2),
        bots=False,
    )
    tables.start()
    said: set[int] = set()
    for _ in range(200_000):
        if all(client.table.is_over for client in tables.clients):
            break
        for index, client in enumerate(tables.clients):
            if client.table.record.phase.value == "between" and client.table.record.rounds_closed and index not in said:
                said.add(index)
                tables.take(index, client.table.ready(tables.now))
        tables.move_someone()
        tables.turn()
    assert_all_agree(tables)
    assert tables.now < 1100


@pytest.mark.soak
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("game", "seats", "options"), GAMES, ids=NAMES)
def test_matches_on_terrible_links(game: str, seats: int, options: dict[str, Any], seed: int) -> None:
    link = (Link(loss=0.2, double=0.2, delay=1.5), LATE, Link(loss=0.4, delay=0.2))[seed]
    played(game, seats, options, 100 + seed, link, FAST if game not in ("tichu", "macau-wars") else ONE_ROUND)


@pytest.mark.soak
@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("crazy-eights", 8, {"recycle": True, "target": 30}),
        ("crazy-eights", 10, {"hand": 2, "target": 30}),
        ("mau-mau", 8, {"target": 20}),
        ("macau-wars", 8, {"hand": 3}),
        ("tichu", 4, {}),
    ],
    ids=str,
)
def test_many_seats_and_two_packs(game: str, seats: int, options: dict[str, Any]) -> None:
    tables = played(
        game,
        seats,
        options,
        21,
        Link(delay=0.1),
        TableOptions(pause=0, grace=0, rounds=2) if game == "tichu" else ONE_ROUND,
    )
    if seats == 8:
        deck = tables.clients[0].table.game.deck
        assert len(deck) > len(set(deck)), "two packs hold every card twice"
