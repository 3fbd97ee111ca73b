"""How well a bot plays stands in its name, for all to see: Bot Ada (strong)."""

from __future__ import annotations

from collections.abc import Collection

from protocol.games.game import LEVELS, NORMAL


def with_level(name: str, level: str) -> str:
    """Return the name of a bot that plays so well."""
    return name if level == NORMAL else f"{name} ({level})"


def level_of(name: str) -> str:
    """Return how well the bot of this name plays."""
    return next((level for level in LEVELS if name.endswith(f" ({level})")), NORMAL)


def name_with_levels(name: str, levels: Collection[str]) -> str:
    """Return a bot's name in a game that has these levels: where its own is not one of them, it plays as normal bots do."""
    level = level_of(name)
    return name if level in levels else name.removesuffix(f" ({level})")
