"""The end of a round: all keys are revealed, the hands are opened and judged, and the score is voted.

Every seat finds the scores and breaches by itself; the round is closed when all have found the same.
(PROTOCOL.md, "The audit" and "Between rounds and at the end".)
"""

from __future__ import annotations

from protocol.cards import Seat
from protocol.dealing.keys import RoundSecret, check_reveal
from protocol.errors import BadMessage, IllegalMove
from protocol.hashing import digest, number
from protocol.messages import Reveal
from protocol.table import ballot
from protocol.table.audit import Audit, BadReveal, Found, audit
from protocol.table.events import Breach, MatchOver, RoundClosed, RoundVoid
from protocol.table.heights import finish, next_height
from protocol.table.preparation import key_context, shuffle_context
from protocol.table.record import Phase, Record
from protocol.table.round import Round
from protocol.wire import pack


def open_all(record: Record, round: Round) -> bool:
    """The keys of a round that is over: when all are there and checked, its hands are judged and its points counted."""
    if not round.secrets:
        said = record.from_all("reveal", round.number)
        if said is None:
            return False
        secrets: dict[Seat, RoundSecret] = {}
        for signed in said:
            assert isinstance(signed.message, Reveal)
            try:
                secret = RoundSecret.decode(signed.message.secret)
                check_reveal(key_context(record, round.number, signed.seat), round.keys[signed.seat], secret)
            except BadMessage as fault:
                record.convict(signed.seat, "reveal", fault, signed)
                return True
            secrets[signed.seat] = secret
        for signed in said:
            record.keep((1 << 16, signed.seat), signed)
        round.secrets = secrets
    game = record.game
    result = record.job(
        ("audit", round.number),
        lambda: audit(game, round, lambda chain, seat: shuffle_context(record, chain, seat)),
        weight=4 * len(game.deck) * record.size,
    )
    if result is None:
        return False
    if result.fault is not None:
        assert isinstance(result.fault, BadReveal)
        seat, deck = result.fault.seat, result.fault.deck
        parts = [record.from_seat(seat, "reveal", round.number), record.from_seat(seat, "shuffled", round.number, deck)]
        record.convict(seat, "reveal", result.fault, *(part for part in parts if part is not None))
        return True
    _score(record, round, result.value)
    return True


def _score(record: Record, round: Round, found: Audit) -> None:
    game = record.game
    if round.is_void:
        found = Audit(found.hands, (*found.breaches, *_idle(record, found)))
    else:
        record.state = game.opened_all(record.state, found.hands)
        record.scores = game.scores(record.state)
    record.proof_checks["opened rounds"] += 1
    record.proof_checks["moves"] += len(round.history)
    record.closing = found
    finish(record, Phase.CLOSING)


def _idle(record: Record, found: Audit) -> list[Found]:
    """Who could have gone on in a round that was broken off, and did not."""
    reason = IllegalMove("the round waited for a move that this hand had")
    return [Found(record.height, seat, None, reason) for seat in record.game.holding_up(record.state, found.hands)]


def closing_hash(record: Record) -> bytes:
    """The entry that closes a round: its number, the scores, the breaches, and whether the match is over."""
    assert record.round is not None
    found: Audit = record.closing
    breaches = [[breach.height, breach.seat] for breach in found.breaches]
    data = {
        "breaches": breaches,
        "over": is_last_round(record),
        "scores": list(record.scores),
        "void": record.round.is_void,
    }
    return digest("close", number(record.round.number), pack(data))


def is_last_round(record: Record) -> bool:
    """Whether the round that is over was the match's last, by the game or by the table's number of rounds."""
    assert record.round is not None
    if record.round.is_void:
        return False
    limit = record.roster.table.rounds
    return record.game.is_match_over(record.state) or bool(limit and record.round.number >= limit)


def _breach(record: Record, found: Found) -> Breach:
    game = record.game
    move = {} if found.move is None else game.encode(game.public(found.move))
    return Breach(found.height, found.seat, move, found.reason)


def advance_closing(record: Record) -> bool:
    """Close the round when all have found the same."""
    if record.phase is not Phase.CLOSING:
        return False
    if ballot.refuse_out_of_place(record):
        return True
    votes = ballot.unanimous(record, closing_hash(record))
    if votes is None:
        return False
    round, game = record.round, record.game
    assert round is not None
    ballot.advance_certificate(record, votes)
    record.emit()
    found: Audit = record.closing
    breaches = tuple(_breach(record, each) for each in found.breaches)
    if round.is_void:
        record.events.append(RoundVoid(round.number, found.hands, breaches))
    else:
        view = game.view(record.state)
        points = tuple(view.get("round_points") or ())
        record.points.append(points)
        record.events.append(RoundClosed(round.number, points, record.scores, found.hands, breaches, view))
    record.breaches += breaches
    record.rounds_closed = round.number
    if is_last_round(record):
        record.phase = Phase.OVER
        record.preparing = None
        record.events.append(MatchOver(game.winners(record.scores), record.scores, record.previous))
        return True
    if not round.is_void:
        record.dealer = game.next_dealer(record.state)
    record.phase = Phase.BETWEEN
    if record.preparing is None:
        record.preparing = Round(round.number + 1)
    next_height(record)
    record.drop_work(lambda name: name[0] in ("chain", "audit") and name[1] <= round.number)
    record.drop_work(lambda name: name[0] == "own" and isinstance(name[1], int) and name[1] <= round.number)
    return True
