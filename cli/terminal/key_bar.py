"""What stands below a table: the line that says what to do, and the keys for it."""

from __future__ import annotations

from cli.terminal.keys import Cap, Registry
from cli.terminal.layout import Size
from cli.text import Translator
from cli.view.inputs import Act
from cli.view.views import Dialog, Frame
from protocol.values import replace

PRINTED = {"escape": "back"}
"""Whose keys stand for these actions."""


def table_keys(_: Translator, registry: Registry, frame: Frame, dialog: Dialog | None) -> tuple[Cap, ...]:
    """The keys that the bar shows."""
    caps: list[Cap] = []
    if dialog is not None and (dialog.asks or dialog.is_standing):
        caps += [Cap("←→", _("choose"), Act("key", "right")), Cap("Enter", _("confirm"), Act("key", "enter"))]
    if dialog is not None and dialog.asks:
        return (*caps, Cap("Esc", _("back"), Act("key", "escape")))
    if dialog is not None and dialog.kind == "places":
        caps += [
            Cap("←→", _("move"), Act("right")),
            Cap("1 2 3", _("pass to"), Act("pick")),
            Cap("Enter", _.of("exchange", "pass"), Act("enter")),
        ]
    for offer in frame.actions:
        if offer.name == "pick":
            caps.append(registry.cap(_, "left", ""))
        cap = registry.cap(_, PRINTED.get(offer.name, offer.name), offer.label, Act(offer.name))
        caps.append(replace(cap, glows=offer.glows, is_needed=offer.is_needed))
    return tuple(caps)


def fitted_frame(frame: Frame, size: Size, strip: bool) -> Frame:
    """The last event is a part of the prompt, but for small windows, where it stands above the hand."""
    if frame.needs_event:
        if size is Size.SMALL and strip:
            return replace(frame, event="", mood="wait")
    elif frame.head or frame.mood != "wait" or size is Size.SMALL:
        return frame
    told = " · ".join(part for part in (frame.prompt, frame.event) if part)
    return replace(frame, prompt=told, event="")
