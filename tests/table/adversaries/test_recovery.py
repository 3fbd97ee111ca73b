"""Cheats with the shares of round keys that every seat entrusts to the others, and with complaints about them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from protocol.dealing import recovery
from protocol.dealing.elgamal import MaskedCard
from protocol.dealing.group import G, Point, Scalar
from protocol.dealing.recovery import SealedShare, decode_split, encode_split, split
from protocol.dealing.shares import prove_shares
from protocol.messages import Complaint, Message, RecoveryShares, Shares
from protocol.table.phases.entrusting import complaint_context, receivers, split_context
from protocol.table.record import Phase
from protocol.table.roster import TableOptions
from protocol.table.round import Round, split_hash
from protocol.values import replace
from tests.adversaries.declared import By, attack
from tests.table.adversaries.forger import CHEATER, Forger
from tests.table.matches import assert_all_agree
from tests.table.tables import Tables, stream

pytestmark = pytest.mark.usefixtures("toy")

ONE_ROUND = TableOptions(pause=0, grace=0, rounds=1, recovery="on")
VICTIM = 2


def opened(forger: Forger) -> Round:
    found = forger.record.round
    assert found is not None
    return found


def splitting(
    change: Callable[[dict[int, SealedShare], Forger], bytes], to_seat: int | None = None, **settings: Any
) -> Forger:
    """Changes the split that the cheater sends."""

    def changed(message: Message, to: int) -> Message:
        if not isinstance(message, RecoveryShares) or (to_seat is not None and to != to_seat):
            return message
        others = [seat for seat in opened(forger).holders if seat != CHEATER]
        return replace(message, shares=change(decode_split(message.shares, others), forger))

    forger = Forger(changed, table=ONE_ROUND, **settings)
    return forger


def sealed_wrong(forger: Forger, receiver: int, s: Scalar) -> SealedShare:
    """A share whose every public check holds, and which its receiver cannot open."""
    round = opened(forger)
    y = round.keys[receiver].y
    ctx = replace(split_context(round, CHEATER), receiver=receiver)
    e, r = Scalar.random(stream(5)), Scalar.random(stream(6))
    S, E, u = s * G, e * G, r * G
    c = s + recovery._pad(ctx, E, e * y) + Scalar(1)
    t = recovery._begin(ctx, y, S, E, c)
    return SealedShare(S, E, u, r - recovery._challenge(t, u) * e, c)


@attack(
    By.PLAYER,
    "A player splits a key among the others in such a way that they cannot open it.",
    "Before a card is dealt.",
    "the cheater, by the signed message itself",
)
def test_a_split_that_does_not_add_up_to_the_key() -> None:
    def wrong(sealed: dict[int, SealedShare], forger: Forger) -> bytes:
        round = opened(forger)
        x = forger.table.hand.secret(round).x + Scalar(1)
        return encode_split(split(split_context(round, CHEATER), x, receivers(round, CHEATER), stream(3)))

    splitting(wrong).convicted("recovery")


def test_a_share_whose_sender_does_not_know_what_it_sealed_it_with() -> None:
    """Without that proof a complaint would decrypt any card that a cheater passes off as E."""

    def wrong(sealed: dict[int, SealedShare], forger: Forger) -> bytes:
        card = opened(forger).stock[0].card
        return encode_split(sealed | {VICTIM: replace(sealed[VICTIM], E=card.a)})

    splitting(wrong).convicted("recovery")


@pytest.mark.parametrize(
    "change", [lambda data: data[:-160], lambda data: data + bytes(160), lambda data: b"\xff" * len(data)]
)
def test_a_split_of_another_size_or_of_no_points(change: Callable[[bytes], bytes]) -> None:
    splitting(lambda sealed, _: change(encode_split(sealed))).convicted("recovery")


def test_the_split_of_another_round_key_does_not_fit() -> None:
    """The proofs are bound to the sender: another seat's split, passed on as one's own, convicts."""

    def copied(sealed: dict[int, SealedShare], forger: Forger) -> bytes:
        round = opened(forger)
        x = forger.table.hand.secret(round).x
        return encode_split(split(split_context(round, 0), x, receivers(round, CHEATER), stream(3)))

    splitting(copied).convicted("recovery", to_the_end=True)


def test_a_share_that_its_receiver_cannot_open_is_complained_about() -> None:
    forger = splitting(unopenable)
    forger.convicted("recovery")
    said = [data for sender, _, data in forger.honest_bytes if sender == VICTIM]
    complaint = next((at for at, data in enumerate(said) if b"complaint" in data), None)
    assert complaint is not None, "the receiver of the bad share did not complain"
    assert not any(b"\xa6shares" in data[:64] for data in said[:complaint]), "it gave card shares all the same"


def test_a_bad_share_shown_to_its_receiver_alone() -> None:
    """The others hold another split, by which the complaint would be a lie: the sender is convicted all the same."""
    splitting(unopenable, to_seat=VICTIM).convicted("recovery", "two-versions")


def unopenable(sealed: dict[int, SealedShare], forger: Forger) -> bytes:
    x = forger.table.hand.secret(opened(forger)).x
    s = Scalar.random(stream(8))
    good = split(split_context(opened(forger), CHEATER), x - s, _without(forger, VICTIM), stream(7))
    return encode_split(good | {VICTIM: sealed_wrong(forger, VICTIM, s)})


def _without(forger: Forger, seat: int) -> dict[int, Point]:
    return {other: y for other, y in receivers(opened(forger), CHEATER).items() if other != seat}


def test_two_splits_for_two_seats() -> None:
    def other(sealed: dict[int, SealedShare], forger: Forger) -> bytes:
        round = opened(forger)
        x = forger.table.hand.secret(round).x
        return encode_split(split(split_context(round, CHEATER), x, receivers(round, CHEATER), stream(3)))

    splitting(other, to_seat=VICTIM).convicted("two-versions")


def complaining(change: Callable[[Round, SealedShare], bytes]) -> Forger:
    """Complains about an honest share instead of giving card shares."""

    def changed(message: Message, to: int) -> Message:
        if not isinstance(message, Shares):
            return message
        round = opened(forger)
        return Complaint(
            round.number, VICTIM, split_hash(round.splits[VICTIM]), change(round, round.splits[VICTIM][CHEATER])
        )

    forger = Forger(changed, table=ONE_ROUND)
    return forger


@pytest.mark.slow
@attack(
    By.PLAYER,
    "A player complains about a share that is valid.",
    "Before a card is dealt.",
    "the complainer, by the signed complaint",
)
def test_a_complaint_about_a_share_that_opens() -> None:
    def shown(round: Round, share: SealedShare) -> bytes:
        x, y = forger.table.hand.secret(round).x, round.keys[CHEATER].y
        card = MaskedCard(share.E, share.S)
        return prove_shares(complaint_context(round, CHEATER, VICTIM), x, y, (card,), stream(4)).encode()

    forger = complaining(shown)
    forger.convicted("complaint", to_the_end=True)


def test_a_complaint_that_shows_another_point() -> None:
    def shown(round: Round, share: SealedShare) -> bytes:
        x, y = forger.table.hand.secret(round).x, round.keys[CHEATER].y
        card = MaskedCard(share.E + share.E, share.S)
        return prove_shares(complaint_context(round, CHEATER, VICTIM), x, y, (card,), stream(4)).encode()

    forger = complaining(shown)
    forger.convicted("complaint")


def test_a_complaint_that_is_no_proof() -> None:
    complaining(lambda _round, _share: b"x").convicted("complaint")


@pytest.mark.sample
@pytest.mark.parametrize("against", [CHEATER, 3, 9])
def test_complaints_about_oneself_or_nobody_change_nothing(against: int) -> None:
    forger = Forger(table=ONE_ROUND)
    forger.start()
    forger.until(lambda: forger.honest_record().phase is Phase.PLAYING)
    forger.inject(Complaint(1, against, bytes(32), bytes(128)))
    forger.unharmed()


@pytest.mark.slow
def test_without_recovery_no_key_is_split() -> None:
    tables = Tables("crazy-eights", 3, {"hand": 3}, 3, table=replace(ONE_ROUND, recovery="auto"))
    tables.start()
    tables.play()
    assert_all_agree(tables)
    assert not any(b"recovery-shares" in data for data in tables.clients[0].transcript)


@pytest.mark.slow
def test_from_four_keepers_on_every_key_is_split() -> None:
    tables = Tables("crazy-eights", 4, {"hand": 3}, 3, table=replace(ONE_ROUND, recovery="auto"))
    tables.start()
    tables.play()
    assert_all_agree(tables)
    assert sum(b"recovery-shares" in data for data in tables.clients[0].transcript) == 4
