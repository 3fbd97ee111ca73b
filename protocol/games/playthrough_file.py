"""Read the text of a playthrough: JSON Lines with a header, then moves and expectations. Only the form is checked here;
`playthrough` checks it against the rules. (PROTOCOL.md, "Playthroughs".)
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from protocol.cards import ALL_FACES, Card, Seat
from protocol.errors import BadOption, FairdealError
from protocol.games.catalogue import BUILT_IN, game_class
from protocol.values import dataclass

HEADER_KEYS = frozenset(
    {"game", "seats", "options", "dealer", "hands", "up", "stock", "scores", "rounds", "lead", "out"}
)
ROUND_KEYS = frozenset({"dealer", "hands", "up", "stock"})
MOVE_KEYS = frozenset({"do", "cards", "suit", "rank", "as", "next", "call", "wish", "phoenix", "to"})
MOVE_KINDS = frozenset({"play", "draw", "pass", "call", "grand", "tichu", "give", "show", "collect"})
SHARED_EXPECT_KEYS = (
    *("turn", "to_act", "phase", "dealer", "hand_sizes", "hands", "out"),
    *("round_over", "match_over", "ended", "round_points", "scores", "winner", "legal", "default"),
)
SHEDDING_EXPECT_KEYS = ("top", "suit", "rank", "penalty", "owed", "direction", "stock_size", "fours", "last", "solo")
TICHU_EXPECT_KEYS = ("trick", "combo", "wish", "calls", "captured")
EXPECT_KEYS = frozenset((*SHARED_EXPECT_KEYS, *SHEDDING_EXPECT_KEYS, *TICHU_EXPECT_KEYS))


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The keys and kinds of moves that may appear in the lines for a game.

    A game from another package adds what it declares in `Game.MOVES`, and may be compared with any key of its view: then
    `expect_keys` is None, and a key that the view lacks fails when it is compared.
    """

    kinds: frozenset[str] = MOVE_KINDS
    move_keys: frozenset[str] = MOVE_KEYS
    expect_keys: frozenset[str] | None = EXPECT_KEYS


def vocabulary_of(game: str) -> Vocabulary:
    """Return the vocabulary of a game; for an unknown game that of the built-in games."""
    if game in BUILT_IN:
        return Vocabulary()
    try:
        moves = game_class(game).MOVES
    except BadOption:
        return Vocabulary()
    keys = (key for kind in moves.values() for key in kind.questions)
    return Vocabulary(MOVE_KINDS.union(moves), MOVE_KEYS.union(keys), None)


class PlaythroughFailed(FairdealError):
    """The game does not do what the playthrough says: the line, what was expected, and what was found."""

    def __init__(self, line: int, expected: str, found: str) -> None:
        super().__init__("line {line}: expected {expected}, found {found}", line=line, expected=expected, found=found)
        self.line, self.expected, self.found = line, expected, found


class PlaythroughUnreadable(FairdealError):
    """The text is not a playthrough: the line, and what is wrong with it."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__("line {line}: {reason}", line=line, reason=reason)
        self.line, self.reason = line, reason


@dataclass(frozen=True, slots=True)
class RoundCards:
    """The cards of one round as the file lists them. If `up` is None, a card to be turned up is the first of the stock."""

    dealer: Seat | None
    hands: tuple[tuple[Card, ...], ...]
    up: Card | None
    stock: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Header:
    """The first line: the game, and the cards of its rounds."""

    line: int
    game: str
    seats: int
    options: Mapping[str, object]
    rounds: tuple[RoundCards, ...]
    scores: tuple[int, ...] | None
    lead: Seat | None
    out: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class MoveLine:
    """A move of a seat. `illegal` says how it must be refused (True or "audit"); None: it is legal."""

    line: int
    seat: Seat
    move: Mapping[str, Any]
    illegal: bool | str | None


@dataclass(frozen=True, slots=True)
class ExpectLine:
    """Values that are expected at this point."""

    line: int
    expect: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Playthrough:
    header: Header
    lines: tuple[MoveLine | ExpectLine, ...]


def read_playthrough(text: str) -> Playthrough:
    """Read a playthrough. Raises PlaythroughUnreadable with the number of the faulty line."""
    header: Header | None = None
    lines: list[MoveLine | ExpectLine] = []
    vocabulary = Vocabulary()
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        reader = _Reader(number, vocabulary)
        data = reader.parse(line)
        if header is None:
            header = reader.header(data)
            vocabulary = vocabulary_of(header.game)
        else:
            lines.append(reader.line_of(data, header.seats))
    if header is None:
        raise PlaythroughUnreadable(1, "there is no header")
    return Playthrough(header, tuple(lines))


class _Reader:
    """Reads one line; its errors name the line."""

    def __init__(self, line: int, words: Vocabulary) -> None:
        self.line = line
        self.words = words

    def refuse(self, reason: str) -> NoReturn:
        raise PlaythroughUnreadable(self.line, reason)

    def parse(self, line: str) -> Mapping[str, Any]:
        try:
            data = json.loads(line, object_pairs_hook=self._unique, parse_constant=self._constant)
        except json.JSONDecodeError as error:
            raise PlaythroughUnreadable(self.line, _not_json(line, error)) from error
        except RecursionError as error:
            raise PlaythroughUnreadable(self.line, "the brackets are nested too deeply") from error
        except ValueError as error:
            raise PlaythroughUnreadable(self.line, "a number has too many digits") from error
        if not isinstance(data, dict):
            self.refuse('each line must be one JSON object: {"key": value, ...}')
        return data

    def _unique(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        data = dict(pairs)
        if len(data) < len(pairs):
            names = [name for name, _value in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            self.refuse(f"the key {json.dumps(twice, ensure_ascii=False)} is given twice in one object")
        return data

    def _constant(self, name: str) -> NoReturn:
        self.refuse(f"{name} is not allowed: write a number")

    def known(self, data: Mapping[str, Any], keys: frozenset[str], where: str) -> None:
        for key in data:
            if key not in keys:
                self.refuse(f'{where} has no key "{key}"')

    # --- the header ---

    def header(self, data: Mapping[str, Any]) -> Header:
        self.known(data, HEADER_KEYS, "a header")
        game = data.get("game")
        if not isinstance(game, str):
            self.refuse('the header must name the game: "game"')
        rounds = self._rounds(data)
        seats = data.get("seats", len(rounds[0].hands))
        if type(seats) is not int or seats < 1:
            self.refuse('"seats" must be a number of players')
        for each in rounds:
            if len(each.hands) != seats:
                self.refuse(f"{seats} seats need {seats} hands, not {len(each.hands)}")
            if each.dealer is not None and each.dealer >= seats:
                self.refuse(f"there is no seat {each.dealer}")
        options = data.get("options", {})
        if not isinstance(options, dict):
            self.refuse('"options" must be an object')
        lead = None if data.get("lead") is None else self.seat(data["lead"], seats, "lead")
        out = tuple(self.seat(seat, seats, "out") for seat in self.list(data.get("out", []), "out"))
        if lead is None and "out" in data:
            self.refuse('"out" is only allowed with "lead"')
        if lead is not None and ("rounds" in data or rounds[0].up or rounds[0].stock):
            self.refuse('"lead" is only allowed for a single round that gives nothing but hands')
        return Header(self.line, game, seats, options, rounds, self._scores(data), lead, out)

    def _rounds(self, data: Mapping[str, Any]) -> tuple[RoundCards, ...]:
        if "rounds" not in data:
            return (self._round({key: data[key] for key in ROUND_KEYS if key in data}),)
        if both := sorted((ROUND_KEYS - {"dealer"}) & set(data)):
            self.refuse(f'with "rounds", "{both[0]}" belongs in each round')
        rounds = self.list(data["rounds"], "rounds")
        if not rounds:
            self.refuse('"rounds" must list at least one round')
        if "dealer" not in data:
            return tuple(self._round(each) for each in rounds)
        if isinstance(rounds[0], dict) and "dealer" in rounds[0]:
            self.refuse('give the first dealer once: next to "rounds" or in the first of them')
        first = {**rounds[0], "dealer": data["dealer"]} if isinstance(rounds[0], dict) else rounds[0]
        return tuple(self._round(each) for each in (first, *rounds[1:]))

    def _round(self, data: Any) -> RoundCards:
        if not isinstance(data, dict):
            self.refuse("a round must be an object")
        self.known(data, ROUND_KEYS, "a round")
        if "hands" not in data:
            self.refuse('the cards of each seat are missing: "hands"')
        dealer, up = data.get("dealer"), data.get("up")
        if dealer is not None and (type(dealer) is not int or dealer < 0):
            self.refuse('"dealer" must be the number of a seat')
        return RoundCards(
            dealer,
            tuple(self.cards(hand, "hands") for hand in self.list(data["hands"], "hands")),
            None if up is None else self.cards([up], "up")[0],
            self.cards(data.get("stock", []), "stock"),
        )

    def _scores(self, data: Mapping[str, Any]) -> tuple[int, ...] | None:
        if data.get("scores") is None:
            return None
        scores = self.list(data["scores"], "scores")
        if any(type(score) is not int for score in scores):
            self.refuse('"scores" must list whole numbers')
        return tuple(scores)

    # --- the other lines ---

    def line_of(self, data: Mapping[str, Any], seats: int) -> MoveLine | ExpectLine:
        if "expect" in data:
            self.known(data, frozenset({"expect"}), "an expectation")
            return ExpectLine(self.line, self._expect(data["expect"], seats))
        self.known(data, self.words.move_keys | {"seat", "illegal"}, "a move")
        if "seat" not in data:
            self.refuse('a line must be the header, a move ("seat" and "do") or an expectation ("expect")')
        illegal = data.get("illegal")
        if "illegal" in data and illegal is not True and illegal != "audit":
            self.refuse('"illegal" must be true or "audit"')
        move = {key: value for key, value in data.items() if key in self.words.move_keys}
        return MoveLine(self.line, self.seat(data["seat"], seats, "seat"), self.move(move), illegal)

    def _expect(self, data: Any, seats: int) -> Mapping[str, Any]:
        if not isinstance(data, dict):
            self.refuse('"expect" must be an object')
        if self.words.expect_keys is not None:
            self.known(data, self.words.expect_keys, "an expectation")
        if "legal" in data:
            legal = data["legal"]
            if not isinstance(legal, dict):
                self.refuse('"legal" must be an object')
            self.known(legal, frozenset({"seat", "has", "lacks"}), '"legal"')
            self.seat(legal.get("seat"), seats, "seat")
            for key in ("has", "lacks"):
                for move in self.list(legal.get(key, []), key):
                    self.move(move)
        for key in ("default", "hands", "owed", "calls"):
            if isinstance(data.get(key), dict):
                for seat in data[key]:
                    if seat not in map(str, range(seats)):
                        self.refuse(f'"{key}" goes by seats, and there is no seat "{seat}"')
            elif key in data:
                self.refuse(f'"{key}" must be an object with a key for each seat')
        for move in data.get("default", {}).values():
            if move is not None:
                self.move(move)
        for cards in data.get("hands", {}).values():
            self.cards(cards, "hands")
        return data

    def move(self, data: Any) -> Mapping[str, Any]:
        if not isinstance(data, dict):
            self.refuse("a move must be an object")
        self.known(data, self.words.move_keys, "a move")
        kind = data.get("do")
        if not isinstance(kind, str) or kind not in self.words.kinds:
            self.refuse('a move needs "do": one of ' + ", ".join(sorted(self.words.kinds)))
        for key in ("cards", "as"):
            if key in data:
                self.cards(data[key], key)
        return data

    # --- values ---

    def list(self, value: Any, where: str) -> Sequence[Any]:
        if not isinstance(value, list):
            self.refuse(f'"{where}" must be a list')
        return value

    def seat(self, value: Any, seats: int, where: str) -> Seat:
        if type(value) is not int or not 0 <= value < seats:
            self.refuse(f'"{where}" must be a seat from 0 to {seats - 1}')
        return value

    def cards(self, value: Any, where: str) -> tuple[Card, ...]:
        names = self.list(value, where)
        for name in names:
            if not isinstance(name, str) or name not in ALL_FACES:
                self.refuse(f"there is no card {json.dumps(name, ensure_ascii=False)}")
        return tuple(Card(name) for name in names)


NOT_JSON = {
    "Expecting value": "a value is missing",
    "Expecting ',' delimiter": "a comma or a closing bracket is missing",
    "Expecting ':' delimiter": "a colon is missing",
    "Expecting property name enclosed in double quotes": "a key in double quotes is missing",
    "Unterminated string starting at": "a text has no closing quote",
    "Extra data": "something follows the end of the object",
}
"""What Python's reader of JSON says, in plain words; what it may say besides is passed on as it is."""
EXCERPT = 20


def _not_json(line: str, error: json.JSONDecodeError) -> str:
    """What is wrong with a line, and where."""
    what = NOT_JSON.get(error.msg, error.msg[:1].lower() + error.msg[1:])
    rest = line[error.pos :].rstrip()
    place = f"at {rest[:EXCERPT]}" + ("..." if len(rest) > EXCERPT else "") if rest else "at the end of the line"
    return f"not valid JSON in column {error.colno}: {what} {place}"
