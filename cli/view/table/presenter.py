"""A table on the screen: news come in, keys and clicks come in; views and effects go out. No terminal, no network, no clock of
its own. `state` holds what is known, `timing` and `news` change it, `questions`, `deeds` and `controls` what can be done,
`sights` what lies over the table, `prompting` what the line below it says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from cli.clean import width
from cli.games.cards import last_word
from cli.games.explain import explain
from cli.news import Moved
from cli.terminal.draw.dialogs import choices_abreast
from cli.terminal.layout import Size, dialog_columns, has_room, size_of
from cli.view.position import Position
from cli.view.presenter import FLASH_S
from cli.view.table import seats
from cli.view.table.middle import pile_of, trick_of
from cli.view.table.prompting import TablePrompt
from cli.view.table.prompts import elapsed
from cli.view.table.recap import recap
from cli.view.views import Flash, Frame, HandCard, Piece, TableView, View
from protocol.cards import Card
from protocol.games.game import Data


class TablePresenter(TablePrompt):
    """One seat at one table (or a watcher): how it looks."""

    @property
    def window_title(self) -> str:
        position = self.position
        about = self.playing.facts.name or self._title()
        if position is not None and position.must_act and not self.in_flight:
            return self._("Your turn - {table}", table=about)
        return about

    def is_told_in_lines(self, columns: int, rows: int) -> bool:
        if self.overlay is not None:
            return super().is_told_in_lines(columns, rows)
        return has_room(columns, rows)

    def own_view(self, columns: int, rows: int) -> View:
        self._renew()
        _ = self._
        self._is_small = size_of(columns, rows) is Size.SMALL
        if self.sheet_is_up and self.query is None:
            return self.sheet.view(self, columns, rows)
        view = self.view_now()
        position = self.position
        players = self.playing.players
        now = self.clock()
        away = {seat: elapsed(now - since) for seat, since in self.away_since.items()}
        for seat, player in enumerate(players):
            if player.away:
                away.setdefault(seat, "")
        turn = view.get("turn")
        notes = {seat: _("passes") for seat in self.passed if seat != turn} | {
            seat: text for seat, (text, _until) in self.notes.items()
        }
        if self.paused is not None:
            missing_s = self.paused.since_s + now - self.paused_at
            away |= {
                seat: elapsed(missing_s) for seat in self.paused.awaited if seat in away
            }  # as the box over it says
            notes |= {seat: _("goes on") for seat in self.paused.agreed}
        hand = self._hand_cards(position)
        recapped = self._recap(columns) if self._is_small and not self.is_tichu else ()
        dialog = self._dialog(view)
        if dialog is not None:
            self._abreast = choices_abreast(dialog, dialog_columns(columns, rows))
        is_over = self.accused is not None or self.paused is not None or self.broken is not None
        is_over = is_over or self.playing.reconnecting is not None
        return TableView(
            frame=self._frame(view, position),
            seats=seats.tiles(
                self._, self.playing.game, view, players, self.narrator.names, self.playing.seat, notes, away
            ),
            me=self.playing.seat,
            hand=hand,
            heading=self._heading(hand, view),
            sorting=self._sorting_text() if hand else "",
            picked=self._picked_text(position),
            chip=self._own_chip(view),
            legend=self._legend(hand),
            log=tuple(self.log),
            log_title=self._("Log & chat"),
            log_hint=_("/ chat") if self.playing.seat is not None else "",
            last_event=self._newest_event(),
            recap=recapped,
            pile=None
            if self.is_tichu
            else pile_of(
                self._,
                self.playing.game,
                self.cards,
                view,
                self.before,
                position if position and position.must_act else None,
                self.narrator,
                self.named_by,
            ),
            trick=trick_of(
                self._,
                self.playing.game,
                self.cards,
                self.narrator,
                view,
                self.playing.seat,
                position,
                self.settings.shown.kanji,
                self.dog,
                self.out_winner,
            )
            if self.is_tichu
            else None,
            dialog=dialog,
            dimmed=is_over and self.query is None,
            flash=self._flashed(),
            tip=self.tip_cap() if dialog is None else None,
        )

    def _recap(self, columns: int) -> tuple[Piece, ...]:
        """What was done since our last move; of what stands below it as the last event only what has no room there."""
        since = list(self.since)
        last: object = self.last_move if self.sheet_is_due else self._heard[-1][0] if self._heard else None
        if not since or not isinstance(last, Moved) or last.seat != since[-1].seat:
            return recap(self.narrator, self.cards, since)
        is_cut = width(self._newest_event()) > columns - 2
        return recap(self.narrator, self.cards, since[:-1], since[-1] if is_cut else None)

    def _flashed(self) -> Flash | None:
        """The card that is on its way to the pile."""
        if self._flash is None or not self.is_moving():
            return None
        at, seat, card = self._flash
        step = 0 if self.clock() - at < FLASH_S / 2 else 1
        return Flash(seat, self.cards.face(card, self.settings.shown.kanji), step, seat == self.playing.seat)

    def _frame(self, view: Data, position: Position | None) -> Frame:
        _ = self._
        head, prompt, mood = self._below()
        event = self.last_event if head == _("YOUR TURN") else ""
        if self._is_small and mood == "wait" and self.last_event and prompt.endswith(f" · {self.last_event}"):
            # In a small window it stands above the hand, where there is a row for it.
            prompt, event = prompt.removesuffix(f" · {self.last_event}"), self.last_event
        right: list[Piece] = []
        if self.accused is None and self.checked:
            last = self.checked[-1]
            # Who comes back knows that the deal was checked, and no longer how long that took.
            text = (
                _("✓ fair deal {ms} ms · all {n} shuffled", ms=round(last.took_ms), n=len(last.shuffled_by))
                if last.took_ms
                else _("✓ fair deal · all {n} shuffled", n=len(last.shuffled_by))
            )
            right.append((text, "ok"))
        elif self.accused is not None:
            right.append((_("✗ check failed"), "alarm"))
        clock = self._clock_piece()
        if clock is not None:
            right.append(clock)
        subtitle = [_("round {number}", number=self.round)] if self.round else []
        target = self.playing.game.options.get("target")
        if target:
            subtitle.append(_("to {target}", target=target))
        if self.playing.facts.name:
            subtitle.insert(0, self.playing.facts.name)
        if self.playing.seat is None:
            subtitle.append(_("watching"))
        elif onlookers := self.playing.onlookers:
            subtitle.append(_.n("{n} watching", "{n} watching", onlookers))
        banner = ""
        if self.accused is not None:
            reason = explain(_, self.accused.reason, self.cards, self.narrator.names)
            banner = _("CHEATING: {name}. {reason}", name=self.narrator.name(self.accused.seat), reason=reason)
        return Frame(
            self._title(),
            " · ".join(subtitle),
            tuple(right),
            head,
            prompt,
            mood,
            self._caps(position),
            self.cap("help"),
            banner,
            event,
        )

    def _own_chip(self, view: Data) -> str:
        me = self.playing.seat
        return seats.call_chip(self._, (view.get("calls") or {}).get(str(me)), me or 0, view.get("out") or ())

    def _legend(self, hand: Sequence[HandCard]) -> str:
        """Told where cards differ."""
        differ = any(card.fits for card in hand) and not all(card.fits for card in hand)
        return self._("bright cards can be played") if differ and self.paused is None else ""

    def _heading(self, hand: Sequence[HandCard], view: Data) -> str:
        if self.playing.seat is None:
            return self._("You are watching: only what is public is shown")
        out = list(view.get("out") or ())
        if self.playing.seat in out:
            if not self.is_tichu:  # the place stands at our seat
                return self._("No cards left: the others play on") if view.get("turn") is not None else ""
            return self._("You are out: {place}", place=self._(seats.ORDINALS[out.index(self.playing.seat)]))
        return self._("Your hand · {n}", n=len(hand))

    def _sorting_text(self) -> str:
        _ = self._
        match self.sorting:
            case "rank":
                return _("sorted by rank (S)")
            case "kind":
                return _("sorted by combination (S)")
            case "dealt":
                return _("as dealt (S)")
            case _suit:
                return _("sorted by suit (S)")

    def _picked_text(self, position: Position | None) -> str:
        _ = self._
        if self._phase() == "give":
            return _("picked: {n} of 3", n=sum(each is not None for each in self.gifts))
        chosen = self.holding.chosen
        parts: list[str] = []
        if chosen:
            parts.append(_("picked: {cards}", cards=self.cards.row(chosen)))
        if self.call_next:
            words = self.playing.game.words
            parts.append(_("with “{word}” (O or X: no)", word=last_word(_, words, chosen)))
        if self.pass_ahead:
            parts.append(_("passing ahead (P or X: no)"))
        return " · ".join(parts)

    def _hand_cards(self, position: Position | None) -> tuple[HandCard, ...]:
        if position is None:
            return ()
        fitting = self._fitting(position)
        kanji = self.settings.shown.kanji
        cursor = self.holding.cursor
        marks = self._marks()
        return tuple(
            HandCard(
                self.cards.face(held.card, kanji),
                fitting is None or held.card in fitting or held.id in self.holding.picked,
                fitting is not None and held.card in fitting,
                held.id in self.holding.picked,
                place == cursor and self.query is None,
                marks.get(held.id, ""),
                held.card[1] if self.sorting == "suit" and len(held.card) == 2 else held.card[0],
                held.id in self.fresh,
            )
            for place, held in enumerate(self.holding.cards)
        )

    def _marks(self) -> dict[int, str]:
        if self._phase() == "give":
            return {held: str(place + 1) for place, held in enumerate(self.gifts) if held is not None}
        return dict(self.received) | dict.fromkeys(self.fresh, self._("NEW"))

    def _fitting(self, position: Position) -> frozenset[Card] | None:
        """What can be played now, with what is picked already where that fits; None where all cards are alike."""
        if self.settings.hints == "off":
            return None
        if self.accused is not None or self.broken is not None:
            return frozenset()
        if not position.must_act or self._phase() in ("grand", "give", "show", "collect") or self.in_flight:
            return None
        if self.query is not None and self.query.field != "leave":
            return None  # which cards are played is settled by now
        chosen = self.holding.chosen
        if not chosen:
            return position.playable
        wanted: Counter[Card] = Counter(chosen)
        found: set[Card] = set()
        for move in position.plays:
            cards: Counter[Card] = Counter(move["cards"])
            if wanted <= cards:
                found.update(cards)
        return frozenset(found) or position.playable
