"""Every file in tests/playthroughs holds against the engine of its game."""

from pathlib import Path

import pytest

from protocol.games.playthrough import PlaythroughFailed, run_playthrough

FOLDER = Path(__file__).parent.parent / "playthroughs"
FILES = sorted(FOLDER.rglob("*.jsonl"))


def name(path: Path) -> str:
    return path.relative_to(FOLDER).as_posix()


@pytest.mark.parametrize("path", FILES, ids=name)
def test_playthrough_holds(path: Path) -> None:
    run_playthrough(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", FILES, ids=name)
def test_playthrough_says_what_it_shows(path: Path) -> None:
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
