"""Tables on known cards for the client's tests, and a person who types."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from random import Random

from cli.games.base.answers import Refusal, Reply, TypedMove, TypedQuestion
from cli.games.position import Position, position_of
from cli.games.registry import face_of
from cli.plain.reader import Reader
from cli.plain.session import Ended, LineSession
from cli.text import Translator, load_translator
from protocol.cards import Card, Seat
from protocol.games import LocalTable, load
from protocol.games.game import AnyGame, Data
from protocol.games.playthrough import ScriptedDealer
from protocol.games.playthrough_file import RoundCards
from tests.cli.practice import PracticeSeat, PracticeTable

NAMES = ("Mia", "Jonas", "Hanako", "Priya", "Sam", "Lukas", "Ada", "Kurt", "Emmy", "Alan")


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card(name) for name in text.split())


def scripted(
    name: str,
    hands: Sequence[str],
    up: str | None = None,
    stock: str = "",
    options: Mapping[str, object] | None = None,
    dealer: Seat | None = None,
) -> LocalTable:
    """A table whose round begins with these cards, the stock's first drawn first."""
    game = load(name, len(hands), options)
    lie = RoundCards(dealer, tuple(cards(hand) for hand in hands), Card(up) if up else None, cards(stock))
    script = ScriptedDealer(game, lie)
    outcome = game.start_with(  # type: ignore[attr-defined, unused-ignore]
        game.seats - 1 if dealer is None else dealer, None, [len(hand) for hand in lie.hands], len(script.stock)
    )
    state = script.carry_out(outcome)
    table = LocalTable.resume(game, Random(1), state, script.hands, ())
    table._dealer = script  # type: ignore[assignment]  # it goes on dealing what the test lists
    return table


def tichu_lead(hands: Sequence[str], lead: Seat = 0, out: Sequence[Seat] = ()) -> LocalTable:
    """Tichu after the exchange: this seat leads."""
    game = load("tichu", 4)
    dealt = [cards(hand) for hand in hands]
    state = game.lead_state(lead, dealt, tuple(out), None, 3)
    return LocalTable.resume(game, Random(1), state, dealt, ())


class Typist:
    """A seat at a table of the test's own; what is typed is read, and played where it is a move."""

    def __init__(self, table: LocalTable, seat: Seat = 0, lang: str = "en", warn_call: bool = True) -> None:
        self.practice = PracticeTable(
            table.game, NAMES[: table.game.seats], tuple(range(table.game.seats)), Random(1), table=table
        )
        self.table = table
        self.words = load_translator(lang)
        self.seat = seat
        self.playing: PracticeSeat = self.practice.people[seat]
        face = face_of(table.game)
        self.cards = face.cards(self.words)
        self.reader = Reader(self.words, face, NAMES[: table.game.seats], seat)
        self.asked: TypedQuestion | None = None
        self.warn_call = warn_call

    @property
    def position(self) -> Position:
        found = position_of(self.playing, face_of(self.table.game), self.cards.sort)
        assert found is not None
        return Position(
            **{**{name: getattr(found, name) for name in Position.__dataclass_fields__}, "warn_call": self.warn_call}
        )

    def reads(self, line: str) -> Reply:
        reply = self.reader.read(line, self.position, self.asked)
        assert reply is not None
        self.asked = reply if isinstance(reply, TypedQuestion) else None
        return reply

    def plays(self, *lines: str) -> Data:
        """The move that these lines lead to; it is made."""
        reply: Reply | None = None
        for line in lines:
            reply = self.reads(line)
        assert isinstance(reply, TypedMove), reply
        self.table.play(self.seat, reply.move)
        return reply.move

    def is_refused(self, line: str) -> str:
        reply = self.reads(line)
        assert isinstance(reply, Refusal), reply
        return reply.sentence

    def is_asked(self, line: str) -> str:
        reply = self.reads(line)
        assert isinstance(reply, TypedQuestion), reply
        return reply.sentence


async def _lines(lines: Iterable[str], forever: bool) -> AsyncIterator[str]:
    for line in lines:
        yield line
    if forever:
        await asyncio.Event().wait()


def hear(
    table: PracticeTable, seat: Seat | None, lines: Iterable[str] = (), lang: str = "en", forever: bool = False
) -> tuple[list[str], Ended]:
    """All that a session says, driven by a script."""

    async def go() -> tuple[list[str], Ended]:
        told: list[str] = []
        playing = table.watch() if seat is None else table.people[seat]
        async with table:
            session = LineSession(playing, load_translator(lang), told.append, patient=True)
            ended = await asyncio.wait_for(session.run(_lines(lines, forever)), 60)
        return told, ended

    return asyncio.run(go())


def with_bots(game: AnyGame, people: Sequence[Seat], seed: int = 1, rounds: int = 1) -> PracticeTable:
    return PracticeTable(game, NAMES[: game.seats], people, Random(seed), rounds=rounds)


__all__ = ["NAMES", "Translator", "Typist", "cards", "hear", "scripted", "tichu_lead", "with_bots"]
