"""The rules of the change of epoch, each of which can be switched off."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Rules:
    """All rules hold by default; a test that switches one off must see something break."""

    attempts: bool = True
    """A quorum also has half of every later epoch that one of its seats signed for, whether or not that one began."""
    late_goodbyes: bool = True
    """A goodbye is deducted only from epochs numbered from the highest number that its seat signed."""
    freeze: bool = True
    """Whoever has signed a `without` signs nothing and counts no vote of a lower epoch."""
    adopt: bool = True
    """The entry above the highest certificate counts as certified if all who stay have voted alike there."""
    answer: bool = True
    """Whoever sees a `without` signs, even if nobody is missing any more."""
    own_seat: bool = True
    """A keeper counts by their own seat, or by all their bots if they have none; no bot stays without them."""
    keepers_once: bool = True
    """A keeper counts once, however many bots they keep."""
    echo: bool = True
    """After a split vote every duty waits for everybody's echo of the certificate."""
    start_echo: bool = True
    """In a new epoch the first duties wait for everybody's echo of its start."""
    stayers_only: bool = True
    """Seats that are added have no say in the choice of the start."""
    one_at_a_time: bool = True
    """One change of epoch adds the seats of at most one keeper."""
    silent_bot: bool = True
    """A bot whose keeper's last promise leaves it out, so that somebody can sit there, does not answer that."""
    alone: bool = True
    """Whoever is alone at the table with bots may let others in."""
    after_void: bool = True
    """The start of an epoch that made the round void lies between rounds too, as a closing does."""
    late_yes: bool = True
    """Whoever has voted for the next opening may still agree that a seat is taken."""
    late_begin: bool = True
    """Whoever learns that an epoch began goes on from there, even if they have signed for a later one meanwhile."""
    own_words: bool = True
    """Whether an epoch began is judged by what its own `without`s name, not by what else the judge knows."""
    confirm: bool = True
    """An end at which an epoch begins stands only once all of that epoch have said there that they have it."""
    late_confirm: bool = True
    """It counts for whoever has gone on to a later epoch, too."""
