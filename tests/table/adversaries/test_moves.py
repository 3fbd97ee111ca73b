"""Cheats with moves: what the rules forbid, what the hand does not hold, and what is not well formed. Nothing of it counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from protocol.cards import Card
from protocol.dealing.shares import prove_shares
from protocol.messages import BreakOff, Message, MoveProposal, Proposal, Vote
from protocol.table import proposals
from protocol.table.record import Phase
from protocol.values import replace
from tests.adversaries.declared import By, attack
from tests.table.adversaries.forger import CHEATER, LONG, Forger
from tests.table.tables import stream

pytestmark = pytest.mark.usefixtures("toy")

Change = Callable[[MoveProposal], MoveProposal]


def moving(change: Change, when: Callable[[MoveProposal], bool] = lambda m: True, **settings: Any) -> Forger:
    """Changes the first move of the cheater that fits."""

    def changed(message: Message, to: int) -> Message:
        if not isinstance(message, MoveProposal) or not when(message):
            return message
        heights.add(message.height)
        return change(message) if message.height == min(heights) else message

    heights: set[int] = set()
    return Forger(changed, **settings)


def is_play(message: MoveProposal) -> bool:
    return bool(message.move["do"] == "play")


def is_draw(message: MoveProposal) -> bool:
    return bool(message.move["do"] == "draw")


def caught(forger: Forger, *what: str, to_the_end: bool = False) -> None:
    """Named, and the move has no effect: no honest seat went beyond the height where it was made."""
    forger.convicted(*what, to_the_end=to_the_end)
    for seat in forger.honest:
        record = forger.honest_record(seat)
        round = record.round
        assert round is None or not [each for each in round.history if each.height >= record.height]


# --- false cards ---


@attack(
    By.PLAYER,
    "A player plays a card that is not in their hand.",
    evidence="the cheater, by the signed message itself, which opens a different card from the one it names",
)
def test_a_face_that_is_not_in_the_place() -> None:
    """It plays a card that would fit, claims it to lie where another lies, and opens that one rightly."""

    def other(message: MoveProposal) -> MoveProposal:
        face = message.move["cards"][0]
        rank = "3" if face[0] != "3" else "4"
        return replace(message, move={**message.move, "cards": [rank + face[1]], "suit": None})

    caught(moving(other, lambda m: is_play(m) and m.move["cards"][0][0] != "8"), "false-card", "illegal-move")


def test_a_card_of_another_place_of_the_hand() -> None:
    def other(message: MoveProposal) -> MoveProposal:
        round = forger.honest_record().round
        count = len(round.hands[CHEATER]) if round else 0
        return replace(message, places=((message.places[0] + 1) % count,))

    forger = moving(other, is_play)
    caught(forger, "false-card", to_the_end=True)


@pytest.mark.parametrize("places", [(), (0, 0), (0, 1), (215,), (0, 1, 2, 3, 4, 5, 6)])
def test_places_that_do_not_fit_the_move(places: tuple[int, ...]) -> None:
    caught(moving(lambda m: replace(m, places=places), is_play), "bad-move")


@pytest.mark.parametrize(
    "opening",
    [lambda o: b"", lambda o: o[:-1], lambda o: o + bytes(32), lambda o: b"\xff" * 32 + o[32:]],
    ids=["none", "short", "long", "no point"],
)
def test_an_opening_that_is_none(opening: Callable[[bytes], bytes]) -> None:
    caught(moving(lambda m: replace(m, opening=opening(m.opening)), is_play), "bad-move")


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4), ids=["share", "U", "V", "s"])
def test_an_opening_with_a_part_that_is_wrong(part: int) -> None:
    """Each part of the proof in its turn is taken from another, well-formed one."""

    def spoilt(message: MoveProposal) -> MoveProposal:
        record = forger.record
        assert record.round is not None
        secret = forger.table.hand.secret(record.round)
        cards = [place.card for place in record.round.hands[CHEATER][-1:]]
        context = record.round.context(message.height + 1, CHEATER, proposals.PLAY_PURPOSE)
        other = prove_shares(context, secret.x, record.round.keys[CHEATER].y, cards, stream(3)).encode()
        at = part * 32
        return replace(message, opening=message.opening[:at] + other[at : at + 32] + message.opening[at + 32 :])

    forger = moving(spoilt, lambda m: is_play(m) and m.places[0] == 0, options=LONG)
    caught(forger, "false-card")


def test_an_opening_of_an_earlier_height() -> None:
    """A proof that was good one height before, of the same card by the same seat."""

    def old(message: MoveProposal) -> MoveProposal:
        record = forger.record
        assert record.round is not None
        secret = forger.table.hand.secret(record.round)
        cards = [record.round.hands[CHEATER][message.places[0]].card]
        context = record.round.context(message.height - 1, CHEATER, proposals.PLAY_PURPOSE)
        made = prove_shares(context, secret.x, record.round.keys[CHEATER].y, cards, stream(3))
        return replace(message, opening=made.encode())

    forger = moving(old, is_play)
    caught(forger, "false-card")


# --- against the rules ---


def craft(forger: Forger, move: dict[str, Any], places: tuple[int, ...]) -> MoveProposal:
    """A proposal with all its proofs right, whatever the rules say of it."""
    record = forger.record
    assert record.round is not None
    opening = b""
    if places:
        cards = [record.round.hands[CHEATER][place].card for place in places]
        context = record.round.context(record.height, CHEATER, proposals.PLAY_PURPOSE)
        secret = forger.table.hand.secret(record.round)
        opening = prove_shares(context, secret.x, record.round.keys[CHEATER].y, cards, stream(8)).encode()
    return MoveProposal(record.height, record.previous, record.state_hash, move, places, opening, b"", b"")


def play(face: Card) -> dict[str, Any]:
    return {"call": False, "cards": [str(face)], "do": "play", "suit": "h" if face[0] == "8" else None}


def may_speak(forger: Forger, is_turn: bool) -> Callable[[], bool]:
    """The cheater could propose now: all are at one height, nobody has voted, and it is (not) its turn."""

    def ready() -> bool:
        records = [client.table.record for client in forger.tables.clients]
        record = forger.record
        if {each.height for each in records} != {record.height} or any(r.phase is not Phase.PLAYING for r in records):
            return False
        if any(each.from_seat(seat, "vote", record.height) for each in records for seat in range(3)):
            return False
        return (CHEATER in record.game.awaited(record.state)) is is_turn and len(forger.table.cards) > 1

    return ready


def silent_voter(message: Message, to: int) -> Message | None:
    """It has said what it has to say: its table's own votes and moves are held back."""
    return None if isinstance(message, Vote | Proposal) and message.height >= 3 else message


def unfit(forger: Forger) -> int | None:
    """A place of the hand with a card that the rules forbid now."""
    record = forger.record
    for place, face in enumerate(forger.table.cards):
        data = play(face)
        if not record.game.is_legal(record.state, CHEATER, forger.table.cards, record.game.decode(data)):
            return place
    return None


@pytest.mark.slow
def test_a_card_that_does_not_fit() -> None:
    forger = Forger(options=LONG)
    forger.start()
    forger.until(lambda: may_speak(forger, True)() and unfit(forger) is not None)
    place = unfit(forger)
    assert place is not None
    forger.change = silent_voter
    forger.inject(craft(forger, play(forger.table.cards[place]), (place,)))
    caught(forger, "illegal-move", to_the_end=True)


@pytest.mark.sample
@attack(
    By.PLAYER,
    "A player makes a move that everybody can see is against the rules.",
    evidence="the cheater, by the signed message itself",
)
@pytest.mark.parametrize("do", ["draw", "pass", "play"])
def test_a_move_out_of_turn(do: str) -> None:
    forger = Forger(options=LONG)
    forger.start()
    forger.until(may_speak(forger, False))
    forger.change = silent_voter
    move = play(forger.table.cards[0]) if do == "play" else {"do": do}
    forger.inject(craft(forger, move, (0,) if do == "play" else ()))
    caught(forger, "illegal-move", "bad-move")


@pytest.mark.sample
@pytest.mark.parametrize(
    "move",
    [
        {},
        {"do": "fold"},
        {"do": 1},
        {"do": "draw", "more": 1},
        {"do": "play"},
        {"cards": None, "do": "play"},
        {"cards": [], "do": "play"},
        {"cards": [["8h"]], "do": "play"},
        {"cards": [{"a": 1}], "do": "play"},
        {"cards": ["8h", "8h"], "do": "play"},
        {"cards": ["Zz"], "do": "play"},
        {"cards": [8], "do": "play"},
        {"cards": "8h", "do": "play"},
        {"cards": {"8h": 1}, "do": "play"},
        {"cards": ["8h"], "do": "play", "suit": ["h"], "call": False},
        {"cards": ["8h"], "do": "play", "suit": {}, "call": []},
        {"cards": ["8h"], "do": "play", "suit": "x", "call": False},
        {"cards": ["8h"], "do": "play", "suit": b"h", "call": False},
        {"cards": ["3h"], "do": "play"},
        {"do": b"draw"},
        {"do": ["draw"]},
        {"do": None},
    ],
    ids=str,
)
def test_a_move_that_is_none(move: dict[str, Any]) -> None:
    forger = Forger()
    forger.start()
    forger.until(may_speak(forger, True))
    forger.change = silent_voter
    forger.inject(craft(forger, move, (0,)))
    caught(forger, "illegal-move", "bad-move")


@pytest.mark.slow
def test_a_huge_move_never_gets_in() -> None:
    """A megabyte of nonsense would fit into no page and into no evidence: it is refused at the door."""
    forger = Forger()
    forger.start()
    forger.until(may_speak(forger, True))
    refused = len(forger.tables.refused)
    forger.inject(craft(forger, {"do": "play", "cards": ["8h" * 100_000]}, (0,)))
    assert len(forger.tables.refused) == refused + 2
    forger.unharmed()


# --- draws ---


def draws(change: Change, seed: int = 2) -> Forger:
    return moving(change, is_draw, seed=seed)


def test_a_draw_without_its_hand() -> None:
    caught(draws(lambda m: replace(m, remask=b"", remask_proof=b"")), "bad-move")


@pytest.mark.parametrize("size", [64, -64, 0])
def test_a_draw_with_a_hand_of_another_size(size: int) -> None:
    def other(message: MoveProposal) -> MoveProposal:
        cards = message.remask + bytes(size) if size >= 0 else message.remask[:size]
        return replace(message, remask=cards, remask_proof=message.remask_proof[: None if size else -32])

    caught(draws(other), "bad-move")


def test_a_draw_that_puts_another_card_into_the_hand() -> None:
    """One of its own cards twice, instead of the card of the stock."""
    caught(draws(lambda m: replace(m, remask=m.remask[:64] + m.remask[:64] + m.remask[128:])), "remask")


def test_a_draw_with_a_proof_of_an_earlier_one() -> None:
    proofs: list[bytes] = []

    def again(message: Message, to: int) -> Message:
        if isinstance(message, MoveProposal) and is_draw(message):
            proofs.append(message.remask_proof)
            same = [proof for proof in proofs[:-1] if len(proof) == len(message.remask_proof) and proof != proofs[-1]]
            return replace(message, remask_proof=same[0]) if same else message
        return message

    forger = Forger(again, seed=2, options={"hand": 5, "target": 500}, is_hasty=False)
    caught(forger, "remask")


def test_a_play_that_brings_cards_along() -> None:
    caught(moving(lambda m: replace(m, remask=bytes(64), remask_proof=bytes(96)), is_play), "bad-move", to_the_end=True)


def test_no_move_between_rounds() -> None:
    forger = Forger()
    forger.start()
    forger.until(lambda: {c.table.record.phase for c in forger.tables.clients} == {Phase.BETWEEN})
    record = forger.record
    forger.change = lambda message, to: None if isinstance(message, Vote) else message
    forger.inject(MoveProposal(record.height, record.previous, record.state_hash, {"do": "draw"}, (), b"", b"", b""))
    forger.convicted("illegal-move")


def test_no_move_at_the_close() -> None:
    forger = Forger(lambda m, to: None if isinstance(m, Vote) and forger.record.phase is Phase.CLOSING else m)
    forger.start()
    forger.until(lambda: forger.changed)
    forger.until(lambda: {forger.honest_record(seat).phase for seat in forger.honest} == {Phase.CLOSING})
    record = forger.record
    forger.inject(MoveProposal(record.height, record.previous, record.state_hash, {"do": "draw"}, (), b"", b"", b""))
    forger.convicted("illegal-move")


def test_breaking_off_a_round_that_is_not_stuck() -> None:
    """A hand that goes badly is no reason: only what the game declares to be stuck can be broken off."""
    forger = Forger()
    forger.start()
    forger.until(may_speak(forger, True))
    forger.change = silent_voter
    record = forger.record
    forger.inject(BreakOff(record.height, record.previous, record.state_hash))
    caught(forger, "illegal-move")
