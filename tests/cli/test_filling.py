"""A seat that the game needs is taken by a bot: when its time has come, when the player wants it, or when nobody waits."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

import pytest

from cli.client.filling import fill_now, fill_seats, seat_to_fill
from cli.client.session import Session

ME, FRIEND, WAITING = b"me", b"friend", b"waiting"


def guest(key: bytes) -> Any:
    return SimpleNamespace(key=key, plays=True, playing=False, is_kept=False)


@dataclass
class Seated:
    """As much of a session as this looks at: two of three sit, and the game needs all."""

    autoplay: bool = False
    host: bytes = ME
    waiting: bool = False
    is_short: bool = True
    phones: tuple[int, ...] = ()
    bot_is_wanted: asyncio.Event = field(default_factory=asyncio.Event)
    filled: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        keys = [ME, FRIEND, b"gone"]
        record = SimpleNamespace(
            present=(0, 1),
            size=3,
            key=keys.__getitem__,
            member=lambda seat: SimpleNamespace(keeper=b"host" if seat in self.phones else keys[seat]),
            epoch=1,
            is_waiting_for_players=self.is_short,
        )
        pauses = SimpleNamespace(offer_until=asyncio.get_running_loop().time() + 30.0 if self.is_short else None)
        table = SimpleNamespace(record=record, is_present=True, seat=0, pauses=pauses)
        self.driver: Any = SimpleNamespace(table=table, finished=asyncio.Event(), changed=asyncio.Event())
        members = [guest(ME), guest(FRIEND), *([guest(WAITING)] if self.waiting else [])]
        room = SimpleNamespace(host=self.host, members=members)
        self.node: Any = SimpleNamespace(identity=SimpleNamespace(public=ME), waiting_room=SimpleNamespace(room=room))
        self.request: Any = SimpleNamespace(autoplay=self.autoplay)

    async def fill_seat(self, seat: int) -> None:
        self.filled.append(seat)
        self.driver.finished.set()

    async def run(self, moment_s: float = 0.2) -> list[int]:
        """Which seats were filled within a moment."""
        try:
            async with asyncio.timeout(moment_s):
                await fill_seats(cast(Any, self))
        except TimeoutError:
            pass
        return self.filled


@pytest.mark.parametrize(
    ("about", "filled"),
    [
        ({}, []),
        ({"autoplay": True}, [2]),
        ({"autoplay": True, "waiting": True}, []),
        ({"autoplay": True, "host": FRIEND}, []),
        ({"autoplay": True, "host": WAITING}, [2]),
        ({"autoplay": True, "is_short": False}, []),
    ],
    ids=["people wait", "unattended", "somebody waits", "another hosts", "the host does not play", "nobody is needed"],
)
def test_a_bot_comes_at_once_only_where_nobody_would_want_to_wait(about: dict[str, Any], filled: list[int]) -> None:
    async def deed() -> list[int]:
        return await Seated(**about).run(60.0 if filled else 0.2)

    assert asyncio.run(deed()) == filled


def test_a_bot_comes_when_its_time_has_come_or_when_our_player_wants_it() -> None:
    async def late() -> list[int]:
        seated = Seated()
        seated.driver.table.pauses.offer_until -= 29.95
        return await seated.run(60.0)

    async def wanted() -> list[int]:
        seated = Seated()
        asyncio.get_running_loop().call_later(0.02, seated.bot_is_wanted.set)
        return await seated.run(60.0)

    assert asyncio.run(late()) == [2] and asyncio.run(wanted()) == [2]


def test_only_one_client_fills_a_seat() -> None:
    async def deed(phones: tuple[int, ...]) -> list[int | None]:
        return [seat_to_fill(cast(Any, Seated(host=host, phones=phones))) for host in (ME, FRIEND, WAITING)]

    assert asyncio.run(deed(())) == [2, None, 2]
    assert asyncio.run(deed((0,))) == [None, None, None], "a phone can run no bot, whether it hosts or not"
    assert asyncio.run(deed((1,))) == [2, 2, 2]


def test_who_does_not_host_has_no_bot_to_offer() -> None:
    async def deed(host: bytes) -> tuple[bool, bool]:
        seated = Seated(host=host)
        return fill_now(cast(Any, seated)), seated.bot_is_wanted.is_set()

    assert asyncio.run(deed(ME)) == (True, True)
    assert asyncio.run(deed(FRIEND)) == (False, False)


def test_no_bot_fills_a_seat_under_the_name_of_one_that_gave_its_seat_away() -> None:
    """It would have the same home, and so the same key, which has said something at this table already."""
    seated: list[str] = []

    async def seat(name: str, *_where: object) -> bytes:
        seated.append(name)
        return b"bot"

    async def take_seat(*_what: object) -> None: ...

    member = SimpleNamespace
    roster = SimpleNamespace(members=[member(name="Mia"), member(name="Bot Ada")])
    replaced = [SimpleNamespace(member=member(name="Bot Ada")), SimpleNamespace(member=member(name="Bot Emmy"))]
    record = SimpleNamespace(
        epoch=3, size=2, member=[member(name="Mia"), member(name="Kim")].__getitem__, roster=roster, replaced=replaced
    )
    room = SimpleNamespace(members=[member(name="Mia")], host=ME)
    node = SimpleNamespace(
        waiting_room=SimpleNamespace(room=room, is_host=True),
        mesh=SimpleNamespace(port=1),
        settings=SimpleNamespace(bots=set()),
        room_changed=lambda: None,
    )
    session = SimpleNamespace(
        node=node,
        driver=SimpleNamespace(table=SimpleNamespace(record=record)),
        bots=SimpleNamespace(names=[], filling={}, seat=seat, take_seat=take_seat),
        bot_level="normal",
        note_bots=lambda: None,
    )
    asyncio.run(Session.fill_seat(cast(Any, session), 1))
    assert seated == ["Bot Sofia"]
