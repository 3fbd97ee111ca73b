"""A whole client in lines of text: scripts played against bots, sentences heard."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from random import Random
from typing import Any

import pytest

from cli.games.base.answers import TypedCommand
from cli.games.registry import face_of
from cli.news import (
    Accused,
    Away,
    Back,
    DealChecked,
    Earlier,
    Fate,
    Grace,
    MatchEnded,
    Moved,
    News,
    Overtaken,
    Paused,
    Player,
    RoundBegan,
    RoundEnded,
    RoundVoid,
    Said,
    TookSeat,
    WentOn,
)
from cli.plain.session import LineSession
from cli.text import languages, load_translator
from cli.view.checks import computer_told
from protocol.errors import BadMessage, IllegalMove
from protocol.games import load
from protocol.games.views import PublicView, SeatView
from protocol.table.events import Cause
from protocol.table.options import TableOptions
from protocol.table.places import Place
from protocol.values import replace
from tests.cli.practice import PracticeTable
from tests.cli.tables import NAMES, Typist, hear, scripted, tichu_lead, with_bots

GAMES = {"crazy-eights": 3, "two-four-jack": 3, "mau-mau": 3, "macau-wars": 3, "tichu": 4}

ENDED = PublicView(seats=tuple(SeatView(hand_size=size) for size in (0, 1, 1)))


def on(table: Typist) -> PracticeTable:
    return table.practice


def test_a_turn_is_told_in_sentences_and_nothing_is_drawn() -> None:
    mia = Typist(scripted("crazy-eights", ("2s 8s Ks 3h", "9h 4d", "5c"), "Jh", "7d 4c"))
    told, _ended = hear(on(mia), 0)
    assert told == [
        "Round 1. Hanako deals. Turned up: jack of hearts.",
        "Your turn. Pile: jack of hearts. 2 cards left in the stock. Jonas 2 cards, Hanako 1 card.",
        "Your hand: 1 two of spades. 2 eight of spades, playable. 3 king of spades. 4 three of hearts, playable.",
        "No more input, so you step away from the table. Your seat is kept.",
    ]


def test_moves_are_told_to_who_made_them_and_to_the_others() -> None:
    table = scripted("crazy-eights", ("2s 8s Ks 3h", "9h 4d", "5c"), "Jh", "7d 4c")
    practice = PracticeTable(table.game, NAMES[:3], (0, 1, 2), Random(1), table=table)

    async def go() -> tuple[list[str], list[str]]:
        mine: list[str] = []
        theirs: list[str] = []

        async def none() -> AsyncIterator[str]:
            await asyncio.Event().wait()
            yield ""

        async with practice:
            runs = [
                asyncio.create_task(LineSession(practice.people[seat], load_translator("en"), told.append).run(none()))
                for seat, told in ((0, mine), (1, theirs))
            ]
            await asyncio.sleep(0)
            practice.play(0, table.game.decode({"do": "play", "cards": ["8s"], "suit": "d"}))
            practice.play(1, table.game.decode({"do": "draw"}))
            for _ in range(20):
                await asyncio.sleep(0)
            for run in runs:
                run.cancel()
            await asyncio.gather(*runs, return_exceptions=True)
        return mine, theirs

    mine, theirs = asyncio.run(go())
    assert "You played eight of spades and chose diamonds. Next: Jonas." in mine
    assert "Jonas drew one card." in mine
    assert "Mia played eight of spades and chose diamonds. Next: you." in theirs
    assert "You drew seven of diamonds." in theirs
    assert not any("seven of diamonds" in line for line in mine), "a drawn card is its owner's alone"


@pytest.mark.sample
@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("lang", languages())
def test_a_watcher_hears_a_whole_match_of_bots(game: str, lang: str) -> None:
    table = with_bots(load(game, GAMES[game]), ())
    told, ended = hear(table, None, lang=lang, forever=True)
    assert ended.match is not None
    text = "\n".join(told)
    assert "{" not in text
    assert load_translator(lang)("The match is over.") in text
    if lang == "ja":
        # Names, typed words and card letters stay; no English sentence does.
        assert not re.search(r"[a-z]+ [a-z]+ [a-z]+", text), re.findall(r".*[a-z]+ [a-z]+ [a-z]+.*", text)[:3]
    if lang == "de":
        assert not re.search(r"\b(the|of|and|card|cards|turn|you|played|drew)\b", text)


@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("seed", [1, 2])
def test_a_script_of_hints_plays_a_round_to_its_end(game: str, seed: int) -> None:
    """Every move that the game demands can be typed: what is offered first, spelled out in words."""
    practice = with_bots(load(game, GAMES[game]), (0,), seed)
    told: list[str] = []
    assert asyncio.run(play_by_typing(practice, told)), told[-5:]


async def play_by_typing(practice: PracticeTable, told: list[str]) -> bool:
    """Types until the match is over, and says whether it came to that."""
    lines: asyncio.Queue[str] = asyncio.Queue()
    seat = practice.people[0]
    session = LineSession(seat, load_translator("en"), told.append)

    async def typed() -> AsyncIterator[str]:
        while True:
            yield await lines.get()

    def typing() -> None:
        """What a person would type who plays the first move offered."""
        if session.asked is not None:
            lines.put_nowait(session.asked.answers[-1].typed[0])
            return
        position = session.position()
        assert position is not None
        move = next((each for each in position.moves if each["do"] not in ("tichu", "call")), None)
        if move is None:
            return
        name = session.narrator.cards.say
        match move["do"]:
            case "grand":
                lines.put_nowait("no")
            case "give":
                lines.put_nowait("give " + ", ".join(name(card) for card in move["cards"]))
            case "play":
                stands = iter(move.get("as") or ())
                words = [
                    name(card) + (f" as {name(next(stands))}" if session.narrator.cards.is_joker(card) else "")
                    for card in move["cards"]
                ]
                if suit := move.get("suit"):
                    words.append(session.narrator.cards.suit(suit))
                if rank := move.get("rank") or move.get("wish"):
                    words.append("naming " + session.narrator.cards.rank(rank))
                if (follows := move.get("next")) is not None:
                    words.append("next " + NAMES[follows])
                if move.get("phoenix"):
                    words.append("as " + session.narrator.cards.rank(move["phoenix"]))
                lines.put_nowait(" ".join(words))
            case other:
                lines.put_nowait(other)

    session.prompt = typing
    async with practice:
        ended = await asyncio.wait_for(session.run(typed()), 60)
    return ended.match is not None


def news_told(*news: object, lang: str = "en") -> str:
    """What a session says to a row of news, nothing else happening."""
    mia = Typist(scripted("crazy-eights", ("2s 8s", "9h 4d", "5c 6c"), "Jh", "7d 4c"))
    told: list[str] = []
    session = LineSession(mia.playing, load_translator(lang), told.append)
    return "\n".join(" ".join(session.told(each)) for each in news)  # type: ignore[arg-type]


def test_what_happens_besides_moves_is_told() -> None:
    text = news_told(
        Said(1, "hi\x1b[2J \u202ethere"),
        Away(2),
        Back(2),
        Paused((2,)),
        Overtaken({"do": "call"}),
        DealChecked((0, 1, 2), 41.3),
        DealChecked((0, 1, 2), 0.0),
        RoundVoid((1,)),
        Accused(1, BadMessage("a signature is not valid")),
    )
    assert text.splitlines() == [
        "Jonas says: hi[2J there",
        "Hanako is away. The seat is kept.",
        "Hanako is back.",
        "Paused: waiting for Hanako. Seats and cards are kept. Wait, or type quit to step away. "
        "To play something else meanwhile, type aside.",
        "Someone else was faster, so your move didn’t count.",
        "Deal proven fair: 3 shuffles, 41 ms.",
        "This deal was checked on this computer before you left.",
        "The round doesn’t count. No points. Could have played but didn’t: Jonas.",
        "CHEATING: Jonas. A signature is not valid. The evidence is in the transcript.",
    ]


def test_how_the_votes_to_play_on_stand_is_told_once_each() -> None:
    def wait(left_s: float, *agreed: int, against: tuple[int, ...] = ()) -> Paused:
        return Paused((2,), left_s, agreed, 130.0, (0, 1), against, None, (2,), Fate.VOID)

    waits = (wait(42.0), wait(0.0), wait(0.0), wait(0.0, 1), wait(0.0, 1, against=(0,)))
    gone = WentOn({2: Cause.GOODBYE}, Fate.VOID)
    assert news_told(*waits, Paused(()), gone).splitlines() == [
        "Paused: waiting for Hanako. Seats and cards are kept. Wait, or type quit to step away. "
        "In 0:42 you can vote to play on without Hanako. This round then doesn’t count: no points.",
        "You can now vote to play on without Hanako. One “no” is enough to wait. "
        "This round then doesn’t count: no points. Type vote to vote to play on, wait to vote to wait.",
        "",
        "Voted to play on: Jonas.",
        "Voted to play on: Jonas. Voted to wait: you. So the table waits.",
        "The match continues.",
        "Hanako quit for good. You play on without Hanako. This round doesn’t count.",
    ]
    mia = Typist(scripted("crazy-eights", ("2s 8s", "9h 4d", "5c 6c"), "Jh", "7d 4c"))
    help_lines = "\n".join(mia.reader.help(mia.position, paused=True))
    assert all(f"{verb}:" in help_lines for verb in ("vote", "wait", "unvote"))
    assert "vote:" not in "\n".join(mia.reader.help(mia.position))


def test_whoever_is_left_alone_is_told_how_long_they_wait_for_somebody_to_sit_down() -> None:
    assert news_told(Paused((2,), joining=("Cleo",), left=1, ends_s=18.0), Paused(())).splitlines() == [
        "Jonas quit for good. If Cleo doesn’t sit down within 0:18, the match is over.",
        "The match continues.",
    ]


def test_an_empty_seat_is_not_said_to_hold_no_cards() -> None:
    mia = Typist(scripted("crazy-eights", ("2s 8s", "9h 4d", "5c 6c"), "Jh", "7d 4c"))
    narrator = LineSession(mia.playing, load_translator("en"), list[str]().append).narrator
    view = mia.playing.view()
    assert narrator.counts(view) == ["Jonas 2 cards, Hanako 2 cards."]
    assert narrator.counts(replace(view, seats=tuple(SeatView(hand_size=size) for size in (2, 0, 2)))) == [
        "Hanako 2 cards."
    ]


@pytest.mark.parametrize("left_s", [None, 42.0])
def test_a_match_that_can_only_wait_may_be_put_aside(left_s: float | None) -> None:
    mia = Typist(scripted("crazy-eights", ("2s 8s", "9h 4d", "5c 6c"), "Jh", "7d 4c"))
    session = LineSession(mia.playing, load_translator("en"), list[str]().append)

    def typed(word: str) -> str:
        return "\n".join(asyncio.run(session.commands.carry_out(TypedCommand(word), mia.position)))

    assert "put a match aside only while it is waiting" in typed("aside")
    told = " ".join(session.told(Paused((2,), left_s, (), 130.0, (0, 1))))
    assert ("type aside" in told) is (left_s is None)
    assert ("  aside: " in typed("help"), "  vote: " in typed("help")) == (left_s is None, left_s is not None)
    assert ("The match is put aside" in typed("aside")) is (left_s is None)


@pytest.mark.parametrize("is_ours", [True, False])
def test_a_bot_takes_the_empty_seat_when_the_host_wants_it(is_ours: bool) -> None:
    mia = Typist(scripted("crazy-eights", ("2s 8s", "9h 4d", "5c 6c"), "Jh", "7d 4c"))
    asked: list[str] = []

    def fill() -> bool:
        asked.append("bot")
        return is_ours

    session = LineSession(mia.playing, load_translator("en"), list[str]().append, fill=fill)

    def typed(word: str) -> str:
        return "\n".join(asyncio.run(session.commands.carry_out(TypedCommand(word), mia.position)))

    gone = WentOn({2: Cause.GOODBYE}, Fate.SHORT)
    assert "  bot: let a bot take the empty seat" not in typed("help").splitlines()
    session.told(gone)
    assert "  bot: let a bot take the empty seat" in typed("help").splitlines()
    assert typed("bot") == ("A bot takes the empty seat." if is_ours else "No seat is waiting for a bot of yours.")
    assert asked == ["bot"]
    session.told(TookSeat(2))
    assert "  bot: let a bot take the empty seat" not in typed("help").splitlines()


def test_that_nobody_cheated_is_said_only_where_no_round_showed_otherwise() -> None:
    view = ENDED
    fault, end = IllegalMove("not your turn"), MatchEnded(PublicView(winners=(0,)), verified=True)
    began, ended = RoundBegan(1, view), RoundEnded(view)
    clean, only_checked = "nobody cheated", "the result stands"
    assert clean in news_told(began, ended, end)
    assert clean in news_told(began, RoundVoid(()), end), "stuck, and by nobody's fault"
    for told in (
        news_told(began, RoundEnded(view, ((1, fault),)), RoundBegan(2, view), ended, end),
        news_told(began, RoundVoid((1,)), RoundBegan(2, view), ended, end),
        news_told(began, Accused(1, BadMessage("a signature is not valid")), end),
        news_told(RoundBegan(2, view), ended, end),
        news_told(Earlier((Moved(0, {"do": "draw"}, view, view),)), began, ended, end),
    ):
        assert clean not in told and only_checked in told
    assert "FAILED" in news_told(began, ended, MatchEnded(PublicView(winners=(0,)), verified=False))


def test_what_nobody_could_see_is_claimed_only_where_it_is_true() -> None:
    nobody, no_computer = "Nobody, not even the host, could peek", "No single computer"

    def report(*players: Player, accused: bool = False, recovery: bool = False) -> str:
        mia = Typist(scripted("crazy-eights", ("2s 8s", "9h 4d", "5c 6c"), "Jh", "7d 4c"))
        mia.practice.players = list(players)
        mia.practice.facts = replace(mia.practice.facts, recovery=recovery)
        session = LineSession(mia.playing, load_translator("en"), lambda _line: None)
        session.told(DealChecked((0, 1, 2), 41.3))
        if accused:
            session.told(Accused(1, BadMessage("a signature is not valid")))
        return " ".join(session.telling.fairness())

    friends = (Player("Mia"), Player("Jonas"), Player("Hanako"))
    assert nobody in report(*friends)
    told = report(*friends, recovery=True)
    assert nobody not in told and "Only everyone else together could peek at them" in told
    assert (
        nobody not in (told := report(*friends[:2], Player("Ada", bot=True, through="Jonas"))) and no_computer in told
    )
    alone = report(friends[0], *(Player(name, bot=True, through="Mia") for name in ("Ada", "Emmy")))
    assert nobody not in alone and no_computer not in alone
    assert nobody not in report(*friends, accused=True)


def test_a_bot_is_told_by_the_computer_that_runs_it() -> None:
    mia = Typist(scripted("crazy-eights", ("2s 8s", "9h 4d", "5c 6c"), "Jh", "7d 4c"))
    mia.practice.players = [Player("Mia"), Player("Ada", bot=True, through="Mia"), Player("Emmy", True, through="Jo")]
    told = [computer_told(load_translator("en"), mia.playing, player) for player in mia.practice.players]
    assert told == ["", "Ada plays on your computer.", "Emmy plays on Jo’s computer."]


def test_winners_are_told_from_ones_own_seat() -> None:
    assert "You win!" in news_told(MatchEnded(PublicView(winners=(0,))))
    assert "Jonas wins." in news_told(MatchEnded(PublicView(winners=(1,))))
    assert "You and Jonas win!" in news_told(MatchEnded(PublicView(winners=(0, 1))))
    by_rounds = MatchEnded(PublicView(), places=(Place(0, 2), Place(1, 1)))
    assert "Jonas wins." in news_told(by_rounds), "of a number of rounds the game knows nothing"


def test_a_script_waits_for_its_turn() -> None:
    """A line for the next turn is not wasted on somebody else's."""
    table = scripted(
        "crazy-eights", ("2s 8s Ks 3h Kh", "9h 4d Th 2c", "5h 6c 7h 2d"), "Jh", "7d 4c 3c 3s 5s 9s Ts", None
    )
    practice = PracticeTable(table.game, NAMES[:3], (0,), Random(1), table=table)
    told, _ended = hear(practice, 0, ["3h", "8s clubs"])
    text = "\n".join(told)
    assert "You played three of hearts" in text
    assert "You played eight of spades and chose clubs" in text
    assert "turn" not in "\n".join(line for line in told if line.startswith("It is"))


def test_leaving_ends_the_session_and_chat_is_heard() -> None:
    mia = Typist(scripted("crazy-eights", ("2s 8s", "9h 4d", "5c 6c"), "Jh", "7d 4c"))
    told, ended = hear(on(mia), 0, ["say so close", "quit", "yes", "who"])
    assert "You say: so close" in told
    assert told[-1] == "You stepped away. Your seat is kept."
    assert ended.match is None


def test_tichu_is_told_with_its_combinations() -> None:
    hands = (
        "Mah 3j 3s 3p 5j 5s 7j 7s 7p 7k Kj Ks Phx 9j",
        "4j 4s 4p 6k 6s 6p 8s 8p 8j Ts Tj Qs Qj Aj",
        "2k",
        "9k",
    )
    table = tichu_lead(hands)
    practice = PracticeTable(table.game, NAMES[:4], (0, 1, 2, 3), Random(1), table=table)
    told: list[str] = []

    async def go() -> None:
        async def none() -> AsyncIterator[str]:
            await asyncio.Event().wait()
            yield ""

        async with practice:
            run = asyncio.create_task(LineSession(practice.people[1], load_translator("en"), told.append).run(none()))
            await asyncio.sleep(0)
            for seat, move in (
                (0, {"do": "play", "cards": ["3j", "3s", "3p", "5j", "5s"]}),
                (1, {"do": "play", "cards": ["4j", "4s", "4p", "6k", "6s"]}),
                (0, {"do": "play", "cards": ["7j", "7s", "7p", "7k"]}),
            ):
                practice.play(seat, table.game.decode(move))
            for _ in range(20):
                await asyncio.sleep(0)
            run.cancel()
            await asyncio.gather(run, return_exceptions=True)

    asyncio.run(go())
    text = "\n".join(told)
    assert "Mia played a full house with three threes: three of jade" in text
    assert "You played a full house with three fours" in text
    assert "Mia bombs out of turn: seven of jade" in text


class SlowTable(PracticeTable):
    """A table far away: a move is news a while after it was handed over."""

    def play(self, seat: int, move: object) -> None:
        if seat in self.people:
            asyncio.get_running_loop().call_later(0.05, super().play, seat, move)
        else:
            super().play(seat, move)


def test_a_script_waits_for_its_own_move_to_count() -> None:
    table = scripted("crazy-eights", ("2s 8s Ks 3h Kh", "9h 4d", "5h 6c"), "Jh", "7d 4c 3c 3s 5s")
    practice = SlowTable(table.game, NAMES[:3], (0,), Random(1), table=table)
    told, _ended = hear(practice, 0, ["draw", "draw", "3h"])
    text = "\n".join(told)
    assert [line for line in told if line.startswith("You drew")] == [
        "You drew seven of diamonds.",
        "You drew four of clubs.",
    ]
    assert "You played three of hearts." in text
    assert "faster" not in text


def test_a_match_of_one_round_has_one() -> None:
    told, ended = hear(with_bots(load("crazy-eights", 3), ()), None, forever=True)
    assert ended.match is not None
    assert sum(line.startswith("Round ") for line in told) == 1


def test_after_a_round_the_next_begins() -> None:
    told, _ended = hear(with_bots(load("crazy-eights", 3), (), rounds=2), None, forever=True)
    begun = [line.split(".")[0] for line in told if line.startswith("Round ")]
    assert begun == ["Round 1", "Round 2"]


@pytest.mark.parametrize(
    ("game", "hands", "options", "move", "told"),
    [
        ("macau-wars", ("Qd 9c 8c", "5c 6c", "7c Tc"), {}, {"do": "play", "cards": ["Qd"]}, "Hanako is skipped."),
        ("macau-wars", ("Qd 9c 8c", "5c 6c"), {}, {"do": "play", "cards": ["Qd"]}, "Jonas is skipped."),
        (
            "macau-wars",
            ("Jk 9c 8c", "5c 6c", "7c Tc"),
            {},
            {"do": "play", "cards": ["Jk"], "as": ["Qd"]},
            "Hanako is skipped.",
        ),
        ("macau-wars", ("Qh 9c 8c", "5c 6c", "7c Tc"), {}, {"do": "play", "cards": ["Qh"]}, ""),
        (
            "crazy-eights",
            ("Qd 9c", "5c 6c", "7c"),
            {"skip": "Q"},
            {"do": "play", "cards": ["Qd"]},
            "Jonas is skipped.",
        ),
        ("crazy-eights", ("Qd 9c", "5c 6c", "7c"), {}, {"do": "play", "cards": ["Qd"]}, ""),
    ],
)
def test_who_misses_a_turn_is_named(
    game: str, hands: tuple[str, ...], options: dict[str, object], move: dict[str, object], told: str
) -> None:
    up = "5h" if move["cards"] == ["Qh"] else "5d"
    # Macau Wars goes round the other way: with this dealer it is our turn, and the last seat is the next.
    table = scripted(game, hands, up, "2c " * 10, options, dealer=1 if game == "macau-wars" else None)
    before = table.public_view(0)
    chosen = table.game.decode(move)
    table.play(0, chosen)
    said = (
        face_of(table.game)
        .narrator(load_translator("en"), NAMES[: len(hands)], 0)
        .moved(0, table.game.encode(chosen), before, table.public_view(0))
    )
    assert [line for line in said if "skip" in line] == ([told] if told else [])


def test_a_question_stays_open_until_it_is_answered() -> None:
    """Who is asked for a suit listens to the hand first."""
    table = scripted("crazy-eights", ("2s 8s Ks 3h", "9h 4d Th 2c", "5h 6c 7h 2d"), "Jh", "7d 4c 3c 3s 5s 9s Ts")
    practice = PracticeTable(table.game, NAMES[:3], (0,), Random(1), table=table)
    told, _ended = hear(practice, 0, ["8s", "hand", "purple", "", "diamonds"])
    asks = "Which suit do you choose: 1 spades, 2 hearts, 3 diamonds or 4 clubs?"
    assert sum(asks in line for line in told) == 4
    assert any("chose diamonds" in line for line in told)


def test_an_empty_line_says_whose_turn_it_is() -> None:
    mia = Typist(scripted("crazy-eights", ("2s Ks", "9h 4d", "5c"), "Jh", "7d 4c"))
    told, _ended = hear(on(mia), 0, [""])
    assert "Your turn. You can’t play: draw. Type help to see what you can do." in told


def test_that_nothing_fits_is_said_and_a_draw_is_not_followed_by_the_whole_table() -> None:
    mia = Typist(scripted("crazy-eights", ("2s Ks", "9h 4d", "5c"), "Jh", "7d 4h 4c"))
    told, _ended = hear(on(mia), 0, ["draw", "draw"])
    assert "Your hand: 1 two of spades. 2 king of spades. You can’t play: draw." in told
    assert "You drew seven of diamonds." in told
    assert "It’s still your turn. You can’t play: draw." in told
    assert "It’s still your turn. Playable: 3 four of hearts." in told
    assert sum(line.startswith("Your hand:") for line in told) == 1


def test_what_is_seen_at_once_is_told_a_last_card_and_an_empty_stock() -> None:
    table = scripted("crazy-eights", ("2s 8s 3h", "9h 4d", "5c 6c"), "Jh", "7d", {"last_card": False})
    practice = PracticeTable(table.game, NAMES[:3], (0, 1, 2), Random(1), table=table)
    session = LineSession(practice.people[0], load_translator("en"), lambda _line: None)

    def told(seat: int, move: dict[str, object]) -> str:
        before = table.public_view()
        table.play(seat, table.game.decode(move))
        return " ".join(session.told(Moved(seat, move, before, table.public_view())))

    assert "left" not in told(0, {"do": "play", "cards": ["3h"]})
    assert told(1, {"do": "play", "cards": ["9h"]}).endswith("Jonas has one card left.")
    assert told(2, {"do": "draw"}).endswith("The stock is empty.")


def test_who_comes_back_hears_how_the_round_stands() -> None:
    mia = Typist(scripted("crazy-eights", ("2s 8s", "9h 4d", "5c 6c"), "Jh", "7d 4c"), seat=1)
    session = LineSession(mia.playing, load_translator("en"), lambda _line: None)
    view = mia.playing.view()
    assert session.told(Earlier((Moved(0, {"do": "draw"}, view, view),))) == []
    told = " ".join(session.told(RoundBegan(2, view)))
    assert told.startswith("Round 2 continues.") and "Turned up" not in told
    assert "It is Mia’s turn." in told and "Your hand: 1 nine of hearts. 2 four of diamonds." in told
    assert "Turned up" in " ".join(session.told(RoundBegan(3, view)))


def test_when_the_next_round_begins_is_told() -> None:
    told = news_told(RoundEnded(ENDED, (), 12.0))
    assert "The next round starts in 12 seconds, or as soon as everyone types ready." in told
    assert "next round" not in news_told(RoundEnded(ENDED, (), 12.0, True))


@pytest.mark.parametrize(
    ("news", "leaves"),
    [
        (RoundEnded(ENDED, (), 43200.0), True),
        (RoundEnded(ENDED, (), 0.0), False),
        (RoundVoid(), True),
        (WentOn({2: Cause.VOTE}, Fate.VOID), True),
        (WentOn({2: Cause.VOTE}, Fate.SHORT), True),
        (WentOn({2: Cause.VOTE}, Fate.PLAYED), False),
        (Paused((0,)), True),
        (Paused(()), False),
    ],
)
@pytest.mark.parametrize("in_flight", [False, True])
def test_a_script_that_ends_leaves_where_the_match_waits(news: News, leaves: bool, in_flight: bool) -> None:
    """Nobody is there any more to say that the next round may start, or that one would play on without somebody."""
    mia = Typist(scripted("crazy-eights", ("2s 8s", "9h 4d", "5c 6c"), "Jh", "7d 4c"), seat=1)
    told: list[str] = []
    mia.playing.put(news)

    async def go() -> None:
        session = LineSession(mia.playing, load_translator("en"), told.append, patient=True)
        session._in_flight = in_flight
        ran = asyncio.create_task(session.run(_nothing()))
        for _ in range(20):
            await asyncio.sleep(0)
        assert ran.done() == leaves
        ran.cancel()
        await asyncio.gather(ran, return_exceptions=True)

    asyncio.run(go())
    assert ("No more input, so you step away from the table. Your seat is kept." in told) == leaves


@pytest.mark.parametrize(
    ("paused", "lines", "leaves"),
    [
        (Paused((0,), left_s=0.0), ["1", "2"], True),
        (Paused((0,), since_s=TableOptions().leave_after / 1000), ["1"], True),  # too few would remain: nobody can vote
        (Paused((0,), left_s=60.0), ["1"], False),
        (Paused((0,), since_s=5.0), ["1"], False),
        (Paused((), left_s=0.0), ["1"], False),
        (Paused((0,), left_s=0.0), ["1", None], False),  # more may come
    ],
)
def test_a_script_whose_moves_must_wait_leaves_a_table_that_pauses_too_long(
    paused: Paused, lines: list[str | None], leaves: bool
) -> None:
    mia = Typist(scripted("crazy-eights", ("2s 8s", "9h 4d", "5c 6c"), "Jh", "7d 4c"), seat=1)
    told: list[str] = []
    mia.playing.put(paused)

    async def script() -> AsyncIterator[str]:
        for line in lines:
            if line is None:
                await asyncio.Event().wait()
            else:
                yield line

    async def go() -> list[str]:
        session = LineSession(mia.playing, load_translator("en"), told.append, patient=True)
        ran = asyncio.create_task(session.run(script()))
        for _ in range(20):
            await asyncio.sleep(0)
        assert ran.done() == leaves
        ran.cancel()
        await asyncio.gather(ran, return_exceptions=True)
        return session.unread

    assert asyncio.run(go()) == [line for line in lines if line]
    assert any("step away from the table" in line for line in told) == leaves


async def _nothing() -> AsyncIterator[str]:
    nothing: tuple[str, ...] = ()
    for line in nothing:
        yield line


def test_in_tichu_a_turn_says_whose_cards_are_to_be_beaten_and_no_hand_twice() -> None:
    hands = ("3j 3s Kj", "4j 4s 9k 2k", "5j 5s 2p", "6j 7s 8p")
    table = tichu_lead(hands)
    practice = PracticeTable(table.game, NAMES[:4], (0, 1, 2, 3), Random(1), table=table)
    told: list[str] = []
    session = LineSession(practice.people[2], load_translator("en"), told.append)

    def announces() -> list[str]:
        told.clear()
        session._announce()
        return list(told)

    moves: list[dict[str, Any]] = [{"do": "play", "cards": ["3j", "3s"]}, {"do": "pass"}]
    for seat, move in enumerate(moves):
        table.play(seat, table.game.decode(move))
    assert announces() == [
        "Your turn. To beat: pair of threes, played by your partner Mia.",
        "Your hand: 1 two of pagodas. 2 five of jade. 3 five of swords. You can play five of jade and five of swords.",
    ]
    for seat, move in (
        (2, {"do": "pass"}),
        (3, {"do": "pass"}),
        (0, {"do": "collect"}),
        (0, {"do": "play", "cards": ["Kj"]}),
    ):
        table.play(seat, table.game.decode(move))
    table.play(1, table.game.decode({"do": "pass"}))
    assert announces() == ["Your turn. To beat: king, played by your partner Mia.", "You can’t play: pass."]


def test_in_tichu_who_has_won_a_trick_hears_only_that() -> None:
    table = tichu_lead(("3j 3s Kj", "4j 4s 9k 2k", "5j 5s 2p", "6j 7s 8p"))
    practice = PracticeTable(table.game, NAMES[:4], (0, 1, 2, 3), Random(1), table=table)
    moves: list[dict[str, Any]] = [{"do": "play", "cards": ["Kj"]}, *[{"do": "pass"}] * 3]
    for seat, move in enumerate(moves):
        table.play(seat, table.game.decode(move))
    told: list[str] = []
    session = LineSession(practice.people[0], load_translator("en"), told.append)
    session._announce()
    assert told == ["You won the trick: type collect."]
    assert session.told(Grace(0, 2.0)) == ["You take the trick in 2 seconds."]
    assert LineSession(practice.people[1], load_translator("en"), told.append).told(Grace(0, 2.0)) == []


def test_a_hand_that_fits_whole_is_not_marked_card_by_card() -> None:
    table = tichu_lead(("3j 3s Kj", "4j 4s 9k 2k", "5j 5s 2p", "6j 7s 8p"))
    practice = PracticeTable(table.game, NAMES[:4], (0, 1, 2, 3), Random(1), table=table)
    told: list[str] = []
    LineSession(practice.people[0], load_translator("en"), told.append)._announce()
    assert told[0] == "Your turn. You lead."
    assert told[1] == "Your hand: 1 three of jade. 2 three of swords. 3 king of jade. You can play any of them."
