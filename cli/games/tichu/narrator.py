"""Tells a round of Tichu: calls, the exchange, combinations, wishes, tricks."""

from __future__ import annotations

from collections.abc import Sequence

from cli.games.base.narrator import Narrator, counts
from cli.games.tichu.bombs import bombs_in, is_bomb
from protocol.cards import DOG, DRAGON, MAH_JONG, PHOENIX, RANKS, Card, Seat
from protocol.games.game import Data
from protocol.games.tichu.combinations import Combo, readings
from protocol.games.tichu.moves import CallTichu, Collect, Give, Grand, PlayCombination, Show
from protocol.games.tichu.view import COMBINATIONS, TichuView
from protocol.games.views import PublicView, SeatView, seen_as


class TichuNarrator(Narrator):
    """Tichu's sentences; what all games share stands in `Narrator`."""

    def facts(self, seat: SeatView) -> list[str]:
        """The points that each has taken are told with the trick."""
        return []

    def runs_out(self, seat: Seat, move: Data, before: PublicView, after: PublicView) -> list[str]:
        return self.one_left(seat, move, before, after)

    def grace(self, seat: Seat, seconds: float, hand: Sequence[Card]) -> list[str]:
        """The wait is for bombs: who holds none hears when the trick is taken."""
        if seat == self.seat or not bombs_in(hand):
            return super().grace(seat, seconds, hand)
        _ = self._
        wait = _.n("{n} second", "{n} seconds", round(seconds))
        return [_("{name} takes the trick in {time}. Until then you can bomb.", name=self.name(seat), time=wait)]

    def round_began(self, number: int, view: PublicView) -> list[str]:
        _ = self._
        told = [_("Round {number}.", number=number)]
        if self.seat is not None and len(self.game.teams) == 2:
            told.append(_("Your partner is {name}.", name=self.name((self.seat + 2) % 4)))
        return told

    def deed(self, seat: Seat, move: Data, before: PublicView, after: PublicView) -> list[str]:
        _ = self._
        match self.game.decode(move):
            case Grand(call=True):
                return [self.did(seat, "You call Grand Tichu!", "{name} calls Grand Tichu!")]
            case Grand():
                return [self.did(seat, "You didn’t call Grand Tichu.", "{name} didn’t call Grand Tichu.")]
            case CallTichu():
                return [self.did(seat, "You call Tichu!", "{name} calls Tichu!")]
            case Give():
                return [self.did(seat, "You passed three cards.", "{name} passed three cards.")]
            case Show():
                return [self.did(seat, "You have the Mah Jong and lead.", "{name} has the Mah Jong and leads.")]
            case Collect(to):
                return [self.collected(seat, to, before, after)]
            case PlayCombination() as play:
                return [self.played_combination(seat, play, before, after)]
            case _other:
                return super().deed(seat, move, before, after)

    def played_combination(self, seat: Seat, play: PlayCombination, before: PublicView, after: PublicView) -> str:
        cards = play.cards
        spoken = self.cards.say_all(cards)
        if cards == (DOG,):
            return self.did(
                seat, "You played the Dog: your partner leads.", "{name} played the Dog: their partner leads."
            )
        # A play that ends the round may leave no trick behind; then its cards speak for themselves.
        now = seen_as(TichuView, after)
        combo = now.combo if now.to_beat == cards else _read(cards)
        kind = self.kind(combo) if combo else ""
        if is_bomb(cards):
            out_of_turn = seat != before.turn
            told = (
                self.did(seat, "You bomb out of turn: {cards}.", "{name} bombs out of turn: {cards}.", cards=spoken)
                if out_of_turn
                else self.did(seat, "You bomb: {cards}.", "{name} bombs: {cards}.", cards=spoken)
            )
        elif combo and combo.kind == "stairs":
            told = self.did(
                seat, "You played {kind}: {cards}.", "{name} played {kind}: {cards}.", kind=kind, cards=spoken
            )
        elif kind and len(cards) > 1:
            told = self.did(
                seat, "You played a {kind}: {cards}.", "{name} played a {kind}: {cards}.", kind=kind, cards=spoken
            )
        else:
            told = self.did(seat, "You played {cards}.", "{name} played {cards}.", cards=spoken)
        if play.wish:
            wished = self.did(seat, "You wished for {rank}.", "{name} wished for {rank}.", rank=self.ranks(play.wish))
            told = self._.join([told, wished])
        return told

    def kind(self, combo: Combo) -> str:
        """A combination's name with what must be beaten: "straight of 5 up to nine"."""
        _ = self._
        kind, size = combo.kind, combo.size
        name = _(COMBINATIONS[kind])
        top = self.value(combo.rank)
        if kind in ("straight", "stairs"):
            return _("{kind} of {size} cards up to {rank}", kind=name, size=size, rank=top)
        if kind == "full_house":
            return _("{kind} with three {rank}", kind=name, rank=self.plural(combo.rank))
        if kind == "single":
            return _("{kind}, {rank}", kind=name, rank=top)
        if kind == "bomb" and size > 4:
            return _("{kind} of {size} cards up to {rank}", kind=name, size=size, rank=top)
        return _("{kind} of {rank}", kind=name, rank=self.plural(combo.rank))

    def value(self, rank: int | float) -> str:
        """A combination's rank, 1 to 15, in words; half a step up is the Phoenix on a single."""
        number = int(rank)
        if number != rank:
            if rank < 2:
                return self._("the Phoenix, just above the Mah Jong")
            return self._("the Phoenix, just above {rank}", rank=self.value(number))
        if number == 1:
            return self.cards.say(MAH_JONG)
        if number == 15:
            return self.cards.say("Drg")
        return self.cards.rank(RANKS[number - 2]) if 2 <= number <= 14 else str(rank)

    def plural(self, rank: int | float) -> str:
        number = int(rank)
        return self.ranks(RANKS[number - 2]) if 2 <= number <= 14 else self.value(rank)

    def ranks(self, rank: str) -> str:
        """A rank in the plural: "kings"."""
        return self.cards.ranks(rank)

    def collected(self, seat: Seat, to: Seat | None, before: PublicView, after: PublicView) -> str:
        """`to`: the opponent who gets the Dragon's trick."""
        _ = self._
        taker = seat if to is None else to
        were, are = seen_as(TichuView, before).captured, seen_as(TichuView, after).captured
        points = are[taker] - were[taker] if taker < len(are) and taker < len(were) and not after.round_over else None
        if to is not None:
            told = self.did(
                seat,
                "You won the trick with the Dragon and give it to {taker}.",
                "{name} won the trick with the Dragon and gives it to {taker}.",
                taker=self.who(to),
            )
        else:
            told = self.did(seat, "You take the trick.", "{name} takes the trick.")
        counted = [] if points is None else [counts(_, points)]
        return _.join([told, *counted, *self.leads_instead(seat, before, after)])

    def leads_instead(self, seat: Seat, before: PublicView, after: PublicView) -> list[str]:
        """Who leads in place of one who has taken a trick and is out."""
        leader = after.turn
        if seat not in before.out or leader is None:
            return []
        if seat == self.seat:
            return [self._("You are out: {name} leads.", name=self.name(leader))]
        return [
            self.did(leader, "{winner} is out: you lead.", "{winner} is out: {name} leads.", winner=self.name(seat))
        ]

    def consequences(self, seat: Seat, move: Data, before: PublicView, after: PublicView) -> list[str]:
        _ = self._
        told: list[str] = []
        was, now = seen_as(TichuView, before), seen_as(TichuView, after)
        if was.phase == "grand" and now.phase == "give":
            new = self.new_cards(before, after)
            if new and not self.reads_hand:
                told.append(_("Everyone has decided. The rest of your hand: {cards}.", cards=self.cards.say_all(new)))
        if was.phase == "give" and now.phase not in ("give", ""):
            told += self.exchanged(before, after)
        if was.wish and not now.wish and not now.round_over:
            told.append(_("The wish is fulfilled."))
        for other in now.out:
            if other not in was.out:
                told.append(self.did(other, "You are out!", "{name} is out."))
        if now.phase == "collect" and was.phase != "collect" and (turn := now.turn) is not None:
            told.append(
                self.did(turn, "Everyone passed: the trick is yours.", "Everyone passed: {name} wins the trick.")
            )
        return told

    def exchanged(self, before: PublicView, after: PublicView) -> list[str]:
        """Who gave which card: they arrive from the next seat, the partner, the previous one, in this order."""
        told = [self._("Everyone swaps cards.")]
        if self.seat is None:
            return told + self.all_gifts(before, after)
        givers = [self.name((self.seat + step) % 4) for step in (1, 2, 3)]
        return told + [
            self._("{name} passed you {card}.", name=name, card=self.cards.say(card))
            for name, card in zip(givers, after.arrived(self.seat), strict=False)
        ]

    def all_gifts(self, before: PublicView, after: PublicView) -> list[str]:
        """Who gave what to whom, where all hands are open: as there is each card but once, they tell."""
        _, seats = self._, range(self.game.seats)
        were = [set(before.hand(seat)) for seat in seats]
        are = [set(after.hand(seat)) for seat in seats]
        if not all(were) or not all(are):
            return []
        told = []
        for giver in seats:
            gifts = [
                _("{card} to {name}", card=self.cards.say(card), name=self.name(taker))
                for taker in ((giver + step) % len(seats) for step in range(1, len(seats)))
                for card in sorted(were[giver] & are[taker])
            ]
            told.append(_("{name} passed {gifts}.", name=self.name(giver), gifts=_.list(gifts)))
        return told

    def next_turn(self, before: PublicView, after: PublicView) -> list[str]:
        return [] if after.phase == "collect" else super().next_turn(before, after)

    # --- how things stand ---

    def turn(self, view: PublicView) -> list[str]:
        _ = self._
        match view.phase:
            case "grand":
                return [_("Grand Tichu? Type yes or no.")]
            case "give":
                return [self.give_help(view)]
            case "show":
                return (
                    [_("You have the Mah Jong and lead: type show, or wait a moment.")]
                    if MAH_JONG in self.mine(view)
                    else []
                )
            case "collect" if view.turn == self.seat:
                if seen_as(TichuView, view).to_beat == (DRAGON,):
                    return [
                        _(
                            "You won the trick with the Dragon, so an opponent gets it: type collect and an opponent’s "
                            "name."
                        )
                    ]
                return [_("You won the trick: type collect.")]
            case "collect" if (turn := view.turn) is not None:
                return [_("{name} won the trick.", name=self.name(turn))]
            case _other:
                return super().turn(view)

    def announced(self, view: PublicView) -> list[str]:
        """The cards to beat have just been told, and how many all hold is told on demand."""
        if view.phase != "play":
            return self.turn(view)
        _, told, now = self._, self.turn(view), seen_as(TichuView, view)
        combo, owner = now.combo, now.owner
        if combo and owner is not None:
            what = self.kind(combo) if len(now.to_beat) > 1 else self.value(combo.rank)
            is_partner = self.seat is not None and owner == (self.seat + 2) % 4
            told.append(
                _("To beat: {what}, played by your partner {name}.", what=what, name=self.name(owner))
                if is_partner
                else _("To beat: {what}, played by {name}.", what=what, name=self.who(owner))
            )
        elif not now.to_beat:
            told.append(_("You lead."))
        if now.wish:
            told.append(_("Active wish: {rank}.", rank=self.cards.ranks(now.wish)))
        return told

    def give_help(self, view: PublicView) -> str:
        if self.seat is None:
            return self._("The players are passing cards.")
        left, partner, right = ((self.seat + step) % 4 for step in (1, 2, 3))
        return self._(
            "Pass one card to {left}, {partner} (your partner) and {right}: type “give”, then three "
            "card numbers, e.g. give 1 12 3.",
            left=self.name(left),
            partner=self.name(partner),
            right=self.name(right),
        )

    def mine(self, view: PublicView) -> Sequence[Card]:
        return () if self.seat is None else view.hand(self.seat)

    def table(self, view: PublicView) -> list[str]:
        _, now = self._, seen_as(TichuView, view)
        told: list[str] = []
        if now.to_beat:
            combo, cards = now.combo, self.cards.say_all(now.to_beat)
            if combo and len(now.to_beat) > 1:
                told.append(_("To beat: {kind}: {cards}.", kind=self.kind(combo), cards=cards))
            elif combo and now.to_beat == (PHOENIX,):
                told.append(_("To beat: {cards}.", cards=self.value(combo.rank)))
            else:
                told.append(_("To beat: {cards}.", cards=cards))
            if now.pile_points:
                told.append(counts(_, now.pile_points))
        elif now.phase == "play" and now.turn == self.seat:
            told.append(_("You lead."))
        if now.wish:
            told.append(_("Active wish: {rank}.", rank=self.cards.ranks(now.wish)))
        for seat, call in now.callers:
            named = _("Grand Tichu") if call == "grand" else _("Tichu")
            told.append(self.did(seat, "You called {call}.", "{name} called {call}.", call=named))
        return told

    def round_void(self, held_up_by: Sequence[Seat]) -> list[str]:
        told = super().round_void(())
        if held_up_by:
            told.append(self._("Had the Mah Jong but didn’t show it: {names}.", names=self.everyone(held_up_by)))
        return told

    def round_ended(self, view: PublicView) -> list[str]:
        _ = self._
        told = [_("The round is over.")]
        out = view.out
        if view.ended == "double" and len(out) >= 2:
            told.append(_("Double victory for {names}.", names=self.everyone(out[:2])))
        for seat, call in seen_as(TichuView, view).callers:
            named = _("Grand Tichu") if call == "grand" else _("Tichu")
            told.append(
                self.did(seat, "Your {call}: made.", "{name}’s {call}: made.", call=named)
                if out and out[0] == seat
                else self.did(seat, "Your {call}: failed.", "{name}’s {call}: failed.", call=named)
            )
        if (points := view.round_points) is not None:
            told.append(_("This round: {points}.", points=self.points(points)))
        return told + self.score(view)


def _read(cards: Sequence[Card]) -> Combo | None:
    """The highest combination that these cards make."""
    found = readings(cards) if len(cards) > 1 else ()
    return found[0].combo if found else None
