"""Which keys each screen offers, in the order in which they are shown where there is room."""

from __future__ import annotations

import pytest

from cli.terminal.settings import TerminalSettings
from tests.cli.screen.screens import SCREENS

BOX = "←→ Enter Esc"
"""A question takes all keys but its own."""
TURN = "←→ Space Enter D H S / V L Ctrl-Q"
LEAD = "←→ Space Enter H T S / V L Ctrl-Q"
FOLLOW = "←→ Space Enter P H T X S / V L Ctrl-Q"
NOT_MY_TURN = "←→ Space S / V L Ctrl-Q"
LIST = "↑↓ Enter F2 Esc"
LOBBY = "↑↓ Enter Ctrl-Q F2 N C"
KEYS = {
    "crazy-eights": TURN,
    "refused": TURN,
    "two-players": TURN,
    "ten-players": TURN,
    "war": TURN,
    "big-cards": TURN,
    "penalty": "←→ Space Enter H S / V L Ctrl-Q",
    "waiting": NOT_MY_TURN,
    "last-word": NOT_MY_TURN,
    "suit-pick": BOX,
    "joker": BOX,
    "next-player": BOX,
    "rank-call": BOX,
    "tichu-wish": BOX,
    "tichu-call": BOX,
    "dragon": BOX,
    "leaving": BOX,
    "tichu-lead": LEAD,
    "tichu-picked": FOLLOW,
    "tichu-mended": FOLLOW,
    "grand": "←→ Enter H S / V L Ctrl-Q",
    "exchange": "←→ 1 2 3 Enter H X T S / V L Ctrl-Q",
    "paused": "G N / Ctrl-Q",
    "accused": "E V L / Ctrl-Q",
    "broken": "Enter V L / Ctrl-Q",
    "shuffling": "/ V L Ctrl-Q",
    "watching": "V L Ctrl-Q",
    "between-rounds": "Enter V Esc L / Ctrl-Q",
    "match-over": "Enter O V R E Esc",
    "report": "Esc E D",
    "help": "↑↓ Esc",
    "log": "Esc",
    "settings": "↑↓ ←→ Esc",
    "lobby": LOBBY,
    "empty-lobby": LOBBY,
    "room": "↑↓ Enter / O M F2 Esc",
    "phones": "↑↓ Esc N X H",
    "opening": LIST,
    "practice": LIST,
    "records": LIST,
    "choosing": "↑↓ Enter Esc",
    "replay": "Space ← → E Esc",
}


@pytest.mark.parametrize("name", SCREENS)
def test_each_screen_offers_the_keys_that_do_something(name: str) -> None:
    _view, look = SCREENS[name](TerminalSettings()).picture(80, 24)
    assert look is not None
    assert " ".join(cap.key for cap in look.caps) == KEYS[name]
