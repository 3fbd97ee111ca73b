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
    BotsChanged,
    BotsComing,
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
from cli.news.rooms import (
    DrawTorn,
    NotSigned,
    RequestRefused,
    RoomAddresses,
    RoomChanged,
    RoomChat,
    RoomNews,
    Sitting,
    Waiting,
)
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
    "ALL_AGREE", "EVENING_ENDS_H", "STATES", "STOPPED", "STOPPED_ALONE", "STOPPED_IN_ROOM", "Accused", "Away", "Back",
    "BotStuck", "BotsBack", "BotsChanged", "BotsComing", "BotsNews", "BotsStopped", "Broken", "ClockRuns",
    "DealChecked", "Do", "DrawTorn", "Earlier", "Finished", "Followed", "Found", "Grace", "GuestProfile",
    "HintsChanged", "JoinAddress", "MatchEnded", "Moved", "News", "NoAnswer", "NotSigned", "Notify", "Overtaken",
    "Paused", "Player", "Playing", "Progress", "Reconnecting", "Recorded", "Recording", "Remembered",
    "RequestRefused", "Resuming", "RoomAddresses", "RoomChanged", "RoomChat", "RoomNews", "RoundBegan", "RoundEnded",
    "RoundVoid", "Said", "Saved", "Say", "Searching", "SetAside", "Settled", "Sitting", "Step", "TableFacts",
    "TableSeen", "TableWords", "TablesSeen", "TookSeat", "Unfinished", "Waiting", "WentOn", "has_company", "is_free",
    "is_running", "rounds_of",
]  # fmt: skip
