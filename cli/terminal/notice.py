"""What answers a key on the prompt line."""

from __future__ import annotations

from cli.text import Translator
from cli.view.effects import Tell
from cli.view.model import Clock
from cli.view.views import Frame
from protocol.values import replace

REFUSED_S = 4.0
"""How long the message that a key does nothing is shown, or until the next key."""
TOLD_S = 10.0
"""How long a reason or an event is shown; any longer would hide the prompt, which may have changed by then."""


class KeyNotice:
    """One sentence until the next key; why a key did nothing, and what happened, lapse before."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.text = ""
        self._is_no = False
        self._until: float | None = None

    def say(self, text: str, is_no: bool = False) -> None:
        self.text, self._is_no, self._until = text, is_no, None

    def refuse(self, text: str) -> None:
        """A key means nothing."""
        self.say(text, True)
        self._until = self._clock() + REFUSED_S

    def tell(self, told: Tell) -> None:
        """What the model says."""
        self.say(told.text, told.is_no)
        self._until = self._clock() + TOLD_S if told.is_no or told.passes else None

    def lapse(self) -> bool:
        """Whether it has just lapsed."""
        if not self.text or self._until is None or self._clock() < self._until:
            return False
        self.say("")
        return True

    def over(self, frame: Frame) -> Frame:
        """The frame with it in the place of the prompt."""
        if not self.text:
            return frame
        return replace(frame, head="", prompt=self.text, mood="no" if self._is_no else "turn")


def means_nothing(_: Translator, pressed: str) -> str:
    names = {" ": _("Space"), "left": "←", "right": "→", "backspace": _("Backspace"), "tab": "Tab"}
    shown = names.get(pressed, pressed.upper() if len(pressed) > 1 else pressed)
    return _("“{key}” does nothing here. Press ? for the keys.", key=shown)
