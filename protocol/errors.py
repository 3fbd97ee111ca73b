"""Define the protocol's errors. Their text is a template with fields, so that clients can translate it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class FairdealError(Exception):
    """An error with an English template (the key of the translation catalogues) and the values of its fields."""

    def __init__(self, template: str, **fields: object) -> None:
        super().__init__(template)
        self.template = template
        self.fields = fields

    def __str__(self) -> str:
        return self.template.format(**self.fields) if self.fields else self.template


class IllegalMove(FairdealError):
    """A move that the rules or the player's hand do not allow. Nothing has changed.

    `code` names the rule where a face says more about it than the sentence does; empty for most.
    """

    def __init__(self, template: str, *, code: str = "", **fields: object) -> None:
        super().__init__(template, **fields)
        self.code = code


class BadOption(FairdealError):
    """A game, number of seats or option that is not possible. The text says what is allowed."""


class BadMessage(FairdealError):
    """Bytes that do not decode, or a message that is not allowed here: somebody else's fault."""


class BadProof(BadMessage):
    """A proof that decodes but is not valid."""


class GameFailed(FairdealError):
    """A bug: a game's rules or this program raised an unexpected error during a match. That error is its cause."""

    def __init__(self, game: str, error: BaseException) -> None:
        super().__init__("the game {game} failed: {error}", game=game, error=f"{type(error).__name__}: {error}")
        self.__cause__ = error


def as_failure(game: str, error: Exception) -> FairdealError:
    """Return an unexpected error as the game's failure, and one that says by itself what is wrong as it is."""
    if isinstance(error, FairdealError) and not isinstance(error, (BadMessage, IllegalMove)):
        return error
    return GameFailed(game, error)


@contextmanager
def failures_of(game: str, *passing: type[Exception]) -> Iterator[None]:
    """Raise what a game raises inside as its failure, as `as_failure` has it; the kinds of errors in `passing` as they are."""
    try:
        yield
    except passing:
        raise
    except Exception as error:  # whatever a stranger's game raises
        failure = as_failure(game, error)
        if failure is error:
            raise
        raise failure from error
