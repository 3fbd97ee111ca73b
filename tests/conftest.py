"""For all tests: no sockets but in those marked `sockets` or `netns`."""

from __future__ import annotations

import socket
import sys
from typing import Any

import pytest

from p2p.tidy import drop_library_copy
from tests.outside.installed import outside_folder, whisk, whisk_env

__all__ = ["outside_folder", "whisk", "whisk_env"]


class SocketsDisabled(RuntimeError):
    """A test without the mark `sockets` touched the network."""


def pytest_sessionfinish() -> None:
    """Leaves no copy of the group library behind."""
    drop_library_copy()


@pytest.fixture(autouse=True)
def no_sockets(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets socket pairs be (every event loop needs one to wake itself), refuses what leads anywhere."""
    if request.node.get_closest_marker("sockets") or request.node.get_closest_marker("netns"):
        return
    if sys.platform == "win32":  # there a socket pair is made of connected sockets
        return

    def refuse(self: socket.socket, *_: Any, **__: Any) -> None:
        raise SocketsDisabled(f"{request.node.name} uses the network: mark it with @pytest.mark.sockets")

    for deed in ("bind", "connect", "connect_ex", "listen", "sendto", "sendmsg"):
        monkeypatch.setattr(socket.socket, deed, refuse)
