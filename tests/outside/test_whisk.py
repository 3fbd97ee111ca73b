"""A game that another package offers is played like those that come along: by any dealer, by bots, at a real table."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from protocol.errors import BadOption, IllegalMove
from protocol.games import LocalTable, game_names, load
from protocol.games.playthrough import run_playthrough
from protocol.table.roster import TableOptions
from tests.outside.installed import HERE
from tests.table.matches import assert_all_agree
from tests.table.parting import Parting
from tests.table.tables import Tables, printed

PLAYTHROUGHS = sorted((HERE / "whisk" / "playthroughs").glob("*.jsonl"))


def played_by_bots(name: str, seats: int, seed: int, **options: object) -> LocalTable:
    rng = Random(seed)
    table = LocalTable(load(name, seats, options), rng)
    bot = table.game.strategy()
    while not table.over:
        seat = table.to_act[0]
        table.play(seat, bot.choose(table.state, seat, table.hands[seat], rng))
    return table


@pytest.mark.parametrize("path", PLAYTHROUGHS, ids=lambda path: path.stem)
def test_playthroughs(whisk: str, path: Path) -> None:
    run_playthrough(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_bots_play_whole_matches(whisk: str, seats: int) -> None:
    table = played_by_bots(whisk, seats, seed=seats, grand=True, preset="long")
    assert max(table.scores) >= 50
    assert table.rounds > 1


def test_an_offer_is_legal_and_what_is_not_offered_is_refused(whisk: str) -> None:
    rng = Random(5)
    table = LocalTable(load(whisk, 4, {"target": 0}), rng)
    while not table.over:
        seat = table.to_act[0]
        hand, offered = table.hands[seat], table.legal(seat)
        for card in hand:
            move = table.game.decode({"do": "play", "cards": [card]})
            if move not in offered:
                with pytest.raises(IllegalMove):
                    table.play(seat, move)
        table.play(seat, rng.choice(offered))


def test_a_trick_is_seen_with_who_played_what_and_who_took_it(whisk: str) -> None:
    """Every part of the view is checked against the moves that were made."""
    rng = Random(9)
    table = LocalTable(load(whisk, 4, {"target": 0}), rng)
    made: list[tuple[int, str]] = []
    taken: Counter[int] = Counter()
    while not table.over:
        seat = table.to_act[0]
        move = rng.choice(table.legal(seat))
        table.play(seat, move)
        view = table.public_view()
        made += [(seat, card) for card in table.game.uses(move).played]
        assert view.trick is not None
        if made and len(made) % 4 == 0:
            last = view.last_trick
            assert last is not None
            if table.game.uses(move).played:
                assert last.taker is not None
                taken[last.taker] += 1
            assert [(play.seat, *play.cards) for play in last.plays] == made[-4:]
            assert (last.leader, last.number) == (made[-4][0], len(made) // 4)
            assert not view.trick.plays
        elif made:
            assert [(play.seat, *play.cards) for play in view.trick.plays] == made[len(made) // 4 * 4 :]
            assert view.trick.winner in {play.seat for play in view.trick.plays}
        assert [seat.tricks for seat in view.seats] == [taken[each] for each in range(4)]
        assert view.stock is not None
        assert view.trump == view.stock.open[0][1]
        assert view.hand_sizes == tuple(map(len, table.hands))
        assert json.loads(json.dumps(view.data())) == view.data()
    assert len(made) == 24


def test_its_options_have_labels_of_their_own(whisk: str) -> None:
    options = load(whisk, 3).OPTIONS
    assert options["grand"].label == "Bonus for all tricks"
    assert options["preset"].name_of("long") == "ten cards each"
    assert len(LocalTable(load(whisk, 3, {"preset": "long"}), Random(1)).hands[0]) == 10


def test_it_says_how_to_speak_of_its_moves(whisk: str) -> None:
    game = load(whisk, 3)
    bid = game.move_view(game.decode({"do": "bid", "tricks": 0}))
    kind = game.move_kind(bid.do)
    assert kind.told.format(name="Mia", **bid.named) == "Mia bids 0."
    assert set(kind.questions) == set(bid.named)


@pytest.mark.slow
def test_a_real_table_deals_proves_audits_and_verifies_it(whisk: str) -> None:
    tables = Tables(whisk, 3, {"grand": True}, seed=21, table=TableOptions(pause=0, grace=0, rounds=1))
    with printed(21):
        tables.start()
        tables.play()
        assert_all_agree(tables)
    assert not tables.refused


def test_programs_find_it_by_its_entry_point(whisk_env: dict[str, str]) -> None:
    code = "from protocol.games import game_names; print(*game_names())"
    done = subprocess.run([sys.executable, "-c", code], env=whisk_env, capture_output=True, text=True, check=True)
    assert "whisk" in done.stdout.split()


def test_it_is_there_only_where_it_is_installed() -> None:
    assert "whisk" not in game_names()
    with pytest.raises(BadOption):
        load("whisk", 3)


@pytest.mark.slow
def test_a_game_is_dealt_to_all_seats_unless_it_says_otherwise(whisk: str) -> None:
    """Otherwise the next round would wait forever for a player who quit."""
    table = Parting(seats=4, game=whisk, options={})
    table.until_height(2)
    table.leave(3)
    table.run(lambda: all(client.table.is_over for client in table.up()), limit=20_000)
    assert all(client.table.record.ended_short for client in table.up())
