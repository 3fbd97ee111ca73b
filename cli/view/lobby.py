"""The lobby: the tables that are seen on this network, live, and what else one can do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cli.games.titles import game_title
from cli.news import STATES, Do, Found, is_free, is_running
from cli.terminal.canvas import Action
from cli.terminal.layout import Size, size_of
from cli.text import key
from cli.view.effects import AskText
from cli.view.listing import ListPresenter
from cli.view.presenter import Clock
from cli.view.settings import Settings
from cli.view.views import Cap, Frame, Line, ListView, Row

FAIRNESS = key(
    "Nobody deals: all players shuffle together, and every machine checks every shuffle. No player, the host included, can "
    "see another’s cards or choose their own."
)
NOBODY_S = 4.0
"""After so long without a table, what may be wrong is said."""
DEEDS = {
    "u": "resume",
    "n": "new",
    "c": "address",
    "b": "practise",
    "r": "records",
    "y": "name",
    "d": "doctor",
}
"""Keys of what can be done besides sitting down, in the order in which they are listed."""


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A match that was left here and can be taken up again."""

    title: str
    game: str
    begun: float = 0.0
    """Unix time."""
    names: tuple[str, ...] = ()
    bots: tuple[bool, ...] = ()
    """Which of them are bots."""


class LobbyPresenter(ListPresenter):
    """`found` is set by whoever looks; choices leave as effects (`Do`). The cursor goes along the tables, then along what
    else can be done."""

    def __init__(self, settings: Settings, clock: Clock, name: str) -> None:
        super().__init__(settings, clock)
        self.name = name
        self.is_own_name = True
        """The person has chosen this name; else it is that of their login."""
        self.tables: tuple[Found, ...] = ()
        self.unfinished: Unfinished | None = None
        self.friends: frozenset[str] = frozenset()
        """How the keys begin of those that the person has played with: their open tables come first."""
        self.is_doctor_out = self.awaits_doctor = False
        """The doctor is looking; and the person waits for what it finds."""
        self._since = clock()
        self._wanted: Found | str | None = None
        """The table or deed that the person went to; None until then."""

    def found(self, tables: Sequence[Found]) -> None:
        """What is seen now; the cursor stays on its table."""
        self.tables = tuple(sorted(tables, key=lambda row: not (is_free(row) and self.friends & set(row.keys))))
        if isinstance(self._wanted, Found):
            name = self._wanted.id
            self._wanted = next((row for row in self.tables if row.id == name), "n")  # not on to a stranger's table

    @property
    def _deeds(self) -> tuple[str, ...]:
        left_out = set() if self.unfinished is not None else {"u"}
        if self.tables and self._wanted != "d":
            left_out.add("d")  # tables are seen: nothing is in the way
        return tuple(letter for letter in DEEDS if letter not in left_out)

    @property
    def items(self) -> tuple[Found | str, ...]:
        """What the cursor goes along."""
        return (*self.tables, *self._deeds)

    @property
    def chosen(self) -> Found | str:
        """The table or deed under the cursor. By itself the cursor is on an unfinished match, on a table with a free seat, on
        a new one; on the last as well where what the person went to is gone."""
        if self._wanted is not None:
            return self._wanted if isinstance(self._wanted, Found) or self._wanted in self._deeds else "n"
        if self.unfinished is not None:
            return "u"
        return next((row for row in self.tables if is_free(row)), "n")

    def came_back(self, unfinished: Unfinished | None) -> None:
        """The match that waits now; one that was left only now is gone to."""
        if unfinished is not None and unfinished != self.unfinished:
            self._wanted = "u"
        self.unfinished = unfinished

    @property
    def table(self) -> Found | None:
        """The table under the cursor."""
        return self.chosen if isinstance(self.chosen, Found) else None

    # --- keys ---

    def first(self, pressed: str) -> bool:
        letter = pressed.lower()
        if letter == "w":
            self._watch()
        elif letter in self._deeds or letter == "d":
            self._do(letter)
        else:
            return False
        return True

    def count(self) -> int:
        return len(self.items)

    def command(self, name: str, pressed: str = "") -> None:
        self.cursor = self.items.index(self.chosen)
        if name == "back" and self.awaits_doctor:
            self.awaits_doctor = False
            self.say(self._("The doctor’s findings will not be shown."))
            return
        if name == "back":
            self.say(self._("Esc leads nowhere from here: Ctrl-Q leaves Fairdeal."), True)
            return
        super().command(name, pressed)
        if name in ("row-up", "row-down"):
            self._wanted = self.items[self.cursor]

    def other(self, pressed: str) -> None:
        super().other(pressed)
        if not self.notice:
            self._wanted = self.items[self.cursor]

    def clicked(self, place: int, twice: bool) -> None:
        row = self.tables[place]
        if twice and row == self.table:
            self.enter()
        self._wanted = row

    def enter(self) -> None:
        row = self._wanted = self.chosen
        if isinstance(row, str):
            self._do(row)
        elif is_free(row):
            self.effects.append(Do("sit", row))
        elif is_running(row):
            self._watch()
        else:
            self.say(self._("All seats of {table} are taken: Enter watches once they play.", table=row.title), True)

    def back(self) -> None:
        self.effects.append(Do("quit"))

    def _do(self, letter: str) -> None:
        self._wanted = letter  # there the cursor stands after it
        match letter:
            case "c":
                needed = self._("An address is needed, like 192.168.1.23 (Esc: none)")
                self.effects.append(AskText(self._("Address of the host"), self._address, needed=needed))
            case "y":
                needed = self._("A name is needed (Esc: the old one)")
                self.effects.append(AskText(self._("Your name"), self._named, self.name, needed=needed))
            case _other:
                self.effects.append(Do(DEEDS[letter]))

    def _watch(self) -> None:
        row = self.table
        if row is None:
            no = self._("Choose a table first: ↑↓.") if self.tables else self._("There is no table to watch.")
            self.say(no, True)
        elif is_running(row):
            self.effects.append(Do("watch", row))
        else:
            self.say(self._("{table} has not begun: Enter sits down.", table=row.title), True)

    def _address(self, text: str) -> None:
        self.effects.append(Do("address", text.strip()))

    def _named(self, text: str) -> None:
        self.effects.append(Do("name", text))

    def tick(self) -> bool:
        super().tick()
        return True

    # --- the view ---

    def own_view(self, columns: int, rows: int) -> ListView:
        _ = self._
        is_small = size_of(columns, rows) in (Size.SMALL, Size.TINY)
        chosen = self.chosen
        heads: tuple[str, ...] = (_("Table"), _("Game"), _("Seats"), _("State"))
        return ListView(
            Frame(
                _("Fairdeal"),
                right=((f"{self.name} · {_('English')}", "dim"),),
                prompt=self.notice or self._prompt(),
                mood="no" if self.notice and self.notice_is_no else "turn",
                caps=(
                    self.cap("row-up"),
                    *((self.cap("row-enter", label),) if (label := self._enter_label()) else ()),
                    self.cap("quit", _("leave")),
                    self.cap("settings"),
                    *(
                        Cap(letter.upper(), label, Action("key", letter))
                        for letter, label in (("n", _("new")), ("c", _("address")))
                        if letter != chosen  # that is what Enter says already
                    ),
                ),
                help=self.cap("help"),
            ),
            _("Tables on this network"),
            _("{n} found · live", n=len(self.tables)),
            heads if is_small else (*heads, _("Host")),
            (11, 17, 6, 19) if is_small else (15, 17, 7, 20, 14),
            tuple(self._row(each, is_small) for each in self.tables),
            self.tables.index(chosen) if isinstance(chosen, Found) else -1,
            self._empty(),
            tuple(Cap(letter.upper(), self._deed(letter, is_small), Action("key", letter)) for letter in self._deeds),
            self._facts(chosen) if isinstance(chosen, Found) else (),
            deed=self._deeds.index(chosen) if isinstance(chosen, str) else -1,
        )

    def _row(self, row: Found, is_small: bool) -> Row:
        cells = (row.title, game_title(self._, row.game), f"{row.taken}/{row.seats}", self._state(row))
        return Row(cells if is_small else (*cells, row.host), ink="text" if is_free(row) else "dim")

    def _state(self, row: Found) -> str:
        _ = self._
        if row.state == "open" and not is_free(row):
            return _("about to begin")
        if row.state == "playing" and row.score:
            return _("playing {points}", points=":".join(map(str, row.score)))
        if row.state == "paused" and row.away:
            return _("paused · {name} away", name=row.away[0])
        return _(STATES[row.state]) if row.state in STATES else row.state

    def _deed(self, letter: str, is_small: bool) -> str:
        _ = self._
        if letter == "u" and self.unfinished is not None:
            game = game_title(_, self.unfinished.game)
            if is_small:
                return _("Back to your unfinished match: {game}", game=game)
            return _("Back to your unfinished match: {game} · {title}", game=game, title=self.unfinished.title)
        return {
            "n": _("Open a new table"),
            "c": _("Join by address"),
            "b": _("Practise against bots"),
            "r": _("Replays and evening scores"),
            "y": _("Your name: {name}", name=self.name)
            if self.is_own_name
            else _("Your name: {name} (so far your login’s)", name=self.name),
            "d": _("Doctor: what may be in the way"),
        }[letter]

    def _enter_label(self) -> str:
        """What Enter does, in a word or two for the key bar; nothing where it does nothing."""
        _, row = self._, self.chosen
        if isinstance(row, Found):
            return _("sit") if is_free(row) else _("watch") if is_running(row) else ""
        return {
            "u": _("your old seat"),
            "n": _("new table"),
            "c": _("type an address"),
            "b": _("practise"),
            "r": _("replays"),
            "y": _("change the name"),
            "d": _("doctor"),
        }[row]

    def _prompt(self) -> str:
        """What Enter does, in a sentence."""
        _, row = self._, self.chosen
        if isinstance(row, Found):
            if is_free(row):
                return _("Enter sits you down at {table}", table=row.title)
            if is_running(row):
                return _("Enter watches {table}", table=row.title)
            return _("{table} is full, and has not begun: once it plays, Enter watches it", table=row.title)
        match row:
            case "u":
                return _("Enter takes your old seat again")
            case "n":
                return _("Enter opens a table for your friends · B plays against bots at once")
            case "c":
                return _("Enter, then type the host’s address, like 192.168.1.23")
            case "b":
                return _("Enter sets up a table with bots, on this machine only")
            case "r":
                return _("Enter shows matches and scores")
            case "d":
                return _("Enter looks at this machine and its network, about 3 seconds")
            case _other:
                return _("Enter lets you type another name")

    def _empty(self) -> tuple[str, ...]:
        _ = self._
        if self.clock() - self._since < NOBODY_S:
            return (_("Looking for tables…"),)
        return (
            _("No tables seen. Same Wi-Fi? Guest networks hide players from each other."),
            _("C: type the host’s address, like 192.168.1.23"),
        )

    def _facts(self, row: Found) -> tuple[Line, ...]:
        _ = self._
        lines: list[Line] = [((f"{row.title}  ", "gold"), (game_title(_, row.game), "text"))]
        if row.players:
            names = list(row.players)
            if row.host in names:  # two may have one name: the first is marked
                names[names.index(row.host)] = _("{name} (host)", name=row.host)
            more = row.taken - len(names)
            lines.append((("  ".join([*names, _("and {n} more", n=more)] if more > 0 else names), "text"),))
        elif row.host:
            lines.append(((_("{name} (host)", name=row.host), "text"),))
        if is_free(row) and (rules := self._rules(row)):
            lines.append(((rules, "text"),))
        free = row.seats - row.taken
        if is_free(row):
            seats = _.n("One seat is free until the first deal", "{n} seats are free until the first deal", free)
            lines.append(((seats, "dim"),))
        elif is_running(row):
            lines.append(((_("They play already: Enter looks on, what is public is checked"), "dim"),))
        lines.append((("✓ ", "ok"), (_("every deal shuffled by all players and checked on your machine"), "text")))
        return tuple(lines)

    def _rules(self, row: Found) -> str:
        """What is played otherwise than usual, and how long; nothing where it is not announced, or nonsense is."""
        if row.rules is None:
            return ""
        from cli.games.options import announced_rules

        return announced_rules(self._, row.game, row.rules)

    # --- help ---

    def help_keys(self) -> list[tuple[str, str]]:
        _ = self._
        return [
            ("Enter", _("sit down; where they play already: look on")),
            ("W", _("look on at the table")),
            *([("U", _("take up the match that you left"))] if self.unfinished is not None else []),
            ("N", _("open a table: friends see it in their lobby")),
            ("C", _("join by the host’s address")),
            ("B", _("play against bots on this machine")),
            ("R", _("look at matches and step through them")),
            ("Y", _("change your name")),
            ("D", _("find out what keeps this machine from others")),
            (_("Ctrl-Q"), _("leave")),
        ]

    def help_text(self, columns: int) -> tuple[Line, ...]:
        return (((self._(FAIRNESS), "text"),),)
