"""Reads the typed moves of any game: cards by number or name, moves by the labels that the game brings.

Pure: a line and a `Position` come in, a reply goes out. Legality is never judged here: `Position.check` asks the rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

from cli.games.base.answers import Refusal, Reply, TypedAnswer, TypedCommand, TypedMove, TypedQuestion
from cli.games.base.lines import LineParser, Parsed, missing, split
from cli.games.base.moves import MoveWords
from cli.games.base.words import MOVE_VERBS, Verb, shown, words_for
from cli.games.cards import Cards, plain
from cli.games.explain import explain
from cli.text import Translator
from protocol.cards import RANKS, Seat
from protocol.errors import BadMessage, FairdealError, IllegalMove
from protocol.games.game import AnyGame, Data
from protocol.games.views import NO_PILE, PublicView, move_view_of

if TYPE_CHECKING:
    from cli.games.base.narrator import Narrator
    from cli.games.position import Position

MOST_NAMED = 8
"""Cards named in a hint of what would do."""
MOST_LISTED = 40
"""Moves in a list."""


class MoveReader:
    """Reads moves for one seat in one language. It knows any game; games with words of their own refine it."""

    verbs: ClassVar[Sequence[Verb]] = MOVE_VERBS
    """The words for moves of this game."""
    parser_type: ClassVar[type[LineParser]] = LineParser
    usual: ClassVar[Sequence[str]] = ("play",)
    """The usual moves of a turn, which the help lists while others play."""

    def __init__(self, _: Translator, game: AnyGame, cards: Cards, names: Sequence[str], seat: Seat | None) -> None:
        self._ = _
        self.cards = cards
        self.names = tuple(names)
        self.parser = self.parser_type(_, cards, names, seat)
        self.words = MoveWords(_, game, cards, names)
        self.yes, self.no = tuple(words_for(_, "yes")), tuple(words_for(_, "no"))

    # --- a move by its label ---

    def by_label(self, line: str, position: Position) -> Reply | None:
        """A line that begins with the label of a move of this game; None where it does not."""
        tokens = split(line)
        kinds = {str(move.get("do")) for move in position.moves} | set(position.game.MOVES)
        found = ("", 0)
        for do in kinds:
            for phrase in self.words.typed_kinds(do):
                length = len(phrase.split())
                if length > found[1] and tokens[:length] == phrase.split():
                    found = (do, length)
        do, length = found
        if not length:
            return None
        moves = [move for move in position.moves if move.get("do") == do]
        if not moves:
            return self._suggest(Refusal(self._why_not(do, tokens[length:], position)), position)
        return self._among(moves, tokens[length:], position)

    def _among(self, moves: Sequence[Data], tokens: Sequence[str], position: Position) -> Reply:
        """The move that is meant by what was typed behind its label."""
        left, rest = list(moves), [token for token in tokens if token not in self.parser.fillers]
        has_cards = any(move_view_of(move).cards for move in left)
        unread = []
        for token in rest:
            is_card = has_cards and (token.isdecimal() or token in self.cards.card_phrases)
            if not is_card and (chosen := [move for move in left if self._names(move, token)]):
                left = chosen
            else:
                unread.append(token)
        if not unread:
            return self._ask_which(left, position)
        if not has_cards:
            return self._reason(left, unread[0], position)
        parsed = self.parser.parse(" ".join(unread), position.hand)
        return parsed if isinstance(parsed, Refusal) else self._with_cards(parsed, left, position)

    def _why_not(self, do: str, chosen: Sequence[str], position: Position) -> str:
        """Why no move of this kind can be made: by the rules, as far as the words typed behind its label make up a move."""
        if other := self._of_another_turn(position):
            return other
        for move in self._meant(do, chosen, position.game):
            try:
                position.check(position.game.decode(move))
            except IllegalMove as fault:
                return explain(self._, fault, self.cards, self.names)
            except FairdealError:  # the object of such a move has other keys, or more
                continue
        return self._("You can’t do that now.")

    def _meant(self, do: str, chosen: Sequence[str], game: AnyGame) -> Iterator[Data]:
        """The objects of this kind that these words may stand for: without a choice, or with one."""
        names = tuple(game.move_kind(do).questions)
        if not names:
            yield {"do": do}
        if len(names) != 1 or len(chosen) != 1:
            return
        name, word = names[0], chosen[0]
        if word.isdecimal() and len(word) < 6:
            yield {"do": do, name: int(word)}
        for value in (*self.cards.suits, *RANKS, *range(len(self.names))):
            if word in self.words.typed_values(name, value):
                yield {"do": do, name: value}

    def _names(self, move: Data, token: str) -> bool:
        """Whether a word names something that this move chooses."""
        chosen = ((name, value) for name, value in move.items() if name not in ("do", "cards"))
        return any(token in self.words.typed_values(name, value) for name, value in chosen)

    def _reason(self, moves: Sequence[Data], word: str, position: Position) -> Refusal:
        """Return why the choice is not possible: for a number, the rules say it."""
        names = [name for name, value in moves[0].items() if type(value) is int]
        if word.isdecimal() and len(word) < 6 and len(names) == 1:
            tried = self._try({**moves[0], names[0]: int(word)}, position)
            if isinstance(tried, Refusal):
                return tried
        return Refusal(self._("“{word}” isn’t a card, number or player here. Type help.", word=word))

    def _with_cards(self, parsed: Parsed, moves: Sequence[Data], position: Position) -> Reply:
        """The move with these cards, and with what was named."""
        if lacking := missing(parsed.cards, position.hand):
            return Refusal(self._("You don’t have {cards}.", cards=self.cards.say_all(lacking)))
        same = [move for move in moves if Counter(move_view_of(move).cards) == Counter(parsed.cards)]
        for value in (parsed.suit, parsed.rank, parsed.seats[-1] if parsed.seats else None):
            if value is not None:
                same = [move for move in same if value in move.values()]
        if same:
            return self._ask_which(same, position)
        do = str(moves[0].get("do")) if len({move.get("do") for move in moves}) == 1 else "play"
        refused = self._try({"do": do, "cards": list(parsed.cards)}, position)
        return self._suggest(refused, position) if isinstance(refused, Refusal) else refused

    def _ask_which(self, moves: Sequence[Data], position: Position) -> Reply:
        """The only move, or a question after the first thing in which these moves differ."""
        if len(moves) == 1:
            return TypedMove(moves[0])
        _, do = self._, str(moves[0].get("do"))
        names = dict.fromkeys(name for move in moves for name in move if name not in ("do", "cards"))
        for name in names if all(move.get("do") == do for move in moves) else ():
            values = list({repr(move.get(name)): move.get(name) for move in moves}.values())
            if len(values) > 1:
                return self._ask_value(name, values, moves, position)
        told = [_("{number} {card}", number=number, card=self.words.tell(move)) for number, move in enumerate(moves, 1)]
        answers = (TypedAnswer((str(number),), TypedMove(move)) for number, move in enumerate(moves, 1))
        return TypedQuestion(_("Which one: {cards}?", cards=_.either(told[:MOST_LISTED])), tuple(answers))

    def _ask_value(
        self, name: str, values: Sequence[object], moves: Sequence[Data], position: Position
    ) -> TypedQuestion:
        _ = self._
        answers = []
        for value in values:
            means = self._ask_which([move for move in moves if move.get(name) == value], position)
            answers.append(TypedAnswer(tuple(self.words.typed_values(name, value)), means))
        told = [_("no") if value is None or value is False else self.words.value(name, value) for value in values]
        asked = self.words.question(str(moves[0].get("do")), name)
        if not asked:
            return TypedQuestion(_("Which one: {cards}?", cards=_.either(told)), tuple(answers))
        return TypedQuestion(_.join([asked, _("{list}.", list=_.either(told))]), tuple(answers))

    # --- a verb, or cards ---

    def verb(self, verb: str, typed: str, rest: str, position: Position) -> Reply | None:
        """A line that begins with a move's verb; None where it is a play after all."""
        if verb == "play":
            return self.play(rest, position)
        if verb in ("draw", "pass"):
            # "d 2" is no draw: a word with more behind it may be the start of something else.
            return self._try({"do": verb}, position) if not rest.strip() else None
        return None

    def play(self, text: str, position: Position) -> Reply:
        """Cards by number or name, and what is named with them."""
        moves = [move for move in position.moves if move_view_of(move).cards]
        if not moves and not position.verbs <= {"draw", "pass"}:
            return self._among(position.moves, split(text), position)
        parsed = self.parser.parse(text, position.hand)
        if isinstance(parsed, Refusal):
            return parsed
        if not parsed.cards:
            return Refusal(self._.join([self._("Name the cards you want to play."), self.what_fits(position)]))
        return self._with_cards(parsed, moves or [{"do": "play"}], position)

    # --- the rules' answer ---

    def _of_another_turn(self, position: Position) -> str:
        """Whose turn it is, where that alone forbids a move."""
        turn = position.view.turn
        if turn is None or turn == position.seat or position.verbs or not 0 <= turn < len(self.names):
            return ""
        return self._("It is {name}’s turn.", name=self.names[turn])

    def _try(self, move: Data, position: Position) -> TypedMove | Refusal:
        """The move if the rules let it pass, else their reason."""
        try:
            position.check(position.game.decode(move))
        except FairdealError as fault:
            if told := self._of_another_turn(position):
                return Refusal(told)
            is_own = move["do"] in position.game.MOVES and all(verb.name != move["do"] for verb in self.verbs)
            if isinstance(fault, BadMessage) and is_own:
                return Refusal(self._("You can’t do that now."))
            if isinstance(fault, BadMessage) and move["do"] != "play":
                return Refusal(self.no_such_word(str(move["do"])))
            return Refusal(explain(self._, fault, self.cards, self.names))
        return TypedMove(move)

    def no_such_word(self, verb: str) -> str:
        """Say that this game has no such move."""
        return self._("There is no “{word}” in this game. Type help.", word=shown(self._, verb))

    def _passes(self, move: Data, position: Position) -> bool:
        return isinstance(self._try(move, position), TypedMove)

    def confirm(self, sentence: str, yes: TypedMove | TypedCommand, no: TypedMove | None = None) -> TypedQuestion:
        """A question for yes or no."""
        return TypedQuestion(sentence, (TypedAnswer(self.yes, yes), TypedAnswer(self.no, no)))

    def _names_of(self, seat: Seat) -> tuple[str, ...]:
        """What may be typed for a player: the name, its words, the seat's number."""
        name = plain(self.names[seat])
        return tuple(dict.fromkeys((name, *name.split(), name[:1], str(seat + 1))))

    # --- what would do ---

    def _suggest(self, refusal: Refusal, position: Position) -> Refusal:
        return Refusal(self._.join([refusal.sentence, self.what_fits(position)]))

    def what_fits(self, position: Position) -> str:
        """The cards that could be played now, and the other moves there are."""
        _ = self._
        fits = [card for card in dict.fromkeys(position.hand) if card in position.playable]
        others = self.other_verbs(position)
        told: list[str] = []
        if fits:
            named = [self.cards.say(card) for card in fits[:MOST_NAMED]]
            more = len(fits) - len(named)
            if more > 0:
                named.append(_.n("one more", "{n} more", more))
            told.append(_("You can play {cards}.", cards=_.either(named)))
        if others:
            told.append(_("You can type {verbs}.", verbs=_.either(others)))
        return _.join(told)

    def other_verbs(self, position: Position) -> list[str]:
        """What may be typed for the moves there are, besides playing cards."""
        return [self.typed_for(do) for do in dict.fromkeys(str(move["do"]) for move in position.moves) if do != "play"]

    def typed_for(self, do: str) -> str:
        """What is typed for a kind of move: the verb that plain mode has for it, else the game's label."""
        return shown(self._, do) if any(verb.name == do for verb in self.verbs) else self.words.label(do)

    def nothing_fits(self, position: Position) -> str:
        """Say that no card can be played, and what can be done instead; empty if a card can."""
        _, verbs = self._, position.verbs
        if "play" in verbs or not verbs & {"draw", "pass"}:
            return ""
        own = [verb for verb in self.other_verbs(position) if verb not in self._usual_verbs()]
        others = _.either([*(shown(_, verb) for verb in ("draw", "pass") if verb in verbs), *own])
        return _("You can’t play: {what}", what=_("{list}.", list=others))

    def now(self, position: Position) -> str:
        """The cards that can be played now, with their numbers; or that there is none."""
        _ = self._
        fits = [
            _("{number} {card}", number=number, card=self.cards.say(card))
            for number, card in enumerate(position.hand, 1)
            if card in position.playable
        ]
        return _("Playable: {cards}.", cards=_.list(fits)) if fits else self.nothing_fits(position)

    def hint(self, position: Position) -> str:
        """A move that is allowed: the one that the game makes for an absent player where it is offered, else the first."""
        _ = self._
        if not position.moves:
            return _("There is nothing for you to do right now.")
        if nothing := self.nothing_fits(position):
            return nothing
        move = next((each for each in position.moves if each["do"] == "play"), position.moves[0])
        return self.hinted(move)

    def hinted(self, move: Data) -> str:
        """A move as a hint."""
        _, seen = self._, move_view_of(move)
        if seen.do == "play" and seen.cards and not seen.named:
            return _("You can play {cards}.", cards=self.cards.say_all(seen.cards))
        return _("You can type {verbs}.", verbs=self.words.tell(move))

    def listed(self, position: Position) -> list[str]:
        """All legal moves with their numbers."""
        _ = self._
        if not position.moves:
            return [_("There is nothing for you to do right now.")]
        moves = as_in_the_hand(position)
        told = [
            _("{number} {card}", number=number, card=self.words.tell(move))
            for number, move in enumerate(moves[:MOST_LISTED], 1)
        ]
        more = len(moves) - len(told)
        return [*told, *([_.n("one more", "{n} more", more)] if more > 0 else [])]

    def nth(self, number: int, position: Position) -> Reply:
        """The move with this number in the list."""
        if not position.moves:
            return Refusal(self._("There is nothing for you to do right now."))
        if not 1 <= number <= len(position.moves):
            return Refusal(
                self._("There is no move {n}: type {verb} to hear all.", n=number, verb=shown(self._, "moves"))
            )
        return TypedMove(as_in_the_hand(position)[number - 1])

    # --- the hand and the help ---

    def hand(self, narrator: Narrator, position: Position, is_known: bool) -> str:
        """The hand and what fits. `is_known`: it was read before and is still the same."""
        _, own = self._, [verb for verb in self.other_verbs(position) if verb not in self._usual_verbs()]
        told = [narrator.hand(position.hand, position.playable), self.nothing_fits(position)]
        if position.verbs and not position.verbs & {"play", "draw", "pass"}:
            told.append(_("You can type {verbs}.", verbs=_.either(self.other_verbs(position))))
        elif own and position.must_act and "play" in position.verbs:
            told.append(_("You can also type {verbs}.", verbs=_.either(own)))
        return _.join(told)

    def _usual_verbs(self) -> set[str]:
        """Return what is typed for moves that have their own verb in plain mode."""
        return {shown(self._, verb.name) for verb in self.verbs}

    def needs_no_hand(self, position: Position) -> bool:
        """Whether what must be done now needs no look at the cards."""
        return False

    def can(self, verb: str, position: Position) -> bool:
        """Whether a move can be typed with this verb now."""
        return verb in position.verbs

    def turn_of(self, view: PublicView) -> tuple[object, ...]:
        """Return what does not change while a player draws several cards in one turn."""
        pile = view.pile or NO_PILE
        trick = () if view.trick is None else view.trick.cards
        return view.turn, view.phase, pile.top, pile.suit, pile.rank, pile.due, trick

    def is_plain_turn(self, position: Position) -> bool:
        """Whether what may be done is what a turn mostly brings, so that the help tells that too."""
        return True

    def also(self, position: Position) -> list[str]:
        """Return what else the help lists for a turn: the game's own moves."""
        known = {verb.name for verb in self.verbs}
        told = []
        for do in dict.fromkeys(str(move["do"]) for move in position.moves):
            if do not in known:
                asked = [self.words.question(do, name) for name in position.game.move_kind(do).questions]
                told.append(" ".join([self.words.label(do) + (":" if asked else ""), *asked]))
        return told


def as_in_the_hand(position: Position) -> Sequence[Data]:
    """The moves offered, as the rules list them, but single cards in the order in which the hand shows them."""
    place = {card: number for number, card in enumerate(position.hand)}
    cards = {number: move["cards"][0] for number, move in enumerate(position.moves) if _is_one_card(move)}
    moves = list(position.moves)
    for number, old in zip(cards, sorted(cards, key=lambda each: place.get(cards[each], 0)), strict=True):
        moves[number] = position.moves[old]
    return moves


def _is_one_card(move: Data) -> bool:
    return move["do"] == "play" and len(move_view_of(move).cards) == 1
