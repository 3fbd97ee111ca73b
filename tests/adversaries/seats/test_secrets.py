"""What a player's modified client would like to learn, over real links: cards that are not opened now, where a card came from,
parts of keys too early. Honest computers tell none of it, whatever they are sent."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from protocol.messages import Ask, Echo, Message, MoveProposal, RecoveryOpen, RecoveryShares, Vote, Without
from protocol.signed import Signed
from protocol.table.events import Accused
from protocol.table.roster import TableOptions
from tests.adversaries.declared import over_links
from tests.adversaries.seats.conftest import Link
from tests.adversaries.seats.linked import Linked, driver_of
from tests.table import test_secrecy
from tests.table.adversaries import test_too_early
from tests.table.adversaries.forger import CHEATER, LONG
from tests.table.test_secrecy import foreign_cards, mutated
from tests.table.watcher import ShareWatcher

pytestmark = [pytest.mark.sockets, pytest.mark.slow, pytest.mark.usefixtures("toy_programs")]

WITH_RECOVERY = TableOptions(pause=0, grace=0, recovery="on")
LEAVER = 3
over_links(
    __name__,
    test_secrecy.test_no_message_makes_an_honest_seat_open_more,
    test_secrecy.test_a_card_cannot_be_followed_through_a_draw,
    test_too_early.test_parts_of_keys_are_sent_when_all_have_signed_the_deck,
    test_too_early.test_a_hand_is_opened_only_when_the_match_has_gone_on,
)


def kinds_heard(forger: Linked, *kinds: type[Message]) -> list[Signed]:
    return [each for each in forger.heard if isinstance(each.message, kinds)]


def said_as_it_is(message: Message, to: int) -> Message:
    return message


def asked_after(forger: Linked, kind: type[Message], senders: set[int]) -> Callable[[], bool]:
    """Whether all of these have said this, and have then waited so long that they ask what is the matter."""

    def has() -> bool:
        said: set[int] = set()
        asked: set[int] = set()
        for each in forger.heard:
            if isinstance(each.message, kind):
                said.add(each.seat)
            if isinstance(each.message, Ask) and said >= senders:
                asked.add(each.seat)
        return asked >= senders

    return has


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.soak)])
def test_no_message_makes_an_honest_computer_open_more_than_the_log_demands(
    seed: int, linked: Link, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It asks with others' cards in hands, decks and shares of its own. Named: the cheater, if it goes too far."""
    forger = linked(options=LONG)
    watcher = ShareWatcher(forger.tables, forger.honest, monkeypatch)
    forger.start()
    forger.until(lambda: forger.honest_record().height > 2 and foreign_cards(forger))
    forger.change = mutated(Random(seed), forger)
    end = forger.honest_record().height + 25

    def is_seen_enough() -> bool:
        """Played on, or gone on without the cheater, or held up so long that they ask what is the matter."""
        watcher.note_remasks()
        records = [forger.honest_record(seat) for seat in forger.honest]
        return all(record.height > end or record.epoch for record in records) or len(kinds_heard(forger, Ask)) > 4

    forger.until(is_seen_enough)
    assert watcher.count
    for seat in forger.honest:
        events = forger.tables.clients[seat].events
        assert {event.seat for event in events if isinstance(event, Accused)} <= {CHEATER}


def test_a_card_is_not_followed_through_a_hand(linked: Link) -> None:
    """Whoever writes everything down finds no masked card of an old hand in the new one: each was masked anew."""
    forger = linked(options={"hand": 5, "target": 500})

    def remasked() -> list[bytes]:
        found = [each.message for each in kinds_heard(forger, MoveProposal)]
        return [each.remask for each in found if isinstance(each, MoveProposal) and each.remask]

    forger.start()
    forger.until(lambda: len(remasked()) >= 3)
    points = [data[at : at + 32] for data in remasked() for at in range(0, len(data), 32)]
    assert len(points) == len(set(points))
    round = forger.record.round
    assert round is not None
    final = {place.card.a.encode() for place in round.stock}
    assert not final & set(points)


def test_parts_of_keys_are_not_sent_while_one_has_not_signed_the_deck(linked: Link) -> None:
    """It holds its signature back. Named: nobody; it is waited for."""
    forger = linked(
        lambda m, to: None if isinstance(m, Vote) and m.height == 1 else m, options=LONG, table=WITH_RECOVERY
    )
    forger.start()
    forger.until(asked_after(forger, Vote, set(forger.honest)))
    assert not kinds_heard(forger, RecoveryShares)
    forger.change = said_as_it_is
    forger.until(lambda: {each.seat for each in kinds_heard(forger, RecoveryShares)} == set(forger.honest))
    forger.unharmed()


@pytest.mark.parametrize("kept_back", [Without, pytest.param(Echo, marks=pytest.mark.soak)])
def test_a_missing_hand_is_not_opened_before_all_who_stay_have_gone_on(kept_back: type[Message], linked: Link) -> None:
    """A player leaves, and the cheater keeps to itself its promise to go on, or that it has. Named: nobody; it is waited for."""
    forger = linked(lambda m, to: None if isinstance(m, kept_back) else m, seats=4, options=LONG, table=WITH_RECOVERY)
    forger.start()
    forger.until(lambda: all(forger.honest_record(seat).height > 3 for seat in forger.honest))
    leaver, others = driver_of(forger.tables.clients[LEAVER].node), set(forger.honest) - {LEAVER}
    forger.tables.do(lambda: leaver.feed(leaver.table.leave))
    forger.until(asked_after(forger, kept_back, others))
    assert not kinds_heard(forger, RecoveryOpen), "one of them had not gone on"
    assert {forger.honest_record(seat).epoch for seat in others} == {int(kept_back is Echo)}
    forger.change = said_as_it_is
    forger.until(lambda: {each.seat for each in kinds_heard(forger, RecoveryOpen)} == others)
    for seat in others:
        events: list[Any] = forger.tables.clients[seat].events
        assert not [event for event in events if isinstance(event, Accused)]
        assert forger.honest_record(seat).epoch == 1
