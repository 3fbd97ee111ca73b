"""Settings: language, colours, charset, big cards, hints, motion, mouse, sound. What is changed is seen at once."""

from __future__ import annotations

from collections.abc import Callable

from cli.screen.canvas import Action
from cli.screen.commands import LIST
from cli.screen.effects import Repaint, SettingsChanged
from cli.screen.present.presenter import Clock, Presenter
from cli.screen.settings import HINTS, Settings
from cli.screen.theme import THEMES
from cli.screen.views import Cap, Frame, ListView, Row
from cli.words import key, languages

LANGUAGES = {"en": "English", "ja": "日本語", "de": "Deutsch"}
THEME_NAMES = {
    "felt": key("felt (green)"),
    "light": key("light"),
    "contrast": key("high contrast"),
    "two-colour": key("two-colour suits"),
    "mono": key("no colours"),
}
HINT_NAMES = {
    "off": key("off: all cards look alike"),
    "legal": key("what may be played is bright"),
    "suggest": key("one play is proposed, too"),
}
ROWS = ("lang", "theme", "ascii", "big", "kanji", "hints", "motion", "mouse", "sound")


class SettingsPresenter(Presenter):
    """A list of what can be set; Enter or ←→ changes a row."""

    place = LIST

    def __init__(
        self,
        settings: Settings,
        clock: Clock,
        title: str,
        below: Callable[[], tuple[str, str, str]] = lambda: ("", "", "wait"),
    ) -> None:
        super().__init__(settings, clock)
        self.title = title
        self.below = below
        self.cursor = 0

    def own_view(self, columns: int, rows: int) -> ListView:
        _, own = self._, self.settings
        yes, no = _("on"), _("off")
        theme = own.theme if own.has_colours else "mono"
        values = {
            "lang": (_("Language"), LANGUAGES.get(own.lang, own.lang)),
            "theme": (_("Colours"), _(THEME_NAMES[theme])),
            "ascii": (_("Signs"), _("plain ASCII") if own.ascii_only else _("suits and lines")),
            "big": (_("Big cards"), yes if own.big else no),
            "kanji": (_("Chinese signs on Tichu’s specials"), yes if own.kanji else no),
            "hints": (_("Hints"), _(HINT_NAMES[own.hints])),
            "motion": (_("Motion of cards"), yes if own.motion else no),
            "mouse": (_("Mouse"), yes if own.mouse else _("off: the terminal selects text")),
            "sound": (_("Bell when it is your turn"), yes if own.sound else no),
        }
        head, prompt, mood = self.below()
        return ListView(
            Frame(
                self.title,
                _("settings"),
                head=head,
                prompt=prompt or _("←→ or Enter changes a row · Esc: back"),
                mood=mood,
                caps=(
                    self.cap("row-up"),
                    Cap("←→", _("change"), Action("row-enter")),
                    self.cap("back"),
                ),
            ),
            _("Settings"),
            rows=tuple(Row(values[name]) for name in ROWS),
            widths=(3, 2),
            cursor=self.cursor,
        )

    def command(self, name: str, pressed: str = "") -> None:
        match name:
            case "row-up":
                self.cursor = (self.cursor - 1) % len(ROWS)
            case "row-down":
                self.cursor = (self.cursor + 1) % len(ROWS)
            case "row-left":
                self._change(-1)
            case "row-right" | "row-enter" | "row-space":
                self._change(1)
            case "back" | "quit" | "settings":
                self.settings.save()
                self.closed = True
            case "repaint":
                self.effects.append(Repaint())
            case _other:
                pass

    def act(self, action: Action, twice: bool = False) -> None:
        if action.name == "row" and isinstance(action.arg, int):
            self.cursor = action.arg
            self._change(1)
        else:
            self.command(action.name)

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
                own.hints = HINTS[(HINTS.index(own.hints) + by) % len(HINTS)]
            case "motion":
                own.motion = not own.motion
            case "mouse":
                own.mouse = not own.mouse
            case "sound":
                own.sound = not own.sound
        self.effects.append(SettingsChanged())
