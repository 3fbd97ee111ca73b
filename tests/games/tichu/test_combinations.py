"""What cards are and what a hand can play, against a second, slower reading of the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.cards import PACK_TICHU, Card
from protocol.games.tichu.combinations import Combo, Reading, beats, readings
from protocol.games.tichu.plays import can_play_rank, groups

NAMES = "_M23456789TJQKA"


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card(name) for name in text.split())


# --- the reference: each kind said once more, as the rules put it ---


def natural(faces: list[tuple[int, str]]) -> Iterator[tuple[str, int]]:
    """All (kind, rank) of two or more cards given as (rank, suit); the Phoenix has the suit "", the Mah Jong "M"."""
    counts = Counter(rank for rank, _ in faces)
    suits = {suit for _, suit in faces}
    size, low, high = len(faces), min(counts), max(counts)
    whole = "" not in suits
    successive = len(counts) == high - low + 1
    if max(counts.values()) > 3:
        if size == 4 and len(counts) == 1 and whole:
            yield "bomb", high
        return
    if 1 in counts and not (successive and size >= 5 and max(counts.values()) == 1):
        return
    if size in (2, 3) and len(counts) == 1:
        yield {2: "pair", 3: "triple"}[size], high
    if sorted(counts.values()) == [2, 3]:
        yield "full_house", counts.most_common(1)[0][0]
    if size >= 5 and successive and max(counts.values()) == 1:
        yield ("bomb" if len(suits) == 1 and whole else "straight"), high
    if len(counts) >= 2 and successive and set(counts.values()) == {2}:
        yield "stairs", high


def reference(faces: tuple[Card, ...]) -> set[tuple[str, int, float, int | None]]:
    """All readings of these cards as (kind, size, rank, the Phoenix's rank)."""
    if len(faces) == 1:
        rank = {"Mah": 1.0, "Dog": 0.0, "Phx": 1.5, "Drg": 15.0}.get(faces[0], float(NAMES.find(faces[0][0])))
        return {("single", 1, rank, None)}
    if {"Dog", "Drg"} & set(faces):
        return set()
    plain = [(1, "M") if face == "Mah" else (NAMES.index(face[0]), face[1]) for face in faces if face != "Phx"]
    if len(plain) == len(faces):
        return {(kind, len(faces), rank, None) for kind, rank in natural(plain)}
    found: set[tuple[str, int, float, int | None]] = set()
    for stands_for in range(2, 15):
        found |= {(k, len(faces), float(r), stands_for) for k, r in natural([*plain, (stands_for, "")])}
    return found


def as_plain(reading: Reading) -> tuple[str, int, float, int | None]:
    return reading.combo.kind, reading.combo.size, reading.combo.rank, reading.phoenix


# --- examples from the rules ---


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5j", [("single", 1, 5, None)]),
        ("Mah", [("single", 1, 1, None)]),
        ("Drg", [("single", 1, 15, None)]),
        ("Phx", [("single", 1, 1.5, None)]),
        ("5j 5k", [("pair", 2, 5, None)]),
        ("5j Phx", [("pair", 2, 5, 5)]),
        ("Mah Phx", []),
        ("Dog Phx", []),
        ("Drg Phx", []),
        ("5j 6j", []),
        ("5j 5s 5k", [("triple", 3, 5, None)]),
        ("5j Phx 5s", [("triple", 3, 5, 5)]),
        ("3j 3s 3p 3k", [("bomb", 4, 3, None)]),
        ("3j 3s 3p Phx", []),
        ("3j 3s 3p 3k Phx", []),
        ("3j 3s 3p 5k 5j", [("full_house", 5, 3, None)]),
        ("3j 3s 4p 4k Phx", [("full_house", 5, 4, 4), ("full_house", 5, 3, 3)]),
        ("3j 3s 3p 4k Phx", [("full_house", 5, 3, 4)]),
        ("3j 4s 5p 6k Phx", [("straight", 5, 7, 7), ("straight", 5, 6, 2)]),
        ("Jj Qs Kp Ak Phx", [("straight", 5, 14, 10)]),
        ("2j 3s 4p 5k Phx", [("straight", 5, 6, 6)]),
        ("Mah 2j 3j 4j 5j", [("straight", 5, 5, None)]),
        ("Mah 2j 3j 4j Phx", [("straight", 5, 5, 5)]),
        ("2j 3j 4j 5j 6j", [("bomb", 5, 6, None)]),
        ("2j 3j 4j Phx 6j", [("straight", 5, 6, 5)]),
        ("Aj 2j 3j 4j 5j", []),
        ("2j 3s 4j 5j", []),
        ("2j 3j 4j 5j 6j 7j 8j 9j Tj Jj Qj Kj Aj Phx", []),
        ("Mah 2j 3j 4j 5j 6j 7j 8j 9j Tj Jj Qj Kj Phx", [("straight", 14, 14, 14)]),
        ("3j 3s 4p 4k", [("stairs", 4, 4, None)]),
        ("3j 3s 4p Phx", [("stairs", 4, 4, 4)]),
        ("3j 3s 4p 4k 5j 5k", [("stairs", 6, 5, None)]),
        ("3j 3s 5p 5k", []),
        ("3j 3s 3p 4p 4k 4s", []),
        ("3j 3j", []),
        ("", []),
    ],
)
def test_the_rules_own_examples(text: str, expected: list[tuple[str, int, float, int | None]]) -> None:
    assert [as_plain(reading) for reading in readings(cards(text))] == expected


def one(text: str, top: Combo | None = None) -> Combo:
    return readings(cards(text), top)[0].combo


@pytest.mark.parametrize(
    ("new", "top", "expected"),
    [
        ("2j", "Mah", True),
        ("Mah", "2j", False),
        ("Drg", "Aj", True),
        ("5j", "5s", False),
        ("6j 6s", "5j 5s", True),
        ("6j 6s", "5j", False),
        ("4j 5j 6s 7j 8j", "3j 4j 5j 6j 7s", True),
        ("4j 5j 6s 7j 8j 9s", "3j 4j 5j 6j 7s", False),
        ("2j 2s 2p 2k", "Drg", True),
        ("2j 2s 2p 2k", "Aj As Ap Kj Ks", True),
        ("3j 3s 3p 3k", "2j 2s 2p 2k", True),
        ("2j 3j 4j 5j 6j", "Aj As Ap Ak", True),
        ("Aj As Ap Ak", "2j 3j 4j 5j 6j", False),
        ("2j 3j 4j 5j 6j 7j", "Tk Jk Qk Kk Ak", True),
        ("3j 4j 5j 6j 7j", "3s 4s 5s 6s 7s", False),
        ("2j 2s", "2p 2k", False),
        ("Dog", "Mah", False),
    ],
)
def test_what_beats_what(new: str, top: str, expected: bool) -> None:
    assert beats(one(new), one(top)) is expected


def test_the_phoenix_alone_is_half_a_step_above() -> None:
    for under, rank in (("Mah", 1.5), ("2j", 2.5), ("Aj", 14.5)):
        phoenix = one("Phx", one(under))
        assert phoenix.rank == rank
        assert beats(phoenix, one(under))
    assert not beats(one("Phx", one("Drg")), one("Drg"))
    assert beats(one("Drg"), one("Phx", one("Aj")))
    assert not beats(one("Aj"), one("Phx", one("Aj")))
    assert not beats(one("Mah"), one("Phx"))
    assert beats(one("2j"), one("Phx"))
    assert not beats(one("Phx", one("2j 2s")), one("2j 2s"))


# --- against the reference ---

hands = st.lists(st.sampled_from(PACK_TICHU), min_size=1, max_size=14, unique=True)
two_suits = st.lists(
    st.sampled_from(
        [card for card in PACK_TICHU if card in ("Mah", "Phx") or (card[0] in "2345678" and card[1] in "js")]
    ),
    min_size=6,
    max_size=12,
    unique=True,
)
low_hands = st.lists(
    st.sampled_from([card for card in PACK_TICHU if card in ("Mah", "Phx") or card[0] in "2345678"]),
    min_size=1,
    max_size=11,
    unique=True,
)


@given(hands | low_hands | two_suits)
@settings(max_examples=300)
def test_readings_are_those_of_the_reference(hand: list[Card]) -> None:
    found = readings(hand)
    assert {as_plain(reading) for reading in found} == reference(tuple(hand))
    assert len(found) == len(reference(tuple(hand)))
    assert found == sorted(found, key=lambda reading: -reading.combo.strength)


@pytest.mark.slow
@given(low_hands | two_suits, st.data())
@settings(max_examples=80, deadline=None)
def test_a_listing_is_exactly_what_can_be_picked_from_the_hand(hand: list[Card], data: st.DataObject) -> None:
    top = None
    if data.draw(st.booleans()):
        rest = [card for card in PACK_TICHU if card not in hand]
        on_table = data.draw(st.lists(st.sampled_from(rest), min_size=1, max_size=6, unique=True))
        found_readings = readings(on_table)
        top = found_readings[0].combo if found_readings else None
    listed = [(frozenset(play), group.combo, group.phoenix) for group in groups(hand, top) for play in group.cards]
    expected = {
        (frozenset(picked), reading.combo, reading.phoenix)
        for size in range(1, len(hand) + 1)
        for picked in combinations(hand, size)
        for reading in readings(picked, top)
        if (beats(reading.combo, top) if top else True)
    }
    assert set(listed) == expected
    assert len(listed) == len(expected), "a play is listed twice"


@given(low_hands, st.integers(2, 8), low_hands)
@settings(max_examples=60, deadline=None)
def test_a_wish_can_be_met_exactly_if_some_listed_play_has_the_rank(
    hand: list[Card], rank: int, table: list[Card]
) -> None:
    found = readings(table[:5])
    top = found[0].combo if found else None
    name = NAMES[rank]
    listed = any(card[0] == name for group in groups(hand, top) for play in group.cards for card in play)
    assert can_play_rank(hand, top, rank) is listed
