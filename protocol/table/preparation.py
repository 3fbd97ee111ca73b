"""Prepare a round: exchange round keys, and shuffle the deck at every seat. (PROTOCOL.md, "Preparing a round".)"""

from __future__ import annotations

from collections.abc import Sequence

from protocol.cards import Card, Seat
from protocol.dealing.elgamal import Deck, decode_deck, encode_deck, starting_deck
from protocol.dealing.group import Point
from protocol.dealing.keys import RoundKey, joint_key, make_round_key, verify_round_key
from protocol.dealing.shuffle import BadShuffle, ShuffleStatement, prove_shuffle, shuffle, verify_shuffles
from protocol.errors import BadMessage, BadProof
from protocol.hashing import digest
from protocol.messages import Message, Prepare, Shuffled, ShuffleProof
from protocol.table.ledger import Convicted, Ledger
from protocol.table.own import Own
from protocol.table.round import Chain, Preparation, Round, RoundId, key_context, shuffle_context
from protocol.table.work import Urgency, expand
from protocol.values import replace

NO_PROOF = b"\0"
"""Stands for a proof of another step. No proof has this length."""


def incoming_hash(joint: Point, before: Deck) -> bytes:
    """Return the hash of the deck that a seat's step starts from. It shows whose fault a step is that does not match."""
    return digest("incoming", joint.encode(), encode_deck(before))


def chain_hash(chain: Chain) -> bytes:
    """Return the hash on which the seats agree when a recycled deck is done."""
    return digest("deck", encode_deck(chain.top))


def preparation_hash(round: Preparation) -> bytes:
    """Return the hash of all keys, commitments and the final deck, for the opening entry."""
    assert round.chain is not None
    keys = [round.keys[seat].encode() for seat in round.holders]
    return digest("preparation", *keys, encode_deck(round.chain.top))


def new_chain(
    round: RoundId, epoch: int, order: tuple[Seat, ...], deck: int, step: int, faces: tuple[Card, ...]
) -> Chain:
    """Return a deck of known faces before anyone has shuffled it. `epoch`: the one in which it is shuffled."""
    return Chain(round.number, epoch, deck, step, faces, starting_deck(faces), order)


# --- the next step ---


def prepared(round: Preparation, keys: Sequence[bytes], ledger: Ledger, is_awaited: bool) -> Preparation | None:
    """Return a preparation after its next step; None if something is missing.

    `keys`: the public keys of the holders. `is_awaited`: whether people wait for it.
    """
    if round.is_done:
        return None
    if round.joint is None or round.chain is None:
        return _with_keys(round, keys, ledger)
    chain = advanced_chain(round, round.joint, round.chain, ledger, is_awaited)
    return None if chain is None else replace(round, chain=chain)


def _with_keys(round: Preparation, owners: Sequence[bytes], ledger: Ledger) -> Preparation | None:
    said = ledger.store.get_all(round.holders, round.epoch, "prepare", round.number)
    if said is None:
        return None
    keys: dict[Seat, RoundKey] = {}
    for signed, owner in zip(said, owners, strict=True):
        assert isinstance(signed.message, Prepare)
        try:
            key = RoundKey.decode(signed.message.key)
            if not ledger.is_own(signed):
                verify_round_key(key_context(round, signed.seat), owner, key)
            for other, theirs in keys.items():
                if theirs.y == key.y:
                    raise BadProof("a round key was copied from another seat ({seat})", seat=other)
        except BadMessage as fault:
            raise Convicted(signed.seat, "round-key", fault, signed) from fault
        keys[signed.seat] = key
    try:
        joint = joint_key([keys[seat] for seat in round.holders])
    except BadProof as fault:  # the keys add up to the identity; the last one completed that sum
        raise Convicted(said[-1].seat, "round-key", fault, said[-1]) from fault
    return replace(
        round, keys=keys, joint=joint, chain=new_chain(round, round.epoch, round.holders, 0, 0, ledger.game.deck)
    )


def advanced_chain(round: RoundId, joint: Point, chain: Chain, ledger: Ledger, is_awaited: bool) -> Chain | None:
    """Return a chain with the next seat's deck or, when all are there, with their proofs; None if one is missing."""
    seat = chain.turn
    if seat is None:
        return None if chain.is_proven else _checked_chain(round, joint, chain, ledger, is_awaited)
    signed = ledger.store.get(seat, chain.epoch, "shuffled", chain.round, chain.deck)
    if signed is None:
        return None
    assert isinstance(signed.message, Shuffled)
    if signed.message.before != incoming_hash(joint, chain.top):
        ledger.disputed.add(seat)  # some seat was shown a different deck
        return None
    if signed.message.step != chain.step:
        raise Convicted(seat, "shuffle", BadMessage("a shuffle of cards that are recycled at another height"), signed)
    try:
        deck = decode_deck(signed.message.cards, len(chain.faces))
    except BadMessage as fault:
        raise Convicted(seat, "shuffle", fault, signed) from fault
    return replace(chain, decks=(*chain.decks, deck))


def chain_statements(round: RoundId, chain: Chain, proofs: Sequence[bytes]) -> list[ShuffleStatement]:
    """Return the statements that a chain's proofs prove."""
    return [
        ShuffleStatement(shuffle_context(round, chain, seat), chain.before(index), chain.decks[index], proofs[index])
        for index, seat in enumerate(chain.order)
    ]


def _checked_chain(round: RoundId, joint: Point, chain: Chain, ledger: Ledger, is_awaited: bool) -> Chain | None:
    said = ledger.store.get_all(chain.order, chain.epoch, "shuffle-proof", chain.round, chain.deck)
    if said is None:
        return None
    proofs: list[bytes] = []
    for signed in said:
        assert isinstance(signed.message, ShuffleProof)
        proofs.append(signed.message.proof if signed.message.step == chain.step else NO_PROOF)
    made = chain_statements(round, chain, proofs)
    checked = [index for index, signed in enumerate(said) if not ledger.is_own(signed)]
    result = ledger.desk.ask(
        ("chain", chain.round, chain.deck),
        lambda: verify_shuffles(joint, [made[index] for index in checked], ledger.rng),
        weight=5 * len(chain.faces) * len(checked),
        urgency=_urgency(is_awaited),
        trusted=not checked or ledger.trust.covers_chain(chain.round, chain.deck, chain.step),
    )
    if result is None:
        return None
    if result.fault is not None:
        fault = result.fault
        wrong = [checked[i] for i in ((fault.index, *fault.others) if isinstance(fault, BadShuffle) else (0,))]
        steps = ledger.store.get_all(chain.order, chain.epoch, "shuffled", chain.round, chain.deck) or said
        rest = tuple(Convicted(chain.order[i], "shuffle", fault, steps[i], said[i]) for i in wrong[1:])
        raise Convicted(chain.order[wrong[0]], "shuffle", fault, steps[wrong[0]], said[wrong[0]], others=rest)
    ledger.counts["shuffles"] += len(proofs)
    return replace(chain, proofs=tuple(proofs))


def keep_preparation(round: Preparation, ledger: Ledger) -> None:
    """Put a round's preparation into the transcript, before the votes that opened the round."""
    for order, kind in enumerate(("prepare", "shuffled", "shuffle-proof")):
        slot = (kind, round.number) if kind == "prepare" else (kind, round.number, 0)
        for signed in ledger.store.get_all(round.holders, round.epoch, *slot) or []:
            ledger.keep((-3 + order, signed.seat), signed)


def _urgency(is_awaited: bool) -> Urgency:
    return Urgency.NOW if is_awaited else Urgency.LATER


# --- what a seat owes ---


def say_preparation(round: Preparation, ledger: Ledger, own: Own, is_awaited: bool) -> Message | None:
    """Return our next message for a round in preparation: our key, our step of the chain, or its proof."""
    if round.is_done or own.seat not in round.holders:
        return None
    if ledger.store.get(own.seat, round.epoch, "prepare", round.number) is None:
        secret, key = make_round_key(key_context(round, own.seat), own.key, own.rng)
        own.hand.keep(round.number, secret)
        return Prepare(round.number, key.encode())
    if round.joint is None or round.chain is None:
        return None
    return say_step(round, round.joint, round.chain, ledger, own, is_awaited)


def say_step(round: RoundId, joint: Point, chain: Chain, ledger: Ledger, own: Own, is_awaited: bool) -> Message | None:
    """Return our step of a chain or, when it is sent, its proof."""
    seat, secret = own.seat, own.hand.secrets.get(round.number)
    if seat not in chain.order or chain.is_proven or secret is None:
        return None
    index = chain.order.index(seat)
    name, context = ("own", chain.round, chain.deck), shuffle_context(round, chain, seat)
    half = (*name, "half")
    if len(chain.decks) < index:
        if is_awaited:
            own.ahead.ask_proof(half, context, chain.epoch, secret, len(chain.faces))
        return None
    if ledger.store.get(seat, chain.epoch, "shuffle-proof", chain.round, chain.deck) is not None:
        return None
    before = chain.before(index)
    made = ledger.desk.ask(
        (*name, "shuffle"), lambda: shuffle(context, joint, secret.seed, before), 2 * len(before), _urgency(is_awaited)
    )
    if made is None:
        return None
    after, witness = made.value
    if ledger.store.get(seat, chain.epoch, "shuffled", chain.round, chain.deck) is None:
        return Shuffled(chain.round, chain.deck, chain.step, incoming_hash(joint, before), encode_deck(after))
    if not own.ahead.may_begin(half):
        return None
    seed, made_ahead = own.seed_for((*name, "proof")), own.ahead.proof(half)
    proved = ledger.desk.ask(
        (*name, "proof"),
        lambda: prove_shuffle(context, joint, before, after, witness, expand(seed), made_ahead),
        7 * len(before),
        _urgency(is_awaited),
    )
    return None if proved is None else ShuffleProof(chain.round, chain.deck, chain.step, proved.value)


# --- whom it waits for ---


def preparation_owing(round: Preparation, ledger: Ledger) -> set[Seat]:
    """Return the seats that a preparation waits for."""
    if round.chain is None:
        return ledger.store.silent(round.holders, round.epoch, "prepare", round.number)
    return chain_owing(round, round.chain, ledger)


def chain_owing(round: Preparation | Round, chain: Chain, ledger: Ledger) -> set[Seat]:
    """Return the seats that a chain waits for."""
    if chain.turn is not None:
        return {chain.turn}
    return ledger.store.silent(chain.order, chain.epoch, "shuffle-proof", chain.round, chain.deck)
