"""How a question is answered with keys: the line below its choices."""

from __future__ import annotations

from cli.text import Translator
from cli.view.views import Dialog


def answer_keys(_: Translator, dialog: Dialog) -> str:
    """What to press, what going back means, and what else can be done; the footer alone where nothing is asked."""
    if not dialog.choices or not (dialog.asks or dialog.is_standing):
        return dialog.footer
    back = _.offer("back", dialog.cancel) if dialog.cancel else ""
    return " · ".join(part for part in (_choosing(_, dialog), back, dialog.footer) if part)


def _choosing(_: Translator, dialog: Dialog) -> str:
    suits = {choice.suit_keys: choice.label[-1] for choice in dialog.choices if choice.suit_keys and choice.label}
    if suits:
        usual = sorted(suits, key=lambda typed: "SHDC".find(typed[0]))
        named = (f"{typed[-1]}={suits[typed]}" for typed in usual)
        return _("Arrows, or rank and suit ({keys}), then Enter", keys=" ".join(named))
    keys = [choice.key for choice in dialog.choices]
    numbers = sorted(each for each in keys if each.isdecimal())
    if dialog.kind == "list":
        return _("Arrows or number, then Enter")
    if len(numbers) == len(keys) and len(keys) == int(numbers[-1]) - int(numbers[0]) + 1 and numbers[0] in "01":
        return _("←→ or {keys}, then Enter", keys=f"{numbers[0]}-{numbers[-1]}")
    if all(each.isalpha() for each in keys):
        return _("←→ or {keys}, then Enter", keys=" ".join(keys))
    return _("Arrows or type the rank, then Enter")
