"""Settings: language, colours, charset, big cards, hints, motion, mouse, sound. What is changed is seen at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from cli.games.explain import explain
from cli.text import key, languages
from cli.view.effects import Close, SettingsChanged
from cli.view.inputs import Act, Choose, Input
from cli.view.listing import ListModel
from cli.view.model import Effects
from cli.view.page import Below, nothing_below
from cli.view.settings import SYSTEM, Settings
from cli.view.views import Frame, ListView, Offer, Row
from protocol.levels import HINT_LEVELS

THEME_NAMES = {
    SYSTEM: key("like this device"),
    "felt": key("felt (green)"),
    "light": key("light"),
    "contrast": key("high contrast"),
    "two-colour": key("two-colour suits"),
    "mono": key("no colours"),
}
HINT_NAMES = {
    "off": key("off"),
    "legal": key("show legal plays"),
    "suggest": key("suggest a play"),
}
ABOUT = {
    "ascii": key("For terminals that don’t display suits or frames correctly: uses letters and simple symbols."),
    "hints": key(
        "Playable cards are bright, and {@hint} picks one of them. With “suggest a play”, {@hint} picks what a bot would play."
    ),
    "motion": key("Briefly shows each card moving to the pile."),
    "mouse": key("Turn this off to select text with the mouse as usual."),
    "sound": key(
        "Rings if it is your turn, or the table waits for somebody, and you haven’t pressed a key for a while."
    ),
}
"""What is not clear from a row alone."""
FIELDS: Mapping[str, str] = {
    "lang": "lang",
    "theme": "theme",
    "ascii": "ascii_only",
    "big": "big",
    "kanji": "kanji",
    "hints": "hints",
    "motion": "motion",
    "mouse": "mouse",
    "sound": "sound",
}
"""The rows, and the attribute of `Settings` that each sets."""


class SettingsModel(ListModel):
    """A list of what can be set. `title` and `below` are those of what it lies over."""

    def __init__(
        self, settings: Settings, title: Callable[[], str], below: Callable[[], Below] = nothing_below
    ) -> None:
        super().__init__(settings)
        self._title, self.below = title, below

    def update(self, given: Input) -> Effects:
        match given:
            case Choose(str() as row):
                return self._change(row, 1)
            case Act("change", (str() as row, int() as by)):
                return self._change(row, by)
            case Act("back" | "quit" | "settings"):
                self.settings.save()
                return (Close(),)
            case _other:
                return super().update(given)

    def _change(self, row: str, by: int) -> Effects:
        own, field = self.settings, FIELDS[row]
        several: Mapping[str, Sequence[str]] = {"lang": languages(), "theme": own.themes, "hints": HINT_LEVELS}
        now = getattr(own, field)
        if (values := several.get(row)) is None:
            setattr(own, field, not now)
        else:
            setattr(own, field, values[(values.index(now) + by) % len(values)] if now in values else values[0])
        return (SettingsChanged(),)

    def title(self) -> str:
        return self._title()

    def help_keys(self) -> list[tuple[str, str]]:
        return [("row-right", self._("change the setting (so does {@row-enter})"))]

    def view(self) -> ListView:
        _, own = self._, self.settings
        yes, no = _("on"), _("off")
        theme = own.theme if own.has_colours else "mono"
        values = {  # each catalogue translates “English” by its own language's name
            "lang": (_("Language"), _("English")),
            "theme": (_("Colours"), _(THEME_NAMES[theme])),
            "ascii": (_("Suits and signs"), _("letters: S H D C") if own.ascii_only else "♠ ♥ ♦ ♣"),
            "big": (_("Big cards"), yes if own.big else no),
            "kanji": (_("Kanji on special cards"), yes if own.kanji else no),
            "hints": (_("Hints"), _(HINT_NAMES[own.hints])),
            "motion": (_("Card animation"), yes if own.motion else no),
            "mouse": (_("Mouse"), yes if own.mouse else no),
            "sound": (_("Bell"), yes if own.sound else no),
        }
        head, prompt, mood = self.below()
        return ListView(
            "settings",
            Frame(
                self.title(),
                head=head,
                prompt=prompt or _("{@row-right:change} · {@back:back}"),
                mood=mood,
                actions=(Offer("back"),),
            ),
            _("Settings"),
            rows=tuple(
                Row(name, cells, can_change=True, about=(((_(ABOUT[name]), "text"),),) if name in ABOUT else ())
                for name, cells in values.items()
            ),
            facts=tuple(((explain(_, fault), "alarm"),) for fault in own.faults),
        )
