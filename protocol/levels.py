"""How much a client may help its player with the hand. Apart from `messages`, as screens need it before any network."""

from __future__ import annotations

HINT_LEVELS = ("off", "legal", "suggest")
"""Not at all; it shows what may be played; it proposes plays too."""
