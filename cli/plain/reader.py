"""Reads a typed line at a table: a command, an answer to a question, or a move, which the game's own reader takes.

Pure: a line and a `Position` come in, a reply goes out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cli.games.base.answers import Refusal, Reply, TypedCommand, TypedQuestion
from cli.games.cards import plain
from cli.games.face import Face
from cli.games.position import Position
from cli.plain.verbs import BY_NAME, COMMANDS, spellings
from cli.text import Translator
from protocol.cards import Seat


class Reader:
    """Reads lines for one seat (None: a watcher, whose lines are never moves) in one language."""

    def __init__(
        self, _: Translator, face: Face, names: Sequence[str], seat: Seat | None, goodbye: Callable[[], str] = str
    ) -> None:
        """`goodbye` tells what quitting for good would do to the match."""
        self._ = _
        self._goodbye = goodbye
        self.moves = face.reader(_, names, seat)
        self.spellings = spellings(_)
        self.own = {verb.name for verb in self.moves.verbs}

    # --- the line ---

    def read(self, line: str, position: Position | None, asked: TypedQuestion | None = None) -> Reply | None:
        """What the line means; None for an empty one."""
        typed = plain(line)
        if not typed:
            return None
        if asked is not None and (answer := self._answer(typed, asked)) is not None:
            return answer
        first, _space, rest = line.strip().partition(" ")
        if typed.startswith("/") and not typed.startswith("/ "):
            first, rest = "/", line.strip()[1:]
        verb = self.spellings.get(plain(first))
        is_over = position is not None and position.view.round_over
        # A game may call a move as we call a command: then the move counts while it can be made.
        if position is not None and not is_over and (reply := self.moves.by_label(line, position)) is not None:
            return reply
        if verb is not None and not BY_NAME[verb].move:
            return self._command(verb, rest.strip(), position)
        if position is None:
            return Refusal(self._("You’re only watching. Type help."))
        if is_over:
            return Refusal(self._("The round is over, the next one starts soon. Type ready to continue."))
        if verb is not None and (reply := self._verb(verb, plain(first), rest, position)) is not None:
            return reply
        return self.moves.play(line, position)

    def _answer(self, typed: str, asked: TypedQuestion) -> Reply | None:
        for answer in asked.answers:
            if typed in answer.typed:
                return answer.means or TypedCommand("nothing")
        return None

    def _command(self, verb: str, rest: str, position: Position | None) -> Reply:
        _, confirm = self._, self.moves.confirm
        if verb == "say" and not rest:
            return Refusal(_("Type say and your message, e.g. say hello."))
        if verb == "quit":
            return confirm(_("Step away from the table? Your seat is kept. Yes or no."), TypedCommand("quit"))
        if verb == "goodbye":
            return confirm(_.join([self._goodbye(), _("Quit for good? Yes or no.")]), TypedCommand("goodbye"))
        if verb == "moves" and position is not None and rest.isdecimal() and len(rest) < 6:
            return self.moves.nth(int(rest), position)
        return TypedCommand(verb, rest)

    def _verb(self, verb: str, typed: str, rest: str, position: Position) -> Reply | None:
        """A line that begins with a move's verb; None where it is a play after all."""
        if verb in self.own:
            return self.moves.verb(verb, typed, rest, position)
        if typed in (*self.moves.yes, *self.moves.no):
            return Refusal(self._("There is no question to answer right now."))
        return Refusal(self.moves.no_such_word(verb))

    # --- the help ---

    def help(
        self,
        position: Position | None,
        between_rounds: bool = False,
        paused: bool = False,
        lacks_player: bool = False,
        only_waits: bool = False,
    ) -> list[str]:
        """A line for everything that is possible now, and nothing else; while another plays, what one's turn will bring."""
        _ = self._
        possible = self._possible(position, between_rounds, paused, lacks_player, only_waits)
        lines = [_("  {help}", help=_(BY_NAME[name].help)) for name in possible]
        if position is None or not self.moves.is_plain_turn(position) or position.view.round_over:
            return lines
        own = position.verbs - position.face.unforced
        usual = self.moves.usual if not own else ("play",) if own <= {"draw", "pass"} else ()
        told = [*(_(BY_NAME[name].help) for name in usual), *self.moves.also(position)]
        head = [] if own else [_("  {help}", help=_("When it is your turn:"))]
        rest = [] if own else [_("  {help}", help=_("At any time:"))]
        return [*head, *(_("  {help}", help=each) for each in told), *rest, *lines]

    def _possible(
        self, position: Position | None, between_rounds: bool, paused: bool, lacks_player: bool, only_waits: bool
    ) -> list[str]:
        """The words that mean something now."""
        found = (
            [] if position is None else [verb.name for verb in self.moves.verbs if self.moves.can(verb.name, position)]
        )
        for verb in COMMANDS:
            possible = True
            if verb.name in ("hint", "moves", "hand", "goodbye"):
                is_choice = verb.name in ("hint", "moves")
                possible = position is not None and (not is_choice or bool(position.verbs))
            if verb.name == "ready":
                possible = between_rounds
            if verb.name in ("vote", "wait", "unvote"):
                possible = paused and not only_waits
            if verb.name == "aside":
                possible = only_waits
            if verb.name == "bot":
                possible = lacks_player
            if possible:
                found.append(verb.name)
        return found
