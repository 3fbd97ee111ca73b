"""Whether this computer is a Wi-Fi hotspot, and what lets a phone join it: asked of NetworkManager, where that runs."""

from __future__ import annotations

import logging
import re
import shutil
import subprocess

from cli.clean import clean
from cli.news import Hotspot

NMCLI = "nmcli"
PATIENCE_S = 2.0
"""How long one question may take: NetworkManager may hang, or ask somebody for permission."""
MOST_CHARACTERS = 10_000
NAME_CELLS = 32
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
WIFI = "802-11-wireless"
FIELDS = (f"{WIFI}.ssid", f"{WIFI}.mode", f"{WIFI}-security.key-mgmt", f"{WIFI}-security.psk")
LOCKS = {"": "nopass", "wpa-psk": "WPA", "sae": "WPA"}
"""NetworkManager's `key-mgmt` (nm-settings(5)) as a phone's code names it. The others need more than a password."""


def own_hotspot() -> Hotspot | None:
    """Return the hotspot that this computer is; None if it is none, or may not tell its password. May block for seconds."""
    if shutil.which(NMCLI) is None:
        return None
    for line in _asked("-t", "-e", "no", "-f", "UUID,TYPE", "connection", "show", "--active"):
        uuid, _, kind = line.partition(":")
        if kind == WIFI and UUID.fullmatch(uuid):
            # `-s`: with the password, as far as the person who runs this may see it.
            found = _asked("-s", "-t", "-e", "no", "-f", ",".join(FIELDS), "connection", "show", "uuid", uuid)
            if (hotspot := hotspot_of(found)) is not None:
                return hotspot
    return None


def hotspot_of(lines: list[str]) -> Hotspot | None:
    """Return what these lines of `nmcli` tell, each a property, a colon and its value."""
    told = {name: value for name, _, value in (line.partition(":") for line in lines)}
    ssid, mode, lock, password = (told.get(name, "") for name in FIELDS)
    security = LOCKS.get(lock)
    if mode != "ap" or not ssid or security is None or bool(password) != (security == "WPA"):
        return None
    from segno.helpers import make_wifi_data

    return Hotspot(clean(ssid, NAME_CELLS), str(make_wifi_data(ssid, password or None, security)))


def _asked(*words: str) -> list[str]:
    """Return the lines that `nmcli` answers; none if it fails, takes too long or says too much."""
    try:
        done = subprocess.run(
            [NMCLI, *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE_S,
            check=True,
            encoding="utf-8",
            errors="strict",
        )
    except (OSError, subprocess.SubprocessError, UnicodeError) as fault:
        logging.getLogger(__name__).debug("nmcli: %s", type(fault).__name__)  # no output: it may hold the password
        return []
    return done.stdout.splitlines() if len(done.stdout) <= MOST_CHARACTERS else []
