"""For all tests: nothing of the caller's environment, no sockets but in those marked `sockets` or `netns`."""

from __future__ import annotations

import gc
import os
import socket
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from protocol.dealing import library, sums
from tests.outside.installed import outside_folder, whisk, whisk_env
from tests.scheduling import pytest_addoption, pytest_collection_modifyitems, pytest_ignore_collect

__all__ = [
    "outside_folder",
    "pytest_addoption",
    "pytest_collection_modifyitems",
    "pytest_ignore_collect",
    "whisk",
    "whisk_env",
]

ENVIRONMENT = {"LANG": "C.UTF-8", "TERM": "xterm-256color"}
"""What tests, and the programs that they start, find instead of the caller's values."""
CLEARED = (
    *(
        "ACCESSIBLE",
        "COLORTERM",
        "COLUMNS",
        "FAIRDEAL_HOME",
        "FORCE_COLOR",
        "LANGUAGE",
        "LINES",
        "NO_COLOR",
        "STY",
        "TMUX",
    ),
    *(
        "PYTHONDONTWRITEBYTECODE",
        "PYTHONIOENCODING",
        "PYTHONUTF8",
        "PYTHONWARNINGS",
        "SSH_CONNECTION",
        "SSH_TTY",
        "TMUX_PANE",
    ),
)
CLEARED_BEGINNINGS = ("LC_", "XDG_", "PROMPT_TOOLKIT_")


class SocketsDisabled(RuntimeError):
    """A test without the mark `sockets` touched the network."""


def pytest_configure(config: pytest.Config) -> None:
    """Before any test module is imported."""
    for name in list(os.environ):
        if name in CLEARED or name.startswith(CLEARED_BEGINNINGS):
            del os.environ[name]
    os.environ |= ENVIRONMENT
    shared = config.rootpath / ".pytest_cache"
    shared.mkdir(exist_ok=True)
    library.use(shared / "library")
    sums.use(None)  # tested is what everybody has; tests/dealing/test_sums.py compares the other one with it
    gc.disable()  # until the tests' modules are there: hardly any of what they make is garbage


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    """What was made until here stays until the end: it need not be looked through for what is garbage. What the tests make is
    looked through seldom: 5 % less time."""
    gc.freeze()
    gc.set_threshold(1_000_000, 50, 100)
    gc.enable()


@pytest.fixture(scope="module")
def verified_once() -> Iterator[None]:
    """For modules whose seats share this process: what one of them has verified, the others need not compute again."""
    from tests import remembering

    with remembering.verified_once():
        yield


@pytest.fixture(scope="module")
def with_compiled_sums(pytestconfig: pytest.Config) -> Iterator[None]:
    """For modules that check many proofs a second time: a "no" is libsodium's even so, which checks all of the other modules'."""
    from tests.compiled import compiled_sums

    before = sums.compiled()
    sums.use(compiled_sums(pytestconfig.rootpath / ".pytest_cache"))
    yield
    sums.use(before)


@pytest.fixture
def toy() -> Iterator[None]:
    """Arithmetic that costs nothing, where a test is about what a table does and not about what its proofs prove."""
    from tests.simulator.toy import toy_group

    with toy_group():
        yield


@pytest.fixture
def toy_for_both() -> Iterator[None]:
    """The same where the second verifier reads what such tables write."""
    from tests.independent.toy import toy_group

    with toy_group():
        yield


@pytest.fixture
def hasty_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots of tables in memory make for the end of their rounds, where any match will do."""
    from tests.table.tables import Tables

    monkeypatch.setattr(Tables, "is_hasty", True)


@pytest.fixture
def toy_programs(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The same for nodes with real links, in rooms, and for the processes of their bots: signatures are real."""
    from cli.client import bots
    from tests.simulator.toy import toy_arithmetic
    from tests.toy_program import in_toy_group

    # By the test's own patches, which are taken back in turn: it may change the code, too.
    monkeypatch.setattr(bots, "CODE", in_toy_group(bots.CODE))
    with toy_arithmetic():
        yield


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
