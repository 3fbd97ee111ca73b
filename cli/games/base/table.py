"""A game at the table, for the screens: what lies in the middle, what the prompt says, what can be asked and done.

`TableFace` knows no game: it goes by the typed view, the moves that the rules offer, and the game's own labels. A game that has
more to say refines it. It keeps what this seat has prepared and what the last moves left to be seen; nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

from cli import news as events
from cli.games.base.judging import MOST_OPTIONS, Judging
from cli.games.base.middle import middle_of
from cli.games.base.moves import MoveWords
from cli.games.base.prompts import Prompts
from cli.games.base.reasons import why
from cli.games.base.replies import AskBot, Picked, Query, Refused, Reply, Told
from cli.games.base.sheet import Sheet
from cli.games.base.tips import TIPS, TipText
from cli.games.base.viewpoint import Viewpoint
from cli.games.base.which_move import which_move
from cli.games.position import Position
from cli.games.shown import Dialog, Facts, Offer, ShownPile, ShownTrick
from cli.news import Suggestion
from cli.text import key
from protocol.cards import RANKS, Card, Seat
from protocol.games.game import Data
from protocol.games.views import move_view_of
from protocol.values import dataclass, replace

SIMPLE = ("draw", "pass")
"""Moves without cards that have a key of their own."""


@dataclass(frozen=True, slots=True)
class Middle:
    """What lies between the players."""

    pile: ShownPile | None = None
    trick: ShownTrick | None = None
    facts: Facts | None = None


class TableFace:
    """For one seat (or a watcher) at one table."""

    sorts: ClassVar[tuple[str, ...]] = ("suit", "rank", "dealt")
    """The orders of a hand, the usual one first."""
    sort_texts: ClassVar[Mapping[str, tuple[str, str]]] = {
        "suit": (key("sorted by suit ({@sort})"), key("Sorted by suit.")),
        "rank": (key("sorted by rank ({@sort})"), key("Sorted by rank.")),
        "dealt": (key("as dealt ({@sort})"), key("In the order they were dealt.")),
    }
    """What stands beside a hand in each order, and what is said when it is chosen."""
    sorting_setting: ClassVar[str] = "sorting"
    """The setting that remembers which was wanted last; its name begins with "sorting"."""
    tips: ClassVar[Mapping[str, tuple[TipText, ...]]] = {name: TIPS[name] for name in ("enter", "hint", "pass")}
    """What newcomers are told, in this order."""
    actions: ClassVar[frozenset[str]] = frozenset({"draw", "pass", "bomb", "call", "other"})
    """The actions that a key may stand for here, some of them only to be told that this game has none such."""
    marks_new = True
    """Cards that come into the hand during play are marked."""
    marks_last_card = False
    """A player with one card left is marked, so that everybody sees it."""
    names_picked = False
    """A refusal names what is picked as far as that matters."""

    def __init__(self, at: Viewpoint) -> None:
        self.at = at
        self.prompts = self.make_prompts()
        self.sheet = self.make_sheet()
        self._hint_at = -1

    def make_prompts(self) -> Prompts:
        return Prompts(self.at)

    def make_sheet(self) -> Sheet:
        return Sheet(self.at)

    def judging(self, position: Position) -> Judging:
        """What the rules say to picked cards at this moment."""
        return Judging(self.at, position)

    @property
    def across(self) -> bool:
        """Whether partners are drawn across from each other, with the trick between the players."""
        return self.at.game.seats == 4 and self.at.view.trick is not None

    @property
    def takes_one(self) -> bool:
        """One card is played at a time: another pick takes the place of the one before."""
        position = self.at.position
        return position is not None and bool(position.plays) and all(len(each) == 1 for each in position.sets)

    # --- what happens ---

    def round_began(self) -> None:
        self.new_moment()

    def moved(self, news: events.Moved) -> None:
        """A move took effect; the hand is still as it was before."""

    def played(self) -> None:
        """A move of ours goes to the table: what was said ahead goes with it."""

    def settled(self, news: events.Moved) -> Data | None:
        """The same with the hand as it is now; a move that was prepared for this."""
        return None

    def new_moment(self) -> None:
        """Something else can be done now: hints begin anew."""
        self._hint_at = -1

    def flying(self, move: Data) -> Card | None:
        """The card that is seen on its way to the middle."""
        cards = move_view_of(move).cards
        return cards[-1] if cards else None

    def ends_picks(self, move: Data) -> bool:
        """Whether what is picked was meant for what this move ended."""
        return False

    def guarded(self, move: Data) -> str:
        """A move of ours after which an Enter was meant for what was there before: "trick", "other"; else nothing."""
        return ""

    def short_action(self, news: events.Moved) -> str:
        """A move in a word or two, for the list of what a player has done; empty for what is not worth telling."""
        from cli.games.base.recap import short_actions

        return ", ".join(short_actions(self.at.narrator, self.at.cards, news))

    # --- what is seen ---

    def middle(self) -> Middle:
        """What lies on the table."""
        pile, trick, facts = middle_of(self.at)
        me, scores, seats = self.at.me, self.at.view.scores, self.at.view.seats
        is_seated = me is not None and me < min(len(scores), len(seats))
        if trick is not None and self.across and not trick.sides and me is not None and is_seated:
            # Our own place is not drawn there: how we stand is told beside the others.
            trick = replace(trick, sides=((self.at._("You"), str(scores[me])), (self.seat_note(me), "")))
        return Middle(pile, trick, facts)

    def seat_note(self, seat: Seat) -> str:
        """What is to be said of a player at this moment of the game. Asked only once cards were dealt."""
        _, each = self.at._, self.at.view.seats[seat]
        if each.status:
            return _(each.status)
        if each.bid is not None and each.tricks is not None:
            return _("{n} of {bid} tricks", n=each.tricks, bid=each.bid)
        if each.bid is not None:
            return _("bid {n}", n=each.bid)
        if each.tricks:
            return _.n("{n} trick", "{n} tricks", each.tricks)
        return _.n("{n} point", "{n} points", each.points) if each.points else ""

    def seat_short(self, seat: Seat) -> str:
        """The same in a few characters, where a seat has only one line."""
        each = self.at.view.seats[seat]
        return "" if each.bid is None else f"{each.tricks or 0}/{each.bid}"

    def turn_note(self, seat: Seat) -> str:
        """What is special about the turn of the player in turn."""
        return ""

    def said_at_seats(self) -> dict[Seat, str]:
        """What players have just done without a card, to be seen at their places."""
        return {}

    def chip(self, seat: Seat) -> str:
        """What a player has called."""
        return " · ".join(self.at._(call) for call in self.at.view.seats[seat].calls)

    def heading_out(self, place: int) -> str:
        """Above our place when we have no cards left and are out, in this place (1: first)."""
        return self.at._("No cards left: play continues") if self.at.view.turn is not None else ""

    def marks(self) -> dict[int, str]:
        """Words below cards of the hand, by id."""
        return {}

    def is_alike(self) -> bool:
        """Whether all cards look alike now, as it is no matter of which can be played."""
        return False

    def picked_texts(self) -> list[str]:
        """What is prepared besides picked cards."""
        return []

    def shows_gifts(self) -> str:
        """What stands instead of the picked cards; empty for them."""
        return ""

    def described(self) -> str:
        """What Enter does with the picked cards; empty where they cannot be played, or nobody may say so."""
        at, position = self.at, self.at.position
        chosen = at.hand.chosen
        if not chosen or position is None or not at.may_tell:
            return ""
        orders = self.judging(position).feasible_orders(chosen)
        if not orders:
            return ""
        if len(orders) > 1:
            return at._("{@play:play these {n} and choose the order}", n=len(chosen))
        shown, left = at.cards.row(orders[0]), len(position.hand) - len(chosen)
        if word := self.word_due(chosen):
            return at._("{@play:play {cards}} · {@call:say “{word}”}", cards=shown, word=word)
        if not left and self.marks_last_card:
            return at._("{@play:play {cards} and go out}", cards=shown)
        return at._("{@play:play {cards}}", cards=shown)

    def word_due(self, chosen: Sequence[Card]) -> str:
        """The last-card word that playing these cards asks for, if it is not prepared already."""
        return ""

    def prompt(self, by_itself_s: int | None = None) -> str:
        """What we can do now."""
        position = self.at.position
        if position is None:
            return ""
        other = self.other_label()
        offered = self.at._.offer("other", other) if other else ""
        return " · ".join(part for part in (self.prompts.my_turn(position, by_itself_s), offered) if part)

    def urgent(self) -> tuple[str, str]:
        """Head and prompt of what we must not miss though it is not our turn; empty for nothing."""
        return ("", "")

    def aside(self) -> list[str]:
        """What else we could do while others play, or have prepared."""
        return []

    def grace_told(self, seat: Seat, left_s: int) -> str:
        """Say that this seat takes the trick in a moment."""
        who = self.at.narrator
        return who.did(seat, "You win the trick ({n} s)", "{name} wins the trick ({n} s)", n=left_s)

    # --- questions and dialogs of the game itself ---

    def question(self) -> Query | None:
        """A question that the game asks us now and that stays open: what can be done besides playing cards."""
        position = self.at.position
        if position is None or not position.must_act or position.plays or position.verbs <= set(SIMPLE):
            return None
        return which_move(self.at, position.moves[:MOST_OPTIONS])

    def opening(self) -> Query | None:
        """A question that opens by itself."""
        return None

    def dialog(self) -> Dialog | None:
        """A box that stays open while we act at the hand."""
        return None

    def forced(self) -> Data | None:
        """The move that is made for us in a moment, as there is nothing to choose."""
        return None

    def plays_cards(self) -> bool:
        """Whether it is our turn to play cards, and nothing else is asked of us."""
        return self.at.is_due and self.question() is None

    # --- actions ---

    def offers(self) -> list[Offer]:
        """What the game offers besides playing cards, before the hint."""
        simple = [Offer(verb, self.verb_label(verb), is_needed=True) for verb in SIMPLE if verb in self.at.verbs]
        label = self.other_label()
        return [*simple, Offer("other", label, is_needed=True)] if label else simple

    def other_moves(self) -> tuple[Data, ...]:
        """Moves that can be made instead of playing cards, and that no action of their own stands for: to knock, to bid."""
        position = self.at.position
        if "other" not in self.actions or position is None or not position.plays or self.at.in_flight:
            return ()
        return tuple(move for move in position.moves if move["do"] not in (*SIMPLE, "play"))[:MOST_OPTIONS]

    def other_label(self) -> str:
        """The kinds of these moves: "knock"; empty where there are none."""
        words = MoveWords(self.at._, self.at.game, self.at.cards, self.at.narrator.names)
        moves = self.other_moves()
        if len(moves) == 1:
            return words.tell(moves[0])
        return " / ".join(dict.fromkeys(words.label(str(move["do"])) for move in moves))

    def _other(self) -> Reply:
        moves = self.other_moves()
        if not moves:
            return Refused(self.at._("There is no other move you can make now."))
        if len(moves) == 1:
            return self.simple(moves[0])
        return replace(which_move(self.at, moves), cancel=self.at._("back"), again=self._other)

    def late_offers(self) -> list[Offer]:
        """The same behind the hint."""
        return []

    def verb_label(self, verb: str) -> str | None:
        """What stands on the key of a move without cards; None: what usually does."""
        return None

    def enter_label(self) -> str | None:
        """What Enter does, where it is not playing."""
        return None

    def takes_enter(self) -> bool:
        """Whether Enter does something else than play what is picked."""
        return False

    def enter(self) -> Reply:
        """What that is."""
        return None

    def said(self) -> Mapping[str, Any]:
        """What was said ahead and goes with the next play."""
        return {}

    def resolve(self, said: Mapping[str, Any], alone: bool = False) -> Reply:
        """Plays what is picked, or asks what is missing. `alone`: the card was picked just for this."""
        at, position = self.at, self.at.position
        if position is None:
            return None
        judging, chosen = self.judging(position), at.hand.chosen
        if not chosen:
            return Refused(judging.suggested(at._("Pick a card first.")))
        reply = judging.resolve(chosen, said)
        if isinstance(reply, Query):
            name = reply.name
            return replace(
                reply,
                answer=lambda value: None if value == "no" else self.resolve({**said, name: value}),
                again=partial(self.resolve, said, alone),
            )
        if isinstance(reply, Refused) and alone:
            at.hand.clear()
        elif isinstance(reply, Refused):
            told = at._("Picked: {cards}. {@clear:clear}", cards=at.cards.row(chosen))
            return Refused(at._.join([reply.sentence, at._("{@clear:clear}") if self.names_picked else told]))
        return reply

    def simple(self, move: Data) -> Reply:
        """A move without cards, if the rules let it pass."""
        position = self.at.position
        return self.judging(position).simple(move) if position is not None else None

    def act(self, name: str, arg: Any = None) -> Reply:
        """An action of `actions` that needs no cards."""
        _ = self.at._
        match name:
            case "draw" | "pass":
                return self.simple({"do": name})
            case "other":
                return self._other()
            case "bomb":
                return Refused(_("There are no bombs in this game."))
            case _call:
                return Refused(_("You don’t need to call your last card at this table."))

    def waits_for_bomb(self) -> bool:
        """Whether what is picked keeps the forced move waiting."""
        return False

    def toggle(self, card: int) -> Reply | None:
        """Picks a card or puts it back where the game has its own way to; `Told()` where it has."""
        return None

    def has_prepared(self) -> bool:
        """Whether something is said or laid out ahead besides picked cards."""
        return False

    def clear(self) -> str:
        """Takes back what is prepared; a sentence where nothing would be seen of it."""
        self._hint_at = -1
        return ""

    # --- help with the hand ---

    def hint_order(self, plays: Sequence[tuple[Card, ...]]) -> list[tuple[Card, ...]]:
        """In which order plays are proposed."""
        return list(plays)

    def hint(self) -> Reply:
        """What H brings."""
        at, position = self.at, self.at.position
        if position is None:
            return None
        _ = at._
        plays = self.hint_order(position.sets)
        if not position.must_act and not plays:
            turn = position.view.turn
            if turn is not None and turn != position.seat:
                return Refused(_("It’s {name}’s turn. Hints work on your turn.", name=at.narrator.name(turn)))
            return Refused(self.prompts.waiting(0))
        if not plays:
            return Told(self.judging(position).nothing_fits())
        if at.hints == "suggest" and position.must_act:
            return AskBot()
        self._hint_at = (self._hint_at + 1) % len(plays)
        shown = at.cards.row(plays[self._hint_at])
        if len(plays) == 1:
            return Picked(plays[0], _("Only {cards} can be played · {@play:play}", cards=shown))
        return Picked(
            plays[self._hint_at],
            _(
                "Option {number} of {count}: {cards} · {@play:play}",
                cards=shown,
                number=self._hint_at + 1,
                count=len(plays),
            ),
        )

    def proposed(self, proposal: Suggestion | None) -> Reply:
        """What the game's bot would do here, as a proposal, and why."""
        if proposal is None:
            return Told(self.at._("No suggestion for this move."))
        reply = self.proposed_move(proposal.move)
        if proposal.reason is None or not reply.sentence:
            return reply
        return replace(reply, sentence=f"{reply.sentence} · {why(self.at, proposal.reason)}")

    def proposed_move(self, move: Data) -> Told | Picked:
        at, _ = self.at, self.at._
        view = move_view_of(move)
        if view.cards and move.get("do") == "play":
            return Picked(view.cards, _("Suggestion: {cards} · {@play:play}", cards=at.cards.row(view.cards)))
        if move.get("do") == "draw":
            return Told(_("Suggestion: draw ({@draw})"))
        if move.get("do") == "pass":
            return Told(_("Suggestion: pass ({@pass})"))
        if move in self.other_moves():
            words = MoveWords(_, at.game, at.cards, at.narrator.names)
            return Told(_("Suggestion: {move} ({@other})", move=words.tell(move)))
        query = self.question()
        values = [option.value for option in query.options] if query is not None else []
        if query is not None and move in values:
            at_place = values.index(move)
            told = query.options[at_place].choice.label
            return Told(_("Suggestion: {move} · {@play:play}", move=told), choice=at_place)
        return Told(_("No suggestion for this move."))

    # --- orders of the hand ---

    def sort_text(self, sorting: str) -> tuple[str, str]:
        """What stands beside a hand in this order, and what is said when it is chosen."""
        beside, told = self.sort_texts.get(sorting, (sorting, sorting))
        return self.at._(beside), self.at._(told)

    def order(self, sorting: str, cards: Sequence[Card]) -> Sequence[Card]:
        match sorting:
            case "rank":
                return tuple(sorted(cards, key=lambda card: (self.rank_place(card), card)))
            case "dealt":
                return tuple(cards)
            case _suit:
                return self.at.cards.sort(cards)

    def rank_place(self, card: Card) -> int:
        """Low cards first."""
        return RANKS.find(card[0]) if len(card) == 2 else 97

    def rank_key(self, card: Card) -> str:
        """What is typed to go to this card; nothing for cards that no key names."""
        return card[0] if len(card) == 2 and not self.at.cards.is_joker(card) else ""

    def log_ink(self, move: Data) -> str:
        """How loud a move stands in the log."""
        return "alarm" if move.get("call") is True else "text"
