"""Those who make one card out of another: a hand re-masked so that a slot of it is somebody else's card. The others would give
their shares for it, and the card would be open. Only that whoever re-masks must know the masks stands against it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from protocol.cards import Card
from protocol.dealing.elgamal import Deck, MaskedCard, mask_again, starting_deck
from protocol.dealing.faces import card_point
from protocol.dealing.group import Point, Scalar
from protocol.dealing.remasking import ShuffleWitness, shuffle
from protocol.dealing.shares import open_card
from protocol.dealing.shuffle import prove_shuffle, verify_shuffle
from protocol.errors import BadProof
from protocol.values import replace
from tests.dealing.conftest import SHUFFLE, Seats, rng_of

REMASK = replace(SHUFFLE, deck=0, step=40, seat=1, purpose="remask")
MINE, THEIRS = Card("As"), Card("7h")


@dataclass(frozen=True)
class Scene:
    """A cheat's hand, of which it knows every face, and one card of somebody else, which it guesses rightly. The logarithms
    between them are known to the test alone."""

    seats: Seats
    hand: Deck
    masks: tuple[Scalar, ...]
    theirs: MaskedCard
    mask: Scalar

    def related(self) -> MaskedCard:
        """Their A with my face: a re-masking of my first card, and true to the letter, if the guess is right."""
        return MaskedCard(self.theirs.a, self.theirs.b - card_point(THEIRS) + card_point(MINE))

    def attempt(self, after: Deck, scalars: Sequence[Scalar]) -> None:
        """The honest prover's best, with these masks and cards in their places."""
        witness = ShuffleWitness(tuple(range(len(self.hand))), tuple(scalars))
        joint = self.seats.joint
        proof = prove_shuffle(REMASK, joint, self.hand, after, witness, rng_of("attempt"))
        verify_shuffle(REMASK, joint, self.hand, after, proof, rng_of("verify"))


@pytest.fixture(params=[1, 2, 5])
def scene(request: pytest.FixtureRequest, seats: Seats) -> Scene:
    rng = rng_of("related")
    n: int = request.param
    masks, mask = tuple(Scalar.random(rng) for _ in range(n)), Scalar.random(rng)
    faces = [MINE, *(Card(name) for name in ("2s", "3s", "4s", "5s"))][:n]
    cards = [mask_again(seats.joint, card, s) for card, s in zip(starting_deck(faces), masks, strict=True)]
    (theirs,) = (mask_again(seats.joint, card, mask) for card in starting_deck([THEIRS]))
    return Scene(seats, tuple(cards), masks, theirs, mask)


def shares_of(seats: Seats, a: Point) -> list[Point]:
    return [secret.x * a for secret in seats.secrets]


def test_such_a_slot_would_open_their_card(scene: Scene) -> None:
    """What is at stake: all shares of the related slot are all shares of theirs."""
    slot = scene.related()
    opened = shares_of(scene.seats, slot.a)
    assert open_card(slot, opened) == MINE
    assert open_card(scene.theirs, opened) == THEIRS


def test_it_is_the_masks_that_nobody_can_prove(scene: Scene) -> None:
    """The statement is true, so that the test, which knows the logarithm, can prove it. Who does not, cannot."""
    rest = [Scalar(7 + index) for index in range(len(scene.hand) - 1)]
    others = [mask_again(scene.seats.joint, card, s) for card, s in zip(scene.hand[1:], rest, strict=True)]
    after = (scene.related(), *others)
    scene.attempt(after, [scene.mask - scene.masks[0], *rest])
    for guess in (Scalar(1), scene.mask, -scene.masks[0], scene.mask + scene.masks[0]):
        with pytest.raises(BadProof):
            scene.attempt(after, [guess, *rest])


def test_parts_of_their_card_are_no_masks_either(scene: Scene) -> None:
    """Their whole card, the sum of both, a multiple, one half of it: what would give a share that says something of theirs."""
    seats, mine, theirs = scene.seats, scene.hand[0], scene.theirs
    s = Scalar(5)
    fresh = mask_again(seats.joint, theirs, s)
    for slot in (
        theirs,
        fresh,
        MaskedCard(mine.a + theirs.a, mine.b + theirs.b),
        MaskedCard(mine.a + theirs.a, mine.b + theirs.b - card_point(THEIRS)),
        MaskedCard(s * theirs.a, s * theirs.b - s * card_point(THEIRS) + card_point(MINE)),
        MaskedCard(theirs.a, mine.b),
        MaskedCard(mine.a, theirs.b),
    ):
        for mask in (s, Scalar(0)):
            with pytest.raises(BadProof):
                scene.attempt((slot, *scene.hand[1:]), [mask, *[Scalar(0)] * (len(scene.hand) - 1)])


def test_their_own_proof_is_of_no_use(scene: Scene) -> None:
    """They re-masked their hand, and all saw the proof. It is bound to their seat, and to their hand before."""
    seats = scene.seats
    hand = (scene.theirs, *scene.hand[1:])
    ctx = replace(REMASK, seat=2)
    after, witness = shuffle(ctx, seats.joint, bytes(32), hand)
    proof = prove_shuffle(ctx, seats.joint, hand, after, witness, rng_of("theirs"))
    verify_shuffle(ctx, seats.joint, hand, after, proof, rng_of("verify"))
    for place, before in ((REMASK, hand), (REMASK, scene.hand), (ctx, scene.hand)):
        with pytest.raises(BadProof):
            verify_shuffle(place, seats.joint, before, after, proof, rng_of("verify"))


def test_masks_of_nothing_harm_their_owner_alone(scene: Scene) -> None:
    """A hand re-masked with zeros in its old order is a shuffle, and it is accepted: it shows where the owner's own cards are,
    and the shares that it brings are of the owner's own slots."""
    scene.attempt(scene.hand, [Scalar(0)] * len(scene.hand))


def test_recycled_cards_lead_to_no_other(seats: Seats) -> None:
    """A deck that starts anew from known faces, under the round's old keys, with a slot that is somebody's card in hand."""
    rng = rng_of("recycled")
    joint, r = seats.joint, Scalar.random(rng)
    (theirs,) = (mask_again(joint, card, r) for card in starting_deck([THEIRS]))
    before = starting_deck([THEIRS, MINE, Card("9c")])
    s = [Scalar.random(rng) for _ in before]
    honest = tuple(mask_again(joint, card, mask) for card, mask in zip(before, s, strict=True))
    ctx = replace(SHUFFLE, deck=2, step=40)

    def attempt(after: Deck, masks: Sequence[Scalar]) -> None:
        witness = ShuffleWitness((0, 1, 2), tuple(masks))
        proof = prove_shuffle(ctx, joint, before, after, witness, rng_of("attempt"))
        verify_shuffle(ctx, joint, before, after, proof, rng_of("verify"))

    attempt(honest, s)
    attempt((theirs, *honest[1:]), [r, *s[1:]])  # true if it is the same face; the cheat does not know r
    for after in (
        (theirs, *honest[1:]),
        (MaskedCard(theirs.a, honest[0].b), *honest[1:]),
        (MaskedCard(theirs.a + s[0] * seats.keys[0].y, theirs.b), *honest[1:]),
        (MaskedCard(honest[0].a + theirs.a, honest[0].b + theirs.b - card_point(THEIRS)), *honest[1:]),
    ):
        with pytest.raises(BadProof):
            attempt(after, s)
