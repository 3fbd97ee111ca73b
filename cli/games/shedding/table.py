"""The shedding games at the table: pile, last-card word, cards that cost more than others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from cli import news as events
from cli.games.base.replies import Refused, Reply, Told
from cli.games.base.table import Middle, TableFace
from cli.games.base.tips import TIPS, TipText
from cli.games.base.viewpoint import Viewpoint
from cli.games.cards import last_word
from cli.games.position import Position
from cli.games.shedding.middle import PileText
from cli.games.shedding.prompts import SheddingPrompts
from cli.games.shedding.questions import SheddingPicking
from cli.games.shedding.sheet import SheddingSheet
from cli.games.shown import Offer
from protocol.cards import JOKER, Card, Seat
from protocol.games.eights import Eights
from protocol.games.game import Data
from protocol.games.mau_mau import MauMau
from protocol.games.shedding.moves import PlayCards

PLAIN, SPECIAL, WILD, DEAREST = range(4)


class SheddingTable(TableFace):
    """For one seat (or a watcher) at one table."""

    tips: ClassVar[Mapping[str, tuple[TipText, ...]]] = {name: TIPS[name] for name in ("enter", "draw", "hint", "pass")}
    actions = TableFace.actions - {"other"}
    marks_last_card = True

    def __init__(self, at: Viewpoint) -> None:
        self.call_next = False
        """The word goes with the next play."""
        super().__init__(at)
        self.text = self.make_text()

    def make_text(self) -> PileText:
        return PileText(self.at)

    def make_prompts(self) -> SheddingPrompts:
        return SheddingPrompts(self.at, lambda: self.word_due(()))

    def make_sheet(self) -> SheddingSheet:
        return SheddingSheet(self.at)

    def judging(self, position: Position) -> SheddingPicking:
        return SheddingPicking(self.at, position)

    @property
    def across(self) -> bool:
        return False

    @property
    def takes_one(self) -> bool:
        return isinstance(self.at.game, Eights)

    # --- what happens ---

    def round_began(self) -> None:
        super().round_began()
        self.call_next = False
        self.text.before = self.text.named_by = None

    def moved(self, news: events.Moved) -> None:
        play, before = self.at.game.decode(news.move), news.before
        if isinstance(play, PlayCards):
            self.text.named_by = news.seat if play.suit or play.rank else None
        if isinstance(play, PlayCards) and before.top:
            self.text.before = play.cards[-2] if len(play.cards) > 1 else before.top
        elif self.at.narrator.recycled(news.move, before, news.after):
            self.text.before = None  # only the top card is left of the pile

    def played(self) -> None:
        self.call_next = False

    def flying(self, move: Data) -> Card | None:
        return super().flying(move) if move.get("do") == "play" else None

    # --- what is seen ---

    def middle(self) -> Middle:
        return Middle(pile=self.text.pile())

    def seat_note(self, seat: Seat) -> str:
        return ""

    def seat_short(self, seat: Seat) -> str:
        return ""

    def picked_texts(self) -> list[str]:
        if not self.call_next:
            return []
        word = last_word(self.at._, self.at.game.words, self.at.hand.chosen)
        return [self.at._("with “{word}” ({@call} or {@clear:undo})", word=word)]

    def word_due(self, chosen: Sequence[Card]) -> str:
        """The word that goes with some play that can be made now, of just the chosen cards if there are any."""
        position = self.at.position
        if position is None or self.call_next:
            return ""
        return self._word_of(position, chosen)

    def _word_of(self, position: Position, chosen: Sequence[Card] = ()) -> str:
        wanted = sorted(chosen)
        fits = (each for each in position.plays if each.get("call") and wanted in ([], sorted(each["cards"])))
        called = next(fits, None)
        return last_word(self.at._, position.game.words, called["cards"]) if called is not None else ""

    def urgent(self) -> tuple[str, str]:
        position, _ = self.at.position, self.at._
        if position is None or "call" not in position.verbs:
            return ("", "")
        return (_("NOW"), _("{@call:say “{word}”}", word=last_word(_, position.game.words)))

    # --- actions ---

    def offers(self) -> list[Offer]:
        position = self.at.position
        found: list[Offer] = []
        if position is not None and (
            "call" in self.at.verbs or (position.must_act and any(move.get("call") for move in position.plays[:50]))
        ):
            words = position.game.words
            label = (self._word_of(position) or last_word(self.at._, words)) if words else None
            found.append(Offer("call", label, is_needed=True, is_loud=True))
        return [*found, *super().offers()]

    def verb_label(self, verb: str) -> str | None:
        due = self.at.view.due
        return self.at._("draw {n}", n=due) if verb == "draw" and due else None

    def said(self) -> Mapping[str, Any]:
        return {"call": True} if self.call_next else {}

    def act(self, name: str, arg: Any = None) -> Reply:
        return self._call() if name == "call" else super().act(name, arg)

    def has_prepared(self) -> bool:
        return self.call_next

    def clear(self) -> str:
        super().clear()
        return self._take_word_back(last_word(self.at._, self.at.game.words)) if self.call_next else ""

    def _call(self) -> Reply:
        """The word, now or with the next play."""
        position, _ = self.at.position, self.at._
        if position is None:
            return None
        if "call" in position.verbs:
            return self.simple({"do": "call"})
        if not position.game.words or position.game.options.get("last_card", True) is False:
            return Refused(_("You don’t need to call your last card at this table."))
        word = last_word(_, position.game.words)
        if self.call_next:
            return Told(self._take_word_back(word))
        if not self._may_speak(position):
            return Refused(
                _("Say “{word}” with your last card, but you can’t play it now.", word=word)
                if self._is_last_of_all and len(position.hand) == 1
                else _("Too early: say “{word}” with your very last card.", word=word)
                if self._is_last_of_all
                else _("Too late: say “{word}” with the play that leaves you one card.", word=word)
                if len(position.hand) == 1
                else _("Too early: say “{word}” with the play that leaves you one card.", word=word)
            )
        self.call_next = True
        return Told(
            _("You’ll say “{word}” with your last card. {@clear:undo}", word=word)
            if self._is_last_of_all
            else _("You’ll say “{word}” when you play down to one card. {@clear:undo}", word=word)
        )

    def _take_word_back(self, word: str) -> str:
        self.call_next = False
        return self.at._("You won’t say “{word}”. Press {@call} to say it after all.", word=word)

    @property
    def _is_last_of_all(self) -> bool:
        """Mau-Mau's word goes with the last card itself, all others with the one before."""
        return isinstance(self.at.game, MauMau)

    def _may_speak(self, position: Position) -> bool:
        """Whether the next play can be the one that the word goes with."""
        if position.must_act:
            return any(move.get("call") for move in position.plays)
        return len(position.hand) - self.most_at_once(position.hand) <= (0 if self._is_last_of_all else 1)

    def most_at_once(self, hand: Sequence[Card]) -> int:
        """How many cards of the hand one play can take at most."""
        return 1

    # --- help with the hand ---

    def hint_order(self, plays: Sequence[tuple[Card, ...]]) -> list[tuple[Card, ...]]:
        """The plainest first, so that nobody is told to spend a joker where a plain card does."""
        return sorted(plays, key=lambda cards: max((self.cost(card) for card in cards), default=PLAIN))

    def cost(self, card: Card) -> int:
        """How much a card can do besides being put down."""
        game = self.at.game
        if card == JOKER:
            return DEAREST
        if not isinstance(game, Eights):
            return PLAIN
        if card[0] == game.wild:
            return WILD
        return SPECIAL if card[0] in game.dues or card[0] in (game.reverse, game.skip, game.again) else PLAIN
