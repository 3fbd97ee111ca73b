"""Whisk by somebody who has not tested it: the method that the environment names in BRITTLE fails."""

from __future__ import annotations

import os
from typing import Any

from whisk import Whisk  # type: ignore[import-not-found]  # it is installed beside it


class Brittle(Whisk):  # type: ignore[misc]  # of a package that is not seen here
    name = "brittle"
    title = "Brittle"


def _breaks(name: str) -> None:
    sound = getattr(Whisk, name)

    def broken(self: Brittle, *given: Any, **named: Any) -> Any:
        if os.environ.get("BRITTLE") == name:
            raise KeyError("no such suit")
        return sound(self, *given, **named)

    setattr(Brittle, name, broken)


for method in ("__init__", "public_view", "legal", "check", "apply", "encode", "strategy"):
    _breaks(method)
