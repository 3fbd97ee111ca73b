"""The score sheet's account of a Tichu round adds up to what the round brought."""

from __future__ import annotations

from random import Random

import pytest

from cli import news
from cli.games.registry import face_of
from cli.games.tichu.account import account
from cli.text import Translator
from protocol.games import LocalTable
from protocol.games.catalogue import load
from protocol.games.tichu.rules import CALL_POINTS, DOUBLE_VICTORY
from protocol.games.tichu.view import TichuView
from protocol.games.views import seen_as
from protocol.values import replace
from tests.cli.screen.screens import ACROSS, LEFT, MINE, RIGHT
from tests.cli.screen.stage import Stage
from tests.cli.tables import tichu_lead

NAMES = ("Mia", "Jonas", "Hanako", "Priya")
GAME = load("tichu", 4)
POINTS = {"5": 5, "T": 10, "K": 10, "Drg": 25, "Phx": -25}


def lines(view: TichuView) -> list[str]:
    words = Translator()
    narrator, _cards = face_of(GAME).screen_narrator(words, NAMES, 0)
    return ["".join(text for text, _ink in line) for line in account(words, GAME, narrator, view)]


def test_a_lost_tichu_is_counted_apart_from_the_cards() -> None:
    told = lines(TichuView(round_points=(-25, 25), out=(1, 0, 2), called=("tichu",), ended="played"))
    assert told[0].startswith("Out in this order: Jonas")
    assert "75" in told[1]
    assert "25" in told[1]
    assert told[2].endswith("-100")


def test_a_double_victory_counts_no_cards() -> None:
    told = lines(TichuView(round_points=(400, -100), out=(0, 2), called=("grand", "tichu"), ended="double"))
    assert any("Double victory" in line and "+200" in line for line in told)
    assert any(line.endswith("+200") and "Grand Tichu" in line for line in told)
    assert any(line.endswith("-100") and "Jonas" in line for line in told)
    assert not any("Card points" in line for line in told)


def test_before_the_score_nothing_is_said() -> None:
    assert lines(TichuView(out=(1,), called=("tichu",))) == []


@pytest.mark.parametrize("seed", range(20))
def test_the_account_adds_up(seed: int) -> None:
    """Cards are worth 100 a round in all; with the calls and a double victory that makes the round's points."""
    rng = Random(seed)
    table = LocalTable(GAME, rng)
    while table.last_round is None:
        seat, moves = next((seat, moves) for seat in rng.sample(range(4), 4) if (moves := table.legal(seat)))
        table.play(seat, rng.choice(moves))
    view = seen_as(TichuView, GAME.public_view(table.last_round.state))
    assert view.round_points is not None
    told = lines(view)
    worth = 0
    for seat, call in view.callers:
        worth += CALL_POINTS[call] * (1 if view.out[0] == seat else -1)
    if view.ended == "double":
        assert sum(view.round_points) == DOUBLE_VICTORY + worth
        assert any("Double victory" in line for line in told)
    else:
        shares = next(line for line in told if line.startswith("Card points"))
        numbers = [int(part.rsplit(" ", 1)[1]) for part in shares.removeprefix("Card points: ").split(" · ")]
        assert sum(numbers) == 100
        assert sum(view.round_points) == 100 + worth
        last = next(seat for seat in range(4) if seat not in view.out)
        held = sum(
            POINTS.get(card if card == "Drg" or card == "Phx" else card[0], 0) for card in table.last_round.hands[last]
        )
        who = "You were last: the cards in your hand" if last == 0 else f"{NAMES[last]} was last: the cards in hand"
        (line,) = (line for line in told if line.startswith(who))
        assert f"({held} points) go to the other team" in line
        assert line.endswith("to you." if view.out[0] == 0 else f"to {NAMES[view.out[0]]}.")
    assert len([line for line in told if "Tichu: " in line]) == len(view.callers)


def test_while_a_round_is_played_its_tricks_and_calls_stand_on_the_sheet() -> None:
    shown = Stage(tichu_lead([MINE, LEFT, ACROSS, RIGHT], 0))
    shown.moves(2, {"do": "tichu"})
    shown.moves(0, {"do": "play", "cards": ["Phx"]})
    for seat in (1, 2, 3):
        shown.moves(seat, {"do": "pass"})
    shown.moves(0, {"do": "collect"})
    shown.press("f3")
    assert "Trick points: you and ハナコ -25 · Jonas and Priya 0" in shown.text()
    assert "ハナコ called Tichu." in shown.text()


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (60, 20), (100, 30), (200, 60)])
def test_who_wins_is_never_cut_and_long_names_have_room(columns: int, rows: int) -> None:
    names = ("Maximiliane", "Christopher", "Bartholomäus Q", "Anne-Katharina")
    shown = Stage(tichu_lead([MINE, LEFT, ACROSS, RIGHT], 3), names=names)
    view = shown.playing.view()
    for points in ((165, -65), (-25, 125), (100, 0), (40, 60), (55, 45), (200, 0)):
        shown.hear(news.RoundEnded(replace(view, round_points=points, scores=(1345, 165), out=(2, 1, 0))))
    shown.hear(news.MatchEnded(replace(view, winners=(0, 2), scores=(1345, 165), out=(2, 1, 0))))
    rows_of_teams = [line for line in shown.text(columns, rows).splitlines() if "1345" in line]
    assert "WON" in rows_of_teams[0]
    if columns >= 80:
        assert "You and Bartholomäus Q " in rows_of_teams[0]
        assert "Christopher and Anne-Katharina " in shown.text(columns, rows)
