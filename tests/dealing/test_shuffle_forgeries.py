"""Those who would cheat with a shuffle: altered proofs, proofs out of their place, and shufflers who prove as best they can."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from protocol.cards import PACK_52, Card
from protocol.dealing import shuffle as module
from protocol.dealing import shuffle_argument as argument
from protocol.dealing.elgamal import Deck, MaskedCard, mask_again, starting_deck
from protocol.dealing.faces import card_point
from protocol.dealing.group import ONE, G, Point, Scalar, weighted_sum
from protocol.dealing.hashing import Rng
from protocol.dealing.mask_proof import prove_mask
from protocol.dealing.remasking import ShuffleWitness
from protocol.dealing.shares import open_with_secret
from protocol.dealing.shuffle import proof_size, prove_shuffle, shuffle, verify_shuffle
from protocol.errors import BadProof
from protocol.values import replace
from tests.adversaries.declared import By, attack
from tests.dealing.altered import alterations
from tests.dealing.conftest import Seats, Shuffled, elsewhere, rng_of

Make = Callable[[int], Shuffled]


def layout(n: int) -> str:
    if n == 1:
        return "pps"
    return "pppp" + "s" * (n + 1) + "ppp" + "s" * (n + 1) + "s" * n


def accepted(made: Shuffled) -> None:
    verify_shuffle(made.ctx, made.joint, made.before, made.after, made.proof, rng_of("verify"))


def refused(made: Shuffled, **change: object) -> None:
    """The shuffle, with some part of it changed, proves nothing."""
    one = replace(made, **change)  # type: ignore[arg-type]
    with pytest.raises(BadProof):
        accepted(one)


@pytest.mark.parametrize("n", [1, 2, 4])
def test_an_altered_proof_is_refused(shuffled: Make, n: int) -> None:
    made = shuffled(n)
    for _, altered in alterations(made.proof, layout(n)):
        refused(made, proof=altered)


def test_a_byte_where_nothing_is_to_be_proved(shuffled: Make) -> None:
    refused(shuffled(0), proof=b"\0")


@pytest.mark.parametrize("n", [1, 3])
def test_a_proof_holds_in_its_place_only(seats: Seats, shuffled: Make, n: int) -> None:
    made = shuffled(n)
    for ctx in elsewhere(made.ctx):
        refused(made, ctx=ctx)
    refused(made, joint=seats.keys[0].y)
    refused(made, before=made.after)
    refused(made, before=made.after, after=made.before)
    refused(made, after=made.before)
    again, _ = shuffle(replace(made.ctx, step=9), made.joint, bytes(32), made.before)
    refused(made, after=again)


def test_a_proof_is_of_these_decks_in_this_order(shuffled: Make) -> None:
    made = shuffled(4)
    refused(made, after=(made.after[1], made.after[0], *made.after[2:]))
    refused(made, before=(made.before[1], made.before[0], *made.before[2:]))
    for side in ("before", "after"):
        deck: Deck = getattr(made, side)
        for i in range(4):
            card = deck[i]
            for other in (MaskedCard(card.a + G, card.b), MaskedCard(card.a, card.b + G), deck[i - 1]):
                refused(made, **{side: (*deck[:i], other, *deck[i + 1 :])})


def test_a_shuffle_keeps_the_number_of_cards(shuffled: Make) -> None:
    made = shuffled(4)
    refused(made, after=made.after[:3])
    refused(made, before=made.before[:3])
    refused(made, before=made.before[:3], after=made.after[:3])
    refused(made, before=(), after=())
    for n in (0, 1, 2, 3, 7):
        refused(made, proof=shuffled(n).proof)


def test_sizes_are_checked_before_any_arithmetic(shuffled: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*args: object) -> None:
        raise AssertionError("arithmetic for a proof of the wrong size")

    made = shuffled(4)
    monkeypatch.setattr(argument, "begin", never)
    monkeypatch.setattr(argument.ArgumentProof, "decode", never)
    refused(made, proof=made.proof + bytes(32))
    refused(made, after=made.after[:3])
    assert proof_size(4) == len(made.proof) == 32 * 21


# --- shufflers who prove as best they can ---


def prove_as_if(made: Shuffled, after: Deck, witness: ShuffleWitness) -> Shuffled:
    """The honest prover's proof that `after` is the witness's shuffle of the deck, though it is not."""
    proof = prove_shuffle(made.ctx, made.joint, made.before, after, witness, rng_of("cheat"))
    return replace(made, after=after, witness=witness, proof=proof)


def cheats(seats: Seats, made: Shuffled) -> dict[str, Deck]:
    """Outgoing decks that differ from an honest shuffle in one card."""
    joint, after = made.joint, made.after
    first = after[0]
    [face] = [open_with_secret(seats.x_sum, first)]
    other = next(card for card in PACK_52 if card != face)
    fresh = Scalar(99)
    return {
        "a card twice": (mask_again(joint, after[1], fresh), *after[1:]),
        "a card of our choice": (MaskedCard(first.a, first.b - card_point(face) + card_point(other)), *after[1:]),
        "a card of no pack": (MaskedCard(first.a, first.b + G), *after[1:]),
        "a mask of no key": (MaskedCard(first.a + G, first.b), *after[1:]),
        "a card that does not open": (MaskedCard(first.a + first.a, first.b + first.b), *after[1:]),
        "a card under another key": (MaskedCard(fresh * G, card_point(face) + fresh * seats.keys[0].y), *after[1:]),
        "two cards mixed": (MaskedCard(first.a + after[1].a, first.b + after[1].b), *after[1:]),
        "errors that add up to nothing": (
            MaskedCard(first.a, first.b + G),
            MaskedCard(after[1].a, after[1].b - G),
            *after[2:],
        ),
    }


def test_a_cheating_shuffler_is_refused(seats: Seats, shuffled: Make) -> None:
    made = shuffled(4)
    accepted(prove_as_if(made, made.after, made.witness))
    for after in cheats(seats, made).values():
        one = prove_as_if(made, after, made.witness)
        refused(one)


def test_what_is_no_permutation_is_refused(shuffled: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """A card twice, and the commitment says so: the ciphertexts agree with it where a card is there twice already, but the
    product of the known contents does not. So it is with every map that is no permutation."""
    made = shuffled(4)
    # Position 1 repeats position 0, so the A's and B's agree.
    before = (made.before[0], made.before[0], *made.before[2:])
    witness = ShuffleWitness((0, 0, 3, 2), made.witness.scalars)
    after = tuple(
        mask_again(made.joint, before[position], s)
        for position, s in zip(witness.permutation, witness.scalars, strict=True)
    )

    def ranks(pi: Sequence[int], H: Sequence[Point]) -> Point:
        return weighted_sum([Scalar(position + 1) for position in pi], H)

    with monkeypatch.context() as patch:
        patch.setattr(argument, "_sum_by_rank", ranks)
        honest = ShuffleWitness((1, 0, 3, 2), made.witness.scalars)
        accepted(prove_as_if(replace(made, before=before), after, honest))
        refused(prove_as_if(replace(made, before=before), after, witness))
        refused(prove_as_if(replace(made, before=before), after, ShuffleWitness((1, 1, 3, 2), made.witness.scalars)))


def test_wrong_masks_are_refused(shuffled: Make) -> None:
    made = shuffled(4)
    scalars = made.witness.scalars
    wrong = ShuffleWitness(made.witness.permutation, (scalars[0] + ONE, *scalars[1:]))
    refused(prove_as_if(made, made.after, wrong))
    exchanged = ShuffleWitness(made.witness.permutation, (scalars[1], scalars[0], *scalars[2:]))
    refused(prove_as_if(made, made.after, exchanged))
    one = shuffled(1)
    refused(prove_as_if(one, one.after, ShuffleWitness((0,), (one.witness.scalars[0] + ONE,))))


def test_a_single_card_cannot_be_exchanged(seats: Seats, shuffled: Make) -> None:
    made = shuffled(1)
    s = made.witness.scalars[0]
    card = made.after[0]
    for after in (
        MaskedCard(card.a, card.b + G),
        MaskedCard(card.a + G, card.b),
        MaskedCard(made.before[0].a + s * G, card_point(Card("As")) + s * made.joint),
        starting_deck([Card("As")])[0],
    ):
        proof = prove_mask(made.ctx, made.joint, made.before[0], after, s, rng_of("cheat")).encode()
        refused(made, after=(after,), proof=proof)


def test_the_argument_for_many_does_not_serve_for_one(shuffled: Make) -> None:
    """For n = 1 Δ_1 = d'_1 and Δ_n = 0 are one and the same."""
    made = shuffled(1)
    refused(made, proof=bytes(argument.argument_size(1)))


def test_errors_of_two_equations_do_not_cancel(shuffled: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """E_d is off by Δ in A and by -Δ in B: the sum of both equations is right, if they weigh the same."""
    made = shuffled(4)
    blind = argument._blind

    def off(*args: object) -> MaskedCard:
        honest = blind(*args)  # type: ignore[arg-type]
        return MaskedCard(honest.a + G, honest.b - G)

    with monkeypatch.context() as patch:
        patch.setattr(argument, "_blind", off)
        forged = prove_as_if(made, made.after, made.witness)

    def equal(rng: Rng) -> Callable[[], Scalar]:
        return lambda: ONE

    with monkeypatch.context() as weak:
        weak.setattr(module, "_weights", equal)
        accepted(forged)  # the attack works there
    refused(forged)


@attack(
    By.PLAYER,
    "The errors of several proofs are chosen so that they cancel out when the proofs are checked together.",
    evidence="the cheater, by the false proof",
)
def test_the_verifier_asks_for_its_weights_itself(shuffled: Make) -> None:
    """Only the first weight is known beforehand, whatever the proof."""
    asked = []

    def rng(count: int) -> bytes:
        asked.append(count)
        return rng_of(str(len(asked)))(count)

    made = shuffled(4)
    verify_shuffle(made.ctx, made.joint, made.before, made.after, made.proof, rng)
    assert asked == [64, 64, 64]


def test_a_proof_tells_the_same_about_all_permutations(shuffled: Make) -> None:
    """Two proofs of one shuffle share no value; nothing in them is the witness's."""
    made = shuffled(4)
    rng = rng_of("twice")
    one, two = (prove_shuffle(made.ctx, made.joint, made.before, made.after, made.witness, rng) for _ in range(2))
    words = [{proof[at : at + 32] for at in range(0, len(proof), 32)} for proof in (one, two)]
    assert not words[0] & words[1]
    assert not {s.encode() for s in made.witness.scalars} & (words[0] | words[1])
