"""The score sheet while the match goes on under it, and what is worded anew in another language."""

from __future__ import annotations

from typing import Any

import pytest

from cli import news
from cli.clean import width
from cli.client.room import UNHURRIED_S
from cli.news import Do, Finished
from cli.terminal.draw.lists import most_top, seen_facts, wrapped_page
from cli.terminal.settings import TerminalSettings
from cli.view.effects import BeReady, Leave
from cli.view.in_room import InRoom
from cli.view.views import Line
from protocol.errors import FairdealError
from protocol.games.views import PublicView
from protocol.table.events import Cause
from protocol.values import replace
from tests.cli.screen.screens import ACROSS, LEFT, MINE, RIGHT, crazy, exchange_stage, finished, guest, parlour, stage
from tests.cli.screen.stage import Stage
from tests.cli.tables import scripted, tichu_lead


@pytest.mark.parametrize("is_sheet", [True, False])
def test_whether_to_leave_is_asked_on_though_a_round_ends_or_begins(is_sheet: bool) -> None:
    shown = finished(TerminalSettings(), False) if is_sheet else crazy(TerminalSettings())
    shown.press("f10")
    if is_sheet:
        shown.hear(news.RoundBegan(2, shown.table.public_view(0)))
    else:
        shown.hear(news.RoundEnded(shown.table.public_view(0)))
    assert "Leave the table?" in shown.text()
    shown.press("g", "enter")
    assert shown.left == Leave(True)


def test_after_the_last_round_no_next_one_is_told_of() -> None:
    shown = crazy(TerminalSettings())
    shown.hear(news.RoundEnded(shown.table.public_view(0), is_last=True))
    assert "next round" not in shown.text()
    assert "ready" not in shown.text()
    assert "The match is over" in shown.prompt
    shown.press("enter")
    assert not any(isinstance(effect, BeReady) for effect in shown.effects)


def test_who_watches_is_not_asked_for_readiness() -> None:
    shown = stage(tichu_lead([MINE, LEFT, ACROSS, RIGHT], 0), TerminalSettings(), None)
    shown.hear(news.RoundEnded(shown.table.public_view(None)))
    assert "ready" not in shown.text()
    shown.press("enter")
    assert not any(isinstance(effect, BeReady) for effect in shown.effects)


def in_japanese(shown: Stage) -> str:
    shown.settings.lang = "ja"
    return shown.text()


def test_an_open_box_speaks_the_language_of_now_and_keeps_its_cursor() -> None:
    shown = crazy(TerminalSettings())
    shown.press("8", "8", "enter", "3")
    at = shown.screen.choice
    assert "Diamonds" in shown.text()
    text = in_japanese(shown)
    assert "ダイヤ" in text
    assert "Diamonds" not in text
    assert shown.screen.choice == at
    shown.press("enter")
    assert shown.played[-1]["suit"] == "d"


def test_the_box_before_leaving_speaks_the_language_of_now() -> None:
    shown = crazy(TerminalSettings())
    shown.press("f10")
    assert "席" in in_japanese(shown)
    assert "Leave the table?" not in shown.text()


def test_passes_at_the_seats_are_worded_when_drawn() -> None:
    shown = stage(tichu_lead([MINE, LEFT, ACROSS, RIGHT], 0), TerminalSettings())
    shown.moves(0, {"do": "play", "cards": ["2s"]})
    shown.moves(1, {"do": "pass"})
    assert "passes" in shown.text()
    assert "passes" not in in_japanese(shown)
    assert "パス" in shown.text()


@pytest.mark.parametrize("page", ["f2", "v", "l", "?"])
def test_titles_of_pages_over_the_table_change_with_the_language(page: str) -> None:
    shown = crazy(TerminalSettings())
    shown.press(page)
    assert "Crazy Eights" in shown.text().splitlines()[0]
    assert "クレイジーエイト" in in_japanese(shown).splitlines()[0]


def test_a_long_check_pushes_its_time_below_and_loses_nothing() -> None:
    lines = wrapped_page(((("✓ ", "ok"), ("x" * 70, "text"), ("327 ms", "dim")),), 76)
    assert [[text for text, _ink in line] for line in lines] == [["✓ ", "x" * 70], ["    327 ms"]]


def test_a_limit_of_rounds_stands_on_the_sheet() -> None:
    shown = crazy(TerminalSettings())
    shown.practice.facts = news.TableFacts(rounds=1, options=dict(shown.table.game.options))
    shown.press("f3")
    assert "Crazy Eights, first to 100, up to 1 round" in shown.text()
    fewest = Stage(scripted("mau-mau", ["7s 8s", "9h Td"], "Jh", "7d"))
    fewest.practice.facts = news.TableFacts(rounds=2, options=dict(fewest.table.game.options))
    fewest.press("f3")
    assert "until someone reaches 100: lowest score wins, up to 2 rounds" in fewest.text()


def test_that_the_next_match_has_begun_is_said_only_after_all_came_back_from_this_one() -> None:
    shown = finished(TerminalSettings(), True)
    mia, jonas = guest(b"mia", "Mia"), guest(b"jo", "Jonas", playing=True)
    at_it = InRoom(parlour((mia, jonas), game="crazy-eights"), b"mia")
    back = InRoom(parlour((mia, replace(jonas, playing=False, ready=True)), game="crazy-eights"), b"mia")
    shown.parts.rounds.may_go_again = True
    shown.parts.rounds.look_at_room(at_it)
    assert shown.prompt == "Match over · Enter: again"
    shown.parts.rounds.look_at_room(back)
    assert shown.prompt == "Match over · Enter: again · Jonas is ready"
    shown.parts.rounds.look_at_room(at_it)
    assert shown.prompt == "Match over · Enter: again · the next match has begun"


CHOSEN: dict[str, Any] = {"game": "crazy-eights", "target": 30}
ANEW = (
    (CHOSEN, {"game": "tichu"}, "next: Tichu"),
    (CHOSEN, CHOSEN | {"hand": 7}, "the next match has other rules"),
    ({"game": "tichu"}, {"game": "tichu"}, "next: Tichu"),
)
"""What the room plays when we come back to it, what it plays then, and how that is told."""


@pytest.mark.parametrize(("first", "then", "told"), ANEW)
def test_nobody_is_ready_from_the_sheet_for_a_game_they_have_not_seen(
    first: dict[str, Any], then: dict[str, Any], told: str
) -> None:
    shown = finished(TerminalSettings(), True)
    rounds, guests = shown.parts.rounds, (guest(b"mia", "Mia"), guest(b"jo", "Jonas"))
    rounds.may_go_again = True
    for chosen in (first, then):
        rounds.look_at_room(InRoom(parlour(guests, **chosen), b"jo"))
    assert shown.prompt == f"Match over · {told} · Enter: back to the room"
    shown.tick(1)
    shown.press("enter")
    assert Do("room") in shown.effects
    assert Do("again") not in shown.effects


def test_who_may_not_choose_the_game_is_not_offered_to() -> None:
    shown = finished(TerminalSettings(), True)
    both = parlour((guest(b"mia", "Mia"), guest(b"jo", "Jonas")), **CHOSEN)
    for me, is_offered in ((b"mia", True), (b"jo", False)):
        shown.parts.rounds.look_at_room(InRoom(both, me))
        assert ("O  other game" in shown.text()) is is_offered


def test_pass_ahead_is_offered_only_where_it_can_be_said() -> None:
    shown = stage(tichu_lead([MINE, LEFT, ACROSS, RIGHT], 1), TerminalSettings())
    assert "pass ahead" not in shown.text(200, 60)
    shown.moves(1, {"do": "play", "cards": ["2k"]})
    assert "pass ahead" in shown.text(200, 60)
    for seat in (2, 3, 0):
        shown.moves(seat, {"do": "pass"})
    text = shown.text(200, 60)
    assert "pass ahead" not in text
    assert "takes trick" in text.splitlines()[5] + text.splitlines()[6] + text.splitlines()[7] + text.splitlines()[8]


def test_who_gave_what_stands_below_the_cards_until_we_have_played() -> None:
    shown = exchange_stage(TerminalSettings())
    shown.press("home", " ", "right", " ", "right", " ", "enter")
    for seat in (1, 2, 3):
        shown.moves(seat, {"do": "give", "cards": list(shown.table.hands[seat][:3])})
    assert len(shown.tichu.received) == 3
    leader = next(seat for seat in range(4) if "Mah" in shown.table.hands[seat])
    shown.moves(leader, {"do": "show"})
    lead = next(move for move in shown.table.legal(leader) if shown.table.game.encode(move)["do"] == "play")
    shown.moves(leader, lead)
    assert (len(shown.tichu.received) == 3) == (leader != 0)


def test_a_void_round_is_called_so_and_names_who_held_it_up() -> None:
    shown = stage(tichu_lead([MINE, LEFT, ACROSS, RIGHT], 3), TerminalSettings())
    shown.hear(news.RoundVoid((3,)))
    assert "Had the Mah Jong but didn’t show it: Priya." in shown.log[-1]
    assert shown.prompt == "The round doesn’t count: no points · Enter: ready for the next round"
    keys = [cap.key for cap in shown.screen.picture(200, 60)[1].caps]
    assert "T" not in keys
    shown.press("enter")
    assert any(isinstance(effect, BeReady) for effect in shown.effects)
    shown.hear(news.RoundBegan(2, shown.table.public_view(0)))
    assert "void" not in shown.prompt
    eights = crazy(TerminalSettings())
    eights.hear(news.RoundVoid((1,)))
    assert "Could have played but didn’t: Jonas." in eights.log[-1]


def test_a_line_of_several_pieces_loses_nothing() -> None:
    text = "At the end, hands open: every shuffle and every move was checked again  "
    line = (("✓ ", "ok"), (text, "text"), ("47 ms", "dim"))
    found = wrapped_page((line,), 56)
    assert all(sum(width(text) for text, _ink in each) <= 56 for each in found)
    said = " ".join(text.strip() for each in found for text, _ink in each)
    assert said == "✓ At the end, hands open: every shuffle and every move was checked again 47 ms"


def test_no_heading_stands_alone_at_the_end_of_the_sheet() -> None:
    heading: Line = (("Tonight’s results", "gold"),)
    fact: Line = (("Mia won", "text"),)
    blank: Line = (("", "text"),)
    lines = [fact, blank, heading, fact]
    assert seen_facts(lines, 4, 0) == lines
    assert most_top(lines, 4) == 0
    assert seen_facts([fact, heading, fact, fact], 3, 0) == [fact]
    assert seen_facts([fact, heading, fact, fact], 3, 1) == [heading, fact]
    assert seen_facts([fact], 0, 0) == []


@pytest.mark.sample
@pytest.mark.parametrize(("columns", "rows"), [(60, 20), (80, 24)])
@pytest.mark.parametrize("keys", [("down",), ("pagedown",), ("end",)])
def test_all_of_a_long_sheet_can_be_read(columns: int, rows: int, keys: tuple[str, ...]) -> None:
    shown = finished(TerminalSettings(), True)
    shown.parts.rounds.evening = tuple(
        Finished(1.0, "finished", game, ("Mia",), ((0,),), (0,), (0,), 1)
        for game in ("crazy-eights", "mau-mau", "macau-wars", "tichu", "two-four-jack", *(f"game{n}" for n in range(9)))
    )
    whole = shown.text(columns, 60)
    wanted = {line.strip() for line in whole.splitlines()[7:-2] if line.strip()}
    text = shown.text(columns, rows)
    assert "more ↓" in text
    seen = set()
    for _press in range(40):
        seen |= {line.removesuffix("more ↓").removesuffix("↑ back").strip() for line in text.splitlines()}
        shown.press(*keys)
        text = shown.text(columns, rows)
    assert "↑ back" in text
    assert text.splitlines()[-4].strip() or text.splitlines()[-5].strip()
    if keys != ("end",):
        assert wanted <= seen
    shown.press("home")
    assert "more ↓" in shown.text(columns, rows)
    assert shown.parts.rounds.shows


def test_no_line_of_the_sheet_ends_between_a_card_and_its_points() -> None:
    held = ["Td 9d 8h 7h 6h 5h 4h 3h 2h Kd Qd", "5h 6h"]
    shown = stage(scripted("crazy-eights", held, up="9h", stock="2c 3c 4c"), TerminalSettings())
    shown.hear(news.RoundEnded(shown.table.public_view(0).with_hands(dict(enumerate(shown.table.hands)))))
    lines = [line.strip() for line in shown.text(60, 20).splitlines()]
    broken = next(at for at, line in enumerate(lines) if line.startswith("You  "))
    assert lines[broken].endswith("·")
    assert lines[broken + 1].endswith(f"= {sum((10, 9, 50, 7, 6, 5, 4, 3, 2, 10, 10))}")


def test_the_evening_is_not_told_while_it_lacks_the_match_that_has_just_ended() -> None:
    shown = finished(TerminalSettings(), False)
    shown.parts.rounds.evening = (Finished(1.0, "finished", "tichu", ("Mia",), ((0,),), (0,), (0,), 1),)
    assert "Tonight’s results" in shown.text()
    shown.hear(news.MatchEnded(shown.table.public_view(0)))
    assert "Tonight’s results" not in shown.text()


def test_a_pause_that_waits_for_us_alone_names_no_time() -> None:
    shown = crazy(TerminalSettings())
    shown.hear(news.RoundEnded(shown.table.public_view(0), pause_s=15.0))
    assert "in 15 s" in shown.prompt
    shown.hear(news.RoundEnded(shown.table.public_view(0), pause_s=UNHURRIED_S))
    assert shown.prompt == "Enter: ready for the next round"


@pytest.mark.parametrize(
    ("before", "is_honest"),
    [
        ((), True),
        (
            (
                news.RoundEnded(
                    PublicView(), ((1, FairdealError("a card played as {face} is really another card", face="Qs")),)
                ),
            ),
            False,
        ),
        ((news.RoundVoid((1,)),), False),
        ((news.Earlier((), ((10, 0),)),), False),
        ((news.Accused(1, FairdealError("-")), news.WentOn({1: Cause.CONVICTED}, news.Fate.PLAYED)), False),
    ],
)
def test_nobody_cheated_is_said_only_where_every_round_is_known_to_be_clean(
    before: tuple[news.News, ...], is_honest: bool
) -> None:
    """A breach does not void a match, and the rounds before a return were not watched by this program."""
    shown = crazy(TerminalSettings())
    shown.hear(*before, news.RoundEnded(PublicView()), news.MatchEnded(PublicView(), verified=True))
    text = shown.text(100, 40)
    assert ("nobody cheated" in text) == is_honest
    assert ("the result stands" in text) != is_honest
