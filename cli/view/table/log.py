"""What has been told at the table, and what the others did since our last turn."""

from __future__ import annotations

from collections import deque

from cli import news as events
from cli.games.base.recap import recap
from cli.games.base.table import TableFace
from cli.games.base.telling import drawn_together, moved
from cli.view.table.wording import told_in_log
from cli.view.views import Piece
from protocol.cards import Seat

MOST_LOG = 500
MOST_SINCE = 20
MOST_ACTIONS = 4


class Log:
    """Entries, newest last; worded anew when the language changes."""

    def __init__(self, face: TableFace) -> None:
        self._face = face
        self.entries: deque[Piece] = deque(maxlen=MOST_LOG)
        """As they are read, in the language of now."""
        self._heard: deque[Piece | tuple[events.News, bool]] = deque(maxlen=MOST_LOG)
        """What they are worded from: news, and whether we had been away; texts that are as they are."""
        self.last_event = ""
        self.last_move: events.Moved | None = None
        """The move that came last in this round."""
        self.draws: events.Moved | None = None
        """The same, with what the same seat drew just before."""
        self.since: deque[events.Moved] = deque(maxlen=MOST_SINCE)
        """What the others did since our last turn, draws in a row as one."""
        self.actions: dict[Seat, deque[str]] = {}
        """What each did last."""
        self.moves_seen = 0
        self.is_back = False
        """Told anew how things stand: we were away."""

    def round_began(self) -> None:
        self.since.clear()
        self.actions.clear()
        self.last_move = self.draws = None
        self.is_back = False

    def tell(self, text: str, ink: str = "text") -> None:
        """An entry that is no news of the table."""
        if text:
            self._heard.append((text, ink))
            self._add((text, ink))

    def hear(self, news: events.News) -> None:
        is_back = self.is_back and isinstance(news, events.RoundBegan)
        last, newest = self._heard[-1][0] if self._heard else None, news
        if isinstance(last, events.Moved) and isinstance(news, events.Moved) and self.entries:
            together = drawn_together(self._face.at.narrator, last, news)
            if together is not None:  # one entry for what somebody draws one after the other
                self._heard.pop()
                self.entries.pop()
                news = together
        pieces = told_in_log(self._face, news, is_back)
        if pieces:  # what is not worded parts no draws
            self._heard.append((news, is_back))
        self._add(*pieces)
        if isinstance(news, events.WentOn) and pieces:  # who left and what happens next, where only one entry is seen
            self.last_event = self._face.at._.join([text for text, _ink in pieces])
        if isinstance(newest, events.Moved) and newest is not news and newest.seat == self._face.at.me:
            # The log has all that we drew; the event beside the prompt names the card that is new.
            self.last_event = told_in_log(self._face, newest)[-1][0]

    def _add(self, *pieces: Piece) -> None:
        for piece in pieces:
            self.entries.append(piece)
            self.last_event = piece[0]

    def reword(self) -> None:
        """In another language."""
        self.entries.clear()
        for first, second in list(self._heard):
            if isinstance(first, str):
                self._add((first, str(second)))
            else:
                self._add(*told_in_log(self._face, first, bool(second)))

    def moved(self, news: events.Moved) -> None:
        """Notes a move for the seats and for what was done since our turn."""
        narrator = self._face.at.narrator
        self.moves_seen += 1
        together = drawn_together(narrator, self.draws, news) if self.draws is not None else None
        self.last_move, self.draws = news, together or news
        if moved(narrator, news):
            action = self._face.short_action(self.draws)
            if together is not None and self.actions.get(news.seat):
                self.actions[news.seat].pop()
            if action:
                self.actions.setdefault(news.seat, deque(maxlen=MOST_ACTIONS)).append(action)
        self._note_since(self.draws, is_more=together is not None)

    def _note_since(self, news: events.Moved, is_more: bool) -> None:
        """Our turn is over, or somebody else did something. `is_more`: the entry before is a part of it."""
        if news.seat == self._face.at.me:
            if news.move.get("do") in ("play", "pass") or news.after.turn != news.seat:
                self.since.clear()
            return
        if is_more and self.since:
            self.since.pop()
        self.since.append(news)

    def recaps(self, last: object) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
        """What was done since our last move in short: without what stands below it as the last event; and with what it led to,
        for where not all of it has room there."""
        who, cards, since = self._face.at.narrator, self._face.at.cards, list(self.since)
        if not since or not isinstance(last, events.Moved) or last.seat != since[-1].seat:
            whole = recap(who, cards, since)
            return whole, whole
        return recap(who, cards, since[:-1]), recap(who, cards, since[:-1], since[-1])

    @property
    def newest(self) -> object:
        """The piece of news, or the text, that was told last."""
        return self._heard[-1][0] if self._heard else None
