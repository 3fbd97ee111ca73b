"""An epoch in which nothing was certified is given up when the others go on from the one before."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import pytest

from protocol.dealing.group import G, Scalar
from protocol.dealing.keys import RoundSecret
from protocol.messages import Goodbye, Lost, Vote, Without
from protocol.signed import Signed, decode, decode_signed, sign
from protocol.table.epochs import FURTHEST, Attempt, goodbye_hash, next_epoch, plan_of
from protocol.table.events import Cause
from protocol.table.hand import SecretHand
from protocol.table.leaving import Leaving
from protocol.table.places import Departure
from protocol.table.verify import verify
from tests.adversaries.declared import By, attack
from tests.table.matches import file_of
from tests.table.parting import OVERDUE_S, Parting
from tests.table.promises import Promises, drawn, someone, taking
from tests.table.tables import stream
from tests.table.waiting import LEAVE_AFTER_S, LONG

pytestmark = pytest.mark.usefixtures("toy")


class Cut(Parting):
    """Seats between which links can be cut and joined, in one direction too."""

    def __init__(self, seats: int, **other: object) -> None:
        super().__init__(seats=seats, **other)
        self.joined = {(one, other) for one in range(seats) for other in range(seats)}
        self.tamper = lambda sender, to, data: data if (sender, to) in self.joined else None

    def cut(self, pairs: Iterable[tuple[int, int]]) -> None:
        for pair in pairs:
            for one, other in (pair, pair[::-1]):
                self.joined.discard((one, other))
                self.take(one, self.clients[one].table.lost(other, self.now))
        self.queue = [letter for letter in self.queue if (letter[2], letter[3]) in self.joined]

    def join(self, pairs: Iterable[tuple[int, int]]) -> None:
        for pair in pairs:
            self.joined |= {pair, pair[::-1]}
            for one, other in (pair, pair[::-1]):
                self.take(one, self.clients[one].table.connected(other, self.now))

    def wish_all(self, *who: int) -> None:
        self.spend(LEAVE_AFTER_S + OVERDUE_S)
        for index in who:
            if (at := self.told(index).may_at) is not None and self.now >= at:
                self.wish(index)


def is_promise(data: bytes) -> bool:
    found = decode(data)
    return isinstance(found, Signed) and isinstance(found.message, Without)


def begun_by_one(recovery: str = "off") -> Cut:
    """Seats 0 and 1 go on without seat 2, but only seat 0 begins: its promises do not reach seat 1."""
    table = Cut(seats=3, recovery=recovery)
    table.until_height(5)
    table.think = True
    table.run(table.is_quiet)
    table.cut([(0, 2), (1, 2)])
    whole = table.tamper
    table.tamper = lambda sender, to, data: (
        None if (sender, to) == (0, 1) and is_promise(data) else whole(sender, to, data)
    )
    table.think = False
    table.wish_all(0, 1)
    table.spend(1)
    assert [client.table.record.epoch for client in table.clients] == [1, 0, 0]
    assert table.clients[1].table.record.ledger.departures.promised == 1
    return table


def begun_alone(recovery: str = "off") -> Cut:
    """The same, and then seat 1 and seat 2 go on without seat 0."""
    table = begun_by_one(recovery)
    table.tamper = lambda sender, to, data: data if (sender, to) in table.joined else None
    table.cut([(0, 1)])
    table.join([(1, 2)])
    table.wish_all(1, 2)
    table.spend(5)
    first, *others = [client.table.record.epoch for client in table.clients]
    assert first == 1 < min(others) == max(others)
    assert table.clients[1].table.record.present == (1, 2)
    return table


@pytest.mark.slow
@pytest.mark.parametrize("recovery", ["off", "on"])
def test_who_began_an_epoch_alone_follows_the_others_into_a_later_one(recovery: str) -> None:
    table = begun_alone(recovery)
    table.join([(0, 1), (0, 2)])
    table.spend(10)
    assert len({client.table.record.epoch for client in table.clients}) == 1
    assert not table.clients[0].table.is_present
    table.play()
    table.gone.add(0)
    table.assert_played_on(0)
    assert table.clients[0].transcript == table.clients[1].transcript
    assert table.clients[0].table.is_over and table.over(0).places == table.over(1).places


def test_who_is_killed_in_such_an_epoch_follows_too() -> None:
    table = begun_alone()
    table.lose(0)
    table.join([(0, 1), (0, 2)])
    table.restart(0)
    table.spend(10)
    assert len({client.table.record.epoch for client in table.clients}) == 1
    table.restart(0)
    table.spend(10)
    assert len({client.table.record.epoch for client in table.clients}) == 1
    table.play()
    assert table.clients[0].transcript == table.clients[1].transcript


@pytest.mark.slow
def test_a_goodbye_that_was_said_in_such_an_epoch_counts() -> None:
    """Seat 0 leaves in epoch 1, which it alone has begun; seats 1 and 2 go on from epoch 0, at once and without a vote."""
    table = begun_by_one()
    table.leave(0)
    goodbye = table.clients[1].table.record.ledger.departures.goodbyes[0]
    assert goodbye.epoch == 1 and table.clients[1].table.record.epoch == 0
    table.join([(1, 2)])
    table.spend(5)
    table.play()
    table.assert_played_on(0)
    for index in (1, 2):
        causes = {seat: cause for began in table.began(index) for seat, cause in began.without.items()}
        assert causes == {0: Cause.GOODBYE}
        assert table.over(index).places[0].reason is Departure.LEFT


def stopped() -> Promises:
    table = Parting(seats=4)
    table.until_height(5)
    table.think = True
    table.run(table.is_quiet)
    return Promises(table)


@pytest.mark.parametrize("is_held", [False, True])
def test_who_began_another_epoch_than_the_others_follows_through_theirs(is_held: bool) -> None:
    promises = stopped()
    theirs = promises.make(1, (0, 1, 2), 0)
    mine = promises.make(2, (0, 1, 2), 0, (1, (0, 1, 2)))
    later = promises.make(3, (1, 2), 1, (2, (0, 1, 2)))
    if is_held:
        assert promises.give(theirs[:2]) == 0, "the third is missing"
    assert promises.give(mine) == 2
    assert promises.give(later) == 0, "nothing comes of the epoch that it began, and how theirs began it does not know"
    assert promises.give(theirs) == 3
    assert promises.table.clients[0].table.record.present == (1, 2)


def test_the_higher_of_two_epochs_that_began_counts() -> None:
    promises = stopped()
    lower = promises.make(1, (0, 1, 2), 0)
    higher = promises.make(2, (0, 1, 3), 0, (1, (0, 1, 2)))
    assert promises.give(lower) == 1
    assert promises.give(higher) == 2
    assert promises.table.clients[0].table.record.present == (0, 1, 3)


def promised_in_what_was_given_up() -> Promises:
    """Seat 0 begins an epoch that the others do not, and signs there for the one after theirs. No file holds that epoch."""
    promises, everybody = stopped(), (0, 1, 2, 3)
    assert promises.give(promises.make(1, everybody, 0)) == 1
    early = promises.sign(3, 0, everybody, 1, [(2, everybody, ())])
    assert promises.give(promises.make(2, everybody, 0, (1, everybody))) == 2
    assert promises.give([early, *(promises.sign(3, seat, everybody, 2) for seat in everybody[1:])]) == 3
    return promises


def test_a_promise_that_was_signed_in_an_epoch_given_up_may_begin_a_later_one() -> None:
    report = verify(file_of(promised_in_what_was_given_up().table, 0), stream(1))
    assert report.ok, report.failed


def left_in_what_was_given_up() -> Promises:
    """Seat 3 begins an epoch that the others do not, and leaves there; the others go on with it, and then hear of that."""
    promises, everybody = stopped(), (0, 1, 2, 3)
    lost, theirs = promises.make(1, everybody, 0), promises.make(2, everybody, 0, (1, everybody))
    identity, begun = promises.table.clients[3].identity, promises.epochs[1]
    message = Goodbye(2, ((1, everybody, ()), (2, everybody, ())))
    goodbye = sign(identity, promises.table.roster.table_id, 1, begun.hash, 3, message)
    assert promises.give([*lost, *theirs]) == 2
    assert promises.give([goodbye, *promises.make(3, (0, 1, 2), 2, out=((3, goodbye_hash(goodbye)),))]) == 3
    return promises


def test_a_goodbye_that_was_said_in_an_epoch_given_up_may_begin_a_later_one() -> None:
    report = verify(file_of(left_in_what_was_given_up().table, 0), stream(1))
    assert report.ok, report.failed


def named_what_never_was(is_convicted: bool) -> Promises:
    """Seat 2 promises in an epoch that never was, of the number of ours. That stands in the file where it convicts seat 2, which
    hides that promise later; and where the match breaks off, because the others say goodbye."""
    promises, everybody = stopped(), (0, 1, 2, 3)
    assert promises.give(promises.make(1, everybody, 0)) == 1
    promises.epochs[9] = replace(promises.epochs[1], hash=bytes(32))
    assert promises.give([promises.sign(3, 2, (0, 1, 2), 9)]) == 1
    if not is_convicted:
        promises.give(promises.goodbye(seat, 1) for seat in (1, 3))
        promises.give([promises.goodbye(2, 3, 9)])
        return promises
    departures = promises.table.clients[0].table.record.ledger.departures
    promises.give([promises.sign(4, 2, everybody, 1)])
    assert departures.convicted[2].what == "concealed"
    number, out = departures.promised, ((2, None),)
    assert promises.give(promises.sign(number, seat, (0, 1, 3), 1, (), out) for seat in (1, 3)) == number
    return promises


@pytest.mark.parametrize("is_convicted", [False, True])
def test_a_promise_in_an_epoch_that_never_was_may_stand_in_a_file(is_convicted: bool) -> None:
    """Whoever reads it holds no epoch that its writer gave up, and cannot tell one from the other."""
    promises = named_what_never_was(is_convicted)
    record = promises.table.clients[0].table.record
    named = [each for each in map(decode_signed, record.transcript[1:]) if each.epoch_hash == bytes(32)]
    assert {type(each.message) for each in named} == ({Without} if is_convicted else {Without, Goodbye})
    report = verify(file_of(promises.table, 0), stream(1))
    assert report.ok, report.failed


def test_an_epoch_that_may_not_begin_makes_nobody_give_up_another_one() -> None:
    promises = stopped()
    lower = promises.make(1, (0, 1, 2), 0)
    assert promises.give(lower) == 1
    assert promises.give(promises.make(2, (1, 2), 0)) == 1, "half of the seats are not enough"
    assert promises.give(promises.make(3, (2, 3), 0)) == 1


def begun_twice() -> tuple[Promises, Signed]:
    """Seat 3 has signed two versions of its promise. Seat 0 has begun with one of them, the others with the other one."""
    promises, everybody = stopped(), (0, 1, 2, 3)
    mine = promises.make(1, everybody, 0)
    promises.height -= 1
    other = promises.sign(1, 3, everybody)
    promises.height += 1
    promises.epochs[1] = next_epoch(promises.table.roster.table_id, [*mine[:3], other], promises.epochs[0])
    assert promises.give(mine) == 1
    return promises, other


@pytest.mark.parametrize("is_killed", [False, True])
def test_an_epoch_that_began_twice_is_given_up_once(is_killed: bool) -> None:
    """The others go on from theirs: how that began seat 0 does not know, and waits for it instead of beginning its own again."""
    promises, other = begun_twice()
    assert promises.give(promises.make(2, (1, 2, 3), 1)) == 0
    if is_killed:
        promises.table.restart(0)
    assert promises.give([other]) == 2
    if is_killed:
        promises.table.restart(0)
    record = promises.table.clients[0].table.record
    assert record.epoch == 2 and record.present == (1, 2, 3)
    report = verify(file_of(promises.table, 0), stream(1))
    assert report.ok, report.failed


@pytest.mark.parametrize("is_killed", [False, True])
def test_who_was_convicted_of_something_else_first_is_out_in_the_other_epoch_too(is_killed: bool) -> None:
    """Seat 3 has promised twice. Once as if it had not voted: with that seat 0 has begun, and convicts it at the vote. The
    others have begun with the other one, and go on without seat 3. In their epoch nothing shows what seat 0 saw."""
    promises, everybody = stopped(), (0, 1, 2, 3)
    lie, choice = promises.sign(1, 3, everybody), bytes(32)
    begun = promises.make(1, everybody, 0)[:3]
    truth = promises.sign(1, 3, everybody, vote=choice)
    table, first = promises.table.roster.table_id, promises.epochs[0]
    promises.epochs[1] = next_epoch(table, [*begun, truth], first)
    vote = Vote(promises.height + 1, promises.certificate, bytes(32), choice)
    said = sign(promises.table.clients[3].identity, table, 0, first.hash, 3, vote)
    assert promises.give([*begun, lie, said]) == 1
    departures = promises.table.clients[0].table.record.ledger.departures
    assert departures.convicted[3].what == "concealed"
    others, earlier, out = (0, 1, 2), departures.promised, ((3, None),)
    promises.give(promises.sign(earlier, seat, others, 1, (), out) for seat in (1, 2))
    assert promises.table.clients[0].table.record.epoch == 0, "it gives up the epoch that the others did not begin"
    if is_killed:
        promises.table.restart(0)
    later = promises.table.clients[0].table.record.ledger.departures.promised
    assert later > earlier
    promises.give(promises.sign(later, seat, others, 1, [(earlier, others, ())], out) for seat in (1, 2))
    assert promises.give([truth]) == later
    assert promises.table.clients[0].table.record.present == others
    report = verify(file_of(promises.table, 0), stream(1))
    assert report.ok, report.failed


def test_nobody_speaks_in_two_epochs_of_one_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise both could come to certify something: whoever signed two versions stands convicted. (The others name somebody
    who has left, whose goodbye is not there yet; and what seat 0 has promised keeps it silent besides.)"""
    promises, other = begun_twice()
    monkeypatch.setattr(Leaving, "promise", lambda *_: None)
    goodbye = promises.goodbye(3, 1)
    later = promises.make(2, (1, 2), 1, out=((3, goodbye_hash(goodbye)),))
    assert promises.give([*later, other]) == 1
    client = promises.table.clients[0]
    assert client.table.record.epoch_hash == promises.epochs[1].hash
    promises.table.take(0, client.table.wake(promises.table.now + 1))
    said = [decode(entry.data) for entry in client.journal if entry.kind == "out"]
    there = [each.message for each in said if isinstance(each, Signed) and each.epoch_hash == promises.epochs[1].hash]
    assert not there
    assert promises.give([goodbye]) == 2


def test_who_speaks_in_two_epochs_of_one_number_is_convicted_of_nothing() -> None:
    """Whoever reads the file knows only one of them."""
    promises = stopped()
    assert promises.give(promises.make(1, (0, 1, 2, 3), 0)) == 1
    begun, identity = promises.epochs[1], promises.table.clients[1].identity
    for hash in (begun.hash, bytes(32)):
        promises.give([sign(identity, promises.table.roster.table_id, 1, hash, 1, Lost(2))])
    assert not promises.table.clients[0].table.record.ledger.departures.convicted


@attack(
    By.PLAYER,
    "One player alone signs for a continuation that never happened, so that the others go back and forth without end.",
    "Nobody needs to notice: what only one player has signed is ignored.",
)
@pytest.mark.parametrize("is_known", [False, True])
def test_one_alone_makes_nobody_give_up_an_epoch(is_known: bool) -> None:
    """Nor does it come in the way of one that may begin; it must not keep the others busy without end."""
    promises, everybody = stopped(), (0, 1, 2, 3)
    begun, later = promises.make(1, everybody, 0), promises.make(2, (0, 1, 2), 1)
    theirs = promises.make(3, (1, 2, 3), 0, (1, everybody))
    if not is_known:
        promises.epochs[1] = replace(promises.epochs[1], hash=bytes(32))
    alone = promises.sign(1000, 3, (3,), 1)
    assert promises.give(begun) == 1
    assert promises.give([alone]) == 1
    assert promises.give(theirs if is_known else later) == (3 if is_known else 2)


@attack(
    By.PLAYER,
    "A player asks the others to go on from a continuation that never happened, so that all promise it and the match stands.",
    "The others miss the player, as if nothing had been said, and can vote to play on.",
)
@pytest.mark.parametrize("named", ["ours", "a later one", "one alone", "a set that waits", "a certificate"])
def test_who_names_an_epoch_that_nobody_can_show_is_missed(named: str) -> None:
    """Also where the others know promises for the epoch, which never begins; or if the certificate in it never was."""
    promises, everybody, number = stopped(), (0, 1, 2, 3), 2
    table, others = promises.table, (0, 1, 2)
    promises.epochs[9] = replace(promises.epochs[0], number=int(named != "ours"), hash=bytes(32))
    table.vanish(3)
    if named == "one alone":
        _tell(promises, promises.make(1, (3,), 0), others)
        promises.epochs[9] = replace(promises.epochs[1], present=everybody)
    elif named == "a set that waits":
        _tell(promises, [promises.sign(2, 3, everybody, 9)], others)
        said = table.clients[0].table.record.ledger.departures.withouts
        signed = [said[2, seat] for seat in everybody]
        promises.epochs[9], number = next_epoch(table.roster.table_id, signed, promises.epochs[0]), 3
    elif named == "a certificate":
        promises.height, promises.certificate, promises.epochs[9] = promises.height + 1, bytes(32), promises.epochs[0]
    _tell(promises, [promises.sign(number, 3, everybody, 9)], others)
    table.spend(LONG)
    for each in others:
        assert plan_of(table.clients[0].table.record.ledger.departures.withouts[number, each]).stay == everybody
        assert table.clients[each].table.waits.missing() == {3}
        table.wish(each)
    table.think = False
    table.play()
    table.assert_played_on(3)


@attack(
    By.PLAYER,
    "A player promises to go on under the highest number there can be, so that nobody else can name a higher one.",
    "Nobody answers that, and the others can vote to play on without the player.",
)
@pytest.mark.parametrize("stay", [(3,), (0, 1, 2, 3)])
def test_nobody_is_led_to_the_end_of_the_numbers(stay: tuple[int, ...]) -> None:
    promises, others = stopped(), (0, 1, 2)
    table = promises.table
    table.vanish(3)
    _tell(promises, [promises.sign(FURTHEST, 3, stay)], others)
    table.think = False
    table.until_awaited(3)
    table.spend(LONG)
    for each in others:
        table.wish(each)
    table.play()
    table.assert_played_on(3)


@attack(
    By.PLAYER,
    "A player answers every promise of the others with a higher one for itself alone, until nobody can promise any more.",
    "The others miss the player all the while, and can vote to play on after the usual time.",
)
def test_who_promises_without_end_is_missed_and_voted_out() -> None:
    promises, others, attempts = stopped(), (0, 1, 2), list[Attempt]()
    table = promises.table
    table.vanish(3)
    begun = table.now
    while not table.clients[0].table.record.epoch:
        assert table.now < begun + 2 * LONG
        held = table.clients[0].table.record.ledger.departures.withouts
        number = max((number for number, _ in held), default=0) + 1
        _tell(promises, [promises.sign(number, 3, (3,), 0, attempts)], others)
        attempts.append((number, (3,), ()))
        table.spend(2)
        for each in others:
            if table.now >= (table.clients[each].table.wishes.standing(table.now).may_at or math.inf):
                table.wish(each)
    table.think = False
    table.play()
    table.assert_played_on(3)


def _tell(promises: Promises, said: list[Signed], others: Iterable[int]) -> None:
    """Show them to these seats, which may answer."""
    for each in others:
        promises.give(said, to=each)
    promises.table.spend(1)


@attack(
    By.PLAYER,
    "A player signs one promise to go on for some players and another one for the others, so that these miss each other and vote "
    "somebody honest out.",
    "Soon: they ask each other how their continuation began, and see both promises.",
    "the cheater, by the two signed messages",
)
@pytest.mark.parametrize("is_there", [False, True])
def test_who_signed_two_versions_of_what_began_an_epoch_is_found_out(is_there: bool) -> None:
    promises, everybody = stopped(), (0, 1, 2, 3)
    table, honest = promises.table, (0, 1, 2)
    begun = promises.make(1, everybody, 0)
    promises.height -= 1
    other = promises.sign(1, 3, everybody)
    if not is_there:
        table.vanish(3)
    for each in (1, 2, 3)[: 2 + is_there]:
        promises.give(begun, to=each)
    promises.give([*begun[:3], other])
    table.think = False
    table.spend(LONG)
    records = [table.clients[each].table.record for each in honest]
    assert {record.ledger.departures.convicted[3].what for record in records} == {"two-versions"}
    assert {record.present for record in records} == {honest}
    table.play()
    for each in honest:
        report = verify(file_of(table, each), stream(1))
        assert report.ok and report.complete and report.match == records[0].previous, report.failed


def test_an_epoch_is_not_begun_again_and_again() -> None:
    """Two who lie together name an epoch that never was: whoever gives up another one for its sake does so once."""
    promises = stopped()
    begun, later = promises.make(1, (0, 1, 2, 3), 0), promises.make(2, (0, 1), 1)
    promises.epochs[1] = replace(promises.epochs[1], hash=bytes(32))
    promises.give(begun)
    promises.give(promises.sign(1000, seat, (2, 3), 1) for seat in (2, 3))
    assert promises.give(later) == 0


def test_the_key_of_an_earlier_preparation_can_still_be_used() -> None:
    hand = SecretHand()
    first, second, foreign = (RoundSecret(Scalar(number), bytes(32)) for number in (5, 7, 9))
    hand.keep(2, first)
    hand.keep(2, second)
    anew = SecretHand()
    for data in hand.unsaved():
        anew.learn(data)
    for each in (hand, anew):
        assert not each.lacks(2, first.x * G) and each.secrets[2].x == first.x
        assert not each.lacks(2, second.x * G) and each.secrets[2].x == second.x
        assert each.lacks(2, foreign.x * G) and 2 not in each.secrets
        assert not each.lacks(2, first.x * G)


@pytest.mark.parametrize("says_goodbye", [False, True])
def test_an_epoch_in_which_a_seat_was_taken_is_given_up(says_goodbye: bool) -> None:
    """Only 2 has seen that somebody took the seat of 0, who had left for good. It goes back to the epoch in which that goodbye
    counts, whatever the newcomer has said since."""
    promises, who = drawn(3), someone(1)
    goodbye = promises.goodbye(0, 0)
    out = ((0, goodbye_hash(goodbye)),)
    assert promises.give([goodbye, *promises.make(1, (1, 2), 0, out=out)], to=2) == 1
    other, own, newcomer = promises.make(2, (1, 2), 1, out=out, added=(taking(0, who),), newcomers=[who])
    assert promises.give([own, other, newcomer], to=2) == 2
    asked: tuple[Attempt, ...] = ((2, (1, 2), (who.public,)),)
    own, other = (promises.sign(3, seat, (1, 2), 1, asked, out) for seat in (2, 1))
    assert promises.give([own], to=2) == 2
    if says_goodbye:
        table, begun = promises.table.roster.table_id, promises.epochs[2]
        promises.give([sign(who, table, 2, begun.hash, 0, Goodbye(2, ((2, (0, 1, 2), ()),)))], to=2)
    assert promises.give([other], to=2) == 3
    departures = promises.table.clients[2].table.record.ledger.departures
    assert departures.out == out


def test_whoever_sat_there_before_does_not_keep_the_next_epoch_from_beginning() -> None:
    """Two have signed for the next epoch before somebody took the seat of who left, and name who left; the third after that.
    Who has begun the epoch in between knows of nobody who has left there any more."""
    promises, who = drawn(4), someone(1)
    table = promises.table.clients[0].table
    bye = promises.goodbye(3, 0)
    out = ((3, goodbye_hash(bye)),)
    promises.give([bye, *promises.make(1, (0, 1, 2), 0, out=out)])
    table.record.welcome = frozenset({who.public})
    added = (taking(3, who),)
    assert promises.give(promises.make(2, (0, 1, 2), 1, out=out, added=added, newcomers=[who])) == 2
    before = [promises.sign(3, seat, (0, 1, 2), 1, [(2, (0, 1, 2), (who.public,))], out) for seat in (0, 1)]
    assert promises.give([*before, promises.sign(3, 2, (0, 1, 2), 2)]) == 2, (
        "nobody can prove that the new player has left"
    )
    departures = table.record.ledger.departures
    assert departures.promised == 4 and plan_of(departures.withouts[4, 0]).stay == (0, 1, 2, 3)
