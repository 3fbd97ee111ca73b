"""The fairness report: what was checked on this machine, who took part, and what nobody can prove."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from cli.games.explain import explain
from cli.news import Do, has_company
from cli.terminal.canvas import Action
from cli.text import Translator
from cli.view.checks import check_about, check_text, took_text
from cli.view.hint_levels import helped
from cli.view.presenter import PagePresenter
from cli.view.views import Cap, Line

if TYPE_CHECKING:
    from cli.news import Accused, Followed
    from cli.view.table.state import TableState
    from protocol.cards import Seat


class ReportPage(PagePresenter):
    """The page on V; E saves the proof, D tells how each thing was proven."""

    has_details = False

    has_proof = True
    """There is a transcript here to save: who looks on keeps none."""

    def other(self, pressed: str) -> None:
        if pressed in ("e", "E") and self.has_proof:
            self.extra("export")
        elif pressed in ("d", "D") and any(cap.key == "D" for cap in self.caps):
            self.extra("details")
        elif pressed in ("v", "V"):
            self.closed = True
        else:
            super().other(pressed)

    def extra(self, name: str) -> None:
        if name == "export":
            self.effects.append(Do("export", ""))
            self.closed = True
        elif name == "details":
            self.has_details = not self.has_details


def evidence_text(_: Translator, accused: Accused) -> str:
    """Whether others can be shown what a failed check found."""
    if accused.provable:
        return _("The signed evidence is in the transcript: anybody can check it.")
    return _("There is no evidence that a third person could check.")


def report_page(table: TableState) -> ReportPage:
    _ = table._
    is_ours = table.playing.facts.followed is None
    caps: tuple[Cap, ...] = (Cap("E", _("save proof"), Action("export")),)
    if (table.checked and table.checked[-1].steps) or table.playing.checks():
        caps = (*caps, Cap("D", _("details"), Action("details")))
    page = ReportPage(
        table.settings,
        table.clock,
        table._title,
        lambda: (
            table._("Fair deal, checked on your machine")
            if table.accused is None and is_ours
            else table._("What all may see, checked on your machine")
            if table.accused is None
            else table._("A check on your machine failed")
        ),
        lambda _columns: report_lines(table, page.has_details),
        table._beneath,
        caps if is_ours else (),
    )
    page.has_proof = is_ours
    return page


def deck_lines(table: TableState, shuffled_by: Iterable[Seat]) -> list[Line]:
    """The deck, and who has shuffled it."""
    _, who = table._, table.narrator
    deck = table.playing.game.deck
    decks = min(deck.count(card) for card in set(deck))  # of some cards, like jokers, each deck holds several
    told = [_.n("One deck of {cards} cards", "{n} decks: {cards} cards", decks, cards=len(deck))]
    told += [who.did(seat, "You shuffled; the proof holds", "{name} shuffled; the proof holds") for seat in shuffled_by]
    return [(("✓ ", "ok"), (text, "text")) for text in told]


def followed_lines(table: TableState, followed: Followed) -> list[Line]:
    """To who looks on: what this machine has checked of the signed transcript since its beginning."""
    _ = table._
    if not followed.shuffles:
        return [((_("The cards are being shuffled: their proofs are checked as they come."), "text"),)]
    lines = deck_lines(table, followed.shuffled_by)
    told = [_.n("{n} message signed by its sender", "{n} messages signed by their senders", followed.signatures)]
    told.append(_.n("{n} shuffle proven in all", "{n} shuffles proven in all", followed.shuffles))
    if followed.shares:
        told.append(_.n("{n} card unlocked with proof", "{n} times a card unlocked with proof", followed.shares))
    if followed.rounds:
        told.append(
            _.n(
                "{n} round checked once more, with all hands open",
                "{n} rounds checked once more, with all hands open",
                followed.rounds,
            )
        )
    lines += [(("✓ ", "ok"), (text, "text")) for text in told]
    if table.accused is not None:
        return lines
    lines.append((("", "text"),))
    lines.append(
        ((_("No one alone, the host included, could see the players’ cards; no one could pick them."), "strong"),)
    )
    closed = _("Hands stay closed to you. When a round is over they are opened, and what they hid is checked.")
    lines.append(((closed, "text"),))
    lines.append(((_("Not proven: the timing of moves, and talk outside the program."), "dim"),))
    return lines


def report_lines(table: TableState, has_details: bool = False) -> tuple[Line, ...]:
    """Exact in wording: who took part and what was proven, and what was not."""
    _, who = table._, table.narrator
    lines: list[Line] = []
    if table.accused is not None:
        accused = table.accused
        lines.append(((_("✗ A CHECK FAILED: {name}", name=who.name(accused.seat)), "alarm"),))
        lines.append(((explain(_, accused.reason, table.cards, who.names), "alarm"),))
        lines.append(((evidence_text(_, accused), "text"),))
        lines.append((("", "text"),))
    if not table.checked and table.accused is not None:
        return tuple(lines)
    if (followed := table.playing.facts.followed) is not None:
        return (*lines, *followed_lines(table, followed))
    if not table.checked:
        lines.append(((_("No deal has been checked here: cards came from this program’s own dealer."), "text"),))
        return tuple(lines)
    last = table.checked[-1]
    lines += deck_lines(table, last.shuffled_by)
    for check in (*last.steps, *table.playing.checks()):
        lines.append((("✓ ", "ok"), (f"{check_text(_, check)}  ", "text"), (took_text(_, check), "dim")))
        if has_details:
            lines.append((("    ", "dim"), (check_about(_, check), "dim")))
    if last.took_ms:
        lines.append(((_("From the proven deck to your cards in hand: {ms} ms.", ms=round(last.took_ms)), "dim"),))
    else:
        lines.append(((_("This deal was checked here before you left."), "dim"),))
    if table.accused is not None:
        return tuple(lines)
    lines.append((("", "text"),))
    lines.append(((_("No one alone, the host included, could see your cards; no one could pick them."), "strong"),))
    lines.append(((_("Not proven: the timing of moves, and talk outside the program."), "dim"),))
    for player in table.playing.players:
        if player.through:
            lines.append(
                ((_("{name} plays through {keeper}’s machine.", name=player.name, keeper=player.through), "dim"),)
            )
    for seat, player in enumerate(table.playing.players):
        if player.hints:
            lines.append(((_("Hints: {told}", told=helped(who, seat, player.hints)), "dim"),))
    if table.playing.facts.words and has_company(table.playing):
        lines.append((("", "text"),))
        lines.append(
            (
                (
                    _(
                        "The table’s words: {words}. Compare them aloud once.",
                        words=" ".join(table.playing.facts.words),
                    ),
                    "gold",
                ),
            )
        )
    return tuple(lines)
