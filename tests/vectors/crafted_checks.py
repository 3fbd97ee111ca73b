"""Changes of the match files that fail a single check: of a proof, a hash, a form, or of who may go on with whom."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from protocol.dealing.group import Scalar
from protocol.dealing.keys import RoundSecret
from protocol.identity import Identity
from protocol.messages import (
    Echo,
    Evidence,
    Goodbye,
    Lost,
    MoveProposal,
    Nonce,
    RecoveryOpen,
    RecoveryShares,
    Remask,
    Reveal,
    Shares,
    Shuffled,
    Vote,
    Without,
)
from protocol.signed import Signed, decode_signed, sign
from protocol.table.ballot import choice_of
from protocol.table.verify import Follower
from protocol.values import replace
from protocol.wire import MAX_ITEMS, pack, unpack
from tests.table.tables import stream
from tests.vectors.crafted_bounds import damaged, ends_with
from tests.vectors.crafted_matches import FAR, Change, Changing, lapsing

NOTHING = b"\xff" * 32
"""No point and no number."""


def false_reveals(of: Changing) -> list[Change]:
    """A secret that is not the one of the round key; another seed than the one that was committed to; what is no number."""
    said = list(of.of(Reveal))
    at, old = said[0]
    secret = RoundSecret.decode(old.message.secret)  # type: ignore[attr-defined]
    of_round = [place for place, each in said[1:] if each.message.slot == old.message.slot]
    false = (
        RoundSecret(secret.x + Scalar(1), secret.seed).encode(),
        RoundSecret(secret.x, bytes(32)).encode(),
        NOTHING + secret.seed,
    )
    return [ends_with(of, at, of.signed(old, secret=each), *of_round) for each in false]


def another_seed(of: Changing) -> list[Change]:
    """The seat reveals the seed with which it has shuffled, and not the one that it had committed to."""
    at, old = next((at, each) for at, each in of.of(Reveal) if each.seat == 1)
    secret = RoundSecret.decode(old.message.secret)  # type: ignore[attr-defined]
    used = RoundSecret(secret.x, bytes(32)).encode()
    return [ends_with(of, at, of.signed(old, secret=used), *(place for place, _ in of.of(Reveal) if place > at))]


def remasks(of: Changing) -> list[Change]:
    """A re-mask with a false proof; one card short; of what decodes to no cards; with a proof that is too short."""
    at, old = next(of.of(Remask))
    cards, proof = old.message.cards, old.message.proof  # type: ignore[attr-defined]
    false: list[dict[str, Any]] = [
        {"proof": damaged(proof)},
        {"cards": cards[:-64]},
        {"cards": NOTHING + cards[32:]},
        {"proof": proof[:-32]},
    ]
    return [ends_with(of, at, of.signed(old, **each)) for each in false]


def remasks_of_proposals(of: Changing) -> list[Change]:
    """The same in a proposal that draws; and proposals that re-mask or open what they must not."""
    moves = [(at, each, each.message) for at, each in of.of(MoveProposal) if isinstance(each.message, MoveProposal)]
    at, draw, message = next(each for each in moves if each[2].remask and not each[2].opening)
    where, play, _ = next(each for each in moves if each[2].opening and not each[2].remask)
    false: list[dict[str, Any]] = [
        {"remask_proof": damaged(message.remask_proof)},
        {"remask_proof": NOTHING + message.remask_proof[32:]},
        {"remask_proof": message.remask_proof[:-32]},
        {"remask": message.remask[:-64]},
        {"remask": NOTHING + message.remask[32:]},
        {"remask": b"", "remask_proof": b""},
        {"opening": bytes(128)},
    ]
    more: list[dict[str, Any]] = [{"remask": message.remask[:64]}, {"remask_proof": message.remask_proof}]
    changes = [ends_with(of, at, of.signed(draw, **each)) for each in false]
    return changes + [ends_with(of, where, of.signed(play, **each)) for each in more]


def other_hashes(of: Changing) -> list[Change]:
    """A seat echoes another certificate than ours; its shares are for other cards."""
    (at, echo), (where, shares) = next(of.of(Echo)), next(of.of(Shares))
    return [
        {"at": at, "remove": 1, "put": [of.signed(echo, certificate=bytes(32))]},
        {"at": where, "remove": 1, "put": [of.signed(shares, cards=bytes(32))]},
    ]


def published_shares(of: Changing) -> list[Change]:
    """A seat publishes another share of the missing key than the one that was sealed to it; and what is no number."""
    at, old = next(of.of(RecoveryOpen))
    rest = [place for place, _ in of.of(RecoveryOpen) if place > at]
    return [ends_with(of, at, of.signed(old, share=each), *rest) for each in (bytes([1, *bytes(31)]), NOTHING)]


def votes_on_something_else(of: Changing) -> list[Change]:
    """A vote for an opening, and one for a closing, name another certificate than ours, or another state."""
    votes, audited = list(of.of(Vote)), next(at for at, _ in of.of(Reveal))
    closing = next((at, each) for at, each in votes if at > audited)
    found = []
    for at, old in (votes[0], closing):
        for name in ("previous", "state"):
            found.append({"at": at, "remove": 1, "put": [of.signed(old, **{name: bytes(32)})]})
    return found


def another_nonce(of: Changing) -> list[Change]:
    """A seat's nonce is not the one of which the roster has the hash."""
    at, old = next(of.of(Nonce))
    return [ends_with(of, at, of.signed(old, nonce=bytes(32)), *(place for place, _ in of.of(Nonce) if place > at))]


def another_protocol(of: Changing) -> list[Change]:
    """The roster asks for another version of the protocol."""
    whole = unpack(unpack(of.files[0])[1])
    return [ends_with(of, 0, pack(["r", pack({**whole, "protocol": each})]).hex()) for each in (1, 3)]


def long_lists(of: Changing) -> list[Change]:
    """A move names as many cards as an array may have, or one more, so that these bytes are no message."""
    at, old = next(of.of(MoveProposal))
    found = []
    for count in (MAX_ITEMS, MAX_ITEMS + 1):
        move = {**old.message.move, "do": "play", "cards": ["8h"] * count}  # type: ignore[attr-defined]
        found.append(ends_with(of, at, of.signed(old, move=move)))
    return found


def who_signs(of: Changing) -> list[Change]:
    """A promise names somebody as out who stays; in the epoch that this begins, whoever was left out promises to go on."""
    at, old = of.start(), [each for _, each in of.of(Without)]
    stay = old[0].message.stay  # type: ignore[attr-defined]
    gone = next(seat for seat in range(len(of.seating)) if seat not in stay)
    end = 1 + max(at for at, _ in of.of(Without))
    everybody = (0, 1, 2)
    then = replace(old[0].message, number=2, stay=everybody, base=everybody, vote=None)  # type: ignore[call-arg]
    late = of.anew(replace(old[0], seat=gone), (0, old[0].epoch_hash), then)
    return [
        ends_with(of, at, of.signed(old[0], out=((stay[-1], None),), vote=None)),
        ends_with(of, end, late),
    ]


def while_somebody_stands_convicted(of: Changing) -> list[Change]:
    """Before the last vote of a height a seat shows another version of an earlier one: then nothing is certified any more."""
    _, move = next(of.of(MoveProposal))
    last = max(at for at, each in of.of(Vote) if (each.epoch, each.message.slot) == (move.epoch, move.message.slot))
    _, earlier = next(of.of(Vote))
    return [ends_with(of, last, of.signed(earlier, choice=bytes(32)), last)]


def second_nonce_of_a_convict(of: Changing) -> list[Change]:
    """Seat 2 shuffles without the cards that came in; then it shows another nonce, which ends the match all the same."""
    at, old = next((at, each) for at, each in of.of(Shuffled) if each.seat == 2)
    nonce = next(each for _, each in of.of(Nonce) if each.seat == of.seating[2])
    other = of.signed(nonce, nonce=bytes(32))
    return [ends_with(of, at, of.signed(old, cards=b""), *more) for more in ([], [other])]


def shares_of_one_step(of: Changing) -> list[Change]:
    """Of the shares of one step two are wrong. If one seat's are for other cards, nobody is convicted yet; if one seat's are too
    short, that is found before the other's false proof is."""
    (at, one), *others = of.of(Shares)
    same = [(place, each) for place, each in others if each.message.slot == one.message.slot]
    other = same[-1][1]
    between = [place for place, _ in same[:-1]]
    false = {"shares": damaged(one.message.shares)}  # type: ignore[attr-defined]
    short = [{"shares": each.message.shares[:-32]} for each in (one, other)]  # type: ignore[attr-defined]
    strange = {"cards": bytes(32)}
    pairs: list[tuple[dict[str, Any], dict[str, Any]]] = [(false, strange), (short[0], strange), (false, short[1])]
    return [ends_with(of, at, of.signed(one, **a), *between, of.signed(other, **b)) for a, b in pairs]


def splits_of_one_step(of: Changing) -> list[Change]:
    """The first split of a key has a false proof, and the last one is too short, which is found before any proof is."""
    (at, one), *others = [(at, each) for at, each in of.of(RecoveryShares) if each.message.slot[-1] == 1]  # type: ignore[index]
    last = others[-1][1]
    false = damaged(one.message.shares)  # type: ignore[attr-defined]
    short = last.message.shares[:-32]  # type: ignore[attr-defined]
    between = [place for place, _ in others[:-1]]
    return [ends_with(of, at, of.signed(one, shares=false), *between, of.signed(last, shares=short))]


def _certificates(of: Changing, end: int) -> dict[int, bytes]:
    """The certificates of the heights in the file up to this place."""
    follower = Follower(of.files[0], stream(1))
    follower.wants_snapshots = False
    found = dict[int, bytes]()
    for data in of.files[1:end]:
        follower.feed(data)
        found[follower.record.certified_height] = follower.record.previous
    return found


def begun_at_the_third_certificate(of: Changing) -> list[Change]:
    """Seat 1 has signed two votes. As soon as height 3 is open, the others go on from before the first one, though all have voted
    for that; once height 4 is open, they cannot. Nor can they go on from the last but two, as nobody holds the proposal above it
    any more for which all have voted. A message of the epoch comes at the end."""
    votes = [each for _, each in of.of(Vote, MoveProposal) if each.epoch == 0]
    table, old = votes[0].table, [each for _, each in of.of(Without)]
    other = of.signed(next(each for each in votes if each.seat == 1), choice=bytes(32))
    certificates = {0: table, **_certificates(of, next(at for at, _ in of.of(Goodbye)))}
    top = max(certificates)
    found = []
    for opened, height in ((3, 0), (4, 0), (top + 1, top - 2)):
        choices = {each.seat: choice_of(each) for each in votes if each.message.slot == ("vote", height + 1)}
        then = {"height": height, "certificate": certificates[height], "out": ((1, None),)}
        said = [of.signed(each, vote=choices[each.seat], **then) for each in old]
        first = (at for at, each in of.of(Vote, MoveProposal) if each.message.slot == ("vote", opened))
        found.append(ends_with(of, next(first, of.start()), other, *said, of.following(said)))
    return found


def half_of_them(of: Changing) -> list[Change]:
    """Two of four go on by themselves, which is not more than half of them; with three it is."""
    start, old = of.start(), next(each for _, each in of.of(Without))
    found = []
    for stay in ((0, 2), (0, 2, 3)):
        then = replace(old.message, stay=stay, out=(), vote=None)  # type: ignore[call-arg]
        said = [of.anew(replace(old, seat=seat), (old.epoch, old.epoch_hash), then) for seat in stay]
        found.append(ends_with(of, start, *said, of.following(said)))
    return found


def who_comes(of: Changing) -> list[Change]:
    """Seat 1 is empty. Between two rounds those who are present ask somebody to take it, and then whoever has left it for good,
    who may not; in the middle of a round nobody may."""
    at, old = next((at, each) for at, each in of.of(Without) if each.epoch == 1)
    left, new = of.identity_of(of.seating[1]), Identity(bytes(range(32)))
    found = [ends_with(of, at, *_joining(of, old, who)) for who in (new, left)]
    height = max(each.message.height for place, each in of.of(MoveProposal) if place < at)  # type: ignore[attr-defined]
    middle = next(place for place, each in of.of(Vote, MoveProposal) if each.message.slot == ("vote", height))
    then = {"height": height - 1, "certificate": _certificates(of, middle)[height - 1], "vote": None}
    return [*found, ends_with(of, middle, *_joining(of, old, new, **then))]


def evidence_where_a_conviction_has_lapsed(of: Changing) -> list[Change]:
    """As in the first file of `lapsing`; then seat 0 shows two votes of seat 2, whose conviction has lapsed."""
    start, *whole = lapsing(of)[0]["put"]
    vote = next(each for _, each in of.of(Vote) if each.seat == 2)
    other = bytes.fromhex(of.signed(vote, choice=bytes(32)))
    promises = [each for each in map(_read, whole) if isinstance(each.message, Without) and each.message.number == 1]
    shown = Evidence(2, "two-versions", (vote.data, other))
    evidence = of.anew(promises[0], of.epoch_of(sorted(promises, key=lambda each: each.seat)), shown)
    return [ends_with(of, start, start, *whole[:-1], evidence)]


def a_vote_that_was_denied(of: Changing) -> list[Change]:
    """In epoch 1 a vote of epoch 0 comes that its seat has denied when it signed for epoch 1."""
    at, old = 1 + max(at for at, _ in of.of(Without)), next(each for _, each in of.of(Without) if each.seat == 0)
    height = old.message.height + FAR  # type: ignore[attr-defined]
    return [ends_with(of, at, of.anew(old, (0, old.epoch_hash), Vote(height, bytes(32), bytes(32), bytes(32))))]


def a_denied_vote_is_taken_in(of: Changing) -> list[Change]:
    """The same where enough are left: the vote has a place in the file, and waits for no second version. In the other file the
    others then go on without its seat, and a message of their epoch comes."""
    at, old = 1 + max(at for at, _ in of.of(Without)), [each for _, each in of.of(Without)]
    epoch, (convict, *others) = of.epoch_of(old), old
    height = convict.message.height + 2  # type: ignore[attr-defined]
    vote = of.anew(convict, (0, convict.epoch_hash), Vote(height, bytes(32), bytes(32), bytes(32)))
    certificates = _certificates(of, at)
    top, stay = max(certificates), tuple(each.seat for each in others)
    base = (convict.seat, *stay)
    then = Without(2, stay, base, top, certificates[top], None, (), ((convict.seat, None),), ())
    said = [of.anew(each, epoch, then) for each in others]
    return [ends_with(of, at, vote), ends_with(of, at, vote, *said, of.following(said))]


def waiting_when_a_cheat_is_left_out(of: Changing) -> list[Change]:
    """In epoch 1 seat 3 signs two votes, and the others go on without it; a message of their epoch comes. In the other file the
    first of two versions of a message of epoch 0 waits meanwhile for its second one."""
    begun = max(at for at, each in of.of(Without))
    votes = [(at, each) for at, each in of.of(Vote, MoveProposal) if at > begun]
    heights = sorted({each.message.slot[-1] for _, each in votes})  # type: ignore[index, type-var]
    at = next(at for at, each in votes if each.message.slot == ("vote", heights[4]))
    certificate = _certificates(of, at)[heights[3]]  # type: ignore[index]
    false = next(each for place, each in votes if place < at and each.seat == 3 and isinstance(each.message, Vote))
    other = of.signed(false, choice=bytes(32))
    echo = of.anew(false, (0, next(each.epoch_hash for _, each in of.of(Vote))), Echo(FAR, bytes(32)))
    old = next(each for _, each in of.of(Without))
    then = Without(2, (0, 2), (0, 2, 3), heights[3], certificate, None, (), ((3, None),), ())  # type: ignore[arg-type]
    said = [of.anew(replace(old, seat=seat), (1, false.epoch_hash), then) for seat in (0, 2)]
    end = [other, *said, of.following(said)]
    return [ends_with(of, at, *end), ends_with(of, at, echo, *end)]


def what_evidence_does(of: Changing) -> list[Change]:
    """Evidence holds the last vote of a height, which is certified by it, though nobody is convicted; and a goodbye, of which
    nothing is shown if a message of no epoch follows it. The match is over, and a seat shows another version of a vote."""
    move = next(each for _, each in of.of(MoveProposal))
    at, vote = [(at, each) for at, each in of.of(Vote) if each.message.slot == move.message.slot][-1]
    stray = of.anew(vote, (0, bytes(32)), vote.message)
    bye = of.anew(vote, (0, vote.epoch_hash), Goodbye(0, ()))
    shown = [
        Evidence(vote.seat, "two-versions", each)
        for each in ((vote.data,), (bytes.fromhex(bye), bytes.fromhex(stray)), (bytes.fromhex(bye),))
    ]
    found = [ends_with(of, at, of.anew(move, (0, move.epoch_hash), each)) for each in shown]
    last = next(each for _, each in reversed(of.said) if isinstance(each.message, Vote))
    return [*found, ends_with(of, len(of.files), of.signed(last, choice=bytes(32)))]


def a_card_of_another_game(of: Changing) -> list[Change]:
    """A move plays a card of Tichu, which has the form of a move, and which the rules forbid; and what no card is called."""
    at, old = next(of.of(MoveProposal))
    move = {**old.message.move, "do": "play"}  # type: ignore[attr-defined]
    return [ends_with(of, at, of.signed(old, move={**move, "cards": [name]})) for name in ("Mah", "Mahj")]


def nobody_is_left_out(of: Changing) -> list[Change]:
    """All go on from one certificate, and once more; after the second time the round is void, so that a message for the third one
    is near, which it is not after the first time."""
    at, old = of.start(), next(each for _, each in of.of(Without))
    everybody = tuple(range(len(of.seating)))
    then: Any = replace(old.message, stay=everybody, base=everybody, out=(), vote=None, number=1)  # type: ignore[call-arg]
    epoch, put, found = (0, old.epoch_hash), list[str](), []
    for number in (1, 2):
        said = [of.anew(replace(old, seat=seat), epoch, replace(then, number=number)) for seat in everybody]
        put, epoch = [*put, *said], of.epoch_of([_read(each) for each in said])
        found.append(ends_with(of, at, *put, of.anew(replace(old, seat=0), epoch, Lost(3))))
    return found


def in_nobodys_way(of: Changing) -> list[Change]:
    """Somebody has promised, from an epoch that nobody knows, to sit in seat 0, for the number for which its player then signs,
    as seat 1 has signed two votes; the epoch begins all the same, and a message of it comes."""
    at, old, who = of.start(), [each for _, each in of.of(Without)], Identity(bytes(range(32)))
    joining: Any = replace(
        old[0].message, stay=(1, 2), base=(1, 2), number=2, added=((0, who.public, who.public, "New", False),)
    )  # type: ignore[call-arg]
    forged = sign(who, old[0].table, 1, bytes(32), 0, joining).data.hex()
    said = [of.signed(each, number=2, vote=None, out=((1, None),)) for each in old]
    other = of.signed(next(each for _, each in of.of(Vote) if each.seat == 1), choice=bytes(32))
    return [ends_with(of, at, other, forged, *said, of.following(said))]


def _read(data: str) -> Signed:
    return decode_signed(bytes.fromhex(data))


def _joining(of: Changing, old: Signed, who: Identity, **other: Any) -> list[str]:
    """Those who are present in the epoch of this promise ask somebody to take seat 1, who agrees; and a message of that epoch."""
    then: Any = replace(old.message, added=((1, who.public, who.public, "New", False),), **other)  # type: ignore[call-arg]
    said = [of.anew(replace(old, seat=seat), (old.epoch, old.epoch_hash), then) for seat in then.stay]
    joins = sign(who, old.table, old.epoch, old.epoch_hash, 1, then).data.hex()
    return [*said, joins, of.following([*said, joins])]


CHECKS: dict[str, Callable[[Changing], list[Change]]] = {
    "left-by-one-of-two": another_protocol,
    "closed-by-promises": false_reveals,
    "voted-out": lambda of: [
        *another_nonce(of),
        *long_lists(of),
        *who_signs(of),
        *while_somebody_stands_convicted(of),
        *second_nonce_of_a_convict(of),
        *votes_on_something_else(of),
        *a_vote_that_was_denied(of),
        *what_evidence_does(of),
        *a_card_of_another_game(of),
        *in_nobodys_way(of),
    ],
    "false-reveal": another_seed,
    "recycled": remasks,
    "split-votes": lambda of: [*other_hashes(of), *remasks_of_proposals(of)],
    "false-share": shares_of_one_step,
    "complaint": splits_of_one_step,
    "recovered": lambda of: [
        *published_shares(of),
        *begun_at_the_third_certificate(of),
        *half_of_them(of),
        *evidence_where_a_conviction_has_lapsed(of),
        *a_denied_vote_is_taken_in(of),
        *waiting_when_a_cheat_is_left_out(of),
        *nobody_is_left_out(of),
    ],
    "taken-by-a-newcomer": who_comes,
}
