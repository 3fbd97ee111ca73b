"""Linear least squares, for fits of a dozen numbers to some thousand rows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

CALM = 1e-6
"""Added to each diagonal element, so that a term that no row has comes out as nothing."""


@dataclass(frozen=True)
class Fitted:
    """A number that was fitted, and half its 95 % interval."""

    value: float
    interval: float


def fit(
    rows: Sequence[Sequence[float]],
    values: Sequence[float],
    towards: Sequence[float] | None = None,
    trust: float = 0.0,
) -> list[Fitted]:
    """Return the numbers by which the terms of each row add up to its value, as nearly as they can. `towards`: numbers of which
    one is as sure as if so many rows with average terms, `trust`, spoke for them."""
    count, start = len(rows[0]), towards or (0.0,) * len(rows[0])
    beside = [value - _sum(row, start) for row, value in zip(rows, values, strict=True)]
    squares = [[sum(row[i] * row[j] for row in rows) for j in range(count)] for i in range(count)]
    for place in range(count):
        squares[place][place] += CALM + trust / len(rows) * squares[place][place]
    products = [sum(row[i] * value for row, value in zip(rows, beside, strict=True)) for i in range(count)]
    inverse = inverted(squares)
    change = [_sum(line, products) for line in inverse]
    missed = sum((value - _sum(row, change)) ** 2 for row, value in zip(rows, beside, strict=True))
    variance = missed / max(1, len(rows) - count)
    errors = [math.sqrt(variance * inverse[place][place]) for place in range(count)]
    return [
        Fitted(start[place] + change[place], 1.96 * errors[place])
        if any(row[place] for row in rows)
        else Fitted(start[place], 0)
        for place in range(count)
    ]


def _sum(terms: Sequence[float], numbers: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(terms, numbers, strict=True))


def inverted(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the inverse of a matrix, by elimination."""
    size = len(matrix)
    rows = [[*line, *(float(i == j) for j in range(size))] for i, line in enumerate(matrix)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda place: abs(rows[place][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        first = rows[column][column]
        rows[column] = [each / first for each in rows[column]]
        for place in range(size):
            if place != column and (factor := rows[place][column]):
                rows[place] = [a - factor * b for a, b in zip(rows[place], rows[column], strict=True)]
    return [line[size:] for line in rows]


def mean(values: Sequence[float]) -> Fitted:
    """Return the mean; nothing if there are no values."""
    if not values:
        return Fitted(0, 0)
    middle = sum(values) / len(values)
    variance = sum((each - middle) ** 2 for each in values) / max(1, len(values) - 1)
    return Fitted(middle, 1.96 * math.sqrt(variance / len(values)))


def table(names: Sequence[str], fitted: Sequence[Fitted], now: Sequence[float]) -> str:
    """Return lines that set the fitted numbers beside today's."""
    return "\n".join(
        f"{name:18} {each.value:7.1f} ± {each.interval:4.1f}   today {value:6.1f}"
        for name, each, value in zip(names, fitted, now, strict=True)
    )
