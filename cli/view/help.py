"""Help: the keys of this screen, made from the registry, then the rules of this game in this variant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.clean import pad
from cli.games.cards import last_word
from cli.games.options import has_word
from cli.view.emotes import EMOTES
from cli.view.presenter import PagePresenter
from cli.view.views import Line
from protocol.cards import JOKER

if TYPE_CHECKING:
    from cli.view.table.state import TableState

ONLY_TICHU = frozenset({"tichu", "bomb"})
ONLY_SHEDDING = frozenset({"draw", "call"})
PAUSED = frozenset({"wait", "grand"})
"""While the table is paused these two keys answer it."""


def help_page(table: TableState) -> PagePresenter:
    return PagePresenter(
        table.settings,
        table.clock,
        table._title,
        lambda: table._("Keys and rules"),
        lambda columns: help_lines(table, columns),
        table._beneath,
        opened_by="help",
    )


def sheet_keys(table: TableState) -> list[tuple[str, str]]:
    """What the keys of the score sheet do, as it stands."""
    _ = table._
    proof, log = ("V", _("what was proven about the deal")), ("L", _("what happened, from the beginning"))
    if table.ended is None:
        is_asked = table._is_asked_ready()
        enter = _("ready for the next round") if is_asked else _("back to the table")
        back = [("Esc", _("back to the table"))] if is_asked else []
        return [("Enter", enter), *back, proof, log]
    rematch = [("Enter", _("another match at this table"))] if table.may_rematch else []
    other = [("G", _("choose another game"))] if table.playing.seat is not None else []
    return [
        *rematch,
        *other,
        proof,
        log,
        ("R", _("the match again, step by step, with all hands")),
        ("E", _("write it down in files, to read and to check")),
        ("Esc", _("to the lobby")),
    ]


def help_lines(table: TableState, columns: int) -> tuple[Line, ...]:
    _ = table._
    registry = table.settings.registry
    left_out = PAUSED | (ONLY_SHEDDING if table.is_tichu else ONLY_TICHU)
    if not has_word(table.playing.game.name, table.playing.game.options):
        left_out |= {"call"}
    names = {command for command in registry.by_name if command not in left_out}
    keys = registry.help_lines(_, table.place, names)
    if not table.is_tichu:
        passing = registry.shown_key(registry.by_name["pass"])
        keys = [(key, _("pass") if key == passing else text) for key, text in keys]
    if table.playing.game.words:
        calling, word = registry.shown_key(registry.by_name["call"]), last_word(_, table.playing.game.words)
        said = _("say “{word}”, now or with the next card", word=word)
        keys = [(key, said if key == calling else text) for key, text in keys]
    grand = registry.shown_key(registry.by_name["grand"])
    if table.is_tichu:
        keys.append((f"{_('Y')} {_('N')}", _("answer to Grand Tichu and Tichu: go to yes or no, Enter takes it")))
        keys.append(("1 2 3", _("exchange: the card goes to the left, the partner, the right; Enter gives")))
    keys.append((registry.shown_key(registry.by_name["wait"]), _("while paused: keep waiting")))
    without = _("while paused: go on without who is missing")
    keys.append((grand, _("call Grand Tichu; {paused}", paused=without) if table.is_tichu else without))
    keys.append((f"1-9 {_('Y')} {_('N')}", _("in a box: go to a choice, as ←→ do; Enter takes it, Esc goes back")))
    lines: list[Line] = [((pad(key, 8), "gold"), (text, "text")) for key, text in keys]
    if table.sheet_is_up:
        here = [((pad(key, 8), "gold"), (text, "text")) for key, text in sheet_keys(table)]
        heads = [((text, "strong"),) for text in (_("On the score sheet"), _("At the table"))]
        lines = [heads[0], *here, (("", "text"),), heads[1], *lines]
    lines.append(
        ((pad("2-9 0 JQKA", 12), "gold"), (_("go to a card of that rank, one that fits first (0: ten)"), "text"))
    )
    lines.append(
        (
            (pad(_("Mouse"), 8), "gold"),
            (
                _(
                    "a click picks, twice plays; on the trick plays, on a seat tells its last moves; keys below work, too"
                )
                if table.is_tichu
                else _(
                    "a click picks, twice plays; on the stock draws, on the pile plays, on a seat tells its last moves"
                ),
                "text",
            ),
        )
    )
    lines.append(((pad(_("Emotes"), 8), "gold"), (" ".join(EMOTES), "text")))
    letters = [f"{rank} {table.cards.rank_name(rank)}" for rank in "JQKA" if table.cards.rank_name(rank) != rank]
    letters += (
        [f"{table.cards.short(JOKER)} {table.cards.full(JOKER)}"]
        if not table.is_tichu and JOKER in table.playing.game.deck
        else []
    )
    if letters:
        lines.append(((pad(_("Letters"), 8), "gold"), (_.list(letters), "text")))
    lines.append((("", "text"),))
    if table.rules is not None:
        lines += [((line, "gold" if line.isupper() else "text"),) for line in table.rules(columns)]
    return tuple(lines)
