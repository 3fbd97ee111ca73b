"""Reads a typed line at a table: a move that the rules let pass, a command, a question back, or why not and what would do.

Pure: a line and a `Position` come in, a reply goes out. Legality is never judged here: `Position.check` asks the rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from cli.games.cards import Cards, plain
from cli.games.explain import explain
from cli.games.tichu_narrator import is_bomb
from cli.plain.lines import LineParser, Parsed, missing
from cli.plain.replies import Answer, Ask, Command, Play, Refusal, Reply
from cli.plain.verbs import BY_NAME, VERBS, shown, spellings, words_for
from cli.text import Translator
from cli.view.position import Position
from protocol.cards import MAH_JONG, RANKS, Card, Seat
from protocol.errors import BadMessage, FairdealError
from protocol.games.game import Data

MOST_NAMED = 8
"""Cards named in a hint of what would do."""
CALLS = {"mau-mau": "mau", "macau-wars": "macau"}
"""What is typed for a game's own word for the last card."""


class Reader:
    """Reads lines for one seat (None: a watcher, whose lines are never moves) in one language."""

    def __init__(self, _: Translator, cards: Cards, names: Sequence[str], seat: Seat | None) -> None:
        self._ = _
        self.cards = cards
        self.names = tuple(names)
        self.parser = LineParser(_, cards, names, seat)
        self.spellings = spellings(_)
        self.yes, self.no = tuple(words_for(_, "yes")), tuple(words_for(_, "no"))

    # --- the line ---

    def read(self, line: str, position: Position | None, asked: Ask | None = None) -> Reply | None:
        """What the line means; None for an empty one."""
        typed = plain(line)
        if not typed:
            return None
        if asked is not None and (answer := self._answer(typed, asked)) is not None:
            return answer
        first, _space, rest = line.strip().partition(" ")
        if typed.startswith("/") and not typed.startswith("/ "):
            first, rest = "/", line.strip()[1:]
        verb = self.spellings.get(plain(first))
        if verb is not None and not BY_NAME[verb].move:
            return self._command(verb, rest.strip())
        if position is None:
            return Refusal(self._("You are watching: type help."))
        if position.view.get("round_over"):
            return Refusal(self._("The round is over: the next one begins soon. Type ready to go on."))
        if verb is not None and (reply := self._verb(verb, plain(first), rest, position)) is not None:
            return reply
        return self._cards(line, position)

    def _answer(self, typed: str, asked: Ask) -> Reply | None:
        for answer in asked.answers:
            if typed in answer.typed:
                return answer.means or Command("nothing")
        return None

    def _command(self, verb: str, rest: str) -> Reply:
        _ = self._
        if verb == "say" and not rest:
            return Refusal(_("Say what? Type say and your words."))
        if verb == "quit":
            return self._confirm(_("Leave the table? Your seat is kept. Yes or no."), Command("quit"))
        if verb == "goodbye":
            return self._confirm(_("Leave for good? The match then ends for everybody. Yes or no."), Command("goodbye"))
        return Command(verb, rest)

    def _confirm(self, sentence: str, yes: Play | Command, no: Play | None = None) -> Ask:
        return Ask(sentence, (Answer(self.yes, yes), Answer(self.no, no)))

    # --- verbs ---

    def _verb(self, verb: str, typed: str, rest: str, position: Position) -> Reply | None:
        """A line that begins with a move's verb; None where it is a play after all."""
        _ = self._
        match verb:
            case "play":
                return self._cards(rest, position)
            case "draw" | "pass" | "show":
                # "d 2" is no draw: a word with more behind it may be the start of something else.
                return self._try({"do": verb}, position) if not rest.strip() else None
            case "call":
                return self._call(typed, position) if not rest.strip() else None
            case "grand":
                return self._grand(typed, position)
            case "tichu":
                reply = self._try({"do": "tichu"}, position)
                if isinstance(reply, Play):
                    return self._confirm(
                        _("Call Tichu: 100 points if you are out first, else 100 lost. Yes or no."), reply
                    )
                return reply
            case "give":
                return self._give(rest, position)
            case "bomb":
                return self._bomb(rest, position)
            case "collect":
                return self._collect(rest, position)
            case _other:
                return None

    def _call(self, typed: str, position: Position) -> Reply:
        """The last-card word alone: in most variants it goes with the card, in one line."""
        _, words = self._, position.game.words
        reply = self._try({"do": "call"}, position)
        if isinstance(reply, Play) or not words or position.view.get("round_over"):
            return reply
        return Refusal(self._when_to_call(typed, position))

    def _when_to_call(self, typed: str, position: Position) -> str:
        _, words = self._, position.game.words
        word = _.either(_("“{text}”", text=_(each)) for each in words)
        example = _("{card} {word}", card=self.cards.short("8s", True).lower(), word=typed)
        if position.game.name == "mau-mau":
            return _(
                "{word} goes with your last card, in one line with it, like: {example}.", word=word, example=example
            )
        return _(
            "{word} goes with the play that leaves you one card, in one line with it, like: {example}.",
            word=word,
            example=example,
        )

    def _grand(self, typed: str, position: Position) -> Reply:
        _ = self._
        if "grand" not in position.verbs:
            if typed in (*self.yes, *self.no):
                return Refusal(_("There is no question to answer now."))
            return self._try({"do": "grand", "call": True}, position)
        if typed in self.no:
            return self._try({"do": "grand", "call": False}, position)
        reply = self._try({"do": "grand", "call": True}, position)
        if isinstance(reply, Play):
            return self._confirm(
                _("Call Grand Tichu: 200 points if you are out first, else 200 lost. Yes or no."),
                reply,
                Play({"do": "grand", "call": False}),
            )
        return reply

    def _give(self, rest: str, position: Position) -> Reply:
        _ = self._
        parsed = self.parser.parse(rest, position.hand)
        if isinstance(parsed, Refusal):
            return parsed
        order = [(position.seat + step) % len(position.names) for step in (1, 2, 3)] if len(position.names) > 3 else []
        if len(parsed.cards) != 3:
            return Refusal(
                _(
                    "Give three cards: the first to {left}, the second to {partner}, the third to {right}.",
                    left=self.names[order[0]],
                    partner=self.names[order[1]],
                    right=self.names[order[2]],
                )
                if order
                else _("Give three cards.")
            )
        cards = parsed.cards
        if any(seat is not None for seat in parsed.receivers):
            if sorted(seat for seat in parsed.receivers if seat is not None) != sorted(order):
                return Refusal(_("Name each of the three other players once, or none of them."))
            cards = [cards[parsed.receivers.index(seat)] for seat in order]
        return self._try({"do": "give", "cards": cards}, position)

    def _bomb(self, rest: str, position: Position) -> Reply:
        _ = self._
        if rest.strip():
            return self._cards(rest, position)
        bombs = [move for move in position.plays if is_bomb(move["cards"])]
        kinds = list(dict.fromkeys(tuple(move["cards"]) for move in bombs))
        if not bombs:
            held = any(self.bombs_in(position.hand))
            return Refusal(_("You cannot bomb now.") if held else _("You hold no bomb."))
        if len(kinds) == 1:
            return Play(bombs[0])
        listed = _.either(_.list(self.cards.short(card) for card in kind) for kind in kinds[:MOST_NAMED])
        return Refusal(_("You hold several bombs: type bomb and the cards of one: {bombs}.", bombs=listed))

    def _collect(self, rest: str, position: Position) -> Reply:
        _ = self._
        collects = [move for move in position.moves if move["do"] == "collect"]
        takers = [move["to"] for move in collects if move.get("to") is not None]
        if rest.strip():
            parsed = self.parser.parse(rest, position.hand)
            if isinstance(parsed, Refusal):
                return parsed
            if parsed.seats and takers:
                return self._try({"do": "collect", "to": parsed.seats[-1]}, position)
        if len(takers) > 1:
            answers = tuple(Answer(self._names_of(seat), Play({"do": "collect", "to": seat})) for seat in takers)
            named = _.either(self.names[seat] for seat in takers)
            return Ask(_("The Dragon gives the trick away. To whom: {names}?", names=named), answers)
        return self._try(collects[0] if collects else {"do": "collect"}, position)

    def _names_of(self, seat: Seat) -> tuple[str, ...]:
        """What may be typed for a player: the name, its words, the seat's number."""
        name = plain(self.names[seat])
        return tuple(dict.fromkeys((name, *name.split(), name[:1], str(seat + 1))))

    # --- plays ---

    def _cards(self, text: str, position: Position) -> Reply:
        _ = self._
        parsed = self.parser.parse(text, position.hand)
        if isinstance(parsed, Refusal):
            return parsed
        if "give" in position.verbs and len(parsed.cards) >= 1 and "play" not in position.verbs:
            return self._give(text, position)
        if not parsed.cards and parsed.rank is not None and "play" in position.verbs:
            held = [card for card in dict.fromkeys(position.hand) if len(card) == 2 and card[0] == parsed.rank]
            if len(held) == 1:
                parsed.cards, parsed.receivers, parsed.rank = held, [None], None
            elif held:
                return Refusal(_("Which one: {cards}?", cards=_.either(self.cards.say(card) for card in held)))
        if not parsed.cards:
            if (only := self._only_collect(parsed, position)) is not None:
                return only
            return Refusal(_.join([_("Name the cards to play."), self.what_fits(position)]))
        if lacking := missing(parsed.cards, position.hand):
            return Refusal(_("You do not hold {cards}.", cards=self.cards.say_all(lacking)))
        move = self._assemble(parsed)
        reply = self._try(move, position)
        if isinstance(reply, Refusal):
            if parsed.call and position.game.words and self._passes({**move, "call": False}, position):
                return Refusal(self._when_to_call(CALLS.get(position.game.name) or _("last"), position))
            return self._complete(move, parsed, position) or self._suggest(reply, position)
        if (choice := self._optional(move, parsed, position)) is not None:
            return choice
        return self._finish(move, parsed.call, position)

    def _only_collect(self, parsed: Parsed, position: Position) -> Reply | None:
        """A player's name alone, when a trick is to be given away."""
        if parsed.seats and "collect" in position.verbs:
            return self._try({"do": "collect", "to": parsed.seats[-1]}, position)
        return None

    def _assemble(self, parsed: Parsed) -> Data:
        """The move's object with the keys that were said."""
        move: Data = {"do": "play", "cards": list(parsed.cards)}
        if parsed.stands:
            move["as"] = list(parsed.stands)
        if parsed.suit is not None:
            move["suit"] = parsed.suit
        if parsed.rank is not None:
            move["wish" if MAH_JONG in parsed.cards else "rank"] = parsed.rank
        if parsed.phoenix is not None:
            move["phoenix"] = parsed.phoenix
        if parsed.seats:
            move["next"] = parsed.seats[-1]
        if parsed.call:
            move["call"] = True
        return move

    def _try(self, move: Data, position: Position) -> Play | Refusal:
        """The move if the rules let it pass, else their reason."""
        try:
            position.check(position.game.decode(move))
        except FairdealError as fault:
            turn = position.view.get("turn")
            if turn not in (None, position.seat) and not position.verbs:
                return Refusal(self._("It is {name}’s turn.", name=self.names[turn]))
            if isinstance(fault, BadMessage) and move["do"] != "play":
                return Refusal(
                    self._("There is no “{word}” in this game: type help.", word=shown(self._, str(move["do"])))
                )
            return Refusal(explain(self._, fault, self.cards, self.names))
        return Play(move)

    def _passes(self, move: Data, position: Position) -> bool:
        return isinstance(self._try(move, position), Play)

    def _finish(self, move: Data, call: bool, position: Position) -> Reply:
        """Asks once before what is costly and cannot be taken back; else the move."""
        _ = self._
        if not call and position.warn_call:
            said = {**move, "call": True}
            if self._passes(said, position):
                return Ask(
                    _("That play owes the last-card word. Say it with the play? Yes or no."),
                    (Answer(self.yes, Play(said)), Answer(self.no, Play(move))),
                )
        if self.cards.is_tichu and not is_bomb(move["cards"]):
            broken = self.bombs_in(position.hand) - self.bombs_in(remaining(position.hand, move["cards"]))
            if broken:
                bomb = self.cards.say_all(self.cards.sort(min(broken, key=sorted)))
                return self._confirm(
                    _("This breaks your bomb, {cards}. Play all the same? Yes or no.", cards=bomb), Play(move)
                )
        return Play(move)

    # --- what is missing ---

    def _complete(self, move: Data, parsed: Parsed, position: Position) -> Reply | None:
        """A question, where the same cards could be played with something named, or in another order."""
        _ = self._
        same = [each for each in position.plays if Counter(each["cards"]) == Counter(move["cards"])]
        if not same:
            return None
        if len(parsed.stands) < sum(self.cards.is_joker(card) for card in move["cards"]):
            example = same[0].get("as") or ()
            return Refusal(
                _(
                    "Say what the joker stands for, like: joker as {card}.",
                    card=self.cards.say(example[-1]) if example else self.cards.say("Ks"),
                )
            )
        if "suit" not in move and (ask := self._ask_suit(move, parsed, position)) is not None:
            return ask
        if "next" not in move and (ask := self._ask_next(move, parsed, position)) is not None:
            return ask
        for each in same:
            ordered = {**move, "cards": list(each["cards"]), **({"as": each["as"]} if each.get("as") else {})}
            if ordered["cards"] != move["cards"] and self._passes(ordered, position):
                order = self.cards.say_all(ordered["cards"])
                yes = self._finish(ordered, parsed.call, position)
                return Ask(
                    _("It fits in this order: {cards}. Play so? Yes or no.", cards=order),
                    (Answer(self.yes, yes), Answer(self.no, None)),
                )
        return None

    def _ask_suit(self, move: Data, parsed: Parsed, position: Position) -> Ask | None:
        suits = [suit for suit in self.cards.suits if self._passes({**move, "suit": suit}, position)]
        if not suits:
            return None
        suits.reverse()  # spades first, as the cards of a hand and the boxes of the screen go
        named = self._.either(
            self._("{number} {card}", number=number, card=self.cards.suit(suit)) for number, suit in enumerate(suits, 1)
        )
        return Ask(
            self._("Which suit do you name: {suits}?", suits=named),
            tuple(
                Answer(
                    (str(number), *(word for word, meant in self.cards.suit_words.items() if meant == suit)),
                    self._finish({**move, "suit": suit}, parsed.call, position),
                )
                for number, suit in enumerate(suits, 1)
            ),
        )

    def _ask_next(self, move: Data, parsed: Parsed, position: Position) -> Ask | None:
        seats = [
            seat
            for seat in range(len(self.names))
            if seat != position.seat and self._passes({**move, "next": seat}, position)
        ]
        if not seats:
            return None
        return Ask(
            self._("Who plays next: {names}?", names=self._.either(self.names[seat] for seat in seats)),
            tuple(
                Answer(self._names_of(seat), self._finish({**move, "next": seat}, parsed.call, position))
                for seat in seats
            ),
        )

    def _optional(self, move: Data, parsed: Parsed, position: Position) -> Ask | None:
        """What may be named and was not: a wish, a call. Asked, as nobody forgets it at a real table."""
        _ = self._
        if parsed.nothing or any(name in move for name in ("suit", "rank", "wish")):
            return None
        last = move["cards"][-1]
        stands = (move.get("as") or [last])[-1] if self.cards.is_joker(last) else last
        for name, wanted in (
            ("wish", MAH_JONG in move["cards"]),
            ("rank", stands[0] == "J"),
            ("suit", stands[0] == "A"),
        ):
            values = self.cards.suits if name == "suit" else RANKS
            if not wanted:
                continue
            possible = [value for value in values if self._passes({**move, name: value}, position)]
            if possible:
                return self._ask_optional(name, possible, move, parsed, position)
        return None

    def _ask_optional(self, name: str, possible: list[str], move: Data, parsed: Parsed, position: Position) -> Ask:
        _ = self._
        words = self.cards.suit_words if name == "suit" else self.cards.rank_words
        named = [self.cards.suit(value) if name == "suit" else self.cards.rank(value) for value in possible]
        if name == "wish":
            question = _("Which rank do you wish for? A rank from two to ace, or no.")
        elif name == "rank":
            question = _("Which value do you call: {values}? Or no.", values=_.either(named))
        else:
            question = _("Which suit do you call: {values}? Or no.", values=_.either(named))
        # Each answer goes on to the next question, if there is one; made only when it is needed would cost the same checks.
        answers = [
            Answer(
                tuple(word for word, meant in words.items() if meant == value),
                self._finish({**move, name: value}, parsed.call, position),
            )
            for value in possible
        ]
        return Ask(question, (*answers, Answer(self.no, self._finish(move, parsed.call, position))))

    # --- what would do ---

    def _suggest(self, refusal: Refusal, position: Position) -> Refusal:
        return Refusal(self._.join([refusal.sentence, self.what_fits(position)]))

    def what_fits(self, position: Position) -> str:
        """The cards that could be played now, and the other moves there are."""
        _ = self._
        fits = [card for card in dict.fromkeys(position.hand) if card in position.playable]
        others = [
            shown(_, verb.name) for verb in VERBS if verb.name in position.verbs and verb.name not in ("play", "grand")
        ]
        told: list[str] = []
        if fits:
            named = [self.cards.say(card) for card in fits[:MOST_NAMED]]
            more = len(fits) - len(named)
            if more > 0:
                named.append(_.n("one more", "{n} more", more))
            told.append(_("You could play {cards}.", cards=_.either(named)))
        if others:
            told.append(_("You can type {verbs}.", verbs=_.either(others)))
        return _.join(told)

    def nothing_fits(self, position: Position) -> str:
        """That no card can be played, and what can be done instead; empty where a card can."""
        _, verbs = self._, position.verbs
        if "play" in verbs or not verbs & {"draw", "pass"}:
            return ""
        others = _.either(shown(_, verb) for verb in ("draw", "pass") if verb in verbs)
        return _("Nothing fits: {what}", what=_("{list}.", list=others))

    def now(self, position: Position) -> str:
        """The cards that can be played now, with their numbers; or that there is none."""
        _ = self._
        fits = [
            _("{number} {card}", number=number, card=self.cards.say(card))
            for number, card in enumerate(position.hand, 1)
            if card in position.playable
        ]
        return _("Playable: {cards}.", cards=_.list(fits)) if fits else self.nothing_fits(position)

    def help(self, position: Position | None, between_rounds: bool = False, paused: bool = False) -> list[str]:
        """A line for everything that is possible now, and nothing else; while another plays, what one's turn will bring."""
        _ = self._
        lines = [_("  {help}", help=_(BY_NAME[name].help)) for name in self._possible(position, between_rounds, paused)]
        if position is None or position.verbs & {"give", "grand", "collect", "show"} or position.view.get("round_over"):
            return lines
        own = position.verbs & {"play", "draw", "pass"}
        usual = (
            ()
            if "play" in own
            else ("play",)
            if own
            else ("play", "pass")
            if self.cards.is_tichu
            else ("play", "draw", "pass")
        )
        told = [_(BY_NAME[name].help) for name in usual]
        if not self.cards.is_tichu:
            told.append(_("a card and a suit, where it names one: 8s hearts"))
        if position.game.words:
            told.append(self._when_to_call(CALLS.get(position.game.name) or _("last"), position))
        head = [] if own else [_("  {help}", help=_("When it is your turn:"))]
        rest = [] if own else [_("  {help}", help=_("At any time:"))]
        return [*head, *(_("  {help}", help=each) for each in told), *rest, *lines]

    def _possible(self, position: Position | None, between_rounds: bool, paused: bool) -> list[str]:
        found: list[str] = []
        for verb in VERBS:
            possible = not verb.move or (position is not None and verb.name in position.verbs)
            if verb.name == "bomb":
                possible = (
                    position is not None
                    and any(is_bomb(move["cards"]) for move in position.plays)
                    and self.cards.is_tichu
                )
            if verb.name in ("hint", "hand", "goodbye"):
                possible = position is not None and (verb.name != "hint" or bool(position.verbs))
            if verb.name == "ready":
                possible = between_rounds
            if verb.name in ("wait", "go"):
                possible = paused
            if possible:
                found.append(verb.name)
        return found

    def hint(self, position: Position) -> str:
        """A move that is allowed: the one that the game makes for an absent player where it is offered, else the first."""
        _ = self._
        if not position.moves:
            return _("There is nothing for you to do now.")
        if nothing := self.nothing_fits(position):
            return nothing
        move = next((each for each in position.moves if each["do"] == "play"), position.moves[0])
        if move["do"] == "give":
            return _("You could give {cards}.", cards=self.cards.say_all(move["cards"]))
        if move["do"] == "play":
            return _("You could play {cards}.", cards=self.cards.say_all(move["cards"]))
        return _("You can type {verbs}.", verbs=shown(_, str(move["do"])))

    # --- bombs ---

    @staticmethod
    def bombs_in(hand: Iterable[Card]) -> set[frozenset[Card]]:
        """The bombs that a Tichu hand holds: fours of a kind, and each longest run of one suit."""
        held = [card for card in hand if len(card) == 2]
        found: set[frozenset[Card]] = set()
        by_rank: dict[str, set[Card]] = {}
        by_suit: dict[str, set[str]] = {}
        for card in held:
            by_rank.setdefault(card[0], set()).add(card)
            by_suit.setdefault(card[1], set()).add(card[0])
        found |= {frozenset(cards) for cards in by_rank.values() if len(cards) == 4}
        for suit, ranks in by_suit.items():
            run: list[str] = []
            for rank in (*RANKS, ""):
                if rank in ranks and rank:
                    run.append(rank)
                    continue
                if len(run) >= 5:
                    found.add(frozenset(Card(each + suit) for each in run))
                run = []
        return found


def remaining(hand: Sequence[Card], played: Iterable[Card]) -> list[Card]:
    left = list(hand)
    for card in played:
        left.remove(card)
    return left
