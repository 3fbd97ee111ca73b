"""Both verifiers say the same of files with epochs that somebody changed who has keys of the table: see `crossing`."""

from __future__ import annotations

import pytest

from protocol.messages import Closed, Without
from protocol.wire import frame
from tests.independent.crossing import WAYS, differences
from tests.independent.encoding import frames
from tests.independent.test_match_vectors import data_of
from tests.independent.test_matches import assert_same
from tests.vectors.crafted_matches import Changing

SEEDS = [pytest.param(seed, marks=pytest.mark.soak if seed > 4 else ()) for seed in (4, 5, 6)]


@pytest.mark.slow
@pytest.mark.usefixtures("toy_for_both")
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("way", WAYS)
def test_both_say_the_same_of_files_that_a_liar_has_changed(way: str, seed: int) -> None:
    assert not differences(seed, way, 8)


def test_a_closed_that_convicts_nobody_any_more_has_no_place_in_a_file() -> None:
    """Its seat has denied it, but stands convicted of that already, which broke the match off."""
    data = data_of("went-back")
    of = Changing(list(frames(data)))
    convicted = assert_same(data).evidence
    (seat,) = (seat for what, seat in convicted if what == "concealed")
    lie = [each for _, each in of.of(Without) if each.seat == seat][-1]
    begun = next(each for _, each in of.of(object) if each.epoch > lie.epoch and each.seat == seat)
    closed = of.anew(begun, (begun.epoch, begun.epoch_hash), Closed(bytes(32)))
    found = assert_same(data + frame(bytes.fromhex(closed)))
    assert not found.ok
