"""`fairdeal verify FILE...`: verify transcripts without trusting any client, compare them, and report the result."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli.clean import clean, clean_name
from cli.client.recording import read_transcript
from cli.commands.progress_bar import ProgressBar
from cli.context import Context
from cli.faults import DONE, FAILED, WRONG_USE, WrongUse
from cli.games.explain import explain
from cli.requests import FilesRequest
from cli.text import Translator
from protocol.errors import FairdealError

if TYPE_CHECKING:
    from protocol.table.verify import Report

CHECKS = ("signatures", "shuffles", "shares", "opened rounds", "moves")
CONTRADICTION = "contradiction"


def run(request: FilesRequest, context: Context) -> int:
    """Return 0 if every file is valid and convicts nobody, 1 if one is not, convicts somebody or contradicts another, 2 if one
    cannot be read: the highest of these."""
    from protocol.table.verify import Report, Unreadable, verify

    reports: list[Report] = []
    faults: dict[int, FairdealError] = {}
    for index, path in enumerate(request.files):
        bar = ProgressBar(context, clean(str(path)))
        try:
            reports.append(verify(read_transcript(path), os.urandom, bar.show))
        except (WrongUse, Unreadable) as fault:
            reports.append(Report())
            faults[index] = fault
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
        return WRONG_USE
    is_contradicted = any(each["what"] == CONTRADICTION for each in report.evidence)
    return DONE if report.ok and not report.convicted and not is_contradicted else FAILED


def add_differences(reports: Sequence[Report], files: Sequence[Path]) -> None:
    """Compare files of the same match, and add what was found to the evidence of both."""
    from protocol.table.comparing import TWO_VERSIONS, compare, contradictory

    for found in compare(reports):
        is_proof = found.what == TWO_VERSIONS
        reason = "two different signed versions of the same message" if is_proof else "two signatures of one message"
        entry = {"what": found.what, "seat": found.seat, "reason": reason, "slot": list(found.slot)}
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
        "rounds": report.rounds,
        "complete": report.complete,
        "checks": {name: report.checks.get(name, 0) for name in CHECKS},
        "evidence": list(report.evidence),
        "failed": problem,
    }


def report_lines(_: Translator, name: str, report: Report) -> list[str]:
    """Return the report for people, the verdict first."""
    if not report.ok:
        return failed_lines(_, name, report)
    checks = {check: report.checks.get(check, 0) for check in CHECKS}
    if report.convicted:
        cheats = _.list(clean_name(report.players[seat][0]) for seat in report.convicted)
        lines = [_("{file}: {names} cheated, and this file proves it.", file=name, names=cheats)]
    else:
        lines = [_("{file}: valid.", file=name)]
    if not report.complete:
        lines.append(_("  The file ends before the match does; everything in it was checked."))
    players = _.list(f"{clean_name(player)} ({fingerprint})" for player, fingerprint in report.players)
    lines.append(
        _("  {game}, played by {players}.", game=report.roster.game if report.roster else "?", players=players)
    )
    lines.append(
        _(
            "  Checked: {rounds}, {signatures} signatures, {shuffles} shuffles, {shares} shares, {moves} moves.",
            rounds=_.n("one round", "{n} rounds", report.rounds),
            signatures=checks["signatures"],
            shuffles=checks["shuffles"],
            shares=checks["shares"],
            moves=checks["moves"],
        )
    )
    if report.words:
        lines.append(_("  Secret-check words: {words}", words=" ".join(report.words)))
    lines.append(_("  Match ID: {match}", match=report.match.hex()))
    return lines + evidence_lines(_, report)


def failed_lines(_: Translator, name: str, report: Report) -> list[str]:
    """Return where the file stops being valid, and that this accuses nobody."""
    lines = [_("{file}: NOT valid.", file=name)]
    failed = report.failed
    if failed is not None and failed.seat is not None and failed.seat < len(report.players):
        owner = clean_name(report.players[failed.seat][0])
        lines.append(
            _("  {step}, in a message from {name}: {what}", step=failed.step, name=owner, what=clean(failed.what))
        )
        lines.append(_("  This does not show who did it: anyone who has the file can change it."))
    elif failed is not None:
        lines.append(_("  {step}: {what}", step=failed.step, what=clean(failed.what)))
    lines += evidence_lines(_, report)
    done = report.checks.get("moves", 0)
    lines.append(_.n("  Before that, one move is valid.", "  Before that, {n} moves are valid.", done))
    return lines


def evidence_lines(_: Translator, report: Report) -> list[str]:
    """Return what the match itself found, then what the comparison with other files shows."""
    return [
        _("  Compared with other files: {what}", what=evidence_text(_, each, report))
        if "files" in each
        else _("  Found during the match: {what}", what=evidence_text(_, each, report))
        for each in report.evidence
    ]


def evidence_text(_: Translator, each: dict[str, Any], report: Report) -> str:
    """Return a sentence about a breach, a proof of cheating or a goodbye, with the player's name."""
    seat = each.get("seat")
    name = clean_name(report.players[seat][0]) if isinstance(seat, int) and seat < len(report.players) else "?"
    what, reason = str(each.get("what", "")), clean(str(each.get("reason", "")))
    files = _.list(clean(str(file)) for file in each.get("files", ()))
    if what == CONTRADICTION:
        return _("{files} show different ends of the same match", files=files)
    if what == "two-signatures":
        return _("{name} signed one message twice, which proves nothing ({files})", name=name, files=files)
    if files:
        return _("{name} sent different messages to different players ({files})", name=name, files=files)
    if what == "goodbye":
        return _("{name} quit for good", name=name)
    if what == "breach":
        return _("{name} broke a rule: {reason}", name=name, reason=reason)
    return _("{name} cheated ({what}): {reason}", name=name, what=clean(what), reason=reason)
