"""What asyncio complains about although nothing is wrong: it is kept off standard error, and no bug."""

from __future__ import annotations

import logging
import traceback


def is_closed_twice(fault: object) -> bool:
    """Whether asyncio has closed a connection a second time.

    While a TLS connection hands its last bytes to the system, it may go on to its next ones. If those find the peer gone,
    asyncio closes the connection at once and then again (https://github.com/python/cpython/issues/156512). The first time
    has done all that was to do.
    """
    if not isinstance(fault, AttributeError) or fault.obj is not None:
        return False
    raised_in = [frame.f_code.co_name for frame, _ in traceback.walk_tb(fault.__traceback__)]
    return raised_in[-1:] == ["_call_connection_lost"]


def keep_closing_links_quiet() -> None:
    """Let asyncio log bugs, and nothing about closing links. To be called once in a process; again, it changes nothing."""
    logger = logging.getLogger("asyncio")
    logger.setLevel(logging.ERROR)
    logger.addFilter(_passes)


def _passes(record: logging.LogRecord) -> bool:
    return not record.exc_info or not is_closed_twice(record.exc_info[1])
