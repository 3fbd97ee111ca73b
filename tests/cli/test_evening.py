"""The evening's tally: by key, over all games, with a gap of six hours between two evenings."""

from __future__ import annotations

from pathlib import Path

from cli.client.evening import evening_of, tally
from cli.news import Finished, FormerPlayer, evenings
from p2p.journal import Journal
from protocol.games import load
from protocol.identity import Identity
from protocol.table.roster import Member, Roster, TableOptions
from protocol.values import replace

HOUR = 3600.0
KEYS = tuple(Identity(bytes([number]) * 32).public for number in range(1, 4))


def finished(ended: float, keys: str, winners: tuple[int, ...], names: str = "", status: str = "finished") -> Finished:
    teams = tuple((seat,) for seat in range(len(keys)))
    scores = tuple(0 for _ in keys)
    labels = tuple(names or keys)
    return Finished(ended, status, "mau-mau", labels, teams, scores, winners, 1, keys=tuple(keys))


def test_wins_are_counted_by_key_under_the_latest_name() -> None:
    found = tally([finished(2, "ab", (0,), "Xb"), finished(1, "abc", (0, 2)), finished(3, "ac", (), status="broken")])
    assert [(each.name, each.won, each.played) for each in found] == [("a", 2, 3), ("c", 1, 2), ("b", 0, 2)]
    assert tally([finished(1, "ab", (0,)), finished(2, "ab", (0,), "Xb")])[0].name == "X"


def test_whose_seat_was_taken_is_counted_as_having_played_and_has_not_won() -> None:
    match = replace(finished(1, "abc", (0,)), replaced=(FormerPlayer("d", "Lena"), FormerPlayer("b", "Jonas")))
    found = {each.key: (each.name, each.won, each.played) for each in tally([match])}
    assert found == {"a": ("a", 1, 1), "b": ("b", 0, 1), "c": ("c", 0, 1), "d": ("Lena", 0, 1)}


def test_a_gap_of_six_hours_begins_a_new_evening() -> None:
    times = (30.0, 24.5, 23.0, 10.0)
    found = evenings([finished(hours * HOUR, "ab", ()) for hours in times])
    assert [[each.ended / HOUR for each in evening] for evening in found] == [[30.0, 24.5, 23.0], [10.0]]


def test_the_evening_survives_a_restart_and_knows_its_rooms(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "journal.sqlite")
    for number, (hours, room, status) in enumerate(
        [(1.0, "r", "finished"), (9.0, "r", "finished"), (12.0, "s", "finished"), (13.0, "r", "torn")]
    ):
        game = load("crazy-eights", 3, {})
        members = tuple(Member(key, "P", key, False, b"n" * 32) for key in KEYS)
        roster = Roster(game.name, game.version, dict(game.options), TableOptions(), bytes([number]) * 16, members)
        id = roster.table_id
        journal.begin_match(id, roster.encode(), role="guest", created=1.0, seats={}, meta={"room": room})
        result = {"names": ["Mia", "Jonas", "Lena"], "keys": ["a", "b", "c"], "winners": [1], "scores": [0, 0, 0]}
        journal.finish(id, result if status == "finished" else {"silent": []}, at=hours * HOUR, status=status)
    journal.commit()
    journal.close()
    assert [each.ended / HOUR for each in evening_of(tmp_path, 14 * HOUR)] == [12.0, 9.0]
    assert [each.ended / HOUR for each in evening_of(tmp_path, 14 * HOUR, "r")] == [9.0]
    assert evening_of(tmp_path, 19 * HOUR) == []
    assert tally(evening_of(tmp_path, 14 * HOUR))[0].won == 2
