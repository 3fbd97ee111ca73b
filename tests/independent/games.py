"""Matches that the real tables play in memory, for the second verifier: whole ones, and what can be made of their files."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from protocol.games.shedding import DRAW
from protocol.messages import Goodbye
from protocol.signed import decode_signed, sign
from protocol.table.roster import TableOptions
from protocol.table.turn import Turn
from tests.table.tables import Link, Tables, printed
from tests.vectors import make_exchange

ONE_ROUND = TableOptions(pause=0, grace=0, rounds=1)


class Unforced(Turn):
    """A modified client, which does not show the Mah Jong by itself."""

    forced_at = None


class Stubborn(Tables):
    """Tichu players who do not show the Mah Jong in the first round, until it is broken off."""

    def start(self) -> None:
        for client in self.clients:
            client.table.turn.__class__ = Unforced
        super().start()

    def move_someone(self) -> None:
        record = self.clients[0].table.record
        if record.rounds_closed or record.state is None or record.state.phase != "show":
            super().move_someone()


class Eager(Tables):
    """Who may act acts, all at once, so that votes are split."""

    def move_someone(self) -> None:
        for index, client in enumerate(self.clients):
            table, state = client.table, client.table.record.state
            if (
                not client.is_down
                and table.can_move
                and table.seat in table.game.to_act(state)
                and (moves := table.legal())
            ):
                self.take(index, table.act(moves[self.random.randrange(len(moves))], self.now))


class Unanswering(Tables):
    """Two-Four-Jack players who draw the cards due with an answer in hand, which the rules of the hand forbid."""

    def move_someone(self) -> None:
        for index, client in enumerate(self.clients):
            table, state = client.table, client.table.record.state
            if state is None or not table.can_move or not state.penalty or state.turn != table.seat:
                continue
            if any(table.game.uses(move).played for move in table.legal()):
                table.choice.choose(DRAW, self.now)
                self.take(index, table.wake(self.now))
        super().move_someone()


def played(
    game: str,
    seats: int,
    options: dict[str, Any],
    seed: int,
    table: TableOptions = ONE_ROUND,
    link: Link | None = None,
    kind: type[Tables] = Tables,
) -> Tables:
    """A match to its end."""
    tables = kind(game, seats, options, seed, link, table)
    with printed(seed):
        tables.start()
        tables.play()
    return tables


@cache
def short() -> Tables:
    """Two seats, a few moves, a draw among them."""
    return make_exchange.played(seed=19, most=12)


def kinds_of(tables: Tables) -> set[str]:
    """The kinds of messages in a match's file."""
    return {decode_signed(data).message.kind for data in tables.clients[0].transcript[1:]}


def showing(kinds: set[str], tables: Tables) -> Tables:
    """This match, which holds messages of these kinds."""
    assert kinds <= kinds_of(tables), "choose another seed"
    return tables


def split() -> Tables:
    """Votes are split where cards are drawn on the outcome, so that all say first what they saw."""
    options = {"last_card": True, "skip": "Q", "again": "2", "hand": 2}
    return showing({"echo"}, played("crazy-eights", 5, options, 1, ONE_ROUND, Link(delay=0.3), Eager))


def recycled() -> Tables:
    """The stock runs out, and a hand is re-masked on the recycled cards. With two seats a cheat ends the match."""
    options = {"recycle": True, "hand": 15, "target": 500}
    return showing({"deck-agreed", "remask"}, played("crazy-eights", 2, options, 1))


def breaches() -> Tables:
    """Somebody draws the cards due with an answer in hand."""
    tables = played("two-four-jack", 2, {"draw": "one", "hand": 5}, 1, kind=Unanswering)
    assert tables.clients[0].table.record.breaches, "choose another seed"
    return tables


def left() -> Tables:
    """A match that somebody leaves for good."""
    tables = Tables("crazy-eights", 2, {}, 2, None, ONE_ROUND)
    tables.start()
    tables.run(lambda: tables.clients[0].table.record.phase.value == "playing" and tables.is_quiet())
    one = tables.clients[1].table
    record = one.record
    goodbye = sign(one.identity, record.table, record.epoch, record.epoch_hash, one.seat, Goodbye())
    for client in tables.clients:
        tables.take(tables.clients.index(client), client.table.receive(one.seat, goodbye.data, tables.now))
    return tables


BY_LOT = TableOptions(pause=0, grace=0, lots=True, rounds=2)
MATCHES: dict[str, tuple[set[str], Callable[[], Tables]]] = {
    "crazy-eights, short": ({"shares", "reveal"}, short),
    "crazy-eights, two rounds, seats by lot": (
        {"shares"},
        lambda: played("crazy-eights", 3, {"hand": 2, "target": 60}, 4, BY_LOT),
    ),
    "crazy-eights, recycled": ({"deck-agreed", "remask"}, recycled),
    "crazy-eights, split votes": ({"echo"}, split),
    "two-four-jack, breaches": ({"shares"}, breaches),
    "mau-mau": ({"shares"}, lambda: played("mau-mau", 4, {"sevens": True, "eights": True, "target": 20}, 5)),
    "macau-wars": ({"shares"}, lambda: played("macau-wars", 3, {"target": 0}, 11)),
    "tichu": ({"remask"}, lambda: played("tichu", 4, {}, 11, link=Link(delay=0.3))),
    "tichu, not finished": ({"break-off"}, lambda: played("tichu", 4, {}, 7, kind=Stubborn)),
    "left": ({"goodbye"}, left),
}
"""By what they show: kinds of messages that each must hold."""


@cache
def match(name: str) -> Tables:
    """One of these, played once."""
    return MATCHES[name][1]()
