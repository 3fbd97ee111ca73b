"""Each rule of the change of epoch is needed: the evening on which it is missed, without it and with it."""

from __future__ import annotations

from random import Random

import pytest

from .checks import faults
from .rules import Rules
from .values import Goodbye, Player, Roll
from .world import FOREVER, World


class Evening(World):
    """A world in which nothing happens by chance."""

    def __init__(self, keepers: list[int], off: str | None, **more: int | bool) -> None:
        rules = Rules(**{off: False} if off else {})
        super().__init__(keepers, Random(0), rules, **more)  # type: ignore[arg-type]

    def roll(self, *keys: int) -> Roll:
        return tuple(p for p in self.book.first.roll if p.key in keys)

    def sign(self, number: int, stay: tuple[int, ...], *by: int, added: Roll = ()) -> list[bool]:
        return [self.seats[key].sign(number, self.roll(*stay), added) for key in by]

    def vote(self, **choices: int) -> None:
        """`s0=1`: seat 0 votes for the move of seat 1."""
        for name, choice in choices.items():
            self.seats[int(name[1:])].vote(choice, 2.0, FOREVER)

    def give(self, *pairs: tuple[int, int]) -> None:
        for one, other in pairs:
            self.show(self.seats[one], self.seats[other])

    def meet(self, *keys: int) -> None:
        for _ in range(3):
            self.give(*((one, other) for one in keys for other in keys if one != other))

    def open(self, *keys: int) -> None:
        """A round is opened, with everybody there."""
        for key in keys:
            self.seats[key].vote(0, 2.0, FOREVER)
        self.meet(*keys)
        assert all(self.seats[key].log.kind == "open" for key in keys)


def attempts(off: str | None) -> list[str]:
    """2 does not know that epoch 1 began, and goes on with 3 and 4 while 0 and 1 do."""
    evening = Evening([0, 1, 2, 3, 4], off)
    evening.sign(1, (0, 1, 2), 0, 1, 2)
    evening.give((2, 0), (2, 1), (0, 1), (1, 0))
    evening.sign(2, (0, 1), 0, 1)
    evening.meet(0, 1)
    evening.sign(2, (2, 3, 4), 2, 3, 4)
    evening.meet(2, 3, 4)
    return faults(evening)


def late_goodbyes(off: str | None) -> list[str]:
    """0 leaves epoch 2; the old epoch 1 must not shrink by that for those who did not see it begin."""
    evening = Evening([0, 1, 2, 3, 4], off)
    evening.sign(1, (0, 1, 2), 0, 1, 2)
    evening.give((2, 0), (2, 1), (0, 1), (1, 0))
    evening.sign(2, (0, 1), 0, 1)
    evening.meet(0, 1)
    evening.open(0, 1)
    evening.seats[0].leave()
    bye = next(message for message in evening.seats[0].held if isinstance(message, Goodbye))
    for key in (2, 3, 4):
        evening.seats[key].receive(bye)
    evening.sign(3, (2, 3, 4), 2, 3, 4)
    evening.meet(2, 3, 4)
    return faults(evening)


def adopt(off: str | None) -> list[str]:
    """All have voted alike, but only 2 has seen it."""
    evening = Evening([0, 1, 2], off)
    evening.vote(s0=0, s1=0, s2=0)
    evening.give((0, 2), (1, 2))
    evening.sign(1, (0, 1), 0, 1)
    evening.meet(0, 1)
    return faults(evening)


def freeze(off: str | None) -> list[str]:
    """0 has signed for an epoch from before the opening, and votes for the opening after that."""
    evening = Evening([0, 1, 2, 3], off)
    evening.sign(1, (0, 1, 2), 0)
    evening.vote(s0=0, s1=0, s2=0, s3=0)
    evening.meet(0, 1, 2, 3)
    return faults(evening)


def own_seat(off: str | None) -> list[str]:
    """The bots of 0 and 1 are cut off from their keepers, and would go on as 0 and 1."""
    evening = Evening([0, 1, 0, 1, 4], off)
    evening.sign(1, (0, 1), 0, 1)
    evening.sign(1, (2, 3), 2, 3)
    evening.meet(0, 1)
    evening.meet(2, 3)
    return faults(evening)


def keepers_once(off: str | None) -> list[str]:
    """2 and two bots leave out 0 and 1."""
    evening = Evening([0, 1, 2, 2, 2], off)
    evening.sign(1, (2, 3, 4), 2, 3, 4)
    evening.meet(2, 3, 4)
    return ["one person leaves out two"] if evening.seats[2].begun else faults(evening)


def echo(off: str | None) -> list[str]:
    """Only 3 has the certificate of a split vote, and does a duty; the others go on from before."""
    evening = Evening([0, 1, 2, 3], off)
    evening.open(0, 1, 2, 3)
    evening.vote(s0=0, s1=1, s2=0, s3=1)
    evening.give((0, 3), (1, 3), (2, 3))
    evening.sign(1, (0, 1, 2), 0, 1, 2)
    evening.meet(0, 1, 2)
    return faults(evening)


def start_echo(off: str | None) -> list[str]:
    """Only 0 has a certificate and sees the epoch begin from it, does a duty and vanishes; 3 is back."""
    evening = Evening([0, 1, 2, 3], off, recovery=True)
    evening.open(0, 1, 2, 3)
    evening.vote(s0=0, s1=1, s2=0, s3=1)
    evening.give((1, 0), (2, 0), (3, 0))
    evening.sign(1, (0, 1, 2), 0, 1, 2)
    evening.give((1, 0), (2, 0))
    assert [epoch.number for epoch, _ in evening.seats[0].begun] == [1]
    evening.sign(2, (1, 2, 3), 1, 2, 3)
    evening.meet(1, 2, 3)
    assert [epoch.number for epoch, _ in evening.seats[1].begun] == [2]
    return faults(evening)


def stayers_only(off: str | None) -> list[str]:
    """The opening was voted alike when a newcomer is added, who has no vote there."""
    evening = Evening([0, 1, 2], off, spare=1, empty=1)
    newcomer = (Player(3, 100, 100),)
    evening.vote(s0=0, s1=0, s2=0)
    evening.give((0, 2), (1, 2))
    evening.sign(1, (0, 1), 0, 1, added=newcomer)
    added = next(seat for seat in evening.seats if seat.key == 100)
    for key in (0, 1):
        evening.show(evening.seats[key], added)
    added.change({0, 1, 100})
    for key in (0, 1):
        evening.show(added, evening.seats[key])
    evening.meet(0, 1)
    return faults(evening)


def one_at_a_time(off: str | None) -> list[str]:
    """Three newcomers are offered seats and vanish; then 2 does. 0 and 1 are still two of three."""
    evening = Evening([0, 1, 2], off, spare=3, empty=3)
    evening.seats[0].change(
        {0, 1, 2, 100, 102, 104}, tuple(Player(3 + i, key, key) for i, key in enumerate((100, 102, 104)))
    )
    evening.give((0, 1), (0, 2))
    evening.seats[1].change({0, 1, 2, 100, 102, 104})
    return [] if evening.sign(2, (0, 1), 0, 1) == [True, True] else ["stuck"]


def answer(off: str | None) -> list[str]:
    """2 has signed to go on without 1, but 1 is back before anybody else has."""
    evening = Evening([0, 1, 2], off)
    evening.sign(1, (0, 2), 2)
    return [] if evening.heal({0, 1, 2}) else ["stuck"]


def late_begin(off: str | None) -> list[str]:
    """4 has signed for epoch 2 before it learns that epoch 1 began."""
    evening = Evening([0, 1, 2, 3, 4], off)
    evening.sign(1, (0, 1, 4), 0, 4)
    evening.give((0, 4), (4, 0), (4, 1), (0, 1))
    evening.sign(1, (0, 1, 4), 1)
    evening.give((1, 0), (0, 1))
    evening.sign(2, (0, 1, 2, 3, 4), 4)
    return [] if evening.heal({0, 1, 2, 3, 4}) else ["stuck"]


def own_words(off: str | None) -> list[str]:
    """2 has signed for two epochs; each other has seen one of them begin, and 2 learns first of that which is over."""
    evening = Evening([0, 1, 2], off)
    evening.sign(1, (0, 2), 0, 2)
    evening.sign(2, (1, 2), 2)
    evening.give((2, 1))
    evening.sign(2, (1, 2), 1)
    evening.give((0, 2))
    return [] if evening.heal({1, 2}) else ["stuck"]


def after_void(off: str | None) -> list[str]:
    """A round is void as 2 has left; a newcomer takes the empty seat before the next."""
    evening = Evening([0, 1, 2], off, spare=1)
    evening.open(0, 1, 2)
    evening.sign(1, (0, 1), 0, 1)
    evening.meet(0, 1)
    evening.seats[0].change({0, 1, 100}, (Player(2, 100, 100),))
    return [] if evening.seats[0].signed == 2 else ["nobody can take the empty seat"]


def late_yes(off: str | None) -> list[str]:
    """1 has voted for the next round when 0, who has not, asks for a seat to be taken."""
    evening = Evening([0, 1, 2], off, spare=1, empty=1)
    evening.vote(s1=0)
    everyone = {0, 1, 2, 100}
    evening.seats[0].change(everyone, (Player(3, 100, 100),))
    evening.give((0, 1))
    evening.seats[1].change(everyone)
    said = [w for (number, key), w in evening.seats[1].withouts.items() if (number, key) == (1, 1)]
    return [] if said and said[0].added else ["the seat stays empty: it is never free of votes"]


def alone(off: str | None) -> list[str]:
    """Somebody plays with two bots; one makes room for somebody new, who is gone again when that is to be promised."""
    evening = Evening([0, 0, 0], off, spare=1)
    evening.seats[0].change({0, 1, 2, 100}, without=2)
    evening.meet(0, 1)
    evening.seats[1].change({0, 1, 2, 100})
    evening.meet(0, 1)
    evening.seats[0].change({0, 1, 100}, (Player(2, 100, 100),))
    evening.meet(0, 1)
    return [] if evening.heal({0, 1}) else ["stuck"]


def silent_bot(off: str | None) -> list[str]:
    """A bot that makes room hears of it, and is in nobody's way."""
    evening = Evening([0, 1, 0], off)
    evening.seats[0].change({0, 1, 2}, without=2)
    evening.give((0, 2), (0, 1))
    evening.seats[2].change({0, 1, 2})
    return ["the bot answers"] if evening.seats[2].signed else []


def confirm(off: str | None) -> list[str]:
    """All but 3 have voted for the end, and only 0 sees the epoch begin that leaves 3 out."""
    evening = Evening([0, 1, 2, 3], off, rounds=1)
    evening.play()
    evening.vote(s0=0, s1=0, s2=0)
    evening.sign(1, (0, 1, 2), 0, 1, 2)
    evening.give((1, 0), (2, 0))
    evening.sign(2, (1, 2, 3), 1, 2, 3)
    evening.heal({1, 2, 3})
    assert all(evening.seats[key].end for key in (1, 2, 3))
    return faults(evening)


def late_confirm(off: str | None) -> list[str]:
    """0 has promised to go on without 2 when it hears from 2; 1 has begun that epoch, and 0 never will."""
    evening = Evening([0, 1, 2, 3], off, rounds=1)
    evening.play()
    evening.vote(s0=0, s1=0, s2=0)
    evening.sign(1, (0, 1, 2), 0, 1, 2)
    evening.give((1, 0), (2, 0), (0, 1), (1, 0), (1, 2))
    assert evening.seats[2].end and not evening.seats[1].end
    evening.sign(2, (0, 1), 0)
    evening.give((0, 1))
    evening.sign(2, (0, 1), 1)
    evening.give((2, 0))
    return faults(evening) if evening.heal({0, 1}) else ["stuck"]


@pytest.mark.parametrize(
    "trap",
    [
        attempts,
        late_goodbyes,
        adopt,
        freeze,
        own_seat,
        keepers_once,
        echo,
        start_echo,
        stayers_only,
        one_at_a_time,
        answer,
        late_begin,
        own_words,
        after_void,
        alone,
        silent_bot,
        late_yes,
        confirm,
        late_confirm,
    ],
    ids=lambda trap: trap.__name__,
)
def test_the_rule_is_needed(trap) -> None:  # type: ignore[no-untyped-def]
    assert trap(trap.__name__), "nothing goes wrong without the rule"
    assert not trap(None)
