"""What the shedding games say in other words where everything is tapped: `cli.view.touch_words`."""

from __future__ import annotations

from collections.abc import Mapping

from cli.text import key

WORDS: Mapping[str, str] = {
    "Press {@draw} to draw {n}.": key("You have to draw {n}."),
    "Play a {rank}, or press {@draw} to draw {n}.": key("Play a {rank}, or draw {n}."),
    "You have no {rank} to answer with: press {@draw} to draw {n}.": key(
        "You have no {rank} to answer with: draw {n}."
    ),
    "There is nothing to draw: press {@pass} to pass.": key("There is nothing to draw, so you pass."),
    "{@call:say “{word}”}": "",
    "You’ll say “{word}” with your last card. {@clear:undo}": key("You’ll say “{word}” with your last card."),
    "You’ll say “{word}” when you play down to one card. {@clear:undo}": key(
        "You’ll say “{word}” when you play down to one card."
    ),
    "You won’t say “{word}”. Press {@call} to say it after all.": key(
        "You won’t say “{word}”. Tap again to say it after all."
    ),
    "with “{word}” ({@call} or {@clear:undo})": key("with “{word}”"),
}
