"""A player's computer that is flooded starts again in the middle of it: it has forgotten who flooded it, and is not worse off."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from p2p.costs import Costs
from p2p.frames import FrameKind
from p2p.journal import Journal
from p2p.links import Link
from p2p.node import Node
from p2p.routes import Route
from p2p.saved import RecordKind
from p2p.troubles import Trouble
from protocol.signed import decode_signed
from protocol.table.events import Accused, SendsTooMuch
from protocol.table.step import Step
from protocol.table.table import Table
from tests.adversaries.declared import By, attack
from tests.adversaries.seats.flooder import beside, slots
from tests.adversaries.statements import LITTLE
from tests.p2p.aio import run, until
from tests.p2p.test_node import Onlooker, Party, party

pytestmark = [pytest.mark.sockets, pytest.mark.slow, pytest.mark.usefixtures("verified_once", "toy_programs")]

MOST_READ = 50
"""So many of its messages are read at most before it is cut off."""


def kept(folder: Path, bad: Table) -> int:
    """How many messages of this seat the victim's journal holds."""
    journal = Journal.read_only(folder / "0" / "journal.sqlite")
    try:
        (match,) = journal.unfinished()
        lines = [line for _, line in journal.records(match.id) if line.kind is RecordKind.IN]
        return sum(decode_signed(line.data).seat == bad.seat for line in lines)
    finally:
        journal.close()


async def flood(friends: Party, messages: Callable[[Table], Iterator[bytes]], heard: Onlooker) -> int:
    """Until the victim, who has just begun, has cut the other off; how many messages that took. Rates are a test's: to come back
    takes more than that."""
    victim, bad = friends.nodes
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("p2p.costs.IDLE_TIME", LITTLE)
        patched.setattr("p2p.costs.PATIENCE_S", 0.1)
        victim.mesh.charges.direct = Costs()
    link = victim.mesh.links[bad.identity.public]
    guilty = friends.driver(1).table.seat
    for count, data in enumerate(itertools.islice(messages(friends.driver(1).table), 4 * MOST_READ), 1):
        if (waiting := victim.mesh._on_frame(link, FrameKind.DATA, data)) is not None:
            waiting.close()  # type: ignore[attr-defined]
        if SendsTooMuch(guilty) in heard.heard:
            await until(lambda: victim.mesh.route(bad.identity.public) is Route.NONE)
            return count
    raise AssertionError("it was heard all the time")


def test_friends_who_call_while_a_match_is_read_again_are_no_strangers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They say at once what they have to say: it is heard as soon as the match is there, and their links stay."""
    restore = Table.restore

    def slow(*arguments: Any) -> Step:
        time.sleep(1.0)
        return restore(*arguments)

    async def deed() -> None:
        async with party(tmp_path) as friends:
            await friends.deal()
            troubles: list[Trouble] = []
            ended: list[str | None] = []
            heard = Onlooker()
            heard.on_trouble = troubles.append  # type: ignore[assignment,method-assign]
            other = friends.nodes[1].mesh
            closed = other._on_closed

            def noted(link: Link) -> None:
                ended.append(link.reason)
                closed(link)

            monkeypatch.setattr(Table, "restore", slow)
            friends.nodes[0].settings.port = friends.nodes[0].mesh.port  # where it is called
            await friends.nodes[0].close("")
            monkeypatch.setattr(other, "_on_closed", noted)
            await restarted(friends, heard, is_closed=True)
            assert not troubles and ended == []

    run(deed())


async def restarted(friends: Party, heard: Onlooker, is_closed: bool = False) -> None:
    """The victim's program ends, unless it has, and is started again."""
    before = friends.nodes[0]
    if not is_closed:
        await before.close("")
    node = friends.nodes[0] = Node(before.home, before.settings, heard, before.workers)
    await node.open()
    match = node.resumable()
    assert match is not None
    await node.resume(match)
    await until(lambda: node.mesh.route(friends.nodes[1].identity.public) is Route.DIRECT)
    await until(lambda: not friends.driver(0).table.is_returning)


@attack(
    By.PLAYER,
    "A player’s program floods another player, whose computer is restarted and no longer knows who it was.",
    "As the first time. Nothing of the flood was kept that would slow down the start.",
    "the player is named on the screen as sending too much",
)
@pytest.mark.parametrize("messages", [slots, beside])
def test_a_restart_leaves_a_flood_as_bounded_as_it_was(
    messages: Callable[[Table], Iterator[bytes]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def deed() -> None:
        async with party(tmp_path) as friends:
            await friends.deal()
            for node in friends.nodes:
                node.stop_bot()
            bad = friends.driver(1).table
            monkeypatch.setattr("p2p.charges.BARRED_S", 0.1)
            before = None
            for _ in range(3):
                heard = Onlooker()
                await restarted(friends, heard)
                friends.nodes[0].stop_bot()
                if before is None:
                    before = kept(tmp_path, bad)
                assert await flood(friends, messages, heard) <= MOST_READ
                friends.driver(0)._save()
                await until(lambda: friends.driver(0)._saver.is_idle)
                assert kept(tmp_path, bad) <= before + MOST_READ
                assert not [event for event in heard.heard if isinstance(event, Accused)]

    run(deed())
