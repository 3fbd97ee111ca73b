"""Bombs out of turn, and the Mah Jong's wish."""

from __future__ import annotations

import pytest

from protocol.cards import PACK_TICHU, Card
from protocol.games.tichu.moves import Collect, Pass, PlayCombination
from protocol.values import replace
from tests.games.tichu.sitting import Sitting, cards

# --- bombs ---


def test_a_bomb_out_of_turn_moves_the_turn() -> None:
    a, _, c, d = table = Sitting("2j 3j", "4j 4s", "5j 5s 5p 5k 6j", "7j 7s")
    a.plays("2j")
    c.plays("5j 5s 5p 5k")
    assert (table.view["turn"], table.view["combo"]) == (3, {"kind": "bomb", "size": 4, "rank": 5})
    d.cannot_play("7j", because="can't beat")
    d.cannot_play("7j 7s", because="can't beat")


def test_nothing_but_a_bomb_comes_out_of_turn() -> None:
    a, b, c, d = Sitting("2j 3j", "4j 4s", "5j 6j", "7j 7s")
    a.plays("2j")
    c.cannot_play("5j", because="not your turn")
    c.cannot_play("5j 6j", because="not your turn")
    a.cannot_play("3j", because="not your turn")
    d.cannot(Pass(), "not your turn")
    b.cannot_play("4j 4s 5j", because="have only 2 cards")


def test_no_bomb_before_the_lead() -> None:
    a, _, c, _ = table = Sitting("2j 3j", "4j 4s", "5j 5s 5p 5k 6j", "7j 7s")
    c.cannot_play("5j 5s 5p 5k", because="before the lead")
    assert table.view["to_act"] == [0]
    a.plays("2j")
    assert table.view["to_act"] == [1, 2]
    assert table.local.to_act == (1, 2)


def test_a_bomb_may_be_led() -> None:
    a, b, _, _ = table = Sitting("5j 5s 5p 5k 6j", "4j 4s 4p 4k 9j 9s 9p 9k 2j", "6p 7p 8p 9p Tp 2p", "7j 7s")
    a.plays("5j 5s 5p 5k")
    assert table.view["turn"] == 1
    b.cannot_play("4j 4s 4p 4k", because="can't beat")
    b.plays("9j 9s 9p 9k")


def test_ones_own_play_and_the_partners_may_be_bombed_and_a_pass_does_not_bind() -> None:
    a, b, c, _ = table = Sitting("2j 9j 9s 9p 9k 3j", "4s 4j", "5j 5s 5p 5k 6j", "7j 7s")
    a.plays("2j")
    b.passes()
    c.passes()
    c.plays("5j 5s 5p 5k")
    a_bomb = PlayCombination(cards("9j 9s 9p 9k"))
    a.cannot(a_bomb, "only the player whose turn it is")
    table.people[3].passes()
    assert table.view["turn"] == 0
    a.does(a_bomb)
    assert table.view["turn"] == 1


def test_a_bomb_on_a_bomb_waits_for_the_turn() -> None:
    hands = ("2j 3j", "Tj Ts Tp Tk 4j", "5j 5s 5p 5k 6j", "9j 9s 9p 9k 7j")
    a, b, c, d = table = Sitting(*hands)
    a.plays("2j")
    c.plays("5j 5s 5p 5k")
    b.cannot_play("Tj Ts Tp Tk", because="only the player whose turn it is")
    assert table.view["to_act"] == [3]
    d.plays("9j 9s 9p 9k")  # in turn: now bombs out of turn are free again
    assert table.view["turn"] == 0
    b.plays("Tj Ts Tp Tk")

    a, b, c, d = Sitting(*hands, bomb_on_bomb="any")
    a.plays("2j")
    c.plays("5j 5s 5p 5k")
    b.plays("Tj Ts Tp Tk")
    d.cannot_play("9j 9s 9p 9k", because="can't beat")


@pytest.mark.parametrize("option", ["turn", "any"])
def test_a_bomb_before_the_trick_is_collected(option: str) -> None:
    hands = ("Kj 2j", "Tj Ts Tp Tk 4j", "5j 5s 5p 5k 6j", "9j 9s 9p 9k 7j")
    a, b, c, d = table = Sitting(*hands, bomb_on_bomb=option)
    a.plays("Kj")
    for person in (b, c, d):
        person.passes()
    assert table.view["to_act"] == [0, 1, 2, 3]
    assert table.game.waits_grace(table.local.state, 0, Collect())
    c.cannot_play("6j", because="is won")
    c.plays("5j 5s 5p 5k")
    assert (table.view["phase"], table.view["turn"]) == ("play", 3)
    for person in (d, a, b):
        person.passes()
    assert table.view["phase"] == "collect"
    if option == "any":
        assert table.game.waits_grace(table.local.state, 2, Collect())
        d.plays("9j 9s 9p 9k")
        assert table.view["turn"] == 0
    else:
        assert not table.game.waits_grace(table.local.state, 2, Collect())
        d.cannot_play("9j 9s 9p 9k", because="only the player whose turn it is")
        c.collects()


def test_nobody_waits_where_no_bomb_can_be() -> None:
    a, b, c, d = table = Sitting("Kj 2j", "4j 4s 3j", "5j 6j", "7j 7s 8j")
    a.plays("Kj")
    for person in (b, c, d):
        person.passes()
    assert not table.game.waits_grace(table.local.state, 0, Collect())
    assert table.view["to_act"] == [0]


def test_who_may_act_hangs_on_the_number_of_cards() -> None:
    a, b, _, _ = table = Sitting("Kj 2j", "4j 5j 6j 7j 8j 9s", "6p 6s 7p 3k", "7k 7s 8k")
    a.plays("Kj")
    assert table.view["to_act"] == [1, 2], "three cards are no bomb, four may be one"
    b.plays("4j 5j 6j 7j 8j")
    assert table.view["to_act"] == [2]
    table.people[2].passes()
    assert table.view["to_act"] == [3], "no bomb of four beats one of five"


def test_nobody_waits_for_a_bomb_that_has_been_played_or_is_too_long() -> None:
    a, b, c, d = table = Sitting("Kj 2j", "6p 6s 7p 3k", "5j", "8k")
    a.plays("Kj")
    for person in (b, c, d):
        person.passes()
    state = table.local.state
    assert table.game.waits_grace(state, 0, Collect())
    hidden = cards("4j 5j 6j 7j 8j 9s 9p 9k 2j")  # a run of five is hidden, but nobody else holds five cards
    seen = tuple(card for card in PACK_TICHU if card not in hidden)
    assert not table.game.waits_grace(replace(state, played=seen), 0, Collect())
    assert table.game.waits_grace(replace(state, played=seen, hand_sizes=(1, 5, 1, 1)), 0, Collect())
    assert not table.game.waits_grace(replace(state, played=(*seen, Card("8j")), hand_sizes=(1, 5, 1, 1)), 0, Collect())


def test_who_wins_the_trick_may_bomb_it() -> None:
    a, b, c, d = table = Sitting("Kj 5j 5s 5p 5k 2j", "4j", "6j", "8j")
    a.plays("Kj")
    for person in (b, c, d):
        person.passes()
    a.plays("5j 5s 5p 5k")
    assert table.view["turn"] == 1


def test_the_winners_own_bomb_is_out_of_turn_too() -> None:
    a, b, c, d = table = Sitting("Kj 5j 5s 5p 5k 2j", "4j", "Tj Ts Tp Tk 6j", "8j 8s 8p 8k 9j")
    a.plays("Kj")
    for person in (b, c, d):
        person.passes()
    a.plays("5j 5s 5p 5k")
    c.cannot_play("Tj Ts Tp Tk", because="only the player whose turn it is")
    assert table.view["to_act"] == [1]


def test_who_is_out_does_not_bomb() -> None:
    a, _, _, d = table = Sitting("5j 5s 5p 5k", "Kj 2j", "3j 4s", "7j 7s", lead=3)
    d.plays("7j")
    a.plays("5j 5s 5p 5k")
    assert table.view["out"] == [0]
    a.cannot(PlayCombination(cards("5j 5s 5p 5k")), "you are already out")
    a.cannot(PlayCombination(cards("2j")), "you are already out")


def test_a_bomb_out_of_turn_can_end_the_round() -> None:
    a, _, c, _ = table = Sitting("2j", "Kj 2s", "5j 5s 5p 5k", "7j 7s", target=0)
    a.plays("2j")
    c.plays("5j 5s 5p 5k")
    assert (table.view["ended"], table.view["round_points"]) == ("double", [200, 0])


# --- wishes ---


def test_only_the_mah_jong_wishes_and_only_for_ranks() -> None:
    a, _, _, _ = table = Sitting("Mah 2j 3j 4j 5s", "6j 6s", "7j 7s", "8j 8s")
    a.cannot_play("2j", wish="7", because="only the player who plays the Mah Jong")
    for wish in ("1", "Phx", "M", "10"):
        a.cannot_play("Mah", wish=wish, because="can't wish for")
    a.plays("Mah 2j 3j 4j 5s", wish="3")
    assert table.view["wish"] == "3", "the play that brings the Mah Jong does not meet its own wish"


def test_a_wish_binds_who_can_meet_it() -> None:
    a, b, c, d = table = Sitting("Mah 9s", "8j Kj", "2j 3j", "8s 9j")
    a.plays("Mah", wish="8")
    b.breaches(Pass())
    b.breaches(PlayCombination(cards("Kj")))
    assert list(table.local.legal(1)) == [PlayCombination(cards("8j"))]
    b.plays("8j")
    assert table.view["wish"] is None
    c.passes()
    d.passes()


def test_a_wish_waits_over_tricks_and_binds_the_leader() -> None:
    a, b, c, d = table = Sitting("Mah 9s Ts", "7j 7s Kj", "2j 3j", "8j 8s 8p 9j 9p Dog", lead=0)
    a.plays("Mah", wish="8")
    b.plays("Kj")
    c.passes()
    d.passes()  # an eight does not beat the king
    a.passes()
    b.collects()
    b.plays("7j 7s")
    c.passes()
    d.breaches(Pass())
    d.breaches(PlayCombination(cards("9j 9p")))
    d.plays("8j 8p")
    assert table.view["wish"] is None


def test_the_leader_meets_a_wish_with_whatever_has_the_rank() -> None:
    a, b, c, d = table = Sitting("Mah 9s", "2s", "Tj 2j 3j", "Kj 8j 8s 8p 9j 9p Dog")
    a.plays("Mah", wish="8")
    b.plays("2s")
    c.plays("Tj")
    d.plays("Kj")
    a.passes()
    c.passes()
    d.collects()
    d.breaches(PlayCombination(cards("Dog")))
    d.breaches(PlayCombination(cards("9j 9p")))
    offered = [move for move in table.local.legal(3) if isinstance(move, PlayCombination)]
    assert {len(move.cards) for move in offered} == {1, 2, 3, 4, 5}
    assert all(any(card[0] == "8" for card in move.cards) for move in offered)
    d.plays("8j 8s 8p 9j 9p")
    assert table.view["wish"] is None


def test_the_phoenix_helps_but_does_not_stand_in() -> None:
    a, b, c, d = table = Sitting("Mah 9s 6j 6s", "8j Phx Kj Ks", "Phx 2j", "2s 3s", lead=0)
    a.plays("Mah", wish="8")
    b.breaches(PlayCombination(cards("Phx")))
    b.plays("8j")
    assert table.view["wish"] is None
    a, b, c, d = table = Sitting("Mah 9s", "Kp 6j 6s", "8j Phx Kj Ks", "2s 3s", lead=0)
    a.plays("Mah", wish="8")
    b.plays("Kp")
    c.passes()  # no eight beats the king
    d.passes()
    a.passes()
    b.collects()
    b.plays("6j 6s")
    c.breaches(Pass())
    c.breaches(PlayCombination(cards("Kj Ks")))
    c.plays("8j Phx")
    assert table.view["wish"] is None


def test_a_bomb_may_be_needed_and_one_without_the_rank_is_a_breach() -> None:
    a, b, c, d = table = Sitting("Mah 9s", "Kp 6p", "8j 8s 8p 8k 9j 9p 9k 2j", "3s 3j 3p 3k")
    a.plays("Mah", wish="8")
    b.plays("Kp")
    assert list(table.local.legal(2)) == [PlayCombination(cards("8j 8s 8p 8k"))]
    c.breaches(Pass())
    d.plays("3s 3j 3p 3k")  # out of turn nothing is demanded
    assert table.view["wish"] == "8"
    a.passes()
    b.passes()
    c.breaches(Pass())
    c.plays("8j 8s 8p 8k")
    assert table.view["wish"] is None


def test_a_bomb_in_turn_without_the_rank_is_a_breach() -> None:
    a, b, c, _ = table = Sitting("Mah 9s", "4j 4s 4p 4k 8j", "8s 8p 3j", "2s 3s")
    a.plays("Mah", wish="8")
    b.breaches(PlayCombination(cards("4j 4s 4p 4k")))
    b.plays("8j")
    assert table.view["wish"] is None
    c.passes()


def test_out_of_turn_nothing_is_demanded() -> None:
    a, _, _, d = table = Sitting("Mah 9s", "4j 4s", "5j", "8k 3j 3s 3p 3k")
    a.plays("Mah", wish="8")
    d.plays("3j 3s 3p 3k")
    assert table.view["wish"] == "8"


def test_a_bomb_out_of_turn_meets_the_wish() -> None:
    a, _, c, d = table = Sitting("Mah 9s", "4j 4s", "8j 8s 8p 8k 3j", "9j")
    a.plays("Mah", wish="8")
    c.plays("8j 8s 8p 8k")
    assert (table.view["wish"], table.view["turn"]) == (None, 3)
    d.passes()


def test_a_wish_lapses_with_the_round_and_can_be_left_open_while_going_out() -> None:
    a, b, _, _ = table = Sitting("Mah", "4j", "8j 8s", "9j 9s", target=0)
    a.plays("Mah", wish="K")
    assert table.view["out"] == [0]
    b.plays("4j")
    table.people[2].plays("8j")
    table.people[3].plays("9j")
    table.people[2].passes()
    table.people[3].collects()
    assert table.view["wish"] == "K"
    table.people[3].plays("9s")
    assert table.view["round_over"]
    assert table.view["wish"] is None


def test_collecting_is_free_under_a_wish() -> None:
    a, b, c, d = table = Sitting("Mah 9s", "8j", "2j 3j", "2s")
    a.plays("Mah", wish="9")
    for person in (b, c, d):
        person.passes()
    a.collects()
    a.plays("9s")
    assert table.view["wish"] is None
