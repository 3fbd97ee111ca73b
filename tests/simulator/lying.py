"""A liar who knows what it has promised, and whom: its programs say other promises than they make."""

from __future__ import annotations

from collections.abc import Sequence

from protocol.messages import Message, Without
from protocol.table.course import Ground
from protocol.table.epochs import FURTHEST, REACH, Attempt, Epoch, attempt_of, without
from protocol.table.phases.values import certified
from protocol.table.table import Table
from protocol.values import replace

from .setting import Lie

STRANGERS = tuple(bytes([each]) * 32 for each in range(9))
FAR = REACH, FURTHEST
"""So far above its number is a promise that is "far off", by turns of the liar's seat: the first is answered."""


class Liar:
    """Speaks for one program of a liar. `others`: all its programs, this one too."""

    def __init__(self, table: Table, lie: Lie, others: Sequence[Table]) -> None:
        self._table, self._lie, self._others = table, lie, others
        self._grounds: dict[int, Ground] = {}
        """Where it stood last in each epoch."""
        self._say = table.signer.say
        table.signer.say = self.say  # type: ignore[method-assign]

    def note(self) -> None:
        """Remember where it stands."""
        record = self._table.record
        if record.seed is not None and record.is_seated:
            self._grounds[record.epoch] = record.ground

    def say(self, message: Message, epoch: Epoch | None = None) -> bool:
        """Say something; a promise as the lie has it."""
        if not isinstance(message, Without) or message.added:
            return self._say(message, epoch)
        record = self._table.record
        here = epoch or record.match.epoch
        at, told = self._told(message, here)
        told = replace(told, attempts=self._attempts(at.number, told))
        if (at.hash, told.number) == (here.hash, message.number):
            return self._say(told, at)
        signed = self._table.signer.sign(told, at)
        record.ledger.departures.promised = told.number  # it would convict itself
        self._table.signer.post(None, signed.data)
        return True

    def _told(self, message: Without, at: Epoch) -> tuple[Epoch, Without]:
        """Return where the promise claims to go on from, and what it says."""
        record = self._table.record
        if self._lie == "denies":
            message = replace(message, vote=None)
        elif self._lie == "lowers":
            lower = [(certified(each.now), key) for key, each in record.certificates.items()]
            lower = [each for each in lower if each[0] < message.height]
            message = replace(message, height=lower[-1][0], certificate=lower[-1][1], vote=None) if lower else message
        elif self._lie == "goes back" and (past := [each for each in self._grounds if each < at.number]):
            ground = self._grounds[max(past)]
            stay = tuple(seat for seat in message.stay if seat in ground.epoch.present)
            at, base = ground.epoch, ground.epoch.present
            message = replace(
                message, stay=stay, base=base, height=ground.height, certificate=ground.certificate, vote=ground.vote
            )
        elif self._lie == "invents":
            at = replace(at, hash=bytes(32))
        elif self._lie == "invents a later one":
            at = replace(at, number=message.number - 1, hash=bytes(32))
        elif self._lie in ("waits far off", "tears"):
            place = 0 if self._lie == "waits far off" else [each is self._table for each in self._others].index(True)
            at = replace(at, hash=bytes([place]) * 32)
            message = replace(message, number=min(message.number + FAR[self._table.seat % 2], at.number + FURTHEST))
        elif self._lie in ("names nobody", "names itself", "names strangers"):
            message = replace(message, number=max(message.number, at.number + 2))  # so that an attempt has a number
        return at, message

    def _attempts(self, above: int, message: Without) -> tuple[Attempt, ...]:
        """All that any of its programs has promised, as far as the promise can name it, and what it claims besides."""
        seat, found = self._table.seat, {each[0]: each for each in message.attempts}
        for table in self._others:
            ledger = table.record.ledger
            said = [*ledger.departures.withouts.values(), *ledger.promises.get(seat, ())]
            found |= {without(each).number: attempt_of(each) for each in said if each.seat == seat}
        last = message.number - 1
        if self._lie == "names nobody":
            found.setdefault(last, (last, (), ()))
        elif self._lie == "names itself":
            found.setdefault(last, (last, (seat,), ()))
        elif self._lie == "names strangers":
            found.setdefault(last, (last, message.stay, STRANGERS))
        return tuple(found[number] for number in sorted(found) if above < number < message.number)
