"""All screens that lie over others. Whoever shows a model imports this, so that each kind has its screen."""

from __future__ import annotations

from cli.terminal import help, lists, pages, replaying
from cli.terminal.screen import screen_of

__all__ = ["help", "lists", "pages", "replaying", "screen_of"]
