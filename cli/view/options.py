"""Settings: language, colours, charset, big cards, hints, motion, mouse, sound. What is changed is seen at once."""

from __future__ import annotations

from collections.abc import Callable

from cli.games.explain import explain
from cli.terminal.canvas import Action
from cli.terminal.theme import THEMES
from cli.text import key, languages
from cli.view.effects import SettingsChanged
from cli.view.listing import ListPresenter
from cli.view.presenter import Clock
from cli.view.settings import Settings
from cli.view.views import Cap, Frame, ListView, Row
from protocol.levels import HINT_LEVELS

LANGUAGES = {"en": "English", "ja": "日本語", "de": "Deutsch"}
THEME_NAMES = {
    "felt": key("felt (green)"),
    "light": key("light"),
    "contrast": key("high contrast"),
    "two-colour": key("two-colour suits"),
    "mono": key("no colours"),
}
HINT_NAMES = {
    "off": key("off"),
    "legal": key("what can be played"),
    "suggest": key("what a bot would play"),
}
ABOUT = {
    "ascii": key("For a terminal that shows suits or frames wrongly: letters and simple signs instead."),
    "hints": key("What can be played is bright, and H picks one of it; or H picks what a bot would play."),
    "motion": key("A card is seen on its way to the pile for a moment."),
    "mouse": key("Off: the terminal selects text, as it does elsewhere."),
    "sound": key("Rings if no key was pressed for a while, and twice when time runs out."),
}
"""What is not clear from a row alone."""
ROWS = ("lang", "theme", "ascii", "big", "kanji", "hints", "motion", "mouse", "sound")


class SettingsPresenter(ListPresenter):
    """A list of what can be set; Enter or ←→ changes a row."""

    def __init__(
        self,
        settings: Settings,
        clock: Clock,
        title: Callable[[], str],
        below: Callable[[], tuple[str, str, str]] = lambda: ("", "", "wait"),
    ) -> None:
        super().__init__(settings, clock)
        self.name = title
        self.below = below

    def own_view(self, columns: int, rows: int) -> ListView:
        _, own = self._, self.settings
        yes, no = _("on"), _("off")
        theme = own.theme if own.has_colours else "mono"
        values = {
            "lang": (_("Language"), LANGUAGES.get(own.lang, own.lang)),
            "theme": (_("Colours"), _(THEME_NAMES[theme])),
            "ascii": (_("Suits and signs"), _("letters: S H D C") if own.ascii_only else "♠ ♥ ♦ ♣"),
            "big": (_("Big cards"), yes if own.big else no),
            "kanji": (_("Kanji on Tichu’s specials"), yes if own.kanji else no),
            "hints": (_("Hints"), _(HINT_NAMES[own.hints])),
            "motion": (_("Motion of cards"), yes if own.motion else no),
            "mouse": (_("Mouse"), yes if own.mouse else _("off")),
            "sound": (_("Bell when it is your turn"), yes if own.sound else no),
        }
        head, prompt, mood = self.below()
        return ListView(
            Frame(
                self.name(),
                head=head,
                prompt=self.notice or prompt or _("←→ or Enter changes a row · Esc: back"),
                mood="no" if self.notice else mood,
                caps=(
                    self.cap("row-up"),
                    Cap("←→", _("change"), Action("row-enter")),
                    self.cap("back"),
                ),
                help=self.cap("help"),
            ),
            _("Settings"),
            rows=tuple(Row(values[name]) for name in ROWS),
            widths=(1, 1),
            cursor=self.cursor,
            facts=(
                *((((_(ABOUT[row]), "text"),),) if (row := ROWS[self.cursor]) in ABOUT else ()),
                *(((explain(_, fault), "alarm"),) for fault in own.key_faults),
            ),
        )

    def count(self) -> int:
        return len(ROWS)

    def turn(self, by: int) -> bool:
        self._change(by)
        return True

    def enter(self) -> None:
        self._change(1)

    def back(self) -> None:
        self.settings.save()
        self.closed = True

    def clicked(self, place: int, twice: bool) -> None:
        self.cursor = place
        self._change(1)

    def command(self, name: str, pressed: str = "") -> None:
        if name == "settings":
            self.back()
        else:
            super().command(name, pressed)

    def title(self) -> str:
        return self.name()

    def help_keys(self) -> list[tuple[str, str]]:
        return [("←→", self._("change the row; Enter, too"))]

    def _change(self, by: int) -> None:
        own = self.settings
        match ROWS[self.cursor]:
            case "lang":
                known = languages()
                own.lang = known[(known.index(own.lang) + by) % len(known)] if own.lang in known else known[0]
            case "theme":
                names = list(THEMES)
                own.theme = names[(names.index(own.theme) + by) % len(names)]
            case "ascii":
                own.ascii_only = not own.ascii_only
            case "big":
                own.big = not own.big
            case "kanji":
                own.kanji = not own.kanji
            case "hints":
                own.hints = HINT_LEVELS[(HINT_LEVELS.index(own.hints) + by) % len(HINT_LEVELS)]
            case "motion":
                own.motion = not own.motion
            case "mouse":
                own.mouse = not own.mouse
            case "sound":
                own.sound = not own.sound
        self.effects.append(SettingsChanged())
