"""What the page says by itself, in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping

from cli.news.emotes import EMOTES
from cli.text import Translator, key

TEXTS: Mapping[str, str] = {
    "menu": key("Menu"),
    "close": key("Close"),
    "send": key("Send"),
    "cancel": key("cancel"),
    "hand": key("Your hand"),
    "stock": key("{n} left"),
    "playable": key("playable"),
    "picked": key("picked"),
    "cards": key("{n} cards"),
    "one_card": key("1 card"),
    "sending": key("Sending…"),
    "more": key("More"),
    "less": key("Less"),
    "lost": key("This page can’t reach Fairdeal any more. Is it still running on this computer?"),
    "over": key("Fairdeal has ended. You can close this page."),
    "refused": key("This address has been used already. Fairdeal shows a new one where it was started."),
    "away": key("Trying again…"),
    "join": key("Scan to join"),
    "sound": key("Sound"),
    "give": key("Pass cards"),
    "to_table": key("back to the table"),
    "log": key("log"),
    "rules": key("rules"),
    "settings": key("settings"),
    "points": key("points"),
    "nothing": key("nothing yet"),
    "check": key("Check a match file"),
    "checking": key("Checking the file…"),
    "old": key("This browser is too old for Fairdeal. Update it, or use Chrome, Firefox or Safari."),
    "restoring": key("This page hung and is being restored. Your seat and your cards are kept."),
    "see_cards": key("See my cards"),
    "try_now": key("Try now"),
    "this_phone": key("this phone"),
    "the_table": key("the table"),
}


def texts(_: Translator) -> dict[str, str]:
    """By the names that the page uses; fields stay in braces."""
    emotes = {f"emote {said}": _(meant) for said, meant in EMOTES.items()}
    return {name: _(template) for name, template in TEXTS.items()} | emotes
