"""The waiting room: who sits where, who is ready, what friends need to come in."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from contextlib import suppress

from cli.clean import clean, clean_name
from cli.games.options import house_rules
from cli.games.teams import announced_teams
from cli.games.titles import game_title
from cli.news import Do, RoomAddresses, RoomChanged, RoomChat, Say, Sitting, Waiting
from cli.view.actions import ROOM
from cli.view.effects import AskText, Tell
from cli.view.emotes import CHAT_CELLS, EMOTES, is_no_emote, shown_text
from cli.view.inputs import Act, Choose, Hear, Input, Type
from cli.view.listing import ListModel
from cli.view.model import Effects
from cli.view.page import rules_of
from cli.view.settings import Settings
from cli.view.views import Frame, Line, ListView, Offer, Piece, Row
from protocol.errors import BadOption
from protocol.games.catalogue import game_class

MOST_RULES = 4


class RoomModel(ListModel):
    """`room` is None until we are let in; choices leave as effects. The rows are the seats, from "0" on."""

    place = ROOM

    def __init__(self, settings: Settings, me: bytes, is_host: bool, addresses: Sequence[str] = ()) -> None:
        super().__init__(settings)
        self.me = me
        self.is_host = is_host
        self.addresses = tuple(addresses)
        self.room: Waiting | None = None
        self.chat: deque[Piece] = deque(maxlen=50)
        self._was: tuple[str, ...] = ()

    # --- inputs ---

    def update(self, given: Input) -> Effects:
        match given:
            case Hear(RoomChanged(room)):
                return self._changed(room)
            case Hear(RoomChat(who, text)) if who != self.me:  # our own stands there since we sent it
                told = self._("{name}: {text}", name=self._name(who), text=shown_text(self._, text))
                self.chat.append((told, "chat"))
                return ()
            case Hear(RoomAddresses(addresses)):
                self.addresses = addresses
                return ()
            case Choose(str() as row) if row and self.room is not None:
                return (Do("move", int(row)),) if self._sitter(row) is None else self._ready()
            case Act("ready"):
                return self._ready()
            case Act("bot" | "send-away") if not self.is_host:
                return (Tell(self._("Only the host can add bots and remove players."), is_no=True),)
            case Act("bot") if self.room is not None and None not in self.room.seats:
                return (Tell(self._("All seats are taken. Press {@send-away} to free one for a bot."), is_no=True),)
            case Act("bot"):
                return (Do("bot"),)
            case Act("send-away", row):
                sitter = self._sitter(row)
                if sitter is None or sitter.key == self.me:
                    return (Tell(self._("Select the player you want to remove."), is_no=True),)
                return (Do("refuse", sitter.key),)
            case Act("back" | "quit"):
                return (Do("back"),)
            case Act("chat", begun):
                return (AskText(self._("Say"), initial=str(begun or ""), offers=tuple(EMOTES), field="chat"),)
            case Type(text, "chat"):
                return self._say(text)
            case _other:
                return super().update(given)

    def _changed(self, room: Waiting) -> Effects:
        """The room as it is now; who came and went is told."""
        names = tuple(clean_name(each.name) for each in room.seats if each is not None)
        if self.room is not None:
            for name in dict.fromkeys(names):
                if names.count(name) > self._was.count(name):
                    self.chat.append((self._("{name} joined.", name=name), "ok"))
            for name in self._was:
                if name not in names:
                    self.chat.append((self._("{name} left.", name=name), "alarm"))
        self._was, self.room = names, room
        return ()

    def _say(self, text: str) -> Effects:
        said = clean(text, CHAT_CELLS)
        if is_no_emote(said):
            return (Tell(self._("No such emote: {emotes}", emotes=" ".join(EMOTES)), is_no=True),)
        if not said:
            return ()
        self.chat.append((self._("{name}: {text}", name=self._("you"), text=shown_text(self._, said)), "chat"))
        return (Say(said),)

    def _ready(self) -> Effects:
        if self.room is None:
            return ()
        own = self.room.seats[self.own_seat(self.room)]
        return (Do("ready", not (own is not None and own.ready)),)

    # --- who sits where ---

    def own_seat(self, room: Waiting) -> int:
        return next((at for at, each in enumerate(room.seats) if each is not None and each.key == self.me), 0)

    def teams(self) -> Sequence[Sequence[int]]:
        """Who plays together, where that is known."""
        room = self.room
        return announced_teams(room.game, len(room.seats), room.options) if room is not None else ()

    def _sitter(self, row: object) -> Sitting | None:
        return self.room.seats[int(str(row))] if self.room is not None and row else None

    def _name(self, key: bytes) -> str:
        seats = self.room.seats if self.room is not None else ()
        return next((clean_name(each.name) for each in seats if each is not None and each.key == key), "?")

    @property
    def _is_sealing(self) -> bool:
        return self.room is not None and not self.room.is_open

    # --- the view ---

    def title(self) -> str:
        return self._("Room")

    def help_keys(self) -> list[tuple[str, str]]:
        _ = self._
        host = [("bot", _("Add a bot")), ("send-away", _("Remove this player"))]
        return [
            ("row-enter", _("on a free seat: take it; otherwise: ready or not ready")),
            ("ready", _("switch between ready and not ready")),
            *(host if self.is_host else []),
            ("chat", _("chat (start with : for an emote)")),
        ]

    def help_text(self) -> Sequence[Line]:
        """The rules as this table plays them."""
        room = self.room
        with suppress(BadOption):
            return rules_of(self._, game_class(room.game)(len(room.seats), room.options)) if room is not None else ()
        return ()

    def view(self) -> ListView:
        _, room = self._, self.room
        deeds = (("bot", _("Add a bot")), ("send-away", _("Remove this player")))
        leave = Offer("back", _("leave"))
        # While we are let in or led back to a seat there is nothing to choose yet.
        is_idle = room is None or self._is_sealing
        return ListView(
            "room",
            Frame(
                (clean_name(room.title, "") if room is not None else "") or _("Room"),
                game_title(_, room.game) if room is not None else "",
                prompt=_("Joining…")
                if room is None
                else _("Everyone is ready. Signing, then shuffling the cards…")
                if self._is_sealing
                else "",
                mood="turn",
                actions=(leave,) if is_idle else (Offer("chat"), Offer("settings"), leave),
            ),
            _("Room"),
            self._note(),
            (_("Seat"), _("Player"), _("Ready"), ""),
            self._rows(room) if room is not None else (),
            (_("Joining…"),),
            tuple(Row(name, (text,)) for name, text in deeds) if self.is_host and room is not None else (),
            ("ready", "bot", "send-away", "chat"),
            self._facts(),
            tuple(self.chat),
            _("Chat"),
            _("/ chat"),
            focus=str(self.own_seat(room)) if room is not None else "",
        )

    def _note(self) -> str:
        if self.room is None:
            return ""
        free = sum(each is None for each in self.room.seats)
        return self._.n("{n} seat free", "{n} seats free", free) if free else self._("all seats taken")

    def _rows(self, room: Waiting) -> tuple[Row, ...]:
        _ = self._
        mine, teams = self.own_seat(room), self.teams()
        prompt = self._own_prompt(room)
        rows = []
        for at, each in enumerate(room.seats):
            words = []
            if each is not None and each.key == room.host:
                words.append(_("host"))
            if at == mine:
                words.append(_("you"))
            elif any(mine in team and at in team for team in teams):
                words.append(_("your partner"))
            name, ready, ink = _("- free -"), "", "dim"
            label, told = _("take this seat"), _("{@row-enter:take seat {n}}", n=at + 1)
            if each is not None:
                name, ready, ink = clean_name(each.name), _("✓ ready") if each.ready else _("not yet"), "text"
                label, told = _("ready"), prompt
            label = "" if self._is_sealing else label
            rows.append(Row(str(at), (str(at + 1), name, ready, _(", ").join(words)), (), label, told, ink=ink))
        return tuple(rows)

    def _own_prompt(self, room: Waiting) -> str:
        _ = self._
        own = room.seats[self.own_seat(room)]
        if own is not None and not own.ready:
            return _("{@row-enter:I’m ready}")
        if free := sum(each is None for each in room.seats):
            told = _.n("Ready · one seat is still empty", "Ready · {n} seats are still empty", free)
            return _("{told} · {@bot:add a bot}", told=told) if self.is_host else told
        waiting = [clean_name(each.name) for each in room.seats if each is not None and not each.ready]
        return _("Ready · waiting for {names}", names=_.list(waiting))

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
            lines.append(
                ((_.n("and one more house rule (press ?)", "and {n} more house rules (press ?)", more), "dim"),)
            )
        if not changed:
            lines.append(((_("Standard rules (press ? to read)"), "text"),))
        lines.append(
            (
                ("✓ ", "ok"),
                (
                    _(
                        "Once everyone is here, you’ll all see secret-check words. Read them out: if they match, "
                        "nobody is eavesdropping."
                    ),
                    "dim",
                ),
            )
        )
        return tuple(lines)
