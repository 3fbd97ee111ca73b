"""Carries out what was typed at a table besides moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from cli.clean import clean
from cli.games.base.answers import TypedCommand
from cli.games.cards import plain
from cli.games.explain import explain
from cli.games.position import Position
from cli.plain.telling import CHAT_CELLS, Telling
from cli.plain.verbs import words_for
from cli.view.partings import can_only_wait
from cli.view.secret_check import asks_for_words, words_told
from protocol.errors import IllegalMove
from protocol.messages import Opinion

Rules: TypeAlias = Callable[[str], Sequence[str]]
"""A part of the rules, as it is asked for."""


class Commands:
    """The commands of one seat at a table."""

    def __init__(self, telling: Telling, rules: Rules | None = None, fill: Callable[[], bool] | None = None) -> None:
        """`fill`: lets a bot of ours take the seat that the game needs; False if that is not ours to do."""
        self._ = telling._
        self.telling = telling
        self.outlook = telling.outlook
        self.rules, self.fill = rules, fill

    async def carry_out(self, command: TypedCommand, position: Position | None) -> list[str]:
        """What is told of it. A watcher's words for players do nothing."""
        _, outlook, playing = self._, self.outlook, self.outlook.playing
        narrator, text = outlook.narrator, command.text
        match command.name:
            case "nothing":
                return [_("OK.")]
            case "say":
                await playing.say(clean(text, CHAT_CELLS))
                return []
            case "who":
                told = [*narrator.situation(playing.view()), *outlook.away()]
                return [_.join([*told, *outlook.people()] if plain(text) in words_for(_, "all") else told)]
            case "hand" if position is not None:
                return outlook.hand(position)
            case "score":
                return [_.join(narrator.score(playing.view())) or _("There are no points yet.")]
            case "verify":
                return self.telling.fairness()
            case "words":
                return await self._words()
            case "rules":
                return list(self.rules(text)) if self.rules else [_("There are no rules to show here.")]
            case "hint" if position is not None:
                return [outlook.reader.moves.hint(position)]
            case "moves" if position is not None:
                return outlook.reader.moves.listed(position)
            case "help":
                return [_("You can type:"), *self._help(position)]
            case "ready":
                await playing.ready()
                return [_("You’re ready.")]
            case "vote" | "wait" | "unvote":
                return await self._vote(command.name)
            case "bot" if self.fill is not None and self.fill():
                return [_("A bot takes the empty seat.")]
            case "bot":
                return [_("No seat is waiting for a bot of yours.")]
            case "aside" if can_only_wait(self.telling.paused):
                return [_("The match is put aside, unfinished. Nobody loses it.")]
            case "aside":
                return [_("You can put a match aside only while it is waiting for somebody it can’t go on without.")]
            case "quit" | "goodbye":
                is_for_good = command.name == "goodbye"
                await playing.leave(for_good=is_for_good)
                return [_("You quit for good.") if is_for_good else _("You stepped away. Your seat is kept.")]
            case _other:
                return [_("You’re only watching. Type help.")]

    def _help(self, position: Position | None) -> list[str]:
        telling = self.telling
        return self.outlook.reader.help(
            position,
            telling.between_rounds,
            telling.paused is not None,
            telling.lacks_player and self.fill is not None,
            can_only_wait(telling.paused),
        )

    async def _words(self) -> list[str]:
        """The player has compared them."""
        _, playing = self._, self.outlook.playing
        if asks_for_words(playing):
            await playing.confirm_words()
        return [words_told(_, playing) or _("There is nobody to compare words with.")]

    async def _vote(self, name: str) -> list[str]:
        """Votes on playing on without those who are missing; the news tell how the votes stand."""
        _, outlook = self._, self.outlook
        if self.telling.paused is None:
            return [_("Nobody is missing: there is nothing to vote on.")]
        opinion = {"vote": Opinion.FOR, "wait": Opinion.AGAINST, "unvote": Opinion.NONE}[name]
        try:
            await outlook.playing.vote(opinion)
        except IllegalMove as fault:
            return [explain(_, fault, outlook.narrator.cards, outlook.narrator.names)]
        told = {
            "vote": _("You voted to play on."),
            "wait": _("You voted to wait."),
            "unvote": _("Your vote is undone."),
        }
        return [told[name]]
