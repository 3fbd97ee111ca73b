"""A replay shows all hands and both teams' points in every window."""

from __future__ import annotations

from random import Random

import pytest

from cli.news import Moved, Recorded, RoundBegan, RoundEnded, Step
from cli.terminal.render import render
from cli.view.replay import ReplayPresenter
from cli.view.settings import Settings
from protocol.cards import Card
from protocol.games import LocalTable, load
from tests.cli.screen.stage import NAMES, Clock, Stage
from tests.cli.screen.test_golden import SIZES

LONG = ("Maximiliane", "Christopher", "Anne-Katharina", "Bot Ada")


def recorded(name: str, names: tuple[str, ...], moves: int) -> Recorded:
    """So many first moves of a table, all hands open."""
    local = LocalTable(load(name, len(names), {}), Random(3))
    steps = [Step(RoundBegan(1, local.view()), local.view(), 1)]
    for _move in range(moves):
        seat, before = local.to_act[0], local.view()
        move = local.legal(seat)[0]
        local.play(seat, move)
        hands = {str(each): list(hand) for each, hand in enumerate(local.hands)}
        shown = Moved(seat, local.game.encode(local.game.public(move)), before, local.view())
        steps.append(Step(shown, {**local.view(), "hands": hands}, 1))
    return Recorded(local.game, names, tuple(steps))


def text(shown: ReplayPresenter, columns: int, rows: int) -> str:
    return render(shown.view(columns, rows), columns, rows, shown.settings.shown, shown.settings.words).text()


@pytest.mark.parametrize(("columns", "rows"), [size for size in SIZES if size[0] >= 58])
@pytest.mark.parametrize("count", [2, 5, 10])
def test_every_hand_is_seen(count: int, columns: int, rows: int) -> None:
    shown = ReplayPresenter(recorded("crazy-eights", NAMES[:count], 12), Settings(), Clock())
    shown.go(12)
    lines = text(shown, columns, rows).splitlines()
    below = "\n".join(lines[-2 - (count if count <= max(4, rows - 20) else (count + 1) // 2) - 1 :])
    for name in NAMES[:count]:
        assert name in below


@pytest.mark.parametrize(("columns", "rows"), [size for size in SIZES if size[0] >= 58])
def test_both_teams_points_are_seen_whatever_their_names(columns: int, rows: int) -> None:
    shown = ReplayPresenter(recorded("tichu", LONG, 6), Settings(), Clock())
    step = shown.recording.steps[6]
    step.view["scores"] = [1345, -125]
    shown.go(6)
    above = "\n".join(text(shown, columns, rows).splitlines()[:4])
    assert "1345" in above
    assert "-125" in above


def test_who_looks_on_has_no_partner_and_sees_all_four() -> None:
    stage = Stage(LocalTable(load("tichu", 4, {}), Random(3)), None)
    assert "partner" not in stage.text()
    for columns, rows in SIZES[:3]:
        above = "\n".join(stage.text(columns, rows).splitlines()[:-4])
        assert all(name in above for name in NAMES[:4])


def test_space_at_the_end_plays_once_more_from_the_beginning() -> None:
    shown = ReplayPresenter(recorded("crazy-eights", NAMES[:2], 4), Settings(), Clock())
    shown.key("end")
    shown.key(" ")
    assert (shown.at, shown.is_playing) == (0, True)
    shown.key(" ")
    assert not shown.is_playing


def test_the_exchange_tells_who_gave_what_to_whom() -> None:
    local = LocalTable(load("tichu", 4), Random(3))
    steps: list[Step] = []
    given: dict[int, list[str]] = {}

    def full() -> dict[str, object]:
        return {**local.view(), "hands": {str(seat): list(hand) for seat, hand in enumerate(local.hands)}}

    while len(given) < 4:
        seat, before = next(each for each in local.to_act if each not in given), full()
        # As a transcript tells it, a gift is a number; the cards are known by the hands.
        is_giving = before["phase"] == "give"
        if is_giving:
            given[seat] = list(local.hands[seat][:3])
        move = {"do": "give", "cards": given[seat]} if is_giving else {"do": "grand", "call": False}
        local.play(seat, local.game.decode(move))
        public = {"do": "give", "cards": 3} if is_giving else move
        steps.append(Step(Moved(seat, public, before, full()), full(), 1))
    shown = ReplayPresenter(Recorded(local.game, NAMES[:4], tuple(steps)), Settings(), Clock())
    told = shown.told(len(steps) - 1)
    say = shown.cards.say
    for giver in range(4):
        gifts = [f"{say(card)} to {NAMES[(giver + step) % 4]}" for step, card in enumerate(map(Card, given[giver]), 1)]
        assert f"{NAMES[giver]} gave {gifts[0]}, {gifts[1]} and {gifts[2]}." in told


def over(rounds: int) -> Recorded:
    """So many rounds, each with a beginning and an end."""
    local = LocalTable(load("tichu", 4), Random(3))
    view = {**local.view(), "round_points": [-200, 200], "scores": [-200, 200], "out": [1, 3], "ended": "double"}
    steps: list[Step] = []
    for number in range(1, rounds + 1):
        steps += [Step(RoundBegan(number, local.view()), local.view(), number), Step(RoundEnded(view), view, number)]
    return Recorded(local.game, LONG, tuple(steps))


def test_the_last_line_tells_the_score_whole() -> None:
    shown = ReplayPresenter(over(1), Settings(), Clock())
    shown.go(1)
    assert shown.view(80, 24).frame.prompt.endswith("200.")
    line = text(shown, 80, 24).splitlines()[-2]
    assert "Score: " in line
    assert line.rstrip().endswith("200.")


def test_with_one_round_no_next_one_is_offered() -> None:
    shown = ReplayPresenter(over(1), Settings(), Clock())
    assert "N" not in [cap.key for cap in shown.view(200, 60).frame.caps]
    shown.key("n")
    assert shown.at == 0
    assert "no later round" in shown.note
    shown = ReplayPresenter(over(2), Settings(), Clock())
    assert "N" in [cap.key for cap in shown.view(200, 60).frame.caps]
    shown.key("n")
    assert shown.at == 2
