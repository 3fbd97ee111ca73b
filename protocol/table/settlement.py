"""What a committed entry demands, until the state is settled: chains, re-masks, shares, openings, reveals.

Every duty is pulled from the record by name and checked before it counts; when nothing is missing the height is done.
(PROTOCOL.md, "Duties".)
"""

from __future__ import annotations

from protocol.cards import Seat
from protocol.dealing.context import Context
from protocol.dealing.elgamal import MaskedCard, decode_deck
from protocol.dealing.shares import BadShares, Shares, ShareStatement, open_card, shares_size, verify_many_shares
from protocol.dealing.shuffle import proof_size, verify_shuffle
from protocol.errors import BadMessage, BadProof
from protocol.games.game import Open, OpenAll, Shuffle, Take
from protocol.hashing import digest
from protocol.messages import MASKED_BYTES, DeckAgreed, Echo, Remask
from protocol.messages import Shares as SharesMessage
from protocol.signed import Signed
from protocol.table import ballot
from protocol.table.closing import open_all
from protocol.table.events import CardOpened, Recycled
from protocol.table.heights import begin, finish
from protocol.table.preparation import advance_chain, chain_hash, new_chain
from protocol.table.record import Phase, Record
from protocol.table.round import Place, Round, Settling, encode_places

SHARES_PURPOSE = "shares"


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
        return open_all(record, round) or progress
    finish(record, Phase.PLAYING)
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
    begin(record, Settling(settling.stage + 1, record.game.opened(record.state, face)))
