"""The fairness report: what was checked on this machine, who took part, and what nobody can prove."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from cli.games.explain import explain
from cli.news import Accused, Do, Followed, has_company
from cli.text import Translator
from cli.view.checks import check_about, check_text, took_text
from cli.view.commands import REPORT
from cli.view.effects import Close
from cli.view.hint_levels import helped
from cli.view.inputs import Act, Input
from cli.view.model import Effects
from cli.view.page import Below, Page
from cli.view.table.table import Table
from cli.view.views import Line, Offer
from protocol.cards import Seat


class ReportPage(Page):
    """It also saves the proof, and tells how each thing was proven."""

    place = REPORT

    def __init__(self, table: Table, below: Callable[[], Below]) -> None:
        super().__init__(table.settings, lambda: table.title, self._heading, self._report, below, opened_by="report")
        self.table = table
        self.has_details = False

    def _heading(self) -> str:
        _ = self._
        if self.table.accused is not None:
            return _("A check on your machine failed")
        if self.table.playing.facts.followed is None:
            return _("Fair deal, checked on your machine")
        return _("What all may see, checked on your machine")

    def _report(self) -> tuple[Line, ...]:
        return report_lines(self.table, self.has_details)

    def offers(self) -> tuple[Offer, ...]:
        """Who watches keeps no transcript to save."""
        if self.table.playing.facts.followed is not None:
            return ()
        checked = self.table.checked
        has_steps = bool((checked and checked[-1].steps) or self.table.playing.checks())
        details = (Offer("details", self._("details")),) if has_steps else ()
        return (Offer("export", self._("save proof")), *details)

    def update(self, given: Input) -> Effects:
        match given:
            case Act("export"):
                return (Do("export", ""), Close())
            case Act("details"):
                self.has_details = not self.has_details
                return ()
            case _other:
                return super().update(given)


def evidence_text(_: Translator, accused: Accused) -> str:
    """Whether others can be shown what a failed check found."""
    if accused.provable:
        return _("The signed evidence is in the transcript: anybody can check it.")
    return _("There is no evidence that a third person could check.")


def deck_lines(table: Table, shuffled_by: Iterable[Seat]) -> list[Line]:
    """The deck, and who has shuffled it."""
    _, who = table._, table.at.narrator
    deck = table.playing.game.deck
    decks = min(deck.count(card) for card in set(deck))  # of some cards, like jokers, each deck holds several
    told = [_.n("One deck of {cards} cards", "{n} decks: {cards} cards", decks, cards=len(deck))]
    told += [who.did(seat, "You shuffled; the proof holds", "{name} shuffled; the proof holds") for seat in shuffled_by]
    return [(("✓ ", "ok"), (text, "text")) for text in told]


def followed_lines(table: Table, followed: Followed) -> list[Line]:
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


def report_lines(table: Table, has_details: bool = False) -> tuple[Line, ...]:
    """Exact in wording: who took part and what was proven, and what was not."""
    _, who = table._, table.at.narrator
    lines: list[Line] = []
    if table.accused is not None:
        accused = table.accused
        lines.append(((_("✗ A CHECK FAILED: {name}", name=who.name(accused.seat)), "alarm"),))
        lines.append(((explain(_, accused.reason, table.at.cards, who.names), "alarm"),))
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
