"""A friend with a modified client floods the host with messages that are all signed and valid, over a real link."""

from __future__ import annotations
