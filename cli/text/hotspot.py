"""How to play where there is no Wi-Fi: the hotspot of a phone or laptop, for each system.

The names of settings are those that Apple, Google, Samsung, Microsoft and GNOME use in each language.
"""

from __future__ import annotations

from cli.text.translator import Translator, key

HOTSPOT = key("No Wi-Fi, or one that keeps devices apart? The hotspot of one phone or laptop is enough")
STEPS = (
    key("Turn it on, then have everybody join it, the host included. You don’t need internet."),
    key(
        "iPhone, iPad: Settings, Personal Hotspot, Allow Others to Join; stay on that screen until a friend has joined."
    ),
    key(
        "Android: Settings, Network & internet, Hotspot & tethering, Wi-Fi hotspot "
        "(Samsung: Settings, Connections, Mobile Hotspot and Tethering)."
    ),
    key("Windows: Settings, Network & internet, Mobile hotspot. If Windows finds no connection to share, use a phone."),
    key(
        "Mac: System Settings, General, Sharing, Internet Sharing, to computers using Wi-Fi. "
        "If there is no other connection to share from, use a phone."
    ),
    key("Linux: Wi-Fi settings, Turn On Wi-Fi Hotspot, or: nmcli device wifi hotspot"),
)


def hotspot_steps(_: Translator) -> tuple[str, ...]:
    """Return what to do, then one line for each system."""
    return tuple(_(step) for step in STEPS)
