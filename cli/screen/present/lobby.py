"""The lobby: the tables that are seen on this network, live, and what else one can do."""

from __future__ import annotations

from collections.abc import Sequence

from cli.finding import STATES, Found, is_free, is_running
from cli.screen.canvas import Action
from cli.screen.commands import LIST
from cli.screen.effects import AskText, Do, Repaint
from cli.screen.present.presenter import Clock, PagePresenter, Presenter
from cli.screen.present.titles import game_title
from cli.screen.settings import Settings
from cli.screen.views import Cap, Frame, Line, ListView, Row
from cli.words import key

FAIRNESS = key(
    "Nobody deals: all players shuffle together, and every machine checks every shuffle. No player, the host included, can "
    "see another’s cards or choose their own."
)
NOBODY_S = 4.0
"""After so long without a table, what may be wrong is said."""


class LobbyPresenter(Presenter):
    """`found` is set by whoever looks; choices leave as effects (`Do`)."""

    place = LIST

    def __init__(self, settings: Settings, clock: Clock, name: str) -> None:
        super().__init__(settings, clock)
        self.name = name
        self.tables: tuple[Found, ...] = ()
        self.cursor = 0
        self.notice = ""
        self.notice_is_no = False
        self.unfinished = ""
        """The title of a match that was left here and can be taken up again."""
        self._since = clock()

    def found(self, tables: Sequence[Found]) -> None:
        """What is seen now; the cursor stays on its table."""
        under = self.chosen
        self.tables = tuple(tables)
        if under is not None:
            self.cursor = next((at for at, row in enumerate(self.tables) if row.id == under.id), self.cursor)
        self.cursor = max(0, min(self.cursor, len(self.tables) - 1))

    @property
    def chosen(self) -> Found | None:
        return self.tables[self.cursor] if self.cursor < len(self.tables) else None

    def say(self, text: str, is_no: bool = False) -> None:
        self.notice, self.notice_is_no = text, is_no

    # --- keys ---

    def first(self, pressed: str) -> bool:
        self.notice = ""
        match pressed.lower():
            case "n":
                self.effects.append(Do("new"))
            case "c":
                self.effects.append(AskText(self._("Address of the host"), self._address))
            case "b":
                self.effects.append(Do("practise"))
            case "r":
                self.effects.append(Do("records"))
            case "w":
                self._watch()
            case "y":
                self.effects.append(AskText(self._("Your name"), self._named, self.name))
            case "u" if self.unfinished:
                self.effects.append(Do("resume"))
            case _other:
                return False
        return True

    def command(self, name: str, pressed: str = "") -> None:
        count = len(self.tables)
        match name:
            case "row-up":
                self.cursor = (self.cursor - 1) % count if count else 0
            case "row-down":
                self.cursor = (self.cursor + 1) % count if count else 0
            case "row-enter" | "row-space":
                self._sit()
            case "quit" | "back":
                self.effects.append(Do("quit"))
            case "settings":
                from cli.screen.present.options import SettingsPresenter

                self.overlay = SettingsPresenter(self.settings, self.clock, self._("Fairdeal"))
            case "help":
                self.overlay = self._help()
            case "repaint":
                self.effects.append(Repaint())
            case _other:
                pass

    def act(self, action: Action, twice: bool = False) -> None:
        match action:
            case Action("row", int() as place):
                self.notice = ""
                if self.cursor == place and twice:
                    self._sit()
                self.cursor = place
            case Action("key", str() as pressed):
                self.key(pressed)
            case _other:
                self.command(action.name)

    def _sit(self) -> None:
        row = self.chosen
        if row is None:
            self.effects.append(Do("resume" if self.unfinished else "new"))
        elif is_free(row):
            self.effects.append(Do("sit", row))
        elif is_running(row):
            self._watch()
        else:
            self.say(self._("All seats of {table} are taken: W watches once they play.", table=row.title), True)

    def _watch(self) -> None:
        row = self.chosen
        if row is None:
            self.say(self._("There is no table to watch."), True)
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
        row = self.chosen
        deeds = [
            Cap("N", _("Open a new table"), Action("key", "n")),
            Cap("C", _("Join by address"), Action("key", "c")),
            Cap("B", _("Practise against bots"), Action("key", "b")),
            Cap("R", _("Replays and evening scores"), Action("key", "r")),
            Cap("Y", _("Your name: {name}", name=self.name), Action("key", "y")),
        ]
        if self.unfinished:
            deeds.insert(
                0, Cap("U", _("Back to your unfinished match: {title}", title=self.unfinished), Action("key", "u"))
            )
        return ListView(
            Frame(
                _("Fairdeal"),
                right=((f"{self.name} · {_('English')}", "dim"),),
                prompt=self._prompt(),
                mood="no" if self.notice and self.notice_is_no else "turn",
                caps=(
                    self.cap("row-up"),
                    self.cap("row-enter", self._enter_label()),
                    Cap("W", _("watch"), Action("key", "w")),
                    Cap("N", _("new"), Action("key", "n")),
                    Cap("C", _("address"), Action("key", "c")),
                    self.cap("settings"),
                    self.cap("quit"),
                ),
                help=self.cap("help"),
            ),
            _("Tables on this network"),
            _("{n} found · live", n=len(self.tables)),
            (_("Table"), _("Game"), _("Seats"), _("State")),
            (22, 20, 9, 25),
            tuple(
                Row(
                    (
                        each.title,
                        game_title(_, each.game),
                        f"{each.taken}/{each.seats}",
                        _(STATES[each.state]) if each.state in STATES else each.state,
                    ),
                    ink="text" if is_free(each) else "dim",
                )
                for each in self.tables
            ),
            self.cursor,
            self._empty(),
            tuple(deeds),
            self._facts(row) if row is not None else (),
        )

    def _enter_label(self) -> str:
        row = self.chosen
        if row is None:
            return self._("new")
        return self._("sit") if is_free(row) else self._("watch")

    def _prompt(self) -> str:
        _, row = self._, self.chosen
        if self.notice:
            return self.notice
        if row is None:
            if self.unfinished:
                return _("Enter takes your old seat again")
            return _("Enter opens a table for your friends · B plays against bots at once")
        if is_free(row):
            return _("Enter sits you down at {table}", table=row.title)
        if is_running(row):
            return _("Enter watches {table}", table=row.title)
        return _("{table} is full", table=row.title)

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
        free = row.seats - row.taken
        if is_free(row):
            lines.append(
                (
                    (
                        _.n("One seat is free until the first deal", "{n} seats are free until the first deal", free),
                        "dim",
                    ),
                )
            )
        elif is_running(row):
            lines.append(((_("They play already: Enter looks on, what is public is checked"), "dim"),))
        lines.append((("✓ ", "ok"), (_("every deal shuffled by all players and checked on your machine"), "text")))
        return tuple(lines)

    def _help(self) -> PagePresenter:
        def lines(_columns: int) -> tuple[Line, ...]:
            _ = self._
            own = [
                ("↑↓", _("go along the tables")),
                ("Enter", _("sit down; where they play already: look on")),
                ("W", _("look on at the table")),
                ("N", _("open a table: friends see it in their lobby")),
                ("C", _("join by the host’s address")),
                ("B", _("play against bots on this machine")),
                ("R", _("look at matches and step through them")),
                ("Y", _("change your name")),
                ("F2", _("language, colours, mouse, sound")),
                ("Ctrl-Q", _("leave")),
            ]
            found: list[Line] = [((f"{cap:<8}", "gold"), (text, "text")) for cap, text in own]
            found.append((("", "text"),))
            found.append(((_(FAIRNESS), "text"),))
            return tuple(found)

        return PagePresenter(self.settings, self.clock, self._("Fairdeal"), lambda: self._("Help"), lines)
