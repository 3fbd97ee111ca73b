"""What a player's modified client tries, over real links. Each cheat is one that `tests/table/adversaries` plays in memory, where
it says who is named, and for what; over links, too, on evidence that anybody can check, and nobody else is."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

from tests.adversaries.declared import over_links
from tests.adversaries.seats.conftest import Link
from tests.table.adversaries import test_duties as duties
from tests.table.adversaries import test_letters as letters
from tests.table.adversaries import test_moves as moves
from tests.table.adversaries import test_preparing as preparing
from tests.table.adversaries import test_promises as promises
from tests.table.adversaries import test_recovery as recovery
from tests.table.adversaries import test_votes as votes

pytestmark = [pytest.mark.sockets, pytest.mark.slow, pytest.mark.usefixtures("toy_programs")]

Cheat = tuple[Callable[..., None], *tuple[Any, ...]]

CHEATS: list[Cheat] = [
    (preparing.test_two_nonces_one_of_which_matches,),
    (preparing.test_a_rogue_key_that_cancels_the_others,),
    (preparing.test_two_decks_for_two_seats, 3, False),
    (preparing.test_a_recycled_deck_with_a_card_twice,),
    (duties.test_a_wrong_share,),
    (moves.test_a_face_that_is_not_in_the_place,),
    (votes.test_different_moves_for_different_seats,),
    (promises.test_a_promise_that_conceals_an_earlier_one,),
    (recovery.test_a_bad_share_shown_to_its_receiver_alone,),
    (letters.test_everything_that_was_ever_sent_is_sent_again,),
]
"""One for each message in which a cheat reaches the others."""
MORE: list[Cheat] = [
    (preparing.test_two_cards_change_places_afterwards,),
    (preparing.test_a_proof_of_another_seat,),
    (duties.test_shares_of_an_earlier_height,),
    (duties.test_a_remasked_hand_with_a_card_twice,),
    (moves.test_a_move_out_of_turn, "draw"),
    (recovery.test_a_complaint_about_a_share_that_opens,),
    (letters.test_evidence_that_shows_nothing,),
    (preparing.test_a_copied_key,),
    (preparing.test_a_key_proved_for_another_round,),
    (preparing.test_a_generator_that_is_not_the_groups,),
    (preparing.test_two_keys_for_two_seats,),
    (preparing.test_a_card_that_is_there_twice,),
    (preparing.test_a_foreign_card, "Jk"),
    (preparing.test_a_deck_of_another_size, 51),
    (preparing.test_a_deck_with_the_identity_in_it,),
    (preparing.test_a_proof_of_another_round,),
    (preparing.test_a_proof_that_was_made_for_another_place, "table"),
    (preparing.test_a_proof_that_was_made_for_another_place, "deck"),
    (preparing.test_a_proof_that_was_made_for_another_place, "purpose"),
    (preparing.test_a_key_of_another_size, 161),
    (preparing.test_a_key_that_is_no_point,),
    (preparing.test_a_deck_with_an_encoding_that_is_none,),
    (preparing.test_a_proof_of_another_size, 1),
    (preparing.test_a_reveal_that_is_none, b"\xff" * 64),
    (preparing.test_a_revealed_key_that_is_another,),
    (preparing.test_two_recycled_decks_for_two_seats,),
    (preparing.test_a_recycled_deck_that_names_another_height, "shuffled"),
    (preparing.test_a_recycled_deck_that_names_another_height, "shuffle-proof"),
    (duties.test_a_swapped_pair_of_shares,),
    (duties.test_shares_that_are_wrong_by_amounts_that_cancel,),
    (duties.test_a_share_for_another_slot,),
    (duties.test_shares_proved_as_another_seat,),
    (duties.test_the_identity_for_a_share,),
    (duties.test_another_proof_of_the_same_shares_for_one_seat,),
    (duties.test_a_remasked_hand_with_a_card_of_the_old_one,),
    (moves.test_a_card_that_does_not_fit,),
    (moves.test_a_draw_that_puts_another_card_into_the_hand,),
    (votes.test_different_votes_for_different_seats,),
    (promises.test_two_promises_of_one_number_that_meet,),
    (recovery.test_a_split_that_does_not_add_up_to_the_key,),
    (recovery.test_a_share_whose_sender_does_not_know_what_it_sealed_it_with,),
]
"""Others that are told over the same links in the same messages."""
over_links(__name__, *(test for test, *_ in CHEATS + MORE))


def name(cheat: Cheat) -> str:
    test, *given = cheat
    return "-".join([test.__name__[5:], *map(str, given)])


@pytest.mark.parametrize(
    "cheat",
    [
        *(pytest.param(cheat, id=name(cheat)) for cheat in CHEATS),
        *(pytest.param(cheat, id=name(cheat), marks=pytest.mark.soak) for cheat in MORE),
    ],
)
def test_over_real_links(cheat: Cheat, linked: Link, monkeypatch: pytest.MonkeyPatch) -> None:
    test, *given = cheat
    monkeypatch.setattr(sys.modules[test.__module__], "Forger", linked)
    test(*given)
