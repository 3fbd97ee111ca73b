"""Changes of the match files about where an epoch starts, and what is known there of who was out before."""

from __future__ import annotations

from collections.abc import Callable

from protocol.messages import Closed, Evidence, Goodbye, Nonce, Reveal, Vote, Without
from protocol.signed import sign
from protocol.table.epochs import goodbye_hash
from protocol.values import replace
from tests.vectors.crafted_bounds import ends_with
from tests.vectors.crafted_leavers import decoded, who_joined
from tests.vectors.crafted_matches import Change, Changing

FORGED = bytes(32)


def one_names_a_lower_height(of: Changing) -> list[Change]:
    """All who stay name one certificate and one vote, and one of them a lower height: then the entry is not adopted."""
    at, old = next(of.of(Without))[0], [each for _, each in of.of(Without)]
    assert isinstance(old[0].message, Without)
    promises = [of.signed(old[0], height=old[0].message.height - 1), *(of.signed(each) for each in old[1:])]
    return [ends_with(of, at, *promises), ends_with(of, at, *promises, of.following(promises))]


def on_the_way_to_a_closing(of: Changing) -> list[Change]:
    """Before the hands are opened seat 1 stands convicted. The others go on from the closing for which they have voted, and name
    that or not; up to there steps are taken all the same. The file ends before they confirm it, or behind."""
    first, begun = next(at for at, _ in of.of(Reveal)), next(at for at, _ in of.of(Without))
    vote = next(each for _, each in of.of(Vote) if each.seat == 1)
    pair = (bytes.fromhex(of.signed(vote, choice=bytes([number]) * 32)) for number in (1, 2))
    shown = of.anew(replace(vote, seat=0), (0, vote.epoch_hash), Evidence(1, "two-versions", tuple(pair)))
    found = []
    for out in ((), ((1, None),)):
        promises = [of.signed(each, out=out) for _, each in of.of(Without)]
        epoch = of.epoch_of([decoded(each) for each in promises])
        closed = [of.anew(each, epoch, each.message) for _, each in of.of(Closed)]
        until = [shown, *range(first, begun), *promises]
        found += [ends_with(of, first, *until), ends_with(of, first, *until, *closed)]
    return found


def said_of_the_end(of: Changing) -> list[Change]:
    """Where the match goes on from its end, votes come for the height of that, for the next one, and for one that is not near."""
    at, old = 1 + max(at for at, _ in of.of(Without)), [each for _, each in of.of(Without)]
    assert isinstance(old[0].message, Without)
    end, epoch = old[0].message.height + 1, of.epoch_of(old)
    return [
        ends_with(of, at, of.anew(old[0], epoch, Vote(height, FORGED, FORGED, FORGED)))
        for height in range(end, end + 3)
    ]


def nonces_out_of_order(of: Changing) -> list[Change]:
    """Two nonces exchange their places, and the epoch that leaves a cheat out begins: only what the conviction left over may
    stand in any order."""
    places = [at for at, _ in of.of(Nonce)]
    first, last = places[0], max(at for at, _ in of.of(Without))
    return [{"at": first, "remove": len(of.files) - first, "put": [*places[1::-1], *range(places[2], last + 2)]}]


def of_another_beginning(of: Changing) -> list[Change]:
    """In epoch 1 seat 0 signs for epoch 2 from before, which denies epoch 1; then a vote comes that it has signed in another
    epoch of that number."""
    at, old = 1 + max(at for at, _ in of.of(Without)), next(each for _, each in of.of(Without))
    assert isinstance(old.message, Without)
    then = replace(old.message, number=2, attempts=((1, old.message.stay, ()),))
    vote = Vote(old.message.height + 1, FORGED, FORGED, FORGED)
    return [ends_with(of, at, of.anew(old, (0, old.epoch_hash), then), of.anew(old, (1, FORGED), vote))]


def whoever_left_comes_to_another_seat(of: Changing) -> list[Change]:
    """Seat 1 was left for good, and somebody else sits there. Seat 3 says goodbye, too; and whoever has left seat 1 cannot take
    it. In the other file that somebody is new."""
    at, newcomer, epoch = who_joined(of)
    old = next(each for _, each in of.of(Without) if each.message.number == epoch[0])  # type: ignore[attr-defined]
    assert isinstance(old.message, Without)
    stay, bye = (0, 1, 2), of.anew(replace(old, seat=3), epoch, Goodbye(epoch[0]))
    out = ((3, goodbye_hash(decoded(bye))),)
    number = epoch[0] + 1
    leave = replace(old.message, number=number, stay=stay, base=(0, 1, 2, 3), vote=None, attempts=(), out=out, added=())

    def said(begun: tuple[int, bytes], message: Without) -> list[str]:
        keys = {0: of.identity_of(of.seating[0]), 1: newcomer, 2: of.identity_of(of.seating[2])}
        return [sign(keys[seat], old.table, *begun, seat, message).data.hex() for seat in stay]

    first, found = said(epoch, leave), []
    begun = of.epoch_of([decoded(each) for each in first])
    left, new = of.identity_of(of.seating[1]), type(newcomer)(bytes(range(32)))
    for who in (left, new):
        coming = ((3, who.public, who.public, "Ann", False),)
        sit = replace(leave, number=number + 1, base=stay, added=coming)
        second = [*said(begun, sit), sign(who, old.table, *begun, 3, sit).data.hex()]
        found.append(ends_with(of, at, bye, *first, *second, of.following(second)))
    return found


STARTS: dict[str, Callable[[Changing], list[Change]]] = {
    "closed-by-promises": lambda of: [
        *one_names_a_lower_height(of),
        *on_the_way_to_a_closing(of),
        *said_of_the_end(of),
    ],
    "false-shuffle": nonces_out_of_order,
    "voted-out": of_another_beginning,
    "taken-by-a-newcomer": whoever_left_comes_to_another_seat,
}
