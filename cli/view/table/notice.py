"""What stands on the prompt line for a while: the answer to an action, or a note."""

from __future__ import annotations

from cli.view.model import Clock

NOTE_S = 8.0
"""What the session tells stands so long, or until an action."""
NO_S = 6.0
"""Why an action was refused stands so long: what else is to be known may stand below it."""
READ_S = 1.5
"""The answer to an action stands at least so long, unless our turn comes."""


class Notice:
    """One sentence; empty for none."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.text = ""
        self.is_no = False
        self._until = 0.0
        """Until when it stands while others move; 0: until the next move."""
        self._at = 0.0

    def say(self, sentence: str) -> None:
        """What an action did."""
        self.text, self.is_no, self._until, self._at = sentence, False, 0.0, self._clock()

    def refuse(self, sentence: str) -> None:
        """Why it did nothing."""
        self.say(sentence)
        self.is_no = True

    def note(self, sentence: str, seconds: float = NOTE_S) -> None:
        """Something to be read, by the session around the table or about a player."""
        self.text, self.is_no, self._until = sentence, False, self._clock() + seconds

    def hush(self) -> None:
        self.text, self._until = "", 0.0

    def tick(self) -> None:
        """It has stood long enough."""
        now = self._clock()
        if (self._until and self._until < now) or (self.is_no and self._at + NO_S <= now):
            self.hush()

    def new_moment(self, is_ours: bool, was_ours: bool, goes_on: bool) -> None:
        """What was said about how things stood goes with it, and nothing hides that it is our turn. A note that was asked
        for may be read to its end while others move. `goes_on`: the round does as before."""
        if not is_ours and goes_on and self._clock() - self._at < READ_S:
            # Others may move at once after our action: its answer must be readable.
            self._until = self._until or self._at + READ_S
        elif was_ours and is_ours:
            pass  # others answer at the same time as we, as in an exchange: what our action brought stands on
        elif is_ours or self.is_no or not self._until:
            self.hush()
