"""What the games say in other words where everything is tapped, of all games: `cli.view.touch_words` adds the rest."""

from __future__ import annotations

from collections.abc import Mapping

from cli.games.base.touch_words import WORDS as OF_ANY
from cli.games.macau_wars.touch_words import PLURALS
from cli.games.macau_wars.touch_words import WORDS as OF_MACAU_WARS
from cli.games.shedding.touch_words import WORDS as OF_SHEDDING
from cli.games.tichu.touch_words import WORDS as OF_TICHU

OF_GAMES: Mapping[str, str] = {
    **OF_ANY,
    **OF_SHEDDING,
    **OF_MACAU_WARS,
    **OF_TICHU,
    **{usual: touched for pair in PLURALS for usual, touched in zip(*pair, strict=True)},
}
"""The forms of a plural by themselves, too."""
