"""Lines of JSON on standard input, for the lab's programs."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections.abc import AsyncIterator
from typing import Any


async def stdin_lines() -> AsyncIterator[dict[str, Any]]:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    try:
        while line := await reader.readline():
            yield json.loads(line)
    finally:
        transport.close()


def log_complaints() -> None:
    """What is worth a warning goes to standard error, where the tests look."""
    handler = logging.StreamHandler()
    handler.setLevel(logging.WARNING)
    logging.basicConfig(level=logging.INFO, handlers=[handler])
