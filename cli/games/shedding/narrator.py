"""Tells the games of shedding cards: what is drawn and due, whom a play skips, who forgot the last-card word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from cli.games.base.narrator import Narrator, gained
from cli.games.cards import last_word
from protocol.cards import Card, Seat
from protocol.games.game import Data
from protocol.games.shedding.moves import DRAW, Call, Draw, PlayCards
from protocol.games.views import PublicView, SeatView, Stock


class SheddingNarrator(Narrator):
    """The shedding games' sentences; what all games share stands in `Narrator`."""

    def facts(self, seat: SeatView) -> list[str]:
        """Cards that somebody owes are told when they are taken."""
        return []

    # --- a move ---

    def moved(self, seat: Seat, move: Data, before: PublicView, after: PublicView) -> list[str]:
        """All sentences of one move: the deed, what it led to, whose turn it is; before a draw, what made it possible."""
        told = self.recycled(move, before, after) if self.game.decode(move) == DRAW else []
        told += self.deed(seat, move, before, after)
        told += self.consequences(seat, move, before, after)
        told += self.next_turn(before, after)
        return told

    def deed(self, seat: Seat, move: Data, before: PublicView, after: PublicView) -> list[str]:
        match self.game.decode(move):
            case PlayCards(cards, call=True):
                return [self.played(seat, move), self.word_said(seat, cards)]
            case PlayCards():
                return [self.played(seat, move)]
            case Draw():
                return [self.drew(seat, before, after), *self.lapsed(seat, before, after)]
            case Call():
                return [self.word_said(seat)]
            case _other:
                return super().deed(seat, move, before, after)

    def word_said(self, seat: Seat, cards: Sequence[Card] = ()) -> str:
        """The last-card word, in quotes, with the cards that it was said to."""
        word = last_word(self._, self.game.words, cards)
        return self.did(seat, "You said: “{word}”", "{name}: “{word}”", word=word)

    def count_played(self, move: Data) -> int:
        """How many cards of the hand a move puts down."""
        match self.game.decode(move):
            case PlayCards(cards):
                return len(cards)
            case _other:
                return 0

    def drew(self, seat: Seat, before: PublicView, after: PublicView) -> str:
        """Cards that were due are taken: that is another thing than drawing in one's turn."""
        count = gained(before, after, seat)
        if count > 0 and before.due and before.turn == seat:
            return self.took(seat, count, self.new_cards(before, after))
        return super().drew(seat, before, after)

    def lapsed(self, seat: Seat, before: PublicView, after: PublicView) -> list[str]:
        """That fewer cards were there than were due, and the rest is owed to nobody."""
        left = before.due - max(0, gained(before, after, seat))
        if left <= 0 or before.due == after.due:
            return []
        return [
            self._.n(
                "One penalty card is dropped: no cards left to draw.",
                "{n} penalty cards are dropped: no cards left to draw.",
                left,
            )
        ]

    def recycled(self, move: Data, before: PublicView, after: PublicView) -> list[str]:
        """That the pile became the stock: there are more cards in stock and newly in hands than the stock held."""
        was, now = before.stock or Stock(size=0), after.stock or Stock(size=0)
        came = sum(after.hand_sizes) - sum(before.hand_sizes)
        came += self.count_played(move)
        if now.size + came <= was.size or after.round_over:
            return []
        return [self._("The discard pile was reshuffled into the stock.")]

    def drawn_cards(self, before: PublicView, after: PublicView) -> tuple[Card, ...]:
        """Several draws in the order in which they came, where that is known."""
        new, in_turn = self.new_cards(before, after), after.arrived(self.seat)
        return in_turn if Counter(in_turn) == Counter(new) else new

    def consequences(self, seat: Seat, move: Data, before: PublicView, after: PublicView) -> list[str]:
        """What the move led to, as far as both views tell."""
        _ = self._
        is_draw = self.game.decode(move) == DRAW
        told: list[str] = [] if is_draw else self.recycled(move, before, after)
        for other in range(len(after.hand_sizes)):
            count = gained(before, after, other) + (self.count_played(move) if other == seat else 0)
            if count > 0 and not (other == seat and is_draw):
                told.append(self.penalised(other, count, before, after))
        if after.direction != before.direction:
            told.append(_("Direction reversed."))
        if (missed := self.skipped(seat, move, after)) is not None:
            told.append(self.did(missed, "You are skipped.", "{name} is skipped."))
        told += self.demands(before, after)
        told += self.own_events(before, after)
        for other in after.out:
            if other not in before.out:
                told.append(self.did(other, "You are out!", "{name} is out."))
        return told

    def own_events(self, before: PublicView, after: PublicView) -> list[str]:
        """What only this game has."""
        return []

    def skips(self, card: Card) -> bool:
        """Whether this card, on top, takes the next player's turn away."""
        rank: str | None = getattr(self.game, "skip", None)
        return card[0] == rank

    def skipped(self, seat: Seat, move: Data, after: PublicView) -> Seat | None:
        """Whose turn a play has taken away, by its top card (a joker's is the card that it stands for)."""
        play = self.game.decode(move)
        if not isinstance(play, PlayCards) or after.round_over:
            return None
        card = play.cards[-1]
        if self.cards.is_joker(card) and play.stands_for:
            card = play.stands_for[-1]
        if not self.skips(card):
            return None
        missed = seat
        for _step in range(self.game.seats):
            missed = (missed + (after.direction or 1)) % self.game.seats
            if missed not in after.out:
                break
        return None if missed in (seat, after.turn) else missed

    def own_penalty(self, seat: Seat, move: Data, before: PublicView, after: PublicView) -> str:
        """What forgetting the word brought our own seat by this move; nothing else."""
        me = self.seat
        if me is None or self.game.decode(move) == DRAW or not self.game.words:
            return ""
        played = self.count_played(move) if seat == me else 0
        count = gained(before, after, me) + played
        return self.penalised(me, count, before, after) if count > 0 else ""

    def penalised(self, seat: Seat, count: int, before: PublicView, after: PublicView) -> str:
        _ = self._
        if seat != self.seat:
            return _.n(
                "{name} forgot to call and draws one card.",
                "{name} forgot to call and draws {n} cards.",
                count,
                name=self.name(seat),
            )
        told = _.n("You forgot to call and draw one card.", "You forgot to call and draw {n} cards.", count)
        new = self.new_cards(before, after)
        return _.join([told, _("New in your hand: {cards}.", cards=self.cards.say_all(new))]) if new else told

    def demands(self, before: PublicView, after: PublicView) -> list[str]:
        """Cards that became due, or are no longer."""
        due, was = after.due, before.due
        if due > was:
            return [self._.n("Penalty: draw one card.", "Penalty: draw {n} cards.", due)]
        if was and not due and after.top != before.top:
            return [self._("The penalty is cancelled: nobody draws.")]
        return []

    def how_it_ended(self, view: PublicView) -> list[str]:
        return [self._("Nobody could play anymore.")] if view.ended == "blocked" else []
