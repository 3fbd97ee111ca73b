"""Seal a table: everyone signs the roster, then reveals the nonces of the table seed. (PROTOCOL.md, "Sealing a table".)"""

from __future__ import annotations

from protocol.cards import Seat
from protocol.errors import BadMessage
from protocol.hashing import digest
from protocol.messages import Message, Nonce, Seal
from protocol.table.events import Sealed
from protocol.table.ledger import Convicted, Ledger
from protocol.table.own import Own
from protocol.table.phases.values import Between, Sealing, SeedDraw
from protocol.table.roster import draw_dealer, draw_seating, nonce_hash, table_seed, table_words
from protocol.table.sequence import new_preparation
from protocol.values import replace


def draw(now: Sealing, ledger: Ledger) -> Between | None:
    """Compute the seed when everyone has signed the roster and revealed a nonce."""
    match, roster = now.match, ledger.roster
    seals, nonces = (ledger.store.get_all(match.epoch.present, match.epoch.number, kind) for kind in ("seal", "nonce"))
    if seals is None or nonces is None:
        return None
    shown: list[bytes] = []
    for signed, member in zip(nonces, roster.members, strict=True):
        assert isinstance(signed.message, Nonce)
        if nonce_hash(member.key, signed.message.nonce) != member.nonce_hash:
            fault = BadMessage("a nonce does not match its hash in the roster")
            raise Convicted(signed.seat, "nonce", fault, signed)
        shown.append(signed.message.nonce)
    ledger.open_transcript()
    for index, signed in enumerate((*seals, *nonces)):
        ledger.keep((index,), signed)
    ledger.emit(match.height)
    seed = table_seed(ledger.table, shown)
    drawn = SeedDraw(seed, table_words(seed), draw_seating(roster, seed))
    ledger.events.append(Sealed(drawn.words, drawn.seating))
    match = replace(match, draw=drawn, dealer=draw_dealer(roster, seed), state_hash=digest("state", seed))
    return Between(replace(match, preparing=new_preparation(match, 1, ledger)), None)


def say(now: Sealing, ledger: Ledger, own: Own) -> Message | None:
    """Sign the roster; when everyone has, reveal our nonce."""
    store, epoch = ledger.store, now.match.epoch
    if store.get(own.place, epoch.number, "seal") is None:
        return Seal()
    if not store.silent(epoch.present, epoch.number, "seal") and store.get(own.place, epoch.number, "nonce") is None:
        return Nonce(own.nonce)
    return None


def owing(now: Sealing, ledger: Ledger) -> set[Seat]:
    """Return the seats that have not signed the roster or, when all have, not revealed a nonce."""
    epoch = now.match.epoch
    return ledger.store.silent(epoch.present, epoch.number, "seal") or ledger.store.silent(
        epoch.present, epoch.number, "nonce"
    )
