"""Before cards are dealt: sealing the table, round keys, and a deck's way round the seats. (PROTOCOL.md, "Preparing a round".)"""

from __future__ import annotations

from protocol.cards import Card, Seat
from protocol.dealing.context import Context
from protocol.dealing.elgamal import Deck, decode_deck, encode_deck, starting_deck
from protocol.dealing.keys import RoundKey, joint_key, verify_round_key
from protocol.dealing.shuffle import BadShuffle, ShuffleStatement, proof_size, verify_shuffles
from protocol.errors import BadMessage, BadProof, FairdealError
from protocol.hashing import digest
from protocol.messages import Nonce, Prepare, Shuffled, ShuffleProof
from protocol.table.events import Sealed
from protocol.table.record import Phase, Record
from protocol.table.roster import draw_dealer, draw_seating, nonce_hash, table_seed, table_words
from protocol.table.round import Chain, Round

KEY_PURPOSE = "round-key"
SHUFFLE_PURPOSE = "shuffle"


def advance_sealing(record: Record) -> bool:
    """All have signed the roster and shown their nonces: the seed is drawn."""
    if record.phase is not Phase.SEALING:
        return False
    seals, nonces = record.from_all("seal"), record.from_all("nonce")
    if seals is None or nonces is None:
        return False
    shown: list[bytes] = []
    for signed, member in zip(nonces, record.roster.members, strict=True):
        assert isinstance(signed.message, Nonce)
        if nonce_hash(signed.message.nonce) != member.nonce_hash:
            record.convict(signed.seat, "nonce", BadMessage("a nonce does not match its hash in the roster"), signed)
            return True
        shown.append(signed.message.nonce)
    record.open_transcript()
    for index, signed in enumerate((*seals, *nonces)):
        record.keep((index,), signed)
    record.emit()
    record.seed = table_seed(record.table, shown)
    record.words = table_words(record.seed)
    record.seating = draw_seating(record.roster, record.seed)
    record.dealer = draw_dealer(record.roster, record.seed)
    record.preparing = Round(1)
    record.phase = Phase.BETWEEN
    record.state_hash = digest("state", record.seed)
    record.events.append(Sealed(record.words, record.seating))
    return True


def advance_preparation(record: Record) -> bool:
    """Keys, then the first deck's chain, of the round that comes next."""
    round = record.preparing
    if round is None or round.is_prepared or record.phase is Phase.BROKEN:
        return False
    if round.joint is None:
        return _take_keys(record, round)
    chain = round.chains[0]
    if advance_chain(record, round, chain):
        return True
    if chain.is_proven:
        round.is_prepared = True
        return True
    return False


def key_context(record: Record, round: int, seat: Seat) -> Context:
    """The context of a seat's round key."""
    return record.context(round, 0, seat, KEY_PURPOSE)


def _take_keys(record: Record, round: Round) -> bool:
    said = record.from_all("prepare", round.number)
    if said is None:
        return False
    keys: dict[Seat, RoundKey] = {}
    for signed in said:
        assert isinstance(signed.message, Prepare)
        try:
            key = RoundKey.decode(signed.message.key)
            verify_round_key(key_context(record, round.number, signed.seat), record.key(signed.seat), key)
            for other, theirs in keys.items():
                if theirs.y == key.y:
                    raise BadProof("a round key is a copy of seat {seat}'s", seat=other)
        except BadMessage as fault:
            record.convict(signed.seat, "round-key", fault, signed)
            return True
        keys[signed.seat] = key
    round.keys = keys
    try:
        round.joint = joint_key([keys[seat] for seat in record.present])
    except BadProof as fault:  # a vanishing sum: all of them together made it, and the last completed it
        record.convict(said[-1].seat, "round-key", fault, said[-1])
        return True
    round.chains.append(new_chain(record, round, 0, 0, record.game.deck))
    return True


def new_chain(record: Record, round: Round, deck: int, step: int, faces: tuple[Card, ...]) -> Chain:
    """A deck of known faces before anyone has shuffled it."""
    return Chain(round.number, deck, step, faces, starting_deck(faces), record.present)


def advance_chain(record: Record, round: Round, chain: Chain) -> bool:
    """The next seat's deck or, when all are there, their proofs."""
    if chain.is_proven:
        return False
    seat = chain.turn
    if seat is not None:
        signed = record.from_seat(seat, "shuffled", chain.round, chain.deck)
        if signed is None:
            return False
        assert isinstance(signed.message, Shuffled)
        if signed.message.before != incoming_hash(round, chain.top):
            record.quarrel.add(seat)  # it, we or a seat before were shown something else
            return False
        try:
            chain.decks.append(decode_deck(signed.message.cards, len(chain.faces)))
        except BadMessage as fault:
            record.convict(seat, "shuffle", fault, signed)
        return True
    return _check_chain(record, round, chain)


def shuffle_context(record: Record, chain: Chain, seat: Seat) -> Context:
    """What a seat's step of a chain is bound to."""
    return record.context(chain.round, chain.step, seat, SHUFFLE_PURPOSE, deck=chain.deck)


def chain_statements(record: Record, chain: Chain, proofs: list[bytes]) -> list[ShuffleStatement]:
    """What all proofs of a chain claim."""
    return [
        ShuffleStatement(
            shuffle_context(record, chain, seat),
            chain.before(index),
            chain.decks[index],
            proofs[index],
        )
        for index, seat in enumerate(chain.order)
    ]


def _check_chain(record: Record, round: Round, chain: Chain) -> bool:
    said = record.from_seats(chain.order, "shuffle-proof", chain.round, chain.deck)
    if said is None:
        return False
    proofs: list[bytes] = []
    for signed in said:
        assert isinstance(signed.message, ShuffleProof)
        if len(signed.message.proof) != proof_size(len(chain.faces)):
            record.convict(signed.seat, "shuffle", BadProof("a shuffle proof has the wrong length"), signed)
            return True
        proofs.append(signed.message.proof)
    result = record.job(
        ("chain", chain.round, chain.deck),
        lambda: verify_shuffles(round.common_key(), chain_statements(record, chain, proofs), record.rng),
        weight=5 * len(chain.faces) * len(chain.order),
        urgent=chain.deck > 0 or record.phase is Phase.BETWEEN,
        trusted=record.is_trusted_chain(chain.round, chain.deck, chain.step),
    )
    if result is None:
        return False
    if result.fault is not None:
        index = result.fault.index if isinstance(result.fault, BadShuffle) else 0
        _convict_step(record, chain, index, result.fault)
        return True
    chain.proofs = proofs
    chain.is_proven = True
    record.proof_checks["shuffles"] += len(proofs)
    return True


def _convict_step(record: Record, chain: Chain, index: int, fault: FairdealError) -> None:
    seat = chain.order[index]
    deck = record.from_seat(seat, "shuffled", chain.round, chain.deck)
    proof = record.from_seat(seat, "shuffle-proof", chain.round, chain.deck)
    assert deck is not None and proof is not None
    record.convict(seat, "shuffle", fault, deck, proof)


def incoming_hash(round: Round, before: Deck) -> bytes:
    """What a seat's step starts from: without it nobody could tell whose fault a step is that does not fit."""
    return digest("incoming", round.common_key().encode(), encode_deck(before))


def chain_hash(chain: Chain) -> bytes:
    """What the seats agree on when a recycled deck is done."""
    return digest("deck", encode_deck(chain.top))


def preparation_hash(record: Record, round: Round) -> bytes:
    """What the opening entry holds: all keys, commitments and the final deck."""
    keys = [round.keys[seat].encode() for seat in record.present]
    return digest("preparation", *keys, encode_deck(round.chains[0].top))


def keep_preparation(record: Record, round: Round) -> None:
    """The round's opening is committed: its preparation goes into the transcript before it."""
    for order, kind in enumerate(("prepare", "shuffled", "shuffle-proof")):
        for seat in record.present:
            slot = (kind, round.number) if kind == "prepare" else (kind, round.number, 0)
            signed = record.from_seat(seat, *slot)
            assert signed is not None
            record.keep((-3 + order, seat), signed)
