"""Changes of the match files about seats that are empty: what their goodbyes count for, and who signs for them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from protocol.identity import Identity
from protocol.messages import Echo, Goodbye, Message, Nonce, Seal, Without
from protocol.signed import Signed, decode_signed, sign
from protocol.table.epochs import Attempt, goodbye_hash
from protocol.values import replace
from tests.table.tables import stream
from tests.vectors.crafted_bounds import ends_with
from tests.vectors.crafted_matches import Change, Changing

Epoch = tuple[int, bytes]


def decoded(data: str) -> Signed:
    return decode_signed(bytes.fromhex(data))


def promised(of: Changing, seats: tuple[int, ...], epoch: Epoch, message: Without) -> list[str]:
    """The same promise by all of these seats, who sat there from the first."""
    some = next(each for _, each in of.of(Without))
    return [of.anew(replace(some, seat=seat), epoch, message) for seat in seats]


def absent_goodbyes(of: Changing) -> list[Change]:
    """All leave seat 1 out, and then two of the three go on without the third. Before that, either seat 1 says goodbye, which is
    absent, or seat 3, which is not; and names an attempt of both, which none of the two is in. Only what a present seat names
    counts, so the epoch begins in the first file and not in the second."""
    at, (_, bye) = of.start(), next(of.of(Goodbye))
    old = next(each for _, each in of.of(Without))
    assert isinstance(old.message, Without)
    first = promised(of, (0, 2, 3), (0, bye.epoch_hash), replace(old.message, out=(), vote=None))
    epoch = of.epoch_of([decoded(each) for each in first])
    found = []
    for seat, base in ((1, (0, bye.epoch_hash)), (3, epoch)):
        left = of.anew(replace(bye, seat=seat), base, Goodbye(2, ((2, (1, 3), ()),)))
        out = ((seat, goodbye_hash(decoded(left))),)
        then = replace(old.message, number=3, stay=(0, 2), base=(0, 2, 3), out=out, vote=None)
        second = promised(of, (0, 2), epoch, then)
        found.append(ends_with(of, at, *first, left, *second, of.following(second)))
    return found


def two_goodbyes_in_out(of: Changing) -> list[Change]:
    """Seat 1 says two goodbyes, and the others name both. Of these only the one with the higher number counts; of two with one
    number, the one whose attempts are the greater. It is counted out at an attempt of its own, or it names that, or not."""
    at, (_, bye) = of.start(), next(of.of(Goodbye))
    old = [each for _, each in of.of(Without)]
    mine: Attempt = (1, (1,), ())
    shared: Attempt = (2, (0,), ())
    pairs = (
        (Goodbye(1), Goodbye(2), (mine,)),
        (Goodbye(1, (mine,)), Goodbye(2), ()),
        (Goodbye(2), Goodbye(2, (mine,)), ()),
        (Goodbye(2, (mine,)), Goodbye(2, (shared,)), ()),
    )
    found = []
    for one, other, attempts in pairs:
        for pair in ((one, other), (other, one)):
            said = [of.anew(bye, (0, bye.epoch_hash), each) for each in pair]
            hashes = sorted(goodbye_hash(decoded(each)) for each in said)
            promises = [
                of.signed(each, number=3, attempts=attempts, out=((1, hashes[index % 2]),), vote=None)
                for index, each in enumerate(old)
            ]
            found.append(ends_with(of, at, *said, *promises, of.following(promises)))
    return found


def who_joined(of: Changing) -> tuple[int, Identity, Epoch]:
    """Where the epoch begins in which somebody else sits in seat 1, this player's key, and that epoch."""
    begun = max(each.epoch for _, each in of.said)
    at, first = next((at, each) for at, each in of.said if each.epoch == begun)
    ((_, key, *_),) = next(each.message.added for _, each in of.of(Without) if each.message.added)  # type: ignore[attr-defined]
    made = (Identity(stream(seed * 100 + place)(32)) for seed in count() for place in range(10))
    return at, next(each for each in made if each.public == key), (begun, first.epoch_hash)


def without_who_joined(of: Changing, epoch: Epoch) -> list[str]:
    """The others leave seat 1 out again."""
    old = next(each for _, each in of.of(Without) if each.message.number == epoch[0])  # type: ignore[attr-defined]
    assert isinstance(old.message, Without)
    number, stay, base = epoch[0] + 1, (0, 2, 3), (0, 1, 2, 3)
    then = replace(old.message, number=number, stay=stay, base=base, vote=None, attempts=(), out=(), added=())
    return promised(of, stay, epoch, then)


def who_sat_in_an_empty_seat(of: Changing) -> list[Change]:
    """Seat 1 is empty again. What is said for it there is said by who sat there last, not by who sat there from the first: two
    versions convict the seat, or the file is refused. Who sat there last says goodbye."""
    at, newcomer, epoch = who_joined(of)
    first = of.identity_of(of.seating[1])
    promises = without_who_joined(of, epoch)
    some = decoded(promises[0])
    begun = of.epoch_of([decoded(each) for each in promises])
    assert isinstance(some.message, Without)

    def said(by: Identity, message: Message) -> str:
        return sign(by, some.table, *begun, 1, message).data.hex()

    echoes = [Echo(some.message.height + 1, bytes([number]) * 32) for number in (1, 2)]
    puts = [
        [said(newcomer, each) for each in echoes],
        [said(first, each) for each in echoes],
        [said(newcomer, echoes[0]), said(first, echoes[1])],
        [said(newcomer, Goodbye(begun[0]))],
    ]
    return [ends_with(of, at, *promises, *put) for put in puts]


def an_absent_bots_goodbye(of: Changing) -> list[Change]:
    """A bot of seat 2 has taken seat 1, is left out alone, and says goodbye: by that its keeper is out, too. So the others need
    nobody of an attempt of this keeper's; and when seat 0 says goodbye as well, too few are left. Not so without the bot's."""
    at, bot, epoch = who_joined(of)
    promises = without_who_joined(of, epoch)
    some = decoded(promises[0])
    begun = of.epoch_of([decoded(each) for each in promises])
    assert isinstance(some.message, Without)
    left = sign(bot, some.table, *begun, 1, Goodbye(begun[0])).data.hex()
    attempts: tuple[Attempt, ...] = ((begun[0] + 1, (2,), ()),)
    found = []
    for out in (((1, goodbye_hash(decoded(left))),), ()):
        then = replace(some.message, number=begun[0] + 2, stay=(0, 3), base=(0, 2, 3), attempts=attempts, out=out)
        more = promised(of, (0, 3), begun, then)
        found.append(ends_with(of, at, *promises, left, *more, of.following(more)))
    other = of.anew(replace(some, seat=0), begun, Goodbye(begun[0]))
    return [*found, *(ends_with(of, at, *promises, *put) for put in ([left, other], [other, left], [other]))]


def who_serves_a_phone(of: Changing) -> list[Change]:
    """Seats 0 and 2 play by phones, which seat 1 serves, and which answer for themselves. Seat 2 says goodbye, and a bot of
    seat 1 takes its seat. Or the phones go on without seat 1, and let its bot in, which cannot come without its keeper."""
    at = next(at for at, each in enumerate(of.said, 1) if not isinstance(each[1].message, Seal | Nonce))
    old = next(each for _, each in of.of(Without))
    assert isinstance(old.message, Without)
    server, bot, sealed = of.identity_of(1).public, Identity(bytes(range(32))), (0, old.epoch_hash)
    found = []
    for seat in (2, 1):
        stay = tuple(each for each in range(3) if each != seat)
        left = [of.anew(replace(old, seat=seat), sealed, Goodbye(0))] if seat == 2 else []
        out = tuple((seat, goodbye_hash(decoded(each))) for each in left)
        then = replace(old.message, stay=stay, height=0, certificate=old.table, vote=None, out=out)
        first = promised(of, stay, sealed, then)
        epoch = of.epoch_of([decoded(each) for each in first])
        coming = ((seat, bot.public, server, "Bot", True),)
        then = replace(then, number=then.number + 1, base=stay, added=coming)
        second = promised(of, stay, epoch, then)
        second.append(sign(bot, old.table, *epoch, seat, then).data.hex())
        found.append(ends_with(of, at, *left, *first, *second, of.following(second)))
    return found


LEAVERS: dict[str, Callable[[Changing], list[Change]]] = {
    "recovered": lambda of: [*absent_goodbyes(of), *two_goodbyes_in_out(of)],
    "taken-by-a-newcomer": who_sat_in_an_empty_seat,
    "taken-by-a-bot": an_absent_bots_goodbye,
    "left-by-a-keeper": who_serves_a_phone,
}
