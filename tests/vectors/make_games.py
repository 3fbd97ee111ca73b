"""Vectors of the rules: states, demands, moves that are refused, breaches and default moves, for every game.

(PROTOCOL.md, "The games' states and default moves".)
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from copy import deepcopy
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from protocol.cards import PHOENIX, Card
from protocol.errors import BadMessage, IllegalMove
from protocol.games.catalogue import load
from protocol.games.game import AnyGame, Demand, Open, OpenAll, Outcome, Shuffle, Take
from protocol.games.local import RandomDealer
from protocol.games.shedding import PlayCards
from protocol.games.tichu.combinations import DRAGON_STRENGTH, SINGLE
from protocol.hashing import digest
from protocol.table.canonical import canonical
from protocol.values import replace
from protocol.wire import pack

HERE = Path(__file__).parent
MOST_MOVES = 150
MATCHES: list[tuple[str, int, dict[str, Any], list[int]]] = [
    ("crazy-eights", 3, {"hand": 4}, [0, 1, 2]),
    ("crazy-eights", 4, {"teams": True, "last_card": True, "reverse": "9", "skip": "Q", "again": "2"}, [0, 1, 2, 3]),
    ("crazy-eights", 2, {"hand": 15, "recycle": True, "draw": "one", "last_card": True}, [0, 1]),
    ("crazy-eights", 5, {"hand": 3}, [0, 2, 3]),
    ("two-four-jack", 3, {"hand": 4}, [0, 1, 2]),
    ("two-four-jack", 4, {"teams": True, "hand": 5, "draw": "until", "must_answer": False}, [0, 1, 2, 3]),
    ("mau-mau", 3, {"hand": 5}, [0, 1, 2]),
    ("mau-mau", 2, {"preset": "german", "hand": 14, "jack_on_jack": False, "jack_points": 20}, [0, 1]),
    ("mau-mau", 4, {"hand": 3}, [0, 2, 3]),
    ("macau-wars", 4, {}, [0, 1, 2, 3]),
    ("macau-wars", 3, {"jokers": 4, "jack_call": "round", "macau_penalty": 10}, [0, 1, 2]),
    ("macau-wars", 3, {"mode": "championship", "play_drawn": False, "hand": 3}, [0, 1, 2]),
    ("macau-wars", 5, {"hand": 4, "jokers": 0, "macau_penalty": 0}, [0, 1, 3, 4]),
    ("tichu", 4, {}, [0, 1, 2, 3]),
    ("tichu", 4, {"grand": False, "bomb_on_bomb": "any", "target": 0}, [0, 1, 2, 3]),
    ("macau-wars", 2, {"jokers": 0, "decks": 2, "jack_call": "round", "macau_penalty": 8}, [0, 1]),
    ("crazy-eights", 6, {}, [1, 4]),
    ("two-four-jack", 5, {}, [0, 2, 3]),
    ("crazy-eights", 4, {"teams": True, "hand": 3, "draw": "one", "target": 0}, [0, 2, 3]),
    ("mau-mau", 5, {"hand": 2, "target": 0}, [1, 3]),
    ("tichu", 4, {"grand": False}, [0, 1, 2, 3]),
    ("mau-mau", 4, {"recycle": False, "hand": 6, "target": 0}, [0, 1, 2, 3]),
]
"""Game, seats, options, and who is present."""
SCORES = {21: (1000, 1000)}
"""In this match the first round ends with these scores: two teams have come to the target with equally many, and it goes on."""


def demand(each: Demand) -> list[Any]:
    match each:
        case Shuffle():
            return ["shuffle", list(each.faces)]
        case Take():
            return ["take", each.seat, each.stock, [list(one) for one in each.laid]]
        case Open():
            return ["open"]
    return ["open all"]


class Play(RandomDealer):
    """A round with random moves, written down."""

    def __init__(self, game: AnyGame, rng: Random) -> None:
        super().__init__(game, rng)
        self.rng = rng
        self.steps: list[dict[str, Any]] = []
        self.before: dict[str, Any] = {}

    def write(self, step: dict[str, Any], state: Any, demands: Sequence[Demand]) -> None:
        """Keep a step with the fields of the state that it changed, and what it demands."""
        now = canonical(state)
        changed = {key: value for key, value in now.items() if key not in self.before or self.before[key] != value}
        hash = digest("state", pack(now)).hex()[:16]
        self.steps.append(step | {"changed": changed, "hash": hash, "demands": [demand(each) for each in demands]})
        self.before = now

    def carry_out(self, outcome: Any) -> Any:
        """Meet demands as the dealer does, and write down what was opened."""
        state, waiting = outcome
        while waiting:
            demands, waiting = waiting, ()
            for each in demands:
                if isinstance(each, Open):
                    face = self.stock.pop()
                    state, waiting = self.game.opened(state, face)
                    self.write({"opened": face}, state, waiting)
                elif isinstance(each, OpenAll):
                    state = self.game.opened_all(state, [tuple(hand) for hand in self.hands])
                    self.write({"opened_all": [list(hand) for hand in self.hands]}, state, ())
                else:
                    super().carry_out(Outcome(state, (each,)))
        return state

    def round(self, dealer: int, scores: Sequence[int], present: Sequence[int]) -> Any:
        """Play a round to its end, or so many moves."""
        game = self.game
        outcome = game.start(dealer, scores, present)
        step = {"start": {"dealer": dealer, "scores": list(scores), "present": list(present)}}
        self.write(step, outcome.state, outcome.demands)
        state = self.carry_out(outcome)
        for _ in range(MOST_MOVES):
            if game.is_round_over(state):
                break
            state = self.move(state, *self.chosen(state))
        if game.is_round_over(state):
            end = {"over": game.is_match_over(state), "next_dealer": game.next_dealer(state)}
            self.steps[-1] |= end | {"winners": list(game.winners(game.scores(state)))}
        return state

    def chosen(self, state: Any) -> tuple[int, Any]:
        """A seat that may move, and its move, after some others that are judged only."""
        game = self.game
        seats = [seat for seat in game.to_act(state) if game.legal(state, seat, self.hands[seat])]
        seat = seats[0] if self.rng.random() < 0.9 else self.rng.choice(seats)
        moves = list(islice(game.legal(state, seat, self.hands[seat]), 400))
        plays = [move for move in moves if game.uses(move).played]
        move = self.rng.choice(plays if plays and self.rng.random() < 0.95 else moves)
        step: dict[str, Any] = {}
        if judged := list(islice(self.judged(state, seat), 1)):
            step["judged"] = judged
        awaited = next((each for each in range(game.seats) if each in game.awaited(state)), seat)
        default = game.default(state, awaited, self.hands[awaited])
        if default is not None:
            if self.rng.random() < 0.3:
                step |= {"hand": list(self.hands[awaited]), "default": [awaited, game.encode(default)]}
            if self.rng.random() < 0.5:
                seat, move = awaited, default
        if isinstance(move, PlayCards) and move.next is not None and game.seats == 2:
            move = replace(move, next=None)  # who is meant goes without saying
        if game.name == "mau-mau" and not game.options["recycle"] and state.stock_size == 0:
            # Nothing is due for the last card.
            move = replace(move, call=False) if isinstance(move, PlayCards) else move
        if step:
            self.steps.append(step)
        return seat, move

    def move(self, state: Any, seat: int, move: Any) -> Any:
        """Make a move, and write it down."""
        outcome = self.game.apply(state, seat, move)
        public = self.game.encode(self.game.public(move))
        self.write({"seat": seat, "move": public}, outcome.state, outcome.demands)
        return super().move(state, seat, move)

    def judged(self, state: Any, seat: int) -> Iterator[dict[str, Any]]:
        """Moves that some seat could propose, and whether everybody sees that they are refused ("illegal"), the hand forbids
        them ("breach"), or neither ("legal")."""
        seen = []
        yield from self.on_the_dragon(state)
        yield from self.of_the_dragon(state)
        for _ in range(40):
            who = seat if self.rng.random() < 0.8 else self.rng.randrange(self.game.seats)
            hand = self.hands[who]
            data = self.candidate(hand)
            if data is None or (who, data) in seen:
                continue
            seen.append((who, data))
            try:
                move = self.game.decode(data)
            except BadMessage:
                continue
            verdict = self.verdict(state, who, move)
            if self.rng.random() < {"legal": 0.7, "breach": 0.0, "illegal": 0.97}[verdict]:
                continue
            yield {"seat": who, "move": self.game.encode(move), "hand": list(hand), "verdict": verdict}

    def on_the_dragon(self, state: Any) -> Iterator[dict[str, Any]]:
        """In Tichu, the Phoenix on the Dragon, which it does not beat."""
        if self.game.name == "tichu" and state.combo is not None and state.combo.strength == DRAGON_STRENGTH:
            who = next((seat for seat, hand in enumerate(self.hands) if PHOENIX in hand), None)
            if who is not None and who == state.turn and state.phase == "play" and state.combo.kind == SINGLE:
                move = self.game.decode({"do": "play", "cards": [PHOENIX]})
                verdict = self.verdict(state, who, move)
                yield {"seat": who, "move": self.game.encode(move), "hand": list(self.hands[who]), "verdict": verdict}

    def of_the_dragon(self, state: Any) -> Iterator[dict[str, Any]]:
        """In Tichu, the Dragon's trick given to the partner."""
        if self.game.name == "tichu" and state.phase == "collect" and state.combo.strength == DRAGON_STRENGTH:
            move = self.game.decode({"do": "collect", "to": (state.turn + 2) % 4})
            hand, verdict = list(self.hands[state.turn]), self.verdict(state, state.turn, move)
            yield {"seat": state.turn, "move": self.game.encode(move), "hand": hand, "verdict": verdict}

    def verdict(self, state: Any, seat: int, move: Any) -> str:
        """What the rules say of a move."""
        try:
            self.game.apply(state, seat, move)
        except IllegalMove:
            return "illegal"
        return "legal" if self.game.is_legal(state, seat, self.hands[seat], move) else "breach"

    def candidate(self, hand: Sequence[Card]) -> dict[str, Any] | None:
        """The object of a move that may well be wrong, with cards of the hand."""
        rng, name = self.rng, self.game.name
        kind = rng.choice(["draw", "pass", "call", "play", "play", "play", "play"])
        if name == "tichu":
            kind = rng.choice(["pass", "tichu", "collect", "grand", "show", "play", "play", "play", "play"])
        if kind != "play" or not hand:
            return {"do": kind} if kind != "play" else None
        count = 1 if rng.random() < 0.6 else rng.randint(2, 3 if name == "macau-wars" else 5)
        cards = rng.sample(list(hand), min(count, len(hand)))
        if name in ("macau-wars", "tichu") and rng.random() < 0.7:
            cards = [card for card in hand if card[0] == cards[0][0]][:count]
        found: dict[str, Any] = {"do": "play", "cards": cards}
        if name == "tichu":
            return found | ({"wish": rng.choice("25TA")} if rng.random() < 0.1 else {})
        found["call"] = rng.random() < 0.2
        if rng.random() < 0.5:
            found["suit"] = rng.choice("cdhs")
        if name == "macau-wars":
            found["as"] = [rng.choice(self.game.deck[:52]) for card in cards if card == "Jk"]
            if rng.random() < 0.3:
                found |= {"suit": None, "rank": rng.choice("5679T"), "next": None}
            elif rng.random() < 0.2:
                found |= {"suit": None, "next": rng.randrange(self.game.seats)}
        return found


def match(name: str, seats: int, options: dict[str, Any], present: list[int], seed: int) -> dict[str, Any]:
    """Two rounds of a match."""
    game = load(name, seats, options)
    rng = Random(seed)
    scores: Sequence[int] = (0,) * len(game.teams)
    dealer, rounds = rng.choice(present), []
    if seed in SCORES:
        scores = _before(game, deepcopy(rng), dealer, present, SCORES[seed])
    for _ in range(2):
        play = Play(game, rng)
        state = play.round(dealer, scores, present)
        rounds.append(play.steps)
        if not game.is_round_over(state) or game.is_match_over(state):
            break
        scores, wanted = game.scores(state), game.next_dealer(state)
        dealer = next((seat for seat in present if seat >= wanted), present[0])
    return {"game": name, "seats": seats, "options": dict(game.options), "rounds": rounds}


def _before(game: AnyGame, rng: Random, dealer: int, present: Sequence[int], after: Sequence[int]) -> Sequence[int]:
    """With which scores the first round has to begin, to end with those."""
    state = Play(game, rng).round(dealer, (0,) * len(game.teams), present)
    return tuple(then - now for then, now in zip(after, game.scores(state), strict=True))


def vectors() -> dict[str, Any]:
    return {
        "about": "Rounds of every game, step by step: what changes in the state, the first 8 bytes of digest('state', encoding "
        "of the game's whole state), and the demands; moves that are judged in the state before; default moves.",
        "matches": [match(*each, seed) for seed, each in enumerate(MATCHES, start=1)],
    }


def main() -> None:
    data = vectors()
    rows = ",\n".join(
        json.dumps({key: each[key] for key in ("game", "seats", "options")}, ensure_ascii=False)[:-1]
        + ', "rounds": [\n'
        + ",\n".join(
            "[\n" + ",\n".join(json.dumps(step, separators=(",", ":")) for step in steps) + "\n]"
            for steps in each["rounds"]
        )
        + "\n]}"
        for each in data["matches"]
    )
    text = '{\n"about": ' + json.dumps(data["about"]) + ',\n"matches": [\n' + rows + "\n]\n}\n"
    assert json.loads(text) == json.loads(json.dumps(data))
    (HERE / "games.json").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
