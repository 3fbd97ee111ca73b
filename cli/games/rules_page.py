"""The rules page of a game as its options make it, in the reader's language, then the options themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cli.clean import wrap
from cli.games.cards import Cards
from cli.games.options import option_about, option_label, option_words
from cli.games.registry import face_of
from cli.games.titles import game_title
from cli.text import Translator
from cli.text.rules import heading, laid_out, paragraphs
from protocol.errors import GameFailed
from protocol.games.deck_style import RANK_PLURALS
from protocol.games.game import AnyGame
from protocol.games.options import allowed, spelled


def page_of(_: Translator, game: AnyGame, seats: int | None) -> list[str] | None:
    """The paragraphs of a game's rules page; None: it has none. Raises GameFailed for a stranger's page that cannot be read, such
    as one that shows an option which does not exist."""
    try:
        text = face_of(game).rules_text(_.lang)
        return None if text is None else paragraphs(text, facts_of(game, seats), speller(_, game))
    except Exception as error:
        raise GameFailed(game.name, error) from error


def rules_lines(_: Translator, game: AnyGame, seats: int | None, columns: int, typed: bool = False) -> list[str]:
    """All lines of a game's rules page; with `typed`, how each option is typed on a command line."""
    head, *options = option_lines(_, game, columns, typed)
    return [*laid_out(_page_or_why_not(_, game, seats), columns), "", heading(head), *options]


def rules_parts(_: Translator, game: AnyGame, columns: int) -> list[tuple[str, list[str]]]:
    """The same page in parts: a heading and its lines each, the options last."""
    parts: list[tuple[str, list[str]]] = []
    for each in _page_or_why_not(_, game, game.seats):
        if each.startswith("# "):
            head, _end, each = each[2:].partition("\n")
            parts.append((head, []))
        if each:
            parts = parts or [(game_title(_, game.name), [])]
            parts[-1][1].extend(laid_out([each], columns))
    head, *lines = option_lines(_, game, columns)
    return [*parts, (head, lines)]


def _page_or_why_not(_: Translator, game: AnyGame, seats: int | None) -> list[str]:
    try:
        page = page_of(_, game, seats)
    except GameFailed as fault:
        return [
            _(
                "The rules page of {game} has a mistake: {error}",
                game=game_title(_, game.name),
                error=fault.fields["error"],
            )
        ]
    return [_("There is no rules page for {game}.", game=game_title(_, game.name))] if page is None else page


def facts_of(game: AnyGame, seats: int | None) -> Mapping[str, object]:
    """What the texts' conditions may ask for."""
    return {**game.options, "seats": seats}


def speller(_: Translator, game: AnyGame) -> Callable[[str, object], str]:
    """Options in words: ranks by name."""
    cards = Cards(_, game.deck, game.deck_style)

    def spell(name: str, value: object) -> str:
        return cards.ranks(value) if isinstance(value, str) and value in RANK_PLURALS else spelled(value)

    return spell


def option_lines(_: Translator, game: AnyGame, columns: int, typed: bool = False) -> list[str]:
    """Each option with its value here; `typed`: and what it is about, its name and what it may be on a command line."""
    lines = [_("Options")]
    for name, option in game.OPTIONS.items():
        label, value = option_label(_, name, option), option_words(_, option, game.options[name], game.options)
        lines += wrap(_("- {option}: {value}", option=label, value=value), columns, "  ")
        if typed:
            about = option_about(_, option)
            typed_value = spelled(game.options[name])
            how = _(
                "on the command line: --option {option}={value}; allowed: {allowed}",
                option=name,
                value=typed_value,
                allowed=allowed(option),
            )
            lines += wrap(f"  {about} ({how})", columns, "  ")
    return lines
