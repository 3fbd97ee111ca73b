"""A replay shows all hands and both teams' points in every window."""

from __future__ import annotations

from random import Random

import pytest

from cli.playing import Moved, RoundBegan
from cli.replaying import Recorded, Step
from cli.screen.present.replay import ReplayPresenter
from cli.screen.render import render
from cli.screen.settings import Settings
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
