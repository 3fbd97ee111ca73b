"""The bot: it keeps to the rules, knows nothing hidden, and plays for its team."""

from __future__ import annotations

from random import Random

import pytest

from protocol.cards import DOG, PACK_TICHU, PHOENIX, Card
from protocol.games.local import LocalTable
from protocol.games.tichu import Tichu
from protocol.games.tichu.calls import tichu_worth
from protocol.games.tichu.moves import CallTichu, Collect, Give, Grand, Move, Pass, PlayCombination, Show
from protocol.values import replace
from tests.games.tichu.sitting import Sitting, cards
from tests.strength import PLAYERS, GreedyPlayer, RandomPlayer, measure, play_match


def choice(table: Sitting, seat: int) -> Move | None:
    local = table.local
    move: Move | None = local.game.strategy().choose(local.state, seat, local.hands[seat], Random(0))
    return move


@pytest.mark.slow
@pytest.mark.parametrize("option", ["turn", "any"])
def test_bots_play_whole_matches_by_the_rules(option: str) -> None:
    game = Tichu(4, {"bomb_on_bomb": option, "target": 300})
    bot = game.strategy()
    calls = 0
    for seed in range(4):
        table = LocalTable(game, Random(seed))
        while not table.over:
            for seat in table.to_act:
                move = bot.choose(table.state, seat, table.hands[seat], Random(seed))
                if move is not None:
                    calls += isinstance(move, CallTichu)
                    assert game.is_legal(table.state, seat, table.hands[seat], move)
                    table.play(seat, move)
                    break
                assert seat not in game.awaited(table.state) or table.state.phase == "show"
            else:
                pytest.fail("nobody moves")
            assert table.rounds < 60
    assert calls, "no bot ever calls Tichu"


@pytest.mark.slow
def test_bots_meet_wishes_from_random_positions() -> None:
    game = Tichu(4, {"target": 0})
    bot, met = game.strategy(), 0
    for seed in range(150):
        rng = Random(seed)
        pack = rng.sample([card for card in PACK_TICHU if card != "Mah"], 55)
        hands = [[Card("Mah"), *pack[:5]], pack[5:12], pack[12:19], pack[19:26]]
        table = LocalTable.resume(game, rng, game.lead_state(0, hands, ()), hands, ())
        table.play(0, PlayCombination(cards("Mah"), wish=pack[5][0] if pack[5][0] in "23456789TJQKA" else "9"))
        while not table.over:
            seat = table.to_act[0]
            offers = table.legal(seat)
            met += table.state.wish is not None and Pass() not in offers and len(offers) > 0
            move = bot.choose(table.state, seat, table.hands[seat], rng)
            assert move is not None
            table.play(seat, move)
    assert met > 100


def test_it_does_not_take_the_partners_trick_with_a_high_card() -> None:
    a, b, _, _ = table = Sitting("Kj 3j 4j", "2s 5s 6s", "As 5j 6j Qs", "2k 7k 7p")
    a.plays("Kj")
    b.passes()
    assert choice(table, 2) == Pass()


def test_it_goes_out_when_it_can() -> None:
    _, b, _, d = table = Sitting("Aj Kj", "2s 5s 6s", "3s 5j 6j Qs", "2k 2p", lead=3)
    d.plays("2k")
    table.people[0].plays("Kj")
    assert choice(table, 1) == Pass()
    b.passes()
    other = Sitting("Qj 8s", "2s 5s 6s", "Ks", "2k 2p", lead=3)
    other.people[3].plays("2k")
    other.people[0].plays("8s")
    other.people[1].passes()
    assert choice(other, 2) == PlayCombination(cards("Ks"))


def test_it_bombs_an_opponent_who_is_nearly_out_and_not_its_partner() -> None:
    a, _, _, d = table = Sitting("5j 5s 5p 5k 3j 4s 8p", "2s 6s 6p", "9s 9j 6j Qs", "Ak 2p", lead=3)
    d.plays("Ak")
    bomb = choice(table, 0)
    assert isinstance(bomb, PlayCombination)
    assert set(bomb.cards) == set(cards("5j 5s 5p 5k"))
    other = Sitting("5j 5s 5p 5k 3j 4s 8p", "2s 6s 6p", "Ak 2p", "9s 9j 6j Qs", lead=2)
    other.people[2].plays("Ak")
    other.people[3].passes()
    assert choice(other, 0) == Pass()
    assert a.seat == 0


def test_it_gives_the_dragons_trick_to_the_opponent_furthest_from_going_out() -> None:
    a, b, c, d = table = Sitting("Drg 3j 4s", "2s 6s", "9s 9j 6j Qs", "Ak 2p 3p 4p 7p")
    a.plays("Drg")
    for person in (b, c, d):
        person.passes()
    assert choice(table, 0) == Collect(3)


def test_it_calls_with_strong_hands_only() -> None:
    strong = "Drg Phx Aj As Ap Kj Ks Kp Qj Qs 9p Tp Jp 8p"
    weak = "2j 3s 4p 5k 7j 8s 9k Tj Js Qk 2s 3p 5p Dog"
    rest = [card for card in PACK_TICHU if card not in cards(strong) + cards(weak)]
    hands = (strong, " ".join(rest[:14]), weak, " ".join(rest[14:]))
    assert choice(Sitting(*hands, lead=0), 0) == CallTichu()
    assert isinstance(choice(Sitting(*hands, lead=2), 2), PlayCombination)
    game = Tichu(4)
    state = game.start(0).state
    bot = game.strategy()
    assert bot.choose(state, 0, cards("Drg Phx Aj As Ap Kj 2j 3s"), Random(0)) == Grand(True)
    assert bot.choose(state, 0, cards("2j 3s 4p 5k 7j 8s 9k Tj"), Random(0)) == Grand(False)


def test_the_searching_bot_calls_by_what_calls_have_been_worth() -> None:
    """The cards that keep the lead count besides the cost; a call against an opponent's is worth less, and one with the Dog."""
    hand = cards("Drg Aj As Kj Ks 9s 9p Tj Tp Jj Jp 4j 4s 5p")
    table = Sitting(" ".join(hand), *(" ".join(PACK_TICHU[place::4][:14]) for place in range(3)))
    state = table.local.state
    worth = tichu_worth(state, 0, hand, 2.0)
    assert worth > 50 > tichu_worth(state, 0, hand, 4.5)
    assert tichu_worth(replace(state, calls=(None, "tichu", None, None)), 0, hand, 2.0) < worth
    assert tichu_worth(replace(state, calls=(None, None, "tichu", None)), 0, hand, 2.0) == worth
    assert tichu_worth(state, 0, (*hand[:-1], DOG), 2.0) < worth < tichu_worth(state, 0, (*hand[:-1], PHOENIX), 2.0)
    assert tichu_worth(replace(state, hand_sizes=(14, 14, 6, 14)), 0, hand, 2.0) < worth


def test_it_gives_opponents_nothing_good_and_breaks_no_bomb() -> None:
    game = Tichu(4, {"grand": False})
    state = game.start(0).state
    bot = game.strategy()
    for seed in range(60):
        hand = Random(seed).sample(PACK_TICHU, 14)
        move = bot.choose(state, 0, hand, Random(0))
        assert isinstance(move, Give)
        assert isinstance(move.cards, tuple)
        following, _, previous = move.cards
        assert not {"Drg", "Phx"} & {following, previous}
        assert sum(card[0] == "A" for card in (following, previous)) == 0
        assert game.is_legal(state, 0, hand, move)
    bombed = cards("7j 7s 7p 7k 2j 3s 4p 9j Js Qk Kk Aj As Ak")
    move = bot.choose(state, 0, bombed, Random(0))
    assert isinstance(move, Give)
    assert isinstance(move.cards, tuple)
    assert not any(card[0] == "7" for card in move.cards)


def test_only_who_holds_the_mah_jong_shows_it() -> None:
    game = Tichu(4)
    state = replace(game.start(0).state, phase="show", hand_sizes=(14,) * 4)
    bot = game.strategy()
    assert bot.choose(state, 2, cards("Mah 2j"), Random(0)) == Show()
    assert bot.choose(state, 1, cards("2s 2j"), Random(0)) is None


@pytest.mark.slow
def test_bots_beat_the_lowest_card_players() -> None:
    """Rounds on the same deals, so that chance is small: the bots' team is far ahead of greedy and of random players."""
    game = Tichu(4, {"target": 0})
    for opponent, least in ((GreedyPlayer, 20.0), (RandomPlayer, 150.0)):
        ahead = 0.0
        for seed in range(15):
            for team in (0, 1):
                players = [game.strategy() if seat % 2 == team else opponent(game) for seat in range(4)]
                scores = play_match(game, players, Random(f"strength/{seed}")).scores
                ahead += scores[team] - scores[1 - team]
        assert ahead / 30 > least


@pytest.mark.soak
def test_bots_win_matches() -> None:
    game = Tichu(4, {"target": 500})
    result = measure(game, PLAYERS["bot"], PLAYERS["greedy"], 20, 3)
    assert result.share - result.interval > 0.6
