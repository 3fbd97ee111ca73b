"""Copy a state with some fields changed, many times faster than `dataclasses.replace`: simulations make millions of moves.

For frozen dataclasses without slots whose `__post_init__` calls `lay_out`. The type checker sees `replace` itself, so that it
finds fields that do not exist.
"""

from typing import TYPE_CHECKING, Any

__all__ = ["changed", "lay_out"]

_blank, _fill = object.__new__, object.__setattr__


def lay_out(state: Any) -> None:
    """Keep the fields of a new state in a dict of its own. Those that `__init__` fills share their keys: copies of them, which
    share them too, take three times as long to read."""
    _fill(state, "__dict__", {**state.__dict__})


if TYPE_CHECKING:
    from dataclasses import replace as changed
else:

    def changed(state: Any, /, **fields: Any) -> Any:
        """Return a copy of this state with these fields changed."""
        copy = _blank(state.__class__)
        _fill(copy, "__dict__", state.__dict__ | fields)
        return copy
