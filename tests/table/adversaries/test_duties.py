"""Cheats with what an entry demands: shares and re-masked hands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from protocol.dealing.elgamal import MaskedCard, encode_deck
from protocol.dealing.group import Point
from protocol.dealing.shares import ProvenShares, prove_shares
from protocol.dealing.shuffle import prove_shuffle, remask_hand
from protocol.messages import Message, Remask, Shares
from protocol.table.phases.settling import remask_purpose, share_context, share_plan
from protocol.values import replace
from tests.adversaries.declared import By, attack
from tests.table.adversaries.forger import CHEATER, Forger
from tests.table.tables import giving, stream

pytestmark = pytest.mark.usefixtures("toy")

TICHU: dict[str, Any] = {"game": "tichu", "seats": 4, "options": {}}


def sharing(change: Callable[[ProvenShares, Forger, Shares], bytes], to_seat: int | None = None) -> Forger:
    """Changes the shares that the cheater gives in the deal."""

    def changed(message: Message, to: int) -> Message:
        if not isinstance(message, Shares) or (to_seat is not None and to != to_seat):
            return message
        count = len(message.shares) // 32 - 3
        return replace(message, shares=change(ProvenShares.decode(message.shares, count), forger, message))

    forger = Forger(changed)
    return forger


def dealt_cards(forger: Forger, message: Shares) -> list[MaskedCard]:
    settling = giving(forger.record)
    assert settling is not None
    return [place.card for place in share_plan(settling, message.take)[CHEATER]]


def reproved(
    forger: Forger, message: Shares, cards: list[MaskedCard], height: int = 0, seat: int = CHEATER
) -> ProvenShares:
    """A good proof of the cheater's for whatever cards, in the context of this message or of another."""
    record, settling = forger.record, giving(forger.record)
    assert settling is not None and record.round is not None
    context = share_context(settling, seat, message.take)
    secret = forger.table.hand.secret(record.round)
    if height:
        context = replace(context, step=height)
    return prove_shares(context, secret.x, record.round.keys[CHEATER].y, cards, stream(4))


@attack(
    By.PLAYER,
    "A player gives a wrong share of a card’s key, so that somebody gets no card or a wrong one.",
    evidence="the cheater, by the signed message itself, whose proof is false",
)
def test_a_wrong_share() -> None:
    def wrong(shares: ProvenShares, forger: Forger, message: Shares) -> bytes:
        first = shares.points[0]
        return replace(shares, points=(first + first, *shares.points[1:])).encode()

    sharing(wrong).convicted("share")


@attack(
    By.PLAYER,
    "Two shares swap places, or two errors cancel each other out.",
    evidence="the cheater, by the signed message itself, whose proof is false",
)
def test_a_swapped_pair_of_shares() -> None:
    """The sum of the batch is the same: the hashed weights tell them apart."""

    def swapped(shares: ProvenShares, forger: Forger, message: Shares) -> bytes:
        one, two, *rest = shares.points
        return replace(shares, points=(two, one, *rest)).encode()

    sharing(swapped).convicted("share", to_the_end=True)


def test_shares_that_are_wrong_by_amounts_that_cancel() -> None:
    def shifted(shares: ProvenShares, forger: Forger, message: Shares) -> bytes:
        one, two, *rest = shares.points
        return replace(shares, points=(one + rest[0], two - rest[0], *rest)).encode()

    sharing(shifted).convicted("share")


def test_a_share_for_another_slot() -> None:
    """Rightly proved shares, of one card that was not asked for."""

    def other(shares: ProvenShares, forger: Forger, message: Shares) -> bytes:
        cards = dealt_cards(forger, message)
        assert forger.record.round is not None
        return reproved(forger, message, [forger.record.round.stock[-1].card, *cards[1:]]).encode()

    sharing(other).convicted("share")


def test_shares_of_an_earlier_height() -> None:
    def old(shares: ProvenShares, forger: Forger, message: Shares) -> bytes:
        return reproved(forger, message, dealt_cards(forger, message), height=message.height + 7).encode()

    sharing(old).convicted("share")


def test_shares_proved_as_another_seat() -> None:
    def theirs(shares: ProvenShares, forger: Forger, message: Shares) -> bytes:
        return reproved(forger, message, dealt_cards(forger, message), seat=0).encode()

    sharing(theirs).convicted("share")


@pytest.mark.parametrize("part", range(3), ids=["U", "V", "s"])
def test_a_share_proof_with_a_wrong_part(part: int) -> None:
    def spoilt(shares: ProvenShares, forger: Forger, message: Shares) -> bytes:
        data = shares.encode()
        at = len(data) - 32 * (3 - part)
        other = reproved(forger, message, dealt_cards(forger, message)[:1]).encode()
        return data[:at] + other[len(other) - 32 * (3 - part) :][:32] + data[at + 32 :]

    sharing(spoilt).convicted("share")


@pytest.mark.sample
@pytest.mark.parametrize(
    "change",
    [lambda d: b"", lambda d: d[:-32], lambda d: d[32:], lambda d: d + bytes(32), lambda d: b"\xff" * 32 + d[32:]],
)
def test_shares_of_another_number_or_none(change: Callable[[bytes], bytes]) -> None:
    forger = Forger(lambda m, to: replace(m, shares=change(m.shares)) if isinstance(m, Shares) else m)
    forger.convicted("share")


@attack(
    By.PLAYER,
    "Values with special properties are sent: zero, the neutral element, other encodings of a number.",
    evidence="the cheater, by the signed message itself",
)
def test_the_identity_for_a_share() -> None:
    """A share of nothing would show the card as it is masked by the others."""

    def nothing(shares: ProvenShares, forger: Forger, message: Shares) -> bytes:
        return bytes(32) + shares.encode()[32:]

    sharing(nothing).convicted("share")


def test_bad_shares_for_one_seat_only() -> None:
    def wrong(shares: ProvenShares, forger: Forger, message: Shares) -> bytes:
        first: Point = shares.points[0]
        return replace(shares, points=(first + first, *shares.points[1:])).encode()

    sharing(wrong, to_seat=2).convicted("share", "two-versions")


@attack(
    By.PLAYER,
    "Two different valid proofs of the same thing are made for two players.",
    "When the two copies meet: at the latest when the players’ computers connect again, or when two files are verified together.",
    "the cheater, by the two signed messages",
)
def test_another_proof_of_the_same_shares_for_one_seat() -> None:
    """Both are good. But nobody makes a thing twice: a proof is saved, and sent again as it was."""

    def fresh(shares: ProvenShares, forger: Forger, message: Shares) -> bytes:
        return reproved(forger, message, dealt_cards(forger, message)).encode()

    forger = sharing(fresh, to_seat=2)
    forger.start()
    versions: list[bytes] = []

    def both_have_one() -> bool:
        said = [forger.honest_record(seat).from_seat(CHEATER, "shares", 1, 0, None) for seat in forger.honest]
        versions[:] = [each.data for each in said if each is not None]
        return len(versions) == 2

    forger.until(both_have_one)
    assert not any(forger.honest_record(seat).broken for seat in forger.honest), "nobody has compared them yet"
    forger.inject_bytes(versions[1], to=[0])
    forger.convicted("two-versions")


def test_shares_of_cards_that_nobody_dealt() -> None:
    """What they say to open is not what we hold: not provable, so it is not counted, and the seat is awaited."""
    forger = Forger(lambda m, to: replace(m, cards=bytes(32)) if isinstance(m, Shares) else m)
    forger.start()
    forger.until(lambda: forger.changed)
    forger.stalled()


def test_shares_that_never_come() -> None:
    forger = Forger(lambda m, to: None if isinstance(m, Shares) else m)
    forger.start()
    forger.until(lambda: forger.changed)
    forger.stalled()
    for seat in forger.honest:
        assert forger.tables.clients[seat].table.cards == (), "nobody sees a card for which a share is missing"


# --- re-masked hands (Tichu's exchange) ---


def remasking(change: Callable[[Forger, Remask, int], Remask | None]) -> Forger:
    forger = Forger(lambda m, to: change(forger, m, to) if isinstance(m, Remask) else m, **TICHU)
    return forger


@attack(
    By.PLAYER,
    "A hand is masked again with one card twice, or with a card that was already played.",
    evidence="the cheater, by the signed message itself, whose proof is false",
)
def test_a_remasked_hand_with_a_card_twice() -> None:
    remasking(lambda forger, m, to: replace(m, cards=m.cards[:64] + m.cards[:64] + m.cards[128:])).convicted("remask")


def test_a_remasked_hand_with_a_card_of_the_old_one() -> None:
    """A slot whose shares are out already comes back in: no proof shows that, but the whole hand is proved anew."""

    def old(forger: Forger, message: Remask, to: int) -> Remask:
        settling = giving(forger.record)
        assert settling is not None
        before = settling.remasking[CHEATER]
        return replace(message, cards=before[0].encode() + message.cards[64:])

    remasking(old).convicted("remask", to_the_end=True)


@pytest.mark.sample
@pytest.mark.parametrize(
    "change",
    [
        lambda m: replace(m, cards=m.cards[64:]),
        lambda m: replace(m, cards=b"", proof=b""),
        lambda m: replace(m, proof=b""),
        lambda m: replace(m, proof=m.proof[:-32]),
        lambda m: replace(m, cards=b"\xff" * 64 + m.cards[64:]),
        lambda m: replace(m, proof=m.proof[32:64] + m.proof[:32] + m.proof[64:]),
    ],
    ids=["fewer cards", "nothing", "no proof", "short proof", "no points", "re-ordered proof"],
)
def test_a_remasked_hand_that_is_none(change: Callable[[Remask], Remask]) -> None:
    remasking(lambda forger, m, to: change(m)).convicted("remask")


def test_two_remasked_hands_for_two_seats() -> None:
    """Both are rightly proved. Each honest seat gives shares for the hand that it was shown, and none is to blame."""

    def two(forger: Forger, message: Remask, to: int) -> Remask:
        record, settling = forger.record, giving(forger.record)
        if to != 2 or settling is None or record.round is None or CHEATER not in settling.remasking:
            return message
        joint, before = record.round.joint, tuple(settling.remasking[CHEATER])
        context = record.round.context(record.height, CHEATER, remask_purpose(settling.stage))
        after, witness = remask_hand(joint, before, stream(6))
        return replace(
            message, cards=encode_deck(after), proof=prove_shuffle(context, joint, before, after, witness, stream(7))
        )

    remasking(two).convicted("two-versions")


@pytest.mark.slow
def test_a_remasked_hand_that_never_comes() -> None:
    """Nobody gives shares for a hand that its owner has not re-masked."""
    forger = remasking(lambda forger, m, to: None)
    forger.start()
    forger.until(lambda: forger.changed)
    forger.stalled()
    for seat in forger.honest:
        settling = giving(forger.honest_record(seat))
        assert settling is not None and CHEATER in settling.groups
        assert (
            forger.honest_record(seat).from_seat(seat, "shares", forger.honest_record(seat).height, 0, CHEATER) is None
        )
