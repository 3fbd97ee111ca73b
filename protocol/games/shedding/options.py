"""Options that shedding games share."""

from __future__ import annotations

from protocol.games.deck_style import RANK_PLURALS
from protocol.games.game import Option
from protocol.games.labels import Plural, key

POINTS, CARDS = Plural("{n} point", "{n} points"), Plural("{n} card", "{n} cards")
BY_PLAYERS = key("by number of players")
ONE_ROUND = key("a single round")

TEAMS = Option(
    False,
    values=(False, True),
    text="partners sit opposite: seats 0 and 2 against 1 and 3",
    label=key("Partners"),
    about=key("Four players in two teams; your partner sits opposite."),
    names={False: key("none"), True: key("two teams")},
)
DECKS = Option(
    None,
    low=1,
    high=4,
    none=True,
    text="number of decks (null: depends on the number of players)",
    label=key("Decks"),
    about=key("How many decks are shuffled together; usually depends on the number of players."),
    names={None: BY_PLAYERS},
)
HAND = Option(
    None,
    low=1,
    high=15,
    none=True,
    text="cards dealt to each player (null: depends on the number of players)",
    label=key("Cards per player"),
    about=key(
        "How many cards each player gets; usually depends on the number of players. Fewer cards make shorter rounds."
    ),
    names={None: BY_PLAYERS},
)


def target_option(default: int, high: int = 100_000) -> Option:
    """Return the option for the points that end a match."""
    return Option(
        default,
        low=0,
        high=high,
        text="points that end the match (0: one round only)",
        label=key("Play to"),
        about=key("The match ends at this many points; the lowest setting is a single round."),
        names={0: ONE_ROUND},
        unit=POINTS,
    )


def draw_option(default: str) -> Option:
    """Return the option for how many cards may be drawn in a turn, "until" or "one"."""
    return Option(
        default,
        values=("until", "one"),
        text="draw until you can play, or at most one card per turn",
        label=key("Drawing"),
        about=key("Draw as often as you like, or at most one card a turn for shorter rounds."),
        names={"one": key("one card a turn"), "until": key("until you can play")},
    )


def recycle_option(default: bool) -> Option:
    """Return the option to shuffle the pile and draw from it again."""
    return Option(
        default,
        values=(default, not default),
        text="reshuffle the discard pile when the stock runs out",
        label=key("Reshuffle the discard pile"),
    )


def effect_option(label: str, text: str, ranks: tuple[str, ...]) -> Option:
    """Return an option for the rank that has an effect, or none."""
    names: dict[object, str] = {None: key("none"), **{rank: RANK_PLURALS[rank] for rank in ranks}}
    return Option(None, values=ranks, none=True, text=text, label=label, names=names)
