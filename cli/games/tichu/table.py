"""Tichu at the table: calls, the exchange, bombs out of turn, tricks that are taken, the wish, the Dragon."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

from cli import news as events
from cli.games.base.replies import AskBot, Move, Picked, Query, QueryOption, Refused, Reply, Told
from cli.games.base.table import Middle, TableFace
from cli.games.base.viewpoint import Viewpoint
from cli.games.position import Position
from cli.games.shown import Choice, Dialog, Offer
from cli.games.tichu.account import TichuSheet
from cli.games.tichu.bombing import Bombing
from cli.games.tichu.bombs import bombs_in, is_bomb
from cli.games.tichu.calls import Calls
from cli.games.tichu.combos import combo_of, described
from cli.games.tichu.exchange import Exchange
from cli.games.tichu.middle import trick_of
from cli.games.tichu.picking import TichuPicking
from cli.games.tichu.prompts import TichuPrompts
from cli.games.tichu.tips import TIPS
from cli.text import key
from protocol.cards import DOG, DRAGON, MAH_JONG, RANKS, Card, Seat
from protocol.games.game import Data
from protocol.games.tichu.moves import CallTichu, Collect, Give, Grand, Pass, PlayCombination
from protocol.games.tichu.view import TichuView
from protocol.games.views import PublicView, seen_as

ALL_DEALT = 14
"""A player who holds fewer cards after the deal has played."""
PLAIN, SPECIAL, BREAKING, DEAREST = range(4)
LOW_AND_HIGH = {"Dog": -2, "Mah": -1, "Phx": 98, "Drg": 99}


class TichuTable(TableFace):
    """For one seat (or a watcher) at one table."""

    sorts = ("rank", "suit", "kind", "dealt")
    sort_texts: ClassVar[Mapping[str, tuple[str, str]]] = {
        **TableFace.sort_texts,
        "kind": (
            key("sorted by combination ({@sort})"),
            key("Sorted by combination: fours, triples and pairs first."),
        ),
    }
    sorting_setting = "sorting_tichu"
    tips = TIPS
    actions: ClassVar[frozenset[str]] = TableFace.actions - {"other"} | {"tichu", "grand", "gift"}
    marks_new = False
    names_picked = True

    def __init__(self, at: Viewpoint) -> None:
        self.exchange = Exchange(at)
        self.received: dict[int, str] = {}
        """From whom cards came, by id."""
        self.pass_ahead = False
        self.passed: set[Seat] = set()
        """Who has passed since the last card of this trick."""
        self.dog: Seat | None = None
        """Who has just led the Dog: it lies on the table until the next move."""
        self.out_winner: Seat | None = None
        """Who has just taken a trick and is out, so that somebody else leads."""
        self.bombing = Bombing(at)
        self.calls = Calls(at)
        super().__init__(at)

    def make_prompts(self) -> TichuPrompts:
        return TichuPrompts(self.at, lambda: self.exchange.receivers[self.exchange.next])

    def make_sheet(self) -> TichuSheet:
        return TichuSheet(self.at)

    def judging(self, position: Position) -> TichuPicking:
        return TichuPicking(self.at, position)

    @property
    def across(self) -> bool:
        return True

    @property
    def takes_one(self) -> bool:
        return False

    @property
    def phase(self) -> object:
        """What is asked of us, if anything is."""
        position = self.at.position
        return position.view.phase if position is not None and position.must_act else None

    # --- what happens ---

    def round_began(self) -> None:
        super().round_began()
        self.exchange.clear()
        self.received = {}
        self.pass_ahead = False
        self.dog = self.out_winner = None
        self.passed.clear()

    def moved(self, news: events.Moved) -> None:
        seat, move = news.seat, self.at.game.decode(news.move)
        if isinstance(move, Pass):
            self.passed.add(seat)
            return
        self.passed.discard(seat)
        self.dog = self.out_winner = None
        match move:
            case PlayCombination(cards=(only,)) if only == DOG:
                self.dog = seat
            case Collect():
                self.out_winner = seat if seat in news.before.out else None
                self.passed.clear()

    def settled(self, news: events.Moved) -> Data | None:
        me, before, after = self.at.me, news.before, news.after
        held = {each.id for each in self.at.hand.cards}
        self.received = {each: name for each, name in self.received.items() if each in held}
        if before.phase == "give" and after.phase != "give" and me is not None:
            # Cards arrive from the next seat, the partner, the previous one, in this order.
            names = self.at.short_names
            for card, step in zip(after.arrived(me), (1, 2, 3), strict=False):
                for each in self.at.hand.ids((card,)):
                    self.received[each] = names[(me + step) % 4]
        elif news.seat == me and before.phase == "play":
            self.received = {}  # looked at: the first play of others comes too soon for that
        return self._pass_that_was_said_ahead(after)

    def _pass_that_was_said_ahead(self, after: PublicView) -> Data | None:
        """It happens when the turn comes; a new trick or a bomb wipes it out."""
        if not self.pass_ahead:
            return None
        if not seen_as(TichuView, after).to_beat:
            self.pass_ahead = False
        elif after.turn == self.at.me:
            self.pass_ahead = False
            position = self.at.position
            if position is not None and "pass" in position.verbs:
                return {"do": "pass"}
        return None

    def new_moment(self) -> None:
        super().new_moment()
        self.bombing.place = -1

    def flying(self, move: Data) -> Card | None:
        return super().flying(move) if move.get("do") == "play" else None

    def ends_picks(self, move: Data) -> bool:
        return move.get("do") == "collect"

    def guarded(self, move: Data) -> str:
        return {"collect": "trick", "show": "other"}.get(str(move.get("do")), "")

    def short_action(self, news: events.Moved) -> str:
        _ = self.at._
        match self.at.game.decode(news.move):
            case PlayCombination(cards):
                return self.at.cards.row(cards)
            case Pass():
                return _("passed")
            case Collect():
                return _("took the trick")
            case CallTichu():
                return _("Tichu!")
            case Grand(call=True):
                return _("Grand Tichu!")
            case _other:
                return ""

    def log_ink(self, move: Data) -> str:
        match self.at.game.decode(move):
            case CallTichu():
                return "alarm"
            case PlayCombination(cards) if is_bomb(cards):
                return "alarm"
            case _other:
                return super().log_ink(move)

    # --- what is seen ---

    def middle(self) -> Middle:
        return Middle(trick=trick_of(self.at, self.dog, self.out_winner))

    def seat_note(self, seat: Seat) -> str:
        """Who has said or given already, before the first lead."""
        _, view = self.at._, seen_as(TichuView, self.at.view)
        if view.phase == "collect":
            return _("takes trick") if seat == view.turn else ""
        if view.phase == "grand" and seat < len(view.decided):
            return _("says no") if view.decided[seat] else _("thinking…")
        if view.phase == "give" and seat < len(view.given):
            return _("has chosen") if view.given[seat] else _("choosing…")
        return ""

    def said_at_seats(self) -> dict[Seat, str]:
        return {seat: self.at._("passes") for seat in self.passed if seat != self.at.view.turn}

    def chip(self, seat: Seat) -> str:
        return self.calls.chip(seat)

    def heading_out(self, place: int) -> str:
        from cli.games.base.prompts import ORDINALS

        return self.at._("You are out: {place}", place=self.at._(ORDINALS[place]))

    def marks(self) -> dict[int, str]:
        return self.exchange.marks() if self.phase == "give" else dict(self.received)

    def is_alike(self) -> bool:
        return self.phase in ("grand", "give", "show", "collect")

    def shows_gifts(self) -> str:
        return self.at._("picked: {n} of 3", n=self.exchange.count) if self.phase == "give" else ""

    def picked_texts(self) -> list[str]:
        return [self.at._("passing ahead ({@pass} or {@clear:undo})")] if self.pass_ahead else []

    def described(self) -> str:
        """What is picked, live, as a combination."""
        at, position = self.at, self.at.position
        if position is None:
            return ""
        if self.phase == "give" and None not in self.exchange.gifts:
            return at._("You chose three cards · {@play:pass them}")
        chosen = at.hand.chosen
        if not chosen or position.view.phase != "play":
            return ""
        text = described(at._, at.cards, chosen, position, combo_of(position.view))
        if chosen != (DOG,) and self.judging(position).feasible(chosen):
            return at._("{combo} · {@play:play}", combo=text)
        return text

    def aside(self) -> list[str]:
        _, position = self.at._, self.at.position
        found = [_("you’ll pass ({@pass} or {@clear:undo})")] if self.pass_ahead else []
        if position is not None and "tichu" in position.verbs and self.bombing.can_bomb():
            found.append(_("{@bomb:bomb now}"))
        return found

    def grace_told(self, seat: Seat, left_s: int) -> str:
        me = self.at.me
        is_ours = me is not None and (seat - me) % 2 == 0
        if self.bombing.can_bomb() and not is_ours:
            return self.at._("{seconds} s left to bomb this trick", seconds=left_s)
        return super().grace_told(seat, left_s)

    # --- what the game asks ---

    def question(self) -> Query | None:
        return self.calls.question() if self.phase == "grand" else None

    def opening(self) -> Query | None:
        gifts = self._collects()
        return self._ask_dragon(gifts) if self.phase == "collect" and len(gifts) > 1 else None

    def dialog(self) -> Dialog | None:
        return self.exchange.dialog() if self.phase == "give" else None

    def forced(self) -> Data | None:
        if self.phase == "show":
            return {"do": "show"}
        gifts = self._collects()
        is_dragon = seen_as(TichuView, self.at.view).to_beat == (DRAGON,)
        return gifts[0] if self.phase == "collect" and not is_dragon and len(gifts) == 1 else None

    def plays_cards(self) -> bool:
        return self.at.is_due and self.phase not in ("grand", "give")

    def _collects(self) -> list[Data]:
        position = self.at.position
        return [move for move in position.moves if move["do"] == "collect"] if position is not None else []

    def _ask_dragon(self, gifts: Sequence[Data]) -> Query:
        _, view, me = self.at._, seen_as(TichuView, self.at.view), self.at.me or 0
        sizes, out = view.hand_sizes, view.out
        places = {(me + 1) % 4: _("left ←"), (me + 3) % 4: _("right →")}
        options = []
        # As they sit: the arrow to the left goes to the player on the left.
        for number, to in enumerate(sorted((move["to"] for move in gifts), key=lambda seat: (seat - me) % 4), 1):
            held = _("out: {place}", place=out.index(to) + 1) if to in out else ""
            held = held or _.n("{n} card left", "{n} cards left", sizes[to])
            about = " · ".join(part for part in (places.get(to, ""), held) if part)
            options.append(QueryOption(to, Choice(str(number), self.at.narrator.name(to), about)))
        return Query(
            "to",
            _("Who gets the Dragon’s trick ({n} points)?", n=view.pile_points),
            tuple(options),
            lines=(self._about_gift(out),),
            answer=lambda seat: Move({"do": "collect", "to": seat}),
            again=partial(self._ask_dragon, gifts),
            chooses_seat=True,
        )

    def _about_gift(self, out: Sequence[Seat]) -> str:
        """What becomes of the points: they count for the other team, unless their taker is last of all."""
        _ = self.at._
        if out:
            name = self.at.narrator.who(out[0])
            return _("Both are opponents. The player left at the end gives all their tricks to {name}.", name=name)
        return _("Both are opponents. The player left at the end gives all their tricks to the first player out.")

    # --- actions ---

    def offers(self) -> list[Offer]:
        _, position = self.at._, self.at.position
        if position is None or self.phase in ("grand", "give"):
            return []
        bomb = self.bombing.offer()
        found = [bomb] if bomb is not None else []
        if "pass" in self.at.verbs:
            found.append(Offer("pass", is_needed=True))
        elif self._may_pass_ahead(position):
            found.append(Offer("pass", _("don’t pass") if self.pass_ahead else _("pass ahead")))
        return found

    def late_offers(self) -> list[Offer]:
        return [Offer("tichu", is_loud=True)] if "tichu" in self.at.verbs else []

    def enter_label(self) -> str | None:
        return {"show": self.at._("show"), "collect": self.at._("take")}.get(str(self.phase))

    def takes_enter(self) -> bool:
        is_dragon = len(self._collects()) > 1
        has_picked = bool(self.at.hand.picked)
        return self.phase in ("give", "show") or (self.phase == "collect" and (not has_picked or is_dragon))

    def enter(self) -> Reply:
        if self.phase == "give":
            given = self.exchange.move()
            return given if isinstance(given, Refused) else self.simple(given)
        if self.phase == "show":
            return self.simple({"do": "show"})
        gifts = self._collects()
        if len(gifts) > 1:
            return self._ask_dragon(gifts)
        return Move(gifts[0]) if gifts else None

    def act(self, name: str, arg: Any = None) -> Reply:
        position, _ = self.at.position, self.at._
        match name:
            case "draw":
                return Refused(_("You don’t draw cards in Tichu."))
            case "pass" if position is not None and self._may_pass_ahead(position):
                self.pass_ahead = not self.pass_ahead
                return None if self.pass_ahead else Told(_("You won’t pass ahead."))
            case "tichu":
                return self.calls.tichu()
            case "grand":
                return self.calls.grand(True)
            case "bomb":
                return self.bombing.bomb()
            case "gift" if self.phase == "give" and arg is not None:
                return self.exchange.give(*arg)
            case "gift":
                return None
            case _other:
                return super().act(name, arg)

    def waits_for_bomb(self) -> bool:
        return self.bombing.is_chosen()

    def toggle(self, card: int) -> Reply | None:
        return self.exchange.toggle(card) if self.phase == "give" else None

    def has_prepared(self) -> bool:
        return self.pass_ahead or self.exchange.count > 0

    def clear(self) -> str:
        super().clear()
        told = self.at._("You won’t pass ahead.") if self.pass_ahead else ""
        self.pass_ahead, self.bombing.place = False, -1
        self.exchange.clear()
        return told

    def _may_pass_ahead(self, position: Position) -> bool:
        """Whether P says a pass for later: somebody else is to beat a trick."""
        view, seat = seen_as(TichuView, position.view), position.seat
        if not position.hand or view.phase != "play":
            return False
        return bool(view.to_beat) and view.turn != seat and view.owner != seat

    # --- help with the hand ---

    def hint_order(self, plays: Sequence[tuple[Card, ...]]) -> list[tuple[Card, ...]]:
        """Without special cards first; at the end what breaks up a bomb, and bombs themselves."""
        position = self.at.position
        picking = self.judging(position) if position is not None and bombs_in(position.hand) else None

        def cost(cards: tuple[Card, ...]) -> int:
            if picking is not None and (is_bomb(cards) or picking.bomb_broken_by(cards)):
                return DEAREST if is_bomb(cards) else BREAKING
            return SPECIAL if any(len(card) != 2 for card in cards) else PLAIN

        return sorted(plays, key=cost)

    def hint(self) -> Reply:
        _, position = self.at._, self.at.position
        if position is not None and self.phase in ("show", "collect"):
            return Told(self.prompts.my_turn(position))
        if self.phase not in ("grand", "give"):
            return super().hint()
        if self.at.hints == "suggest":
            return AskBot()
        rule = (
            _("Tip: call it with Dragon, Phoenix and an ace, or equally good cards.")
            if self.phase == "grand"
            else _("Tip: good card to your partner, junk to the opponents.")
        )
        may_propose = self.at.playing.facts.suggest
        return Told(
            _.join([rule, _("For advice on this hand, choose “suggest a play” under {@settings}.")])
            if may_propose
            else rule
        )

    def proposed_move(self, move: Data) -> Told | Picked:
        _, position = self.at._, self.at.position
        if position is None:
            return super().proposed_move(move)
        match self.at.game.decode(move):
            case PlayCombination(cards) if self.judging(position).bomb_broken_by(cards):
                shown = self.at.cards.row(cards)
                return Picked(cards, _("Suggestion: {cards} (breaks up your bomb) · {@play:play}", cards=shown))
            case Give(tuple() as cards):
                return Told(self.exchange.propose(cards))
            case Grand(call):
                return Told(self.calls.proposed_grand(position, call), choice=0 if call else 1)
            case CallTichu():
                return Told(_("Suggestion: call Tichu ({@tichu})"))
            case _other:
                return super().proposed_move(move)

    # --- orders of the hand ---

    def order(self, sorting: str, cards: Sequence[Card]) -> Sequence[Card]:
        match sorting:
            case "kind":  # what there is most of first, so that fours, triples and pairs stand together
                counts = Counter(card[0] for card in cards if len(card) == 2)
                place = lambda card: (-(counts[card[0]] if len(card) == 2 else 0), RANKS.find(card[0]), card)  # noqa: E731
                return tuple(sorted(cards, key=place))
            case "suit":
                by_rank = self.order("rank", cards)
                return tuple(sorted(by_rank, key=lambda card: card[1] if len(card) == 2 else ""))
            case _other:
                return super().order(sorting, cards)

    def rank_place(self, card: Card) -> int:
        return LOW_AND_HIGH.get(card, super().rank_place(card))

    def rank_key(self, card: Card) -> str:
        return "1" if card == MAH_JONG else super().rank_key(card)
