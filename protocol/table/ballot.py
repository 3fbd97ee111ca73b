"""Count votes, and find the entry that a height commits. (PROTOCOL.md, "Votes".)

A vote names a proposal, the certificate before it and the settled state; a proposal is also its author's vote. When all
present seats have voted, the entry with the most votes is committed. Openings and closings have no author: every seat votes
for the entry that it computed itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from protocol.cards import Seat
from protocol.errors import IllegalMove
from protocol.hashing import digest, number
from protocol.messages import Message, Proposal, Vote
from protocol.signed import Signed
from protocol.table.canonical import canonical
from protocol.table.ledger import Convicted, Ledger
from protocol.table.phases.values import Match
from protocol.table.preparation import preparation_hash
from protocol.table.proposals import proposal_hash
from protocol.table.round import Preparation, Round, encode_places
from protocol.table.store import MessageStore
from protocol.wire import pack


def choice_of(signed: Signed) -> bytes:
    """Return what a seat's vote is for."""
    message = signed.message
    return message.choice if isinstance(message, Vote) else proposal_hash(signed)


def state_bytes(match: Match, round: Round | None) -> bytes:
    """Return the settled state in full, in its canonical form.

    It holds the splits of the round keys, because a receiver can check only its own share: of two valid splits of one key,
    shown to different seats, an honest receiver would later seem to publish a wrong share.
    """
    return pack(
        {
            "epoch": match.epoch.number,
            "game": canonical(match.state),
            "hands": [encode_places(hand) for hand in round.hands] if round else [],
            "keys": [[seat, x.encode()] for seat, x in sorted(round.recovered.items())] if round else [],
            "laid": [encode_places(laid) for laid in round.laid] if round else [],
            "opened": list(round.opened) if round else [],
            "present": list(match.epoch.present),
            "round": round.number if round else 0,
            "scores": list(match.scores),
            "splits": list(round.split_hashes) if round else [],
            "stock": encode_places(round.stock) if round else b"",
        }
    )


def opening_hash(match: Match, round: Preparation) -> bytes:
    """Return the entry that opens a round."""
    seats = bytes(match.epoch.present)
    return digest("open", number(round.number), number(match.dealer), seats, preparation_hash(round))


# --- votes at the open height ---


def vote_of(match: Match, store: MessageStore, seat: Seat) -> Signed | None:
    """Return a seat's vote at the open height, whatever it is based on."""
    return store.get(seat, match.epoch.number, "vote", match.height)


def stands(match: Match, signed: Signed) -> bool:
    """Whether a vote is based on the same certificate and state as ours."""
    message = signed.message
    return isinstance(message, (Proposal, Vote)) and (message.previous, message.state) == (
        match.previous,
        match.state_hash,
    )


def standing_votes(match: Match, store: MessageStore) -> dict[Seat, Signed]:
    """Return the votes at the open height that are based on our certificate and state, by present seat."""
    votes = store.said_by(match.epoch.present, match.epoch.number, "vote", match.height)
    return {signed.seat: signed for signed in votes if stands(match, signed)}


def missing_voters(match: Match, votes: Mapping[Seat, Signed]) -> set[Seat]:
    """Return the present seats without a standing vote."""
    return {seat for seat in match.epoch.present if seat not in votes}


def differing(votes: Mapping[Seat, Signed]) -> set[Seat]:
    """Return the seats that are not part of a majority, where everyone must vote for the same entry."""
    choices = {seat: choice_of(signed) for seat, signed in votes.items()}
    counted = Counter(choices.values())
    most = max(counted.values(), default=0)
    return {seat for seat, choice in choices.items() if counted[choice] < most or 2 * most <= len(choices)}


def disagreeing(match: Match, store: MessageStore) -> set[Seat]:
    """Return the seats that an entry without an author waits for: those that have not voted, or differ from the majority."""
    votes = standing_votes(match, store)
    return missing_voters(match, votes) or differing(votes)


def puzzling(votes: Mapping[Seat, Signed], stand_ins: Mapping[bytes, Seat]) -> set[Seat]:
    """Return the seats that voted for a proposal that we do not hold; somebody may have sent two versions.

    `stand_ins`: the default moves of seats that left, by their hash.
    """
    known = {*stand_ins} | {proposal_hash(signed) for signed in votes.values() if isinstance(signed.message, Proposal)}
    return {seat for seat, signed in votes.items() if choice_of(signed) not in known}


def own_vote(match: Match, store: MessageStore, seat: Seat, choice: bytes) -> Message | None:
    """Return our vote at the open height, unless we have voted."""
    if vote_of(match, store, seat) is not None:
        return None
    return Vote(match.height, match.previous, match.state_hash, choice)


# --- counting ---


def certificate_hash(table: bytes, match: Match, votes: Iterable[Signed]) -> bytes:
    """Return the hash of a height's votes, without their signatures."""
    return certificate_of(table, match, {signed.seat: choice_of(signed) for signed in votes})


def certificate_of(table: bytes, match: Match, choices: Mapping[Seat, bytes]) -> bytes:
    """Return the hash of the certificate that these choices make at the open height."""
    pairs = sorted(choices.items())
    said = b"".join(bytes([seat]) + choice for seat, choice in pairs)
    return digest(
        "certificate",
        table,
        match.epoch.hash,
        number(match.height),
        match.previous,
        match.state_hash,
        said,
    )


def certificate_of_all(table: bytes, match: Match, choice: bytes) -> bytes:
    """Return the hash of the certificate of an entry at the open height for which all have voted, or would have."""
    return certificate_of(table, match, dict.fromkeys(match.epoch.present, choice))


def tie_rank(match: Match, seat: Seat) -> bytes:
    """Return an author's rank. If proposals have equally many votes, the lowest rank wins."""
    return digest("tie", match.draw.seed, number(match.epoch.number), number(match.height), number(seat))


def winner(match: Match, votes: Iterable[Signed], stand_ins: Mapping[bytes, Seat]) -> Seat | None:
    """Return the author of the proposal with the most votes; None if a proposal that was voted for is missing.

    `stand_ins`: the default moves of seats that left, by their hash. Each counts as that seat's own proposal.
    """
    votes = list(votes)
    counted = Counter(choice_of(signed) for signed in votes)
    authors = {proposal_hash(signed): signed.seat for signed in votes if isinstance(signed.message, Proposal)}
    authors |= stand_ins
    if any(choice not in authors for choice in counted):
        return None
    best = max(counted.values())
    return min(
        (authors[choice] for choice, count in counted.items() if count == best), key=lambda seat: tie_rank(match, seat)
    )


def is_split(votes: Iterable[Signed]) -> bool:
    """Whether the votes are for more than one choice."""
    return len({choice_of(signed) for signed in votes}) > 1


def unanimous(match: Match, ledger: Ledger, expected: bytes) -> Sequence[Signed] | None:
    """Return all votes for an entry without an author once all seats have voted for the `expected` one, as we computed it.

    Raises Convicted for a move proposed between rounds.
    """
    votes = standing_votes(match, ledger.store)
    for seat, signed in votes.items():
        if isinstance(signed.message, Proposal):
            raise Convicted(seat, "illegal-move", IllegalMove("no moves can be made between rounds"), signed)
    is_full = ledger.may_certify(match.height) and not missing_voters(match, votes)
    if not is_full or any(choice_of(vote) != expected for vote in votes.values()):
        return None
    return list(votes.values())
