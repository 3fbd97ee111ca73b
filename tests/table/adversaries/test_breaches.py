"""What a hidden hand hides: a move that the hand forbids passes when it is made, and is named when the round's hands are opened.
The points stand as they were played."""

from __future__ import annotations

from typing import Any

import pytest

from protocol.errors import IllegalMove
from protocol.table.events import RoundClosed
from protocol.table.record import Phase
from protocol.table.roster import TableOptions
from protocol.table.table import Table
from protocol.table.verify import verify
from tests.adversaries.declared import By, attack
from tests.table.matches import file_of
from tests.table.tables import Tables, stream

pytestmark = pytest.mark.usefixtures("toy")

CHEATER = 1


class BreaksTheRules(Tables):
    """Its cheater makes every move that only its hand forbids: it takes cards that it should answer, passes while it could play,
    leaves a wish unmet."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.broken: list[tuple[int, str, str]] = []
        """What it did: (height, move, the rule)."""

    def move_someone(self) -> None:
        table = self.clients[CHEATER].table
        if table.can_move and table.record.phase is Phase.PLAYING and CHEATER in table.game.awaited(table.record.state):
            for do in ("pass", "draw"):
                if (reason := forbidden_by_the_hand(table, {"do": do})) is not None:
                    move = table.game.decode({"do": do})
                    table.choice.choose(move, self.now)
                    self.broken.append((table.record.height, do, str(reason)))
                    self.take(CHEATER, table.wake(self.now))
                    return
        super().move_someone()


def forbidden_by_the_hand(table: Table, data: dict[str, Any]) -> IllegalMove | None:
    game, state = table.game, table.record.state
    try:
        move = game.decode(data)
        game.apply(state, CHEATER, move)
    except Exception:  # not a move of this game, or one that all can see to be wrong
        return None
    try:
        game.check(state, CHEATER, table.cards, move)
    except IllegalMove as reason:
        return reason
    return None


CASES: list[tuple[str, int, dict[str, Any], int, str]] = [
    ("two-four-jack", 3, {"draw": "one", "target": 500}, 0, "draw"),
    ("crazy-eights", 3, {"draw": "one", "hand": 14, "target": 500}, 0, "pass"),
    ("tichu", 4, {}, 8, "pass"),
]
"""Games, with a seed that leads to a breach. Two of them in `make test`: in Crazy Eights it is as in Two-Four-Jack."""


@attack(
    By.PLAYER,
    "A player breaks a rule in a way that only their own hand shows: a pass with a playable card, an ignored wish.",
    "When the round is over and all hands are opened.",
    "the player, together with the score; the file shows the hand and the move. The points stand",
)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "seats", "options", "seed", "do"),
    [pytest.param(*case, id=case[0], marks=pytest.mark.soak if case[0] == "crazy-eights" else ()) for case in CASES],
)
def test_what_the_hand_forbade_is_named_when_it_is_opened(
    game: str, seats: int, options: dict[str, Any], seed: int, do: str
) -> None:
    tables = BreaksTheRules(game, seats, options, seed, table=TableOptions(pause=0, grace=0, rounds=1))
    tables.start()
    tables.play()
    assert do in {each for _, each, _ in tables.broken}
    first = tables.clients[0]
    for client in tables.clients:
        record = client.table.record
        assert record.broken is None, "a breach ends no match"
        found = [(each.height, each.seat, each.move["do"], str(each.reason)) for each in record.breaches]
        assert found == [(height, CHEATER, move, reason) for height, move, reason in tables.broken]
        closed = next(event for event in client.events if isinstance(event, RoundClosed))
        assert closed.breaches == record.breaches or str(closed.breaches) == str(record.breaches)
        assert closed.scores == record.scores
        assert client.transcript == first.transcript
    report = verify(file_of(tables, 0), stream(3))
    assert report.ok and report.complete
    assert report.scores == first.table.record.scores
    assert [(each["what"], each["seat"], each["step"]) for each in report.evidence] == [
        ("breach", CHEATER, height) for height, _, _ in tables.broken
    ]


def test_an_honest_client_does_not_let_its_player_break_a_rule() -> None:
    """The same check stands before one's own move."""
    tables = BreaksTheRules("two-four-jack", 3, {"draw": "one", "target": 500}, 0)
    tables.start()
    for _ in range(20_000):
        table = tables.clients[CHEATER].table
        if table.can_move and CHEATER in table.game.awaited(table.record.state):
            reason = forbidden_by_the_hand(table, {"do": "draw"})
            if reason is not None:
                with pytest.raises(IllegalMove, match=str(reason)[:20]):
                    table.act(table.game.decode({"do": "draw"}), tables.now)
                assert table.choice.intent is None
                return
        Tables.move_someone(tables)
        tables.turn()
        if tables.clients[0].table.is_over:
            break
    raise AssertionError("choose a seed with a two to answer")
