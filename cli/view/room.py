"""The waiting room: who sits where, who is ready, what friends need to come in."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from cli.clean import clean, clean_name
from cli.games.options import house_rules
from cli.games.titles import game_title
from cli.news import Do, Say
from cli.terminal.canvas import Action
from cli.view.effects import AskText
from cli.view.emotes import EMOTES, is_no_emote, shown_text
from cli.view.listing import ListPresenter
from cli.view.presenter import Clock
from cli.view.settings import Settings
from cli.view.views import Cap, Frame, Line, ListView, Piece, Row
from protocol.errors import BadOption
from protocol.games.catalogue import game_class
from protocol.table.roster import TableOptions

CHAT_CELLS = 200
MOST_RULES = 4


class Sitting(Protocol):
    """Somebody in the room (`protocol.table.seating.Sitter`)."""

    @property
    def key(self) -> bytes: ...
    @property
    def name(self) -> str: ...
    @property
    def bot(self) -> bool: ...
    @property
    def ready(self) -> bool: ...


class Waiting(Protocol):
    """A waiting room (`protocol.table.seating.Room`)."""

    @property
    def host(self) -> bytes: ...
    @property
    def title(self) -> str: ...
    @property
    def game(self) -> str: ...
    @property
    def options(self) -> Mapping[str, Any]: ...
    @property
    def table(self) -> TableOptions: ...
    @property
    def seats(self) -> Sequence[Sitting | None]: ...


class RoomPresenter(ListPresenter):
    """`room` is set whenever it changes; choices leave as effects."""

    def __init__(
        self, settings: Settings, clock: Clock, me: bytes, is_host: bool, addresses: Sequence[str] = ()
    ) -> None:
        super().__init__(settings, clock)
        self.me = me
        self.is_host = is_host
        self.addresses = tuple(addresses)
        self.room: Waiting | None = None
        self.sealing = False
        self.chat: deque[Piece] = deque(maxlen=50)
        self._was: tuple[str, ...] = ()

    def changed(self, room: Waiting) -> None:
        """The room as it is now; who came and went is told."""
        names = tuple(clean_name(each.name) for each in room.seats if each is not None)
        if self.room is None:
            self.cursor = self.own_seat(room)
        else:
            for name in dict.fromkeys(names):
                if names.count(name) > self._was.count(name):
                    self.chat.append((self._("{name} sits down.", name=name), "ok"))
            for name in self._was:
                if name not in names:
                    self.chat.append((self._("{name} has left.", name=name), "alarm"))
        self._was = names
        self.room = room

    def own_seat(self, room: Waiting) -> int:
        return next((at for at, each in enumerate(room.seats) if each is not None and each.key == self.me), 0)

    def said(self, who: bytes, text: str) -> None:
        """Somebody's chat; our own stands there since we sent it."""
        if who == self.me:
            return
        name = "?"
        if self.room is not None:
            name = next(
                (clean_name(each.name) for each in self.room.seats if each is not None and each.key == who), "?"
            )
        shown = shown_text(self._, text)
        self.chat.append((self._("{name}: {text}", name=name, text=shown), "chat"))

    # --- keys ---

    def first(self, pressed: str) -> bool:
        match pressed.lower():
            case "b" if self.is_host:
                if self.room is not None and None not in self.room.seats:
                    self.say(self._("All seats are taken: X frees one for a bot."), True)
                else:
                    self.effects.append(Do("bot"))
            case "x" if self.is_host:
                sitter = self._at_cursor()
                if sitter is None or sitter.key == self.me:
                    self.say(self._("Choose somebody else’s seat first."), True)
                else:
                    self.effects.append(Do("refuse", sitter.key))
            case "b" | "x":
                self.say(self._("Only the host seats bots and sends people away."), True)
            case "r":
                self._ready()
            case _other:
                return False
        return True

    def _at_cursor(self) -> Sitting | None:
        if self.room is None or self.cursor >= len(self.room.seats):
            return None
        return self.room.seats[self.cursor]

    def _ready(self) -> None:
        if self.room is None:
            return
        own = self.room.seats[self.own_seat(self.room)]
        self.effects.append(Do("ready", not (own is not None and own.ready)))

    def count(self) -> int:
        return len(self.room.seats) if self.room is not None else 0

    def enter(self) -> None:
        if self.room is not None and self._at_cursor() is None:
            self.effects.append(Do("move", self.cursor))
        else:
            self._ready()

    def back(self) -> None:
        self.effects.append(Do("back"))

    def own(self, name: str, pressed: str) -> bool:
        if name == "chat":
            self.effects.append(AskText(self._("Say"), self.spoke, ":" if pressed == ":" else "", tuple(EMOTES)))
        return name == "chat"

    def title(self) -> str:
        return self._("Waiting room")

    def help_keys(self) -> list[tuple[str, str]]:
        _ = self._
        host = [("B", _("Seat a bot")), ("X", _("Send away who sits on the chosen seat"))] if self.is_host else []
        return [
            ("Enter", _("on a free seat: sit there; else: ready, or not yet")),
            ("R", _("Ready, or not yet")),
            *host,
            ("/", _("speak to the table; : begins an emote")),
        ]

    def help_text(self, columns: int) -> tuple[Line, ...]:
        """The rules as this table plays them."""
        from cli.games.rules_page import rules_lines

        if self.room is None:
            return ()
        try:
            seats = len(self.room.seats)
            lines = rules_lines(self._, game_class(self.room.game)(seats, self.room.options), seats, columns)
        except BadOption:
            return ()
        return tuple(((line, "gold" if line.isupper() else "text"),) for line in lines)

    def spoke(self, text: str) -> None:
        """We say this."""
        said = clean(text, CHAT_CELLS)
        if is_no_emote(said):
            self.say(self._("No such emote: {emotes}", emotes=" ".join(EMOTES)), True)
        elif said:
            self.effects.append(Say(said))
            self.chat.append((self._("{name}: {text}", name=self._("you"), text=shown_text(self._, said)), "chat"))

    # --- the view ---

    def own_view(self, columns: int, rows: int) -> ListView:
        _, room = self._, self.room
        deeds = []
        if self.is_host and room is not None:
            deeds = [
                Cap("B", _("Seat a bot"), Action("key", "b")),
                Cap("X", _("Send away who sits on the chosen seat"), Action("key", "x")),
            ]
        title = clean_name(room.title, "") if room is not None else ""
        return ListView(
            Frame(
                title or _("Waiting room"),
                game_title(_, room.game) if room is not None else "",
                prompt=self._prompt(),
                mood="no" if self.notice and self.notice_is_no else "turn",
                caps=self._caps(),
                help=self.cap("help"),
            ),
            _("Waiting room"),
            self._note(),
            (_("Seat"), _("Player"), _("Ready"), ""),
            (8, 24, 14, 24),
            self._rows(),
            self.cursor,
            (_("Sitting down…"),),
            tuple(deeds),
            self._facts(),
            tuple(self.chat),
            _("Chat"),
            _("/ chat"),
        )

    def _caps(self) -> tuple[Cap, ...]:
        """While we are let in or led back to a seat there is nothing to choose yet."""
        leave = Cap("Esc", self._("leave"), Action("back"))
        if self.room is None or self.sealing:
            return (leave,)
        label = self._("take this seat") if self._at_cursor() is None else self._("ready")
        return (self.cap("row-up"), self.cap("row-enter", label), self.cap("chat"), self.cap("settings"), leave)

    def _note(self) -> str:
        if self.room is None:
            return ""
        free = sum(each is None for each in self.room.seats)
        return self._.n("{n} seat free", "{n} seats free", free) if free else self._("all seats taken")

    def _rows(self) -> tuple[Row, ...]:
        _, room = self._, self.room
        if room is None:
            return ()
        mine = self.own_seat(room)
        teams = self.teams()
        rows = []
        for at, each in enumerate(room.seats):
            words = []
            if each is not None and each.key == room.host:
                words.append(_("host"))
            if at == mine:
                words.append(_("you"))
            elif any(mine in team and at in team for team in teams):
                words.append(_("your partner"))
            if each is None:
                rows.append(Row((str(at + 1), _("- free -"), "", _(", ").join(words)), ink="dim"))
            else:
                ready = _("✓ ready") if each.ready else _("not yet")
                rows.append(Row((str(at + 1), clean_name(each.name), ready, _(", ").join(words))))
        return tuple(rows)

    def teams(self) -> tuple[tuple[int, ...], ...]:
        """Who plays together, where partners play."""
        if self.room is None or len(self.room.seats) != 4:
            return ()
        options = self.room.options
        if self.room.game == "tichu" and options.get("teams") != "lot":
            return ((0, 2), (1, 3))
        return ((0, 2), (1, 3)) if options.get("teams") is True else ()

    def _prompt(self) -> str:
        _, room = self._, self.room
        if self.notice:
            return self.notice
        if room is None:
            return _("Sitting down…")
        if self.sealing:
            return _("All are ready: everybody signs, then the cards are shuffled…")
        free = sum(each is None for each in room.seats)
        own = room.seats[self.own_seat(room)]
        if self._at_cursor() is None:
            return _("Enter takes seat {n}", n=self.cursor + 1)
        if own is not None and not own.ready:
            return _("Enter: you are ready")
        if free:
            return _.n(
                "You are ready · waiting for one more player", "You are ready · waiting for {n} more players", free
            )
        waiting = [clean_name(each.name) for each in room.seats if each is not None and not each.ready]
        return _("You are ready · waiting for {names}", names=_.list(waiting))

    def _facts(self) -> tuple[Line, ...]:
        _, room = self._, self.room
        if room is None:
            return ()
        lines: list[Line] = []
        if self.is_host and self.addresses:
            lines.append(((_("Friends can join with: fairdeal join {address}", address=self.addresses[0]), "gold"),))
            if len(self.addresses) > 1:
                lines.append(((_("or {address}", address=_.either(self.addresses[1:])), "dim"),))
        try:
            changed = house_rules(_, room.game, room.options, room.table)
        except BadOption:
            changed = []
        for label, value in changed[:MOST_RULES]:
            lines.append(((f"{label}: ", "text"), (value, "gold")))
        if len(changed) > MOST_RULES:
            more = len(changed) - MOST_RULES
            lines.append(((_.n("and one other house rule: ?", "and {n} other house rules: ?", more), "dim"),))
        if not changed:
            lines.append(((_("Usual rules: ? shows them"), "text"),))
        lines.append(
            (("✓ ", "ok"), (_("The table’s words appear when all are seated: compare them aloud once"), "dim"))
        )
        return tuple(lines)
