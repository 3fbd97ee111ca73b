"""A table as a view."""

from __future__ import annotations

from collections import Counter

from cli.games.explain import explain
from cli.games.shown import Dialog
from cli.view.table.pause import reconnect_dialog
from cli.view.table.prompting import clock_piece, confirms, newest_event, prompt, way_back, way_back_told
from cli.view.table.question import dialog_of
from cli.view.table.report import evidence_text
from cli.view.table.seats import tiles
from cli.view.table.sheet import score_view
from cli.view.table.table import TableParts
from cli.view.views import Frame, HandCard, Offer, Piece, ScoreView, TableView
from protocol.cards import Card
from protocol.games.views import PublicView
from protocol.values import replace


def view_of(table: TableParts) -> TableView | ScoreView:
    """What is seen now: the table, or the score sheet that covers it."""
    table.renew()
    if table.sheet_is_up:
        return score_view(table)
    _, at, face = table._, table.at, table.face
    view = at.view
    notes = face.said_at_seats() | {seat: text for seat, (text, _until) in table.notes.items()}
    hand = _hand(table)
    dialog = _dialog(table)
    middle = face.middle()
    last = table.log.last_move if table.rounds.is_due else table.log.newest
    whole, of_event = table.log.recaps(last)
    is_over = table.accused is not None or table.paused is not None or table.broken is not None
    is_over = is_over or table.playing.reconnecting is not None
    differ = any(card.fits for card in hand) and not all(card.fits for card in hand)
    frame, event = _frame(table), newest_event(table)
    if frame.prompt and event.startswith(frame.prompt):
        event = ""  # said already
    return TableView(
        frame=frame,
        seats=tiles(face, notes, table.pause.away(table.playing)),
        me=table.playing.seat,
        hand=hand,
        heading=_heading(table, hand, view),
        sorting=table.face.sort_text(table.sorting)[0] if hand else "",
        picked=face.shows_gifts() or _picked(table),
        log=tuple(table.log.entries),
        across=face.across,
        chip=face.chip(table.playing.seat or 0) if at.view.seats else "",
        legend=_("you can play the bright cards") if differ and table.paused is None else "",
        log_title=_("Log & chat"),
        log_hint=_("/ chat") if table.may_chat else "",
        last_event=event,
        recap=whole,
        recap_of_event=of_event,
        pile=middle.pile,
        trick=middle.trick,
        facts=middle.facts,
        dialog=dialog,
        dimmed=is_over and table.question.query is None,
        flight=table.flight,
        tip=table.tips.tip() if dialog is None and not at.in_flight else None,
        takes_one=face.takes_one,
        knows=face.actions,
    )


def _frame(table: TableParts) -> Frame:
    _, now = table._, prompt(table)
    right: list[Piece] = []
    if table.accused is not None:
        right.append((_("✗ check failed"), "alarm"))
    elif table.checked:
        last = table.checked[-1]
        # Who comes back knows that the deal was checked, and no longer how long that took.
        text = (
            _("✓ fair deal {ms} ms · all {n} shuffled", ms=round(last.took_ms), n=len(last.shuffled_by))
            if last.took_ms
            else _("✓ fair deal · all {n} shuffled", n=len(last.shuffled_by))
        )
        right.append((text, "ok"))
    if (clock := clock_piece(table)) is not None:
        right.append(clock)
    subtitle = [table.playing.facts.name] if table.playing.facts.name else []
    if table.rounds.number:
        subtitle.append(_("round {number}", number=table.rounds.number))
    if target := table.playing.game.options.get("target"):
        subtitle.append(_("to {target}", target=target))
    if table.is_watching:
        subtitle.append(_("watching"))
    elif onlookers := table.playing.onlookers:
        subtitle.append(_.n("{n} watching", "{n} watching", onlookers))
    banner = ""
    if table.accused is not None:
        narrator = table.at.narrator
        reason = explain(_, table.accused.reason, table.at.cards, narrator.names)
        banner = _("CHEATING: {name}. {reason}", name=narrator.name(table.accused.seat), reason=reason)
    return Frame(
        table.title,
        " · ".join(subtitle),
        tuple(right),
        now.head,
        now.text,
        now.mood,
        banner=banner,
        event=now.event,
        needs_event=now.needs_event,
        actions=tuple(_offers(table)),
    )


def _heading(table: TableParts, hand: tuple[HandCard, ...], view: PublicView) -> str:
    _ = table._
    if table.is_watching:
        return _("You are watching: hands are hidden")
    out = view.out
    if table.playing.seat in out:
        return table.face.heading_out(out.index(table.playing.seat))
    return _("Your hand · {n}", n=len(hand))


def _picked(table: TableParts) -> str:
    chosen = table.hand.chosen
    parts = [table._("picked: {cards}", cards=table.at.cards.row(chosen))] if chosen else []
    return " · ".join([*parts, *table.face.picked_texts()])


def _hand(table: TableParts) -> tuple[HandCard, ...]:
    position, hand, face = table.at.position, table.hand, table.face
    if position is None:
        return ()
    fitting = _fitting(table)
    playable = position.playable if position.must_act and table.at.may_tell else frozenset()
    marks = face.marks()
    if not face.shows_gifts():
        marks = marks | dict.fromkeys(table.fresh, table._("NEW"))
    return tuple(
        HandCard(
            held.id,
            table.at.cards.face(held.card, table.at.kanji),
            face.rank_key(held.card),
            fitting is None or held.card in fitting or held.id in hand.picked,
            fitting is not None and held.card in fitting,
            held.card in playable,
            held.id in hand.picked,
            marks.get(held.id, ""),
            held.card[1] if table.sorting == "suit" and len(held.card) == 2 else held.card[0],
            held.id in table.fresh,
        )
        for held in hand.cards
    )


def _fitting(table: TableParts) -> frozenset[Card] | None:
    """What can be played now, with what is picked already where that fits; None where all cards are alike."""
    position, query = table.at.position, table.question.query
    if not table.at.may_tell or position is None:
        return None
    if table.accused is not None or table.broken is not None:
        return frozenset()
    if not position.must_act or table.face.is_alike() or table.at.in_flight:
        return None
    if query is not None and query.name != "leave":
        return None  # which cards are played is settled by now
    chosen = table.hand.chosen
    if not chosen:
        return position.playable
    wanted: Counter[Card] = Counter(chosen)
    found: set[Card] = set()
    for each in position.sets:
        cards: Counter[Card] = Counter(each)
        if wanted <= cards:
            found.update(cards)
    return frozenset(found) or position.playable


# --- boxes ---


def _dialog(table: TableParts) -> Dialog | None:
    _ = table._
    query, dialog = table.question.query, table.question.dialog()
    if query is not None and dialog is not None:
        return replace(dialog, confirms=confirms(table, query))
    if table.broken is not None:
        reason = explain(_, table.broken.reason, table.at.cards, table.at.narrator.names)
        back = way_back_told(table)
        footer = _("{back} · {@report:proof} · {@log:log}", back=back)
        if table.accused is not None:  # whom and for what, the banner says
            reason = evidence_text(_, table.accused)
            footer = _("{@export:save evidence} · {back} · {@report:proof} · {@log:log}", back=back)
        return Dialog(_("The match can’t continue"), lines=(((reason, "text"),),), footer=footer, asks=False)
    if (reconnecting := table.playing.reconnecting) is not None:
        is_watching = table.playing.seat is None  # whose prompt says it, and nothing else is known
        return None if is_watching else reconnect_dialog(_, table.playing.facts.name, reconnecting)
    paused = table.pause.dialog(table.at.narrator, table.playing) if table.paused is not None else None
    if paused is not None or (own := table.face.dialog()) is not None:
        return paused or own
    standing = table.face.question()
    if standing is None:
        return None
    box = dialog_of(standing, -table.rounds.number, is_standing=True)
    return replace(box, confirms=confirms(table, standing))


# --- actions ---


def _offers(table: TableParts) -> list[Offer]:
    """An empty seat comes first: whoever watches can take it, whoever hosts can let a bot play there."""
    _, usual = table._, _usual_offers(table)
    if table.question.query is not None or table.accused is not None or table.broken is not None:
        return usual
    if table.offered is not None and table.is_watching:
        seat = Offer("play", _("take over"), is_needed=True)
    elif table.vacancy is not None and table.fills_seats:
        seat = Offer("bomb", _("let a bot play"), is_needed=True)
    else:
        return usual
    return [seat, *(each for each in usual if each.name != seat.name)]


def _usual_offers(table: TableParts) -> list[Offer]:
    _, at, face, position = table._, table.at, table.face, table.at.position
    chat = [Offer("chat")] if table.may_chat else []
    if table.question.query is not None:
        return []
    if table.accused is not None or table.broken is not None:
        # Nothing can be played any more.
        back = [Offer("play", way_back(table))] if table.broken is not None else []
        saved = [Offer("export", _("save evidence"))] if table.accused is not None else []
        return [*back, *saved, Offer("report"), Offer("log"), *chat, Offer("leave")]
    if table.rounds.is_due:
        return [Offer("play", _("scores")), Offer("log"), *chat, Offer("leave")]
    ready = [Offer("play", _("ready"))] if table.is_asked_ready else []
    if table.paused is not None:
        votes = [] if table.playing.reconnecting is not None else table.pause.offers(table.playing.seat)
        return [*votes, *([] if table.rounds.is_ready else ready), *chat, Offer("leave")]
    if table.rounds.is_between:
        return [*ready, Offer("report"), Offer("log"), *chat, Offer("leave")]
    if position is not None and not position.hand:
        # Players who are out watch: how it went, and how it stands.
        return [Offer("log"), Offer("scores"), *chat, Offer("report"), Offer("leave")]
    hint = [Offer("hint")] if at.may_tell else []
    has_box, is_asked = face.dialog() is not None, face.question() is not None
    offers: list[Offer] = []
    if has_box:
        offers += [*hint, Offer("clear")]
    elif is_asked:
        offers += hint
    elif position is not None:
        if not face.takes_enter():
            offers.append(Offer("pick"))
        if (position.must_act and not at.in_flight) or "play" in at.verbs:
            offers.append(Offer("play", face.enter_label(), is_needed=True))
    offers += face.offers()
    if position is not None and position.must_act and position.plays:
        offers += hint
    offers += face.late_offers()
    if table.hand.picked and not has_box:
        offers.append(Offer("clear"))
    if position is not None:
        offers.append(Offer("sort"))
    return [*offers, *chat, Offer("report"), Offer("log"), Offer("leave")]
