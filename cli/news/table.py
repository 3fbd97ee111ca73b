"""A seat at a table as the faces see it, and the news of the table.

Faces know nothing of networks. Anything that provides these views, accepts these moves and reports this news can be
played: the node of a real table, or a table in memory. All names in here are cleaned, and
every view is what the seat may see: it shows the seat's own hand, and nothing else that is hidden.
"""

from __future__ import annotations

from asyncio import Queue
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Protocol, TypeAlias

from cli.text import key
from protocol.cards import Card, Seat
from protocol.errors import FairdealError
from protocol.games.advice import Advice, Reason, Stopped
from protocol.games.game import AnyGame, Data
from protocol.games.views import PublicView
from protocol.messages import Opinion
from protocol.table.effort import Checked
from protocol.table.events import Cause
from protocol.table.places import Place

Thought: TypeAlias = Callable[[Stopped], Advice | None]
"""Computes what the game's bot would do. It ends early, with None, once the function that it is given says so."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What the game's bot would do, as a move's object, and why, if that can be said."""

    move: Data
    reason: Reason | None = None


def proposal_of(game: AnyGame, advice: Advice | None) -> Suggestion | None:
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
class RoundBegan:
    """Hands are dealt and settled. `number` counts void rounds, too. A client that returns gets it as well."""

    number: int
    view: PublicView


@dataclass(frozen=True, slots=True)
class Moved:
    """A move took effect: its public form, and the views before and after.

    `after` is settled: drawn cards are in the hand. If cards entered our own hand and their order is known, its `arrived`
    lists them in that order.
    """

    seat: Seat
    move: Data
    before: PublicView
    after: PublicView


@dataclass(frozen=True, slots=True)
class Settled:
    """The table takes moves again though nothing has happened: for a client that returned."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """For a client that returns, before `RoundBegan`: this round's public moves, and earlier rounds' points by team."""

    moves: tuple[Moved, ...]
    points: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """The round was revealed, audited and scored.

    `breaches`: rules broken with hidden cards, each with its seat. The next round begins in at most `pause_s` seconds
    (0: unknown); `is_last`: there is none.
    """

    view: PublicView
    breaches: tuple[tuple[Seat, FairdealError], ...] = ()
    pause_s: float = 0.0
    is_last: bool = False


@dataclass(frozen=True, slots=True)
class RoundVoid:
    """The round was stuck and does not count. `held_up_by`: seats that could have continued, as their hands show."""

    held_up_by: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match is over.

    `match`: the final certificate's hash, the same at every seat; `transcript`: the file's path; `verified`: its check;
    `places`: the result by seat, empty if unknown; `early`: why it ended before its last round, if it did.
    """

    view: PublicView
    match: str = ""
    transcript: str = ""
    verified: bool | None = None
    places: tuple[Place, ...] = ()
    early: FairdealError | None = None


@dataclass(frozen=True, slots=True)
class DealChecked:
    """All proofs of a deal were verified on this computer. `took_ms`: milliseconds.

    A client that returns gets it with 0 ms: its own earlier vote says that it verified the deal.
    """

    shuffled_by: tuple[Seat, ...]
    took_ms: float
    steps: tuple[Checked, ...] = ()
    """What was verified and how long it took; see `Playing.checks` for what came after."""


@dataclass(frozen=True, slots=True)
class Said:
    """A chat message."""

    seat: Seat
    text: str


@dataclass(frozen=True, slots=True)
class HintsChanged:
    """A seat's client gives more or less help than before: levels as in `Player.hints`."""

    seat: Seat
    before: str
    now: str


@dataclass(frozen=True, slots=True)
class Misbehaved:
    """A seat's program does what an unchanged one never does, which proves no cheating: it signed one message twice, or
    (`is_flood`) sent so much that it was cut off for a while."""

    seat: Seat
    is_flood: bool


@dataclass(frozen=True, slots=True)
class Away:
    """The link to a seat is lost; the seat is kept."""

    seat: Seat
    is_ours: bool = False
    """Whether it is a bot of this computer, in which case `BotsStopped` explains more."""
    is_after_sleep: bool = False
    """Whether the link was lost while our own computer slept, as `WasAsleep` tells."""


@dataclass(frozen=True, slots=True)
class WasAsleep:
    """Our own computer slept until just now, so long; its links are being opened again."""

    slept_s: float


@dataclass(frozen=True, slots=True)
class Back:
    """A seat that was away is back."""

    seat: Seat
    is_ours: bool = False
    """Whether it is a bot of this computer, in which case `BotsBack` explains more."""
    is_after_sleep: bool = False
    """Whether it was our own computer that slept."""


@dataclass(frozen=True, slots=True)
class Asleep:
    """Nobody looks at a seat's phone any more, or (`is_asleep` false) somebody does again."""

    seat: Seat
    is_asleep: bool


@dataclass(frozen=True, slots=True)
class BotsStopped:
    """The process of our bots has ended. It is restarted, or, after too many crashes, `is_for_good`.

    `log`: the file with its last output, if there was any.
    """

    names: tuple[str, ...]
    is_for_good: bool = False
    log: str = ""
    reason: FairdealError | None = None
    """What failed, if they said so."""


@dataclass(frozen=True, slots=True)
class BotsBack:
    """Our bots have taken their seats again."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BotStuck:
    """One of our bots cannot continue, usually because the disk is full. `name` is empty if the bot is unknown.

    `is_bug`: the game failed, which would happen again if the bot came back.
    """

    name: str
    reason: FairdealError
    is_bug: bool = False


STOPPED = key("the bots on this computer keep stopping: leave, then rejoin")
STOPPED_ALONE = key("the bots on this computer keep stopping: run the same command to rejoin")
STOPPED_IN_ROOM = key("the bots on this computer keep stopping: open the table again")

BotsNews: TypeAlias = BotsStopped | BotsBack | BotStuck


class Fate(Enum):
    """What becomes of the round when the others play on without somebody."""

    NONE = "none"
    """None is under way: the next one is dealt to those present."""
    VOID = "void"
    """It does not count; the next one is dealt to those present."""
    PLAYED = "played"
    """The missing hand is opened, and the computer plays it."""
    SHORT = "short"
    """The match waits for somebody who takes the seat: its game cannot be dealt to those who are left."""


@dataclass(frozen=True, slots=True)
class Paused:
    """The table waits for the `awaited` seats, and has for `since_s` seconds.

    After `left_s` more seconds the others can vote to play on (None: too few would remain). `needed` are those who vote,
    `agreed` are for it, `against` block it; in `silent_s` seconds the silence of the rest counts as an abstention (None:
    nobody has voted). They would play on without `leaving`, the awaited seats and the bots on their computers; `fate` is what
    then becomes of the round. Reported again on every change; with nobody awaited the pause is over.
    """

    awaited: tuple[Seat, ...]
    left_s: float | None = None
    agreed: tuple[Seat, ...] = ()
    since_s: float = 0.0
    needed: tuple[Seat, ...] = ()
    against: tuple[Seat, ...] = ()
    silent_s: float | None = None
    leaving: tuple[Seat, ...] = ()
    fate: Fate = Fate.NONE


@dataclass(frozen=True, slots=True)
class VotedOn:
    """These players vote to play on without us: our move is awaited, or we were away."""

    by: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class WentOn:
    """Those who are left play on without these seats, for these reasons; empty: nobody left, a change was interrupted.

    `fate`: what became of the round. `is_dropped`: our computer had counted a move that the others had not. `may_return`: we
    are left out, and sit again when the next round begins. `ends_recovery`: with so few computers left, the coming rounds
    cannot be finished without a missing player, as those before could.
    """

    without: Mapping[Seat, Cause]
    fate: Fate = Fate.NONE
    is_dropped: bool = False
    may_return: bool = False
    ends_recovery: bool = False


@dataclass(frozen=True, slots=True)
class TookSeat:
    """An empty seat is taken; `players` is up to date. `is_back`: by the same player as before."""

    seat: Seat
    is_back: bool = False


@dataclass(frozen=True, slots=True)
class Accused:
    """A seat was caught cheating. `provable`: whether a third party can verify the evidence."""

    seat: Seat
    reason: FairdealError
    provable: bool = True


@dataclass(frozen=True, slots=True)
class Overtaken:
    """Our move did not count because another seat's came first. It can be made again if still legal."""

    move: Data


@dataclass(frozen=True, slots=True)
class Grace:
    """This seat takes the trick in `seconds` (for another seat: at the earliest), unless a bomb is played."""

    seat: Seat
    seconds: float


@dataclass(frozen=True, slots=True)
class ClockRuns:
    """This seat must move within `left_s` seconds, or the table's rule moves for it."""

    seat: Seat
    left_s: float


@dataclass(frozen=True, slots=True)
class Broken:
    """The match cannot continue here, with the reason. `may_return`: the seat can be taken again, as after a full disk."""

    reason: FairdealError
    may_return: bool = False


News: TypeAlias = (
    RoundBegan
    | Moved
    | Settled
    | Earlier
    | RoundEnded
    | RoundVoid
    | MatchEnded
    | DealChecked
    | Said
    | HintsChanged
    | Misbehaved
    | Away
    | WasAsleep
    | Asleep
    | Back
    | BotsStopped
    | BotsBack
    | BotStuck
    | Paused
    | VotedOn
    | WentOn
    | TookSeat
    | Accused
    | Overtaken
    | Grace
    | ClockRuns
    | Broken
)
"""What a table reports. `MatchEnded` or `Broken` is the last."""


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
    """Whether a seat is on another computer, whoever is said to sit there: then the words are worth comparing."""
    is_compared: bool = False
    """Whether the player has said this evening that everybody's words are the same, of another match perhaps."""
    followed: Followed | None = None
    """For watchers: what their own computer has verified."""
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reconnecting:
    """We have lost everyone and keep calling the others. `is_offline`: this computer has no network.

    `through`: of a phone, the name of the player whose computer it plays through.
    """

    tries: int
    """Failed calls."""
    next_s: float
    """Seconds until the next call."""
    is_offline: bool = False
    through: str = ""


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
        """Return a function that computes what the game's bot would do, to be run off the event loop; None for watchers."""

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
