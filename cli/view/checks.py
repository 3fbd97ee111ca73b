"""What this machine has checked, in words: for the fairness report of either client."""

from __future__ import annotations

from cli.news import Player, Playing
from cli.text import Translator
from protocol.table.effort import Checked


def check_text(_: Translator, check: Checked) -> str:
    """What was proven by it."""
    match check.what:
        case "own-shuffle":
            return _("Your own shuffle, with its proof")
        case "shuffles":
            return _.n("{n} shuffle proof valid", "{n} shuffle proofs valid, checked together", check.count)
        case "hands":
            return _.n(
                "{n} hand dealt, visible only to its owner",
                "{n} hands dealt, each visible only to its owner",
                check.count,
            )
        case "reshuffles":
            return _.n(
                "The discard pile was reshuffled: {n} shuffle proof valid",
                "The discard pile was reshuffled: {n} shuffle proofs valid",
                check.count,
            )
        case "draws":
            return _("Cards drawn or passed, opened only to their owners")
        case "moves":
            return _.n("{n} move, signed and unaltered", "{n} moves, all signed and unaltered", check.count)
        case "round":
            return _("After the round all hands were opened and every move rechecked")


def check_about(_: Translator, check: Checked) -> str:
    """How it was proven, for who wants to know."""
    match check.what:
        case "own-shuffle":
            return _("You shuffled the deck of locked boxes and added your own padlock to every box.")
        case "shuffles":
            return _("Each proof shows that the same cards are there in a new order, without revealing the order.")
        case "hands":
            return _(
                "All other players took their padlock off a card for its owner only, and proved they used "
                "the right key."
            )
        case "reshuffles":
            return _("All players shuffled it in turn, like the deck: nobody knows where its cards are now.")
        case "draws":
            return _("As with the hands: all other players unlocked these cards for their new owner only.")
        case "moves":
            return _("Each move is signed and linked to the one before; each card shown is proven to be that card.")
        case "round":
            return _("After a round its keys are revealed, and your computer recalculates everything that was hidden.")


def took_text(_: Translator, check: Checked) -> str:
    """How long that took."""
    took_ms = check.took_s * 1000
    return _("under 1 ms") if took_ms < 0.95 else _("{ms} ms", ms=round(took_ms))


def computer_told(_: Translator, playing: Playing, player: Player) -> str:
    """On whose computer a bot plays, or through whose a phone; empty for a player who has a computer."""
    if not player.through:
        return ""
    is_ours = playing.seat is not None and player.through == playing.players[playing.seat].name
    if player.is_phone and is_ours:
        return _("{name} plays by phone, through your computer.", name=player.name)
    if player.is_phone:
        return _("{name} plays by phone, through {keeper}’s computer.", name=player.name, keeper=player.through)
    if is_ours:
        return _("{name} plays on your computer.", name=player.name)
    return _("{name} plays on {keeper}’s computer.", name=player.name, keeper=player.through)


def secrecy_told(_: Translator, playing: Playing) -> str:
    """Who could not see the cards, no more than is true; empty where one computer runs all seats."""
    computers = {player.through or player.name for player in playing.players}
    if len(computers) == 1:
        return ""
    if playing.seat is None or len(computers) < len(playing.players):
        return _("No single computer, not even the host’s, could see all the cards or choose them.")
    if playing.facts.recovery:
        return _(
            "Nobody could choose your cards. Only everyone else together could peek at them, so they can play on if "
            "you vanish."
        )
    return _("Nobody, not even the host, could peek at your cards or choose them.")


def trust_told(_: Translator, playing: Playing) -> str:
    """To a phone, under which condition all this holds: its page came from somebody's computer."""
    me = None if playing.seat is None else playing.players[playing.seat]
    if me is None or not me.is_phone:
        return ""
    return _(
        "This page came from {name}’s computer, so all this holds as long as that computer runs the real Fairdeal. It and "
        "this phone count as one player.",
        name=me.through,
    )
