"""What a player does at the table; each action is refused with the reason where the rules or the moment forbid it."""

from __future__ import annotations

from cli.clean import clean
from cli.games.base.prompts import elapsed
from cli.games.base.replies import LeaveTable, Move, Query, QueryOption
from cli.games.shown import Choice
from cli.news import Do, Say
from cli.news.emotes import CHAT_CELLS, EMOTES, is_no_emote
from cli.view.effects import AskText, BeReady, CastVote, Leave, ShowModel
from cli.view.hint_levels import helped
from cli.view.in_room import only_the_host
from cli.view.inputs import Act, Choose, Input, Pick, PlayNow, Type
from cli.view.model import Effects
from cli.view.partings import can_only_wait, goodbye_told
from cli.view.table.pages import page
from cli.view.table.prompting import next_game
from cli.view.table.table import TableParts
from protocol.cards import Seat
from protocol.messages import Opinion

SORTED_S = 3.0
"""How long the new order of the hand is shown."""
ON_SHEET = frozenset({"report", "log", "help", "settings", "chat", "leave", "refuse"})
"""Actions that mean the same on the score sheet."""


def do(table: TableParts, given: Input) -> Effects:
    """An input of the player's."""
    table.notice.hush()
    if isinstance(given, Act) and given.name == "leave":
        table.guard.lift()
        return _leave(table)
    stood = _stands(table)
    effects = _do(table, given)
    if given == Act("look") or stood != _stands(table) or any(isinstance(effect, ShowModel) for effect in effects):
        table.guard.lift()  # a refused action has prepared no play
    return effects


def _stands(table: TableParts) -> tuple[object, ...]:
    return (table.hand.chosen, table.question.number, table.question.query is None, table.face.has_prepared())


def _do(table: TableParts, given: Input) -> Effects:
    name = given.name if isinstance(given, Act) else ""
    is_go = isinstance(given, PlayNow) or name == "play"
    if table.offered is not None and table.is_watching and is_go:
        return (Do("take-seat"),)
    if table.vacancy is not None and table.fills_seats and name == "bomb":
        return (Do("fill-seat"),)
    if table.rounds.is_due and table.question.query is None and (is_go or isinstance(given, Pick) or name == "escape"):
        table.rounds.show()
        table.guard.lift()
        return ()
    if table.sheet_is_up and name not in ON_SHEET and not isinstance(given, Type):
        return _on_sheet(table, "play" if is_go else name)
    match given:
        case Choose(key):
            return _choose(table, int(key))
        case Type(text):
            return _spoke(table, text)
        case _ if table.question.query is not None and name in ("escape", "clear", "unpick-last"):
            return _take_back_question(table, name)
        case Pick(card):
            return _pick(table, card)
        case PlayNow(cards):
            return _play(table, cards)
        case Act("play"):
            return _play(table, ())
        case Act(name, arg):
            return _act(table, name, arg)
        case _other:
            return ()


def _act(table: TableParts, name: str, arg: object) -> Effects:
    _, face, notice = table._, table.face, table.notice
    match name:
        case "look" if not table.hand.cards and not _cannot_act(table):
            notice.refuse(_("You have no cards."))
        case "refuse":
            notice.refuse(str(arg))
        case "export" if table.accused is not None:
            return (Do("export", ""),)
        case "escape" if table.broken is not None:
            return (Do(table.rounds.way_back),)
        case "escape" if (standing := face.question()) is not None and standing.no_escape:
            notice.refuse(standing.no_escape)
        case "escape" if not _has_prepared(table):
            notice.refuse(_("Nothing is picked. {@leave:leave the table}."))
        case "clear" if not _has_prepared(table):
            notice.refuse(_("Nothing is picked."))
        case "clear" | "escape":
            if told := face.clear():
                notice.say(told)
            table.hand.clear()
        case "unpick-last" if not table.hand.picked:
            notice.refuse(_("Nothing is picked."))
        case "unpick-last":
            table.hand.unpick_last()
        case "vote" | "vote-no" | "unvote":
            return _vote(table, name)
        case "seat" if isinstance(arg, int):
            return _seat_clicked(table, arg)
        case "sort":
            _sort(table)
        case "hint" if not _cannot_act(table):
            if not table.at.may_tell:
                notice.refuse(_("Hints are off. Press {@settings} to turn them on."))
                return ()
            return table.take(face.hint())
        case "chat" if not table.may_chat:
            notice.refuse(_("You are watching: you can’t play here."))
        case "chat":
            return (AskText(_("Say"), initial=str(arg or ""), offers=tuple(EMOTES), field="chat"),)
        case "log" | "report" | "help" | "settings":
            return (ShowModel(page(table, name)),)
        case "scores":
            table.rounds.show()
            table.guard.lift()
            table.rounds.keep()
            return (Do("evening", 0.0),)
        case _ if name in face.actions and not _cannot_act(table):
            return table.take(face.act(name, arg))
        case _other:
            pass
    return ()


OPINIONS = {"vote": Opinion.FOR, "vote-no": Opinion.AGAINST, "unvote": Opinion.NONE}


def _vote(table: TableParts, name: str) -> Effects:
    """Vote on playing on without the missing players."""
    _, paused = table._, table.pause.news
    if paused is None:
        table.notice.refuse(_("Nobody is missing: there is nothing to vote on."))
    elif paused.left_s is None:
        table.notice.refuse(_("Too few players would be left to play on."))
    elif paused.left_s > table.pause.passed_s:
        left = elapsed(paused.left_s - table.pause.passed_s)
        table.notice.refuse(_("You can vote to play on in {time}.", time=left))
    elif name not in {offer.name for offer in table.pause.offers(table.playing.seat)}:
        table.notice.refuse(_("You have no vote to take back.") if name == "unvote" else _("You have voted already."))
    else:
        return (CastVote(OPINIONS[name]),)
    return ()


# --- cards ---


def _cannot_act(table: TableParts) -> bool:
    """Say why nothing can be done now, if nothing can."""
    position, rounds, _ = table.at.position, table.rounds, table._
    told = ""
    if table.is_watching:
        told = _("You are watching: you can’t play here.")
    elif table.accused is not None:
        told = _("A check failed, so the table is frozen. Press {@report} for details.")
    elif table.broken is not None or rounds.ended is not None:
        told = _("The match is over.")
    elif table.at.in_flight:
        told = _("Sending your move.")
    elif position is None:
        told = _("Cards are still being dealt.")
    elif rounds.is_due:
        told = _("The round is over. Press {@play} for the scores.")
    elif rounds.is_between:
        told = _("The round is over: press {@play} when you’re ready for the next.")
    elif not position.hand and not position.verbs and table.playing.seat in position.view.out:
        told = _("You’re out. The round continues without you.")
    if told:
        table.notice.refuse(told)
    return bool(told)


def _pick(table: TableParts, card: int) -> Effects:
    """Picks a card or puts it back; once it is told that where one card is played another pick takes its place."""
    if table.question.query is not None:
        return ()
    reply = table.face.toggle(card)
    if reply is not None:
        return table.take(reply)
    takes_one, before = table.face.takes_one, table.hand.chosen
    table.hand.toggle(card, takes_one)
    now = table.hand.chosen
    if takes_one and before and now and not table.knows_one:
        table.knows_one = True
        row = table.at.cards.row
        told = table._("One card at a time: {card} instead of {other}.", card=row(now), other=row(before))
        table.notice.say(told)
    return ()


def _play(table: TableParts, cards: tuple[int, ...]) -> Effects:
    """Plays these cards, or those that are picked; or does what there is to do instead."""
    face = table.face
    if table.broken is not None:
        return (Do(table.rounds.way_back),)
    if table.is_asked_ready and table.rounds.ended is None:
        return _be_ready(table)
    if _cannot_act(table):
        return ()
    if face.takes_enter():
        return table.take(face.enter())
    alone = bool(cards) and not table.hand.picked
    if alone:
        table.hand.picked = list(cards)
    return table.take(face.resolve(face.said(), alone))


def _be_ready(table: TableParts) -> Effects:
    if table.rounds.is_ready:
        return ()
    table.rounds.is_ready = True
    return (BeReady(),)


def _has_prepared(table: TableParts) -> bool:
    return bool(table.hand.picked or table.face.has_prepared())


def _sort(table: TableParts) -> None:
    face, settings = table.face, table.settings
    table.sorting = face.sorts[(face.sorts.index(table.sorting) + 1) % len(face.sorts)]
    table.hand.sort(lambda cards: table.order(tuple(cards)))
    settings.sortings[face.sorting_setting] = table.sorting
    settings.save()
    _beside, told = face.sort_text(table.sorting)
    table.notice.note(told, SORTED_S)  # elsewhere a tip, or the picked cards, would cover it


# --- questions ---


def _choose(table: TableParts, place: int) -> Effects:
    query = table.question.query
    if query is not None:
        if not 0 <= place < len(query.options):
            return ()
        table.question.close()
        table.guard.begin()
        return table.take(query.answer(query.options[place].value))
    standing = table.face.question()
    if standing is None or not 0 <= place < len(standing.options) or _cannot_act(table):
        return ()
    reply = standing.answer(standing.options[place].value)
    if isinstance(reply, Move):
        table.guard.begin()
    return table.take(reply)


def _take_back_question(table: TableParts, name: str) -> Effects:
    query = table.question.query
    assert query is not None
    table.question.close()
    if name != "escape" and query.name != "leave":  # of this key the box has said nothing
        table.notice.say(table._("Cancelled. No card was played."))
    return ()


def _leave(table: TableParts) -> Effects:
    query = table.question.query
    is_over = table.rounds.ended is not None or table.broken is not None
    if is_over or table.is_watching or (query is not None and query.name == "leave"):
        table.question.close()
        return (Leave(False),)
    return table.take(_ask_how_to_leave(table))


def may_put_aside(table: TableParts) -> bool:
    """Whether the match can be put aside for the room: somebody is missing, and the others cannot decide to play on."""
    return table.rounds.may_go_again and can_only_wait(table.pause.news)


def _ask_how_to_leave(table: TableParts) -> Query:
    _ = table._
    return Query(
        "leave",
        _("Leave the table?"),
        (
            QueryOption("stay", Choice("S", _("Stay"))),
            QueryOption("away", Choice("A", _("Step away"), _("seat kept"))),
            *(
                [QueryOption("aside", Choice("P", _("Put it aside"), _("play something else")))]
                if may_put_aside(table)
                else []
            ),
            QueryOption("good", Choice("G", _("Quit for good"), _("give up"))),
        ),
        _("stay"),
        lines=(
            _("Step away: your seat is kept. To rejoin: {@resume} in the lobby."),
            *(
                [_("Put it aside: back to the room. The match stays unfinished, and nobody loses it.")]
                if may_put_aside(table)
                else []
            ),
            goodbye_told(_, table.playing),
        ),
        answer=lambda value: None if value == "stay" else LeaveTable(value == "good", value == "aside"),
        again=lambda: _ask_how_to_leave(table),
    )


def _seat_clicked(table: TableParts, seat: Seat) -> Effects:
    """Answers a question about players, or tells what this one did last."""
    _, query = table._, table.question.query
    if query is not None and query.chooses_seat:
        place = next((at for at, option in enumerate(query.options) if option.value == seat), None)
        if place is not None:
            return _choose(table, place)
    name, done = table.at.narrator.name(seat), table.log.actions.get(seat)
    told = _("{name} hasn’t played yet this round.", name=name)
    if done:
        deeds = ", ".join(done)
        told = (
            _("Your last moves: {deeds}.", deeds=deeds)
            if seat == table.playing.seat
            else _("{name}’s last moves: {deeds}.", name=name, deeds=deeds)
        )
    hints = helped(table.at.narrator, seat, table.playing.players[seat].hints)
    table.notice.note(_.join([told, *filter(None, (hints,))]))
    return ()


def _spoke(table: TableParts, text: str) -> Effects:
    said = clean(text, CHAT_CELLS)
    if is_no_emote(said):
        table.notice.refuse(table._("No such emote: {emotes}", emotes=" ".join(EMOTES)))
    elif said:
        return (Say(said),)
    return ()


# --- the score sheet ---


def _on_sheet(table: TableParts, name: str) -> Effects:
    """An action while the score sheet covers the table."""
    rounds, ended = table.rounds, table.rounds.ended
    match name:
        case "read":
            rounds.read()
        case "play" | "escape" if ended is not None:
            is_again = name == "play" and rounds.may_go_again and not next_game(table)
            return (Do("again" if is_again else rounds.way_back),)
        case "play" if table.is_asked_ready:
            return _be_ready(table)
        case "other-game" if rounds.room is not None and not rounds.room.is_host:
            table.notice.refuse(only_the_host(table._, rounds.room))
        case "other-game" if ended is not None:
            return (Do(rounds.way_back, "other"),)
        case "export" | "replay" if ended is not None:
            return (Do(name, ended.transcript),)
        case "play" | "escape":  # between rounds, too, Esc only goes back to the table
            rounds.shows = False
        case _other if not rounds.is_between and ended is None:
            rounds.shows = False  # the table first: nobody plays blindly
        case _other:
            pass
    return ()
