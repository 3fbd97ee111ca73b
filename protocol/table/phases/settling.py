"""Carry out what a committed entry demands: shuffle recycled cards, re-mask hands, give shares, turn up cards.

Every message is checked before it counts. The height is done when nothing is missing. (PROTOCOL.md, "Duties".)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from protocol.cards import Seat
from protocol.dealing.context import ProofContext
from protocol.dealing.elgamal import Deck, MaskedCard, decode_deck, encode_deck
from protocol.dealing.group import Point
from protocol.dealing.shares import BadShares, ProvenShares, ShareStatement, open_card, shares_size, verify_many_shares
from protocol.dealing.shuffle import proof_size, verify_shuffle
from protocol.errors import BadMessage, BadProof
from protocol.games.game import Open, OpenAll, Outcome, Shuffle, Take, first_stage
from protocol.hashing import digest
from protocol.messages import MASKED_BYTES, DeckAgreed, Echo, Message, Remask, Shares
from protocol.signed import Signed
from protocol.table import ballot, proposing
from protocol.table.events import CardOpened, Recycled
from protocol.table.ledger import Convicted, Ledger
from protocol.table.own import Own
from protocol.table.phases.entrusting import judge_complaints, say_complaint
from protocol.table.phases.values import Committed, Giving, Match, Playing, Recycling, Revealing, Settling
from protocol.table.preparation import advanced_chain, chain_hash, chain_owing, new_chain, say_step
from protocol.table.proposals import REMASK_PURPOSE, proposal_hash
from protocol.table.round import Chain, DealtCard, Places, Round, add_shares, put
from protocol.table.sequence import prepared_ahead, settled
from protocol.table.stand_in import shares_of
from protocol.table.work import Result
from protocol.values import replace

SHARES_PURPOSE = "shares"


# --- committed ---


def begin(now: Committed, ledger: Ledger) -> Recycling | Giving | None:
    """Begin to carry out the entry; after a split vote, wait until every seat confirmed our certificate."""
    if now.must_echo:
        echoes = ledger.store.get_all(now.match.epoch.present, now.match.epoch.number, "echo", now.match.height)
        if echoes is None:
            return None
        others = _contradicting(now.match, ledger, _echo(now.match))
        if others:
            ledger.disputed |= others  # somebody voted twice, or sent a false echo
            return None
        for echo in echoes:  # the transcript must show that cards were rightly opened
            ledger.keep((1, -1, echo.seat), echo)
    recycled = next((each for each in now.outcome.demands if isinstance(each, Shuffle)), None)
    if recycled is None:
        return _assigned(now, now.round, now.foreseen)
    match, round = now.match, now.round
    chain = new_chain(round, match.epoch.number, match.epoch.present, len(round.chains), match.height, recycled.faces)
    return Recycling(match, round, now.stage, now.outcome, chain)


def _echo(match: Match) -> Echo:
    """Return what all say of the last certificate."""
    return Echo(match.height, match.previous)


def _agreement(chain: Chain) -> DeckAgreed:
    """Return what all say of a recycled deck."""
    return DeckAgreed(chain.round, chain.deck, chain.step, chain_hash(chain))


def _contradicting(match: Match, ledger: Ledger, ours: Echo | DeckAgreed) -> set[Seat]:
    """Return the seats that said something else, where all must say the same."""
    said = [ledger.store.get(seat, match.epoch.number, *ours.slot) for seat in match.epoch.present]
    return {signed.seat for signed in said if signed is not None and signed.message != ours}


def say_echo(now: Committed, ledger: Ledger, own: Own) -> Message | None:
    """Confirm which certificate we hold."""
    match = now.match
    if not now.must_echo or ledger.store.get(own.seat, match.epoch.number, "echo", match.height) is not None:
        return None
    return _echo(match)


def echo_owing(now: Committed, ledger: Ledger) -> set[Seat]:
    """Return the seats that have not confirmed their certificate, or hold another one than ours."""
    match, ours = now.match, _echo(now.match)
    silent = ledger.store.silent(match.epoch.present, match.epoch.number, *ours.slot)
    return silent or _contradicting(match, ledger, ours)


# --- recycling ---


def recycle(now: Recycling, ledger: Ledger) -> Recycling | Giving | None:
    """Take the next step of the recycled deck; when everyone agrees on it, put it under the stock."""
    round, chain, match = now.round, now.chain, now.match
    if not chain.is_proven:
        further = advanced_chain(round, round.joint, chain, ledger, is_awaited=True)
        return None if further is None else replace(now, chain=further)
    ours = _agreement(chain)
    said = ledger.store.get_all(match.epoch.present, match.epoch.number, *ours.slot)
    if said is None:
        return None
    if others := _contradicting(match, ledger, ours):
        ledger.disputed.add(min(others))
        return None
    for order, kind in enumerate(("shuffled", "shuffle-proof", "deck-agreed")):
        for part in ledger.store.get_all(chain.order, match.epoch.number, kind, round.number, chain.deck) or []:
            ledger.keep((1 + 4 * now.stage, order, part.seat), part)
    ledger.events.append(Recycled(len(chain.faces)))
    stock = (*round.stock, *(DealtCard(card) for card in chain.top))
    return _assigned(now, replace(round, stock=stock, chains=(*round.chains, chain)), None)


def say_recycling(now: Recycling, ledger: Ledger, own: Own) -> Message | None:
    """Send our step of the recycled deck, its proof, or our agreement."""
    round, chain = now.round, now.chain
    found = say_step(round, round.joint, chain, ledger, own, is_awaited=True)
    if found is not None or not chain.is_proven:
        return found
    ours = _agreement(chain)
    return None if ledger.store.get(own.seat, now.match.epoch.number, *ours.slot) is not None else ours


def recycling_owing(now: Recycling, ledger: Ledger) -> set[Seat]:
    """Return the seats that the recycled deck waits for."""
    match, round, chain = now.match, now.round, now.chain
    if owing := chain_owing(round, chain, ledger):
        return owing
    ours = _agreement(chain)
    silent = ledger.store.silent(match.epoch.present, match.epoch.number, *ours.slot)
    return silent or _contradicting(match, ledger, ours)


# --- giving ---


def _assigned(now: Settling, round: Round, foreseen: tuple[Seat, Deck] | None) -> Giving:
    """Assign masked cards: from the stock in the order of the demands, laid-out cards from their givers."""
    takes = [demand for demand in first_stage(now.outcome.demands)[0] if isinstance(demand, Take)]
    given = {(giver, index): round.laid[giver][index] for take in takes for giver, index in take.laid}
    hands, laid, stock = round.hands, round.laid, round.stock
    for giver in {giver for giver, _ in given}:
        moved = [place for (owner, _), place in given.items() if owner == giver]
        hands = put(hands, giver, (place for place in hands[giver] if place not in moved))
        laid = put(laid, giver, (place for place in laid[giver] if place not in moved))
    direct: list[Seat] = []
    remasking: dict[Seat, tuple[MaskedCard, ...]] = {}
    for take in takes:
        drawn, stock = stock[: take.stock], stock[take.stock :]
        hand = (*hands[take.seat], *drawn, *(given[each] for each in take.laid))
        if (not hands[take.seat] and not take.laid) or take.seat in round.recovered:
            direct.append(take.seat)
        else:
            remasking[take.seat] = tuple(place.card for place in hand)
        hands = put(hands, take.seat, hand)
    opening = None
    if any(isinstance(demand, Open) for demand in now.outcome.demands):
        opening, *rest = stock
        stock = tuple(rest)
    return Giving(
        now.match,
        replace(round, hands=hands, laid=laid, stock=stock),
        now.stage,
        now.outcome,
        tuple(direct),
        remasking,
        opening=opening,
        foreseen=foreseen,
    )


def remask_purpose(stage: int) -> str:
    """Return the purpose of a re-mask's proof. The one of stage 0 may be part of the proposal."""
    return REMASK_PURPOSE if stage == 0 else f"{REMASK_PURPOSE}/{stage}"


def share_plan(now: Giving, group: Seat | None) -> dict[Seat, Places]:
    """Return the cards of a group for which each seat gives shares: not for its own hand, but for a card turned up."""
    return _plan(now, group, now.round.active)


def _plan(now: Giving, group: Seat | None, givers: Iterable[Seat]) -> dict[Seat, Places]:
    """Return the cards of a group for which each of these seats' shares are needed and not there."""
    plan: dict[Seat, Places] = {}
    for giver in givers:
        if group is not None:
            places = () if giver == group else now.round.hands[group]
        else:
            hands = (now.round.hands[seat] for seat in now.direct if seat != giver)
            places = tuple(place for hand in hands for place in hand if giver not in place.shares)
            if now.opening is not None:
                places = (*places, now.opening)
        if places:
            plan[giver] = places
    return plan


def share_context(now: Giving, giver: Seat, group: Seat | None) -> ProofContext:
    """Return the context of a seat's shares for a group."""
    return _share_context(now.round, now.match.height, now.stage, giver, group)


def _share_context(round: Round, height: int, stage: int, giver: Seat, group: Seat | None) -> ProofContext:
    return round.context(height, giver, f"{SHARES_PURPOSE}/{stage}", receiver=group)


def opened_hash(cards: Deck) -> bytes:
    """Return the hash of the cards that shares open."""
    return digest("opened", encode_deck(cards))


def _opening_others(said: Iterable[Signed], plan: Mapping[Seat, Places]) -> set[Seat]:
    """Return the seats whose shares are for other cards than those that we know."""
    found = set()
    known: dict[int, bytes] = {}
    for signed in said:
        places = plan[signed.seat]  # of a hand the same row for all, which is hashed once
        if (ours := known.get(id(places))) is None:
            ours = known[id(places)] = opened_hash(_cards(places))
        if isinstance(signed.message, Shares) and signed.message.cards != ours:
            found.add(signed.seat)
    return found


def give(now: Giving, ledger: Ledger) -> Giving | Committed | Revealing | Playing | None:
    """Take the re-masked hands and shares that are there; when none is missing, continue."""
    judge_complaints(now, ledger)
    after = _with_shares(_with_remasks(now, ledger), ledger)
    if set(after.remasking) - after.remasked or set(after.groups) - after.granted:
        return after if after is not now else None
    if after.opening is not None:
        return _turned_up(after, after.opening, ledger)
    if later := first_stage(after.outcome.demands)[1]:
        return Committed(after.match, after.round, after.stage + 1, Outcome(after.outcome.state, later))
    if any(isinstance(demand, OpenAll) for demand in after.outcome.demands):
        return Revealing(after.match, after.round, after.stage, after.outcome)
    match = settled(after.match, after.round, ledger)
    return Playing(prepared_ahead(match, after.round, ledger), after.round)


def _with_remasks(now: Giving, ledger: Ledger) -> Giving:
    hands, remasked = now.round.hands, now.remasked
    for seat, before in sorted(now.remasking.items()):
        if seat in remasked:
            continue
        if now.foreseen is not None and now.foreseen[0] == seat:
            after = now.foreseen[1]
        else:
            signed = ledger.store.get(seat, now.match.epoch.number, "remask", now.match.height, now.stage)
            checked = None if signed is None else _checked_remask(now, ledger, signed, before)
            if signed is None or checked is None:
                continue
            after = checked
            ledger.keep((2 + 4 * now.stage, 0, seat), signed)
        hands = put(hands, seat, (DealtCard(card) for card in after))
        remasked |= {seat}
    if remasked == now.remasked:
        return now
    return replace(now, round=replace(now.round, hands=hands), remasked=remasked)


def _checked_remask(now: Giving, ledger: Ledger, signed: Signed, before: Deck) -> Deck | None:
    message, seat, round, height = signed.message, signed.seat, now.round, now.match.height
    assert isinstance(message, Remask)
    try:
        if len(message.cards) != MASKED_BYTES * len(before) or len(message.proof) != proof_size(len(before)):
            raise BadProof("a re-masked hand has the wrong size")
        after = decode_deck(message.cards, len(before))
    except BadMessage as fault:
        raise Convicted(seat, "remask", fault, signed) from fault
    context = round.context(height, seat, remask_purpose(now.stage))
    proof, rng = message.proof, ledger.rng
    result = ledger.desk.ask(
        ("remask", height, now.stage, seat),
        lambda: verify_shuffle(context, round.joint, before, after, proof, rng),
        weight=5 * len(before),
        trusted=ledger.is_own(signed) or ledger.trust.covers(height),
    )
    if result is not None and result.fault is not None:
        raise Convicted(seat, "remask", result.fault, signed)
    return None if result is None else after


def _with_shares(now: Giving, ledger: Ledger) -> Giving:
    for group in now.open_groups:
        shares = _checked_shares(now, ledger, group)
        if shares is None:
            continue
        opening = now.opening
        if group is None and opening is not None:
            opening = add_shares(opening, shares.get(opening.card, {}))
        now = replace(now, round=now.round.with_shares(shares), granted=now.granted | {group}, opening=opening)
    return now


def _checked_shares(
    now: Giving, ledger: Ledger, group: Seat | None
) -> Mapping[MaskedCard, Mapping[Seat, Point]] | None:
    """Return all shares of a group by card; None if one is missing or not checked."""
    plan, height = share_plan(now, group), now.match.height
    slot = ("shares", height, now.stage, group)
    said = ledger.store.get_all(list(plan), now.match.epoch.number, *slot)
    if said is None or ledger.desk.is_asked(slot):
        return None
    if others := _opening_others(said, plan):
        ledger.disputed |= others  # this hand's owner sent different re-masks
        return None
    result = ledger.desk.result(slot)
    if result is None or result.value is None:
        statements = [_statement(now, signed, plan[signed.seat], group) for signed in said]
    else:
        statements = result.value
    checked = [index for index, signed in enumerate(said) if not ledger.is_own(signed)]

    def check() -> list[ShareStatement]:
        verify_many_shares([statements[index] for index in checked], ledger.rng)
        return statements

    result = ledger.desk.ask(
        slot,
        check,
        weight=2 * sum(len(statements[index].cards) for index in checked),
        trusted=not checked or ledger.trust.covers(height),
    )
    if result is None:
        return None
    if result.fault is not None:
        wrong = said[checked[result.fault.index if isinstance(result.fault, BadShares) else 0]]
        raise Convicted(wrong.seat, "share", result.fault, wrong)
    found: dict[MaskedCard, dict[Seat, Point]] = {}
    for signed, statement in zip(said, statements, strict=True):
        for card, point in zip(statement.cards, statement.shares.points, strict=True):
            found.setdefault(card, {})[signed.seat] = point
        ledger.keep((3 + 4 * now.stage, -1 if group is None else group, signed.seat), signed)
        ledger.counts["shares"] += len(statement.cards)
    for seat, places in _plan(now, group, now.round.recovered).items():
        for card, point in shares_of(now.round, seat, (place.card for place in places)).items():
            found.setdefault(card, {})[seat] = point
    return found


def _statement(now: Giving, signed: Signed, places: Places, group: Seat | None) -> ShareStatement:
    """Return what a seat claims by its shares. Raises Convicted where they claim nothing."""
    message, seat = signed.message, signed.seat
    assert isinstance(message, Shares)
    try:
        if len(message.shares) != shares_size(len(places)):
            raise BadProof("the shares are not the ones that were asked for")
        shares = ProvenShares.decode(message.shares, len(places))
    except BadMessage as fault:
        raise Convicted(seat, "share", fault, signed) from fault
    return ShareStatement(share_context(now, seat, group), now.round.keys[seat].y, _cards(places), shares)


def _cards(places: Places) -> Deck:
    return tuple(place.card for place in places)


def _turned_up(now: Giving, place: DealtCard, ledger: Ledger) -> Committed:
    """Open the card turned up and pass its face to the game, which may demand more."""
    face = open_card(place.card, place.shares.values())
    ledger.events.append(CardOpened(face))
    outcome = ledger.game.opened(now.match.state, face)
    round = replace(now.round, opened=(*now.round.opened, face))
    return Committed(replace(now.match, state=outcome.state), round, now.stage + 1, outcome)


def say_giving(now: Giving, ledger: Ledger, own: Own) -> Message | None:
    """Send our re-masked hand or our shares for other seats' cards."""
    if own.seat not in now.round.holders:
        return None
    may_share, complaint = say_complaint(now, ledger, own)
    if not may_share:
        return complaint
    return _say_remask(now, ledger, own) or _say_shares(now, ledger, own)


def _say_remask(now: Giving, ledger: Ledger, own: Own) -> Message | None:
    match, seat, stage = now.match, own.seat, now.stage
    before = now.remasking.get(seat)
    if before is None or seat in now.remasked or (now.foreseen is not None and now.foreseen[0] == seat):
        return None
    if ledger.store.get(seat, match.epoch.number, "remask", match.height, stage) is not None:
        return None
    name = ("own", "remask", match.height, stage)
    ready = own.ahead.of_hand(len(before))
    if not own.ahead.may_begin(ready):
        return None
    round, seed, half = now.round, own.seed_for(name), own.ahead.remask(ready)
    context = round.context(match.height, seat, remask_purpose(stage))
    made = ledger.desk.ask(
        name, lambda: proposing.remask(round.joint, context, stage, before, seed, half), weight=12 * len(before)
    )
    if made is None:
        return None
    own.hand.remasked(round, seat, made.value.before, made.value.after, made.value.order)
    message: Message = made.value.message
    return message


def _say_shares(now: Giving, ledger: Ledger, own: Own) -> Message | None:
    match, seat = now.match, own.seat
    for group in now.groups:
        if group is not None and group not in now.remasked:
            continue
        places = _plan(now, group, (seat,)).get(seat) if seat in now.round.active else None
        slot = ("shares", match.height, now.stage, group)
        if not places or ledger.store.get(seat, match.epoch.number, *slot) is not None:
            continue
        made = _made_shares(now.round, match.height, now.stage, group, _cards(places), ledger, own)
        if made is not None:
            message: Message = made.value
            return message
    return None


def make_shares_ahead(now: Playing, ledger: Ledger, own: Own) -> None:
    """Have our shares made for the hand that is re-masked by the proposal for which we have voted, while the others vote. They
    are sent once it is committed; if it is not, they are forgotten with this height."""
    round, match = now.round, now.match
    vote = ballot.vote_of(match, ledger.store, own.seat)
    if vote is None or not own.ahead.is_on or own.seat not in round.active or round.number not in own.hand.secrets:
        return
    choice = ballot.choice_of(vote)
    for entry in now.proposed.values():
        is_ours = entry.signed is not None and proposal_hash(entry.signed) == choice
        if is_ours and entry.remask_after is not None and entry.seat != own.seat:
            _made_shares(round, match.height, 0, entry.seat, entry.remask_after, ledger, own)


def _made_shares(
    round: Round, height: int, stage: int, group: Seat | None, cards: Deck, ledger: Ledger, own: Own
) -> Result | None:
    opened = opened_hash(cards)
    name = ("own", "shares", height, stage, group, opened)
    secret, y, seed = own.hand.secret(round), round.keys[own.seat].y, own.seed_for(name)
    context = _share_context(round, height, stage, own.seat, group)

    def make() -> Shares:
        return Shares(height, stage, group, opened, proposing.shares(context, secret, y, cards, seed))

    return ledger.desk.ask(name, make, weight=3 * len(cards))


def giving_owing(now: Giving, ledger: Ledger) -> set[Seat]:
    """Return the seats that owe a re-masked hand or shares."""
    match = now.match
    found = {seat for seat in now.remasking if seat not in now.remasked}
    for group in now.open_groups:
        plan = share_plan(now, group)
        said = {
            seat: ledger.store.get(seat, match.epoch.number, "shares", match.height, now.stage, group) for seat in plan
        }
        found |= {seat for seat, signed in said.items() if signed is None}
        found |= _opening_others((signed for signed in said.values() if signed is not None), plan)
    return found
