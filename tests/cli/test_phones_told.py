"""Guests by phone for who hears lines: the code for eyes, the address for all, and help where no phone comes."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from cli.news import Do, PhonesServed
from cli.plain.phones import ACTIONS, BLACK_ON_WHITE, PhonesTalk
from cli.plain.verbs import words_shown
from cli.text import languages, load_translator
from cli.text.hotspot import hotspot_steps
from cli.view.phones import HELP_AFTER_S, no_page_told, trust_told
from protocol.values import replace
from tests.cli.test_waiting import seated
from tests.cli.view.test_phones import ADDRESS, WIFI, read, rows_of

_ = load_translator("en")
NO_PAGE = no_page_told(_, PhonesServed(ADDRESS, "Mia"))[0]
BEFORE, AFTER = (part for part in BLACK_ON_WHITE.split("{}"))


class Leaping(asyncio.SelectorEventLoop):
    """A loop whose time leaps when it is told to."""

    ahead_s = 0.0

    def time(self) -> float:
        return super().time() + self.ahead_s


class Stub:
    """A session that serves phones."""

    def __init__(self, lang: str = "en", has_code: bool = False) -> None:
        self.phones_served = PhonesServed("", "Mia")
        self.told: list[str] = []
        self.is_open = False
        self.addresses = iter((ADDRESS, ADDRESS.replace("192.168.178", "10.0.0")))
        self.talk = PhonesTalk(load_translator(lang), self, self.told.extend, has_code)

    async def serve_phones(self, *, next_address: bool = False) -> PhonesServed:
        address = next(self.addresses) if next_address or not self.phones_served.address else self.phones_served.address
        self.is_open = True
        self.phones_served = replace(self.phones_served, address=address, loaded=0)
        return self.phones_served

    def uninvite_phones(self) -> None:
        self.is_open = False

    async def passes(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, Leaping)
        loop.ahead_s += seconds
        await asyncio.sleep(0)
        await asyncio.sleep(0)  # what is due by then has run


def run(deed: Coroutine[Any, Any, None]) -> None:
    with asyncio.Runner(loop_factory=Leaping) as runner:
        runner.run(deed)


@pytest.mark.parametrize("lang", languages())
def test_the_code_the_address_and_whom_to_trust_are_told(lang: str) -> None:
    async def deed() -> None:
        stub = Stub(lang, has_code=True)
        await stub.talk.do("phones")
        code = [line.removeprefix(BEFORE).removesuffix(AFTER) for line in stub.told if line.startswith(BEFORE)]
        assert read(rows_of(tuple(code))) == [ADDRESS]
        assert any(line.endswith(ADDRESS) for line in stub.told)
        assert trust_told(load_translator(lang), "Mia") in stub.told

    run(deed())


def test_who_hears_lines_gets_no_code() -> None:
    async def deed() -> None:
        stub = Stub()
        await stub.talk.do("phones")
        assert not any("\x1b" in line or "\u2588" in line for line in stub.told)
        assert any(line.endswith(ADDRESS) for line in stub.told)

    run(deed())


def test_help_comes_if_no_phone_has_opened_the_page_in_time() -> None:
    async def deed() -> None:
        stub = Stub()
        await stub.talk.do("phones")
        await stub.passes(HELP_AFTER_S - 1)
        assert NO_PAGE not in stub.told
        await stub.passes(2)
        assert stub.told.count(NO_PAGE) == 1
        assert "phones next" in stub.told[-1] and "phones hotspot" in stub.told[-1]

    run(deed())


def test_help_stays_away_once_a_phone_is_there() -> None:
    async def deed() -> None:
        stub = Stub()
        await stub.talk.do("phones")
        stub.phones_served = replace(stub.phones_served, loaded=1)
        await stub.passes(HELP_AFTER_S + 1)
        assert NO_PAGE not in stub.told

    run(deed())


def test_without_a_network_that_is_said_at_once_and_once() -> None:
    async def deed() -> None:
        stub = Stub()
        stub.phones_served = replace(stub.phones_served, is_alone=True)
        await stub.talk.do("phones")
        alone = no_page_told(_, stub.phones_served)[0]
        assert stub.told.count(alone) == 1
        await stub.passes(HELP_AFTER_S + 1)
        assert stub.told.count(alone) == 1

    run(deed())


@pytest.mark.parametrize("how", ["phones-stop", "close"])
def test_help_stays_away_where_nobody_is_let_in_or_the_room_is_left(how: str) -> None:
    async def deed() -> None:
        stub = Stub()
        await stub.talk.do("phones")
        if how == "close":
            stub.talk.close()
        else:
            await stub.talk.do(how)
            assert not stub.is_open
        await stub.passes(HELP_AFTER_S + 1)
        assert NO_PAGE not in stub.told

    run(deed())


def test_the_next_address_is_told_and_given_time_again() -> None:
    async def deed() -> None:
        stub = Stub()
        await stub.talk.do("phones")
        await stub.passes(HELP_AFTER_S - 1)
        await stub.talk.do("phones-next")
        assert any("10.0.0.123" in line for line in stub.told)
        await stub.passes(2)
        assert NO_PAGE not in stub.told
        await stub.passes(HELP_AFTER_S)
        assert stub.told.count(NO_PAGE) == 1

    run(deed())


@pytest.mark.parametrize("lang", languages())
def test_what_is_said_to_be_typed_behind_phones_is_understood(lang: str) -> None:
    here, words = seated(lang=lang, is_host=True), load_translator(lang)
    phones = words_shown(words, "room phones")
    forms = {action: f"{phones} {words_shown(words, f'phones {action}')}" for action in ACTIONS}
    for action, typed in forms.items():
        assert here.answer(typed) == ([], Do(f"phones-{action}"))
    told, deed = here.answer(f"{phones} xyz")
    assert deed is None and all(form in told[0] for form in forms.values())
    assert any(all(form in line for form in forms.values()) for line in here.help())


def test_the_hotspot_is_explained_without_opening_anything() -> None:
    async def deed() -> None:
        stub = Stub()
        await stub.talk.do("phones-hotspot")
        assert stub.told[1:] == list(hotspot_steps(_))
        assert not stub.is_open

    run(deed())


@pytest.mark.parametrize("has_code", [True, False])
def test_where_this_computer_is_the_wifi_its_code_can_be_shown(has_code: bool) -> None:
    async def deed() -> None:
        stub = Stub(has_code=has_code)
        stub.phones_served = replace(stub.phones_served, hotspot=WIFI)
        await stub.talk.do("phones")
        assert any("phones hotspot" in line for line in stub.told) == has_code
        stub.told.clear()
        await stub.talk.do("phones-hotspot")
        code = [line.removeprefix(BEFORE).removesuffix(AFTER) for line in stub.told if line.startswith(BEFORE)]
        assert [read(rows_of(tuple(code))) if code else []] == [[WIFI.code] if has_code else []]
        assert any("Hut" in line for line in stub.told)
        assert any("code" in line for line in stub.told) == has_code

    run(deed())
