"""Turn a state into plain data, the same on every computer. It is hashed before each vote. (PROTOCOL.md, "The state's hash".)"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any


def canonical(value: Any) -> Any:
    """Turn dataclasses into maps of their fields, tuples into arrays, sets into sorted arrays, and keys into text."""
    if value is None or isinstance(value, (bool, int, str, bytes)):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: canonical(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, (tuple, list)):
        return [canonical(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted((canonical(item) for item in value), key=repr)
    if isinstance(value, dict):
        return {str(key): canonical(item) for key, item in value.items()}
    raise TypeError(f"a game's state holds a {type(value).__name__}: only plain data can be hashed")


def differing(ours: Any, theirs: Any, place: str = "") -> list[str]:
    """Return where two pieces of canonical data differ, as dotted paths for people."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        found = []
        for key in sorted(set(ours) | set(theirs)):
            found += differing(ours.get(key), theirs.get(key), f"{place}.{key}" if place else key)
        return found
    return [] if ours == theirs else [place or "state"]
