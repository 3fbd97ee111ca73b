"""What holds of every position: checked on random rounds, and by brute force where hands are small."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from itertools import combinations, permutations
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.cards import MAH_JONG, PACK_TICHU, TICHU_SPECIALS, Card
from protocol.errors import BadMessage, IllegalMove
from protocol.games.local import LocalTable
from protocol.games.tichu import Tichu
from protocol.games.tichu.combinations import ORDER, RANK, readings
from protocol.games.tichu.moves import CallTichu, Collect, Give, Grand, Move, Pass, PlayCombination, Show
from protocol.games.tichu.offers import WISHES
from protocol.games.tichu.state import TichuState, is_dragon
from tests.games.tichu.sitting import cards

OPTIONS = st.fixed_dictionaries(
    {"bomb_on_bomb": st.sampled_from(["turn", "any"]), "grand": st.booleans(), "target": st.sampled_from([0, 300])}
)


def leaves(value: object) -> Iterator[object]:
    """All values in a state, which must be plain data."""
    if is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from leaves(getattr(value, field.name))
    elif isinstance(value, tuple):
        for each in value:
            yield from leaves(each)
    else:
        assert value is None or type(value) in (int, str, bool), value
        yield value


def random_move(table: LocalTable, rng: Random) -> tuple[int, Move]:
    seat = rng.choice(table.to_act)
    offers = table.legal(seat)
    return seat, offers[rng.randrange(len(offers))]


def random_position(rng: Random, most: int, any_bomb: bool) -> LocalTable:
    """A position with small hands from which some random moves were made, bombs and runs likelier than by chance."""
    game = Tichu(4, {"bomb_on_bomb": "any" if any_bomb else "turn", "target": 0})
    lowest = rng.randrange(2, 11)
    close = [card for card in PACK_TICHU if card in TICHU_SPECIALS or lowest <= RANK[card] <= lowest + 4]
    pack = rng.sample(close, len(close))
    hands: list[list[Card]] = [[], [], [], []]
    for seat in range(4):
        for _ in range(rng.randrange(1, most + 1)):
            if pack:
                hands[seat].append(pack.pop())
    lead = rng.choice([seat for seat in range(4) if hands[seat]])
    holder = next((seat for seat in range(4) if MAH_JONG in hands[seat]), lead)
    table = LocalTable.resume(game, rng, game.lead_state(holder, hands, ()), hands, ())
    for _ in range(rng.randrange(12)):
        before = LocalTable.resume(game, rng, table.state, table.hands, ())
        table.play(*random_move(table, rng))
        if table.over:
            return before
    return table


def by_effect(state: TichuState, move: Move) -> object:
    """Equal for moves with equal effect, but for the order in which cards are named."""
    if not isinstance(move, PlayCombination):
        return move
    found = readings(move.cards, state.combo)
    wanted = [
        r
        for r in found
        if move.phoenix is None or (r.phoenix is not None and "??23456789TJQKA"[r.phoenix] == move.phoenix)
    ]
    return frozenset(move.cards), move.wish, wanted[0]


def every_play(hand: Sequence[Card], state: TichuState) -> Iterator[PlayCombination]:
    """All plays that one could think of with these cards, said in full."""
    ranks = "23456789TJQKA"
    for size in range(1, len(hand) + 1):
        for picked in combinations(hand, size):
            wishes = (*WISHES, "1", "M") if MAH_JONG in picked else (None, "5")
            for phoenix in (None, *ranks) if "Phx" in picked else (None, "5"):
                for wish in wishes:
                    yield PlayCombination(picked, wish, phoenix)


@pytest.mark.slow
@given(st.integers(0, 10**9), st.booleans())
@settings(max_examples=150, deadline=None)
def test_what_is_offered_is_exactly_what_is_legal(seed: int, any_bomb: bool) -> None:
    table = random_position(Random(seed), 7, any_bomb)
    game, state = table.game, table.state
    for seat in range(4):
        hand = table.hands[seat]
        offered = game.legal(state, seat, hand)
        listed = list(offered)
        assert len(listed) == len(offered)
        assert [offered[i] for i in range(len(offered))] == listed
        assert all(move in offered and game.is_legal(state, seat, hand, move) for move in listed)
        effects = [by_effect(state, move) for move in listed]
        assert len(set(effects)) == len(effects), "a move is offered twice"
        others: list[Move] = [Pass(), CallTichu(), Show(), Grand(True), Give(hand[:3]), Collect()]
        others += [Collect(to) for to in range(5)]
        thinkable = [*others, *every_play(hand, state)]
        legal = {by_effect(state, move) for move in thinkable if game.is_legal(state, seat, hand, move)}
        assert legal == set(effects)
        assert (seat in game.to_act(state)) >= bool(listed), "who has a move is not among those that may act"


@given(st.integers(0, 10**9), st.booleans())
@settings(max_examples=60, deadline=None)
def test_check_is_apply_with_the_hand_added(seed: int, any_bomb: bool) -> None:
    """What is legal applies; what applies and is not legal fails by a card not held or by the wish alone."""
    table = random_position(Random(seed), 5, any_bomb)
    game, state = table.game, table.state
    for seat in range(4):
        for move in (*every_play(table.hands[seat], state), Pass()):
            try:
                game.apply(state, seat, move)
                public = True
            except IllegalMove:
                public = False
            if game.is_legal(state, seat, table.hands[seat], move):
                assert public
            elif public:
                with pytest.raises(IllegalMove, match="the wish is"):
                    game.check(state, seat, table.hands[seat], move)
                assert state.wish is not None
                assert state.turn == seat


@pytest.mark.slow
@given(st.integers(0, 10**9), OPTIONS)
@settings(max_examples=25, deadline=None)
def test_a_random_match_keeps_all_cards_and_ends(seed: int, options: dict[str, object]) -> None:
    rng = Random(seed)
    table = LocalTable(Tichu(4, options), rng)
    moves = 0
    while not table.over and table.rounds <= 3:
        state = table.state
        held = [card for hand in table.hands for card in hand]
        assert sorted(held + list(state.played) + list(table.stock)) == sorted(PACK_TICHU)
        assert tuple(len(hand) for hand in table.hands) == state.hand_sizes
        assert {seat for seat in range(4) if not state.hand_sizes[seat]} == set(state.out)
        faces = {leaf for leaf in leaves(state) if leaf in ORDER}
        assert faces <= set(state.played), "a card that nobody has played stands in the state"
        assert hash(state) == hash(state)
        if state.turn is not None and not state.closing:
            assert table.game.awaited(state) == (state.turn,)
        assert (state.combo is None) == (state.owner is None) == (not state.pile) == (not state.top)
        for seat in table.game.awaited(state):
            move = table.game.default(state, seat, table.hands[seat])
            if state.phase == "show":
                assert (move is not None) == (MAH_JONG in table.hands[seat])
            if move is not None:
                assert move in table.legal(seat)
            else:
                assert state.phase == "show"
        assert table.to_act
        seat, move = random_move(table, rng)
        assert table.game.decode(json.loads(json.dumps(table.game.encode(move)))) == move
        table.play(seat, move)
        moves += 1
    assert moves < 3 * 600
    assert table.last_round is not None
    if table.last_round.state.ended == "out":
        points = table.last_round.state.round_points
        calls = table.last_round.state.calls
        bonus = sum(
            {"tichu": 100, "grand": 200}[call] * (1 if seat == table.last_round.state.out[0] else -1)
            for seat, call in enumerate(calls)
            if call
        )
        assert sum(points) - bonus == 100


@given(st.integers(0, 10**9))
@settings(max_examples=10, deadline=None)
def test_a_round_of_defaults_ends_without_calls_and_breaches(seed: int) -> None:
    table = LocalTable(Tichu(4, {"target": 0}), Random(seed))
    while not table.over:
        for seat in table.game.awaited(table.state):
            move = table.game.default(table.state, seat, table.hands[seat])
            if move is not None:
                table.play(seat, move)
                break
        assert table.state.calls == (None,) * 4
        assert table.state.wish is None


@given(st.integers(0, 10**9))
@settings(max_examples=10, deadline=None)
def test_the_same_moves_give_the_same_states(seed: int) -> None:
    rng = Random(seed)
    table, log, states = LocalTable(Tichu(4, {"target": 0}), Random(seed)), [], []
    while not table.over:
        seat, move = random_move(table, rng)
        log.append((seat, json.dumps(table.game.encode(move))))
        table.play(seat, move)
        states.append(table.state)
    again = LocalTable(Tichu(4, {"target": 0}), Random(seed))
    for (seat, text), state in zip(log, states, strict=True):
        again.play(seat, json.loads(text))
        assert again.state == state


@given(st.integers(0, 10**9))
@settings(max_examples=20, deadline=None)
def test_a_view_hangs_on_nothing_hidden(seed: int) -> None:
    """Two deals in which seat 0 holds the same, and the others' cards lie elsewhere, look the same to seat 0."""
    rng = Random(seed)
    pack = rng.sample(PACK_TICHU, 56)
    mine, rest = pack[:14], [card for card in pack[14:] if card != MAH_JONG]
    if MAH_JONG not in mine:
        mine[0] = MAH_JONG
        rest = [card for card in PACK_TICHU if card not in mine]
    lead = next(card for card in mine if card != MAH_JONG)
    game = Tichu(4)
    views = []
    for _ in range(2):
        rng.shuffle(rest)
        hands = [mine, rest[:14], rest[14:28], rest[28:]]
        table = LocalTable.resume(game, rng, game.lead_state(0, hands, ()), hands, ())
        seen: list[Any] = [table.view(0), table.view()]
        table.play(0, PlayCombination((lead,)))
        seen += [table.view(0), table.view(), game.to_act(table.state)]
        views.append(json.dumps(seen, sort_keys=True))
        assert set(json.loads(json.dumps(table.view(0)))["hands"]["0"]) == set(table.hands[0])
    assert views[0] == views[1]


# --- moves as objects ---


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"do": "knock"},
        {"do": 3},
        {"do": ["play"]},
        {"do": "pass", "cards": []},
        {"do": "grand", "call": 1},
        {"do": "give"},
        {"do": "give", "cards": 0},
        {"do": "give", "cards": True},
        {"do": "give", "cards": []},
        {"do": "play"},
        {"do": "play", "cards": "5j"},
        {"do": "play", "cards": []},
        {"do": "play", "cards": ["5h"]},
        {"do": "play", "cards": [["5j"]]},
        {"do": "play", "cards": [None]},
        {"do": "play", "cards": ["5j"] * 16},
        {"do": "play", "cards": ["5j"], "wish": 5},
        {"do": "play", "cards": ["5j"], "wish": "fives"},
        {"do": "play", "cards": ["5j"], "phoenix": ["5"]},
        {"do": "play", "cards": ["5j"], "suit": "j"},
        {"do": "collect", "to": True},
        {"do": "collect", "to": -1},
        {"do": "collect", "to": "1"},
    ],
)
def test_what_is_no_move_does_not_decode(data: dict[str, Any]) -> None:
    with pytest.raises(BadMessage) as caught:
        Tichu(4).decode(data)
    assert str(caught.value)


def test_defaults_are_filled_in() -> None:
    game = Tichu(4)
    for short, full in (
        ({"do": "grand"}, {"do": "grand", "call": False}),
        ({"do": "play", "cards": ["5j"]}, {"do": "play", "cards": ["5j"], "wish": None, "phoenix": None}),
        ({"do": "collect"}, {"do": "collect", "to": None}),
        ({"do": "give", "cards": ["5j", "6j", "7j"]}, {"do": "give", "cards": ["5j", "6j", "7j"]}),
        ({"do": "pass"}, {"do": "pass"}),
        ({"do": "show"}, {"do": "show"}),
        ({"do": "tichu"}, {"do": "tichu"}),
    ):
        assert game.encode(game.decode(short)) == full


def test_all_gifts_are_offered_once() -> None:
    game = Tichu(4, {"grand": False})
    state = game.start(0).state
    hand = PACK_TICHU[:14]
    offers = game.legal(state, 0, hand)
    assert len(offers) == 2184 + 1
    assert list(offers) == [offers[i] for i in range(len(offers))]
    gifts = [move for move in offers if isinstance(move, Give)]
    assert {move.cards for move in gifts} == set(permutations(hand, 3))
    assert all(game.is_legal(state, 0, hand, move) for move in gifts[::97])
    assert Give((hand[0], hand[0], hand[1])) not in offers
    assert Give(PACK_TICHU[13:16]) not in offers
    assert offers[-1] == CallTichu()


# --- the default, to the letter ---


@pytest.mark.parametrize(
    ("hand", "top", "wish", "expected"),
    [
        ("Dog Mah 5j", "", None, "Dog"),
        ("Mah 5j Phx", "", None, "Mah"),
        ("Phx Drg 5k 5j", "", None, "5j"),
        ("Phx Drg", "", None, "Phx"),
        ("9j Tk Ts Phx", "8p", None, "9j"),
        ("7j Phx Ak Drg", "8p", None, "Ak"),
        ("7j Phx Drg", "8p", None, "Phx"),
        ("7j Drg", "8p", None, "Drg"),
        ("7j 7s 7p 7k", "8p", None, None),
        ("9j 9s 9p 9k", "8p", None, "9j"),
        ("9j Tj Ts Phx", "8p 8s", None, "9j Phx"),
        ("Tk Tj Ts Phx", "8p 8s", None, "Tj Ts"),
        ("9j 9s Tj Ts Tk Phx", "8p 8s 8k 3j 3k", None, "9j 9s Phx Tj Ts"),
        ("5j 6j 7j 8s 9j Tj Phx", "4k 5s 6k 7k 8k", None, "5j 6j 7j 8s 9j"),
        ("5j 6j 8j 9j Phx Kj", "3k 4k 5s 6k 7k", None, "5j 6j Phx 8j 9j"),
        ("9j Tj Kj", "8p", "K", "Kj"),
        ("9j Tj 7k 7s 7p 7j", "8p", "7", "7j 7s 7p 7k"),
        ("9j Tj Kk", "", "K", "Kk"),
        ("Qj Qs Qp Kj Ks", "", "K", "Kj"),
    ],
)
def test_the_default_play(hand: str, top: str, wish: str | None, expected: str | None) -> None:
    held = [Card(name) for name in hand.split()]
    game = Tichu(4)
    on_table = [Card(name) for name in top.split()]
    mah = [Card("Mah")]
    others: list[list[Card]] = [held, mah * (wish is not None) + [Card("2j")], [Card("2s")], [*on_table, Card("2p")]]
    lead = 3 if on_table else 0
    table = LocalTable.resume(game, Random(0), game.lead_state(lead, others, ()), others, ())
    state = table.state
    if on_table:
        state = game.apply(state, 3, PlayCombination(tuple(on_table))).state
    if wish is not None:
        state = _with_wish(state, wish)
    move = game.default(state, 0, held)
    if expected is None:
        assert move == Pass()
    else:
        assert isinstance(move, PlayCombination)
        assert move.cards == tuple(expected.split())
        assert (move.phoenix is None) == (len(move.cards) == 1 or "Phx" not in move.cards)
    assert game.is_legal(state, 0, held, move)


def _with_wish(state: TichuState, wish: str) -> TichuState:
    from protocol.values import replace

    return replace(state, wish=wish)


def test_the_other_defaults() -> None:
    game = Tichu(4)
    table = LocalTable(game, Random(2), dealer=0)
    assert game.default(table.state, 1, table.hands[1]) == Grand(False)
    for seat in range(4):
        table.play(seat, Grand(False))
    hand = cards("Drg Phx Ak 2s 2j Dog Mah")
    assert game.default(table.state, 1, hand) == Give((Card("Dog"), Card("Mah"), Card("2j")))
    table.play(1, Give(table.hands[1][:3]))
    assert game.default(table.state, 1, table.hands[1]) is None


def test_a_dragon_trick_goes_to_the_next_seat_by_default() -> None:
    game = Tichu(4)
    hands = [[Card("Drg"), Card("2j")], [Card("2s")], [Card("2p")], [Card("2k")]]
    table = LocalTable.resume(game, Random(0), game.lead_state(0, hands, ()), hands, ())
    table.play(0, PlayCombination((Card("Drg"),)))
    for seat in (1, 2, 3):
        table.play(seat, Pass())
    assert is_dragon(table.state.combo)
    assert game.default(table.state, 0, table.hands[0]) == Collect(1)
    assert game.default(table.state, 1, table.hands[1]) is None
