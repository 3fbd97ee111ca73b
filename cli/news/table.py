"""What a client needs from below: a seat at a table that somebody else drives, and the news of it.

The screens know nothing of networks. Whatever gives these views, takes these moves and tells these news can be played with:
the node of a real table, or a table in this process (`cli.client.practice`). All names in here are clean already, and every
view is plain data (the keys of the playthrough format) from the seat's own eyes: `hands` holds its own hand, nothing else hidden.
"""

from __future__ import annotations

from asyncio import Queue
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from cli.text import key
from protocol.cards import Card, Seat
from protocol.errors import FairdealError
from protocol.games.game import AnyGame, Data
from protocol.table.effort import Checked


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits on a seat, as the table shows it."""

    name: str
    bot: bool = False
    away: bool = False
    through: str = ""
    """The name of the player whose machine this seat plays through, where it is not its own."""
    hints: str = ""
    """How much its client helps it, one of `protocol.levels.HINT_LEVELS`; empty where it has not said so."""


@dataclass(frozen=True, slots=True)
class RoundBegan:
    """Hands are dealt and settled; `number` counts from 1, void rounds included. A client that comes back is told it too,
    with the view as it stands."""

    number: int
    view: Data


@dataclass(frozen=True, slots=True)
class Moved:
    """A move took effect: its public form, and the views before and after. `after` is settled: drawn cards are in hand; where
    cards came into our own hand by it and their order is known, `entered` in it lists them as they came."""

    seat: Seat
    move: Data
    before: Data
    after: Data


@dataclass(frozen=True, slots=True)
class Earlier:
    """We are back: what happened in this round before, as all saw it, and what each round before brought to each team. Followed
    by `RoundBegan`, which tells how it stands."""

    moves: tuple[Moved, ...]
    points: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """The round is opened, audited and scored. `breaches` are what hidden cards had hidden: the seat and the rule. The next
    one begins in `pause_s` seconds at the latest, where that is known (0: it is not); `is_last`: there is none."""

    view: Data
    breaches: tuple[tuple[Seat, FairdealError], ...] = ()
    pause_s: float = 0.0
    is_last: bool = False


@dataclass(frozen=True, slots=True)
class RoundVoid:
    """The round counts for nobody, as it stood still: these seats could have gone on, as their open hands show."""

    held_up_by: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """Over. The certificate's hash is the same at every seat; `transcript` is the file's path, `verified` its check."""

    view: Data
    match: str = ""
    transcript: str = ""
    verified: bool | None = None


@dataclass(frozen=True, slots=True)
class DealChecked:
    """All proofs of a deal were in order on this machine. Who comes back is told with 0 ms: that it was checked before, their
    own vote says."""

    shuffled_by: tuple[Seat, ...]
    took_ms: float
    steps: tuple[Checked, ...] = ()
    """What was checked for it, and how long each took: see `Playing.checks` for what came after."""


@dataclass(frozen=True, slots=True)
class Said:
    """Somebody's chat."""

    seat: Seat
    text: str


@dataclass(frozen=True, slots=True)
class HintsChanged:
    """This seat takes more or less help than before: levels as in `Player.hints`."""

    seat: Seat
    before: str
    now: str


@dataclass(frozen=True, slots=True)
class Away:
    """A seat's link is lost; the seat is kept."""

    seat: Seat
    is_ours: bool = False
    """A bot that this machine keeps: of those `BotsStopped` tells."""


@dataclass(frozen=True, slots=True)
class Back:
    """A seat that was away is back."""

    seat: Seat
    is_ours: bool = False
    """As with Away: of those `BotsBack` tells."""


@dataclass(frozen=True, slots=True)
class BotsStopped:
    """The process of the bots that we keep has ended: it is started again, or, if that did not help often enough, `is_for_good`.
    `log`: the file with its last words, if there were any."""

    names: tuple[str, ...]
    is_for_good: bool = False
    log: str = ""


@dataclass(frozen=True, slots=True)
class BotsBack:
    """They have taken their seats again."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BotStuck:
    """A bot that we keep (of an empty name it is not known which) can do nothing more, mostly because its disk is full."""

    name: str
    reason: FairdealError


STOPPED = key("the bots of this machine stop again and again: leave, and take your seat again")
STOPPED_ALONE = key("the bots of this machine stop again and again: the same command takes your seat again")
STOPPED_IN_ROOM = key("the bots of this machine stop again and again: open the table anew")

BotsNews: TypeAlias = BotsStopped | BotsBack | BotStuck


@dataclass(frozen=True, slots=True)
class Paused:
    """The table waits for these seats, and has for `since_s` seconds; after `left_s` more the others may wish to go on (None:
    too few would be left). `agreed` wish it already; it is over as soon as the awaited are back. Told anew on every change; with
    nobody awaited the pause is over."""

    awaited: tuple[Seat, ...]
    left_s: float | None = None
    agreed: tuple[Seat, ...] = ()
    since_s: float = 0.0
    all_agree: bool = False
    """Everybody whose wish it takes has it."""


ALL_AGREE = key(
    "All agree. Going on without {names} comes with a later version of Fairdeal: wait, or leave for good, which ends the match."
)


@dataclass(frozen=True, slots=True)
class WentOn:
    """The others have gone on without these seats; the rules play their hands."""

    without: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class TookSeat:
    """An empty seat is taken: `players` is how the table looks now."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Accused:
    """A seat was caught. `provable` says whether a third party can check the evidence."""

    seat: Seat
    reason: FairdealError
    provable: bool = True


@dataclass(frozen=True, slots=True)
class Overtaken:
    """Our move did not count: another seat's came first. It may be made again if it is still legal."""

    move: Data


@dataclass(frozen=True, slots=True)
class Grace:
    """This seat takes the trick in `seconds` (another seat: then at the earliest), unless a bomb comes."""

    seat: Seat
    seconds: float


@dataclass(frozen=True, slots=True)
class ClockRuns:
    """This seat must move within `left_s` seconds, else the table's rule moves for it."""

    seat: Seat
    left_s: float


@dataclass(frozen=True, slots=True)
class Broken:
    """The match cannot go on here, and why. `may_return`: for now, as with a full disk; the seat can be taken again."""

    reason: FairdealError
    may_return: bool = False


News: TypeAlias = (
    RoundBegan
    | Moved
    | Earlier
    | RoundEnded
    | RoundVoid
    | MatchEnded
    | DealChecked
    | Said
    | HintsChanged
    | Away
    | Back
    | BotsStopped
    | BotsBack
    | BotStuck
    | Paused
    | WentOn
    | TookSeat
    | Accused
    | Overtaken
    | Grace
    | ClockRuns
    | Broken
)
"""What a table tells. `MatchEnded` and `Broken` are the last of a table."""


@dataclass(frozen=True, slots=True)
class Followed:
    """What the machine of somebody who looks on has checked of the match so far."""

    shuffled_by: tuple[Seat, ...]
    """Who shuffled the cards of the round that is played."""
    shuffles: int
    """Shuffles whose proofs hold."""
    shares: int
    """How often a card was unlocked with a proof that the right key was used."""
    signatures: int
    rounds: int
    """Rounds checked once more with all hands open."""


@dataclass(frozen=True, slots=True)
class TableFacts:
    """What stands from the table's sealing to its end."""

    name: str = ""
    words: tuple[str, ...] = ()
    """The words that all screens show; compared aloud once."""
    rounds: int = 0
    """The match ends after this many rounds; 0 leaves it to the game."""
    warn_call: bool = True
    """Whether the client asks before a play without the last-card word that is due."""
    suggest: bool = True
    """Whether the client may propose plays at this table."""
    recovery: bool = False
    followed: Followed | None = None
    """To who looks on: what their own machine has checked."""
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reconnecting:
    """We have lost everybody: the others are called again and again."""

    tries: int
    """Calls in vain so far."""
    next_s: float
    """Seconds until the next one."""


class Playing(Protocol):
    """A seat at a table. Reading is free and immediate; what is asked of the table is awaited."""

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
        """None while any other machine of the table can be reached."""

    def checks(self) -> Sequence[Checked]:
        """What was checked of this round since its deal, and how long that took."""

    @property
    def onlookers(self) -> int:
        """How many look on, as far as is known: who comes through a seat that we have no link to is not counted."""

    def view(self) -> Data:
        """The state as it stands, from this seat's eyes."""

    def hand(self) -> tuple[Card, ...]:
        """This seat's cards, in any fixed order; none for a watcher."""

    def legal(self) -> Sequence[Any]:
        """This seat's legal moves now (the game's own move values, private forms); may compute its items when asked."""

    def check(self, move: Any) -> None:
        """Raises IllegalMove if this seat may not make this move now."""

    def thought(self) -> Callable[[], Any | None] | None:
        """What the game's bot would do on this seat now, to be thought off the event loop; None where nobody sits."""

    async def play(self, move: Any) -> None:
        """Hands a legal move to the table; its `Moved` (or `Overtaken`) follows as news. Raises IllegalMove at once."""

    async def say(self, text: str) -> None:
        """Chat."""

    async def ready(self) -> None:
        """Between rounds: need not wait for the pause's end."""

    async def go_on(self, wish: bool) -> None:
        """While paused: the wish to go on without the awaited seats, or its revocation."""

    async def take_help(self, level: str) -> None:
        """How much help with the hand this seat wants, one of `protocol.levels.HINT_LEVELS`: all see it."""

    async def leave(self, for_good: bool) -> None:
        """Away (the seat is kept) or goodbye (it is given up)."""

    @property
    def news(self) -> Queue[News | None]:
        """What happens, in order; None ends it. News are put in the same step of the loop in which the state changes: who has
        taken all of them knows how things stand."""


def has_company(playing: Playing) -> bool:
    """Whether somebody else sits here to compare the table's words with: bots cannot."""
    return any(not player.bot for seat, player in enumerate(playing.players) if seat != playing.seat)
