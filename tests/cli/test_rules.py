"""The rules in words: every text follows its options, and says in each language what it says in the others."""

from __future__ import annotations

import itertools
import re

import pytest

from cli.clean import width
from cli.games.rules_page import option_lines, page_of, rules_lines
from cli.text import languages, load_translator
from cli.text.rules import holds, laid_out, paragraphs, rules_text
from cli.view.page import rules_of
from protocol.errors import BadOption
from protocol.games.catalogue import BUILT_IN, game_class
from protocol.games.game import AnyGame, Option

GAMES = sorted(BUILT_IN)


def values_of(option: Option) -> list[object]:
    """A few values of an option, its default among them."""
    bounds = [option.low, option.high] if option.low is not None else []
    return list(dict.fromkeys([option.default, *option.values[:3], *bounds, *([None] if option.none else [])]))


def tables(name: str, with_pairs: bool = True) -> list[AnyGame]:
    """The game with each option at each of its values, and with pairs of them."""
    kind = game_class(name)
    seats = 4
    single = [{key: value} for key, option in kind.OPTIONS.items() for value in values_of(option)]
    pairs = [{**one, **two} for one, two in itertools.combinations(single, 2)] if with_pairs else []
    found: list[AnyGame] = []
    for options in ({}, *single, *pairs):
        try:
            found.append(kind(seats, options))
        except BadOption:
            continue
    return found


def text_of(name: str, lang: str) -> str:
    text = rules_text(name, lang)
    assert text is not None
    return text


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("lang", languages())
def test_every_game_has_rules_in_every_language(name: str, lang: str) -> None:
    assert lang == "en" or text_of(name, lang) != text_of(name, "en")


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("lang", languages())
def test_whatever_the_options_the_text_is_whole(name: str, lang: str) -> None:
    """Translations have the same sections and conditions as the English text, in which pairs of options are tried."""
    words = load_translator(lang)
    for game in tables(name, with_pairs=lang == "en"):
        chosen = page_of(words, game, None)
        assert chosen is not None
        text = "\n".join([*chosen, *option_lines(words, game, 80)])
        assert "{" not in text
        assert "[if" not in text
        assert "None" not in text
        for paragraph, following in itertools.pairwise([*chosen, "# end"]):
            assert not (paragraph.startswith("# ") and "\n" not in paragraph and following.startswith("# ")), (
                f"an empty section: {paragraph}"
            )


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("lang", [code for code in languages() if code != "en"])
def test_languages_have_the_same_sections_conditions_and_values(name: str, lang: str) -> None:
    def bones(text: str) -> list[str]:
        return re.findall(r"^(?:\[if .*\]|#|-)|\{\w+\}", text, re.MULTILINE)

    assert bones(text_of(name, lang)) == bones(text_of(name, "en"))


@pytest.mark.parametrize("name", GAMES)
def test_every_option_that_changes_the_rules_changes_the_text(name: str) -> None:
    """But for those that are other options under one name, and the penalty of a word that is not said."""
    kind = game_class(name)
    silent = {"preset", "last_card_penalty"}
    plain = rules_lines(load_translator("en"), kind(4, {}), None, 200)
    head = plain[: plain.index("OPTIONS")]
    for key, option in kind.OPTIONS.items():
        others = [value for value in values_of(option) if value != option.default]
        for value in others:
            try:
                game = kind(4, {key: value})
            except BadOption:
                continue
            lines = rules_lines(load_translator("en"), game, None, 200)
            if key not in silent and game.options[key] != kind(4, {}).options[key]:
                assert lines[: lines.index("OPTIONS")] != head, f"{key}={value} says nothing"


@pytest.mark.parametrize(
    ("name", "options", "untold"),
    [
        # the first player out ends the round: nothing that they leave goes on
        ("macau-wars", {"mode": "championship"}, "continues for the other players"),
        ("macau-wars", {"mode": "championship"}, "turns are dropped"),
        ("macau-wars", {"mode": "championship"}, "or when you go out"),
        # the draw ends the turn
        ("macau-wars", {"play_drawn": False, "jack_call": "round"}, "and then play"),
    ],
)
def test_what_cannot_happen_at_a_table_is_not_told(name: str, options: dict[str, object], untold: str) -> None:
    page = page_of(load_translator("en"), game_class(name)(4, options), None)
    assert page is not None and untold not in re.sub(r"\s+", " ", "\n".join(page))


def test_a_condition_before_a_heading_holds_for_its_section() -> None:
    text = "# A\n\none\n\n[if x]\n# B\n\ntwo\n\nthree\n\n# C\n\n[if !x]\nfour {x}"
    assert paragraphs(text, {"x": False}, lambda _n, value: str(value)) == ["# A", "one", "# C", "four False"]
    assert paragraphs(text, {"x": 1}, lambda _n, value: str(value)) == ["# A", "one", "# B", "two", "three", "# C"]


def test_a_condition_begins_a_paragraph_by_itself() -> None:
    text = "- one\n[if x]\n- two\n- three\n[if !x]\n- four"
    assert paragraphs(text, {"x": True}, lambda _n, value: str(value)) == ["- one", "- two\n- three"]


@pytest.mark.parametrize(
    ("condition", "answer"),
    [
        ("draw=one", True),
        ("draw!=one", False),
        ("on", True),
        ("!on", False),
        ("none", False),
        ("none=null", True),
        ("on & draw=one", True),
    ],
)
def test_conditions(condition: str, answer: bool) -> None:
    assert holds(condition, {"draw": "one", "on": True, "none": None}) is answer


def test_a_condition_on_no_option_is_a_mistake() -> None:
    with pytest.raises(KeyError):
        holds("unheard", {})


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("columns", [30, 60, 100])
def test_lines_fit_their_columns(lang: str, columns: int) -> None:
    for name in GAMES:
        for line in rules_lines(load_translator(lang), game_class(name)(4, {}), None, columns):
            assert width(line) <= columns + 4, line


def test_running_text_is_joined_before_it_is_broken() -> None:
    assert laid_out(["# Head\na b\nc d", "- one\n  two\n- three"], 80) == [
        "HEAD",
        "a b c d",
        "",
        "- one two",
        "- three",
    ]
    assert laid_out(["山札を\n引きます"], 80) == ["山札を引きます"]


@pytest.mark.parametrize("lang", ["en", "de", "ja"])
def test_headings_and_nothing_else_stand_out_on_a_screen(lang: str) -> None:
    """Of a Japanese sentence with a J in it, all letters that can be capitals are."""
    words = load_translator(lang)
    for name in GAMES:
        lines = rules_of(words, game_class(name)(4, {}))
        gold = [line[-1][0] for line in lines if line[-1][1] == "gold"]
        text = rules_text(name, lang)
        assert text is not None
        known = {each[2:] for each in text.splitlines() if each.startswith("# ")} | {words("Options")}
        assert {each.upper() for each in known} >= {each.upper() for each in gold}
        assert len(gold) > 3 and gold[-1].upper() == words("Options").upper()
