"""The page's files, and what the browser is told with each of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from cli.page.texts import texts
from cli.text import languages, load_translator

FOLDER = Path(__file__).parent / "static"
STYLE = ("base", "controls", "table", "hand", "screens", "sheets", "windows", "tv", "access", "start")
"""The parts of the style sheet, in their order: what comes later wins. The browser asks for one file."""
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
POLICY = "; ".join(
    (
        *("default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'"),
        *("connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"),
    )
)
SAFETY: Mapping[str, str] = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""Headers of every answer."""


EARLY = ("lost", "away", "refused", "over", "old")
"""What the page says before it has heard from the client: see `cli.page.texts`."""


def _words() -> bytes:
    """These texts by language."""
    told = {lang: texts(load_translator(lang)) for lang in languages()}
    return json.dumps({lang: {name: all_[name] for name in EARLY} for lang, all_ in told.items()}).encode()


@cache
def found_files() -> Mapping[str, tuple[str, bytes]]:
    """Each file's type and bytes by the path it is asked for. Nothing else can be read, whatever a path says."""
    files = [path for path in sorted(FOLDER.iterdir()) if path.is_file()]
    found = {f"/{path.name}": (TYPES[path.suffix], path.read_bytes()) for path in files}
    style = b"\n".join((FOLDER / "style" / f"{name}.css").read_bytes() for name in STYLE)
    made = {"/words.json": ("application/json", _words()), "/style.css": (TYPES[".css"], style)}
    return {"/": found["/index.html"], **made, **found}
