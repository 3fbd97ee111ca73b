"""Moves that are counted without being created, and created one by one when asked for: a hand can have thousands."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TypeVar, overload

Move = TypeVar("Move")


class LazyOffers(Sequence[Move]):
    """Some moves that are created when asked for, then others that exist."""

    others: tuple[Move, ...]
    chosen: Move | None = None
    """The move that was created last by its number, so that a table sees that it is one of these."""

    @property
    @abstractmethod
    def lazy_count(self) -> int:
        """How many moves come before the others."""

    @abstractmethod
    def create(self, index: int) -> Move:
        """Return the move with this number, from 0 to `lazy_count` - 1."""

    def __len__(self) -> int:
        return self.lazy_count + len(self.others)

    @overload
    def __getitem__(self, index: int) -> Move: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Move]: ...
    def __getitem__(self, index: int | slice) -> Move | Sequence[Move]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        count = self.lazy_count
        if index < 0:
            index += count + len(self.others)
        if not 0 <= index < count + len(self.others):
            raise IndexError(index)
        self.chosen = self.create(index) if index < count else self.others[index - count]
        return self.chosen
