"""What the page says in other words: there everything is tapped, and each action has a button.

By the words of the other faces; nothing at all where a button says it already.
"""

from __future__ import annotations

from collections.abc import Mapping

from cli.games.touch_words import OF_GAMES
from cli.text import key

TOUCH_WORDS: Mapping[str, str] = {
    **OF_GAMES,
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
    "If they match, say so under {@report}.": key("If they match, say so under “{@report}”."),
    "A check on your computer failed": key("A check on this device failed"),
    "Public information, checked on your computer": key("Public information, checked on this device"),
    "This deal was checked on this computer before you left.": key(
        "This deal was checked on this device before you left."
    ),
    "After a round its keys are revealed, and your computer recalculates everything that was hidden.": key(
        "After a round its keys are revealed, and this device recalculates everything that was hidden."
    ),
    "there is no unfinished match on this computer": key("there is no unfinished match on this device"),
    "Your cards are safe on this computer.": key("Your cards are safe on this device."),
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
    "Rings if it is your turn, or the table waits for somebody, and you haven’t pressed a key for a while.": key(
        "Rings if it is your turn, or the table waits for somebody, and you haven’t done anything for a while."
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
    "- free -": key("free"),
    "not yet": key("not ready"),
    "This is the last round. End: to the last step.": key("This is the last round."),
    "This file is NOT valid: run fairdeal verify to see why.": key(
        "This file is NOT valid: “Check a match file” tells you why."
    ),
    "✗ The recheck FAILED: run fairdeal verify on the transcript to see why.": key(
        "✗ The recheck FAILED: “Check a match file” tells you why."
    ),
    "the proof: to check it on any computer, run “fairdeal verify” with this file name": key(
        "the proof: anyone can check it with “Check a match file” or “fairdeal verify”"
    ),
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
    "Nothing is picked. {@leave:leave the table}.": key("Nothing is picked."),
    "Keys and rules": key("Rules"),
}
