"""The settings of the terminal: those of every face, and the player's own keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from cli.terminal.keys import KeyNames, Registry, registry_with
from cli.terminal.own_keys import own_keys
from cli.view.settings import THEMES, Settings
from protocol.errors import FairdealError


@dataclass(slots=True)
class TerminalSettings(Settings):
    """`keys` maps a command's name to the key that the player has given it."""

    themes: ClassVar[Sequence[str]] = THEMES
    rings: ClassVar[bool] = True
    keys: Mapping[str, str] = field(default_factory=dict)

    @property
    def action_names(self) -> KeyNames:
        return KeyNames(self._changed)

    @property
    def registry(self) -> Registry:
        return registry_with(self._changed)

    @property
    def _changed(self) -> tuple[tuple[str, str], ...]:
        return tuple(sorted(self.keys.items()))

    @classmethod
    def read_own(cls, config: Mapping[str, object]) -> tuple[dict[str, Any], tuple[FairdealError, ...]]:
        keys, faults = own_keys(config.get("keys"))
        return {"keys": keys}, faults
