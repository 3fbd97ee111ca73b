"""What players say with one key, as it is passed on to those who watch."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.budgets import TALK, Buckets
from p2p.reactions import MAX_BYTES, accepted, decode_reaction
from p2p.watcher import Watcher
from protocol.errors import BadMessage
from protocol.identity import Identity
from protocol.messages import Aside, Chat, Emote
from protocol.signed import Signed, sign
from protocol.table.roster import TableOptions
from protocol.table.store import MessageStore
from tests.p2p.aio import run, until
from tests.p2p.test_node import party

ANN, BEN = Identity(b"a" * 32), Identity(b"b" * 32)
TABLE, OTHER = b"t" * 32, b"o" * 32
LONGEST = Emote(1 << 40, "x" * 32)
GG = Emote(1, "gg")


def said(message: Aside = GG, by: Identity = ANN, seat: int = 0, table: bytes = TABLE) -> Signed:
    return sign(by, table, 0, bytes(32), seat, message)


def at_table(present: tuple[int, ...] = (0, 1), seed: bytes | None = b"seed") -> Any:
    keys = (ANN.public, BEN.public)
    ledger = SimpleNamespace(store=MessageStore(len(keys)))
    return SimpleNamespace(table=TABLE, seed=seed, present=present, key=lambda seat: keys[seat], ledger=ledger)


def test_the_longest_emote_of_the_last_epoch_is_short_enough() -> None:
    signed = sign(ANN, TABLE, (1 << 16) - 1, bytes(32), 9, LONGEST)
    assert decode_reaction(signed.data).message == LONGEST


def test_chat_and_long_bytes_are_refused() -> None:
    for data in (said(Chat(1, "I hold the Qs")).data, said().data + bytes(MAX_BYTES), b"", b"e"):
        with pytest.raises(BadMessage):
            decode_reaction(data)


@given(st.binary(max_size=2 * MAX_BYTES))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        decode_reaction(data)
    except BadMessage:
        return
    raise AssertionError("nobody signed this")


@pytest.mark.parametrize(
    ("signed", "record"),
    [
        pytest.param(said(by=BEN), at_table(), id="another player's key"),
        pytest.param(said(table=OTHER), at_table(), id="another table"),
        pytest.param(said(seat=7), at_table(), id="no seat"),
        pytest.param(said(), at_table(present=(1,)), id="who is gone"),
        pytest.param(said(), at_table(seed=None), id="before the seats are drawn"),
        pytest.param(replace(said(), signature=bytes(64)), at_table(), id="no signature"),
    ],
)
def test_what_nobody_at_the_table_has_said_is_not_shown(signed: Signed, record: Any) -> None:
    again = decode_reaction(signed.data) if signed.signature != bytes(64) else replace(signed, made_with=b"")
    assert accepted(again, record, Buckets(TALK), 0.0) is None


def test_it_is_shown_once_and_not_too_often() -> None:
    talk, record = Buckets[int](TALK), at_table()
    one = decode_reaction(said().data)
    assert accepted(one, record, talk, 0.0) == "gg"
    assert accepted(one, record, talk, 100.0) is None
    shown = [accepted(said(Emote(each, "wow")), record, talk, 200.0) for each in range(2, 40)]
    assert 1 <= shown.count("wow") <= TALK.burst + 1
    assert accepted(said(by=BEN, seat=1), record, talk, 200.0) == "gg", "another one is heard"


@pytest.mark.sockets
@pytest.mark.usefixtures("toy_programs")
def test_who_watches_hears_emotes_of_every_player_and_no_chat(tmp_path: Path) -> None:
    async def scene() -> None:
        async with party(tmp_path) as friends:
            await friends.deal(TableOptions(pause=0, grace=0))
            one, other = friends.driver(0), friends.driver(1)
            heard, passed_on = list[tuple[int, str]](), list[bytes]()
            one.reacted.add(passed_on.append)
            watcher = Watcher(Identity(b"w" * 32))
            watcher.on_reaction = lambda seat, name: heard.append((seat, name))
            await watcher.watch([("127.0.0.1", friends.nodes[0].mesh.port)])
            await until(lambda: watcher.follower is not None and watcher.follower.record.seed is not None)
            for driver, name in ((one, "gg"), (other, "wow"), (one, "clap")):
                driver.feed(partial(driver.table.speak, Chat(0, "I hold the Qs")))
                driver.feed(partial(driver.table.speak, Emote(0, name)))
                await until(lambda name=name: heard and heard[-1][1] == name)  # type: ignore[misc]
            assert heard == [(one.table.seat, "gg"), (other.table.seat, "wow"), (one.table.seat, "clap")]
            assert not any(b"emote" in each for each in one.table.record.transcript), "it is no part of the match"
            assert len(passed_on) == 3 and not any(b"Qs" in each for each in passed_on)
            await watcher.close()
            await until(lambda: one.reacted == {passed_on.append})

    run(scene())
