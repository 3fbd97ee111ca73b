"""What a player does at the table: plays, draws, calls, gives, hints."""

from __future__ import annotations

from cli.clean import clean
from cli.plain.position import Position
from cli.plain.tichu import is_bomb
from cli.screen.effects import Ready, Say
from cli.screen.present.news import CHAT_CELLS
from cli.screen.present.questions import TableQuestions


class TableDeeds(TableQuestions):
    """Deeds; each is refused with the reason where the rules or the moment forbid it."""

    def _enter(self) -> None:
        if self.between_rounds and self.ended is None:
            self._be_ready()
            return
        if self._cannot_act():
            return
        phase = self._phase()
        if phase == "give":
            self._give()
        elif phase in ("show", "collect") and not self.holding.picked:
            self._enter_forced()
        elif phase == "grand":
            self._say_no(self._("Grand Tichu? Press Y or N."))
        else:
            if not self.holding.picked and self.holding.under is not None:
                self.holding.toggle(self.holding.cursor)
                self._resolve({"call": True} if self.call_next else {}, alone=True)
            else:
                self._resolve({"call": True} if self.call_next else {})

    def _enter_forced(self) -> None:
        """Shows the Mah Jong or takes the trick, as it stands; the Dragon's is given away."""
        position = self.position
        if position is None:
            return
        if "show" in position.verbs:
            self._simple({"do": "show"})
            return
        gifts = [move for move in position.moves if move["do"] == "collect"]
        if len(gifts) > 1:
            self._ask_dragon(gifts)
        elif gifts:
            self._play(gifts[0])

    def _pass(self) -> None:
        position = self.position
        if (
            self.is_tichu
            and position is not None
            and position.view.get("trick")
            and position.view.get("turn") != position.seat
            and position.view.get("phase") == "play"
            and position.hand
        ):
            self.pass_ahead = not self.pass_ahead
            return
        self._simple({"do": "pass"})

    def _call(self) -> None:
        position = self.position
        if self._cannot_act() or position is None:
            return
        if "call" in position.verbs:
            self._play({"do": "call"})
            return
        if not position.game.words or not self._has_word(position):
            self._say_no(self._("There is no last-card word at this table."))
            return
        self.call_next = not self.call_next
        word = position.game.words[0]
        self.notice_is_no = False
        self.notice = (
            self._("You will say “{word}” with the play that leaves one card.", word=word)
            if self.call_next
            else self._("You will not say “{word}” by yourself.", word=word)
        )

    @staticmethod
    def _has_word(position: Position) -> bool:
        return getattr(position.game, "word_penalty", 1) is not None

    def _bomb(self) -> None:
        position = self.position
        if self._cannot_act() or position is None:
            return
        if not self.is_tichu:
            self._say_no(self._("There are no bombs in this game."))
            return
        bombs = list(dict.fromkeys(tuple(move["cards"]) for move in position.plays if is_bomb(move["cards"])))
        if not bombs:
            self._say_no(self._("You can play no bomb now."))
        elif len(bombs) == 1:
            self._play({"do": "play", "cards": list(bombs[0])})
        else:
            self._bomb_at = (self._bomb_at + 1) % len(bombs)
            self.holding.pick(bombs[self._bomb_at])
            self.notice_is_no = False
            self.notice = self._(
                "Bomb {number} of {count}: Enter plays it, B: the next", number=self._bomb_at + 1, count=len(bombs)
            )

    def _hint(self) -> None:
        position = self.position
        if self._cannot_act() or position is None:
            return
        plays = list(dict.fromkeys(tuple(move["cards"]) for move in position.plays))
        self.notice_is_no = False
        if not plays:
            picking = self._picking()
            self.notice = picking.what_fits() if picking is not None else ""
            if not self.notice:
                self.notice = self._("There is nothing for you to do now.")
            return
        self._hint_at = (self._hint_at + 1) % len(plays)
        self.holding.pick(plays[self._hint_at])
        self.notice = self._(
            "Allowed: {cards} ({number} of {count}) · Enter plays it",
            cards=" ".join(self.cards.short(card) for card in plays[self._hint_at]),
            number=self._hint_at + 1,
            count=len(plays),
        )

    def _gift(self, place: int) -> None:
        """The card under the cursor goes to this player."""
        under = self.holding.under
        if self._phase() != "give" or under is None:
            return
        self.gifts = [None if each == under.id else each for each in self.gifts]
        self.gifts[place] = under.id
        self._show_gifts()
        self.gift_at = next((at for at in range(3) if self.gifts[at] is None), 2)

    def _toggle_gift(self, place: int) -> None:
        self.holding.cursor = place
        held = self.holding.cards[place].id
        if held in self.gifts:
            self.gifts[self.gifts.index(held)] = None
            self._show_gifts()
            self.gift_at = next((at for at in range(3) if self.gifts[at] is None), 2)
        elif None in self.gifts:
            self._gift(self.gifts.index(None))
        else:
            self._say_no(self._("Three cards are chosen: Enter gives them, X begins anew."))

    def _show_gifts(self) -> None:
        self.holding.picked = [each for each in self.gifts if each is not None]

    def _give(self) -> None:
        by_id = {held.id: held.card for held in self.holding.cards}
        cards = [by_id[each] for each in self.gifts if each is not None and each in by_id]
        if len(cards) < 3:
            self._say_no(self._("Choose three cards first, one for each player: {n} chosen.", n=len(cards)))
            return
        self._simple({"do": "give", "cards": cards})

    def _be_ready(self) -> None:
        if not self.is_ready:
            self.is_ready = True
            self.effects.append(Ready())

    def _spoke(self, text: str) -> None:
        said = clean(text, CHAT_CELLS)
        if said:
            self.effects.append(Say(said))
