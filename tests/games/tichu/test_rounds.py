"""A round from the deal to the score."""

from __future__ import annotations

from random import Random

import pytest

from protocol.cards import MAH_JONG, PACK_TICHU, Card
from protocol.errors import BadOption, IllegalMove
from protocol.games.catalogue import load
from protocol.games.game import DealToHand, Shuffle
from protocol.games.local import LocalTable
from protocol.games.tichu import Tichu
from protocol.games.tichu.moves import CallTichu, Collect, Give, Grand, Move, Pass, PlayCombination, Show
from protocol.values import replace
from tests.games.tichu.sitting import Sitting, cards


def dealt(**options: object) -> LocalTable:
    return LocalTable(Tichu(4, options), Random(5), dealer=3)


def exchanged(table: LocalTable) -> LocalTable:
    for seat in range(4):
        table.play(seat, Grand(False))
    for seat in range(4):
        table.play(seat, Give(table.hands[seat][:3]))
    return table


# --- dealing ---


def test_eight_cards_then_six() -> None:
    table = dealt()
    assert table.state.phase == "grand"
    assert [len(hand) for hand in table.hands] == [8] * 4
    assert table.view()["stock_size"] == 24
    first_eight = table.hands
    for seat in (2, 0, 3):
        table.play(seat, Grand(False))
        assert table.state.hand_sizes == (8, 8, 8, 8)
    assert table.to_act == (1,)
    table.play(1, Grand(True))
    assert table.state.phase == "give"
    assert [len(hand) for hand in table.hands] == [14] * 4
    assert all(hand[:8] == before for hand, before in zip(table.hands, first_eight, strict=True))
    assert sorted(card for hand in table.hands for card in hand) == sorted(PACK_TICHU)
    assert table.view()["calls"] == {"1": "grand"}


def test_all_at_once_without_grand_tichu() -> None:
    outcome = Tichu(4, {"grand": False}).start(dealer=1)
    assert outcome.state.phase == "give"
    assert outcome.demands == (
        Shuffle(PACK_TICHU),
        DealToHand(2, 14),
        DealToHand(3, 14),
        DealToHand(0, 14),
        DealToHand(1, 14),
    )


def test_one_decides_once_on_grand_tichu() -> None:
    table = dealt()
    table.play(1, Grand(False))
    for seat, move, because in (
        (1, Grand(True), "already answered Grand Tichu"),
        (0, CallTichu(), "once all 14"),
        (0, Give(table.hands[0][:3]), "passed only before"),
        (0, Show(), "after cards are passed"),
        (0, PlayCombination(table.hands[0][:1]), "until everyone has passed"),
        (0, Collect(), "no trick"),
        (7, Grand(False), "no seat"),
    ):
        with pytest.raises(IllegalMove, match=because):
            table.play(seat, move)


def test_all_four_seats_are_needed() -> None:
    game = Tichu(4)
    with pytest.raises(ValueError, match="all four"):
        game.start(0, present=(0, 1, 2))
    assert game.start(0, present=(3, 2, 1, 0)).state.hand_sizes == (8, 8, 8, 8)
    with pytest.raises(ValueError, match="two teams"):
        game.start(0, scores=(1, 2, 3, 4))
    for seats in (3, 5):
        with pytest.raises(BadOption):
            load("tichu", seats)
    for bad in ({"target": -1}, {"bomb_on_bomb": "never"}, {"grand": 1}, {"teams": "odd"}):
        with pytest.raises(BadOption):
            load("tichu", 4, bad)


# --- the exchange ---


def test_cards_change_hands_when_all_have_laid_out_theirs() -> None:
    table = dealt()
    for seat in range(4):
        table.play(seat, Grand(False))
    before = [list(hand) for hand in table.hands]
    laid = [hand[4:7] for hand in table.hands]
    for seat in (3, 0, 2):
        table.play(seat, Give(laid[seat]))
        assert [list(hand) for hand in table.hands] == before
        assert table.state.hand_sizes == (14,) * 4
    with pytest.raises(IllegalMove, match="already"):
        table.play(3, Give(laid[3]))
    table.play(1, Give(laid[1]))
    assert table.state.phase == "show"
    for seat in range(4):
        following, across, previous = ((seat + step) % 4 for step in (1, 2, 3))
        kept = [card for card in before[seat] if card not in laid[seat]]
        given = [laid[following][2], laid[across][1], laid[previous][0]]
        assert sorted(table.hands[seat]) == sorted(kept + given)


def test_three_different_cards_from_the_hand_are_given() -> None:
    table = dealt(grand=False)
    mine, other = table.hands[0], table.hands[1][0]
    for gift, because in (
        (mine[:2], "three different"),
        ((mine[0], mine[0], mine[1]), "three different"),
        ((mine[0], mine[0], mine[1], mine[2]), "three different"),
        ((mine[0], mine[1], other), "not in your hand"),
    ):
        with pytest.raises(IllegalMove, match=because):
            table.play(0, Give(gift))
    assert len(table.legal(0)) == 14 * 13 * 12 + 1  # and a call


def test_the_give_is_public_as_a_number() -> None:
    game = Tichu(4)
    move = Give(cards("2j 3j 4j"))
    assert game.encode(game.public(move)) == {"do": "give", "cards": 3}
    assert game.decode({"do": "give", "cards": 3}) == game.public(move)
    assert game.hidden(move) == move.cards
    assert game.uses(move).laid == 3
    with pytest.raises(IllegalMove, match="three different"):
        game.apply(Tichu(4, {"grand": False}).start(0).state, 0, game.decode({"do": "give", "cards": 4}))
    assert game.fill(game.public(move), cards("2j 3j 4j")) == move
    assert game.uses(move) == game.uses(game.public(move))


# --- the first lead ---


def test_the_holder_of_the_mah_jong_shows_it_and_leads_anything() -> None:
    table = exchanged(dealt())
    holder = next(seat for seat in range(4) if MAH_JONG in table.hands[seat])
    other = (holder + 1) % 4
    assert table.view()["turn"] is None
    assert table.game.awaited(table.state) == (0, 1, 2, 3)
    assert table.game.is_stalled(table.state)
    with pytest.raises(IllegalMove, match="holding the Mah Jong"):
        table.play(other, Show())
    table.game.apply(table.state, other, Show())  # the public cannot know
    with pytest.raises(IllegalMove, match="until the Mah Jong is shown"):
        table.play(holder, PlayCombination((MAH_JONG,)))
    table.play(holder, Show())
    assert (table.state.phase, table.state.turn, table.view()["mah_jong"]) == ("play", holder, holder)
    lead = next(card for card in table.hands[holder] if card not in (MAH_JONG, "Dog"))
    table.play(holder, PlayCombination((lead,)))
    assert table.state.turn == other


# --- calling ---


def test_tichu_is_called_until_ones_own_first_card() -> None:
    table = Sitting(fourteen("j", "Mah"), fourteen("s", "Dog"), fourteen("p", "Phx"), fourteen("k", "Drg"))
    a, b, c, d = table
    d.calls()
    b.calls()
    b.cannot(CallTichu(), "already called Tichu")
    a.plays("Aj")
    a.cannot(CallTichu(), "before the caller's first card")
    c.calls()
    assert table.view["calls"] == {"1": "tichu", "2": "tichu", "3": "tichu"}


def test_who_called_grand_tichu_does_not_call_again() -> None:
    table = dealt()
    for seat in range(4):
        table.play(seat, Grand(seat == 2))
    with pytest.raises(IllegalMove, match="already called Grand Tichu"):
        table.play(2, CallTichu())
    table.play(0, CallTichu())
    assert table.view()["calls"] == {"0": "tichu", "2": "grand"}


def fourteen(suit: str, other: str) -> str:
    return " ".join([*(rank + suit for rank in "23456789TJQKA"), other])


def test_calls_count_for_who_went_out_first() -> None:
    table = Sitting("7j 3p", "7s 2s", "4p 4j", fourteen("k", "3j"), target=0)
    a, b, c, d = table
    d.calls()
    a.plays("3p")
    for person in (b, c, d):
        person.passes()
    a.collects()
    a.plays("7j")
    assert table.view["out"] == [0]
    d.cannot(PlayCombination(cards("3j")), "not your turn")
    b.passes()
    c.passes()
    d.passes()
    a.collects()
    b.plays("2s")
    c.plays("4p")
    d.passes()
    b.plays("7s")
    c.passes()
    d.passes()
    b.collects()
    c.plays("4j")
    assert table.view["round_over"]
    # out: 0, 1, 2; seat 3 is last with K and T and 5 in hand (25) for the others, and has called in vain
    assert table.view["out"] == [0, 1, 2]
    assert table.view["round_points"] == [25, -100]
    assert table.view["scores"] == [25, -100]
    assert table.view["winner"] == [0, 2]


def test_calling_when_somebody_is_out_is_legal_and_lost() -> None:
    table = Sitting("2j", "2s 3s", fourteen("k", "3j"), "3p 4p", target=0)
    a, b, c, d = table
    a.plays("2j")
    c.calls()
    b.plays("3s")
    c.plays("4k")
    d.passes()
    b.passes()
    c.collects()
    assert table.view["calls"] == {"2": "tichu"}
    c.plays("2k")
    d.plays("4p")
    b.passes()
    c.passes()
    d.collects()
    d.plays("3p")
    b.passes()
    c.passes()
    d.collects()
    b.plays("2s")
    assert table.view["out"] == [0, 3, 1]
    # the last player's cards: 5, T and K are 25 points for the other team; the call costs 100
    assert table.view["round_points"] == [-100, 25]


# --- tricks ---


def test_a_trick_goes_round_until_all_others_have_passed() -> None:
    a, b, c, d = table = Sitting("5j 9j", "6j 2j", "7j 2s", "Tj")
    a.cannot(Pass(), "you lead")
    a.plays("5j")
    b.passes()
    c.plays("7j")
    d.passes()
    a.plays("9j")
    b.passes()
    c.passes()
    d.plays("Tj")
    b.cannot(Collect(), "no trick")
    b.passes()
    c.passes()
    assert table.view["phase"] == "collect"
    assert table.view["out"] == [0, 3]
    c.cannot(Pass(), "won")
    b.cannot(Collect(), "another player won")
    d.cannot(Collect(0), "only a trick won with the Dragon")
    d.collects()
    assert table.view["captured"] == [0, 0, 0, 15]
    assert table.view["turn"] == 1  # seat 3 and seat 0 are out
    assert table.view["trick"] is None


def test_the_dragons_trick_goes_to_an_opponent() -> None:
    a, b, c, d = table = Sitting("Drg 2j", "Kj 2s", "2p 3p", "2k 3k")
    a.plays("Drg")
    for person in (b, c, d):
        person.passes()
    assert [move.to for move in table.local.legal(0) if isinstance(move, Collect)] == [1, 3]
    for to in (None, 0, 2, 5):
        a.cannot(Collect(to), "Dragon")
    a.collects(to=3)
    assert table.view["captured"] == [0, 0, 0, 25]
    assert table.view["turn"] == 0


def test_a_bombed_dragon_stays() -> None:
    a, b, c, d = table = Sitting("Drg 2j", "5j 5s 5p 5k 2s", "2p 3p", "2k 3k")
    a.plays("Drg")
    b.plays("5j 5s 5p 5k")
    for person in (c, d, a):
        person.passes()
    b.cannot(Collect(0), "only a trick won with the Dragon")
    b.collects()
    assert table.view["captured"] == [0, 45, 0, 0]


def test_the_dog_hands_the_lead_over() -> None:
    a, _, c, d = table = Sitting("Dog 2j", "5j 5s 5p 5k 2s", "2p 3p", "4k 3k")
    a.plays("Dog")
    assert (table.view["turn"], table.view["trick"], table.view["combo"]) == (2, None, None)
    assert table.view["played"] == ["Dog"]
    c.plays("2p")
    d.plays("3k")
    assert table.view["captured"] == [0, 0, 0, 0]


def test_the_dog_goes_past_a_partner_who_is_out() -> None:
    a, b, _, _ = table = Sitting("Dog 2j", "5j 2s", "", "4k 3k", out=[2])
    a.plays("Dog")
    assert table.view["turn"] == 3
    a, b, _, _ = table = Sitting("Dog 2j", "5j 2s", "", "", out=[2, 3])
    a.plays("Dog")
    assert table.view["turn"] == 0, "after the partner come seat 3, who is out, and the Dog's own player"
    a.plays("2j")
    assert table.view["round_over"]
    assert b.seat == 1


def test_the_dog_is_never_played_on_anything() -> None:
    a, b, _, _ = Sitting("2j 3j", "Dog 2s", "2p 3p", "4k 3k")
    a.plays("2j")
    b.cannot_play("Dog", because="can only be led")


# --- the end and the score ---


def test_the_last_players_cards_and_tricks_change_hands() -> None:
    # seat 3 takes a trick with a king (10) and is last with a ten and the Phoenix (-15 for the other team)
    a, b, c, d = table = Sitting("Qj 2j", "5j Qs", "5s Js", "Kk Tk Phx", target=0)
    a.plays("Qj")
    b.passes()
    c.passes()
    d.plays("Kk")
    for person in (a, b, c):
        person.passes()
    d.collects()
    assert table.view["captured"] == [0, 0, 0, 10]
    d.plays("Tk")
    a.passes()
    b.plays("Qs")
    c.passes()
    d.passes()
    a.passes()
    b.collects()
    assert table.view["captured"] == [0, 10, 0, 10]
    b.plays("5j")
    assert table.view["out"] == [1]
    c.plays("Js")
    d.passes()
    a.passes()
    c.collects()
    c.plays("5s")
    d.passes()
    a.passes()
    c.collects()
    # seat 1 first (10), seat 2 second (5 + 5)
    a_turn = table.view["turn"]
    assert a_turn == 3
    d.plays("Phx")
    # seat 3 is out third, and seat 0 last with the 2
    assert table.view["out"] == [1, 2, 3]
    # captured: seat 1 10; seat 2 10; seat 3 10 - 25; the last player took nothing
    assert table.view["captured"] == [0, 10, 10, -15]
    assert table.view["round_points"] == [10, -5]


def test_a_dragon_trick_given_to_the_last_player_ends_with_the_first() -> None:
    a, b, c, d = table = Sitting("Kj", "2s 3s Tp", "Kp 4p", "Drg", target=0)
    a.plays("Kj")
    b.passes()
    c.passes()
    d.plays("Drg")
    assert table.view["out"] == [0, 3]
    b.passes()
    c.passes()
    d.collects(to=2)
    assert table.view["captured"] == [0, 0, 35, 0]
    assert table.view["turn"] == 1
    b.plays("Tp")
    c.plays("Kp")
    b.passes()
    c.collects()
    c.plays("4p")
    # out 0, 3, 2: seat 1 is last with 2 and 3
    assert table.view["captured"] == [0, 0, 55, 0]
    assert table.view["round_points"] == [55, 0]


def test_the_round_waits_for_the_dragons_last_gift() -> None:
    held = "5j 5s 5p 5k 9j"
    a, b, c, d = table = Sitting("2j", "3s", held, "Kk Drg", lead=3, target=0)
    d.plays("Kk")
    a.passes()
    b.passes()
    c.passes()
    d.collects()
    d.plays("Drg")
    a.passes()
    b.passes()
    c.passes()
    d.collects(to=0)
    a.plays("2j")
    b.plays("3s")
    # 3, 0, 1 are out
    assert table.view["round_points"] == [25, 30]  # seat 0 took 25 with the Dragon, seat 2's fives go over
    assert table.view["captured"] == [25, 0, 0, 10]


def test_a_closing_dragon_cannot_be_bombed_and_nobody_calls_any_more() -> None:
    last = "5j 5s 5p 5k 9j 9s 9p Tj Ts Tp Jj Js Jp Qj"
    a, b, c, d = table = Sitting("2j", "3s", last, "Drg", lead=0, target=0)
    a.plays("2j")
    b.plays("3s")
    c.passes()
    d.plays("Drg")
    assert (table.view["phase"], table.view["turn"], table.view["round_over"]) == ("collect", 3, False)
    assert table.view["to_act"] == [3]
    c.cannot_play("5j 5s 5p 5k", because="can't be bombed")
    c.cannot(CallTichu(), "before the round ends")
    d.collects(to=2)
    assert table.view["round_over"]
    # the Dragon's trick goes to the last player, and so to the first: seat 0
    assert table.view["captured"] == [25, 0, 0, 0]
    assert table.view["round_points"] == [25, 20 + 30]


def test_double_victory() -> None:
    a, b, c, d = table = Sitting("Aj", "Kj Ks", "Drg", "2k 3k", target=0)
    a.plays("Aj")
    b.passes()
    c.plays("Drg")
    assert (table.view["ended"], table.view["round_over"]) == ("double", True)
    assert table.view["round_points"] == [200, 0]
    assert table.view["winner"] == [0, 2]
    assert d.seat not in table.view["out"]


def test_the_match_goes_on_to_the_target_and_past_a_tie() -> None:
    game = Tichu(4, {"target": 200})
    for before, points, over in (
        ((0, 0), (200, 0), True),
        ((0, 200), (200, 0), False),
        ((0, 210), (200, 0), True),
        ((-10, 0), (200, 0), False),
    ):
        held = [cards("Aj"), cards("Kj"), cards("Drg"), cards("2k")]
        state = game.lead_state(0, held, (), before)
        table = LocalTable.resume(game, Random(1), state, held, ())
        table.play(0, PlayCombination(cards("Aj")))
        table.play(1, Pass())
        table.play(2, PlayCombination(cards("Drg")))
        assert table.last_round is not None
        assert table.last_round.state.scores == tuple(b + p for b, p in zip(before, points, strict=True))
        assert table.over is over
    one_round = Tichu(4, {"target": 0})
    for scores in ((100, 100), (-100, -200), (0, 100)):
        ended = replace(state, phase="over", scores=scores, round_points=(0, 0))
        assert one_round.is_match_over(ended)
        assert not game.is_match_over(ended)
    assert game.winners((200, 210)) == (1, 3)
    assert game.winners((5, 5)) == (0, 1, 2, 3)
    assert game.next_dealer(state) == 0


def test_all_cards_count_a_hundred() -> None:
    from protocol.games.tichu.rules import points

    assert points(PACK_TICHU) == 100
    assert points([Card("Phx")]) == -25


def test_hands_are_opened_once() -> None:
    game = Tichu(4)
    state = game.start(0).state
    with pytest.raises(ValueError, match="opened once"):
        game.opened_all(state, [(), (), (), ()])
    with pytest.raises(ValueError, match="opens no card"):
        game.opened(state, Card("2j"))


def test_nothing_is_legal_once_the_round_is_over() -> None:
    a, _, c, _ = table = Sitting("Aj", "Kj Ks", "Drg", "2k 3k", target=0)
    a.plays("Aj")
    table.local.play(1, Pass())
    c.plays("Drg")
    moves: list[Move] = [Pass(), CallTichu(), Collect(), Show(), Grand(True), PlayCombination(cards("2k"))]
    for move in moves:
        with pytest.raises(IllegalMove, match="round is over"):
            table.game.apply(table.local.state, 3, move)
    assert table.local.to_act == ()
    assert table.game.awaited(table.local.state) == ()
