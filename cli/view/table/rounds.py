"""Where the match stands between its plays: the round that is over, the pause, the score sheet, the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli import news as events
from cli.view.model import Clock
from protocol.games.views import PublicView

if TYPE_CHECKING:
    from cli.news import Finished
    from cli.view.in_room import InRoom

LAST_PLAY_S = 3.0
"""How long the play that ended a round is seen before the score sheet covers it."""
SHEET_S = 8.0
"""The score sheet stays at least so long, though the next round has begun."""
ASKED_S = 3600
"""The score sheet that was asked for stays until an action."""
LONG_PAUSE_S = 3600
"""A pause between rounds that is longer than this is no limit, and is not told."""


class PointsSheet:
    """The points of each round, and the score."""

    def __init__(self) -> None:
        self.rounds: list[tuple[int, ...]] = []
        self.scores: tuple[int, ...] = ()
        self.last = PublicView()

    def round_ended(self, view: PublicView) -> None:
        self.last = view
        points = view.round_points
        if points is not None:
            self.rounds.append(tuple(points))
        self.scores = view.scores


class Rounds:
    """The score sheet covers the table while `is_up`."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.number = 0
        self.sheet = PointsSheet()
        self.is_between = False
        self.is_void = False
        """The round that is over counts for nobody."""
        self.is_known_clean = True
        """Whether nobody was caught cheating, or broke a rule with hidden cards, nor may have while we were away."""
        self.is_ready = False
        self.is_last = False
        """The round that is over was the last: the match's end follows at once."""
        self.next_at: float | None = None
        self.ended: events.MatchEnded | None = None
        self.may_go_again = False
        """Whether a match can follow this one: we are in a room, or play here with bots."""
        self.room: InRoom | None = None
        """The room that we are back in since the match is over, while its sheet is read; None: bots alone, or none."""
        self.room_at_first: InRoom | None = None
        """The same as it was then."""
        self._has_rested = False
        """Whether nobody in the room played any more since then: until then, some are still at this match."""
        self.shows = False
        self._since = self.shown_from = 0.0
        """Since when the sheet shows the round that ended, and from when on it covers the table."""
        self._is_past = False
        """The round that is over ended while we were away: its sheet is shown only if no other round follows at once."""
        self.evening: tuple[Finished, ...] = ()
        """The matches of this evening that are over, this one included."""

    def look_at_room(self, room: InRoom) -> None:
        """The room as it is now."""
        self.room = room
        self.room_at_first = self.room_at_first or room
        self._has_rested = self._has_rested or not room.room.is_playing

    @property
    def next_has_begun(self) -> bool:
        """Whether the room plays its next match, without us."""
        return self._has_rested and self.room is not None and self.room.room.is_playing

    @property
    def is_up(self) -> bool:
        """The score sheet covers the table: a moment after the round's last play, which is to be seen first."""
        return self.shows and self._clock() >= self.shown_from

    @property
    def way_back(self) -> str:
        """Where Esc leads from the end of the match: "room" or "lobby"."""
        return "lobby" if self.room is None else "room"

    @property
    def is_due(self) -> bool:
        """The round's last play is looked at: the score sheet comes in a moment."""
        return self.shows and not self.is_up and not self._is_past

    def began(self, number: int) -> bool:
        """A round began; whether the sheet was taken away."""
        self.number = number
        self.is_between = self.is_ready = self.is_last = self.is_void = False
        if self._is_past and not self.is_asked_for:
            self.shows = self._is_past = False
            return True
        self.shown_from = min(self.shown_from, self._clock())
        return self._lapse()

    def read_on(self) -> None:
        """What we missed is still being read."""
        if self._is_past:
            self.shown_from = max(self.shown_from, self._clock() + LAST_PLAY_S)

    def round_ended(self, news: events.RoundEnded, has_play: bool) -> None:
        """`has_play`: there is a last play to be looked at first."""
        self.next_at = self._clock() + news.pause_s if news.pause_s else None
        self.is_between, self.is_ready, self.is_last = True, False, news.is_last
        self.is_void = False
        self.is_known_clean &= not news.breaches
        self.sheet.round_ended(news.view)
        if news.is_past and self.is_asked_for:
            return
        self._is_past = news.is_past
        self._show_now()
        self.shown_from = self._clock() + (LAST_PLAY_S if has_play or news.is_past else 0.0)

    def match_ended(self, news: events.MatchEnded) -> None:
        self.ended = news
        self.is_between = self._is_past = False
        if not self.sheet.rounds:
            self.sheet.round_ended(news.view)
        self._show_now()
        self.evening = ()  # it has one match more now: that is told when it is known

    def _show_now(self) -> None:
        self.shows, self._since = True, self._clock()

    def show(self) -> None:
        """At once: it was asked for."""
        self.shows = True
        self.shown_from = 0.0

    def keep(self) -> None:
        """It stays until an action."""
        self._since = self._clock() + ASKED_S

    @property
    def is_asked_for(self) -> bool:
        """Whether it was asked for, and stays until an action."""
        return self._since > self._clock()

    def read(self) -> None:
        """It is being read."""
        self._since = max(self._since, self._clock())

    def tick(self) -> None:
        if not self.is_between and self.ended is None:
            self._lapse()

    def _lapse(self) -> bool:
        if self.shows and self._clock() - self._since > SHEET_S:
            self.shows = False
            return True
        return False

    def left_s(self) -> int | None:
        """How long the pause between rounds lasts at most; None: that is not known, or it waits for us."""
        if self.next_at is None:
            return None
        left = max(0, round(self.next_at - self._clock()))
        return left if left <= LONG_PAUSE_S else None
