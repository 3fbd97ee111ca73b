"""The code that phones scan, over the room."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from cli.news import Do, PhonesServed
from cli.text import Translator
from cli.view.actions import PHONES
from cli.view.effects import Close
from cli.view.inputs import Act, Input
from cli.view.model import Clock, Effects
from cli.view.page import Page
from cli.view.qr import modules
from cli.view.settings import Settings
from cli.view.views import Line, Offer, PageView

HELP_AFTER_S = 20.0
"""If no phone has loaded the page by then, something is in its way."""


class PhonesPage(Page):
    """Shows the code and the address. `served` tells what is served now."""

    place = PHONES

    def __init__(self, settings: Settings, served: Callable[[], PhonesServed], clock: Clock) -> None:
        super().__init__(settings, self._title, self._title, self._lines, opened_by="phones")
        self._served, self._clock = served, clock
        self._since = clock()

    def _title(self) -> str:
        return self._("Friends by phone")

    def _lines(self) -> tuple[Line, ...]:
        _, served = self._, self._served()
        lines: list[Line] = [
            ((_("Scan the code with a phone on the same Wi-Fi, or open this address:"), "text"),),
            *(((part, "strong"),) for part in parts(served.address)),
            (("", "text"),),
        ]
        if not served.loaded and self._clock() >= self._since + HELP_AFTER_S:
            lines += [((each, "alarm" if not at else "text"),) for at, each in enumerate(no_page_told(_))]
            lines.append((("", "text"),))
        lines.append(((_("Good for as many as there are free seats. The seat plays like any other."), "text"),))
        lines.append(((trust_told(_, served), "dim"),))
        return tuple(lines)

    def offers(self) -> tuple[Offer, ...]:
        return (Offer("phones-next", self._("another address")), Offer("phones-stop", self._("let no more phones in")))

    def update(self, given: Input) -> Effects:
        match given:
            case Act("phones-next"):
                self._since = self._clock()
                return (Do("phones-next"),)
            case Act("phones-stop"):
                return (Do("phones-stop"), Close())
            case _other:
                return super().update(given)

    def view(self) -> PageView:
        return replace(super().view(), code=modules(self._served().address))


def parts(address: str) -> tuple[str, ...]:
    """Return an address in parts that fit beside the code, to be typed one behind the other."""
    place, mark, rest = address.partition("#")
    cut = -(-len(rest) // 2)
    return (place + mark, rest[:cut], rest[cut:]) if rest else (address,)


def no_page_told(_: Translator) -> tuple[str, ...]:
    """What may keep phones from loading the page, and what to do."""
    return (
        _("No phone has opened the page yet."),
        _("Is the phone on the same Wi-Fi, not on mobile data? Guest networks keep phones and computers apart."),
        _("A firewall may block this port: allow Fairdeal in it, or try another of this computer’s addresses."),
        _("No Wi-Fi? Turn on the hotspot of a phone or laptop and let everybody join it: no internet is needed."),
    )


def trust_told(_: Translator, served: PhonesServed) -> str:
    """Whom a phone has to trust."""
    return _(
        "A phone’s cards are hidden from everybody at the table as long as {name}’s computer runs an honest Fairdeal.",
        name=served.name,
    )
