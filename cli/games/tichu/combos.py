"""Names Tichu's combinations in short, live while cards are picked, and says what would make one of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from cli.games.position import Position
from cli.games.short_cards import ShortCards
from cli.text import Translator
from protocol.cards import PHOENIX, RANKS, Card
from protocol.games.tichu.combinations import Combo, Reading, beats, readings
from protocol.games.tichu.plays import groups
from protocol.games.tichu.view import TichuView
from protocol.games.views import PublicView, seen_as

MOST_OFFERED = 3
MOST_ADDED = 2
"""Who lacks more cards than this is on the way to something else."""


def combo_of(view: PublicView) -> Combo | None:
    """The combination to beat."""
    return seen_as(TichuView, view).combo


def named(_: Translator, combo: Combo) -> str:
    """A combination in short: "straight 3-7", "pair of 9s"."""
    top = value(_, combo.rank)
    low = value(_, combo.rank - combo.size + 1)
    match combo.kind:
        case "single" if top == "1":
            return _("single {rank}", rank=_("Mah Jong"))
        case "single":
            return _("single {rank}", rank=top)
        case "pair":
            return _("pair of {rank}s", rank=top)
        case "triple":
            return _("triple of {rank}s", rank=top)
        case "full_house":
            return _("full house of {rank}s", rank=top)
        case "straight":
            return _("straight {low}-{high}", low=low, high=top)
        case "stairs":
            return _("stairs {low}-{high}", low=value(_, combo.rank - combo.size // 2 + 1), high=top)
        case "bomb" if combo.size > 4:
            return _("BOMB: straight {low}-{high}", low=low, high=top)
        case "bomb":
            return _("BOMB: four {rank}s", rank=top)
        case other:
            return other


def _alike(_: Translator, combo: Combo) -> str:
    """A combination beside one of the same kind, which need not be named twice."""
    match combo.kind:
        case "pair" | "triple" | "full_house":
            return _("{rank}s", rank=value(_, combo.rank))
        case "straight":
            return f"{value(_, combo.rank - combo.size + 1)}-{value(_, combo.rank)}"
        case "stairs":
            return f"{value(_, combo.rank - combo.size // 2 + 1)}-{value(_, combo.rank)}"
        case "single" if combo.rank != 1:
            return value(_, combo.rank)
        case _other:
            return named(_, combo)


def value(_: Translator, rank: float) -> str:
    """A combination's rank in short; the half step is the Phoenix's."""
    if 1 < rank < 2:
        return _("Phoenix (1.5)")  # led: nothing lies below it
    if rank != int(rank):
        return _("Phoenix on {rank}", rank=value(_, int(rank)))
    number = int(rank)
    if number == 15:
        return _("Dragon")
    if number == 1:
        return "1"
    if number == 0:
        return _("Dog")
    return "10" if number == 10 else RANKS[number - 2] if 2 <= number <= 14 else str(number)


def best(cards: Sequence[Card], top: Combo | None) -> Reading | None:
    """What the cards are read as: what beats the trick where some reading does, else the highest."""
    found = readings(cards, top)
    if not found:
        return None
    if top is not None:
        return next((each for each in found if beats(each.combo, top)), found[0])
    return found[0]


def asked(_: Translator, top: Combo) -> str:
    """What must be played on it, but for bombs."""
    rank = value(_, top.rank)
    match top.kind:
        case "single":
            return _("you need a single above {rank}", rank=_("Mah Jong") if rank == "1" else rank)
        case "pair":
            return _("you need a pair above {rank}s", rank=rank)
        case "triple":
            return _("you need a triple above {rank}s", rank=rank)
        case "full_house":
            return _("you need a full house above {rank}s", rank=rank)
        case "straight":
            return _(
                "you need a straight of {n} above {low}-{high}",
                n=top.size,
                low=value(_, top.rank - top.size + 1),
                high=rank,
            )
        case "stairs":
            return _(
                "you need stairs of {n} cards above {low}-{high}",
                n=top.size,
                low=value(_, top.rank - top.size // 2 + 1),
                high=rank,
            )
        case _bomb:
            return _("only a higher bomb beats it")


def described(_: Translator, cards: ShortCards, picked: Sequence[Card], position: Position, top: Combo | None) -> str:
    """What is picked, as a combination, against what lies on the table."""
    found = best(picked, top)
    if found is None:
        return mended(_, cards, picked, position, top)
    name = capital(named(_, found.combo))
    if top is None:
        return name
    is_alike = found.combo.kind == top.kind and found.combo.size == top.size
    theirs = _alike(_, top) if is_alike else named(_, top)
    if beats(found.combo, top):
        return _("{mine} beats {theirs}", mine=name, theirs=theirs)
    if is_alike:
        return _("{mine} does not beat {theirs}", mine=name, theirs=theirs)
    return _("{mine}: {asked}", mine=name, asked=asked(_, top))


def mended(_: Translator, cards: ShortCards, picked: Sequence[Card], position: Position, top: Combo | None) -> str:
    """No combination yet: which card to add or drop."""
    rest = [card for card in position.hand if card not in picked]
    adds = [card for card in rest if readings((*picked, card), top)]
    drops = [card for card in picked if len(picked) > 1 and readings([each for each in picked if each != card], top)]
    add = _.either(cards.say(card) for card in adds[:MOST_OFFERED])
    drop = _.either(cards.say(card) for card in drops[:MOST_OFFERED])
    if not add and (lacking := _lacking(picked, position.hand)):
        add = cards.row(lacking)
    if add and drop:
        return _("Not a combination: add {add}, or drop {drop}", add=add, drop=drop)
    if add:
        return _("Not a combination: add {add}", add=add)
    if drop:
        return _("Not a combination: drop {drop}", drop=drop)
    wanted = set(picked)
    plays = [set(each) for each in position.sets]
    if not plays or any(wanted <= cards_played for cards_played in plays):
        return _("Not a combination yet")
    nearest = max(plays, key=lambda cards_played: len(cards_played & wanted))
    over = [card for card in picked if card not in nearest]
    return _("No card in your hand completes it: drop {cards}", cards=cards.say_all(over))


def _lacking(picked: Sequence[Card], hand: Sequence[Card]) -> tuple[Card, ...]:
    """The fewest cards of the hand with which these are a combination, as long as there are few."""
    wanted = set(picked)
    whole = (set(group_cards) for group in groups(hand) for group_cards in group.cards)
    found = [[card for card in hand if card in each - wanted] for each in whole if wanted < each]
    few = [each for each in found if len(each) <= MOST_ADDED]
    # Rather without the Phoenix, which is worth more elsewhere.
    least: Sequence[Card] = min(few, key=lambda each: (len(each), PHOENIX in each), default=[])
    return tuple(least)


def tidy(cards: Sequence[Card], phoenix: str | None) -> list[Card]:
    """A combination as it is read: from low to high, a full house with its triple first. `phoenix`: the rank it stands for."""

    def rank(card: Card) -> int:
        return RANKS.find((phoenix or "") if card == PHOENIX else card[0]) if len(card) == 2 or card == PHOENIX else -1

    counts = Counter(rank(card) for card in cards)
    return sorted(cards, key=lambda card: (-counts[rank(card)], rank(card), card == PHOENIX, card))


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]
