"""The state of a match as a file shows it, and what the steps that change it share. (PROTOCOL.md, "Phases".)"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from protocol.errors import BadOption
from protocol.games.catalogue import load
from tests.independent import dealing
from tests.independent.encoding import (
    Message,
    Refused,
    decode,
    demand,
    digest,
    encode,
    n,
    raw,
    read_roster,
)
from tests.independent.epochs import (
    Epoch,
    Member,
    Out,
)
from tests.independent.values import Block, Entry, Moment, Place, Round, Shown, Story

KEPT = 3
"""So many of the last certificates an epoch can begin at."""


def plain_state(value: Any) -> Any:
    """A state as a map of its fields."""
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: plain_state(getattr(value, each.name)) for each in fields(value)}
    return [plain_state(item) for item in value] if isinstance(value, tuple) else value


class State:
    """What a file shows so far."""

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
        self.sitters: dict[bytes, list[bytes]] = {}
        """The keys that sign for the seats, in each epoch by its hash."""
        self.seed: bytes | None = None
        self.seating = list(range(self.size))
        self.height = 1
        self.previous = self.table
        self.state: Any = None
        self.state_hash = b""
        self.scores: tuple[int, ...] = (0,) * len(self.game.teams)
        self.closed_scores = self.scores
        """Those of the last closing: a round that was audited counts when all have voted for it."""
        self.dealer = 0
        self.rounds_closed = 0
        self.round: Round | None = None
        self.next_round: Round | None = None
        self.phase = "sealing"
        self.evidence: list[tuple[str, int]] = []
        self.breaches: list[tuple[int, int]] = []
        self.convicted: dict[int, str] = {}
        self.goodbyes: dict[int, Message] = {}
        self.second_goodbyes: dict[int, Message] = {}
        """They convict, but promises may name them."""
        self.out: set[Out] = set()
        """Who is out for good, as the epochs that began name them."""
        self.withheld: set[int] = set()
        self.gone: set[bytes] = set()
        """The keys, and their keepers, that never sit again."""
        self.withouts: dict[tuple[int, int], Message] = {}
        self.aside: list[Message] = []
        """Those that are in nobody's way, and bind who signed them."""
        self.promises: list[Message] = []
        """Each `without` that the file has shown in time."""
        self.said: dict[tuple[int, int, Any], Message] = {}
        self.first: dict[tuple[int, int | bytes | None, Any], Message] = {}
        """All that the file holds, also what is forgotten: a second version convicts."""
        self.unpaired: set[tuple[int, int | bytes | None, Any]] = set()
        """First versions from earlier epochs, whose second has not come."""
        self.frames: list[bytes] = []
        self.seen: set[bytes] = set()
        self.block: Block = []
        self.compared = 0
        self.doubt: tuple[int, Shown] | None = None
        """The height at which messages stood in no order, and what the file showed up to there."""
        self.doubted = 0
        """So many messages had been read when the order came into doubt."""
        self.is_disordered = False
        self.stood: set[bytes] = set()
        """What belongs to the match so far, also where an epoch has dropped it since."""
        self.versions: dict[int, list[Message]] = {}
        """By seat: its votes of the open height, if it has sent several."""
        self.moments: dict[bytes, Moment] = {}
        self.opened: dict[bytes, Moment] = {}
        """The match as a height was opened, by the certificate before it."""
        self.steps = 0
        self.signatures = 0
        self._has_news = self._is_following = False
        self.last_height: int | None = None
        """Above this height nothing is certified, while only what an epoch needs is read."""
        self._story_now: Story = iter(())
        self._preparing: Story = iter(())

    @property
    def present(self) -> tuple[int, ...]:
        return self.epoch.present

    @property
    def shown(self) -> Shown:
        """What the file shows."""
        return Shown(self.previous, self.closed_scores, self.rounds_closed, list(self.evidence), list(self.breaches))

    @property
    def certified(self) -> int:
        """The height of the last certificate."""
        return self.height - (self.phase not in ("settling", "confirming", "over"))

    def _key(self, seat: int) -> bytes:
        return self._member(seat).key

    def _member(self, seat: int) -> Member:
        """Who sits there, or sat there last."""
        one = self.members[self.seating[seat]]
        return self.epoch.sitters.get(seat) or Member(one["key"], one["keeper"], one["bot"])

    def _signer(self, message: Message) -> bytes:
        """The key that has to have signed: who takes a seat says so itself."""
        added = message["added"] if message.kind == "without" else ()
        return next((key for seat, key, *_ in added if seat == message.seat), self._key(message.seat))

    @property
    def _is_last_round(self) -> bool:
        round, limit = self.round, self.roster["table"]["rounds"]
        assert round is not None
        return not round.is_void and (self.game.is_match_over(self.state) or 0 < limit <= round.number)

    @property
    def _is_short(self) -> bool:
        return self.phase == "between" and not self.game.can_deal_to(self.present)

    @property
    def _closing_choice(self) -> bytes | None:
        """What all vote for now, if that is how a round or the match ends."""
        if self._is_short:
            return digest("short", n(self.rounds_closed + 1))
        round = self.round
        if self.phase != "closing" or round is None:
            return None
        data = {
            "breaches": [list(each) for each in round.breaches],
            "over": self._is_last_round,
            "scores": list(self.scores),
            "void": round.is_void,
        }
        return digest("close", n(round.number), encode(data))

    def _ended_short(self) -> None:
        """The match is over because players are missing."""
        self.phase = "over"
        self._mark(None)

    def _next_present(self, seat: int) -> int:
        return min((each for each in self.present if each >= seat), default=self.present[0])

    def _mark(self, entry: Entry | None) -> None:
        """Keep the match at its last certificate. `entry`: what was committed and is not carried out yet."""
        self.moments[self.previous] = self._moment(entry)
        self._has_news |= bool(self.withouts)
        for each in list(self.moments)[:-KEPT]:
            del self.moments[each]
        if entry is None:
            self._open()

    def _open(self) -> None:
        """Keep the match as its next height is opened."""
        self.opened[self.previous] = self._moment(None)
        for each in list(self.opened)[:-KEPT]:
            del self.opened[each]

    def _moment(self, entry: Entry | None) -> Moment:
        return Moment(
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
            self.is_disordered,
            entry,
        )

    def _return_to(self, moment: Moment) -> None:
        self.phase, self.height, self.previous = moment.phase, moment.height, moment.previous
        self.state, self.state_hash, self.scores = moment.state, moment.state_hash, moment.scores
        self.closed_scores = moment.scores
        self.dealer, self.rounds_closed = moment.dealer, moment.rounds_closed
        self.round = None if moment.round is None else moment.round.copy()
        self.breaches, self.block, self.compared = list(moment.breaches), list(moment.block), moment.compared

    @property
    def _may_certify(self) -> bool:
        return self.last_height is None or self.height <= self.last_height

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
        self.stood.update(message.data for _, message in block)
        if self.is_disordered:
            return
        there = self.frames[self.compared : self.compared + len(block)]
        self.is_disordered = there != [message.data for _, message in block]
        self.compared += 0 if self.is_disordered else len(block)

    def _settled(self) -> None:
        self._compare()
        self.height += 1
        self.versions = {}
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

    def _certify(self, choices: dict[int, bytes]) -> None:
        pairs = b"".join(bytes([seat]) + choice for seat, choice in sorted(choices.items()))
        self.previous = digest(
            "certificate", self.table, self.epoch.hash, n(self.height), self.previous, self.state_hash, pairs
        )


def _bytes_of(places: list[Place]) -> bytes:
    return b"".join(place.card for place in places)
