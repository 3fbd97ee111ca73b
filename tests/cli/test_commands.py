"""Commands that need no network, run as the program runs them."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.client.recording import steps_of
from cli.client.results import finished_match
from cli.client.tables import game_of
from cli.faults import WrongUse
from cli.main import main
from cli.news import Moved, Recorded, RoundBegan, RoundEnded, rounds_of
from cli.plain.replay import Replay
from cli.requests import TableRequest
from cli.terminal.settings import TerminalSettings
from cli.text import Translator, load_translator
from cli.view.replay import ReplayModel
from cli.view.results import result_lines, score_lines
from p2p.home import open_home
from p2p.journal import Journal
from protocol.games.catalogue import game_class
from protocol.games.game import EASY, NORMAL
from protocol.steps import done
from protocol.table.roster import TableOptions
from protocol.table.verify import replaying
from protocol.values import replace
from tests.simulator import toy
from tests.table.matches import file_of
from tests.table.tables import Tables, stream

Out = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True, scope="module")
def toy_group() -> Iterator[None]:
    """What commands make of a match; `test_verify.py` verifies real proofs."""
    with toy.toy_group():
        yield


@pytest.fixture(scope="module")
def transcript() -> bytes:
    """A match of two rounds between three bots."""
    options = {"hand": 3, "draw": "one", "target": 500}
    tables = Tables("crazy-eights", 3, options, seed=5, table=TableOptions(pause=0, grace=0, rounds=2))
    tables.is_hasty = True
    tables.start()
    tables.play()
    return file_of(tables, 0)


# --- whoami, scores ---


def test_whoami_before_and_after_a_name(tmp_path: Path, capsys: Out) -> None:
    home = ["--home", str(tmp_path / "new home")]
    assert main([*home, "whoami"]) == 0
    assert "Fingerprint: none yet" in capsys.readouterr().out
    assert not (tmp_path / "new home").exists(), "asking makes nothing"
    assert main([*home, "whoami", "--name", " Ha\u202ena\u200bko "]) == 0
    assert "Name: Hanako" in capsys.readouterr().out
    assert main([*home, "whoami", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["name"] == "Hanako"
    assert len(found["fingerprint"].split()) == 8
    assert found["home"] == str(tmp_path / "new home")


def test_a_name_of_nothing_is_refused(tmp_path: Path, capsys: Out) -> None:
    assert main(["--home", str(tmp_path), "whoami", "--name", "\u200b "]) == 2
    assert "at least one visible character" in capsys.readouterr().err


def test_a_name_is_not_changed_under_a_running_client(tmp_path: Path, capsys: Out) -> None:
    with open_home(tmp_path):
        assert main(["--home", str(tmp_path), "whoami", "--name", "Mia"]) == 2
        assert "another fairdeal is using" in capsys.readouterr().err.casefold()
        assert main(["--home", str(tmp_path), "whoami"]) == 0
        assert main(["--home", str(tmp_path), "scores"]) == 0


def test_scores_of_nobody(tmp_path: Path, capsys: Out) -> None:
    assert main(["--home", str(tmp_path), "scores", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"matches": []}
    assert main(["--home", str(tmp_path), "scores"]) == 0
    assert "No finished matches here yet" in capsys.readouterr().out


RESULT = {
    "game": "tichu",
    "table": "Kitchen",
    "names": ["Mia", "Jonas", "Hana\x1bko", "Priya"],
    "teams": [[0, 2], [1, 3]],
    "scores": [1010, 640],
    "winners": [0, 2],
    "rounds": 7,
    "match": "00",
}


def test_scores_are_read_from_the_journal(tmp_path: Path, capsys: Out) -> None:
    with open_home(tmp_path) as home:
        journal = Journal.open(home.journal)
        journal.begin_match(b"m" * 32, b"roster", role="player", created=1_700_000_000.0, seats={})
        journal.finish(b"m" * 32, RESULT, at=1_700_003_600.0)
        journal.commit()
        journal.close()
    assert main(["--home", str(tmp_path), "scores"]) == 0
    assert "Tichu  Mia and Hanako 1010 (won) · Jonas and Priya 640" in capsys.readouterr().out
    assert main(["--home", str(tmp_path), "scores", "--json"]) == 0
    (match,) = json.loads(capsys.readouterr().out)["matches"]
    assert (match["scores"], match["winners"], match["names"][2]) == ([1010, 640], [0, 2], "Hanako")


def test_matches_stand_under_their_evening_with_who_won() -> None:
    day = 86_400.0
    matches = [
        finished_match(20 * day + 2 * 3600 - 3600 * hours, "finished", {**RESULT, "winners": [seat]})
        for hours, seat in ((0, 0), (1, 0), (30, 1))
    ]
    lines = score_lines(Translator(), matches)
    assert sum(not line.startswith(" ") and bool(line) for line in lines) == 2, (
        "past midnight is still the same evening"
    )
    assert "  Won: Mia 2" in lines
    assert "  Won: Jonas 1" in lines


def test_a_result_of_another_version_is_no_fault() -> None:
    assert score_lines(Translator(), [finished_match(0.0, "broken", {})])[1].endswith("[not finished]")


@pytest.mark.parametrize(
    ("language", "is_valid", "told"),
    [
        ("en", True, "Tichu: Mia and Hanako 1010 (won) · Jonas and Priya 640"),
        ("en", False, "The recheck FAILED: run fairdeal verify on the transcript to see why."),
        ("de", True, "Tichu: Mia und Hanako 1010 (gewonnen) · Jonas und Priya 640"),
        ("ja", True, "ティチュー: Mia、Hanako 1010(勝ち) · Jonas、Priya 640"),
    ],
    ids=["English", "not valid", "German", "Japanese"],
)
def test_a_result_is_told_with_the_check_and_the_place_of_its_file(language: str, is_valid: bool, told: str) -> None:
    match = replace(finished_match(0.0, "finished", RESULT), path="/home/mia/match.fairdeal")
    lines = result_lines(load_translator(language), match, is_valid)
    assert told in lines
    assert lines[-1].endswith(": /home/mia/match.fairdeal")


# --- playthroughs ---


HOLDS = """{"game": "crazy-eights", "seats": 2, "hands": [["2c", "3d"], ["4c", "5d"]], "up": "9c", "stock": ["6h"]}
{"seat": 0, "do": "play", "cards": ["2c"]}
{"expect": {"turn": 1, "top": "2c"}}
"""


def test_playthroughs_say_a_line_a_file(tmp_path: Path, capsys: Out) -> None:
    good, bad, torn = tmp_path / "good.jsonl", tmp_path / "bad.jsonl", tmp_path / "torn.jsonl"
    good.write_text(HOLDS, encoding="utf-8")
    bad.write_text(HOLDS.replace('"turn": 1', '"turn": 0'), encoding="utf-8")
    torn.write_text(HOLDS + "{nonsense\n", encoding="utf-8")
    assert main(["playthrough", str(good)]) == 0
    assert capsys.readouterr().out == f"{good}: ok\n"
    assert main(["playthrough", str(good), str(bad)]) == 1
    found = capsys.readouterr().out.splitlines()
    assert found[0] == f"{good}: ok"
    assert found[1] == f"{bad}: Line 3: expected turn 0, found 1."
    assert main(["playthrough", str(torn)]) == 2
    assert "ine 4" in capsys.readouterr().err
    torn.write_bytes(HOLDS.encode() + b"# \xff\n")
    assert main(["playthrough", str(torn)]) == 2
    assert "line 4" in capsys.readouterr().err
    assert main(["playthrough", str(tmp_path / "absent")]) == 2


# --- verify, replay ---


@pytest.mark.slow
def test_a_whole_match_is_in_order(transcript: bytes, tmp_path: Path, capsys: Out) -> None:
    file = tmp_path / "match.fairdeal"
    file.write_bytes(transcript)
    assert main(["verify", str(file)]) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"{file}: valid.\n")
    assert "crazy-eights, played by P0 (" in said
    assert main(["verify", str(file), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found) == {
        "file", "ok", "match", "game", "players", "rounds", "void", "complete", "checks", "evidence", "failed", "replaced",
    }  # fmt: skip
    assert (found["ok"], found["complete"], found["failed"], found["game"]) == (True, True, None, "crazy-eights")
    assert set(found["checks"]) == {"signatures", "shuffles", "shares", "opened rounds", "moves"}
    assert found["checks"]["moves"] > 10
    assert len(found["match"]) == 64
    assert [set(player) for player in found["players"]] == [{"name", "fingerprint"}] * 3


@pytest.mark.slow
def test_a_changed_byte_is_found_and_accuses_nobody(transcript: bytes, tmp_path: Path, capsys: Out) -> None:
    file = tmp_path / "changed.fairdeal"
    changed = bytearray(transcript)
    changed[len(changed) * 2 // 3] ^= 1
    file.write_bytes(changed)
    assert main(["verify", str(file)]) == 1
    assert "NOT valid" in capsys.readouterr().out
    assert main(["verify", str(file), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["ok"] is False
    assert set(found["failed"]) == {"step", "seat", "what"}


def test_what_is_no_transcript_is_wrong_use(tmp_path: Path, capsys: Out) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Mia", encoding="utf-8")
    assert main(["verify", str(file)]) == 2
    assert main(["verify", str(tmp_path / "absent")]) == 2
    assert main(["verify", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 3
    assert main(["replay", str(file)]) == 2


def recorded(transcript: bytes) -> Recorded:
    reading, scenes = done(replaying(transcript, stream(1)))
    steps = tuple(steps_of(scenes))
    return Recorded(reading.game, tuple(name for name, _ in reading.report.players), steps)


@pytest.mark.slow
def test_a_match_is_stepped_through_both_ways(transcript: bytes) -> None:
    told: list[str] = []
    replay = Replay(recorded(transcript), Translator(), told.append)
    replay.run(["", "", "back", "hands", "round 2", "round 99", "nonsense", "quit", "never read"])
    steps = len(replay.recording.steps)
    assert told[1].startswith(f"1/{steps} Round 1.")
    assert told[2].startswith(f"2/{steps} P")
    assert told[4] == told[2], "back shows the same step again"
    assert any(line.startswith("P0: ") for line in told[5:8]), "hands are open, as the round's keys are in the file"
    assert any(line.startswith(f"{replay.place + 1}/{steps} Round 2.") for line in told)
    assert f"Choose a round from 1 to {len(list(rounds_of(replay.recording)))}." in told


@pytest.mark.slow
def test_all_steps_of_a_match_can_be_told(transcript: bytes) -> None:
    told: list[str] = []
    replay = Replay(recorded(transcript), Translator(), told.append)
    replay.run(["all", "next"])
    assert told[-1] == "This is the end."
    assert sum("The round is over." in line for line in told) >= 1
    assert "{" not in "".join(told)


@pytest.mark.slow
def test_each_step_shows_the_table_as_it_was_settled(transcript: bytes) -> None:
    steps = recorded(transcript).steps
    began = [step for step in steps if isinstance(step.news, RoundBegan)]
    assert len(began) >= 2
    for step in steps:
        if isinstance(step.news, RoundEnded):
            continue
        assert tuple(len(step.view.hand(seat)) for seat in range(3)) == step.view.hand_sizes
        assert step.view.top is not None  # from the first step on: the card is turned up
    draws = [step.news for step in steps if isinstance(step.news, Moved) and step.news.move["do"] == "draw"]
    assert draws
    for news in draws:
        assert news.after.hand_sizes[news.seat] == news.before.hand_sizes[news.seat] + 1


@pytest.mark.slow
def test_a_card_drawn_leaves_the_covered_card_as_it_was(transcript: bytes) -> None:
    model = ReplayModel(recorded(transcript), TerminalSettings(), lambda: 0.0)
    covered = None
    for place, step in enumerate(model.recording.steps):
        model.go(place)
        shown = model.view().pile
        assert shown is not None
        if isinstance(step.news, RoundBegan):
            covered = None
        elif isinstance(step.news, Moved) and step.news.move["do"] == "play":
            covered = model.cards.face(str(step.news.before.top))
        assert shown.before == covered


@pytest.mark.slow
def test_replay_runs_as_a_command(
    transcript: bytes, tmp_path: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "match.fairdeal"
    file.write_bytes(transcript)
    monkeypatch.setattr("sys.stdin", io.StringIO("\n\nquit\n"))
    assert main(["replay", str(file)]) == 0
    assert "Round 1." in capsys.readouterr().out


# --- opening a table ---


def request(**fields: object) -> TableRequest:
    return TableRequest(**{"command": "host", "game": "crazy-eights", **fields})  # type: ignore[arg-type]


def test_seats_and_bots_make_a_table() -> None:
    assert game_of(request()).seats == 4
    assert game_of(request(seats=6)).seats == 6
    assert game_of(request(command="play", bots=2)).seats == 3
    assert game_of(request(game="tichu")).seats == 4
    with pytest.raises(WrongUse):
        game_of(request(seats=3, bots=3))


def test_a_level_is_refused_that_the_game_does_not_have(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games from elsewhere may have fewer than ours."""
    monkeypatch.setattr(game_class("two-four-jack"), "levels", (EASY, NORMAL))
    assert game_of(request(game="tichu", level="strong")).name == "tichu"
    assert game_of(request(level="strong")).name == "crazy-eights"
    assert game_of(request(level="easy")).name == "crazy-eights"
    with pytest.raises(WrongUse) as refused:
        game_of(request(game="two-four-jack", level="strong"))
    assert str(refused.value) == "bots in this game play: easy, normal"
