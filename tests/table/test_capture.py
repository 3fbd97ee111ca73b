"""Somebody has recorded every letter of a match, and holds the secrets of all seats but one, or with recovery of all but two.
The cards of that seat, and those of the stock, stay hidden until its round is over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from typing import Any

import pytest

from protocol.cards import ALL_FACES
from protocol.dealing.elgamal import MaskedCard
from protocol.dealing.faces import card_point
from protocol.dealing.group import G, Point, Scalar, decode_point, decode_scalar
from protocol.dealing.recovery import decode_split, open_share
from protocol.errors import BadMessage
from protocol.messages import RecoveryShares
from protocol.signed import Page, Signed, decode, decode_signed
from protocol.table.phases.entrusting import receivers, split_context
from protocol.table.record import Phase
from protocol.table.roster import TableOptions
from protocol.table.round import Round
from tests.adversaries.declared import By, attack
from tests.table.tables import Tables

WORD = 32


RECYCLING: dict[str, Any] = {"recycle": True, "hand": 14, "target": 500}
"""Of three who have as many cards the stock is soon used up: the pile is shuffled by all and put under it."""


def captured(
    game: str, seats: int, options: dict[str, Any], height: int, recovery: str = "auto"
) -> tuple[Tables, list[bytes]]:
    """A match up to a height, and until cards were recycled if they are to be, and every letter that travelled until then."""
    settings = TableOptions(pause=0, grace=0, rounds=1, recovery=recovery)
    tables, letters = Tables(game, seats, options, 3, table=settings), []

    def listen(sender: int, to: int, data: bytes) -> bytes:
        letters.append(data)
        return data

    tables.tamper = listen
    tables.start()
    for _ in range(50_000):
        record = tables.clients[0].table.record
        is_far = options is not RECYCLING or (record.round is not None and len(record.round.chains) > 1)
        if is_far and record.height >= height and record.phase is Phase.PLAYING:
            break
        tables.move_someone()
        tables.turn()
    assert tables.clients[0].table.record.phase is Phase.PLAYING, "the round must not be over"
    while not tables.is_quiet():
        tables.turn()
    return tables, letters


def words(letters: Iterable[bytes]) -> Iterator[bytes]:
    """All strings of 32 bytes that stand in a field of a message at a place where a point or number may begin."""
    for signed in messages_of(letters):
        for field in signed.message.body():
            if isinstance(field, bytes):
                yield from (field[at : at + WORD] for at in range(0, len(field) - WORD + 1, WORD))


def points(letters: Iterable[bytes]) -> set[Point]:
    found = set()
    for word in set(words(letters)):
        try:
            found.add(decode_point(word))
        except BadMessage:
            continue
    return found


def opened(card: MaskedCard, others: Scalar, known: Set[Point]) -> list[str]:
    """The faces that come out when everything is tried: the layers of all others taken off, and one point that was sent as
    the last layer, with either sign."""
    left = card.b - others * card.a
    faces = {face: card_point(face) for face in ALL_FACES}
    return [face for face, point in faces.items() for layer in (left - point, point - left) if layer in known]


@attack(
    By.OUTSIDE,
    "All traffic of a match is recorded, and all players but one give away their secrets.",
    "It does not work: the recording does not show that player’s hidden cards.",
)
@pytest.mark.parametrize(
    ("game", "seats", "options", "height"),
    [
        ("crazy-eights", 2, {"hand": 6, "draw": "one", "target": 500}, 6),
        pytest.param("crazy-eights", 3, {"hand": 4, "draw": "one", "target": 500}, 7, marks=pytest.mark.slow),
        pytest.param("crazy-eights", 3, RECYCLING, 7, marks=pytest.mark.slow),
        pytest.param("tichu", 4, {}, 12, marks=pytest.mark.slow),
    ],
)
def test_no_hidden_card_is_in_a_capture(game: str, seats: int, options: dict[str, Any], height: int) -> None:
    tables, letters = captured(game, seats, options, height)
    known, traffic = points(letters), b"".join(letters)
    assert len(known) > 100
    for victim in range(seats):
        tables_of = {seat: tables.clients[tables.at_seat(seat)].table for seat in range(seats)}
        record = tables_of[victim].record
        round = record.round
        assert round is not None
        own = tables_of[victim].hand.secret(round)
        assert own.x.encode() not in traffic and own.seed not in traffic
        others = Scalar(0)
        for seat in range(seats):
            if seat != victim:
                others = others + tables_of[seat].hand.secret(round).x
        hidden = [place.card for place in round.hands[victim] if place.face is None] + [
            place.card for place in round.stock[:5]
        ]
        assert hidden
        for card in hidden:
            assert not opened(card, others, known)
        layer = own.x * hidden[0].a
        assert len(opened(hidden[0], others, {*known, layer})) == 1, "with its layer it would have been found"


def messages_of(letters: Iterable[bytes]) -> Iterator[Signed]:
    for data in letters:
        found = decode(data)
        yield from map(decode_signed, found.messages) if isinstance(found, Page) else [found]


def parts_of_key(letters: Iterable[bytes], round: Round, of: int, secrets: dict[int, Scalar]) -> dict[int, Scalar]:
    """The parts of a seat's round key that open with these seats' secrets: what it sealed to each of them."""
    message = next(
        each.message for each in messages_of(letters) if isinstance(each.message, RecoveryShares) and each.seat == of
    )
    sealed = decode_split(message.shares, sorted(receivers(round, of)))
    context = split_context(round, of)
    return {seat: open_share(context, seat, x, sealed[seat]) for seat, x in secrets.items()}


@pytest.mark.slow
@attack(
    By.OUTSIDE,
    "All traffic of a match with recovery is recorded, and all players but two give away their secrets.",
    "It does not work: what a player entrusted to the others yields a key only with the shares of all of them.",
)
@pytest.mark.parametrize(
    ("game", "seats", "options", "height"),
    [
        ("crazy-eights", 3, {"hand": 4, "draw": "one", "target": 500}, 7),
        ("crazy-eights", 4, {"hand": 4, "draw": "one", "target": 500}, 7),
        ("crazy-eights", 3, RECYCLING, 7),
        pytest.param("tichu", 4, {}, 12, marks=pytest.mark.soak),
    ],
)
def test_with_recovery_no_hidden_card_opens_to_all_but_two(
    game: str, seats: int, options: dict[str, Any], height: int
) -> None:
    """Also where hands were masked anew, cards were exchanged or recycled."""
    tables, letters = captured(game, seats, options, height, "on")
    known = points(letters)
    numbers = public_parts(letters)
    tables_of = {seat: tables.clients[tables.at_seat(seat)].table for seat in range(seats)}
    for victim in range(seats):
        round = tables_of[victim].record.round
        assert round is not None
        secret = {seat: tables_of[seat].hand.secret(round).x for seat in range(seats)}
        other = (victim + 1) % seats
        given = {seat: x for seat, x in secret.items() if seat not in (victim, other)}
        part = sum(parts_of_key(letters, round, victim, given).values(), Scalar(0))
        assert round.keys[victim].y - part * G not in numbers, "the missing part was sent in the open"
        hidden = [place.card for place in round.hands[victim] if place.face is None]
        assert hidden
        for card in hidden:
            layer = secret[other] * card.a  # the other one gave its share of this card
            assert layer in known
            without = MaskedCard(card.a, card.b - layer)
            for layers in (sum(given.values(), Scalar(0)), sum(given.values(), part)):
                assert not opened(without, layers, known)
        everybody = {seat: x for seat, x in secret.items() if seat != victim}
        whole = sum(parts_of_key(letters, round, victim, everybody).values(), Scalar(0))
        assert whole == secret[victim], "with the parts of all the others it would have been found"


def public_parts(letters: Iterable[bytes]) -> set[Point]:
    """What each number that was sent is as a part of a key, for comparing."""
    found = set()
    for word in set(words(letters)):
        try:
            found.add(decode_scalar(word) * G)
        except BadMessage:
            continue
    return found


def test_what_was_played_is_in_the_capture() -> None:
    """The same attack does open cards that were played, as their owner has sent its layer: it looks in the right places."""
    tables, letters = captured("crazy-eights", 3, {"hand": 4, "draw": "one", "target": 500}, 7)
    known = points(letters)
    record = tables.clients[0].table.record
    assert record.round is not None
    plays = [played for played in record.round.history if tables.game.uses(played.move).played]
    assert plays
    for played in plays:
        others = Scalar(0)
        for seat in range(3):
            if seat != played.seat:
                others = others + tables.clients[tables.at_seat(seat)].table.hand.secret(record.round).x
        found = {face for card in played.hand for face in opened(card, others, known)}
        assert set(map(str, tables.game.uses(played.move).played)) <= set(map(str, found))
