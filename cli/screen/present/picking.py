"""From picked cards to a move: asks for what is missing (suit, rank, joker, order, next player), refuses with the reason and
what would do. Legality is never judged here: `Position.check` asks the rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeAlias

from cli.plain.explain import explain
from cli.plain.names import last_word
from cli.plain.position import Position
from cli.plain.reader import Reader, remaining
from cli.plain.tichu import is_bomb
from cli.screen.present.combos import capital, combo_of, described, named
from cli.screen.present.faces import INKS, ShortCards
from cli.screen.views import Choice
from cli.words import Words
from cli.words.sentences import sentence
from protocol.cards import MAH_JONG, PHOENIX, RANKS, Card
from protocol.errors import FairdealError
from protocol.games.game import Data
from protocol.games.tichu.combinations import rank_name, readings

MOST_FITS = 6
MOST_IN_HALF = 6
"""So many cards have room in half a box."""
DUE = "{count} cards are due"
NO_COMBINATION, NO_MATCH = "{cards} make no combination", "{cards} cannot beat {top}"
"""The rules' words for what is told here with what would do."""
ONLY_FOURS = "only fours answer a four"
NO_STOCK = "there is nothing to draw"
SHOWN_RANKS = {"T": "10"}


@dataclass(frozen=True, slots=True)
class Move:
    """The rules let this pass."""

    move: Data


@dataclass(frozen=True, slots=True)
class Refused:
    """Why not, and what would do."""

    sentence: str


@dataclass(frozen=True, slots=True)
class Option:
    """One answer: its value, and how it is shown."""

    value: Any
    choice: Choice


@dataclass(frozen=True, slots=True)
class Query:
    """A question; the value of the chosen option goes into what was said under `field`."""

    field: str
    title: str
    options: tuple[Option, ...]
    footer: str = ""
    columns: int = 0
    cursor: int = 0
    lines: tuple[str, ...] = ()


Answer: TypeAlias = Move | Refused | Query


class Picking:
    """For one moment of one seat: `resolve` is asked again with each answer added to what was said."""

    def __init__(self, _: Words, cards: ShortCards, position: Position, may_tell: bool = True) -> None:
        """`may_tell`: what could be played is told with a refusal."""
        self.may_tell = may_tell
        self._ = _
        self.cards = cards
        self.position = position

    # --- the rules' voice ---

    def refusal(self, move: Data) -> str | None:
        """Why this move is not allowed; None where it is."""
        try:
            self.position.check(self.position.game.decode(move))
        except FairdealError as fault:
            return self._told(fault)
        return None

    def _told(self, fault: FairdealError) -> str:
        _, view = self._, self.position.view
        turn = view.get("turn")
        if turn not in (None, self.position.seat) and not self.position.verbs:
            return _("It is {name}’s turn.", name=self.position.names[turn])
        due = view.get("penalty") or 0
        if due and fault.template.startswith(DUE):
            return self._due(due)
        if fault.template.startswith(ONLY_FOURS):
            if "play" in self.position.verbs:
                return _("Only a four answers a four: add one, or P passes.")
            return _("Only a four answers a four, and you hold none: P passes.")
        if fault.template.startswith(NO_STOCK) and "pass" not in self.position.verbs:
            return _("There is nothing to draw: play a card that fits.")
        if fault.template.startswith(NO_STOCK) and "play" not in self.position.verbs:
            return _("There is nothing to draw: P passes.")
        return explain(_, fault, self.cards, self.position.names)

    def passes(self, move: Data) -> bool:
        return self.refusal(move) is None

    def _due(self, due: int) -> str:
        """Cards are due: with the key that takes them, so that nothing has to be said twice."""
        _ = self._
        if self.position.game.name == "macau-wars":
            return _("{n} are due: play 2, 3, K♠, K♥ or a queen, or D takes them.", n=due)
        rank = self.cards.rank(str(self.position.view.get("top"))[0])
        return _("{n} cards are due: play a {rank}, or D takes them.", n=due, rank=rank)

    def simple(self, move: Data) -> Answer:
        """A move without cards."""
        reason = self.refusal(move)
        if reason is None:
            return Move(move)
        if move.get("do") == "pass" and "draw" in self.position.verbs:
            return Refused(self._after_fits(self._("You cannot pass yet: {what}", what=self._drawing())))
        return Refused(self._after_fits(reason))

    def suggested(self, reason: str) -> str:
        """The reason with what would do: the cards that fit come first, so that they are read in any case."""
        if self.fitting and not self.cards.is_tichu and self.may_tell:
            return self._after_fits(reason)
        due = self.position.view.get("penalty") or 0
        said_already = (due and reason == self._due(due)) or self.position.view.get("phase") in ("fours", "last-call")
        return reason if said_already or not self.position.verbs else self._.join([reason, self.way_out()])

    def _after_fits(self, reason: str) -> str:
        fits = self.fitting
        if not fits or self.cards.is_tichu or not self.may_tell:
            return reason
        named = [self.cards.short(card) for card in fits[:MOST_FITS]]
        if len(fits) > MOST_FITS:
            named.append("…")
        return self._("Fits: {cards} · {reason}", cards=" ".join(named), reason=reason)

    @property
    def fitting(self) -> list[Card]:
        """The cards that could be played now."""
        return [card for card in dict.fromkeys(self.position.hand) if card in self.position.playable]

    def way_out(self) -> str:
        """The key that does something where no card does; where some combination would, the key that shows it."""
        _, position = self._, self.position
        if self.cards.is_tichu and position.plays and self.may_tell:
            return _("H shows what can be played.")
        if "draw" in position.verbs:
            return self._drawing()
        if "pass" in position.verbs:
            return _("P passes.")
        return ""

    def _drawing(self) -> str:
        _, due = self._, self.position.view.get("penalty") or 0
        return _("D takes the {n} cards.", n=due) if due else _("D draws a card.")

    def nothing_fits(self) -> str:
        """What a hint says where there is no play."""
        way_out = self.way_out()
        return self._("Nothing fits: {what}", what=way_out) if way_out else ""

    # --- a play ---

    def resolve(self, picked: Sequence[Card], said: Mapping[str, Any]) -> Answer:
        """The move, the next question, or why not. `said` holds answers by field."""
        cards = tuple(said.get("order", picked))
        if not self.feasible(cards):
            orders = [order for order in self._orders(cards) if self.feasible(order)]
            if orders:
                return self._ask_order(orders)
            return Refused(self.suggested(self._why(cards)))
        jokers = [card for card in cards if self.cards.is_joker(card)]
        stands: tuple[Card, ...] = tuple(said.get("as", ()))
        if len(stands) < len(jokers):
            return self._ask_joker(cards, stands, len(jokers))
        move: Data = {"do": "play", "cards": list(cards)}
        if jokers:
            move["as"] = list(stands)
        if not self.cards.is_tichu and self._possible({**move, "call": True}):
            # First the word: with it the last jack of Mau-Mau ends the round and names nothing, without it a suit.
            if said.get("call") is None and self.position.warn_call:
                return self._ask_call(move)
            if said.get("call"):
                move["call"] = True
        for name, ask in (
            ("phoenix", self._ask_phoenix),
            ("suit", self._ask_suit),
            ("rank", self._ask_rank),
            ("wish", self._ask_wish),
            ("next", self._ask_next),
        ):
            if name in said:
                if said[name] is not None:
                    move[name] = said[name]
                continue
            asked = ask(move)
            if isinstance(asked, Query):
                return asked
            move.update(asked)
        reason = self.refusal(move)
        if reason is not None:
            return Refused(self.suggested(reason))
        return self._costly(move, said)

    def _costly(self, move: Data, said: Mapping[str, Any]) -> Answer:
        """Asks once before what cannot be taken back."""
        _ = self._
        if self.cards.is_tichu and not is_bomb(move["cards"]) and not said.get("break"):
            hand = self.position.hand
            broken = Reader.bombs_in(hand) - Reader.bombs_in(remaining(hand, move["cards"]))
            if broken:
                bomb = self.cards.row(self.cards.sort(min(broken, key=sorted)))
                return Query(
                    "break",
                    _("This breaks your bomb: {cards}", cards=bomb),
                    (
                        Option(True, Choice(_("Y"), _("Play all the same"))),
                        Option("no", Choice(_("N"), _("Keep the bomb"))),
                    ),
                    _("←→ or Y N, then Enter · Esc: back"),
                )
        return Move(move)

    def _ask_call(self, move: Data) -> Query:
        _ = self._
        word = last_word(_, self.position.game.words, move["cards"])
        return Query(
            "call",
            _("One card left after this: say “{word}”?", word=word)
            if len(self.position.hand) > len(move["cards"])
            else _("Your last card: say “{word}”?", word=word),
            (
                Option(True, Choice(_("Y"), _("Yes, say it"))),
                Option(False, Choice(_("N"), _("No, keep silent"))),
            ),
            _("←→ or Y N, then Enter · Esc: back"),
            lines=(self._forgetting(),),
        )

    def _forgetting(self) -> str:
        _, game = self._, self.position.game
        if game.name == "mau-mau":
            return _("Who forgets it is not out, and draws a card.")
        return _.n("Who forgets it draws a card.", "Who forgets it draws {n} cards.", getattr(game, "word_penalty", None) or 1)

    # --- what could become a move ---

    def feasible(self, cards: Sequence[Card]) -> bool:
        """Whether these cards in this order can be played with something named."""
        return any(self._possible({"do": "play", "cards": list(cards), **stands}) for stands in self._stands(cards, ()))

    def _possible(self, move: Data) -> bool:
        """Whether the rules let it pass, as it is or with a suit or a player named."""
        if self.passes(move):
            return True
        if self.cards.is_tichu:
            return False
        if any(self.passes({**move, "suit": suit}) for suit in self.cards.suits):
            return True
        return any(self.passes({**move, "next": seat}) for seat in range(len(self.position.names)))

    def _stands(self, cards: Sequence[Card], known: Sequence[Card]) -> Iterator[Data]:
        """What the jokers may stand for, as far as it makes a difference: the first card and the last one do."""
        count = sum(self.cards.is_joker(card) for card in cards)
        if not count:
            yield {}
            return
        values = self._values(cards, known)
        open_ = count - len(known)
        for rank in values:
            if open_ <= 0:
                yield {"as": list(known)}
                return
            suits = self.cards.suits
            if open_ == 1:
                for suit in suits:
                    yield {"as": [*known, Card(rank + suit)]}
            else:
                middle = [Card(rank + suits[0])] * (open_ - 2)
                for first, last in product(suits, suits):
                    yield {"as": [*known, Card(rank + first), *middle, Card(rank + last)]}

    def _values(self, cards: Sequence[Card], known: Sequence[Card]) -> Sequence[str]:
        """The value that the cards played together have; any, where only jokers are played."""
        for card in (*cards, *known):
            if not self.cards.is_joker(card):
                return card[0]
        return RANKS

    def _orders(self, cards: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
        """Other orders, one for each first and last card."""
        if self.cards.is_tichu or len(cards) < 2:
            return
        seen = {(cards[0], cards[-1])}
        for first, last in product(range(len(cards)), range(len(cards))):
            if first == last or (cards[first], cards[last]) in seen:
                continue
            seen.add((cards[first], cards[last]))
            middle = [card for at, card in enumerate(cards) if at not in (first, last)]
            yield (cards[first], *middle, cards[last])

    def _why(self, cards: Sequence[Card]) -> str:
        """The rule that forbids these cards."""
        first = next(self._stands(cards, ()), {})
        try:
            self.position.check(self.position.game.decode({"do": "play", "cards": list(cards), **first}))
        except FairdealError as fault:
            if fault.template in (NO_COMBINATION, NO_MATCH):
                top = combo_of(self.position.view)
                return sentence(described(self._, self.cards, cards, self.position, top))
            return self._told(fault)
        return ""

    # --- the questions ---

    def _ask_order(self, orders: Sequence[tuple[Card, ...]]) -> Query:
        _ = self._
        options = tuple(
            Option(order, Choice(str(number), " ".join(self.cards.short(card) for card in order)))
            for number, order in enumerate(orders[:9], 1)
        )
        return Query(
            "order",
            _("In which order? The first must fit, the last ends on top"),
            options,
            _("Arrows or number, then Enter · Esc: back"),
            columns=2 if len(orders[0]) <= MOST_IN_HALF else 1,
        )

    def _ask_joker(self, cards: Sequence[Card], known: tuple[Card, ...], count: int) -> Query:
        """The next joker: only cards with which the play is possible."""
        _ = self._
        options: list[Option] = []
        for rank in self._values(cards, known):
            for suit in self.cards.suits[::-1]:
                card = Card(rank + suit)
                tried = self._stands(cards, (*known, card))
                if any(self._possible({"do": "play", "cards": list(cards), **stands}) for stands in tried):
                    face = self.cards.face(card)
                    options.append(Option((*known, card), Choice("", face.short, ink=face.ink)))
        number = len(known) + 1
        title = (
            _("The joker stands for which card?")
            if count == 1
            else _("Joker {number} of {count} stands for which card?", number=number, count=count)
        )
        return Query("as", title, tuple(options), _("Arrows, or type rank and suit, then Enter · Esc: back"), columns=8)

    def _ask_phoenix(self, move: Data) -> Query | Data:
        if PHOENIX not in move["cards"] or len(move["cards"]) == 1:
            return {}
        _ = self._
        found: dict[str, Option] = {}
        for reading in readings(move["cards"]):
            if reading.phoenix is None:
                continue
            rank = rank_name(reading.phoenix)
            if self.passes({**move, "phoenix": rank}):
                shown = SHOWN_RANKS.get(rank, rank)
                found[rank] = Option(rank, Choice(shown, capital(named(_, reading.combo))))
        if len(found) == 1:
            return {"phoenix": next(iter(found))}
        if not found:
            return {}
        return Query(
            "phoenix",
            _("The Phoenix stands for which rank?"),
            tuple(found.values()),
            _("Arrows or type the rank, then Enter · Esc: back"),
        )

    def _ask_suit(self, move: Data) -> Query | Data:
        """A suit that must be named, or may be."""
        if self.cards.is_tichu:
            return {}
        _ = self._
        suits = [suit for suit in "shdc" if self.passes({**move, "suit": suit})]
        if not suits:
            return {}
        is_free = self.passes(move)
        held = remaining(self.position.hand, move["cards"])
        options = [
            Option(
                suit,
                Choice(
                    str(number),
                    self.cards.suit_name(suit),
                    _("{n} held", n=sum(len(card) == 2 and card[1] == suit for card in held)),
                    glyph=self.cards.glyph(suit),
                    ink=INKS[suit],
                ),
            )
            for number, suit in enumerate(suits, 1)
        ]
        shown = " ".join(self.cards.short(card) for card in move["cards"])
        if is_free:
            options.append(Option(None, Choice("0", _("no call"))))
            title = _("{cards}: call a suit?", cards=shown)
        else:
            title = _("{cards}: name the suit", cards=shown)
        most = max(range(len(suits)), key=lambda at: sum(len(card) == 2 and card[1] == suits[at] for card in held))
        footer = _("←→ or 1-4, then Enter · Esc: keep the card")
        if is_free:
            footer = _("←→ or 0-4, then Enter · Esc: keep the card")
        return Query("suit", title, tuple(options), footer, cursor=most)

    def _ask_rank(self, move: Data) -> Query | Data:
        if self.cards.is_tichu:
            return {}
        _ = self._
        ranks = [rank for rank in RANKS if self.passes({**move, "rank": rank})]
        if not ranks:
            return {}
        options = [Option(rank, Choice("", SHOWN_RANKS.get(rank, rank))) for rank in ranks]
        if self.passes(move):
            options.insert(0, Option(None, Choice("", _("none"))))
        shown = " ".join(self.cards.short(card) for card in move["cards"])
        return Query(
            "rank",
            _("{cards}: call a value?", cards=shown),
            tuple(options),
            _("Arrows or type the value, then Enter · Esc: keep the card"),
            columns=7,
        )

    def _ask_wish(self, move: Data) -> Query | Data:
        if MAH_JONG not in move["cards"]:
            return {}
        _ = self._
        ranks = [rank for rank in RANKS if self.passes({**move, "wish": rank})]
        if not ranks:
            return {}
        options = [
            Option(None, Choice("", _("none"))),
            *(Option(rank, Choice("", SHOWN_RANKS.get(rank, rank))) for rank in ranks),
        ]
        return Query(
            "wish",
            _("Mah Jong: wish for a rank?"),
            tuple(options),
            _("Arrows or type the rank, then Enter · Esc: keep the card"),
            columns=7,
        )

    def _ask_next(self, move: Data) -> Query | Data:
        if self.cards.is_tichu:
            return {}
        _, position = self._, self.position
        seats = [
            seat for seat in range(len(position.names)) if seat != position.seat and self.passes({**move, "next": seat})
        ]
        if not seats:
            return {}
        if len(seats) == 1:
            return {"next": seats[0]}
        sizes: Sequence[int] = position.view.get("hand_sizes", ())
        options = tuple(
            Option(
                seat,
                Choice(
                    str(number % 10),
                    position.names[seat],
                    _.n("{n} card", "{n} cards", sizes[seat] if seat < len(sizes) else 0),
                ),
            )
            for number, seat in enumerate(seats, 1)
        )
        return Query("next", _("Who plays next?"), options, _("Arrows or number, then Enter · Esc: keep the card"))
