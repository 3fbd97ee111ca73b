"""Turn a state into plain data, the same on every computer. It is hashed before each vote. (PROTOCOL.md, "The state's hash".)"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import Any


def canonical(value: Any) -> Any:
    """Turn dataclasses into maps of their fields, tuples into arrays, sets into sorted arrays, and keys into text."""
    if value is None or isinstance(value, (bool, int, str, bytes)):
        return value
    if (names := _field_names(value.__class__)) is not None:
        return {name: canonical(getattr(value, name)) for name in names}
    if isinstance(value, (tuple, list)):
        return [canonical(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted((canonical(item) for item in value), key=repr)
    if isinstance(value, dict):
        return {str(key): canonical(item) for key, item in value.items()}
    raise TypeError(f"a game's state holds a {type(value).__name__}: only plain data can be hashed")


@lru_cache(256)
def _field_names(kind: type) -> tuple[str, ...] | None:
    """Return the names of a dataclass's fields, or None if it is none."""
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else None


def differing(ours: Any, theirs: Any, place: str = "") -> list[str]:
    """Return where two pieces of canonical data differ, as dotted paths for people."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        found = []
        for key in sorted(set(ours) | set(theirs)):
            found += differing(ours.get(key), theirs.get(key), f"{place}.{key}" if place else key)
        return found
    return [] if ours == theirs else [place or "state"]
