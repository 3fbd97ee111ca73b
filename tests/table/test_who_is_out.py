"""Who is out for good is what the promises of an epoch name: all seats come to one result, whatever each has heard when."""

from __future__ import annotations

from contextlib import nullcontext

import pytest

from protocol.errors import BadMessage
from protocol.messages import Evidence, Goodbye, Message, MoveProposal, Without
from protocol.signed import Signed, decode, decode_signed, sign
from protocol.table.departures import Departures
from protocol.table.epochs import Epoch, attempt_of, check_form, goodbye_hash
from protocol.table.events import Cause
from protocol.table.places import Departure
from protocol.table.record import Record
from protocol.table.sitters import sitters_of
from protocol.table.verify import verify
from protocol.values import replace
from protocol.wire import frame, frames
from tests.table.matches import file_of
from tests.table.parting import Parting
from tests.table.promises import drawn, someone, taking
from tests.table.tables import stream

pytestmark = pytest.mark.usefixtures("toy")


@pytest.mark.slow
def test_a_promise_that_comes_before_the_goodbye_behind_it_waits_for_it() -> None:
    table = Parting(seats=3)
    table.until_height(5)
    table.tamper = lambda sender, to, data: None if (sender, to) == (1, 0) else data
    table.leave(1)
    table.spend(10)
    table.play(20_000)
    table.assert_played_on(1)
    for index in (0, 2):
        assert [began.without for began in table.began(index)] == [{1: Cause.GOODBYE}]
        assert table.over(index).places[1].reason is Departure.LEFT
        report = verify(file_of(table, index), stream(1))
        assert report.places == table.over(0).places == table.over(2).places


@pytest.mark.slow
def test_an_epoch_does_not_begin_before_the_goodbye_is_there() -> None:
    table = Parting(seats=3)
    table.until_height(5)
    table.tamper = lambda sender, to, data: None if (sender, to) == (1, 0) or b"goodbye" in data else data
    table.take(1, table.clients[1].table.leave(table.now))
    goodbye = table.clients[1].table.record.ledger.departures.goodbyes[1]
    table.vanish(1)
    table.take(2, table.clients[2].table.receive(1, goodbye.data, table.now))
    table.spend(30)
    assert [client.table.record.epoch for client in table.up()] == [0, 1]
    assert 2 in table.clients[0].table.awaited, "who names a goodbye has to show it"
    table.take(0, table.clients[0].table.receive(2, goodbye.data, table.now))
    table.tamper = lambda sender, to, data: data
    table.play(20_000)
    table.assert_played_on(1)


@pytest.mark.slow
def test_a_goodbye_of_a_seat_that_was_voted_out_before_changes_nothing() -> None:
    table = Parting(seats=4)
    table.until_height(5)
    table.vote_out(1)
    table.until_height(8)
    table.restart(1)
    table.spend(3)
    table.tamper = lambda sender, to, data: None if (sender, to) == (1, 0) else data
    table.leave(1)
    table.play(20_000)
    table.assert_played_on(1)
    for index in (0, 2, 3):
        assert table.over(index).places == table.over(0).places
        assert table.over(index).places[1].reason is None
        assert verify(file_of(table, index), stream(1)).places == table.over(0).places


def test_a_goodbye_that_comes_after_the_promises_leads_to_the_next_epoch() -> None:
    table = Parting(seats=5)
    table.until_height(5)
    table.tamper = lambda sender, to, data: None if b"without" in data else data
    table.vote_out(1)
    table.run(table.is_quiet)
    assert table.clients[2].table.record.ledger.departures.promised == 1
    table.tamper = lambda sender, to, data: data
    table.leave(2)
    table.spend(10)
    table.play(20_000)
    table.assert_played_on(1, 2)
    for index in (0, 3, 4):
        causes = {seat: cause for began in table.began(index) for seat, cause in began.without.items()}
        assert causes == {1: Cause.VOTE, 2: Cause.GOODBYE}
        assert table.over(index).places == table.over(0).places
        assert table.over(index).places[2].reason is Departure.LEFT


@pytest.mark.slow
def test_a_false_reason_holds_the_others_up_only_until_they_go_on_without_its_author() -> None:
    table = Parting(seats=5)
    table.until_height(5)

    def tamper(sender: int, to: int, data: bytes) -> bytes | None:
        if sender != 3 or b"without" not in data:
            return data
        signed = decode(data)
        if not isinstance(signed, Signed) or not isinstance(signed.message, Without):
            return None
        lie = replace(signed.message, out=((1, bytes(32)),))
        identity = table.clients[3].identity
        return sign(identity, signed.table, signed.epoch, signed.epoch_hash, signed.seat, lie).data

    table.tamper = tamper
    table.vote_out(1)
    table.spend(5)
    assert {client.table.record.epoch for client in table.up()} == {0, 1}, "the liar alone goes on"
    table.vanish(3)
    table.tamper = lambda sender, to, data: data
    for _ in range(3):
        table.spend(30)
        for index in (0, 2, 4):
            if (at := table.told(index).may_at) is not None and table.now >= at:
                table.wish(index)
    table.play(20_000)
    table.assert_played_on(1, 3)
    assert not any(client.table.record.ledger.departures.convicted for client in table.up())


@pytest.mark.parametrize(
    "out",
    [((1, None),), ((4, None), (3, None)), ((3, None), (3, None)), ((3, None), (3, bytes(32))), ((5, None),)],
    ids=["goes on", "out of order", "twice", "in two ways", "nobody"],
)
def test_who_is_named_as_out_is_checked(out: tuple[tuple[int, bytes | None], ...]) -> None:
    table = Parting(seats=5)
    good = Without(1, (0, 1), (0, 1, 2, 3, 4), 0, bytes(32), None, (), ((3, bytes(32)), (4, None)))
    identity = table.clients[0].identity
    check_form(sign(identity, bytes(32), 0, bytes(32), 0, good), 5)
    with pytest.raises(BadMessage):
        check_form(sign(identity, bytes(32), 0, bytes(32), 0, replace(good, out=out)), 5)


def test_only_its_own_goodbye_proves_that_a_seat_has_left() -> None:
    for author, begins in ((1, False), (2, True)):
        promises = drawn(4)
        said = promises.goodbye(author, 0)
        assert promises.give(promises.make(1, (0, 3), 0, out=((2, goodbye_hash(said)),))) == 0
        assert promises.give([said]) == begins


def test_goodbyes_under_the_key_of_a_place_are_not_in_the_way_of_those_of_the_seat_with_that_number() -> None:
    """The members at place 0 and in seat 0 are two: what they say bears the same number."""
    promises, departures = drawn(4), Departures()
    for number in range(2):
        departures.keep_goodbye(2, promises.goodbye(0, number))
    own = promises.goodbye(0, 2)
    assert departures.keep_goodbye(0, own)
    assert departures.proves([(0, goodbye_hash(own))])
    departures.begin(promises.epochs[0], taken=(2,))
    assert departures.proves([(0, goodbye_hash(own))])


def test_what_was_promised_for_a_seat_before_somebody_else_took_it_is_not_in_the_way() -> None:
    """It still binds whoever signed it, also if they sit down again."""
    promises, departures, who = drawn(4), Departures(), someone(1)
    former = promises.table.clients[1].identity
    old = promises.sign(5, 1, (0, 1))
    assert departures.add(5, old, former.public) is None
    sitters = sitters_of([taking(1, who)])
    departures.begin(Epoch(3, (0, 1, 2, 3), bytes(32), sitters), taken=(1,))
    assert not departures.withouts
    new = promises.sign(5, 1, (0, 1, 2), who=who)
    assert departures.add(5, new, who.public) is None and departures.of(1, who.public) == [new]
    assert departures.add(6, promises.sign(6, 1, (0, 1)), former.public) == old


def test_what_somebody_promised_who_never_sat_is_not_in_the_way_when_their_epoch_was_given_up() -> None:
    """Their offer to sit there still stands."""
    promises, departures, who = drawn(4), Departures(), someone(1)
    former = promises.table.clients[1].identity
    offer = promises.sign(5, 1, (0, 2), added=(taking(1, who),), who=who)
    as_player = promises.sign(6, 1, (0, 1, 2), attempts=[attempt_of(offer)], who=who)
    for number, each in ((5, offer), (6, as_player)):
        assert departures.add(number, each, who.public) is None
    departures.displace(1, former.public)
    assert departures.withouts == {(5, 1): offer} and departures.of(1, who.public) == [offer, as_player]
    own = promises.sign(6, 1, (0, 1))
    assert departures.add(6, own, former.public) is None
    departures.displace(1, former.public)
    assert departures.withouts == {(5, 1): offer, (6, 1): own}


def test_two_goodbyes_have_two_hashes() -> None:
    table = Parting(seats=3)
    one, other = (sign(table.clients[0].identity, bytes(32), 0, bytes(32), 0, Goodbye(number)) for number in (0, 1))
    assert goodbye_hash(one) != goodbye_hash(other)


def test_an_unsigned_version_from_an_earlier_epoch_convicts_nobody() -> None:
    table = Parting(seats=4)
    table.until_height(5)
    table.leave(1)
    table.play(20_000)
    messages = [data for _, data in frames(file_of(table, 0))]
    place = next(i for i, data in enumerate(messages) if i and decode_signed(data).message.kind == "move")
    victim = decode_signed(messages[place])
    assert isinstance(victim.message, MoveProposal)
    other = replace(victim.message, state=bytes(32))
    stranger = table.clients[(victim.seat + 1) % 4].identity
    forged = sign(stranger, victim.table, victim.epoch, victim.epoch_hash, victim.seat, other).data
    report = verify(b"".join(frame(data) for data in (*messages[:-3], forged)), stream(1))
    assert report.failed is not None and not report.convicted


def test_what_the_members_at_a_place_and_in_the_seat_of_that_number_say_convicts_neither() -> None:
    """A goodbye that was said before the draw names the place in the roster: two of one player convict it, and not whoever drew
    the seat of that number. Together with that one's they convict nobody."""
    promises = drawn(4, lots=True)
    record, roster = promises.table.clients[0].table.record, promises.table.roster
    place = next(place for place, seat in enumerate(record.seating) if place != seat)
    author, other = record.seating.index(place), record.seating[place]
    epoch = promises.epochs[0].hash

    def said(by: int, seat: int, message: Message) -> Signed:
        return sign(promises.table.clients[by].identity, roster.table_id, 0, epoch, seat, message)

    def followed() -> Record:
        found = Record(roster, record.game, stream(1))
        for data in record.transcript[1:]:
            found.receive(decode_signed(data))
            found.advance()
        return found

    for second, convicted in ((place, {author}), (other, set[int]())):
        two = said(place, place, Goodbye(0)), said(second, place, Goodbye(1))
        watcher = followed()
        for each in two:
            watcher.receive(each)
        assert watcher.ledger.departures.convicted.keys() == convicted
        evidence = Evidence(place, "two-versions", tuple(each.data for each in two))
        told = followed()
        with nullcontext() if convicted else pytest.raises(BadMessage):
            told.receive(said(record.seating[1], 1, evidence))
        assert told.ledger.departures.convicted.keys() == convicted
