"""Show other seats the messages that we hold: when they return, when they ask, and when their votes differ from ours.

Messages get lost when links break, and computers join late, so every signed message can be sent again unchanged.
(PROTOCOL.md, "Keeping the copies equal".)
"""

from __future__ import annotations

from collections.abc import Mapping

from protocol.cards import Seat
from protocol.messages import Ask, Evidence, Proposal, StateReport, Vote
from protocol.signed import MAX_PAGE_BYTES, MAX_PAGE_ITEMS, Page, Signed, pages_of
from protocol.table import ballot
from protocol.table.events import Accused
from protocol.table.phases.values import Playing
from protocol.table.record import Phase, Record
from protocol.table.signer import Signer

ANSWER_EVERY_S = 0.2
ANSWER_MESSAGE_S = 0.0002
"""An answer of many messages is not repeated for so much longer, for each."""
COMPARED_HEIGHTS = 128
"""How many heights are shown to a seat whose copy of the match differs from ours: it finds the messages that differ."""
COMPARED_BELOW = 2
"""Copies are compared so many heights below the one that is asked for: a seat that is a little behind can compare them, too."""
UNASKED = 0
"""The index of a page that nobody asked for. Pages of an answer are numbered from 1."""


class ShownBefore:
    """Keeps track of what our seat has shown to whom, to avoid repeating it too often."""

    def __init__(self, record: Record, signer: Signer) -> None:
        self._record, self._signer = record, signer
        self._answered: dict[tuple[bytes, bool], float] = {}
        """Until when a key is not answered again, by (key, whether it asked for its own messages): several may have to do with
        one seat, and none is to be in another one's way."""
        self._compared: set[tuple[bytes, int]] = set()
        """The keys to which we showed earlier heights because our copies differ, with the round."""
        self._quarrelled: set[tuple[Seat, int]] = set()
        """The seats to which we showed our messages because of a disagreement, with the height."""

    def ask(self, seat: Seat, own: bool) -> None:
        """Ask a seat for the messages it holds; with `own`, also for our own messages."""
        height = self._record.height
        self._signer.send(Ask(self._signer.count(), height, own, self._copy(height)), seat)

    def answer(self, seat: Seat, asker: bytes, ask: Ask, epoch: int, now: float) -> None:
        """Answer a request for a seat, unless this key was answered only just now. `epoch`: the asker's.

        Only the asker gets the answer: whoever else has to do with the seat would take it for one to a request of its own.
        """
        self._answered = {case: until for case, until in self._answered.items() if now < until}
        if (asker, ask.own) in self._answered:
            return
        messages, is_all = self._part(self._first_height_for(asker, ask, epoch), epoch, ask.height)
        self._answered[asker, ask.own] = now + max(ANSWER_EVERY_S, ANSWER_MESSAGE_S * len(messages))
        if ask.own:
            record = self._record
            held = (*record.ledger.store.said.values(), *record.ledger.departures.said())
            own = [signed.data for signed in held if signed.seat == seat]
            messages = own + messages
        for page in pages_of(messages, UNASKED + 1, is_all):
            self._signer.post(seat, page, asker)

    def _first_height_for(self, asker: bytes, ask: Ask, epoch: int) -> int:
        """Return from which height on a key is answered: once a round from an earlier one, if its copy differs from ours."""
        record = self._record
        case = asker, record.rounds_closed
        is_too_far = epoch != record.epoch or ask.height > record.height + COMPARED_BELOW
        if is_too_far or case in self._compared or ask.copy == self._copy(ask.height):
            return ask.height
        self._compared.add(case)
        return max(1, ask.height - COMPARED_HEIGHTS)

    def _copy(self, height: int) -> bytes:
        """Return the digest of our copy, for a seat that asks for this height to compare."""
        return self._record.ledger.digest_before(height - COMPARED_BELOW)

    def show(self, seat: Seat, height: int) -> None:
        """Send a seat, unasked, the messages that we hold from a height on."""
        for page in pages_of(self._since(height), UNASKED):
            self._signer.post(seat, page)

    def last_words(self) -> bytes:
        """Return the messages of the last height, or what broke the match off, as one page that answers a request. If there
        are too many, the last ones count: votes, a goodbye, evidence."""
        page: list[bytes] = []
        size = 0
        for data in reversed(list(dict.fromkeys(self._since(self._record.height)))):
            size += len(data) + 8
            if size > MAX_PAGE_BYTES or len(page) == MAX_PAGE_ITEMS:
                break
            page.append(data)
        return Page(UNASKED + 1, True, tuple(reversed(page))).encode()

    def prove(self, accused: Accused) -> None:
        """Send everyone the evidence against a seat."""
        self._signer.send(_evidence(accused))

    def settle_quarrels(self) -> None:
        """Show our messages, once per height, to seats whose messages contradict ours. This reveals who signed two versions."""
        record, own = self._record, self._signer.seat
        height = record.height
        votes, estranged = _votes(record)
        for signed in estranged:
            if (signed.seat, height) in self._quarrelled or signed.seat == own:
                continue
            self._quarrelled.add((signed.seat, height))
            self.show(signed.seat, height - 1)
            message = signed.message
            assert isinstance(message, (Proposal, Vote))
            if message.previous == record.previous and record.state_bytes:
                self._signer.send(StateReport(height, record.state_bytes), signed.seat)
        differing = _dissenting(record, own, votes) | record.ledger.disputed
        if (
            isinstance(record.now, Playing)
            and len(votes) == len(record.present)
            and ballot.puzzling(votes, record.now.stand_in_seats)
        ):
            differing |= set(record.present) - {own}  # any of them may hold the proposal that we miss
        for seat in differing:
            if (seat, height) not in self._quarrelled:
                self._quarrelled.add((seat, height))
                self.show(seat, height - 1)
        record.ledger.disputed.clear()

    def _since(self, height: int, epoch: int | None = None) -> list[bytes]:
        """Return all signed messages that we hold from a height on, and from the end of an epoch on."""
        record = self._record
        departures = record.ledger.departures
        past = record.transcript[self._start(height, epoch) :]
        proof = [self._signer.sign(_evidence(accused)).data for accused in departures.convicted.values()]
        proof += [signed.data for signed in departures.said()]
        beside = (signed.data for signed in (*record.wishes.values(), *record.hints.values()))
        return [*past, *(signed.data for signed in record.ledger.store.said.values()), *beside, *proof]

    def _start(self, height: int, epoch: int | None) -> int:
        """Return where in the transcript a height begins, or the first epoch after this one, if that is before."""
        ledger = self._record.ledger
        start = next((index for mark, index in ledger.marks if mark >= height), len(ledger.transcript))
        later = [index for number, index in ledger.departures.marks.items() if epoch is not None and number > epoch]
        return max(min((start, *later)), 1)

    def _part(self, height: int, epoch: int, known: int) -> tuple[list[bytes], bool]:
        """Return what we hold from a height on, and whether that is all: else it is cut before another height, after a page or
        so, so that who was away for long does not get what it cannot take, nor again and again what it has by then.

        `known`: the asker's height, of which nothing is cut off.
        """
        transcript = self._record.ledger.transcript
        start = self._start(height, epoch)
        cut, size, sized = start, 0, start
        for mark, index in self._record.ledger.marks:
            if index <= start:
                continue
            size += sum(len(data) + 8 for data in transcript[sized:index])
            sized = index
            is_too_much = size > MAX_PAGE_BYTES or index - start > MAX_PAGE_ITEMS
            if is_too_much and cut > start:
                return transcript[start:cut], False
            if mark > known:
                cut = index
        return self._since(height, epoch), True


def _dissenting(record: Record, own: Seat, votes: Mapping[Seat, Signed]) -> set[Seat]:
    """Return the seats whose vote differs from ours where everyone must vote for the same bytes."""
    if record.phase not in (Phase.BETWEEN, Phase.CLOSING) or own not in votes:
        return set()
    mine = ballot.choice_of(votes[own])
    return {seat for seat, vote in votes.items() if ballot.choice_of(vote) != mine}


def _votes(record: Record) -> tuple[Mapping[Seat, Signed], list[Signed]]:
    """Return the votes at the open height, by seat, and those that are based on a different certificate or state than ours."""
    if record.phase not in (Phase.BETWEEN, Phase.PLAYING, Phase.CLOSING):
        return {}, []  # the height is decided: its votes stand on the certificate before
    votes = record.ledger.store.said_by(record.present, record.epoch, "vote", record.height)
    standing = {signed.seat: signed for signed in votes if ballot.stands(record.match, signed)}
    return standing, [] if len(standing) == len(votes) else [each for each in votes if each.seat not in standing]


def _evidence(accused: Accused) -> Evidence:
    return Evidence(accused.seat, accused.what, accused.evidence)
