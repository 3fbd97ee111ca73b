"""The rules of a game in words: a text per game and language, with paragraphs chosen by the table's options.

A text is plain, with blank lines between paragraphs; `# ` begins a heading, `- ` a list item. A line `[if CONDITION]` begins
a paragraph that is shown only if the condition holds; before a heading it applies up to the next heading. Conditions:
`draw=one`, `target!=0`, `recycle` (true, or not null), `!teams`, several joined with ` & `. `{target}` and the like are
replaced with the option's value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from cli.clean import width, wrap

FOLDER = Path(__file__).parent / "pages"


def rules_text(game: str, lang: str) -> str | None:
    """Return the game's text in this language, else in English; None if there is none."""
    for code in (lang, "en"):
        path = FOLDER / f"{game}.{code}.txt"
        if path.exists():
            return path.read_text(encoding="utf-8")
    return None


def paragraphs(text: str, facts: Mapping[str, object], spell: Callable[[str, object], str]) -> list[str]:
    """Return the paragraphs whose conditions hold, filled in.

    `facts` are the options and `seats` (None if unspecified); `spell` turns a fact into words.
    """
    spelled = {name: spell(name, value) for name, value in facts.items()}
    chosen: list[str] = []
    is_shown = True
    for block in re.split(r"\n\n|\n(?=\[if )", text.replace("\r\n", "\n")):
        lines = block.strip().splitlines()
        fits = True
        if lines and lines[0].startswith("[if "):
            fits = holds(lines[0].strip()[4:-1], facts)
            lines = lines[1:]
        if lines and lines[0].startswith("# "):
            is_shown = fits
        if lines and fits and is_shown:
            chosen.append("\n".join(lines).format_map(spelled))
    return chosen


def holds(condition: str, facts: Mapping[str, object]) -> bool:
    """Return whether all terms of a condition hold. Raises KeyError for an unknown option, a mistake in the text."""
    return all(_holds(term.strip(), facts) for term in condition.split("&"))


def _holds(term: str, facts: Mapping[str, object]) -> bool:
    if "!=" in term:
        name, _, value = term.partition("!=")
        return _spelled(facts[name]) != value
    if "=" in term:
        name, _, value = term.partition("=")
        return _spelled(facts[name]) == value
    if term.startswith("!"):
        return not _is_on(facts[term[1:]])
    return _is_on(facts[term])


def _is_on(value: object) -> bool:
    return value is not None and value is not False


def _spelled(value: object) -> str:
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)


class Heading(str):
    """A line that heads those below it, whatever its letters."""

    __slots__ = ()


def heading(text: str) -> Heading:
    """A heading as it is shown: in capitals, where the script has them."""
    return Heading(text if any(width(char) == 2 for char in text) else text.upper())


def laid_out(chosen: Sequence[str], columns: int) -> list[str]:
    """Return lines for a terminal: headings and list items on their own lines, running text wrapped at `columns`."""
    lines: list[str] = []
    for paragraph in chosen:
        pieces: list[str] = []
        for raw in paragraph.splitlines():
            line = raw.strip()
            # Join continuation lines; between Japanese characters without a space.
            if pieces and not line.startswith(("- ", "# ")) and not pieces[-1].startswith("# "):
                glue = "" if width(pieces[-1][-1]) == 2 or width(line[0]) == 2 else " "
                pieces[-1] += glue + line
            else:
                pieces.append(line)
        if lines:
            lines.append("")
        for piece in pieces:
            if piece.startswith("# "):
                lines.append(heading(piece[2:]))
            else:
                lines += wrap(piece, columns, "  " if piece.startswith("- ") else "")
    return lines
