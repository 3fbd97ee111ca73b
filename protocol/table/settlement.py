"""What a committed entry demands, until the state is settled: chains, re-masks, shares, openings, reveals.

Every duty is pulled from the record by name and checked before it counts; when nothing is missing the height is done.
(PROTOCOL.md, "Duties".)
"""

from __future__ import annotations

from protocol.cards import Seat
from protocol.dealing.context import Context
from protocol.dealing.elgamal import MaskedCard, decode_deck
from protocol.dealing.keys import RoundSecret, check_reveal
from protocol.dealing.shares import BadShares, Shares, ShareStatement, open_card, shares_size, verify_many_shares
from protocol.dealing.shuffle import proof_size, verify_shuffle
from protocol.errors import BadMessage, BadProof, IllegalMove
from protocol.games.game import Open, OpenAll, Outcome, Shuffle, Take
from protocol.hashing import digest, number
from protocol.messages import MASKED_BYTES, DeckAgreed, Echo, Proposal, Remask, Reveal
from protocol.messages import Shares as SharesMessage
from protocol.signed import Signed
from protocol.table import ballot
from protocol.table.audit import Audit, BadReveal, Found, audit
from protocol.table.events import (
    Breach,
    CardOpened,
    MatchOver,
    Moved,
    Recycled,
    RoundClosed,
    RoundOpened,
    RoundVoid,
    Settled,
)
from protocol.table.preparation import (
    SHUFFLE_PURPOSE,
    advance_chain,
    chain_hash,
    keep_preparation,
    key_context,
    new_chain,
)
from protocol.table.record import Phase, Record
from protocol.table.round import Chain, Place, Played, Round, Settling, encode_places
from protocol.wire import pack

SHARES_PURPOSE = "shares"
OWN_OF_A_HEIGHT = (("own", "proposal"), ("own", "remask"), ("own", "shares"))
"""Names of work that is of no use after its height: its results hold secrets, and would pile up."""


# --- committing ---


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
    _begin(record, Settling(0, Outcome(outcome.state, outcome.demands[1:])))
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
    _begin(record, Settling(0, entry.outcome))


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
    _begin(record, settling)


def _begin(record: Record, settling: Settling) -> None:
    record.state = settling.outcome.state
    record.settling = settling
    record.phase = Phase.SETTLING


# --- settling ---


def advance_settling(record: Record) -> bool:
    """One step towards a settled state."""
    settling, round = record.settling, record.round
    if record.phase is not Phase.SETTLING or settling is None or round is None:
        return False
    if must_echo(record):
        if not echoes_agree(record):
            return False
        for seat in record.present:
            echo = record.from_seat(seat, "echo", record.height)
            assert echo is not None
            record.keep((1, -1, seat), echo)  # who reads the file, or was away, must see that cards were rightly opened
        settling.is_echoed = True
    if not _recycle(record, round, settling):
        return record.broken is not None
    if not settling.is_assigned:
        _assign(record, round, settling)
    progress = _take_remasks(record, round, settling)
    progress = _take_shares(record, round, settling) or progress
    if record.phase is not Phase.SETTLING:
        return True
    if set(settling.remasking) - settling.remasked or set(groups(settling)) - settling.granted:
        return progress
    if settling.opening is not None:
        _turn_up(record, round, settling)
        return True
    if any(isinstance(demand, OpenAll) for demand in settling.outcome.demands):
        return _open_all(record, round) or progress
    _finish(record, Phase.PLAYING)
    return True


def must_echo(record: Record) -> bool:
    """After a split vote nobody opens a card before all are seen to hold the same certificate."""
    settling = record.settling
    if settling is None or settling.is_echoed or settling.stage:
        return False
    return record.is_split and bool(settling.outcome.demands)


def echoes_agree(record: Record) -> bool:
    """Whether every seat has been heard to hold our certificate."""
    said = record.from_all("echo", record.height)
    if said is None:
        return False
    others = {
        signed.seat
        for signed in said
        if isinstance(signed.message, Echo) and signed.message.certificate != record.previous
    }
    record.quarrel |= others  # somebody voted twice, or they echo what nobody said
    return not others


def _recycle(record: Record, round: Round, settling: Settling) -> bool:
    """Played cards go round the seats and under the stock; True when there are none (any more)."""
    demand = next((each for each in settling.outcome.demands if isinstance(each, Shuffle)), None)
    if demand is None or settling.is_assigned:
        return True
    if settling.chain is None:
        settling.chain = new_chain(record, round, len(round.chains), record.height, demand.faces)
        round.chains.append(settling.chain)
    chain = settling.chain
    while record.broken is None and advance_chain(record, round, chain):
        pass
    if not chain.is_proven:
        return False
    said = record.from_all("deck-agreed", round.number, chain.deck)
    if said is None:
        return False
    for signed in said:
        assert isinstance(signed.message, DeckAgreed)
        if signed.message.hash != chain_hash(chain):
            record.quarrel.add(signed.seat)
            return False
    for seat in chain.order:
        for order, kind in enumerate(("shuffled", "shuffle-proof", "deck-agreed")):
            part = record.from_seat(seat, kind, round.number, chain.deck)
            assert part is not None
            record.keep((1 + 4 * settling.stage, order, seat), part)
    round.stock += [Place(card) for card in chain.top]
    record.events.append(Recycled(len(chain.faces)))
    return True


def _assign(record: Record, round: Round, settling: Settling) -> None:
    """Say which masked cards go where: from the stock in the order of the demands, laid-out cards from their givers."""
    takes = [demand for demand in settling.outcome.demands if isinstance(demand, Take)]
    given = {(giver, index): round.laid[giver][index] for take in takes for giver, index in take.laid}
    for giver in {giver for giver, _ in given}:
        moved = [place for (owner, _), place in given.items() if owner == giver]
        round.hands[giver] = [place for place in round.hands[giver] if place not in moved]
        round.laid[giver] = [place for place in round.laid[giver] if place not in moved]
    for take in takes:
        drawn, round.stock = round.stock[: take.stock], round.stock[take.stock :]
        entered = drawn + [given[each] for each in take.laid]
        hand = round.hands[take.seat]
        if not hand and not take.laid:
            round.hands[take.seat] = drawn
            settling.direct.append((take.seat, drawn))
        else:
            settling.remasking[take.seat] = [place.card for place in hand + entered]
            round.hands[take.seat] = hand + entered
    if any(isinstance(demand, Open) for demand in settling.outcome.demands):
        settling.opening = round.stock.pop(0)
    settling.is_assigned = True


def remask_purpose(stage: int) -> str:
    """What a re-mask's proof is for; a first stage's may stand in the proposal."""
    return ballot.REMASK_PURPOSE if stage == 0 else f"{ballot.REMASK_PURPOSE}/{stage}"


def _take_remasks(record: Record, round: Round, settling: Settling) -> bool:
    progress = False
    for seat, before in settling.remasking.items():
        if seat in settling.remasked:
            continue
        if settling.foreseen is not None and settling.foreseen[0] == seat:
            after = settling.foreseen[1]
        else:
            signed = record.from_seat(seat, "remask", record.height, settling.stage)
            if signed is None:
                continue
            checked = _checked_remask(record, round, settling, signed, before)
            if checked is None:
                continue
            after = checked
            record.keep((2 + 4 * settling.stage, 0, seat), signed)
        round.hands[seat] = [Place(card) for card in after]
        settling.remasked.add(seat)
        progress = True
    return progress


def _checked_remask(
    record: Record, round: Round, settling: Settling, signed: Signed, before: list[MaskedCard]
) -> tuple[MaskedCard, ...] | None:
    message = signed.message
    assert isinstance(message, Remask)
    seat = signed.seat
    try:
        if len(message.cards) != MASKED_BYTES * len(before) or len(message.proof) != proof_size(len(before)):
            raise BadProof("a re-masked hand has the wrong size")
        after = decode_deck(message.cards, len(before))
    except BadMessage as fault:
        record.convict(seat, "remask", fault, signed)
        return None
    context = record.context(round.number, record.height, seat, remask_purpose(settling.stage))
    result = record.job(
        ("remask", record.height, settling.stage, seat),
        lambda: verify_shuffle(context, round.common_key(), tuple(before), after, message.proof, record.rng),
        weight=5 * len(before),
        trusted=record.is_trusted(record.height),
    )
    if result is None:
        return None
    if result.fault is not None:
        record.convict(seat, "remask", result.fault, signed)
        return None
    return after


def groups(settling: Settling) -> list[Seat | None]:
    """The groups of shares that this stage needs: None for cards straight from the stock, a seat for a re-masked hand."""
    found: list[Seat | None] = [None] if settling.direct or settling.opening is not None else []
    return found + sorted(settling.remasking)


def share_plan(record: Record, settling: Settling, group: Seat | None) -> dict[Seat, list[Place]]:
    """Who gives shares for which cards of a group: for a hand all but its owner, for a card turned up everybody."""
    assert record.round is not None
    plan: dict[Seat, list[Place]] = {}
    for giver in record.present:
        if group is not None:
            places = [] if giver == group else record.round.hands[group]
        else:
            places = [place for seat, taken in settling.direct if seat != giver for place in taken]
            if settling.opening is not None:
                places = [*places, settling.opening]
        if places:
            plan[giver] = list(places)
    return plan


def share_context(record: Record, settling: Settling, giver: Seat, group: Seat | None) -> Context:
    """What a seat's shares are bound to."""
    assert record.round is not None
    purpose = f"{SHARES_PURPOSE}/{settling.stage}"
    return record.context(record.round.number, record.height, giver, purpose, receiver=group)


def opened_hash(places: list[Place]) -> bytes:
    """What shares say that they open."""
    return digest("opened", encode_places(places))


def _take_shares(record: Record, round: Round, settling: Settling) -> bool:
    progress = False
    for group in groups(settling):
        if group in settling.granted or (group is not None and group not in settling.remasked):
            continue
        if _take_group(record, round, settling, group):
            progress = True
        if record.phase is not Phase.SETTLING:
            return True
    return progress


def _take_group(record: Record, round: Round, settling: Settling, group: Seat | None) -> bool:
    plan = share_plan(record, settling, group)
    said = record.from_seats(list(plan), "shares", record.height, settling.stage, group)
    if said is None:
        return False
    statements: list[ShareStatement] = []
    for signed in said:
        assert isinstance(signed.message, SharesMessage)
        places = plan[signed.seat]
        if signed.message.cards != opened_hash(places):
            record.quarrel.add(signed.seat)  # the owner of this hand showed one of us another re-mask
            return False
        try:
            if len(signed.message.shares) != shares_size(len(places)):
                raise BadProof("the shares are not those that were asked for")
            shares = Shares.decode(signed.message.shares, len(places))
        except BadMessage as fault:
            record.convict(signed.seat, "share", fault, signed)
            return True
        context = share_context(record, settling, signed.seat, group)
        cards = tuple(place.card for place in places)
        statements.append(ShareStatement(context, round.keys[signed.seat].y, cards, shares))
    result = record.job(
        ("shares", record.height, settling.stage, group),
        lambda: verify_many_shares(statements, record.rng),
        weight=2 * sum(len(places) for places in plan.values()),
        trusted=record.is_trusted(record.height),
    )
    if result is None:
        return False
    if result.fault is not None:
        index = result.fault.index if isinstance(result.fault, BadShares) else 0
        record.convict(said[index].seat, "share", result.fault, said[index])
        return True
    for signed, statement in zip(said, statements, strict=True):
        for place, point in zip(plan[signed.seat], statement.shares.points, strict=True):
            place.shares[signed.seat] = point
        record.keep((3 + 4 * settling.stage, -1 if group is None else group, signed.seat), signed)
        record.proof_checks["shares"] += len(statement.cards)
    settling.granted.add(group)
    return True


def _turn_up(record: Record, round: Round, settling: Settling) -> None:
    """The card is open: its face is the game's next input, and may demand more."""
    place = settling.opening
    assert place is not None
    face = open_card(place.card, place.shares.values())
    place.face = face
    round.opened.append(face)
    record.events.append(CardOpened(face))
    _begin(record, Settling(settling.stage + 1, record.game.opened(record.state, face)))


# --- the end of a round ---


def _open_all(record: Record, round: Round) -> bool:
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


def shuffle_context(record: Record, chain: Chain, seat: Seat) -> Context:
    """What a seat's step of a chain is bound to."""
    return record.context(chain.round, chain.step, seat, SHUFFLE_PURPOSE, deck=chain.deck)


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
    _finish(record, Phase.CLOSING)


def _idle(record: Record, found: Audit) -> list[Found]:
    """Who could have gone on in a round that was broken off, and did not."""
    reason = IllegalMove("the round waited for a move that this hand had")
    return [Found(record.height, seat, None, reason) for seat in record.game.holding_up(record.state, found.hands)]


def _finish(record: Record, phase: Phase) -> None:
    """The height is settled: its messages go into the transcript, and the next height is open."""
    record.emit()
    record.settling = None
    record.phase = phase
    _next_height(record)
    if phase is Phase.PLAYING and record.preparing is None and _may_prepare_ahead(record):
        assert record.round is not None
        record.preparing = Round(record.round.number + 1)


def _next_height(record: Record) -> None:
    record.events.append(Settled(record.height))
    record.height += 1
    record.entries = {}
    record.is_split = False
    record.state_bytes = ballot.state_bytes(record)
    record.state_hash = digest("state", record.state_bytes)
    record.forget()
    record.drop_work(lambda name: name[0] in ("proposal", "remask", "shares") and name[1] < record.height)
    record.drop_work(lambda name: name[:2] in OWN_OF_A_HEIGHT and name[2] < record.height)


def _may_prepare_ahead(record: Record) -> bool:
    assert record.round is not None
    limit = record.roster.table.rounds
    return not record.game.deck_depends_on_round and not (limit and record.round.number >= limit)


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
    _next_height(record)
    record.drop_work(lambda name: name[0] in ("chain", "audit") and name[1] <= round.number)
    record.drop_work(lambda name: name[0] == "own" and isinstance(name[1], int) and name[1] <= round.number)
    return True
