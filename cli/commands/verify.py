"""`fairdeal verify FILE...`: verify transcripts without trusting any client, compare them, and report the result."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli.clean import clean
from cli.client.game_failures import FailureNoted, noted
from cli.client.recording import read_transcript
from cli.client.verifying import Verifier
from cli.commands.progress_bar import ProgressBar
from cli.context import Context
from cli.faults import DONE, FAILED, WRONG_USE, WrongUse
from cli.games.explain import explain
from cli.requests import FilesRequest
from cli.view.verdict import CHECKS, report_lines
from protocol.errors import FairdealError, GameFailed
from protocol.values import replace

if TYPE_CHECKING:
    from protocol.table.verify import Report


def run(request: FilesRequest, context: Context) -> int:
    """Return 0 if every file is valid and convicts nobody, 1 if one is not, convicts somebody, contradicts another, or its game
    fails, 2 if one cannot be read: the highest of these."""
    from protocol.table.verify import Report, Unreadable

    reports: list[Report] = []
    verified: dict[bytes, Report] = {}
    """Friends' files of one match are often the same to the byte: what has been verified is not verified again."""
    faults: dict[int, FairdealError] = {}
    if not gc.get_freeze_count():
        gc.freeze()  # loaded modules stay: they need not be looked through again and again
    with Verifier() as verifier:
        for index, path in enumerate(request.files):
            bar = ProgressBar(context, clean(str(path)))
            try:
                data = read_transcript(path)
                if data not in verified:
                    verified[data] = verifier.verify(data, bar.show)
                reports.append(replace(verified[data], evidence=list(verified[data].evidence)))
            except (WrongUse, Unreadable, GameFailed) as fault:
                reports.append(Report())
                faults[index] = noted(fault, context.home)
            finally:
                bar.clear()
    add_differences(reports, request.files)
    status = DONE
    for index, (path, report) in enumerate(zip(request.files, reports, strict=True)):
        status = max(status, _tell(request, context, path, report, faults.get(index)))
    return status


def _tell(request: FilesRequest, context: Context, path: Path, report: Report, fault: FairdealError | None) -> int:
    """Report on a file, and return its exit status."""
    _, name = context.words, clean(str(path))
    if fault is not None:
        context.note(_("{path}: {reason}", path=name, reason=explain(_, fault)))
    if request.json:
        context.tell_json(report_json(str(path), report, fault))
    elif fault is None:
        for line in report_lines(_, name, report):
            context.tell(line)
    if fault is not None:
        return FAILED if isinstance(fault, FailureNoted) else WRONG_USE
    return DONE if report.ok and not report.convicted and not report.is_contradicted else FAILED


def add_differences(reports: Sequence[Report], files: Sequence[Path]) -> None:
    """Compare files of the same match, and add what was found to the evidence of both."""
    from protocol.table.comparing import REASONS, compare, contradictory
    from protocol.table.verify import CONTRADICTION

    for found in compare(reports):
        entry = {
            "what": found.what,
            "seat": found.seat,
            "name": found.name,
            "reason": REASONS[found.what],
            "slot": list(found.slot),
        }
        for index in found.files:
            reports[index].evidence.append({**entry, "files": [str(files[each]) for each in found.files]})
    for pair in contradictory(reports):
        for index in pair:
            names = [str(files[each]) for each in pair]
            reason = "these files show different ends of one match"
            reports[index].evidence.append({"what": CONTRADICTION, "seat": None, "reason": reason, "files": names})


def report_json(file: str, report: Report, fault: FairdealError | None = None) -> dict[str, Any]:
    """Return the object that `--json` prints for a file. `fault`: why it could not be read at all."""
    failed = report.failed
    problem = None if failed is None else {"step": failed.step, "seat": failed.seat, "what": failed.what}
    if fault is not None:
        problem = {"step": "reading", "seat": None, "what": str(fault)}
    return {
        "file": file,
        "ok": report.ok,
        "match": report.match.hex(),
        "game": report.roster.game if report.roster else "",
        "players": [{"name": name, "fingerprint": fingerprint} for name, fingerprint in report.players],
        "replaced": [
            {"seat": seat, "name": name, "fingerprint": fingerprint} for seat, name, fingerprint in report.replaced
        ],
        "rounds": report.rounds,
        "void": list(report.void),
        "complete": report.complete,
        "checks": {name: report.checks.get(name, 0) for name in CHECKS},
        "evidence": list(report.evidence),
        "failed": problem,
    }
