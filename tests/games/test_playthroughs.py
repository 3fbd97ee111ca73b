"""Every file in tests/playthroughs holds against the engine of its game."""

from pathlib import Path

import pytest

from protocol.games.playthrough import PlaythroughFailed, run_playthrough
from tests.rows import row

FOLDER = Path(__file__).parent.parent / "playthroughs"
GAMES = sorted(path.name for path in FOLDER.iterdir() if path.is_dir())


def files(game: str) -> list[Path]:
    found = sorted((FOLDER / game).rglob("*.jsonl"))
    assert len(found) >= 3
    return found


def test_every_playthrough_is_of_a_game() -> None:
    assert sorted(FOLDER.rglob("*.jsonl")) == sorted(path for game in GAMES for path in files(game))


@pytest.mark.parametrize("game", GAMES)
def test_playthroughs_hold(game: str) -> None:
    for path in files(game):
        with row(path.name):
            run_playthrough(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("game", GAMES)
def test_playthroughs_say_what_they_show(game: str) -> None:
    for path in files(game):
        with row(path.name):
            assert path.read_text(encoding="utf-8").startswith("# ")


def test_a_wrong_expectation_is_found() -> None:
    """That the files pass means something: one changed number makes one fail, and its line is named."""
    text = (FOLDER / "tichu" / "single-order.jsonl").read_text(encoding="utf-8")
    assert text.count('"captured": [40, 0, 0, 0]') == 1
    with pytest.raises(PlaythroughFailed):
        run_playthrough(text.replace('"captured": [40, 0, 0, 0]', '"captured": [35, 0, 0, 0]'))


def test_a_legal_move_marked_illegal_is_found() -> None:
    text = (FOLDER / "tichu" / "single-order.jsonl").read_text(encoding="utf-8")
    move = '{"seat": 1, "do": "play", "cards": ["2s"]}'
    assert text.count(move) == 1
    with pytest.raises(PlaythroughFailed):
        run_playthrough(text.replace(move, move[:-1] + ', "illegal": true}'))
