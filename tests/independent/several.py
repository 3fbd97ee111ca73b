"""Several files of one match compared, from PROTOCOL.md, "Several files", alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations, islice
from typing import Any

from tests.independent.encoding import Message, Refused, frames, is_signed_by, read_message
from tests.independent.epochs import conceals, denies
from tests.independent.match import Match

Found = list[list[Any]]


def compare(files: Sequence[bytes]) -> Found:
    """Which two files differ, about which seat, and what it did."""
    found: set[tuple[int, int, int, str]] = set()
    matches = list(map(_read, files))
    for i, j in combinations(range(len(files)), 2):
        if matches[i].table == matches[j].table:
            said = [_said(matches, at) for at in (i, j)]
            found |= {(i, j, seat, what) for seat, what in _differences(*said)}
    return [list(each) for each in sorted(found)]


def _read(data: bytes) -> Match:
    """As far as it goes: up to the place where it is refused."""
    match = _followed(frames(data))
    return match if match.doubt is None else _followed(islice(frames(data), 1 + match.doubted))


def _followed(messages: Iterable[bytes]) -> Match:
    match = None
    try:
        for each in messages:
            if match is None:
                match = Match(each)
            else:
                match.feed(each)
    except Refused:
        pass
    assert match is not None
    return match


Said = dict[tuple[bytes, int], list[Message]]
"""Who has signed what: by key and seat."""


def _said(matches: Sequence[Match], at: int) -> Said:
    """What one file holds that its seats have signed."""
    found: Said = defaultdict(list)
    for data in matches[at].frames:
        try:
            message = read_message(data)
        except Refused:
            continue
        if message.table == matches[at].table and message.slot is not None:
            for key, seat in _speakers([each for each in matches if each.table == message.table], message):
                if is_signed_by(key, message):
                    found[key, seat].append(message)
                    break
    return found


def _speakers(matches: Sequence[Match], message: Message) -> list[tuple[bytes, int]]:
    """Who may have signed it, by what all files together show."""
    sitters: dict[bytes, list[bytes]] = {}
    for each in matches:
        sitters.update(each.sitters)
    found = []
    keys = sitters.get(message.present, [])
    if message.kind not in ("seal", "nonce") and message.seat < len(keys):
        found.append((keys[message.seat], message.seat))
    if message.kind == "without":
        joining = [key for seat, key, *_ in message["added"] if seat == message.seat]
        sat = {key for keys in sitters.values() for key in keys[message.seat : message.seat + 1]}
        found = [(key, message.seat) for key in joining if key in sat] if joining else found
    if message.kind in ("seal", "nonce", "goodbye") and message.seat < len(matches[0].members):
        seating = next((each.seating for each in matches if each.seed is not None), list(range(10)))
        found.append((matches[0].members[message.seat]["key"], seating.index(message.seat)))
    return found


def _differences(one: Said, other: Said) -> set[tuple[int, str]]:
    found = set()
    for who in one.keys() & other.keys():
        for a in one[who]:
            for b in other[who]:
                if (a.kind == "without" and denies(a, b)) or (b.kind == "without" and denies(b, a)):
                    found.add((who[1], "concealed"))
                elif a.kind == b.kind == "without" and a["number"] != b["number"]:
                    if conceals(a, b):
                        found.add((who[1], "concealed"))
                elif a.slot == b.slot and (a.kind in ("without", "goodbye") or _epoch(a) == _epoch(b)):
                    if a.payload != b.payload:
                        found |= {(who[1], "two-versions")} if a.kind != "closed" else set()
                    elif a.data != b.data:
                        found.add((who[1], "two-signatures"))
    return found


def _epoch(message: Message) -> tuple[int, bytes]:
    return message.epoch, message.present
