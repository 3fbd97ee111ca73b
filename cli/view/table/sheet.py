"""The score sheet: points round by round, what was left in hand, what was checked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from cli.games.explain import explain
from cli.view.partings import first_of, last_places_told
from cli.view.results import evening_lines
from cli.view.table.sheet_frame import sheet_frame
from cli.view.table.table import TableParts
from cli.view.views import Line, ScoreView
from protocol.cards import Seat
from protocol.table.places import Departure


def score_view(table: TableParts) -> ScoreView:
    """The sheet as it stands."""
    _, game, sheet = table._, table.playing.game, table.rounds.sheet
    scores = sheet.scores or table.playing.view().scores
    ended = table.rounds.ended
    # A match that ends after so many rounds has no winner in its view; its scores tell who leads.
    won_by = ended.view.winners if ended is not None else ()
    winners = tuple(game.winners(scores) if won_by is None and scores else won_by or ())
    winners = (first_of(ended) if ended is not None else ()) or winners
    places = {each.seat: each.place for each in ended.places} if ended is not None else {}
    rows = []
    for number, team in enumerate(game.teams):
        told = table.at.narrator.team(number)
        name = told[:1].upper() + told[1:]
        if len(team) == 1:
            name = table.at.narrator.name(team[0])
            name = _("{name} (you)", name=name) if team[0] == table.playing.seat else name
        points = tuple(str(each[number]) if number < len(each) else "" for each in sheet.rounds)
        total = scores[number] if number < len(scores) else 0
        place = min((places[seat] for seat in team if seat in places), default=0)
        rows.append((name, points, total, any(seat in winners for seat in team), place, _mark(table, team)))
    better = -1 if not game.few_points_win else 1
    rows.sort(key=lambda row: (not row[3], row[4], better * row[2]))
    won = sum(row[3] for row in rows)
    wins = _("DRAW") if won == len(rows) > 1 else _("WON")
    return ScoreView(
        sheet_frame(table),
        _heading(table),
        tuple(_("R{n}", n=number) for number in range(1, len(sheet.rounds) + 1)),
        tuple(
            (name, points, str(total), wins if is_first else mark)
            for name, points, total, is_first, _place, mark in rows
        ),
        _("Total"),
        _facts(table),
        won,
        is_passing=not table.rounds.is_between and ended is None,
    )


def _mark(table: TableParts, team: Sequence[Seat]) -> str:
    """A word beside the points of those who are gone."""
    _, ended, players = table._, table.rounds.ended, table.playing.players
    reasons = {each.seat: each.reason for each in ended.places} if ended is not None else {}
    marks = {
        Departure.LEFT: _("gave up"),
        Departure.CONVICTED: _("cheated"),
        Departure.WITHHELD: _("gone"),
    }
    of_team = [reasons.get(seat) for seat in team]
    if (worst := of_team[0]) is not None and None not in of_team:
        return marks[worst]
    return _("gone") if all(players[seat].left for seat in team) else ""


def _early(table: TableParts) -> tuple[Line, ...]:
    """Why the match ended early, and who finishes last for another reason than points."""
    ended, narrator = table.rounds.ended, table.at.narrator
    if ended is None:
        return ()
    early = [explain(table._, ended.early, table.at.cards, narrator.names)] if ended.early is not None else []
    return tuple(((told, "gold"),) for told in (*early, *last_places_told(narrator, ended)))


def _heading(table: TableParts) -> str:
    _, name = table._, table.title
    target = table.playing.game.options.get("target")
    if not target:
        told = name
    elif table.playing.game.few_points_win:
        told = _("{game}, until someone reaches {target}: lowest score wins", game=name, target=target)
    else:
        told = _("{game}, first to {target}", game=name, target=target)
    rounds = table.playing.facts.rounds
    return _.n("{match}, up to {n} round", "{match}, up to {n} rounds", rounds, match=told) if rounds else told


def _facts(table: TableParts) -> tuple[Line, ...]:
    blank: Line = (("", "text"),)
    parts = (_early(table), *_round_facts(table), _evening(table))
    lines = [line for part in parts if part for line in (*part, blank)]
    return (*lines, *_proofs(table))


def _round_facts(table: TableParts) -> tuple[tuple[Line, ...], ...]:
    """How the round ended, what was left in hand, and how it came to its points; while one is played, how that stands."""
    _, sheet, last = table._, table.face.sheet, table.rounds.sheet.last
    if not table.rounds.is_between and table.rounds.ended is None:
        return (sheet.so_far(),)
    told = sheet.how_it_ended(last, table.log.last_move)
    ended: tuple[Line, ...] = (((told, "text"),),) if told else ()
    left: list[Line] = [
        (
            (f"  {_('You') if seat == table.at.me else table.at.narrator.name(seat)}  ", "strong"),
            (sheet.counted(cards), "text"),
        )
        for seat in range(len(table.playing.players))
        if (cards := last.hand(seat))
    ]
    heading: list[Line] = [((_("Cards left this round"), "gold"),)]
    return ended, tuple(heading + left) if left else (), sheet.account(last)


def _evening(table: TableParts) -> tuple[Line, ...]:
    if not table.rounds.evening:
        return ()
    told = evening_lines(table._, table.rounds.evening)
    return (((table._("Tonight’s results"), "gold"),), *(((f"  {line}", "text"),) for line in told))


def _proofs(table: TableParts) -> list[Line]:
    """What was checked, and where the proof lies."""
    _, ended, checked = table._, table.rounds.ended, table.checked
    lines: list[Line] = []
    if checked and all(each.took_ms for each in checked):
        total = round(sum(each.took_ms for each in checked))
        deals = _("✓ Deals checked: {n} in {ms} ms", n=len(checked), ms=total)
        moves = _.n("{n} move signed", "{n} moves signed", table.log.moves_seen)
        lines.append(((f"{deals} · {moves}", "ok"),))
    elif checked:
        # Who was away knows neither how long it took nor how many moves there were; those before a return were checked,
        # too: our own votes for them say so.
        told = _("✓ Deals checked: {n}, all valid", n=max(len(checked), len(table.rounds.sheet.rounds)))
        lines.append(((told, "ok"),))
    if ended is not None and ended.verified:
        told = _("✓ Every deal and every move was rechecked: nobody cheated.")
        if not table.rounds.is_known_clean:
            told = _("✓ Every deal and every move was rechecked: the result stands.")
        lines.append(((told, "ok"),))
    elif ended is not None and ended.verified is not None:
        lines.append(((_("✗ The recheck FAILED: run fairdeal verify on the transcript to see why."), "alarm"),))
    if ended is not None and ended.transcript:
        lines.append(((_("Transcript: {path}", path=PurePath(ended.transcript).name), "dim"),))
    return lines
