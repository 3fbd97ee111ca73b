"""What the tests of this folder share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from cli.console import TRUE
from cli.flow.face import ClientFace
from cli.terminal.app import TerminalApp
from cli.terminal.settings import TerminalSettings
from cli.view.settings import Settings
from cli.web.app import WebApp


@pytest.fixture
def face(request: pytest.FixtureRequest) -> Iterator[ClientFace]:
    if request.param == "browser":
        yield WebApp(Settings())
        return
    with create_pipe_input() as keys:
        yield TerminalApp(TerminalSettings(), TRUE, keys, DummyOutput())
