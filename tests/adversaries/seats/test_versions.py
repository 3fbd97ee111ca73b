"""Two versions of one thing for two players, two signatures, two cheats at once, and words in another's name, over real links."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from protocol.messages import Chat, Message, Shares, Vote
from protocol.table.comparing import TWO_SIGNATURES, TWO_VERSIONS, compare
from protocol.table.events import Said, SignedTwice
from protocol.table.record import Phase
from protocol.table.verify import verify
from protocol.values import replace
from tests.adversaries.declared import over_links
from tests.adversaries.seats.conftest import Link
from tests.adversaries.seats.linked import Linked
from tests.adversaries.signing import resigner
from tests.table import test_verdicts
from tests.table.adversaries import test_floods, test_letters
from tests.table.adversaries.forger import CHEATER, LONG
from tests.table.adversaries.test_duties import dealt_cards, reproved
from tests.table.tables import stream

pytestmark = [pytest.mark.sockets, pytest.mark.slow, pytest.mark.usefixtures("toy_programs")]

over_links(
    __name__,
    test_verdicts.test_two_versions_in_two_files_convict,
    test_verdicts.test_both_of_two_colluders_are_named,
    test_floods.test_a_second_signature_is_told_once_and_convicts_nobody,
    test_letters.test_a_message_in_anothers_name,
)


def playing(forger: Linked) -> Linked:
    forger.start()
    forger.until(lambda: all(forger.honest_record(seat).phase is Phase.PLAYING for seat in forger.honest))
    return forger


def compared(forger: Linked, seats: Iterable[int]) -> list[tuple[int, str]]:
    """What the files of these seats show that none of them shows alone."""
    reports = [verify(forger.tables.file_of(seat), stream(9)) for seat in seats]
    assert all(report.ok and not report.evidence for report in reports), [report.failed for report in reports]
    return [(each.seat, each.what) for each in compare(reports)]


def test_two_valid_proofs_are_found_when_the_files_are_compared(linked: Link) -> None:
    """One player is shown another proof of the same shares. Named: the cheater, by the two signed messages."""
    forger = linked(options=LONG)

    def another(message: Message, to: int) -> Message:
        if to != 2 or not isinstance(message, Shares) or message.height > 1:
            return message
        return replace(message, shares=reproved(forger, message, dealt_cards(forger, message)).encode())

    forger.change = another
    playing(forger)
    assert forger.changed
    found = compared(forger, forger.honest)
    assert set(found) == {(CHEATER, TWO_VERSIONS)}, (
        "more than once where an eight is turned up, and another card after it"
    )


def test_a_second_signature_is_shown_and_convicts_nobody(linked: Link) -> None:
    forger = playing(linked(options=LONG))
    sign_again = resigner(forger.client.identity)
    votes = [each for each in forger.record.ledger.store.said.values() if each.seat == CHEATER]
    forger.inject_bytes(sign_again(votes[-1]), to=[0])
    forger.until(lambda: SignedTwice(CHEATER) in forger.tables.clients[0].events)
    forger.unharmed()


def test_two_files_with_two_signatures_convict_nobody(linked: Link) -> None:
    """One player gets every vote with another signature."""
    forger = linked(options=LONG)
    send, sign_again = forger.send, resigner(forger.client.identity)

    def signed_anew(key: bytes, data: bytes) -> bool:
        if forger.numbers[key] == 2 and (found := forger.signed(data)) is not None and isinstance(found.message, Vote):
            made.setdefault(data, sign_again(found))
            return send(key, made[data])
        return send(key, data)

    made: dict[bytes, bytes] = {}
    forger.tables.clients[CHEATER].node.mesh.send = signed_anew
    playing(forger)
    assert made
    assert set(compared(forger, forger.honest)) == {(CHEATER, TWO_SIGNATURES)}


def test_words_in_anothers_name_have_no_effect(linked: Link) -> None:
    forger = playing(linked(options=LONG))
    record = forger.record
    vote = Vote(record.height, record.previous, record.state_hash, bytes(32))
    for message in (vote, Chat(1, "it was not me")):
        for seat in forger.honest:
            forger.inject(message, seat=seat)
    forger.unharmed()
    for seat in forger.honest:
        assert not [event for event in forger.tables.clients[seat].events if isinstance(event, Said)]
