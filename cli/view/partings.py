"""Seats that are missing, left or were caught, in words: for the box, the log and plain mode."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from cli.games.base.narrator import Narrator
from cli.games.base.prompts import elapsed
from cli.games.explain import explain
from cli.games.titles import game_title
from cli.news import (
    Fate,
    MatchEnded,
    Paused,
    Player,
    Playing,
    SeatOffered,
    SeatWanted,
    TookSeat,
    VotedOn,
    WentOn,
)
from cli.text import Translator
from protocol.cards import Seat
from protocol.table.events import Cause
from protocol.table.pauses import OFFER_S, SHORT_S
from protocol.table.places import Departure, Place


def fate_told(who: Narrator, without: Sequence[Seat], fate: Fate) -> str:
    """What becomes of the round once the vote is carried."""
    _, names = who._, who.everyone(without)
    match fate:
        case Fate.PLAYED:
            return _("The hand of {names} is then opened, and the computer plays it.", names=names)
        case Fate.VOID:
            return _("This round then doesn’t count: no points.")
        case Fate.SHORT:
            return _(
                "{game} needs all its players, so somebody else can then take the seat.",
                game=game_title(_, who.game.name),
            )
        case Fate.NONE:
            return _("The next round is then dealt without {names}.", names=names)
        case Fate.END:
            return _("The match then ends without {names}.", names=names)


def can_only_wait(paused: Paused | None) -> bool:
    """Whether somebody is awaited without whom those who are there cannot play on."""
    return paused is not None and bool(paused.awaited) and paused.left_s is None and not paused.joining


def awaited_told(who: Narrator, paused: Paused) -> str:
    """Whom the table waits for."""
    _ = who._
    if paused.joining:
        return _("Waiting for {names} to sit down", names=_.list(paused.joining))
    return _("Paused: waiting for {names}", names=who.everyone(paused.awaited))


def alone_told(who: Narrator, paused: Paused, passed_s: float = 0.0) -> list[str]:
    """Who left us alone with somebody who is only just sitting down, and how long we wait for that."""
    _, names, time = who._, who._.list(paused.joining), elapsed(max(0.0, paused.ends_s - passed_s))
    told = [] if paused.left is None else [_("{name} quit for good.", name=who.name(paused.left))]
    return [*told, _("If {names} doesn’t sit down within {time}, the match is over.", names=names, time=time)]


def votes_told(who: Narrator, paused: Paused, passed_s: float) -> list[str]:
    """How the vote to play on stands, and until when it is closed. `passed_s`: seconds since `paused` was reported."""
    _, names = who._, who.everyone(paused.leaving or paused.awaited)
    if paused.left_s is None:
        return []
    left_s = paused.left_s - passed_s
    if left_s > 0:
        return [_("In {time} you can vote to play on without {names}.", time=elapsed(left_s), names=names)]
    silent = [seat for seat in paused.needed if seat not in (*paused.agreed, *paused.against)]
    told = []
    if paused.agreed:
        told.append(_("Voted to play on: {names}.", names=who.everyone(paused.agreed)))
    if paused.against:
        told.append(_("Voted to wait: {names}. So the table waits.", names=who.everyone(paused.against)))
    elif paused.agreed and silent and paused.silent_s is not None:
        left = elapsed(max(0.0, paused.silent_s - passed_s))
        told.append(_("Still to vote: {names} (abstain in {time}).", names=who.everyone(silent), time=left))
    if not told:
        told.append(_("You can now vote to play on without {names}. One “no” is enough to wait.", names=names))
    return told


def voted_on_told(who: Narrator, news: VotedOn) -> str:
    """Say that others want to play on without us, and what to do."""
    _, names = who._, who.everyone(news.by)
    return _.n(
        "{names} votes to play on without you. Make your move, and you stay.",
        "{names} vote to play on without you. Make your move, and you stay.",
        len(news.by),
        names=names,
    )


def went_on_told(who: Narrator, news: WentOn, players: Sequence[Player], me: Seat | None) -> list[str]:
    """Who left and why, and how the others play on. `me`: our seat, if we have one."""
    _ = who._
    is_watching = me is None or players[me].left
    if not news.without and news.withdrawn:
        return [_("{name} sat down but left again. You play on as before.", name=news.withdrawn)]
    if not news.without:
        return [_("Some messages got lost. Everyone is still here, and the match continues."), *fate_line(_, news.fate)]
    leaving = {players[seat].name for seat in news.without}
    company = {seat: each.through for seat in news.without if (each := players[seat]).bot and each.through in leaving}
    told = [_cause_told(who, seat, cause) for seat, cause in news.without.items() if seat not in company]
    for keeper in dict.fromkeys(company.values()):
        bots = who.everyone([seat for seat in company if company[seat] == keeper])
        told.append(_("{bots} ran on {name}’s computer and left, too.", bots=bots, name=keeper))
    names = who.everyone(tuple(news.without))
    if who.seat in news.without:
        told.append(_("The match continues without you. You are watching now."))
        if news.may_return:
            told.append(_("You are back next round."))
    elif news.fate is Fate.SHORT:
        told.append(seat_is_free(_, who.game.name, bot_may_come(players, news.without)))
    elif is_watching:
        told.append(_("The match continues without {names}.", names=names))
    else:
        told.append(_("You play on without {names}.", names=names))
    told += fate_line(_, news.fate) if news.fate is not Fate.SHORT else []
    if news.ends_recovery and who.seat not in news.without:
        told.append(recovery_ends(_))
    if news.is_dropped:
        told.append(_("The last move didn’t reach everyone, so it doesn’t count."))
    return told


def recovery_ends(_: Translator) -> str:
    """Say that so few are left that the coming rounds cannot be finished without one of them."""
    return _("Too few computers are left: from the next round on, a round that somebody leaves doesn’t count.")


def recovery_lacks(_: Translator) -> str:
    """Say that the table asked for recovery in vain."""
    return _(
        "If somebody leaves, the round doesn’t count: the host wants it to be finished, but too few computers are playing."
    )


def fate_line(_: Translator, fate: Fate) -> list[str]:
    """What became of the round that was under way."""
    match fate:
        case Fate.VOID:
            return [_("This round doesn’t count.")]
        case Fate.PLAYED:
            return [_("That hand is now open, and the computer plays it.")]
        case Fate.SHORT:
            return [_("Somebody in the room can now take the seat.")]
        case Fate.NONE | Fate.END:
            return []


def bot_may_come(players: Sequence[Player], without: Collection[Seat]) -> bool:
    """Whether a bot takes an empty seat if nobody else does: somebody who stays has a computer for it, not a phone."""
    stay = [each for seat, each in enumerate(players) if seat not in without and not each.left]
    return any(not each.through for each in stay)


def free_for_s(by_bot: bool) -> float:
    """How long somebody can take the seat before a bot does, or the match ends."""
    return OFFER_S if by_bot else SHORT_S


def seat_is_free(_: Translator, game: str, by_bot: bool) -> str:
    """Say that the match waits for somebody who takes the seat, and what happens then. `by_bot`: see `bot_may_come`."""
    told, seconds = _("{game} needs all its players.", game=game_title(_, game)), round(free_for_s(by_bot))
    if by_bot:
        then = _("For {seconds} seconds somebody in the room can take the seat, then a bot does.", seconds=seconds)
    else:
        then = _("For {seconds} seconds somebody in the room can take the seat, then the match ends.", seconds=seconds)
    return _.join([told, then])


def sits_down_told(_: Translator) -> str:
    """Say that we have asked for a seat at the running match."""
    return _("You sit down when the round is over. The match is being checked meanwhile…")


def offered_told(_: Translator, offered: SeatOffered, *, is_watching: bool = False) -> str:
    """Say that a seat can be taken, whose it was, and its points. `is_watching`: at the table rather than in the room."""
    points = _.n("{n} point", "{n} points", offered.points)
    if offered.is_bots and is_watching:
        return _(
            "A bot makes room for you · {@play:take over from {name}, with {points}}", name=offered.name, points=points
        )
    if offered.is_bots:
        return _(
            "A bot makes room for you · {@row-enter:take over from {name}, with {points}}",
            name=offered.name,
            points=points,
        )
    if is_watching:
        return _("A seat is empty · {@play:take over from {name}, with {points}}", name=offered.name, points=points)
    return _("A seat is empty · {@row-enter:take over from {name}, with {points}}", name=offered.name, points=points)


def _cause_told(who: Narrator, seat: Seat, cause: Cause) -> str:
    match cause:
        case Cause.GOODBYE:
            return who.did(seat, "You quit for good.", "{name} quit for good.")
        case Cause.CONVICTED:
            return who.did(seat, "You were caught cheating.", "{name} was caught cheating.")
        case Cause.ROOM:
            return who._("{name} makes room for somebody else.", name=who.name(seat))
        case Cause.VOTE:
            return who.did(seat, "You were away, so the table voted to play on.", "{name} did not come back.")


def match_ended_told(who: Narrator, news: MatchEnded) -> list[str]:
    """Say that the match is over, why if it ended early, who won, and who finishes last for another reason than points."""
    early = [explain(who._, news.early, who.cards, who.names)] if news.early is not None else []
    return [*early, *who.match_ended(news.view, first_of(news)), *last_places_told(who, news)]


def took_seat_told(who: Narrator, news: TookSeat) -> str:
    """Say that an empty seat is taken."""
    if news.was_ours:
        return who._("{name} took over your seat. You watch until the match ends.", name=who.name(news.seat))
    if news.is_back:
        return who.did(news.seat, "You are back in the game.", "{name} is back in the game.")
    if news.bot:
        return who.did(
            news.seat,
            "You took over the seat of {bot} and its points.",
            "{name} took over the seat of {bot}.",
            bot=news.bot,
        )
    return who.did(news.seat, "You took over an empty seat and its points.", "{name} took over an empty seat.")


def seat_wanted_told(who: Narrator, news: SeatWanted) -> str:
    """Say that somebody takes a bot's seat when the round is over."""
    return who._(
        "{other} takes over the seat of {name} when the round is over.", other=news.name, name=who.name(news.seat)
    )


def first_of(news: MatchEnded) -> tuple[Seat, ...]:
    """Who came first, where the match says so: a game alone knows nothing of who left, or of a number of rounds."""
    return tuple(each.seat for each in news.places if each.place == 1)


def back_told(who: Narrator, seat: Seat, players: Sequence[Player]) -> str:
    """Say that somebody is back: in the seat, or, if the others play on without it, to watch."""
    if players[seat].left:
        return who._("{name} is back and watching.", name=who.name(seat))
    return who._("{name} is back.", name=who.name(seat))


def last_places_told(who: Narrator, news: MatchEnded) -> list[str]:
    """Who finishes last for another reason than points."""
    return [last_place_told(who, each) for each in news.places if each.reason is not None]


def last_place_told(who: Narrator, place: Place) -> str:
    """Why a seat stands last whatever its points; empty where its points are the reason."""
    match place.reason:
        case Departure.LEFT:
            return who.did(place.seat, "You finish last: you quit for good.", "{name} finishes last: quit for good.")
        case Departure.CONVICTED:
            return who.did(place.seat, "You finish last: caught cheating.", "{name} finishes last: caught cheating.")
        case Departure.WITHHELD:
            return who.did(
                place.seat,
                "You finish last: you were gone when the hands had to be opened.",
                "{name} finishes last: gone when the hands had to be opened.",
            )
        case None:
            return ""


def goodbye_told(_: Translator, playing: Playing) -> str:
    """What quitting for good would do to the match, for the question whether to."""
    me, players, game = playing.seat, playing.players, playing.game
    others = [seat for seat, player in enumerate(players) if seat != me and not player.left]
    ours = {players[me].name} if me is not None else set()
    # A phone stays, and is its own keeper, whoever serves its page.
    own_bots = {seat for seat in others if players[seat].bot and players[seat].through in ours}
    people = [seat for seat in others if not players[seat].bot or players[seat].through not in {"", *ours}]
    keepers = {players[seat].through if players[seat].bot else players[seat].name for seat in people}
    if not keepers:
        return _("If you quit for good, the match ends.")
    if len(keepers) == 1:
        return _("If you quit for good, {name} wins.", name=_.list(sorted(keepers)))
    ours_leave = [_("Your bots leave with you.")] if own_bots else []
    stay = [seat for seat in others if seat not in own_bots]
    if not game.can_deal_to(stay):
        told = _("If you quit for good, you finish last. Somebody in the room or a bot can take your seat.")
        return _.join([*ours_leave, told])
    names = _.list(players[seat].name for seat in stay)
    told = _("If you quit for good, {names} play on and you finish last.", names=names)
    return _.join([*ours_leave, told])


def watching_told(_: Translator) -> str:
    """When somebody who watches the running match of the room plays, and which seats can be had before."""
    return _(
        "You’ll play in the next match. Before that you can take over the seat of a bot, or of somebody who quits for good."
    )
