"""Cheats before a card is dealt: in sealing the table, with round keys, and on a deck's way round the seats."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from protocol.cards import Card
from protocol.dealing.elgamal import MaskedCard, decode_deck, encode_deck, mask_again, starting_deck
from protocol.dealing.group import G, Scalar, sum_points
from protocol.dealing.keys import RoundKey, RoundSecret, make_round_key
from protocol.dealing.shuffle import prove_shuffle, shuffle
from protocol.errors import BadMessage
from protocol.messages import DeckAgreed, Message, Nonce, Prepare, Reveal, Seal, Shuffled, ShuffleProof, Vote
from protocol.table.events import RoundClosed
from protocol.table.phases.values import Recycling
from protocol.table.preparation import incoming_hash
from protocol.table.record import Phase
from protocol.table.roster import TableOptions
from protocol.table.round import RoundId, key_context, shuffle_context
from protocol.values import replace
from tests.adversaries.declared import By, attack
from tests.table.adversaries.forger import CHEATER, Forger
from tests.table.tables import Link, stream

pytestmark = pytest.mark.usefixtures("toy")

LOTS = TableOptions(pause=0, grace=0, rounds=1, lots=True)


# --- sealing ---


def test_a_nonce_that_does_not_match_its_hash() -> None:
    Forger(lambda m, to: Nonce(bytes(32)) if isinstance(m, Nonce) else m).convicted("nonce")


@attack(
    By.PLAYER,
    "A player shows two different numbers in the draw of seats.",
    evidence="the cheater, by the two signed numbers",
)
def test_two_nonces_one_of_which_matches() -> None:
    """Whoever got the right one goes on without having seen the other; the evidence reaches it there."""
    forger = Forger(lambda m, to: Nonce(bytes(32)) if isinstance(m, Nonce) and to == 2 else m)
    forger.convicted("nonce", "two-versions")


def test_a_second_nonce_after_the_seats_were_drawn_by_lot() -> None:
    """Nonces name places in the roster. Drawn seats are others: nobody else is to be blamed."""
    for seed in range(10):
        forger = Forger(table=LOTS, seed=seed)
        forger.start()
        forger.tables.run(lambda: all(c.table.record.phase is not Phase.SEALING for c in forger.tables.clients))  # noqa: B023
        if forger.table.seat != CHEATER:
            break
    else:
        raise AssertionError("no seed moves the cheater")
    forger.until(lambda: all(forger.honest_record(seat).height > 1 for seat in forger.honest))
    forger.inject(Nonce(bytes(32)), to=[0])
    forger.tables.run(lambda: all(forger.honest_record(seat).epoch for seat in forger.honest))
    for index in forger.honest:
        assert list(forger.honest_record(index).ledger.departures.convicted) == [forger.table.seat]


def test_a_second_nonce_ends_the_match_also_for_whom_something_else_convicted() -> None:
    """Else those who saw the second nonce would stop, and the others would go on without the cheater, and without them."""
    forger = Forger(seats=4)
    forger.start()
    forger.until(
        lambda: all(each.from_seat(CHEATER, "prepare", 1) for each in map(forger.honest_record, forger.honest))
    )
    first = forger.honest_record().from_seat(CHEATER, "prepare", 1)
    assert first is not None and isinstance(first.message, Prepare)
    one, *others = forger.honest
    forger.inject(replace(first.message, key=others_keys(forger)[0].encode()), to=others)
    forger.inject(Nonce(bytes(32)), to=[one])
    forger.tables.run(forger.is_over)
    assert {forger.honest_record(seat).phase for seat in forger.honest} == {Phase.BROKEN}
    forger.assert_files_show()


@pytest.mark.parametrize("where", [{"epoch": 1}, {"epoch": 1, "epoch_hash": bytes(32)}, {"epoch_hash": bytes(32)}])
def test_a_nonce_for_another_epoch_is_refused(where: dict[str, Any]) -> None:
    """Tables are sealed once: there is no second version of a nonce in an epoch that has none."""
    forger = Forger()
    forger.start()
    forger.until(lambda: all(forger.honest_record(seat).seed for seat in forger.honest))
    for seat in forger.honest:
        signed = forger.sign(Nonce(bytes(32)), **where)
        with pytest.raises(BadMessage, match="another epoch"):
            forger.honest_record(seat).receive(signed)
        assert not forger.honest_record(seat).ledger.departures.convicted


@pytest.mark.parametrize("kind", [Seal, Nonce])
def test_a_seal_or_nonce_that_never_comes(kind: type[Message]) -> None:
    forger = Forger(lambda m, to: None if isinstance(m, kind) else m)
    forger.start()
    forger.stalled()
    assert forger.honest_record().phase is Phase.SEALING


# --- round keys ---


def keyed(change: Callable[[Forger, RoundKey, int], bytes | None]) -> Forger:
    def changed(message: Message, to: int) -> Message | None:
        if not isinstance(message, Prepare) or forger.record.epoch:
            return message  # the others have gone on without it
        key = change(forger, RoundKey.decode(message.key), to)
        return None if key is None else Prepare(message.round, key)

    forger = Forger(changed)
    return forger


def others_keys(forger: Forger) -> list[RoundKey]:
    said = [forger.tables.clients[seat].table.record.from_seat(seat, "prepare", 1) for seat in forger.honest]
    return [RoundKey.decode(each.message.key) for each in said if each and isinstance(each.message, Prepare)]


@attack(
    By.PLAYER,
    "A player derives their round key from the other players’ keys, to be able to open every card alone.",
    evidence="the cheater, by the signed message itself, which lacks the proof that a genuine key has",
)
def test_a_rogue_key_that_cancels_the_others() -> None:
    """The joint key would be the cheater's alone: it needs a proof of knowledge that it cannot have."""

    def rogue(forger: Forger, key: RoundKey, to: int) -> bytes | None:
        others = others_keys(forger)
        return replace(key, y=key.y - sum_points(each.y for each in others)).encode() if len(others) == 2 else None

    keyed(rogue).convicted("round-key")


def test_a_copied_key() -> None:
    def copied(forger: Forger, key: RoundKey, to: int) -> bytes | None:
        others = others_keys(forger)
        return others[0].encode() if others else None

    keyed(copied).convicted("round-key", to_the_end=True)


@pytest.mark.parametrize("size", [1, 159, 161])
def test_a_key_of_another_size(size: int) -> None:
    keyed(lambda forger, key, to: (key.encode() * 2)[:size]).convicted("round-key")


def test_a_key_that_is_no_point() -> None:
    keyed(lambda forger, key, to: b"\xff" * 32 + key.encode()[32:]).convicted("round-key")


def test_a_key_proved_for_another_round() -> None:
    def old(forger: Forger, key: RoundKey, to: int) -> bytes:
        context = key_context(round_id(forger, 2), CHEATER)
        return make_round_key(context, forger.client.identity.public, stream(5))[1].encode()

    keyed(old).convicted("round-key")


def test_two_keys_for_two_seats() -> None:
    """Both are good keys. Each honest seat shuffles under another joint key, and neither is to blame for it."""

    def two(forger: Forger, key: RoundKey, to: int) -> bytes:
        context = key_context(round_id(forger, 1), CHEATER)
        return make_round_key(context, forger.client.identity.public, stream(to))[1].encode()

    keyed(two).convicted("two-versions")


def round_id(forger: Forger, number: int) -> RoundId:
    return RoundId(forger.record.table, 0, number, forger.record.present)


# --- the shuffle ---


def shuffling(change: Callable[[Forger, Shuffled, int], Shuffled], **settings: object) -> Forger:
    def changed(message: Message, to: int) -> Message:
        return change(forger, message, to) if isinstance(message, Shuffled) else message

    forger = Forger(changed, **settings)  # type: ignore[arg-type]  # named settings of a forger
    return forger


def deck_of(forger: Forger, message: Shuffled) -> list[MaskedCard]:
    return list(decode_deck(message.cards, len(message.cards) // 64))


@attack(
    By.PLAYER,
    "The shuffled deck contains a card twice, a foreign card, or two cards in swapped places.",
    "By every other player’s computer, before a card is dealt.",
    "the cheater, by the signed deck and its false proof",
)
def test_a_card_that_is_there_twice() -> None:
    """One card takes another's place, masked anew so that it looks like any."""

    def doubled(forger: Forger, message: Shuffled, to: int) -> Shuffled:
        deck = deck_of(forger, message)
        round = forger.record.preparing
        assert round is not None and round.joint is not None
        deck[0] = mask_again(round.joint, deck[7], Scalar(99))
        return replace(message, cards=encode_deck(deck))

    shuffling(doubled).convicted("shuffle")


@pytest.mark.parametrize("face", ["Jk", "Mah"])
def test_a_foreign_card(face: str) -> None:
    def foreign(forger: Forger, message: Shuffled, to: int) -> Shuffled:
        deck = deck_of(forger, message)
        round = forger.record.preparing
        assert round is not None and round.joint is not None
        deck[3] = mask_again(round.joint, starting_deck([Card(face)])[0], Scalar(5))
        return replace(message, cards=encode_deck(deck))

    shuffling(foreign).convicted("shuffle")


def test_two_cards_change_places_afterwards() -> None:
    def swapped(forger: Forger, message: Shuffled, to: int) -> Shuffled:
        deck = deck_of(forger, message)
        return replace(message, cards=encode_deck([deck[1], deck[0], *deck[2:]]))

    shuffling(swapped).convicted("shuffle", to_the_end=True)


@attack(
    By.PLAYER,
    "The shuffled deck has too few or too many cards, or something that is not a card.",
    evidence="the cheater, by the signed message itself",
)
@pytest.mark.parametrize("count", [0, 1, 51, 53])
def test_a_deck_of_another_size(count: int) -> None:
    shuffling(lambda forger, m, to: replace(m, cards=(m.cards * 2)[: count * 64])).convicted("shuffle")


def test_a_deck_with_an_encoding_that_is_none() -> None:
    shuffling(lambda forger, m, to: replace(m, cards=b"\xff" * 32 + m.cards[32:])).convicted("shuffle")


def test_a_deck_with_the_identity_in_it() -> None:
    """A card that nobody has masked would be open to all."""
    shuffling(lambda forger, m, to: replace(m, cards=bytes(32) + m.cards[32:])).convicted("shuffle")


def proving(change: Callable[[Forger, bytes, int], bytes]) -> Forger:
    def changed(message: Message, to: int) -> Message:
        if not isinstance(message, ShuffleProof):
            return message
        return replace(message, proof=change(forger, message.proof, to))

    forger = Forger(changed)
    return forger


def test_a_proof_whose_parts_stand_in_another_order() -> None:
    proving(lambda forger, proof, to: proof[32:64] + proof[:32] + proof[64:]).convicted("shuffle")


@pytest.mark.parametrize("size", [0, 32, -32, -1, 1])
def test_a_proof_of_another_size(size: int) -> None:
    proving(lambda forger, proof, to: proof[:size] if size <= 0 else proof + bytes(size)).convicted("shuffle")


def test_a_proof_of_another_seat() -> None:
    def theirs(forger: Forger, proof: bytes, to: int) -> bytes:
        said = forger.record.from_seat(0, "shuffle-proof", 1, 0)
        return said.message.proof if said and isinstance(said.message, ShuffleProof) else bytes(len(proof))

    proving(theirs).convicted("shuffle")


@attack(
    By.PLAYER,
    "A proof from another round, seat or table is used again.",
    evidence="the cheater, by the signed message itself",
)
def test_a_proof_of_another_round() -> None:
    """The proof of the first round's shuffle is sent again for the second."""
    first: list[bytes] = []

    def again(message: Message, to: int) -> Message:
        if isinstance(message, ShuffleProof):
            if message.round == 1:
                first.append(message.proof)
            else:
                return replace(message, proof=first[0])
        return message

    Forger(again, table=TableOptions(pause=0, grace=0, rounds=2)).convicted("shuffle")


ELSEWHERE: dict[str, dict[str, Any]] = {
    "table": {"table": bytes(32)},
    "epoch": {"epoch": 1},
    "round": {"round": 2},
    "deck": {"deck": 1},
    "height": {"step": 1},
    "seat": {"seat": 0},
    "purpose": {"purpose": "remask"},
    "receiver": {"receiver": 0},
    "version": {"version": 2},
}


@pytest.mark.sample
@attack(
    By.PLAYER,
    "A genuine proof is used that was made for another table, epoch, round, deck, time, seat or purpose.",
    evidence="the cheater, by the signed message itself, whose proof does not hold there",
)
@pytest.mark.parametrize("place", ELSEWHERE)
def test_a_proof_that_was_made_for_another_place(place: str) -> None:
    """Of the very same shuffle: only what its context names is another."""

    def made_elsewhere(message: Message, to: int) -> Message:
        round = forger.record.preparing
        if not isinstance(message, ShuffleProof) or round is None or round.chain is None or round.joint is None:
            return message
        context, before = shuffle_context(round, round.chain, CHEATER), round.chain.before(CHEATER)
        seed = forger.table.hand.secrets[message.round].seed
        after, witness = shuffle(context, round.joint, seed, before)
        other = replace(context, **ELSEWHERE[place])
        return replace(message, proof=prove_shuffle(other, round.joint, before, after, witness, stream(1)))

    forger = Forger(made_elsewhere)
    forger.convicted("shuffle")


def test_a_bad_proof_for_one_seat_only() -> None:
    """The one stops; the others must learn why, or they wait for an honest seat for ever."""
    forger = proving(lambda forger, proof, to: bytes(32) + proof[32:] if to == 2 else proof)
    forger.convicted("two-versions", "shuffle")


def other_shuffle(forger: Forger, to: int) -> tuple[Shuffled, ShuffleProof]:
    """A shuffle as good as the first, with its proof."""
    record = forger.record
    round = record.preparing
    assert round is not None and round.chain is not None and round.joint is not None
    chain = round.chain
    before = chain.before(CHEATER)
    context = shuffle_context(round, chain, CHEATER)
    joint = round.joint
    after, witness = shuffle(context, joint, bytes([to]) * 32, before)
    proof = prove_shuffle(context, joint, before, after, witness, stream(to))
    return Shuffled(1, 0, 0, incoming_hash(joint, before), encode_deck(after)), ShuffleProof(1, 0, 0, proof)


def two_decks(message: Message, to: int, forger: Forger) -> Message:
    is_first = isinstance(message, Shuffled | ShuffleProof) and (message.round, message.deck) == (1, 0)
    if to == 2 and is_first and not forger.record.epoch:
        return other_shuffle(forger, to)[isinstance(message, ShuffleProof)]
    return message


@pytest.mark.sample
@attack(
    By.PLAYER,
    "Two players are shown two different decks.",
    "When the next computer builds on one of them: the players’ computers compare before a card is dealt.",
    "the cheater, by the two signed decks",
)
@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("late", [False, True])
def test_two_decks_for_two_seats(seats: int, late: bool) -> None:
    """Both are well shuffled and well proved. The seats behind it shuffle different decks, each rightly: they are not to blame,
    though each one's step is wrong for the others."""
    forger = Forger(
        lambda m, to: two_decks(m, to, forger), seats=seats, link=Link(delay=0.5) if late else None, seed=3 + late
    )
    forger.convicted("two-versions", to_the_end=seats == 4)


def test_a_hash_of_an_incoming_deck_that_nobody_sent() -> None:
    """Not provable: somebody might have shown it. It is not counted, and the seat is awaited."""
    forger = shuffling(lambda forger, m, to: replace(m, before=bytes(32)))
    forger.start()
    forger.stalled()


# --- the seed ---


class OtherSeed(Forger):
    """Shuffles with another seed than it has committed to, and proves that shuffle rightly; at the reveal it shows
    `shown`: the seed that it used, or the one that it had promised."""

    def __init__(self, shows_promise: bool, **other: Any) -> None:
        super().__init__(self.reveal, **other)
        self.shows_promise = shows_promise
        self.promised: RoundSecret | None = None

    def start(self) -> None:
        hand = self.table.hand
        keep = hand.keep

        def kept(round: int, secret: RoundSecret) -> None:
            keep(round, secret)
            self.promised = secret
            hand.secrets[round] = RoundSecret(secret.x, bytes(32))
            self.changed += 1

        with pytest.MonkeyPatch.context() as patch:
            before = type(hand).keep
            patch.setattr(type(hand), "keep", lambda own, *given: kept(*given) if own is hand else before(own, *given))
            super().start()
            self.until(lambda: self.promised is not None)

    def reveal(self, message: Message, to: int) -> Message:
        if isinstance(message, Reveal) and self.shows_promise:
            assert self.promised is not None
            return Reveal(message.round, self.promised.encode())
        return message


@pytest.mark.sample
@attack(
    By.PLAYER,
    "A player shuffles the deck differently from the seed they had committed to.",
    "After the round, when all seeds are revealed and every computer repeats every shuffle.",
    "the cheater, by the signed commitment, deck and seed",
)
@pytest.mark.parametrize("shows_promise", [False, True])
def test_a_shuffle_that_is_not_from_the_committed_seed(shows_promise: bool) -> None:
    """The proof holds, so it is found when the seed is shown: either it is not the promised one, or it explains another deck."""
    forger = OtherSeed(shows_promise)
    forger.start()
    forger.convicted("reveal")
    scored = [event.round for event in forger.tables.clients[0].events if isinstance(event, RoundClosed)]
    assert 1 not in scored, "what it shuffled is not scored"


@pytest.mark.slow
def test_a_revealed_key_that_is_another() -> None:
    def other(message: Message, to: int) -> Message:
        if not isinstance(message, Reveal):
            return message
        secret = RoundSecret.decode(message.secret)
        return Reveal(message.round, RoundSecret(secret.x + Scalar(1), secret.seed).encode())

    Forger(other).convicted("reveal", to_the_end=True)


@pytest.mark.slow
@pytest.mark.parametrize("secret", [bytes(64), b"\xff" * 64])
def test_a_reveal_that_is_none(secret: bytes) -> None:
    Forger(lambda m, to: Reveal(m.round, secret) if isinstance(m, Reveal) else m).convicted("reveal")


@pytest.mark.slow
def test_a_reveal_for_one_seat_only() -> None:
    forger = Forger(lambda m, to: Reveal(m.round, bytes(64)) if isinstance(m, Reveal) and to == 2 else m)
    forger.convicted("reveal", "two-versions")


@pytest.mark.slow
@attack(
    By.PLAYER,
    "A player withholds their key of an abandoned round.",
    "After ten seconds, by everybody; the others then play on without that player.",
    "nobody can prove why; a player who withholds it finishes last",
)
def test_a_reveal_that_never_comes() -> None:
    forger = Forger(lambda m, to: None if isinstance(m, Reveal) else m)
    forger.start()
    forger.until(lambda: forger.record.from_seat(CHEATER, "reveal", 1))
    forger.stalled()
    assert forger.honest_record().scores == (0, 0, 0)


# --- entries that nobody authors ---


@pytest.mark.sample
@pytest.mark.parametrize("phase", ["between", "closing"])
def test_a_vote_for_another_opening_or_closing(phase: str) -> None:
    """Its claim cannot be refuted with what is signed: nothing goes on, and all see who stands against the rest."""

    def other(message: Message, to: int) -> Message:
        if isinstance(message, Vote) and forger.record.phase.value == phase:
            return replace(message, choice=bytes(32))
        return message

    forger = Forger(other)
    forger.start()
    forger.until(lambda: forger.changed)
    forger.stalled()


@pytest.mark.slow
@pytest.mark.parametrize("changed", [{"hash": bytes(32)}, {"step": 1}], ids=["hash", "step"])
def test_another_hash_or_height_of_a_recycled_deck(changed: dict[str, Any]) -> None:
    forger = Forger(
        lambda m, to: replace(m, **changed) if isinstance(m, DeckAgreed) else m,
        options={"recycle": True, "hand": 14, "target": 500},
        seed=3,
    )
    forger.start()
    forger.until(lambda: forger.changed)
    forger.stalled()


@attack(
    By.PLAYER,
    "A shuffle of used cards, or its proof, names a different time from the one at which these cards are shuffled.",
    "Before a card of that deck is dealt.",
    "the cheater, by the signed deck or proof, which says so itself",
)
@pytest.mark.slow
@pytest.mark.parametrize("kind", [Shuffled.kind, ShuffleProof.kind])
def test_a_recycled_deck_that_names_another_height(kind: str) -> None:
    def moved(message: Message, to: int) -> Message:
        if isinstance(message, Shuffled | ShuffleProof) and message.kind == kind and message.deck:
            return replace(message, step=message.step + 1)
        return message

    forger = Forger(moved, options={"recycle": True, "hand": 14, "target": 500}, seed=3)
    forger.start()
    forger.convicted("shuffle")


@pytest.mark.parametrize("kind", [Shuffled.kind, ShuffleProof.kind])
def test_a_first_deck_that_names_a_height(kind: str) -> None:
    def moved(message: Message, to: int) -> Message:
        if isinstance(message, Shuffled | ShuffleProof) and message.kind == kind:
            return replace(message, step=1)
        return message

    Forger(moved).convicted("shuffle")


@pytest.mark.slow
def test_a_recycled_deck_with_a_card_twice() -> None:
    def doubled(message: Message, to: int) -> Message:
        if isinstance(message, Shuffled) and message.deck:
            return replace(message, cards=message.cards[:64] + message.cards[:64] + message.cards[128:])
        return message

    forger = Forger(doubled, options={"recycle": True, "hand": 14, "target": 500}, seed=3)
    forger.start()
    forger.convicted("shuffle")


@attack(
    By.PLAYER,
    "Used cards are reshuffled with two different results for two players.",
    "Before a card of that deck is dealt.",
    "the cheater, by the two signed decks",
)
@pytest.mark.slow
def test_two_recycled_decks_for_two_seats() -> None:
    def two(message: Message, to: int) -> Message:
        if to != 2 or not isinstance(message, Shuffled | ShuffleProof) or not message.deck:
            return message
        recycling = forger.record.now
        if not isinstance(recycling, Recycling):
            return message
        chain, joint = recycling.chain, recycling.round.joint
        before, context = chain.before(CHEATER), shuffle_context(recycling.round, chain, CHEATER)
        after, witness = shuffle(context, joint, bytes(32), before)
        if isinstance(message, Shuffled):
            return replace(message, cards=encode_deck(after))
        return replace(message, proof=prove_shuffle(context, joint, before, after, witness, stream(1)))

    forger = Forger(two, options={"recycle": True, "hand": 14, "target": 500}, seed=3)
    forger.start()
    forger.convicted("two-versions")


@attack(
    By.PLAYER,
    "Somebody chooses the fixed numbers so that they know hidden relations between them.",
    "It does not work: every computer derives them itself.",
)
def test_a_generator_that_is_not_the_groups() -> None:
    """A key on another base proves nothing here: what is proved is y = x G."""

    def based(forger: Forger, key: RoundKey, to: int) -> bytes:
        return replace(key, y=Scalar(3) * (key.y + G)).encode()

    keyed(based).convicted("round-key")
