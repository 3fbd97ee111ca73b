"""The command line: every command and flag, refusals in one line, exit statuses."""

from __future__ import annotations

import argparse
import math
import re
from contextlib import nullcontext
from pathlib import Path

import pytest

from cli import requests
from cli.argument_parser import localised
from cli.arguments import make_parser, parse
from cli.clean import width
from cli.client.tables import game_of
from cli.command_facts import COMMANDS
from cli.commands.join import ignored_flags
from cli.context import home_folder
from cli.faults import WrongUse
from cli.main import main
from cli.text import Translator, languages, load_translator
from protocol.errors import BadOption
from protocol.games.catalogue import game_class
from protocol.games.options import option_values

ALL_FLAGS = """
    host tichu --name Mia --table Kitchen --seats 4 --bots 1 --level strong --option target=200 --option grand=false --port 4711
    --rounds 3 --transcript t.fairdeal --home h --plain --ascii --no-motion --lang ja --recovery off --lots --time 20
    --suggest off --remind off --grace 1.5 --pause 0 --leave-after 60 --wait 9 --autoplay --json --fresh
"""


def table(*words: str) -> requests.TableRequest:
    found = parse(words, Translator())
    assert isinstance(found, requests.TableRequest)
    return found


def test_no_command_is_the_lobby() -> None:
    assert parse([], Translator()).command == "lobby"


def test_a_table_is_asked_for_with_all_its_flags() -> None:
    found = table(*ALL_FLAGS.split())
    assert found == requests.TableRequest(
        command="host",
        lang="ja",
        home=Path("h"),
        plain=True,
        ascii=True,
        motion=False,
        json=True,
        game="tichu",
        name="Mia",
        table="Kitchen",
        seats=4,
        bots=1,
        level="strong",
        options=(("target", "200"), ("grand", "false")),
        port=4711,
        rounds=3,
        transcript=Path("t.fairdeal"),
        recovery="off",
        lots=True,
        suggest=False,
        remind=False,
        time_s=20.0,
        grace_s=1.5,
        pause_s=0.0,
        leave_after_s=60.0,
        wait_s=9.0,
        autoplay=True,
        fresh=True,
    )


def test_what_is_not_said_has_the_defaults_of_the_contract() -> None:
    person, machine = table("host", "tichu"), table("host", "tichu", "--autoplay")
    assert (person.grace_s, person.leave_after_s, person.time_s, person.recovery) == (2.0, 120.0, None, None)
    assert (person.pause_or_default_s, machine.pause_or_default_s) == (15.0, 0.0)
    assert (person.wait_or_default_s, machine.wait_or_default_s) == (None, 60.0)
    assert table("host", "tichu", "--time", "off").time_s is None
    assert table("host", "tichu", "--leave-after", "off").leave_after_s == math.inf


def test_join_needs_no_place() -> None:
    assert table("join").where is None
    assert table("join", "192.168.1.23:4711").where == "192.168.1.23:4711"


def test_flags_for_all_may_stand_before_the_command() -> None:
    found = parse(["--home", "h", "--lang", "ja", "scores", "--json"], Translator())
    assert (found.home, found.lang, found.json) == (Path("h"), "ja", True)


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (["tables", "--seconds", "5", "--json"], requests.TablesRequest),
        (["verify", "a", "b", "--json", "--all"], requests.FilesRequest),
        (["playthrough", "a"], requests.FilesRequest),
        (["replay", "a"], requests.FilesRequest),
        (["rules", "mau-mau", "--option", "sevens=true"], requests.RulesRequest),
        (["whoami", "--name", "Mia"], requests.WhoamiRequest),
        (["bench", "--quick", "--json"], requests.BenchRequest),
        (["watch", "Kitchen"], requests.WatchRequest),
        (["scores"], requests.Common),
        (["doctor", "--json"], requests.Common),
    ],
)
def test_every_command_has_its_request(words: list[str], kind: type) -> None:
    assert type(parse(words, Translator())) is kind


def test_a_table_may_be_called_help() -> None:
    found = parse(["join", "help"], Translator())
    assert isinstance(found, requests.TableRequest)
    assert found.where == "help"


@pytest.mark.parametrize(
    ("words", "usage"),
    [
        (["help"], "fairdeal [-h]"),
        (["help", "host"], "fairdeal host [-h]"),
        (["--lang", "en", "help", "host"], "fairdeal host [-h]"),
    ],
    ids=["of the program", "of a command", "after a flag"],
)
def test_help_is_a_command_too(words: list[str], usage: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as asked:
        parse(words, Translator())
    assert not asked.value.code
    assert capsys.readouterr().out.startswith(f"usage: {usage}")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["help", "hots"], "did you mean fairdeal host?"),
        (["--fresh", "play", "tichu"], "--fresh goes after the command: fairdeal play … --fresh"),
        (["host", "tichu", "--seat", "4"], "fairdeal host has no --seat: did you mean --seats? Available: --ascii, "),
        (["host", "tichu", "--zzz"], "fairdeal host has no --zzz; available: --ascii, "),
        (["host"], "fairdeal host needs a game: crazy-eights, "),
        (["verify"], "FILE"),
        (["hots"], "there is no command hots: did you mean fairdeal host?"),
        (["tichu"], "did you mean fairdeal play tichu?"),
        (["zzz"], "there is no command zzz; the commands are play, host, join"),
        (["completions", "tcsh"], "choose from"),
        (["host", "tichu", "extra"], "extra"),
        (["host", "tichu", "--seats", "11"], "11 is not a whole number from 2 to 10"),
        (["host", "tichu", "--seats", "four"], "four is not a whole number"),
        (["host", "tichu", "--port", "99999"], "99999"),
        (["host", "tichu", "--wait", "-1"], "--wait"),
        (["host", "tichu", "--wait", "nan"], "nan is not a number of seconds (or off)"),
        (["tables", "--seconds", "off"], "off is not a number of seconds"),
        (["tables", "--seconds", "-1"], "-1 is not a number of seconds"),
        (["host", "tichu", "--recovery", "maybe"], "maybe"),
        (["host", "tichu", "--option", "target"], "KEY=VALUE"),
        (["host", "tichu", "--matches", "2"], "--matches is for tables without a person: add --autoplay"),
        (["join", "--start-after", "2"], "--start-after is for tables without a person: add --autoplay"),
        (["host", "tichu", "--lang", "xx"], "choose from en, de, ja"),
        (["host", "tichu", "--tab", "Kitchen"], "--table"),
    ],
)
def test_wrong_use_is_one_line_that_says_what_is_right(words: list[str], says: str) -> None:
    with pytest.raises(WrongUse) as fault:
        parse(words, Translator())
    assert says in str(fault.value)
    assert "\n" not in str(fault.value)
    assert fault.value.status == 2


@pytest.mark.parametrize(
    ("words", "is_refused"),
    [
        (["host", "crazy-eights", "--seats", "2"], True),
        (["host", "crazy-eights", "--seats", "3", "--bots", "1"], True),
        (["host", "crazy-eights", "--bots", "8"], True),
        (["host", "crazy-eights", "--seats", "3"], False),
        (["host", "crazy-eights"], False),
        (["host", "tichu", "--bots", "1"], False),
    ],
)
def test_recovery_that_can_never_be_is_refused(words: list[str], is_refused: bool) -> None:
    refused = pytest.raises(WrongUse, match="at least three computers") if is_refused else nullcontext()
    with refused:
        game_of(table(*words, "--recovery", "on"))


def test_joining_knows_what_the_host_decides() -> None:
    flags = "--table T --seats 3 --bots 1 --option target=9 --rounds 2 --recovery on --lots --suggest off --remind off --time 9"
    more = "--grace 1 --pause 1 --leave-after 9"
    given = [*flags.split(), *more.split()]
    assert ignored_flags(table("join", *given)) == [word for word in given if word.startswith("--")]
    own = "Kitchen --name Mia --port 4711 --wait 9 --autoplay --level strong --matches 2 --fresh --start-after 3"
    assert ignored_flags(table("join", *own.split())) == []


@pytest.mark.parametrize("lang", languages())
def test_every_help_has_an_example_that_parses(lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = load_translator(lang)
    for facts in COMMANDS:
        with pytest.raises(SystemExit) as asked:
            parse([facts.name, "--help"], words)
        assert asked.value.code == 0
        shown = capsys.readouterr().out
        assert facts.example in " ".join(shown.split())
        assert parse(facts.example.split()[1:], Translator()).command == facts.name


@pytest.mark.parametrize(("lang", "usage"), [("ja", "使い方"), ("de", "Aufruf")])
def test_help_speaks_other_languages(lang: str, usage: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--lang", lang, "--help"]) == 0
    shown = capsys.readouterr().out
    assert usage in shown
    assert "show this help" not in shown


def test_german_is_chosen_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    assert main(["--home", str(tmp_path), "scores"]) == 0
    assert "Partie" in capsys.readouterr().out


# --- options ---


@pytest.mark.parametrize(
    ("game", "typed", "value"),
    [
        ("crazy-eights", "draw=one", "one"),
        ("crazy-eights", "target=50", 50),
        ("crazy-eights", "teams=true", True),
        ("crazy-eights", "teams=yes", True),
        ("crazy-eights", "skip=q", "Q"),
        ("crazy-eights", "skip=7", "7"),
        ("crazy-eights", "skip=null", None),
        ("crazy-eights", "hand=7", 7),
        ("mau-mau", "jack_points=20", 20),
        ("mau-mau", "preset=german", "german"),
        ("macau-wars", "mode=championship", "championship"),
    ],
)
def test_option_values_are_read_as_the_game_declares_them(game: str, typed: str, value: object) -> None:
    kind = game_class(game)
    given = option_values(kind.OPTIONS, (requests.split_option(typed),))
    (found,) = given.values()
    assert found == value
    assert type(found) is type(value)
    kind(4, given)


@pytest.mark.parametrize("typed", ["drw=one", "target=many", "teams=2", "skip=8", "hand=99", "skip=Z"])
def test_other_keys_and_values_are_refused_with_what_is_allowed(typed: str) -> None:
    kind = game_class("crazy-eights")
    with pytest.raises(BadOption) as fault:
        kind(4, option_values(kind.OPTIONS, (requests.split_option(typed),)))
    assert ": choose " in str(fault.value)


# --- the outermost loop ---


def test_statuses_and_sentences(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--home", str(tmp_path), "rules", "no-such-game"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("There is no game called no-such-game: choose from crazy-eights")
    assert said.err.count("\n") == 1
    assert main(["--home", str(tmp_path), "rules", "tichu", "--seats", "5"]) == 2
    assert main(["--home", str(tmp_path), "rules", "crazy-eigths"]) == 2
    assert "did you mean crazy-eights?" in capsys.readouterr().err
    for flag in ("-V", "--version"):
        assert main([flag]) == 0
        assert capsys.readouterr().out.startswith("fairdeal ")


def test_an_unexpected_fault_is_one_sentence_and_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import cli.commands.scores

    def broken(*_: object) -> int:
        raise ZeroDivisionError("the tests broke this")

    monkeypatch.setattr(cli.commands.scores, "run", broken)
    assert main(["--home", str(tmp_path), "scores"]) == 1
    said = capsys.readouterr().err
    assert "Traceback" not in said
    (file,) = (tmp_path / "faults").iterdir()
    assert str(file) in said
    assert "the tests broke this" in file.read_text(encoding="utf-8")


def test_ctrl_c_is_130(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import cli.commands.scores

    def interrupted(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli.commands.scores, "run", interrupted)
    assert main(["--home", str(tmp_path), "scores"]) == 130


def test_the_language_of_the_config_is_spoken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "config.toml").write_text('lang = "ja"\n', encoding="utf-8")
    assert main(["--home", str(tmp_path), "scores"]) == 0
    assert "対局" in capsys.readouterr().out
    (tmp_path / "config.toml").write_text("lang = [", encoding="utf-8")
    assert main(["--home", str(tmp_path), "--lang", "en", "scores"]) == 0


def test_the_variable_names_the_home(tmp_path: Path) -> None:
    assert home_folder(None, {"FAIRDEAL_HOME": str(tmp_path / "mine")}) == tmp_path / "mine"
    assert home_folder(tmp_path / "flag", {"FAIRDEAL_HOME": str(tmp_path / "mine")}) == tmp_path / "flag"
    assert home_folder(None, {}).name == "fairdeal"


@pytest.mark.parametrize("lang", languages())
def test_help_stands_in_columns_and_within_the_terminal(lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """argparse counts characters, of which Japanese ones take two cells."""
    monkeypatch.setenv("COLUMNS", "80")
    words = load_translator(lang)
    localised(words)
    try:
        whole, parsers = make_parser(words)
        for parser in (whole, *parsers.values()):
            lines = parser.format_help().splitlines()
            assert max(map(width, lines)) <= 80
            beside = [re.match(r"  -(?:\S| \S)* {2,}(?=\S)", line) for line in lines]
            assert len({width(found[0]) for found in beside if found}) == 1
    finally:
        localised(Translator())


@pytest.mark.parametrize("lang", ["en", "de", "ja"])
@pytest.mark.parametrize(("typed", "meant"), [("playy", "play"), ("wach", "watch")])
def test_the_command_that_was_meant_can_be_typed_as_it_is_named(
    lang: str, typed: str, meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is no word of a sentence, though the catalogues have one that is spelled the same."""
    assert main(["--lang", lang, typed]) == 2
    told = capsys.readouterr().err
    assert f"fairdeal {meant}" in told and typed in told


@pytest.mark.parametrize(("text", "said"), [("0", None), ("1024", None), ("80", "1024"), ("65536", "65535")])
def test_a_table_listens_only_where_others_call_it(text: str, said: str | None) -> None:
    from cli.argument_values import port

    with nullcontext() if said is None else pytest.raises(argparse.ArgumentTypeError, match=said):
        assert port(load_translator("en"))(text) == int(text)
