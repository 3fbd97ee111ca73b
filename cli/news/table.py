"""The news of a table: what it tells a player or a watcher."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TypeAlias

from cli.text import key
from protocol.cards import Seat
from protocol.errors import FairdealError
from protocol.games.game import Data
from protocol.games.views import PublicView
from protocol.table.effort import Checked
from protocol.table.events import Cause
from protocol.table.places import Place
from protocol.values import dataclass


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
    (0: unknown); `is_last`: there is none. `is_past`: it ended before we were here, or back, and more may follow at once.
    """

    view: PublicView
    breaches: tuple[tuple[Seat, FairdealError], ...] = ()
    pause_s: float = 0.0
    is_last: bool = False
    is_past: bool = False


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
class CatchingUp:
    """We are being shown what happened without us, and that takes a while."""

    round: int
    done: float
    """How much of it is done, from 0 to 1."""


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
    END = "end"
    """It was the last one, and those who are left only confirm the end of the match."""


@dataclass(frozen=True, slots=True)
class Paused:
    """The table waits for the `awaited` seats, and has for `since_s` seconds.

    After `left_s` more seconds the others can vote to play on (None: too few would remain). `needed` are those who vote,
    `agreed` are for it, `against` block it; in `silent_s` seconds the silence of the rest counts as an abstention (None:
    nobody has voted). They would play on without `leaving`, the awaited seats and the bots on their computers; `fate` is what
    then becomes of the round. Reported again on every change; with nobody awaited the pause is over.
    `joining`: nobody else plays any more, since `left` has quit for good or was caught, and the match is over unless these sit
    down in the awaited seats within `ends_s` seconds.
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
    joining: tuple[str, ...] = ()
    left: Seat | None = None
    ends_s: float = 0.0


@dataclass(frozen=True, slots=True)
class VotedOn:
    """These players vote to play on without us: our move is awaited, or we were away."""

    by: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class WentOn:
    """Those who are left play on without these seats, for these reasons; empty: nobody left, a change was interrupted.

    `fate`: what became of the round. `is_dropped`: our computer had counted a move that the others had not. `may_return`: we
    are left out, and sit again when the next round begins. `ends_recovery`: with so few computers left, the coming rounds
    cannot be finished without a missing player, as those before could. `withdrawn`: who had sat down and vanished before the
    round began; empty: nobody.
    """

    without: Mapping[Seat, Cause]
    fate: Fate = Fate.NONE
    is_dropped: bool = False
    may_return: bool = False
    ends_recovery: bool = False
    withdrawn: str = ""


@dataclass(frozen=True, slots=True)
class TookSeat:
    """A seat is taken; `players` is up to date. `is_back`: by the same player as before."""

    seat: Seat
    is_back: bool = False
    was_ours: bool = False
    """Others went on without us, and somebody else sits there now."""
    bot: str = ""
    """The bot that gave its seat away; empty: nobody sat there."""


@dataclass(frozen=True, slots=True)
class SeatWanted:
    """Somebody who waits in the room (`name`) takes this bot's seat when the round is over."""

    seat: Seat
    name: str


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
    | CatchingUp
    | Asleep
    | Back
    | BotsStopped
    | BotsBack
    | BotStuck
    | Paused
    | VotedOn
    | WentOn
    | TookSeat
    | SeatWanted
    | Accused
    | Overtaken
    | Grace
    | ClockRuns
    | Broken
)
"""What a table reports. `MatchEnded` or `Broken` is the last."""
