"""axe-core, from npm, pinned with its hash: what it finds in a page that keeps people out."""

from __future__ import annotations

import json
import shutil
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from cli.bench.chrome import Tab

NPM = Path(__file__).parent / "npm"
GRAVE = ("serious", "critical")
INDEX = "label-content-name-mismatch"
CARDS = ("#card-", 'button[data-key="place-')
"""In the hand, and in the exchange. A card's index is a picture of the card, not its label: a Phoenix is called so, whatever
stands in its corner."""


@cache
def _source() -> str:
    """The script. Skips the test where npm is missing or cannot fetch it."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed here")
    with TemporaryDirectory() as folder:
        for name in ("package.json", "package-lock.json"):
            shutil.copy(NPM / name, folder)
        command = [npm, "ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=240, check=False)
        if done.returncode:
            pytest.skip(f"npm could not fetch axe-core: {done.stderr.strip()[-200:]}")
        return (Path(folder) / "node_modules/axe-core/axe.min.js").read_text(encoding="utf-8")


def findings(tab: Tab) -> list[str]:
    """What is seriously wrong with the page as it stands: the rule, where, and why."""
    if not tab.js("'axe' in window"):
        tab.js(f"{_source()}; 0")
    tab.wait("document.getAnimations().every((each) => each.effect.getTiming().iterations === Infinity)")
    found = json.loads(
        tab.js("axe.run(document, { resultTypes: ['violations'] }).then((all) => JSON.stringify(all.violations))")
    )
    return [
        f"{rule['id']}: {node['target']} {node['html'][:300]} {node['failureSummary']}"
        for rule in found
        if rule["impact"] in GRAVE
        for node in rule["nodes"]
        if rule["id"] != INDEX or not node["target"][0].startswith(CARDS)
    ]
