"""Cheats with votes: voting twice, for what nobody has, on another state, and telling different seats different things."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from protocol.messages import Echo, Message, MoveProposal, Proposal, Vote
from protocol.table import proposals
from protocol.table.events import Differs
from protocol.table.record import Phase
from protocol.values import replace
from tests.adversaries.declared import By, attack
from tests.table.adversaries.forger import CHEATER, LONG, Change, Forger
from tests.table.adversaries.test_moves import craft, may_speak
from tests.table.tables import giving

pytestmark = pytest.mark.usefixtures("toy")


def other_choice(forger: Forger, message: Message) -> Message:
    """In place of a vote for a move: one for nothing."""
    if isinstance(message, Vote) and forger.record.phase is Phase.PLAYING:
        return replace(message, choice=bytes(32))
    return message


def settled_and_open(forger: Forger) -> Callable[[], bool]:
    """All are at one height of a game, and nobody has voted there."""

    def ready() -> bool:
        records = [client.table.record for client in forger.tables.clients]
        heights = {record.height for record in records}
        return len(heights) == 1 and all(
            record.phase is Phase.PLAYING
            and not any(record.from_seat(seat, "vote", record.height) for seat in record.present)
            for record in records
        )

    return ready


# --- two versions ---


def test_a_vote_for_anothers_move_and_a_move_of_its_own() -> None:
    forger = Forger(options=LONG)
    forger.start()
    forger.until(may_speak(forger, False))
    record = forger.record
    own = craft(forger, {"do": "draw"}, ())
    forger.until(lambda: record.from_seat(CHEATER, "vote", own.height) is not None)
    forger.inject(own)
    forger.convicted("two-versions", "illegal-move")  # whichever of the two came first


def test_two_moves_of_one_seat() -> None:
    forger = Forger(options=LONG)
    forger.start()
    forger.until(
        lambda: forger.record.from_seat(CHEATER, "vote", forger.record.height) is not None and is_mover(forger)
    )
    message = forger.record.from_seat(CHEATER, "vote", forger.record.height)
    assert message is not None and isinstance(message.message, MoveProposal)
    forger.inject(replace(message.message, opening=bytes(128)))
    forger.convicted("two-versions", "bad-move", "false-card", "illegal-move")


def is_mover(forger: Forger) -> bool:
    said = forger.record.from_seat(CHEATER, "vote", forger.record.height)
    return said is not None and isinstance(said.message, MoveProposal)


@attack(
    By.PLAYER,
    "Two players are sent two different votes or moves.",
    "As soon as the votes are compared, before they have any effect.",
    "the cheater, by the two signed votes",
)
def test_different_votes_for_different_seats() -> None:
    """To one it votes for the move that was made, to the others for one that nobody made."""
    forger = Forger(lambda m, to: other_choice(forger, m) if to == 2 else m)
    forger.start()
    forger.convicted("two-versions")


def test_different_moves_for_different_seats() -> None:
    """Both legal: one seat votes for the one, another for the other. Neither can count the other's vote; both have to be told."""
    forger = Forger(options=LONG)
    forger.start()
    found = list[Any]()

    def may_choose() -> bool:
        """Over real links the table may have gone on when this was asked."""
        found[:] = playable(forger) if may_speak(forger, True)() else ()
        return len(found) >= 2

    forger.until(may_choose)
    height = forger.record.height
    first, second = found[:2]
    forger.change = lambda m, to: None if isinstance(m, Vote | Proposal) and m.height >= height else m
    forger.inject(suggestion_of(forger, first), to=[0])
    forger.inject(suggestion_of(forger, second), to=[2])
    forger.convicted("two-versions")


def playable(forger: Forger) -> list[Any]:
    """Plays that differ by their card."""
    game, found = forger.record.game, {}
    for move in forger.table.legal():
        played = game.uses(move).played
        if played:
            found[played] = move
    return list(found.values())


def suggestion_of(forger: Forger, move: Any) -> MoveProposal:
    game = forger.record.game
    place = forger.table.hand.faces(forger.record.round, CHEATER).index(game.uses(move).played[0])
    return craft(forger, game.encode(move), (place,))


def split(change: Change | None = None) -> tuple[Forger, dict[int, bytes], int]:
    """Tichu's exchange, up to the last gift: seat 2 gives, and at the same height seat 0 calls. Nobody has heard both yet.
    Returns the table, the two proposals' hashes, and the height."""
    forger = Forger(change, game="tichu", seats=4, options={})
    forger.start()
    tables = forger.tables

    def act(seat: int, do: str) -> None:
        table = tables.clients[seat].table
        move = next(each for each in table.legal() if table.game.encode(each)["do"] == do)
        tables.take(seat, table.act(move, tables.now))

    def act_alone(seat: int, do: str) -> None:
        tables.run(settled_and_open(forger))
        act(seat, do)
        height = forger.record.height
        tables.run(lambda: all(client.table.record.height > height for client in tables.clients))

    for seat in range(4):
        act_alone(seat, "grand")
    for seat in (1, 3, 0):
        act_alone(seat, "give")
    tables.run(settled_and_open(forger))
    height = forger.record.height
    act(2, "give")
    act(0, "tichu")
    tables.run(lambda: not tables.jobs)  # both have spoken, and no letter has arrived
    said = {seat: tables.clients[seat].table.record.from_seat(seat, "vote", height) for seat in (0, 2)}
    return (
        forger,
        {seat: proposals.proposal_hash(signed) for seat, signed in said.items() if signed is not None},
        height,
    )


def test_two_ways_of_a_split_vote() -> None:
    """Two seats have moved at one height, and the cheater tells each that it voted for its move. Cards are to be opened for one
    of the two: nobody opens one before all have echoed one certificate, and the two votes come out."""
    forger, choices, height = split()
    assert len(choices) == 2
    forger.change = lambda m, to: (
        replace(m, choice=choices[2 if to == 2 else 0]) if isinstance(m, Vote) and m.height == height else m
    )
    forger.convicted("two-versions")
    for seat in forger.honest:
        settling = giving(forger.honest_record(seat))
        assert settling is None or not settling.granted, "a card was opened on a vote that is in doubt"


# --- what cannot be proved ---


def test_a_vote_for_a_move_that_nobody_has() -> None:
    forger = Forger(lambda m, to: other_choice(forger, m))
    forger.start()
    forger.until(lambda: forger.changed)
    forger.stalled()


@pytest.mark.sample
@pytest.mark.parametrize("field", ["state", "previous"])
@pytest.mark.parametrize("is_move", [False, True])
def test_a_vote_or_move_on_another_state_or_past(field: str, is_move: bool) -> None:
    """It is not counted. That the machines differ is said, with the fields as far as they are told; who is wrong is not."""

    def other(message: Message, to: int) -> Message:
        if forger.record.phase is not Phase.PLAYING:
            return message
        if isinstance(message, MoveProposal if is_move else Vote):
            return replace(message, **{field: bytes(32)})  # type: ignore[arg-type]  # both have these two fields
        return message

    forger = Forger(other)
    forger.start()
    forger.until(lambda: forger.changed)
    forger.stalled(is_overdue=not is_move)
    differs = [
        each for seat in forger.honest for each in forger.tables.clients[seat].events if isinstance(each, Differs)
    ]
    assert not differs or {each.seat for each in differs} == {CHEATER}


@pytest.mark.slow
def test_an_echo_of_what_nobody_voted() -> None:
    forger, _, height = split(lambda m, to: replace(m, certificate=bytes(32)) if isinstance(m, Echo) else m)
    forger.until(lambda: forger.changed or forger.honest_record().height > height + 1)
    if forger.changed:
        forger.stalled()
    else:  # the call won, which opens nothing; then the gift did
        raise AssertionError("choose a seed where the gift wins")


@attack(
    By.PLAYER,
    "A player stops responding.",
    "After ten seconds, by everybody.",
    "nobody: silence proves nothing. The others may play on, and the player who left finishes last",
)
def test_silence() -> None:
    """Nothing is proved by saying nothing."""
    forger = Forger(lambda m, to: None if other_choice(forger, m) != m else m)
    forger.start()
    forger.until(lambda: forger.changed)
    forger.stalled()
