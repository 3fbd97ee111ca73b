"""The score sheet: points round by round, what was left in hand, what was checked."""

from __future__ import annotations

from pathlib import PurePath

from cli.client.evening import evening_lines
from cli.games.narrator import hand_in
from cli.view.table.prompting import prompt
from cli.view.table.table import Table
from cli.view.views import Frame, Line, Offer, Piece, ScoreView


def score_view(table: Table) -> ScoreView:
    """The sheet as it stands."""
    _, game, narrator, sheet, ended = (
        table._,
        table.playing.game,
        table.at.narrator,
        table.rounds.sheet,
        table.rounds.ended,
    )
    scores = sheet.scores or tuple(table.playing.view().get("scores") or ())
    # A match that ends after so many rounds has no winner in its view; its scores tell who leads.
    won_by = ended.view.get("winner") if ended is not None else ()
    winners = tuple(game.winners(scores) if won_by is None and scores else won_by or ())
    rows = []
    for number, team in enumerate(game.teams):
        name = narrator.team(number)
        name = name[:1].upper() + name[1:]
        if len(team) == 1:
            name = narrator.name(team[0])
            name = _("{name} (you)", name=name) if team[0] == table.playing.seat else name
        points = tuple(str(each[number]) if number < len(each) else "" for each in sheet.rounds)
        total = scores[number] if number < len(scores) else 0
        rows.append((name, points, total, any(seat in winners for seat in team)))
    better = -1 if not game.few_points_win else 1
    rows.sort(key=lambda row: (not row[3], better * row[2]))
    won = sum(row[3] for row in rows)
    wins = _("DRAW") if won == len(rows) > 1 else _("WINS")
    return ScoreView(
        _frame(table),
        _heading(table),
        tuple(_("R{n}", n=number) for number in range(1, len(sheet.rounds) + 1)),
        tuple((name, points, str(total), wins if is_first else "") for name, points, total, is_first in rows),
        _("Total"),
        _facts(table),
        won,
        more=(_("more ↓"), _("↑ back")),
        is_passing=not table.rounds.is_between and ended is None,
    )


def _heading(table: Table) -> str:
    _, target = table._, table.playing.game.options.get("target")
    if target and table.playing.game.few_points_win:
        return _("{game}, until somebody has {target}: fewest points win", game=table.title, target=target)
    told = _("{game}, first to {target}", game=table.title, target=target) if target else table.title
    rounds = table.playing.facts.rounds
    return _.n("{match}, {n} round at most", "{match}, {n} rounds at most", rounds, match=told) if rounds else told


def _next_round(table: Table) -> str:
    """How long the pause between rounds lasts at most."""
    left = table.rounds.left_s()
    return "" if left is None else table._("the next round in {seconds} s at the latest", seconds=left)


def _prompt(table: Table) -> tuple[str, str, str, str]:
    """Head, prompt, mood, event."""
    _, rounds = table._, table.rounds
    if table.notice.text:
        return "", table.notice.text, "no" if table.notice.is_no else "turn", ""
    if rounds.ended is not None and not rounds.may_rematch:
        return "", _("The match is over · Esc: to the lobby"), "turn", ""
    if rounds.ended is not None:
        return "", _("The match is over · Enter: rematch · Esc: to the lobby"), "turn", ""
    if rounds.is_between and rounds.is_last:
        return "", _("The match is over: all sign the result…"), "wait", ""
    if not rounds.is_between:
        now = prompt(table)
        return now.head, now.text, now.mood, "" if now.head else now.event
    told, mood = _("Enter: ready for the next round"), "turn"
    if table.is_watching:
        told, mood = _("The round is over"), "wait"
    elif rounds.is_ready:
        told, mood = _("You are ready"), "wait"
    return "", " · ".join(part for part in (told, _next_round(table)) if part), mood, ""


def _frame(table: Table) -> Frame:
    _, rounds = table._, table.rounds
    right: tuple[Piece, ...] = ()
    if played := rounds.sheet.rounds:
        told, is_fair = _.n("{n} round", "{n} rounds", len(played)), table.checked and table.accused is None
        right = ((f"{told} · {_('all proven fair')}", "ok") if is_fair else (told, "text"),)
    name = table.playing.facts.name
    title = _("Scores · {table}", table=name) if name else _("Scores")
    head, told, mood, event = _prompt(table)
    return Frame(title, "", right, head, told, mood, event=event, actions=tuple(_offers(table)))


def _offers(table: Table) -> list[Offer]:
    _, rounds = table._, table.rounds
    if rounds.ended is not None and table.is_watching:
        return [Offer("escape", _("lobby"))]
    if rounds.ended is not None:
        rematch = [Offer("play", _("rematch"))] if rounds.may_rematch else []
        other = [Offer("other-game", _("other game")), Offer("report"), Offer("replay", _("replay"))]
        return [*rematch, *other, Offer("export", _("export")), Offer("escape", _("lobby"))]
    is_asked = table.is_asked_ready
    chat = [] if table.is_watching else [Offer("chat")]
    back = [Offer("escape", _("table"))] if is_asked else []
    first = Offer("play", _("ready") if is_asked else _("back to the table"))
    return [first, Offer("report"), *back, Offer("log"), *chat, Offer("leave")]


def _facts(table: Table) -> tuple[Line, ...]:
    _, rounds, told = table._, table.rounds, table.face.sheet
    lines: list[Line] = []
    left: list[Line] = []
    is_over = rounds.is_between or rounds.ended is not None
    if is_over:
        ended = told.how_it_ended(rounds.sheet.last, table.log.last_move)
        lines += [((ended, "text"),), (("", "text"),)] if ended else []
    for seat in range(len(table.playing.players)):
        if cards := hand_in(rounds.sheet.last, seat):
            left.append(((f"  {table.at.narrator.who(seat)}  ", "strong"), (told.counted(cards), "text")))
    if left and is_over:
        lines += [((_("Left in hand this round"), "gold"),), *left, (("", "text"),)]
    counted = told.account(rounds.sheet.last) if is_over else told.so_far()
    lines += [*counted, (("", "text"),)] if counted else []
    if rounds.evening:
        evening = evening_lines(_, rounds.evening)
        lines += [((_("Evening so far"), "gold"),), *(((f"  {line}", "text"),) for line in evening)]
        lines.append((("", "text"),))
    if table.checked:
        total = round(sum(each.took_ms for each in table.checked))
        # Who was away knows neither how long it took nor how many moves there were.
        checked = (
            " · ".join(
                (
                    _("✓ Deals checked: {n} in {ms} ms", n=len(table.checked), ms=total),
                    _.n("{n} move signed", "{n} moves signed", table.log.moves_seen),
                )
            )
            if all(each.took_ms for each in table.checked)
            # Those before a return were checked, too: our own votes for them say so.
            else _("✓ Deals checked: {n}, all in order", n=max(len(table.checked), len(rounds.sheet.rounds)))
        )
        lines.append(((checked, "ok"),))
    if rounds.ended is not None and rounds.ended.verified is not None:
        lines.append(
            (
                (_("✓ The whole transcript was checked: in order."), "ok")
                if rounds.ended.verified
                else (_("✗ The transcript was checked: NOT in order."), "alarm"),
            )
        )
    if rounds.ended is not None and rounds.ended.transcript:
        lines.append(((_("Transcript: {path}", path=PurePath(rounds.ended.transcript).name), "dim"),))
    return tuple(lines)
