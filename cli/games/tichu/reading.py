"""Reads the typed moves of Tichu: calls, the exchange, bombs, wishes, tricks given away."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from cli.games.base.answers import Refusal, Reply, TypedAnswer, TypedMove, TypedQuestion
from cli.games.base.lines import LineParser, Parsed
from cli.games.base.plays import PlayReader, remaining
from cli.games.base.reading import MOST_NAMED
from cli.games.base.words import MOVE_VERBS, Verb
from cli.games.tichu.bombs import bombs_in, is_bomb
from cli.games.tichu.lines import TichuLineParser
from cli.text import key
from protocol.cards import MAH_JONG, RANKS
from protocol.games.game import Data
from protocol.games.tichu.view import TichuView
from protocol.games.views import seen_as

if TYPE_CHECKING:
    from cli.games.base.narrator import Narrator
    from cli.games.position import Position

OWN = {"give", "grand", "collect", "show"}
"""What stands before or behind the plays of a round."""


class TichuReader(PlayReader):
    """Moves of Tichu."""

    verbs: ClassVar[Sequence[Verb]] = (
        *MOVE_VERBS,
        Verb("grand", (), key("yes or no: call Grand Tichu or not"), move=True, lists=("yes", "no")),
        Verb("tichu", ("t",), key("tichu: call Tichu"), move=True),
        Verb(
            "give",
            (),
            key("give and three cards: pass them to the next player, your partner, the previous player"),
            move=True,
        ),
        Verb("show", (), key("show: show the Mah Jong and lead"), move=True),
        Verb("bomb", ("b",), key("bomb: play a bomb, even out of turn"), move=True),
        Verb(
            "collect",
            (),
            key("collect: take the trick (with the Dragon: collect and an opponent’s name)"),
            move=True,
        ),
    )
    parser_type: ClassVar[type[LineParser]] = TichuLineParser
    usual: ClassVar[Sequence[str]] = ("play", "pass")

    # --- verbs ---

    def verb(self, verb: str, typed: str, rest: str, position: Position) -> Reply | None:
        match verb:
            case "show":
                return self._try({"do": verb}, position) if not rest.strip() else None
            case "grand":
                return self._grand(typed, position)
            case "tichu":
                reply = self._try({"do": "tichu"}, position)
                if isinstance(reply, TypedMove):
                    return self.confirm(
                        self._("Call Tichu? 100 points if you go out first, minus 100 if not. Yes or no."), reply
                    )
                return reply
            case "give":
                return self._give(rest, position)
            case "bomb":
                return self._bomb(rest, position)
            case "collect":
                return self._collect(rest, position)
            case _other:
                return super().verb(verb, typed, rest, position)

    def _grand(self, typed: str, position: Position) -> Reply:
        _ = self._
        if "grand" not in position.verbs:
            if typed in (*self.yes, *self.no):
                return Refusal(_("There is no question to answer right now."))
            return self._try({"do": "grand", "call": True}, position)
        if typed in self.no:
            return self._try({"do": "grand", "call": False}, position)
        reply = self._try({"do": "grand", "call": True}, position)
        if isinstance(reply, TypedMove):
            return self.confirm(
                _("Call Grand Tichu? 200 points if you go out first, minus 200 if not. Yes or no."),
                reply,
                TypedMove({"do": "grand", "call": False}),
            )
        return reply

    def _give(self, rest: str, position: Position) -> Reply:
        _ = self._
        parsed = self.parser.parse(rest, position.hand)
        if isinstance(parsed, Refusal):
            return parsed
        order = [(position.seat + step) % len(position.names) for step in (1, 2, 3)] if len(position.names) > 3 else []
        if len(parsed.cards) != 3:
            return Refusal(
                _(
                    "Pass three cards: the first goes to {left}, the second to {partner}, the third to "
                    "{right}, e.g. give 1 12 3.",
                    left=self.names[order[0]],
                    partner=self.names[order[1]],
                    right=self.names[order[2]],
                )
                if order
                else _("Pass three cards, e.g. give 1 12 3.")
            )
        cards = parsed.cards
        if any(seat is not None for seat in parsed.receivers):
            if sorted(seat for seat in parsed.receivers if seat is not None) != sorted(order):
                return Refusal(_("Name each of the other three players once, or leave all names out."))
            cards = [cards[parsed.receivers.index(seat)] for seat in order]
        return self._try({"do": "give", "cards": cards}, position)

    def _bomb(self, rest: str, position: Position) -> Reply:
        _ = self._
        if rest.strip():
            return self.play(rest, position)
        bombs = [move for move in position.plays if is_bomb(move["cards"])]
        kinds = list(dict.fromkeys(tuple(move["cards"]) for move in bombs))
        if not bombs:
            held = any(bombs_in(position.hand))
            return Refusal(_("You can’t play a bomb now.") if held else _("You don’t have a bomb."))
        if len(kinds) == 1:
            return TypedMove(bombs[0])
        listed = _.either(_.list(self.cards.short(card) for card in kind) for kind in kinds[:MOST_NAMED])
        return Refusal(_("You have several bombs. Type bomb and the cards of the one you want: {bombs}.", bombs=listed))

    def _collect(self, rest: str, position: Position) -> Reply:
        _ = self._
        collects = [move for move in position.moves if move["do"] == "collect"]
        takers = [move["to"] for move in collects if move.get("to") is not None]
        if rest.strip():
            parsed = self.parser.parse(rest, position.hand)
            if isinstance(parsed, Refusal):
                return parsed
            if parsed.seats and takers:
                return self._try({"do": "collect", "to": parsed.seats[-1]}, position)
        if len(takers) > 1:
            answers = tuple(
                TypedAnswer(self._names_of(seat), TypedMove({"do": "collect", "to": seat})) for seat in takers
            )
            named = _.either(self.names[seat] for seat in takers)
            return TypedQuestion(
                _("You must give away the trick you won with the Dragon. Who gets it: {names}?", names=named), answers
            )
        return self._try(collects[0] if collects else {"do": "collect"}, position)

    # --- plays ---

    def no_play(self, parsed: Parsed, text: str, position: Position) -> Reply | None:
        """Cards alone are given while they must be; a player's name alone is that of the trick's new owner."""
        if "give" in position.verbs and len(parsed.cards) >= 1 and "play" not in position.verbs:
            return self._give(text, position)
        if not parsed.cards and parsed.rank is None and parsed.seats and "collect" in position.verbs:
            return self._try({"do": "collect", "to": parsed.seats[-1]}, position)
        return None

    def _assemble(self, parsed: Parsed) -> Data:
        move = super()._assemble(parsed)
        if parsed.rank is not None and MAH_JONG in parsed.cards:
            move["wish"] = move.pop("rank")
        if parsed.wild_rank is not None:
            move["phoenix"] = parsed.wild_rank
        return move

    def _finish(self, move: Data, call: bool, position: Position) -> Reply:
        if not is_bomb(move["cards"]):
            broken = bombs_in(position.hand) - bombs_in(remaining(position.hand, move["cards"]))
            if broken:
                bomb = self.cards.say_all(self.cards.sort(min(broken, key=sorted)))
                return self.confirm(
                    self._("This breaks up your bomb ({cards}). Play it anyway? Yes or no.", cards=bomb),
                    TypedMove(move),
                )
        return TypedMove(move)

    def _optional(self, move: Data, parsed: Parsed, position: Position) -> TypedQuestion | None:
        if parsed.nothing or "wish" in move or MAH_JONG not in move["cards"]:
            return None
        possible = [rank for rank in RANKS if self._passes({**move, "wish": rank}, position)]
        if not possible:
            return None
        question = self._("Which rank do you wish for? Two to ace, or no.")
        return self._ask_optional("wish", question, possible, move, parsed, position)

    # --- what would do ---

    def hinted(self, move: Data) -> str:
        if move["do"] == "give":
            return self._("You can give {cards}.", cards=self.cards.say_all(move["cards"]))
        if move["do"] == "play":
            return self._("You can play {cards}.", cards=self.cards.say_all(move["cards"]))
        return self._("You can type {verbs}.", verbs=self.typed_for(str(move["do"])))

    def hand(self, narrator: Narrator, position: Position, is_known: bool) -> str:
        """Of a hand that is still the same only what fits."""
        # Where several cards are to be beaten together, one that is part of an answer is none by itself.
        to_beat = seen_as(TichuView, position.view).to_beat
        together = len(to_beat) > 1
        fits = self.hint(position) if together else self.now(position) if is_known else self.nothing_fits(position)
        if is_known and to_beat:
            return fits
        return self._.join(
            [
                narrator.hand(position.hand, frozenset() if together else position.playable),
                fits if together or not position.plays else "",
            ]
        )

    def needs_no_hand(self, position: Position) -> bool:
        return bool(position.verbs) and position.verbs <= {"collect", "show", "tichu"}

    def can(self, verb: str, position: Position) -> bool:
        if verb == "bomb":
            return any(map(is_bomb, position.sets))
        return super().can(verb, position)

    def is_plain_turn(self, position: Position) -> bool:
        return not position.verbs & OWN

    def also(self, position: Position) -> list[str]:
        return []
