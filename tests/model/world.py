"""An evening of the model: seats on a network that splits, loses, delays and reorders; people who leave, return and arrive."""

from __future__ import annotations

from random import Random

from .rules import Rules
from .seat import Seat
from .values import MOVES, Book, Key, Message, Player, Roll, due

FOREVER = 10_000


class World:
    """Everybody, and the network between them."""

    def __init__(
        self,
        keepers: list[int],
        random: Random,
        rules: Rules | None = None,
        spare: int = 0,
        liar: Key | None = None,
        recovery: bool = False,
        height: int = 7,
        empty: int = 0,
        rounds: int = 0,
    ) -> None:
        """`keepers[i]`: who keeps seat i (i itself: a person). `empty`: further seats, with nobody in them.

        `spare`: persons in the room who have no seat, each with a bot.
        `rounds`: with how many the match ends; 0: it does not.
        """
        self.random = random
        self.rules = rules or Rules()
        self.height = height
        self.liar = liar
        self.rounds = rounds
        roll = tuple(Player(i, i, keeper) for i, keeper in enumerate(keepers))
        self.keepers = {p.key: p.keeper for p in roll}
        self.spare = [(100 + 2 * i, 101 + 2 * i) for i in range(spare)]
        for person, bot in self.spare:
            self.keepers |= {person: person, bot: person}
        self.book = Book(roll)
        self.seats = [self._seat(p.key, recovery) for p in roll]
        self.seats += [self._seat(key, recovery, is_seated=False) for pair in self.spare for key in pair]
        if liar is not None:
            self.seats.append(self._seat(liar, recovery))  # a second life under the same key
        self.size = len(roll) + empty
        self.places = dict.fromkeys(self.keepers, 0)
        """The part of the network in which each key is; negative: alone."""
        self.sides = dict.fromkeys(self.keepers, 0)
        """Which of the liar's two lives each key meets."""
        self.trace: list[str] = []

    def _seat(self, key: Key, recovery: bool, is_seated: bool = True) -> Seat:
        return Seat(key, self.book, self.rules, self.keepers, recovery, is_seated, self.rounds)

    @property
    def honest(self) -> list[Seat]:
        return [seat for seat in self.seats if seat.key != self.liar]

    def note(self, *what: object) -> None:
        self.trace.append(" ".join(str(each) for each in what))

    # --- the network ---

    def joins(self, one: Seat, other: Seat) -> bool:
        """Whether two reach each other."""
        if one.key == other.key or self.places[one.key] != self.places[other.key]:
            return False
        for seat, peer in ((one, other), (other, one)):
            if seat.key == self.liar and self.sides[peer.key] != (seat is self.seats[-1]):
                return False
        return True

    def reached(self, seat: Seat) -> set[Key]:
        return {seat.key} | {s.key for s in self.seats if self.joins(seat, s) and not s.has_left}

    def split(self) -> None:
        """A new shape of the network: all together, some away, or in parts. Bots are mostly where their keeper is."""
        people = [key for key, keeper in self.keepers.items() if key == keeper]
        shape = self.random.random()
        if shape < 0.2:
            places = dict.fromkeys(people, 0)
        elif shape < 0.6:
            gone = self.random.sample(people, self.random.randrange(1, (len(people) + 1) // 2 + 1))
            together = self.random.random() < 0.5
            places = {key: (1 if together else -1 - key) if key in gone else 0 for key in people}
        else:
            parts = self.random.randrange(1, 4)
            places = {key: self.random.randrange(parts) for key in people}
        for key, keeper in self.keepers.items():
            at_home = self.random.random() < 0.85
            self.places[key] = (
                places[keeper if at_home else self.random.choice(people)] if key != keeper else places[key]
            )
            self.sides[key] = self.random.randrange(2)
        self.note("network", dict(self.places.items()))

    def show(self, one: Seat, other: Seat, some: bool = False) -> None:
        """`one` shows `other` what it holds: all of it, or some of it in any order."""
        new: list[Message] = [m for m in one.held if m not in other.held and m.key != other.key]
        if some and new:
            new = self.random.sample(new, self.random.randrange(1, len(new) + 1))
        for message in new:
            self._hear(other, message)
        if new:
            self.note("letters", one.key, other.key, len(new))

    def _hear(self, seat: Seat, message: Message) -> None:
        before = len(seat.said), len(seat.begun), len(seat.certified), len(seat.convicted)
        was_over = seat.end is not None
        seat.receive(message)
        self.tell(seat, before)
        if seat.end is not None and not was_over:
            self.note(" ", seat.key, "ends", *seat.end)

    def tell(self, seat: Seat, before: tuple[int, int, int, int]) -> None:
        """Write down what is new about a seat."""
        for epoch, log in seat.begun[before[1] :]:
            self.note(" ", seat.key, "sees begin", epoch, "after", log)
        for epoch, log, alike in seat.certified[before[2] :]:
            self.note(" ", seat.key, "certifies", log, "in", epoch.number, "unanimous" if alike else "split")
        for key, why in list(seat.convicted.items())[before[3] :]:
            self.note(" ", seat.key, "convicts", key, why)
        for message in seat.said[before[0] :]:
            self.note(" ", seat.key, "says", type(message).__name__, *self._words(message))

    @staticmethod
    def _words(message: Message) -> list[object]:
        skipped = ("key",)
        return [f"{name}={value}" for name, value in vars(message).items() if name not in skipped]

    # --- what happens ---

    def do(self, seat: Seat, what: str) -> None:
        before = len(seat.said), len(seat.begun), len(seat.certified), len(seat.convicted)
        if what == "vote" and (
            self.height == FOREVER or due(seat.epoch, seat.log) != "open" or self.random.random() < 0.2
        ):
            seat.vote(seat.key, self.random.random() * 1.25, self.height)
        elif what == "change":
            seat.change(self.reached(seat))
        elif what == "add":
            seat.change(self.reached(seat), self.offer(seat))
        elif what == "room" and (bots := [p.key for p in seat.epoch.roll if p.keeper == seat.key != p.key]):
            seat.change(self.reached(seat), without=self.random.choice(bots))
        elif what == "leave" and self.keepers[seat.key] == seat.key:
            seat.leave()
        self.tell(seat, before)

    def offer(self, seat: Seat) -> Roll:
        """Whom a seat would add: left-out keys, newcomers or bots, in the empty seats of its epoch."""
        empty = [i for i in range(self.size) if i not in {p.seat for p in seat.epoch.roll}]
        here = {p.key for p in seat.epoch.roll}
        reached = self.reached(seat)
        able = [key for key in self.keepers if key in reached and key not in here]
        able = [key for key in able if self.keepers[key] in reached | here]
        chosen = self.random.sample(able, min(len(able), len(empty), self.random.randrange(1, 4)))
        keys = set(chosen) | here
        chosen = [key for key in chosen if self.keepers[key] in keys]  # no bot without its keeper
        return tuple(Player(i, key, self.keepers[key]) for i, key in zip(empty, chosen, strict=False))

    def run(self, steps: int, goodbyes: float = 0.0, additions: float = 0.0) -> None:
        """Whatever happens in an evening."""
        random = self.random
        changes = random.choice([0.01, 0.02, 0.04, 0.08])
        for _ in range(steps):
            luck = random.random()
            if luck < changes:
                self.split()
            elif luck < changes + goodbyes:
                self.do(random.choice(self.seats), "leave")
            elif luck < changes + goodbyes + additions:
                self.add(random.choice([seat for seat in self.seats if seat.is_seated]))
            elif additions and luck < changes + goodbyes + additions + 0.02:
                self.make_room(random.choice([seat for seat in self.seats if seat.is_seated]))
            elif luck < 0.30:
                self.do(random.choice(self.seats), "vote")
            elif luck < 0.44:
                self.do(random.choice(self.seats), "change")
            else:
                one, other = random.sample(self.seats, 2)
                if self.joins(one, other):
                    self.show(one, other, some=random.random() < 0.5)

    def play(self) -> None:
        """Everybody plays the first round, up to its closing."""
        here = [seat for seat in self.honest if seat.is_seated]
        while any(due(seat.epoch, seat.log) != "close" or not seat.is_settled for seat in here):
            for seat in here:
                seat.vote(0, 2.0, MOVES + 1)
            for one in here:
                for other in here:
                    if one is not other:
                        self.show(one, other)

    def add(self, seat: Seat) -> None:
        """A seat adds others, and mostly those who are there answer at once."""
        signed = seat.signed
        self.do(seat, "add")
        if seat.signed != signed:
            self.answer(seat)

    def make_room(self, seat: Seat) -> None:
        """A bot of this seat makes room; mostly somebody sits down there at once."""
        signed = seat.signed
        self.do(seat, "room")
        if seat.signed != signed:
            self.answer(seat)
            self.add(seat)

    def answer(self, seat: Seat) -> None:
        """Those who are there hear of what this seat has promised, and answer."""
        here = [one for one in self.seats if one is seat or self.joins(one, seat)]
        for _ in range(self.random.randrange(6 * len(here))):
            one, other = self.random.choice(here), self.random.choice(here)
            if one is not other and self.joins(one, other):
                self.show(one, other, some=self.random.random() < 0.1)
            else:
                self.do(one, "change")

    def heal(self, together: set[Key], rounds: int = 30) -> bool:
        """These reach each other from now on, and everybody is fair. Return whether the match goes on."""
        self.places = {key: 0 if key in together else -1 - key for key in self.keepers}
        self.sides = dict.fromkeys(self.sides, 0)
        self.note("healed", sorted(together))
        here = [seat for seat in self.seats if seat.key in together and not seat.has_left]
        here = [seat for seat in here if seat.key != self.liar or seat is not self.seats[-1]]
        self.height = FOREVER
        done = {seat.key: len(seat.certified) for seat in here}
        for _ in range(rounds):
            for one in here:
                for other in here:
                    if one is not other:
                        self.show(one, other)
            for what in ("change", "vote"):
                for seat in self.random.sample(here, len(here)):
                    self.do(seat, what)
            honest = [seat for seat in here if seat.key != self.liar]
            if all(seat.end is not None for seat in honest if seat.is_seated):
                return True
            if not self.rounds and any(len(seat.certified) > done[seat.key] + 1 for seat in honest):
                return True
        return False

    def exchange(self) -> None:
        """At last everybody honest learns everything."""
        messages = [m for seat in self.seats for m in seat.held]
        for seat in self.honest:
            for message in messages:
                if message.key != seat.key:
                    seat.receive(message)
