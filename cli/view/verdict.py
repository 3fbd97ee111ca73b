"""What a verified match file shows, in words: for `fairdeal verify` and for a phone's page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cli.clean import clean, clean_name
from cli.games.explain import reason_told
from cli.text import Translator

if TYPE_CHECKING:
    from protocol.table.verify import Report

CHECKS = ("signatures", "shuffles", "shares", "opened rounds", "moves")


def report_lines(_: Translator, name: str, report: Report) -> list[str]:
    """Return the report for people, the verdict first."""
    if not report.ok:
        return failed_lines(_, name, report)
    checks = {check: report.checks.get(check, 0) for check in CHECKS}
    if report.convicted:
        cheats = _.list(map(clean_name, report.cheats))
        lines = [_("{file}: {names} cheated, and this file proves it.", file=name, names=cheats)]
    elif report.is_contradicted:
        lines = [_("{file}: valid by itself, but it contradicts another file.", file=name)]
    else:
        lines = [_("{file}: valid.", file=name)]
    if not report.complete:
        lines.append(_("  The file ends before the match does; everything in it was checked."))
    players = _.list(f"{clean_name(player)} ({fingerprint})" for player, fingerprint in report.players)
    lines.append(
        _("  {game}, played by {players}.", game=report.roster.game if report.roster else "?", players=players)
    )
    lines += replaced_lines(_, report)
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
    lines += void_lines(_, report)
    lines += unopened_lines(_, report)
    if report.words:
        lines.append(_("  Secret-check words: {words}", words=" ".join(report.words)))
    lines.append(_("  Match ID: {match}", match=report.match.hex()))
    return lines + evidence_lines(_, report)


def replaced_lines(_: Translator, report: Report) -> list[str]:
    """Return who sat in the seats before, each with who sat there last."""
    return [
        _(
            "  {other} took over the seat of {name} ({fingerprint}).",
            name=clean_name(name),
            fingerprint=fingerprint,
            other=clean_name(report.players[seat][0]),
        )
        for seat, name, fingerprint in report.replaced
    ]


def failed_lines(_: Translator, name: str, report: Report) -> list[str]:
    """Return where the file stops being valid, and that this accuses nobody."""
    lines = [_("{file}: NOT valid.", file=name)]
    failed = report.failed
    if failed is not None:
        step, what = _(failed.at.template, number=failed.at.number), clean(reason_told(_, failed.fault))
        if failed.seat is not None and failed.seat < len(report.players):
            owner = clean_name(report.players[failed.seat][0])
            lines.append(_("  {step}, in a message from {name}: {what}", step=step, name=owner, what=what))
            lines.append(_("  This does not show who did it: anyone who has the file can change it."))
        else:
            lines.append(_("  {step}: {what}", step=step, what=what))
    lines += evidence_lines(_, report)
    done = report.checks.get("moves", 0)
    lines.append(_.n("  Before that, one move is valid.", "  Before that, {n} moves are valid.", done))
    return lines + unopened_lines(_, report)


def void_lines(_: Translator, report: Report) -> list[str]:
    """Return the rounds in which nobody scored."""
    if not report.void:
        return []
    rounds = _.list(map(str, report.void))
    return [
        _.n(
            "  Round {rounds} was void: nobody scored in it.",
            "  Rounds {rounds} were void: nobody scored in them.",
            len(report.void),
            rounds=rounds,
        )
    ]


def unopened_lines(_: Translator, report: Report) -> list[str]:
    """Return how many moves more were checked, in a round whose hands nobody showed."""
    if not report.unopened_moves:
        return []
    return [
        _.n(
            "  One more move, in an unfinished round, was checked without the hands.",
            "  {n} more moves, in an unfinished round, were checked without the hands.",
            report.unopened_moves,
        )
    ]


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
    from protocol.table.verify import CONTRADICTION

    seat = each.get("seat")
    sits = report.players[seat][0] if isinstance(seat, int) and seat < len(report.players) else "?"
    name = clean_name(str(each.get("name", sits)))
    what, reason = str(each.get("what", "")), clean(_.known(str(each.get("reason", ""))))
    files = _.list(clean(str(file)) for file in each.get("files", ()))
    if what == CONTRADICTION:
        return _("{files} show different endings of the same match", files=files)
    if what == "two-signatures":
        return _("{name} signed one message twice, which alone proves no cheating ({files})", name=name, files=files)
    if files:
        return _("{name} sent different messages to different players ({files})", name=name, files=files)
    if what == "goodbye":
        return _("{name} quit for good", name=name)
    if what == "breach":
        return _("{name} broke a rule: {reason}", name=name, reason=reason)
    return _("{name} cheated ({what}): {reason}", name=name, what=clean(what), reason=reason)
