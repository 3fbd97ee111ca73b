"""What is tried at a moment that is not the right one, over real links: cards looked at before one has given one's own, or before
all have signed the deck; silence; a crash; and a table that falls into two halves."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from protocol.errors import BadMessage, IllegalMove
from protocol.messages import Chat, DeckAgreed, Remask, Shares, ShuffleProof, Vote
from protocol.signed import Page, Signed, decode, decode_signed
from protocol.table.events import Accused, EpochBegan, RoundClosed, Said
from protocol.table.phases.values import Recycling
from protocol.table.record import Phase
from protocol.table.roster import TableOptions
from protocol.table.verify import verify
from tests.adversaries.declared import over_links
from tests.adversaries.seats.conftest import Link
from tests.adversaries.seats.linked import Linked, driver_of
from tests.adversaries.seats.test_secrets import asked_after, kinds_heard, said_as_it_is
from tests.p2p.aio import run, until
from tests.p2p.test_rooms import party
from tests.table import test_crash, test_divisions, test_recovering, test_secrecy
from tests.table.adversaries import test_votes
from tests.table.adversaries.forger import CHEATER, LONG
from tests.table.tables import stream
from tests.table.test_secrecy import Stingy
from tests.table.watcher import ShareWatcher

pytestmark = [pytest.mark.sockets, pytest.mark.slow, pytest.mark.usefixtures("toy_programs")]

over_links(
    __name__,
    test_secrecy.test_shares_wait_for_everybodys_signature_on_the_deck,
    test_secrecy.test_no_card_of_the_exchange_is_opened_before_all_have_given,
    test_crash.test_killed_at_every_message,
    test_divisions.test_three_are_divided_at_every_message_of_the_change,
    test_recovering.test_who_withholds_the_reveal_changes_nothing,
    test_votes.test_silence,
)


def has_given(forger: Linked, seat: int) -> bool:
    round = forger.honest_record().round
    return round is not None and bool(round.laid[seat])


def heard_by_all(forger: Linked, text: str) -> Callable[[], bool]:
    """Whether all honest computers have read what the cheater said up to here."""
    forger.inject(Chat(1 << 20, text))

    def has_been() -> bool:
        return all(
            any(
                isinstance(event, Said) and event.message == Chat(1 << 20, text)
                for event in forger.tables.clients[seat].events
            )
            for seat in forger.honest
        )

    return has_been


def test_no_card_of_the_exchange_is_opened_before_all_have_given(linked: Link, monkeypatch: pytest.MonkeyPatch) -> None:
    """It gives no cards away, and asks for those that it was given with all that it can say. Named: nobody; it is waited for."""
    forger = linked(game="tichu", seats=4, options={})
    watcher = ShareWatcher(forger.tables, forger.honest, monkeypatch)
    forger.start()
    driver = driver_of(forger.tables.clients[CHEATER].node)
    driver.table.__class__ = Stingy
    forger.until(lambda: all(has_given(forger, seat) for seat in forger.honest))
    forger.until(lambda: forger.honest_record().phase is Phase.PLAYING)
    count, height = watcher.count, forger.honest_record().height
    for take in (None, *range(4)):
        forger.inject(Shares(height, 0, take, bytes(32), bytes(32 * 20)))
    forger.inject(Remask(height, 0, bytes(64 * 14), bytes(32 * 51)))
    forger.until(heard_by_all(forger, "my cards, please"))
    assert watcher.count == count, "a card was opened for who has given none"
    assert not has_given(forger, CHEATER) and forger.honest_record().height == height


def test_shares_wait_for_everybodys_signature_on_the_first_deck(linked: Link) -> None:
    forger = linked(lambda m, to: None if isinstance(m, Vote) and m.height == 1 else m, options=LONG)
    forger.start()
    forger.until(asked_after(forger, Vote, set(forger.honest)))
    for take in (None, 0, 1, 2):
        forger.inject(Shares(1, 0, take, bytes(32), bytes(32 * 10)))
    forger.until(heard_by_all(forger, "my cards, please"))
    assert not kinds_heard(forger, Shares)
    forger.change = said_as_it_is
    forger.until(lambda: {each.seat for each in kinds_heard(forger, Shares)} == set(forger.honest))


@pytest.mark.soak  # as on the first deck, which is the case before
def test_shares_wait_for_everybodys_signature_on_a_recycled_deck(linked: Link) -> None:
    forger = linked(
        lambda m, to: None if isinstance(m, DeckAgreed) else m, options={"recycle": True, "hand": 14, "target": 500}
    )

    def shares_of_now() -> list[Signed]:
        height = forger.honest_record().height
        return [each for each in kinds_heard(forger, Shares) if getattr(each.message, "height", 0) >= height]

    forger.start()
    forger.until(asked_after(forger, DeckAgreed, set(forger.honest)))
    assert all(isinstance(forger.honest_record(seat).now, Recycling) for seat in forger.honest)
    assert not shares_of_now()
    forger.change = said_as_it_is
    forger.until(lambda: not any(isinstance(forger.honest_record(seat).now, Recycling) for seat in forger.honest))


def vote_to_go_on(forger: Linked, seats: list[int]) -> None:
    """All of these, as soon as they may."""
    for seat in seats:
        driver = driver_of(forger.tables.clients[seat].node)
        with suppress(IllegalMove):  # not yet, or not any more
            driver.feed(lambda now, table=driver.table: table.wish_on(True, now))  # type: ignore[misc]


def test_who_vanishes_ends_nothing(linked: Link) -> None:
    """In the middle of a round: the others open that hand and score the round. Nobody is convicted."""
    table = TableOptions(pause=0, grace=0, recovery="on", leave_after=1000)
    forger = linked(options={"hand": 4, "target": 500}, table=table)
    forger.start()
    forger.until(lambda: all(forger.honest_record(seat).height > 2 for seat in forger.honest))
    forger.change = lambda message, to: None

    def has_gone_on() -> bool:
        vote_to_go_on(forger, forger.honest)
        records = [forger.honest_record(seat) for seat in forger.honest]
        return all(record.epoch and record.rounds_closed for record in records)

    forger.until(has_gone_on)
    for seat in forger.honest:
        events = forger.tables.clients[seat].events
        assert not [event for event in events if isinstance(event, Accused)]
        assert [event.stand_in for event in events if isinstance(event, EpochBegan)][:1] == [CHEATER]
        assert [event.round for event in events if isinstance(event, RoundClosed)][:1] == [1]
        report = verify(forger.tables.file_of(seat), stream(9))
        assert report.ok and not report.evidence, report.failed


def test_two_halves_of_a_table_do_not_both_go_on(linked: Link) -> None:
    """Neither is more than half. When they are together again, there is one match."""
    table = TableOptions(pause=0, grace=0, recovery="on", leave_after=1000)
    forger = linked(seats=4, options=LONG, table=table)
    half = {number: number // 2 for number in range(4)}
    is_divided = False
    by_key = {each.identity.public: number for number, each in enumerate(forger.tables.clients)}
    for number, client in enumerate(forger.tables.clients):

        def send(key: bytes, data: bytes, own: int = number, through: Any = client.node.mesh.send) -> bool:
            return bool(through(key, data)) if not is_divided or half[by_key[key]] == half[own] else True

        client.node.mesh.send = send
    forger.start()
    forger.until(lambda: all(client.table.record.height > 3 for client in forger.tables.clients))
    is_divided = True
    drivers = [driver_of(client.node) for client in forger.tables.clients]

    def all_wait() -> bool:
        """Each half misses the other, and is told that it cannot go on without it."""
        standing = [driver.table.wishes.standing(driver._loop.time()) for driver in drivers]
        return all(
            set(each.awaited) == {other for other in range(4) if half[other] != half[own]} and each.may_at is None
            for own, each in enumerate(standing)
        )

    forger.until(all_wait)
    for driver in drivers:
        with pytest.raises(IllegalMove, match="too few"):
            driver.table.wishes.wish(driver._loop.time())
    heights = {client.table.record.height for client in forger.tables.clients}
    assert {client.table.record.epoch for client in forger.tables.clients} == {0}
    is_divided = False

    def go_on_as_one() -> bool:
        """All of them: who was heard of last may have been left out meanwhile, and sits down again."""
        records = [client.table.record for client in forger.tables.clients]
        is_one = len({record.epoch_hash for record in records}) == 1 and records[0].present == (0, 1, 2, 3)
        return is_one and all(record.height > max(heights) + 2 for record in records)

    forger.until(go_on_as_one)
    for client in forger.tables.clients:
        assert not [event for event in client.events if isinstance(event, Accused)]


def test_who_crashes_says_the_same_again(tmp_path: Path) -> None:
    """Its proof is written and not sent when its program ends. It comes back and sends that one, not another: two proofs with one
    number in them would give its key away, and two messages for one slot would convict it."""

    async def deed() -> None:
        async with party(tmp_path, "Mia", "Jonas", "Lena", most=3, bots=True) as friends:
            said: dict[tuple[Any, ...], set[bytes]] = {}
            lena = friends["Lena"]
            hear = friends["Mia"].mesh._on_message

            def note(author: bytes, data: bytes) -> Any:
                if author == friends.key("Lena"):
                    for each in messages_in(data):
                        if each.message.slot is not None:
                            said.setdefault((each.seat, each.epoch, each.message.slot), set()).add(each.data)
                return hear(author, data)

            friends["Mia"].mesh._on_message = note
            send, kept_back = lena.mesh.send, list[bytes]()

            def crashing(key: bytes, data: bytes) -> bool:
                if kept_back or any(isinstance(each.message, ShuffleProof) for each in messages_in(data)):
                    kept_back.append(data)
                    return True
                return send(key, data)

            lena.mesh.send = crashing  # type: ignore[method-assign]
            await until(lambda: kept_back, 30)
            seat = next(each for data in kept_back for each in messages_in(data)).seat
            await friends.restart("Lena")
            match = friends["Lena"].resumable()
            assert match is not None
            await friends["Lena"].resume(match)
            await until(lambda: (driver := friends["Mia"].driver) is not None and driver.table.record.height > 4, 30)
            lost = [each for data in kept_back for each in messages_in(data) if isinstance(each.message, ShuffleProof)]
            assert {each.data for each in lost} == said[seat, 0, lost[0].message.slot]
            assert {len(versions) for versions in said.values()} == {1}

    run(deed())


def messages_in(data: bytes) -> list[Signed]:
    """What a letter of a table holds."""
    with suppress(BadMessage):
        found = decode(data)
        return [decode_signed(each) for each in found.messages] if isinstance(found, Page) else [found]
    return []
