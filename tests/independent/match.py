"""Follows a match file message by message, from PROTOCOL.md sections 7, 9 and 12 alone; the rules are the game's engine.

The match is told as one straight story (`_story`), which stops wherever a message is missing and goes on when it has come.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, NoReturn, TypeAlias

from protocol.errors import BadMessage, BadOption, IllegalMove
from protocol.games.catalogue import load
from protocol.games.game import Open, OpenAll, Shuffle, Take
from tests.independent import dealing
from tests.independent.dealing import Wrong
from tests.independent.encoding import (
    LATER,
    Message,
    Refused,
    decode,
    demand,
    digest,
    draw,
    encode,
    is_signed_by,
    n,
    raw,
    read_message,
    read_roster,
)

Story: TypeAlias = Iterator[None]
Block: TypeAlias = list[tuple[tuple[int, ...], Message]]


class Convicted(Exception):
    """A seat's own words convict it."""

    def __init__(self, seat: int, what: str, *others: int) -> None:
        super().__init__(f"seat {seat}: {what}")
        self.seat, self.what, self.others = seat, what, others


@dataclass(eq=False)
class Place:
    """A masked card where it lies, with the shares that are there."""

    card: bytes
    shares: dict[int, bytes] = field(default_factory=dict)


@dataclass
class Chain:
    """A deck's way round the seats: what it was before the first of them, and after each."""

    deck: int
    step: int
    decks: list[dealing.Cards]


@dataclass
class Round:
    number: int
    keys: list[tuple[bytes, bytes]] = field(default_factory=list)
    key_bytes: list[bytes] = field(default_factory=list)
    joint: bytes = b""
    chains: list[Chain] = field(default_factory=list)
    preparation: Block = field(default_factory=list)
    is_prepared: bool = False
    is_void: bool = False
    stock: list[Place] = field(default_factory=list)
    hands: list[list[Place]] = field(default_factory=list)
    laid: list[list[Place]] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)
    splits: list[bytes] = field(default_factory=list)
    moves: list[tuple[int, int, Any, Any, list[bytes], list[int]]] = field(default_factory=list)
    """(height, seat, state before, move, hand before, places laid out)"""
    breaches: list[tuple[int, int]] = field(default_factory=list)


@dataclass
class Proposal:
    """One that was checked."""

    message: Message
    move: Any
    state: Any
    demands: tuple[Any, ...]
    played: list[int]
    laid: list[int]
    remask: dealing.Cards | None


def plain_state(value: Any) -> Any:
    """7.5: a state as a map of its fields."""
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: plain_state(getattr(value, each.name)) for each in fields(value)}
    return [plain_state(item) for item in value] if isinstance(value, tuple) else value


class Match:
    """What a file shows so far. `feed` raises Refused; a conviction ends the match and stands in `evidence`."""

    def __init__(self, first: bytes) -> None:
        outer = decode(first)
        demand(type(outer) is list and len(outer) == 2 and outer[0] == "r" and raw(1, 32768)(outer[1]), "no roster")
        self.roster = read_roster(outer[1])
        self.members = self.roster["members"]
        self.size = len(self.members)
        try:
            self.game = load(self.roster["game"], self.size, self.roster["options"])
        except BadOption as fault:
            raise Refused("a game that is not known here") from fault
        demand(self.game.version == self.roster["rules"], "another version of the rules")
        demand(encode(dict(self.game.options)) == encode(self.roster["options"]), "options are missing")
        self.faces = {dealing.card_point(face): str(face) for face in set(self.game.deck)}
        self.table = digest("roster", outer[1])
        self.present = digest("epoch", n(0), self.table)
        self.seed: bytes | None = None
        self.seating = list(range(self.size))
        self.height = 1
        self.previous = self.table
        self.state: Any = None
        self.state_hash = b""
        self.scores: tuple[int, ...] = (0,) * len(self.game.teams)
        self.dealer = 0
        self.rounds_closed = 0
        self.round: Round | None = None
        self.next_round: Round | None = None
        self.phase = "sealing"
        self.evidence: list[tuple[str, int]] = []
        self.breaches: list[tuple[int, int]] = []
        self.said: dict[tuple[int, Any], Message] = {}
        self.first: dict[tuple[int, Any], Message] = {}
        """All that the file holds, also what is forgotten: a second version convicts."""
        self.frames: list[bytes] = []
        self.block: Block = []
        self.compared = 0
        self.steps = 0
        self.signatures = 0
        self._story_now = self._story()
        self._preparing: Story | None = None

    # --- 6: what a receiver does with any message ---

    def feed(self, data: bytes) -> None:
        """The next message of the file."""
        demand(self.phase != "over", "a message behind the end")
        message = read_message(data)
        demand(message.slot is not None or message.kind == "evidence", "a message without a slot")
        demand(message.kind != "closed" and data not in self.frames, "a message that has no place in a file")
        self.frames.append(data)
        before = len(self.evidence)
        try:
            first = self.first.setdefault((message.seat, message.slot), message)
            taken = self._receive(message)
            if not taken and self.phase != "broken" and first.payload != message.payload:
                self._convict_of_two(message)
            demand(taken or self.phase == "broken", "a message that has no place here")
            if self.phase != "broken":
                self._go_on()
        except Convicted as found:
            self._break_off(found.what, found.seat, *found.others)
        demand(message.kind != "evidence" or len(self.evidence) > before, "evidence that convicts nobody")

    def _receive(self, message: Message) -> bool:
        demand(message.table == self.table, "a message for another table")
        demand(message.seat < self.size, "a seat that does not exist")
        if self.seed is None and message.kind not in ("seal", "nonce", "evidence", "goodbye"):
            return False
        known = self.said.get((message.seat, message.slot)) if message.slot else None
        if known is not None and known.data == message.data:
            return False
        demand(message.epoch == 0 and message.present == self.present, "another epoch")
        demand(message.kind not in LATER or message.kind == "recovery-shares", "not in force")
        signer = self._check_signature(message)
        if message.slot is None:
            if message.kind == "evidence":
                self._weigh(message)
            return True
        if known is not None:
            if known.payload != message.payload:
                self._convict_of_two(message)
            return known.payload != message.payload
        if not self._is_near(message):
            return False
        self.said[message.seat, message.slot] = message
        if message.kind == "goodbye" and self.phase != "broken":
            self._break_off("goodbye", signer)
        return True

    def _check_signature(self, message: Message) -> int:
        """The seat that has signed."""
        self.signatures += 1
        if message.kind not in ("seal", "nonce"):
            if is_signed_by(self._key(message.seat), message):
                return message.seat
            demand(message.kind in ("evidence", "goodbye"), "a wrong signature")
        demand(is_signed_by(self.members[message.seat]["key"], message), "a wrong signature")
        return self.seating.index(message.seat)

    def _is_near(self, message: Message) -> bool:
        height, number = message.body.get("height"), message.body.get("round")
        if height is not None:
            return bool(self.height - 1 <= height <= self.height + 1)
        return number is None or 1 <= number - self.rounds_closed <= 2

    def _convict_of_two(self, message: Message) -> NoReturn:
        seat = message.seat
        if message.kind in ("seal", "nonce") and self.seed is not None:
            seat = self.seating.index(seat)
        raise Convicted(seat, "two-versions")

    def _weigh(self, evidence: Message) -> None:
        inner = [read_message(data) for data in evidence["messages"]]
        demand(len({each.seat for each in inner}) == 1 and all(each.slot for each in inner), "odd evidence")
        first: dict[Any, Message] = {}
        for each in inner:
            other = first.setdefault(each.slot, each)
            if other.payload == each.payload:
                self._receive(each)
                continue
            for version in (other, each):
                demand(
                    version.table == self.table and version.epoch == 0 and version.present == self.present, "evidence"
                )
                self._check_signature(version)
            self._convict_of_two(each)

    def _break_off(self, what: str, *seats: int) -> None:
        if self.phase in ("broken", "over"):
            return
        self.phase = "broken"
        self.evidence += [(what, seat) for seat in seats]

    def _key(self, seat: int) -> bytes:
        key: bytes = self.members[self.seating[seat]]["key"]
        return key

    # --- the story, and what it waits for ---

    def _go_on(self) -> None:
        while self.phase not in ("over", "broken"):
            before = self.steps
            if self._preparing is not None:
                next(self._preparing, None)
            next(self._story_now, None)
            if self.steps == before:
                return

    def _until(self, ready: Callable[[], bool]) -> Story:
        while not ready():
            yield
        self.steps += 1

    def _until_said(self, place: tuple[int, Any]) -> Story:
        return self._until(lambda: place in self.said)

    def _all_said(self, *slot: Any) -> bool:
        return all((seat, slot) in self.said for seat in range(self.size))

    def _of_all(self, *slot: Any) -> list[Message]:
        return [self.said[seat, slot] for seat in range(self.size)]

    def _keep(self, place: tuple[int, ...], messages: Sequence[Message]) -> None:
        """9: `messages` stand at this place of the height, by seat."""
        self.block += [((*place, index), message) for index, message in enumerate(messages)]

    def _compare(self) -> None:
        """What is settled must stand in the file in this order."""
        for _, message in sorted(self.block, key=lambda item: item[0]):
            demand(self.compared < len(self.frames) and self.frames[self.compared] == message.data, "not in order")
            self.compared += 1
        self.block = []

    def _settled(self) -> None:
        self._compare()
        self.height += 1
        self._hash_state()
        for place, message in list(self.said.items()):
            height, number = message.body.get("height", self.height), message.body.get("round", self.rounds_closed + 1)
            if height < self.height - 1 or number <= self.rounds_closed:
                del self.said[place]

    def _hash_state(self) -> None:
        round = self.round
        assert round is not None
        data = {
            "epoch": 0,
            "game": plain_state(self.state),
            "hands": [_bytes_of(hand) for hand in round.hands],
            "keys": [],
            "laid": [_bytes_of(laid) for laid in round.laid],
            "opened": round.opened,
            "present": list(range(self.size)),
            "round": round.number,
            "scores": list(self.scores),
            "splits": round.splits,
            "stock": _bytes_of(round.stock),
        }
        self.state_hash = digest("state", encode(data))

    def _context(self, round: int, step: int, seat: int, purpose: str, deck: int = 0, to: int | None = None) -> bytes:
        return dealing.context(self.table, round, deck, step, seat, purpose, to)

    def _story(self) -> Story:
        yield from self._sealing()
        while True:
            yield from self._opening()
            while self.phase == "playing":
                yield from self._playing()
            yield from self._closing()
            if self.phase == "over":
                return

    # --- 7.1 ---

    def _sealing(self) -> Story:
        yield from self._until(lambda: self._all_said("seal") and self._all_said("nonce"))
        nonces = []
        for member, message in zip(self.members, self._of_all("nonce"), strict=True):
            if digest("nonce", member["key"], message["nonce"]) != member["nonce"]:
                raise Convicted(message.seat, "nonce")
            nonces.append(message["nonce"])
        self._keep((0,), self._of_all("seal"))
        self._keep((1,), self._of_all("nonce"))
        self._compare()
        self.seed = digest("seed", self.table, *nonces)
        self.dealer = draw(self.seed, b"dealer", self.size)
        if self.roster["table"]["lots"]:
            for i in range(self.size - 1, 0, -1):
                j = draw(self.seed, b"seat" + n(i), i + 1)
                self.seating[i], self.seating[j] = self.seating[j], self.seating[i]
        self.state_hash = digest("state", self.seed)
        self._prepare_round(1)
        self.phase = "between"

    # --- 7.3 ---

    def _prepare_round(self, number: int) -> None:
        self.next_round = Round(number)
        self._preparing = self._preparation(self.next_round)

    def _preparation(self, round: Round) -> Story:
        number = round.number
        yield from self._until(lambda: self._all_said("prepare", number))
        for message in self._of_all("prepare", number):
            seat = message.seat
            try:
                key = dealing.read_round_key(
                    self._context(number, 0, seat, "round-key"), self._key(seat), message["key"]
                )
            except Wrong:
                raise Convicted(seat, "round-key") from None
            if key[0] in [Y for Y, _ in round.keys]:
                raise Convicted(seat, "round-key")
            round.keys.append(key)
            round.key_bytes.append(message["key"])
        round.joint = dealing.add(*[Y for Y, _ in round.keys])
        if round.joint == dealing.IDENTITY:
            raise Convicted(self.size - 1, "round-key")
        yield from self._chain(round, 0, 0, self.game.deck)
        round.preparation = [((-3, message.seat), message) for message in self._of_all("prepare", number)]
        for order, kind in ((-2, "shuffled"), (-1, "shuffle-proof")):
            round.preparation += [((order, message.seat), message) for message in self._of_all(kind, number, 0)]
        round.is_prepared = True

    def _chain(self, round: Round, deck: int, step: int, faces: Sequence[str]) -> Story:
        number, decks = round.number, [dealing.starting_deck(faces)]
        for seat in range(self.size):
            place = (seat, ("shuffled", number, deck))
            yield from self._until_said(place)
            message = self.said[place]
            if message["before"] != digest("incoming", round.joint, b"".join(decks[-1])):
                yield from self._until(lambda: False)
            try:
                decks.append(dealing.read_cards(message["cards"], len(faces)))
            except Wrong:
                raise Convicted(seat, "shuffle") from None
        yield from self._until(lambda: self._all_said("shuffle-proof", number, deck))
        proofs = [message["proof"] for message in self._of_all("shuffle-proof", number, deck)]
        wrong = []
        for seat, proof in enumerate(proofs):
            context = self._context(number, step, seat, "shuffle", deck)
            try:
                dealing.check(len(proof) == dealing.proof_size(len(faces)))
                dealing.check_shuffle(context, round.joint, decks[seat], decks[seat + 1], proof)
            except Wrong:
                wrong.append(seat)
        if wrong:
            raise Convicted(wrong[0], "shuffle", *wrong[1:])
        round.chains.append(Chain(deck, step, decks))

    # --- 7.4 ---

    def _vote_of(self, seat: int) -> Message | None:
        """A vote that stands on our certificate and state."""
        message = self.said.get((seat, ("vote", self.height)))
        if message is None or (message["previous"], message["state"]) != (self.previous, self.state_hash):
            return None
        return message

    def _votes(self) -> list[Message]:
        return [message for seat in range(self.size) if (message := self._vote_of(seat)) is not None]

    def _unanimous(self, choice: bytes) -> Story:
        def agreed() -> bool:
            for message in self._votes():
                if message.kind != "vote":
                    raise Convicted(message.seat, "illegal-move")
            votes = self._votes()
            return len(votes) == self.size and all(choice_of(message) == choice for message in votes)

        yield from self._until(agreed)
        self._certify()

    def _certify(self) -> bool:
        """All votes are there; whether they were split."""
        votes = self._votes()
        self._keep((0,), votes)
        choices = [choice_of(message) for message in votes]
        pairs = b"".join(bytes([seat]) + choice for seat, choice in enumerate(choices))
        self.previous = digest(
            "certificate", self.table, self.present, n(self.height), self.previous, self.state_hash, pairs
        )
        return len(set(choices)) > 1

    # --- opening ---

    def _opening(self) -> Story:
        def prepared() -> bool:
            return self.next_round is not None and self.next_round.is_prepared

        yield from self._until(prepared)
        round = self.next_round
        assert round is not None
        preparation = digest("preparation", *round.key_bytes, b"".join(round.chains[0].decks[-1]))
        present = bytes(range(self.size))
        yield from self._unanimous(digest("open", n(round.number), n(self.dealer), present, preparation))
        self.block += round.preparation
        self.round, self.next_round, self._preparing = round, None, None
        round.stock = [Place(card) for card in round.chains[0].decks[-1]]
        round.hands = [[] for _ in range(self.size)]
        round.laid = [[] for _ in range(self.size)]
        outcome = self.game.start(self.dealer, self.scores, range(self.size))
        assert isinstance(outcome.demands[0], Shuffle)
        self.state = outcome.state
        yield from self._splitting(round)
        yield from self._settle(outcome.demands[1:], None, False)

    def _splitting(self, round: Round) -> Story:
        """8.12: every seat splits its key among the others."""
        keepers = len({member["keeper"] for member in self.roster["members"]})
        wish = self.roster["table"]["recovery"]
        if wish == "off" or keepers < (3 if wish == "on" else 4):
            return
        yield from self._until(lambda: self._all_said("recovery-shares", round.number))
        for message in self._of_all("recovery-shares", round.number):
            seat = message.seat
            others = {other: Y for other, (Y, _) in enumerate(round.keys) if other != seat}
            contexts = {other: self._context(round.number, 0, seat, "recovery", to=other) for other in others}
            try:
                dealing.check_split(contexts, round.keys[seat][0], others, message["shares"])
            except Wrong:
                raise Convicted(seat, "recovery") from None
            round.splits.append(digest("split", message["shares"]))
        self._keep((1,), self._of_all("recovery-shares", round.number))

    # --- 7.6 ---

    def _playing(self) -> Story:
        checked: dict[int, Proposal] = {}

        def decided() -> bool:
            votes = self._votes()
            for message in votes:
                if message.kind != "vote" and message.seat not in checked:
                    checked[message.seat] = self._check_proposal(message)
            known = {choice_of(each.message) for each in checked.values()}
            return len(votes) == self.size and all(choice_of(message) in known for message in votes)

        yield from self._until(decided)
        votes = Counter(choice_of(message) for message in self._votes())
        best = max(votes.values())
        assert self.seed is not None
        seed = self.seed
        winner = min(
            (seat for seat, each in checked.items() if votes[choice_of(each.message)] == best),
            key=lambda seat: digest("tie", seed, n(0), n(self.height), n(seat)),
        )
        is_split = self._certify()
        yield from self._commit(checked[winner], is_split)

    def _check_proposal(self, message: Message) -> Proposal:
        round, game, seat = self.round, self.game, message.seat
        assert round is not None
        if message.kind == "break-off":
            if not game.is_stalled(self.state):
                raise Convicted(seat, "illegal-move")
            return Proposal(message, None, self.state, (OpenAll(),), [], [], None)
        hand, places = round.hands[seat], message["places"]
        try:
            move = game.decode(message["move"])
            demand(game.encode(game.public(move)) == message["move"], "not the public form")
            outcome = game.apply(self.state, seat, move)
            uses = game.uses(move)
            faces = [*uses.played, *uses.shown]
            demand(len(places) == len(faces) + uses.laid and len(set(places)) == len(places), "wrong places")
            demand(all(place < len(hand) for place in places), "a place that the hand does not have")
            if faces:
                demand(len(message["opening"]) == 32 * (len(faces) + 3), "an opening of another size")
                for part in dealing.split(message["opening"])[:-1]:
                    dealing.point(part)
                dealing.scalar(message["opening"][-32:])
            else:
                demand(message["opening"] == b"", "an opening of nothing")
            played = places[: len(uses.played)]
            before = self._foreseen(seat, outcome.demands, played)
            after = None
            if before is None:
                demand(message["remask"] == b"" and message["remask_proof"] == b"", "a re-mask of nothing")
            else:
                demand(len(message["remask_proof"]) == dealing.proof_size(len(before)), "a proof of another size")
                after = dealing.read_cards(message["remask"], len(before))
        except IllegalMove:
            raise Convicted(seat, "illegal-move") from None
        except (BadMessage, Refused, Wrong):
            raise Convicted(seat, "bad-move") from None
        try:
            if faces:
                cards = [hand[place] for place in places[: len(faces)]]
                context = self._context(round.number, self.height, seat, "play")
                own = dealing.read_shares(
                    context, round.keys[seat][0], [each.card for each in cards], message["opening"]
                )
                for place, share, face in zip(cards, own, faces, strict=True):
                    layers = dealing.add(share, *[each for giver, each in place.shares.items() if giver != seat])
                    dealing.check(dealing.opened(place.card, layers, self.faces) == face)
            if before is not None and after is not None:
                context = self._context(round.number, self.height, seat, "remask")
                dealing.check_shuffle(context, round.joint, before, after, message["remask_proof"])
        except Wrong:
            raise Convicted(seat, "false-card" if faces else "remask") from None
        return Proposal(message, move, outcome.state, outcome.demands, played, places[len(faces) :], after)

    def _foreseen(self, seat: int, demands: Sequence[Any], played: Sequence[int]) -> dealing.Cards | None:
        """The hand that the proposal itself has to re-mask."""
        round = self.round
        assert round is not None
        kept = [place.card for index, place in enumerate(round.hands[seat]) if index not in played]
        at = 0
        if not kept or any(isinstance(each, Shuffle) for each in demands):
            return None
        for take in demands:
            if isinstance(take, Take):
                if take.seat == seat:
                    return None if take.laid else kept + [each.card for each in round.stock[at : at + take.stock]]
                at += take.stock
        return None

    def _commit(self, proposal: Proposal, is_split: bool) -> Story:
        round, seat = self.round, proposal.message.seat
        assert round is not None
        if proposal.move is None:
            round.is_void = True
            yield from self._settle(proposal.demands, None, is_split)
            return
        hand = round.hands[seat]
        move = self.game.public(proposal.move)
        round.moves.append((self.height, seat, self.state, move, [each.card for each in hand], proposal.laid))
        if proposal.laid:
            round.laid[seat] = [hand[index] for index in proposal.laid]
        round.hands[seat] = [place for index, place in enumerate(hand) if index not in proposal.played]
        self.state = proposal.state
        foreseen = None if proposal.remask is None else (seat, proposal.remask)
        yield from self._settle(proposal.demands, foreseen, is_split)

    # --- 7.7 ---

    def _settle(self, demands: tuple[Any, ...], foreseen: tuple[int, dealing.Cards] | None, is_split: bool) -> Story:
        round = self.round
        assert round is not None
        self.phase = "settling"
        if is_split and demands:
            height, hash = self.height, self.previous
            yield from self._until(
                lambda: (
                    self._all_said("echo", height)
                    and all(each["certificate"] == hash for each in self._of_all("echo", height))
                )
            )
            self._keep((1,), self._of_all("echo", height))
        stage = 0
        while True:
            shuffles = [place for place, each in enumerate(demands) if isinstance(each, Shuffle)]
            end = shuffles[1] if len(shuffles) > 1 else len(demands)
            yield from self._stage(stage, demands[:end], foreseen)
            if end < len(demands):
                demands, stage, foreseen = demands[end:], stage + 1, None
                continue
            if not any(isinstance(each, Open) for each in demands):
                break
            foreseen = None
            outcome = self.game.opened(self.state, round.opened[-1])  # type: ignore[arg-type]
            self.state, demands, stage = outcome.state, outcome.demands, stage + 1
        if any(isinstance(each, OpenAll) for each in demands):
            yield from self._audit()
            self.phase = "closing"
        else:
            self.phase = "playing"
        self._settled()
        may_go_on = not self.roster["table"]["rounds"] or round.number < self.roster["table"]["rounds"]
        if self.phase == "playing" and self.next_round is None and may_go_on:
            self._prepare_round(round.number + 1)

    def _stage(self, stage: int, demands: tuple[Any, ...], foreseen: tuple[int, dealing.Cards] | None) -> Story:
        round = self.round
        assert round is not None
        for each in demands:
            if isinstance(each, Shuffle):
                yield from self._recycle(round, stage, each.faces)
        takes = [each for each in demands if isinstance(each, Take)]
        given = {(giver, index): round.laid[giver][index] for take in takes for giver, index in take.laid}
        for giver in range(self.size):
            gone = [place for (owner, _), place in given.items() if owner == giver]
            round.hands[giver] = [place for place in round.hands[giver] if place not in gone]
            round.laid[giver] = [place for place in round.laid[giver] if place not in gone]
        direct: list[tuple[int, list[Place]]] = []
        remasking: dict[int, dealing.Cards] = {}
        for take in takes:
            drawn, round.stock = round.stock[: take.stock], round.stock[take.stock :]
            entered = drawn + [given[each] for each in take.laid]
            if not round.hands[take.seat] and not take.laid:
                direct.append((take.seat, drawn))
                round.hands[take.seat] = drawn
            else:
                round.hands[take.seat] = round.hands[take.seat] + entered
                remasking[take.seat] = [place.card for place in round.hands[take.seat]]
        turned_up = round.stock.pop(0) if any(isinstance(each, Open) for each in demands) else None

        waiting = set(remasking)
        groups: list[int | None] = [*([None] if direct or turned_up else []), *sorted(remasking)]

        def done() -> bool:
            for seat in sorted(waiting):
                after = self._remasked(seat, stage, remasking[seat], foreseen)
                if after is not None:
                    round.hands[seat] = [Place(card) for card in after]
                    waiting.discard(seat)
            for group in list(groups):
                if group not in waiting and self._granted(group, stage, direct, turned_up):
                    groups.remove(group)
            return not waiting and not groups

        yield from self._until(done)
        if turned_up is not None:
            round.opened.append(dealing.opened(turned_up.card, dealing.add(*turned_up.shares.values()), self.faces))

    def _recycle(self, round: Round, stage: int, faces: Sequence[str]) -> Story:
        deck = len(round.chains)
        yield from self._chain(round, deck, self.height, faces)
        final = round.chains[deck].decks[-1]
        slot = ("deck-agreed", round.number, deck)
        yield from self._until(
            lambda: (
                self._all_said(*slot)
                and all(each["hash"] == digest("deck", b"".join(final)) for each in self._of_all(*slot))
            )
        )
        for order, kind in enumerate(("shuffled", "shuffle-proof", "deck-agreed")):
            self._keep((2 + stage, 0, order), self._of_all(kind, round.number, deck))
        round.stock += [Place(card) for card in final]

    def _remasked(
        self, seat: int, stage: int, before: dealing.Cards, foreseen: tuple[int, dealing.Cards] | None
    ) -> dealing.Cards | None:
        if foreseen is not None and foreseen[0] == seat:
            return foreseen[1]
        message = self.said.get((seat, ("remask", self.height, stage)))
        if message is None:
            return None
        round = self.round
        assert round is not None
        purpose = "remask" if stage == 0 else f"remask/{stage}"
        try:
            dealing.check(len(message["proof"]) == dealing.proof_size(len(before)))
            after = dealing.read_cards(message["cards"], len(before))
            context = self._context(round.number, self.height, seat, purpose)
            dealing.check_shuffle(context, round.joint, before, after, message["proof"])
        except Wrong:
            raise Convicted(seat, "remask") from None
        self.block.append(((2 + stage, 1, seat), message))
        return after

    def _granted(self, group: int | None, stage: int, direct: Any, turned_up: Place | None) -> bool:
        """Whether all shares of a group are there."""
        round = self.round
        assert round is not None
        plan: dict[int, list[Place]] = {}
        for giver in range(self.size):
            if group is not None:
                places = [] if giver == group else round.hands[group]
            else:
                places = [place for seat, drawn in direct if seat != giver for place in drawn]
                places += [] if turned_up is None else [turned_up]
            if places:
                plan[giver] = places
        slot = ("shares", self.height, stage, group)
        if any((giver, slot) not in self.said for giver in plan):
            return False
        found: dict[int, list[bytes]] = {}
        for giver, places in plan.items():
            message, cards = self.said[giver, slot], [place.card for place in places]
            if message["cards"] != digest("opened", b"".join(cards)):
                return False
            context = self._context(round.number, self.height, giver, f"shares/{stage}", to=group)
            try:
                found[giver] = dealing.read_shares(context, round.keys[giver][0], cards, message["shares"])
            except Wrong:
                raise Convicted(giver, "share") from None
        for giver, places in plan.items():
            for place, share in zip(places, found[giver], strict=True):
                place.shares[giver] = share
            self.block.append(((2 + stage, 2, -1 if group is None else group, giver), self.said[giver, slot]))
        return True

    # --- 7.8 ---

    def _audit(self) -> Story:
        round, game = self.round, self.game
        assert round is not None
        number = round.number
        yield from self._until(lambda: self._all_said("reveal", number))
        secrets = []
        for message in self._of_all("reveal", number):
            context = self._context(number, 0, message.seat, "round-key")
            try:
                secrets.append(dealing.read_reveal(context, *round.keys[message.seat], message["secret"]))
            except Wrong:
                raise Convicted(message.seat, "reveal") from None
        self._keep((1 << 30,), self._of_all("reveal", number))
        for chain in round.chains:
            for seat, (_, seed) in enumerate(secrets):
                context = self._context(number, chain.step, seat, "shuffle", chain.deck)
                if dealing.shuffled(context, round.joint, seed, chain.decks[seat]) != chain.decks[seat + 1]:
                    raise Convicted(seat, "reveal")
        x = sum(x for x, _ in secrets)
        read: dict[bytes, str] = {}

        def face(card: bytes) -> str:
            if card not in read:
                read[card] = dealing.opened(card, dealing.mul(x, card[:32]), self.faces)
            return read[card]

        for height, seat, state, move, cards, laid in round.moves:
            hand: list[Any] = [face(card) for card in cards]
            try:
                game.check(state, seat, hand, game.fill(move, [hand[index] for index in laid]))
            except IllegalMove:
                round.breaches.append((height, seat))
        hands: list[list[Any]] = [[face(place.card) for place in each] for each in round.hands]
        if round.is_void:
            round.breaches += [(self.height, seat) for seat in game.holding_up(self.state, hands)]
        else:
            self.state = game.opened_all(self.state, hands)
            self.scores = game.scores(self.state)

    def _closing(self) -> Story:
        round = self.round
        assert round is not None
        limit = self.roster["table"]["rounds"]
        is_last = not round.is_void and (self.game.is_match_over(self.state) or 0 < limit <= round.number)
        data = {
            "breaches": [list(each) for each in round.breaches],
            "over": is_last,
            "scores": list(self.scores),
            "void": round.is_void,
        }
        yield from self._unanimous(digest("close", n(round.number), encode(data)))
        self.breaches += round.breaches
        self.rounds_closed = round.number
        if is_last:
            self._compare()
            self.phase = "over"
            return
        if not round.is_void:
            self.dealer = self.game.next_dealer(self.state)
        self._settled()
        if self.next_round is None:
            self._prepare_round(round.number + 1)
        self.phase = "between"


def choice_of(message: Message) -> bytes:
    """What a vote is for; a proposal is a vote for itself."""
    if message.kind == "vote":
        choice: bytes = message["choice"]
        return choice
    return digest("proposal", message.payload)


def _bytes_of(places: list[Place]) -> bytes:
    return b"".join(place.card for place in places)
