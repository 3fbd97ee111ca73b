"""A client dies at any moment, between the journal and the network or after both, and comes back into the same hand: it never
says two versions of anything, the match goes on to its end, and nobody is blamed."""

from __future__ import annotations

from typing import Any

import pytest

from protocol.dealing.shuffle import verify_shuffles
from protocol.messages import Prepare, Shuffled
from protocol.signed import Page, decode, decode_signed
from protocol.table import preparation
from protocol.table.events import Returned
from protocol.table.record import Phase
from protocol.table.roster import TableOptions
from protocol.table.step import Entry, Step
from protocol.table.table import Table
from tests.adversaries.declared import By, attack
from tests.table.matches import assert_all_agree
from tests.table.tables import Link, Tables, printed, stream

pytestmark = pytest.mark.usefixtures("toy")

VICTIM = 1
AWAY_S = 5.0
SHORT: dict[str, Any] = {"hand": 2, "draw": "one", "target": 500}
GOOD = Link()
ONE_ROUND = TableOptions(pause=0, grace=0, rounds=1)
TWO_ROUNDS = TableOptions(pause=0, grace=0, rounds=2)


class Crashing(Tables):
    """A table whose `VICTIM` is killed when it has written its k-th message, before it sends it. Listens on all wires."""

    def __init__(self, *args: Any, kill_at: int | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.kill_at = kill_at
        self.written = 0
        self.said: dict[tuple[Any, ...], bytes] = {}
        self.on_journal = self.count_own
        self.tamper = self.listen

    def count_own(self, index: int, step: Step) -> bool:
        if index != VICTIM:
            return True
        before = self.written
        self.written += sum(entry.kind == "out" for entry in step.records)
        return self.kill_at is None or not before < self.kill_at <= self.written

    def listen(self, sender: int, to: int, data: bytes) -> bytes:
        found = decode(data)
        for signed in map(decode_signed, found.messages) if isinstance(found, Page) else (found,):
            if signed.message.slot is not None:
                key = (self.clients[sender].table.record.key(signed.seat), signed.message.slot)
                if signed.message.kind in ("seal", "nonce"):
                    key = (self.roster.members[signed.seat].key, signed.message.slot)
                first = self.said.setdefault(key, signed.payload)
                assert first == signed.payload, f"two versions of {signed.message.slot} by seat {signed.seat}"
        return data

    def wait(self, seconds: float) -> None:
        """The others go on as far as they can."""
        until = self.now + seconds
        while self.now < until:
            self.move_someone()
            if not self.turn():
                self.now = until

    def play_with_a_crash(self, lose: int | None = None) -> None:
        """To the end; `lose`: so many of the last lines of the journal are gone, or None: those that only came in."""
        victim = self.clients[VICTIM]
        self.start()
        for _ in range(400_000):
            if victim.is_down or all(client.table.is_over for client in self.clients):
                break
            self.move_someone()
            self.turn()
        assert victim.is_down, "it was to die"
        height, hand = victim.table.record.height, victim.table.cards
        is_playing = victim.table.record.phase is Phase.PLAYING
        self.wait(AWAY_S)
        if lose is None:
            while victim.journal and victim.journal[-1].kind == "in":
                victim.journal.pop()
        elif lose:
            victim.journal[-lose:] = []
        self.kill_at = None
        self.restart(VICTIM)
        again = self.clients[VICTIM].table
        if lose == 0 and is_playing and again.record.height == height:
            assert sorted(again.cards) == sorted(hand), "another hand than before"
        self.play()
        assert any(isinstance(event, Returned) for event in self.clients[VICTIM].events) or again.is_over
        assert_all_agree(self)


def count_own_messages(*args: Any, **kwargs: Any) -> int:
    """How many messages the victim writes when nothing happens to it."""
    tables = Crashing(*args, **kwargs)
    tables.start()
    tables.play()
    assert_all_agree(tables)
    return tables.written


def crash(kill_at: int, *args: Any, lose: int | None = 0, **kwargs: Any) -> None:
    tables = Crashing(*args, kill_at=kill_at, **kwargs)
    with printed(kill_at):
        tables.play_with_a_crash(lose)


SETTINGS: dict[str, tuple[str, int, dict[str, Any], int, Link, TableOptions]] = {
    "a round": ("crazy-eights", 2, {**SHORT, "hand": 3}, 15, GOOD, ONE_ROUND),
    "a longer round": ("crazy-eights", 2, SHORT, 6, GOOD, ONE_ROUND),
    "a long round": ("crazy-eights", 2, SHORT, 1, GOOD, ONE_ROUND),
    "two rounds": ("crazy-eights", 2, SHORT, 1, GOOD, TWO_ROUNDS),
    "three seats by lot": ("crazy-eights", 3, SHORT, 2, GOOD, TableOptions(pause=0, grace=0, rounds=1, lots=True)),
    "recycling": ("crazy-eights", 3, {"recycle": True, "hand": 14, "target": 500}, 3, GOOD, ONE_ROUND),
    "tichu": ("tichu", 4, {}, 4, GOOD, ONE_ROUND),
}


@pytest.mark.sample
@pytest.mark.parametrize("kill_at", [2, 5, 6, 9, 12])
def test_killed_and_the_last_letters_that_came_in_are_lost(kill_at: int) -> None:
    crash(kill_at, *SETTINGS["a round"], lose=None)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "kill_at"), [("two rounds", 50), ("three seats by lot", 12), ("recycling", 30), ("tichu", 30)]
)
def test_killed_somewhere(name: str, kill_at: int) -> None:
    crash(kill_at, *SETTINGS[name])


@attack(
    By.PLAYER,
    "A computer is made to crash, so that it says something different the second time.",
    "It does not work: everything is saved before it is sent, and sent again unchanged.",
)
@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [name if name == "a round" else pytest.param(name, marks=pytest.mark.soak) for name in SETTINGS]
)
@pytest.mark.parametrize("third", range(3))
@pytest.mark.timeout(1500)
def test_killed_at_every_message(name: str, third: int) -> None:
    """Every own message of a match, one run each: written, and nobody has got it. In long matches every second of them also
    loses what only came in."""
    setting = SETTINGS[name]
    own = count_own_messages(*setting)
    step = 3 if own < 80 else 12
    for kill_at in range(1 + third, own + 1, step):
        crash(kill_at, *setting, lose=0 if kill_at % 2 or name == "a round" else None)


@pytest.mark.parametrize("link", [Link(loss=0.1, double=0.1, delay=0.3)], ids=["bad links"])
@pytest.mark.parametrize("kill_at", [4, 8, 11])
def test_killed_on_bad_links(link: Link, kill_at: int) -> None:
    game, seats, options, seed, _, table = SETTINGS["a round"]
    crash(kill_at, game, seats, options, seed, link, table)


def test_all_die_at_once() -> None:
    """The light goes out: every client comes back from its journal alone."""
    tables = Crashing("crazy-eights", 3, SHORT, 5, table=ONE_ROUND)
    tables.start()
    while tables.clients[0].table.record.height < 5:
        tables.move_someone()
        tables.turn()
    tables.queue.clear()
    tables.jobs.clear()
    for client in tables.clients:
        client.is_down = True
    for index in range(3):
        tables.restart(index)
    tables.play()
    assert_all_agree(tables)


def test_a_client_signs_nothing_before_it_was_shown_its_own_words() -> None:
    """Back, but alone: it has nothing to say to anyone until the others have answered, or ten seconds are over."""
    tables = Crashing("crazy-eights", 2, SHORT, 1, table=ONE_ROUND, kill_at=9)
    tables.start()
    while not tables.clients[VICTIM].is_down:
        tables.move_someone()
        tables.turn()
    old = tables.clients[VICTIM]
    table = Table(tables.roster, tables.game, old.identity, old.nonce, stream(77), tables.now)
    steps = [table.restore(list(old.journal), tables.now), table.connected(1 - table.seat, tables.now)]
    own = {entry.data for entry in old.journal if entry.kind == "out"}
    for step in steps:
        assert not [entry for entry in step.records if entry.kind == "out"]
        for letter in step.outbox:
            found = decode(letter.data)
            if isinstance(found, Page):
                assert {data for data in found.messages if decode_signed(data).seat == table.seat} <= own
    assert not table.can_move
    step = table.wake(tables.now + 10.0)
    assert [event for event in step.events if isinstance(event, Returned)] == [Returned((1 - table.seat,))]


# --- a damaged journal ---


def run_until(tables: Tables, height: int) -> None:
    tables.start()
    while tables.clients[VICTIM].table.record.height < height:
        tables.move_someone()
        tables.turn()
    while tables.jobs or tables.queue:
        tables.turn()


def lose_lines(journal: list[Entry], since: int) -> None:
    """Everything behind this many own messages is gone; secrets live elsewhere on the disk and are still there."""
    count = 0
    for index, entry in enumerate(journal):
        count += entry.kind == "out"
        if count > since:
            journal[index:] = [each for each in journal[index:] if each.kind == "secret"]
            return
    raise AssertionError("the journal is not so long")


@pytest.mark.sample
@pytest.mark.parametrize("kept", [3, 1, 6, 10, *(pytest.param(each, marks=pytest.mark.soak) for each in (2, 4, 5, 8))])
def test_a_damaged_journal_is_made_good_by_the_others(kept: int) -> None:
    """Nearly all lines are lost, over several heights. The others hold what was said: it is adopted, and not said anew."""
    tables = Crashing("crazy-eights", 3, SHORT, 6, table=ONE_ROUND)
    run_until(tables, 6)
    victim = tables.clients[VICTIM]
    victim.is_down = True
    hand, height = victim.table.cards, victim.table.record.height
    lose_lines(victim.journal, kept)
    tables.restart(VICTIM)
    again = tables.clients[VICTIM]
    tables.run(lambda: not again.table.is_returning)
    assert (again.table.record.height, sorted(again.table.cards)) == (height, sorted(hand))
    tables.play()
    assert_all_agree(tables)


def test_a_damaged_line_in_the_middle_is_made_good() -> None:
    tables = Crashing("crazy-eights", 3, SHORT, 6, table=ONE_ROUND)
    run_until(tables, 6)
    victim = tables.clients[VICTIM]
    victim.is_down = True
    lines = [index for index, entry in enumerate(victim.journal) if entry.kind in ("in", "out")]
    for index in (lines[3], lines[len(lines) // 2], lines[-2]):
        victim.journal[index] = Entry(victim.journal[index].kind, victim.journal[index].data[:-1])
    tables.restart(VICTIM)
    tables.play()
    assert_all_agree(tables)


@pytest.mark.slow
def test_an_unchecked_recycled_deck_is_checked_after_a_restart() -> None:
    """The last proof came in and the power went: that the round's first deck was checked says nothing about this one."""
    tables = Tables(*SETTINGS["recycling"])
    tables.start()
    victim = tables.clients[VICTIM]
    name = None
    for _ in range(400_000):
        tables.move_someone()
        tables.turn()
        waiting = [job.name for index, job in tables.jobs if index == VICTIM]
        name = next((each for each in waiting if each[0] == "chain" and each[2] > 0), None)
        if name is not None:
            break
    assert name is not None
    victim.is_down = True
    tables.jobs.clear()
    ran: list[int] = []

    def counted(*args: Any) -> None:
        ran.append(args[1][0].ctx.deck)
        verify_shuffles(*args)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(preparation, "verify_shuffles", counted)
        tables.restart(VICTIM)
    assert ran == [1]
    tables.play()
    assert_all_agree(tables)


def test_the_first_deck_is_not_checked_again_after_its_opening() -> None:
    """What its own vote has vouched for costs a returning client nothing."""
    tables = Crashing("crazy-eights", 2, SHORT, 1, table=ONE_ROUND)
    run_until(tables, 4)
    tables.clients[VICTIM].is_down = True
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(preparation, "verify_shuffles", lambda *_: pytest.fail("checked again"))
        tables.restart(VICTIM)
    tables.play()
    assert_all_agree(tables)


def test_what_is_written_before_it_is_sent() -> None:
    """Every own message on the wire stands in the journal, and a round's secret stands before the key that it belongs to."""
    tables = Crashing("crazy-eights", 2, SHORT, 1, table=TWO_ROUNDS)
    tables.start()
    tables.play()
    for client in tables.clients:
        kinds = []
        for entry in client.journal:
            if entry.kind == "secret":
                kinds.append("secret")
            elif entry.kind == "out":
                message = decode_signed(entry.data).message
                if isinstance(message, Prepare | Shuffled):
                    kinds.append(message.kind)
        assert kinds == ["secret", "prepare", "shuffled"] * 2
