"""Tells what happens at a table in sentences: one presenter for all games, which the games' own narrators refine.

Pure: views (plain data) come in, sentences go out. The shedding games and any third-party game that speaks with the same keys
are told by this one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from cli.games.cards import last_word
from cli.plain.standing import Standing
from protocol.cards import Card, Seat
from protocol.games.game import Data


class Narrator(Standing):
    """Speaks about one table to one seat (None: a watcher) in one language."""

    reads_hand = False
    """The whole hand is read to our seat when it has to choose, so new cards need not be listed just before."""

    # --- a round begins ---

    def round_began(self, number: int, view: Data) -> list[str]:
        """The first sentences of a round."""
        _ = self._
        told = [_("Round {number}.", number=number)]
        if (dealer := view.get("dealer")) is not None:
            told.append(self.did(dealer, "You deal.", "{name} deals."))
        if top := view.get("top"):
            covered: Sequence[Card] = view.get("covered") or ()
            told.append(
                _("Turned up: {cards}, then {card}.", cards=self.cards.say_all(covered), card=self.cards.say(top))
                if covered
                else _("Turned up: {card}.", card=self.cards.say(top))
            )
        return told

    # --- a move ---

    def moved(self, seat: Seat, move: Data, before: Data, after: Data) -> list[str]:
        """All sentences of one move: the deed, what it led to, whose turn it is; before a draw, what made it possible."""
        told = self.recycled(move, before, after) if move.get("do") == "draw" else []
        told += self.deed(seat, move, before, after)
        told += self.consequences(seat, move, before, after)
        told += self.next_turn(before, after)
        return told

    def deed(self, seat: Seat, move: Data, before: Data, after: Data) -> list[str]:
        match move.get("do"):
            case "play":
                return [self.played(seat, move), *self.word_said(seat, move)]
            case "draw":
                return [self.drew(seat, before, after), *self.lapsed(seat, before, after)]
            case "pass":
                return [self.did(seat, "You passed.", "{name} passed.")]
            case "call":
                return self.word_said(seat, {"call": True, **move})
            case other:
                return [self.did(seat, "You: {deed}.", "{name}: {deed}.", deed=other)]

    def played(self, seat: Seat, move: Data) -> str:
        _ = self._
        cards = self.cards_played(move)
        if suit := move.get("suit"):
            named = self.cards.suit(suit)
            return self.did(
                seat,
                "You played {cards} and named {suit}.",
                "{name} played {cards} and named {suit}.",
                cards=cards,
                suit=named,
            )
        if rank := move.get("rank"):
            called = self.cards.ranks(rank)
            return self.did(
                seat,
                "You played {cards} and called {rank}.",
                "{name} played {cards} and called {rank}.",
                cards=cards,
                rank=called,
            )
        if (next_seat := move.get("next")) is not None:
            chosen = self.who(next_seat)
            return self.did(
                seat,
                "You played {cards} and chose who goes on: {chosen}.",
                "{name} played {cards} and chose who goes on: {chosen}.",
                cards=cards,
                chosen=chosen,
            )
        return self.did(seat, "You played {cards}.", "{name} played {cards}.", cards=cards)

    def cards_played(self, move: Data) -> str:
        """The cards of a play, jokers with what they stand for."""
        stands = iter(move.get("as") or ())
        named: list[str] = []
        for card in move.get("cards", ()):
            other = next(stands, None) if self.cards.is_joker(card) else None
            spoken = self.cards.say(card)
            named.append(self._("{joker} as {card}", joker=spoken, card=self.cards.say(other)) if other else spoken)
        return self._.list(named)

    def word_said(self, seat: Seat, move: Data) -> list[str]:
        """The last-card word, in quotes."""
        if not move.get("call"):
            return []
        return [self.did(seat, "You said: “{word}”", "{name}: “{word}”", word=self.last_word(move))]

    def last_word(self, move: Data) -> str:
        return last_word(self._, self.game.words, move.get("cards") or ())

    def drew(self, seat: Seat, before: Data, after: Data) -> str:
        _ = self._
        count = gained(before, after, seat)
        if count <= 0:
            return self.did(seat, "You had nothing to draw.", "{name} had nothing to draw.")
        new = self.new_cards(before, after)
        if before.get("penalty") and before.get("turn") == seat:
            return self.took(seat, count, new)
        if seat == self.seat and new:
            return _("You drew {cards}.", cards=self.cards.say_all(new))
        if seat == self.seat:
            return _.n("You drew one card.", "You drew {n} cards.", count)
        return _.n("{name} drew one card.", "{name} drew {n} cards.", count, name=self.name(seat))

    def took(self, seat: Seat, count: int, new: Sequence[Card] = ()) -> str:
        """Cards that were due are taken: that is another thing than drawing in one's turn."""
        _ = self._
        if seat == self.seat and new:
            return _("You took {cards}.", cards=self.cards.say_all(new))
        if seat == self.seat:
            return _.n("You took one card.", "You took {n} cards.", count)
        return _.n("{name} took one card.", "{name} took {n} cards.", count, name=self.name(seat))

    def lapsed(self, seat: Seat, before: Data, after: Data) -> list[str]:
        """That fewer cards were there than were due, and the rest is owed to nobody."""
        left = (before.get("penalty") or 0) - max(0, gained(before, after, seat))
        if left <= 0 or before.get("penalty") == after.get("penalty"):
            return []
        return [
            self._.n(
                "One card that was due lapses: there are no more.",
                "{n} cards that were due lapse: there are no more.",
                left,
            )
        ]

    def recycled(self, move: Data, before: Data, after: Data) -> list[str]:
        """That the pile became the stock: there are more cards in stock and newly in hands than the stock held."""
        came = sum(after.get("hand_sizes", ())) - sum(before.get("hand_sizes", ()))
        came += len(move.get("cards", ())) if move.get("do") == "play" else 0
        if after.get("stock_size", 0) + came <= before.get("stock_size", 0) or after.get("round_over"):
            return []
        return [self._("The pile was shuffled and is the stock again.")]

    def new_cards(self, before: Data, after: Data) -> tuple[Card, ...]:
        """What entered my hand between two views, sorted; several draws in the order that the later one lists."""
        if self.seat is None:
            return ()
        gain = Counter(hand_in(after, self.seat)) - Counter(hand_in(before, self.seat))
        in_turn = tuple(after.get("drawn") or ())
        return in_turn if Counter(in_turn) == gain else self.cards.sort(gain.elements())

    def consequences(self, seat: Seat, move: Data, before: Data, after: Data) -> list[str]:
        """What the move led to, as far as both views tell."""
        _ = self._
        told: list[str] = [] if move["do"] == "draw" else self.recycled(move, before, after)
        for other in range(len(after.get("hand_sizes", ()))):
            count = gained(before, after, other) + (
                len(move.get("cards", ())) if other == seat and move["do"] == "play" else 0
            )
            if count > 0 and not (other == seat and move["do"] == "draw"):
                told.append(self.penalised(other, count, before, after))
        if after.get("direction") != before.get("direction"):
            told.append(_("The direction turns."))
        if (missed := self.skipped(seat, move, after)) is not None:
            told.append(self.did(missed, "You miss a turn.", "{name} misses a turn."))
        told += self.demands(before, after)
        told += self.fours(before, after)
        for other in after.get("out") or ():
            if other not in (before.get("out") or ()):
                told.append(self.did(other, "You are out!", "{name} is out."))
        return told

    def skipped(self, seat: Seat, move: Data, after: Data) -> Seat | None:
        """Whose turn a play has taken away, by its top card (a joker's is the card that it stands for)."""
        if move.get("do") != "play" or after.get("round_over") or after.get("solo"):
            return None
        card = move["cards"][-1]
        if self.cards.is_joker(card) and move.get("as"):
            card = move["as"][-1]
        rank: str | None = getattr(self.game, "skip", None)
        if card != "Qd" if self.game.name == "macau-wars" else card[0] != rank:
            return None
        missed = seat
        for _step in range(self.game.seats):
            missed = (missed + after.get("direction", 1)) % self.game.seats
            if missed not in (after.get("out") or ()):
                break
        return None if missed in (seat, after.get("turn")) else missed

    def own_penalty(self, seat: Seat, move: Data, before: Data, after: Data) -> str:
        """What forgetting the word brought our own seat by this move; nothing else."""
        me = self.seat
        if me is None or move.get("do") == "draw" or not self.game.words:
            return ""
        played = len(move.get("cards", ())) if seat == me and move.get("do") == "play" else 0
        count = gained(before, after, me) + played
        return self.penalised(me, count, before, after) if count > 0 else ""

    def penalised(self, seat: Seat, count: int, before: Data, after: Data) -> str:
        _ = self._
        if seat != self.seat:
            return _.n(
                "{name} forgot the word and takes one card.",
                "{name} forgot the word and takes {n} cards.",
                count,
                name=self.name(seat),
            )
        told = _.n("You forgot the word and take one card.", "You forgot the word and take {n} cards.", count)
        new = self.new_cards(before, after)
        return _.join([told, _("New in your hand: {cards}.", cards=self.cards.say_all(new))]) if new else told

    def demands(self, before: Data, after: Data) -> list[str]:
        """Cards that became due, or are no longer."""
        due, was = after.get("penalty") or 0, before.get("penalty") or 0
        if due > was:
            return [self._.n("One card is due.", "{n} cards are due.", due)]
        if was and not due and after.get("top") != before.get("top"):
            return [self._("Nobody takes the cards that were due.")]
        return []

    def fours(self, before: Data, after: Data) -> list[str]:
        """Macau Wars' fours, last call and turns alone."""
        _ = self._
        told: list[str] = []
        phase = after.get("phase")
        if after.get("fours") and after.get("fours") != before.get("fours"):
            told.append(_.n("One four so far.", "{n} fours so far.", after["fours"]))
        if phase != before.get("phase"):
            if phase == "fours":
                told.append(_("All others answer with fours, or pass."))
            elif phase == "last-call":
                told.append(_("Last call: fours now, or never."))
        if after.get("solo") and not before.get("solo") and after.get("last") is not None:
            told.append(
                self.did(
                    after["last"],
                    "You play alone: {turns}.",
                    "{name} plays alone: {turns}.",
                    turns=_.n("one turn", "{n} turns", after["solo"]),
                )
            )
        return told

    def next_turn(self, before: Data, after: Data) -> list[str]:
        turn = after.get("turn")
        if turn is None or after.get("round_over"):
            return []
        if turn == before.get("turn"):
            return []
        return [self._("Next: {name}.", name=self.who(turn))]

    # --- the end ---

    def round_void(self, held_up_by: Sequence[Seat]) -> list[str]:
        """Why a round counts for nobody."""
        told = [self._("The round is void, nobody scores.")]
        if held_up_by:
            told.append(self._("Could have gone on and did not: {names}.", names=self.everyone(held_up_by)))
        return told

    def round_ended(self, view: Data) -> list[str]:
        """How the round ended and what it brought."""
        _ = self._
        told = [_("The round is over.")]
        if view.get("ended") == "blocked":
            told.append(_("Nobody could play any more."))
        told += self.left_in_hand(view)
        if (points := view.get("round_points")) is not None:
            told.append(_("This round: {points}.", points=self.points(points)))
        told += self.score(view)
        return told

    def left_in_hand(self, view: Data) -> list[str]:
        """What the others still held, once hands are open."""
        told: list[str] = []
        for seat in range(len(view.get("hand_sizes", ()))):
            if cards := hand_in(view, seat):
                held = self.cards.say_all(self.cards.sort(cards))
                told.append(self.did(seat, "You still had {cards}.", "{name} still had {cards}.", cards=held))
        return told

    def match_ended(self, view: Data) -> list[str]:
        _ = self._
        winners: list[Seat] = list(view.get("winner") or ())
        told = [_("The match is over.")]
        if len(winners) == self.game.seats:
            told.append(_("It is a draw: all have equally many points."))
        elif winners == [self.seat]:
            told.append(_("You win!"))
        elif self.seat in winners:
            told.append(_("{names} win!", names=self.everyone(winners)))
        elif len(winners) == 1:
            told.append(_("{name} wins.", name=self.name(winners[0])))
        elif winners:
            told.append(_("{names} share the win.", names=self.everyone(winners)))
        return told


def gained(before: Data, after: Data, seat: Seat) -> int:
    """By how many cards a hand grew between two views."""
    sizes, were = after.get("hand_sizes", ()), before.get("hand_sizes", ())
    return int(sizes[seat]) - int(were[seat]) if seat < len(sizes) and seat < len(were) else 0


def hand_in(view: Data, seat: Seat) -> tuple[Card, ...]:
    """A hand that a view shows; its keys are seat numbers, as text where the view came through JSON."""
    hands: Mapping[Any, Sequence[Card]] = view.get("hands") or {}
    return tuple(hands.get(str(seat), hands.get(seat, ())))
