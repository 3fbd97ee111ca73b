"""Real tables, joined by a fake network, driven by people and faults under a fake clock."""

from __future__ import annotations

import contextlib
import heapq
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from protocol.errors import BadMessage, FairdealError, IllegalMove
from protocol.games.catalogue import load
from protocol.identity import Identity
from protocol.messages import Ask, Proposal, Reveal, TakeSeat, Vote, Without
from protocol.signed import Page, Signed, decode, decode_signed
from protocol.table.epochs import start_of
from protocol.table.events import Accused, Differs, EpochBegan, Event
from protocol.table.phases.values import Phase, certified
from protocol.table.roster import Member, Roster, nonce_hash
from protocol.table.step import Entry, Step
from protocol.table.table import Table
from protocol.values import replace
from tests.table.tables import stream

from .lying import Liar
from .setting import HINDRANCES, Fault, Setting

PATIENCE_S = 200.0
"""How long after the last fault, and after the last certificate, a match that can go on may take to do so."""
ENOUGH = 8
"""So many entries after the last fault show that a match goes on, where it is not played to its end."""
POLL_S = 5.0
"""How often people look whether there is a vote to play on."""
LIES_S = 60.0
"""How long after the last fault a liar goes on changing its face."""
LAST_WORDS_S = 2.0
"""How long the program of a player who left for good keeps running."""
MOST_TURNS = 400_000


@dataclass
class Client:
    """A seat's program, and what outlives it: its identity, its journal and its file."""

    index: int
    identity: Identity
    nonce: bytes
    table: Table
    journal: list[Entry] = field(default_factory=list)
    durable: int = 0
    """So many entries of the journal are on the disk for sure: those that something was sent after."""
    transcript: list[bytes] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    life: int = 0
    """How often it was started; what was on its way to an earlier life is lost."""
    is_up: bool = True
    is_gone: bool = False
    """It never comes back."""
    has_left: bool = False
    """Its player said goodbye."""
    idle_until: float = 0.0
    dying: Fault | None = None
    signing: Fault | None = None
    """What happens to it as soon as it signs something."""
    thinks: bool = False
    due: float | None = None
    """When its table wants to be woken."""
    taking: tuple[int, Member] | None = None
    """The seat that it would take, if it is not in the roster, and as whom."""
    spoke_at: float = 0.0
    """When it last sent anything."""
    followers: dict[bytes, int] = field(default_factory=dict)
    """The seats that others would take, who asked."""


class World:
    """One run."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.random = Random(f"run {setting.seed}")
        self.now = 1000.0
        self.began = self.now
        self.game = load(setting.game, setting.seats, setting.options)
        seed = setting.seed
        identities = [Identity(stream(seed * 100 + i)(32)) for i in range(setting.seats)]
        nonces = [stream(seed * 100 + 50 + i)(32) for i in range(setting.seats)]
        members = tuple(
            Member(who.public, f"P{i}", identities[keeper].public, i != keeper, nonce_hash(who.public, nonce))
            for i, (who, nonce, keeper) in enumerate(zip(identities, nonces, setting.keepers, strict=True))
        )
        self.roster = Roster(
            setting.game, self.game.version, dict(self.game.options), setting.table, stream(seed)(16), members
        )
        self.clients = [
            Client(i, who, nonce, self._table(who, nonce))
            for i, (who, nonce) in enumerate(zip(identities, nonces, strict=True))
        ]
        self.programs = list(self.clients)
        """All programs that run: the liar's key has two."""
        self.double: Client | None = None
        """The liar's second program."""
        if setting.liar is not None:
            first = self.clients[setting.liar]
            self.double = Client(first.index, first.identity, first.nonce, self._table(first.identity, first.nonce))
            self.programs.append(self.double)
        self.liars: dict[int, Liar] = {}
        """What the programs of a liar say instead of their promises, by their identity."""
        if self.double is not None and setting.lie is not None:
            ours = [program for program in self.programs if program.index == setting.liar]
            tables = [program.table for program in ours]
            self.liars = {id(program): Liar(program.table, setting.lie, tables) for program in ours}
        self.keepers = [*setting.keepers, *(spare.keeper for spare in setting.spares)]
        """By client, whether it is there yet or not."""
        self.spare_identities = [Identity(stream(seed * 100 + 80 + i)(32)) for i in range(len(setting.spares))]
        self.sides = [0] * setting.seats
        """Which of the liar's two programs each client meets."""
        self.cut: dict[tuple[int, int], int] = {}
        """How many faults cut each direction."""
        self.joined: set[tuple[int, int]] = set()
        """Pairs (lower, higher) that have a link."""
        self._noted: list[tuple[float, tuple[object, ...]]] = []
        self.wrong: list[str] = []
        self.forks: list[str] = []
        """Where honest seats certified two things: wrong, unless a liar did it and was convicted."""
        self.accused: set[int] = set()
        self.certificates: dict[tuple[int, int], dict[bytes, int]] = {}
        """By epoch and height: the certificates there, each with a client that has it."""
        self.confirming: set[bytes] = set()
        """The epochs that began with the end of the match, by their hashes."""
        self.progress_at = self.now
        """When a certificate was seen first."""
        self._enough: tuple[int, int] | None = None
        self._queue: list[tuple[float, int, Callable[[], None]]] = []
        self._count = 0

    def _table(self, identity: Identity, nonce: bytes, taking: tuple[int, Member] | None = None) -> Table:
        rng = stream(self.random.randrange(1 << 40))
        table = Table(self.roster, self.game, identity, nonce, rng, self.now, taking)
        table.ahead.is_on = self.setting.works_ahead
        return table

    def _key(self, index: int) -> bytes:
        """The key of a client, whether it is there yet or not."""
        seats = self.setting.seats
        return self.roster.members[index].key if index < seats else self.spare_identities[index - seats].public

    def _index(self, key: bytes) -> int:
        return next(index for index in range(len(self.keepers)) if self._key(index) == key)

    # --- the clock ---

    def later(self, seconds: float, what: Callable[[], None]) -> None:
        self._count += 1
        heapq.heappush(self._queue, (self.now + seconds, self._count, what))

    def note(self, *what: object) -> None:
        self._noted.append((self.now - self.began, what))

    @property
    def trace(self) -> list[str]:
        """What happened, line by line."""
        return [f"{time:8.3f} " + " ".join(map(_words, what)) for time, what in self._noted]

    def run(self) -> None:
        """To the end of the match, or until nothing more can come of it. What went wrong is in `wrong`."""
        for client in self.programs:
            self._enter(client, lambda table: table.start(self.now))
        self._rejoin()
        for fault in self.setting.faults:
            self.later(fault.at, lambda fault=fault: self._go_wrong(fault))  # type: ignore[misc]
        for index, spare in enumerate(self.setting.spares, start=self.setting.seats):
            self.later(spare.at, lambda index=index: self._arrive(index))  # type: ignore[misc]
        self.later(POLL_S, self._poll)
        self.later(0.0, self._lie)
        for _ in range(MOST_TURNS):
            if (
                self.wrong
                or (self.forks and self.setting.liar is None)
                or self.is_done
                or self.now > self._patient_until
            ):
                return
            self._turn()
        self.wrong.append("no end: the tables never come to rest")

    @property
    def _patient_until(self) -> float:
        return max(self.progress_at, self.began + self.setting.calm_at) + PATIENCE_S

    @property
    def is_done(self) -> bool:
        if self.now < self.began + self.setting.calm_at:
            return False
        here = self.players
        tables = [client.table for client in here]
        if not tables:
            return True
        following = [
            client.table for client in self.outsiders if not client.table.is_over
        ]  # others may have ended before
        if any(table.record.epoch != tables[0].record.epoch for table in following):
            return False
        if all(table.is_over for table in tables):
            return all(client.table.is_over for client in self.outsiders)
        if self.setting.is_whole or not all(client.is_up for client in here):
            return False
        mark = [(table.record.epoch, table.record.height) for table in tables]
        if self._enough is None or self._enough[0] != max(mark)[0]:
            self._enough = max(mark)[0], max(mark)[1] + ENOUGH
        return all(table.is_over or at >= self._enough for table, at in zip(tables, mark, strict=True))

    @property
    def players(self) -> list[Client]:
        """Who still takes part: the seats of the last epoch that began, without those who are gone for good or lie."""
        here = [client for client in self.clients if not client.is_gone and client.index != self.setting.liar]
        if not here:
            return []
        record = max((client.table.record for client in here), key=lambda record: record.epoch)
        present = {record.key(seat) for seat in record.present}
        return [client for client in here if client.identity.public in present]

    @property
    def outsiders(self) -> list[Client]:
        """Who was left out, but is there: they follow. Not who never sat, nor whose seat is another's now: their programs end."""
        players = self.players
        honest = [client for client in self.clients if not client.is_gone and client.index != self.setting.liar]
        record = max((client.table.record for client in honest), key=lambda record: record.epoch, default=None)
        last = {record.key(seat) for seat in range(record.size)} if record is not None else set()
        return [client for client in honest if client not in players and client.identity.public in last]

    @property
    def played_on(self) -> int:
        """How many epochs played a round on with an open key."""
        return len({each.number for each in self._began if each.stand_in is not None})

    @property
    def void(self) -> int:
        """How many epochs made a round void."""
        return len({each.number for each in self._began if each.void is not None})

    @property
    def voted_alike(self) -> int:
        """How many epochs began above whose start all had voted alike."""
        file = max((client.transcript for client in self.clients), key=len)
        found: dict[int, list[Signed]] = {}
        for signed in map(decode_signed, file[1:]):
            if isinstance(signed.message, Without) and signed.seat in signed.message.stay:
                found.setdefault(signed.message.number, []).append(signed)
        starts = map(start_of, found.values())
        return sum(start is not None and start.adopted is not None for start in starts)

    @property
    def taken(self) -> int:
        """How many epochs let somebody new, or a bot, take a seat."""
        return len({each.number for each in self._began if not all(each.joined.values())})

    @property
    def _began(self) -> list[EpochBegan]:
        return [event for client in self.clients for event in client.events if isinstance(event, EpochBegan)]

    @property
    def can_go_on(self) -> bool:
        """Whether those who are left are two people or more, or all there were, and more than half of the last epoch."""
        here = self.players
        if not here:
            return False
        record = max((client.table.record for client in here), key=lambda record: record.epoch)
        people = {self.keepers[self._index(record.key(seat))] for seat in record.present}
        gone = {self.keepers[client.index] for client in self.clients if client.is_gone}  # with all their bots
        if self.setting.liar is not None and self.setting.lie in HINDRANCES:
            gone.add(self.setting.liar)  # whose bots stand by it
        left = {self.keepers[client.index] for client in here} - gone
        return (len(left) >= 2 or left == people) and 2 * len(left) > len(people)

    def _turn(self) -> None:
        wakes = [
            (client.due, place) for place, client in enumerate(self.programs) if client.is_up and client.due is not None
        ]
        due, index = min(wakes) if wakes else (None, 0)
        if due is not None and (not self._queue or due <= self._queue[0][0]):
            self.now = max(self.now, due)
            self._enter(self.programs[index], lambda table: table.wake(self.now))
        elif self._queue:
            time, _, what = heapq.heappop(self._queue)
            self.now = max(self.now, time)
            what()
        else:
            self.now += 2 * PATIENCE_S  # everybody waits for a player, for ever

    # --- a table's inputs and outputs ---

    def _enter(self, client: Client, enter: Callable[[Table], Step]) -> None:
        """Give a table an input, and do with its step what a driver does."""
        try:
            step = enter(client.table)
        except FairdealError as fault:
            if client.index != self.setting.liar or isinstance(fault, BadMessage | IllegalMove):
                raise
            self.note(f"a program of client {client.index}, who lies, finds out about the other: {fault}")
            client.is_up = False
            return
        if (liar := self.liars.get(id(client))) is not None:
            liar.note()
        client.due = client.table.deadline
        dying, client.dying = client.dying, None
        if dying is not None and not step.outbox and not dying.is_unsent:
            client.dying = dying
            dying = None
        client.journal += step.records
        if step.outbox:
            client.durable, client.spoke_at = len(client.journal), self.now
        if step.cut is not None:
            del client.transcript[step.cut :]
        client.transcript += step.transcript
        self._hear(client, step.events)
        self._look(client)
        if dying is not None and dying.is_unsent:
            self._die(client, dying)
            return
        signing = client.signing
        if signing is not None and not any(_is_signed(signing.kind, entry) for entry in step.records):
            signing = None
        for letter in step.outbox:
            for other in self._receivers(client, letter.to):
                is_for_them = letter.key in (None, self._key(other))
                if other != client.index and is_for_them and (signing is None or other in signing.who):
                    self._post(client, self._met_by(client, other), letter.data)
        life = client.life
        for job in step.work:
            self.later(
                self.random.random() * self.setting.effort,
                lambda job=job: (
                    self._enter(client, lambda table: table.done(job, job.run(), self.now))  # type: ignore[misc]
                    if client.is_up and client.life == life
                    else None
                ),
            )
        if signing is not None:
            client.signing = None
            self.note(f"client {client.index} has signed a {signing.kind}, and only some know")
            self._go_wrong(self._after(signing))
        elif dying is not None:
            self._die(client, dying)
        else:
            self._think(client)

    def _after(self, fault: Fault) -> Fault:
        """What happens to whoever has signed that."""
        who, *told = fault.who
        if fault.then != "cut":
            return replace(fault, kind=fault.then, who=(who,))
        sides = (0 if index == who or index in told else 1 for index in range(len(self.clients)))
        return replace(fault, kind="parts", who=tuple(sides))

    def _hear(self, client: Client, events: tuple[Event, ...]) -> None:
        client.events += events
        for event in events:
            self.note(f"client {client.index}:", event)
            if isinstance(event, Differs) and self.setting.liar is None:
                self.wrong.append(f"client {client.index} is in another state: {event}")
            if isinstance(event, Accused) and client.index != self.setting.liar:
                accused = self._signer_of(event)
                self.accused.add(accused)
                if accused != self.setting.liar:
                    self.wrong.append(f"client {client.index} accuses client {accused}, who is honest: {event}")

    def _signer_of(self, event: Accused) -> int:
        """Who signed the evidence. Whoever hears of it late may know only who sits in that seat now."""
        evidence = decode_signed(event.evidence[0])
        for index in range(len(self.keepers)):
            with contextlib.suppress(BadMessage):
                evidence.verify(self._key(index))
                return index
        raise AssertionError(f"evidence that nobody signed: {event}")

    def _look(self, client: Client) -> None:
        """Compare the certificates."""
        record = client.table.record
        if record.phase is Phase.CONFIRMING:
            self.confirming.add(record.epoch_hash)
        if record.height < 2 or record.phase is Phase.BROKEN or client.index == self.setting.liar:
            return
        height = certified(record.now)
        known = self.certificates.setdefault((record.epoch, height), {})
        if record.previous not in known:
            known[record.previous] = client.index
            self.progress_at = self.now
            if len(known) > 1:
                self.forks.append(f"fork: epoch {record.epoch}, height {height}: clients {known.values()}")

    def _seat_of(self, client: Client, other: Client) -> int | None:
        """The seat that another has, had or would take, as a client knows it."""
        seat = client.table.record.seat_of(other.identity.public)
        return client.followers.get(other.identity.public) if seat is None else seat

    def _receivers(self, client: Client, seat: int | None) -> list[int]:
        """Who is told what goes to a seat, or to all."""
        record, places = client.table.record, range(self.setting.seats)
        more = [self._index(key) for key in dict.fromkeys([*record.newcomers, *client.followers])]
        more = [index for index in more if index >= self.setting.seats]
        if seat is None:
            return [*places, *more]
        return [record.seating[seat], *(index for index in more if self._seat_of(client, self.clients[index]) == seat)]

    def _let_follow(self, client: Client, other: Client, data: bytes) -> None:
        """Somebody who would take a seat asks for the match: from now on it is shown to them."""
        key = client.identity.public
        if client.taking is None or self._seat_of(other, client) is not None:
            return
        found, record = decode(data), other.table.record
        if not isinstance(found, Signed) or not isinstance(found.message, Ask | TakeSeat):
            return
        if record.seed is not None and (found.seat not in record.present or record.gives_way(found.seat)):
            other.followers[key] = found.seat
            self._route(other, client, "connected")

    def _route(self, here: Client, there: Client, what: str) -> None:
        """Tell a client that it reaches another, or not any more: whoever sits where they sat counts, or could be there."""
        seat, record = self._seat_of(here, there), here.table.record
        if seat is None:
            return
        if record.key(seat) != there.identity.public:
            pairs = ((index, (min(here.index, index), max(here.index, index))) for index in self._receivers(here, seat))
            others = [index for index, pair in pairs if index != there.index and pair in self.joined]
            if seat in record.present or (what == "lost" and others):
                return
        self._enter(here, lambda table: getattr(table, what)(seat, self.now))

    def _met_by(self, client: Client, index: int) -> Client:
        """The program with which a client talks when it talks to a seat's key."""
        if self.double is not None and index == self.setting.liar and self.sides[client.index]:
            return self.double
        return self.clients[index]

    def _post(self, client: Client, other: Client, data: bytes) -> None:
        pair = (min(client.index, other.index), max(client.index, other.index))
        if pair not in self.joined or self.cut.get((client.index, other.index)):
            return
        if self._met_by(other, client.index) is not client:
            return
        if self.random.random() < self.setting.loss and self.now < self.began + self.setting.lossy_until:
            return
        life = other.life
        self.later(self.random.random() * self.setting.delay, lambda: self._deliver(client, other, life, pair, data))

    def _deliver(self, client: Client, other: Client, life: int, pair: tuple[int, int], data: bytes) -> None:
        if (
            not other.is_up
            or other.life != life
            or pair not in self.joined
            or self.cut.get((client.index, other.index))
        ):
            return
        self._let_follow(client, other, data)
        sender = self._seat_of(other, client)
        if sender is None:
            return
        self.note(f"{client.index} -> {other.index}:", data)
        key = client.identity.public
        try:
            self._enter(other, lambda table: table.receive(sender, data, self.now, key))
        except BadMessage as fault:
            self.note(f"client {other.index} refuses a letter of {client.index}: {fault}")

    # --- people ---

    def _think(self, client: Client) -> None:
        """A player who can move does so after a while."""
        table = client.table
        if client.thinks or not client.is_up or not table.can_move or client.has_left:
            return
        if table.seat not in table.game.to_act(table.record.state):
            return
        client.thinks, life = True, client.life
        wait = max(client.idle_until - self.now, 0.0) + self.random.random() * 0.8
        self.later(wait, lambda: self._move(client) if client.life == life else None)

    def _move(self, client: Client) -> None:
        client.thinks = False
        table = client.table
        if not client.is_up or client.has_left or not table.can_move:
            return
        moves = table.legal()
        must = table.seat in table.game.awaited(table.record.state)
        if not moves or not (must or self.random.random() < 0.05):
            return
        plays = [move for move in moves if table.game.uses(move).played]
        move = self.random.choice(plays or list(moves))
        if must and self.random.random() < 0.5:
            move = table.game.default(table.record.state, table.seat, table.cards) or move
        self.note(f"client {client.index} plays {move}")
        self._enter(client, lambda table: table.act(move, self.now))

    def _poll(self) -> None:
        """Everybody whose table waits too long says whether to play on: always yes at last, or nothing would be decided."""
        is_calm = self.now > self.began + self.setting.calm_at
        for client in self.clients:
            if client.is_up and not client.has_left and client.table.waits.awaiting and self.random.random() < 0.8:
                opinion = True if is_calm else self.random.random() < 0.8
                with contextlib.suppress(IllegalMove):
                    self._enter(client, lambda table, opinion=opinion: table.wish_on(opinion, self.now))  # type: ignore[misc]
        self.later(POLL_S, self._poll)

    # --- what goes wrong ---

    def _go_wrong(self, fault: Fault) -> None:
        is_sealed = all(client.table.record.seed is not None for client in self.clients)
        if fault.kind in ("goodbye", "die") and not is_sealed:
            self.later(1.0, lambda: self._go_wrong(fault))  # before, the room looks after it
            return
        if fault.kind not in ("parts", "all") and fault.who[0] >= len(self.clients):
            if fault.kind == "taking":
                self.later(1.0, lambda: self._go_wrong(fault))
            return  # somebody who never came
        if fault.kind == "restored" and not (self._is_whole and self._is_heard(self.clients[fault.who[0]])):
            self.later(0.1, lambda: self._go_wrong(fault))
            return
        self.note("fault:", fault)
        if fault.kind in ("cut", "one-way", "deaf", "parts"):
            self._separate(fault)
        elif fault.kind in ("crash", "all", "restored"):
            for index in fault.who:
                self._doom(self.clients[index], fault)
        elif fault.kind in ("vote", "taking", "reveal", "promise"):
            self.clients[fault.who[0]].signing = fault
        elif fault.kind == "idle":
            self.clients[fault.who[0]].idle_until = self.now + fault.seconds
        elif fault.kind == "goodbye":
            self._leave(self.clients[fault.who[0]])
        else:
            for client in self.clients:
                if self.keepers[client.index] == fault.who[0]:
                    self._go(client)

    def _separate(self, fault: Fault) -> None:
        if fault.kind == "parts":
            ways = [(a, b) for a, x in enumerate(fault.who) for b, y in enumerate(fault.who) if x != y]
        elif fault.kind == "deaf":
            ways = [(other.index, fault.who[0]) for other in self.clients if other.index != fault.who[0]]
        else:
            a, b = fault.who
            ways = [(a, b)] if fault.kind == "one-way" else [(a, b), (b, a)]
        for way in ways:
            self.cut[way] = self.cut.get(way, 0) + 1
        self._rejoin()
        self.later(fault.seconds, lambda: self._heal(ways))

    def _heal(self, ways: list[tuple[int, int]]) -> None:
        for way in ways:
            self.cut[way] -= 1
        self._rejoin()

    def _rejoin(self) -> None:
        """Make links where both ways are open and both are up; take down where both are closed or one is down."""
        for a, one in enumerate(self.clients):
            for b, other in enumerate(self.clients[:a]):
                pair = (b, a)
                closed = bool(self.cut.get((a, b))) + bool(self.cut.get((b, a)))
                is_up = one.is_up and other.is_up
                if pair in self.joined and (closed == 2 or not is_up):
                    self.joined.discard(pair)
                    self._tell(one, other, "lost")
                elif pair not in self.joined and closed == 0 and is_up:
                    self.joined.add(pair)
                    self._tell(one, other, "connected")

    def _tell(self, one: Client, other: Client, what: str) -> None:
        self.note(f"{what}: {other.index} and {one.index}")
        for here, there in ((one, other), (other, one)):
            if here.is_up:
                for program in self._lives(here):
                    self._route(program, there, what)

    def _lives(self, client: Client) -> list[Client]:
        return [client, self.double] if self.double is not None and client.index == self.setting.liar else [client]

    def _lie(self) -> None:
        """The liar turns its other face to somebody, who is asked and shown anew."""
        liar = self.setting.liar
        if liar is None or self.setting.is_one_program or self.now > self.began + self.setting.calm_at + LIES_S:
            return
        other = self.random.choice([client for client in self.clients if client.index != liar])
        self.sides[other.index] = 1 - self.sides[other.index]
        self.note(f"client {other.index} meets life {self.sides[other.index]} of client {liar}")
        self.later(self.random.choice([0.1, 1.0, 5.0, 20.0]), self._lie)

    def _doom(self, client: Client, fault: Fault) -> None:
        """Let a program die at its next step, between its journal and the network, or just after."""
        if not client.is_up:
            return
        if fault.is_unsent:
            client.dying = fault
        else:
            self._die(client, fault)

    def _die(self, client: Client, fault: Fault | None) -> None:
        if not client.is_up:
            return
        client.is_up, client.thinks, client.dying = False, False, None
        client.life += 1
        if fault is not None:
            spare = len(client.journal) - (client.durable if fault.kind != "restored" else 0)
            lost = round(spare * fault.loses)
            if lost:
                del client.journal[-lost:]
                client.durable = min(client.durable, len(client.journal))
            self.later(fault.seconds, lambda: self._restart(client))
            self.note(f"client {client.index} dies, and loses {lost} entries of its journal")
        self._rejoin()

    def _restart(self, client: Client) -> None:
        if client.is_up or client.is_gone:
            return
        self.note(f"client {client.index} starts again")
        client.table = self._table(client.identity, client.nonce, client.taking)
        client.transcript, client.followers = [], {}
        client.is_up = True
        self._introduce()
        journal = list(client.journal)
        self._enter(client, lambda table: table.restore(journal, self.now))
        self._rejoin()

    @property
    def _is_whole(self) -> bool:
        """Whether all who are not gone for good are up, and reach each other."""
        here = [client for client in self.clients if not client.is_gone]
        pairs = {(a.index, b.index) for a in here for b in here if a.index < b.index}
        return all(client.is_up and not client.table.is_returning for client in here) and pairs <= self.joined

    def _is_heard(self, client: Client) -> bool:
        """Whether nothing of a client is still on its way: an older copy must come after what the others can show it."""
        return self.now > client.spoke_at + self.setting.delay

    def _introduce(self) -> None:
        """Everybody knows whoever may sit down, and their own bots."""
        keys = {client.identity.public: self.keepers[client.index] for client in self.clients if client.taking}
        kept = keys | {self._key(index): keeper for index, keeper in enumerate(self.setting.keepers) if index != keeper}
        for client in self.clients:
            bots = [key for key, keeper in kept.items() if keeper == client.index]
            client.table.welcome(keys.keys() - {client.identity.public}, bots)

    def _arrive(self, index: int) -> None:
        """Somebody would take a seat, as soon as one is empty, or a person the seat of a bot."""
        records = [client.table.record for client in self.clients if client.is_up and client.index != self.setting.liar]
        record = max(records, key=lambda record: record.epoch, default=None)
        keeper = self.keepers[index]
        is_kept = keeper == index or (keeper < len(self.clients) and not self.clients[keeper].is_gone)
        empty = set(range(self.setting.seats)) - set(record.present) if record is not None else set()
        if record is not None and record.seed is not None and not empty and keeper == index:
            empty = set(filter(record.gives_way, record.present))
        if record is None or record.seed is None or not empty or index != len(self.clients) or not is_kept:
            if not self.is_done and not all(record.is_over for record in records):
                self.later(1.0, lambda: self._arrive(index))
            return
        identity = self.spare_identities[index - self.setting.seats]
        member = Member(identity.public, f"P{index}", self._key(keeper), keeper != index, b"")
        taking = self.random.choice(sorted(empty)), member
        client = Client(index, identity, b"", self._table(identity, b"", taking), taking=taking)
        self.note(f"client {index} would take seat {taking[0]}")
        self.clients.append(client)
        self.programs.append(client)
        self.sides.append(0)
        self._introduce()
        self._enter(client, lambda table: table.start(self.now))
        self._rejoin()

    def _leave(self, client: Client) -> None:
        """A player leaves for good, with all their bots, as soon as their program is up."""
        if not client.is_up:
            self.later(1.0, lambda: self._leave(client))
            return
        client.has_left = True
        self._enter(client, lambda table: table.leave(self.now))
        self.later(LAST_WORDS_S, lambda: self._go(client))

    def _go(self, client: Client) -> None:
        """A program ends for good."""
        client.is_gone = True
        self._die(client, None)


def _is_signed(kind: str, entry: Entry) -> bool:
    """Whether a journal entry is what a fault of this kind waits for."""
    if entry.kind != "out":
        return False
    found = decode(entry.data)
    if not isinstance(found, Signed):
        return False
    if kind == "taking":
        return isinstance(found.message, Without) and bool(found.message.added)
    if kind == "vote":
        return isinstance(found.message, Vote | Proposal)
    return isinstance(found.message, Reveal if kind == "reveal" else Without)


def _words(what: object) -> str:
    """A part of a note; letters as one reads them."""
    if not isinstance(what, bytes):
        return str(what)
    found = decode(what)
    if isinstance(found, Page):
        return f"a page of {len(found.messages)}"
    body: Any = found.message
    return f"{body.kind} of {found.seat} in epoch {found.epoch} {body.slot}"
