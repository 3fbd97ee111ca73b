"""What the computer that serves a phone, and whoever reads the Wi-Fi, see of its socket: no hand, and nothing that opens one."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2p.node import Node
from tests.p2p.aio import run, until
from tests.phones.pages import kitchen

pytestmark = pytest.mark.sockets


@pytest.fixture(autouse=True)
def _no_assets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody loads a page here."""
    monkeypatch.setattr("cli.phones.serving.prepare", lambda: None)


def secrets(node: Node) -> dict[str, bytes]:
    """What nobody but this node may have while the round is played."""
    assert node.driver is not None
    table = node.driver.table
    round = table.record.round
    assert round is not None
    secret = table.hand.secret(round)
    found = {"identity": node.identity.secret_seed, "key": secret.x.encode(), "shuffle": secret.seed}
    for number, place in enumerate(round.hands[table.seat]):
        share = secret.x * place.card.a
        given = [point for giver, point in place.shares.items() if giver != table.seat]
        found[f"share {number}"] = share.encode()
        face = place.card.b - share
        for point in given:
            face = face - point
        found[f"card {number}"] = face.encode()
    return found


@pytest.mark.slow
def test_no_secret_and_no_card_of_a_phone_passes_through_its_socket(tmp_path: Path) -> None:
    async def play() -> None:
        async with kitchen(tmp_path) as at:
            mia = await at.host("Mia", seats=2)
            lena = await at.phone("Lena", "Mia")
            await until(lambda: mia.waiting_room.room is not None and lena.waiting_room.room is not None)
            for each in (lena, mia):
                await until(lambda each=each: each.waiting_room.room.guest(each.identity.public))  # type: ignore[misc]
                each.waiting_room.ready()
            await until(lambda: mia.driver is not None and lena.driver is not None and lena.driver.table.cards)
            await until(lambda: mia.driver is not None and mia.driver.table.cards)
            wire = bytes(at.wire)
            own, theirs = secrets(lena), secrets(mia)
            assert len(own) == 3 + 2 * 7  # seven cards for each of two
            assert {name for name, data in own.items() if data in wire} == set()
            assert {name for name, data in theirs.items() if data in wire} == set()
            # The search finds what does pass: what each gives the other for its cards.
            assert lena.driver is not None and lena.driver.table.record.round is not None
            given = [
                point.encode()
                for hand in lena.driver.table.record.round.hands
                for place in hand
                for point in place.shares.values()
            ]
            assert given and all(point in wire for point in given)

    run(play(), 60)
