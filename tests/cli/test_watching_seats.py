"""Whoever watches sees at the seats what the players see: whose hand the computer plays."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from cli.client.watching import WatchedTable
from p2p.transcripts import read_transcript
from protocol.table.verify import Follower
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
