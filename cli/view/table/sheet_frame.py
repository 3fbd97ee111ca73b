"""What stands around the score sheet: what comes next, and what can be done."""

from __future__ import annotations

from cli.view.in_room import who_is_ready
from cli.view.page import Below
from cli.view.table.prompting import next_game, prompt, way_back, way_back_told
from cli.view.table.table import TableParts
from cli.view.views import Frame, Offer, Piece


def sheet_frame(table: TableParts) -> Frame:
    """The answer to an input stands where the prompt stands else."""
    _, sheet, notice = table._, table.rounds.sheet, table.notice
    head, told, mood = _prompt(table)
    if notice.text:
        head, told, mood = "", notice.text, "no" if notice.is_no else "turn"
    right: tuple[Piece, ...] = ()
    if sheet.rounds:
        rounds, is_fair = _.n("{n} round", "{n} rounds", len(sheet.rounds)), table.checked and table.accused is None
        right = ((f"{rounds} · {_('all proven fair')}", "ok") if is_fair else (rounds, "text"),)
    name = table.playing.facts.name
    title = _("Scores · {table}", table=name) if name else _("Scores")
    return Frame(title, "", right, head, told, mood, actions=_offers(table))


def _prompt(table: TableParts) -> Below:
    _, rounds = table._, table.rounds
    if rounds.ended is not None and not rounds.may_go_again:
        return "", _("Match over · {@back:lobby}"), "turn"
    if rounds.ended is not None and rounds.room is None:
        return "", _("Match over · {@play:again} · {@back:lobby}"), "turn"
    if rounds.ended is not None and (other := next_game(table)) and not rounds.next_has_begun:
        return "", " · ".join(filter(None, (_("Match over"), other, way_back_told(table)))), "turn"
    if rounds.ended is not None and rounds.room is not None:
        told = _("Match over · {@play:again}")
        then = _("the next match has begun") if rounds.next_has_begun else who_is_ready(_, rounds.room)
        return "", " · ".join(part for part in (told, then) if part), "turn"
    if not rounds.is_between or table.vacancy is not None:
        now = prompt(table)
        whole = " · ".join(part for part in (now.text, now.event) if part)
        return now.head, now.text if now.head else whole, now.mood
    if rounds.is_last:
        return "", _("The match is over: everyone is signing the result…"), "wait"
    told, mood = _("The round is over"), "wait"
    if not table.is_watching:
        told, mood = (
            (_("You are ready"), "wait") if rounds.is_ready else (_("{@play:ready for the next round}"), "turn")
        )
    return "", " · ".join(part for part in (told, table.next_round) if part), mood


def _offers(table: TableParts) -> tuple[Offer, ...]:
    _ = table._
    if table.rounds.ended is not None:
        told = way_back(table) if next_game(table) else _("again")
        again = [Offer("play", told)] if table.rounds.may_go_again else []
        room = table.rounds.room
        others = [
            *([Offer("other-game", _("other game"))] if room is None or room.is_host else []),
            Offer("report", _("proof")),
            Offer("replay", _("replay")),
            Offer("export", _("export")),
        ]
        back = Offer("escape", way_back(table), is_needed=True)
        return (*again, *(others if table.may_chat else []), back)
    is_asked = table.is_asked_ready
    return (
        Offer("play", _("ready") if is_asked else _("back to the table")),
        Offer("report", _("proof")),
        *([Offer("escape", _("table"))] if is_asked else []),
        Offer("log", _("log")),
        *([Offer("chat", _("chat"))] if table.may_chat else []),
        Offer("leave", _("leave")),
    )
