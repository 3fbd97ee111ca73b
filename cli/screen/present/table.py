"""A table on the screen: news come in, keys and clicks come in; views and effects go out. No terminal, no network, no clock of
its own. `state` holds what is known, `timing` and `news` change it, `questions`, `deeds` and `controls` what can be done,
`sights` what lies over the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from cli.clean import width
from cli.plain.by_itself import by_itself
from cli.plain.explain import explain
from cli.plain.names import last_word
from cli.plain.position import Position
from cli.playing import Moved
from cli.screen.layout import Size, has_room, size_of
from cli.screen.present import prompts, seats
from cli.screen.present.asking import Query
from cli.screen.present.combos import capital, combo_of, described
from cli.screen.present.middle import pile_of, trick_of
from cli.screen.present.presenter import FLASH_S
from cli.screen.present.prompts import elapsed
from cli.screen.present.recap import recap
from cli.screen.present.sights import TableSights
from cli.screen.present.timing import URGENT_S
from cli.screen.present.wording import moved
from cli.screen.views import Flash, Frame, HandCard, Piece, TableView, View
from protocol.cards import DOG, Card
from protocol.games.game import Data


class TablePresenter(TableSights):
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

    def _newest_event(self) -> str:
        """What happened last; while the round's last play is looked at, that play."""
        if self.sheet_is_due and self.draws is not None:
            return self._.join(moved(self.narrator, self.draws))
        return self.last_event

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

    def _waited_s(self) -> float:
        """For how long who is in turn has been thinking; 0 where their time runs down in sight already."""
        return 0.0 if self._clock_piece() is not None else self.clock() - self.turn_since

    def _waiting_text(self, view: Data) -> str:
        """Whom we wait for, and for how long."""
        is_limited = self.deadline is not None and self.deadline[0] == view.get("turn") and self.grace is None
        left_s = max(0.0, self.deadline[1] - self.clock()) if self.deadline is not None and is_limited else None
        count = len(self.playing.players)
        return prompts.waiting(self._, self.narrator, view, self._waited_s(), count, left_s)

    def _clock_piece(self) -> Piece | None:
        deadline = self.grace or self.deadline
        if deadline is None or self.accused is not None or self.broken is not None:
            return None  # nobody's time runs any more
        left = max(0, round(deadline[1] - self.clock()))
        return elapsed(left), "alarm" if left < 5 else "gold" if left < 10 else "text"

    def _below(self) -> tuple[str, str, str]:
        """Head, prompt and mood of the prompt line."""
        _ = self._
        if self.notice and not (self._is_urgent() and self.query is None):
            return ("", self.notice, "no" if self.notice_is_no else "turn")
        if self.accused is not None and self.broken is None:
            return ("", _("A check failed: the table is frozen · V shows which · E saves the evidence"), "alarm")
        if self.broken is not None and self.accused is not None:
            return ("", _("A check failed: the match is over · E saves the evidence · Enter: to the lobby"), "alarm")
        if self.broken is not None:
            return ("", _("The match was broken off · Enter: to the lobby · V: what was checked"), "alarm")
        if self.playing.reconnecting is not None:
            return ("", _("The others cannot be reached: your link is lost, and is tried again and again"), "wait")
        if self.paused is not None:
            names = self.narrator.everyone(self.paused.awaited)
            if self.paused.left_s is None:
                return ("", _("Paused: waiting for {names}", names=names), "wait")
            return ("", _("Paused: waiting for {names} · W wait · G go on without", names=names), "wait")
        view, position = self.view_now(), self.position
        if position is None:
            if self.playing.seat is None and view:
                told = self._waiting_text(view)
                return ("", " · ".join(part for part in (told, self.last_event) if part), "wait")
            return ("", _("Shuffling: all players do, and every shuffle is checked…"), "wait")
        if self.query is not None and self.query.field == "leave" and self.is_unseen:
            return ("", _("Ctrl-C: yes, the seat is kept · Esc: stay"), "turn")
        if self.query is not None:
            return (_("YOUR CHOICE"), self._chosen_text(self.query, self.query_cursor), "turn")
        if self.sheet_is_due:
            event = "" if self._is_small else self._newest_event()
            return ("", " · ".join(filter(None, (_("The round is over"), _("Enter: the scores"), event))), "wait")
        if self.between_rounds and self.is_last_round:
            return ("", _("The match is over: all sign the result…"), "wait")
        if self.between_rounds:
            over = _("The round is void, nobody scores") if self.is_void else _("The round is over")
            ready = (
                ""
                if self.playing.seat is None
                else _("you are ready")
                if self.is_ready
                else _("Enter: ready for the next")
            )
            return ("", " · ".join(part for part in (over, ready) if part), "wait")
        if position.must_act and not self.in_flight:
            picked = self._described(position)
            if self._phase() == "grand" and (auto := self._auto_query()) is not None:
                return (_("YOUR CHOICE"), self._chosen_text(auto[0], self.grand_cursor), "turn")
            no_hints = self.settings.hints == "off"
            told = picked or prompts.my_turn(_, self.cards, position, self.call_next, no_hints, self.by_itself_s())
            if urgent := self._left_text():
                told = " · ".join((urgent, told))
            return (_("YOUR TURN"), told, "turn")
        parts = [self._waiting_text(view)]
        if self.in_flight:
            parts = [_("Your move is on its way…")]
        if self.grace is not None:
            left = max(0, round(self.grace[1] - self.clock()))
            takes_for_us = self.playing.seat is not None and (self.grace[0] - self.playing.seat) % 2 == 0
            if self._can_bomb(position) and not takes_for_us:
                parts = [_("The trick is taken in {seconds} s: bomb now or never", seconds=left)]
            else:
                who = self.narrator
                told = who.did(self.grace[0], "You take the trick ({n} s)", "{name} takes the trick ({n} s)", n=left)
                parts = [told]
        if self.pass_ahead:
            parts.append(_("you pass ahead (P or X: no)"))
        if "tichu" in position.verbs and self._can_bomb(position):
            parts.append(_("B bombs at once"))
        if "call" in position.verbs:
            return (_("NOW"), _("Say “{word}”: O", word=last_word(_, position.game.words)), "turn")
        if self.last_event:
            parts.append(self.last_event)
        return ("", " · ".join(parts), "wait")

    def _beneath(self) -> tuple[str, str, str]:
        _ = self._
        if self.notice and not self._is_urgent():
            return self._below()
        if self.accused is not None:
            return ("", _("A check failed · Esc: to the table"), "alarm")
        if self.broken is not None:
            return ("", _("The match was broken off · Esc: to the table"), "alarm")
        if self.playing.reconnecting is None and self.paused is not None:
            return ("", _("Paused: waiting for {names}", names=self.narrator.everyone(self.paused.awaited)), "wait")
        head, prompt, mood = self._below()
        if head:
            back, left = _("Esc: to the table"), self._left_text()
            return (head, " · ".join(part for part in (left, back) if part), mood)
        if self.between_rounds:
            return ("", _("The round is over"), mood)
        return (head, prompt, mood)

    def _left_text(self) -> str:
        """What becomes of us when our time is up, and when; empty while there is enough of it."""
        position = self.position
        if not self._is_urgent() or self.deadline is None or position is None:
            return ""
        left = max(0, round(self.deadline[1] - self.clock()))
        what = by_itself(self._, self.cards, position, self.settings.hints != "off")
        return self._("In {seconds} s {what}", seconds=left, what=what)

    def _is_urgent(self) -> bool:
        """Our own time is nearly up."""
        deadline = self.deadline
        return (
            deadline is not None
            and deadline[0] == self.playing.seat
            and not self.in_flight
            and deadline[1] - self.clock() <= URGENT_S
        )

    def _described(self, position: Position) -> str:
        """What is picked, live: Tichu's combinations by name, of other games what Enter plays."""
        chosen = self.holding.chosen
        if not self.is_tichu:
            return self._enter_plays(position) if chosen else ""
        if not chosen or position.view.get("phase") != "play":
            return ""
        top = combo_of(position.view)
        text = described(self._, self.cards, chosen, position, top)
        picking = self._picking()
        if picking is not None and chosen != (DOG,):
            reason = picking.refusal({"do": "play", "cards": list(chosen)})
            if reason is None:
                return self._("{combo} · Enter plays it", combo=text)
        return text

    def _enter_plays(self, position: Position) -> str:
        """What Enter does with the picked cards; empty where they cannot be played, or nobody may say so."""
        _, chosen, picking = self._, self.holding.chosen, self._picking()
        if picking is None or self.settings.hints == "off":
            return ""
        if not picking.feasible_somehow(chosen):
            return ""
        shown, left = self.cards.row(chosen), len(position.hand) - len(chosen)
        word = "" if self.call_next else prompts.word_due(_, position, chosen)
        if word:
            return _("Enter plays {cards} · O says “{word}”", cards=shown, word=word)
        if not left:
            return _("Enter plays {cards}: you are out", cards=shown)
        return _("Enter plays {cards}", cards=shown)

    def _chosen_text(self, query: Query, cursor: int) -> str:
        """What Enter takes now, in words: the box tells it by colour only."""
        _ = self._
        if not query.options:
            return query.title
        option = query.options[cursor % len(query.options)]
        if query.field == "wish":
            if option.value is None:
                return _("No wish: Enter plays it so")
            return _("{rank}: Enter wishes for it", rank=capital(self.cards.rank_name(option.value)))
        if query.field == "grand":
            return _("{answer}: Enter takes it · Y or N chooses", answer=capital(option.choice.label))
        return _("{answer}: Enter takes it · Esc goes back", answer=capital(option.choice.label))

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
            parts.append(_("with the word (O)"))
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
