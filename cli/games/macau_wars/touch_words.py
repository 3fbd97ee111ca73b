"""What Macau Wars says in other words where everything is tapped: `cli.view.touch_words`."""

from __future__ import annotations

from collections.abc import Mapping

from cli.text import key
from protocol.games.labels import Plural

WORDS: Mapping[str, str] = {
    "Only a four can follow a four: add one or press {@pass} to pass.": key(
        "Only a four can follow a four: add one, or pass."
    ),
    "Only a four can follow a four, and you have none: press {@pass} to pass.": key(
        "Only a four can follow a four, and you have none, so you pass."
    ),
    "Play 2, 3, K♠, K♥, a queen or a joker, or press {@draw} to draw {n}.": key(
        "Play 2, 3, K♠, K♥, a queen or a joker, or draw {n}."
    ),
    "Last chance: add a 4 or press {@pass} to pass": key("Last chance: add a 4, or pass"),
    "Last chance, you have no 4: press {@pass} to pass": key("Last chance, and you have no 4: you can only pass"),
    "Last chance: add a 4, or {@pass} and {name} may get {turns}": key(
        "Last chance: add a 4. If you pass, {name} may get {turns}"
    ),
    "You have no four: press {@pass} ({name} then gets {turns})": key(
        "You have no four. When you pass, {name} gets {turns}"
    ),
}
PLURALS = (
    (
        Plural(
            "One four is down: add a 4 or press {@pass} to pass", "{n} fours are down: add a 4 or press {@pass} to pass"
        ),
        Plural("One four is down: add a 4, or pass", "{n} fours are down: add a 4, or pass"),
    ),
    (
        Plural(
            "One four is down and you have none: press {@pass} to pass",
            "{n} fours are down and you have none: press {@pass} to pass",
        ),
        Plural(
            "One four is down and you have none: you can only pass",
            "{n} fours are down and you have none: you can only pass",
        ),
    ),
)
