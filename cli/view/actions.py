"""The names of actions: where each can be done, and what it is called on a button. Which key stands for it only a face knows."""

from __future__ import annotations

from collections.abc import Mapping

from cli.games.own_actions import OWN_ACTIONS
from cli.text import Translator, key
from cli.view.touch_words import TOUCH_WORDS
from protocol.values import dataclass

TABLE, LIST, PAGE = "table", "list", "page"
SHEET, LOBBY, ROOM, MENU, REPORT, REPLAY = "sheet", "lobby", "room", "menu", "report", "replay"
PAUSED, PHONES = "paused", "phones"
WITHIN = {SHEET: TABLE, PAUSED: TABLE, LOBBY: LIST, ROOM: LIST, MENU: LIST, REPORT: PAGE, PHONES: PAGE, REPLAY: PAGE}
"""Places that have actions of their own beside those of another."""

LABELS: Mapping[str, str] = {
    "pick": key("pick"),
    "play": key("play"),
    "draw": key("draw"),
    "pass": key("pass"),
    "call": key("one left"),
    "other": key("other move"),
    **{action.name: action.label for action in OWN_ACTIONS},
    "bomb": key("bomb"),
    "gift": key("pass to"),
    "yes": key("yes"),
    "no": key("no"),
    "clear": key("clear"),
    "sort": key("sort"),
    "hint": key("hint"),
    "chat": key("chat"),
    "log": key("log"),
    "report": key("proof"),
    "export": key("save evidence"),
    "words-match": key("words match"),
    "scores": key("scores"),
    "settings": key("settings"),
    "big": key("big cards"),
    "leave": key("leave"),
    "help": key("help"),
    "back": key("back"),
    "quit": key("quit"),
    "row-up": key("choose"),
    "row-down": key("choose"),
    "row-right": key("change"),
    "row-enter": key("choose"),
    "row-first": key("start"),
    "new": key("new"),
    "address": key("address"),
    "practise": key("play against bots"),
    "records": key("replays and scores"),
    "resume": key("rejoin"),
    "bot": key("add bot"),
    "phones": key("guests by phone"),
    "phones-next": key("another address"),
    "phones-stop": key("no more phones"),
    "hotspot": key("no Wi-Fi?"),
    "send-away": key("remove player"),
    "start": key("start"),
    "hand-over": key("hand over"),
    "sit-out": key("sit out"),
    "other-game": key("other game"),
    "watch": key("watch"),
    "ready": key("ready"),
    "scroll-down": key("scroll"),
    "vote": key("play on"),
    "vote-no": key("vote to wait"),
    "unvote": key("undo your vote"),
}
"""What an action is called where nothing else is said. Sentences may name these as `{@draw}` and `{@draw:draw two}`."""


@dataclass(frozen=True, slots=True)
class ButtonNames:
    """How a face with buttons names actions in sentences: by what stands on the button."""

    def worded(self, template: str) -> str:
        return TOUCH_WORDS.get(template, template)

    def name(self, _: Translator, action: str) -> str:
        return _(LABELS[action])

    def offer(self, _: Translator, action: str, what: str) -> str:
        """An action with what it does there: that is enough, the button says the same."""
        return what
