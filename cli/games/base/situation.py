"""How a table stands, in sentences: who sits there, what lies there, who holds how much, the points. Pure.

Told from the typed public view alone, so it knows any game; the games' own narrators add what only they have.
"""

from __future__ import annotations

from collections.abc import Sequence

from cli.games.cards import Cards
from cli.games.explain import spoken
from cli.text import Translator
from cli.text.sentences import sentence
from protocol.cards import Card, Seat
from protocol.games.game import AnyGame, Data
from protocol.games.labels import Text
from protocol.games.views import PublicView, SeatView, Trick
from protocol.values import replace


class SituationNarrator:
    """Knows one table, one seat (None: a watcher) and one language."""

    def __init__(self, _: Translator, game: AnyGame, names: Sequence[str], seat: Seat | None) -> None:
        self._ = _
        self.game = game
        self.names = list(names)
        self.seat = seat
        self.cards = Cards(_, game.deck, game.deck_style)

    # --- who ---

    def name(self, seat: Seat) -> str:
        """A player's name, also of one who has left."""
        if seat < len(self.names) and self.names[seat]:
            return self.names[seat]
        return self._("Seat {number}", number=seat + 1)

    def who(self, seat: Seat) -> str:
        """The name, or "you"."""
        return self._("you") if seat == self.seat else self.name(seat)

    def everyone(self, seats: Sequence[Seat]) -> str:
        return self._.list(self.who(seat) for seat in seats)

    def did(self, seat: Seat, mine: str, theirs: str, **fields: object) -> str:
        """One of two templates, translated already or not: what I did, or what `{name}` did."""
        if seat == self.seat:
            return self._(mine, **fields)
        return self._(theirs, name=self.name(seat), **fields)

    # --- how things stand ---

    def situation(self, view: PublicView) -> list[str]:
        """Whose turn it is and all that a player must know to choose."""
        return [*self.turn(view), *self.table(view), *self.last_trick(view), *self.counts(view)]

    def announced(self, view: PublicView) -> list[str]:
        """The same for one whose turn it is, who has heard all plays; our hand follows."""
        seen = view
        if seen.trick is None:
            return self.situation(view)
        own = [self.facts_told(self.seat, seen)] if self.seat is not None and self.seat < len(seen.seats) else []
        return [*self.turn(view), *self.table(replace(seen, stock=None)), *filter(None, own)]

    def turn(self, view: PublicView) -> list[str]:
        turn = view.turn
        if turn is None:
            return []
        return [self.did(turn, "Your turn.", "It is {name}’s turn.")]

    def table(self, view: PublicView) -> list[str]:
        """What lies on the table, and what it demands."""
        seen = view
        told = [*self.phase(seen), *self.pile(seen), *self.trick(seen), *self.own_parts(view)]
        return [*told, *self.laid_out(seen), *self.stock(seen), *(self.note(each) for each in seen.notes)]

    def in_short(self, seen: PublicView) -> list[str]:
        """What lies on the table besides the trump, for a player whose question hides the table."""
        notes = [self.note(each) for each in seen.notes]
        return [*self.pile(seen), *self.trick(replace(seen, trump=None)), *self.laid_out(seen), *notes]

    def own_parts(self, view: PublicView) -> list[str]:
        """What only this game has on the table."""
        return []

    def phase(self, seen: PublicView) -> list[str]:
        """What the phase is called, where it has a name."""
        label = seen.phase_label or self.game.phase_labels.get(seen.phase, "")
        return [self._("Now: {phase}.", phase=self._(label))] if label and not seen.round_over else []

    def pile(self, seen: PublicView) -> list[str]:
        _, pile = self._, seen.pile
        if pile is None:
            return []
        told: list[str] = []
        if top := pile.top or (pile.cards[-1] if pile.cards else None):
            told.append(_("Pile: {card}.", card=self.cards.say(top)))
        if pile.suit:
            told.append(_("Suit: {suit}.", suit=self.cards.suit(pile.suit)))
        if pile.rank:
            told.append(_("Called: {rank}.", rank=self.cards.ranks(pile.rank)))
        if pile.due:
            told.append(_.n("Penalty: draw one card.", "Penalty: draw {n} cards.", pile.due))
        return told

    def trick(self, seen: PublicView) -> list[str]:
        """Who has played what to the trick, who is winning it, and trumps."""
        _, trick = self._, seen.trick
        told: list[str] = []
        if trick is not None and trick.plays:
            told.append(_("Trick: {plays}.", plays=self.plays(trick)))
            if trick.winner is not None and len(trick.plays) > 1:
                told.append(self.did(trick.winner, "You’re winning the trick.", "{name} is winning the trick."))
        elif trick is not None and self.seat is not None and seen.turn == self.seat and any(seen.hand_sizes):
            told += [_("You lead.")] if self.is_lead(seen) else []
        return [*told, *self.trump(seen)]

    def is_lead(self, seen: PublicView) -> bool:
        """Whether the one in turn leads: not in a phase before the tricks, such as bidding."""
        return not self.game.phase_labels.get(seen.phase)

    def plays(self, trick: Trick) -> str:
        """Each play of a trick with its player."""
        _ = self._
        told = []
        for play in trick.plays:
            cards = self._named(play.combination, play.cards)
            told.append(_("{name} {cards}", name=self.who(play.seat), cards=cards))
        return _(", ").join(told)

    def _named(self, kind: str, cards: Sequence[Card]) -> str:
        """Cards, after what they are together where the game has a word for it."""
        _, told = self._, self.cards.say_all(cards)
        return _("{kind}: {cards}", kind=_(kind), cards=told) if kind else told

    def last_trick(self, seen: PublicView) -> list[str]:
        """The trick that was taken last."""
        _, last = self._, seen.last_trick
        if last is None or last.taker is None or not last.plays:
            return []
        return [_("Last trick, taken by {name}: {plays}.", name=self.who(last.taker), plays=self.plays(last))]

    def trump(self, seen: PublicView) -> list[str]:
        return [self._("Trump: {suit}.", suit=self.cards.suit(seen.trump))] if seen.trump else []

    def laid_out(self, seen: PublicView) -> list[str]:
        """Melds."""
        _ = self._
        told = []
        for meld in seen.melds:
            cards = self._named(meld.label, meld.cards)
            told.append(
                _("On the table: {cards}.", cards=cards)
                if meld.seat is None
                else self.did(meld.seat, "You have laid out {cards}.", "{name} has laid out {cards}.", cards=cards)
            )
        return told

    def stock(self, seen: PublicView) -> list[str]:
        if seen.stock is None:
            return []
        _ = self._
        told = (
            [_("Turned up: {card}.", card=self.cards.say_all(seen.stock.open))]
            if seen.stock.open and not seen.trump
            else []
        )
        return [*told, _.n("1 card left in the stock.", "{n} cards left in the stock.", seen.stock.size)]

    def note(self, note: Text) -> str:
        """A text that the game brings, with its fields written out."""
        return sentence(self.written(note.template, dict(note.fields)) or note.template)

    def written(self, template: str, fields: Data, **ready: object) -> str:
        """A game's template with its fields in words; empty where they do not fit it."""
        try:
            words = {name: spoken(self._, name, value, self.cards, self.names) for name, value in fields.items()}
            return self._(template, **words, **ready)
        except (KeyError, IndexError, ValueError, TypeError):
            return ""

    def counts(self, view: PublicView) -> list[str]:
        """How many cards the others hold, and what else is counted for each player. At a pile nobody has none and is not out,
        but at an empty seat."""
        _, seen = self._, view
        parts = [
            _("{name} is out", name=self.name(seat))
            if seat in seen.out
            else _.n("{name} 1 card", "{name} {n} cards", size, name=self.name(seat))
            for seat, size in enumerate(seen.hand_sizes)
            if seat != self.seat and (size or seat in seen.out or seen.pile is None)
        ]
        told = [_("{list}.", list=_(", ").join(parts))] if parts else []
        return [*told, *filter(None, (self.facts_told(seat, seen) for seat in range(len(seen.seats))))]

    def facts_told(self, seat: Seat, seen: PublicView) -> str:
        """What is counted for one player; empty where that is nothing."""
        facts = self.facts(seen.seats[seat])
        return (
            sentence(self._("{name}: {facts}.", name=self.who(seat), facts=self._(", ").join(facts))) if facts else ""
        )

    def facts(self, seat: SeatView) -> list[str]:
        """What is counted for a player besides cards in hand: bid, tricks, points, calls."""
        _ = self._
        told = [] if seat.bid is None else [_("bid {n}", n=seat.bid)]
        if seat.tricks is not None:
            told.append(_.n("{n} trick", "{n} tricks", seat.tricks))
        if seat.points is not None:
            told.append(_.n("{n} point", "{n} points", seat.points))
        if seat.owed:
            told.append(_.n("owes {n} card", "owes {n} cards", seat.owed))
        return [*told, *(_(call) for call in seat.calls), *([_(seat.status)] if seat.status else [])]

    def hand(self, hand: Sequence[Card], playable: frozenset[Card] = frozenset()) -> str:
        """The hand, numbered in the order shown; what can be played now is said."""
        _ = self._
        if not hand:
            return _("You have no cards.")
        parts: list[str] = []
        all_fit = len(hand) > 1 and playable >= frozenset(hand)
        for number, card in enumerate(self.cards.sort(hand), 1):
            spoken = self.cards.say(card)
            parts.append(
                _("{number} {card}, playable.", number=number, card=spoken)
                if card in playable and not all_fit
                else _("{number} {card}.", number=number, card=spoken)
            )
        return _.join([_("Your hand:"), *parts, _("You can play any of them.") if all_fit else ""])

    # --- points ---

    def team(self, index: int) -> str:
        """A team's name: its players."""
        return self.everyone(self.game.teams[index])

    def points(self, numbers: Sequence[int]) -> str:
        """A number for each team: "Mia 12, you 0"."""
        return self._(", ").join(
            self._("{name} {points}", name=self.team(index), points=number) for index, number in enumerate(numbers)
        )

    def score(self, view: PublicView) -> list[str]:
        scores = view.scores
        return [self._("Score: {points}.", points=self.points(scores))] if scores else []
