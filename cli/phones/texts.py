"""What a phone's page says before Python runs in it."""

from __future__ import annotations

from cli.text import Translator, key
from cli.text.sentences import sentence

UNINVITED = key("nobody can join at this address: scan the code on the host’s screen")
TEXTS = {
    "name": key("Your name"),
    "sit": key("Sit down"),
    "loading": key("Getting ready. The first time, this takes a few seconds."),
    "trust": key(
        "Your cards are hidden from everybody at the table as long as the computer that serves this page runs the real "
        "Fairdeal."
    ),
    "old": key("This browser is too old for Fairdeal. Update it, or use Chrome, Firefox or Safari."),
    "missing": key("The computer that serves this page can’t seat phones. Ask its owner to install fairdeal[phones]."),
    "storage": key(
        "This browser saves nothing, so your seat would be lost when the page closes. Open the address in an ordinary "
        "window, not in a private one."
    ),
    "full": key("This phone’s storage is full, so nothing can be saved. Free up some space, then try again."),
    "unsaved": key("This browser could not save what you did last, so nobody has seen it. Try again."),
    "taken": key("Fairdeal is open in another tab now. Close this one, or play here: then the other one stops."),
    "fault": key("Something went wrong on this page. Try again."),
    "away": key("Part of this page didn’t arrive. Trying again…"),
    "lost": key(
        "The computer that serves this page can’t be reached. Is this phone on the same Wi-Fi? Your seat and your cards are kept."
    ),
    "updated": key("The computer that serves this page runs another version of Fairdeal now. Load the page again."),
    "again": key("Try again"),
    "here": key("Play here"),
    "check": key("Check a match file"),
    "checking": key("Checking the file…"),
}


def texts(_: Translator) -> dict[str, str]:
    """By the names that the page uses."""
    return {name: _(template) for name, template in TEXTS.items()} | {"uninvited": sentence(_(UNINVITED))}
