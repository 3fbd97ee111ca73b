"""The exchange before a guest link: who may come in, and what is refused."""

from __future__ import annotations

import pytest

from p2p.frames import pack
from p2p.guests.challenge import (
    MAX_BYTES,
    MAX_PLACE_BYTES,
    MOST_ELSEWHERE,
    Challenge,
    ChallengeAnswer,
    Code,
    GuestRefused,
    Voucher,
    Welcome,
    check_welcome,
    refusal,
    welcome,
)
from p2p.guests.invitations import GRACE_S, Admission, Invitations
from protocol.errors import BadMessage
from protocol.identity import Identity

SERVER, PHONE, OTHER = (Identity(bytes([n]) * 32) for n in (1, 2, 3))
CHALLENGE = Challenge(SERVER.public, b"n" * 16, "192.0.2.7:4712")
SECRET = b"s" * 16
WATCHING = b"w" * 16


def answer(invitation: bytes = SECRET, challenge: Challenge = CHALLENGE, identity: Identity = PHONE) -> ChallengeAnswer:
    return ChallengeAnswer.to(challenge, identity, b"p" * 16, invitation)


def refused(call: object) -> Code:
    with pytest.raises(GuestRefused) as caught:
        call()  # type: ignore[operator]
    return caught.value.code


def test_a_refusal_may_come_in_place_of_the_challenge() -> None:
    assert refused(lambda: Challenge.decode(refusal(Code.FULL))) is Code.FULL


def test_both_sides_read_what_the_other_writes() -> None:
    assert Challenge.decode(CHALLENGE.encode()) == CHALLENGE
    said = answer()
    heard = ChallengeAnswer.decode(said.encode())
    assert heard == said
    heard.check(CHALLENGE)
    assert heard.is_invited(CHALLENGE, SECRET)
    assert check_welcome(welcome(CHALLENGE, heard, SERVER, WATCHING), CHALLENGE, said) == Welcome(WATCHING)


def test_who_may_only_watch_is_told_where_else_phones_are_served_and_gets_a_word_for_there() -> None:
    said = answer()
    elsewhere = [(OTHER.public, "192.0.2.8:4712"), (OTHER.public, "[2001:db8::8]:4712")]
    told = check_welcome(welcome(CHALLENGE, said, SERVER, WATCHING, elsewhere), CHALLENGE, said)
    assert told == Welcome(WATCHING, Voucher.of(SERVER, PHONE.public), tuple(elsewhere))
    assert told.voucher is not None
    there = Challenge(OTHER.public, CHALLENGE.nonce, elsewhere[0][1])
    heard = ChallengeAnswer.decode(ChallengeAnswer.to(there, PHONE, b"p" * 16, b"", told.voucher).encode())
    assert heard.voucher == told.voucher
    heard.check(there)
    told.voucher.check(heard.key)
    for forged in (
        Voucher(OTHER.public, told.voucher.signature),
        Voucher.of(SERVER, OTHER.public),
        Voucher(bytes(32), b"s" * 64),
    ):
        assert refused(lambda forged=forged: forged.check(heard.key)) is Code.PROOF


def test_all_that_is_told_a_watcher_fits() -> None:
    most = [(OTHER.public, "x" * MAX_PLACE_BYTES)] * 20
    data = welcome(CHALLENGE, answer(), SERVER, WATCHING, most)
    assert len(data) <= MAX_BYTES
    assert len(check_welcome(data, CHALLENGE, answer()).elsewhere) == MOST_ELSEWHERE


@pytest.mark.parametrize(
    "other",
    [
        Challenge(OTHER.public, CHALLENGE.nonce, CHALLENGE.place),
        Challenge(CHALLENGE.server, b"m" * 16, CHALLENGE.place),
        Challenge(CHALLENGE.server, CHALLENGE.nonce, "192.0.2.8:4712"),
    ],
    ids=["server", "nonce", "place"],
)
def test_an_answer_is_good_for_one_challenge(other: Challenge) -> None:
    """A machine in the middle cannot use it at another one."""
    assert refused(lambda: answer().check(other)) is Code.PROOF
    assert not answer().is_invited(other, SECRET)
    with pytest.raises(BadMessage):
        check_welcome(welcome(other, answer(challenge=other), SERVER, WATCHING), CHALLENGE, answer())


def test_a_signature_covers_whether_there_is_an_invitation() -> None:
    """Else who comes back could be made a newcomer, or the other way round."""
    said = answer()
    assert refused(lambda: ChallengeAnswer(said.key, said.nonce, b"", said.signature).check(CHALLENGE)) is Code.PROOF
    back = answer(b"")
    assert (
        refused(lambda: ChallengeAnswer(back.key, back.nonce, b"m" * 32, back.signature).check(CHALLENGE)) is Code.PROOF
    )


def test_only_the_key_itself_can_answer_for_it() -> None:
    said = answer(identity=OTHER)
    assert (
        refused(lambda: ChallengeAnswer(PHONE.public, said.nonce, said.mac, said.signature).check(CHALLENGE))
        is Code.PROOF
    )


def test_only_the_server_can_let_in() -> None:
    said = answer()
    with pytest.raises(BadMessage):
        check_welcome(welcome(CHALLENGE, said, OTHER, WATCHING), CHALLENGE, said)
    assert refused(lambda: check_welcome(refusal(Code.FULL), CHALLENGE, said)) is Code.FULL
    assert refused(lambda: check_welcome(pack([1, "anything \x1b[31m"]), CHALLENGE, said)) is Code.PROOF


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00",
        pack([1]),
        pack([1, b"", b"", "x"]),
        pack([True, b"", b"", "x"]),
        pack({"a": 1}),
        b"\xc1",
        b"x" * 2000,
    ],
)
def test_garbage_is_refused_with_a_declared_error(data: bytes) -> None:
    for read in (
        Challenge.decode,
        ChallengeAnswer.decode,
        lambda data: check_welcome(data, CHALLENGE, answer()),
    ):
        with pytest.raises((BadMessage, GuestRefused)):
            read(data)


def test_another_version_is_told() -> None:
    assert refused(lambda: Challenge.decode(pack([2, 1, 2, 3]))) is Code.VERSION
    assert refused(lambda: ChallengeAnswer.decode(pack([2]))) is Code.VERSION


# --- invitations ---


class Dice:
    def __init__(self) -> None:
        self.next = 0

    def __call__(self, count: int) -> bytes:
        self.next += 1
        return bytes([self.next]) * count


def admits(invitations: Invitations, challenge: Challenge, said: ChallengeAnswer, now: float) -> Admission | None:
    """As the door does, once the signature is checked."""
    may = invitations.admits(challenge, said, now)
    if may is not None:
        invitations.remember(said.key, may)
    return may


def test_several_come_with_one_invitation_and_may_come_back() -> None:
    invitations = Invitations(Dice())
    secret = invitations.renew(0.0)
    for identity in (PHONE, OTHER):
        assert admits(invitations, CHALLENGE, answer(secret, identity=identity), 1.0)
        assert admits(invitations, CHALLENGE, answer(b"", identity=identity), 9999.0), "coming back needs none"


def test_nobody_comes_without_one() -> None:
    invitations = Invitations(Dice())
    assert not admits(invitations, CHALLENGE, answer(SECRET), 0.0)
    invitations.renew(0.0)
    assert not admits(invitations, CHALLENGE, answer(SECRET), 0.0)
    assert not admits(invitations, CHALLENGE, answer(b""), 0.0)
    assert not admits(invitations, CHALLENGE, answer(bytes(16)), 0.0)


def test_the_one_before_is_good_for_a_minute_more() -> None:
    invitations = Invitations(Dice())
    old = invitations.renew(0.0)
    invitations.renew(100.0)
    assert admits(invitations, CHALLENGE, answer(old), 100.0 + GRACE_S - 1)
    assert not admits(invitations, CHALLENGE, answer(old, identity=OTHER), 100.0 + GRACE_S)


def test_after_the_end_only_those_come_who_were_here() -> None:
    invitations = Invitations(Dice())
    secret = invitations.renew(0.0)
    invitations.renew(1.0)
    assert admits(invitations, CHALLENGE, answer(secret), 2.0)
    invitations.end()
    assert not admits(invitations, CHALLENGE, answer(secret, identity=OTHER), 2.0)
    assert admits(invitations, CHALLENGE, answer(b""), 2.0)


def test_an_invitation_to_watch_is_good_for_watching_and_lasts() -> None:
    invitations = Invitations(Dice())
    invitations.renew(0.0)
    watching = answer(invitations.watching)
    assert admits(invitations, CHALLENGE, watching, 0.0) is Admission.WATCH
    assert admits(invitations, CHALLENGE, answer(b""), 9999.0) is Admission.WATCH, "who comes back may do what they did"
    invitations.end()
    assert admits(invitations, CHALLENGE, answer(invitations.watching, identity=OTHER), 0.0) is Admission.WATCH


def test_who_only_watches_does_not_make_us_forget_who_sits() -> None:
    invitations = Invitations(Dice())
    secret = invitations.renew(0.0)
    assert admits(invitations, CHALLENGE, answer(secret), 0.0) is Admission.SIT
    for number in range(100):
        invitations.remember(number.to_bytes(32), Admission.WATCH)
    assert admits(invitations, CHALLENGE, answer(b""), 0.0) is Admission.SIT
