"""A replay shows all hands and both teams' points in every window."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

from cli.client.recording import recording_of
from cli.news import Moved, Recorded, RecordedStep, RoundBegan, RoundEnded
from cli.terminal.screen import Screen
from cli.terminal.settings import TerminalSettings
from cli.view.replay import STEP_S, ReplayModel
from cli.view.views import TableView
from protocol.cards import Card
from protocol.games import LocalTable, load
from protocol.games.views import PublicView
from protocol.steps import done
from protocol.table.verify import verify
from protocol.values import replace
from tests.cli.screen.stage import NAMES, Clock, Stage
from tests.cli.screen.test_golden import SIZES
from tests.cli.terminal.drawn import keys_of, on_screen, prompt_of, text_of

LONG = ("Maximiliane", "Christopher", "Anne-Katharina", "Bot Ada")


def recorded(name: str, names: tuple[str, ...], moves: int) -> Recorded:
    """So many first moves of a table, all hands open."""
    local = LocalTable(load(name, len(names), {}), Random(3))
    steps = [RecordedStep(RoundBegan(1, local.public_view()), local.public_view(), 1)]
    for _move in range(moves):
        seat, before = local.to_act[0], local.public_view()
        move = local.legal(seat)[0]
        local.play(seat, move)
        shown = Moved(seat, local.game.encode(local.game.public(move)), before, local.public_view())
        steps.append(RecordedStep(shown, local.public_view().with_hands(dict(enumerate(local.hands))), 1))
    return Recorded(local.game, names, tuple(steps))


def shown_at(record: Recorded, step: int = 0, clock: Clock | None = None) -> Screen:
    """A replay on the screen, gone to this step."""
    clock = clock or Clock()
    model = ReplayModel(record, TerminalSettings(), clock)
    model.go(step)
    return on_screen(model, clock)


@pytest.mark.parametrize(("columns", "rows"), [size for size in SIZES if size[0] >= 58])
@pytest.mark.parametrize("count", [2, 5, 10])
def test_every_hand_is_seen(count: int, columns: int, rows: int) -> None:
    shown = shown_at(recorded("crazy-eights", NAMES[:count], 12), 12)
    lines = text_of(shown, columns, rows).splitlines()
    below = "\n".join(lines[-2 - (count if count <= max(4, rows - 20) else (count + 1) // 2) - 1 :])
    for name in NAMES[:count]:
        assert name in below


@pytest.mark.parametrize(("columns", "rows"), [size for size in SIZES if size[0] >= 58])
def test_both_teams_points_are_seen_whatever_their_names(columns: int, rows: int) -> None:
    record = recorded("tichu", LONG, 6)
    last = record.steps[6]
    record = replace(record, steps=(*record.steps[:6], replace(last, view=replace(last.view, scores=(1345, -125)))))
    above = "\n".join(text_of(shown_at(record, 6), columns, rows).splitlines()[:4])
    assert "1345" in above
    assert "-125" in above


@pytest.mark.slow
@pytest.mark.usefixtures("verified_once")
def test_a_seat_shows_whether_a_bot_played_it_and_by_which_key() -> None:
    file = Path(__file__).parents[2] / "vectors/matches/taken-by-a-bot.match"
    recording, _ok = done(recording_of(file, Path()))
    shown = ReplayModel(recording, TerminalSettings(), Clock()).view()
    assert isinstance(shown, TableView)
    members = verify(file.read_bytes(), os.urandom).members
    assert [each.is_bot for each in shown.seats] == [each.bot for each in members]
    assert len({each.is_bot for each in shown.seats}) == 2
    assert [each.key for each in shown.seats] == [each.key.hex() for each in members]


def test_who_looks_on_has_no_partner_and_sees_all_four() -> None:
    stage = Stage(LocalTable(load("tichu", 4, {}), Random(3)), None)
    assert "partner" not in stage.text()
    for columns, rows in SIZES[:3]:
        above = "\n".join(stage.text(columns, rows).splitlines()[:-4])
        assert all(name in above for name in NAMES[:4])


def test_space_at_the_end_plays_once_more_from_the_beginning() -> None:
    clock = Clock()
    shown = shown_at(recorded("crazy-eights", NAMES[:2], 4), 4, clock)
    assert keys_of(shown)["Space"] == "start"
    shown.key(" ")
    assert "step 1 of 5" in text_of(shown)
    assert keys_of(shown)["Space"] == "pause"
    clock.passes(STEP_S)
    shown.tick()
    assert "step 2 of 5" in text_of(shown)
    shown.key(" ")
    clock.passes(STEP_S)
    shown.tick()
    assert "step 2 of 5" in text_of(shown)


def test_the_exchange_tells_who_gave_what_to_whom() -> None:
    local = LocalTable(load("tichu", 4), Random(3))
    steps: list[RecordedStep] = []
    given: dict[int, list[str]] = {}

    def full() -> PublicView:
        return local.public_view().with_hands(dict(enumerate(local.hands)))

    while len(given) < 4:
        seat, before = next(each for each in local.to_act if each not in given), full()
        # As a transcript tells it, a gift is a number; the cards are known by the hands.
        is_giving = before.phase == "give"
        if is_giving:
            given[seat] = list(local.hands[seat][:3])
        move = {"do": "give", "cards": given[seat]} if is_giving else {"do": "grand", "call": False}
        local.play(seat, local.game.decode(move))
        public = {"do": "give", "cards": 3} if is_giving else move
        steps.append(RecordedStep(Moved(seat, public, before, full()), full(), 1))
    shown = ReplayModel(Recorded(local.game, NAMES[:4], tuple(steps)), TerminalSettings(), Clock())
    told = shown.told(len(steps) - 1)
    say = shown.cards.say
    for giver in range(4):
        gifts = [f"{say(card)} to {NAMES[(giver + step) % 4]}" for step, card in enumerate(map(Card, given[giver]), 1)]
        assert f"{NAMES[giver]} passed {gifts[0]}, {gifts[1]} and {gifts[2]}." in told


def over(rounds: int) -> Recorded:
    """So many rounds, each with a beginning and an end."""
    local = LocalTable(load("tichu", 4), Random(3))
    view = replace(local.public_view(), round_points=(-200, 200), scores=(-200, 200), out=(1, 3), ended="double")
    steps: list[RecordedStep] = []
    for number in range(1, rounds + 1):
        steps += [
            RecordedStep(RoundBegan(number, local.public_view()), local.public_view(), number),
            RecordedStep(RoundEnded(view), view, number),
        ]
    return Recorded(local.game, LONG, tuple(steps))


def test_the_last_line_tells_the_score_whole() -> None:
    shown = shown_at(over(1), 1)
    assert prompt_of(shown).endswith("200.")
    line = text_of(shown).splitlines()[-2]
    assert "Score: " in line
    assert line.rstrip().endswith("200.")


def test_with_one_round_no_next_one_is_offered() -> None:
    shown = shown_at(over(1))
    assert "N" not in keys_of(shown)
    shown.key("n")
    assert "step 1 of 2" in text_of(shown)
    assert "This is the last round" in prompt_of(shown)
    shown = shown_at(over(2))
    assert "N" in keys_of(shown)
    shown.key("n")
    assert "step 3 of 4" in text_of(shown)
