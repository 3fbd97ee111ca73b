"""The waiting room: who is here and who is ready, what is played next, and what the host can do about it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress

from cli.clean import clean, clean_name
from cli.games.titles import game_title
from cli.news import Do, Reconnecting, RoomAddresses, RoomChanged, RoomChat, Say, SeatOffered, Tonight, keys_to_compare
from cli.news.emotes import CHAT_CELLS, EMOTES, is_no_emote, shown_text
from cli.view.actions import ROOM
from cli.view.bot_levels import ask_bot_level
from cli.view.changing import ChangingModel
from cli.view.effects import AskText, ShowModel, Tell
from cli.view.in_room import InRoom, host_told, hosts_own, only_the_host, what_changed, what_is_played
from cli.view.inputs import Act, Choose, Hear, Input, Type
from cli.view.key_words import key_words
from cli.view.leaving import ask_how_to_leave, ask_who_hosts
from cli.view.listing import ListModel
from cli.view.model import Effects
from cli.view.page import rules_of
from cli.view.partings import offered_told, sits_down_told
from cli.view.phones import is_phone_near, trust_told
from cli.view.results import tally_line
from cli.view.room_prompt import room_prompt, start_label, start_told
from cli.view.room_rows import places, room_rows
from cli.view.settings import Settings
from cli.view.views import Frame, Line, ListView, Offer, Piece, Row
from protocol.errors import BadOption
from protocol.games.catalogue import game_class
from protocol.room.values import Guest, Room

HOSTS_OWN = ("start", "bot", "send-away", "hand-over")
"""What only the host can do; what the game is, too, but that says who can."""


class RoomModel(ListModel):
    """`room` is None until we are let in; choices leave as effects. The rows are the seats, from "0" on, and those without a
    seat (see `room_rows`)."""

    place = ROOM

    def __init__(self, settings: Settings, me: bytes, is_host: bool, addresses: Sequence[str] = ()) -> None:
        super().__init__(settings)
        self.me = me
        self.addresses = tuple(addresses)
        self.standing: InRoom | None = None
        self.chat: deque[Piece] = deque(maxlen=50)
        self.tonight = Tonight()
        """How the evening stands in this room."""
        self.compared: frozenset[bytes] = frozenset()
        """Whose keys we have compared this evening."""
        self._opens_as_host = is_host
        self.offered: SeatOffered | None = None
        """The empty seat at the running match that we can take."""
        self.reconnecting: Callable[[], Reconnecting | None] = lambda: None
        """How we try to reach the room again; None while we are linked to it."""
        self.bots_coming: Callable[[Room], int] = lambda _room: 0
        """How many of our bots are about to join the room."""
        self.sits_down: Callable[[], bool] = lambda: False
        """Whether we have asked for a seat at the running match, and do not have it yet."""

    @property
    def room(self) -> Room | None:
        return self.standing.room if self.standing is not None else None

    @property
    def is_host(self) -> bool:
        return self.standing.is_host if self.standing is not None else self._opens_as_host

    # --- inputs ---

    def update(self, given: Input) -> Effects:
        match given:
            case Hear(RoomChanged(room)):
                return self._changed(InRoom(room, self.me))
            case Hear(RoomChat(who, text)) if who != self.me:  # our own stands there since we sent it
                told = self._("{name}: {text}", name=self._name(who), text=shown_text(self._, text))
                self.chat.append((told, "chat"))
                return ()
            case Hear(SeatOffered() as offered):
                was, self.offered = self.offered, offered if offered.name else None
                if was is None and self.offered is None:
                    return ()  # we have it ourselves
                if offered.name:
                    return (Tell(offered_told(self._, offered), passes=True),)
                # It answers no key: among the prompts it would hide what Enter does now.
                self.chat.append((self._("You can’t take that seat any more."), "chat"))
                return ()
            case Hear(RoomAddresses(addresses)):
                self.addresses = addresses
                return ()
            case Act("back" | "quit"):
                return self._leave()
            case Type(text, "chat"):
                return self._say(text)
            case Act("chat", begun):
                return (AskText(self._("Say"), initial=str(begun or ""), offers=tuple(EMOTES), field="chat"),)
            case Choose(str() as row) if row and self.standing is not None:
                return self._choose(self.standing, row)
            case Act(name, row) if self.standing is not None and (effects := self._act(self.standing, name, row)):
                return effects
            case _other:
                return super().update(given)

    def _choose(self, standing: InRoom, row: str) -> Effects:
        """Enter on a row."""
        if self.offered is not None and row not in (*HOSTS_OWN, "phones"):
            return (Do("take-seat"),)
        if row in (*HOSTS_OWN, "phones", "other-game"):
            return self._act(standing, row, None)
        if row.isdecimal() and standing.room.seats[int(row)] is None:
            return (Do("move", int(row)),)
        guest = self._guest(row)
        if guest is not None and standing.picks(guest) is not None:
            return (Do("pick", guest.key),)
        return (Do("watch"),) if standing.room.is_playing else self._ready(standing)

    def _act(self, standing: InRoom, name: str, row: object) -> Effects:
        _, room = self._, standing.room
        match name:
            case "ready":
                return self._ready(standing)
            case "sit-out":
                return (Do("plays", standing.own is not None and not standing.own.plays),)
            case "watch" if not room.is_playing:
                return (Tell(_("There is no match to watch yet."), is_no=True),)
            case "watch":
                return (Do("watch"),)
            case "other-game" if not standing.is_host:
                return (Tell(only_the_host(_, standing), is_no=True),)
            case "other-game" if room.is_playing:
                return (Tell(_("You can change the game when this match is over."), is_no=True),)
            case "other-game":
                return (ShowModel(ChangingModel(self.settings, room)),)
            case _hosts if name in HOSTS_OWN and not standing.is_host:
                return (Tell(hosts_own(_, standing), is_no=True),)
            case "start" if told := start_told(_, standing):
                return (Tell(told, is_no=True),)
            case "start":
                return (Do("start"),)
            case "bot" if None not in room.seats:
                return (Tell(_("All seats are taken. Press {@send-away} to free one for a bot."), is_no=True),)
            case "bot":
                return self._ask_for_bot(room)
            case "phones" if not standing.may_serve:
                return (Tell(_("Only a computer can let phones in."), is_no=True),)
            case "phones":
                return (Do("phones"),)
            case "send-away":
                guest = self._guest(row)
                if guest is None or guest.key == self.me:
                    return (Tell(_("Select the player you want to remove."), is_no=True),)
                return (Do("refuse", guest.key),)
            case "hand-over" if not standing.friends:
                return (Tell(_("Nobody else is here who could host the room."), is_no=True),)
            case "hand-over":
                return (ShowModel(ask_who_hosts(self.settings, standing)),)
            case _other:
                return ()

    def _ask_for_bot(self, room: Room) -> Effects:
        """One more bot; how well it plays is asked where there is a choice."""
        levels = game_class(room.game).levels
        return (ShowModel(ask_bot_level(self.settings, levels)),) if len(levels) > 1 else (Do("bot"),)

    def _leave(self) -> Effects:
        """At once, unless friends are here, or we are guests: on a phone one swipe would be enough."""
        standing = self.standing
        if standing is None or (standing.is_host and not standing.friends):
            return (Do("back"),)
        return (ShowModel(ask_how_to_leave(self.settings, standing)),)

    def _changed(self, now: InRoom) -> Effects:
        """Take the room as it is now, and tell what is new about it."""
        before, self.standing = self.standing, now
        news = what_changed(self._, before, now) if before is not None else []
        self.chat.extend(news)
        hosts = before is not None and now.is_host and not before.is_host
        return (Tell(host_told(self._, now), passes=True),) if hosts else ()

    def _say(self, text: str) -> Effects:
        said = clean(text, CHAT_CELLS)
        if is_no_emote(said):
            return (Tell(self._("No such emote: {emotes}", emotes=" ".join(EMOTES)), is_no=True),)
        if not said:
            return ()
        self.chat.append((self._("{name}: {text}", name=self._("you"), text=shown_text(self._, said)), "chat"))
        return (Say(said),)

    def _ready(self, standing: InRoom) -> Effects:
        return (Do("ready", not standing.is_ready),)

    def _guest(self, row: object) -> Guest | None:
        return places(self.standing).get(str(row)) if self.standing is not None and row else None

    def _name(self, key: bytes) -> str:
        guest = self.room.guest(key) if self.room is not None else None
        return clean_name(guest.name) if guest is not None else "?"

    # --- the view ---

    def title(self) -> str:
        return self._("Room")

    def help_keys(self) -> list[tuple[str, str]]:
        _ = self._
        host = [
            ("start", _("start the match with everyone who is ready")),
            ("bot", _("add a bot (you choose how strong)")),
            ("send-away", _("remove the chosen player")),
            ("other-game", _("choose another game or other options")),
            ("hand-over", _("let somebody else host the room")),
        ]
        return [
            ("row-enter", _("on a free seat: take it; otherwise: ready or not ready")),
            ("ready", _("switch between ready and not ready")),
            ("sit-out", _("sit out the next match, or play again")),
            ("watch", _("watch the match that is being played")),
            ("phones", _("let friends join by phone")),
            *(host if self.is_host else []),
            ("chat", _("chat (start with : for an emote)")),
        ]

    def help_text(self) -> Sequence[Line]:
        """The rules as this table plays them."""
        room = self.room
        with suppress(BadOption):
            return rules_of(self._, game_class(room.game)(len(room.seats), room.options)) if room is not None else ()
        return ()

    def _prompt(self, standing: InRoom) -> str:
        if standing.room.is_playing and self.sits_down():
            return sits_down_told(self._)
        return room_prompt(self._, standing, self.offered, self.bots_coming(standing.room))

    def view(self) -> ListView:
        _, standing = self._, self.standing
        if standing is None:
            frame = Frame(_("Room"), prompt=_("Joining…"), mood="turn", actions=(Offer("back", _("leave")),))
            return ListView("room", frame, _("Room"), empty=(_("Joining…"),))
        room, is_idle = standing.room, not standing.room.is_open
        head, prompt, mood = "", _("Everyone is ready. Signing, then shuffling the cards…") if is_idle else "", "turn"
        if (lost := self.reconnecting()) is not None:
            head, prompt, mood = _("Reconnecting…"), is_phone_near(_, lost.through, lost.is_long), "alarm"
        return ListView(
            "room",
            Frame(
                clean_name(room.title, "") or _("Room"),
                game_title(_, room.game),
                head=head,
                prompt=prompt,
                mood=mood,
                actions=self._offers(standing),
            ),
            _("Room"),
            self._note(room),
            (_("Seat"), _("Player"), _("Ready"), ""),
            room_rows(_, standing, self._prompt(standing), self._does(room)),
            (),
            self._deeds(standing),
            ("ready", "sit-out", "watch", "other-game", "chat", "phones", *HOSTS_OWN),
            self._facts(standing),
            tuple(self.chat),
            _("Chat"),
            _("/ chat"),
            focus=str(room.place_of(self.me) or 0),
        )

    def _does(self, room: Room) -> str:
        """Return what Enter does on somebody's row, in a word."""
        if self.offered is not None:
            return self._("take over")
        return self._("watch") if room.is_playing else self._("ready")

    def _note(self, room: Room) -> str:
        free = sum(each is None for each in room.seats)
        return self._.n("{n} seat free", "{n} seats free", free) if free else self._("all seats taken")

    def _deeds(self, standing: InRoom) -> tuple[Row, ...]:
        """What can be done now, most of it by the host."""
        _, room, is_host = self._, standing.room, standing.is_host
        if not room.is_open or room.is_playing:
            return ()
        is_free = None in room.seats
        found = [Row("start", (start_label(_, standing),))] if is_host and not start_told(_, standing) else []
        found += [Row("bot", (_("Add a bot"),))] if is_host and is_free else []
        found += [Row("phones", (_("Guests by phone"),))] if is_free and self.addresses and standing.may_serve else []
        found += [Row("send-away", (_("Remove this player"),))] if is_host and len(room.members) > 1 else []
        return tuple(found)

    def _offers(self, standing: InRoom) -> tuple[Offer, ...]:
        _, leave = self._, Offer("back", self._("leave"), is_needed=True)
        if not standing.room.is_open:
            return (leave,)
        game = [Offer("other-game", _("game"))] if standing.is_host and not standing.room.is_playing else []
        host = [Offer("hand-over")] if standing.is_host and standing.friends else []
        watch = [Offer("watch")] if self.offered is not None and standing.room.is_playing else []  # else a row does it
        return (*watch, Offer("chat"), *game, *host, Offer("settings"), leave)

    def _facts(self, standing: InRoom) -> tuple[Line, ...]:
        _ = self._
        lines: list[Line] = []
        if standing.is_host and self.addresses:
            first, *others = self.addresses
            told = _("Friends can join with: fairdeal join {address}", address=first)
            lines.append(((" · ".join((told, *others)), "gold"),))
            own = _(
                "If two tables have this name, ours is: {words}",
                words=key_words(self.me),
            )
            lines.append(((own, "dim"),))
        lines.append(((what_is_played(_, standing.room), "strong"),))
        if told := tally_line(_, self.tonight):
            lines.append(((told, "text"),))
        words = (
            _("You compared the secret-check words with everybody here this evening.")
            if keys_to_compare(standing.room.members, self.me) <= self.compared
            else _(
                "Once the match begins you’ll all see secret-check words. Read them out: if they match, nobody is eavesdropping."
            )
        )
        lines += [(("✓ ", "ok"), (words, "dim"))] if standing.friends else []
        lines += [((trust_told(_, name), "dim"),) for name in standing.phone_servers]
        if standing.own is not None and standing.own.phone:
            told = _("While this screen is locked, the others wait for you: set a longer auto-lock.")
            lines.append(((told, "dim"),))
        return tuple(lines)
