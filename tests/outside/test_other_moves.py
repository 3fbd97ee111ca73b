"""A game with moves besides playing cards, of which the client has never heard: they are offered by the game's own labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

import pytest

from cli.games.registry import face_of
from cli.terminal.settings import TerminalSettings
from protocol.cards import Card, Seat
from protocol.errors import IllegalMove
from protocol.games import LocalTable
from protocol.games.game import NO_CARDS, Data, OpenAll, Outcome, Uses
from protocol.games.labels import MoveKind
from protocol.values import replace
from tests.cli.screen.stage import Stage
from tests.cli.tables import NAMES, Typist


@dataclass(frozen=True, slots=True)
class Knock:
    """Ends the round."""


@dataclass(frozen=True, slots=True)
class Double:
    """Raises what the round is worth; nothing comes of it here."""

    by: int


def knocking(whisk: str, seats: int = 3) -> Any:
    """Whisk, where one may knock or double instead of playing a card."""
    from protocol.games.catalogue import game_class

    base: Any = game_class(whisk)

    class Knocking(base):  # type: ignore[misc]
        name = "knocking"
        title = "Knocking"
        doubles: ClassVar[tuple[int, ...]] = ()
        MOVES: ClassVar[Mapping[str, MoveKind]] = {
            **base.MOVES,
            "knock": MoveKind("knock", "You knock.", "{name} knocks."),
            "double": MoveKind("double", "You double by {by}.", "{name} doubles by {by}.", {"by": "By how much?"}),
        }

        def decode(self, data: Mapping[str, Any]) -> Any:
            match dict(data):
                case {"do": "knock", **more} if not more:
                    return Knock()
                case {"do": "double", "by": by, **more} if by in (2, 4) and not more:
                    return Double(by)
            return super().decode(data)

        def encode(self, move: Any) -> Data:
            if isinstance(move, Knock):
                return {"do": "knock"}
            return {"do": "double", "by": move.by} if isinstance(move, Double) else super().encode(move)

        def uses(self, move: Any) -> Uses:
            return NO_CARDS if isinstance(move, (Knock, Double)) else super().uses(move)

        def apply(self, state: Any, seat: Seat, move: Any) -> Outcome[Any]:
            if not isinstance(move, (Knock, Double)):
                usual: Outcome[Any] = super().apply(state, seat, move)
                return usual
            if seat != state.turn:
                raise IllegalMove("it is not your turn")
            if None in state.bids:
                raise IllegalMove("wait for {n} bids", n=self.seats)
            return Outcome(replace(state, turn=None), (OpenAll(),)) if isinstance(move, Knock) else Outcome(state)

        def legal(self, state: Any, seat: Seat, hand: Sequence[Card]) -> Sequence[Any]:
            usual = super().legal(state, seat, hand)
            return usual if seat != state.turn or None in state.bids else [*usual, Knock(), *map(Double, self.doubles)]

    return Knocking(seats)


def to_play(game: Any, lang: str = "en") -> Stage:
    """All have bid, and we lead."""
    stage = Stage(LocalTable(game, Random(3), dealer=game.seats - 1), settings=TerminalSettings(lang=lang))
    stage.press("1", "enter")
    for seat in range(1, game.seats):
        stage.moves(seat, {"do": "bid", "tricks": 0})
    stage.clock.passes(1)
    return stage


def test_a_move_besides_the_cards_has_a_key_and_is_made_at_once(whisk: str) -> None:
    stage = to_play(knocking(whisk))
    text = stage.text()
    assert "M: knock" in stage.prompt
    assert " M  knock" in text.splitlines()[-1]
    stage.press("m")
    assert stage.played[-1] == {"do": "knock"}
    assert any(stage.table.view(0)["scores"]), "the round is over, and scored"


def test_one_of_several_is_chosen_in_a_box(whisk: str) -> None:
    game = knocking(whisk)
    type(game).doubles = (2, 4)
    stage = to_play(game)
    assert "M: knock / double" in stage.prompt
    stage.press("m")
    assert "double 4" in stage.text() and "Arrows or number, then Enter · Esc: back" in stage.text()
    stage.press("escape")
    assert stage.parts.question.query is None
    stage.press("m", "3", "enter")
    assert stage.played[-1] == {"do": "double", "by": 4}


def test_nothing_is_offered_where_there_is_nothing_else(whisk: str) -> None:
    stage = to_play(knocking(whisk))
    stage.press("enter")
    assert stage.played[-1]["do"] == "play"
    assert "M: " not in stage.prompt
    stage.press("m")
    assert "It’s Jonas’s turn" in stage.prompt or "no other move" in stage.prompt or "Waiting" in stage.prompt


def test_the_help_lists_it_and_no_key_that_the_game_never_uses(whisk: str) -> None:
    stage = to_play(knocking(whisk))
    stage.press("?")
    text = stage.text(100, 40)
    assert "make another move of this game" in text
    assert "draw a card" not in text and "  P  " not in text


@pytest.mark.parametrize("line", ["knock", "double 2"])
def test_in_lines_it_is_typed_by_its_label(whisk: str, line: str) -> None:
    game = knocking(whisk)
    type(game).doubles = (2, 4)
    table = LocalTable(game, Random(3), dealer=2)
    for seat in range(3):
        table.play(seat, {"do": "bid", "tricks": 1})
    typist = Typist(table)
    assert typist.plays(line)["do"] == line.split()[0]


def test_in_lines_a_refusal_gives_the_games_reason(whisk: str) -> None:
    typist = Typist(LocalTable(knocking(whisk), Random(3), dealer=2))
    assert typist.is_refused("knock").startswith("Wait for 3 bids.")


def test_the_help_in_lines_tells_of_it(whisk: str) -> None:
    table = LocalTable(knocking(whisk), Random(3), dealer=2)
    for seat in range(3):
        table.play(seat, {"do": "bid", "tricks": 1})
    typist = Typist(table)
    assert any("knock" in line for line in typist.reader.help(typist.position))


def test_in_lines_our_turn_names_the_other_moves_there_are(whisk: str) -> None:
    table = LocalTable(knocking(whisk), Random(3), dealer=2)
    typist = Typist(table)
    narrator = face_of(table.game).narrator(typist.words, NAMES[:3], 0)
    assert "knock" not in typist.reader.moves.hand(narrator, typist.position, False)
    for seat in range(3):
        table.play(seat, {"do": "bid", "tricks": 1})
    told = typist.reader.moves.hand(narrator, typist.position, False)
    assert told.endswith("You can also type knock.")


def test_in_lines_a_refused_choice_gives_the_games_reason(whisk: str) -> None:
    game = knocking(whisk)
    type(game).doubles = (2, 4)
    typist = Typist(LocalTable(game, Random(3), dealer=2))
    assert typist.is_refused("double 2").startswith("Wait for 3 bids.")
    assert typist.is_refused("double 3").startswith("You can’t do that now.")  # not even a move


def test_in_lines_single_cards_are_listed_as_the_hand_shows_them(whisk: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = knocking(whisk)
    usual = game.legal
    monkeypatch.setattr(type(game), "legal", lambda _game, *args: list(reversed(usual(*args))))
    table = LocalTable(game, Random(3), dealer=2)
    for seat in range(3):
        table.play(seat, {"do": "bid", "tricks": 1})
    typist = Typist(table)
    hand, listed = typist.position.hand, typist.reader.moves.listed(typist.position)
    assert len(hand) > 2
    plays = [f"{number} play {typist.cards.say(card)}" for number, card in enumerate(hand, 2)]
    assert listed == ["1 knock", *plays]
    assert typist.plays("moves 2")["cards"] == [hand[0]]


def laying(whisk: str) -> Any:
    """The same, where two cards can be laid out; nobody can play before."""
    base: Any = type(knocking(whisk))

    class Laying(base):  # type: ignore[misc]
        name = "laying"
        MOVES: ClassVar[Mapping[str, MoveKind]] = {**base.MOVES, "lay": MoveKind("lay out", "You lay out {cards}.")}

        def decode(self, data: Mapping[str, Any]) -> Any:
            match dict(data):
                case {"do": "draw" | "lay" as do, **more} if len(more.get("cards", [])) == 2 * (do == "lay"):
                    return data
            return super().decode(data)

        def encode(self, move: Any) -> Data:
            return dict(move) if isinstance(move, dict) else super().encode(move)

        def check(self, state: Any, seat: Seat, hand: Sequence[Card], move: Any) -> None:
            if not isinstance(move, dict):
                raise IllegalMove("draw first")

        def legal(self, state: Any, seat: Seat, hand: Sequence[Card]) -> Sequence[Any]:
            return [{"do": "lay", "cards": list(hand[:2])}, {"do": "draw"}]

    return Laying(3)


def test_in_lines_cards_that_can_only_be_laid_out_are_not_called_playable(whisk: str) -> None:
    table = LocalTable(laying(whisk), Random(3), dealer=2)
    typist = Typist(table)
    narrator = face_of(table.game).narrator(typist.words, NAMES[:3], 0)
    told = typist.reader.moves.hand(narrator, typist.position, False)
    assert told.endswith("You can’t play: draw or lay out.") and "playable" not in told
    assert typist.is_refused("1").startswith("You can’t do that now.")


def test_in_lines_a_card_is_refused_by_the_rules_where_one_can_only_draw(
    whisk: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = laying(whisk)
    monkeypatch.setattr(type(game), "legal", lambda *_args: [{"do": "draw"}])
    assert Typist(LocalTable(game, Random(3), dealer=2)).is_refused("1").startswith("Draw first.")


def pointing(whisk: str, *chosen: str) -> Any:
    """Whisk, where every card is played at another player."""
    from protocol.games.catalogue import game_class

    base: Any = game_class(whisk)

    @dataclass(frozen=True, slots=True)
    class PlayAt:
        card: Card
        to: Seat
        loud: bool

    class Pointing(base):  # type: ignore[misc]
        name = "pointing"
        MOVES: ClassVar[Mapping[str, MoveKind]] = {
            **base.MOVES,
            "play": MoveKind("play", "You played {cards}.", "{name} played {cards}.", {"to": "At whom?"}),
        }

        def decode(self, data: Mapping[str, Any]) -> Any:
            match dict(data):
                case {"do": "play", "cards": [card], "to": int(to), **more}:
                    return PlayAt(card, to, bool(more.get("loud")))
            return super().decode(data)

        def encode(self, move: Any) -> Data:
            if not isinstance(move, PlayAt):
                return dict(super().encode(move))
            return {"do": "play", "cards": [move.card], "to": move.to, "loud": move.loud}

        def uses(self, move: Any) -> Uses:
            return Uses(played=(move.card,)) if isinstance(move, PlayAt) else super().uses(move)

        def plain(self, move: Any) -> Any:
            return base.decode(self, {"do": "play", "cards": [move.card]}) if isinstance(move, PlayAt) else move

        def apply(self, state: Any, seat: Seat, move: Any) -> Any:
            return super().apply(state, seat, self.plain(move))

        def check(self, state: Any, seat: Seat, hand: Sequence[Card], move: Any) -> None:
            super().check(state, seat, hand, self.plain(move))

        def legal(self, state: Any, seat: Seat, hand: Sequence[Card]) -> Sequence[Any]:
            usual: Sequence[Any] = super().legal(state, seat, hand)
            if None in state.bids:
                return usual
            loud = (False, True) if "loud" in chosen else (False,)
            cards = [base.encode(self, move)["cards"][0] for move in usual]
            others = [each for each in range(self.seats) if each != seat]
            return [PlayAt(card, to, each) for card in cards for to in others for each in loud]

    return Pointing(3)


@pytest.mark.parametrize(("chosen", "title"), [(("to",), "At whom?"), (("to", "loud"), "which way?")])
def test_what_else_is_chosen_with_a_card_is_asked_in_the_games_words(
    whisk: str, chosen: tuple[str, ...], title: str
) -> None:
    stage = to_play(pointing(whisk, *chosen))
    stage.press("enter")
    assert title in stage.text()
    stage.press("2", "enter")
    assert stage.played[-1]["to"] in (1, 2)
