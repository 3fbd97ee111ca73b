"""List how much a client may help its player. Not in `messages`, because screens need it without the network."""

from __future__ import annotations

HINT_LEVELS = ("off", "legal", "suggest")
"""No help; show which cards can be played; also suggest plays."""
