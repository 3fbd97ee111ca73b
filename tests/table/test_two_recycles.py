"""A move that recycles the pile twice: shuffles in two stages. Both verifiers read such a file among the vectors."""

from __future__ import annotations

import pytest

from protocol.cards import Card
from protocol.games.crazy_eights import CrazyEights
from protocol.games.shedding import state
from protocol.table.roster import TableOptions
from tests.table.matches import assert_all_agree
from tests.table.tables import Tables

PACK = tuple(map(Card, ("5h", "6h", "Qh", "5s", "Qs", "Qd")))
"""So few that a forgotten word empties the stock."""


@pytest.mark.slow
@pytest.mark.usefixtures("toy")
def test_a_second_recycling_is_a_second_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CrazyEights, "pack", property(lambda game: PACK))
    monkeypatch.setattr(state, "LONGEST", 100)
    monkeypatch.setattr(CrazyEights, "calls", lambda game, state, seat: (False,))  # nobody ever says the word
    options = {"hand": 2, "target": 0, "recycle": True, "last_card": True, "skip": "Q"}
    tables = Tables("crazy-eights", 2, options, 10, None, TableOptions(pause=0, grace=0))
    tables.start()
    tables.play()
    round = tables.clients[0].table.record.round
    assert round is not None
    heights = [chain.step for chain in round.chains]
    assert len(set(heights)) < len(heights), "choose a seed with which a move recycles twice"
    assert_all_agree(tables)
