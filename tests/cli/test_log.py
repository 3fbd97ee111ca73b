"""`--log FILE`: what a bug report needs, and nothing that only one seat may know."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.log import LOG, begin, described
from cli.main import main
from cli.text import load_translator
from protocol.cards import Card
from protocol.games.views import Pile, PublicView, SeatView
from protocol.messages import Chat
from protocol.table import events
from tests.adversaries.declared import By, attack
from tests.e2e.clients import TOY, party

FACE = re.compile(r"\b(10|[2-9TJQKA])[cdhs]\b|[♠♥♦♣]")
CARD = Card("Qs")
VIEW = PublicView(seats=(SeatView(hand_size=1, hand=(CARD,)),), pile=Pile(cards=(CARD,), top=CARD))


@pytest.fixture(autouse=True)
def logging_as_before() -> Iterator[None]:
    root = logging.getLogger()
    before = list(root.handlers)
    yield
    for handler in set(root.handlers) - set(before):
        root.removeHandler(handler)
        assert isinstance(handler, logging.StreamHandler)
        handler.stream.close()
    LOG.setLevel(logging.NOTSET)


@pytest.mark.parametrize(
    "event",
    [
        events.HandChanged((CARD,), (CARD,)),
        events.CardOpened(CARD),
        events.Moved(1, {"do": "play", "cards": ["Qs"]}, VIEW, VIEW),
        events.MoveLost({"do": "play", "cards": ["Qs"]}, ValueError("Qs")),
        events.RoundClosed(1, (2, 3), (4, 5), ((CARD,), ()), (), VIEW),
        events.RoundVoid(1, ((CARD,), ()), ()),
        events.Accused(1, "share", ValueError("Qs"), (b"Qs",)),
        events.Said(1, Chat(1, "I hold the Qs"), b"Qs"),
        events.Sealed(("Qs", "word"), (0, 1)),
    ],
)
def test_no_card_is_written(event: events.Event) -> None:
    assert described(event).startswith(type(event).__name__)
    assert "Qs" not in described(event)


def test_what_is_public_is_written() -> None:
    assert (
        described(events.RoundClosed(1, (2, 3), (4, 5), (), (), PublicView()))
        == "RoundClosed round=1 points=2,3 scores=4,5"
    )
    assert described(events.Moved(2, {"do": "draw"}, PublicView(), PublicView())) == "Moved seat=2 do=draw"


def test_the_log_names_versions_and_is_the_owners_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "log"
    log.write_text("before\n", encoding="utf-8")
    log.chmod(0o644)
    assert main(["--home", str(tmp_path), "--log", str(log), "scores"]) == 0
    text = log.read_text(encoding="utf-8")
    assert text.startswith("before\n")
    assert "Python " in text
    assert "rbcl " in text
    if sys.platform != "win32":
        assert log.stat().st_mode & 0o777 == 0o600


def test_a_log_that_cannot_be_written_is_said_before_anything_begins(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--home", str(tmp_path), "scores", "--log", str(tmp_path)]) == 2
    assert str(tmp_path) in capsys.readouterr().err


def test_a_fault_is_in_the_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import cli.commands.scores

    def broken(*_: object) -> int:
        raise ZeroDivisionError("the tests broke this")

    monkeypatch.setattr(cli.commands.scores, "run", broken)
    assert main(["--home", str(tmp_path), "scores", "--log", str(tmp_path / "log")]) == 1
    assert "the tests broke this" in (tmp_path / "log").read_text(encoding="utf-8")


@attack(
    By.OUTSIDE,
    "Somebody looks for secrets in logs and error reports.",
    "It does not work: secrets hide themselves when they are printed, and only the owner can read logs.",
)
@pytest.mark.slow
@pytest.mark.sockets
def test_the_log_of_a_round_holds_no_card_and_no_key(tmp_path: Path) -> None:
    with party(tmp_path, TOY) as friends:  # it hides its secrets in the same way
        short = ("--option", "hand=3", "--rounds", "1")
        words = ("play", "crazy-eights", "--bots", "2", "--autoplay", "--json", *short, "--log")
        ended = friends.run("0", *words, str(tmp_path / "log.txt"), timeout_s=120)
    assert ended.status == 0, ended.err
    text = (tmp_path / "log.txt").read_text(encoding="utf-8")
    assert {"Sealed", "HandChanged", "Moved", "RoundClosed", "MatchOver", "link"} <= set(re.findall(r"\w+", text))
    assert not FACE.search(text)
    seed = (tmp_path / "0" / "identity").read_bytes()[:32]
    assert seed.hex() not in text
    assert repr(seed) not in text


def test_what_others_said_commands_no_terminal_from_the_log(tmp_path: Path) -> None:
    begin(tmp_path / "log", load_translator("en"))
    LOG.warning("a file proves nothing: %s", "no game called \x1b[2J\x9b31m\u202e")
    assert "no game called [2J31m\n" in (tmp_path / "log").read_text(encoding="utf-8")
