"""Draws a table in a window too small for its picture: the same in lines of text, so that one can play on."""

from __future__ import annotations

from itertools import zip_longest

from cli.clean import wrap
from cli.terminal.canvas import Canvas
from cli.terminal.draw.frame import draw_keys
from cli.terminal.glyphs import ARROW, FITS, SPADE, UNDER
from cli.terminal.look import Look
from cli.text import Translator
from cli.view.views import CardFace, Dialog, HandCard, TableView

MOST_PROMPT = 3


def draw_tiny_table(canvas: Canvas, view: TableView, look: Look, _: Translator) -> None:
    """From the bottom up what matters most: the keys, the prompt, the hand, what lies in the middle; the seats where there is
    room."""
    columns = canvas.columns - 2
    canvas.fill(0, 0, canvas.columns, 1, "bar.text")
    canvas.put(1, 0, f"{SPADE} {view.frame.title}", "bar.gold", cells=columns)
    prompt = wrap(f"{view.frame.head}  {view.frame.prompt}".strip(), columns)[:MOST_PROMPT]
    hand = wrap(" ".join(_card(card, place == look.cursor) for place, card in enumerate(view.hand)), columns)
    for name, cards in view.open_hands:  # of a replay
        hand += wrap(f"{name}: {cards}", columns)
    middle = [line for text in _middle(view, look) if text for line in wrap(text, columns)]
    seats = [] if view.open_hands else wrap(" · ".join(_seats(view)), columns)
    rows = canvas.rows - 2 - len(prompt)
    notice = wrap(_("Small window, so text only. Make it 58x18 to see the table."), columns)
    parts = ((notice, "gold"), (seats, "dim"), (middle, "text"), (hand, "strong"))
    while (lines := sum(len(part) for part, _ink in parts)) > rows and lines:
        least = next(part for part, _ink in parts if part)
        if least is notice:  # all of it or nothing
            notice.clear()
        else:
            least.pop(0 if UNDER in least[-1] else -1)  # the cursor stays to be seen
    y = 1
    for part, ink in parts:
        for line in part:
            canvas.put(1, y, line, f"felt.{ink}", cells=columns)
            if ink == "strong" and UNDER in line:
                canvas.cursor = (1 + line.index(UNDER), y)
            y += 1
    draw_keys(canvas, look)
    top = canvas.rows - 1 - len(prompt)
    surface = "prompt" if view.frame.mood in ("turn", "no") else "bar"
    for row, line in enumerate(prompt, top):
        canvas.fill(0, row, canvas.columns, 1, f"{surface}.text")
        canvas.put(1, row, line, f"{surface}.{'text' if surface == 'bar' else 'strong'}", cells=columns)


def _card(card: HandCard, is_under: bool) -> str:
    """ "▲[10♥]": under the cursor and picked; "·8♠": can be played."""
    name = f"[{card.face.short}]" if card.picked else card.face.short
    return (UNDER if is_under else FITS if card.fits else "") + name


def _seats(view: TableView) -> list[str]:
    return [
        f"{ARROW if tile.is_turn else ''}{tile.name} {tile.count}"
        + (f" {tile.note}" if tile.note and tile.note_ink in ("alarm", "gold") else "")
        for tile in view.seats
    ]


def _middle(view: TableView, look: Look) -> list[str]:
    """What the choice is about: a question, the pile, or the trick; else what happened last."""
    if view.dialog is not None:
        return [view.dialog.title, _choices(view.dialog, look.choice)]
    if view.pile is not None:
        pile = view.pile
        match = "".join(text for line in pile.match for text, _ink in (*line, (" ", "")))
        loud = [text for text, ink in pile.facts if ink in ("alarm", "gold")]
        return [" · ".join(part for part in (pile.top.short if pile.top else "", match.strip(), *loud) if part)]
    if view.trick is not None:
        trick = view.trick
        cards = " ".join(
            f"{name} {face.short}" if name else face.short
            for face, name in zip_longest(trick.cards, trick.players, fillvalue="")
            if isinstance(face, CardFace)
        )
        return [" · ".join(part for part in (trick.label, cards, trick.note) if part)]
    return []


def _choices(dialog: Dialog, cursor: int) -> str:
    shown = []
    for place, choice in enumerate(dialog.choices):
        key = f"{choice.key} " if choice.key else ""
        card = f" [{choice.face.short}]" if choice.face is not None else ""
        shown.append(f"{ARROW if place == cursor else ''}{key}{choice.glyph}{choice.label}{card}")
    return " · ".join(shown)
