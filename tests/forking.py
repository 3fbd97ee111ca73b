"""Runs the tests in processes that are forked when all of them are found: each of pytest-xdist's would find them again, for three
seconds, and then take its modules apart.

Some begin with the tests that wait (tests/scheduling.py says which), the others with those that compute: nobody is left alone
with what waits. Whoever is done with its own goes on with the others'.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from io import StringIO
from itertools import groupby
from multiprocessing.connection import Connection, wait
from typing import Any

import pytest

from tests.scheduling import is_waiting, place

MOST_TOGETHER = 24
"""So many tests of one file are taken at once, where they need not share a browser."""
NICER = 5
"""What computes leaves those that wait the first turn: what is late fails."""


class Share:
    """Tests that several processes take in turn, file by file, each of them once."""

    def __init__(self, files: Sequence[list[pytest.Item]]) -> None:
        self.files = files
        self.taken = multiprocessing.get_context("fork").Value("i", 0)

    def take(self) -> list[pytest.Item]:
        """The next file; nothing where there is none."""
        with self.taken.get_lock():
            self.taken.value = index = self.taken.value + 1
        return self.files[index - 1] if index <= len(self.files) else []

    def stop(self) -> None:
        """Let nobody take any more."""
        with self.taken.get_lock():
            self.taken.value = len(self.files)


class Reporter:
    """Tells the first process what happens in one that was forked."""

    def __init__(self, config: pytest.Config, to: Connection) -> None:
        self.config = config
        self.to = to

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.to.send(nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.to.send(self.config.hook.pytest_report_to_serializable(config=self.config, report=report))


def add_option(parser: pytest.Parser) -> None:
    about = "so many processes that begin with tests that wait, and so many with those that compute"
    parser.addoption("--forks", metavar="WAITING,COMPUTING", help=about)


def files_of(items: Sequence[pytest.Item]) -> tuple[list[list[pytest.Item]], list[list[pytest.Item]]]:
    """The files of those that wait, the longest first, and pieces of the files of those that compute."""
    waiting, computing = list[list[pytest.Item]](), list[list[pytest.Item]]()
    for _, found in groupby(sorted(items, key=place), lambda item: item.nodeid.partition("::")[0]):
        file = list(found)
        if is_waiting(file[0]):
            waiting.append(file)
        else:
            computing += [file[at : at + MOST_TOGETHER] for at in range(0, len(file), MOST_TOGETHER)]
    return waiting, computing


def taken(shares: Sequence[Share]) -> Iterator[pytest.Item]:
    for share in shares:
        while file := share.take():
            yield from file


def run_some(session: pytest.Session, to: Connection, number: int, shares: Sequence[Share], nicer: int) -> None:
    """What a forked process does: everything that it shares with the others by then is made its own."""
    config = session.config
    os.nice(nicer)
    config.get_terminal_writer()._file = StringIO()  # the first process tells it
    capture = config.pluginmanager.getplugin("capturemanager")
    capture.stop_global_capturing()
    capture.start_global_capturing()
    capture.suspend_global_capture()
    folders = config._tmp_path_factory  # type: ignore[attr-defined]
    folders._basetemp = folders.mktemp(f"process{number}", numbered=False)
    config.pluginmanager.register(Reporter(config, to))
    items = taken(shares)
    item = next(items, None)
    while item is not None:
        following = None if session.shouldfail or session.shouldstop else next(items, None)
        config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        item = following
    config._ensure_unconfigure()  # where pytest looks for the last things that were not closed
    to.send(None)


def told(session: pytest.Session, processes: dict[Connection, str]) -> Iterator[pytest.TestReport]:
    """What the processes report until all of them are over, and a failure for each that ends before it says so. For each, what
    it does is named."""
    while processes:
        for each in wait(list(processes)):
            assert isinstance(each, Connection)
            said: Any = None
            try:
                said = each.recv()
            except EOFError:
                place = (processes[each], None, "")
                yield pytest.TestReport(
                    processes[each], place, {}, "failed", "its process ended, with what was to follow in it", "call"
                )
            if said is None:
                del processes[each]
            elif isinstance(said, str):
                processes[each] = said
            else:
                yield session.config.hook.pytest_report_from_serializable(config=session.config, data=said)


def run(session: pytest.Session) -> bool | None:
    """Run all tests, as `--forks` says; None where it is not given."""
    wish = session.config.getoption("forks")
    if not wish or session.config.option.collectonly or session.testsfailed:
        return None
    waiters, computers = map(int, wish.split(","))
    waiting, computing = map(Share, files_of(session.items))
    session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
    context = multiprocessing.get_context("fork")
    forked, processes = list[Any](), dict[Connection, str]()
    for number in range(waiters + computers):
        shares, nicer = ((waiting, computing), 0) if number < waiters else ((computing, waiting), NICER)
        reader, writer = context.Pipe(duplex=False)
        forked.append(context.Process(target=run_some, args=(session, writer, number, shares, nicer)))
        forked[-1].start()
        writer.close()  # or its end would not be seen
        processes[reader] = f"process {number}"
    for report in told(session, processes):
        session.config.hook.pytest_runtest_logreport(report=report)
        if report.when == "teardown":
            session.config.hook.pytest_runtest_logfinish(nodeid=report.nodeid, location=report.location)
        if session.shouldfail or session.shouldstop:
            for each in (waiting, computing):
                each.stop()
    for each in forked:
        with suppress(OSError):
            each.join()
    if session.shouldfail:
        raise session.Failed(session.shouldfail)
    if session.shouldstop:
        raise session.Interrupted(session.shouldstop)
    return True
