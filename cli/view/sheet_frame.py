"""What stands around the score sheet: what comes next, and what can be done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from cli.view.page import Below
from cli.view.scores import ScoredRounds, ScoredTable
from cli.view.views import Frame, Offer, Piece

if TYPE_CHECKING:
    from cli.news import Accused


class Rounds(ScoredRounds, Protocol):
    """Where the match stands."""

    is_last: bool
    is_ready: bool
    may_rematch: bool


class SheetTable(ScoredTable, Protocol):
    """A table, as far as the score sheet's frame tells of it."""

    accused: Accused | None

    @property
    def rounds(self) -> Rounds: ...
    @property
    def is_asked_ready(self) -> bool: ...


def sheet_frame(table: SheetTable, below: Below, next_round: str, answer: tuple[str, bool] | None = None) -> Frame:
    """`below` tells what goes on while a round is played; `next_round`: when the next one begins; `answer`: what an input has
    just led to, and whether it was refused."""
    _, sheet = table._, table.rounds.sheet
    head, prompt, mood = _prompt(table, below, next_round)
    if answer is not None:
        head, (prompt, is_no) = "", answer
        mood = "no" if is_no else "turn"
    right: tuple[Piece, ...] = ()
    if sheet.rounds:
        rounds, is_fair = _.n("{n} round", "{n} rounds", len(sheet.rounds)), table.checked and table.accused is None
        right = ((f"{rounds} · {_('all proven fair')}", "ok") if is_fair else (rounds, "text"),)
    name = table.playing.facts.name
    title = _("Scores · {table}", table=name) if name else _("Scores")
    return Frame(title, "", right, head, prompt, mood, actions=_offers(table))


def _prompt(table: SheetTable, below: Below, next_round: str) -> Below:
    _, rounds = table._, table.rounds
    if rounds.ended is not None and not rounds.may_rematch:
        return "", _("The match is over · Esc: to the lobby"), "turn"
    if rounds.ended is not None:
        return "", _("The match is over · Enter: rematch · Esc: to the lobby"), "turn"
    if not rounds.is_between:
        return below
    if rounds.is_last:
        return "", _("The match is over: all sign the result…"), "wait"
    told, mood = _("The round is over"), "wait"
    if table.playing.seat is not None:
        told, mood = (_("You are ready"), "wait") if rounds.is_ready else (_("Enter: ready for the next round"), "turn")
    return "", " · ".join(part for part in (told, next_round) if part), mood


def _offers(table: SheetTable) -> tuple[Offer, ...]:
    _, is_watching = table._, table.playing.seat is None
    if table.rounds.ended is not None:
        rematch = [Offer("play", _("rematch"))] if table.rounds.may_rematch else []
        others = [
            Offer("other-game", _("other game")),
            Offer("report", _("proof")),
            Offer("replay", _("replay")),
            Offer("export", _("export")),
        ]
        return (*rematch, *([] if is_watching else others), Offer("escape", _("lobby")))
    is_asked = table.is_asked_ready
    return (
        Offer("play", _("ready") if is_asked else _("back to the table")),
        Offer("report", _("proof")),
        *([Offer("escape", _("table"))] if is_asked else []),
        Offer("log", _("log")),
        *([] if is_watching else [Offer("chat", _("chat"))]),
        Offer("leave", _("leave")),
    )
