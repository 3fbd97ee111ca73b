"""A file whose proofs and signatures are first assumed, and looked at later: if all of them hold, its report is the same as
where each is looked at before the next message is read. All vectors.

Not beside tests that remember which proofs hold: what is assumed would be remembered, too.
"""

from __future__ import annotations

import json
import os
from typing import Any

import pytest

from protocol.checks import Check
from protocol.dealing.together import all_hold
from protocol.errors import FairdealError
from protocol.table.verify import Report, Unreadable, verify
from protocol.wire import frames
from tests.table.tables import stream
from tests.vectors.make_matches import FOLDER
from tests.vectors.make_matches_altered import changed, report_of, verdict

ROWS = {row["file"]: row for row in json.loads((FOLDER / "matches.json").read_text(encoding="utf-8"))["matches"]}
CHANGED = json.loads((FOLDER / "altered.json").read_text(encoding="utf-8"))["files"]
SEVERAL = json.loads((FOLDER / "several.json").read_text(encoding="utf-8"))
FALSE = ("convicted-and-recovered.match", "convicted-and-void.match", "false-share.match", "false-shuffle.match")
"""Those with a proof that does not hold."""
SHORT = ("false-shuffle", "false-share", "left-by-one-of-two", "two-votes", "voted-out")


def assumed(data: bytes) -> tuple[Report | None, bool]:
    """What is found if everything is assumed, and whether all of that holds; no report if there is an error."""
    checks: list[Check] = []

    def later(check: Check) -> bool:
        checks.append(check)
        return True

    try:
        found = verify(data, stream(1), None, later)
    except Unreadable:
        found = Report()
    except FairdealError:
        return None, all_hold(checks, os.urandom)
    return found, all_hold(checks, os.urandom)


def named(names: list[str]) -> list[Any]:
    return [
        pytest.param(name, marks=() if name.removesuffix(".match") in SHORT else pytest.mark.soak) for name in names
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", named(list(ROWS)))
def test_a_match(name: str) -> None:
    data = (FOLDER / name).read_bytes()
    found, is_so = assumed(data)
    assert is_so == (name not in FALSE), "only a file with a false proof is read twice"
    assert not is_so or found == report_of(data)


@pytest.mark.soak
@pytest.mark.parametrize("name", sorted({row["file"] for row in CHANGED}))
def test_files_that_were_changed(name: str) -> None:
    whole = [each for _, each in frames((FOLDER / name).read_bytes())]
    for row in CHANGED:
        if row["file"] == name:
            data = changed(whole, row["change"])
            found, is_so = assumed(data)
            if is_so:
                assert found is not None and found == report_of(data)
                assert row == json.loads(json.dumps({"file": name, "change": row["change"]} | verdict(found)))


@pytest.mark.soak
@pytest.mark.parametrize("row", SEVERAL["rows"], ids=lambda row: row["about"])
def test_several_files(row: dict[str, Any]) -> None:
    whole = [each for _, each in frames((FOLDER / SEVERAL["file"]).read_bytes())]
    for change in row["changes"]:
        data = changed(whole, change)
        found, is_so = assumed(data)
        assert not is_so or found == report_of(data)


@pytest.mark.slow
def test_a_message_that_its_seat_did_not_sign_does_not_hold() -> None:
    data = (FOLDER / "left-by-one-of-two.match").read_bytes()
    assert assumed(data)[1]
    whole = [each for _, each in frames(data)]
    for at in (1, len(whole) // 2, len(whole) - 2):
        last = len(whole[at]) - 40  # in the signature
        found, is_so = assumed(changed(whole, {"at": at, "byte": last, "bit": 0}))
        assert not is_so or found is None or not found.ok
