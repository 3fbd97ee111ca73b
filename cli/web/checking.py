"""Match files that somebody drops on the page: checked here, with the words of `fairdeal verify`."""

from __future__ import annotations

import os

from cli.clean import clean
from cli.text import Translator
from cli.web.incoming import FilePart, Garbled

MOST_FILE_BYTES = 16 << 20


class Parts:
    """A file that comes in parts, for a message of a page is small."""

    def __init__(self) -> None:
        self._data = bytearray()

    def take(self, part: FilePart) -> bytes | None:
        """Return the file with its last part. Raises Garbled if it is too large for a match."""
        if len(self._data) + len(part.data) > MOST_FILE_BYTES:
            raise Garbled("too large a file")
        self._data += part.data
        if not part.is_last:
            return None
        whole, self._data = bytes(self._data), bytearray()
        return whole


def checked(_: Translator, name: str, data: bytes) -> list[str]:
    """Check a match file, and return what is found, in sentences; also for bytes that are no match."""
    from cli.games.explain import explain
    from cli.view.verdict import report_lines
    from protocol.errors import FairdealError
    from protocol.table.verify import verify

    try:
        return list(report_lines(_, clean(name), verify(data, os.urandom)))
    except FairdealError as fault:
        return [explain(_, fault)]
