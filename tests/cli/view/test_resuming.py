"""Back in a match that was left here, one hears which game it is: it may be another than the one asked for."""

from __future__ import annotations

from cli.news import Resuming
from cli.text import load_translator
from cli.view.progress import progress_lines


def told(news: Resuming) -> list[str]:
    return list(progress_lines(load_translator("en"), news))


def test_the_game_and_its_table_are_named() -> None:
    assert told(Resuming("mau-mau", "Kitchen")) == [
        "You are back in your match: Mau-Mau, Kitchen. Waiting for the other players…"
    ]


def test_another_game_has_to_wait() -> None:
    assert told(Resuming("mau-mau", "Kitchen", "tichu"))[1] == (
        "Finish it before you start Tichu, or quit it for good with --fresh."
    )
