"""How far a text is scrolled."""

from __future__ import annotations

STEPS = {"up": -1, "down": 1, "home": -(1 << 30), "end": 1 << 30}


class Scrolled:
    """`top` is the first line that is seen, `last` the greatest it may be, `page` the lines of a leap."""

    def __init__(self, top: int = 0) -> None:
        self.top, self.last, self.page = top, 0, 10

    def fit(self, last: int, page: int) -> int:
        """Limit how far the text is scrolled; return the first line seen."""
        self.last, self.page = max(0, last), max(1, page)
        return self.by(0)

    def by(self, lines: int) -> int:
        self.top = max(0, min(self.last, self.top + lines))
        return self.top

    def key(self, pressed: str) -> bool:
        """An arrow or its like; False for any other key, and where all is seen."""
        step = STEPS.get(pressed) or {"pageup": -self.page, "pagedown": self.page}.get(pressed)
        if step is None or not self.last:
            return False
        self.by(step)
        return True
