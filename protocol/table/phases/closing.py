"""End a round: reveal all keys, open and check the hands, and vote for the scores.

Every seat computes the scores and breaches itself. The round is closed when all seats have the same result.
(PROTOCOL.md, "The audit" and "Between rounds and at the end".)
"""

from __future__ import annotations

from protocol.cards import Seat
from protocol.dealing.keys import RoundSecret, check_reveal
from protocol.errors import BadMessage, GameFailed, IllegalMove
from protocol.hashing import digest, number
from protocol.messages import Message, Reveal
from protocol.table import ballot
from protocol.table.audit import Audit, BadReveal, Found, audit
from protocol.table.events import Breach, Event, RoundClosed, RoundVoid
from protocol.table.ledger import Convicted, Ledger
from protocol.table.own import Own
from protocol.table.phases.confirming import ended
from protocol.table.phases.values import Between, Closing, Confirming, Match, Now, Over, Revealing
from protocol.table.round import key_context
from protocol.table.sequence import certified, new_preparation, next_height, next_present, settled
from protocol.table.work import JobName
from protocol.values import replace
from protocol.wire import pack

# --- revealing ---


def open_hands(now: Revealing, ledger: Ledger) -> Revealing | Closing | None:
    """Take the round's keys when all are there, then audit the round and count its points."""
    match, round, game = now.match, now.round, ledger.game
    if not round.secrets:
        secrets = _secrets(now, ledger)
        return None if secrets is None else replace(now, round=replace(round, secrets=secrets))
    result = ledger.desk.ask(
        ("audit", round.number), lambda: audit(game, round), weight=4 * len(game.deck) * ledger.size
    )
    if result is None:
        return None
    if isinstance(fault := result.fault, BadReveal):
        slots = ("reveal", round.number), ("shuffled", round.number, fault.deck)
        epochs = {round.epoch, match.epoch.number}
        parts = [ledger.store.get(fault.seat, epoch, *slot) for slot in slots for epoch in sorted(epochs)]
        raise Convicted(fault.seat, "reveal", fault, *(part for part in parts if part is not None))
    if result.fault is not None:  # every card was proven: nobody but a bug can have raised this
        raise GameFailed(game.name, result.fault) from result.fault
    found: Audit = result.value
    if round.is_void:
        reason = IllegalMove("the round was waiting for a move that this hand could have made")
        idle = (Found(match.height, seat, None, reason) for seat in game.holding_up(match.state, found.hands))
        found = Audit(found.hands, (*found.breaches, *idle))
    else:
        state = game.opened_all(match.state, found.hands)
        match = replace(match, state=state, scores=game.scores(state))
    ledger.counts["opened rounds"] += 1
    ledger.counts["moves"] += len(round.history)
    return Closing(settled(match, round, ledger), round, found)


def _secrets(now: Revealing, ledger: Ledger) -> dict[Seat, RoundSecret] | None:
    round = now.round
    said = ledger.store.get_all(round.active, now.match.epoch.number, "reveal", round.number)
    if said is None:
        return None
    secrets: dict[Seat, RoundSecret] = {}
    for signed in said:
        assert isinstance(signed.message, Reveal)
        try:
            secret = RoundSecret.decode(signed.message.secret)
            check_reveal(key_context(round, signed.seat), round.keys[signed.seat], secret)
        except BadMessage as fault:
            raise Convicted(signed.seat, "reveal", fault, signed) from fault
        secrets[signed.seat] = secret
    for signed in said:
        ledger.keep((1 << 16, signed.seat), signed)
    return secrets


def say_reveal(now: Revealing, ledger: Ledger, own: Own) -> Message | None:
    """Reveal our keys of a round that is over."""
    round = now.round
    if (
        own.seat not in round.active
        or ledger.store.get(own.seat, now.match.epoch.number, "reveal", round.number) is not None
    ):
        return None
    return Reveal(round.number, own.hand.secret(round).encode())


def reveal_owing(now: Revealing, ledger: Ledger) -> set[Seat]:
    """Return the seats that have not revealed their keys."""
    return ledger.store.silent(now.round.active, now.match.epoch.number, "reveal", now.round.number)


# --- closing ---


def closing_hash(now: Closing, ledger: Ledger) -> bytes:
    """Return the hash that closes a round: of its number, the scores, the breaches, and whether the match is over."""
    data = {
        "breaches": [[breach.height, breach.seat] for breach in now.found.breaches],
        "over": _is_last_round(now, ledger),
        "scores": list(now.match.scores),
        "void": now.round.is_void,
    }
    return digest("close", number(now.round.number), pack(data))


def _is_last_round(now: Closing, ledger: Ledger) -> bool:
    """Whether the match ends with this round, by the game's rules or the table's number of rounds."""
    if now.round.is_void:
        return False
    limit = ledger.roster.table.rounds
    return ledger.game.is_match_over(now.match.state) or bool(limit and now.round.number >= limit)


def close_round(now: Closing, ledger: Ledger) -> Between | Over | None:
    """Close the round when all seats have voted for our result."""
    votes = ballot.unanimous(now.match, ledger, closing_hash(now, ledger))
    if votes is None:
        return None
    match = certified(now.match, votes, ledger)
    ledger.emit(match.height)
    closed, told = _closed(now, match, ledger)
    ledger.events.append(told)
    return ended(closed, now.round, ledger) if _is_last_round(now, ledger) else _next_round(now, closed, ledger)


def adopted(now: Closing, ledger: Ledger) -> Between | Confirming:
    """Close the round by the votes of those who go on alone; their promises to do so show how they voted."""
    previous = ballot.certificate_of_all(ledger.table, now.match, closing_hash(now, ledger))
    closed, told = _closed(now, replace(now.match, previous=previous), ledger)
    if _is_last_round(now, ledger):
        return Confirming(replace(closed, preparing=None), now.round, (told,))
    ledger.events.append(told)
    return _next_round(now, closed, ledger)


def _closed(now: Closing, match: Match, ledger: Ledger) -> tuple[Match, Event]:
    """Return the match with the round closed, and what is told of that."""
    round, game = now.round, ledger.game
    told: Event
    breaches = tuple(_breach(ledger, each) for each in now.found.breaches)
    points = match.points
    if round.is_void:
        told = RoundVoid(round.number, now.found.hands, breaches)
    else:
        view = game.public_view(match.state)
        points = (*points, view.round_points or ())
        told = RoundClosed(round.number, points[-1], match.scores, now.found.hands, breaches, view)
    return replace(match, breaches=match.breaches + breaches, points=points, rounds_closed=round.number), told


def _next_round(now: Closing, match: Match, ledger: Ledger) -> Between:
    round, game = now.round, ledger.game
    dealer = next_present(match.dealer if round.is_void else game.next_dealer(match.state), match.epoch.present)
    preparing = match.preparing or new_preparation(match, round.number + 1, ledger)
    match = next_height(replace(match, dealer=dealer, preparing=preparing), round, ledger)

    def is_past(name: JobName) -> bool:
        if name[0] in ("chain", "audit"):
            return bool(name[1] <= round.number)
        return name[0] == "own" and isinstance(name[1], int) and name[1] <= round.number

    ledger.desk.drop(is_past)
    return Between(match, round)


def _breach(ledger: Ledger, found: Found) -> Breach:
    move = {} if found.move is None else ledger.game.encode(ledger.game.public(found.move))
    return Breach(found.height, found.seat, move, found.reason)


def say_vote(now: Closing, ledger: Ledger, own: Own) -> Message | None:
    """Vote for our result."""
    return ballot.own_vote(now.match, ledger.store, own.seat, closing_hash(now, ledger))


def closing_owing(now: Closing, ledger: Ledger) -> set[Seat]:
    """Return the seats that have not voted, or differ from the majority."""
    return ballot.disagreeing(now.match, ledger.store)


def awaits_certificate(now: Now, ledger: Ledger, seat: Seat) -> bool:
    """Whether this seat has voted for a round's result and cannot know yet whether the others hold all votes."""
    return isinstance(now, Confirming) or (
        isinstance(now, Closing) and ballot.vote_of(now.match, ledger.store, seat) is not None
    )
