"""What a player does at the table: plays, draws, calls, gives, hints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from cli.clean import clean
from cli.games.cards import last_word
from cli.games.options import has_word
from cli.games.short_cards import told_apart
from cli.games.tichu_narrator import is_bomb
from cli.news import Say
from cli.plain.reader import Reader
from cli.view.effects import Advise, Ready
from cli.view.emotes import CHAT_CELLS, EMOTES, is_no_emote
from cli.view.position import Position
from cli.view.table import prompts
from cli.view.table.hinting import plain_first, proposed_grand, rule_of_thumb
from cli.view.table.questions import TableQuestions
from protocol.cards import Card
from protocol.games.game import Data


class TableDeeds(TableQuestions):
    """Deeds; each is refused with the reason where the rules or the moment forbid it."""

    _advice_for: object = None

    def _enter(self) -> None:
        if self.between_rounds and self.ended is None and not self.is_last_round and self.playing.seat is not None:
            self._be_ready()
            return
        if self._cannot_act():
            return
        phase = self._phase()
        if phase == "give":
            self._give()
        elif phase == "show" or (phase == "collect" and (not self.holding.picked or self._gives_dragon())):
            self._enter_forced()
        elif phase == "grand":
            self._grand(self.grand_cursor == 0)
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

    def _gives_dragon(self) -> bool:
        """Whether the trick is ours and goes to an opponent whom we choose."""
        position = self.position
        return position is not None and sum(move["do"] == "collect" for move in position.moves) > 1

    def _open_by_itself(self) -> None:
        if self._phase() == "collect" and self._gives_dragon() and self.query is None and not self.in_flight:
            self._enter_forced()
            self._guard()

    def _pass(self) -> None:
        position = self.position
        if (
            self.is_tichu
            and position is not None
            and position.view.get("trick")
            and position.view.get("turn") != position.seat
            and position.view.get("owner") != position.seat
            and position.view.get("phase") == "play"
            and position.hand
        ):
            self.pass_ahead = not self.pass_ahead
            if not self.pass_ahead:
                self._say(self._("You will not pass ahead."))
            return
        self._simple({"do": "pass"})

    def _call(self) -> None:
        position = self.position
        if self._cannot_act() or position is None:
            return
        if "call" in position.verbs:
            self._play({"do": "call"})
            return
        if not has_word(position.game.name, position.game.options):
            self._say_no(self._("There is no last-card word at this table."))
            return
        word = last_word(self._, position.game.words)
        if self.call_next:
            self._take_word_back(word)
        elif not self._may_speak(position):
            told = (
                self._("“{word}” goes with your last card, which cannot be played now.", word=word)
                if self._is_last_of_all(position) and len(position.hand) == 1
                else self._("“{word}” is said with your very last card: not yet.", word=word)
                if self._is_last_of_all(position)
                else self._("“{word}” goes with the play that leaves one card: you hold only one already.", word=word)
                if len(position.hand) == 1
                else self._("“{word}” is said with the play that leaves you one card: not yet.", word=word)
            )
            self._say_no(told)
        else:
            self.call_next = True
            told = (
                self._("You will say “{word}” with your last card. X takes it back.", word=word)
                if self._is_last_of_all(position)
                else self._("You will say “{word}” with the play that leaves one card. X takes it back.", word=word)
            )
            self._say(told)

    def _take_word_back(self, word: str) -> None:
        self.call_next = False
        self._say(self._("You will not say “{word}” now: O says it again.", word=word))

    @staticmethod
    def _is_last_of_all(position: Position) -> bool:
        """Mau-Mau's word goes with the last card itself, all others with the one before."""
        return position.game.name == "mau-mau"

    def _may_speak(self, position: Position) -> bool:
        """Whether the next play can be the one that the word goes with."""
        if position.must_act:
            return any(move.get("call") for move in position.plays)
        most = 1
        if position.game.name == "macau-wars":
            counts = Counter(card[0] for card in position.hand if not self.cards.is_joker(card))
            jokers = sum(self.cards.is_joker(card) for card in position.hand)
            most = max([*counts.values(), 0]) + jokers
        return len(position.hand) - most <= (0 if self._is_last_of_all(position) else 1)

    def _has_said_or_picked(self) -> bool:
        given = any(each is not None for each in self.gifts)
        return bool(self.holding.picked or self.call_next or self.pass_ahead or given)

    def _clear(self) -> None:
        """Takes back what is picked and said ahead, and says so where nothing would be seen of it."""
        position = self.position
        if self.call_next and position is not None and position.game.words:
            self._take_word_back(last_word(self._, position.game.words))
        if self.pass_ahead:
            self._say(self._("You will not pass ahead."))
        self.pass_ahead = self.call_next = False
        self.gifts, self.gift_at = [None, None, None], 0
        self._hint_at = self._bomb_at = -1
        self.holding.clear()

    def _bomb(self) -> None:
        position = self.position
        if self._cannot_act() or position is None:
            return
        if not self.is_tichu:
            self._say_no(self._("There are no bombs in this game."))
            return
        bombs = list(dict.fromkeys(tuple(move["cards"]) for move in position.plays if is_bomb(move["cards"])))
        if not bombs:
            self._say_no(
                self._("You can play no bomb now.")
                if Reader.bombs_in(position.hand)
                else self._("You hold no bomb: four of one rank, or five or more in a row of one suit.")
            )
        elif len(bombs) == 1 and set(self.holding.chosen) == set(bombs[0]) and not self._bomb_hurries(position):
            self._say(
                self._("It is your only bomb: {cards} · Enter plays it, X puts it back", cards=self.cards.row(bombs[0]))
            )
        elif len(bombs) == 1 and self._bomb_hurries(position):
            self._play({"do": "play", "cards": list(bombs[0])})  # every moment counts: nothing is asked
        else:
            self._bomb_at = (self._bomb_at + 1) % len(bombs)
            self.holding.pick(bombs[self._bomb_at])
            shown = self.cards.row(bombs[self._bomb_at])
            self._say(
                self._("Bomb: {cards} · Enter plays it, X puts it back", cards=shown)
                if len(bombs) == 1
                else self._(
                    "Bomb {number} of {count}: {cards} · Enter plays it, B: the next",
                    number=self._bomb_at + 1,
                    count=len(bombs),
                    cards=shown,
                )
            )

    @staticmethod
    def _bomb_hurries(position: Position) -> bool:
        """Whether others may be faster: out of turn, unless the trick is ours anyway."""
        return not position.must_act and position.view.get("owner") != position.seat

    def _hint(self) -> None:
        position = self.position
        if self._cannot_act() or position is None:
            return
        _ = self._
        if self.hints == "off":
            self._say_no(_("Hints are off: F2 switches them on."))
            return
        phase = self._phase()
        if phase in ("show", "collect"):
            self._say(prompts.my_turn(_, self.cards, position))
            return
        if phase in ("grand", "give") and self.hints != "suggest":
            self._say(rule_of_thumb(_, phase, may_propose=self.playing.facts.suggest))
            return
        if phase in ("grand", "give"):
            self._ask_advice()
            return
        plays = plain_first(position.game, list(dict.fromkeys(tuple(move["cards"]) for move in position.plays)))
        if not position.must_act and not plays:
            turn = position.view.get("turn")
            self._say_no(
                _("It is {name}’s turn: a hint comes with yours.", name=self.narrator.name(turn))
                if turn is not None and turn != position.seat
                else prompts.waiting(_, self.narrator, position.view, 0, len(self.playing.players))
            )
            return
        if not plays:
            picking = self._picking()
            self._say(picking.nothing_fits() if picking is not None else "")
            return
        if self.hints == "suggest" and position.must_act:
            self._ask_advice()
            return
        self._hint_at = (self._hint_at + 1) % len(plays)
        self.holding.pick(plays[self._hint_at])
        self._say(
            _(
                "Allowed: {cards} ({number} of {count}) · Enter plays it",
                cards=self.cards.row(plays[self._hint_at]),
                number=self._hint_at + 1,
                count=len(plays),
            )
        )

    def _ask_advice(self) -> None:
        self._advice_for = self._moment
        self.effects.append(Advise())
        self._say(self._("Thinking…"))

    def advised(self, move: Data | None) -> None:
        """What the game's bot would do here: its cards are picked, its key is named. Too late, and it is not told."""
        position = self.position
        if position is None or self._moment != self._advice_for or self.in_flight or self.query is not None:
            return
        _ = self._
        do = move.get("do") if move is not None else None
        if move is not None and do == "play":
            self._guarded_until = 0.0  # what is picked now is meant
            self.holding.pick(move["cards"])
            shown = self.cards.row(move["cards"])
            picking = self._picking()
            if picking is not None and picking.bomb_broken_by(move["cards"]):
                self._say(_("Proposed: {cards}, which breaks your bomb · Enter plays it", cards=shown))
            else:
                self._say(_("Proposed: {cards} · Enter plays it", cards=shown))
        elif do == "draw":
            self._say(_("Proposed: D, draw"))
        elif do == "pass":
            self._say(_("Proposed: P, pass"))
        elif move is not None and do == "give":
            by_card = {held.card: held.id for held in self.holding.cards}
            self.gifts = [by_card.get(card) for card in move["cards"]]
            self._show_gifts()
            self.gift_at = 2
            self._say(_("Proposed: {gifts} · Enter gives them", gifts=self._told_gifts(move["cards"])))
        elif move is not None and do == "grand":
            self.grand_cursor = 0 if move["call"] else 1
            self._say(proposed_grand(_, self.cards, position, move["call"]))
        elif do == "tichu":
            self._say(_("Proposed: T, call Tichu"))
        else:
            self._say(_("No proposal here."))

    def _gift(self, place: int) -> None:
        """The card under the cursor goes to this player."""
        under = self.holding.under
        if self._phase() != "give" or under is None:
            return
        before = self.gifts.index(under.id) if under.id in self.gifts else place
        if before != place:
            names = self._names_of_receivers()
            self._say(
                self._(
                    "{card} goes to {name} now, no longer to {other}.",
                    card=self.cards.say(under.card),
                    name=names[place],
                    other=names[before],
                )
            )
        self.gifts = [None if each == under.id else each for each in self.gifts]
        self.gifts[place] = under.id
        self._show_gifts()
        self.gift_at = next((at for at in range(3) if self.gifts[at] is None), 2)

    def _names_of_receivers(self) -> list[str]:
        """As their places in the exchange say: the next seat, the partner, the previous one."""
        names, me = told_apart(self.narrator.names), self.playing.seat or 0
        return [names[(me + step) % 4] for step in (1, 2, 3)]

    def _told_gifts(self, cards: Sequence[Card]) -> str:
        return self._.list(
            self._("{card} to {name}", card=self.cards.say(card), name=name)
            for card, name in zip(cards, self._names_of_receivers(), strict=True)
        )

    def _to_next_gift(self) -> None:
        """The cursor goes on to a card that is given to nobody yet: the next number is for another card."""
        holding, given = self.holding, {each for each in self.gifts if each is not None}
        places = range(holding.cursor + 1, len(holding.cards))
        free = next((at for at in places if holding.cards[at].id not in given), holding.cursor)
        under = holding.under
        if free != holding.cursor and under is not None and None in self.gifts and not self.notice:
            name = self._names_of_receivers()[self.gifts.index(under.id)]
            card = self.cards.say(under.card)
            self._say(self._("{card} goes to {name} · 1 2 3: who gets the next, above the ▲?", card=card, name=name))
        holding.cursor = free

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
        if is_no_emote(said):
            self._say_no(self._("No such emote: {emotes}", emotes=" ".join(EMOTES)))
        elif said:
            self.effects.append(Say(said))
