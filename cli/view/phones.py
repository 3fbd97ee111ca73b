"""The code that phones scan, over the room."""

from __future__ import annotations

from collections.abc import Callable

from cli.news import Do, Hotspot, PhonesServed
from cli.text import Translator
from cli.text.hotspot import HOTSPOT, hotspot_steps
from cli.view.actions import PHONES
from cli.view.effects import Close
from cli.view.inputs import Act, Input
from cli.view.model import Clock, Effects
from cli.view.page import PageModel
from cli.view.qr import modules
from cli.view.settings import Settings
from cli.view.views import Line, Offer, PageView
from protocol.values import replace

HELP_AFTER_S = 20.0
"""If no phone has loaded the page by then, something is in its way."""


class PhonesPage(PageModel):
    """Shows the code and the address, or how to play without Wi-Fi.

    `title` is the room's; `served` tells what is served now.
    """

    place = PHONES

    def __init__(
        self, settings: Settings, title: Callable[[], str], served: Callable[[], PhonesServed], clock: Clock
    ) -> None:
        super().__init__(settings, title, self._heading, self._lines, opened_by="phones")
        self._served, self._clock = served, clock
        self._since = clock()
        self._has_hotspot = False

    def _heading(self) -> str:
        return self._("Friends by phone")

    def _lines(self) -> tuple[Line, ...]:
        _, served = self._, self._served()
        if self._has_hotspot and served.hotspot is not None:
            return tuple(((each, "text"),) for each in hotspot_told(_, served.hotspot))
        if self._has_hotspot:
            return tuple(((each, "text"),) for each in (f"{_(HOTSPOT)}.", "", *hotspot_steps(_)))
        lines: list[Line] = [
            ((_("Scan the code with a phone on the same Wi-Fi, or open this address:"), "text"),),
            *(((part, "strong"),) for part in parts(served.address)),
            (("", "text"),),
            ((trust_told(_, served.name), "dim"),),
            (("", "text"),),
        ]
        if is_help_due(served, self._clock() - self._since):
            lines += [((each, "alarm" if not at else "text"),) for at, each in enumerate(no_page_told(_, served))]
            lines.append((("", "text"),))
        lines.append(((_("The code works for as many phones as there are free seats."), "text"),))
        lines.append(((_("For a TV, add &watch to the end of the address."), "text"),))
        return tuple(lines)

    def offers(self) -> tuple[Offer, ...]:
        if self._has_hotspot:
            return (Offer("hotspot", self._("the code")),)
        return (
            Offer("phones-next", self._("another address")),
            Offer("phones-stop", self._("no more phones")),
            Offer("hotspot", self._("Wi-Fi code") if self._served().hotspot is not None else self._("no Wi-Fi?")),
        )

    def update(self, given: Input) -> Effects:
        match given:
            case Act("hotspot"):
                self._has_hotspot = not self._has_hotspot
                return ()
            case Act("phones-next" | "phones-stop") if self._has_hotspot:
                return ()
            case Act("phones-next"):
                self._since = self._clock()
                return (Do("phones-next"),)
            case Act("phones-stop"):
                return (Do("phones-stop"), Close())
            case _other:
                return super().update(given)

    def view(self) -> PageView:
        served = self._served()
        if not self._has_hotspot:
            return replace(super().view(), code=modules(served.address))
        return replace(super().view(), code=() if served.hotspot is None else modules(served.hotspot.code))


def hotspot_told(_: Translator, hotspot: Hotspot) -> tuple[str, ...]:
    """What to do with the code of this computer's own Wi-Fi."""
    return (
        _("This computer is the Wi-Fi hotspot “{name}”.", name=hotspot.name),
        _("A phone that isn’t in it yet scans this code first. Then it scans the other one to sit down."),
    )


def parts(address: str) -> tuple[str, ...]:
    """Return an address in parts that fit beside the code, to be typed one behind the other."""
    place, mark, rest = address.partition("#")
    cut = -(-len(rest) // 2)
    return (place + mark, rest[:cut], rest[cut:]) if rest else (address,)


def is_help_due(served: PhonesServed, waited_s: float) -> bool:
    """Whether something keeps phones away: this computer is in no network, or none came in time."""
    return served.is_alone or (not served.loaded and waited_s >= HELP_AFTER_S)


def no_page_told(_: Translator, served: PhonesServed) -> tuple[str, ...]:
    """What may keep phones from loading the page, and what to do."""
    hotspot = _("No Wi-Fi? Turn on the hotspot of a phone or laptop and let everybody join it: no internet is needed.")
    if served.is_alone:
        return _("This computer is not connected to any network, so no phone can reach it."), hotspot
    return (
        _("No phone has opened the page yet."),
        _("Is the phone on the same Wi-Fi, not on mobile data? Guest networks keep phones and computers apart."),
        _("A firewall may block this port: allow Fairdeal in it, or try another of this computer’s addresses."),
        hotspot,
    )


def trust_told(_: Translator, name: str) -> str:
    """Whom a phone has to trust. `name`: whose computer serves it."""
    return _(
        "A phone’s cards are hidden from everybody at the table as long as {name}’s computer runs the real Fairdeal.",
        name=name,
    )


def is_phone_near(_: Translator, name: str, is_long: bool) -> str:
    """What to look at if a phone does not reach the computer through which it plays, or what to do if that takes long. `name`:
    whose computer that is."""
    if is_long:
        return _(
            "{name}’s computer has not answered for a while. If Fairdeal was stopped there, ask for a new code and scan it. "
            "If it answers again, this page goes on by itself.",
            name=name,
        )
    return _(
        "Is this phone still on the same Wi-Fi as {name}’s computer, and is that one switched on? Keep this page open, and "
        "don’t load it again.",
        name=name,
    )
