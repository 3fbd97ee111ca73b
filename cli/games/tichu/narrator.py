"""Tells a round of Tichu: calls, the exchange, combinations, wishes, tricks."""

from __future__ import annotations

from collections.abc import Sequence

from cli.games.base.narrator import Narrator, counts, hand_in
from cli.games.tichu.bombs import bombs_in, is_bomb
from protocol.cards import DOG, MAH_JONG, PHOENIX, RANKS, Card, Seat
from protocol.games.game import Data
from protocol.games.tichu.combinations import readings
from protocol.games.tichu.view import COMBINATIONS
from protocol.games.views import SeatView


class TichuNarrator(Narrator):
    """Tichu's sentences; what all games share stands in `Narrator`."""

    def facts(self, seat: SeatView) -> list[str]:
        """The points that each has taken are told with the trick."""
        return []

    def runs_out(self, seat: Seat, move: Data, before: Data, after: Data) -> list[str]:
        return self.one_left(seat, move, before, after)

    def grace(self, seat: Seat, seconds: float, hand: Sequence[Card]) -> list[str]:
        """The wait is for bombs: who holds none hears when the trick is taken."""
        if seat == self.seat or not bombs_in(hand):
            return super().grace(seat, seconds, hand)
        _ = self._
        wait = _.n("{n} second", "{n} seconds", round(seconds))
        return [_("{name} takes the trick in {time}. Until then you can bomb.", name=self.name(seat), time=wait)]

    def round_began(self, number: int, view: Data) -> list[str]:
        _ = self._
        told = [_("Round {number}.", number=number)]
        if self.seat is not None and len(self.game.teams) == 2:
            told.append(_("Your partner is {name}.", name=self.name((self.seat + 2) % 4)))
        return told

    def deed(self, seat: Seat, move: Data, before: Data, after: Data) -> list[str]:
        _ = self._
        match move.get("do"):
            case "grand" if move.get("call"):
                return [self.did(seat, "You call Grand Tichu!", "{name} calls Grand Tichu!")]
            case "grand":
                return [self.did(seat, "You didn’t call Grand Tichu.", "{name} didn’t call Grand Tichu.")]
            case "tichu":
                return [self.did(seat, "You call Tichu!", "{name} calls Tichu!")]
            case "give":
                return [self.did(seat, "You passed three cards.", "{name} passed three cards.")]
            case "show":
                return [self.did(seat, "You have the Mah Jong and lead.", "{name} has the Mah Jong and leads.")]
            case "collect":
                return [self.collected(seat, move, before, after)]
            case "play":
                return [self.played_combination(seat, move, before, after)]
            case _other:
                return super().deed(seat, move, before, after)

    def played_combination(self, seat: Seat, move: Data, before: Data, after: Data) -> str:
        cards: list[Card] = list(move.get("cards", ()))
        spoken = self.cards.say_all(cards)
        if cards == [DOG]:
            return self.did(
                seat, "You played the Dog: your partner leads.", "{name} played the Dog: their partner leads."
            )
        # A play that ends the round may leave no trick behind; then its cards speak for themselves.
        combo = after.get("combo") if list(after.get("trick") or ()) == cards else _read(cards)
        kind = self.kind(combo) if combo else ""
        if is_bomb(cards):
            out_of_turn = seat != before.get("turn")
            told = (
                self.did(seat, "You bomb out of turn: {cards}.", "{name} bombs out of turn: {cards}.", cards=spoken)
                if out_of_turn
                else self.did(seat, "You bomb: {cards}.", "{name} bombs: {cards}.", cards=spoken)
            )
        elif combo and combo["kind"] == "stairs":
            told = self.did(
                seat, "You played {kind}: {cards}.", "{name} played {kind}: {cards}.", kind=kind, cards=spoken
            )
        elif kind and len(cards) > 1:
            told = self.did(
                seat, "You played a {kind}: {cards}.", "{name} played a {kind}: {cards}.", kind=kind, cards=spoken
            )
        else:
            told = self.did(seat, "You played {cards}.", "{name} played {cards}.", cards=spoken)
        if wish := move.get("wish"):
            told = self._.join(
                [told, self.did(seat, "You wished for {rank}.", "{name} wished for {rank}.", rank=self.ranks(wish))]
            )
        return told

    def kind(self, combo: Data) -> str:
        """A combination's name with what must be beaten: "straight of 5 up to nine"."""
        _ = self._
        kind, size = str(combo.get("kind")), int(combo.get("size") or 1)
        name = _(COMBINATIONS.get(kind, kind))
        top = self.value(combo.get("rank"))
        if kind in ("straight", "stairs"):
            return _("{kind} of {size} cards up to {rank}", kind=name, size=size, rank=top)
        if kind == "full_house":
            return _("{kind} with three {rank}", kind=name, rank=self.plural(combo.get("rank")))
        if kind == "single":
            return _("{kind}, {rank}", kind=name, rank=top)
        if kind == "bomb" and size > 4:
            return _("{kind} of {size} cards up to {rank}", kind=name, size=size, rank=top)
        return _("{kind} of {rank}", kind=name, rank=self.plural(combo.get("rank")))

    def value(self, rank: object) -> str:
        """A combination's rank, 1 to 15, in words; half a step up is the Phoenix on a single."""
        if isinstance(rank, float) and not rank.is_integer():
            if rank < 2:
                return self._("the Phoenix, just above the Mah Jong")
            return self._("the Phoenix, just above {rank}", rank=self.value(int(rank)))
        number = int(rank) if isinstance(rank, (int, float)) else 0
        if number == 1:
            return self.cards.say(MAH_JONG)
        if number == 15:
            return self.cards.say("Drg")
        return self.cards.rank(RANKS[number - 2]) if 2 <= number <= 14 else str(rank)

    def plural(self, rank: object) -> str:
        number = int(rank) if isinstance(rank, (int, float)) else 0
        return self.ranks(RANKS[number - 2]) if 2 <= number <= 14 else self.value(rank)

    def ranks(self, rank: str) -> str:
        """A rank in the plural: "kings"."""
        return self.cards.ranks(rank)

    def collected(self, seat: Seat, move: Data, before: Data, after: Data) -> str:
        _ = self._
        to = move.get("to")
        taker = seat if to is None else to
        were, are = before.get("captured") or (), after.get("captured") or ()
        points = (
            are[taker] - were[taker] if taker < len(are) and taker < len(were) and not after.get("round_over") else None
        )
        if to is not None:
            told = self.did(
                seat,
                "You win the trick with the Dragon and give it to {taker}.",
                "{name} wins the trick with the Dragon and gives it to {taker}.",
                taker=self.who(to),
            )
        else:
            told = self.did(seat, "You win the trick.", "{name} wins the trick.")
        counted = [] if points is None else [counts(_, points)]
        return _.join([told, *counted, *self.leads_instead(seat, before, after)])

    def leads_instead(self, seat: Seat, before: Data, after: Data) -> list[str]:
        """Who leads in place of one who has taken a trick and is out."""
        leader = after.get("turn")
        if seat not in (before.get("out") or ()) or leader is None:
            return []
        if seat == self.seat:
            return [self._("You are out: {name} leads.", name=self.name(leader))]
        return [
            self.did(leader, "{winner} is out: you lead.", "{winner} is out: {name} leads.", winner=self.name(seat))
        ]

    def consequences(self, seat: Seat, move: Data, before: Data, after: Data) -> list[str]:
        _ = self._
        told: list[str] = []
        phase, was = after.get("phase"), before.get("phase")
        if was == "grand" and phase == "give":
            new = self.new_cards(before, after)
            if new and not self.reads_hand:
                told.append(_("Everyone has decided. The rest of your hand: {cards}.", cards=self.cards.say_all(new)))
        if was == "give" and phase not in ("give", None):
            told += self.exchanged(before, after)
        if before.get("wish") and not after.get("wish") and not after.get("round_over"):
            told.append(_("The wish is fulfilled."))
        for other in after.get("out") or ():
            if other not in (before.get("out") or ()):
                told.append(self.did(other, "You are out!", "{name} is out."))
        if phase == "collect" and was != "collect" and (turn := after.get("turn")) is not None:
            told.append(
                self.did(turn, "Everyone passed: the trick is yours.", "Everyone passed: {name} wins the trick.")
            )
        return told

    def exchanged(self, before: Data, after: Data) -> list[str]:
        """Who gave which card: they arrive from the next seat, the partner, the previous one, in this order."""
        told = [self._("Everyone swaps cards.")]
        if self.seat is None:
            return told + self.all_gifts(before, after)
        givers = [self.name((self.seat + step) % 4) for step in (1, 2, 3)]
        return told + [
            self._("{name} passed you {card}.", name=name, card=self.cards.say(card))
            for name, card in zip(givers, after.get("entered") or (), strict=False)
        ]

    def all_gifts(self, before: Data, after: Data) -> list[str]:
        """Who gave what to whom, where all hands are open: as there is each card but once, they tell."""
        _, seats = self._, range(self.game.seats)
        were = [set(hand_in(before, seat)) for seat in seats]
        are = [set(hand_in(after, seat)) for seat in seats]
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

    def next_turn(self, before: Data, after: Data) -> list[str]:
        return [] if after.get("phase") == "collect" else super().next_turn(before, after)

    # --- how things stand ---

    def turn(self, view: Data) -> list[str]:
        _ = self._
        match view.get("phase"):
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
            case "collect" if view.get("turn") == self.seat:
                if list(view.get("trick") or ()) == ["Drg"]:
                    return [
                        _(
                            "You won the trick with the Dragon, so an opponent gets it: type collect and an opponent’s "
                            "name."
                        )
                    ]
                return [_("You won the trick: type collect.")]
            case "collect" if (turn := view.get("turn")) is not None:
                return [_("{name} won the trick.", name=self.name(turn))]
            case _other:
                return super().turn(view)

    def announced(self, view: Data) -> list[str]:
        """The cards to beat have just been told, and how many all hold is told on demand."""
        if view.get("phase") != "play":
            return self.turn(view)
        _, told, owner = self._, self.turn(view), view.get("owner")
        combo = view.get("combo")
        if combo and view.get("trick") and owner is not None:
            what = self.kind(combo) if len(view["trick"]) > 1 else self.value(combo.get("rank"))
            is_partner = self.seat is not None and owner == (self.seat + 2) % 4
            told.append(
                _("To beat: {what}, played by your partner {name}.", what=what, name=self.name(owner))
                if is_partner
                else _("To beat: {what}, played by {name}.", what=what, name=self.who(owner))
            )
        elif not view.get("trick"):
            told.append(_("You lead."))
        if wish := view.get("wish"):
            told.append(_("Active wish: {rank}.", rank=self.cards.ranks(wish)))
        return told

    def give_help(self, view: Data) -> str:
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

    def mine(self, view: Data) -> Sequence[Card]:
        return () if self.seat is None else hand_in(view, self.seat)

    def table(self, view: Data) -> list[str]:
        _ = self._
        told: list[str] = []
        if trick := view.get("trick"):
            combo = view.get("combo")
            cards = self.cards.say_all(trick)
            if combo and len(trick) > 1:
                told.append(_("To beat: {kind}: {cards}.", kind=self.kind(combo), cards=cards))
            elif combo and trick == [PHOENIX]:
                told.append(_("To beat: {cards}.", cards=self.value(combo.get("rank"))))
            else:
                told.append(_("To beat: {cards}.", cards=cards))
            if points := view.get("pile_points"):
                told.append(counts(_, points))
        elif view.get("phase") == "play" and view.get("turn") == self.seat:
            told.append(_("You lead."))
        if wish := view.get("wish"):
            told.append(_("Active wish: {rank}.", rank=self.cards.ranks(wish)))
        for seat, call in sorted((int(seat), call) for seat, call in (view.get("calls") or {}).items()):
            named = _("Grand Tichu") if call == "grand" else _("Tichu")
            told.append(self.did(seat, "You called {call}.", "{name} called {call}.", call=named))
        return told

    def round_void(self, held_up_by: Sequence[Seat]) -> list[str]:
        told = super().round_void(())
        if held_up_by:
            told.append(self._("Had the Mah Jong but didn’t show it: {names}.", names=self.everyone(held_up_by)))
        return told

    def round_ended(self, view: Data) -> list[str]:
        _ = self._
        told = [_("The round is over.")]
        out: list[Seat] = list(view.get("out") or ())
        if view.get("ended") == "double" and len(out) >= 2:
            told.append(_("Double victory for {names}.", names=self.everyone(out[:2])))
        for seat, call in sorted((int(seat), call) for seat, call in (view.get("calls") or {}).items()):
            named = _("Grand Tichu") if call == "grand" else _("Tichu")
            told.append(
                self.did(seat, "Your {call}: made.", "{name}’s {call}: made.", call=named)
                if out and out[0] == seat
                else self.did(seat, "Your {call}: failed.", "{name}’s {call}: failed.", call=named)
            )
        if (points := view.get("round_points")) is not None:
            told.append(_("This round: {points}.", points=self.points(points)))
        return told + self.score(view)


def _read(cards: Sequence[Card]) -> Data | None:
    """The highest combination that these cards make, as views tell one."""
    found = readings(cards) if len(cards) > 1 else ()
    return {"kind": (top := found[0].combo).kind, "size": top.size, "rank": top.rank} if found else None
