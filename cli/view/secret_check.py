"""The secret-check words at a table: what is said of them, and whether the player is asked to compare them."""

from __future__ import annotations

from cli.news import Playing, has_company
from cli.text import Translator


def asks_for_words(playing: Playing) -> bool:
    """Whether there are words that the player has not compared this evening, and somebody to compare them with."""
    facts = playing.facts
    return bool(facts.words) and facts.followed is None and not facts.is_compared and has_company(playing)


def words_told(_: Translator, playing: Playing) -> str:
    """The words, and whether they are still to be compared; empty where there is nobody to compare them with."""
    words = " ".join(playing.facts.words)
    if not words or not has_company(playing):
        return ""
    if playing.facts.is_compared:
        return _("Secret-check words: {words}. You compared yours with this group this evening.", words=words)
    return _("Secret-check words: {words}. Read them out once.", words=words)
