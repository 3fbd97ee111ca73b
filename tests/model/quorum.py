"""Which seats may go on: pure functions of a roll, of who stays, and of who has left."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from .rules import Rules
from .values import Attempt, Epoch, Goodbye, Key, Roll


def voices(roll: Roll, rules: Rules) -> dict[Key, frozenset[Key]]:
    """Whoever counts in a roll, with the keys that speak for them: the keeper's own, or those of all their bots."""
    if not rules.keepers_once:
        return {player.key: frozenset([player.key]) for player in roll}
    kept: dict[Key, set[Key]] = {}
    for player in roll:
        kept.setdefault(player.keeper, set()).add(player.key)
    if not rules.own_seat:
        return {keeper: frozenset(keys) for keeper, keys in kept.items()}
    return {keeper: frozenset([keeper] if keeper in keys else keys) for keeper, keys in kept.items()}


def share(roll: Roll, keys: Collection[Key], left: Collection[Key], rules: Rules) -> tuple[int, int]:
    """How many voices of a roll are among `keys`, and how many it has, without the keepers who `left`."""
    all_of = {keeper: keys_of for keeper, keys_of in voices(roll, rules).items() if keeper not in left}
    if rules.own_seat:
        present = [keeper for keeper, speakers in all_of.items() if speakers <= set(keys)]
    else:
        present = [keeper for keeper, speakers in all_of.items() if speakers & set(keys)]
    return len(present), len(all_of)


def is_whole(stay: Roll, roll: Roll, rules: Rules) -> bool:
    """Whether nobody stays whose keeper does not."""
    if not rules.own_seat or not rules.keepers_once:
        return True
    keys = {player.key for player in stay}
    return all(voices(roll, rules)[player.keeper] <= keys for player in stay)


def is_quorum(
    stay: Roll,
    added: Roll,
    number: int,
    base: Epoch,
    attempts: Iterable[Attempt],
    goodbyes: Iterable[Goodbye],
    convicted: Collection[Key],
    rules: Rules,
) -> bool:
    """Whether `stay` may leave the others out of `base` and begin epoch `number`, with `added` seats.

    `convicted`: the keepers of all convicted keys.
    """
    goodbyes = list(goodbyes)
    if not set(stay) <= set(base.roll) or not is_whole(stay, base.roll, rules):
        return False

    def left(at: int) -> set[Key]:
        known = {bye.key for bye in goodbyes if not rules.late_goodbyes or bye.number <= at}
        return known | set(convicted)

    keys = {player.key for player in stay}
    here, of = share(base.roll, keys, left(base.number), rules)
    is_everybody = rules.alone and here == len(voices(base.roll, rules))
    if (here < 2 and not is_everybody) or 2 * here <= of:
        return False
    if not rules.attempts:
        return True
    keys |= {player.key for player in added}
    for attempt in attempts:
        if base.number < attempt.number < number:
            here, of = share(attempt.roll, keys, left(attempt.number), rules)
            if 2 * here < of:
                return False
    return True
