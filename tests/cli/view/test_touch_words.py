"""On a page nobody presses keys: no sentence of it names one, or the lobby, which a phone has not."""

from __future__ import annotations

import re
from functools import cache

import pytest

from cli.text import Translator, load_translator
from cli.view.actions import ButtonNames
from cli.view.touch_words import TOUCH_WORDS
from tests.cli.catalogue_keys import fault_keys, plurals, spoken_keys

ELSEWHERE = (
    "cli/view/progress",
    "cli/terminal",
    "cli/plain",
    "cli/doctor",
    "cli/commands",
    "cli/bench",
    "cli/arguments",
    "protocol",
    "p2p",
)
"""Not shown on a page: progress is told in the terminal until there is a face. Faults of a peer's data speak of signing keys."""
NOT_KEYS = {"Y", "N", "R{n}", "letters: S H D C"}
"""What stands for a choice where keys are shown, a round's number, suits that are drawn as letters."""
LONE_LETTER = r"(?<![\w{’'♠♥])(?<!z\. )[B-HLMNOPR-Z](?![\w}’'・-])"
WRONG = {
    "en": rf"\b[Pp]ress(ed|es)?\b|[Ll]obby|\b(Enter|Esc|Ctrl|Space|Shift)\b|[Cc]lick|{LONE_LETTER}",
    "de": rf"[Dd]rück|Tischliste|[Ll]obby|\b(Enter|Esc|Strg|Taste|Tasten|Leertaste)\b|[Kk]lick|{LONE_LETTER}",
    "ja": rf"押|ロビー|クリック|キー(?!ン)|Enter|Esc|Ctrl|{LONE_LETTER}",
}


@cache
def singulars() -> dict[str, str]:
    return {many: one for one, many in plurals().items()}


def said(words: Translator, template: str) -> str:
    """What the page says for it, with its fields in braces."""
    mine = words.names.worded(template)
    found = words._entries.get(mine) or words._entries.get(singulars().get(mine, ""))
    return mine if words.lang == "en" or found is None or not mine else found[-1]


def templates() -> list[str]:
    spoken = {key: where for key, where in (spoken_keys() | fault_keys()).items() if not where.startswith(ELSEWHERE)}
    return [*spoken, *(many for many, one in singulars().items() if one in spoken)]


@pytest.mark.parametrize("lang", WRONG)
def test_no_sentence_of_a_page_names_a_key_or_the_lobby(lang: str) -> None:
    words = load_translator(lang, ButtonNames())
    assert len(templates()) > 800
    found = {each: said(words, each) for each in templates() if each not in NOT_KEYS}
    assert {each: text for each, text in found.items() if re.search(WRONG[lang], text)} == {}


COMPUTERS_ONLY = (
    "cli/command_facts",
    "cli/flow/lobby",
    "cli/news/table.py",
    "cli/page/texts",
    "cli/view/bot_news",
    "cli/view/lobby",
    "cli/view/phones",
)
"""Where there are no phones: those have no lobby and no bots, serve no others, and have words of their own for a lost link."""
IN_A_TERMINAL = (
    "cli/argument_parser",
    "cli/client/discovery",
    "cli/client/tables",
    "cli/client/waits",
    "cli/flow/session",
    "cli/news/table.py",
    "cli/phones/assets",
    "cli/view/results",
)
"""What is said before there is a page, after it, or where somebody has typed a command."""
OF_COMPUTERS = {
    "{name} plays by phone, through your computer.",
    "{name} plays on your computer.",
    "These bots run on your computer. Restarting them…",
    "These bots run on your computer. To restart them: {@leave}, step away, then {@resume} in the lobby.",
    "These bots run on your computer. To restart them, step away and rejoin.",
    "that match is open in another window on this computer: play on there",
}
OR_ELSE = {"Checked on your computer", "Fair deal, checked on your computer"}
"""Phones are told the same in other words."""


def test_a_phone_is_not_called_a_computer() -> None:
    words = load_translator("en", ButtonNames())
    spoken = {key: where for key, where in (spoken_keys() | fault_keys()).items() if not where.startswith(ELSEWHERE)}
    mine = {each for each, where in spoken.items() if not where.startswith(COMPUTERS_ONLY)} - OF_COMPUTERS - OR_ELSE
    found = {said(words, each) for each in mine}
    assert {each for each in found if re.search("(this|your) computer", each, re.IGNORECASE)} == set()


def test_whoever_reads_a_page_is_sent_to_no_command() -> None:
    words = load_translator("en", ButtonNames())
    spoken = {key: where for key, where in (spoken_keys() | fault_keys()).items() if not where.startswith(ELSEWHERE)}
    found = {said(words, each) for each, where in spoken.items() if not where.startswith(IN_A_TERMINAL)}
    assert {each for each in found if re.search(r"\brun the\b|fairdeal (?!verify”$)[a-z]", each)} == set()


def test_what_is_said_in_other_words_is_said_somewhere() -> None:
    known = {*spoken_keys(), *fault_keys(), *singulars()}
    assert set(TOUCH_WORDS) - known == set()


def test_a_page_says_it_in_its_own_words_in_every_form_and_other_faces_do_not() -> None:
    page, usual = load_translator("en", ButtonNames()), load_translator("en")
    assert page("Beat the trick, or press {@pass} to pass") == "Beat the trick, or pass"
    assert usual("Beat the trick, or press {@pass} to pass") == "Beat the trick, or press pass to pass"
    one, many = (
        "One four is down: add a 4 or press {@pass} to pass",
        "{n} fours are down: add a 4 or press {@pass} to pass",
    )
    assert page.n(one, many, 3) == "3 fours are down: add a 4, or pass"
    assert load_translator("de", ButtonNames()).n(one, many, 1) == "Eine Vier liegt: Leg eine 4 dazu oder passe"
    assert page("{@pass:pass}") == ""
