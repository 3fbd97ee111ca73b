"""Follows a match file message by message, from PROTOCOL.md alone; the rules are the game's engine.

The match is told as one straight story, which stops wherever a message is missing and goes on when it has come. Where an epoch
begins, it is told anew from the certificate at which that begins.
"""

from __future__ import annotations

from itertools import islice, product
from typing import Any

from protocol.values import replace
from tests.independent import dealing
from tests.independent.dealing import Wrong
from tests.independent.encoding import (
    Message,
    Refused,
    demand,
    digest,
    is_signed_by,
    read_message,
)
from tests.independent.epochs import (
    FURTHEST,
    Out,
    Quorum,
    Start,
    attempts,
    check_goodbye,
    check_without,
    complete,
    conceals,
    denies,
    epoch_of,
    keeper_of,
    may_join,
    out_of,
    plan_of,
    sitters_of,
    start_of,
    torn_epoch,
)
from tests.independent.rounds import Rounds, choice_of
from tests.independent.values import Convicted, Entry, Moment, Round, Story

LEFT_OVER = 2
"""So many heights after its start an epoch's beginning may stand, where a seat is left out for cheating."""
MOST_TRIED = 256
"""So many combinations of versions of votes are tried."""
MOST_VERSIONS = 8
"""So many versions of a vote are kept besides the first."""
MOST_HELD = 256
"""So many promises of one seat are held."""


class Match(Rounds):
    """What a file shows so far. `feed` raises Refused; whoever is convicted or says goodbye stands in `evidence`."""

    def __init__(self, first: bytes) -> None:
        super().__init__(first)
        self._story_now = self._sealing()

    def feed(self, data: bytes) -> None:
        """The next message of the file."""
        self.frames.append(data)
        demand(self.phase != "over", "a message behind the end")
        message = read_message(data)
        demand(message.slot is not None or message.kind == "evidence", "a message without a slot")
        demand(data not in self.seen, "a message that stood in the file before")
        self.seen.add(data)
        before = len(self._named)
        try:
            place = self._place_of(message)
            first = self.first.get(place, message)
            if message.kind == "closed" and self.phase != "confirming":
                if self.phase != "broken":
                    self._look_for_denial(message)
                raise Refused("a message that has no place in a file")
            shown = len(self.evidence)
            try:
                is_used = self._receive(message)
            except Refused:
                del self.evidence[shown:]  # what stands in evidence that is refused does not show
                raise
            self.first.setdefault(place, message)
            if is_used and message.kind == "without":
                self.promises.append(message)
            if not is_used:
                self._check_signature(message)
            if not is_used and self.phase != "broken":
                is_binding = message.slot is not None and message.kind != "closed" and self._is_by_sitter(message)
                if first.payload != message.payload and is_binding:
                    self.unpaired.discard(place)
                    self._convict_of_two(message)
                demand(self._is_past(message), "a message that has no place here")
                self.unpaired.add(place)
        except Convicted as found:
            self.first.setdefault(place, message)
            if message.kind == "without":
                self.promises.append(message)
            self._convict(found)
        self._go_on()
        demand(message.kind != "evidence" or len(self._named) > before, "evidence that convicts nobody")
        if self.phase == "broken":
            if self.doubt is not None and self.doubt[0] == self.height:
                self.doubt = None  # what was said last stands in no order
        elif self.is_disordered and self.doubt is None:
            self.doubt, self.doubted = (self.height, self.shown), len(self.frames)
        demand(self.doubt is None or self.height <= self.doubt[0] + LEFT_OVER, "not in order")

    @property
    def _named(self) -> list[tuple[str, int]]:
        """All who were convicted so far, also those whose conviction has lapsed."""
        return [each for each in self.evidence if each[0] != "goodbye"]

    def _place_of(self, message: Message) -> tuple[int, int | bytes | None, Any]:
        """What is said only once: in an epoch, or ever; a promise by whoever sits in the seat, or would."""
        when: int | bytes | None = message.epoch
        seat = message.seat
        if message.kind in ("without", "goodbye") and seat < self.size:
            when = self._signer(message) if message.kind == "without" else None
            if message.kind == "goodbye" and not is_signed_by(self._key(seat), message):
                seat = self.seating.index(seat)
        return seat, when, message.slot

    def _receive(self, message: Message) -> bool:
        demand(message.table == self.table, "a message for another table")
        demand(message.seat < self.size, "a seat that does not exist")
        if self.seed is None and message.kind not in ("seal", "nonce", "evidence", "goodbye"):
            return False
        if message.kind == "without":
            return self._promised(message)
        if message.kind == "goodbye":
            return self._left(message)
        demand(message.kind not in ("seal", "nonce") or message.epoch == 0, "a seal or nonce of a later epoch")
        place = (message.seat, message.epoch, message.slot)
        known = self._known(message)
        if known is not None and known.data == message.data:
            return False
        if known is None and not self._is_of_now(message):
            self._look_for_denial(message)
        if not self._is_of_this_epoch(message) and known is None and message.kind not in ("seal", "nonce", "evidence"):
            return False
        if message.kind == "closed" and (known is not None or message["certificate"] != self.previous):
            return False
        self._check_signature(message)
        if message.slot is None:
            if message.kind == "evidence":
                self._weigh(message)
            return True
        if known is not None:
            return known.payload != message.payload and self._said_twice(known, message)
        if not self._is_near(message):
            return False
        self.said[place] = message
        self._look_for_denial(message)
        return True

    def _said_twice(self, known: Message, message: Message) -> bool:
        """Whether another version of something is of use; it convicts its seat, unless that stands convicted."""
        is_kept = False
        if message.slot == ("vote", self.height):
            versions = self.versions.setdefault(message.seat, [known])
            is_kept = len(versions) <= MOST_VERSIONS and all(each.payload != message.payload for each in versions)
            versions += [message] if is_kept else []
        if message.seat not in self.convicted or message.kind in ("seal", "nonce"):
            self._convict_of_two(message)
        return is_kept

    def _is_of_now(self, message: Message) -> bool:
        return message.epoch == self.epoch.number and self._is_known_epoch(message)

    def _look_for_denial(self, message: Message) -> None:
        """Whether a promise that is held, or stands in the transcript, denies what the same key has said; or this one does."""
        demand(message.table == self.table and message.seat < self.size, "a message of nobody here")
        seat, key = message.seat, self._key(message.seat)
        if seat in self.convicted or message.slot is None or not is_signed_by(key, message):
            return
        if message.kind == "without":
            promises, others = [message], [*self.said.values(), *self._there]
        else:
            written = [each for each in self.promises if each.data in self.stood]
            promises, others = [*self.withouts.values(), *written], [message]
        pairs = ((a, b) for a in promises for b in others if a.seat == b.seat == seat and denies(a, b))
        if any(is_signed_by(key, each) for pair in pairs for each in pair if each is not message):
            raise Convicted(seat, "concealed")

    @property
    def _there(self) -> list[Message]:
        """What stands in the transcript, or once did: not what the file holds besides, which an epoch has dropped."""
        return [each for each in self.first.values() if each.data in self.stood]

    def _deniers(self, withouts: list[Message]) -> set[int]:
        """Whose promise, one of these or an earlier one, denies something else in the file."""
        pairs = ((a, b) for a in (*withouts, *self.promises) for b in self._there if a.seat == b.seat and denies(a, b))
        return {a.seat for a, b in pairs if all(is_signed_by(self._key(a.seat), each) for each in (a, b))}

    def _known(self, message: Message) -> Message | None:
        """What its seat has said for its slot, as far as it is held or stands in the transcript."""
        place = (message.seat, message.epoch, message.slot)
        if message.slot is None:
            return None
        return self.said.get(place) or (None if place in self.unpaired else self.first.get(place))

    def _is_known_epoch(self, message: Message) -> bool:
        return self.epoch_hashes.get(message.epoch) == message.present

    def _is_past(self, message: Message) -> bool:
        if message.kind == "without":
            return bool(message["number"] <= self.epoch.number)
        return message.epoch < self.epoch.number and self._is_known_epoch(message) and message.slot is not None

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
        if not self.epoch.number < number <= self.epoch.number + FURTHEST:
            if number <= self.epoch.number:
                self._look_for_denial(message)
            return False
        asked = (each for (at, by), each in self.withouts.items() if at == number and by in each["stay"])
        if seat not in self.present and all(plan_of(each) != plan_of(message) for each in asked):
            return False
        of_this = self._is_of_now(message)
        demand(not of_this or tuple(message["base"]) == self.present, "this epoch had other seats")
        signer, holder = self._signer(message), self._key(seat)
        if held is not None and signer == holder and seat in self.present and not is_signed_by(holder, held):
            self.aside.append(held)
            held = None  # anybody could say that they would sit there
        of_seat = [is_signed_by(holder, each) for (_, by), each in self.withouts.items() if by == seat]
        if held is None and of_seat.count(signer == holder) >= MOST_HELD:
            return False
        self._check_signature(message)
        if held is not None and signer != self._key(seat) and seat in held["stay"] and seat not in self.present:
            self.aside.append(held)
            held = None  # by whoever was left out there: it is not in the way of who would take the seat
        if held is not None and (signer != self._key(seat) or self._signer(held) != signer):
            return False
        if held is not None:
            return self._said_twice(held, message)
        all_held = (*self.withouts.values(), *self.aside)
        earlier = [each for each in all_held if each.seat == seat and is_signed_by(signer, each)]
        self.withouts[number, seat] = message
        self._has_news = True
        if signer == self._key(seat) and any(conceals(each, message) for each in earlier):
            raise Convicted(seat, "concealed")
        self._look_for_denial(message)
        return True

    def _left(self, message: Message) -> bool:
        check_goodbye(message, self.size)
        same = [seat for seat, each in self.goodbyes.items() if each.payload == message.payload]
        if same and self._check_signature(message) in same:
            return False
        seat = self._check_signature(message)
        if seat in self.goodbyes:
            self.second_goodbyes.setdefault(seat, message)
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
            if is_signed_by(self._signer(message), message):
                return message.seat
            demand(message.kind in ("evidence", "goodbye"), "a wrong signature")
        demand(is_signed_by(self.members[message.seat]["key"], message), "a wrong signature")
        seat = self.seating.index(message.seat)
        demand(self._key(seat) == self.members[message.seat]["key"], "somebody else sits there")
        return seat

    def _is_by_sitter(self, message: Message) -> bool:
        return self._signer(message) == self._key(message.seat)

    def _is_near(self, message: Message) -> bool:
        height, number = message.body.get("height"), message.body.get("round")
        if height is not None:
            return bool(self.height - 1 <= height <= self.height + 1)
        return number is None or 1 <= number - self.rounds_closed <= 2

    def _convict_of_two(self, message: Message) -> None:
        """Also where the match goes on in another epoch, the message counts as taken in."""
        is_of_the_draw = message.kind in ("seal", "nonce")
        seat = self._check_signature(message)
        raise Convicted(seat, "two-versions", is_of_the_draw=is_of_the_draw)

    def _weigh(self, evidence: Message) -> None:
        inner = [read_message(data) for data in evidence["messages"]]
        is_binding = all(each.slot and each.kind != "closed" for each in inner)
        demand(len({each.seat for each in inner}) == 1 and is_binding, "odd evidence")
        if self.seed is None and any(each.kind not in ("seal", "nonce") for each in inner):
            return
        first: dict[Any, Message] = {}
        for each in inner:
            epoch = None if each.kind in ("without", "goodbye") else each.epoch
            other = first.setdefault((epoch, each.slot), each)
            if other.payload == each.payload:
                self._receive(each)
                continue
            signers = set()
            for version in (other, each):
                demand(version.table == self.table, "evidence of another table")
                demand(epoch is None or self._is_known_epoch(version), "evidence of another epoch")
                demand(self._is_by_sitter(version), "evidence by who does not sit there")
                signers.add(self._check_signature(version))
            demand(len(signers) == 1, "evidence of two seats")
            self._convict_of_two(each)

    def _convict(self, found: Convicted) -> None:
        is_drawn_twice = found.is_of_the_draw and self.certified == 0
        if self.phase in ("broken", "over") or (found.seat in self.convicted and not is_drawn_twice):
            return
        for seat in (found.seat, *found.others):
            if seat not in self.convicted:
                self.convicted[seat] = found.what
                self.evidence.append((found.what, seat))
        self._has_news = True
        if self.seed is None or is_drawn_twice or not self.quorum.can_go_on(self.present):
            self.phase = "broken"

    @property
    def quorum(self) -> Quorum:
        members = [self._member(seat) for seat in range(self.size)]
        keepers = [keeper_of(member) for member in members]
        bots = [seat for seat, member in enumerate(members) if member.bot and member.keeper != member.key]
        return Quorum(keepers, self.convicted, self.goodbyes, bots)

    def _quorum_of(self, out: set[Out]) -> Quorum:
        """Who counts where these are out."""
        said, goodbyes = self._said_goodbye, dict[int, Message]()
        for seat, each in [(seat, said[seat, hash]) for seat, hash in out if hash is not None]:
            goodbyes[seat] = max(goodbyes.get(seat, each), each, key=lambda bye: (bye["number"], attempts(bye)))
        return Quorum(self.quorum.keepers, [seat for seat, hash in out if hash is None], goodbyes, self.quorum.bots)

    def _proves(self, out: set[Out]) -> bool:
        """Whether the file has shown why these are out."""
        said = self._said_goodbye
        return all(seat in self.convicted if hash is None else (seat, hash) in said for seat, hash in out)

    @property
    def _said_goodbye(self) -> dict[tuple[int, bytes], Message]:
        """By who has left and the hash that names them."""
        all_of_them = (*self.goodbyes.items(), *self.second_goodbyes.items())
        return {(seat, digest("goodbye", each.payload)): each for seat, each in all_of_them}

    @property
    def departed(self) -> dict[int, str]:
        """Who stands last, and why."""
        left = {seat: "left" for seat, hash in self.out if hash is not None}
        caught = {seat: "convicted" for seat, hash in self.out if hash is None}
        return dict.fromkeys(self.withheld, "withheld") | left | caught

    @property
    def _is_held(self) -> bool:
        """Whether a seat that is present was convicted: then nothing counts until the next epoch."""
        return not self._is_following and not self.convicted.keys().isdisjoint(self.present)

    def _change(self) -> bool:
        """Begin the next epoch, if all that it needs is there."""
        self._has_news = self._is_following = False
        self.last_height = None
        if self.seed is None:
            return False
        sets, unreached = complete(self.withouts), list[tuple[int, bytes, set[int]]]()
        for withouts in sets:
            stay, seats, number = set(withouts[0]["stay"]), {each.seat for each in withouts}, withouts[0]["number"]
            keepers = self.quorum.keepers
            staying = {keepers[seat] for seat in stay}
            if len(staying) < 2 and staying != {keepers[seat] for seat in self.present}:
                continue
            hash = epoch_of(self.table, withouts, self.epoch).hash
            waits = (others for base, there, others in unreached if number > base or (number == base and hash != there))
            if any(seats & others for others in waits):
                continue
            if (torn := torn_epoch(withouts)) is not None:
                unreached.append((torn - 1, b"", stay))
            start = start_of(withouts)
            if start is None:
                continue
            step: list[Message] | None = withouts
            if start.base > self.epoch.number:
                step = self._step_towards(start, sets)
            elif (start.base, start.base_hash) != (self.epoch.number, self.epoch.hash):
                continue
            if step is None:
                unreached.append((start.base, start.base_hash, stay))
                self._follow(start)
            elif (found := self._enter_epoch(step)) is not None:
                return found
        if self._is_held and self._has_other_accusers:
            self._is_following, self.last_height = True, self.certified
        return False

    def _enter_epoch(self, withouts: list[Message]) -> bool | None:
        """Whether this epoch has begun; None if another one may begin instead."""
        start, out = start_of(withouts), out_of(withouts)
        if start is None:
            return None
        if not self._proves(out):
            self._follow(start)
            return None
        if not self._quorum_of(out).allows(withouts, self.epoch) or not self._may_join(withouts, start):
            return None
        if self._begin(withouts, start):
            return True
        self._follow(start)
        return False  # no lower one begins while the start of this one is not there

    def _follow(self, start: Start) -> None:
        """Go on up to this start, though somebody who is present stands convicted."""
        if start.base != self.epoch.number:
            self.last_height = None
        elif not self._is_following:
            self.last_height = start.height if self._is_held else None
        elif self.last_height is not None:
            self.last_height = max(self.last_height, start.height)
        self._is_following = True

    @property
    def _has_other_accusers(self) -> bool:
        """Whether somebody who is not convicted names a cheat who is not convicted here: the proof may be there unread."""
        return any(
            seat not in self.convicted and not self._proves({each for each in out_of([said]) if each[1] is None})
            for (_, seat), said in self.withouts.items()
        )

    def _step_towards(self, start: Start, sets: list[list[Message]]) -> list[Message] | None:
        """The set that begins the next epoch on the way from this one to that start in a later one."""
        by_hash = {epoch_of(self.table, each, self.epoch).hash: each for each in sets}
        while (withouts := by_hash.pop(start.base_hash, None)) is not None:
            before = start_of(withouts)
            if before is None or (before.base, before.base_hash) == (self.epoch.number, self.epoch.hash):
                return withouts
            start = before
        return None

    def _may_join(self, withouts: list[Message], start: Start) -> bool:
        """Whether those who take a seat may, and no round is under way where the epoch starts."""
        present = map(self._member, self.present)
        if not may_join(sitters_of(withouts[0]), present, self._gone(out_of(withouts))):
            return False
        moment = self.moments.get(start.certificate)
        return not withouts[0]["added"] or moment is None or moment.phase == "between"

    def _gone(self, out: set[Out]) -> set[bytes]:
        """The keys of those who are out for good, and of their keepers."""
        members = [self._member(seat) for seat, _ in out]
        return self.gone | {key for member in members for key in (member.key, keeper_of(member))}

    def _begin(self, withouts: list[Message], start: Start) -> bool:
        """Begin the epoch where it starts; False while that is not known."""
        epoch, before = epoch_of(self.table, withouts, self.epoch), self.epoch
        left = [seat for seat in before.present if seat not in epoch.present]
        if start.certificate and start.certificate not in self.moments and start.height == self.height:
            self._count_as(start.certificate)
        below = (each for each in self.moments.values() if each.certified == start.height)
        moment = self.moments.get(start.certificate) if start.certificate else next(below, None)
        is_opening = moment is not None and moment.phase == "between" and self.game.can_deal_to(before.present)
        is_adopted = start.adopted is not None and not is_opening
        if moment is not None and start.adopted is not None and is_adopted:
            moment = self._adopted(start.certificate, start.adopted)
        if moment is None:
            return False
        self._return_to(moment)
        new = sorted(out_of(withouts) - self.out, key=lambda each: (each[0], each[1] or b""))
        self.out |= {*new}
        last = [self._said_goodbye[seat, hash] for seat, hash in new if hash is not None]
        if any(hash is None for _, hash in new) and not self.unpaired:
            self.is_disordered, self.doubt = (
                moment.is_disordered,
                None,
            )  # what a conviction left over stands in no order
            self._compare()
            self.stood.update(self.frames[self.compared :])
            self.compared = len(self.frames)
        else:
            self._keep((1 << 30,), [*last, *withouts])
            self._compare()
        if moment.entry is not None and moment.entry.is_end_of_round and not is_adopted:
            self.withheld |= set(left)
        self.gone = self._gone(self.out)
        for seat in [seat for seat, member in epoch.sitters.items() if member.key != self._key(seat)]:
            for about in (self.goodbyes, self.second_goodbyes, self.convicted):
                about.pop(seat, None)  # somebody else sits there now
            self.out = {each for each in self.out if each[0] != seat}
            self.withheld.discard(seat)
            promises = [each for each in self.withouts.values() if each.seat == seat]
            for each in (each for each in promises if not is_signed_by(epoch.sitters[seat].key, each)):
                self.aside.append(self.withouts.pop((each["number"], seat)))
        self.aside = [each for each in self.aside if each["number"] > epoch.number]
        self.epoch = epoch
        self.epoch_hashes[epoch.number] = epoch.hash
        self.said, self.moments, self.opened, self.versions = {}, {}, {}, {}
        lasting = {seat for seat, hash in self.out if hash is None} | self._deniers(withouts)
        kept = {seat: what for seat, what in self.convicted.items() if what == "two-versions" or seat in lasting}
        self.convicted = kept
        self.withouts = {key: each for key, each in self.withouts.items() if key[0] > epoch.number}
        self._has_news = True
        is_idle = epoch.present == before.present
        is_second = before.idle_at == start.certificate and all(each.epoch == before.number for each in withouts)
        self.epoch = replace(epoch, idle_at=start.certificate if is_idle else None)
        self._enter(moment.entry, may_play_on=bool(start.certificate) and not (is_idle and is_second))
        demand(not self.unpaired, "one version of a message from an earlier epoch")
        return True

    def _count_as(self, certificate: bytes) -> None:
        """Take those versions of the open height's votes for the ones that count that make this certificate."""
        place, previous, ours = ("vote", self.height), self.previous, (self.previous, self.state_hash)
        all_of_them = [self._versions_of(seat) for seat in self.present]
        choices = [[each for each in said if (each["previous"], each["state"]) == ours] for said in all_of_them]
        for chosen in islice(product(*choices), MOST_TRIED):
            self._certify({each.seat: choice_of(each) for each in chosen})
            is_found, self.previous = self.previous == certificate, previous
            if is_found:
                self.said |= {(each.seat, each.epoch, place): each for each in chosen}
                return

    def _versions_of(self, seat: int) -> list[Message]:
        """Its votes of the open height, the one that counts first."""
        held = self._get(seat, "vote", self.height)
        others = self.versions.get(seat, [])
        return [*([held] if held else []), *(each for each in others if each is not held)]

    def _adopted(self, certificate: bytes, choice: bytes) -> Moment | None:
        """The match with the entry above this certificate for which all have voted who go on; None while it is not there."""
        moment, now = self.opened.get(certificate), dict(vars(self))
        if moment is None:
            return None
        found = None
        try:
            found = self._adopted_at(moment, certificate, choice)
        finally:
            if found is None:
                vars(self).update(now)  # there it is not: all stays as it was
        return found

    def _adopted_at(self, moment: Moment, certificate: bytes, choice: bytes) -> Moment | None:
        if self.previous != certificate:
            self._return_to(moment)  # the file holds votes that the others did not have
        if moment.phase != "playing":
            if choice != self._closing_choice:
                return None
            self._certify(dict.fromkeys(self.present, choice))
            if moment.phase == "between":
                self._ended_short()
            else:
                self._closed()
            found = self.moments[self.previous]
            return replace(found, phase="confirming") if found.phase == "over" else found
        votes = [each for seat in self.present for each in self._versions_of(seat) if each.kind != "vote"]
        message = next((each for each in votes if choice_of(each) == choice), None)
        proposal = self._default_moves().get(choice) if message is None else self._check_proposal(message)
        if proposal is None:
            return None
        if message is not None:
            self._keep((0,), [message])
        self._certify(dict.fromkeys(self.present, choice))
        self._committed(proposal)
        return self.moments[self.previous]

    def _enter(self, entry: Entry | None, may_play_on: bool) -> None:
        """Go on in a new epoch: between rounds, or in the round that was under way, or in the next one if that is void."""
        self.next_round, self._preparing = None, iter(())
        if self.phase == "confirming":
            self._story_now = iter(())
            self._mark(None)
            return
        missing = self._missing_key() if entry is not None and may_play_on else None
        if entry is not None and missing is not None:
            self._mark(entry)
            self._story_now = self._playing_on(missing, entry)
            return
        if entry is not None and may_play_on and self._has_all_keys():
            self._mark(entry)
            self._story_now = self._taken_up(entry)
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

    def _has_all_keys(self) -> bool:
        """Whether a round that can be recovered misses nobody."""
        return self.round is not None and bool(self.round.splits) and set(self.round.active) <= set(self.present)

    def _taken_up(self, entry: Entry) -> Story:
        """What the entry demands is done once more."""
        yield from self._settle(entry, must_echo=True)
        yield from self._rounds()

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

        shares: dict[int, int] = {}

        def confirmed() -> bool:
            """A false part convicts at once: what only confirms something is not in the file then."""
            for message in self._of_all(*slot):
                try:
                    share = dealing.scalar(message["share"])
                    dealing.check(dealing.mul(share, dealing.G) == round.splits[of][message.seat].S)
                except Wrong:
                    raise Convicted(message.seat, "recovery") from None
                shares[message.seat] = share
            echoes = self._of_all("echo", height)
            is_agreed = all(each["certificate"] == self.previous for each in echoes)
            return len(echoes) == len(self.present) and is_agreed and self._all_said(*slot)

        yield from self._until(confirmed)
        shares |= self._read_shares_of(round, of)
        x = sum(shares.values()) % dealing.q
        assert dealing.mul(x, dealing.G) == round.keys[of][0]
        round.open_keys[of] = x
        self._keep((-2,), self._of_all("echo", height))
        self._keep((-1,), self._of_all(*slot))
        yield from self._settle(entry, must_echo=False)
        yield from self._rounds()

    @property
    def _is_confirmed(self) -> bool:
        """Whether all have said that they have the end with which this epoch began."""
        said = [each for each in self._of_all("closed") if each["certificate"] == self.previous]
        return self.phase == "confirming" and len(said) == len(self.present)

    def _note_sitters(self) -> None:
        if self.seed is not None:
            self.sitters.setdefault(self.epoch.hash, [self._key(seat) for seat in range(self.size)])

    def _go_on(self) -> None:
        while self.phase not in ("over", "broken"):
            self._note_sitters()
            if self._is_confirmed:
                self._keep((0,), self._of_all("closed"))
                self._compare()
                self.phase = "over"
                return
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
                self._has_news = self._has_news or self._is_following  # the start may be there now
            except Convicted as found:
                self._convict(found)
