"""What the table is told of a program that does what an unchanged one never does."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cli.games.base.narrator import Narrator
    from cli.news import Misbehaved


def misbehaved_told(who: Narrator, news: Misbehaved) -> str:
    """A sentence that names the seat, and accuses nobody of cheating."""
    _, name = who._, who.name(news.seat)
    if news.is_flood:
        return _("{name}’s computer is sending too much. Fairdeal will ignore it for a minute.", name=name)
    return _(
        "{name}’s program signed one message twice. That proves no cheating, but Fairdeal itself never does it.",
        name=name,
    )
