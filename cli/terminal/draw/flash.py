"""Draws a card on its way to the pile, over everything, for a moment. Finds its way on the canvas that is drawn already."""

from __future__ import annotations

from collections.abc import Iterator

from cli.terminal.canvas import Action, Canvas
from cli.terminal.draw.cards import draw_card
from cli.view.views import Flight

CARD = (4, 3)
STEPS = 2
ON_TABLE = ("enter",)
NEXT = 1 / 12
"""The share of the way by which a card goes on where it would cover words."""


def draw_flash(canvas: Canvas, flash: Flight, step: int, heading: int) -> None:
    """From the player's seat (from the hand, if the card was ours) towards the pile, above row `heading`."""
    to = _middle(_cells(canvas, "enter", None, heading))
    start = (canvas.columns // 2, heading) if flash.is_mine else _middle(_cells(canvas, "seat", flash.seat, heading))
    if to is None or start is None:
        return
    place = _free_place(canvas, start, to, (step + 1) / (STEPS + 1), heading)
    if place is None:
        return
    x, y = place
    below = [row[x : x + CARD[0]] for row in canvas.actions[y : y + CARD[1]]]
    draw_card(canvas, x, y, flash.face, "pick", *CARD)
    for row, actions in enumerate(below):  # what lies below can be clicked all the same
        canvas.actions[y + row][x : x + CARD[0]] = actions


def _free_place(
    canvas: Canvas, start: tuple[int, int], to: tuple[int, int], share: float, heading: int
) -> tuple[int, int] | None:
    """The corner of the card at this point of its way, or farther on, where it cuts through no seat and no words: only the pile
    may lie below it."""
    while share <= 1:
        x = round(start[0] + (to[0] - start[0]) * share) - CARD[0] // 2
        y = round(start[1] + (to[1] - start[1]) * share) - CARD[1] // 2
        x, y = max(1, min(x, canvas.columns - CARD[0] - 1)), max(1, min(y, heading - CARD[1]))
        if all(_is_free(canvas, column, row) for row in range(y, y + CARD[1]) for column in range(x, x + CARD[0])):
            return x, y
        share += NEXT
    return None


def _is_free(canvas: Canvas, x: int, y: int) -> bool:
    action = canvas.actions[y][x]
    if action is not None:
        return action.name in ON_TABLE
    return canvas.glyphs[y][x] == " "


def _cells(canvas: Canvas, name: str, arg: int | None, bottom: int) -> Iterator[tuple[int, int]]:
    wanted = Action(name, arg)
    for y in range(1, min(bottom, canvas.rows)):
        for x, action in enumerate(canvas.actions[y]):
            if action == wanted:
                yield x, y


def _middle(cells: Iterator[tuple[int, int]]) -> tuple[int, int] | None:
    found = list(cells)
    if not found:
        return None
    across, down = [x for x, _y in found], [y for _x, y in found]
    return (min(across) + max(across)) // 2, (min(down) + max(down)) // 2
