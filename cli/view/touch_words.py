"""What the page says in other words: there everything is tapped, and each action has a button.

By the words of the other faces; nothing at all where a button says it already.
"""

from __future__ import annotations

from collections.abc import Mapping

from cli.text import key
from protocol.games.labels import Plural

WORDS: Mapping[str, str] = {
    "cannot reach this table: run fairdeal doctor (D in the lobby) here and on the host’s computer": key(
        "cannot reach this table: is it on the same Wi-Fi as this device?"
    ),
    "Match saved. Press {@records} to replay it.": key("Match saved. You can replay it later."),
    "You stepped away. The table is waiting for you: press {@resume} to rejoin.": key(
        "You stepped away. The table is waiting for you, and you can rejoin."
    ),
    "You stepped away. Your seat is kept: press {@resume} to rejoin.": key(
        "You stepped away. Your seat is kept, and you can rejoin."
    ),
    "It stays unfinished, and nobody loses it. To rejoin: {@resume} in the lobby.": key(
        "It stays unfinished, and nobody loses it. You can rejoin later."
    ),
    "The match is put aside, unfinished. To rejoin it: {@resume} in the lobby.": key(
        "The match is put aside, unfinished. You can rejoin it when you leave the room."
    ),
    "Step away: your seat is kept. To rejoin: {@resume} in the lobby.": key(
        "Step away: your seat is kept, and you can rejoin."
    ),
    "Your computer was asleep. Reconnecting…": key("This device was asleep."),
    "Your computer was asleep. One moment…": key("This device was asleep. One moment…"),
    "Matches on this computer": key("Matches on this device"),
    "They can rejoin: open Fairdeal, press {@resume}.": key("They can rejoin at any time."),
    "These bots run on your computer. To restart them: {@leave}, step away, then {@resume} in the lobby.": key(
        "These bots run on your computer. To restart them, step away and rejoin."
    ),
    "lobby": key("tables"),
    "to the lobby": key("to the list of tables"),
    "{@play:lobby}": "",
    "You can’t play on for now · {@play:lobby}, then {@resume} to rejoin later": key(
        "You can’t play on for now. You can rejoin later."
    ),
    "Match over · {@back:lobby}": key("Match over"),
    "Match over · {@play:again} · {@back:lobby}": key("Match over"),
    "Match over · {@play:again}": key("Match over"),
    "open a table (friends see it in their lobby)": key("open a table (friends on this network see it)"),
    "{table} hasn’t started yet. Press {@row-enter} to join.": key("{table} hasn’t started yet. You can still join."),
    "To quit Fairdeal, press {@quit}.": key("To quit Fairdeal, choose “{@quit}”."),
    "To start, press {@row-enter}. You can change the rows below.": key(
        "Start whenever you like, or change the rows below."
    ),
    "No matches here yet. Press {@practise} in the lobby to play against bots.": key("No matches here yet."),
    "All seats are taken. Press {@send-away} to free one for a bot.": key(
        "All seats are taken. Remove a player to free one for a bot."
    ),
    "Rings if you haven’t pressed a key for a while, and twice when your time is running out.": key(
        "Rings if you haven’t done anything for a while, and twice when your time is running out."
    ),
    "Everyone else is ready · {told}": key("Everyone else is ready and waiting for you"),
    "{@row-enter:I’m ready}": "",
    "{@start:start with {n}}": "",
    "{@bot:add a bot}": "",
    "A match is being played · {@row-enter:watch}": key("A match is being played"),
    "A match is being played, and the next one is full · {@row-enter:watch}": key(
        "A match is being played, and the next one is full"
    ),
    "You’ll play in the next match · {@row-enter:watch this one}": key("You’ll play in the next match"),
    "A match is being played: you’ll play in the next one · {@row-enter:watch}": key(
        "A match is being played: you’ll play in the next one"
    ),
    "You sit out the next match · {@sit-out:play after all}": key("You sit out the next match"),
    "A seat is empty · {@row-enter:take over from {name}, with {points}}": key(
        "A seat is empty: you can take over from {name}, with {points}"
    ),
    "A seat is empty · {@play:take over from {name}, with {points}}": key(
        "A seat is empty: you can take over from {name}, with {points}"
    ),
    "A bot makes room for you · {@row-enter:take over from {name}, with {points}}": key(
        "A bot makes room for you: you can take over from {name}, with {points}"
    ),
    "A bot makes room for you · {@play:take over from {name}, with {points}}": key(
        "A bot makes room for you: you can take over from {name}, with {points}"
    ),
    "A check failed: the table is frozen · {@report:details} · {@export:save the evidence}": key(
        "A check failed: the table is frozen"
    ),
    "A check failed: the match is over · {@export:save evidence} · {back}": key("A check failed: the match is over"),
    "The match was stopped · {back} · {@report:proof}": key("The match was stopped"),
    "A check failed · {@back:table}": key("A check failed"),
    "The match was stopped · {@back:table}": key("The match was stopped"),
    "{@back:table}": "",
    "A check failed, so the table is frozen. Press {@report} for details.": key(
        "A check failed, so the table is frozen. More under “{@report}”."
    ),
    "{@bomb:let a bot play}": "",
    "{@play:scores}": "",
    "{@play:ready for the next round}": "",
    "The round is over. Press {@play} for the scores.": key("The round is over."),
    "The round is over: press {@play} when you’re ready for the next.": key(
        "The round is over. Say when you’re ready for the next."
    ),
    "The trick was just taken, so no card was played. Press {@play} again to play one.": key(
        "The trick was just taken, so no card was played. Tap again to play one."
    ),
    "The screen just changed, so nothing was done. Press {@play} again if you still want to.": key(
        "The table just changed, so nothing was done. Tap again if you still want to."
    ),
    "Hints are off. Press {@settings} to turn them on.": key("Hints are off. You can turn them on in the settings."),
    "Nothing is selected. {@leave:leave the table}.": key("Nothing is selected."),
    "Press {@pass} to pass.": key("You can pass."),
    "Press {@draw} to draw.": key("You can draw."),
    "Press {@draw} to draw {n}.": key("You have to draw {n}."),
    "Press {@hint} to see what you can play.": key("A hint shows what you can play."),
    "{@draw:draw}": "",
    "{@pass:pass}": "",
    "Play a {rank}, or press {@draw} to draw {n}.": key("Play a {rank}, or draw {n}."),
    "You have no {rank} to answer with: press {@draw} to draw {n}.": key(
        "You have no {rank} to answer with: draw {n}."
    ),
    "There is nothing to draw: press {@pass} to pass.": key("There is nothing to draw, so you pass."),
    "Only {cards} can be played · {@play:play}": key("Only {cards} can be played"),
    "Option {number} of {count}: {cards} · {@play:play}": key("You can play {cards} ({number} of {count})"),
    "Suggestion: {cards} · {@play:play}": key("Suggestion: {cards}"),
    "Suggestion: draw ({@draw})": key("Suggestion: draw"),
    "Suggestion: pass ({@pass})": key("Suggestion: pass"),
    "Suggestion: {move} ({@other})": key("Suggestion: {move}"),
    "Suggestion: {move} · {@play:play}": key("Suggestion: {move}"),
    "{@call:say “{word}”}": "",
    "{@play:play {cards}} · {@call:say “{word}”}": key("{@play:play {cards}}"),
    "You’ll say “{word}” with your last card. {@clear:undo}": key("You’ll say “{word}” with your last card."),
    "You’ll say “{word}” when you play down to one card. {@clear:undo}": key(
        "You’ll say “{word}” when you play down to one card."
    ),
    "You won’t say “{word}”. Press {@call} to say it after all.": key(
        "You won’t say “{word}”. Tap again to say it after all."
    ),
    "with “{word}” ({@call} or {@clear:undo})": key("with “{word}”"),
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
    "No four, last chance gone: press {@pass} ({name} then gets {turns})": key(
        "You have no four. When you pass, {name} gets {turns}"
    ),
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
    "Keys and rules": key("Rules"),
    "plays the card marked ▲": key("tap a card to pick it, and again to play it"),
    "plays the picked cards": key("“Play” plays what you picked"),
    "draws a card if you can’t play": key("tap the stock to draw a card"),
    "picks a card you can play": key("the bulb picks a card you can play"),
    "passes (your only move right now)": "",
    "picks cards, {@play} plays them together": key("tap several cards: “Play” plays them together"),
    "passes if you can’t (or don’t want to) beat it": "",
    "picks cards you can play": key("the bulb picks cards you can play"),
    "click: pick, double-click: play; click the stock to draw, the pile to play, a seat for its last moves": key(
        "tap: pick, tap again: play; tap the stock to draw, a seat for its last moves"
    ),
    "click: pick, double-click: play; click the trick to play, a seat for its last moves; keys below work too": key(
        "tap: pick; tap a seat for its last moves"
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
TOUCH_WORDS: Mapping[str, str] = {
    **WORDS,
    **{usual: touched for pair in PLURALS for usual, touched in zip(*pair, strict=True)},
}
"""The forms of a plural by themselves, too."""
