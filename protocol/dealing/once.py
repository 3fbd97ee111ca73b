"""A secret that is handed out once, and then gone.

A nonce that serves two proofs gives away what they hide. Most are drawn where they are used; one that is drawn earlier is kept in
a `Once`, which nothing can hand out twice:

- `take` takes it out in one step (`list.pop`, which threads cannot divide), before anything is computed with it. Whatever fails
  afterwards, it is gone; a second `take` raises `Used`.
- It cannot be copied, deep-copied or pickled, so it is in no file, journal, queue or other process.
- A process that was forked holds a copy of its parent's memory: there `take` raises, and the parent's stays good.
- It does not show what it holds.

What no program can see is that its whole computer was copied while it ran, and both copies went on. Whoever draws early must say
how long that would matter.
"""

from __future__ import annotations

from typing import Generic, NoReturn, TypeVar

T = TypeVar("T")


class Used(ValueError):
    """It was taken before, or belongs to another process."""


_forks = [0]
"""How often this process was made from another one."""


def forked() -> None:
    """Say that this process was forked from another one, which holds all that is left here, too."""
    _forks[0] += 1


class Uncopied:
    """Refuses to be copied, deep-copied or pickled."""

    __slots__ = ()

    def _refuse(self, *_arguments: object) -> NoReturn:
        raise TypeError("a secret that serves once is never copied")

    __copy__ = __deepcopy__ = __reduce__ = __reduce_ex__ = _refuse


class Once(Uncopied, Generic[T]):
    """Holds a value until it is taken."""

    __slots__ = ("_left", "_made_after")

    def __init__(self, value: T) -> None:
        self._left, self._made_after = [value], _forks[0]

    @property
    def is_left(self) -> bool:
        """Whether it was not taken yet. Another thread may take it before the caller does."""
        return bool(self._left) and self._made_after == _forks[0]

    def take(self) -> T:
        """Return the value and forget it. Raises Used if there is none."""
        if self._made_after != _forks[0]:
            self._left.clear()
        try:
            return self._left.pop()
        except IndexError:
            raise Used("a secret that serves once was taken before") from None

    def __repr__(self) -> str:
        return "Once(hidden)"
