"""Two links to one peer, opened at once because both sides called: both ends keep the one that the smaller key called."""

from __future__ import annotations

from collections.abc import Iterable

from p2p.links import Link

DUEL_S = 2.0
"""Within this time both sides may have called; a second link later means that the first is lost."""


def is_duel(old: Link, new: Link) -> bool:
    """Return whether both sides called at once. Otherwise the peer called because its end of the old link is gone."""
    return (
        old.is_open
        and old.is_caller != new.is_caller
        and old.hello.run == new.hello.run
        and new.opened_at - old.opened_at < DUEL_S
    )


class Duels:
    """The losers that are still open, as their winners may not be open at the other end yet."""

    def __init__(self) -> None:
        self._losers: dict[Link, Link] = {}  # by winner

    def retire(self, loser: Link, winner: Link, links: Iterable[Link]) -> None:
        """End the loser once the winner is open at the other end, which may have only the loser until then.

        Of `links`, all that the peer has opened, only these two are kept: else it could keep any number, none of which counts.
        """
        for link in links:
            if link not in (winner, loser):
                link.close("duel", listen=True)
        self._losers[winner] = loser
        if winner.has_received:
            self.decide(winner)

    def decide(self, winner: Link) -> None:
        """End the loser to this link, if there is one: the winner is open at the other end."""
        loser = self._losers.pop(winner, None)
        if loser is not None:
            loser.close("duel", listen=True)

    def lose(self, link: Link) -> Link | None:
        """Return the link that stays open instead of this one, which has ended before it was open at the other end."""
        loser = self._losers.pop(link, None)
        return loser if loser is not None and loser.is_open else None
