"""How well a bot plays: what its levels are called, and which one a new bot gets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cli.news import Do
from cli.text import key
from cli.view.choosing import Alternative, ChoiceModel
from cli.view.model import Effects
from cli.view.settings import Settings
from protocol.games.game import EASY, NORMAL, STRONG

LEVEL_LABELS: Mapping[str, str] = {EASY: key("Easy"), NORMAL: key("Normal"), STRONG: key("Strong")}


def ask_bot_level(settings: Settings, levels: Sequence[str]) -> ChoiceModel:
    """How well one more bot should play. `levels`: those that the game has."""
    _ = settings.words
    answers = [*(Alternative(each, _(LEVEL_LABELS[each])) for each in levels), Alternative("cancel", _("Cancel"))]

    def chosen(name: str) -> Effects:
        return (Do("bot", name),) if name != "cancel" else ()

    return ChoiceModel(settings, _("How well should the bot play?"), answers, chosen, focus=NORMAL)
