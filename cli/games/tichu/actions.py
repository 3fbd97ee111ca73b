"""What can be done at a table of Tichu alone."""

from __future__ import annotations

from cli.games.shown import OwnAction
from cli.text import key

ACTIONS = (
    OwnAction("tichu", "t", key("Tichu"), key("call Tichu")),
    OwnAction("grand", "g", key("Grand"), key("call Grand Tichu")),
)
