"""`fairdeal verify FILE...`: verify transcripts without trusting any client, and report the result."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from cli.clean import clean, clean_name
from cli.client.recording import read_transcript
from cli.context import Context
from cli.faults import DONE, FAILED, WRONG_USE, WrongUse
from cli.games.explain import explain
from cli.requests import FilesRequest
from cli.text import Translator

if TYPE_CHECKING:
    from protocol.table.verify import Report

CHECKS = ("signatures", "shuffles", "shares", "opened rounds", "moves")


def run(request: FilesRequest, context: Context) -> int:
    """Return 0 only if every file is valid, 1 if one is not, 2 if one cannot be read."""
    from protocol.table.verify import Unreadable, verify

    _ = context.words
    status = DONE
    for path in request.files:
        name = clean(str(path))
        try:
            report = verify(read_transcript(path), os.urandom, full=request.all)
        except (WrongUse, Unreadable) as fault:
            context.note(_("{path}: {reason}", path=name, reason=explain(_, fault)))
            status = WRONG_USE
            continue
        if not report.ok:
            status = max(status, FAILED)
        if request.json:
            context.tell_json(report_json(str(path), report))
        else:
            for line in report_lines(_, name, report):
                context.tell(line)
    return status


def report_json(file: str, report: Report) -> dict[str, Any]:
    """Return the object that `--json` prints for a file."""
    failed = report.failed
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
        "failed": None if failed is None else {"step": failed.step, "seat": failed.seat, "what": failed.what},
    }


def report_lines(_: Translator, name: str, report: Report) -> list[str]:
    """Return the report for people, the verdict first."""
    if not report.ok:
        return failed_lines(_, name, report)
    checks = {check: report.checks.get(check, 0) for check in CHECKS}
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
    lines += [_("  Found during the match: {what}", what=evidence_text(_, each, report)) for each in report.evidence]
    return lines


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
    done = report.checks.get("moves", 0)
    lines.append(_.n("  Before that, one move is valid.", "  Before that, {n} moves are valid.", done))
    return lines


def evidence_text(_: Translator, each: dict[str, Any], report: Report) -> str:
    """Return a sentence about a breach, a proof of cheating or a goodbye, with the player's name."""
    seat = each.get("seat")
    name = clean_name(report.players[seat][0]) if isinstance(seat, int) and seat < len(report.players) else "?"
    what, reason = str(each.get("what", "")), clean(str(each.get("reason", "")))
    if what == "goodbye":
        return _("{name} quit for good", name=name)
    if what == "breach":
        return _("{name} broke a rule: {reason}", name=name, reason=reason)
    return _("{name} cheated ({what}): {reason}", name=name, what=clean(what), reason=reason)
