"""All screens that lie over others. Import this before showing a model: each kind registers its screen here."""

from __future__ import annotations

from cli.terminal import help, lists, pages, replaying
from cli.terminal.screen import screen_of

__all__ = ["help", "lists", "pages", "replaying", "screen_of"]
