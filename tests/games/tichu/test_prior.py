"""What a play is worth before any deal is imagined."""

from __future__ import annotations

from protocol.games.tichu.moves import Pass, PlayCombination
from protocol.games.tichu.outlook import HandEstimates
from protocol.games.tichu.plays import bits_of
from protocol.games.tichu.prior import prior
from protocol.values import replace
from tests.games.tichu.sitting import Sitting, cards


def worth(table: Sitting, play: str, call: int | None = None) -> float:
    """What a play is worth to the seat in turn. `call`: who has called Tichu."""
    state = replace(table.local.state, calls=tuple("tichu" if seat == call else None for seat in range(4)))
    seat = state.turn
    assert seat is not None
    hand = table.local.hands[seat]
    move = PlayCombination(cards(play)) if play else Pass()
    return prior(state, seat, bits_of(hand), HandEstimates(state, seat, hand), move)


def leading() -> Sitting:
    return Sitting("Aj As 3j 4j 5s 6p 7k", "2s 5p 6s", "Ks 5j 6j Qs", "2k 7j 7p")


def answering() -> Sitting:
    table = Sitting("Kj 3p 4j", "As Phx 5s 6s 9s", "2s 5j 6j Qs Ap", "2k 7k 7p")
    table.people[0].plays("Kj")
    return table


def test_a_straight_is_a_better_lead_than_an_ace_of_a_pair() -> None:
    assert worth(leading(), "3j 4j 5s 6p 7k") > worth(leading(), "Aj As") > worth(leading(), "Aj")


def test_a_pass_is_what_all_is_compared_with() -> None:
    assert worth(answering(), "") == 0.0


def test_a_caller_is_stopped_and_a_bomb_or_the_phoenix_kept() -> None:
    assert worth(answering(), "As", call=0) > worth(answering(), "As") > worth(answering(), "Phx")


def test_a_partner_who_called_is_left_alone() -> None:
    table = answering()
    table.people[1].passes()
    assert worth(table, "Ap", call=0) < worth(table, "Ap")
