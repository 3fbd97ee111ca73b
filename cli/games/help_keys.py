"""What a game has to say of the actions at its table, for a help page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from cli.games.cards import last_word
from cli.text import Translator
from protocol.errors import BadMessage, IllegalMove
from protocol.games.game import AnyGame
from protocol.values import dataclass

OPTIONAL = frozenset({"bomb", "draw", "pass", "call", "other"})
"""Actions of the table that several games have, but not every game."""


@dataclass(frozen=True, slots=True)
class HelpKeys:
    """`helps` are those of `OPTIONAL` that this game has; `texts`: what an action does where that is not what it usually does;
    `mouse`: what clicks do; `yes_no` and `gives`: what these keys do, where they do something; `late`: what actions do that are
    told after all others."""

    helps: frozenset[str]
    mouse: str
    texts: dict[str, str] = field(default_factory=dict)
    yes_no: str = ""
    gives: str = ""
    late: dict[str, str] = field(default_factory=dict)


def has_word(game: type[AnyGame], options: Mapping[str, object]) -> bool:
    """Whether this variant has a word for the last card; `options` are all of the game's."""
    return bool(game.words) and options.get("last_card", True) is not False


def own_helps(game: AnyGame) -> frozenset[str]:
    """The actions of `OPTIONAL` that are moves of this game."""
    return frozenset(name for name in OPTIONAL - {"call"} if name in game.MOVES or has_move(game, name))


def has_move(game: AnyGame, do: str) -> bool:
    """Whether this game knows the move `do`, without cards or anything else chosen."""
    try:
        game.decode({"do": do})
    except (BadMessage, IllegalMove):
        return False
    return True


def help_keys(_: Translator, game: AnyGame) -> HelpKeys:
    """For any game."""
    helps = own_helps(game)
    others = game.MOVES.keys() - OPTIONAL - {"play"}
    texts = {"pass": _("pass")}
    if game.words:
        texts["call"] = _("say “{word}”, now or with your next card", word=last_word(_, game.words))
    return HelpKeys(
        helps | ({"call"} if has_word(type(game), game.options) else set()) | ({"other"} if others else set()),
        _("click: pick, double-click: play; click the stock to draw, the pile to play, a seat for its last moves")
        if "draw" in helps
        else _(
            "click: pick, double-click: play; click the trick to play, a seat for its last moves; keys below work too"
        ),
        texts,
    )
