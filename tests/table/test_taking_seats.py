"""Empty seats are taken again between rounds: by whoever sat there, by somebody new, or by a bot."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from protocol.errors import IllegalMove
from protocol.identity import Identity
from protocol.messages import TakeSeat, Without
from protocol.signed import Page, Signed, decode, sign
from protocol.table.epochs import start_of
from protocol.table.events import Accused, MatchShort
from protocol.table.pauses import SHORT_S
from protocol.table.places import Departure
from protocol.table.record import Phase
from tests.adversaries.declared import By, attack
from tests.simulator.toy import toy_group
from tests.table.parting import OVERDUE_S
from tests.table.promises import Promises, drawn, someone, taking
from tests.table.returning import Returning
from tests.table.tables import stream
from tests.table.waiting import LONG


@pytest.fixture(autouse=True)
def _toy() -> Iterator[None]:
    with toy_group():
        yield


@pytest.mark.slow
@pytest.mark.parametrize("seats", [3, pytest.param(4, marks=pytest.mark.soak)])
def test_who_vanished_sits_again_between_rounds(seats: int) -> None:
    table = Returning(seats=seats, rounds=3)
    table.until_height(5)
    table.vote_out(1)
    table.until_height(7)
    table.come_back(1)
    table.until_seated(1)
    assert all(table.joined(index) == [{}, {1: True}] for index in range(seats))
    assert all(client.table.record.phase is Phase.BETWEEN for client in table.clients)
    table.play()
    table.assert_played_on()
    assert table.over(0).places[1].reason is None


@pytest.mark.slow
@pytest.mark.parametrize("keeper", [None, pytest.param(2, marks=pytest.mark.soak)])
def test_somebody_new_takes_the_seat_of_who_left_for_good(keeper: int | None) -> None:
    table = Returning(seats=4, rounds=3)
    table.until_height(5)
    table.leave(1)
    table.run(lambda: all(client.table.record.epoch == 1 for client in table.up()))
    newcomer = table.arrive(1, keeper)
    table.until_seated(newcomer)
    assert table.joined(0) == [{}, {1: False}]
    record = table.clients[0].table.record
    assert record.key(1) == table.clients[newcomer].identity.public and record.member(1).name == "P4"
    table.play()
    table.assert_played_on()
    assert all(place.reason is None for place in table.over(0).places), "last place belongs to the key that left"
    replaced = [(each.seat, each.member.name, each.reason) for each in record.replaced]
    assert replaced == [(1, "P1", Departure.LEFT)]


@pytest.mark.slow
def test_without_anybody_new_who_left_for_good_stands_last() -> None:
    table = Returning(seats=4, rounds=2)
    table.until_height(5)
    table.leave(1)
    table.play()
    assert table.over(0).places[1].reason is Departure.LEFT


def plays_on(table: Returning) -> None:
    """All who are there go on together."""
    table.until_height(table.clients[0].table.record.height + 3)
    table.run(table.is_quiet)
    assert len({client.table.record.previous for client in table.up()}) == 1
    assert not [event for client in table.up() for event in client.events if isinstance(event, Accused)]


def tichu() -> Returning:
    """Four play Tichu, which needs all four, and seat 1 has said goodbye."""
    table = Returning(seats=4, game="tichu", options={}, rounds=1)
    table.until_height(3)
    table.leave(1)
    table.run(lambda: all(client.table.record.epoch == 1 for client in table.up()))
    assert all(client.table.record.is_waiting_for_players for client in table.up())
    return table


def test_who_has_left_and_asks_is_not_answered_instead_of_who_would_sit_there() -> None:
    """It looks on, and its client asks again and again, perhaps each time just before the other's."""
    table = Returning(seats=4, rounds=2)
    table.until_height(5)
    left = table.clients[1].table
    table.take(1, left.leave(table.now))
    table.run(lambda: all(table.clients[index].table.record.epoch == 1 for index in (0, 2, 3)))
    for other in (0, 2, 3):
        left._showing.ask(other, own=False)
    table.take(1, left.wake(table.now))
    newcomer = table.arrive(1)
    table.spend(0.1)
    assert table.clients[newcomer].table.record.seed is not None


@pytest.mark.slow
@pytest.mark.parametrize("keeper", [None, 2])
def test_a_game_that_lacks_a_player_waits_for_one(keeper: int | None) -> None:
    table = tichu()
    table.spend(SHORT_S / 2)
    newcomer = table.arrive(1, keeper)
    table.until_seated(newcomer)
    if keeper is not None:
        plays_on(table)
        return
    table.play()
    table.assert_played_on()
    assert not table.clients[0].table.record.ended_short
    assert all(place.reason is None for place in table.over(0).places)


def test_it_ends_by_a_vote_of_all_if_nobody_comes() -> None:
    table = tichu()
    table.spend(SHORT_S - 5)
    assert not any(client.table.is_over for client in table.up())
    before = table.clients[0].table.record.previous
    table.spend(10)
    table.assert_played_on(1)
    record = table.clients[0].table.record
    assert record.ended_short and record.previous != before
    told = [event for event in table.clients[0].events if isinstance(event, MatchShort)]
    assert [event.match for event in told] == [record.previous] and told[0].places[1].reason is Departure.LEFT


def test_who_vanished_takes_the_seat_that_the_game_needs() -> None:
    table = Returning(seats=4, game="tichu", options={}, rounds=1)
    table.until_height(3)
    table.vote_out(1)
    table.run(lambda: all(client.table.record.epoch == 1 for client in table.up()))
    table.spend(5)
    table.come_back(1)
    table.until_seated(1)
    plays_on(table)


@pytest.mark.slow
def test_who_has_voted_to_end_still_agrees_that_somebody_sits_down() -> None:
    """Seat 0 has not voted; the others have voted to end when somebody comes."""
    table = tichu()
    table.clients[0].table.pauses.until += SHORT_S
    table.spend(SHORT_S + 1)
    record = table.clients[0].table.record
    voted = [seat for seat in record.present if record.from_seat(seat, "vote", record.height) is not None]
    assert voted == [2, 3] and not any(client.table.is_over for client in table.up())
    newcomer = table.arrive(1)
    table.until_seated(newcomer)
    plays_on(table)


@attack(
    By.PLAYER,
    "A player offers an empty seat to any number of invented keys, so that nobody else can take it.",
    "At once: only somebody in the room, a bot, or the player who sat there can take a seat, and each gets one offer.",
)
def test_offers_of_made_up_keys_keep_nobody_out() -> None:
    table = tichu()
    record = table.clients[0].table.record

    def offer(identity: Identity, counter: int, seat: int = 1) -> bool:
        message = TakeSeat(counter, 0, identity.public, identity.public, "Eve", False)
        signed = sign(identity, record.table, record.epoch, record.epoch_hash, seat, message)
        return record.receive(signed)

    assert not any(offer(Identity(stream(5000 + number)(32)), 1) for number in range(100))
    assert not record.offers
    friend = Identity(stream(4999)(32))
    record.welcome |= {friend.public}
    for counter in range(1, 50):
        assert offer(friend, counter)
    assert not offer(friend, 5)
    assert list(record.offers) == [(1, friend.public)]
    newcomer = table.arrive(1)
    table.until_seated(newcomer)
    plays_on(table)


@attack(
    By.ROOM,
    "Somebody takes an empty seat under a name other than the one the room shows, as if a friend were coming back.",
    "At once, by every player’s computer: nobody sits down under any name but the one in the room, or "
    "that of the player who sat there.",
)
def test_nobody_sits_down_under_another_name_than_the_rooms() -> None:
    table = tichu()
    record, takers = table.clients[0].table.record, table.clients[0].table.leaving.takers
    friend, gone = Identity(stream(4999)(32)), record.key(1)
    table.clients[0].table.welcome([friend.public], (), {friend.public: ("Noa", False)})
    for counter, (name, is_bot) in enumerate([("P1", False), ("Noa", True), ("Noa", False)], 1):
        message = TakeSeat(counter, 0, friend.public, friend.public, name, is_bot)
        signed = sign(friend, record.table, record.epoch, record.epoch_hash, 1, message)
        is_shown = (name, is_bot) == ("Noa", False)
        assert record.receive(signed) is is_shown
        assert takers._may_sit((1, friend.public, friend.public, name, is_bot)) is is_shown
    assert takers._may_sit((1, gone, gone, "P1", False)) and not takers._may_sit((1, gone, gone, "Noa", False))


@pytest.mark.sample
@pytest.mark.parametrize("keeper", [None, 0, 2, 3])
def test_two_who_want_one_seat_do_not_both_get_it(keeper: int | None) -> None:
    """Two people, or one and somebody's bot."""
    table = tichu()
    first, second = table.arrive(1), table.arrive(1, keeper)
    table.run(lambda: 1 in table.clients[0].table.record.present)
    holder = table.clients[0].table.record.key(1)
    keys = [table.clients[index].identity.public for index in (first, second)]
    assert holder in keys
    loser = (first, second)[1 - keys.index(holder)]
    table.run(lambda: table.clients[loser].table.record.epoch == table.clients[0].table.record.epoch)
    assert not table.clients[loser].table.is_present and not table.clients[loser].table.would_sit


def test_a_newcomer_who_dies_before_the_seat_is_taken_leaves_it_empty() -> None:
    table = tichu()
    newcomer = table.arrive(1)
    table.run(lambda: table.clients[0].table.record.ledger.departures.promised > 1)
    table.vanish(newcomer)
    table.spend(SHORT_S * 2)
    table.assert_played_on(1)
    assert table.clients[0].table.record.ended_short


@pytest.mark.sample
@pytest.mark.parametrize(
    "step", [pytest.param(step, marks=pytest.mark.soak if step % 2 == 0 else ()) for step in range(1, 40, 3)]
)
def test_a_newcomer_who_is_killed_at_any_moment_comes_back(step: int) -> None:
    table = tichu()
    newcomer = table.arrive(1)
    for _ in range(step):
        table.turn()
    table.lose(newcomer)
    table.spend(1)
    table.restart(newcomer)
    table.until_seated(newcomer)
    plays_on(table)
    assert table.began(0)[-1].joined, "the seat is taken for good: nobody had to go on without it again"


@pytest.mark.parametrize("is_dealt", [False, True])
def test_a_newcomer_who_is_killed_after_sitting_down_has_its_key_of_the_round(is_dealt: bool) -> None:
    """Before the cards are dealt and after: without the key it could read no card, and the round would be void."""
    table = tichu()
    newcomer = table.arrive(1)
    table.until_seated(newcomer)
    taker = table.clients[newcomer]
    table.run(lambda: bool(taker.table.hand.secrets) and (not is_dealt or len(taker.table.cards) > 7))
    table.lose(newcomer)
    table.spend(1)
    table.restart(newcomer)
    plays_on(table)
    assert len(table.clients[newcomer].table.cards) > 7
    assert table.began(0)[-1].joined, "nobody had to go on without it"


@pytest.mark.slow
def test_whoever_lost_the_seat_reads_no_cards_of_whoever_took_it() -> None:
    """Both have made a key for the round that is played there now: seat 1 vanished after its own."""
    table = Returning(seats=4, rounds=2)
    table.until_height(5)
    table.think = True
    table.run(table.is_quiet)  # the second round is prepared
    assert 2 in table.clients[1].table.hand.secrets
    table.think = False
    table.vote_out(1)
    table.run(lambda: all(client.table.record.epoch == 1 for client in table.up()))
    table.until_seated(table.arrive(1))
    table.until_height(table.clients[0].table.record.height + 1)
    assert table.clients[0].table.record.rounds_closed == 1
    table.come_back(1)
    table.run(lambda: table.clients[1].table.record.epoch == table.clients[0].table.record.epoch)
    table.play()
    table.assert_played_on()
    assert table.clients[1].table.is_over and table.clients[1].table.cards == ()


@pytest.mark.parametrize("is_taken", [False, True])
def test_a_promise_that_seats_are_taken_commits_no_closing(is_taken: bool) -> None:
    """Both have voted alike at the next height. Who asks somebody to sit down does not close anything by that."""
    identities = [Identity(stream(number)(32)) for number in range(3)]
    newcomer = identities[2].public
    added = ((2, newcomer, newcomer, "Mia", False),) if is_taken else ()
    vote = bytes([7]) * 32
    promise = Without(1, (0, 1), (0, 1), 3, bytes([5]) * 32, vote, (), (), added)
    signed = [sign(identities[seat], bytes(32), 0, bytes(32), seat, promise) for seat in (0, 1)]
    start = start_of(signed)
    assert start is not None and start.certificate == promise.certificate
    assert start.adopted == (None if is_taken else vote)


def test_whoever_lost_the_seat_has_no_vote() -> None:
    """Whoever follows the others sees that somebody is missed there, but who sits there now votes."""
    promises, who = drawn(3), someone(1)
    table = promises.table
    promises.give(promises.make(1, (0, 1), 0), to=2)
    promises.give(promises.make(2, (0, 1), 1, added=(taking(2, who),), newcomers=[who]), to=2)
    left = table.clients[2].table
    assert left.record.epoch == 2 and not left.is_present
    for _ in range(60):
        table.now += 1.0
        table.take(2, left.wake(table.now))
    assert left.waits.awaiting == {0, 1}
    with pytest.raises(IllegalMove):
        left.wish_on(True, table.now)
    assert not table.told(2).awaited


def test_whoever_never_sat_or_lost_the_seat_leaves_without_a_goodbye() -> None:
    """They have nothing to give up, and cannot sign for whoever sits there."""
    promises, who = drawn(3), someone(1)
    table = promises.table
    promises.give(promises.make(1, (0, 1), 0), to=2)
    promises.give(promises.make(2, (0, 1), 1, added=(taking(2, who),), newcomers=[who]), to=2)
    left = table.clients[2].table
    step = left.leave(table.now)
    assert not any(b"goodbye" in letter.data for letter in step.outbox) and not left.leaving.takers.wants_seat


@pytest.mark.slow
def test_whoever_would_sit_there_does_not_take_back_what_the_sitter_wishes() -> None:
    """Two would take the seat; one of them sits now and votes to play on without somebody. The other has no vote to correct."""
    table = Returning(seats=4, rounds=3)
    table.until_height(5)
    table.leave(1)
    table.run(lambda: all(client.table.record.epoch == 1 for client in table.up()))
    sits, follows = table.arrive(1), table.arrive(1)
    table.until_seated(sits)
    table.vanish(0)
    table.until_awaited(0)
    table.spend(LONG)
    table.wish(sits)
    table.run(lambda: (1, 0) in table.clients[follows].table.record.wishes)
    assert not table.clients[follows].table.is_present


@pytest.mark.slow
def test_a_person_and_a_bot_ask_for_one_seat() -> None:
    """Seat 0 asks the person and seat 2 its bot, and neither hears of the other's plan before. All agree to that with the lower
    key, the bot's, under the next number; its keeper, too, who has asked for just that."""
    table = Returning(seats=4, rounds=3, options={"hand": 2, "target": 500})
    table.until_height(5)
    table.leave(1)
    table.run(lambda: all(client.table.record.epoch == 1 for client in table.up()))
    bot, person = table.arrive(1, keeper=2), table.arrive(1)
    keys = {table.clients[index].identity.public for index in (bot, person)}
    held: dict[int, list[tuple[int, bytes]]] = {}

    def tampered(sender: int, to: int, data: bytes) -> bytes | None:
        found = decode(data)
        is_plan = isinstance(found, Signed) and isinstance(found.message, Without) and found.message.added
        if len(held) == 2 or sender not in (0, 2) or not is_plan:
            return data
        held.setdefault(sender, []).append((to, data))
        for by, letters in held.items() if len(held) == 2 else ():
            for letter in letters:
                table.post(by, *letter)
        return None

    table.tamper = tampered
    for _ in range(3_000):
        table.move_someone()
        table.turn()
        if all(client.table.record.key(1) in keys for client in table.up()):
            break
    assert len(held) == 2 and len({client.table.record.key(1) for client in table.up()} & keys) == 1


def asks(table: Returning, index: int) -> None:
    """It asks all who are present, once more."""
    asker = table.clients[index].table
    for other in table.clients[0].table.record.present:
        asker._showing.ask(other, own=False)
    table.take(index, asker.wake(table.now))


def empty_seat(index: int = 1) -> Returning:
    """Somebody has left for good, and the others go on."""
    table = Returning(seats=4, rounds=3)
    table.until_height(5)
    table.leave(index)
    table.run(lambda: all(client.table.record.epoch == 1 for client in table.up()))
    return table


@attack(
    By.ROOM,
    "Somebody who wants a seat keeps asking for the match, so that a friend who wants to sit there is shown nothing.",
    "Nobody needs to notice: each is answered separately.",
)
def test_whoever_asks_is_answered_alone() -> None:
    table = empty_seat()
    friend, other = table.arrive(1), table.arrive(1)
    table.think = True
    table.spend(6)
    answered: list[int] = []

    def noted(sender: int, to: int, data: bytes) -> bytes:
        found = decode(data)
        answered.extend([to] if isinstance(found, Page) and found.index else [])
        return data

    table.tamper = noted
    asks(table, other)
    table.spend(0.1)
    assert answered == [other, other, other] and table.clients[friend].table.would_sit


def test_whoever_sat_there_before_has_not_promised_for_whoever_does_not_sit_down() -> None:
    """A liar calls for somebody who is not there, under a number for which the player before had promised something else."""
    table = Returning(seats=4, game="tichu", options={}, rounds=1)
    table.until_height(3)
    promises, friend = Promises(table), someone(77)
    table.vanish(1)
    for each in (0, 2, 3):
        promises.give([promises.goodbye(1, 2), promises.sign(2, 1, (0, 1, 2, 3))], to=each)
    table.run(lambda: all(client.table.record.epoch == 1 for client in table.up()))
    table.vanish(0)
    for each in (2, 3):
        table.clients[each].table.record.welcome |= {friend.public}
    now = Promises(table, of=2)
    call = now.sign(2, 0, (0, 2, 3), 1, added=(taking(1, friend),))
    for each in (2, 3):
        now.give([call], to=each)
    table.run(lambda: all(client.table.record.ledger.departures.promised == 2 for client in table.up()))
    table.spend(OVERDUE_S + 5)
    assert all(client.table.record.ledger.departures.promised > 2 for client in table.up())


def test_an_answer_to_somebody_else_is_none_to_whoever_comes_back() -> None:
    """Else it would sign before the others have shown it what it said before."""
    table = Returning(seats=4, rounds=2)
    table.until_height(5)
    table.vote_out(1)
    table.run(lambda: all(client.table.record.epoch == 1 for client in table.up()))
    other = table.arrive(1)
    table.think = True
    table.spend(6)
    table.tamper = lambda sender, to, data: None if sender == 1 else data
    table.come_back(1)
    asks(table, other)
    table.spend(0.5)
    assert table.clients[1].table._coming_back.awaited == {0, 2, 3}


@pytest.mark.slow
@attack(
    By.ROOM,
    "Somebody offers to take an empty seat under one key after another and does not sit down when asked, "
    "so that nobody can play on.",
    "After ten seconds. After two such offers between two rounds, nobody new is asked.",
)
def test_nobody_waits_again_and_again_for_strangers_who_do_not_sit_down() -> None:
    table = empty_seat()
    strangers = [table.arrive(1) for _ in range(4)]
    table.think = True
    table.spend(6)
    table.think = False
    table.tamper = lambda sender, to, data: None if sender in strangers and b"without" in data else data
    began = table.now
    record = table.clients[0].table.record
    while not (record.rounds_closed == 2 and record.phase is Phase.PLAYING):
        table.move_someone()
        table.turn()
    assert table.now - began < 4 * OVERDUE_S
    assert sum(not event.without and not event.joined for event in table.began(0)) == 2, "two were asked in vain"
    assert not [event for client in table.up() for event in client.events if isinstance(event, Accused)]


@pytest.mark.slow
def test_strangers_who_do_not_sit_down_do_not_keep_the_game_from_ending() -> None:
    table = tichu()
    strangers = [table.arrive(1) for _ in range(5)]
    table.tamper = lambda sender, to, data: None if sender in strangers and b"without" in data else data
    table.spend(5 * OVERDUE_S + SHORT_S)
    assert table.clients[0].table.record.ended_short


@pytest.mark.slow
def test_of_two_who_would_sit_whoever_does_not_answer_is_not_asked_again() -> None:
    table = tichu()
    stranger, friend = table.arrive(1), table.arrive(1)
    table.tamper = lambda sender, to, data: None if sender == stranger and b"without" in data else data
    table.spend(1.5 * OVERDUE_S)
    assert table.clients[friend].table.is_present
