"""The prompt line of a table: whose turn it is, what can be done, and whom we wait for."""

from __future__ import annotations

from typing import NamedTuple

from cli.games.base.prompts import elapsed
from cli.games.base.replies import Query
from cli.games.base.telling import moved
from cli.games.registry import face_of
from cli.games.titles import game_title
from cli.view.in_room import is_same_game
from cli.view.partings import awaited_told, offered_told, sits_down_told
from cli.view.table.table import TableParts


class Prompt(NamedTuple):
    """What stands bold before it, the sentence, its mood, and what happened last where that stands behind it."""

    head: str
    text: str
    mood: str
    event: str = ""
    needs_event: bool = False


def newest_event(table: TableParts) -> str:
    """What happened last; while the round's last play is looked at, that play."""
    if table.rounds.is_due and table.log.draws is not None:
        return table._.join(moved(table.at.narrator, table.log.draws))
    return table.log.last_event


def prompt(table: TableParts) -> Prompt:
    """As it stands now."""
    _, at, rounds = table._, table.at, table.rounds
    query = table.question.query
    if table.notice.text and not (is_urgent(table) and query is None):
        return Prompt("", table.notice.text, "no" if table.notice.is_no else "turn")
    if (stopped := _stopped(table)) is not None:
        return stopped
    if table.offered is not None and table.is_watching:
        return Prompt("", offered_told(_, table.offered, is_watching=True), "turn")
    if (vacancy := table.vacancy) is not None and table.broken is None:
        parts, left_s = [_("Waiting for somebody to take the empty seat")], vacancy.until - table.clock()
        if left_s > 0:
            time = elapsed(left_s)
            parts.append(
                _("a bot comes in {time}", time=time) if vacancy.by_bot else _("the match ends in {time}", time=time)
            )
        parts += [_("{@bomb:let a bot play}")] if table.fills_seats else []
        return Prompt("", " · ".join(filter(None, (*parts, vacancy.because))), "wait")
    position = at.position
    if position is None:
        if table.is_watching and table.sits_down():
            return Prompt("", sits_down_told(_), "wait", table.log.last_event)
        if table.is_watching and at.view and rounds.is_between:
            return Prompt("", _between(table), "wait", table.log.last_event)
        if table.is_watching and at.view:
            return Prompt("", " · ".join((_waiting(table), *_asleep(table))), "wait", table.log.last_event)
        return Prompt("", _("Everyone is shuffling, and every shuffle is being checked…"), "wait")
    if query is not None:
        return Prompt(_("YOUR CHOICE"), query.title, "turn")
    if rounds.is_due:
        event = newest_event(table)
        told = " · ".join(filter(None, (_("The round is over"), _("{@play:scores}"))))
        return Prompt("", told, "turn" if event else "wait", event, needs_event=True)
    if rounds.is_between:
        return Prompt("", _between(table), "wait")
    if position.must_act and not at.in_flight:
        if (standing := table.face.question()) is not None:
            return Prompt(_("YOUR CHOICE"), standing.title, "turn")
        told = table.face.described() or table.face.prompt(table.timers.by_itself_s())
        told = " · ".join(part for part in (left_text(table), told) if part)
        return Prompt(_("YOUR TURN"), told, "turn", table.log.last_event)
    return _others_turn(table)


def next_game(table: TableParts) -> str:
    """Say that something else is played next than was played last: nobody is ready for what they have not seen."""
    _, rounds = table._, table.rounds
    if rounds.room is None or rounds.room_at_first is None:
        return ""
    room = rounds.room.room
    if room.game != table.playing.game.name:
        return _("next: {game}", game=game_title(_, room.game))
    return "" if is_same_game(rounds.room_at_first.room, room) else _("the next match has other rules")


def way_back(table: TableParts) -> str:
    """Where the end of the match leads to, in a word."""
    return table._("lobby") if table.rounds.room is None else table._("room")


def way_back_told(table: TableParts) -> str:
    """What leads away from a match that is over."""
    _ = table._
    return _("{@play:lobby}") if table.rounds.room is None else _("{@play:back to the room}")


def _stopped(table: TableParts) -> Prompt | None:
    """Where the table does not go on."""
    _ = table._
    if table.accused is not None and table.broken is None:
        return Prompt(
            "", _("A check failed: the table is frozen · {@report:details} · {@export:save the evidence}"), "alarm"
        )
    if table.broken is not None and table.accused is not None:
        told = _("A check failed: the match is over · {@export:save evidence} · {back}", back=way_back_told(table))
        return Prompt("", told, "alarm")
    if table.broken is not None and table.broken.may_return:
        return Prompt("", _("You can’t play on for now · {@play:lobby}, then {@resume} to rejoin later"), "alarm")
    if table.broken is not None:
        told = _("The match was stopped · {back} · {@report:proof}", back=way_back_told(table))
        return Prompt("", told, "alarm")
    if table.playing.reconnecting is not None:
        told = _("You lost the connection to the other players. Reconnecting…")
        if table.playing.seat is None:
            told = _("The connection to the table is lost. Reconnecting…")
        if table.playing.reconnecting.is_offline:
            told = _("You are offline. Your seat and your cards are kept.")
        return Prompt("", told, "wait")
    if (paused := table.paused) is not None:
        return Prompt("", awaited_told(table.at.narrator, paused), "wait")
    return None


def _between(table: TableParts) -> str:
    _, rounds = table._, table.rounds
    if rounds.is_last:
        return _("The match is over: everyone is signing the result…")
    over = _("The round doesn’t count: no points") if rounds.is_void else _("The round is over")
    ready = (
        "" if table.is_watching else _("you are ready") if rounds.is_ready else _("{@play:ready for the next round}")
    )
    return " · ".join(part for part in (over, ready) if part)


def _waiting(table: TableParts) -> str:
    """Whom we wait for, and for how long."""
    timers = table.timers
    deadline = timers.deadline
    is_limited = deadline is not None and deadline[0] == table.at.view.turn and timers.grace is None
    left_s = timers.left_s(deadline) if deadline is not None and is_limited else None
    # 0 where their time runs down in sight already.
    waited_s = 0.0 if clock_piece(table) is not None else timers.waited_s()
    return table.face.prompts.waiting(waited_s, left_s)


def _others_turn(table: TableParts) -> Prompt:
    _, at, grace = table._, table.at, table.timers.grace
    told = _("Sending…") if at.in_flight else _waiting(table)
    if grace is not None:
        told = table.face.grace_told(grace[0], round(table.timers.left_s(grace)))
    head, urgent = table.face.urgent()
    if head:
        return Prompt(head, urgent, "turn")
    return Prompt("", " · ".join((told, *_asleep(table), *table.face.aside())), "wait", table.log.last_event)


def _asleep(table: TableParts) -> list[str]:
    """Whose phone we wait for that nobody looks at."""
    name = table.at.narrator.name
    return [table._("{name}’s phone is asleep", name=name(seat)) for seat in table.sleepers]


def clock_piece(table: TableParts) -> tuple[str, str] | None:
    """The clock, unless nobody's time runs any more."""
    return None if table.accused is not None or table.broken is not None else table.timers.piece()


def is_urgent(table: TableParts) -> bool:
    return not table.at.in_flight and table.timers.is_urgent(table.playing.seat)


def left_text(table: TableParts) -> str:
    """What becomes of us when our time is up, and when; empty while there is enough of it."""
    position, deadline = table.at.position, table.timers.deadline
    if not is_urgent(table) or deadline is None or position is None:
        return ""
    what = face_of(position.game).by_itself(table._, table.at.cards, position, table.at.may_tell)
    return table._("{seconds} s left, then {what}", seconds=round(table.timers.left_s(deadline)), what=what)


def confirms(table: TableParts, query: Query) -> tuple[str, ...]:
    """What is said while each choice is about to be made, in words: the box tells it by colour only."""
    _ = table._
    told = []
    for option in query.options:
        label = option.choice.label
        usual = _("{answer}: {@play} to confirm · {@back:back}", answer=label[:1].upper() + label[1:])
        told.append(option.confirm or usual)
    return tuple(told)


def beneath(table: TableParts) -> tuple[str, str, str]:
    """Head, prompt and mood on a page over the table, where the table's keys do something else or nothing."""
    _ = table._
    now = prompt(table)
    whole = " · ".join(part for part in (now.text, now.event) if part) if not now.head else now.text
    if table.notice.text and not is_urgent(table):
        return (now.head, whole, now.mood)
    if table.accused is not None:
        return ("", _("A check failed · {@back:table}"), "alarm")
    if table.broken is not None:
        return ("", _("The match was stopped · {@back:table}"), "alarm")
    if table.playing.reconnecting is None and (paused := table.paused) is not None:
        return ("", awaited_told(table.at.narrator, paused), "wait")
    if now.head:
        return (now.head, " · ".join(part for part in (left_text(table), _("{@back:table}")) if part), now.mood)
    if table.rounds.is_between:
        return ("", _("The round is over"), now.mood)
    return ("", whole, now.mood)
