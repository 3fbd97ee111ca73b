"""Playing: moves are proposed, checked and voted, or the round is broken off where it is stuck. (PROTOCOL.md, "Votes".)"""

from __future__ import annotations

from protocol.cards import Seat
from protocol.errors import BadMessage, IllegalMove
from protocol.messages import BreakOff, Message, Proposal
from protocol.signed import Signed
from protocol.table import ballot, proposals
from protocol.table.events import Moved
from protocol.table.ledger import Convicted, Ledger
from protocol.table.own import Own
from protocol.table.phases.settling import make_shares_ahead
from protocol.table.phases.values import Committed, Match, Playing
from protocol.table.proposals import Proposed
from protocol.table.round import Played, Round, put
from protocol.table.sequence import certified
from protocol.table.stand_in import stand_in_hash, stand_ins
from protocol.values import replace


def count_votes(now: Playing, ledger: Ledger) -> Playing | Committed | None:
    """Read and check new proposals. Commit the one with the most votes when everyone has voted and all are checked."""
    match = now.match
    if now.stand_ins is None and now.round.recovered:
        entries = stand_ins(ledger.game, match, now.round).values()
        return replace(now, stand_ins={stand_in_hash(ledger.game, now.round, entry): entry for entry in entries})
    votes = ballot.standing_votes(match, ledger.store)
    proposed = dict(now.proposed)
    is_checked = True
    for seat, signed in votes.items():
        if isinstance(signed.message, Proposal):
            if seat not in proposed:
                proposed[seat] = _read(now, ledger, signed)
            is_checked = _check(now, ledger, proposed[seat]) and is_checked
    if is_checked and not ballot.missing_voters(match, votes) and ledger.may_certify(match.height):
        winner = ballot.winner(match, votes.values(), now.stand_in_seats)
        if winner is not None:
            standing = {entry.seat: entry for entry in (now.stand_ins or {}).values()} | proposed
            return _committed(now, ledger, list(votes.values()), standing[winner])
    return replace(now, proposed=proposed) if len(proposed) != len(now.proposed) else None


def _read(now: Playing, ledger: Ledger, signed: Signed) -> Proposed:
    try:
        return proposals.read_proposal(ledger.game, now.match.state, now.round, signed)
    except IllegalMove as fault:
        raise Convicted(signed.seat, "illegal-move", fault, signed) from fault
    except BadMessage as fault:
        raise Convicted(signed.seat, "bad-move", fault, signed) from fault


def _check(now: Playing, ledger: Ledger, entry: Proposed, is_first: bool = True) -> bool:
    """Whether a proposal's proofs are checked. Raises Convicted if they do not hold. `is_first`: of its seat at this height."""
    round, height, rng = now.round, now.match.height, ledger.rng
    name = ("proposal", height, entry.seat)
    result = ledger.desk.ask(
        name if is_first or entry.signed is None else (*name, proposals.proposal_hash(entry.signed)),
        lambda: proposals.check_proofs(round, height, entry, rng),
        proposals.weight(entry),
        trusted=(entry.signed is not None and ledger.is_own(entry.signed)) or ledger.trust.covers(height),
    )
    if result is None:
        return False
    if result.fault is not None:
        assert entry.signed is not None
        what = "false-card" if entry.places else "remask"
        raise Convicted(entry.seat, what, result.fault, entry.signed)
    return True


def entry_of(now: Playing, ledger: Ledger, choice: bytes) -> Proposed | None:
    """Return the entry that votes for this choice name, once we hold and have checked it. Raises Convicted if it is invalid.

    Of a seat that proposed several, the others may have voted for one that came second to us.
    """
    match = now.match
    for entry in stand_ins(ledger.game, match, now.round).values():
        if stand_in_hash(ledger.game, now.round, entry) == choice:
            return entry
    for seat in match.epoch.present:
        first = ballot.vote_of(match, ledger.store, seat)
        for signed in (first, *ledger.departures.versions.get((seat, match.height), ())):
            if (
                signed is not None
                and isinstance(signed.message, Proposal)
                and proposals.proposal_hash(signed) == choice
            ):
                entry = _read(now, ledger, signed)
                return entry if _check(now, ledger, entry, is_first=signed is first) else None
    return None


def adopted(now: Playing, ledger: Ledger, choice: bytes, entry: Proposed) -> Committed:
    """Commit an entry by the votes of those who go on alone; their promises to do so show how they voted."""
    match = now.match
    if entry.signed is not None:
        ledger.store.said[entry.seat, match.epoch.number, ("vote", match.height)] = entry.signed
        ledger.keep((0, entry.seat), entry.signed)
    match = replace(match, previous=ballot.certificate_of_all(ledger.table, match, choice))
    return _carried(now, match, ledger, entry, is_split=False)


def _committed(now: Playing, ledger: Ledger, votes: list[Signed], entry: Proposed) -> Committed:
    match = certified(now.match, votes, ledger)
    return _carried(now, match, ledger, entry, ballot.is_split(votes) and bool(entry.outcome.demands))


def _carried(now: Playing, match: Match, ledger: Ledger, entry: Proposed, is_split: bool) -> Committed:
    if entry.move is None:  # the round is void: its keys are opened, which names who held it up
        return Committed(match, replace(now.round, is_void=True), 0, entry.outcome, is_split)
    seat, game = entry.seat, ledger.game
    public = game.public(entry.move)
    before, after = game.public_view(match.state), game.public_view(entry.outcome.state)
    ledger.events.append(Moved(seat, game.encode(public), before, after))
    round = _played(now.round, match, public, entry)
    foreseen = None if entry.remask_after is None else (seat, entry.remask_after)
    return Committed(replace(match, state=entry.outcome.state), round, 0, entry.outcome, is_split, foreseen)


def _played(round: Round, match: Match, move: object, entry: Proposed) -> Round:
    """Return the round after a move: played cards left the hand, shown ones have faces, laid ones are in `laid`."""
    seat, hand = entry.seat, round.hands[entry.seat]
    laid = tuple(hand.index(place) for place in entry.laid)
    played = Played(match.height, seat, match.state, move, tuple(place.card for place in hand), laid)
    count = len(entry.played)
    shown = {place.card: face for place, face in zip(entry.places[count:], entry.shown, strict=True)}
    gone = {place.card for place in entry.places[:count]}
    kept = [
        replace(place, face=shown[place.card]) if place.card in shown else place
        for place in hand
        if place.card not in gone
    ]
    rows = put(round.laid, seat, entry.laid) if entry.laid else round.laid
    return replace(round, history=(*round.history, played), hands=put(round.hands, seat, kept), laid=rows)


def say(
    now: Playing, ledger: Ledger, own: Own, is_stuck: bool, may_break_off: bool, may_stand_in: bool
) -> Message | None:
    """Vote for the first proposal that arrived and was checked, or propose to break off a stuck round.

    We vote to break off only when the round is stuck by our own clock too, and for the default move of a seat that left
    (`may_stand_in`) when the others had time to act, or one of them has voted for it.
    """
    match = now.match
    if ballot.vote_of(match, ledger.store, own.seat) is not None:
        make_shares_ahead(now, ledger, own)
        return None
    for entry in _in_order(now, ledger):
        assert entry.signed is not None
        if isinstance(entry.signed.message, BreakOff) and not is_stuck:
            continue
        result = ledger.desk.result(("proposal", match.height, entry.seat))
        if result is not None and result.fault is None:
            return ballot.own_vote(match, ledger.store, own.seat, proposals.proposal_hash(entry.signed))
    if now.stand_ins:
        votes = {ballot.choice_of(signed) for signed in ballot.standing_votes(match, ledger.store).values()}
        for choice in sorted(now.stand_ins):
            if may_stand_in or choice in votes:
                return ballot.own_vote(match, ledger.store, own.seat, choice)
    return BreakOff(match.height, match.previous, match.state_hash) if may_break_off else None


def _in_order(now: Playing, ledger: Ledger) -> list[Proposed]:
    """Return the proposals that were read, in the order in which they arrived."""
    found = list(now.proposed.values())
    if len(found) < 2:
        return found
    came = {key: index for index, key in enumerate(ledger.store.said)}
    slot = ("vote", now.match.height)
    return sorted(found, key=lambda entry: came[entry.seat, now.match.epoch.number, slot])


def owing(now: Playing, ledger: Ledger) -> set[Seat]:
    """Return the seats that have not voted while others have, or voted for a proposal that we do not hold.

    Where all have that has come, nobody else here can vote: whoever moves owes the proposal.
    """
    votes = ballot.standing_votes(now.match, ledger.store)
    if not votes:
        return set()
    puzzling = ballot.puzzling(votes, now.stand_in_seats)
    if puzzling == votes.keys():
        movers = ledger.game.awaited(now.match.state)
        return puzzling.union(seat for seat in movers if seat in now.match.epoch.present)
    return ballot.missing_voters(now.match, votes) or puzzling
