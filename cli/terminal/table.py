"""A table on the terminal: which key is which action, where the cursor stands, what a click means. What may be done, and what
comes of it, the model knows."""

from __future__ import annotations

from cli.clean import width
from cli.games.own_actions import OPTIONAL
from cli.news import News
from cli.terminal.answering import answer_keys
from cli.terminal.draw.dialogs import choices_abreast
from cli.terminal.draw.lists import most_top, score_facts
from cli.terminal.key_bar import fitted_frame, table_keys
from cli.terminal.keys import RANK_KEYS, Cap
from cli.terminal.layout import dialog_columns, has_room, size_of
from cli.terminal.look import Look
from cli.terminal.screen import Screen
from cli.terminal.scrolling import Scrolled
from cli.terminal.settings import TerminalSettings
from cli.text import Translator
from cli.view.actions import PAUSED, SHEET, TABLE
from cli.view.effects import Focus, Repaint
from cli.view.inputs import Act, Choose, Pick, PlayNow
from cli.view.model import Clock
from cli.view.table.model import TableModel
from cli.view.views import Dialog, HandCard, ScoreView, TableView, Tip, View
from protocol.values import replace

FLASH_S = 0.15
"""A card is seen on its way to the middle for so long."""
PAST_BOXES = ("/", "?", "v", "l", "f1", "f2", "c-l", "c-c", "c-q", "f10")
"""Keys that mean the same while a question is open."""
PAST_SHEET = (*PAST_BOXES, "V", "L", ":", "tab")
"""The same for the score sheet."""


class TableScreen(Screen, shows=TableModel):
    """One seat at one table."""

    model: TableModel

    def __init__(self, model: TableModel, settings: TerminalSettings, clock: Clock) -> None:
        super().__init__(model, settings, clock)
        self.table = model.table
        self._place = 0
        """The place of the card under the cursor."""
        self._card: int | None = None
        """Its id, by which the cursor stays on it however the hand is sorted."""
        self._jumped_to: int | None = None
        """The card that a rank's key went to last."""
        self.choice = 0
        self._asked: int | None = None
        """The number of the question that `choice` is about."""
        self._size = (80, 24)
        self._sheet = Scrolled()
        self._sheet_of: object = None

    @property
    def _(self) -> Translator:
        return self.table._

    def hear(self, news: News) -> None:
        super().hear(news)
        self.cursor()

    def say(self, text: str, is_no: bool = False) -> None:
        """Of the session around the table."""
        self.table.notice.note(text)

    # --- cursors ---

    def cursor(self) -> int | None:
        """The id of the card under the cursor."""
        ids = [held.id for held in self.table.hand.cards]
        if self._card in ids:
            self._place = ids.index(self._card)
        else:
            self._place = max(0, min(self._place, len(ids) - 1))
            self._card = ids[self._place] if ids else None
        return self._card

    def _go_to(self, place: int) -> None:
        cards = self.table.hand.cards
        if 0 <= place < len(cards):
            self._place, self._card = place, cards[place].id

    def focus(self, wanted: Focus) -> None:
        ids = [held.id for held in self.table.hand.cards]
        if wanted.card in ids:
            self._go_to(ids.index(wanted.card))
        if wanted.choice is not None:
            self._at_choice(self._dialog())
            self.choice = wanted.choice

    def _at_choice(self, dialog: Dialog | None) -> int:
        """The choice under the cursor; a question that has just opened says where it stands first."""
        if dialog is None:
            self._asked = None
            return 0
        if not (dialog.asks or dialog.is_standing):
            return dialog.focus
        if dialog.number != self._asked:
            self._asked, self.choice = dialog.number, dialog.focus
        return self.choice

    def _dialog(self) -> Dialog | None:
        view = self.model.view()
        return view.dialog if isinstance(view, TableView) else None

    def _jump(self, rank: str, hand: tuple[HandCard, ...]) -> bool:
        """To a card of this rank, one that can be played and is not picked first; again: to the next one and round."""
        places = [place for place, card in enumerate(hand) if card.rank == rank]
        if not places:
            return False
        places.sort(key=lambda place: not hand[place].playable)
        # Who picks one after the other by its letter wants another one each time.
        places = [place for place in places if not hand[place].picked] or places
        if self._place in places and self.cursor() == self._jumped_to:
            self._go_to(places[(places.index(self._place) + 1) % len(places)])
        else:
            self._go_to(places[0])
        self._jumped_to = self.cursor()
        return True

    # --- keys ---

    def may_press_unseen(self, pressed: str) -> bool:
        """Esc takes back the question whether to leave: the small window shows that it is asked."""
        return super().may_press_unseen(pressed) or (pressed == "escape" and self.table.question.query is not None)

    def own_key(self, pressed: str) -> None:
        self.cursor()
        if pressed == "enter" and self.model.stops_play():
            return
        view = self.model.view()
        if isinstance(view, ScoreView):
            self._sheet_key(view, pressed)
            return
        dialog = view.dialog
        if dialog is not None:
            self._at_choice(dialog)
            if dialog.asks and pressed not in PAST_BOXES:
                self._question_key(dialog, pressed)
                return
            if not dialog.asks and self._box_key(dialog, pressed):
                return
        if pressed in ("e", "E") and any(offer.name == "export" for offer in view.frame.actions):
            self.send(Act("export"))
            return
        command = self.settings.registry.command(PAUSED if _is_paused(view) else TABLE, pressed)
        if command is not None:
            self._command(view, command.name, pressed)
        else:
            self._other(view, pressed)

    def _refuse_key(self, pressed: str) -> None:
        shown = pressed.upper() if len(pressed) > 1 else pressed
        self._refuse(self._("“{key}” does nothing here. Press ? for the keys.", key=shown))

    def _refuse(self, sentence: str) -> None:
        self.send(Act("refuse", sentence))

    def _command(self, view: TableView, name: str, pressed: str = "") -> None:
        card, last = self.cursor(), len(view.hand) - 1
        is_picked = card is not None and view.hand[self._place].picked
        match name:
            case "left" | "right" | "home" | "end" | "pick" | "unpick" if card is None:
                self.send(Act("look"))
            case "left" | "right" | "home" | "end":
                places = {"left": self._place - 1, "right": self._place + 1, "home": 0, "end": last}
                self._go_to(places[name] % (last + 1))
                self.send(Act("look"))
            case "pick" if card is not None:
                if is_picked and pressed == "up" and not _has_places(view):
                    self._refuse(self._("This card is already picked. {@play:play}, {@clear:clear}."))
                else:
                    self.send(Pick(card))
            case "unpick" if card is not None:
                if is_picked:
                    self.send(Pick(card))
                else:
                    self._refuse(self._("This card isn’t picked. {@pick:pick}."))
            case "enter" | "play":
                any_picked = any(each.picked for each in view.hand)
                self.send(Act("play") if any_picked or card is None else PlayNow((card,)))
            case "chat":
                self.send(Act("chat", ":" if pressed == ":" else ""))
            case "up":
                self.send(Act("log"))
            case "big":
                self.settings.big = not self.settings.big
                self.send(Act("read"))
            case "repaint":
                self.effects.append(Repaint())
                self.send(Act("read"))
            case _ if name in OPTIONAL and name not in view.knows and not _is_paused(view):
                self._refuse_key(pressed or name)
            case _other:
                self.send(Act(name))

    def _other(self, view: TableView, pressed: str) -> None:
        rank = RANK_KEYS.get(pressed.lower())
        if rank is None or (rank == "1" and all(card.rank != "1" for card in view.hand)):
            self._refuse_key(pressed)
        elif self._jump(rank, view.hand):
            self.send(Act("look"))
        else:
            self._refuse(self._("You have no {rank}.", rank="10" if rank == "T" else rank))

    # --- boxes ---

    def _box_key(self, dialog: Dialog, pressed: str) -> bool:
        """A box that leaves the table's keys as they are takes a few for itself; whether it took this one."""
        card = self.cursor()
        if dialog.kind == "places" and pressed in "123" and len(pressed) == 1:
            if card is not None:
                self.send(Act("gift", (int(pressed) - 1, card, True)))
                self.cursor()
            return True
        if not dialog.is_standing:
            return False
        if self._moves_choice(dialog, pressed):
            return True
        if pressed in ("enter", " "):
            self.send(Choose(self.choice))
            return True
        command = self.settings.registry.command(TABLE, pressed)
        for place, choice in enumerate(dialog.choices):
            if self._is_typed(choice.key, pressed) or (command is not None and choice.action == command.name):
                self.choice = place
                self.send(Act("read"))
                return True
        return False

    def _is_typed(self, key: str, pressed: str) -> bool:
        """Whether a choice's key was pressed; Y is understood in every language."""
        typed = pressed.upper()
        return bool(key) and (key.upper() == typed or (typed == "Y" and key.upper() == self._("Y").upper()))

    def _moves_choice(self, dialog: Dialog, pressed: str) -> bool:
        count = max(1, len(dialog.choices))
        step = choices_abreast(dialog, dialog_columns(*self._size))
        match pressed:
            case "left" | "right":
                self.choice = (self.choice + (1 if pressed == "right" else -1)) % count
            case "up" | "down" if 1 < step < count:
                moved = self.choice + (step if pressed == "down" else -step)
                self.choice = moved if 0 <= moved < count else self.choice
            case "up" | "down":
                self.choice = (self.choice + (1 if pressed == "down" else -1)) % count
            case "home" if dialog.asks:
                self.choice = 0
            case "end" if dialog.asks:
                self.choice = count - 1
            case _other:
                return False
        self.send(Act("read"))
        return True

    def _question_key(self, dialog: Dialog, pressed: str) -> None:
        if self._moves_choice(dialog, pressed):
            return
        match pressed:
            case "enter" | " ":
                self.send(Choose(self.choice))
            case "escape":
                self.send(Act("escape"))
            case "backspace" | "x":
                self.send(Act("clear"))
            case _other if len(pressed) == 1:
                self._typed_choice(dialog, pressed)
            case _other:
                self.send(Act("read"))

    def _typed_choice(self, dialog: Dialog, pressed: str) -> None:
        """Goes to a choice by its key, its first letters, or a card by rank and suit; Enter takes it, in every box."""
        typed, choices = pressed.upper(), dialog.choices
        place = next((at for at, choice in enumerate(choices) if self._is_typed(choice.key, pressed)), None)
        command = self.settings.registry.command(TABLE, pressed)
        if place is None and command is not None:
            at_once = [at for at, choice in enumerate(choices) if choice.action == command.name]
            if at_once:
                self.send(Choose(at_once[0]))
                return
        if place is None and any(typed in choice.suit_keys for choice in choices):
            here = choices[self.choice].label[:-1]
            same = (at for at, each in enumerate(choices) if each.label[:-1] == here and typed in each.suit_keys)
            place = next(same, self.choice)
        if place is None:
            wanted = "10" if typed in ("0", "T") else typed
            matches = [at for at, choice in enumerate(choices) if choice.label.upper().startswith(wanted)]
            place = next((at for at in matches if at > self.choice), matches[0]) if matches else None
        if place is not None:
            self.choice = place
            self.send(Act("read"))
        elif typed == "H":
            self._refuse(self._("No hint for this question."))
        else:
            keys = answer_keys(self._, dialog) or dialog.title
            self._refuse(self._("You can’t answer with “{key}”. {keys}", key=pressed, keys=keys))

    # --- the score sheet ---

    def _scroll_sheet(self, pressed: str) -> bool:
        """An arrow or its like goes through the facts; False where all of them are seen."""
        if not self._sheet.key(pressed):
            return False
        self.send(Act("read"))
        return True

    def _sheet_key(self, view: ScoreView, pressed: str) -> None:
        offered = {offer.name for offer in view.frame.actions}
        if self._scroll_sheet(pressed):
            return
        if pressed in PAST_SHEET:
            passed = self.settings.registry.command(TABLE, pressed)
            if passed is not None:
                self.send(Act({"up": "log"}.get(passed.name, passed.name)))
        elif pressed == "enter" or (pressed == " " and "other-game" not in offered):
            self.send(Act("play"))
        elif pressed in (" ", "escape", "f3"):
            self.send(Act("escape"))
        elif (command := self.settings.registry.command(SHEET, pressed)) is not None and command.name in offered:
            self.send(Act(command.name))
        elif view.is_passing:
            self.send(Act("escape"))
        elif len(pressed) == 1:
            self._refuse_key(pressed)
        else:
            self.send(Act("read"))

    # --- clicks ---

    def own_click(self, action: Act, twice: bool) -> None:
        self.cursor()
        view = self.model.view()
        if action.name == "key" and isinstance(action.arg, str):
            self.key(action.arg)
        elif isinstance(view, ScoreView):
            self._sheet_click(action)
        else:
            self._table_click(view, action, twice)

    def _sheet_click(self, action: Act) -> None:
        if action.name in ("play", "escape", "other-game", "replay", "export"):
            self.send(action)
        else:
            self.send(Act("play") if action.name in ("enter", "sheet-enter") else action)

    def _table_click(self, view: TableView, action: Act, twice: bool) -> None:
        dialog, arg = view.dialog, action.arg
        match action.name:
            case "card" if isinstance(arg, int) and not (dialog is not None and dialog.asks):
                self._card_clicked(view, arg, twice)
            case "choose" | "gift" if isinstance(arg, int) and _has_places(view):
                if (card := self.cursor()) is not None:
                    self.send(Act("gift", (arg, card, False)))
            case "choose" if isinstance(arg, int):
                self.send(Choose(arg))
            case "seat" if isinstance(arg, int) and _has_places(view) and view.me is not None and arg != view.me:
                if (card := self.cursor()) is not None:
                    self.send(Act("gift", ((arg - view.me) % len(view.seats) - 1, card, False)))
            case "seat":
                self.send(action)
            case "stock":
                self._command(view, "draw")
            case "card" | "choose":
                pass
            case "escape" | "export" | "clear":
                self.send(action)
            case _ if dialog is not None and dialog.asks and action.name in ("enter", "play"):
                pass
            case _other:
                self._command(view, action.name)

    def _card_clicked(self, view: TableView, place: int, twice: bool) -> None:
        if not 0 <= place < len(view.hand):
            return
        self._go_to(place)
        card = view.hand[place]
        if twice and not _has_places(view):
            if view.dialog is not None and view.dialog.is_standing:
                self.send(Choose(self._at_choice(view.dialog)))
                return
            if not card.picked:
                self.send(Pick(card.id))
            self.send(Act("play"))
        else:
            self.send(Pick(card.id))

    def own_scroll(self, by: int) -> None:
        """The wheel goes through the log."""
        if self.table.sheet_is_up:
            self._scroll_sheet("down" if by > 0 else "up")
        elif by < 0:
            self.send(Act("log"))
            if self.overlay is not None:
                self.overlay.scroll(by)

    # --- pictures ---

    def is_moving(self) -> bool:
        flight = self.table.flight
        return self.may_move_cards and flight is not None and self.clock() - flight.at < FLASH_S

    def own_picture(self, columns: int, rows: int) -> tuple[View, Look]:
        self._size = (columns, rows)
        view = self.model.view()
        registry = self.settings.registry
        help_cap = registry.cap(self._, "help")
        if isinstance(view, ScoreView):
            self._fit_sheet(view, columns, rows)
            view = replace(view, frame=fitted_frame(view.frame, size_of(columns, rows), strip=False))
            return view, Look(table_keys(self._, registry, view.frame, None), help_cap, top=self._sheet.top)
        size, dialog = size_of(columns, rows), view.dialog
        choice = self._at_choice(dialog)
        frame = view.frame
        if dialog is not None and dialog.name == "leave" and self.is_unseen and not self.table.notice.text:
            frame = replace(frame, head="", prompt=self._("Ctrl-C: leave (your seat is kept) · Esc: stay"))
        elif dialog is not None and dialog.confirms and frame.head and frame.prompt == dialog.title:
            frame = replace(frame, prompt=dialog.confirms[choice % len(dialog.confirms)])
        frame = fitted_frame(frame, size, strip=not view.across)
        is_cut = width(view.last_event) > columns - 2
        if dialog is not None:
            dialog = replace(dialog, footer=answer_keys(self._, dialog))
        view = replace(view, frame=frame, dialog=dialog, recap=view.recap_of_event if is_cut else view.recap)
        is_asked = dialog is not None and dialog.asks
        self.cursor()
        look = Look(
            table_keys(self._, registry, frame, dialog),
            help_cap,
            cursor=-1 if is_asked else self._place,
            choice=choice,
            flash_step=self._flash_step(),
            tip=self._tip(view),
        )
        return view, look

    def is_told_in_lines(self, columns: int, rows: int) -> bool:
        return super().is_told_in_lines(columns, rows) if self.overlay is not None else has_room(columns, rows)

    def _fit_sheet(self, view: ScoreView, columns: int, rows: int) -> None:
        """How far it can be scrolled in a window of this size; another round's sheet begins at its top."""
        played = self.table.rounds.sheet.last
        if played is not self._sheet_of:
            self._sheet_of, self._sheet = played, Scrolled()
        lines, room = score_facts(view, columns, rows)
        self._sheet.fit(most_top(lines, room), room - 2)

    def _flash_step(self) -> int:
        """The step of the card on its way; -1: none is."""
        flight = self.table.flight
        if not self.is_moving() or flight is None:
            return -1
        return 0 if self.clock() - flight.at < FLASH_S / 2 else 1

    def _tip(self, view: TableView) -> Cap | None:
        tip: Tip | None = view.tip
        if tip is None:
            return None
        card = view.hand[self._place] if self._place < len(view.hand) else None
        if tip.otherwise and card is not None and not card.playable:
            return Cap("←→", tip.otherwise, Act("right"))
        return self.settings.registry.cap(self._, tip.action, tip.label)


def _has_places(view: TableView) -> bool:
    return view.dialog is not None and view.dialog.kind == "places"


def _is_paused(view: TableView) -> bool:
    return view.dialog is not None and view.dialog.name == "paused"
