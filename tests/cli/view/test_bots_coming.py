"""Our own bots that are on their way into the room: nobody else is asked for, and no key adds more."""

from __future__ import annotations

import pytest

from cli.news import RoomChanged
from cli.terminal.settings import TerminalSettings
from cli.view.inputs import Hear
from cli.view.room import RoomModel
from tests.cli.screen.screens import guest, parlour
from tests.cli.terminal.drawn import on_screen, prompt_of


@pytest.mark.parametrize(
    ("free", "coming", "told"),
    [
        (3, 3, "The bots are sitting down; the cards will be dealt in a moment."),
        (1, 1, "The bots are sitting down; the cards will be dealt in a moment."),
        (3, 1, "Ready · 3 more players are needed · B: add a bot"),
        (3, 0, "Ready · 3 more players are needed · B: add a bot"),
    ],
)
def test_the_room_says_that_they_are_coming(free: int, coming: int, told: str) -> None:
    model = RoomModel(TerminalSettings(), b"mia", is_host=True)
    model.bots_coming = lambda _room: coming
    seats = [guest(b"mia", "Mia", ready=True), *(guest(b"bot%d" % at, "Bot", bot=True, ready=True) for at in range(3))]
    model.update(Hear(RoomChanged(parlour((*seats[: 4 - free], *[None] * free)))))
    assert prompt_of(on_screen(model)) == told


def test_whoever_has_asked_for_a_seat_at_the_running_match_is_told_so_until_they_sit() -> None:
    """What Enter did is not forgotten with the next key."""
    model = RoomModel(TerminalSettings(), b"kim", is_host=False)
    seats = [guest(b"mia", "Mia", playing=True), guest(b"ada", "Ada", playing=True), guest(b"kim", "Kim"), None]
    model.update(Hear(RoomChanged(parlour(tuple(seats)))))
    assert prompt_of(on_screen(model)).startswith("A match is being played")
    model.sits_down = lambda: True
    assert prompt_of(on_screen(model)).startswith("You sit down when the round is over.")
