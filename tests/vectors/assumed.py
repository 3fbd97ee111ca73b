"""Reports of matches among the vectors, for tests of what is said of them."""

from __future__ import annotations

from protocol.table.verify import Report, verify
from tests.table.tables import stream
from tests.vectors.make_matches import FOLDER


def report_of(name: str) -> Report:
    """What a file shows whose proofs all hold. They are not looked at again: tests/independent/test_match_vectors.py does that,
    and tests/test_assuming.py compares what is found with and without."""
    return verify((FOLDER / f"{name}.match").read_bytes(), stream(1), decide=lambda _: True)
