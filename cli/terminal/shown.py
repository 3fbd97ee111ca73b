"""Which screen shows a model."""

from __future__ import annotations

from typing import Any

from cli.terminal.help import HelpScreen
from cli.terminal.lists import ListScreen
from cli.terminal.pages import PageScreen
from cli.terminal.replaying import ReplayScreen
from cli.terminal.screen import Screen
from cli.terminal.settings import TerminalSettings
from cli.view.listing import ListModel
from cli.view.model import Clock
from cli.view.page import Page
from cli.view.replay import ReplayModel
from cli.view.table.help import TableHelp


def screen_of(model: Any, settings: TerminalSettings, clock: Clock) -> Screen:
    """A new screen. TypeError for a model that has none."""
    match model:
        case TableHelp():
            return HelpScreen(model, settings, clock)
        case Page():
            return PageScreen(model, settings, clock)
        case ListModel():
            return ListScreen(model, settings, clock)
        case ReplayModel():
            return ReplayScreen(model, settings, clock)
    raise TypeError(f"nothing shows {type(model)}")
