"""The runner of playthroughs: what holds passes, what does not is named with its line, what is no playthrough is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from protocol.games.playthrough import PlaythroughFailed, PlaythroughUnreadable, run_playthrough

HEADER: dict[str, Any] = {
    "game": "crazy-eights",
    "seats": 2,
    "hands": [["5h", "8c", "Kc"], ["9h", "2d"]],
    "up": "7h",
    "stock": ["3d", "4d"],
}


def run(*lines: object, header: dict[str, Any] | None = None) -> None:
    run_playthrough("\n".join(json.dumps(line) for line in (HEADER if header is None else header, *lines)))


def move(seat: int, card: str | None = None, **more: object) -> dict[str, object]:
    return {"seat": seat, "do": "play", "cards": [card], **more} if card else {"seat": seat, **more}


FIVE, DRAWN = move(0, "5h"), move(0, do="draw")


def test_what_holds_passes_with_blank_lines_and_comments() -> None:
    run_playthrough("\n# a comment\n" + json.dumps(HEADER) + "\r\n\n" + json.dumps(FIVE) + "\n# the end\n")


def test_the_first_draw_is_the_first_card_of_the_stock() -> None:
    run(
        DRAWN,
        {"expect": {"stock_size": 1, "hands": {"0": ["Kc", "3d", "8c", "5h"]}}},
        DRAWN,
        {"expect": {"stock_size": 0}},
    )


def test_without_up_the_first_card_of_the_stock_is_turned_up() -> None:
    header = {**HEADER, "stock": ["7h", "3d"]}
    del header["up"]
    run({"expect": {"top": "7h", "stock_size": 1}}, header=header)


def test_recycled_cards_come_back_oldest_first() -> None:
    header = {
        "game": "mau-mau",
        "hands": [["9h", "Th", "Kc"], ["Kh", "Qc", "Qd"]],
        "up": "7h",
        "stock": [],
    }
    run(
        move(0, "9h"),
        move(1, "Kh"),
        move(0, "Th"),
        move(1, do="draw"),
        {"expect": {"hands": {"1": ["7h", "Qc", "Qd"]}, "stock_size": 2}},
        move(1, do="draw"),
        {"expect": {"hands": {"1": ["7h", "9h", "Qc", "Qd"]}}},
        header=header,
    )


@pytest.mark.parametrize(
    "expect",
    [
        {"turn": 1},
        {"turn": None},
        {"to_act": [0, 1]},
        {"top": "7d"},
        {"round_over": 0},
        {"hand_sizes": [2, 3]},
        {"hand_sizes": [3, 2, 0]},
        {"hand_sizes": {"0": 3}},
        {"owed": {"0": 1}},
        {"hands": {"0": ["5h", "8c"]}},
        {"hands": {"0": ["5h", "8c", "8c"]}},
        {"default": {"0": {"do": "draw"}}},
        {"default": {"1": {"do": "draw"}}},
        {"default": {"0": None}},
        {"default": {"0": {"do": "play", "cards": ["5h"], "call": True}}},
        {"legal": {"seat": 0, "has": [{"do": "pass"}]}},
        {"legal": {"seat": 0, "lacks": [{"do": "draw"}]}},
        {"legal": {"seat": 0, "has": [{"do": "play", "cards": ["5h"], "call": True}]}},
        {"legal": {"seat": 0, "has": [{"do": "play", "cards": ["5h"], "suit": "d"}]}},
        {"legal": {"seat": 0, "lacks": [{"do": "play", "cards": ["8c"]}]}},
        {"legal": {"seat": 0, "lacks": [{"do": "play", "cards": ["8c"], "suit": "s"}]}},
        {"legal": {"seat": 0, "has": [{"do": "play", "cards": ["5h", "8c"]}]}},
        {"legal": {"seat": 0, "has": [{"do": "play", "cards": ["5h"], "to": 1}]}},
        {"legal": {"seat": 1, "has": [{"do": "draw"}]}},
        {"trick": []},
    ],
    ids=str,
)
def test_a_false_expectation_is_named_with_its_line(expect: dict[str, object]) -> None:
    with pytest.raises(PlaythroughFailed) as failure:
        run({"expect": {"turn": 0}}, {"expect": expect})
    assert failure.value.line == 3
    assert (
        next(iter(expect)) in failure.value.expected
        or "seat" in failure.value.expected
        or "hand" in failure.value.expected
    )
    assert failure.value.found


@pytest.mark.parametrize(
    "expect",
    [
        {"turn": 0, "to_act": [0], "phase": "play", "dealer": 1, "top": "7h", "suit": None, "rank": None, "penalty": 0},
        {"owed": {}, "direction": 1, "hand_sizes": [3, 2], "stock_size": 2, "out": [], "round_over": False},
        {"match_over": False, "ended": None, "round_points": None, "scores": [0, 0], "winner": None},
        {"hands": {"0": ["Kc", "8c", "5h"], "1": ["9h", "2d"]}},
        {"default": {"0": {"do": "play", "cards": ["5h"]}, "1": None}},
        {"default": {"0": {"do": "play", "cards": ["5h"], "suit": None, "call": False}}},
        {"legal": {"seat": 0, "has": [{"do": "play", "cards": ["8c"]}, {"do": "play", "cards": ["8c"], "suit": "d"}]}},
        {"legal": {"seat": 0, "has": [{"do": "play", "cards": ["5h"], "suit": None, "call": False}, {"do": "draw"}]}},
        {"legal": {"seat": 0, "lacks": [{"do": "play", "cards": ["Kc"]}, {"do": "pass"}, {"do": "grand"}]}},
        {"legal": {"seat": 1, "lacks": [{"do": "play", "cards": ["9h"]}, {"do": "draw"}]}},
    ],
    ids=str,
)
def test_a_true_expectation_holds(expect: dict[str, object]) -> None:
    run({"expect": expect})


def test_the_default_of_a_wild_card_may_leave_its_suit_open() -> None:
    header = {**HEADER, "hands": [["8c", "Ks", "Qs"], ["9h"]]}
    run({"expect": {"default": {"0": {"do": "play", "cards": ["8c"]}}}}, header=header)
    run({"expect": {"default": {"0": {"do": "play", "cards": ["8c"], "suit": "s"}}}}, header=header)
    with pytest.raises(PlaythroughFailed):
        run({"expect": {"default": {"0": {"do": "play", "cards": ["8c"], "suit": "h"}}}}, header=header)


# --- moves that are refused ---


@pytest.mark.parametrize(
    "refused",
    [
        move(1, "9h"),
        move(0, "Kc"),
        move(0, "5h", suit="h"),
        move(0, "5h", suit="x"),
        move(0, "8c"),
        move(0, "6h"),
        move(0, "Mah"),
        move(0, "Jk"),
        move(0, "5h", call=True),
        move(0, "5h", rank="5"),
        move(0, do="pass"),
        move(0, do="tichu"),
        move(0, do="play", cards=["5h", "8c"]),
        move(0, do="draw", call=True),
    ],
    ids=str,
)
def test_an_illegal_move_is_refused_and_changes_nothing(refused: dict[str, object]) -> None:
    run({**refused, "illegal": True}, FIVE)
    with pytest.raises(PlaythroughFailed) as failure:
        run(refused)
    assert failure.value.line == 2
    with pytest.raises(PlaythroughFailed) as failure:
        run({**refused, "illegal": "audit"})
    assert "public" in failure.value.expected


def test_a_legal_move_said_to_be_illegal_fails() -> None:
    for illegal in (True, "audit"):
        with pytest.raises(PlaythroughFailed) as failure:
            run({**FIVE, "illegal": illegal})
        assert failure.value.line == 2


def test_a_breach_is_told_from_what_everybody_can_see() -> None:
    header = {**HEADER, "stock": []}
    run({"seat": 0, "do": "pass", "illegal": "audit"}, {"expect": {"turn": 0}}, FIVE, header=header)
    with pytest.raises(PlaythroughFailed) as failure:
        run({"seat": 0, "do": "pass", "illegal": True}, header=header)
    assert "breach" in failure.value.found


# --- matches ---

ROUNDS: dict[str, Any] = {
    "game": "crazy-eights",
    "seats": 2,
    "scores": [10, 0],
    "rounds": [
        {"hands": [["5h"], ["9c", "2d"]], "up": "7h", "stock": ["3d"], "dealer": 1},
        {"hands": [["Kc", "2c"], ["9d"]], "up": "7d", "stock": ["3d"]},
    ],
}


def test_after_a_round_expectations_see_it_until_the_next_move() -> None:
    run(
        FIVE,
        {"expect": {"round_over": True, "round_points": [11, 0], "scores": [21, 0], "dealer": 1, "hands": {"0": []}}},
        {"expect": {"round_over": True}},
        move(1, "9d"),
        {"expect": {"dealer": 0, "round_points": [0, 12], "scores": [21, 12], "match_over": False}},
        header=ROUNDS,
    )


def test_a_later_dealer_must_be_the_one_that_the_rules_say() -> None:
    first, second = ROUNDS["rounds"]
    run(FIVE, move(1, "9d"), header={**ROUNDS, "rounds": [first, {**second, "dealer": 0}]})
    with pytest.raises(PlaythroughFailed) as failure:
        run(FIVE, move(1, "9d"), header={**ROUNDS, "rounds": [first, {**second, "dealer": 1}]})
    assert failure.value.line == 1


def test_the_first_dealer_may_stand_beside_the_rounds() -> None:
    first, second = ROUNDS["rounds"]
    alone = {key: value for key, value in first.items() if key != "dealer"}
    run(FIVE, move(1, "9d"), header={**ROUNDS, "dealer": 1, "rounds": [alone, second]})
    run({"expect": {"dealer": 0, "turn": 1}}, header={**ROUNDS, "dealer": 0, "rounds": [alone]})
    with pytest.raises(PlaythroughUnreadable):
        run(FIVE, header={**ROUNDS, "dealer": 1})


def test_a_refused_move_after_a_round_belongs_to_the_next_one_too() -> None:
    run(FIVE, {**move(0, "Kc"), "illegal": True}, {"expect": {"round_over": False, "dealer": 0}}, header=ROUNDS)


def test_after_the_last_round_no_move_is_legal() -> None:
    run(FIVE, {**move(1, "9c"), "illegal": True}, header={**ROUNDS, "rounds": ROUNDS["rounds"][:1]})
    with pytest.raises(PlaythroughFailed):
        run(FIVE, move(1, "9c"), header={**ROUNDS, "rounds": ROUNDS["rounds"][:1]})
    run(FIVE, {**move(1, "9d"), "illegal": True}, header={**ROUNDS, "options": {"target": 20}})


# --- what is no playthrough ---


@pytest.mark.parametrize(
    "change",
    [
        {"game": "whist"},
        {"game": None},
        {"seats": 3},
        {"seats": "2"},
        {"seats": 1, "hands": [["5h"]]},
        {"options": {"nothing": 1}},
        {"options": {"hand": 99}},
        {"options": []},
        {"dealer": 2},
        {"dealer": -1},
        {"dealer": True},
        {"hands": [["5h"], "9h"]},
        {"hands": [["5h"], ["1h"]]},
        {"hands": [["5h"], ["Jk"]]},
        {"hands": [["5h"], ["Mah"]]},
        {"up": "7x"},
        {"stock": "3d"},
        {"stock": [3]},
        {"scores": [1]},
        {"scores": ["1", "2"]},
        {"rounds": []},
        {"lead": 0},
        {"out": [0]},
        {"table": "Kitchen"},
    ],
    ids=str,
)
def test_a_header_that_makes_no_sense_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(PlaythroughUnreadable) as refusal:
        run(FIVE, header={**HEADER, **change})
    assert refusal.value.line == 1
    assert refusal.value.reason


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        "7",
        "{}",
        '{"seat": 0}',
        '{"do": "draw"}',
        '{"seat": 2, "do": "draw"}',
        '{"seat": true, "do": "draw"}',
        '{"seat": "0", "do": "draw"}',
        '{"seat": 0, "do": "fly"}',
        '{"seat": 0, "do": ["draw"]}',
        '{"seat": 0, "do": "play", "cards": "5h"}',
        '{"seat": 0, "do": "play", "cards": ["5x"]}',
        '{"seat": 0, "do": "play", "cards": ["5h"], "color": "h"}',
        '{"seat": 0, "do": "draw", "illegal": false}',
        '{"seat": 0, "do": "draw", "illegal": "yes"}',
        '{"seat": 0, "seat": 0, "do": "draw"}',
        '{"seat": 0, "do": "draw", "cards": NaN}',
        '{"expect": 3}',
        '{"expect": {"turns": 0}}',
        '{"expect": {"turn": 0}, "seat": 0}',
        '{"expect": {"legal": []}}',
        '{"expect": {"legal": {"has": []}}}',
        '{"expect": {"legal": {"seat": 0, "have": []}}}',
        '{"expect": {"legal": {"seat": 0, "has": [{"cards": ["5h"]}]}}}',
        '{"expect": {"legal": {"seat": 0, "has": [{"do": "draw", "seat": 0}]}}}',
        '{"expect": {"hands": [["5h"]]}}',
        '{"expect": {"hands": {"2": ["5h"]}}}',
        '{"expect": {"default": {"0": "draw"}}}',
        "[" * 100_000,
        "1" * 5000,
    ],
)
def test_a_line_that_makes_no_sense_is_refused_before_anything_is_played(line: str) -> None:
    false = json.dumps({"expect": {"turn": 1}})
    with pytest.raises(PlaythroughUnreadable) as refusal:
        run_playthrough(f"{json.dumps(HEADER)}\n\n{false}\n{line}\n")
    assert refusal.value.line == 4


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"seat": 0 "do": "draw"}', 'in column 12: a comma or a closing bracket is missing at "do": "draw"}'),
        ('{"seat": 0, do: "draw"}', 'in column 13: a key in double quotes is missing at do: "draw"}'),
        ('{"seat": }', "in column 10: a value is missing at }"),
        ('{"seat": 0, "do": "dr', 'in column 19: a text has no closing quote at "dr'),
        ('{"seat": 0', "in column 11: a comma or a closing bracket is missing at the end of the line"),
        ('{"seat" 0}', "in column 9: a colon is missing at 0}"),
        ('{"seat": 0, "do": "draw"} {"seat": 1, "do": "draw"}', 'of the object at {"seat": 1, "do": "d...'),
    ],
)
def test_what_is_wrong_with_a_line_and_where_is_told(line: str, told: str) -> None:
    with pytest.raises(PlaythroughUnreadable) as refusal:
        run_playthrough(f"{json.dumps(HEADER)}\n{line}\n")
    assert refusal.value.reason.startswith("not valid JSON") and refusal.value.reason.endswith(told)


def test_a_key_that_is_given_twice_is_named() -> None:
    with pytest.raises(PlaythroughUnreadable) as refusal:
        run_playthrough(f'{json.dumps(HEADER)}\n{{"seat": 0, "do": "draw", "seat": 1}}\n')
    assert refusal.value.reason == 'the key "seat" is given twice in one object'


def test_a_file_without_a_header_is_refused() -> None:
    for text in ("", "\n\n", "# nothing\n"):
        with pytest.raises(PlaythroughUnreadable):
            run_playthrough(text)


def test_a_card_to_turn_up_must_be_there() -> None:
    header = {key: value for key, value in HEADER.items() if key not in ("up", "stock")}
    with pytest.raises(PlaythroughUnreadable):
        run(header=header)


def test_the_sentences_name_the_line() -> None:
    assert str(PlaythroughFailed(3, "turn 1", "0")) == "line 3: expected turn 1, found 0"
    assert str(PlaythroughUnreadable(4, "not valid JSON")) == "line 4: not valid JSON"
