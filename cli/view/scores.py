"""The score sheet: points round by round, what was left in hand, what was checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING

from cli.client.evening import evening_lines
from cli.games.narrator import hand_in
from cli.terminal.canvas import Action
from cli.terminal.draw.lists import most_top, score_facts
from cli.view.table.combos import capital
from cli.view.table.tichu_score import account, so_far
from cli.view.table.wording import moved
from cli.view.views import Cap, Frame, Line, Piece, ScoreView
from protocol.cards import Card
from protocol.games.eights import Eights
from protocol.games.game import AnyGame, Data
from protocol.games.mau_mau import MauMau

if TYPE_CHECKING:
    from cli.view.table.state import TableState


class Sheet:
    """What the rounds so far brought."""

    def __init__(self) -> None:
        self.rounds: list[tuple[int, ...]] = []
        self.scores: tuple[int, ...] = ()
        self.top = 0
        """The first fact that is shown, where they have not room all."""
        self.last: Data = {}
        self._most = 0
        self._page = 1

    def round_ended(self, game: AnyGame, view: Data) -> None:
        self.last, self.top = view, 0
        points: Sequence[int] | None = view.get("round_points")
        if points is not None:
            self.rounds.append(tuple(points))
        self.scores = tuple(view.get("scores") or ())

    def scroll(self, pressed: str) -> bool:
        """An arrow or its like goes through the facts; False where all of them are seen."""
        steps = {"up": -1, "down": 1, "pageup": -self._page, "pagedown": self._page, "home": -1 << 20, "end": 1 << 20}
        if not self._most or pressed not in steps:
            return False
        self.top = max(0, min(self._most, self.top + steps[pressed]))
        return True

    def view(self, table: TableState, columns: int = 80, rows: int = 24) -> ScoreView:
        """As it stands, in a window of this size."""
        shown = self._whole(table)
        lines, room = score_facts(shown, columns, rows)
        self._most, self._page = most_top(lines, room), max(1, room - 2)
        self.top = min(self.top, self._most)
        return replace(shown, top=self.top)

    def _whole(self, table: TableState) -> ScoreView:
        _, game = table._, table.playing.game
        scores = self.scores or tuple(table.playing.view().get("scores") or ())
        # A match that ends after so many rounds has no winner in its view; its scores tell who leads.
        won_by = table.ended.view.get("winner") if table.ended is not None else ()
        winners = tuple(game.winners(scores) if won_by is None and scores else won_by or ())
        rows = []
        for number, team in enumerate(game.teams):
            name = capital(table.narrator.team(number))
            if len(team) == 1:
                name = table.narrator.name(team[0])
                name = _("{name} (you)", name=name) if team[0] == table.playing.seat else name
            points = tuple(str(each[number]) if number < len(each) else "" for each in self.rounds)
            total = scores[number] if number < len(scores) else 0
            rows.append((name, points, total, any(seat in winners for seat in team)))
        better = -1 if not game.few_points_win else 1
        rows.sort(key=lambda row: (not row[3], better * row[2]))
        won = sum(row[3] for row in rows)
        wins = _("DRAW") if won == len(rows) > 1 else _("WINS")
        return ScoreView(
            self._frame(table),
            self._heading(table),
            tuple(_("R{n}", n=number) for number in range(1, len(self.rounds) + 1)),
            tuple((name, points, str(total), wins if is_first else "") for name, points, total, is_first in rows),
            _("Total"),
            self._facts(table),
            won,
            more=(_("more ↓"), _("↑ back")),
        )

    def _heading(self, table: TableState) -> str:
        _, options = table._, table.playing.game.options
        name = table._title()
        target = options.get("target")
        if target and table.playing.game.few_points_win:
            return _("{game}, until somebody has {target}: fewest points win", game=name, target=target)
        told = _("{game}, first to {target}", game=name, target=target) if target else name
        rounds = table.playing.facts.rounds
        return _.n("{match}, {n} round at most", "{match}, {n} rounds at most", rounds, match=told) if rounds else told

    def _frame(self, table: TableState) -> Frame:
        _ = table._
        head, prompt, mood = "", "", "wait"
        caps: list[Cap] = []
        if table.notice:
            prompt, mood = table.notice, "no" if table.notice_is_no else "turn"
        elif table.ended is not None and not table.may_rematch:
            prompt, mood = _("The match is over · Esc: to the lobby"), "turn"
        elif table.ended is not None:
            prompt, mood = _("The match is over · Enter: rematch · Esc: to the lobby"), "turn"
        elif table.between_rounds and table.is_last_round:
            prompt = _("The match is over: all sign the result…")
        elif table.between_rounds and table.playing.seat is None:
            prompt = " · ".join(part for part in (_("The round is over"), table._next_round()) if part)
        elif table.between_rounds and table.is_ready:
            prompt = _("You are ready")
            prompt = " · ".join(part for part in (prompt, table._next_round()) if part)
        elif table.between_rounds:
            prompt, mood = _("Enter: ready for the next round"), "turn"
            prompt = " · ".join(part for part in (prompt, table._next_round()) if part)
        else:
            head, prompt, mood = table._below()
        if table.ended is not None and table.playing.seat is None:
            caps = [Cap("Esc", _("lobby"), Action("key", "escape"))]
        elif table.ended is not None:
            rematch = (Cap("Enter", _("rematch"), Action("key", "enter")),) if table.may_rematch else ()
            caps = [
                *rematch,
                Cap("G", _("other game"), Action("key", "g")),
                Cap("V", _("proof"), Action("report")),
                Cap("R", _("replay"), Action("key", "r")),
                Cap("E", _("export"), Action("key", "e")),
                Cap("Esc", _("lobby"), Action("key", "escape")),
            ]
        else:
            is_asked = table._is_asked_ready()
            label = _("ready") if is_asked else _("back to the table")
            caps = [
                Cap("Enter", label, Action("key", "enter")),
                Cap("V", _("proof"), Action("report")),
                *((Cap("Esc", _("table"), Action("key", "escape")),) if is_asked else ()),
                Cap("L", _("log"), Action("log")),
                *((Cap("/", _("chat"), Action("chat")),) if table.playing.seat is not None else ()),
                Cap(_("Ctrl-Q"), _("leave"), Action("leave")),
            ]
        right: tuple[Piece, ...] = ()
        if self.rounds:
            rounds, is_fair = _.n("{n} round", "{n} rounds", len(self.rounds)), table.checked and table.accused is None
            right = ((f"{rounds} · {_('all proven fair')}", "ok") if is_fair else (rounds, "text"),)
        name = table.playing.facts.name
        title = _("Scores · {table}", table=name) if name else _("Scores")
        return Frame(title, "", right, head, prompt, mood, tuple(caps), table.cap("help"))

    @staticmethod
    def _counted(table: TableState, cards: Sequence[Card]) -> str:
        """Cards with what each of them counts, where the game counts cards one by one: "8♠ 50 · 3♣ 3"."""
        ordered = table.cards.sort(cards)
        game = table.playing.game
        if not isinstance(game, Eights):
            return " ".join(table.cards.short(card) for card in ordered)
        # No line ends between a card and its points, nor before the sum.
        shown = "\u00a0· ".join(f"{table.cards.short(card)}\u00a0{game.card_cost(card)}" for card in ordered)
        return shown if len(cards) < 2 else f"{shown}\u00a0=\u00a0{sum(game.card_cost(card) for card in cards)}"

    def _how_it_ended(self, table: TableState) -> str:
        """Who went out with which card, or in which order all did; that nobody could play any more."""
        _, view, narrator = table._, self.last, table.narrator
        out: Sequence[int] = view.get("out") or ()
        if view.get("ended") == "blocked":
            return _("Nobody could play any more.")
        if table.is_tichu and table.last_move is not None:
            return _.join(moved(narrator, table.last_move))  # the sheet covers the table before it was seen there
        if table.is_tichu or not out:
            return ""
        if len(out) > 1:
            order = _("Out in this order: {names}", names=_.list(narrator.who(seat) for seat in out))
            return _.join([*(moved(narrator, table.last_move) if table.last_move is not None else ()), order])
        if (top := view.get("top")) is None:
            return ""
        told = narrator.did(
            out[-1], "You went out with {card}.", "{name} went out with {card}.", card=table.cards.short(top)
        )
        game = table.playing.game
        if isinstance(game, MauMau) and game.is_doubled(view.get("ended"), top):
            told = _.join([told, _("A jack at the end counts all double.")])
        return told

    def _facts(self, table: TableState) -> tuple[Line, ...]:
        _ = table._
        lines: list[Line] = []
        left: list[Line] = []
        if table.between_rounds or table.ended is not None:
            ended = self._how_it_ended(table)
            lines += [((ended, "text"),), (("", "text"),)] if ended else []
        for seat in range(len(table.playing.players)):
            cards = hand_in(self.last, seat)
            if cards:
                shown = self._counted(table, cards)
                left.append(((f"  {table.narrator.who(seat)}  ", "strong"), (shown, "text")))
        if left and (table.between_rounds or table.ended is not None):
            lines += [((_("Left in hand this round"), "gold"),), *left, (("", "text"),)]
        if table.is_tichu:
            counted = account(_, table.playing.game, table.narrator, self.last)
            if not table.between_rounds and table.ended is None:
                counted = so_far(_, table.playing.game, table.narrator, table.view_now())
            lines += [*counted, (("", "text"),)] if counted else []
        if table.evening:
            told = evening_lines(_, table.evening)
            lines += [((_("Evening so far"), "gold"),), *(((f"  {line}", "text"),) for line in told)]
            lines.append((("", "text"),))
        if table.checked:
            total = round(sum(each.took_ms for each in table.checked))
            # Who was away knows neither how long it took nor how many moves there were.
            checked = (
                " · ".join(
                    (
                        _("✓ Deals checked: {n} in {ms} ms", n=len(table.checked), ms=total),
                        _.n("{n} move signed", "{n} moves signed", table.moves_seen),
                    )
                )
                if all(each.took_ms for each in table.checked)
                # Those before a return were checked, too: our own votes for them say so.
                else _("✓ Deals checked: {n}, all in order", n=max(len(table.checked), len(self.rounds)))
            )
            lines.append(((checked, "ok"),))
        if table.ended is not None and table.ended.verified is not None:
            lines.append(
                (
                    (_("✓ The whole transcript was checked: in order."), "ok")
                    if table.ended.verified
                    else (_("✗ The transcript was checked: NOT in order."), "alarm"),
                )
            )
        if table.ended is not None and table.ended.transcript:
            lines.append(((_("Transcript: {path}", path=PurePath(table.ended.transcript).name), "dim"),))
        return tuple(lines)
