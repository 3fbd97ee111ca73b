"""What Tichu says in other words where everything is tapped: `cli.view.touch_words`."""

from __future__ import annotations

from collections.abc import Mapping

from cli.text import key

WORDS: Mapping[str, str] = {
    "Press {@hint} to see what you can play.": key("A hint shows what you can play."),
    "Pass a card to each player · {@gift:choose who} · {@play:pass}": key("Choose a card for {name}"),
    "You chose three cards · {@play:pass them}": key("All three cards are chosen"),
    "You chose three cards. {@play:pass them} · {@clear:start over}": key(
        "All three cards are chosen. Tap one of them to take it back."
    ),
    "{card} goes to {name} · {@gift:who gets the card marked ▲?}": key("{card} goes to {name}"),
    "Suggestion: {gifts} · {@play:pass them}": key("Suggestion: {gifts}"),
    "You have the Mah Jong and lead · {@play:show it}": key("You have the Mah Jong, so you lead"),
    "Give the Dragon’s trick to an opponent · {@play:choose who}": key("Who gets the Dragon’s trick?"),
    "You won the trick ({seconds} s for bombs · {@play:take it now})": key("You won the trick · {seconds} s for bombs"),
    "You won the trick: wait, or press {@play} to take it now": key(
        "You won the trick: wait for a bomb, or take it now"
    ),
    "Beat the trick, or press {@pass} to pass": key("Beat the trick, or pass"),
    "Your partner is winning: press {@pass} to pass, or beat it": key("Your partner is winning: pass, or beat it"),
    "You can’t beat this · {@pass:pass}": key("You can’t beat this"),
    "you can’t beat it · {@pass:pass}": "",
    "your turn: beat it, or {@pass:pass}": "",
    "passing ahead ({@pass} or {@clear:undo})": key("passing ahead"),
    "you’ll pass ({@pass} or {@clear:undo})": key("you’ll pass"),
    "{combo} · {@play:play}": key("{combo}"),
    "Suggestion: {cards} (breaks up your bomb) · {@play:play}": key("Suggestion: {cards} (breaks up your bomb)"),
    "Suggestion: call Tichu ({@tichu})": key("Suggestion: call Tichu"),
    "Suggestion: yes, your hand is strong ({cards}) · {@play:confirm}": key(
        "Suggestion: yes, your hand is strong ({cards})"
    ),
    "Suggestion: no, your partner has already called · {@play:confirm}": key(
        "Suggestion: no, your partner has already called"
    ),
    "Suggestion: no, you have no Dragon, Phoenix or ace · {@play:confirm}": key(
        "Suggestion: no, you have no Dragon, Phoenix or ace"
    ),
    "Suggestion: no, {cards} is not enough · {@play:confirm}": key("Suggestion: no, {cards} is not enough"),
    "Bomb: {cards} · {@play:play}, {@clear:put back}": key("Bomb: {cards}"),
    "Bomb {number} of {count}: {cards} · {@play:play}, {@bomb:next}": key("Bomb {number} of {count}: {cards}"),
    "This is your only bomb: {cards} · {@play:play}, {@clear:put back}": key("This is your only bomb: {cards}"),
    "picks cards, {@play} plays them together": key("tap several cards: “Play” plays them together"),
    "passes if you can’t (or don’t want to) beat it": "",
    "picks cards you can play": key("the bulb picks cards you can play"),
}
