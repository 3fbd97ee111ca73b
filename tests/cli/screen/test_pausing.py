"""The boxes over a table that does not go on, and the report of what was checked, as a player reads them."""

from __future__ import annotations

import pytest

from cli import news
from cli.terminal.canvas import Action
from cli.terminal.settings import TerminalSettings
from cli.view.effects import CastVote, Leave
from cli.view.views import TableView
from p2p.errors import DiskFull
from protocol.errors import FairdealError
from protocol.messages import Opinion
from protocol.table.effort import Checked
from protocol.table.events import Cause
from tests.cli.screen.screens import accused, crazy, exchange_stage, stage, table
from tests.cli.screen.stage import Stage, away, drawn

LUKAS = 5


VOTERS = (0, 1, 2, 3, 4, 7)


def paused(
    *agreed: int,
    left_s: float | None = 0.0,
    against: tuple[int, ...] = (),
    silent_s: float | None = None,
    fate: news.Fate = news.Fate.VOID,
) -> Stage:
    stage = crazy(TerminalSettings())
    away(stage, LUKAS)
    stage.hear(news.Paused((LUKAS,), left_s, agreed, 130.0, VOTERS, against, silent_s, (LUKAS,), fate))
    return stage


def box(stage: Stage) -> str:
    return " ".join(stage.text(200, 60).split())


def offered(stage: Stage) -> set[str]:
    return {action.name for row in stage.canvas().actions for action in row if action is not None}


def test_the_box_counts_the_time_that_somebody_is_missing() -> None:
    stage = paused(left_s=42.0)
    stage.tick(3)
    assert "Away for 2:13" in stage.text()


def test_who_is_there_and_thinks_long_is_not_called_away() -> None:
    stage = crazy(TerminalSettings())
    stage.hear(news.Paused((LUKAS,), 42.0, (), 130.0))
    stage.tick(3)
    assert "No answer for 2:13" in stage.text()
    assert "way for" not in stage.text()


def test_before_its_time_nobody_can_vote_and_the_box_says_when() -> None:
    stage = paused(left_s=42.0)
    stage.tick(2)
    assert "In 0:40 you can vote to play on without Lukas." in box(stage)
    assert not offered(stage) & {"vote", "vote-no", "unvote"}
    stage.press("g")
    assert stage.prompt == "You can vote to play on in 0:40."
    stage.tick(40)
    assert {"vote", "vote-no"} <= offered(stage)


def test_a_match_that_can_only_wait_may_be_put_aside() -> None:
    for left_s, may_go_again, wanted in ((None, True, Leave(False, True)), (None, False, None), (0.0, True, None)):
        stage = paused(left_s=left_s)
        stage.model.table.rounds.may_go_again = may_go_again
        stage.press("f10")
        assert ("Put it aside" in box(stage)) is (wanted is not None)
        stage.press("p", "enter")
        assert stage.left == wanted


def test_that_somebody_has_gone_is_told_in_entries_that_a_narrow_pane_can_show() -> None:
    """One long entry left no room for what it said as soon as somebody moved."""
    stage = crazy(TerminalSettings())
    stage.hear(news.WentOn({LUKAS: Cause.GOODBYE}, news.Fate.PLAYED, ends_recovery=True))
    assert stage.log[-4:-1] == [
        "Lukas quit for good.",
        "You play on without Lukas.",
        "That hand is now open, and the computer plays it.",
    ]
    assert "Too few computers are left" in stage.log[-1]


def test_where_too_few_would_be_left_no_vote_is_offered() -> None:
    stage = paused(left_s=None)
    assert "Too many are missing to play on." in box(stage)
    assert not offered(stage) & {"vote", "vote-no", "unvote"}
    stage.press("g")
    assert stage.prompt == "Too few players would be left to play on."


@pytest.mark.parametrize(
    ("fate", "said"),
    [
        (news.Fate.VOID, "This round then doesn’t count: no points."),
        (news.Fate.PLAYED, "The hand of Lukas is then opened, and the computer plays it."),
        (news.Fate.NONE, "The next round is then dealt without Lukas."),
        (news.Fate.END, "The match then ends without Lukas."),
        (news.Fate.SHORT, "Crazy Eights needs all its players, so somebody else can then take the seat."),
    ],
)
def test_the_box_says_what_becomes_of_the_round(fate: news.Fate, said: str) -> None:
    assert said in box(paused(fate=fate))


@pytest.mark.parametrize(
    ("key", "opinion"), [("g", Opinion.FOR), ("n", Opinion.AGAINST), ("G", Opinion.FOR), ("w", None)]
)
def test_a_key_votes_and_what_means_nothing_is_refused(key: str, opinion: Opinion | None) -> None:
    stage = paused()
    stage.press(key)
    votes = [effect.opinion for effect in stage.effects if isinstance(effect, CastVote)]
    assert votes == ([] if opinion is None else [opinion])
    assert opinion is not None or stage.prompt == "You have no vote to take back."


def test_the_box_tells_who_voted_how_and_who_has_not() -> None:
    told = box(paused(0, 3, silent_s=42.0))
    assert "Voted to play on: you and Priya." in told
    assert "(abstain in 0:42)." in told
    assert {"vote-no", "unvote"} <= offered(paused(0, 3))
    assert "vote" not in offered(paused(0, 3))
    blocked = box(paused(0, 3, against=(1,), silent_s=42.0))
    assert "Voted to wait: Jonas. So the table waits." in blocked
    assert "abstain" not in blocked


def test_who_left_stands_at_the_seat_and_the_log_says_how_the_match_goes_on() -> None:
    stage = paused(0)
    stage.practice.players[LUKAS] = news.Player("Lukas", left=True, away=True)
    stage.hear(news.WentOn({LUKAS: Cause.VOTE}, news.Fate.VOID))
    told = ["Lukas did not come back.", "You play on without Lukas.", "This round doesn’t count."]
    assert stage.log[-3:] == told
    assert stage.parts.pause.news is None
    assert any(" gone " in line for line in stage.text().splitlines())
    assert "doesn’t count" in stage.prompt


def test_nobody_who_left_comes_next() -> None:
    stage = crazy(TerminalSettings())
    assert stage.text().count(" next ") == 1
    stage.practice.players[1] = news.Player("Jonas", left=True, away=True)
    lines = [line for line in stage.text().splitlines() if "Jonas" in line or "next" in line]
    assert not any("Jonas     next" in line for line in lines)
    assert any(" next " in line for line in lines)


def test_who_was_left_out_is_told_so() -> None:
    stage = crazy(TerminalSettings())
    stage.practice.players[0] = news.Player("Mia", left=True)
    stage.hear(news.WentOn({0: Cause.VOTE}, news.Fate.VOID))
    told = ["You were away, so the table voted to play on.", "The match continues without you. You are watching now."]
    assert stage.log[-3:-1] == told
    assert "ready" not in stage.prompt
    stage.hear(news.WentOn({1: Cause.GOODBYE}, news.Fate.VOID))
    assert stage.log[-3:-1] == ["Jonas quit for good.", "The match continues without Jonas."]


def test_who_is_there_and_silent_has_not_lost_the_connection() -> None:
    stage = crazy(TerminalSettings())
    stage.hear(news.Paused((LUKAS,), 10.0))
    assert "lost the connection" not in stage.text()
    assert "Paused: waiting for Lukas" in stage.text()


def test_a_clock_stands_still_while_somebody_else_is_awaited() -> None:
    stage = crazy(TerminalSettings())
    assert stage.parts.timers.deadline is not None
    stage.hear(news.Paused((LUKAS,), 10.0))
    assert stage.parts.timers.deadline is None


def test_our_own_loss_is_told_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    stage = paused(left_s=None)
    found = news.Reconnecting(2, 1.6)
    monkeypatch.setattr(type(stage.playing), "reconnecting", property(lambda _seat: found))
    stage.practice.facts = news.TableFacts("Kitchen")
    text = stage.text()
    assert "Reconnecting to Kitchen" in text
    assert "attempt 3, next in 2 s" in text
    assert "Your cards are safe on this computer" in text
    assert "Lukas lost the connection" not in text
    stage.click(Action("chat"))


def test_a_cable_pulled_out_of_this_machine_is_not_put_on_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    stage = paused(left_s=None)
    found = news.Reconnecting(2, 1.6, is_offline=True)
    monkeypatch.setattr(type(stage.playing), "reconnecting", property(lambda _seat: found))
    text = stage.text()
    assert "You are offline" in text
    assert "Check its cable or Wi-Fi" in box(stage)
    assert "Lukas lost the connection" not in text


# --- the report ---


def report(stage: Stage) -> str:
    stage.press("v")
    return stage.text(100, 40)


def test_the_report_says_what_was_checked_and_how_long_that_took(monkeypatch: pytest.MonkeyPatch) -> None:
    stage = crazy(TerminalSettings())
    steps = (Checked("own-shuffle", 1, 0.012), Checked("shuffles", 8, 0.0334), Checked("hands", 8, 0.0004))
    since = (Checked("moves", 30, 0.0081), Checked("draws", 4, 0.02))
    monkeypatch.setattr(type(stage.playing), "checks", lambda _seat: since)
    stage.hear(news.DealChecked(tuple(range(8)), 41.0, steps))
    lines = [" ".join(line.split()) for line in report(stage).splitlines()]
    for wanted in (
        "Your own shuffle, with its proof 12 ms",
        "8 shuffle proofs valid, checked together 33 ms",
        "8 hands dealt, each visible only to its owner under 1 ms",
        "30 moves, all signed and unaltered 8 ms",
        "Cards drawn or passed, opened only to their owners 20 ms",
    ):
        assert any(wanted in line for line in lines), wanted


def test_after_a_return_the_report_says_that_the_deal_was_checked_before() -> None:
    stage = crazy(TerminalSettings())
    stage.hear(news.DealChecked(tuple(range(8)), 0.0))
    text = report(stage)
    assert "checked on this computer before you left" in text
    assert "0 ms" not in text


@pytest.mark.parametrize(
    ("game", "seats", "said"),
    [
        ("crazy-eights", 4, "One deck of 52 cards"),
        ("crazy-eights", 8, "2 decks, 104 cards in total"),
        ("mau-mau", 3, "One deck of 32 cards"),
        ("macau-wars", 4, "One deck of 54 cards"),  # with two jokers
        ("macau-wars", 6, "2 decks, 108 cards in total"),
        ("tichu", 4, "One deck of 56 cards"),
    ],
)
def test_the_report_counts_the_decks(game: str, seats: int, said: str) -> None:
    played = stage(table(game, seats), TerminalSettings())
    played.hear(news.DealChecked(tuple(range(seats)), 41.0))
    assert said in report(played)


def test_seat_and_box_show_the_same_time() -> None:
    stage = crazy(TerminalSettings())
    away(stage, LUKAS)
    stage.tick(7)
    stage.hear(news.Paused((LUKAS,), None, (), 130.0))
    stage.tick(3)
    text = stage.text()
    assert "Away for 2:13" in text
    assert "away 2:13" in text


@pytest.mark.parametrize(("through", "is_ours"), [("Mia", True), ("Jonas", False), ("", False)])
def test_for_bots_of_this_machine_the_box_says_what_helps(through: str, is_ours: bool) -> None:
    stage = crazy(TerminalSettings())
    stage.practice.players[6] = news.Player("Bot Ada", bot=True, away=True, through=through)
    stage.hear(news.Away(6), news.Paused((6,), None, (), 5.0))
    assert ("These bots run on your computer" in " ".join(stage.text(200, 60).split())) == is_ours


def test_what_happens_to_bots_of_this_machine_is_said_in_the_box_and_once_in_the_log() -> None:
    stage = crazy(TerminalSettings())
    stage.practice.players[6] = news.Player("Bot Ada", bot=True, away=True, through="Mia")
    stage.hear(news.Away(6, is_ours=True), news.BotsStopped(("Bot Ada",)), news.Paused((6,), None, (), 5.0))

    assert "Restarting them…" in box(stage)
    assert "lost the connection" not in box(stage)
    assert [text for text in stage.log if "Ada" in text] == [
        "Bot Ada stopped and is being restarted.",
        "Paused: waiting for Bot Ada.",
    ]
    stage.hear(news.BotsStopped(("Bot Ada",), True, "/home/mia/faults/fault.log"))
    assert "To restart them: Ctrl-Q, step away, then U in the lobby." in box(stage)
    assert "Details: /home/mia/faults/fault.log" in stage.log[-1]
    full = DiskFull("the disk is too full to write {path}: free up some space, then start again", path="/home/mia/j")
    stage.hear(news.BotStuck("Bot Ada", full))
    assert "The disk is too full to write /home/mia/j" in box(stage)
    stage.hear(news.Back(6, is_ours=True), news.BotsBack(("Bot Ada",)), news.Paused(()))
    assert stage.log[-2:] == ["Bot Ada is back.", "The match continues."]


def test_nothing_is_offered_to_play_once_a_check_has_failed() -> None:
    shown = accused(TerminalSettings())
    names = {action.name for row in crazy(TerminalSettings()).canvas().actions for action in row if action is not None}
    assert "draw" in names
    view, look = shown.picture(80, 24)
    assert look is not None
    assert [cap.key for cap in look.caps][:4] == ["E", "V", "L", "/"]
    assert isinstance(view, TableView)
    assert not any(card.fits for card in view.hand)
    assert [piece[0] for piece in view.frame.right] == ["✗ check failed"]  # no clock runs


def test_a_failed_check_is_told_in_full_where_the_window_is_narrow() -> None:
    shown = accused(TerminalSettings())
    lines = list(drawn(shown, 60, 20).lines())
    assert " ".join(f"{lines[1]} {lines[2]}".split()) == (
        "CHEATING: ハナコ. Card shares do not match the seat’s round key."
    )


def test_after_a_failed_check_nothing_is_promised_about_the_cards() -> None:
    shown = accused(TerminalSettings())
    shown.key("v")
    canvas = drawn(shown, 100, 40)
    assert "A check on your computer failed" in canvas.text()
    assert "No one alone" not in canvas.text()


def test_d_tells_how_each_thing_was_proven_and_takes_it_away_again() -> None:
    shown = crazy(TerminalSettings())
    shown.press("v")
    assert "locked deck" not in shown.text(100, 50)
    shown.press("d")
    text = " ".join(shown.text(100, 50).split())
    assert "You shuffled the deck of locked boxes and added your own padlock to every box." in text
    assert "without revealing the order" in text
    shown.press("D")
    assert "locked deck" not in shown.text(100, 50)
    shown.press("escape")
    assert "YOUR TURN" in shown.text()


def test_where_the_deal_itself_failed_no_dealer_is_made_up() -> None:
    shown = stage(table("crazy-eights", 3), TerminalSettings())
    shown.hear(news.Accused(1, FairdealError("card shares do not match the seat's round key")))
    shown.press("v")
    assert "own dealer" not in shown.text()
    assert "CHECK FAILED: Jonas" in shown.text()


def test_a_box_that_reaches_into_the_seats_leaves_no_half_of_one_beside_it() -> None:
    shown = paused(1, 3)
    lines = shown.text().splitlines()
    first = next(at for at, line in enumerate(lines) if "Paused:" in line)
    beside = [line[54:].strip() for line in lines[first:]]
    assert "Kurt" not in " ".join(beside[: beside.index(next(each for each in beside if "Log & chat" in each))])


def test_a_match_that_cannot_be_saved_may_be_taken_up_again() -> None:
    full = DiskFull("the disk is too full to write {path}: free up some space, then start again", path="/home/mia/j")
    stage = crazy(TerminalSettings())
    stage.hear(news.Broken(full, may_return=True))
    assert "U to rejoin later" in stage.prompt
    assert "ree up some space" in " ".join(stage.text().split())
    stage = crazy(TerminalSettings())
    stage.hear(news.Broken(full))
    assert "U to rejoin later" not in stage.prompt


@pytest.mark.parametrize("left_s", [None, 0.0])
def test_who_has_to_choose_too_sees_the_question_and_not_the_box(left_s: float | None) -> None:
    """Where all choose at once and all take their time, everyone waits for all others: the box hid what ends that."""
    shown = exchange_stage(TerminalSettings())
    shown.hear(news.Paused((1, 2, 3), left_s, (), 130.0, (0,)))
    assert "Pass a card to each player" in shown.text()
    assert "answer for" not in box(shown) and "Away for" not in box(shown)
    assert not offered(shown) & {"vote", "vote-no"}


def between(*, is_last: bool = False) -> Stage:
    """The score sheet covers the table, the next round (or the result) is awaited, and Lukas is away."""
    shown = crazy(TerminalSettings())
    shown.hear(news.RoundEnded(shown.table.public_view(0), is_last=is_last))
    assert "Scores" in shown.text()
    away(shown, LUKAS)
    return shown


def test_whoever_reads_the_scores_sees_who_is_missing_and_can_vote() -> None:
    shown = between()
    shown.hear(news.Paused((LUKAS,), 0.0, (), 130.0, VOTERS, (), None, (LUKAS,), news.Fate.PLAYED))
    assert "Paused: Lukas lost the connection" in shown.text()
    assert {"vote", "vote-no"} <= offered(shown)
    shown.press("g")
    assert shown.effects[-1] == CastVote(Opinion.FOR)
    shown.hear(news.Paused(()))
    assert "Scores" in shown.text() and "Paused" not in shown.text()


def test_the_scores_can_be_read_while_somebody_is_missing() -> None:
    shown = between()
    shown.hear(news.Paused((LUKAS,), 42.0, (), 130.0))
    shown.press("f3")
    assert "Scores" in shown.text()
    shown.press("escape")
    assert "Paused" in shown.text()


def test_whoever_reads_the_scores_sees_that_their_own_link_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = between(is_last=True)
    monkeypatch.setattr(type(shown.playing), "reconnecting", property(lambda _seat: news.Reconnecting(2, 1.6)))
    assert "Reconnecting" in shown.text()


def test_whoever_is_left_alone_reads_for_whom_they_wait_and_how_long() -> None:
    """They are at the scores: who sat there before, and whose computer that is, helps nobody."""
    shown = between()
    shown.hear(news.Paused((LUKAS,), joining=("Cleo",), left=1, ends_s=18.0))
    shown.tick(3)
    text = box(shown)
    assert "Waiting for Cleo to sit down" in text
    assert "Jonas quit for good." in text and "If Cleo doesn’t sit down within 0:15, the match is over." in text
    assert "Lukas lost" not in text
