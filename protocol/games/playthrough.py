"""Run a playthrough: a round or match on known cards, with expectations on the way, played by the game's real rules.

A scripted dealer deals the cards that the file lists. (PROTOCOL.md, "Playthroughs".)
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from protocol.cards import Card, Hand, Seat
from protocol.errors import BadMessage, BadOption, FairdealError, IllegalMove, failures_of
from protocol.games.catalogue import load
from protocol.games.game import AnyGame, Data, Open
from protocol.games.local import Dealer, open_view
from protocol.games.playthrough_file import (
    ExpectLine,
    Header,
    MoveLine,
    PlaythroughFailed,
    PlaythroughUnreadable,
    RoundCards,
    read_playthrough,
)

ANY_IN_LEGAL = frozenset({"call", "suit", "rank", "wish", "phoenix", "next", "to"})
"""Keys that match any value if they are left out in `has` and `lacks`."""
ANY_IN_DEFAULT = frozenset({"suit", "rank", "phoenix", "next", "to"})
"""Keys that match any value if they are left out in `default`; a call or wish left out there means none."""
SHOWN_MOVES = 12

__all__ = ["PlaythroughFailed", "PlaythroughUnreadable", "run_playthrough"]


def run_playthrough(text: str) -> None:
    """Run a playthrough. Raises PlaythroughFailed at the first line that does not hold, PlaythroughUnreadable if the text is
    not a playthrough, and GameFailed for a bug in the rules."""
    playthrough = read_playthrough(text)
    with failures_of(playthrough.header.game, FairdealError):
        run = _Run(playthrough.header)
        for line in playthrough.lines:
            if isinstance(line, ExpectLine):
                run.expect(line)
            else:
                run.move(line)


class _NoCards(Exception):
    """The game deals more cards than the file lists."""


class ScriptedDealer(Dealer):
    """A dealer that deals each seat the cards listed for it, then the stock as listed. Recycled cards go under the stock in the
    order in which they were played."""

    def __init__(self, game: AnyGame, cards: RoundCards) -> None:
        super().__init__(game)
        self._dealt = [list(reversed(hand)) for hand in cards.hands]
        self.stock = [*reversed(cards.stock), *([] if cards.up is None else [cards.up])]
        self._begun = False

    def shuffled(self, faces: Sequence[Card]) -> list[Card]:
        if not self._begun:  # the whole deck: the file says how it lies
            self._begun = True
            return []
        return list(reversed(faces))

    def drawn(self, seat: Seat, count: int) -> list[Card]:
        drawn = []
        for _ in range(count):
            source = self._dealt[seat] or self.stock
            if not source:
                raise _NoCards
            drawn.append(source.pop())
        return drawn


class _Run:
    """A running playthrough: the state, and the dealer, who knows all cards."""

    def __init__(self, header: Header) -> None:
        self._header = header
        try:
            self._game = load(header.game, header.seats, header.options)
        except BadOption as error:
            raise self._unreadable(str(error)) from error
        if header.scores is not None and len(header.scores) != len(self._game.teams):
            raise self._unreadable(f'"scores" needs {len(self._game.teams)} numbers')
        faces = set(self._game.deck)
        for cards in header.rounds:
            for card in (*(card for hand in cards.hands for card in hand), *cards.stock, *filter(None, [cards.up])):
                if card not in faces:
                    raise self._unreadable(f"{card} is no card of {header.game}")
        self._next_round = 1
        first = header.rounds[0]
        dealer = header.seats - 1 if first.dealer is None else first.dealer
        if header.lead is None:
            self._begin(first, dealer, header.scores)
        else:
            self._lead(first, header.lead, dealer)

    def _unreadable(self, reason: str) -> PlaythroughUnreadable:
        return PlaythroughUnreadable(self._header.line, reason)

    def _begin(self, cards: RoundCards, dealer: Seat, scores: Sequence[int] | None) -> None:
        self._dealer = ScriptedDealer(self._game, cards)
        sizes = [len(hand) for hand in cards.hands]
        outcome = self._game.start_with(dealer, scores, sizes, len(self._dealer.stock))
        opens = any(isinstance(demand, Open) for demand in outcome.demands)
        if cards.up is not None and not opens:
            raise self._unreadable(f'{self._game.name} turns no card up: leave "up" out')
        if opens and not self._dealer.stock:
            raise self._unreadable('there is no card to turn up ("up")')
        try:
            self._state = self._dealer.carry_out(outcome)
        except _NoCards:
            raise self._unreadable("the game deals more cards than are listed") from None

    def _lead(self, cards: RoundCards, lead: Seat, dealer: Seat) -> None:
        header = self._header
        self._dealer = ScriptedDealer(self._game, cards)
        self._dealer.hands = [Hand(hand) for hand in cards.hands]
        try:
            self._state = self._game.lead_state(lead, cards.hands, header.out, header.scores, dealer)
        except BadOption as error:
            raise self._unreadable(str(error)) from error

    def _next(self) -> None:
        """Begin the next round, if the file has one and this one is over."""
        game, rounds = self._game, self._header.rounds
        if not game.is_round_over(self._state) or game.is_match_over(self._state) or self._next_round >= len(rounds):
            return
        cards, dealer = rounds[self._next_round], game.next_dealer(self._state)
        if cards.dealer is not None and cards.dealer != dealer:
            expected = f"seat {cards.dealer} to deal round {self._next_round + 1}"
            raise PlaythroughFailed(self._header.line, expected, f"seat {dealer}")
        self._next_round += 1
        self._begin(cards, dealer, game.scores(self._state))

    # --- moves ---

    def move(self, line: MoveLine) -> None:
        self._next()
        if line.illegal is not None:
            self._refused(line)
            return
        try:
            move = self._game.decode(line.move)
            self._game.check(self._state, line.seat, tuple(self._dealer.hands[line.seat]), move)
            self._state = self._dealer.move(self._state, line.seat, move)
        except (IllegalMove, BadMessage) as error:
            raise PlaythroughFailed(line.line, "a legal move", f"it refused: {error}") from error
        except _NoCards:
            raise self._unreadable("the game deals more cards than are listed") from None

    def _refused(self, line: MoveLine) -> None:
        """Check that a move is refused, and whether on public grounds or by the hand."""
        public = self._public_refusal(line)
        if line.illegal == "audit":
            expected = "a move that is publicly legal and a breach by the hand"
            if public is not None:
                raise PlaythroughFailed(line.line, expected, f"it refused on public grounds: {public}")
        else:
            expected = "a move refused on public grounds or for a card that is not in the hand"
        breach = None
        if public is None:
            breach = self._breach(line)
            if breach is None:
                raise PlaythroughFailed(line.line, expected, "it legal")
        if line.illegal is True and breach is not None:
            raise PlaythroughFailed(line.line, expected, f"it publicly legal, and a breach by the hand: {breach}")
        if any(_matches(self._game.encode(move), line.move, frozenset()) for move in self._legal(line.seat)):
            raise PlaythroughFailed(line.line, expected, "it among the moves offered")

    def _public_refusal(self, line: MoveLine) -> str | None:
        """Return why a move is refused without seeing the hand, or because the hand lacks its cards; None if it is not."""
        game = self._game
        try:
            move = game.decode(line.move)
            game.apply(self._state, line.seat, game.public(move))
        except (IllegalMove, BadMessage) as error:
            return str(error)
        uses = game.uses(move)
        named = Counter((*uses.played, *uses.shown, *game.hidden(move)))
        missing = named - Counter(self._dealer.hands[line.seat])
        return f"{next(iter(missing))} is not in the hand" if missing else None

    def _breach(self, line: MoveLine) -> str | None:
        try:
            move = self._game.decode(line.move)
            self._game.check(self._state, line.seat, tuple(self._dealer.hands[line.seat]), move)
        except IllegalMove as error:
            return str(error)
        return None

    def _legal(self, seat: Seat) -> Sequence[Any]:
        return self._game.legal(self._state, seat, tuple(self._dealer.hands[seat]))

    # --- expectations ---

    def expect(self, line: ExpectLine) -> None:
        view = open_view(self._game, self._state, self._dealer.hands)
        for key, wanted in line.expect.items():
            if key == "legal":
                self._expect_legal(line.line, wanted)
            elif key == "default":
                self._expect_default(line.line, wanted)
            elif key == "hands":
                for seat, cards in wanted.items():
                    found = view["hands"][seat]
                    if sorted(found) != sorted(cards):
                        raise PlaythroughFailed(line.line, f"hand {seat} {_text(cards)}", _text(found))
            elif key not in view:
                raise PlaythroughFailed(line.line, f"{key} {_text(wanted)}", f"that {self._game.name} has none")
            elif not _same(view[key], wanted):
                raise PlaythroughFailed(line.line, f"{key} {_text(wanted)}", _text(view[key]))

    def _expect_legal(self, line: int, wanted: Mapping[str, Any]) -> None:
        seat = wanted["seat"]
        moves = self._legal(seat)
        has: list[Mapping[str, Any]] = list(wanted.get("has", ()))
        for offer in moves:
            data = self._game.encode(offer)
            for move in wanted.get("lacks", ()):
                if _matches(data, move, ANY_IN_LEGAL):
                    raise PlaythroughFailed(line, f"seat {seat} not to be offered {_text(move)}", _text(data))
            has = [move for move in has if not _matches(data, move, ANY_IN_LEGAL, equal_effect=True)]
        if has:
            shown = [self._game.encode(move) for move in islice(iter(moves), SHOWN_MOVES)]
            more = "" if len(moves) <= SHOWN_MOVES else f" and {len(moves) - SHOWN_MOVES} more"
            raise PlaythroughFailed(line, f"seat {seat} to be offered {_text(has[0])}", _text(shown) + more)

    def _expect_default(self, line: int, wanted: Mapping[str, Any]) -> None:
        for seat, move in wanted.items():
            default = self._game.default(self._state, int(seat), tuple(self._dealer.hands[int(seat)]))
            found = None if default is None else self._game.encode(default)
            if found is None or move is None:
                holds = found is None and move is None
            else:
                holds = _matches(found, move, ANY_IN_DEFAULT)
            if not holds:
                raise PlaythroughFailed(line, f"the default of seat {seat} to be {_text(move)}", _text(found))


def _matches(found: Data, wanted: Mapping[str, Any], free: frozenset[str], *, equal_effect: bool = False) -> bool:
    """Return whether a move of the game, with all its keys, matches a wanted one, which may omit defaults and `free` keys.

    The cards of a play may stand in any order, except that in games with jokers the first and last card keep their places.
    With `equal_effect` the suits that jokers between those two stand for are ignored, as they have no effect.
    """
    if found["do"] != wanted["do"]:
        return False
    for key in set(found) | set(wanted):
        if key in ("do", "cards", "as"):
            continue
        if key not in wanted:
            if key not in free and found[key] is not None and found[key] is not False:  # seat 0 is neither
                return False
        elif not _same(found.get(key), wanted[key]) and not (key not in found and wanted[key] in (None, False)):
            return False
    if found["do"] != "play":
        return _same(list(found.get("cards", [])), wanted.get("cards", []))
    if len(found.get("as") or ()) != len(wanted.get("as") or ()):  # more than the jokers played is another move
        return False
    ours, theirs = _readings(found), _readings(wanted)
    if "as" in found and (ours[:1] != theirs[:1] or ours[-1:] != theirs[-1:]):
        return False
    if equal_effect:
        ours, theirs = _plain_between(ours), _plain_between(theirs)
    return sorted(ours) == sorted(theirs)


def _readings(play: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Pair each card of a play with the card that it stands for."""
    stands_for = iter(play.get("as") or ())
    return [(card, next(stands_for, "") if card == "Jk" else card) for card in play.get("cards", ())]


def _plain_between(readings: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Drop the suits of jokers that are neither first nor last."""
    between = [(card, face[:1] if card == "Jk" else face) for card, face in readings[1:-1]]
    return [*readings[:1], *between, *readings[1:][-1:]]


def _same(found: Any, wanted: Any) -> bool:
    """Return whether two JSON values are equal. True is not 1; a tuple counts as a list."""
    if isinstance(found, bool) or isinstance(wanted, bool):
        return found is wanted
    if isinstance(found, (list, tuple)):
        return (
            isinstance(wanted, list)
            and len(found) == len(wanted)
            and all(_same(a, b) for a, b in zip(found, wanted, strict=True))
        )
    if isinstance(found, Mapping):
        return isinstance(wanted, dict) and set(found) == set(wanted) and all(_same(found[k], wanted[k]) for k in found)
    return bool(found == wanted)


def _text(value: Any) -> str:
    """Format a value as in a file."""
    return json.dumps(value, ensure_ascii=False)
