"""Matches that players leave, played by the real tables in memory: what they hold is for the vectors and the second verifier."""

from __future__ import annotations

from typing import Any

from protocol.messages import Message, MoveProposal, Reveal, Shares, ShuffleProof, Vote
from protocol.signed import decode_signed
from protocol.table.record import Phase
from protocol.table.table import Table
from protocol.values import replace
from tests.independent.games import ONE_ROUND, Eager, Stubborn, played, showing
from tests.table import test_older_copy
from tests.table.adversaries import test_denials, test_preparing, test_recovery
from tests.table.adversaries.forger import Change, Forger
from tests.table.endings import confirmed_by_one
from tests.table.parting import OVERDUE_S, Parting
from tests.table.returning import Returning
from tests.table.tables import Link, Tables
from tests.table.test_abandoned_epochs import (
    begun_alone,
    left_in_what_was_given_up,
    named_what_never_was,
    promised_in_what_was_given_up,
)
from tests.table.test_adopted import go_on, voted
from tests.table.waiting import LEAVE_AFTER_S

LONG: dict[str, Any] = {"hand": 5, "target": 500}
AT_RANDOM: dict[str, Any] = {"options": {"hand": 3, "target": 500}, "is_hasty": False}
"""How a cheat's table plays whose file is kept."""


def left(recovery: str, seats: int = 4, game: str = "crazy-eights", **other: Any) -> Tables:
    """Seat 1 says goodbye in the middle of a round."""
    table = Parting(game=game, seats=seats, recovery=recovery, **other)
    table.until_playing(5)
    table.leave(1)
    table.play()
    return table


def void_by_lot() -> Tables:
    """The seats are drawn by lot; one says goodbye, and the others play the next round."""
    table = Parting(game="two-four-jack", seats=3, options={"hand": 3}, rounds=2, lots=True, seed=4)
    table.until_height(5)
    assert table.clients[0].table.record.seating != (0, 1, 2)
    table.leave(1)
    table.play()
    return table


def with_its_bot() -> Tables:
    """Seat 1 keeps the bot in seat 3, and is voted out: both go, and the round is void."""
    options = {"hand": 2, "mode": "championship", "target": 0}
    table = Parting(game="macau-wars", seats=4, options=options, rounds=2, keepers=(0, 1, 2, 1))
    table.until_height(4)
    table.gone |= {1, 3}
    for each in (1, 3):
        table.lose(each)
    table.until_awaited(1)
    table.spend(LEAVE_AFTER_S + OVERDUE_S)
    for each in (0, 2):
        table.wish(each)
    table.play()
    return table


def without_its_phone() -> Tables:
    """Seat 1 is voted out by two people by phone who play through its computer: these count by themselves, and stay."""
    table = Parting(seats=3, options={"hand": 2, "target": 500}, keepers=(1, 1, 1), phones=True, rounds=2)
    table.until_height(4)
    table.vote_out(1)
    table.play()
    return table


def laid_out_and_left() -> Tables:
    """Seat 1 leaves a hand of Tichu when the others have laid out cards for it; its hand is played on."""
    table = Parting(seats=4, game="tichu", options={"target": 0}, recovery="on", rounds=1)
    table.until_height(7)
    table.leave(1)
    table.play()
    return table


def two_left() -> Tables:
    """One after the other, and the round is still scored."""
    table = Parting(seats=5, options=LONG, recovery="on")
    table.until_playing(4)
    table.leave(1)
    table.run(lambda: all(client.table.record.epoch == 1 for client in table.up()))
    table.until_height(table.clients[0].table.record.height + 2)
    table.leave(3)
    table.play()
    return table


def voted_out() -> Tables:
    """Seat 1 is gone, and the others vote to play on."""
    table = Parting(seats=3, options={"hand": 2, "target": 500}, seed=6)
    table.until_playing(4)
    table.vote_out(1)
    table.play()
    return table


def withheld() -> Tables:
    """Seat 1 keeps its keys of a finished round to itself; without recovery nobody scores."""
    table = Parting(seats=3, rounds=1, options={"hand": 2, "target": 500})
    table.withhold(1)
    return table


def closed_by_promises() -> Tables:
    """All who stay have voted for the closing, and their promises show it."""
    table = Parting(seats=3, options={"hand": 2, "target": 500})
    table.start()
    table.tamper = lambda sender, to, data: (
        None if sender == 1 and table.clients[1].table.record.phase is Phase.CLOSING else data
    )
    while not all(client.table.record.phase is Phase.CLOSING for client in table.clients):
        table.move_someone()
        table.turn()
    table.run(table.is_quiet)
    table.vote_out(1)
    table.play()
    return table


def confirmed_later() -> Tables:
    """The end of the match is not confirmed in the epoch that begins with it, but in the next one: a seat has vanished."""
    table = confirmed_by_one()
    table.vanish(2)
    table.wish_all(0, 1)
    table.spend(5)
    return table


def moved_by_promises() -> Tables:
    """All who stay have voted for a move, and their promises show it; the round is played on from there."""
    table, gone = voted()
    go_on(table)
    table.think = False
    table.play()
    table.assert_played_on(gone)
    return table


def too_few() -> Tables:
    """A Tichu player leaves, and the match ends with the round."""
    table = Parting(seats=4, game="tichu", options={})
    table.until_height(3)
    table.leave(1)
    table.run(lambda: all(client.table.is_over for client in table.up()))
    return table


def taken(by_bot: bool) -> Tables:
    """Seat 1 leaves for good; between rounds somebody new sits down there, or a bot of seat 2."""
    table = Returning(seats=4, game="crazy-eights", options={"hand": 2, "target": 500}, rounds=3)
    table.until_height(5)
    table.leave(1)
    table.run(lambda: all(client.table.record.epoch == 1 for client in table.up()))
    table.until_seated(table.arrive(1, 2 if by_bot else None))
    table.play()
    table.assert_played_on()
    return table


def given() -> Tables:
    """Seat 0 plays with two bots; whoever comes takes over the seat of one between rounds."""
    table = Returning(seats=3, options={"hand": 2, "target": 500}, rounds=3, keepers=(0, 0, 0))
    table.until_height(4)
    table.until_seated(table.arrive(2))
    table.play()
    table.assert_played_on()
    return table


def taken_again() -> Tables:
    """Seat 1 is gone and voted out; between rounds it sits down again, with the key that it had."""
    table = Returning(seats=3, game="crazy-eights", options={"hand": 2, "target": 500}, rounds=3)
    table.until_height(5)
    table.vote_out(1)
    table.come_back(1)
    table.until_seated(1)
    table.play()
    table.assert_played_on()
    return table


def given_up() -> Tables:
    """Seat 0 begins an epoch that the others never see; they go on from the one before, and it follows them."""
    table = begun_alone()
    table.join([(0, 1), (0, 2)])
    table.spend(10)
    table.play()
    table.gone.add(0)
    table.assert_played_on(0)
    assert any(step.number == 1 for step in table.began(0)) and not any(step.number == 1 for step in table.began(1))
    return table


def promised_there() -> Tables:
    """A promise stands in the file that was signed in an epoch which its seat gave up."""
    return promised_in_what_was_given_up().table


def left_there() -> Tables:
    """A goodbye stands in the file that was said in such an epoch."""
    return left_in_what_was_given_up().table


def concealed_there() -> Tables:
    """A promise stands in the file that names an epoch which never was, and convicts its seat beside another one."""
    return named_what_never_was(True).table


def gone_there() -> Tables:
    """A promise and a goodbye stand in the file that name such an epoch."""
    return named_what_never_was(False).table


def false_opening(message: Message, to: int) -> Message | None:
    if isinstance(message, MoveProposal) and message.opening:
        opening = message.opening
        return replace(message, opening=opening[:-1] + bytes([opening[-1] ^ 1]))
    return message


def convicted(recovery: str) -> Tables:
    """Seat 1 opens a card with a false proof; the others play on."""
    forger = Forger(false_opening, seed=3, table=replace(ONE_ROUND, recovery=recovery), **AT_RANDOM)
    forger.convicted("false-card", to_the_end=True)
    return forger.tables


def damaged(proof: bytes) -> bytes:
    """A proof whose last number is another one."""
    return proof[:-32] + bytes([proof[-32] ^ 1]) + proof[-31:]


def false_shuffle(message: Message, to: int) -> Message:
    return replace(message, proof=damaged(message.proof)) if isinstance(message, ShuffleProof) else message


def false_share(message: Message, to: int) -> Message:
    return replace(message, shares=damaged(message.shares)) if isinstance(message, Shares) else message


def two_votes(message: Message, to: int) -> Message:
    """In the middle of the round one of the others is told another vote."""
    return (
        replace(message, choice=bytes(32)) if isinstance(message, Vote) and message.height > 2 and to == 2 else message
    )


def caught(change: Change, what: str) -> Tables:
    """Seat 1 cheats in a short match of one round, and its file shows it."""
    forger = Forger(change, seed=3, **AT_RANDOM)
    forger.convicted(what, to_the_end=True)
    return forger.tables


def shuffled_otherwise() -> Tables:
    """Seat 1 shuffles with another seed than it has committed to, and proves that; then it shows the one that it had promised."""
    forger = test_preparing.OtherSeed(shows_promise=True, seed=3, **AT_RANDOM)
    forger.start()
    forger.convicted("reveal")
    return forger.tables


def went_back() -> Tables:
    """Seat 2 plays on with seat 0, and then promises seat 1 to go on from before that."""
    table = test_denials.begun_without_one()
    test_denials.take(table, 0, test_denials.turned_back(table)[0])
    return table


def lost() -> Tables:
    """Seat 1 comes back without its secret of the round, which is void."""
    table = test_older_copy.playing_again(own=2, seats=3, rounds=2, options={"hand": 2, "target": 500})
    table.play()
    return table


def complaint() -> Tables:
    """What seat 1 sealed to another does not open; that seat complains."""
    forger = test_recovery.splitting(test_recovery.unopenable, **AT_RANDOM)
    forger.convicted("recovery", to_the_end=True)
    return forger.tables


def split() -> Tables:
    """Votes are split where cards are drawn on the outcome."""
    options = {"last_card": True, "skip": "Q", "again": "2", "hand": 2}
    return showing({"echo"}, played("crazy-eights", 3, options, 2, ONE_ROUND, Link(delay=0.3), Eager))


def recycled() -> Tables:
    """The stock runs out, and a hand is re-masked on the recycled cards."""
    return showing({"deck-agreed", "remask"}, played("mau-mau", 2, {"hand": 14}, 1))


class Hoarding(Tables):
    """One takes all cards there are; the two after it never say the last-card word, until a move has recycled the pile twice:
    the first of them is dealt two cards, since the second one moves, and that one's card lets it play again, with one card left,
    for which it is dealt cards at once. Both times the stock is empty."""

    def move_someone(self) -> None:
        for index, client in enumerate(self.clients):
            table, (moves, must) = client.table, client.moves
            if must:
                key = self.last_of if self.has_recycled_twice else self.order_of
                self.take(index, table.act(min(moves, key=lambda move: key(table, move)), self.now))

    def __init__(self, *args: Any, **other: Any) -> None:
        super().__init__(*args, **other)
        self._is_done = False

    @property
    def has_recycled_twice(self) -> bool:
        """Whether two decks of one step were shuffled. A round keeps its last chains only."""
        round = self.clients[0].table.record.round
        steps = [chain.step for chain in round.chains] if round is not None else []
        self._is_done |= len(set(steps)) < len(steps)
        return self._is_done

    def order_of(self, table: Table, move: Any) -> tuple[int, int]:
        state, data = table.record.state, table.game.encode(move)
        is_draw, is_said = data["do"] == "draw", bool(data.get("call"))
        if table.seat == (state.dealer + 1) % table.game.seats:
            return not is_draw, is_said
        is_again = data["do"] == "play" and data["cards"][0][0] == AGAIN
        is_due = state.hand_sizes[table.seat] == 2 and state.word not in (None, table.seat)
        return (1 if is_draw else 0 if not is_again or is_due else 2), 2 * is_said + (not is_again)

    def last_of(self, table: Table, move: Any) -> tuple[int, int]:
        data = table.game.encode(move)
        return data["do"] == "draw", not data.get("call", True)


AGAIN = "4"


def recycled_twice() -> Tables:
    """One move recycles the pile twice, so that a hand is re-masked at stage 1."""
    options = {"hand": 2, "recycle": True, "last_card": True, "again": AGAIN, "target": 0}
    return played("crazy-eights", 3, options, 2011, kind=Hoarding)


def broken_off() -> Tables:
    """Nobody shows the Mah Jong: the round is void, and the next one begins."""
    return played("tichu", 4, {}, 7, kind=Stubborn)


def first_round(frames: list[bytes]) -> list[bytes]:
    """A match's file up to the votes that close its first round."""
    reveals = [at for at, data in enumerate(frames[1:], 1) if isinstance(decode_signed(data).message, Reveal)]
    of_first = [at for at in reveals if decode_signed(frames[at]).message.round == 1]  # type: ignore[attr-defined]
    return frames[: of_first[-1] + 1 + len(of_first)]
