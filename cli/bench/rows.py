"""One figure of the benchmark."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from protocol.values import dataclass


@dataclass(frozen=True, slots=True)
class Measurement:
    """A measured figure. `floor`: the bare group operations' cost, in the same unit and from the same run, or None."""

    name: str
    params: Mapping[str, Any] = field(default_factory=dict)
    value: float = 0.0
    unit: str = "us"
    floor: float | None = None
