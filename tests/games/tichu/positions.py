"""Forty positions of Tichu with the moves that good players make in them, each with its source.

We are seat 0: seat 1 plays after us, seat 2 is our partner, seat 3 plays before us. A move is written by its ranks ("A",
"5 5", "Phx"), as "pass", "tichu", "grand", "nothing" (no bomb, no call), "take 3" (the Dragon's trick goes to seat 3), or
"give next|across|back RANK". `right` lists the moves that are right; after "not", those that are wrong.

Sources. FUEGI: A. Fuegi, "Tichu Strategy", https://scv.bu.edu/~aarondf/Games/Tichu/tichu_strategy.html, and its footnotes.
DRAGON: B. Durkin, "How to Play the Dragon", nextlevelcardgames.com. DOG: B. Durkin, "How to Pass the Dog", same place.
PASSING: "Tichu (Passing strategy)", boredgamegeeks.blogspot.com, 6 October 2005. WISH: "Tichu Strategy, Part II: Using the
Mah-Jong", thattraingame.com. RULES: follows from the rules page of this game. COUNTED: the cards that are left decide it.
PRINCIPLE: a common principle of climbing games, given in words.

Of FUEGI only the start (on passing) and the footnotes were at hand, of DRAGON, DOG, PASSING and WISH the first paragraphs. What
is ascribed to them about calls, bombs, runs and last cards is common advice that still has to be checked against the whole
articles.

Two reviewers who had written none of them went through all positions, each with a solver and play-outs of their own, and a third
through those that were changed after it. Changed were positions in which another move was as good, nothing was at stake, or that
no round leads to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from protocol.cards import DOG, DRAGON, MAH_JONG, PACK_TICHU, PHOENIX, Card, Seat
from protocol.games.tichu import Tichu
from protocol.games.tichu.moves import CallTichu, Collect, Give, Grand, Move, Pass, PlayCombination
from protocol.games.tichu.state import GIVE, GRAND, TichuState
from protocol.values import replace
from tests.games.tichu.sitting import cards

SPECIAL = {card: str(card) for card in (DOG, DRAGON, MAH_JONG, PHOENIX)}
NEXT, ACROSS, BACK = "give next ", "give across ", "give back "


@dataclass(frozen=True)
class Position:
    """What seat 0 sees, and what it should do. `sizes`: the other hands before the `trick` ("3:Kj 1:pass"), `others`: the
    cards in them, if some are gone; `gave`: what we gave to the seats 1, 2, and 3 in the exchange."""

    name: str
    source: str
    hand: str
    right: tuple[str, ...]
    phase: str = "play"
    sizes: tuple[int, int, int] = (14, 14, 14)
    others: str | None = None
    lead: Seat = 0
    trick: str = ""
    calls: Mapping[Seat, str] = field(default_factory=dict)
    out: tuple[Seat, ...] = ()
    gave: str = ""

    @property
    def cards(self) -> tuple[Card, ...]:
        return cards(self.hand)

    def state(self) -> TichuState:
        """Return the public state, our own hand included only by its size."""
        calls = tuple(self.calls.get(seat) for seat in range(4))
        if self.phase == GRAND:
            decided = tuple(call is not None for call in calls)
            return replace(Tichu(4).start(3).state, calls=calls, decided=decided)
        if self.phase == GIVE:
            return replace(Tichu(4, {"grand": False}).start(3).state, calls=calls)
        trick = [play.split(":") for play in self.trick.split()]
        by_us = [
            card for seat, play in trick if seat == "0" and play != "pass" for card in cards(play.replace(",", " "))
        ]
        held = {*self.cards, *by_us}
        rest = [card for card in PACK_TICHU if card not in held]
        others = rest if self.others is None else list(cards(self.others))
        assert len(others) == sum(self.sizes), f"{self.name}: {len(others)} cards in hands of {self.sizes}"
        assert not held & set(others) and set(others) <= set(PACK_TICHU), self.name
        gone = tuple(card for card in rest if card not in others)
        dummies = [tuple(held), *(tuple(PACK_TICHU[:size]) for size in self.sizes)]
        game = Tichu(4)
        state = game.lead_state(self.lead, dummies, self.out)
        shown = 0 if MAH_JONG in held else None
        state = replace(state, calls=calls, played=gone, mah_jong=shown)
        for seat, play in trick:
            move: Move = Pass() if play == "pass" else PlayCombination(cards(play.replace(",", " ")))
            state = game.apply(state, Seat(int(seat)), move).state
        return state


def told(move: Move | None) -> list[str]:
    """Return how a move may be written in `right`."""
    match move:
        case None:
            return ["nothing"]
        case Pass():
            return ["pass"]
        case CallTichu():
            return ["tichu"]
        case Grand(call):
            return ["grand" if call else "no grand"]
        case Collect(to):
            return [f"take {to}", "nothing"]
        case PlayCombination(played, wish):
            ranks = " ".join(sorted(SPECIAL.get(card, card[0]) for card in played))
            return [ranks, f"{ranks} wish {wish}"]
        case Give(given) if not isinstance(given, int):
            following, across, back = (SPECIAL.get(card, card[0]) for card in given)
            foes = " ".join(sorted((following, back)))
            return [NEXT + following, ACROSS + across, BACK + back, f"give foes {foes}"]
    raise ValueError(move)


def is_right(position: Position, move: Move | None) -> bool:
    """Return whether this is a right move."""
    said = {_sorted(each) for each in told(move)}
    right = position.right
    if right[0] == "not":
        return not said & {_sorted(each) for each in right[1:]}
    return bool(said & {_sorted(each) for each in right})


def _sorted(words: str) -> str:
    """Return the ranks of a play in one order."""
    first, *rest = words.split(" wish ")
    is_play = first.split()[0] not in ("give", "take", "no")
    return " wish ".join([" ".join(sorted(first.split())) if is_play else first, *rest])


WEAK = "2j 2s 3p 5k 5j 7s 7k 9j 9s Jp Qk Qj 4p"
STRONG = "Drg Phx Aj As Ap Kj Ks Kp Qj Qs 9p Tp Jp 8p"
CALLING = "Drg Phx Aj As Ap Kj Ks Kp Qj Qs 9p Tp Jp Mah"

POSITIONS: tuple[Position, ...] = (
    # --- the exchange ---
    Position(
        "a weak hand passes the Dragon across",
        "DRAGON: most players pass the Dragon to their partner; FUEGI: your best card, if you will not call",
        f"Drg {WEAK}",
        (ACROSS + "Drg",),
        GIVE,
    ),
    Position(
        "a weak hand passes its ace across",
        "PASSING: if your hand is not strong enough to call, pass a winner to your partner",
        f"Aj {WEAK}",
        (ACROSS + "A",),
        GIVE,
    ),
    Position(
        "a weak hand passes its Phoenix across",
        "FUEGI, footnote 1: Phoenix, Dragon, aces, king ... is the order of cards to pass",
        "Phx 2j 2s 4p 4k 5j 5s 7s 7k 9j 9s Tp Qk 3j",
        (ACROSS + "Phx",),
        GIVE,
    ),
    Position(
        "a hand that will call passes the Dog across",
        "DOG, quoting FUEGI: with quite a good hand, pass the Dog to your partner",
        "Drg Phx Aj As Ap Kj Ks 9p Tp Jp 8p 3k 5s Dog",
        (ACROSS + "Dog",),
        GIVE,
    ),
    Position(
        "opponents get cards that fit nothing",
        "FUEGI: pass your two worst cards, which do not fit into sets, to the opponents; PASSING: a higher one goes across",
        "Drg Aj As Kp Kj Qs Qj 9k 9j 6s 6p 3k 2j 8s",
        ("give foes 2 3",),
        GIVE,
    ),
    Position(
        "the extra cards beside a straight go to the opponents",
        "PASSING: of 8 7 7 6 5 5 4 the extra 7 and 5 are good cards to pass",
        "9p 8j 7j 7s 6p 5j 5s 4k 3p Aj As Kj Ks Qp",
        ("give foes 5 7",),
        GIVE,
    ),
    Position(
        "a partner who called Grand Tichu gets the best card",
        "FUEGI: a caller's partner passes the best card",
        "Aj Kp 2j 3s 5p 6k 8j 9s Jk Tp 4p 2s 6s 8k",
        (ACROSS + "A",),
        GIVE,
        calls={2: "grand"},
    ),
    Position(
        "an opponent who called Grand Tichu gets the Dog",
        "DOG: passing the Dog to an opponent who has called hurts the call",
        "Dog Aj Kp 3s 5p 6k 8j 9s Jk Tp 4p 2s 6s 8k",
        (NEXT + "Dog",),
        GIVE,
        calls={1: "grand"},
    ),
    Position(
        "the Dragon goes to the partner against a Grand Tichu, too",
        "DRAGON: most players pass the Dragon to their partner",
        "Drg 2j 3s 5p 6k 8j 9s Jk Tp 4p 2s 6s 8k 9p",
        (ACROSS + "Drg",),
        GIVE,
        calls={3: "grand"},
    ),
    # --- calls ---
    Position(
        "Grand Tichu with the Dragon, the Phoenix and two aces",
        "FUEGI: call with most of the Phoenix, Dragon and aces among the first eight",
        "Drg Phx Aj As Kp 2j 3s 7k",
        ("grand",),
        GRAND,
    ),
    Position(
        "no Grand Tichu with an ace and a king",
        "PRINCIPLE: one of the top cards among eight makes nobody the first out",
        "Aj Kp 2j 3s 5p 6k 8j 9s",
        ("no grand",),
        GRAND,
    ),
    Position(
        "no Grand Tichu over the partner's",
        "RULES: only one can be first out, so that one of the two calls is lost for sure",
        "Drg Phx Aj As Kp Kj 3s 7k",
        ("no grand",),
        GRAND,
        calls={2: "grand"},
    ),
    Position(
        "Tichu with winners for every loser",
        "FUEGI: count winners against losers",
        CALLING,
        ("tichu",),
    ),
    Position(
        "no Tichu without winners",
        "FUEGI: count winners against losers",
        "2j 3s 4p 5k 7j 8s 9k Tj Js Qk Mah 3p 5p Dog",
        ("not", "tichu"),
    ),
    Position(
        "no Tichu after the partner's",
        "RULES: only one can be first out",
        CALLING,
        ("not", "tichu"),
        calls={2: "tichu"},
    ),
    Position(
        "no Tichu once somebody is out",
        "RULES: the call is lost for sure",
        STRONG,
        ("not", "tichu"),
        sizes=(9, 10, 0),
        others="2j 2s 2p 3j 3s 3p 4j 4s 4p 5j 5s 5p 6j 6s 6p 7j 7s 7p 8s",
        out=(3,),
    ),
    # --- leading ---
    Position(
        "out at once with a straight",
        "RULES: the last combination may always be led",
        "5j 6s 7p 8k 9j",
        ("5 6 7 8 9",),
        sizes=(3, 4, 2),
        others="2j 3j Kp Kk Ap As Ts Jj Tp",
    ),
    Position(
        "the Dragon first, then the loser",
        "COUNTED: nothing beats the Dragon, then the 4 is the last card; led first, the 4 may let an opponent out",
        "Drg 4j",
        ("Drg",),
        sizes=(1, 4, 1),
        others="Kj Ks 2s 6p 7s 8p",
    ),
    Position(
        "pairs against opponents with one card",
        "COUNTED: who holds one card cannot follow a pair",
        "3j 3s 9p 9k",
        ("3 3", "9 9"),
        sizes=(1, 5, 1),
        others="Kj As 2s 6p 7s 8p Tj",
    ),
    Position(
        "a single against an opponent with two cards",
        "FUEGI, footnote 5, on 4 4 6 6 A A against two cards; COUNTED: any single wins, any pair gives the tens away",
        "4j 4s 6j 6s Aj As",
        ("4", "6", "A"),
        sizes=(2, 0, 0),
        others="Tj Ts",
        out=(2, 3),
    ),
    Position(
        "the 2 of 2 3 3 5 5 A against two kings",
        "FUEGI, footnote 5: the single 2 makes sure that we are out before the kings",
        "2j 3j 3s 5j 5s Aj",
        ("2",),
        sizes=(2, 0, 0),
        others="Kj Ks",
        out=(2, 3),
    ),
    Position(
        "the Dog to a partner who called",
        "FUEGI: the Dog is one of the best tools to support the partner's call",
        "Dog 3j 6s 8p Tk Jk",
        ("Dog",),
        sizes=(7, 6, 8),
        others="Drg Phx Aj As Kj Ks 2j 2s 4p 4k 5j 5s 7p 7k 9j 9s Qj Qs Tj Js 8j",
        calls={2: "tichu"},
    ),
    Position(
        "a sure ace before the Dog",
        "COUNTED: with the partner out, the ace wins the trick, then the Dog is the last card: a double victory",
        "Dog Aj",
        ("A",),
        sizes=(3, 0, 3),
        others="Kj Ks 2s 6p 7s 8p",
        out=(2,),
    ),
    Position(
        "winners first against a last card",
        "COUNTED: ace and Dragon win, the 3 goes last; led now, it lets an opponent out",
        "3j Aj Drg",
        ("A", "Drg"),
        sizes=(1, 4, 1),
        others="Kj Ks 2s 6p 7s 8p",
    ),
    Position(
        "a sure ace before the straight",
        "COUNTED: the ace wins, then the straight is the last play; led first, it can be beaten",
        "5j 6s 7p 8k 9j Aj",
        ("A",),
        sizes=(6, 4, 6),
        others="Kj Ks 6p 7s 8p 9p Tj Js Qk Ts Jj Qj 2j 2s 3p 3s",
        calls={0: "tichu"},
    ),
    Position(
        "the Mah Jong goes in a straight",
        "FUEGI: a run gets rid of the Mah Jong and low cards at once; COUNTED: nobody can beat it, and the king goes last",
        "Mah 2j 3s 4p 5k Kp",
        ("Mah 2 3 4 5",),
        sizes=(3, 4, 3),
        others="Aj Qj Js 9s 8j 7k 6p 6s 3j 2s",
    ),
    Position(
        "the Mah Jong wishes for the card that went to the next player",
        "WISH: in the usual situation you want to wish for what you passed; COUNTED: the 3 must be played, so our king goes last",
        "Mah Kp",
        ("Mah wish 3",),
        sizes=(6, 2, 3),
        others="3p Aj Qj Js Ts 9k 8j 7s 6k 4s 2j",
        calls={0: "tichu"},
        gave="3p Qk 2s",
    ),
    Position(
        "the Mah Jong wishes for an ace from a Grand Tichu",
        "WISH: against a Grand Tichu of the next player, wish for the ace; FUEGI, footnote 3: if we have none",
        "Mah 6s 6p 8k 8s Tp Tj Qk Qp Kp Kj Jk 4j 4s",
        ("Mah wish A",),
        calls={1: "grand"},
        gave="3p Kk 2s",
    ),
    # --- following ---
    Position(
        "the partner's king stands",
        "PRINCIPLE: do not take the partner's trick with a winner",
        "As 5j 6j Qs",
        ("pass",),
        sizes=(3, 4, 3),
        others="Kj 3j 4j 2j 2s 5s 6s 2k 7k 7p",
        lead=2,
        trick="2:Kj 3:pass",
    ),
    Position(
        "no Phoenix on the partner's ace",
        "PRINCIPLE: the partner's ace will win or draw the Dragon; the Phoenix is kept",
        "Phx 3j 5s 8k Tk 9p",
        ("pass",),
        sizes=(6, 6, 6),
        others="Drg Aj As Kj Ks 2j 2s 4p 4k 5j 6s 7p 7k 9j 9s Qj Qs Tj",
        lead=2,
        trick="2:Aj 3:pass",
    ),
    Position(
        "an opponent with one card left gets no trick",
        "FUEGI: play high to keep an opponent with one card from the lead",
        "Aj Kj 4s 4p 6k",
        ("A", "K"),
        sizes=(5, 5, 2),
        others="Qj 9s 2j 2s 3p 3s 5j 5s 7j 7s 8p 8k",
        lead=3,
        trick="3:Qj",
    ),
    Position(
        "out on an opponent's trick",
        "RULES: the last card may be played on anything lower, and the aces could take the chance away",
        "Ks",
        ("K",),
        sizes=(3, 3, 3),
        others="8s 2j 3j As Ap Kj 7j 9j Tj",
        lead=3,
        trick="3:8s",
    ),
    Position(
        "not out before a partner who called",
        "RULES: the partner's call would be lost",
        "Ks",
        ("pass",),
        sizes=(3, 3, 3),
        others="8s 2j 3j 4j 5j 6j 7j 2s 3s",
        lead=2,
        trick="2:8s 3:pass",
        calls={2: "tichu"},
    ),
    Position(
        "the sure ace takes the trick that leads to the end",
        "COUNTED: the ace wins, then the pair is the last play",
        "Aj 5j 5s",
        ("A",),
        sizes=(4, 4, 4),
        others="Jj Ks 2j 2s 3p 3s 6j 6s 7j 8s 9p 9k",
        lead=3,
        trick="3:Jj",
        calls={0: "tichu"},
    ),
    Position(
        "the ace stops a caller's king",
        "FUEGI: against a call, win tricks from the caller when you can",
        "Aj 4s 4p 8k 9j",
        ("A",),
        sizes=(5, 5, 4),
        others="Kj Ks Qj Qs Js Ts 9s 7j 7s 6p 5j 3j 2j 2s",
        lead=3,
        trick="3:Kj",
        calls={3: "tichu"},
    ),
    Position(
        "no winner on a low single at the start",
        "PRINCIPLE: a low lead is not worth a top card",
        "Drg Phx Aj 7s 9p 9j Js Tk Qk 4j 4s 2j 6p 6k",
        ("not", "Drg", "Phx", "A"),
        lead=3,
        trick="3:Mah",
    ),
    Position(
        "a loser goes on a low single",
        "PRINCIPLE: get rid of single low cards where they cost nothing",
        "3s 5j Aj 9k 9s",
        ("5",),
        sizes=(4, 4, 5),
        others="4p Kj Qs Js Tp 8j 8s 7k 7j 6p 6k 2j 2s",
        lead=3,
        trick="3:4p",
        calls={0: "tichu"},
    ),
    # --- bombs and the Dragon ---
    Position(
        "a bomb stops a caller with two cards",
        "FUEGI: a bomb is best kept to break an opponent's call",
        "5j 5s 5p 5k 3j 4s 8p",
        ("5 5 5 5",),
        sizes=(4, 5, 3),
        others="Ak 2p 4j 2s 6s 6p 8s 9s 9j 6j Qs 7k",
        lead=3,
        trick="3:Ak",
        calls={3: "tichu"},
    ),
    Position(
        "no bomb on the partner's trick",
        "PRINCIPLE: a bomb on the partner's winner is wasted",
        "5j 5s 5p 5k 3j 4s 8p",
        ("pass",),
        sizes=(5, 5, 6),
        others="Ak 2p 4j 2s 6s 6p 8s 9s 9j 6j Qs 7k Tj Jj Kj Js",
        lead=2,
        trick="2:Ak 3:pass",
    ),
    Position(
        "the Dragon's trick goes to the opponent who will be last",
        "DRAGON: count the cards; COUNTED: the tricks of who is last go to the first one out, our partner",
        "3j",
        ("take 1",),
        sizes=(6, 0, 0),
        others="2s 6s 9s 9j 6j Qs",
        out=(2, 3),
        trick="0:Drg 1:pass",
    ),
)
