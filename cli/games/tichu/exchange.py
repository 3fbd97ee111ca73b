"""The exchange: one card for each of the other three, laid out before the others see any."""

from __future__ import annotations

from collections.abc import Sequence

from cli.games.base.replies import Refused, Reply, Told
from cli.games.base.viewpoint import Viewpoint
from cli.games.shown import Choice, Dialog
from protocol.cards import Card, Seat
from protocol.games.game import Data
from protocol.games.tichu.view import TichuView
from protocol.games.views import seen_as


class Exchange:
    """`gifts` are card ids: for the next seat, the partner, the previous one. `next` is the place that is filled next."""

    def __init__(self, at: Viewpoint) -> None:
        self.at = at
        self.gifts: list[int | None] = [None, None, None]
        self.next = 0

    def clear(self) -> None:
        self.gifts, self.next = [None, None, None], 0

    @property
    def count(self) -> int:
        return sum(each is not None for each in self.gifts)

    @property
    def receivers(self) -> list[str]:
        names, me = self.at.short_names, self.at.me or 0
        return [names[(me + step) % 4] for step in (1, 2, 3)]

    def give(self, place: int, card: int, goes_on: bool = False) -> Reply:
        """This card goes to this player. `goes_on`: the cursor goes on to a card that is given to nobody yet."""
        at, held = self.at, self.at.hand.card(card)
        if held is None or not 0 <= place < 3:
            return None
        told, names = "", self.receivers
        before = self.gifts.index(card) if card in self.gifts else place
        if before != place:
            told = at._(
                "{card} now goes to {name} instead of {other}.",
                card=at.cards.say(held),
                name=names[place],
                other=names[before],
            )
        self.gifts = [None if each == card else each for each in self.gifts]
        self.gifts[place] = card
        self._show()
        if not goes_on:
            return Told(told)
        ids = [each.id for each in at.hand.cards]
        free = next((each for each in ids[ids.index(card) + 1 :] if each not in self.gifts), None)
        if free is not None and None in self.gifts and not told:
            told = at._(
                "{card} goes to {name} · {@gift:who gets the card marked ▲?}",
                card=at.cards.say(held),
                name=names[place],
            )
        return Told(told, card=free)

    def toggle(self, card: int) -> Reply:
        if card in self.gifts:
            self.gifts[self.gifts.index(card)] = None
            self._show()
            return Told()
        if None in self.gifts:
            return self.give(self.gifts.index(None), card)
        return Refused(self.at._("You chose three cards. {@play:pass them} · {@clear:start over}"))

    def _show(self) -> None:
        self.at.hand.picked = [each for each in self.gifts if each is not None]
        self.next = next((place for place in range(3) if self.gifts[place] is None), 2)

    def propose(self, cards: Sequence[Card]) -> str:
        """Lay out these cards, and say so."""
        by_card = {held.card: held.id for held in self.at.hand.cards}
        self.gifts = [by_card.get(card) for card in cards]
        self._show()
        self.next = 2
        gifts = self.at._.list(
            self.at._("{card} to {name}", card=self.at.cards.say(card), name=name)
            for card, name in zip(cards, self.receivers, strict=True)
        )
        return self.at._("Suggestion: {gifts} · {@play:pass them}", gifts=gifts)

    def move(self) -> Data | Refused:
        """The three cards as a move, if all are laid out."""
        cards = [self.at.hand.card(each) for each in self.gifts if each is not None]
        given = [card for card in cards if card is not None]
        if len(given) < 3:
            told = self.at._("Choose three cards first, one for each player. Chosen: {n}.", n=len(given))
            return Refused(told)
        return {"do": "give", "cards": given}

    def marks(self) -> dict[int, str]:
        return {held: str(place + 1) for place, held in enumerate(self.gifts) if held is not None}

    def dialog(self) -> Dialog:
        _, at, me = self.at._, self.at, self.at.me or 0
        names = at.short_names
        places = (_("left ←"), _("partner"), _("right →"))
        choices = []
        for place, held in enumerate(self.gifts):
            card = at.hand.card(held) if held is not None else None
            face = at.cards.face(card, at.kanji) if card is not None else None
            choices.append(Choice(str(place + 1), names[(me + place + 1) % 4], places[place], face))
        given = seen_as(TichuView, at.playing.view()).given
        missing = [self._awaited(seat, names[seat]) for seat, done in enumerate(given) if not done and seat != me]
        footer = _("Hidden until all four have chosen.")
        if missing:
            footer = _.join([footer, _("Waiting for {names}.", names=_.list(missing))])
        title = _("Pass one card to each player")
        return Dialog(title, tuple(choices), footer=footer, kind="places", name="exchange", focus=self.next, asks=False)

    def _awaited(self, seat: Seat, name: str) -> str:
        players = self.at.playing.players
        is_away = seat < len(players) and players[seat].away
        return self.at._("{name} (away)", name=name) if is_away else name
