"""The actions that only one game has, of all games: faces give them keys and buttons without knowing them."""

from __future__ import annotations

from cli.games import help_keys
from cli.games.tichu.actions import ACTIONS as OF_TICHU

OWN_ACTIONS = OF_TICHU
OPTIONAL = help_keys.OPTIONAL | {action.name for action in OWN_ACTIONS}
"""Actions of the table that not every game has."""
