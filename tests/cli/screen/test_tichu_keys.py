"""Tichu's keys where a slip is dear: a wish that does not bind, a bomb in one's own turn, an Enter that comes too late."""

from __future__ import annotations

from dataclasses import replace

from protocol.games import LocalTable
from tests.cli.screen.screens import ACROSS, LEFT, MINE, RIGHT, table
from tests.cli.screen.stage import Stage
from tests.cli.tables import cards, tichu_lead

BOMB = "2s 2j 2k 2p 5k 6p 6k 7s 9j 9k Js Qp Ak Phx"
BOMBED = ("3k 3s 4j 5p 6s 7j 8j 8s 9s Tj Jj Qj Kj Aj", ACROSS.replace("2j", "3j"))
BOMBED_LAST = "Drg 3p 4p 5j 7k 8k 9p Tp Jp Qs Kk Kp As Mah"


def wished(hands: list[str], rank: str, trick: list[str] | None = None) -> Stage:
    """A wish is open, and the turn is ours: to lead, or to follow what the seat before us has led."""
    led = tichu_lead(hands, 3 if trick else 0)
    if trick:
        led.play(3, led.game.decode({"do": "play", "cards": trick}))
    return Stage(LocalTable.resume(led.game, led._rng, replace(led.state, wish=rank), led.hands, ()), 0)


def caps(stage: Stage) -> dict[str, str]:
    return {cap.key: cap.label for cap in stage.presenter.own_view(200, 60).frame.caps}


def test_a_wish_that_the_leader_cannot_meet_is_told_as_a_fact() -> None:
    stage = wished([MINE, LEFT, ACROSS, RIGHT], "T")
    assert stage.prompt.startswith("YOUR TURN  You lead · play any combination · wish: 10")
    assert stage.presenter.position is not None
    assert stage.presenter.position.playable == set(stage.presenter.position.hand)


def test_a_wish_that_the_leader_can_meet_binds() -> None:
    stage = wished([MINE, LEFT, ACROSS, RIGHT], "9")
    assert stage.prompt.startswith("YOUR TURN  The wish binds you: play a 9")


def test_a_wish_binds_who_follows_only_where_the_rank_beats_the_trick() -> None:
    stage = wished([MINE, LEFT, ACROSS, RIGHT], "9", ["8k"])
    assert stage.prompt.startswith("YOUR TURN  The wish binds you: play a 9")
    stage = wished([MINE, LEFT, ACROSS, RIGHT], "9", ["Qs"])
    assert stage.prompt.startswith("YOUR TURN  Beat the trick, or P passes · wish: 9")


def test_a_pair_with_the_phoenix_and_a_bomb_obey_a_wish() -> None:
    stage = wished([MINE, LEFT, ACROSS, RIGHT], "A", ["Kk", "Kp"])
    assert stage.prompt.startswith("YOUR TURN  The wish binds you: play a A")
    assert stage.presenter.position is not None
    assert stage.presenter.position.playable == {"Ak", "Phx"}
    stage = wished([BOMB, *BOMBED, BOMBED_LAST], "2", ["Kk", "Kp"])
    assert stage.prompt.startswith("YOUR TURN  The wish binds you: play a 2")
    assert stage.presenter.position is not None
    assert stage.presenter.position.playable == {"2s", "2j", "2k", "2p"}


def test_b_in_ones_own_turn_picks_the_bomb_and_enter_plays_it() -> None:
    stage = Stage(tichu_lead([BOMB, *BOMBED, BOMBED_LAST], 3))
    stage.moves(3, {"do": "play", "cards": ["Kk", "Kp"]})
    assert caps(stage)["B"] == "pick bomb"
    stage.press("b")
    assert stage.played == []
    assert stage.prompt.startswith("Bomb: 2")
    assert "Enter plays it" in stage.prompt
    stage.press("x")
    assert stage.presenter.holding.picked == []
    stage.press("b", "enter")
    assert set(stage.played[-1]["cards"]) == {"2s", "2j", "2k", "2p"}


def test_b_out_of_turn_plays_at_once_and_the_key_bar_says_so() -> None:
    stage = Stage(tichu_lead([BOMB, *BOMBED, BOMBED_LAST], 3))
    assert caps(stage)["B"] == "bomb"
    stage.moves(3, {"do": "play", "cards": ["Kk", "Kp"]})
    stage.moves(0, {"do": "pass"})
    assert caps(stage)["B"] == "bomb now"
    assert "B bombs at once" in stage.prompt
    stage.press("b")
    assert len(stage.played) == 1


def test_a_bomb_picked_for_ones_own_trick_waits_for_enter() -> None:
    stage = Stage(tichu_lead([BOMB, *BOMBED, BOMBED_LAST], 0))
    stage.moves(0, {"do": "play", "cards": ["Ak"]})
    for seat in (1, 2, 3):
        stage.moves(seat, {"do": "pass"})
    stage.press("b")
    stage.tick(5)
    assert stage.played == []
    stage.press("x")
    stage.tick(0.1)
    assert stage.played == [{"do": "collect", "to": None}]


def test_with_eight_cards_no_bomb_is_offered() -> None:
    fresh = table("tichu", 4)
    eight = [cards(hand)[:8] for hand in (BOMB, *BOMBED, BOMBED_LAST)]
    stage = Stage(LocalTable.resume(fresh.game, fresh._rng, fresh.state, eight, ()), 0)
    assert "Grand Tichu" in stage.prompt or "No" in stage.prompt
    assert "B" not in caps(stage)


def won() -> Stage:
    stage = Stage(tichu_lead([MINE, LEFT, ACROSS, RIGHT], 0))
    stage.moves(0, {"do": "play", "cards": ["Ak"]})
    for seat in (1, 2, 3):
        stage.moves(seat, {"do": "pass"})
    return stage


def test_ones_own_trick_counts_its_seconds() -> None:
    stage = won()
    assert stage.prompt.startswith("YOUR TURN  The trick is yours: you get it in 2 s · Enter takes it at once")
    stage.tick(0.5)
    assert "you get it in 1 s" in stage.prompt
    stage.press("enter")
    assert stage.played == [{"do": "collect", "to": None}]


def test_an_enter_long_after_the_trick_was_taken_for_us_leads_nothing() -> None:
    stage = won()
    stage.tick(1.3)
    assert len(stage.played) == 1
    stage.tick(2.2)
    stage.press("enter")
    assert len(stage.played) == 1
    assert "this Enter played no card" in stage.prompt
    stage.press("enter")
    assert len(stage.played) == 2


def test_another_key_says_that_the_enter_is_meant() -> None:
    stage = won()
    stage.tick(1.3)
    stage.press("left", "enter")
    assert len(stage.played) == 2


def test_who_took_the_trick_with_enter_waits_less() -> None:
    stage = won()
    stage.press("enter")
    stage.tick(1)
    stage.press("enter")
    assert len(stage.played) == 2
