"""Tichu's keys where a slip is dear: a wish that does not bind, a bomb in one's own turn, an Enter that comes too late."""

from __future__ import annotations

from cli import news as events
from cli.terminal.canvas import Action
from cli.terminal.settings import TerminalSettings
from protocol.games import LocalTable
from protocol.games.tichu.view import TichuView
from protocol.games.views import seen_as
from protocol.values import replace
from tests.cli.screen.screens import ACROSS, LEFT, MINE, RIGHT, exchange_stage, table
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
    return stage.caps(200, 60)


def test_a_wish_that_the_leader_cannot_meet_is_told_as_a_fact() -> None:
    stage = wished([MINE, LEFT, ACROSS, RIGHT], "T")
    assert stage.prompt.startswith("YOUR TURN  You lead · play any combination · wish: 10")
    assert stage.parts.at.position is not None
    assert stage.parts.at.position.playable == set(stage.parts.at.position.hand)


def test_a_wish_that_the_leader_can_meet_binds() -> None:
    stage = wished([MINE, LEFT, ACROSS, RIGHT], "9")
    assert stage.prompt.startswith("YOUR TURN  The wish is nines: you must play one")


def test_a_wish_binds_who_follows_only_where_the_rank_beats_the_trick() -> None:
    stage = wished([MINE, LEFT, ACROSS, RIGHT], "9", ["8k"])
    assert stage.prompt.startswith("YOUR TURN  The wish is nines: you must play one")
    stage = wished([MINE, LEFT, ACROSS, RIGHT], "9", ["Qs"])
    assert stage.prompt.startswith("YOUR TURN  Beat the trick, or press P to pass · wish: 9")


def test_a_pair_with_the_phoenix_and_a_bomb_obey_a_wish() -> None:
    stage = wished([MINE, LEFT, ACROSS, RIGHT], "A", ["Kk", "Kp"])
    assert stage.prompt.startswith("YOUR TURN  The wish is aces: you must play one")
    assert stage.parts.at.position is not None
    assert stage.parts.at.position.playable == {"Ak", "Phx"}
    stage = wished([BOMB, *BOMBED, BOMBED_LAST], "2", ["Kk", "Kp"])
    assert stage.prompt.startswith("YOUR TURN  The wish is twos: you must play one")
    assert stage.parts.at.position is not None
    assert stage.parts.at.position.playable == {"2s", "2j", "2k", "2p"}


def test_b_in_ones_own_turn_picks_the_bomb_and_enter_plays_it() -> None:
    stage = Stage(tichu_lead([BOMB, *BOMBED, BOMBED_LAST], 3))
    stage.moves(3, {"do": "play", "cards": ["Kk", "Kp"]})
    assert caps(stage)["B"] == "pick bomb"
    stage.press("b")
    assert stage.played == []
    assert stage.prompt.startswith("Bomb: 2")
    assert "Enter: play" in stage.prompt
    stage.press("x")
    assert stage.parts.hand.picked == []
    stage.press("b", "enter")
    assert set(stage.played[-1]["cards"]) == {"2s", "2j", "2k", "2p"}


def test_b_out_of_turn_plays_at_once_and_the_key_bar_says_so() -> None:
    stage = Stage(tichu_lead([BOMB, *BOMBED, BOMBED_LAST], 3))
    assert caps(stage)["B"] == "bomb"
    stage.moves(3, {"do": "play", "cards": ["Kk", "Kp"]})
    stage.moves(0, {"do": "pass"})
    assert caps(stage)["B"] == "bomb now"
    assert "B: bomb now" in stage.prompt
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
    assert stage.prompt.startswith("YOUR TURN  You won the trick (2 s for bombs · Enter: take it now)")
    stage.tick(0.5)
    assert "1 s for bombs" in stage.prompt
    stage.press("enter")
    assert stage.played == [{"do": "collect", "to": None}]


def test_an_enter_long_after_the_trick_was_taken_for_us_leads_nothing() -> None:
    stage = won()
    stage.tick(1.3)
    assert len(stage.played) == 1
    stage.tick(2.2)
    stage.press("enter")
    assert len(stage.played) == 1
    assert "so no card was played" in stage.prompt
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


def test_a_second_p_says_that_the_pass_is_taken_back() -> None:
    stage = Stage(tichu_lead([MINE, LEFT, ACROSS, RIGHT], 1))
    stage.moves(1, {"do": "play", "cards": ["3s"]})
    assert caps(stage)["P"] == "pass ahead"
    stage.press("p")
    assert "you’ll pass (P or X: undo)" in stage.prompt
    assert caps(stage)["P"] == "don’t pass"
    stage.press("p")
    assert stage.prompt.startswith("You won’t pass ahead.")


def test_a_call_that_was_made_is_no_matter_of_turns() -> None:
    stage = Stage(tichu_lead([MINE, LEFT, ACROSS, RIGHT], 0))
    stage.press("t", "y", "enter")
    stage.moves(0, {"do": "play", "cards": ["2s"]})
    stage.press("t")
    assert "already" in stage.prompt
    assert "turn" not in stage.prompt


def test_d_says_that_nothing_is_drawn() -> None:
    stage = Stage(tichu_lead([MINE, LEFT, ACROSS, RIGHT], 0))
    stage.press("d")
    assert stage.prompt.startswith("You don’t draw cards in Tichu.")


def test_each_press_of_s_says_how_the_hand_lies() -> None:
    stage = Stage(tichu_lead([MINE, LEFT, ACROSS, RIGHT], 0))
    heard = []
    for _sorting in stage.parts.face.sorts:
        stage.press("s")
        heard.append(stage.prompt)
    assert any("fours, triples and pairs first" in each for each in heard)
    assert all("orted by" in each or "In the order" in each for each in heard)


def test_a_seat_tells_its_last_moves_with_its_name_once() -> None:
    stage = Stage(tichu_lead([MINE, LEFT, ACROSS, RIGHT], 3))
    stage.moves(3, {"do": "play", "cards": ["Kk", "Kp"]})
    stage.moves(0, {"do": "pass"})
    stage.moves(1, {"do": "pass"})
    stage.moves(2, {"do": "pass"})
    stage.moves(3, {"do": "collect"})
    stage.moves(3, {"do": "play", "cards": ["As"]})
    stage.click(Action("seat", 3))
    assert stage.prompt.startswith("Priya’s last moves: K")
    assert stage.prompt.count("Priya") == 1
    assert "took the trick" in stage.prompt


def test_after_a_number_the_cursor_goes_on_to_a_card_that_is_free() -> None:
    stage = exchange_stage(TerminalSettings())
    hand = stage.hand
    stage.press("home", "right", "1", "left", "left", "2", "3", "enter")
    assert stage.played == [{"do": "give", "cards": [hand[1], hand[0], hand[2]]}]


def test_the_bomb_is_warned_of_before_the_wish_is_asked() -> None:
    hand = "Mah 2s 2j 2k 2p 3k 4p 5j 7s 9j 9k Js Qp Ak"
    rest = ("3s 4j 5p 6s 7j 8j 8s 9s Tj Jj Qj Kj Aj 3p", "4s 5s 6j 7p 8p Tk Ts Jk Qk Ks Ap Dog 3j 9p")
    stage = Stage(tichu_lead([hand, *rest, "Drg Phx 4k 5k 6k 6p 7k 8k Tp Jp Qs Kk Kp As"], 0))
    stage.press("1", " ", "2", " ", "3", " ", "4", " ", "5", " ", "enter")
    assert "This breaks up your bomb" in stage.text()
    assert stage.prompt.startswith("YOUR CHOICE  Keep the bomb")
    stage.tick(1)
    stage.press("y", "enter")
    assert "wish for a rank" in stage.text()
    stage.tick(1)
    stage.press("enter")
    assert len(stage.played) == 1


def test_the_place_of_who_is_out_is_told() -> None:
    stage = Stage(tichu_lead(["2s", LEFT, ACROSS, RIGHT], 0))
    stage.press("enter")
    assert "You are out: 1st" in stage.text()


def test_who_leads_when_the_taker_is_out_is_told() -> None:
    stage = Stage(tichu_lead([MINE, "As", ACROSS.replace("As", "2j"), RIGHT.replace("As", "2k")], 1))
    stage.moves(1, {"do": "play", "cards": ["As"]})
    for seat in (2, 3, 0):
        stage.moves(seat, {"do": "pass"})
    stage.moves(1, {"do": "collect"})
    assert "Jonas is out: ハナコ leads." in stage.parts.log.last_event


def test_the_sheet_tells_the_rounds_last_play() -> None:
    hands = ["2s 2j", "Ak Ap", "3s 3j", "4s 4j"]
    stage = Stage(tichu_lead(hands, 0))
    stage.moves(0, {"do": "play", "cards": ["2s", "2j"]})
    stage.moves(1, {"do": "pass"})
    stage.practice.play(2, stage.table.game.decode({"do": "play", "cards": ["3s", "3j"]}))
    while not isinstance(news := stage.playing.news.get_nowait(), events.RoundBegan):
        assert news is not None
        stage.screen.hear(news)
    for columns, rows in ((80, 24), (60, 20)):
        assert "The round is over · Enter: scores · ハナコ played a pair of" in " ".join(
            stage.text(columns, rows).split()
        )
    stage.tick(3)
    text = stage.text(120, 40)
    assert "ハナコ played a pair of threes: 3† and 3◆." in text
    assert "ハナコ is out." in text


def ended(scores: tuple[int, ...], winners: tuple[int, ...]) -> Stage:
    stage = Stage(tichu_lead([MINE, LEFT, ACROSS, RIGHT], 0))
    view = replace(stage.playing.view(), scores=scores, round_points=scores, winners=winners, out=(0, 1, 2))
    stage.hear(events.RoundEnded(view), events.MatchEnded(view))
    return stage


def test_equal_points_in_the_end_are_a_draw() -> None:
    stage = ended((50, 50), (0, 1, 2, 3))
    assert "DRAW" in stage.text()
    assert "WON" not in stage.text()
    assert any("It’s a draw" in text for text in stage.log)
    stage = ended((60, 40), (0, 2))
    assert "WON" in stage.text()
    assert "DRAW" not in stage.text()


def test_help_on_the_sheet_begins_with_the_keys_of_the_sheet() -> None:
    stage = ended((60, 40), (0, 2))
    stage.press("?")
    lines = [line.strip() for line in stage.text(100, 40).splitlines()]
    first = next(at for at, line in enumerate(lines) if line == "On the score sheet")
    assert lines[first + 1].startswith("Enter")
    assert any(line.startswith("E ") and "as a file" in line for line in lines[first : first + 8])
    assert "At the table" in lines[first:]


def test_a_call_of_ones_own_is_ones_own() -> None:
    stage = Stage(tichu_lead([MINE, LEFT, ACROSS, RIGHT], 0))
    view = seen_as(TichuView, stage.playing.view())
    view = replace(view, scores=(0, 0), round_points=(0, 0), out=(1, 2, 3), called=("grand", None, None, None))
    stage.hear(events.RoundEnded(view))
    assert "Your Grand Tichu: " in stage.text()
    assert any("Your Grand Tichu: failed." in text for text in stage.log)


def test_big_cards_keep_the_word_partner() -> None:
    stage = Stage(tichu_lead([MINE, LEFT, ACROSS, RIGHT], 0))
    assert "partner" in stage.text()
    stage.press("+")
    assert "partner" in stage.text()


def test_a_refused_key_lets_no_late_enter_through() -> None:
    stage = won()
    stage.tick(1.3)
    stage.press("b", "d", "enter")  # no bomb, and nothing is drawn here
    assert len(stage.played) == 1
    assert "so no card was played" in stage.prompt
