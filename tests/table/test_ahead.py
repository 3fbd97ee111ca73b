"""Halves of proofs at a table: made while one waits, used at most once, and never waited for in vain."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from protocol.dealing.group import Scalar
from protocol.dealing.halves import HalfProof, HalfRemask
from protocol.messages import MoveProposal, Remask, ShuffleProof
from protocol.signed import Page, decode, decode_signed
from protocol.table import proposing
from protocol.table.record import Phase
from protocol.table.roster import TableOptions
from protocol.table.step import NOTHING, Entry, Step
from protocol.table.table import Table
from protocol.table.work import Job, Urgency
from tests.table.matches import assert_all_agree
from tests.table.tables import Tables, printed

SEATS = 3


class Waiting(Tables):
    """All clients use the time in which they wait. `order`: when the jobs run that nobody waits for."""

    def __init__(self, *args: Any, order: str = "any", **more: Any) -> None:
        super().__init__(*args, **more)
        self.order = order
        for client in self.clients:
            client.table.ahead.is_on = True

    def table_of(self, *args: Any) -> Table:
        table = super().table_of(*args)
        table.ahead.is_on = True
        return table

    def turn(self) -> bool:
        if self.jobs and self.order != "any":
            self.jobs.sort(key=lambda each: (each[1].urgency is Urgency.NOW) == (self.order == "first"))
        elif self.jobs:
            self.random.shuffle(self.jobs)
        if self.jobs and self.order == "last" and self.jobs[0][1].urgency is not Urgency.NOW and self.queue:
            jobs, self.jobs = self.jobs, []  # as long as anything else happens
            super().turn()
            self.jobs = jobs + self.jobs
            return True
        return super().turn()


@pytest.fixture
def used(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How many halves were used up while a test runs."""
    found: Counter[str] = Counter()

    def watch(kind: type, name: str) -> None:
        real = getattr(kind, name)

        def noting(half: Any, *args: Any) -> Any:
            result = real(half, *args)
            found[kind.__name__] += 1
            return result

        monkeypatch.setattr(kind, name, noting)

    watch(HalfProof, "take")
    watch(HalfRemask, "apply")
    return found


def match(order: str, seed: int, game: str = "crazy-eights", rounds: int = 2, **options: Any) -> Waiting:
    table = TableOptions(pause=0, grace=0, rounds=rounds)
    return Waiting(game, SEATS, {"hand": 3, **options}, seed, table=table, order=order)


def nonces_of(tables: Tables) -> list[bytes]:
    """The commitments of all proofs that any client has sent or kept: c_d, c_D and c_Δ of each."""
    proofs: set[bytes] = set()
    for client in tables.clients:
        for data in (*client.transcript[1:], *(entry.data for entry in client.journal if entry.kind == "out")):
            message = decode_signed(data).message
            if isinstance(message, ShuffleProof | Remask):
                proofs.add(message.proof)
            elif isinstance(message, MoveProposal):
                proofs.add(message.remask_proof)
    found = []
    for proof in proofs:
        n, rest = divmod(len(proof) // 32 - 9, 3)
        if n >= 2 and not rest:
            words = [proof[at : at + 32] for at in range(0, len(proof), 32)]
            found += [words[1], words[5 + n], words[6 + n]]
    return found


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize("order", [pytest.param("first", marks=pytest.mark.slow), "last", "any"])
def test_a_match_is_the_same_with_halves(order: str, used: Counter[str]) -> None:
    tables = match(order, 3)
    with printed(3):
        tables.start()
        tables.play()
        assert_all_agree(tables)
    found = nonces_of(tables)
    assert found
    if order == "last":
        return  # nobody had time for any
    assert used["HalfProof"] > used["HalfRemask"] > 0
    assert len(set(found)) == len(found)


@pytest.mark.slow
def test_no_nonce_of_a_match_occurs_twice(used: Counter[str]) -> None:
    """In the real group, where points do not meet by chance."""
    tables = match("any", 5, rounds=1)
    with printed(5):
        tables.start()
        tables.play()
        assert_all_agree(tables)
    found = nonces_of(tables)
    assert used["HalfProof"] > 0
    assert len(set(found)) == len(found)


@pytest.mark.usefixtures("toy")
def test_nothing_is_made_ahead_unless_the_client_says_so(used: Counter[str]) -> None:
    tables = match("first", 3, rounds=1)
    for client in tables.clients:
        client.table.ahead.is_on = False
    tables.start()
    tables.run(lambda: tables.is_quiet() and all(client.table.cards for client in tables.clients))
    assert not used


@pytest.mark.slow
@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize("seed", range(3))
def test_a_client_that_dies_and_returns_uses_fresh_ones(seed: int, used: Counter[str]) -> None:
    """At any time, and as often as it likes: no proof of its second life has anything from its first."""
    tables = match("any", seed, rounds=1, hand=5)
    with printed(seed):
        tables.start()
        for _ in range(6):
            for _ in range(60 + tables.random.randrange(60)):
                tables.move_someone()
                tables.turn()
            if not any(client.table.is_over for client in tables.clients):
                tables.restart(tables.random.randrange(SEATS))
        tables.play()
        assert_all_agree(tables)
    assert used


class Telling(Waiting):
    """Keeps all that a log would hold of a client, and all that it sends, saves and writes down."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.printed: list[str] = []
        self.told: list[bytes] = []

    def take(self, index: int, step: Step) -> None:
        ahead = self.clients[index].table.ahead
        results = [(ahead.proof(name), ahead.remask(name)) for name in ahead._seeds]
        seeds = list(ahead._seeds.items())
        self.printed += [repr(each) + str(each) for each in (step, *step.work, *step.events, ahead, seeds, results)]
        self.told += [
            *(letter.data for letter in step.outbox),
            *(entry.data for entry in step.records),
            *step.transcript,
        ]
        super().take(index, step)


@pytest.mark.usefixtures("toy")
def test_no_half_stands_in_anything_that_is_printed_saved_or_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    secrets: list[Scalar] = []
    take, apply = HalfProof.take, HalfRemask.apply

    def taken(half: HalfProof, *args: Any) -> Any:
        nonces, made = take(half, *args)
        secrets.extend((nonces.r, nonces.r_d, nonces.R_d, nonces.r_D, nonces.r_Delta, nonces.r_a, *nonces.d, *nonces.D))
        return nonces, made

    def applied(half: HalfRemask, *args: Any) -> Any:
        after, witness = apply(half, *args)
        secrets.extend(witness.scalars)
        return after, witness

    monkeypatch.setattr(HalfProof, "take", taken)
    monkeypatch.setattr(HalfRemask, "apply", applied)
    tables = Telling("crazy-eights", SEATS, {"hand": 3}, 3, table=TableOptions(pause=0, grace=0, rounds=1))
    tables.start()
    while tables.clients[0].table.record.height < 8:
        tables.move_someone()
        tables.turn()
    printed, told = "\n".join(tables.printed), b"\n".join(tables.told)
    assert len(secrets) > 100
    assert len(told) > 10_000
    for each in secrets:
        assert each.encode() not in told
        assert each.encode().hex() not in printed
        assert str(int(each)) not in printed


# --- the jobs ---


def halves_asked(tables: Tables) -> list[tuple[int, Job]]:
    return [(index, job) for index, job in tables.jobs if "half" in str(job.name)]


def until_a_half_is_asked(tables: Waiting) -> tuple[int, Job]:
    tables.start()
    tables.run(lambda: bool(halves_asked(tables)))
    return halves_asked(tables)[0]


@pytest.mark.usefixtures("toy")
def test_a_job_that_runs_twice_makes_one_half() -> None:
    """As if its thread had died, and another one took over."""
    tables = match("last", 1)
    _, job = until_a_half_is_asked(tables)
    assert job.urgency is Urgency.SOON
    first, second = job.run(), job.run()
    assert isinstance(first.value, HalfProof)
    assert second.value is None
    assert second.crash is None


@pytest.mark.usefixtures("toy")
def test_a_half_that_has_not_begun_is_given_up_when_its_proof_is_due() -> None:
    tables = match("last", 1)
    index, job = until_a_half_is_asked(tables)
    tables.jobs.remove((index, job))
    own = ("own", *job.name[1:3], "proof")
    tables.run(lambda: any(each.name == own and at == index for at, each in tables.jobs))
    assert job.run().value is None
    began = tables.now
    tables.run(lambda: tables.is_quiet() and all(client.table.cards for client in tables.clients))
    assert tables.now < began + 1, "somebody waited for it"


@pytest.mark.usefixtures("toy")
def test_a_proof_waits_for_a_half_that_has_begun(used: Counter[str]) -> None:
    tables = match("last", 1)
    index, job = until_a_half_is_asked(tables)
    tables.jobs.remove((index, job))
    result = job.run()  # under way in its thread, while all else goes on
    table = tables.clients[index].table
    own = ("own", *job.name[1:3])
    tables.run(lambda: tables.is_quiet() and table.record.ledger.desk.result((*own, "shuffle")) is not None)
    assert not table.record.ledger.desk.is_asked((*own, "proof"))
    before = used["HalfProof"]
    tables.take(index, table.done(job, result, tables.now))
    tables.run(lambda: table.record.ledger.desk.result((*own, "proof")) is not None)
    assert used["HalfProof"] == before + 1
    assert not result.value.is_left
    tables.play()
    assert_all_agree(tables)


@pytest.mark.usefixtures("toy")
def test_a_half_for_a_hand_that_has_changed_is_not_made() -> None:
    """Nobody wants it any more: it would only hold up those that somebody wants."""
    tables = match("last", 1)
    tables.start()

    def asked() -> list[tuple[int, Job]]:
        return [(index, job) for index, job in halves_asked(tables) if job.name[2] == "remask-half"]

    tables.run(lambda: bool(asked()))
    index, job = asked()[0]
    tables.jobs.remove((index, job))
    desk = tables.clients[index].table.record.ledger.desk
    for _ in range(500):
        if not desk.is_asked(job.name):
            break
        tables.move_someone()
        tables.turn()
    assert not desk.is_asked(job.name)
    assert job.run().value is None


@pytest.mark.usefixtures("toy")
def test_a_new_epoch_drops_what_was_made_in_the_last() -> None:
    tables = match("last", 1)
    index, job = until_a_half_is_asked(tables)
    tables.jobs.remove((index, job))
    table = tables.clients[index].table
    table.record.ledger.begin_epoch()
    result = job.run()
    table.done(job, result, tables.now)
    assert table.record.ledger.desk.result(job.name) is None


@pytest.mark.usefixtures("toy")
def test_shares_for_a_drawn_card_are_made_while_the_others_vote_and_sent_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tables, made = match("any", 5, draw="one"), Counter[str]()
    real = proposing.shares
    tables.start()
    tables.run(lambda: any(draws_of(client.table) for client in tables.clients) and tables.is_quiet())
    mover = next(index for index, client in enumerate(tables.clients) if draws_of(client.table))

    def noting(*args: Any) -> bytes:
        made["shares"] += 1
        return real(*args)

    monkeypatch.setattr(proposing, "shares", noting)
    tables.tamper = lambda sender, to, data: None if kind_of(data) == "vote" else data
    height = tables.clients[mover].table.record.height
    tables.take(mover, tables.clients[mover].table.act(draws_of(tables.clients[mover].table)[0], tables.now))
    while not tables.is_quiet():
        tables.turn()
    assert all(client.table.record.phase is Phase.PLAYING for client in tables.clients), "no vote has arrived"
    assert made["shares"] == SEATS - 1
    assert not any(kind_of(entry.data) == "shares" for entry in said_at(tables, height)), (
        "they wait for the certificate"
    )
    tables.tamper = lambda sender, to, data: data
    tables.run(lambda: all(client.table.record.height > height for client in tables.clients))
    assert made["shares"] == SEATS - 1, "they are not made again"
    assert sum(kind_of(entry.data) == "shares" for entry in said_at(tables, height)) == SEATS - 1


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize("is_waited_for", [False, True])
def test_a_half_for_a_hand_leads_to_nothing_unless_a_draw_waits_for_it(is_waited_for: bool) -> None:
    tables = match("last", 5, draw="one")
    tables.start()

    def halves_of_movers() -> list[tuple[int, Job]]:
        halves = [each for each in halves_asked(tables) if each[1].name[2] == "remask-half"]
        return [(index, job) for index, job in halves if draws_of(tables.clients[index].table)]

    tables.run(lambda: bool(halves_of_movers()))
    index, job = halves_of_movers()[0]
    tables.jobs.remove((index, job))
    result, table = job.run(), tables.clients[index].table  # under way in its thread
    if is_waited_for:
        tables.take(index, table.act(draws_of(table)[0], tables.now))
    step = table.done(job, result, tables.now)
    assert (step is NOTHING) is not is_waited_for
    assert [each.name[:2] for each in step.work] == ([("own", "proposal")] if is_waited_for else [])
    tables.take(index, step)
    tables.play()
    assert_all_agree(tables)


def draws_of(table: Table) -> list[Any]:
    return [move for move in table.legal() if table.game.encode(move)["do"] == "draw"]


def kind_of(data: bytes) -> str:
    found = decode(data)
    return "page" if isinstance(found, Page) else found.message.kind


def said_at(tables: Tables, height: int) -> list[Entry]:
    """What the clients have kept of what they said at a height."""
    return [
        entry
        for client in tables.clients
        for entry in client.journal
        if entry.kind == "out" and getattr(decode_signed(entry.data).message, "height", 0) == height
    ]
