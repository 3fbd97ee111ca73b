"""Draw deals and moves by number of seats, what was measured beside the floor, as one SVG file."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import ceil, floor, log10

from cli.bench.rows import Measurement
from cli.text import Translator
from protocol.values import dataclass

SEATS = range(2, 11)
WIDTH, HEIGHT = 380.0, 300.0
"""Of one chart, in pixels, with its labels."""
LEFT, RIGHT, TOP, BOTTOM = 56.0, 12.0, 44.0, 42.0
MEASURED, FLOOR = "#c2410c", "#1d4ed8"
"""Both are told apart without colour too: the floor is dashed and has hollow points."""


@dataclass(frozen=True, slots=True)
class Chart:
    """Milliseconds against seats. `measured` and `floors` have one value for each number in `seats`."""

    title: str
    seats: Sequence[int]
    measured: Sequence[float]
    floors: Sequence[float]


def charts_of(_: Translator, rows: Sequence[Measurement]) -> list[Chart]:
    """Return the charts for which there are rows: deals, moves and draws, these by their medians."""
    found = []
    for name, title in (
        ("deal", _("First deal: from the sealed table to the last hand")),
        ("move", _("A card played: until the last other seat knows (median)")),
        ("draw", _("A card drawn into a hand of seven (median)")),
    ):
        fit = sorted(
            (row for row in rows if row.name == name and row.params.get("figure", "median") == "median" and row.floor),
            key=lambda row: int(row.params["seats"]),
        )
        if fit:
            seats = [int(row.params["seats"]) for row in fit]
            found.append(Chart(title, seats, [row.value for row in fit], [row.floor or 0.0 for row in fit]))
    return found


def nice_step(most: float) -> float:
    """Return a distance between lines of the grid, 1, 2 or 5 times a power of ten, so that about five reach to `most`."""
    rough = most / 5
    power: float = 10.0 ** floor(log10(rough))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)


def svg(_: Translator, charts: Sequence[Chart], about: str) -> str:
    """Return the charts side by side. `about`: the computer."""
    width, height = WIDTH * max(len(charts), 1), HEIGHT + 40
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" '
        'font-family="system-ui, sans-serif" font-size="11" fill="#1f2937">',
        f"<title>{escape(_('Deals and moves by number of seats'))}</title>",
        f'<rect width="{width:g}" height="{height:g}" fill="#ffffff"/>',
    ]
    for at, chart in enumerate(charts):
        parts.append(f'<g transform="translate({at * WIDTH:g} 0)">')
        parts += _chart(_, chart)
        parts.append("</g>")
    y = HEIGHT + 14
    parts += [
        _line([(LEFT, y - 4), (LEFT + 24, y - 4)], MEASURED, dashed=False),
        f'<text x="{LEFT + 32:g}" y="{y:g}">{escape(_("measured"))}</text>',
        _line([(LEFT + 110, y - 4), (LEFT + 134, y - 4)], FLOOR, dashed=True),
        f'<text x="{LEFT + 142:g}" y="{y:g}">{escape(_("floor: the group operations alone"))}</text>',
        f'<text x="{LEFT:g}" y="{y + 18:g}" fill="#6b7280">{escape(about)}</text>',
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _chart(_: Translator, chart: Chart) -> list[str]:
    step = nice_step(max((*chart.measured, *chart.floors)))
    top = step * ceil(max((*chart.measured, *chart.floors)) / step)
    first, last = min(chart.seats), max(chart.seats)

    def x(seats: int) -> float:
        share = 0.5 if first == last else (seats - first) / (last - first)
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def y(ms: float) -> float:
        return HEIGHT - BOTTOM - ms / top * (HEIGHT - TOP - BOTTOM)

    parts = [f'<text x="{LEFT:g}" y="22" font-weight="600">{escape(chart.title)}</text>']
    for number in range(round(top / step) + 1):
        ms = number * step
        parts += [
            f'<path d="M{LEFT:g} {y(ms):.1f}H{WIDTH - RIGHT:g}" stroke="#e5e7eb"/>',
            f'<text x="{LEFT - 6:g}" y="{y(ms) + 4:.1f}" text-anchor="end">{ms:g}</text>',
        ]
    parts.append(f'<text x="{LEFT - 6:g}" y="{TOP - 8:g}" text-anchor="end">ms</text>')
    for seats in chart.seats:
        parts.append(f'<text x="{x(seats):.1f}" y="{HEIGHT - BOTTOM + 16:g}" text-anchor="middle">{seats}</text>')
    parts.append(
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2:g}" y="{HEIGHT - BOTTOM + 32:g}" text-anchor="middle">{escape(_("seats"))}</text>'
    )
    for values, colour, dashed in ((chart.floors, FLOOR, True), (chart.measured, MEASURED, False)):
        points = [(x(seats), y(ms)) for seats, ms in zip(chart.seats, values, strict=True)]
        parts.append(_line(points, colour, dashed=dashed))
        inside = "#ffffff" if dashed else colour
        parts += [
            f'<circle cx="{px:.1f}" cy="{py:.1f}" r="3" fill="{inside}" stroke="{colour}" stroke-width="1.5"/>'
            for px, py in points
        ]
    return parts


def _line(points: Sequence[tuple[float, float]], colour: str, *, dashed: bool) -> str:
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    dashes = ' stroke-dasharray="5 4"' if dashed else ""
    return f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>'


def svg_of(_: Translator, rows: Sequence[Measurement], about: str) -> str:
    """Return the drawing of these rows. `about`: the computer on which they were measured."""
    return svg(_, charts_of(_, rows), about)
