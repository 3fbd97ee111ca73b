"""Somebody has recorded every letter of a match, and holds the secrets of all seats but one. The cards of that seat, and those of
the stock, stay hidden until its round is over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from protocol.dealing.elgamal import MaskedCard
from protocol.dealing.faces import face_of
from protocol.dealing.group import Point, Scalar, decode_point
from protocol.errors import BadMessage
from protocol.signed import Page, decode, decode_signed
from protocol.table.record import Phase
from protocol.table.roster import TableOptions
from tests.adversaries.declared import By, attack
from tests.table.tables import Tables

WORD = 32


def captured(game: str, seats: int, options: dict[str, Any], height: int) -> tuple[Tables, list[bytes]]:
    """A match up to a height, and every letter that travelled until then."""
    tables, letters = Tables(game, seats, options, 3, table=TableOptions(pause=0, grace=0, rounds=1)), []

    def listen(sender: int, to: int, data: bytes) -> bytes:
        letters.append(data)
        return data

    tables.tamper = listen
    tables.start()
    for _ in range(50_000):
        record = tables.clients[0].table.record
        if record.height >= height and record.phase is Phase.PLAYING:
            break
        tables.move_someone()
        tables.turn()
    assert tables.clients[0].table.record.phase is Phase.PLAYING, "the round must not be over"
    while not tables.is_quiet():
        tables.turn()
    return tables, letters


def words(letters: Iterable[bytes]) -> Iterator[bytes]:
    """All strings of 32 bytes that stand in a field of a message at a place where a point or number may begin."""
    for data in letters:
        found = decode(data)
        for signed in map(decode_signed, found.messages) if isinstance(found, Page) else [found]:
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


def opened(card: MaskedCard, others: Scalar, known: Iterable[Point]) -> list[str]:
    """The faces that come out when everything is tried: the layers of all others taken off, and one point that was sent as
    the last layer, with either sign."""
    left = card.b - others * card.a
    return [face for point in known for rest in (left - point, left + point) if (face := face_of(rest)) is not None]


@attack(
    By.OUTSIDE,
    "All traffic of a match is recorded, and all players but one give their secrets away.",
    "It does not work: the recording does not show that player’s hidden cards.",
)
@pytest.mark.parametrize(
    ("game", "seats", "options", "height"),
    [
        ("crazy-eights", 2, {"hand": 6, "target": 500}, 6),
        pytest.param("crazy-eights", 3, {"hand": 4, "target": 500}, 7, marks=pytest.mark.slow),
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


def test_what_was_played_is_in_the_capture() -> None:
    """The same attack does open cards that were played, as their owner has sent its layer: it looks in the right places."""
    tables, letters = captured("crazy-eights", 3, {"hand": 4, "target": 500}, 7)
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
