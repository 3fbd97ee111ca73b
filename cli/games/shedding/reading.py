"""Reads the typed moves of the shedding games: suits and values that are named, the last-card word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from cli.games.base.answers import Refusal, Reply, TypedAnswer, TypedMove, TypedQuestion
from cli.games.base.lines import Parsed
from cli.games.base.plays import PlayReader
from cli.games.base.words import MOVE_VERBS, Verb
from cli.text import key
from protocol.games.game import Data

if TYPE_CHECKING:
    from cli.games.position import Position


class SheddingReader(PlayReader):
    """Moves of Crazy Eights and its kin."""

    verbs: ClassVar[Sequence[Verb]] = (
        *MOVE_VERBS,
        Verb("call", ("o", "last", "macau", "mau"), key("call: call your last card"), move=True),
    )
    usual: ClassVar[Sequence[str]] = ("play", "draw", "pass")
    call_word = ""
    """What is typed for the game's own word for the last card; empty: the usual one."""

    def verb(self, verb: str, typed: str, rest: str, position: Position) -> Reply | None:
        if verb == "call":
            return self._call(typed, position) if not rest.strip() else None
        return super().verb(verb, typed, rest, position)

    def _call(self, typed: str, position: Position) -> Reply:
        """The last-card word alone: in most variants it goes with the card, in one line."""
        _, words = self._, position.game.words
        reply = self._try({"do": "call"}, position)
        if isinstance(reply, TypedMove) or not words or position.view.round_over:
            return reply
        return Refusal(self._when_to_call(typed, position))

    def _when_to_call(self, typed: str, position: Position) -> str:
        _, words = self._, position.game.words
        word = _.either(_("“{word}”", word=_(each)) for each in words)
        example = _("{card} {word}", card=self.cards.short("8s", True).lower(), word=typed)
        return self.call_time(word, example)

    def call_time(self, word: str, example: str) -> str:
        """When the last-card word is said."""
        return self._(
            "Say {word} on the same line as the play that leaves you one card, e.g. {example}.",
            word=word,
            example=example,
        )

    def no_word(self, move: Data, position: Position) -> str:
        if not position.game.words or not self._passes({**move, "call": False}, position):
            return ""
        return self._when_to_call(self.call_word or self._("last"), position)

    def _finish(self, move: Data, call: bool, position: Position) -> Reply:
        """Asks once before what is costly and cannot be taken back; else the move."""
        _ = self._
        if not call and position.warn_call:
            said = {**move, "call": True}
            if self._passes(said, position):
                return TypedQuestion(
                    _("Don’t forget the last-card call. Call with this play? Yes or no."),
                    (TypedAnswer(self.yes, TypedMove(said)), TypedAnswer(self.no, TypedMove(move))),
                )
        return TypedMove(move)

    # --- what is missing ---

    def _ask(self, move: Data, parsed: Parsed, position: Position) -> TypedQuestion | None:
        ask = self._ask_suit(move, parsed, position) if "suit" not in move else None
        return ask or (self._ask_next(move, parsed, position) if "next" not in move else None)

    def _ask_suit(self, move: Data, parsed: Parsed, position: Position) -> TypedQuestion | None:
        suits = [suit for suit in self.cards.suits if self._passes({**move, "suit": suit}, position)]
        if not suits:
            return None
        suits.reverse()  # spades first, as the cards of a hand and the boxes of the screen go
        named = self._.either(
            self._("{number} {card}", number=number, card=self.cards.suit(suit)) for number, suit in enumerate(suits, 1)
        )
        return TypedQuestion(
            self._("Which suit do you choose: {suits}?", suits=named),
            tuple(
                TypedAnswer(
                    (str(number), *(word for word, meant in self.cards.suit_words.items() if meant == suit)),
                    self._finish({**move, "suit": suit}, parsed.call, position),
                )
                for number, suit in enumerate(suits, 1)
            ),
        )

    def _ask_next(self, move: Data, parsed: Parsed, position: Position) -> TypedQuestion | None:
        seats = [
            seat
            for seat in range(len(self.names))
            if seat != position.seat and self._passes({**move, "next": seat}, position)
        ]
        if not seats:
            return None
        return TypedQuestion(
            self._("Who plays next: {names}?", names=self._.either(self.names[seat] for seat in seats)),
            tuple(
                TypedAnswer(self._names_of(seat), self._finish({**move, "next": seat}, parsed.call, position))
                for seat in seats
            ),
        )

    # --- the help ---

    def also(self, position: Position) -> list[str]:
        told = [self._("a card and the suit you choose with it: 8s hearts")]
        if position.game.words:
            told.append(self._when_to_call(self.call_word or self._("last"), position))
        return told


class MauMauReader(SheddingReader):
    """Mau-Mau's word goes with the last card itself."""

    call_word = "mau"

    def call_time(self, word: str, example: str) -> str:
        return self._("Say {word} on the same line as your last card, e.g. {example}.", word=word, example=example)
