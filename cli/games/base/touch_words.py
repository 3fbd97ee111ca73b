"""What any game says in other words where everything is tapped and each action has a button: `cli.view.touch_words`."""

from __future__ import annotations

from collections.abc import Mapping

from cli.text import key

WORDS: Mapping[str, str] = {
    "Press {@pass} to pass.": key("You can pass."),
    "Press {@draw} to draw.": key("You can draw."),
    "{@draw:draw}": "",
    "{@pass:pass}": "",
    "Picked: {cards}. {@clear:clear}": key("Picked: {cards}."),
    "{@clear:clear}": "",
    "Only {cards} can be played · {@play:play}": key("Only {cards} can be played"),
    "Option {number} of {count}: {cards} · {@play:play}": key("You can play {cards} ({number} of {count})"),
    "Suggestion: {cards} · {@play:play}": key("Suggestion: {cards}"),
    "Suggestion: draw ({@draw})": key("Suggestion: draw"),
    "Suggestion: pass ({@pass})": key("Suggestion: pass"),
    "Suggestion: {move} ({@other})": key("Suggestion: {move}"),
    "Suggestion: {move} · {@play:play}": key("Suggestion: {move}"),
    "{@play:play {cards}} · {@call:say “{word}”}": key("{@play:play {cards}}"),
    "plays the card marked ▲": key("tap a card to pick it, and again to play it"),
    "plays the picked cards": key("“Play” plays what you picked"),
    "draws a card if you can’t play": key("tap the stock to draw a card"),
    "picks a card you can play": key("the bulb picks a card you can play"),
    "passes (your only move right now)": "",
    "click: pick, double-click: play; click the stock to draw, the pile to play, a seat for its last moves": key(
        "tap: pick, tap again: play; tap the stock to draw, a seat for its last moves"
    ),
    "click: pick, double-click: play; click the trick to play, a seat for its last moves; keys below work too": key(
        "tap: pick; tap a seat for its last moves"
    ),
}
