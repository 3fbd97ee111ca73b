"""The fairness report: what was checked on this machine, who took part, and what nobody can prove."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from cli.games.explain import explain
from cli.news import Accused, Do, Followed
from cli.text import Translator
from cli.view.actions import REPORT
from cli.view.checks import check_about, check_text, computer_told, secrecy_told, took_text, trust_told
from cli.view.effects import Close, ConfirmWords
from cli.view.hint_levels import helped
from cli.view.inputs import Act, Input
from cli.view.model import Effects
from cli.view.page import Below, PageModel
from cli.view.secret_check import asks_for_words, words_told
from cli.view.table.table import TableParts
from cli.view.views import Line, Offer, PageView, Proof
from protocol.cards import Seat
from protocol.values import replace


class ReportPage(PageModel):
    """It also saves the proof, and tells how each thing was proven."""

    place = REPORT

    def __init__(self, table: TableParts, below: Callable[[], Below]) -> None:
        super().__init__(table.settings, lambda: table.title, self._heading, self._report, below, opened_by="report")
        self.table = table
        self.has_details = False

    def _heading(self) -> str:
        _ = self._
        if self.table.accused is not None:
            return _("A check on your computer failed")
        if self.table.playing.facts.followed is None:
            return _("Fair deal, checked on this phone") if self._is_phone else _("Fair deal, checked on your computer")
        return _("Public information, checked on your computer")

    @property
    def _is_phone(self) -> bool:
        me = self.table.playing.seat
        return me is not None and self.table.playing.players[me].is_phone

    def _report(self) -> tuple[Line, ...]:
        return report_lines(self.table, self.has_details)

    def view(self) -> PageView:
        return replace(super().view(), proof=proof_of(self.table, self._heading(), self.has_details))

    def offers(self) -> tuple[Offer, ...]:
        """Watchers have no transcript to save."""
        if self.table.playing.facts.followed is not None:
            return ()
        checked = self.table.checked
        has_steps = bool((checked and checked[-1].steps) or self.table.playing.checks())
        details = (Offer("details", self._("details")),) if has_steps else ()
        words = (Offer("words-match"),) if asks_for_words(self.table.playing) else ()
        return (*words, Offer("export", self._("save proof")), *details)

    def update(self, given: Input) -> Effects:
        match given:
            case Act("export"):
                return (Do("export", ""), Close())
            case Act("words-match"):
                return (ConfirmWords(),)
            case Act("details"):
                self.has_details = not self.has_details
                return ()
            case _other:
                return super().update(given)


def evidence_text(_: Translator, accused: Accused) -> str:
    """Whether others can be shown what a failed check found."""
    if accused.provable:
        return _("The signed evidence is in the transcript, so anyone can check it.")
    return _("There is no evidence that others could check.")


def deck_lines(table: TableParts, shuffled_by: Iterable[Seat]) -> list[Line]:
    """The deck, and who has shuffled it."""
    _, who = table._, table.at.narrator
    deck = table.playing.game.deck
    decks = min(deck.count(card) for card in set(deck))  # of some cards, like jokers, each deck holds several
    told = [_.n("One deck of {cards} cards", "{n} decks, {cards} cards in total", decks, cards=len(deck))]
    told += [who.did(seat, "You shuffled (proof valid)", "{name} shuffled (proof valid)") for seat in shuffled_by]
    return [(("✓ ", "ok"), (text, "text")) for text in told]


def followed_lines(table: TableParts, followed: Followed) -> list[Line]:
    """For watchers: what this computer has checked of the signed transcript since its beginning."""
    _ = table._
    if not followed.shuffles:
        return [((_("The cards are being shuffled. Each proof is checked as it arrives."), "text"),)]
    lines = deck_lines(table, followed.shuffled_by)
    told = [_.n("{n} signed message checked", "{n} signed messages checked", followed.signatures)]
    told.append(_.n("{n} shuffle proven in total", "{n} shuffles proven in total", followed.shuffles))
    if followed.shares:
        told.append(_.n("{n} card unlock proven", "{n} card unlocks proven", followed.shares))
    if followed.rounds:
        told.append(
            _.n(
                "{n} round rechecked with all hands open",
                "{n} rounds rechecked with all hands open",
                followed.rounds,
            )
        )
    lines += [(("✓ ", "ok"), (text, "text")) for text in told]
    if table.accused is not None:
        return lines
    lines.append((("", "text"),))
    if no_one := secrecy_told(_, table.playing):
        lines.append(((no_one, "strong"),))
    closed = _("You can’t see the hands. After each round they are opened, and everything hidden is checked too.")
    lines.append(((closed, "text"),))
    lines.append(((_("Not proven: the timing of moves, and talk outside the game."), "dim"),))
    return lines


def about_players(table: TableParts) -> list[Line]:
    """Through whose computers they play, and how much help they take."""
    _, who = table._, table.at.narrator
    lines: list[Line] = []
    for seat, player in enumerate(table.playing.players):
        is_told = seat == table.playing.seat and player.is_phone  # by the trust that it needs
        if not is_told and (where := computer_told(_, table.playing, player)):
            lines.append(((where, "dim"),))
    for seat, player in enumerate(table.playing.players):
        if player.hints:
            lines.append(((_("Hints: {told}", told=helped(who, seat, player.hints)), "dim"),))
    return lines


def proof_of(table: TableParts, heading: str, has_details: bool) -> Proof | None:
    """The report of a deal at which nothing was wrong, in parts; None for any other."""
    _, playing, who = table._, table.playing, table.at.narrator
    if table.accused is not None or playing.facts.followed is not None or not table.checked:
        return None
    last = table.checked[-1]
    trust, secrecy = trust_told(_, playing), secrecy_told(_, playing)
    notes: list[Line] = [((secrecy, "text"),)] if secrecy else []
    notes.append(((_("Not proven: the timing of moves, and talk outside the game."), "dim"),))
    words = words_told(_, playing)
    return Proof(
        _("Everyone shuffled. No player could peek.") if trust or secrecy else heading,
        _("{n} cards", n=len(playing.game.deck)),
        tuple((who.who(seat), playing.players[seat].bot, seat == playing.seat) for seat in last.shuffled_by),
        _("Each player shuffled the locked deck once, in turn."),
        _("Checked on this phone") if trust else _("Checked on your computer"),
        tuple(
            (check_text(_, check), took_text(_, check), check_about(_, check) if has_details else "")
            for check in (*last.steps, *playing.checks())
        ),
        trust,
        (*([((words, "gold"),)] if words else []), *notes, *about_players(table)),
    )


def report_lines(table: TableParts, has_details: bool = False) -> tuple[Line, ...]:
    """Exact in wording: who took part and what was proven, and what was not."""
    _, who = table._, table.at.narrator
    lines: list[Line] = []
    if table.accused is not None:
        accused = table.accused
        lines.append(((_("✗ CHECK FAILED: {name}", name=who.name(accused.seat)), "alarm"),))
        lines.append(((explain(_, accused.reason, table.at.cards, who.names), "alarm"),))
        lines.append(((evidence_text(_, accused), "text"),))
        lines.append((("", "text"),))
    if not table.checked and table.accused is not None:
        return tuple(lines)
    if (followed := table.playing.facts.followed) is not None:
        return (*lines, *followed_lines(table, followed))
    if not table.checked:
        lines.append(((_("There is nothing to check: this program dealt the cards itself."), "text"),))
        return tuple(lines)
    last = table.checked[-1]
    lines += deck_lines(table, last.shuffled_by)
    for check in (*last.steps, *table.playing.checks()):
        lines.append((("✓ ", "ok"), (f"{check_text(_, check)}  ", "text"), (took_text(_, check), "dim")))
        if has_details:
            lines.append((("    ", "dim"), (check_about(_, check), "dim")))
    if not last.took_ms:
        lines.append(((_("This deal was checked on this computer before you left."), "dim"),))
    if table.accused is not None:
        return tuple(lines)
    lines.append((("", "text"),))
    if nobody := secrecy_told(_, table.playing):
        lines.append(((nobody, "strong"),))
    lines.append(((_("Not proven: the timing of moves, and talk outside the game."), "dim"),))
    if trust := trust_told(_, table.playing):
        lines.append(((trust, "text"),))
    lines += about_players(table)
    if told := words_told(_, table.playing):
        lines += [(("", "text"),), ((told, "gold"),)]
    return tuple(lines)
