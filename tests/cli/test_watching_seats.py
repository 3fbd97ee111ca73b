"""Whoever watches sees at the seats what the players see: whose hand the computer plays."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from cli import news
from cli.client.watching import WatchedTable
from p2p.transcripts import read_transcript
from protocol.table.verify import Follower, Snapshot
from tests.table.tables import stream

MATCHES = Path(__file__).parents[1] / "vectors" / "matches"


def test_a_hand_that_is_played_on_is_marked_for_watchers_too() -> None:
    data, _rest = read_transcript(MATCHES / "recovered.match")
    follower = Follower(data[0], stream(1))
    table = WatchedTable(cast(Any, None), follower, cast(Any, SimpleNamespace(view=None)), Path())
    seen = set()
    for each in data[1:]:
        follower.feed(each)
        seen |= {(player.left, player.stand_in) for player in table.players}
    assert seen == {(False, False), (True, True), (True, False)}


@pytest.mark.parametrize(
    ("name", "breaches", "cheats", "verified"),
    [
        ("recycled", 0, 0, [True]),
        ("breaches", 2, 0, [True]),
        ("convicted-and-recovered", 0, 1, [True]),
        ("given-up", 0, 0, [True]),
    ],
)
def test_a_match_is_checked_to_its_end_by_whoever_watches_it(
    name: str, breaches: int, cheats: int, verified: list[bool]
) -> None:
    data, _rest = read_transcript(MATCHES / f"{name}.match")
    follower = Follower(data[0], stream(1))
    scenes = asyncio.Queue[Snapshot | None]()
    first, *others = [each for frame in data[1:] for each in follower.feed(frame)]
    for scene in (*others, None):
        scenes.put_nowait(scene)
    watcher = cast(Any, SimpleNamespace(scenes=scenes, reason=None, absence=None, is_looking=False, title=""))
    table = WatchedTable(watcher, follower, first, Path())
    asyncio.run(table.run())
    told = [table.news.get_nowait() for _ in range(table.news.qsize())]
    assert sum(len(each.breaches) for each in told if isinstance(each, news.RoundEnded)) == breaches
    assert sum(isinstance(each, news.Accused) for each in told) == cheats
    assert [each.verified for each in told if isinstance(each, news.MatchEnded)] == verified
