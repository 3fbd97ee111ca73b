"""What a client tells its faces, and what a player may do: plain types that both know."""

from __future__ import annotations

from cli.news.actions import (
    Do,
    Say,
)
from cli.news.home import Remembered, Unfinished
from cli.news.matches import (
    EVENING_ENDS_H,
    Finished,
    Recorded,
    Recording,
    Saved,
    Step,
    rounds_of,
)
from cli.news.progress import (
    AwaitedSeats,
    BotsChanged,
    BotsComing,
    Disturbed,
    GuestProfile,
    JoinAddress,
    NoAnswer,
    Notify,
    Progress,
    Resuming,
    Searching,
    SetAside,
    TableSeen,
    TableWords,
)
from cli.news.rooms import RoomAddresses, RoomChanged, RoomChat, Sitting, Waiting
from cli.news.table import (
    ALL_AGREE,
    STOPPED,
    STOPPED_ALONE,
    STOPPED_IN_ROOM,
    Accused,
    Away,
    Back,
    BotsBack,
    BotsNews,
    BotsStopped,
    BotStuck,
    Broken,
    ClockRuns,
    DealChecked,
    Earlier,
    Followed,
    Grace,
    HintsChanged,
    MatchEnded,
    Moved,
    News,
    Overtaken,
    Paused,
    Player,
    Playing,
    Reconnecting,
    RoundBegan,
    RoundEnded,
    RoundVoid,
    Said,
    Settled,
    TableFacts,
    TookSeat,
    WentOn,
    has_company,
)
from cli.news.tables import (
    STATES,
    Found,
    TablesSeen,
    is_free,
    is_running,
)

__all__ = [
    "ALL_AGREE", "EVENING_ENDS_H", "STATES", "STOPPED", "STOPPED_ALONE", "STOPPED_IN_ROOM", "Accused", "AwaitedSeats",
    "Away", "Back", "BotStuck", "BotsBack", "BotsChanged", "BotsComing", "BotsNews", "BotsStopped", "Broken", "ClockRuns",
    "DealChecked", "Disturbed", "Do", "Earlier", "Finished", "Followed", "Found", "Grace", "GuestProfile", "HintsChanged",
    "JoinAddress", "MatchEnded", "Moved", "News", "NoAnswer", "Notify", "Overtaken", "Paused", "Player", "Playing",
    "Progress", "Reconnecting", "Recorded", "Recording", "Remembered", "Resuming", "RoomAddresses", "RoomChanged",
    "RoomChat", "RoundBegan", "RoundEnded", "RoundVoid", "Said", "Saved", "Say", "Searching", "SetAside", "Settled",
    "Sitting", "Step", "TableFacts", "TableSeen", "TableWords", "TablesSeen", "TookSeat", "Unfinished", "Waiting", "WentOn",
    "has_company",    "is_free", "is_running", "rounds_of",
]  # fmt: skip
