"""Errors of the protocol. Their text is a template with fields, so that clients can translate it."""

from __future__ import annotations


class FairdealError(Exception):
    """An error with a sentence: an English template (the key of the translation catalogue) and its values."""

    def __init__(self, template: str, **fields: object) -> None:
        super().__init__(template)
        self.template = template
        self.fields = fields

    def __str__(self) -> str:
        return self.template.format(**self.fields) if self.fields else self.template


class IllegalMove(FairdealError):
    """The rules forbid this move, or the hand does; nothing has changed."""


class BadOption(FairdealError):
    """A game, a number of seats or an option that cannot be played; the sentence says what is allowed."""


class BadMessage(FairdealError):
    """Bytes that do not decode, or a message that is not allowed here."""


class BadProof(BadMessage):
    """A proof that decodes but does not hold."""


class GameFailed(FairdealError):
    """A bug: the rules of a game, or this program, raised something unexpected in the middle of a match."""

    def __init__(self, game: str, error: BaseException) -> None:
        super().__init__("the game {game} failed: {error}", game=game, error=f"{type(error).__name__}: {error}")
