"""A seat at a table: what its player knows, has picked and is told. No keys, no pictures, no time that passes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from cli import news as events
from cli.games.short_cards import narrator_of
from cli.games.titles import game_title
from cli.news import Playing
from cli.text import Translator
from cli.view.commands import TABLE
from cli.view.own_words import own_words
from cli.view.position import Position, position_of
from cli.view.presenter import FLASH_S, Clock, Presenter
from cli.view.scores import Sheet
from cli.view.settings import Settings
from cli.view.table.asking import Query
from cli.view.table.holding import Holding, by_arrival, by_kind, by_rank
from cli.view.table.wording import drawn_together, told_in_log
from cli.view.tips import ALL
from cli.view.views import Piece
from protocol.cards import Card, Seat
from protocol.games.eights import Eights
from protocol.games.game import Data

if TYPE_CHECKING:
    from cli.news import Finished

MOST_LOG = 500
MOST_SINCE = 20
LONG_PAUSE_S = 3600
"""A pause between rounds that is longer than this is no limit, and is not told."""
NOTE_S = 8.0
"""What the session tells stands so long on the prompt line, or until a key."""


class TableState(Presenter):
    """What one seat (or a watcher) knows of its table, and what stands on its prompt line."""

    place = TABLE

    def __init__(
        self, playing: Playing, settings: Settings, clock: Clock, rules: Callable[[int], Sequence[str]] | None = None
    ) -> None:
        super().__init__(settings, clock)
        self.playing = playing
        self.rules = rules
        self._spoken, self._is_spelled = self._, settings.ascii_only
        self.narrator, self.cards = narrator_of(self._, playing.game, self._names(), playing.seat, self._is_spelled)
        self.is_tichu = playing.game.name == "tichu"
        self.holding = Holding()
        self.holding.has_jokers = not self.is_tichu
        self.dog: Seat | None = None
        """Who has just led the Dog: it lies on the table until the next move."""
        self.out_winner: Seat | None = None
        """Who has just taken a trick and is out, so that somebody else leads."""
        self.holding.takes_one = isinstance(playing.game, Eights)
        self.sorts = ("rank", "suit", "kind", "dealt") if self.is_tichu else ("suit", "rank", "dealt")
        kept = settings.sorting_tichu if self.is_tichu else settings.sorting
        self.sorting = kept if kept in self.sorts else self.sorts[0]
        self.round = 0
        self.log: deque[Piece] = deque(maxlen=MOST_LOG)
        """As it is read, in the language of now."""
        self._heard: deque[Piece | tuple[events.News, bool]] = deque(maxlen=MOST_LOG)
        """What the log is worded from: news, and whether we had been away; texts that are as they are."""
        self.last_event = ""
        self.notice = ""
        """Why a key was refused, or what it did; stands until the next key."""
        self.notice_is_no = False
        self._notice_until = 0.0
        """Until when it stands while others move; 0: until the next move."""
        self._noticed_at = 0.0
        self._moment: tuple[int, int, bool, object] | None = None
        self.query: Query | None = None
        self.query_cursor = 0
        self._abreast = 0
        """How many of its choices stand side by side, as it was drawn last."""
        self._guarded_until = 0.0
        self._guards_trick = False
        """What is guarded is the lead after a trick that was taken."""
        self.grand_cursor = 1
        """Which answer to Grand Tichu lies under the cursor: no, until another is chosen."""
        self._answer: Callable[[Any], None] = lambda _value: None
        self._ask_again: Callable[[], None] = lambda: None
        """Translator the open question anew, in the language of now."""
        self.said: dict[str, Any] = {}
        self.call_next = False
        self.pass_ahead = False
        self.gifts: list[int | None] = [None, None, None]
        self.gift_at = 0
        self.received: dict[int, str] = {}
        self.fresh: frozenset[int] = frozenset()
        """What was drawn, or came otherwise, since our last turn ended: marked in the hand."""
        self.before: Card | None = None
        self.named_by: Seat | None = None
        """Whose play named the suit or the rank that counts."""
        self.since: deque[events.Moved] = deque(maxlen=MOST_SINCE)
        """What the others did since our last turn, draws in a row as one."""
        self.checked: list[events.DealChecked] = []
        self.paused: events.Paused | None = None
        self.paused_at = 0.0
        self.accused: events.Accused | None = None
        self.broken: events.Broken | None = None
        self.ended: events.MatchEnded | None = None
        self.sheet = Sheet()
        self.may_rematch = playing.seat is not None
        """Whether another match at this table can be had when it is over."""
        self.shows_sheet = False
        self._sheet_since = self._sheet_from = 0.0
        """Since when it shows the round that ended, and from when on it covers the table."""
        self._help_told = ""
        """The level of hints that the table was told last."""
        self.between_rounds = False
        self.is_void = False
        """The round that is over counts for nobody."""
        self.is_ready = False
        self.is_last_round = False
        """The round that is over was the last: the match's end follows at once."""
        self.next_round_at: float | None = None
        self.in_flight = False
        self.turn_since = clock()
        self.deadline: tuple[Seat, float] | None = None
        self.grace: tuple[Seat, float] | None = None
        self.away_since: dict[Seat, float] = {}
        self.bots: events.BotsNews | None = None
        """What happened last to the bots that we keep, if anything did."""
        self.last_move: events.Moved | None = None
        """The move that came last in this round."""
        self.draws: events.Moved | None = None
        """The same, with what the same seat drew just before."""
        self.deeds: dict[Seat, deque[str]] = {}
        self.notes: dict[Seat, tuple[str, float]] = {}
        """What somebody has just said, and until when it stands at the seat."""
        self.passed: set[Seat] = set()
        """Who has passed since the last card of this trick."""
        self._hint_at = -1
        self._bomb_at = -1
        self._asked_leave = -100.0
        self._auto_at: float | None = None
        self._is_by_itself = False
        """Our trick is being taken, or the Mah Jong shown, without a key of ours."""
        self._rang_for: object = None
        self._urged_for: tuple[Seat, float] | None = None
        self._position: Position | None = None
        self._is_known = False
        self.moves_seen = 0
        self.tips_seen: frozenset[str] = ALL
        """What this person was told in earlier turns, those of earlier matches included."""
        self.tip = ""
        """The tip of this turn, by its name."""
        self._was_ours = False
        self._flash: tuple[float, Seat, Card] | None = None
        self._is_small = False
        """The window had room for no log when it was last drawn."""
        self._is_back = False
        """Told anew how things stand: we were away."""
        self.evening: tuple[Finished, ...] = ()
        """The matches of this evening that are over, this one included."""

    @property
    def _(self) -> Translator:
        """At the table the player's own keys stand in what is said."""
        return own_words(self.settings.lang, self.settings.keys)

    def _names(self) -> list[str]:
        return [player.name for player in self.playing.players]

    def _renew(self) -> None:
        """Players come and go, and the language may be another now."""
        names = self._names()
        if self._spoken is not self._ or self._is_spelled != self.settings.ascii_only:
            self._spoken, self._is_spelled = self._, self.settings.ascii_only
            self.narrator, self.cards = narrator_of(
                self._, self.playing.game, names, self.playing.seat, self._is_spelled
            )
            self.narrator.names = names
            self._word_anew()
            if self.query is not None:
                field, cursor = self.query.field, self.query_cursor
                self._ask_again()
                if self.query is not None and self.query.field == field:
                    self.query_cursor = cursor
        self.narrator.names = names

    @property
    def position(self) -> Position | None:
        """How things stand for our seat; computed once until something happens."""
        if not self._is_known:
            # A real table may not have been dealt yet.
            view = self.playing.view()
            self._position = position_of(self.playing, self.cards.sort) if view and "hand_sizes" in view else None
            self._is_known = True
        return self._position

    def view_now(self) -> Data:
        """The table as our news have told it: a table may be a step ahead of what it has told."""
        position = self.position
        return position.view if position is not None else self.playing.view()

    def _order(self, cards: Any) -> Sequence[Card]:
        match self.sorting:
            case "rank":
                return by_rank(cards)
            case "kind":
                return by_kind(cards)
            case "dealt":
                return by_arrival(cards)
            case _suit if self.is_tichu:
                return tuple(sorted(by_rank(cards), key=lambda card: card[1] if len(card) == 2 else ""))
            case _suit:
                return self.cards.sort(cards)

    @property
    def sheet_is_up(self) -> bool:
        """The score sheet covers the table: a moment after the round's last play, which is to be seen first."""
        return self.shows_sheet and self.clock() >= self._sheet_from

    @property
    def sheet_is_due(self) -> bool:
        """The round's last play is looked at: the score sheet comes in a moment."""
        return self.shows_sheet and not self.sheet_is_up

    def _is_asked_ready(self) -> bool:
        """Whether the next round waits for our word."""
        return self.between_rounds and not self.is_last_round and self.playing.seat is not None

    @property
    def hints(self) -> str:
        """How much help with the hand our player has: what they want, or as much of it as this table allows."""
        wanted = self.settings.hints
        return "legal" if wanted == "suggest" and not self.playing.facts.suggest else wanted

    def is_moving(self) -> bool:
        return self._flash is not None and self.clock() - self._flash[0] < FLASH_S

    def _phase(self) -> object:
        position = self.position
        return position.view.get("phase") if self.is_tichu and position is not None and position.must_act else None

    def tell(self, text: str, ink: str = "text") -> None:
        """An entry of the log that is no news of the table."""
        if text:
            self._heard.append((text, ink))
            self._log((text, ink))

    def _tell_news(self, news: events.News, is_back: bool = False) -> None:
        last, newest = self._heard[-1][0] if self._heard else None, news
        if isinstance(last, events.Moved) and isinstance(news, events.Moved) and self.log:
            together = drawn_together(self.narrator, last, news)
            if together is not None:  # one entry for what somebody draws one after the other
                self._heard.pop()
                self.log.pop()
                news = together
        pieces = told_in_log(self.narrator, self.cards, news, is_back)
        if pieces:  # what is not worded parts no draws
            self._heard.append((news, is_back))
        self._log(*pieces)
        if isinstance(newest, events.Moved) and newest is not news and newest.seat == self.playing.seat:
            # The log has all that we drew; the event beside the prompt names the card that is new.
            self.last_event = told_in_log(self.narrator, self.cards, newest)[-1][0]

    def _log(self, *pieces: Piece) -> None:
        for piece in pieces:
            self.log.append(piece)
            self.last_event = piece[0]

    def _word_anew(self) -> None:
        """The log in another language."""
        heard = list(self._heard)
        self.log.clear()
        for first, second in heard:
            if isinstance(first, str):
                self._log((first, str(second)))
            else:
                self._log(*told_in_log(self.narrator, self.cards, first, bool(second)))

    def _say_no(self, sentence: str) -> None:
        self.notice, self.notice_is_no, self._notice_until = sentence, True, 0.0
        self._noticed_at = self.clock()

    def _say(self, sentence: str) -> None:
        """What a key did."""
        self.notice, self.notice_is_no, self._notice_until = sentence, False, 0.0
        self._noticed_at = self.clock()

    def tell_note(self, sentence: str, seconds: float = NOTE_S) -> None:
        """Something to be read, by the session around the table or about a player."""
        self.notice, self.notice_is_no = sentence, False
        self._notice_until = self.clock() + seconds

    def _hush(self) -> None:
        self.notice, self._notice_until = "", 0.0

    def _forget_question(self) -> None:
        self.query = None

    def _drop_question(self) -> None:
        """The table has moved on, and its questions with it; whether to leave may still be answered."""
        if self.query is None or self.query.field != "leave":
            self._forget_question()

    def _title(self) -> str:
        return game_title(self._, self.playing.game.name)

    def _next_round(self) -> str:
        """How long the pause between rounds lasts at most."""
        if self.next_round_at is None:
            return ""
        left = max(0, round(self.next_round_at - self.clock()))
        if left > LONG_PAUSE_S:
            return ""  # it waits for us
        return self._("the next round in {seconds} s at the latest", seconds=left)

    def _below(self) -> tuple[str, str, str]:
        """Head, prompt and mood of the prompt line."""
        raise NotImplementedError

    def _beneath(self) -> tuple[str, str, str]:
        """The same on a page over the table, where the table's keys do something else or nothing."""
        raise NotImplementedError
