"""What a game has to say of the actions at its table, for a help page."""

from __future__ import annotations

from dataclasses import dataclass, field

from cli.games.cards import last_word
from cli.games.options import has_word
from cli.text import Translator
from protocol.games.game import AnyGame

OPTIONAL = frozenset({"tichu", "bomb", "draw", "call", "grand"})
"""Actions of the table that not every game has."""


@dataclass(frozen=True, slots=True)
class HelpKeys:
    """`helps` are those of `OPTIONAL` that this game has; `texts`: what an action does where that is not what it usually does;
    `mouse`: what clicks do; `yes_no` and `gives`: what these keys do, where they do something."""

    helps: frozenset[str]
    mouse: str
    texts: dict[str, str] = field(default_factory=dict)
    yes_no: str = ""
    gives: str = ""
    grand: str = ""


def help_keys(_: Translator, game: AnyGame) -> HelpKeys:
    helps = OPTIONAL & (game.MOVES.keys() - {"call"})
    if game.name == "tichu":
        return HelpKeys(
            helps | {"bomb"},
            _("a click picks, twice plays; on the trick plays, on a seat tells its last moves; keys below work, too"),
            yes_no=_("answer to Grand Tichu and Tichu: go to yes or no, Enter takes it"),
            gives=_("exchange: the card goes to the left, the partner, the right; Enter gives"),
            grand=_("call Grand Tichu; {paused}", paused=_("while paused: go on without who is missing")),
        )
    texts = {"pass": _("pass")}
    if game.words:
        texts["call"] = _("say “{word}”, now or with the next card", word=last_word(_, game.words))
    return HelpKeys(
        helps | ({"draw", "call"} if has_word(game.name, game.options) else {"draw"}),
        _("a click picks, twice plays; on the stock draws, on the pile plays, on a seat tells its last moves"),
        texts,
    )
