"""The rules among the vectors: the same seeds make the same rounds."""

from __future__ import annotations

import json

from tests.vectors import make_games


def test_the_rules_are_those_of_the_vectors() -> None:
    kept = json.loads((make_games.HERE / "games.json").read_text(encoding="utf-8"))
    assert json.loads(json.dumps(make_games.vectors())) == kept
