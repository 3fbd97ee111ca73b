"""The lobby: the tables that are seen on this network, live, and what else one can do."""

from __future__ import annotations

from collections.abc import Sequence

from cli.clean import look_of
from cli.games.options import announced_rules
from cli.games.titles import game_title
from cli.news import STATES, Do, FoundTable, Remembered, TablesSeen, Unfinished, is_free, is_running
from cli.text import key
from cli.view.actions import LOBBY
from cli.view.effects import AskText, Focus, Tell
from cli.view.inputs import Act, Choose, Hear, Input, Type
from cli.view.key_words import words_of_keys
from cli.view.listing import ListModel
from cli.view.model import Clock, Effects
from cli.view.settings import Settings
from cli.view.views import Frame, Line, ListView, Offer, Row

FAIRNESS = key(
    "There is no dealer: all players shuffle together, and every computer checks every "
    "shuffle. No player, not even the host, can see other players’ cards or choose their own."
)
NOBODY_S = 4.0
"""After so long without a table, what may be wrong is said."""
ACTIONS = ("resume", "new", "address", "practise", "records", "name", "doctor")
"""What can be done besides sitting down, in the order in which it is listed."""


def row_of(table: FoundTable) -> str:
    """The id of its row: no table of a stranger is called like an action."""
    return f"table {' '.join(table.name)}"


class LobbyModel(ListModel):
    """Choices leave as effects (`Do`). The rows are the tables; below them is what else can be done."""

    place = LOBBY

    def __init__(self, settings: Settings, clock: Clock, name: str) -> None:
        super().__init__(settings)
        self.clock = clock
        self.name = name
        self.is_own_name = True
        """The person has chosen this name; else it is that of their login."""
        self.tables: tuple[FoundTable, ...] = ()
        self.unfinished: Unfinished | None = None
        self.aside: tuple[Unfinished, ...] = ()
        self.friends: frozenset[str] = frozenset()
        """How the keys begin of those that the person has played with: their open tables come first."""
        self.awaits_doctor = False
        """The person waits for what the doctor finds."""
        self._since = clock()

    # --- inputs ---

    def update(self, given: Input) -> Effects:
        match given:
            case Hear(TablesSeen(tables)):
                self.tables = tuple(sorted(tables, key=self._rank))
                return ()
            case Hear(Remembered() as known):
                return self._remember(known)
            case Choose(str() as row) if (table := self._table(row)) is not None:
                return self._enter(table)
            case Choose(str() as name):
                return self._do(name)
            case Act("watch", row):
                return self._watch(self._table(row))
            case Act(name) if name in ACTIONS:
                return self._do(name)
            case Act("back") if self.awaits_doctor:
                self.awaits_doctor = False
                return (Tell(self._("Network check cancelled.")),)
            case Act("back"):
                return (Tell(self._("To quit Fairdeal, press {@quit}."), is_no=True),)
            case Act("quit"):
                return (Do("quit"),)
            case Type(text, "address"):
                return (Do("address", text.strip()),)
            case Type(text, "name"):
                return (Do("name", text),)
            case _other:
                return super().update(given)

    def _remember(self, known: Remembered) -> Effects:
        """A match that was left only now is gone to."""
        self.is_own_name = bool(known.name)
        self.name = known.name or self.name
        self.friends = known.friends
        is_new = known.unfinished is not None and known.unfinished != self.unfinished
        self.unfinished, self.aside = known.unfinished, known.aside
        return (Focus(row=""),) if is_new else ()

    @property
    def left(self) -> tuple[Unfinished, ...]:
        """The matches that can be taken up again."""
        return (*([self.unfinished] if self.unfinished is not None else []), *self.aside)

    def _is_friends(self, table: FoundTable) -> bool:
        return bool(self.friends & set(table.keys))

    def _rank(self, table: FoundTable) -> tuple[bool, bool, bool]:
        """Open rooms first, always; those of friends before others."""
        return not is_free(table), not is_running(table), not self._is_friends(table)

    @property
    def _usual_row(self) -> str:
        """Where the cursor stands by itself: on a friend's open room before anything else; a game left against bots never
        comes before a room."""
        free = [each for each in self.tables if is_free(each)]
        if free and self._is_friends(free[0]):
            return row_of(free[0])
        left = self.unfinished
        if left is not None and (not free or sum(not bot for bot in left.bots) != 1):
            return "resume"
        return row_of((free or self.tables)[0]) if free or any(map(is_running, self.tables[:1])) else "new"

    def _namesakes(self, table: FoundTable) -> bool:
        """Whether another table has the same name, or one that looks like it."""
        return sum(look_of(each.title) == look_of(table.title) for each in self.tables) > 1

    def _table(self, row: object) -> FoundTable | None:
        return next((each for each in self.tables if row_of(each) == row), None)

    def _enter(self, table: FoundTable) -> Effects:
        return (Do("sit-watch" if is_running(table) else "sit", table),)

    def _do(self, name: str) -> Effects:
        match name:
            case "address":
                needed = self._("Type an address, e.g. 192.168.1.23 ({@back:cancel})")
                return (AskText(self._("The host’s address"), needed=needed, field=name),)
            case "name":
                needed = self._("Type a name ({@back:keep the old one})")
                return (AskText(self._("Your name"), initial=self.name, needed=needed, field=name),)
            case "resume" if self.unfinished is None:
                return ()
            case _other:
                return (Do(name),)

    def _watch(self, table: FoundTable | None) -> Effects:
        if table is not None and is_running(table):
            return (Do("watch", table),)
        if table is not None:
            no = self._("{table} hasn’t started yet. Press {@row-enter} to join.", table=table.title)
        else:
            no = self._("Pick a table first.") if self.tables else self._("There are no tables to watch.")
        return (Tell(no, is_no=True),)

    # --- the view ---

    def view(self) -> ListView:
        _ = self._
        return ListView(
            "lobby",
            Frame(
                _("Fairdeal"),
                right=((f"{self.name} · {_('English')}", "dim"),),
                mood="turn",
                actions=(Offer("quit"), Offer("settings"), Offer("new"), Offer("address")),
            ),
            _("Tables on this network"),
            _("{n} found · live", n=len(self.tables)),
            (_("Table"), _("Game"), _("Seats"), _("State"), _("Host")),
            tuple(self._row(each) for each in self.tables),
            self._empty(),
            tuple(self._deed(name) for name in ACTIONS if name != "resume" or self.unfinished is not None),
            knows=("watch",),
            focus=self._usual_row,
            fallback="new",  # not on to a stranger's table
        )

    def _row(self, table: FoundTable) -> Row:
        _ = self._
        cells = (table.title, game_title(_, table.game), f"{table.taken}/{table.seats}", self._state(table))
        label, prompt = _("join"), _("{@row-enter:join {table}}", table=table.title)
        if is_running(table):
            prompt = _("{@row-enter:join {table}}, watch, and play in the next match", table=table.title)
        elif not is_free(table):
            prompt = _("{@row-enter:join {table}}: all seats are taken, so you wait for one", table=table.title)
        ink = "text" if is_free(table) else "dim"
        return Row(row_of(table), (*cells, table.host), cells, label, prompt, self._about(table), ink=ink)

    def _state(self, row: FoundTable) -> str:
        _ = self._
        if row.state == "open" and not is_free(row):
            return _("starting soon")
        if row.state == "playing" and row.score:
            return _("playing {points}", points=":".join(map(str, row.score)))
        if row.state == "paused" and row.away:
            return _("paused · {name} away", name=row.away[0])
        return _(STATES[row.state]) if row.state in STATES else row.state

    def _deed(self, name: str) -> Row:
        """What else can be done: as it is listed, in a word, and in a sentence."""
        _, short = self._, ""
        match name:
            case "resume":
                assert self.unfinished is not None
                game, title = game_title(_, self.unfinished.game), self.unfinished.title
                text = _("Rejoin your match: {game} · {title}", game=game, title=title)
                short = _("Rejoin your match: {game}", game=game)
                label, prompt = _("rejoin"), _("{@row-enter:rejoin your match}")
            case "new":
                text, label = _("Open a new table"), _("new table")
                prompt = _("{@row-enter:open a table for friends} · {@practise:play against bots now}")
            case "address":
                text, label = _("Join by address"), _("type an address")
                prompt = _("{@row-enter:type the host’s address}, e.g. 192.168.1.23")
            case "practise":
                text, label = _("Practise against bots"), _("practise")
                prompt = _("{@row-enter:play against bots on this computer}")
            case "records":
                text, label = _("Replays and scores"), _("replays")
                prompt = _("{@row-enter:see replays and scores}")
            case "name":
                text = _("Your name: {name}", name=self.name)
                if not self.is_own_name:
                    text = _("Your name: {name} (from your login)", name=self.name)
                label, prompt = _("change name"), _("{@row-enter:change the name}")
            case _doctor:
                text, label = _("Can’t find your friends? Check the network"), _("doctor")
                prompt = _("{@row-enter:check this computer and its network} (about 3 s)")
        # Where tables are seen nothing is in the way: the doctor is not listed then.
        return Row(name, (text,), (short or text,), label, prompt, is_spare=name == "doctor" and bool(self.tables))

    def _empty(self) -> tuple[str, ...]:
        _ = self._
        if self.clock() - self._since < NOBODY_S:
            return (_("Looking for tables…"),)
        return (
            _("No tables found. Same Wi-Fi? Guest networks hide players from each other."),
            _("{@address:type the host’s address}, e.g. 192.168.1.23"),
        )

    def _about(self, row: FoundTable) -> tuple[Line, ...]:
        _ = self._
        lines: list[Line] = [((f"{row.title}  ", "gold"), (game_title(_, row.game), "text"))]
        if self._namesakes(row):
            told = _("Another table has this name. This one is: {words}", words=words_of_keys(row.keys) or "?")
            lines.append(((told, "alarm"),))
        if row.players:
            names = list(row.players)
            if row.host in names:  # two may have one name: the first is marked
                names[names.index(row.host)] = _("{name} (host)", name=row.host)
            more = row.taken - len(names)
            lines.append((("  ".join([*names, _("and {n} more", n=more)] if more > 0 else names), "text"),))
        elif row.host:
            lines.append(((_("{name} (host)", name=row.host), "text"),))
        # What is played otherwise than usual, and how long; nothing where it is not announced, or nonsense is.
        if is_free(row) and row.rules is not None and (rules := announced_rules(_, row.game, row.rules)):
            lines.append(((rules, "text"),))
        free = row.seats - row.taken
        if is_free(row):
            seats = _.n(
                "One seat is free: join before the first deal", "{n} seats are free: join before the first deal", free
            )
            lines.append(((seats, "dim"),))
        elif is_running(row):
            lines.append(((_("A match is being played: you can watch, and play in the next one"), "dim"),))
        lines.append((("✓ ", "ok"), (_("every deal is shuffled by everyone and checked on your computer"), "text")))
        return tuple(lines)

    # --- help ---

    def help_keys(self) -> list[tuple[str, str]]:
        _ = self._
        return [
            ("row-enter", _("join; during a match you watch, and play in the next one")),
            ("watch", _("watch the table")),
            *([("resume", _("rejoin your unfinished match"))] if self.unfinished is not None else []),
            ("new", _("open a table (friends see it in their lobby)")),
            ("address", _("join by typing the host’s address")),
            ("practise", _("play against bots on this computer")),
            ("records", _("replay old matches")),
            ("name", _("change your name")),
            ("doctor", _("diagnose connection problems")),
            ("quit", _("quit")),
        ]

    def help_text(self) -> Sequence[Line]:
        return (((self._(FAIRNESS), "text"),),)
