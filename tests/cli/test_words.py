"""The catalogues: complete, in step with the source, and nothing spoken passes them by."""

from __future__ import annotations

import ast
import re
import string
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from cli.faults import WrongUse
from cli.games.cards import plain
from cli.games.explain import explain
from cli.plain.verbs import LISTS, VERBS, spellings, words_for
from cli.system_language import system_languages
from cli.text import Translator, choose_language, languages, load_translator
from cli.text.catalogue import BadCatalogue, read_catalogue
from cli.text.translator import HERE, typeset
from tests.cli.catalogue_keys import fault_keys, option_keys, plurals, spoken_keys, typed_keys, unspoken

OTHERS = [code for code in languages() if code != "en"]


@cache
def entries(code: str) -> dict[str, tuple[str, ...]]:
    import cli.text.translator

    return dict(read_catalogue(cli.text.translator.HERE.joinpath(f"{code}.po").read_text(encoding="utf-8")))


def fields(text: str) -> set[str]:
    """The placeholders of a template, of both kinds."""
    named: set[str] = set()
    for _, field, about, _ in string.Formatter().parse(text.replace("%(", "%[")):
        named |= ({field} if field else set()) | (fields(about) if about else set())
    return named | set(re.findall(r"%(?:\(\w+\))?[srd]", text))


def test_these_languages_are_spoken() -> None:
    assert languages() == ("en", "de", "ja")
    names = [load_translator(code)("English") for code in languages()]
    assert names == ["English", "Deutsch", "日本語"], "each can be chosen in the settings, by its own name"


@pytest.mark.parametrize("code", OTHERS)
def test_every_text_of_the_client_is_translated(code: str) -> None:
    known = entries(code)
    missing = {text: place for text, place in spoken_keys().items() if text not in known}
    assert not missing, f"add these to cli/text/{code}.po"


@pytest.mark.parametrize("code", OTHERS)
def test_every_fault_of_the_layers_below_is_translated(code: str) -> None:
    known = entries(code)
    missing = {text: place for text, place in fault_keys().items() if text not in known}
    assert not missing, f"add these to cli/text/{code}.po"


@pytest.mark.parametrize("code", OTHERS)
def test_every_option_of_the_games_is_translated(code: str) -> None:
    known = entries(code)
    missing = {text: place for text, place in option_keys().items() if text not in known}
    assert not missing, f"add these to cli/text/{code}.po"


@pytest.mark.parametrize("code", OTHERS)
def test_no_translation_is_left_over(code: str) -> None:
    used = {"", *spoken_keys(), *fault_keys(), *option_keys(), *typed_keys()}
    assert not set(entries(code)) - used, f"these are said nowhere: remove them from cli/text/{code}.po"


@pytest.mark.parametrize("code", OTHERS)
def test_no_message_stands_twice(code: str) -> None:
    text = HERE.joinpath(f"{code}.po").read_text(encoding="utf-8")
    quoted = re.findall(r'^msgid ((?:".*"\n)+)', text, re.MULTILINE)
    messages = [each.replace('"\n"', "") for each in quoted]
    assert len(messages) > 1000
    assert not {message for message, count in Counter(messages).items() if count > 1}


@pytest.mark.parametrize("code", OTHERS)
def test_translations_name_the_same_fields(code: str) -> None:
    many = plurals()
    for text, translations in entries(code).items():
        if text.startswith("typed: ") or not text:
            continue
        allowed = fields(text) | fields(many.get(text, "")) | ({"n"} if text in many else set())
        needed = fields(text) - {"n"}
        for translation in translations:
            assert fields(translation) <= allowed, text
            assert needed <= fields(translation), text


@pytest.mark.parametrize("code", OTHERS)
def test_help_lines_keep_their_indent(code: str) -> None:
    for text, translations in entries(code).items():
        if text.strip():
            assert all(len(each) - len(each.lstrip()) == len(text) - len(text.lstrip()) for each in translations), text


@pytest.mark.parametrize("code", OTHERS)
def test_typed_words_mean_one_thing(code: str) -> None:
    """No local word stands for two verbs, and none takes an English verb's place."""
    words = load_translator(code)
    owner: dict[str, str] = {word: verb.name for verb in VERBS for word in (verb.name, *verb.also)}
    for verb in VERBS:
        for word in words.typed(verb.name):
            assert owner.setdefault(plain(word), verb.name) == verb.name, word
    answers = words_for(words, "yes") | words_for(words, "no")
    assert not words_for(words, "yes") & words_for(words, "no")
    assert all(spellings(words)[word] == "grand" for word in answers)


@pytest.mark.parametrize("code", OTHERS)
def test_every_verb_can_be_typed_in_every_language(code: str) -> None:
    words = load_translator(code)
    for name in (*LISTS, *(verb.name for verb in VERBS)):
        assert words.typed(name), name


@pytest.mark.parametrize("code", OTHERS)
def test_the_help_names_what_can_be_typed(code: str) -> None:
    """Before its colon each line of the help has a word that the reader takes for its verb."""
    words = load_translator(code)
    for verb in VERBS:
        if verb.name != "play":
            head = re.split(r"[:(]| ", words(verb.help), maxsplit=1)[0]
            assert spellings(words).get(plain(head)) == verb.name, words(verb.help)


def test_no_text_reaches_a_person_without_the_catalogue() -> None:
    assert unspoken() == []


def test_the_guard_sees_a_text_that_passes_by(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import tests.cli.catalogue_keys as keys

    (tmp_path / "cli").mkdir()
    (tmp_path / "cli" / "rude.py").write_text('print(f"Hello {name}")\nprint(_("Hello"))\nadd(help="x" if y else "")\n')
    monkeypatch.setattr(keys, "ROOT", tmp_path)
    assert unspoken() == ["cli/rude.py:1", "cli/rude.py:3"]


def test_english_needs_no_catalogue() -> None:
    words = Translator()
    assert words("{name} drew one card.", name="Mia") == "Mia drew one card."
    assert words.n("{n} card", "{n} cards", 1) == "1 card"
    assert words.n("{n} card", "{n} cards", 3) == "3 cards"
    assert words.list(["a", "b", "c"]) == "a, b and c"
    assert words.either(["a", "b"]) == "a or b"


def test_japanese_has_one_form_for_any_number() -> None:
    words = load_translator("ja")
    assert words.n("{name} 1 card", "{name} {n} cards", 1, name="Mia") == "Mia 1枚"
    assert words.n("{name} 1 card", "{name} {n} cards", 7, name="Mia") == "Mia 7枚"


def test_german_has_a_form_for_one_and_one_for_all_others() -> None:
    words = load_translator("de")
    assert words.n("{name} 1 card", "{name} {n} cards", 1, name="Mia") == "Mia 1 Karte"
    assert words.n("{name} 1 card", "{name} {n} cards", 7, name="Mia") == "Mia 7 Karten"
    assert words.n("{n} card", "{n} cards", 0) == "0 Karten"
    assert words.list(["a", "b", "c"]) == "a, b und c"
    assert words.either(["a", "b"]) == "a oder b"


@pytest.mark.parametrize("code", OTHERS)
def test_every_plural_has_all_its_forms(code: str) -> None:
    known = entries(code)
    for text in plurals():
        if text in known:
            assert len(known[text]) == {"ja": 1}.get(code, 2), text


@pytest.mark.parametrize("code", OTHERS)
def test_a_catalogue_has_the_plurals_of_the_source(code: str) -> None:
    """The program looks only for the singular: a wrong plural would mislead translators alone."""
    text = HERE.joinpath(f"{code}.po").read_text(encoding="utf-8")
    quoted = re.findall(r'^msgid ((?:".*"\n)+)(?:msgid_plural ((?:".*"\n)+))?', text, re.MULTILINE)
    listed = {ast.literal_eval(f"({one})"): ast.literal_eval(f"({many})") for one, many in quoted if many}
    assert len(listed) > 50
    assert {one: many for one, many in plurals().items() if one in entries(code)} == listed


@pytest.mark.parametrize(
    ("flag", "config", "environ", "chosen"),
    [
        (None, None, {}, "en"),
        (None, None, {"LANG": "ja_JP.UTF-8"}, "ja"),
        (None, None, {"LANG": "de_DE.UTF-8"}, "de"),
        (None, None, {"LANG": "de_AT"}, "de"),
        ("de", "ja", {"LANG": "en_US.UTF-8"}, "de"),
        (None, None, {"LC_ALL": "C", "LANG": "ja_JP.UTF-8"}, "en"),
        (None, "ja", {"LANG": "en_US.UTF-8"}, "ja"),
        ("en", "ja", {"LANG": "ja_JP.UTF-8"}, "en"),
        ("ja-JP", None, {}, "ja"),
        (None, None, {"LANG": "fr_FR.UTF-8", "LANGUAGE": "fr:ja"}, "ja"),
        (None, None, {"LANG": "C", "LANGUAGE": "ja"}, "en"),
        (None, None, {"LANG": "fr_FR.UTF-8"}, "en"),
    ],
)
def test_language_comes_from_flag_config_and_system(
    flag: str | None, config: str | None, environ: dict[str, str], chosen: str
) -> None:
    assert choose_language(flag, config, system_languages(environ)) == chosen


def test_a_catalogue_is_read_with_its_escapes_and_forms() -> None:
    text = """# comment
msgid ""
msgstr "Language: xx\\n"

#, fuzzy
msgid "old"
msgstr "alt"

msgid "a \\"b\\"\\n"
msgstr ""
"c "
"d"

msgid "{n} card"
msgid_plural "{n} cards"
msgstr[0] "{n} Karte"
msgstr[1] "{n} Karten"

msgid "empty"
msgstr ""
"""
    found = read_catalogue(text)
    assert found['a "b"\n'] == ("c d",)
    assert found["{n} card"] == ("{n} Karte", "{n} Karten")
    assert "old" not in found
    assert "empty" not in found


@pytest.mark.parametrize("text", ['msgid "a', '"stray"', 'msgid "a"\nmsgid_plural "b"\nmsgid_plural "c"'])
def test_a_broken_catalogue_is_refused_with_its_line(text: str) -> None:
    with pytest.raises(BadCatalogue, match="line "):
        read_catalogue(text)


def test_sentences_are_joined_as_each_script_does() -> None:
    assert Translator().join(["It is over.", "", "You win!"]) == "It is over. You win!"
    assert (
        Translator("ja").join(["対局終了。", "あなたの勝ちです!", "ラウンド終了。"])
        == "対局終了。あなたの勝ちです! ラウンド終了。"
    )


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (WrongUse("{path}: {reason}", path="nope", reason="no such file"), "nope: no such file."),
        (WrongUse("{game} has no option {option}", game="mau-mau", option="foo"), "mau-mau has no option foo."),
        (WrongUse("no open table found"), "No open table found."),
    ],
    ids=["a file", "a game", "a word"],
)
def test_a_sentence_begins_with_a_capital_but_changes_no_name(fault: WrongUse, told: str) -> None:
    assert explain(load_translator("en"), fault) == told


def test_what_python_quotes_keeps_its_quotes() -> None:
    assert typeset("Mia's table is the players' choice") == "Mia’s table is the players’ choice"
    for quoted in ("module 'nowhere' has no attribute 'Face'", "No module named 'nowhere'", "it's in 'here' now"):
        assert typeset(quoted) == quoted
