"""Steps through a recording in lines of text: Enter goes on, `back` goes back, `round 2` jumps, `hands` shows all hands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from cli.games.base.narrator import Narrator
from cli.games.cards import plain
from cli.games.registry import face_of
from cli.news import Moved, RecordedStep, Recording, RoundBegan, rounds_of
from cli.plain.verbs import words_for
from cli.text import Translator


class Replay:
    """Where we are in a recording, and what is said there. Pure but for `tell`."""

    def __init__(self, recording: Recording, _: Translator, tell: Callable[[str], None]) -> None:
        self.recording = recording
        self._ = _
        self.tell = tell
        self.narrator: Narrator = face_of(recording.game).narrator(_, recording.names, None)
        self.place = -1
        self.words = {
            word: name
            for name in ("next", "back", "round", "hands", "all", "quit")
            for word in words_for(_, f"replay {name}")
        }

    def run(self, lines: Iterable[str]) -> None:
        """Until the lines end or somebody quits."""
        _ = self._
        self.tell(_("Enter: next step. Or type back, round N, hands, all or quit."))
        self.go(0)
        for line in lines:
            if not self.take(line):
                return

    def take(self, line: str) -> bool:
        """One typed line; False to stop."""
        _ = self._
        first, *rest = plain(line).split() or ["next"]
        match self.words.get(first):
            case "next":
                self.go(self.place + 1)
            case "back":
                self.go(self.place - 1)
            case "round":
                starts = list(rounds_of(self.recording))
                number = int(rest[0]) if rest and rest[0].isdecimal() else 0
                if 1 <= number <= len(starts):
                    self.go(starts[number - 1])
                else:
                    self.tell(_.n("There is only one round.", "Choose a round from 1 to {n}.", len(starts)))
            case "hands":
                for hand in self.hands(self.recording.steps[self.place]):
                    self.tell(hand)
            case "all":
                for place in range(self.place + 1, len(self.recording.steps)):
                    self.go(place)
            case "quit":
                return False
            case _other:
                self.tell(_("Enter: next step. Or type back, round N, hands, all or quit."))
        return True

    def go(self, place: int) -> None:
        """Tells the step at a place, or that there is none."""
        if place < 0:
            self.tell(self._("This is the beginning."))
        elif place >= len(self.recording.steps):
            self.tell(self._("This is the end."))
        else:
            self.place = place
            step = self.recording.steps[place]
            self.tell(f"{place + 1}/{len(self.recording.steps)} {self._.join(self.told(step))}")

    def told(self, step: RecordedStep) -> list[str]:
        match step.news:
            case RoundBegan(number, view):
                return self.narrator.round_began(number, view)
            case Moved(seat, move, before, after):
                return self.narrator.moved(seat, move, before, after)
            case ended:
                return self.narrator.round_ended(ended.view)

    def hands(self, step: RecordedStep) -> Iterator[str]:
        """All hands that are open at this step."""
        for seat in range(len(self.recording.names)):
            cards = self.narrator.cards.sort(step.view.hand(seat))
            if cards:
                yield self._(
                    "{name}: {cards}.", name=self.narrator.name(seat), cards=self.narrator.cards.say_all(cards)
                )
