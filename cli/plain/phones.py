"""Guests by phone in lines: the code and the address, and help if no phone opens the page."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Protocol

from cli.news import PhonesServed
from cli.plain.verbs import words_shown
from cli.text import Translator
from cli.text.hotspot import HOTSPOT, hotspot_steps
from cli.view.phones import HELP_AFTER_S, hotspot_told, is_help_due, no_page_told, trust_told
from cli.view.qr import half_blocks, modules

BLACK_ON_WHITE = "\x1b[30;107m{}\x1b[0m"
"""ECMA-48, SGR: a code is read on any terminal only if it is dark on light."""
ACTIONS = ("next", "stop", "hotspot")
"""What can be typed behind `phones`."""


class PhoneHost(Protocol):
    """What serves phones: the session."""

    @property
    def phones_served(self) -> PhonesServed: ...
    async def serve_phones(self, *, next_address: bool = False) -> PhonesServed: ...
    def uninvite_phones(self) -> None: ...


class PhonesTalk:
    """`tell` writes lines; `has_code`: whether a code can be drawn for somebody to see."""

    def __init__(self, _: Translator, server: PhoneHost, tell: Callable[[Sequence[str]], None], has_code: bool) -> None:
        self._, self._server, self._tell, self._has_code = _, server, tell, has_code
        self._helping: asyncio.TimerHandle | None = None

    async def do(self, name: str) -> None:
        """Carry out `phones`, `phones-next`, `phones-stop` or `phones-hotspot`. Raises as `Session.serve_phones` does."""
        match name:
            case "phones-stop":
                self.close()
                self._server.uninvite_phones()
                self._tell([self._("No more phones can join. The ones already here stay.")])
            case "phones-hotspot" if (hotspot := self._server.phones_served.hotspot) is not None:
                told = hotspot_told(self._, hotspot)
                self._tell([*self._code(hotspot.code), *(told if self._has_code else told[:1])])
            case "phones-hotspot":
                self._tell([f"{self._(HOTSPOT)}.", *hotspot_steps(self._)])
            case _show:
                await self._server.serve_phones(next_address=name == "phones-next")
                self.show()

    def show(self) -> None:
        """Tell where phones can sit down, and what to do if none has opened the page after a while."""
        served = self._server.phones_served
        told = [self._("Phones can join with: {address}", address=served.address), trust_told(self._, served.name)]
        if served.hotspot is not None and self._has_code:
            told.append(
                self._(
                    "Type {hotspot} for a code with which phones join this computer’s Wi-Fi.",
                    hotspot=self._typed("hotspot"),
                )
            )
        self._tell([*self._code(served.address), *told])
        self.close()
        self._help(0.0)
        if not served.is_alone:
            self._helping = asyncio.get_running_loop().call_later(HELP_AFTER_S, self._help, HELP_AFTER_S)

    def _code(self, text: str) -> list[str]:
        """The lines of a code, where somebody can see it."""
        return [BLACK_ON_WHITE.format(line) for line in half_blocks(modules(text))] if self._has_code else []

    def _typed(self, action: str) -> str:
        """What to type for one of ACTIONS."""
        return f"{words_shown(self._, 'room phones')} {words_shown(self._, f'phones {action}')}"

    def _help(self, waited_s: float) -> None:
        """Say what may keep phones away, if something seems to."""
        _, served = self._, self._server.phones_served
        if not is_help_due(served, waited_s):
            return
        more = _(
            "Type {next} for another address, or {hotspot} to read how to turn on a hotspot.",
            next=self._typed("next"),
            hotspot=self._typed("hotspot"),
        )
        self._tell([*no_page_told(_, served), more])

    def close(self) -> None:
        """Give no more help."""
        if self._helping is not None:
            self._helping.cancel()
            self._helping = None
