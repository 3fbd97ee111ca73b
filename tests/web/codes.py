"""What a camera reads from the code that a page shows."""

from __future__ import annotations

import re

from cli.bench.chrome import Tab
from tests.cli.view.test_phones import read


def code_of(tab: Tab) -> str:
    """The one text in the page's code."""
    side = int(tab.js("document.querySelector('svg.code').viewBox.baseVal.width")) - 6
    path = tab.js("document.querySelector('svg.code path').getAttribute('d')")
    dark = {(int(x), int(y)) for x, y in re.findall(r"M(\d+) (\d+)h1v1h-1z", path)}
    (text,) = read(tuple("".join("01"[(x, y) in dark] for x in range(side)) for y in range(side)))
    return text
