"""Reads plays in which cards are named and something with them: a suit, a rank, the next player, the last-card word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from cli.games.base.answers import Refusal, Reply, TypedAnswer, TypedMove, TypedQuestion
from cli.games.base.lines import Parsed, missing
from cli.games.base.reading import MoveReader
from cli.games.base.words import shown
from protocol.cards import Card
from protocol.games.game import Data

if TYPE_CHECKING:
    from cli.games.position import Position


class PlayReader(MoveReader):
    """Plays as typed: numbers or names of cards and what is named with them, in one line; what is missing is asked."""

    def by_label(self, line: str, position: Position) -> Reply | None:
        """These games have verbs of their own."""
        return None

    def play(self, text: str, position: Position) -> Reply:
        _ = self._
        parsed = self.parser.parse(text, position.hand)
        if isinstance(parsed, Refusal):
            return parsed
        if (other := self.no_play(parsed, text, position)) is not None:
            return other
        if not parsed.cards and parsed.rank is not None and "play" in position.verbs:
            held = [card for card in dict.fromkeys(position.hand) if len(card) == 2 and card[0] == parsed.rank]
            if len(held) == 1:
                parsed.cards, parsed.receivers, parsed.rank = held, [None], None
            elif held:
                return Refusal(_("Which one: {cards}?", cards=_.either(self.cards.say(card) for card in held)))
        if not parsed.cards:
            return Refusal(_.join([_("Name the cards you want to play."), self.what_fits(position)]))
        if lacking := missing(parsed.cards, position.hand):
            return Refusal(_("You don’t have {cards}.", cards=self.cards.say_all(lacking)))
        move = self._assemble(parsed)
        reply = self._try(move, position)
        if isinstance(reply, Refusal):
            if parsed.call and (told := self.no_word(move, position)):
                return Refusal(told)
            return self._complete(move, parsed, position) or self._suggest(reply, position)
        if (choice := self._optional(move, parsed, position)) is not None:
            return choice
        return self._finish(move, parsed.call, position)

    def no_play(self, parsed: Parsed, text: str, position: Position) -> Reply | None:
        """What the line is where it is no play."""
        return None

    def no_word(self, move: Data, position: Position) -> str:
        """Why the last-card word does not go with this play; empty where that is not what is wrong."""
        return ""

    def _assemble(self, parsed: Parsed) -> Data:
        """The move's object with the keys that were said."""
        move: Data = {"do": "play", "cards": list(parsed.cards)}
        if parsed.stands:
            move["as"] = list(parsed.stands)
        if parsed.suit is not None:
            move["suit"] = parsed.suit
        if parsed.rank is not None:
            move["rank"] = parsed.rank
        if parsed.seats:
            move["next"] = parsed.seats[-1]
        if parsed.call:
            move["call"] = True
        return move

    def _finish(self, move: Data, call: bool, position: Position) -> Reply:
        """Asks once before what is costly and cannot be taken back; else the move."""
        return TypedMove(move)

    # --- what is missing ---

    def _complete(self, move: Data, parsed: Parsed, position: Position) -> Reply | None:
        """A question, where the same cards could be played with something named, or in another order."""
        _ = self._
        same = [each for each in position.plays if Counter(each["cards"]) == Counter(move["cards"])]
        if not same:
            return None
        if len(parsed.stands) < sum(self.cards.is_joker(card) for card in move["cards"]):
            example = same[0].get("as") or ()
            return Refusal(
                _(
                    "Say what the joker stands for, e.g. joker as {card}.",
                    card=self.cards.say(example[-1]) if example else self.cards.say("Ks"),
                )
            )
        if (ask := self._ask(move, parsed, position)) is not None:
            return ask
        for each in same:
            ordered = {**move, "cards": list(each["cards"]), **({"as": each["as"]} if each.get("as") else {})}
            if ordered["cards"] != move["cards"] and self._passes(ordered, position):
                order = self.cards.say_all(ordered["cards"])
                yes = self._finish(ordered, parsed.call, position)
                return TypedQuestion(
                    _("These cards work in this order: {cards}. Play them like that? Yes or no.", cards=order),
                    (TypedAnswer(self.yes, yes), TypedAnswer(self.no, None)),
                )
        return None

    def _ask(self, move: Data, parsed: Parsed, position: Position) -> TypedQuestion | None:
        """A question for what must be named with these cards."""
        return None

    def _optional(self, move: Data, parsed: Parsed, position: Position) -> TypedQuestion | None:
        """What may be named and was not: a wish, a call. Asked, as nobody forgets it at a real table."""
        return None

    def _ask_optional(
        self, name: str, question: str, possible: Sequence[str], move: Data, parsed: Parsed, position: Position
    ) -> TypedQuestion:
        words = self.cards.suit_words if name == "suit" else self.cards.rank_words
        # Each answer goes on to the next question, if there is one; made only when it is needed would cost the same checks.
        answers = [
            TypedAnswer(
                tuple(word for word, meant in words.items() if meant == value),
                self._finish({**move, name: value}, parsed.call, position),
            )
            for value in possible
        ]
        return TypedQuestion(question, (*answers, TypedAnswer(self.no, self._finish(move, parsed.call, position))))

    def other_verbs(self, position: Position) -> list[str]:
        return [shown(self._, verb.name) for verb in self.verbs if verb.name in position.verbs - {"play", "grand"}]


def remaining(hand: Sequence[Card], played: Iterable[Card]) -> list[Card]:
    """The hand without the cards played."""
    left = list(hand)
    for card in played:
        left.remove(card)
    return left
