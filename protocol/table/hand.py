"""Hold what only this seat knows: its round secrets, the order of its cards, and their faces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from protocol.cards import Card, Seat
from protocol.dealing.elgamal import MaskedCard
from protocol.dealing.group import G, Point
from protocol.dealing.keys import RoundSecret
from protocol.dealing.shares import open_card
from protocol.errors import BadMessage
from protocol.table.round import DealtCard, Played, Round
from protocol.wire import pack, unpack


@dataclass(slots=True)
class SecretHand:
    """A seat's secrets. The repr hides them."""

    secrets: dict[int, RoundSecret] = field(default_factory=dict, repr=False)
    """By round, of the preparation that counts as far as known."""
    faces_known: dict[MaskedCard, Card] = field(default_factory=dict, repr=False)
    accepted: set[int] = field(default_factory=set)
    """The rounds in which all shares of round keys that were sealed to us open."""
    _fitting: dict[int, Point] = field(default_factory=dict, repr=False)
    """The public parts of our secrets, by round, where they were compared."""
    _made: dict[int, list[RoundSecret]] = field(default_factory=dict, repr=False)
    """All secrets that we made, by round: each epoch may prepare it anew, and the match may return to the one before."""
    _came: dict[MaskedCard, int] = field(default_factory=dict, repr=False)
    """The order in which the cards came, as far as known in this run of the program."""
    _entered: tuple[MaskedCard, ...] = field(default=(), repr=False)
    _given: dict[MaskedCard, Card] = field(default_factory=dict, repr=False)
    """The cards that we laid out face down in this round."""
    _noted: tuple[int, int] = field(default=(0, 0), repr=False)
    """The round and the number of its moves up to which they are noted."""
    _unsaved: list[bytes] = field(default_factory=list, repr=False)
    _shown: tuple[Card, ...] = field(default=(), repr=False)
    _round: int = 0
    _looked_at: tuple[Round | None, Seat] = field(default=(None, 0), repr=False)
    """The round and our seat when we last looked for changes: a round never changes, so neither does our hand in it."""

    def keep(self, round: int, secret: RoundSecret) -> None:
        """Keep a fresh round secret; it is saved with the next message."""
        self._add(round, secret)
        self._unsaved.append(pack([round, secret.encode()]))

    def learn(self, data: bytes) -> None:
        """Restore a secret from the journal. Raises BadMessage if it is damaged."""
        value = unpack(data)
        if type(value) is not list or len(value) != 2 or type(value[0]) is not int:
            raise BadMessage("a secret in the saved matches is damaged")
        self._add(value[0], RoundSecret.decode(value[1]))

    def _add(self, round: int, secret: RoundSecret) -> None:
        self.secrets[round] = secret
        self._looked_at = None, 0
        self._made.setdefault(round, []).append(secret)

    def lacks(self, number: int, key: Point) -> bool:
        """Whether we do not have the secret of a round whose public part is `key`: it was lost, or is somebody else's."""
        if number in self.secrets and self._fitting.get(number) == key:
            return False
        found = [self.secrets[number]] if number in self.secrets else []
        found += reversed(self._made.get(number, []))
        fitting = next((secret for secret in found if secret.x * G == key), None)
        if fitting is None:  # ours belong to other preparations
            self.secrets.pop(number, None)
            return True
        self.secrets[number], self._fitting[number] = fitting, key
        return False

    def unsaved(self) -> list[bytes]:
        """Return the secrets to be saved since the last call."""
        found, self._unsaved = self._unsaved, []
        return found

    def secret(self, round: Round) -> RoundSecret:
        """Return our secret of a round."""
        return self.secrets[round.number]

    def faces(self, round: Round | None, seat: Seat) -> list[Card | None]:
        """Return our cards in the order of their places, with None where a share is missing. Empty if the round's key of this
        seat is not ours: somebody else may sit there now."""
        if round is None or seat not in round.keys or self.lacks(round.number, round.keys[seat].y):
            return []
        x = self.secrets[round.number].x
        found: list[Card | None] = []
        for place in round.hands[seat]:
            face = self.faces_known.get(place.card)
            others = [point for giver, point in place.shares.items() if giver != seat]
            if face is None and len(others) == len(round.holders) - 1:
                face = self.faces_known[place.card] = open_card(place.card, [*others, x * place.card.a])
            found.append(face)
        return found

    def cards(self, round: Round | None, seat: Seat) -> tuple[Card, ...]:
        """Return our cards, as far as we can see them."""
        return tuple(face for face in self.faces(round, seat) if face is not None)

    def note_given(self, round: Round | None, seat: Seat) -> None:
        """Note which cards we laid out face down. Once their receivers have re-masked them, nobody can tell them any more."""
        if round is None or self._noted == (round.number, len(round.history)):
            return
        if self._noted[0] != round.number or self._noted[1] > len(round.history):
            self._given, self._noted = {}, (round.number, 0)
        for played in round.history[self._noted[1] :]:
            if (
                played.seat == seat
                and played.laid
                and seat in round.keys
                and not self.lacks(round.number, round.keys[seat].y)
            ):
                wanted = {played.hand[index] for index in played.laid}
                places = [place for row in (*round.hands, *round.laid) for place in row if place.card in wanted]
                self._given |= self._opened(round, seat, places)
        self._noted = round.number, len(round.history)

    def _opened(self, round: Round, seat: Seat, places: Iterable[DealtCard]) -> dict[MaskedCard, Card]:
        x = self.secrets[round.number].x
        found: dict[MaskedCard, Card] = {}
        for place in places:
            others = [point for giver, point in place.shares.items() if giver != seat]
            if place.card in self.faces_known:
                found[place.card] = self.faces_known[place.card]
            elif len(others) == len(round.holders) - 1:
                found[place.card] = open_card(place.card, [*others, x * place.card.a])
        return found

    def laid_by(self, played: Played) -> tuple[Card, ...]:
        """Return the faces of the cards that we laid out in this move; empty if they are not known."""
        faces = [self._given.get(played.hand[index]) for index in played.laid]
        return tuple(face for face in faces if face is not None) if None not in faces else ()

    def as_they_came(self, round: Round | None, seat: Seat) -> tuple[Card, ...]:
        """Return the same in the order in which they came. Re-masking hides that order from the others; we know it only for
        cards that came in this run of the program."""
        faces, places = self.faces(round, seat), _cards(round, seat)
        order = sorted(range(len(faces)), key=lambda at: self._came.get(places[at], at))
        return tuple(face for at in order if (face := faces[at]) is not None)

    def remasked(
        self,
        round: Round,
        seat: Seat,
        before: Sequence[MaskedCard],
        after: Sequence[MaskedCard],
        order: Sequence[int],
    ) -> None:
        """Note that we re-masked our hand and the cards entering it (last in `before`): after[i] is before[order[i]]."""
        # Forget cards that left the hand or were only proposed. Keep the hand itself: this proposal may be lost.
        held = {*_cards(round, seat), *before}
        self._came = {card: number for card, number in self._came.items() if card in held}
        self.faces_known = {card: face for card, face in self.faces_known.items() if card in held}
        last = 1 + max(self._came.values(), default=0)
        rank = sorted(range(len(before)), key=lambda at: self._came.get(before[at], last + at))
        came = {at: number for number, at in enumerate(rank)}
        now = dict(zip(order, after, strict=True))
        # Of the cards that stay we know the faces: only those that enter have to be opened.
        known = {card: self.faces_known.get(before[at]) for at, card in now.items()}
        self.faces_known |= {card: face for card, face in known.items() if face is not None}
        self._came |= {now[at]: came[at] for at in now}
        self._entered = tuple(now[at] for at in sorted(now) if before[at] not in self.faces_known)

    def take_entered(self, round: Round | None, seat: Seat) -> tuple[Card, ...]:
        """Return, once, the cards that the last re-mask brought into our hand, in the order in which they came. Empty if
        unknown."""
        held = dict(zip(_cards(round, seat), self.faces(round, seat), strict=False))
        found = [held.get(card) for card in self._entered]
        self._entered = ()
        return tuple(face for face in found if face is not None) if None not in found else ()

    def changes(self, round: Round | None, seat: Seat) -> tuple[tuple[Card, ...], tuple[Card, ...]] | None:
        """Return the hand and its new cards if it has changed since the last call and we can see all of it. None otherwise."""
        if round is None or (round is self._looked_at[0] and seat == self._looked_at[1]):
            return None
        self._looked_at = round, seat
        if round.number != self._round:
            self._round, self._shown = round.number, ()
            self.faces_known.clear()
            self._came.clear()
        faces = self.faces(round, seat)
        if any(face is None for face in faces):
            return None
        hand = tuple(face for face in faces if face is not None)
        if sorted(hand) == sorted(self._shown):
            return None
        new = list(hand)
        for face in self._shown:
            if face in new:
                new.remove(face)
        self._shown = hand
        return hand, tuple(new)


def _cards(round: Round | None, seat: Seat) -> list[MaskedCard]:
    return [] if round is None else [place.card for place in round.hands[seat]]
