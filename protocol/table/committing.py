"""From votes to an entry: a round is opened, a move is made, or a round is broken off, once all seats have voted.

Nothing is decided here but by the votes; what the entry then demands is for `settlement`. (PROTOCOL.md, "Votes".)
"""

from __future__ import annotations

from protocol.games.game import Outcome, Shuffle
from protocol.messages import Proposal
from protocol.table import ballot
from protocol.table.events import Moved, RoundOpened
from protocol.table.heights import begin
from protocol.table.preparation import keep_preparation
from protocol.table.record import Phase, Record
from protocol.table.round import Place, Played, Settling


def advance_between(record: Record) -> bool:
    """Open the next round when all have voted for the same deck."""
    round = record.preparing
    if record.phase is not Phase.BETWEEN or round is None or not round.is_prepared:
        return False
    if ballot.refuse_out_of_place(record):
        return True
    votes = ballot.unanimous(record, ballot.opening_hash(record, round))
    if votes is None:
        return False
    keep_preparation(record, round)
    ballot.advance_certificate(record, votes)
    seats = record.size
    round.stock = [Place(card) for card in round.chains[0].top]
    round.hands = [[] for _ in range(seats)]
    round.laid = [[] for _ in range(seats)]
    record.round, record.preparing = round, None
    outcome = record.game.start(record.dealer, record.scores, record.present)
    first = outcome.demands[0]
    assert isinstance(first, Shuffle)
    assert first.faces == record.game.deck
    record.events.append(RoundOpened(round.number, record.dealer))
    begin(record, Settling(0, Outcome(outcome.state, outcome.demands[1:])))
    return True


def advance_playing(record: Record) -> bool:
    """Commit the move with the most votes, once all have voted and all that was voted for is checked."""
    if record.phase is not Phase.PLAYING:
        return False
    standing = [ballot.standing(record, seat) for seat in record.present]
    proposals = [signed for signed in standing if signed is not None and isinstance(signed.message, Proposal)]
    entries = {signed.seat: ballot.checked_entry(record, signed) for signed in proposals}
    if record.phase is not Phase.PLAYING:
        return True
    votes = [signed for signed in standing if signed is not None]
    if len(votes) < len(record.present) or any(entry is None for entry in entries.values()):
        return False
    seat = ballot.winner(record, votes)
    if seat is None:
        return False
    entry = entries[seat]
    assert entry is not None
    ballot.advance_certificate(record, votes)
    if entry.move is None:
        _commit_break_off(record, entry)
    else:
        _commit_move(record, entry)
    return True


def _commit_break_off(record: Record, entry: ballot.Entry) -> None:
    """The round is void: its keys are opened, which names who held it up."""
    assert record.round is not None
    record.round.is_void = True
    begin(record, Settling(0, entry.outcome))


def _commit_move(record: Record, entry: ballot.Entry) -> None:
    round, seat, game = record.round, entry.signed.seat, record.game
    assert round is not None
    hand = round.hands[seat]
    cards = tuple(place.card for place in hand)
    laid = tuple(hand.index(place) for place in entry.laid)
    round.history.append(Played(record.height, seat, record.state, game.public(entry.move), cards, laid))
    gone = entry.places[: len(entry.played)]
    round.hands[seat] = [place for place in hand if place not in gone]
    for place, face in zip(entry.places[len(entry.played) :], entry.shown, strict=True):
        place.face = face
    if entry.laid:
        round.laid[seat] = list(entry.laid)
    before = game.view(record.state)
    record.events.append(Moved(seat, game.encode(game.public(entry.move)), before, game.view(entry.outcome.state)))
    settling = Settling(0, entry.outcome)
    if entry.remask_after is not None:
        settling.foreseen = seat, entry.remask_after
    begin(record, settling)
