"""Matches kept as files by an earlier version: the same verdict today, and the same seeds still make the same bytes."""

from __future__ import annotations

import json

import pytest

from tests.table.kept.make import HERE, MATCHES, path, transcript, verdict

VERDICTS = json.loads((HERE / "verdicts.json").read_text())
LONG = ("tichu-broken-off", "crazy-eights-split-votes")


@pytest.mark.parametrize("name", MATCHES)
def test_a_kept_match_has_the_same_verdict(name: str) -> None:
    assert json.loads(json.dumps(verdict(path(name).read_bytes()))) == VERDICTS[name]


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.soak if n in LONG else ()) for n in MATCHES])
def test_the_same_seeds_make_the_same_bytes(name: str) -> None:
    assert transcript(name) == path(name).read_bytes()
