"""Every screen in a state that is worth looking at: what the golden canvases show."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

from cli import news
from cli.news import (
    FoundTable,
    Moved,
    PhonesServed,
    Recorded,
    RecordedStep,
    Remembered,
    RoomChanged,
    RoomChat,
    RoundBegan,
    RoundEnded,
    TablesSeen,
    Unfinished,
)
from cli.terminal.screen import Screen
from cli.terminal.settings import TerminalSettings
from cli.terminal.shown import screen_of
from cli.view.choosing import Alternative, ChoiceModel
from cli.view.effects import Play
from cli.view.inputs import Hear
from cli.view.lobby import LobbyModel
from cli.view.opening import OpeningModel
from cli.view.options import SettingsModel
from cli.view.phones import HELP_AFTER_S, PhonesPage
from cli.view.records import MatchRow, RecordsModel
from cli.view.replay import ReplayModel
from cli.view.room import RoomModel
from protocol.errors import FairdealError, IllegalMove
from protocol.games import LocalTable, load
from protocol.room.values import NOBODY, Guest, Room
from protocol.table.effort import Checked
from protocol.table.roster import TableOptions
from protocol.values import replace
from tests.cli.screen.stage import NAMES, Clock, Stage, away
from tests.cli.tables import scripted, tichu_lead

Shows = Callable[[TerminalSettings], Screen]


def table(name: str, seats: int, seed: int = 3, **options: object) -> LocalTable:
    return LocalTable(load(name, seats, options), Random(seed))


def stage(local: LocalTable, settings: TerminalSettings, seat: int | None = 0, begun: bool = True) -> Stage:
    return Stage(local, seat, settings=settings, begun=begun)


def crazy(settings: TerminalSettings) -> Stage:
    """Eight players, ten cards, our turn."""
    hands = ["2s 8s Ks 3h 8h Qh 5d Td 9c Ac", "4d 5s 6c 7h Jd", "9h", "2c 3d 4h 6s 7c 8c Th", "As Kd Qc"]
    hands += ["2d 4c 5c", "6h 7d Jc Js 9s 2h", "9d Tc Kc"]
    shown = stage(scripted("crazy-eights", hands, up="Jh", stock="3s 4s " * 8), settings)
    checks = (Checked("own-shuffle", 1, 0.0114), Checked("shuffles", 8, 0.0487), Checked("hands", 8, 0.0004))
    shown.hear(news.DealChecked(tuple(range(8)), 41.0, checks))
    shown.hear(news.Said(3, "so close :D"), news.Said(2, "次はあなた！"))
    shown.hear(news.ClockRuns(0, 18))
    return shown


def crazy_eights(settings: TerminalSettings) -> Screen:
    return crazy(settings).screen


def refused(settings: TerminalSettings) -> Screen:
    shown = crazy(settings)
    shown.press("enter")
    return shown.screen


def suit_pick(settings: TerminalSettings) -> Screen:
    shown = crazy(settings)
    shown.press("8", "8", "enter")
    return shown.screen


def waiting(settings: TerminalSettings) -> Screen:
    shown = crazy(settings)
    shown.press("3", "enter")
    shown.tick(12)
    return shown.screen


def two_players(settings: TerminalSettings) -> Screen:
    return stage(scripted("crazy-eights", ["5h 6h", "9c Tc Jc"], up="9h", stock="2c"), settings).screen


def ten_players(settings: TerminalSettings) -> Screen:
    return stage(table("crazy-eights", 10), settings, 4).screen


def penalty(settings: TerminalSettings) -> Screen:
    shown = stage(scripted("two-four-jack", ["2s 2d 9h", "2h 5c 4d", "9c Kd"], up="5s", stock="3s " * 12), settings, 1)
    shown.moves(0, {"do": "play", "cards": ["2s"]})
    return shown.screen


def last_word(settings: TerminalSettings) -> Screen:
    shown = stage(scripted("mau-mau", ["7h 9h", "8c Kc Td"], up="Th", stock="7s " * 8), settings)
    shown.press("7", "enter")
    return shown.screen


def war(settings: TerminalSettings) -> Screen:
    hands = ["2s 3s 8s Ks 6s 9s Qs Ts 3h 8h Qh 4h 7h 9h 5d Td 4d 6d Jd Qd Ac 9c 4c 7c Tc", "2h 3c Kd", "Jk 5c", "6c 7d"]
    shown = stage(scripted("macau-wars", hands, up="5h", stock="5s " * 40, dealer=2), settings)
    shown.moves(1, {"do": "play", "cards": ["2h"]})
    return shown.screen


def joker(settings: TerminalSettings) -> Screen:
    shown = stage(scripted("macau-wars", ["Jk 8s 9d", "2c 3c", "5c 6c"], up="5h", stock="5s " * 20, dealer=1), settings)
    shown.press("end", "enter")
    return shown.screen


def next_player(settings: TerminalSettings) -> Screen:
    shown = stage(
        scripted("macau-wars", ["Qc 8s 9d", "2c 3c", "5c 6c", "7c"], up="5c", stock="5s " * 20, dealer=1), settings
    )
    shown.press("q", "enter")
    return shown.screen


def rank_call(settings: TerminalSettings) -> Screen:
    shown = stage(
        scripted("macau-wars", ["Jc 8s 9d", "2c 3c", "5c 6c", "7c"], up="5c", stock="5s " * 20, dealer=1), settings
    )
    shown.press("j", "enter")
    return shown.screen


MINE = "2s 3j 4k 5k 6p 6k 7s 9j 9k Js Qp Ak Phx Drg"
LEFT = "2k 3s 4j 5p 6s 7j 8j 8s 9s Tj Jj Qj Kj Aj"
ACROSS = "2j 3p 4s 5s 6j 7p 8p Tk Ts Jk Qk Ks Ap Dog"
RIGHT = "2p 3k 4p 5j 7k 8k 9p Tp Jp Qs Kk Kp As Mah"


def tichu(settings: TerminalSettings) -> Stage:
    return stage(tichu_lead([MINE, LEFT, ACROSS, RIGHT], 3), settings)


def tichu_picked(settings: TerminalSettings) -> Screen:
    """A straight lies on the table, ours is picked."""
    shown = tichu(settings)
    shown.hear(news.DealChecked((0, 1, 2, 3), 63.0, ()))
    shown.moves(2, {"do": "tichu"})
    shown.moves(3, {"do": "play", "cards": ["Mah", "2p", "3k", "4p", "5j"]})
    shown.press("3", " ", "4", " ", "5", " ", "6", " ", "7", " ")
    return shown.screen


def tichu_lead_screen(settings: TerminalSettings) -> Screen:
    return stage(tichu_lead([MINE, LEFT, ACROSS, RIGHT], 0), settings).screen


def tichu_wish(settings: TerminalSettings) -> Screen:
    shown = stage(tichu_lead([RIGHT, MINE, LEFT, ACROSS], 0), settings)
    shown.press("1", "enter")
    return shown.screen


def tichu_mended(settings: TerminalSettings) -> Screen:
    shown = tichu(settings)
    shown.moves(3, {"do": "play", "cards": ["Mah", "2p", "3k", "4p", "5j"]})
    shown.press("3", " ", "4", " ", "5", " ", "7", " ")
    return shown.screen


def grand(settings: TerminalSettings) -> Screen:
    shown = stage(table("tichu", 4, 5), settings)
    shown.moves(2, {"do": "grand", "call": False})
    return shown.screen


def exchange_stage(settings: TerminalSettings) -> Stage:
    shown = stage(table("tichu", 4, 5), settings)
    for seat in range(4):
        shown.moves(seat, {"do": "grand", "call": seat == 2})
    return shown


def exchange(settings: TerminalSettings) -> Screen:
    shown = exchange_stage(settings)
    shown.moves(3, {"do": "give", "cards": list(shown.table.hands[3][:3])})
    shown.press("home", "1", "right", "right", "2")
    return shown.screen


def dragon(settings: TerminalSettings) -> Screen:
    shown = stage(tichu_lead([MINE, LEFT, ACROSS, RIGHT], 0), settings)
    shown.moves(0, {"do": "play", "cards": ["Drg"]})
    for seat in (1, 2, 3):
        shown.moves(seat, {"do": "pass"})
    return shown.screen


def tichu_call(settings: TerminalSettings) -> Screen:
    shown = tichu(settings)
    shown.press("t")
    return shown.screen


def paused(settings: TerminalSettings) -> Screen:
    shown = crazy(settings)
    away(shown, 5)
    voters = (0, 1, 2, 3, 4, 7)
    shown.hear(news.Paused((5,), 0.0, (1, 3), 138.0, voters, (), 42.0, (5,), news.Fate.PLAYED))
    shown.tick(1)
    return shown.screen


def accused(settings: TerminalSettings) -> Screen:
    shown = crazy(settings)
    shown.hear(news.Accused(2, FairdealError("card shares do not match the seat's round key")))
    return shown.screen


def broken(settings: TerminalSettings) -> Screen:
    shown = crazy(settings)
    shown.hear(news.Broken(FairdealError("{name} quit for good, so the match is over", name="Lukas")))
    return shown.screen


def leaving(settings: TerminalSettings) -> Screen:
    shown = crazy(settings)
    shown.press("f10")
    return shown.screen


def shuffling(settings: TerminalSettings) -> Screen:
    """Before the first deal: no cards yet."""
    shown = stage(table("crazy-eights", 4), settings, begun=False)
    shown.parts.at._is_known = True
    return shown.screen


def watching(settings: TerminalSettings) -> Screen:
    return stage(table("tichu", 4), settings, None).screen


def finished(settings: TerminalSettings, match: bool) -> Stage:
    shown = stage(
        scripted(
            "crazy-eights", ["5h", "8s 3c", "Kd Jh"], up="9h", stock="2c", options={"target": 100 if not match else 30}
        ),
        settings,
    )
    shown.hear(news.DealChecked((0, 1, 2), 38.0, ()))
    shown.screen.hear(news.DealChecked((0, 1, 2), 38.0, ()))
    game = shown.table.game
    shown.table.play(0, game.decode({"do": "play", "cards": ["5h"]}))
    last = shown.table.last_round
    assert last is not None
    view = game.public_view(last.state).with_hands(dict(enumerate(last.hands)))
    shown.screen.hear(news.RoundEnded(view))
    if match:
        view = replace(view, winners=(0,))
        shown.screen.hear(news.MatchEnded(view, "ab" * 32, "/home/hanako/fairdeal/3f.fairdeal", True))
    return shown


def between_rounds(settings: TerminalSettings) -> Screen:
    return finished(settings, False).screen


def match_over(settings: TerminalSettings) -> Screen:
    return finished(settings, True).screen


def report(settings: TerminalSettings) -> Screen:
    shown = crazy(settings)
    shown.press("v")
    return shown.screen


def help_screen(settings: TerminalSettings) -> Screen:
    shown = crazy(settings)
    shown.press("?")
    return shown.screen


def log(settings: TerminalSettings) -> Screen:
    shown = crazy(settings)
    shown.press("l")
    return shown.screen


def settings_screen(settings: TerminalSettings) -> Screen:
    return screen_of(SettingsModel(settings, lambda: "Fairdeal"), settings, Clock())


def big_cards(settings: TerminalSettings) -> Screen:
    settings.big = True
    return crazy(settings).screen


TABLES = (
    FoundTable(
        "Kitchen",
        "crazy-eights",
        8,
        5,
        "open",
        "a1",
        (("192.0.2.7", 4711),),
        "Mia",
        ("Mia", "Jonas", "Priya", "Sam", "Bot Ada"),
        rules=(("draw", "one"), ("target", "100"), ("time", "20"), ("suggest", "false")),
    ),
    FoundTable(
        "Balcony",
        "tichu",
        4,
        4,
        "playing",
        "b2",
        (("192.0.2.8", 4711),),
        "Jonas",
        ("Jonas", "ハナコ"),
        score=(240, 185),
    ),
    FoundTable("Sofa", "macau-wars", 5, 3, "paused", "c3", (("192.0.2.9", 4711),), "Priya", (), ("Lukas",)),
)


def lobby(settings: TerminalSettings) -> Screen:
    clock = Clock()
    shown = screen_of(LobbyModel(settings, clock, "Hanako"), settings, clock)
    shown.send(Hear(TablesSeen(TABLES)))
    return shown


def empty_lobby(settings: TerminalSettings) -> Screen:
    clock = Clock()
    shown = screen_of(LobbyModel(settings, clock, "Hanako"), settings, clock)
    clock.passes(5)
    shown.send(Hear(Remembered("Hanako", Unfinished("Kitchen", "tichu"))))
    return shown


def guest(
    key: bytes, name: str, bot: bool = False, ready: bool = False, plays: bool = True, playing: bool = False
) -> Guest:
    """Somebody in a room; bots are Mia's."""
    return Guest(key, name, b"mia" if bot else key, bot, b"n" * 32, ready, plays=plays, playing=playing)


def parlour(
    seats: Sequence[Guest | None], *others: Guest, host: bytes = b"mia", game: str = "tichu", **options: object
) -> Room:
    """A room; `others` have no seat."""
    members = (*(each for each in seats if each is not None), *others)
    seating = tuple(NOBODY if each is None else each.key for each in seats)
    table = TableOptions(time=30_000, suggest=False)
    return Room(b"i" * 16, host, "Kitchen", game, 1, options or {"target": 500}, table, members, seating)


def room(settings: TerminalSettings) -> Screen:
    model = RoomModel(settings, b"mia", True, ("192.0.2.7:4711", "[fd00::2]:4711"))
    shown = screen_of(model, settings, Clock())
    first = (guest(b"mia", "Mia", ready=True), None, guest(b"jo", "Jonas"), None)
    shown.send(Hear(RoomChanged(parlour(first))))
    shown.send(Hear(RoomChanged(parlour((*first[:3], guest(b"ada", "Bot Ada", True, True))))))
    shown.send(Hear(RoomChat(b"jo", "hello!")))
    return shown


def opening(settings: TerminalSettings) -> Screen:
    return screen_of(OpeningModel(settings, False, "Hanako's table"), settings, Clock())


def practice(settings: TerminalSettings) -> Screen:
    shown = screen_of(OpeningModel(settings, True, ""), settings, Clock())
    shown.key("down")
    shown.key("left")
    return shown


def phones(settings: TerminalSettings) -> Screen:
    """Nobody has opened the page in time."""
    clock = Clock()
    served = PhonesServed("http://192.0.2.7:4712/#4zzxyRYJhrRnBnaY6i2SZORYgoVjqvzoSIrj0zJ1ovU", "Mia")
    shown = screen_of(PhonesPage(settings, lambda: "Mia's table · Mau-Mau", lambda: served, clock), settings, clock)
    clock.passes(HELP_AFTER_S)
    return shown


def choosing(settings: TerminalSettings) -> Screen:
    answers = (Alternative("a", "Back", "Your hand is as you left it."), Alternative("b", "Not now"))
    return screen_of(ChoiceModel(settings, "You left a match unfinished: Kitchen", answers), settings, Clock())


def records(settings: TerminalSettings) -> Screen:
    won = "Mia, Hanako 1010 (won), Jonas, Sam 640"
    files = [
        MatchRow("/x/1", "2026-11-20 21:14", ("Tichu", "Mia, Hanako", "Mia+Hanako"), won),
        MatchRow("/x/2", "2026-11-20 20:40", ("Two-Four-Jack", "Mia, 3 bots", "not finished")),
    ]
    scores = ["2026-11-20", "  tichu  Mia, Hanako 1010 (won)"]
    return screen_of(RecordsModel(settings, files, scores), settings, Clock())


def recording() -> Recorded:
    local = scripted("crazy-eights", ["5h 6h", "9c Tc Jc"], up="9h", stock="2c 3c 4c")
    steps = [RecordedStep(RoundBegan(1, local.public_view()), local.public_view(), 1)]
    for seat, move in ((0, {"do": "play", "cards": ["5h"]}), (1, {"do": "draw"})):
        before = local.public_view()
        local.play(seat, move)
        after = local.public_view()
        steps.append(RecordedStep(Moved(seat, move, before, after), after.with_hands(dict(enumerate(local.hands))), 1))
    steps.append(RecordedStep(RoundEnded(local.public_view()), local.public_view(), 1))
    return Recorded(local.game, NAMES[:2], tuple(steps))


def replay(settings: TerminalSettings) -> Screen:
    clock = Clock()
    shown = screen_of(ReplayModel(recording(), settings, clock, "/x/1"), settings, clock)
    shown.key("right")
    return shown


SCREENS: Mapping[str, Shows] = {
    "crazy-eights": crazy_eights,
    "refused": refused,
    "suit-pick": suit_pick,
    "waiting": waiting,
    "two-players": two_players,
    "ten-players": ten_players,
    "penalty": penalty,
    "last-word": last_word,
    "war": war,
    "joker": joker,
    "next-player": next_player,
    "rank-call": rank_call,
    "tichu-lead": tichu_lead_screen,
    "tichu-picked": tichu_picked,
    "tichu-mended": tichu_mended,
    "tichu-wish": tichu_wish,
    "tichu-call": tichu_call,
    "grand": grand,
    "exchange": exchange,
    "dragon": dragon,
    "paused": paused,
    "accused": accused,
    "broken": broken,
    "leaving": leaving,
    "shuffling": shuffling,
    "watching": watching,
    "between-rounds": between_rounds,
    "match-over": match_over,
    "report": report,
    "help": help_screen,
    "log": log,
    "settings": settings_screen,
    "big-cards": big_cards,
    "lobby": lobby,
    "empty-lobby": empty_lobby,
    "room": room,
    "phones": phones,
    "opening": opening,
    "practice": practice,
    "choosing": choosing,
    "records": records,
    "replay": replay,
}

__all__ = ["SCREENS", "IllegalMove", "Play"]
