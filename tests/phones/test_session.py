"""A host's session with phones: which address is shown when."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from cli.client.opening import open_session
from cli.client.phones_address import leads_to, phones_address
from cli.client.session import Session
from cli.phones import serving
from cli.requests import TableRequest
from p2p.interfaces import interfaces
from protocol.identity import Identity

pytestmark = pytest.mark.sockets
HOSTS = ("192.0.2.7", "198.51.100.7")


@pytest.fixture(autouse=True)
def _two_addresses_and_no_assets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "prepare", lambda: None)
    monkeypatch.setattr(serving, "own_hosts", lambda _adapters: HOSTS)
    monkeypatch.setattr(serving, "PORT", 0)


@asynccontextmanager
async def hosting(home: Path) -> AsyncIterator[Session]:
    async with AsyncExitStack() as stack:
        request = TableRequest("host", game="mau-mau", home=home, name="Mia", port=0)
        yield await open_session(stack, request, home, lambda _progress: None)


def test_a_code_stays_good_however_often_it_is_looked_at(tmp_path: Path) -> None:
    """Somebody may be typing what was shown before."""

    async def run() -> None:
        async with hosting(tmp_path) as session:
            first = await session.serve_phones()
            assert first.name == "Mia" and urlsplit(first.address).hostname == HOSTS[0]
            assert session.phones is not None
            session.phones.loaded = 2
            assert await session.serve_phones() == session.phones_served
            assert (session.phones_served.address, session.phones_served.loaded) == (first.address, 2)

    asyncio.run(run())


def test_the_next_address_has_an_invitation_of_its_own(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path) as session:
            first = await session.serve_phones()
            second = await session.serve_phones(next_address=True)
            third = await session.serve_phones(next_address=True)
            assert [urlsplit(each.address).hostname for each in (first, second, third)] == [*HOSTS, HOSTS[0]]
            assert len({urlsplit(each.address).fragment for each in (first, second, third)}) == 3

    asyncio.run(run())


def test_after_the_door_was_closed_there_is_a_new_code(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path) as session:
            session.uninvite_phones()  # nobody was invited: nothing happens
            first = await session.serve_phones()
            session.uninvite_phones()
            assert session.phones_served.address == ""
            assert (await session.serve_phones()).address not in ("", first.address)

    asyncio.run(run())


@pytest.mark.parametrize(("hosts", "is_alone"), [(("127.0.0.1",), True), (("fe80::1",), True), (HOSTS, False)])
def test_a_computer_in_no_network_knows_that_it_is_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hosts: tuple[str, ...], is_alone: bool
) -> None:
    monkeypatch.setattr(serving, "own_hosts", lambda _adapters: hosts)

    async def run() -> None:
        async with hosting(tmp_path) as session:
            assert (await session.serve_phones()).is_alone is is_alone

    asyncio.run(run())


def test_where_the_usual_port_is_taken_the_page_is_still_at_every_address(tmp_path: Path) -> None:
    """IPv4 and IPv6 share a port: the address that is shown next has the same one."""

    async def run() -> None:
        async with hosting(tmp_path) as session:
            place = urlsplit((await session.serve_phones()).address)
            for host in (each.host for each in interfaces() if each.ip.is_loopback):
                _reader, writer = await asyncio.open_connection(host, place.port)
                writer.close()
                await writer.wait_closed()

    asyncio.run(run())


def test_the_address_is_shown_to_screens_while_phones_are_let_in_and_leads_nowhere_else(tmp_path: Path) -> None:
    async def run() -> None:
        async with hosting(tmp_path) as session:
            here = [("127.0.0.1", session.node.mesh.port)]
            await session.host(0)
            tv = Identity(b"t" * 32)
            assert await phones_address(tv, here) == ""
            served = await session.serve_phones()
            assert await phones_address(tv, here) == served.address != ""
            changed = await session.serve_phones(next_address=True)
            assert await phones_address(tv, here) == changed.address
            session.uninvite_phones()
            assert await phones_address(tv, here) == ""
            own = session.node.identity.public
            assert leads_to(served.address, own)
            place, _, fragment = served.address.partition("#")
            for other in (
                f"http://example.org:80/#{fragment}",
                f"https{place[4:]}#{fragment}",
                f"{place}x#{fragment}",
                place,
            ):
                assert not leads_to(other, own)
            assert not leads_to(served.address, tv.public)

    asyncio.run(run())
