"""What news do to what is known at a table. How the log tells them, `wording` knows."""

from __future__ import annotations

from typing import assert_never

from cli import news as events
from cli.clean import clean
from cli.news import Do, News
from cli.news.emotes import shown_text
from cli.view.effects import Bell
from cli.view.model import Effects
from cli.view.partings import bot_may_come, free_for_s, seat_wanted_told, voted_on_told, went_on_told
from cli.view.table.guard import LATE_S, UNASKED_S
from cli.view.table.table import TableParts, Vacancy
from cli.view.views import Flight

STATE_RESETTING_NEWS = (
    events.RoundEnded,
    events.RoundVoid,
    events.MatchEnded,
    events.Paused,
    events.WentOn,
    events.Accused,
    events.Broken,
)
SAVED_S = 1.0
"""A match that is over stands in the journal after so long."""
SAID_S = 6.0
WAKING_S = 3.0
"""How long a player who slept is offered no turn: it may have passed, and we hear of that first."""
SKIPPED_S = 6.0


def hear(table: TableParts, news: News) -> Effects:
    """One piece of news."""
    table.renew()
    if _is_told(table, news):
        table.log.hear(news)
    effects = _take(table, news)
    return effects + table.changed() if isinstance(news, STATE_RESETTING_NEWS) else effects


def _is_told(table: TableParts, news: News) -> bool:
    """Whether the log has not said so already."""
    if isinstance(news, events.Paused):
        before = table.pause.news.awaited if table.pause.news is not None else ()
        return before != news.awaited
    return not (isinstance(news, events.Broken) and table.accused is not None)


def _take(table: TableParts, news: News) -> Effects:
    clock, rounds, timers = table.clock, table.rounds, table.timers
    match news:
        case events.RoundBegan(number, _view):
            return _round_began(table, number)
        case events.Moved():
            return _moved(table, news)
        case events.Settled():
            return table.changed()
        case events.RoundEnded():
            table.question.drop()
            rounds.round_ended(news, table.log.last_move is not None)
            if table.question.query is None:
                table.guard.begin_at(rounds.shown_from + LATE_S)
        case events.RoundVoid(held_up_by):
            rounds.is_between = rounds.is_void = True
            rounds.is_known_clean &= not held_up_by
        case events.MatchEnded():
            table.question.close()
            rounds.match_ended(news)
            return (Do("evening", SAVED_S),)
        case events.DealChecked(took_ms=took_ms):
            table.checked.append(news)
            table.log.is_back = not took_ms
        case events.Said(seat, text):
            said = table._("“{text}”", text=clean(shown_text(table._, text), 16))
            table.notes[seat] = (said, clock() + SAID_S)
        case events.Away(seat):
            table.pause.left(seat)
        case events.Back(seat):
            table.pause.came_back(seat)
        case events.BotsStopped() | events.BotsBack() | events.BotStuck():
            table.pause.bots = news
        case events.Paused():
            table.pause.hear(news)
            timers.deadline = None  # nobody's time runs while the table waits for somebody else
        case events.WentOn():
            _went_on(table, news)
        case events.Accused():
            table.accused = news
            rounds.is_known_clean = False
            table.question.close()
        case events.Overtaken():
            return table.lost(table._("Someone else was faster, so your move didn’t count."))
        case events.Grace(seat, seconds):
            timers.grace = (seat, clock() + seconds)
        case events.ClockRuns(seat, left_s):
            timers.deadline = (seat, clock() + left_s)
        case events.Broken():
            table.broken, rounds.shows = news, False  # the table says what happened, and where to go
            table.question.close()
        case events.Earlier(points=points):
            rounds.sheet.rounds = list(points)
            rounds.is_known_clean = not points
        case events.TookSeat(seat):
            table.vacancy = None
            table.pause.came_back(seat)
        case events.VotedOn():
            table.notice.note(voted_on_told(table.at.narrator, news))
            return (Bell(1),)
        case events.Asleep():
            pass  # the seat says so
        case events.SeatWanted():
            table.notice.note(seat_wanted_told(table.at.narrator, news))
        case events.WasAsleep():
            table.notice.note(table._("Your computer was asleep. One moment…"), WAKING_S)
        case events.CatchingUp(number, done):
            told = table._("Catching up: round {number} · {percent} %", number=number, percent=int(100 * done))
            table.notice.note(told, WAKING_S)
            rounds.read_on()
        case events.HintsChanged() | events.Misbehaved():
            pass
        case _:
            assert_never(news)
    return ()


def _went_on(table: TableParts, news: events.WentOn) -> None:
    """Those who are left play on; a box about somebody who is missing, or who was caught, is over."""
    table.pause.over()
    table.accused = None
    table.vacancy = None
    if news.fate is events.Fate.SHORT:
        players = table.playing.players
        by_bot = bot_may_come(players, news.without)
        because = went_on_told(table.at.narrator, news, players, table.playing.seat)[0]
        table.vacancy = Vacancy(table.clock() + free_for_s(by_bot), by_bot, because)
        if not table.rounds.is_between:
            table.rounds.is_between = table.rounds.is_void = True
    if news.fate is events.Fate.VOID:
        table.rounds.is_between = table.rounds.is_void = True
    table.at.in_flight = False
    table.question.drop()


def _round_began(table: TableParts, number: int) -> Effects:
    table.pause.over()
    table.face.round_began()
    table.fresh = frozenset()
    table.log.round_began()
    table.timers.round_began()
    table.at.in_flight = False
    table.question.drop()
    if table.rounds.began(number):
        table.guard.begin(LATE_S)  # an Enter on its way said that we are ready
    return table.changed()


def _moved(table: TableParts, news: events.Moved) -> Effects:
    seat, move, after, face = news.seat, news.move, news.after, table.face
    table.pause.over()
    table.log.moved(news)
    is_ours = seat == table.playing.seat
    if (card := face.flying(move)) is not None:
        table.flight = Flight(seat, table.at.cards.face(card, table.at.kanji), table.clock(), is_ours)
    if is_ours and (guarded := face.guarded(move)):
        # It may have been done for us while Enter was on its way.
        table.guard.begin(UNASKED_S if table.timers.is_by_itself else LATE_S, guarded == "trick")
        table.timers.is_by_itself = False
    face.moved(news)
    if face.ends_picks(move):
        table.hand.clear()
    table.timers.moved(news.before.turn, after.turn)
    if is_ours:
        table.at.in_flight = False
        if after.turn != seat or move.get("do") in ("play", "pass"):
            table.fresh = frozenset()  # what came before is known by now
    table.question.drop()
    effects = table.changed()
    _note_missing(table, news)
    prepared = face.settled(news)
    return effects + table.play(prepared) if prepared is not None else effects


def _note_missing(table: TableParts, news: events.Moved) -> None:
    """A turn taken away stands at its seat for a while; cards that nobody could give, or that a forgotten word brought us,
    stand on our own prompt line."""
    seat, move, before, after = news.seat, news.move, news.before, news.after
    _, narrator = table._, table.at.narrator
    if (missed := narrator.skipped(seat, move, after)) is not None:
        table.notes[missed] = (_("skipped"), table.clock() + SKIPPED_S)
    elif after.turn in table.notes and table.notes[after.turn][0] == _("skipped"):
        del table.notes[after.turn]  # it is their turn again
    is_ours = seat == table.playing.seat and move.get("do") == "draw"
    if is_ours and (lapsed := narrator.lapsed(seat, before, after)):
        table.notice.note(_.join(lapsed))
    if told_off := narrator.own_penalty(seat, move, before, after):
        table.notice.note(told_off)
