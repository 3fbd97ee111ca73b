"""A seat at a table as the faces see it: its players and facts, what it sees, and what can be asked of the table.

Faces know nothing of networks. Anything that provides these views, accepts these moves and reports this news can be
played: the node of a real table, or a table in memory. All names in here are cleaned, and
every view is what the seat may see: it shows the seat's own hand, and nothing else that is hidden.
"""

from __future__ import annotations

from asyncio import Queue
from collections.abc import Sequence
from dataclasses import field
from typing import Any, Protocol, TypeAlias

from cli.news.table import News
from protocol.cards import Card, Seat
from protocol.games.advice import Advice, Reason
from protocol.games.game import AnyGame, Data
from protocol.games.views import PublicView
from protocol.messages import Opinion
from protocol.steps import Steps
from protocol.table.effort import Checked
from protocol.values import dataclass

Thought: TypeAlias = Steps[None, Advice | None]
"""Computes, in steps, what the game's bot would do."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What the game's bot would do, as a move's object, and why, if that can be said."""

    move: Data
    reason: Reason | None = None


def suggestion_of(game: AnyGame, advice: Advice | None) -> Suggestion | None:
    """Return what a bot has thought out, for faces."""
    return None if advice is None else Suggestion(game.encode(advice.move), advice.reason)


@dataclass(frozen=True, slots=True)
class Player:
    """The player of a seat, as the table shows it."""

    name: str
    bot: bool = False
    away: bool = False
    through: str = ""
    """The name of the player whose computer runs this seat's bot, or serves its phone, if any."""
    hints: str = ""
    """How much help its client gives, one of `protocol.levels.HINT_LEVELS`; empty if unknown."""
    left: bool = False
    """The others play on without this seat."""
    stand_in: bool = False
    """The computer plays this seat's hand, which lies open, to the end of the round."""
    key: str = ""
    """Its public key in hexadecimal, if it is known: the same on all computers, whatever the player is called there."""
    asleep: bool = False
    """It is a phone, and nobody looks at it."""

    @property
    def is_phone(self) -> bool:
        """Whether a person plays it, in the browser of a phone."""
        return bool(self.through) and not self.bot


@dataclass(frozen=True, slots=True)
class Followed:
    """What a watcher's computer has verified of the match."""

    shuffled_by: tuple[Seat, ...]
    """The seats that shuffled the current round's cards."""
    shuffles: int
    """Number of verified shuffles."""
    shares: int
    """Number of verified shares: a card unlocked with a proof that the right key was used."""
    signatures: int
    rounds: int
    """Rounds rechecked with all hands revealed."""


@dataclass(frozen=True, slots=True)
class TableFacts:
    """What is fixed from the table's sealing to its end."""

    name: str = ""
    words: tuple[str, ...] = ()
    """The secret-check words that all screens show, to be compared aloud."""
    rounds: int = 0
    """The match ends after this many rounds; 0: the game decides."""
    warn_call: bool = True
    """Whether the client warns before a play that forgets the last-card word."""
    suggest: bool = True
    """Whether the client may suggest plays at this table."""
    recovery: bool = False
    """Whether all other computers together could open a seat's cards, to play on without it."""
    lacks_recovery: bool = False
    """Whether the table asked for that, but too few computers sit at it."""
    is_shared: bool = False
    """Whether a seat is on another computer, no matter who is said to sit there: then the words are worth comparing."""
    is_compared: bool = False
    """Whether the player has said this evening that everybody's words are the same, of another match perhaps."""
    followed: Followed | None = None
    """For watchers: what their own computer has verified."""
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reconnecting:
    """We have lost everyone and keep calling the others. `is_offline`: this computer has no network.

    `through`: of a phone, the name of the player whose computer it plays through; `is_long`: it may be gone for good.
    """

    tries: int
    """Failed calls."""
    next_s: float
    """Seconds until the next call."""
    is_offline: bool = False
    through: str = ""
    is_long: bool = False


class Playing(Protocol):
    """A seat at a table. Reading is immediate; requests to the table are awaited."""

    @property
    def game(self) -> AnyGame: ...

    @property
    def seat(self) -> Seat | None:
        """None for a watcher."""

    @property
    def players(self) -> Sequence[Player]: ...

    @property
    def facts(self) -> TableFacts: ...

    @property
    def reconnecting(self) -> Reconnecting | None:
        """None while any other computer of the table can be reached."""

    def checks(self) -> Sequence[Checked]:
        """Return what was verified in this round since its deal, and how long it took."""

    @property
    def onlookers(self) -> int:
        """The number of known watchers; those of a seat that we have no link to are not counted."""

    def view(self) -> PublicView:
        """Return what this seat sees now; an empty view before the first deal."""

    def hand(self) -> tuple[Card, ...]:
        """Return this seat's cards, in a stable order; empty for a watcher."""

    def legal(self) -> Sequence[Any]:
        """Return this seat's legal moves (the game's move values, private forms); items may be computed lazily."""

    def check(self, move: Any) -> None:
        """Raise IllegalMove if this seat may not make this move now."""

    def thought(self) -> Thought | None:
        """Return the steps in which what the game's bot would do is computed, beside the event loop; None for watchers."""

    async def play(self, move: Any) -> None:
        """Submit a legal move; `Moved` (or `Overtaken`) follows as news. Raises IllegalMove at once."""

    async def say(self, text: str) -> None:
        """Send a chat message."""

    async def ready(self) -> None:
        """Between rounds: do not wait for the end of the pause."""

    async def vote(self, opinion: Opinion) -> None:
        """While paused: vote for or against playing on without the awaited seats, or withdraw the vote. Raises IllegalMove."""

    async def take_help(self, level: str) -> None:
        """Set how much help this seat gets, one of `protocol.levels.HINT_LEVELS`; everyone sees it."""

    async def confirm_words(self) -> None:
        """The player has compared the secret-check words with everybody: it is remembered for the evening."""

    async def leave(self, for_good: bool) -> None:
        """Leave and keep the seat, or say goodbye and give it up."""

    @property
    def news(self) -> Queue[News | None]:
        """What happens, in order; None ends it.

        News are queued in the same event loop iteration in which the state changes, so a reader who has taken all of
        them is up to date.
        """


def has_company(playing: Playing) -> bool:
    """Return whether the table's words are worth comparing: another person sits here, or another computer takes part."""
    return playing.facts.is_shared or any(
        not player.bot for seat, player in enumerate(playing.players) if seat != playing.seat
    )
