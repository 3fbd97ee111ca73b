"""`fairdeal doctor`: find what prevents this computer from finding or reaching others. Works beside a running client.

Exits with 0, or with 1 if a finding is `bad`. `--json` prints `{"ok", "findings": [{"id", "state", "what", "advice",
"details"}], "addresses"}`, always in English. The ids, some of which may be missing or repeated:

    program, libraries, libsodium, phones, clock  the program
    terminal, size, encoding, colours, widths, language
    home, space, in_use, identity, journal        the data
    network, vpn, virtual, address, port, self, multicast, neighbours, tables, firewall,
    hotspot
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from cli.clean import clip, width, wrap
from cli.console import is_tty, paint
from cli.context import Context
from cli.doctor.check_result import Finding, State
from cli.doctor.data import look_at_data
from cli.doctor.machine import look_at_machine
from cli.doctor.report import MARKS, network, summary
from cli.faults import DONE, FAILED
from cli.requests import Common
from cli.terminal.doctor import look_at_screen
from cli.terminal.glyphs import plain
from cli.text import Translator

COLOURS = {State.OK: "#4fb477", State.WARN: "#e0b040", State.BAD: "#e05a50", State.UNKNOWN: "#9a9a9a"}
PIPE_COLUMNS = 10_000


def run(request: Common, context: Context) -> int:
    # JSON is for programs, so it is not translated.
    _ = Translator() if request.json else context.words
    found: list[Finding] = []

    def section(title: str, findings: list[Finding]) -> None:
        found.extend(findings)
        if not request.json:
            tell(context, title, findings)

    section(_("The program"), look_at_machine(_))
    section(_("The terminal"), look_at_screen(_, context))
    section(_("Your data"), look_at_data(_, context.home))
    with progress(context, "" if request.json else _("Checking the network, about 3 seconds…")):
        addresses, findings = network(_)
    section(_("The network"), findings)
    bad = sum(finding.state is State.BAD for finding in found)
    if request.json:
        shown = [finding.as_json() for finding in found]
        context.tell_json({"ok": not bad, "findings": shown, "addresses": addresses})
    else:
        for line in wrap(displayable(context, summary(_, found)), columns_of(context)):
            context.tell(line)
    return FAILED if bad else DONE


def tell(context: Context, title: str, findings: list[Finding]) -> None:
    """Print a section: its heading, its findings, and the advice below each."""
    columns = columns_of(context)
    context.tell(displayable(context, title))
    for finding in findings:
        mark = paint(
            displayable(context, MARKS[finding.state]), context.terminal.colours, COLOURS[finding.state], bold=True
        )
        for number, line in enumerate(wrap(displayable(context, finding.what), columns - 3)):
            context.tell(f" {mark} {line}" if not number else f"   {line}")
        for advice in finding.advice.splitlines() if finding.advice else ():
            for line in wrap(displayable(context, advice), columns - 5):
                context.tell(f"     {line}")
    context.tell()


def columns_of(context: Context) -> int:
    """Return the maximum line width; practically unlimited for a pipe."""
    return max(30, context.terminal.columns - 1) if is_tty(context.stdout) else PIPE_COLUMNS


def displayable(context: Context, text: str) -> str:
    """Return the text with the characters that the terminal can show."""
    return plain(text) if context.terminal.ascii_only else text


@contextmanager
def progress(context: Context, line: str) -> Iterator[None]:
    """Show a line on standard error while something takes time. Terminals only."""
    if not line or not is_tty(context.stderr) or context.environ.get("TERM") == "dumb":
        yield
        return
    line = clip(displayable(context, line), max(20, context.terminal.columns - 1))
    print(line, end="", file=context.stderr, flush=True)
    try:
        yield
    finally:
        print(f"\r{' ' * width(line)}\r", end="", file=context.stderr, flush=True)
