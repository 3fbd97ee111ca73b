"""Tells what happens at a table in sentences: this narrator tells any game, the games' own refine it.

Pure: views come in, sentences go out. What is told comes from the typed public view and from the labels that the game brings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from cli.games.base.moves import MoveWords
from cli.games.base.situation import SituationNarrator
from cli.games.cards import last_word
from cli.text import Translator
from protocol.cards import Card, Seat
from protocol.games.game import Data
from protocol.games.views import Meld, PublicView, move_view_of
from protocol.values import replace


class Narrator(SituationNarrator):
    """Speaks about one table to one seat (None: a watcher) in one language."""

    reads_hand = False
    """The whole hand is read to our seat when it has to choose, so new cards need not be listed just before."""

    # --- a round begins ---

    def round_began(self, number: int, view: PublicView) -> list[str]:
        """The first sentences of a round."""
        _, seen = self._, view
        told = [_("Round {number}.", number=number)]
        if seen.dealer is not None:
            told.append(self.did(seen.dealer, "You deal.", "{name} deals."))
        if seen.pile is not None and seen.pile.top:
            told.append(_("Turned up: {card}.", card=self.cards.say(seen.pile.top)))
        if seen.stock is not None and seen.stock.open:
            told.append(_("Turned up: {card}.", card=self.cards.say_all(seen.stock.open)))
        return [*told, *self.trump(seen), *self.laid_out(seen)]

    # --- a move ---

    def moved(self, seat: Seat, move: Data, before: PublicView, after: PublicView) -> list[str]:
        """All sentences of one move: the deed, what it led to, whose turn it is."""
        told = self.deed(seat, move, before, after)
        told += self.consequences(seat, move, before, after)
        told += self.next_turn(before, after)
        return told

    def deed(self, seat: Seat, move: Data, before: PublicView, after: PublicView) -> list[str]:
        """What the player did, in the game's own words."""
        seen = move_view_of(move)
        match seen.do:
            case "draw" if seen.do not in self.game.MOVES:
                return [self.drew(seat, before, after)]
            case "play" if seen.do not in self.game.MOVES and seen.named.keys() <= {"as", "suit", "rank", "next"}:
                return [self.played(seat, move)]
            case do:
                kind = self.game.move_kind(do)
                template = kind.you if seat == self.seat else kind.told
                told = self.written(template, move, name=self.name(seat)) if template else ""
                deed = self.move_words(move)
                return [told or self.did(seat, "You: {deed}.", "{name}: {deed}.", deed=deed)]

    def move_words(self, move: Data) -> str:
        """A move in a few words: its label, its cards and what else was chosen."""
        return MoveWords(self._, self.game, self.cards, self.names).tell(move)

    def played(self, seat: Seat, move: Data) -> str:
        """The cards of a play, and what was named with them."""
        cards = self.cards_played(move)
        if suit := move.get("suit"):
            named = self.cards.suit(suit)
            return self.did(
                seat,
                "You played {cards} and chose {suit}.",
                "{name} played {cards} and chose {suit}.",
                cards=cards,
                suit=named,
            )
        if rank := move.get("rank"):
            called = self.cards.ranks(rank)
            return self.did(
                seat,
                "You played {cards} and asked for {rank}.",
                "{name} played {cards} and asked for {rank}.",
                cards=cards,
                rank=called,
            )
        if isinstance(next_seat := move.get("next"), int):
            chosen = self.who(next_seat)
            return self.did(
                seat,
                "You played {cards} and chose the next player: {chosen}.",
                "{name} played {cards} and chose the next player: {chosen}.",
                cards=cards,
                chosen=chosen,
            )
        return self.did(seat, "You played {cards}.", "{name} played {cards}.", cards=cards)

    def cards_played(self, move: Data) -> str:
        """The cards of a play, jokers with what they stand for."""
        seen, stands = move_view_of(move), iter(move.get("as") or ())
        if not seen.cards and seen.count:  # they lie face down
            return self._.n("{n} card", "{n} cards", seen.count)
        named: list[str] = []
        for card in seen.cards:
            other = next(stands, None) if self.cards.is_joker(card) else None
            named.append(self.card_as(card, other) if other else self.cards.say(card))
        return self._.list(named)

    def card_as(self, card: str, other: str) -> str:
        """A joker with the card that it stands for."""
        return self._("{joker} as {card}", joker=self.cards.say(card), card=self.cards.say(other))

    def last_word(self, move: Data) -> str:
        return last_word(self._, self.game.words, move.get("cards") or ())

    def drew(self, seat: Seat, before: PublicView, after: PublicView) -> str:
        count = gained(before, after, seat)
        if count <= 0:
            return self.did(seat, "You had nothing to draw.", "{name} had nothing to draw.")
        return self.got(seat, count, self.drawn_cards(before, after))

    def got(self, seat: Seat, count: int, new: Sequence[Card] = ()) -> str:
        """Cards that came into a hand. `new`: those that came into mine."""
        _ = self._
        if seat == self.seat and new:
            return _("You drew {cards}.", cards=self.cards.say_all(new))
        if seat == self.seat:
            return _.n("You drew one card.", "You drew {n} cards.", count)
        return _.n("{name} drew one card.", "{name} drew {n} cards.", count, name=self.name(seat))

    def took(self, seat: Seat, count: int, new: Sequence[Card] = ()) -> str:
        """Cards that were due are taken: that is another thing than drawing in one's turn."""
        _ = self._
        if seat == self.seat and new:
            return _("You drew the penalty: {cards}.", cards=self.cards.say_all(new))
        if seat == self.seat:
            return _.n("You drew one penalty card.", "You drew {n} penalty cards.", count)
        return _.n("{name} drew one penalty card.", "{name} drew {n} penalty cards.", count, name=self.name(seat))

    def new_cards(self, before: PublicView, after: PublicView) -> tuple[Card, ...]:
        """What entered my hand between two views, sorted."""
        if self.seat is None:
            return ()
        gain = Counter(after.hand(self.seat)) - Counter(before.hand(self.seat))
        return self.cards.sort(gain.elements())

    def drawn_cards(self, before: PublicView, after: PublicView) -> tuple[Card, ...]:
        """What I drew between two views."""
        return self.new_cards(before, after)

    def consequences(self, seat: Seat, move: Data, before: PublicView, after: PublicView) -> list[str]:
        """What the move led to, as far as both views tell."""
        _, was, now = self._, before, after
        told = [*self.taken(was, now), *self.called(move, was, now), *self.changed(move, was, now)]
        told += self.dealt(seat, move, was, now)
        told += [self.did(each, "You are out!", "{name} is out.") for each in now.out if each not in was.out]
        return told

    def dealt(self, seat: Seat, move: Data, was: PublicView, now: PublicView) -> list[str]:
        """Cards that came into hands by the move: what everyone draws after a trick, or a penalty that was due."""
        # Only of a play it is sure that its cards have left the hand.
        used = move_view_of(move).count if move.get("do") == "play" else 0
        is_drawn = move.get("do") == "draw" and "draw" not in self.game.MOVES
        gains = {each: gained(was, now, each) + used * (each == seat) for each in range(len(now.seats))}
        got = {
            each: count
            for each, count in gains.items()
            if count > 0 and each not in was.out and not (each == seat and is_drawn)
        }
        mine = self.new_cards(was, now)
        if len(got) > 2 and len({*got.values()}) == 1 and len(got) == len(now.seats) - len(was.out):
            told = self._.n("Everyone drew one card.", "Everyone drew {n} cards.", got[next(iter(got))])
            return [told, *([self.got(self.seat, len(mine), mine)] if self.seat in got and mine else [])]
        tell = self.took if was.due else self.got
        return [tell(each, count, mine if each == self.seat else ()) for each, count in got.items()]

    def taken(self, was: PublicView, now: PublicView) -> list[str]:
        """Who took a trick, and what it is worth."""
        last = now.last_trick
        if last is None or last == was.last_trick:
            return []
        taker = last.taker if last.taker is not None else last.winner
        told = [] if taker is None else [self.did(taker, "You win the trick.", "{name} wins the trick.")]
        return [*told, *([] if last.points is None else [counts(self._, last.points)])]

    def called(self, move: Data, was: PublicView, now: PublicView) -> list[str]:
        """Announcements, but those that the move itself has told."""
        if (kind := self.game.MOVES.get(str(move.get("do")))) is not None and kind.told:
            return []
        told = []
        for seat, (earlier, later) in enumerate(zip(was.seats, now.seats, strict=False)):
            for call in later.calls[len(earlier.calls) :]:
                told.append(self.did(seat, "You called {call}.", "{name} called {call}.", call=self._(call)))
        return told

    def changed(self, move: Data, was: PublicView, now: PublicView) -> list[str]:
        """What is new on the table: direction, trumps, cards that are due, what is named, cards laid out, the phase."""
        _, told = self._, []
        if now.direction is not None and was.direction not in (None, now.direction):
            told.append(_("Direction reversed."))
        if now.trump != was.trump:
            told += self.trump(now)
        if now.pile is not None and was.pile is not None:
            if now.pile.due > was.pile.due:
                told.append(_.n("Penalty: draw one card.", "Penalty: draw {n} cards.", now.pile.due))
            chosen = move_view_of(move).named.values()
            if now.pile.suit and now.pile.suit != was.pile.suit and now.pile.suit not in chosen:
                told.append(_("Suit: {suit}.", suit=self.cards.suit(now.pile.suit)))
            if now.pile.rank and now.pile.rank != was.pile.rank and now.pile.rank not in chosen:
                told.append(_("Called: {rank}.", rank=self.cards.ranks(now.pile.rank)))
        told += self.laid_out(replace(now, melds=opened_onto(was.melds, now.melds, move_view_of(move).cards)))
        if now.phase != was.phase:
            told += self.phase(now)
        return told

    def next_turn(self, before: PublicView, after: PublicView) -> list[str]:
        was, now = before, after
        turn, is_led = now.turn, now.last_trick != was.last_trick
        if turn is None or now.round_over or (turn == was.turn and not is_led):
            return []
        return [self._("Next: {name}.", name=self.who(turn))]

    def own_penalty(self, seat: Seat, move: Data, before: PublicView, after: PublicView) -> str:
        """What forgetting a word brought our own seat by this move; nothing else."""
        return ""

    def skipped(self, seat: Seat, move: Data, after: PublicView) -> Seat | None:
        """Whose turn a play has taken away."""
        return None

    def lapsed(self, seat: Seat, before: PublicView, after: PublicView) -> list[str]:
        """Say that fewer cards were there than were due."""
        return []

    def recycled(self, move: Data, before: PublicView, after: PublicView) -> list[str]:
        """Say that the pile became the stock."""
        return []

    def runs_out(self, seat: Seat, move: Data, before: PublicView, after: PublicView) -> list[str]:
        """Say that somebody has but one card left, and that there is nothing left to draw: seen at once by who sees."""
        was, now = before, after
        # Where tricks are played, everybody comes to the last card at the same time.
        told = self.one_left(seat, move, before, after) if now.trick is None else []
        if now.stock is not None and was.stock is not None and now.stock.size == 0 < was.stock.size:
            told.append(self._("The stock is empty."))
        return told

    def one_left(self, seat: Seat, move: Data, before: PublicView, after: PublicView) -> list[str]:
        sizes, were = after.hand_sizes, before.hand_sizes
        if move.get("do") != "play" or after.round_over or not seat < min(len(sizes), len(were)):
            return []
        if not sizes[seat] == 1 < were[seat]:
            return []
        return [self.did(seat, "You have one card left.", "{name} has one card left.")]

    def grace(self, seat: Seat, seconds: float, hand: Sequence[Card]) -> list[str]:
        """Say that a move is made after a moment in which others may still act."""
        if seat != self.seat:
            return []
        return [self._("You take the trick in {time}.", time=self._.n("{n} second", "{n} seconds", round(seconds)))]

    # --- the end ---

    def round_void(self, held_up_by: Sequence[Seat]) -> list[str]:
        """Why a round counts for nobody."""
        told = [self._("The round doesn’t count. No points.")]
        if held_up_by:
            told.append(self._("Could have played but didn’t: {names}.", names=self.everyone(held_up_by)))
        return told

    def round_ended(self, view: PublicView) -> list[str]:
        """How the round ended and what it brought."""
        _ = self._
        told = [_("The round is over.")]
        told += self.how_it_ended(view)
        told += self.left_in_hand(view)
        if (points := view.round_points) is not None:
            told.append(_("This round: {points}.", points=self.points(points)))
        told += self.score(view)
        return told

    def how_it_ended(self, view: PublicView) -> list[str]:
        """What ended the round, where that is to be told."""
        return []

    def left_in_hand(self, view: PublicView) -> list[str]:
        """What the others still held, once hands are open."""
        told: list[str] = []
        for seat in range(self.game.seats):
            if cards := view.hand(seat):
                held = self.cards.say_all(self.cards.sort(cards))
                told.append(self.did(seat, "You still had {cards}.", "{name} still had {cards}.", cards=held))
        return told

    def match_ended(self, view: PublicView, first: Sequence[Seat] = ()) -> list[str]:
        """`first`: who came first, where that is known better than by the points."""
        _ = self._
        winners: list[Seat] = list(first or view.winners or ())
        told = [_("The match is over.")]
        if len(winners) == self.game.seats:
            told.append(_("It’s a draw: everyone has the same points."))
        elif winners == [self.seat]:
            told.append(_("You win!"))
        elif self.seat in winners:
            names = self.everyone(winners)
            told.append(_("{names} win!", names=names[:1].upper() + names[1:]))
        elif len(winners) == 1:
            told.append(_("{name} wins.", name=self.name(winners[0])))
        elif winners:
            told.append(_("{names} tie for first place.", names=self.everyone(winners)))
        return told


def gained(before: PublicView, after: PublicView, seat: Seat) -> int:
    """By how many cards a hand grew between two views."""
    sizes, were = after.hand_sizes, before.hand_sizes
    return sizes[seat] - were[seat] if seat < len(sizes) and seat < len(were) else 0


def opened_onto(were: Sequence[Meld], melds: Sequence[Meld], played: Sequence[Card]) -> tuple[Meld, ...]:
    """The melds with cards that did not lie there before and that the move itself does not tell."""
    known = Counter(card for meld in were for card in meld.cards) + Counter(played)
    found = []
    for meld in melds:
        if Counter(meld.cards) - known:
            found.append(meld)
        known -= Counter(meld.cards)
    return tuple(found)


def counts(_: Translator, points: int) -> str:
    """What a trick counts."""
    if points < 0:
        return _.n("-1 point.", "-{n} points.", -points)
    return _.n("1 point.", "{n} points.", points)
