"""A client's progress in words."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from cli.games.titles import game_title
from cli.news import (
    AwaitedSeats,
    BotsChanged,
    BotsComing,
    Disturbed,
    GuestProfile,
    JoinAddress,
    NoAnswer,
    PhonesAddress,
    PlayingOn,
    Progress,
    Resuming,
    Searching,
    SeatTaken,
    SetAside,
    TableSeen,
    TableWords,
    VotesCast,
)
from cli.text import Translator
from cli.view.bot_news import bots_told
from cli.view.partings import fate_line, recovery_ends, recovery_lacks
from cli.view.tables import table_line


def progress_lines(_: Translator, progress: Progress) -> Iterator[str]:
    """The lines that tell it."""
    match progress:
        case GuestProfile(number):
            yield _("Fairdeal is already running on this computer, so you play here as guest {number}.", number=number)
        case Resuming(game, table, instead_of):
            name = game_title(_, game)
            yield _(
                "You are back in your match: {game}, {title}. Waiting for the other players…", game=name, title=table
            )
            if instead_of:
                wanted = game_title(_, instead_of)
                yield _("Finish it before you start {game}, or quit it for good with --fresh.", game=wanted)
        case SetAside(table, copy):
            yield _(
                "Your unfinished match “{table}” was started with an older version of Fairdeal and can’t be continued. "
                "A copy is kept in {path}.",
                table=table,
                path=copy,
            )
        case JoinAddress(address):
            yield _("Friends can join with: fairdeal join {address}", address=address)
        case PhonesAddress(address):
            yield _("Phones can join with: {address}", address=address)
        case BotsComing():
            yield _("The bots are sitting down; the cards will be dealt in a moment.")
        case Searching(is_again):
            looking = _("Still looking for a table…") if is_again else _("Looking for a table on this network…")
            yield _.join([looking, _("Press Ctrl-C to stop. If you know the host’s address: fairdeal join ADDRESS")])
        case TableSeen(table):
            yield table_line(_, table)
        case NoAnswer():
            yield _("No answer yet. Still trying… (Ctrl-C to stop)")
            yield _("To find out why: fairdeal doctor")
        case Disturbed(host):
            yield _(
                "The computer at {host} is disrupting this table from outside. Fairdeal is holding it back, so you can play on.",
                host=host,
            )
        case BotsChanged(piece, is_seated):
            yield bots_told(_, piece, is_seated=is_seated)
        case AwaitedSeats(()):
            yield _("The match continues.")
        case AwaitedSeats(names, vote_s):
            told = [_("Paused: waiting for {names}.", names=_.list(names))]
            if vote_s is not None:
                told.append(
                    _(
                        "In {seconds} s the table can vote to play on without {names}.",
                        seconds=ceil(vote_s),
                        names=_.list(names),
                    )
                )
            yield _.join(told)
        case VotesCast(agreed, against):
            yield _.join(
                [
                    *([_("Voted to play on: {names}.", names=_.list(agreed))] if agreed else []),
                    *([_("Voted to wait: {names}. So the table waits.", names=_.list(against))] if against else []),
                ]
            )
        case PlayingOn(is_left_out=True, may_return=True):
            yield _.join([_("The match continues without you."), _("You are back next round.")])
        case PlayingOn(is_left_out=True):
            yield _("The match continues without you. Fairdeal watches until it ends.")
        case PlayingOn(names, fate, ends_recovery=ends):
            told = [_("You play on without {names}.", names=_.list(names)), *fate_line(_, fate)]
            yield _.join([*told, *([recovery_ends(_)] if ends else [])])
        case SeatTaken(name, was_ours=True):
            yield _("{name} took over your seat. You watch until the match ends.", name=name)
        case SeatTaken(is_own=True, is_back=True):
            yield _("You are back in the game.")
        case SeatTaken(is_own=True, bot=str(bot)) if bot:
            yield _("You took over the seat of {bot} and its points.", bot=bot)
        case SeatTaken(is_own=True):
            yield _("You took over an empty seat and its points.")
        case SeatTaken(name, is_back=True):
            yield _("{name} is back in the game.", name=name)
        case SeatTaken(name, bot=str(bot)) if bot:
            yield _("{name} took over the seat of {bot}.", name=name, bot=bot)
        case SeatTaken(name):
            yield _("{name} took over an empty seat.", name=name)
        case TableWords(words, lacks_recovery):
            yield _("Secret-check words: {words}", words=" ".join(words))
            if lacks_recovery:
                yield recovery_lacks(_)
