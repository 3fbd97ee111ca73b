"""Changes of the match files that reach the bounds of single rules: on this side of a bound, or just beyond it."""

from __future__ import annotations

from collections.abc import Callable

from protocol.dealing.group import Scalar
from protocol.dealing.hashing import Rng
from protocol.dealing.keys import RoundKey, make_round_key
from protocol.dealing.recovery import encode_split, split
from protocol.identity import Identity
from protocol.messages import (
    Complaint,
    DeckAgreed,
    Goodbye,
    Lost,
    MoveProposal,
    Nonce,
    Prepare,
    RecoveryShares,
    Shuffled,
    ShuffleProof,
    Vote,
    Without,
)
from protocol.signed import Signed
from protocol.table.epochs import FURTHEST
from protocol.table.phases.entrusting import SPLIT_PURPOSE
from protocol.table.round import RoundId, key_context
from protocol.values import replace
from protocol.wire import pack, unpack
from tests.table.tables import stream
from tests.vectors.crafted_matches import Change, Changing

KINDS_OF_A_DECK = (Shuffled, ShuffleProof, DeckAgreed)


def ends_with(of: Changing, at: int, *put: int | str) -> Change:
    """The file stops at this place, and ends with these messages."""
    return {"at": at, "remove": len(of.files) - at, "put": [*put]}


def damaged(proof: bytes) -> bytes:
    """A proof whose last number is another one."""
    return proof[:-32] + bytes([proof[-32] ^ 1]) + proof[-31:]


def rosters(of: Changing) -> list[Change]:
    """Rosters that no table could have."""
    whole = unpack(unpack(of.files[0])[1])
    first, *others = whole["members"]
    keys = (Identity(stream(seed)(32)).public for seed in (1, 2))
    more = [{**first, "key": key, "keeper": key} for key in keys]
    changed = [
        {**whole, "members": [{**first, "keeper": bytes([1, *bytes(31)])}, *others]},
        {**whole, "table": {**whole["table"], "rounds": 10_001}},
        {**whole, "options": {**whole["options"], "reverse": "9", "skip": "9"}},
        {**whole, "options": {**whole["options"], "hand": 13}, "members": [first, *others, *more]},
    ]
    return [ends_with(of, 0, pack(["r", pack(each)]).hex()) for each in changed]


def more_cards_than_fit_a_deck(of: Changing) -> list[Change]:
    """Four packs with four jokers each are 224 cards."""
    whole = unpack(unpack(of.files[0])[1])
    options = {**whole["options"], "jokers": 4, "decks": 4}
    return [ends_with(of, 0, pack(["r", pack({**whole, "options": options})]).hex())]


def rounds_that_are_near(of: Changing) -> list[Change]:
    """In the first round a message for the second one is held, and one for the third is not."""
    at, old = next((at, each) for at, each in of.of(Vote) if each.seat == 1)
    epoch = (old.epoch, old.epoch_hash)
    return [ends_with(of, at + 1, of.anew(old, epoch, Lost(number))) for number in (2, 3)]


def promises(of: Changing) -> list[Change]:
    """Who is out is named twice; the number is as far above the epoch's as it may be, or further; the seats that were there
    before are not those that were; an earlier promise is named, or one with keepers that it has not; a seat is out because it was
    convicted, which nobody shows; and a goodbye has a lower number than one of its attempts."""
    at, old = of.start(), [each for _, each in of.of(Without)]
    first = replace(old[0].message, vote=None)  # type: ignore[call-arg]
    gone = next(seat for seat in range(3) if seat not in first.stay)  # type: ignore[attr-defined]
    epoch = (old[0].epoch, old[0].epoch_hash)
    one = [
        {"out": ((gone, None), (gone, bytes(32)))},
        {"number": FURTHEST},
        {"number": FURTHEST + 1},
        {"base": old[0].message.stay},  # type: ignore[attr-defined]
    ]
    found = [ends_with(of, at, of.anew(old[0], epoch, replace(first, **more))) for more in one]  # type: ignore[arg-type]
    stay = old[0].message.stay  # type: ignore[attr-defined]
    earlier = of.anew(old[0], epoch, replace(first, number=2))  # type: ignore[call-arg]
    for keepers in ((), (bytes(32),)):
        then = replace(first, number=3, attempts=((2, stay, keepers),))  # type: ignore[call-arg]
        found.append(ends_with(of, at, earlier, of.anew(old[0], epoch, then)))
    said = [of.signed(each, out=((gone, None),), vote=None) for each in old]
    found.append(ends_with(of, at, *said, of.following(said)))
    found.append(ends_with(of, at, of.anew(old[0], epoch, Goodbye(1, ((2, stay, ()),)))))
    return found


def goodbye_below_its_epoch(of: Changing) -> list[Change]:
    """A goodbye names the epoch that it is said in, or a lower one."""
    at, old = next((at, each) for at, each in of.of(Vote) if each.epoch == 1)
    epoch, found = (old.epoch, old.epoch_hash), []
    for number in (1, 0):
        found.append(ends_with(of, at, of.anew(old, epoch, Goodbye(number, ((1, (0, 1), ()),) if number else ()))))
    return found


def second_nonces(of: Changing) -> list[Change]:
    """Seat 1 sends another nonce when the seats are drawn and nothing is certified, which ends the match; and later."""
    old = [(at, each) for at, each in of.of(Nonce)]
    other = of.signed(old[1][1], nonce=bytes(32))
    votes = [at for at, each in of.of(Vote) if isinstance(each.message, Vote) and each.message.height == 1]
    return [ends_with(of, at + 1, other) for at in (old[-1][0], votes[-1])]


def moves_where_none_can_be(of: Changing) -> list[Change]:
    """A move is proposed at an opening; and at a closing."""
    found = []
    votes = [(at, each) for at, each in of.of(Vote)]
    for at, old in (votes[0], votes[-1]):
        message = old.message
        assert isinstance(message, Vote)
        move = MoveProposal(message.height, message.previous, message.state, {"do": "draw"}, (), b"", b"", b"")
        found.append(ends_with(of, at, of.anew(old, (old.epoch, old.epoch_hash), move)))
    return found


def _with_secret(x: Scalar) -> Rng:
    """Draws this number first."""
    rest, first = stream(7), [x.encode() + bytes(32)]
    return lambda count: first.pop() if first else rest(count)


def round_keys(of: Changing) -> list[Change]:
    """Two seats have the same round key; the keys of all cancel out."""
    old = [(at, each) for at, each in of.of(Prepare) if each.message == replace(each.message, round=1)][:3]  # type: ignore[call-arg]
    found = []
    one = Scalar.random(stream(8))
    for secrets in ((one, one), (one, one + one, -(one + one + one))):
        put = []
        for (_, each), x in zip(old, secrets, strict=False):
            context = key_context(RoundId(each.table, 0, 1, (0, 1, 2)), each.seat)
            _, key = make_round_key(context, of.identity_of(of.seating[each.seat]).public, _with_secret(x))
            put.append(of.signed(each, key=key.encode()))
        found.append(ends_with(of, old[0][0], *put, *(at for at, _ in old[len(put) :])))
    return found


def recycled(of: Changing) -> list[Change]:
    """Seat 0 names another step in its shuffle of a recycled deck; in its proof; when it agrees. The proof is false."""
    deck = {kind: [(at, each) for at, each in of.of(kind) if each.message.deck == 1] for kind in KINDS_OF_A_DECK}  # type: ignore[attr-defined]
    (shuffle, one), (proof, two), (agreed, three) = (said[0] for said in deck.values())
    others = [at for at, _ in deck[ShuffleProof][1:]]
    step, false = three.message.step, damaged(two.message.proof)  # type: ignore[attr-defined]
    return [
        ends_with(of, shuffle, of.signed(one, step=step + 1)),
        ends_with(of, proof, of.signed(two, step=step + 1), *others),
        ends_with(of, proof, of.signed(two, proof=false), *others),
        {"at": agreed, "remove": 1, "put": [of.signed(three, step=step + 1)]},
    ]


def proposals(of: Changing) -> list[Change]:
    """The same card is laid out twice; a wish of four letters; an opening that does not decode, and one whose proof is false."""
    moves = [(at, each, each.message) for at, each in of.of(MoveProposal) if isinstance(each.message, MoveProposal)]
    at, give, message = next(each for each in moves if each[2].move["do"] == "give")
    where, play, played = next(each for each in moves if each[2].move["do"] == "play")
    first, second, *_ = message.places
    return [
        ends_with(of, at, of.signed(give, places=(first, first, second))),
        ends_with(of, where, of.signed(play, move={**played.move, "wish": "abcd"})),
        ends_with(of, where, of.signed(play, opening=b"\xff" * 32 + played.opening[32:])),
        ends_with(of, where, of.signed(play, opening=damaged(played.opening))),
    ]


def splits_and_complaints(of: Changing) -> list[Change]:
    """A split of the key has a false proof, or is one of another key; a complaint has one, or means another split."""
    shares = [(at, each) for at, each in of.of(RecoveryShares)][:3]
    where, old = shares[1]
    keys = {each.seat: RoundKey.decode(each.message.key).y for _, each in of.of(Prepare) if each.message.round == 1}  # type: ignore[attr-defined]
    others = {seat: y for seat, y in keys.items() if seat != old.seat}
    context = RoundId(old.table, 0, 1, tuple(sorted(keys))).context(0, old.seat, SPLIT_PURPOSE)
    sealed = encode_split(split(context, Scalar.random(stream(9)), others, stream(10)))
    false = damaged(old.message.shares)  # type: ignore[attr-defined]
    found = [ends_with(of, where, of.signed(old, shares=each), shares[2][0]) for each in (false, sealed)]
    at, said = next(of.of(Complaint))
    before = range(at + 1, shares[-1][0] + 1)
    opening = damaged(said.message.opening)  # type: ignore[attr-defined]
    return [
        *found,
        *(ends_with(of, at, *before, of.signed(said, **each)) for each in ({"opening": opening}, {"split": bytes(32)})),
    ]


def keys_of_the_next_round(of: Changing) -> list[Change]:
    """While a round is played, keys of the next one come, which are none. They convict only if there will be a next one."""
    first: dict[int, Signed] = {}
    for _, each in of.of(Vote):
        first.setdefault(each.seat, each)
    at = next(at for at, each in of.of(MoveProposal))
    put = [of.anew(each, (0, each.epoch_hash), Prepare(2, bytes(160))) for _, each in sorted(first.items())]
    return [ends_with(of, at, *put)]


BOUNDS: dict[str, Callable[[Changing], list[Change]]] = {
    "left-by-one-of-two": lambda of: [*rosters(of), *rounds_that_are_near(of)],
    "left-with-a-bot": more_cards_than_fit_a_deck,
    "voted-out": lambda of: [
        *promises(of),
        *second_nonces(of),
        *moves_where_none_can_be(of),
        *round_keys(of),
    ],
    "recovered-twice": goodbye_below_its_epoch,
    "recycled": recycled,
    "laid-out": proposals,
    "complaint": splits_and_complaints,
    "split-votes": keys_of_the_next_round,
    "two-rounds-by-lot": keys_of_the_next_round,
}
