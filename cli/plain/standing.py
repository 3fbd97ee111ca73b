"""How a table stands, in sentences: who sits there, what lies there, who holds how much, the points. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from cli.games.cards import Cards
from cli.text import Translator
from protocol.cards import Card, Seat
from protocol.games.game import AnyGame, Data


class Standing:
    """Knows one table, one seat (None: a watcher) and one language."""

    def __init__(self, _: Translator, game: AnyGame, names: Sequence[str], seat: Seat | None) -> None:
        self._ = _
        self.game = game
        self.names = list(names)
        self.seat = seat
        self.cards = Cards(_, game.deck)

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

    def situation(self, view: Data) -> list[str]:
        """Whose turn it is and all that a player must know to choose."""
        return [*self.turn(view), *self.table(view), *self.counts(view)]

    def announced(self, view: Data) -> list[str]:
        """The same for one whose turn it is, who has heard all plays; our hand follows."""
        return self.situation(view)

    def turn(self, view: Data) -> list[str]:
        turn = view.get("turn")
        if turn is None:
            return []
        return [self.did(turn, "Your turn.", "It is {name}’s turn.")]

    def table(self, view: Data) -> list[str]:
        """Pile, demands and stock."""
        _ = self._
        told: list[str] = []
        if top := view.get("top"):
            told.append(_("Pile: {card}.", card=self.cards.say(top)))
        if suit := view.get("suit"):
            told.append(_("Named: {suit}.", suit=self.cards.suit(suit)))
        if rank := view.get("rank"):
            told.append(_("Called: {rank}.", rank=self.cards.ranks(rank)))
        if due := view.get("penalty"):
            told.append(_.n("One card is due.", "{n} cards are due.", due))
        if view.get("phase") == "fours":
            told.append(
                _.n(
                    "One four so far: add fours or pass.",
                    "{n} fours so far: add fours or pass.",
                    view.get("fours") or 1,
                )
            )
        elif view.get("phase") == "last-call":
            told.append(_("Last call for fours: {n} so far.", n=view.get("fours") or 1))
        elif view.get("solo"):
            told.append(_.n("One turn left alone.", "{n} turns left alone.", view["solo"]))
        if (stock := view.get("stock_size")) is not None:
            told.append(_.n("1 card in stock.", "{n} cards in stock.", stock))
        return told

    def counts(self, view: Data) -> list[str]:
        """How many cards the others hold."""
        _ = self._
        sizes = view.get("hand_sizes", ())
        out = set(view.get("out") or ())
        parts = [
            _("{name} is out", name=self.name(seat))
            if seat in out
            else _.n("{name} 1 card", "{name} {n} cards", size, name=self.name(seat))
            for seat, size in enumerate(sizes)
            if seat != self.seat
        ]
        return [_("{list}.", list=_(", ").join(parts))] if parts else []

    def hand(self, hand: Sequence[Card], playable: frozenset[Card] = frozenset()) -> str:
        """The hand, numbered in the order shown; what can be played now is said."""
        _ = self._
        if not hand:
            return _("You hold no cards.")
        parts: list[str] = []
        all_fit = len(hand) > 1 and playable >= frozenset(hand)
        for number, card in enumerate(self.cards.sort(hand), 1):
            spoken = self.cards.say(card)
            parts.append(
                _("{number} {card}, playable.", number=number, card=spoken)
                if card in playable and not all_fit
                else _("{number} {card}.", number=number, card=spoken)
            )
        return _.join([_("Your hand:"), *parts, _("All of them can be played.") if all_fit else ""])

    # --- points ---

    def team(self, index: int) -> str:
        """A team's name: its players."""
        return self.everyone(self.game.teams[index])

    def points(self, numbers: Sequence[int]) -> str:
        """A number for each team: "Mia 12, you 0"."""
        return self._(", ").join(
            self._("{name} {points}", name=self.team(index), points=number) for index, number in enumerate(numbers)
        )

    def score(self, view: Data) -> list[str]:
        scores = view.get("scores")
        return [self._("Score: {points}.", points=self.points(scores))] if scores else []
