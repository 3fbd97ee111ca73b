"""Follows a match file message by message, from PROTOCOL.md alone; the rules are the game's engine.

The match is told as one straight story, which stops wherever a message is missing and goes on when it has come. Where an epoch
begins, it is told anew from the certificate at which that begins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, TypeAlias

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
from tests.independent.epochs import (
    FURTHEST,
    Epoch,
    Out,
    Quorum,
    Start,
    check_goodbye,
    check_without,
    complete,
    conceals,
    epoch_of,
    out_of,
    start_of,
)
from tests.independent.values import Block, Chain, Convicted, Entry, Moment, Place, Proposal, Round, Shown

Story: TypeAlias = Iterator[None]
KEPT = 3
"""So many of the last certificates an epoch can begin at."""
LEFT_OVER = 2
"""So many heights after its start an epoch's beginning may stand, where a seat is left out for cheating."""


def plain_state(value: Any) -> Any:
    """A state as a map of its fields."""
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: plain_state(getattr(value, each.name)) for each in fields(value)}
    return [plain_state(item) for item in value] if isinstance(value, tuple) else value


class Match:
    """What a file shows so far. `feed` raises Refused; whoever is convicted or says goodbye stands in `evidence`."""

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
        self.epoch = Epoch(0, tuple(range(self.size)), digest("epoch", n(0), self.table))
        self.epoch_hashes = {0: self.epoch.hash}
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
        self.closing = b""
        self.evidence: list[tuple[str, int]] = []
        self.breaches: list[tuple[int, int]] = []
        self.convicted: dict[int, str] = {}
        self.goodbyes: dict[int, Message] = {}
        self.out: set[Out] = set()
        """Who is out for good, as the epochs that began name them."""
        self.withheld: set[int] = set()
        self.withouts: dict[tuple[int, int], Message] = {}
        self.said: dict[tuple[int, int, Any], Message] = {}
        self.first: dict[tuple[int, int | None, Any], Message] = {}
        """All that the file holds, also what is forgotten: a second version convicts."""
        self.unpaired: set[tuple[int, int | None, Any]] = set()
        """First versions from earlier epochs, whose second has not come."""
        self.frames: list[bytes] = []
        self.seen: set[bytes] = set()
        self.block: Block = []
        self.compared = 0
        self.doubt: tuple[int, Shown] | None = None
        """The height at which messages stood in no order, and what the file showed up to there."""
        self.is_disordered = False
        self.moments: dict[bytes, Moment] = {}
        self.steps = 0
        self.signatures = 0
        self._has_news = self._is_following = False
        self._story_now: Story = self._sealing()
        self._preparing: Story = iter(())

    @property
    def present(self) -> tuple[int, ...]:
        return self.epoch.present

    @property
    def shown(self) -> Shown:
        """What the file shows."""
        return Shown(self.previous, self.scores, self.rounds_closed, list(self.evidence), list(self.breaches))

    # --- what a receiver does with any message ---

    def feed(self, data: bytes) -> None:
        """The next message of the file."""
        demand(self.phase != "over", "a message behind the end")
        message = read_message(data)
        demand(message.slot is not None or message.kind == "evidence", "a message without a slot")
        demand(message.kind != "closed" and data not in self.seen, "a message that has no place in a file")
        self.frames.append(data)
        self.seen.add(data)
        before = len(self.convicted)
        try:
            epoch = None if message.kind in ("without", "goodbye") else message.epoch
            place = (message.seat, epoch, message.slot)
            first = self.first.setdefault(place, message)
            if not self._receive(message) and self.phase != "broken":
                self._check_signature(message)
                if first.payload != message.payload:
                    self.unpaired.discard(place)
                    self._convict_of_two(message)
                demand(self._is_past(message), "a message that has no place here")
                self.unpaired.add(place)
        except Convicted as found:
            self._convict(found)
        self._go_on()
        demand(message.kind != "evidence" or len(self.convicted) > before, "evidence that convicts nobody")
        if self.is_disordered and self.doubt is None:
            self.doubt = self.height, self.shown
        demand(self.doubt is None or self.height <= self.doubt[0] + LEFT_OVER, "not in order")

    def _receive(self, message: Message) -> bool:
        demand(message.table == self.table, "a message for another table")
        demand(message.seat < self.size, "a seat that does not exist")
        if self.seed is None and message.kind not in ("seal", "nonce", "evidence", "goodbye"):
            return False
        if message.kind == "without":
            return self._promised(message)
        if message.kind == "goodbye":
            return self._left(message)
        place = (message.seat, message.epoch, message.slot)
        known = self.said.get(place) if message.slot else None
        if known is not None and known.data == message.data:
            return False
        demand(message.kind not in LATER, "not in force")
        if not self._is_of_this_epoch(message) and message.kind not in ("seal", "nonce", "evidence"):
            return False
        self._check_signature(message)
        if message.slot is None:
            if message.kind == "evidence":
                self._weigh(message)
            return True
        if known is not None:
            if known.payload != message.payload:
                self._convict_of_two(message)
            return False
        if not self._is_near(message):
            return False
        self.said[place] = message
        return True

    def _is_known_epoch(self, message: Message) -> bool:
        return self.epoch_hashes.get(message.epoch) == message.present

    def _is_past(self, message: Message) -> bool:
        is_past = (
            message["number"] <= self.epoch.number if message.kind == "without" else message.epoch < self.epoch.number
        )
        return is_past and self._is_known_epoch(message) and message.slot is not None

    def _is_of_this_epoch(self, message: Message) -> bool:
        if message.epoch <= self.epoch.number:
            demand(self._is_known_epoch(message), "an epoch that never was")
        else:
            self._check_signature(message)
        return message.epoch == self.epoch.number

    def _promised(self, message: Message) -> bool:
        check_without(message, self.size)
        number, seat = message["number"], message.seat
        held = self.withouts.get((number, seat))
        if held is not None and held.payload == message.payload:
            return False
        demand(message.epoch > self.epoch.number or self._is_known_epoch(message), "an epoch that never was")
        if not self.epoch.number < number <= self.epoch.number + FURTHEST or seat not in self.present:
            return False
        of_this = message.epoch == self.epoch.number
        demand(not of_this or tuple(message["base"]) == self.present, "this epoch had other seats")
        self._check_signature(message)
        if held is not None:
            self._convict_of_two(message)
        earlier = [each for (_, by), each in self.withouts.items() if by == seat]
        self.withouts[number, seat] = message
        self._has_news = True
        if any(conceals(each, message) for each in earlier):
            raise Convicted(seat, "concealed")
        return True

    def _left(self, message: Message) -> bool:
        check_goodbye(message, self.size)
        if any(each.payload == message.payload for each in self.goodbyes.values()):
            return False
        demand(message.epoch > self.epoch.number or self._is_known_epoch(message), "an epoch that never was")
        seat = self._check_signature(message)
        if seat in self.goodbyes:
            raise Convicted(seat, "two-versions")
        if self.phase == "broken":
            return False
        self.goodbyes[seat] = message
        self.evidence.append(("goodbye", seat))
        self._has_news = True
        if self.seed is None or not self.quorum.can_go_on(self.present):
            self.phase = "broken"
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

    def _convict_of_two(self, message: Message) -> None:
        """Also where the match goes on in another epoch, the message counts as taken in."""
        is_of_the_draw = message.kind in ("seal", "nonce")
        seat = self.seating.index(message.seat) if is_of_the_draw and self.seed is not None else message.seat
        raise Convicted(seat, "two-versions", is_of_the_draw=is_of_the_draw)

    def _weigh(self, evidence: Message) -> None:
        inner = [read_message(data) for data in evidence["messages"]]
        demand(len({each.seat for each in inner}) == 1 and all(each.slot for each in inner), "odd evidence")
        first: dict[Any, Message] = {}
        for each in inner:
            epoch = None if each.kind in ("without", "goodbye") else each.epoch
            other = first.setdefault((epoch, each.slot), each)
            if other.payload == each.payload:
                self._receive(each)
                continue
            for version in (other, each):
                demand(version.table == self.table, "evidence of another table")
                demand(epoch is None or self._is_known_epoch(version), "evidence of another epoch")
                self._check_signature(version)
            self._convict_of_two(each)

    def _convict(self, found: Convicted) -> None:
        if self.phase in ("broken", "over") or found.seat in self.convicted:
            return
        for seat in (found.seat, *found.others):
            self.convicted[seat] = found.what
            self.evidence.append((found.what, seat))
        self._has_news = True
        is_drawn_twice = found.is_of_the_draw and self.certified == 0
        if self.seed is None or is_drawn_twice or not self.quorum.can_go_on(self.present):
            self.phase = "broken"

    def _key(self, seat: int) -> bytes:
        key: bytes = self.members[self.seating[seat]]["key"]
        return key

    # --- epochs ---

    @property
    def quorum(self) -> Quorum:
        members = [self.members[place] for place in self.seating]
        keepers = [member["keeper"] if member["bot"] else member["key"] for member in members]
        return Quorum(keepers, self.convicted, self.goodbyes)

    def _quorum_of(self, out: set[Out]) -> Quorum:
        """Who counts where these are out."""
        goodbyes = {seat: self.goodbyes[seat] for seat, hash in out if hash is not None}
        return Quorum(self.quorum.keepers, [seat for seat, hash in out if hash is None], goodbyes)

    def _proves(self, out: set[Out]) -> bool:
        """Whether the file has shown why these are out."""
        said = {digest("goodbye", each.payload) for each in self.goodbyes.values()}
        return all(seat in self.convicted if hash is None else hash in said for seat, hash in out)

    @property
    def departed(self) -> dict[int, str]:
        """Who stands last, and why."""
        left = {seat: "left" for seat, hash in self.out if hash is not None}
        caught = {seat: "convicted" for seat, hash in self.out if hash is None}
        return dict.fromkeys(self.withheld, "withheld") | left | caught

    @property
    def certified(self) -> int:
        """The height of the last certificate."""
        return self.height - (self.phase != "settling" and self.phase != "over")

    @property
    def _is_held(self) -> bool:
        """Whether a seat that is present was convicted: then nothing counts until the next epoch."""
        return not self._is_following and not self.convicted.keys().isdisjoint(self.present)

    def _change(self) -> bool:
        """Begin the next epoch, if all that it needs is there."""
        self._has_news = self._is_following = False
        if self.seed is None:
            return False
        for withouts in complete(self.withouts):
            start = start_of(withouts)
            if start is None:
                continue
            if (start.base, start.base_hash) != (self.epoch.number, self.epoch.hash):
                self._is_following |= start.base > self.epoch.number
                continue
            out = out_of(withouts)
            if not self._proves(out):
                self._is_following = True
            elif self._quorum_of(out).allows(withouts, self.epoch):
                if self._begin(withouts, start):
                    return True
                self._is_following = True
        return False

    def _begin(self, withouts: list[Message], start: Start) -> bool:
        """Begin the epoch where it starts; False while that is not known."""
        epoch, before = epoch_of(self.table, withouts), self.epoch
        left = [seat for seat in before.present if seat not in epoch.present]
        moment = None
        if start.closing is not None:
            if (self.phase, self.previous, self.closing) != ("closing", start.certificate, start.closing):
                return False
            self._certify(dict.fromkeys(epoch.present, start.closing))
            self._closed()
            moment = self.moments[self.previous]
        elif start.certificate:
            moment = self.moments.get(start.certificate)
        else:
            moment = next((each for each in self.moments.values() if each.certified == start.height), None)
        if moment is None:
            return False
        self._return_to(moment)
        demand(not self.unpaired, "one version of a message from an earlier epoch")
        new = sorted(out_of(withouts) - self.out, key=lambda each: each[0])
        self.out |= {*new}
        last = [self.goodbyes[seat] for seat, hash in new if hash is not None]
        if any(hash is None for _, hash in new):
            self.is_disordered, self.doubt = False, None  # what a conviction left over stands in no order
            self._compare()
            self.compared = len(self.frames)
        else:
            self._keep((1 << 30,), [*last, *withouts])
            self._compare()
        if moment.entry is not None and moment.entry.is_end_of_round:
            self.withheld |= set(left)
        self.epoch = epoch
        self.epoch_hashes[epoch.number] = epoch.hash
        self.said, self.moments = {}, {}
        lasting = {seat for seat, hash in self.out if hash is None}
        kept = {seat: what for seat, what in self.convicted.items() if what == "two-versions" or seat in lasting}
        self.convicted = kept
        self.withouts = {key: each for key, each in self.withouts.items() if key[0] > epoch.number}
        self._has_news = True
        self._enter(moment.entry, is_sure=bool(start.certificate))
        return True

    def _enter(self, entry: Entry | None, is_sure: bool) -> None:
        """Go on in a new epoch: between rounds, or in the round that was under way, or in the next one if that is void."""
        self.next_round, self._preparing = None, iter(())
        if self.phase == "over":
            return
        missing = self._missing_key() if entry is not None and is_sure else None
        if entry is not None and missing is not None:
            self._mark(entry)
            self._story_now = self._playing_on(missing, entry)
            return
        if entry is not None:
            assert self.round is not None
            self.rounds_closed, self.round, self.height = self.round.number, None, self.height + 1
        self.phase = "between"
        self.dealer = self._next_present(self.dealer)
        self._hash_state()
        self._mark(None)
        self._prepare_round(self.rounds_closed + 1)
        self._story_now = self._rounds()
        self._end_if_short()

    def _missing_key(self) -> int | None:
        """Whose key is to be opened so that the round can be played on."""
        round = self.round
        assert round is not None
        missing = [seat for seat in round.active if seat not in self.present]
        if not round.splits or len(missing) != 1:
            return None
        try:
            self._read_shares_of(round, missing[0])
        except Wrong:
            return None
        return missing[0]

    def _read_shares_of(self, round: Round, of: int) -> dict[int, int]:
        """The shares of a seat's key that were sealed to seats whose keys are open."""
        found = {}
        for seat, x in round.open_keys.items():
            sealed = round.splits[of][seat]
            context = self._context(round, 0, of, "recovery", to=seat)
            found[seat] = dealing.unsealed(context, sealed, dealing.mul(x, sealed.E))
        return found

    def _playing_on(self, of: int, entry: Entry) -> Story:
        """Open a key, then do what the entry demands once more."""
        round, height = self.round, self.height
        assert round is not None
        slot = ("recovery-open", round.number, of)

        def confirmed() -> bool:
            echoes = self._of_all("echo", height)
            is_agreed = all(each["certificate"] == self.previous for each in echoes)
            return len(echoes) == len(self.present) and is_agreed and self._all_said(*slot)

        yield from self._until(confirmed)
        shares = self._read_shares_of(round, of)
        for message in self._of_all(*slot):
            try:
                share = dealing.scalar(message["share"])
                dealing.check(dealing.mul(share, dealing.G) == round.splits[of][message.seat].S)
            except Wrong:
                raise Convicted(message.seat, "recovery") from None
            shares[message.seat] = share
        x = sum(shares.values()) % dealing.q
        assert dealing.mul(x, dealing.G) == round.keys[of][0]
        round.open_keys[of] = x
        self._keep((-2,), self._of_all("echo", height))
        self._keep((-1,), self._of_all(*slot))
        yield from self._settle(entry, must_echo=False)
        yield from self._rounds()

    def _end_if_short(self) -> None:
        if self.phase == "between" and not self.game.can_deal_to(self.present):
            self.phase = "broken"

    def _mark(self, entry: Entry | None) -> None:
        """Keep the match at its last certificate. `entry`: what was committed and is not carried out yet."""
        self.moments[self.previous] = Moment(
            self.certified,
            self.phase,
            self.height,
            self.previous,
            self.state,
            self.state_hash,
            self.scores,
            self.dealer,
            self.rounds_closed,
            None if self.round is None else self.round.copy(),
            list(self.breaches),
            list(self.block),
            self.compared,
            entry,
        )
        for each in list(self.moments)[:-KEPT]:
            del self.moments[each]

    def _return_to(self, moment: Moment) -> None:
        self.phase, self.height, self.previous = moment.phase, moment.height, moment.previous
        self.state, self.state_hash, self.scores = moment.state, moment.state_hash, moment.scores
        self.dealer, self.rounds_closed = moment.dealer, moment.rounds_closed
        self.round = None if moment.round is None else moment.round.copy()
        self.breaches, self.block, self.compared = list(moment.breaches), list(moment.block), moment.compared

    def _next_present(self, seat: int) -> int:
        return min((each for each in self.present if each >= seat), default=self.present[0])

    # --- the story, and what it waits for ---

    def _go_on(self) -> None:
        while self.phase not in ("over", "broken"):
            try:
                if self._has_news and self._change():
                    continue
                if self._is_held:
                    return
                before = self.steps
                next(self._preparing, None)
                next(self._story_now, None)
                if self.steps == before:
                    return
            except Convicted as found:
                self._convict(found)

    def _until(self, ready: Callable[[], bool]) -> Story:
        while not ready():
            yield
        self.steps += 1

    def _get(self, seat: int, *slot: Any) -> Message | None:
        return self.said.get((seat, self.epoch.number, slot))

    def _all_said(self, *slot: Any, of: Iterable[int] | None = None) -> bool:
        return all(self._get(seat, *slot) is not None for seat in (self.present if of is None else of))

    def _of_all(self, *slot: Any, of: Iterable[int] | None = None) -> list[Message]:
        found = (self._get(seat, *slot) for seat in (self.present if of is None else of))
        return [message for message in found if message is not None]

    def _keep(self, place: tuple[int, ...], messages: Sequence[Message]) -> None:
        """`messages` stand at this place of the height, in this order."""
        self.block += [((*place, index), message) for index, message in enumerate(messages)]

    def _compare(self) -> None:
        """What is settled must stand in the file in this order."""
        block, self.block = sorted(self.block, key=lambda item: item[0]), []
        if self.is_disordered:
            return
        there = self.frames[self.compared : self.compared + len(block)]
        self.is_disordered = there != [message.data for _, message in block]
        self.compared += 0 if self.is_disordered else len(block)

    def _settled(self) -> None:
        self._compare()
        self.height += 1
        self._hash_state()
        self._forget()

    def _forget(self) -> None:
        for place, message in list(self.said.items()):
            height, number = message.body.get("height", self.height), message.body.get("round", self.rounds_closed + 1)
            if height < self.height - 1 or number <= self.rounds_closed:
                del self.said[place]

    def _hash_state(self) -> None:
        round = self.round
        data = {
            "epoch": self.epoch.number,
            "game": plain_state(self.state),
            "hands": [_bytes_of(hand) for hand in round.hands] if round else [],
            "keys": [[seat, x.to_bytes(32, "little")] for seat, x in sorted(round.open_keys.items())] if round else [],
            "laid": [_bytes_of(laid) for laid in round.laid] if round else [],
            "opened": round.opened if round else [],
            "present": list(self.present),
            "round": round.number if round else 0,
            "scores": list(self.scores),
            "splits": [hash for _, hash in sorted(round.split_hashes.items())] if round else [],
            "stock": _bytes_of(round.stock) if round else b"",
        }
        self.state_hash = digest("state", encode(data))

    def _context(self, round: Round, step: int, seat: int, purpose: str, deck: int = 0, to: int | None = None) -> bytes:
        return dealing.context(self.table, round.epoch, round.number, deck, step, seat, purpose, to)

    def _rounds(self) -> Story:
        while self.phase != "over":
            if self.phase == "between":
                yield from self._opening()
            while self.phase == "playing":
                yield from self._playing()
            yield from self._closing()

    # --- sealing ---

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
        self.phase = "between"
        self._mark(None)
        self._prepare_round(1)
        yield from self._rounds()

    # --- preparing ---

    def _prepare_round(self, number: int) -> None:
        self.next_round = Round(number, self.epoch.number, self.present)
        self._preparing = self._preparation(self.next_round)

    def _preparation(self, round: Round) -> Story:
        number = round.number
        yield from self._until(lambda: self._all_said("prepare", number))
        for message in self._of_all("prepare", number):
            seat = message.seat
            try:
                key = dealing.read_round_key(
                    self._context(round, 0, seat, "round-key"), self._key(seat), message["key"]
                )
            except Wrong:
                raise Convicted(seat, "round-key") from None
            if key[0] in [Y for Y, _ in round.keys.values()]:
                raise Convicted(seat, "round-key")
            round.keys[seat] = key
            round.key_bytes.append(message["key"])
        round.joint = dealing.add(*[Y for Y, _ in round.keys.values()])
        if round.joint == dealing.IDENTITY:
            raise Convicted(round.holders[-1], "round-key")
        yield from self._chain(round, 0, 0, self.game.deck)
        round.preparation = [((-3, message.seat), message) for message in self._of_all("prepare", number)]
        for order, kind in ((-2, "shuffled"), (-1, "shuffle-proof")):
            round.preparation += [((order, message.seat), message) for message in self._of_all(kind, number, 0)]
        round.is_prepared = True

    def _chain(self, round: Round, deck: int, step: int, faces: Sequence[str]) -> Story:
        number, order, decks = round.number, self.present, [dealing.starting_deck(faces)]
        for seat in order:
            yield from self._until(lambda seat=seat: self._get(seat, "shuffled", number, deck) is not None)  # type: ignore[misc]
            (message,) = self._of_all("shuffled", number, deck, of=[seat])
            if message["before"] != digest("incoming", round.joint, b"".join(decks[-1])):
                yield from self._until(lambda: False)
            try:
                decks.append(dealing.read_cards(message["cards"], len(faces)))
            except Wrong:
                raise Convicted(seat, "shuffle") from None
        yield from self._until(lambda: self._all_said("shuffle-proof", number, deck))
        proofs = [message["proof"] for message in self._of_all("shuffle-proof", number, deck)]
        wrong = []
        for index, (seat, proof) in enumerate(zip(order, proofs, strict=True)):
            context = self._context(round, step, seat, "shuffle", deck)
            try:
                dealing.check(len(proof) == dealing.proof_size(len(faces)))
                dealing.check_shuffle(context, round.joint, decks[index], decks[index + 1], proof)
            except Wrong:
                wrong.append(seat)
        if wrong:
            raise Convicted(wrong[0], "shuffle", *wrong[1:])
        round.chains.append(Chain(deck, step, order, decks))

    # --- votes ---

    def _vote_of(self, seat: int) -> Message | None:
        """A vote that stands on our certificate and state."""
        message = self._get(seat, "vote", self.height)
        if message is None or (message["previous"], message["state"]) != (self.previous, self.state_hash):
            return None
        return message

    def _votes(self) -> list[Message]:
        return [message for seat in self.present if (message := self._vote_of(seat)) is not None]

    def _unanimous(self, choice: bytes) -> Story:
        def agreed() -> bool:
            for message in self._votes():
                if message.kind != "vote":
                    raise Convicted(message.seat, "illegal-move")
            votes = self._votes()
            return len(votes) == len(self.present) and all(choice_of(message) == choice for message in votes)

        yield from self._until(agreed)
        self._certify_votes()

    def _certify_votes(self) -> bool:
        """All votes are there; whether they were split."""
        votes = self._votes()
        self._keep((0,), votes)
        choices = {message.seat: choice_of(message) for message in votes}
        self._certify(choices)
        return len(set(choices.values())) > 1

    def _certify(self, choices: dict[int, bytes]) -> None:
        pairs = b"".join(bytes([seat]) + choice for seat, choice in sorted(choices.items()))
        self.previous = digest(
            "certificate", self.table, self.epoch.hash, n(self.height), self.previous, self.state_hash, pairs
        )

    # --- opening ---

    def _opening(self) -> Story:
        def prepared() -> bool:
            return self.next_round is not None and self.next_round.is_prepared

        yield from self._until(prepared)
        round = self.next_round
        assert round is not None
        preparation = digest("preparation", *round.key_bytes, b"".join(round.chains[0].decks[-1]))
        yield from self._unanimous(digest("open", n(round.number), n(self.dealer), bytes(self.present), preparation))
        self.block += round.preparation
        self.round, self.next_round, self._preparing = round, None, iter(())
        round.stock = [Place(card) for card in round.chains[0].decks[-1]]
        round.hands = [[] for _ in range(self.size)]
        round.laid = [[] for _ in range(self.size)]
        outcome = self.game.start(self.dealer, self.scores, self.present)
        assert isinstance(outcome.demands[0], Shuffle)
        self.state, self.phase = outcome.state, "settling"
        entry = Entry(outcome.demands[1:])
        self._mark(entry)
        yield from self._splitting(round)
        yield from self._settle(entry, must_echo=False)

    def _splitting(self, round: Round) -> Story:
        """Every seat splits its key among the others."""
        keepers = len({self.members[self.seating[seat]]["keeper"] for seat in round.holders})
        wish = self.roster["table"]["recovery"]
        if wish == "off" or keepers < (3 if wish == "on" else 4):
            return
        yield from self._until(lambda: self._all_said("recovery-shares", round.number))
        for message in self._of_all("recovery-shares", round.number):
            seat = message.seat
            others = {other: Y for other, (Y, _) in round.keys.items() if other != seat}
            contexts = {other: self._context(round, 0, seat, "recovery", to=other) for other in others}
            try:
                round.splits[seat] = dealing.read_split(contexts, round.keys[seat][0], others, message["shares"])
            except Wrong:
                raise Convicted(seat, "recovery") from None
            round.split_hashes[seat] = digest("split", message["shares"])
        self._keep((1,), self._of_all("recovery-shares", round.number))

    # --- proposals ---

    def _playing(self) -> Story:
        defaults = self._default_moves()
        checked: dict[bytes, Proposal] = dict(defaults)

        def decided() -> bool:
            votes = self._votes()
            for message in votes:
                if message.kind != "vote" and choice_of(message) not in checked:
                    checked[choice_of(message)] = self._check_proposal(message)
            return len(votes) == len(self.present) and all(choice_of(message) in checked for message in votes)

        yield from self._until(decided)
        votes = Counter(choice_of(message) for message in self._votes())
        best, epoch = max(votes.values()), n(self.epoch.number)
        assert self.seed is not None
        seed = self.seed
        winner = min(
            (each for choice, each in checked.items() if votes[choice] == best),
            key=lambda each: digest("tie", seed, epoch, n(self.height), n(each.seat)),
        )
        is_split = self._certify_votes()
        yield from self._commit(winner, is_split)

    def _default_moves(self) -> dict[bytes, Proposal]:
        """What is moved for the seats whose keys are open, by what votes for it name."""
        round, game = self.round, self.game
        assert round is not None
        found = {}
        for seat in game.awaited(self.state):
            if seat not in round.open_keys:
                continue
            hand = round.hands[seat]
            faces: list[Any] = [self._face_in_open_hand(seat, place) for place in hand]
            move = game.default(self.state, seat, faces)
            if move is None:
                continue
            uses, places = game.uses(move), list[int]()
            for face in (*uses.played, *uses.shown, *game.hidden(move)):
                places.append(next(i for i, each in enumerate(faces) if each == face and i not in places))
            public = game.public(move)
            outcome = game.apply(self.state, seat, public)
            played, laid = places[: len(uses.played)], places[len(uses.played) + len(uses.shown) :]
            choice = digest("default", n(seat), encode(game.encode(public)), bytes(places))
            found[choice] = Proposal(seat, None, public, outcome.state, outcome.demands, played, laid, None)
        return found

    def _face_in_open_hand(self, seat: int, place: Place) -> str:
        round = self.round
        assert round is not None
        others = [share for giver, share in place.shares.items() if giver != seat]
        return dealing.opened(
            place.card, dealing.add(dealing.mul(round.open_keys[seat], place.card[:32]), *others), self.faces
        )

    def _check_proposal(self, message: Message) -> Proposal:
        round, game, seat = self.round, self.game, message.seat
        assert round is not None
        if message.kind == "break-off":
            if not game.is_stalled(self.state):
                raise Convicted(seat, "illegal-move")
            return Proposal(seat, message, None, self.state, (OpenAll(),), [], [], None)
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
                context = self._context(round, self.height, seat, "play")
                own = dealing.read_shares(
                    context, round.keys[seat][0], [each.card for each in cards], message["opening"]
                )
                for place, share, face in zip(cards, own, faces, strict=True):
                    layers = dealing.add(share, *[each for giver, each in place.shares.items() if giver != seat])
                    dealing.check(dealing.opened(place.card, layers, self.faces) == face)
            if before is not None and after is not None:
                context = self._context(round, self.height, seat, "remask")
                dealing.check_shuffle(context, round.joint, before, after, message["remask_proof"])
        except Wrong:
            raise Convicted(seat, "false-card" if faces else "remask") from None
        return Proposal(seat, message, move, outcome.state, outcome.demands, played, places[len(faces) :], after)

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
        round, seat = self.round, proposal.seat
        assert round is not None
        entry = Entry(proposal.demands, None if proposal.remask is None else (seat, proposal.remask))
        if proposal.move is None:
            round.is_void = True
        else:
            hand = round.hands[seat]
            move = self.game.public(proposal.move)
            round.moves.append((self.height, seat, self.state, move, [each.card for each in hand], proposal.laid))
            if proposal.laid:
                round.laid[seat] = [hand[index] for index in proposal.laid]
            round.hands[seat] = [place for index, place in enumerate(hand) if index not in proposal.played]
            self.state = proposal.state
        self.phase = "settling"
        self._mark(entry)
        yield from self._settle(entry, must_echo=is_split and bool(entry.demands))

    # --- duties ---

    def _settle(self, entry: Entry, must_echo: bool) -> Story:
        round = self.round
        assert round is not None
        demands, foreseen = entry.demands, entry.foreseen
        if must_echo:
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
        direct: list[int] = []
        remasking: dict[int, dealing.Cards] = {}
        for take in takes:
            drawn, round.stock = round.stock[: take.stock], round.stock[take.stock :]
            entered = drawn + [given[each] for each in take.laid]
            is_direct = (not round.hands[take.seat] and not take.laid) or take.seat in round.open_keys
            round.hands[take.seat] = round.hands[take.seat] + entered
            if is_direct:
                direct.append(take.seat)
            else:
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
        message = self._get(seat, "remask", self.height, stage)
        if message is None:
            return None
        round = self.round
        assert round is not None
        purpose = "remask" if stage == 0 else f"remask/{stage}"
        try:
            dealing.check(len(message["proof"]) == dealing.proof_size(len(before)))
            after = dealing.read_cards(message["cards"], len(before))
            context = self._context(round, self.height, seat, purpose)
            dealing.check_shuffle(context, round.joint, before, after, message["proof"])
        except Wrong:
            raise Convicted(seat, "remask") from None
        self.block.append(((2 + stage, 1, seat), message))
        return after

    def _plan(
        self, group: int | None, givers: Iterable[int], direct: Sequence[int], turned_up: Place | None
    ) -> dict[int, list[Place]]:
        """Whose shares of which cards a group needs."""
        round = self.round
        assert round is not None
        plan: dict[int, list[Place]] = {}
        for giver in givers:
            if group is not None:
                places = [] if giver == group else round.hands[group]
            else:
                hands = [round.hands[seat] for seat in direct if seat != giver]
                places = [place for hand in hands for place in hand if giver not in place.shares]
                places += [] if turned_up is None else [turned_up]
            if places:
                plan[giver] = places
        return plan

    def _granted(self, group: int | None, stage: int, direct: Sequence[int], turned_up: Place | None) -> bool:
        """Whether all shares of a group are there."""
        round = self.round
        assert round is not None
        if stage == 0 and not round.moves and round.epoch == self.epoch.number:
            self._judge_complaints()
        plan = self._plan(group, round.active, direct, turned_up)
        slot = ("shares", self.height, stage, group)
        if not self._all_said(*slot, of=plan):
            return False
        found: dict[int, list[bytes]] = {}
        for message in self._of_all(*slot, of=plan):
            giver = message.seat
            cards = [place.card for place in plan[giver]]
            if message["cards"] != digest("opened", b"".join(cards)):
                return False
            context = self._context(round, self.height, giver, f"shares/{stage}", to=group)
            try:
                found[giver] = dealing.read_shares(context, round.keys[giver][0], cards, message["shares"])
            except Wrong:
                raise Convicted(giver, "share") from None
        computed = self._plan(group, round.open_keys, direct, turned_up)
        for giver, places in computed.items():
            found[giver] = [dealing.mul(round.open_keys[giver], place.card[:32]) for place in places]
        for giver, places in (plan | computed).items():
            for place, share in zip(places, found[giver], strict=True):
                place.shares[giver] = share
        for message in self._of_all(*slot, of=plan):
            self.block.append(((2 + stage, 2, -1 if group is None else group, message.seat), message))
        return True

    def _judge_complaints(self) -> None:
        """Each convicts its sender, or whom it is about."""
        round = self.round
        assert round is not None
        for against, split in round.splits.items():
            for seat in round.holders:
                message = self._get(seat, "complaint", round.number, against)
                if message is None or seat == against or message["split"] != round.split_hashes[against]:
                    continue
                sealed, Y = split[seat], round.keys[seat][0]
                context = self._context(round, 0, seat, "recovery-complaint", to=against)
                try:
                    (common,) = dealing.read_shares(context, Y, [sealed.E + sealed.S], message["opening"])
                except Wrong:
                    raise Convicted(seat, "complaint") from None
                try:
                    dealing.unsealed(self._context(round, 0, against, "recovery", to=seat), sealed, common)
                except Wrong:
                    raise Convicted(against, "recovery") from None
                raise Convicted(seat, "complaint")

    # --- the audit, and the closing ---

    def _audit(self) -> Story:
        round, game = self.round, self.game
        assert round is not None
        slot = ("reveal", round.number)
        yield from self._until(lambda: self._all_said(*slot, of=round.active))
        secrets = {}
        for message in self._of_all(*slot, of=round.active):
            context = self._context(round, 0, message.seat, "round-key")
            try:
                secrets[message.seat] = dealing.read_reveal(context, *round.keys[message.seat], message["secret"])
            except Wrong:
                raise Convicted(message.seat, "reveal") from None
        self._keep((1 << 29,), self._of_all(*slot, of=round.active))
        for chain in round.chains:
            for index, seat in enumerate(chain.order):
                if seat in round.open_keys:
                    continue
                context = self._context(round, chain.step, seat, "shuffle", chain.deck)
                _, seed = secrets[seat]
                if dealing.shuffled(context, round.joint, seed, chain.decks[index]) != chain.decks[index + 1]:
                    raise Convicted(seat, "reveal")
        x = sum(x for x, _ in secrets.values()) + sum(round.open_keys.values())
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

    @property
    def _is_last_round(self) -> bool:
        round, limit = self.round, self.roster["table"]["rounds"]
        assert round is not None
        return not round.is_void and (self.game.is_match_over(self.state) or 0 < limit <= round.number)

    def _closing(self) -> Story:
        round = self.round
        assert round is not None
        data = {
            "breaches": [list(each) for each in round.breaches],
            "over": self._is_last_round,
            "scores": list(self.scores),
            "void": round.is_void,
        }
        self.closing = digest("close", n(round.number), encode(data))
        yield from self._unanimous(self.closing)
        self._compare()
        self._closed()

    def _closed(self) -> None:
        round = self.round
        assert round is not None
        self.breaches += round.breaches
        self.rounds_closed = round.number
        if self._is_last_round:
            self.phase = "over"
            self._mark(None)
            return
        if not round.is_void:
            self.dealer = self._next_present(self.game.next_dealer(self.state))
        self._settled()
        self.phase = "between"
        self._mark(None)
        if self.next_round is None:
            self._prepare_round(round.number + 1)
        self._end_if_short()


def choice_of(message: Message) -> bytes:
    """What a vote is for; a proposal is a vote for itself."""
    if message.kind == "vote":
        choice: bytes = message["choice"]
        return choice
    return digest("proposal", message.payload)


def _bytes_of(places: list[Place]) -> bytes:
    return b"".join(place.card for place in places)
