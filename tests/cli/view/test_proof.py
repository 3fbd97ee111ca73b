"""The report of a deal in parts: what a phone is told, with the trust that it needs, and who plays through whom."""

from __future__ import annotations

from cli import news
from cli.terminal.settings import TerminalSettings
from cli.view.table.report import proof_of, report_lines
from cli.view.views import Line
from protocol.errors import BadMessage
from protocol.table.effort import Checked
from tests.cli.screen.screens import crazy
from tests.cli.screen.stage import Stage

HOST = 1


def checked(is_phone: bool) -> Stage:
    stage = crazy(TerminalSettings())
    players = stage.practice.players
    players[HOST] = news.Player("Noah")
    players[2] = news.Player("Lena", through="Noah")
    if is_phone:
        players[0] = news.Player(players[0].name, through="Noah")
    stage.hear(news.DealChecked(tuple(range(8)), 41.0, (Checked("own-shuffle", 1, 0.012),)))
    return stage


def said(lines: tuple[Line, ...]) -> str:
    return "\n".join("".join(text for text, _ink in line) for line in lines)


def test_a_phone_reads_the_headline_with_the_trust_under_which_it_holds() -> None:
    proof = proof_of(checked(is_phone=True).parts, "Fair deal", False)
    assert proof is not None
    assert proof.headline == "Everyone shuffled. No player could peek."
    assert proof.trust.startswith("This page came from Noah’s computer")
    assert proof.title == "Checked on this phone"
    assert len(proof.shufflers) == 8
    assert proof.shufflers[0] == ("you", False, True)
    assert proof.checks[0] == ("Your own shuffle, with its proof", "12 ms", "")
    assert "count as one player" in said(report_lines(checked(is_phone=True).parts))


def test_a_computer_needs_no_such_trust() -> None:
    proof = proof_of(checked(is_phone=False).parts, "Fair deal", True)
    assert proof is not None
    assert proof.trust == ""
    assert proof.title == "Checked on your computer"
    assert proof.checks[0][2]


def test_a_phone_plays_through_a_computer_and_not_on_it() -> None:
    told = said(report_lines(checked(is_phone=False).parts))
    assert "Lena plays by phone, through Noah’s computer." in told
    assert "Lena plays on" not in told


def test_a_failed_check_is_told_in_full_and_praises_nothing() -> None:
    stage = checked(is_phone=True)
    stage.hear(news.Accused(2, BadMessage("a public key is not valid")))
    assert proof_of(stage.parts, "Fair deal", False) is None
