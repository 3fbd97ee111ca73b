"""The questions that a play of the shedding games raises: the suit, the rank, the joker's card, the order, the next player, the
word. What can be named, and only that, is offered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from cli.games.base.replies import Move, Query, QueryOption, Refused, Reply
from cli.games.cards import last_word, plain, without
from cli.games.shedding.judging import SheddingJudging
from cli.games.short_cards import ShortCards
from cli.games.shown import Choice
from protocol.cards import RANKS, Card
from protocol.games.game import Data
from protocol.games.mau_mau import MauMau

SHOWN_RANKS = {"T": "10"}


def suit_keys(cards: ShortCards) -> dict[str, str]:
    """The letter of each suit as it may be typed beside a rank: the first of its name in this language where that is a
    letter of the keyboard and means nothing else, else of its English name, which is understood in all of them."""
    first = {suit: plain(cards.suit_name(suit))[:1].upper() for suit in cards.suits}
    taken = Counter([*first.values(), *(suit.upper() for suit in cards.suits), *"JQKA"])
    return {
        suit: letter if letter.isascii() and letter.isalpha() and taken[letter] == 1 else suit.upper()
        for suit, letter in ((suit, first[suit]) for suit in "shdc")
    }


class SheddingPicking(SheddingJudging):
    """From picked cards to a move: `resolve` is asked again with each answer added to what was said."""

    def resolve(self, picked: Sequence[Card], said: Mapping[str, Any]) -> Reply:
        cards = tuple(said.get("order", picked))
        orders = self.feasible_orders(cards)
        if len(orders) > 1:
            return self._ask_order(orders)
        if not orders:
            return Refused(self.suggested(self.why(cards)))
        cards = orders[0]  # the player's, or the only one that the rules let pass
        jokers = [card for card in cards if self.cards.is_joker(card)]
        stands: tuple[Card, ...] = tuple(said.get("as", ()))
        if len(stands) < len(jokers):
            asked_joker = self._ask_joker(cards, stands, len(jokers))
            if len(asked_joker.options) == 1:
                return self.resolve(picked, {**said, "as": asked_joker.options[0].value})
            return asked_joker
        move: Data = {"do": "play", "cards": list(cards)}
        if jokers:
            move["as"] = list(stands)
        if self.possible({**move, "call": True}):
            # First the word: with it the last jack of Mau-Mau ends the round and names nothing, without it a suit.
            if said.get("call") is None and self.position.warn_call:
                return self._ask_call(move)
            if said.get("call"):
                move["call"] = True
        asks = {"suit": self._ask_suit, "rank": self._ask_rank, "next": self._ask_next}
        if (query := self.open_question(move, said, asks)) is not None:
            return query
        reason = self.refusal(move)
        return Move(move) if reason is None else Refused(self.suggested(reason))

    def _ask_call(self, move: Data) -> Query:
        _ = self._
        word = last_word(_, self.position.game.words, move["cards"])
        return Query(
            "call",
            _("This leaves you one card. Say “{word}”?", word=word)
            if len(self.position.hand) > len(move["cards"])
            else _("Your last card: say “{word}”?", word=word),
            (
                # The key that says the word says yes.
                QueryOption(True, Choice(_("Y"), _("Yes, say it"), action="call")),
                QueryOption(False, Choice(_("N"), _("No"))),
            ),
            _("back"),
            lines=(self._forgetting(),),
        )

    def _forgetting(self) -> str:
        _, game = self._, self.position.game
        if isinstance(game, MauMau):
            return _("If you forget, you aren’t out and draw a card.")
        return _.n(
            "If you forget, you draw a card.",
            "If you forget, you draw {n} cards.",
            getattr(game, "word_penalty", None) or 1,
        )

    def _ask_order(self, orders: Sequence[tuple[Card, ...]]) -> Query:
        _ = self._
        options = tuple(
            QueryOption(order, Choice(str(number), " ".join(self.cards.short(card) for card in order)))
            for number, order in enumerate(orders[:9], 1)
        )
        return Query(
            "order",
            _("Choose the order: the first card must match, the last ends up on top"),
            options,
            _("back"),
            kind="list",
        )

    def _ask_joker(self, cards: Sequence[Card], known: tuple[Card, ...], count: int) -> Query:
        """The next joker: only cards with which the play is possible."""
        _ = self._
        options: list[QueryOption] = []
        letters = suit_keys(self.cards)
        for rank in self.values(cards, known):
            for suit in self.cards.suits[::-1]:
                card = Card(rank + suit)
                tried = self.stands(cards, (*known, card))
                if any(self.possible({"do": "play", "cards": list(cards), **stands}) for stands in tried):
                    face = self.cards.face(card)
                    choice = Choice("", face.short, ink=face.ink, suit_keys=suit.upper() + letters[suit])
                    options.append(QueryOption((*known, card), choice))
        number = len(known) + 1
        title = (
            _("Which card is the joker?")
            if count == 1
            else _("Joker {number} of {count}: which card is it?", number=number, count=count)
        )
        return Query("as", title, tuple(options), _("back"), kind="grid")

    def _ask_suit(self, move: Data) -> Query | Data:
        """A suit that must be named, or may be."""
        _ = self._
        suits = [suit for suit in "shdc" if self.passes({**move, "suit": suit})]
        if not suits:
            return {}
        is_free = self.passes(move)
        held = without(self.position.hand, move["cards"])
        options = [
            QueryOption(
                suit,
                Choice(
                    str(number),
                    self.cards.suit_name(suit),
                    _("{n} in hand", n=sum(len(card) == 2 and card[1] == suit for card in held)),
                    glyph=self.cards.glyph(suit),
                    ink=self.cards.ink(suit),
                ),
            )
            for number, suit in enumerate(suits, 1)
        ]
        shown = self._shown(move)
        if is_free:
            options.append(QueryOption(None, Choice("0", _("no suit"))))
            title = _("{cards}: choose a suit?", cards=shown)
        else:
            title = _("{cards}: choose a suit", cards=shown)
        most = max(range(len(suits)), key=lambda at: sum(len(card) == 2 and card[1] == suits[at] for card in held))
        return Query("suit", title, tuple(options), _("keep {cards}", cards=self._kept(move)), focus=most)

    def _ask_rank(self, move: Data) -> Query | Data:
        _ = self._
        ranks = [rank for rank in RANKS if self.passes({**move, "rank": rank})]
        if not ranks:
            return {}
        options = [QueryOption(rank, Choice("", SHOWN_RANKS.get(rank, rank))) for rank in ranks]
        if self.passes(move):
            options.insert(0, QueryOption(None, Choice("", _("none"))))
        shown = self._shown(move)
        held = Counter(card[0] for card in without(self.position.hand, move["cards"]) if not self.cards.is_joker(card))
        # The value that is held most lies under the cursor, none where none is.
        most = max(range(len(options)), key=lambda at: held[options[at].value] if options[at].value else 0)
        return Query(
            "rank",
            _("{cards}: ask for a rank?", cards=shown),
            tuple(options),
            _("keep {cards}", cards=self._kept(move)),
            kind="grid",
            focus=most,
            lines=self._held_values([rank for rank in ranks if held[rank]], held),
        )

    def _held_values(self, ranks: Sequence[str], held: Mapping[str, int]) -> tuple[str, ...]:
        """How many of each value one holds that can be called."""
        _ = self._
        if not ranks:
            return (_("You have none of these."),)
        counted = _.list(f"{held[rank]} × {SHOWN_RANKS.get(rank, rank)}" for rank in ranks)
        return (_("You have {cards}.", cards=counted),)

    def _shown(self, move: Data) -> str:
        """The cards of a play in a row, jokers with what they stand for."""
        stands = iter(move.get("as") or ())
        return " ".join(
            f"{self.cards.say(card)} ({self.cards.short(face)})"
            if self.cards.is_joker(card) and (face := next(stands, None))
            else self.cards.short(card)
            for card in move["cards"]
        )

    def _kept(self, move: Data) -> str:
        """The cards that Esc leaves in the hand."""
        return self.cards.row(move["cards"]) if len(move["cards"]) <= 2 else self._("the cards")

    def _ask_next(self, move: Data) -> Query | Data:
        _, position = self._, self.position
        seats = [
            seat for seat in range(len(position.names)) if seat != position.seat and self.passes({**move, "next": seat})
        ]
        if not seats:
            return {}
        if len(seats) == 1:
            return {"next": seats[0]}
        sizes: Sequence[int] = position.view.hand_sizes
        options = tuple(
            QueryOption(
                seat,
                Choice(
                    str(number % 10),
                    position.names[seat],
                    _.n("{n} card", "{n} cards", sizes[seat] if seat < len(sizes) else 0),
                ),
            )
            for number, seat in enumerate(seats, 1)
        )
        return Query(
            "next",
            _("Who plays next?"),
            options,
            _("keep {cards}", cards=self._kept(move)),
            chooses_seat=True,
        )
