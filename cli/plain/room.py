"""The waiting room in lines: what changes there is told, and what may be done is typed. Pure: rooms and lines come in, sentences
and deeds come out. What is told and done is that of the room's screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cli.clean import clean_name
from cli.games.cards import plain
from cli.news import NO_MATCHES, Do, RoomChanged, RoomChat, Say, SeatOffered, Tonight
from cli.news.emotes import shown_text
from cli.plain.game_choice import chosen_game
from cli.plain.room_orders import Answer, bot, hand_over, move, phones, pick, send_away
from cli.plain.room_told import people_told, rules_told, table_told, typed_here
from cli.plain.verbs import ROOM, shown, spellings, words_for
from cli.text import Translator, key
from cli.view.effects import Tell
from cli.view.in_room import InRoom, host_told, hosts_own, only_the_host
from cli.view.inputs import Hear, Type
from cli.view.key_words import key_words
from cli.view.phones import trust_told
from cli.view.results import tally_line
from cli.view.room import RoomModel
from cli.view.room_prompt import needed, start_told
from cli.view.settings import Settings
from protocol.room.values import Guest, Room
from protocol.values import replace

BACK = Do("back")
HELP = (
    ("who", key("who: show the table and who is here")),
    ("rules", key("rules: read this table’s rules in parts (rules 2, rules all)")),
    ("say", key("say TEXT: chat")),
    ("ready", key("ready: you’re ready to play (again: the same)")),
    ("not ready", key("not ready: you need a moment")),
    ("seat", key("seat and a number: move to that seat if it’s free")),
    ("watch", key("watch: watch the match that is being played")),
    ("skip", key("skip: sit out the next match, or play again")),
    ("start", key("start: start the match with everyone who is ready")),
    ("bot", key("bot: add a bot (bot easy, bot strong: how well it plays, where the game has that level)")),
    ("phones", key("phones: let friends join by phone (phones next, phones stop, phones hotspot)")),
    ("send away", key("remove and a name: remove that player or bot")),
    ("game", key("game and its name: change the game (options behind it: game tichu target=500)")),
    ("host", key("host and a name: let that player host the room")),
    ("pick", key("pick and a name: let that player, who has no seat, play the next match")),
    ("close", key("close: close the room for everyone")),
    ("help", key("help: this list")),
    ("quit", key("quit: leave the room")),
)
HOSTS_OWN = ("start", "bot", "send away", "game", "host", "pick", "close")


class RoomTalk:
    """One person's waiting room. `room` is None until we are let in, or led back to a seat."""

    def __init__(
        self,
        _: Translator,
        me: bytes,
        name: str,
        is_host: bool,
        *,
        is_ready: bool = True,
        host_before: bytes | None = None,
        tonight: Tonight = NO_MATCHES,
        rules: Callable[[Room, str], Sequence[str]] = lambda _room, _asked: (),
        bots_coming: Callable[[Room], int] = lambda _room: 0,
    ) -> None:
        """`is_ready`: the player is ready as soon as they sit down. `host_before`: a match of this room is over, and this one
        hosted it when it began. `bots_coming`: how many of the free seats are for bots of ours that are on their way."""
        self._ = _
        self.name = name
        self.addresses: tuple[str, ...] = ()
        self._room = RoomModel(Settings(lang=_.lang), me, is_host)
        self._rules, self._bots_coming = rules, bots_coming
        self._seen: Room | None = None
        self._is_ready = self._is_ready_at_once = is_ready
        self.offered: SeatOffered | None = None
        """The empty seat at the running match that we can take."""
        self._host_before, self._tonight = host_before, tonight
        self._ready: frozenset[bytes] = frozenset()
        self._free = -1
        self._place = -1
        self._phone_servers: tuple[str, ...] = ()
        verbs = {
            word: verb
            for word, verb in spellings(_).items()
            if verb in ("who", "rules", "say", "ready", "help", "quit")
        }
        self._verbs = verbs | {word: name for name in ROOM for word in words_for(_, f"room {name}")}
        self._not = words_for(_, "room not")

    @property
    def room(self) -> Room | None:
        return self._seen

    @property
    def is_host(self) -> bool:
        return self._room.is_host

    @property
    def is_back(self) -> bool:
        """Whether a match of this room is over."""
        return self._host_before is not None

    def is_waiting(self) -> bool:
        """Whether somebody is awaited, or a seat can be taken: else the table is about to begin, and what is typed is meant for
        it."""
        room = self.room
        if room is None or self.offered is not None:
            return room is not None
        others = [each for each in room.seats if each is not None and not each.bot and each.key != self._room.me]
        return self._free_seats(room) > 0 or not self._is_ready or not all(each.ready for each in others)

    def _free_seats(self, room: Room) -> int:
        """How many seats are free, and no bot of ours is on its way there."""
        return sum(each is None for each in room.seats) - self._bots_coming(room)

    # --- what happens ---

    def changed(self, room: Room) -> list[str]:
        """The room as it is now: what is new about it."""
        _, is_first, is_open = self._, self.room is None, room.is_open
        was_open = self._seen is None or self._seen.is_open
        self._room.update(Hear(RoomChanged(room)))
        self._seen = room
        told = self._greeting(room) if is_first else self._chat()
        own = self._own(room)
        ready = frozenset(each.key for each in room.seats if each is not None and each.ready)
        place, free = self._place_of(room), sum(each is None for each in room.seats)
        if not is_first:
            told += self._who_is_ready(room, ready)
            if own is not None and place != self._place >= 0:
                told.append(_("You are now in seat {n}.", n=place + 1))
        if free != self._free and is_open:
            told.append(_.n("One seat is free.", "{n} seats are free.", free) if free else _("All seats are taken."))
        if own is not None and own.ready != self._is_ready and (not is_first or own.ready):
            self._is_ready = own.ready
            if not own.playing:  # else the match has begun, and the next one is far away
                told.append(_("You’re ready.") if own.ready else self._how_to_be_ready())
        elif ready - self._ready and not is_first and self._must_start:
            told.append(self._awaited())
        if not is_open and was_open:
            told.append(_("Everyone is ready. Signing, then shuffling the cards…"))
        servers = self._in_room.phone_servers
        told += [trust_told(_, name) for name in servers if name not in self._phone_servers]
        self._ready, self._free, self._place, self._phone_servers = ready, free, place, servers
        return told

    def _who_is_ready(self, room: Room, ready: frozenset[bytes]) -> list[str]:
        """Of the other people, who has become ready and who has not any more."""
        _, told = self._, []
        for each in room.seats:
            if each is None or each.bot or each.playing or each.key == self._room.me:
                continue
            if each.key in ready - self._ready:
                told.append(_("{name} is ready.", name=clean_name(each.name)))
            elif each.key in self._ready - ready:
                told.append(_("{name} is no longer ready.", name=clean_name(each.name)))
        return told

    def seat_offered(self, offered: SeatOffered) -> list[str]:
        """A seat at the running match can be taken; or, without a name, no longer."""
        _ = self._
        if not offered.name:
            was, self.offered = self.offered, None
            return [_("You can’t take that seat any more.")] if was is not None else []
        self.offered = offered
        points = _.n("{n} point", "{n} points", offered.points)
        if offered.is_bots:
            return [
                _(
                    "A bot makes room for you. Press Enter or type {verb} to take over from {name}, with {points}.",
                    verb="sit",
                    name=offered.name,
                    points=points,
                )
            ]
        return [
            _(
                "A seat at the match is empty. Press Enter or type {verb} to take over from {name}, with {points}.",
                verb="sit",
                name=offered.name,
                points=points,
            )
        ]

    def evening_changed(self, tonight: Tonight) -> list[str]:
        """The evening stands like this now, or somebody says so."""
        before, self._tonight = tally_line(self._, self._tonight), tonight
        now = tally_line(self._, tonight)
        return [now] if now and now != before else []

    def heard(self, who: bytes, text: str) -> list[str]:
        """Somebody's chat."""
        self._room.update(Hear(RoomChat(who, text)))
        return self._chat()

    def _chat(self) -> list[str]:
        told = [text for text, _ink in self._room.chat]
        self._room.chat.clear()
        return told

    def _place_of(self, room: Room) -> int:
        at = room.place_of(self._room.me)
        return -1 if at is None else at

    @property
    def _in_room(self) -> InRoom:
        assert self._room.standing is not None
        return self._room.standing

    def _greeting(self, room: Room) -> list[str]:
        _ = self._
        if self.is_back:
            back = _("You’re back in the room. Type {verb} for another match.", verb=typed_here(_, "again"))
            host = host_told(_, self._in_room) if room.host != self._host_before else ""
            people = people_told(_, _as_back(self._in_room), self._is_ready)
            return [told for told in (back, host, tally_line(_, self._tonight), people) if told]
        title, table = clean_name(room.title, ""), table_told(_, room)
        told = [
            _("Your table “{title}” is open: {table}.", title=title, table=table)
            if self.is_host
            else _("You joined the table “{title}”: {table}.", title=title, table=table)
        ]
        told += rules_told(_, room)
        told.append(_("Your name here is {name}.", name=self._own_name(room)))
        told.append(people_told(_, self._in_room, self._is_ready))
        told.append(self._when_it_starts(room))
        told.append(_("Type {verb} to see what you can do.", verb=shown(_, "help")))
        return told

    def _when_it_starts(self, room: Room) -> str:
        _ = self._
        if room.is_playing:
            return _("A match is being played. Type {verb} to watch it.", verb=typed_here(_, "watch"))
        if not self._is_ready:
            return self._how_to_be_ready()
        if self.is_host and self._is_ready_at_once and self._free_seats(room):
            return _("You’re ready. When everyone is here and ready, type {verb}.", verb=typed_here(_, "start"))
        return _(
            "You’re ready. The match starts when everyone is ready, or when the host starts it. "
            "If you need time, type {verb}.",
            verb=typed_here(_, "not ready"),
        )

    @property
    def _must_start(self) -> bool:
        """Whether everyone is ready and waits for us. A host that is ready at once has not said that nobody else is to come."""
        standing = self._in_room
        can_start = self.is_host and not standing.awaited and not start_told(self._, standing)
        return can_start and self._is_ready_at_once and standing.room.is_open and not standing.room.is_playing

    def _how_to_be_ready(self) -> str:
        return self._("You’re not ready yet. Type {verb} when you are.", verb=shown(self._, "ready"))

    def _own(self, room: Room) -> Guest | None:
        return next((each for each in room.seats if each is not None and each.key == self._room.me), None)

    def _own_name(self, room: Room) -> str:
        own = self._own(room)
        return clean_name(own.name) if own is not None else self.name

    # --- how things stand ---

    def who(self) -> list[str]:
        """Table, rules, seats, and what friends type who want to come."""
        _, room = self._, self.room
        if room is None:
            return [self._not_yet()]
        title = clean_name(room.title, "")
        told = [_.join([_("{title}: {table}.", title=title, table=table_told(_, room)), *rules_told(_, room)])]
        told.append(people_told(_, self._in_room, self._is_ready))
        told += [trust_told(_, name) for name in self._in_room.phone_servers]
        return [*told, *self.friends()]

    @property
    def _sign(self) -> str:
        return key_words(self._in_room.me)

    def friends(self) -> list[str]:
        """The host's address, to be told to others."""
        _ = self._
        told = [_("Friends can join with: fairdeal join {address}", address=address) for address in self.addresses]
        sign = _("If two tables have this name, ours is: {words}", words=self._sign)
        return [*told, sign] if told else []

    def _not_yet(self) -> str:
        return self._("Still waiting for the other players. Type {verb} to leave.", verb=shown(self._, "quit"))

    def _awaited(self) -> str:
        """In short, what the room waits for."""
        _, room = self._, self.room
        if room is None:
            return self._not_yet()
        if room.is_playing:
            return _("A match is being played. Type {verb} to watch it.", verb=typed_here(_, "watch"))
        if not self._is_ready:
            return self._how_to_be_ready()
        if self.is_host and not start_told(_, self._in_room):
            return _("You’re ready. Type {verb} to start now.", verb=typed_here(_, "start"))
        if late := [clean_name(each.name) for each in room.seats if each is not None and not each.ready]:
            return _("You’re ready. Waiting for {names}.", names=_.list(late))
        if few := needed(self._in_room):
            return _.n("You’re ready. Waiting for one more player.", "You’re ready. Waiting for {n} more players.", few)
        if not self.is_host and self._free_seats(room):
            return _("You’re ready. Waiting for {names}.", names=self._in_room.host_name)
        return _("Everyone is ready.")

    def help(self) -> list[str]:
        """A line for everything that can be typed here."""
        _ = self._
        verbs = [verb for verb, _help in HELP if self.room is not None or verb in ("help", "quit")]
        lines = [
            _("  {help}", help=_(text))
            for verb, text in HELP
            if verb in verbs and (self.is_host or verb not in HOSTS_OWN)
        ]
        named = [_("To change your name, start with --name NAME.")] if self.room is not None else []
        return [_("You can type:"), *lines, *named, self._awaited()]

    # --- what is typed ---

    def knows(self, line: str) -> bool:
        """Whether a line is something that is typed in waiting rooms."""
        return self._verb(line) is not None

    def _verb(self, line: str) -> tuple[str, str] | None:
        """What a line asks for, and what stands behind the word."""
        text = line.strip()
        if text.startswith(("/", ":")):
            return ("say", text.removeprefix("/").strip())
        first, rest = (*text.split(maxsplit=1), "", "")[:2]
        if plain(first) in self._not and (not rest or self._verbs.get(plain(rest)) == "ready"):
            return ("not ready", "")
        verb = self._verbs.get(plain(first))
        return None if verb is None else (verb, rest)

    def answer(self, line: str) -> Answer:
        """What is told at once, and what is to be done."""
        _, found = self._, self._verb(line)
        if not line.strip() and self.offered is not None:
            return [], Do("take-seat")
        if not line.strip():
            return [self._awaited()], None
        if found is None:
            word = line.split()[0]
            no_room = _("“{word}” doesn’t work here. Type {verb} to see what does.", word=word, verb=shown(_, "help"))
            return [_.join([no_room, self._awaited()])], None
        verb, rest = found
        match verb:
            case "help":
                return self.help(), None
            case "who":
                return self.who(), None
            case "quit":
                return [], BACK
            case _other if self.room is None:
                return [self._not_yet()], None
            case "rules":
                assert self.room is not None
                return list(self._rules(self.room, rest)), None
            case "say":
                return self._say(rest)
            case "ready" | "not ready" | "again":
                if (verb != "not ready") == self._is_ready:
                    return [self._awaited()], None
                return [], Do("ready", verb != "not ready")
            case "seat" if self.offered is not None and not rest:
                return [], Do("take-seat")
            case "seat":
                return move(_, self.room, rest)
            case "watch":
                return ([], Do("watch")) if self.room.is_playing else ([_("There is no match to watch yet.")], None)
            case "skip":
                own = self._own(self.room)
                return [], Do("plays", own is not None and not own.plays)
            case "phones":
                return phones(_, rest)
            case "game" if not self.is_host:
                return [only_the_host(_, self._in_room)], None
            case _host if not self.is_host:
                return [hosts_own(_, self._in_room)], None
            case "start":
                told = start_told(_, self._in_room)
                return ([told], None) if told else ([], Do("start"))
            case "bot":
                return bot(_, self.room, self._free_seats(self.room), rest)
            case "game":
                return chosen_game(_, self.room, rest)
            case "host":
                return hand_over(_, self._in_room, rest)
            case "pick":
                return pick(_, self._in_room, rest)
            case "close":
                return [], Do("close-room")
            case _away:
                return send_away(_, self._in_room, rest)

    def _say(self, text: str) -> Answer:
        _ = self._
        if not text:
            return [_("Type say and your message, e.g. say hello.")], None
        effects = self._room.update(Type(text, "chat"))
        self._room.chat.clear()
        for each in effects:
            if isinstance(each, Say):
                return [_("You say: {text}", text=shown_text(_, each.text))], each
        return [each.text for each in effects if isinstance(each, Tell)], None


def _as_back(standing: InRoom) -> InRoom:
    """The room with ourselves back from the match, before the host knows: who has just quit does not play."""
    room, me = standing.room, standing.me
    members = tuple(replace(each, playing=False) if each.key == me else each for each in room.members)
    return InRoom(replace(room, members=members), me)
