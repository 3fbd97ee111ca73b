"""The screens around the table: what Enter does is always said, no key is dead, and what matters is never cut."""

from __future__ import annotations

import pytest

from cli.games.options import option_about, option_label, option_words
from cli.news import Do, FoundTable, Remembered, RoomChanged, TablesSeen, Unfinished
from cli.terminal.lists import ListScreen
from cli.terminal.settings import TerminalSettings
from cli.text import languages, load_translator
from cli.view.effects import AskText
from cli.view.inputs import Hear
from cli.view.lobby import LobbyModel, row_of
from cli.view.opening import OpeningModel
from cli.view.room import RoomModel
from protocol.games.catalogue import BUILT_IN, game_class
from protocol.identity import fingerprint
from protocol.room.values import Guest
from protocol.values import replace
from tests.cli.screen.screens import SCREENS, TABLES, guest, parlour
from tests.cli.screen.stage import Clock
from tests.cli.terminal.drawn import keys_of, on_screen, prompt_of, text_of

SIZES = ((80, 24), (60, 20), (100, 30))
LISTS = ("lobby", "empty-lobby", "opening", "practice", "room", "settings", "records", "choosing", "replay")


def enter_cap(shown: ListScreen) -> str:
    return keys_of(shown)["Enter"]


def lobby(*tables: FoundTable, unfinished: bool = False, friends: frozenset[str] = frozenset()) -> ListScreen:
    clock = Clock()
    found = on_screen(LobbyModel(TerminalSettings(), clock, "Hanako"), clock)
    left = Unfinished("Kitchen", "tichu") if unfinished else None
    found.send(Hear(Remembered("Hanako", left, friends)))
    found.send(Hear(TablesSeen(tables)))
    return found


def room(lang: str, *guests: Guest | None, me: bytes = b"mia", game: str = "tichu") -> ListScreen:
    found = on_screen(RoomModel(TerminalSettings(lang=lang), me, me == b"mia", ("192.0.2.7:4711",)))
    found.send(Hear(RoomChanged(parlour(guests, game=game))))
    return found


# --- no dead key ---


MEANINGLESS = [
    (name, pressed)
    for name in LISTS
    for pressed in ("z", "%", "f3", "tab", "backspace")
    if name != "replay" or pressed not in ("tab", "backspace")  # there they mean something
]


@pytest.mark.parametrize(("name", "pressed"), MEANINGLESS)
def test_a_key_that_means_nothing_is_answered_until_the_next_key(name: str, pressed: str) -> None:
    shown = SCREENS[name](TerminalSettings())
    shown.key(pressed)
    assert "does nothing here" in prompt_of(shown)
    assert not shown.effects
    shown.key("home")
    assert "does nothing here" not in prompt_of(shown)


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("lang", languages())
def test_every_list_has_help_with_whole_lines(name: str, lang: str) -> None:
    shown = SCREENS[name](TerminalSettings(lang=lang))
    shown.key("?")
    for columns, rows in SIZES:
        text = text_of(shown, columns, rows)
        assert "F2" in text
        assert "…" not in text.replace("、…", "").replace("目…", "").replace(", …", "")
    shown.key("escape")
    assert shown.overlay is None


def test_a_page_answers_keys_that_mean_nothing_and_opens_the_settings() -> None:
    shown = lobby(*TABLES)
    shown.key("?")
    shown.key("z")
    assert "does nothing here" in prompt_of(shown)
    shown.key("down")
    assert "does nothing here" not in prompt_of(shown)
    shown.key("f2")
    assert "Language" in text_of(shown)
    shown.key("escape")
    assert "No player, not even the host" in text_of(shown)


# --- the lobby ---


def test_by_itself_the_cursor_is_on_what_one_most_likely_wants() -> None:
    assert lobby(*TABLES).under == row_of(TABLES[0])
    assert lobby().under == "new"
    assert lobby(*TABLES, unfinished=True).under == "resume"


def test_a_friends_open_room_comes_before_everything_else() -> None:
    theirs = replace(TABLES[0], id="z", title="Zoo", keys=("ab12",))
    shown = lobby(*TABLES, theirs, unfinished=True, friends=frozenset({"ab12"}))
    assert shown.under == row_of(theirs)
    assert shown.model.view().rows[0].id == row_of(theirs)


def test_a_game_left_against_bots_never_comes_before_a_room() -> None:
    shown = lobby(*TABLES)
    practice = Unfinished("Kitchen", "tichu", 0.0, ("Mia", "Ada", "Kurt"), (False, True, True))
    shown.send(Hear(Remembered("Mia", practice)))
    assert shown.under == row_of(TABLES[0])
    shown.send(Hear(TablesSeen(())))
    assert shown.under == "resume"


def test_two_rooms_of_one_name_are_told_apart_by_their_keys() -> None:
    keys = bytes(32), bytes(31) + b"\1"
    signs = [" ".join(fingerprint(key).split()[:4]) for key in keys]
    one, other = (replace(TABLES[0], id=key.hex(), keys=(key.hex(),)) for key in keys)
    shown = lobby(one, other)
    assert f"This one is: {signs[0]}" in " ".join(text_of(shown).split())
    shown.key("down")
    assert f"This one is: {signs[1]}" in " ".join(text_of(shown).split())
    assert "This one is:" not in text_of(lobby(one))
    host = text_of(room("en", guest(b"mia", "Mia"), None, None, None))
    assert " ".join(fingerprint(b"mia").split()[:4]) in " ".join(host.split()), "its host can tell friends"


@pytest.mark.parametrize(
    ("downs", "label", "effect"),
    [
        (0, "join", Do("sit", TABLES[0])),
        (1, "join", Do("sit-watch", TABLES[1])),
        (3, "rejoin", Do("resume")),
        (4, "new table", Do("new")),
        (6, "practise", Do("practise")),
        (7, "replays", Do("records")),
    ],
)
def test_the_key_bar_says_what_enter_does_on_each_row(downs: int, label: str, effect: Do) -> None:
    shown = lobby(*TABLES, unfinished=True)
    shown.key("home")
    for _down in range(downs):
        shown.key("down")
    assert enter_cap(shown) == label
    shown.key("enter")
    assert list(shown.effects) == [effect]


def test_enter_opens_the_line_for_typing_where_the_row_says_so() -> None:
    shown = lobby()
    for label in ("type an address", "change name"):
        while enter_cap(shown) != label:
            shown.key("down")
        shown.key("enter")
        assert isinstance(shown.effects.pop(), AskText)


def test_the_cursor_stays_on_its_table_and_on_its_deed() -> None:
    shown = lobby(*TABLES)
    shown.key("down")
    shown.send(Hear(TablesSeen((replace(TABLES[0], id="new", title="Attic"), *TABLES))))
    assert shown.under == row_of(TABLES[1])
    shown.send(Hear(TablesSeen(TABLES[:1])))
    assert shown.under == "new", "what one went to is gone: Enter must not sit down at a stranger’s table"
    shown.key("up")
    assert shown.under == row_of(TABLES[0])
    shown.key("up")
    assert shown.under == "name"
    shown.send(Hear(TablesSeen(TABLES)))
    assert shown.under == "name"


def test_a_table_that_appears_is_chosen_unless_the_person_went_elsewhere() -> None:
    shown = lobby()
    shown.send(Hear(TablesSeen(TABLES)))
    assert shown.under == row_of(TABLES[0])


def test_open_tables_of_those_one_has_played_with_come_first() -> None:
    attic = replace(TABLES[0], id="x", title="Attic", keys=("aa",))
    cellar = replace(TABLES[0], id="y", title="Cellar", keys=("bb",))
    shown = lobby(attic, cellar, TABLES[1], friends=frozenset({"bb"}))
    assert [row.cells[0] for row in shown.model.view().rows] == ["Cellar", "Attic", "Balcony"]


def test_rows_tell_host_state_and_who_sits_there() -> None:
    text = text_of(lobby(*TABLES))
    for words in ("seats free", "playing 240:185", "paused · Lukas away", "Mia (host)  Jonas  Priya"):
        assert words in text
    assert any(
        line.split()[0] == "Balcony" and line.endswith("Jonas") for line in text.splitlines() if "Balcony" in line
    )


def test_what_may_be_wrong_is_said_after_four_seconds() -> None:
    clock = Clock()
    shown = on_screen(LobbyModel(TerminalSettings(), clock, "Hanako"), clock)
    clock.passes(3.5)
    assert "Same Wi-Fi?" not in text_of(shown)
    clock.passes(1)
    assert "Same Wi-Fi?" in text_of(shown)


# --- options in words ---


@pytest.mark.parametrize("name", sorted(BUILT_IN))
@pytest.mark.parametrize("lang", languages())
def test_no_option_is_in_programmers_words(name: str, lang: str) -> None:
    words = load_translator(lang)
    kind = game_class(name)
    usual = {key: option.default for key, option in kind.OPTIONS.items()}
    for key, option in kind.OPTIONS.items():
        texts = [option_label(words, key, option), option_about(words, option)]
        values = [*option.values, *([option.low, option.high] if option.low is not None else []), None]
        texts += [option_words(words, option, value, usual) for value in values if value is not None or option.none]
        for text in texts:
            assert text
            assert not any(
                sign in text for sign in ("null", "false", "true", "seats 0", "席0", "_", "-met", "-standing")
            )
        assert option_label(words, key, option) != key
        told = {option_words(words, option, value, usual) for value in option.values}
        assert len(told) == len(option.values)


@pytest.mark.sample
@pytest.mark.parametrize("name", sorted(BUILT_IN))
@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("practice", [pytest.param(True, marks=pytest.mark.soak), False])
def test_nothing_on_the_sheet_is_cut(name: str, lang: str, practice: bool) -> None:
    sizes = SIZES if name == "tichu" else SIZES[:2]  # where there is room for the widest sheet, there is for the others
    for columns, rows in SIZES[:1] if practice else sizes:  # one sheet lacks rows of the other
        model = OpeningModel(TerminalSettings(lang=lang), practice, "Kitchen", (name,))
        shown = on_screen(model)
        for _row in model.names:
            assert "…" not in text_of(shown, columns, rows)
            assert prompt_of(shown)
            shown.key("right") if shown.under not in ("open", "title") else None
            shown.effects.clear()
            assert "…" not in text_of(shown, columns, rows)
            shown.key("down")


@pytest.mark.sample
@pytest.mark.parametrize("lang", languages())
def test_no_setting_is_cut(lang: str) -> None:
    for columns, rows in SIZES:
        for theme in ("felt", "contrast", "two-colour"):
            for hints in ("off", "legal", "suggest"):
                shown = SCREENS["settings"](TerminalSettings(lang=lang, theme=theme, hints=hints, mouse=False))
                for _down in range(9):
                    assert "…" not in text_of(shown, columns, rows)
                    shown.key("down")


# --- the waiting room ---


@pytest.mark.parametrize("lang", languages())
def test_all_seats_of_a_large_room_are_seen_with_what_friends_need(lang: str) -> None:
    for columns, rows in SIZES:
        guests = tuple(guest(bytes([seat]), f"Guest {seat}") for seat in range(9))
        shown = room(lang, guest(b"mia", "Mia"), *guests, game="crazy-eights")
        text = text_of(shown, columns, rows)
        if rows >= 24:
            assert all(f"Guest {seat}" in text for seat in range(9))
        else:
            assert "↓" in text, "that there are more is seen"
            shown.key("end")
            assert "Guest 8" in text_of(shown, columns, rows)
        assert "192.0.2.7:4711" in text


@pytest.mark.parametrize("lang", languages())
def test_no_fact_breaks_off_in_its_middle(lang: str) -> None:
    shown = room(lang, guest(b"mia", "Mia"), guest(b"jo", "Jonas"), None, None)
    for columns, rows in ((58, 18), (58, 20), (60, 20), (80, 24)):
        facts = ["".join(text for text, _ink in line) for line in shown.model.view().facts]
        # Where a line is broken a blank falls away, in Japanese nothing.
        seen = text_of(shown, columns, rows).replace("\n", "").replace(" ", "")
        for fact in facts:
            start = fact[:12].replace(" ", "")
            assert start not in seen or fact.replace(" ", "") in seen, (columns, rows, fact)


@pytest.mark.parametrize(("me", "is_host"), [(b"mia", True), (b"jo", False)])
def test_a_host_who_waits_for_players_is_told_of_bots(me: bytes, is_host: bool) -> None:
    shown = room("en", guest(b"mia", "Mia", ready=True), guest(b"jo", "Jonas", ready=True), None, me=me)
    assert "Ready · 2 more players are needed" in prompt_of(shown)
    assert ("B: add a bot" in prompt_of(shown)) == is_host


def test_only_the_host_seats_bots_and_others_are_told() -> None:
    shown = room("en", guest(b"mia", "Mia"), guest(b"jo", "Jonas"), None, None, me=b"jo")
    shown.key("b")
    assert "Only Mia, who hosts this room, can do that." in prompt_of(shown)
    assert not shown.effects


@pytest.mark.parametrize(
    ("game", "keys", "level"),
    [("tichu", (), "normal"), ("tichu", ("down",), "strong"), ("crazy-eights", ("up",), "easy")],
)
def test_the_host_chooses_how_well_a_bot_plays(game: str, keys: tuple[str, ...], level: str) -> None:
    shown = room("en", guest(b"mia", "Mia"), None, None, None, game=game)
    shown.key("b")
    assert "How well should the bot play?" in text_of(shown)
    assert ("Strong" in text_of(shown)) == ("strong" in game_class(game).levels)
    for pressed in (*keys, "enter"):
        shown.key(pressed)
    assert list(shown.effects) == [Do("bot", level)]


def test_a_host_who_takes_back_the_question_adds_no_bot() -> None:
    shown = room("en", guest(b"mia", "Mia"), None, None, None)
    shown.key("b")
    shown.key("escape")
    assert not shown.effects


def ready(key: bytes, name: str) -> Guest:
    return guest(key, name, ready=True)


def test_the_host_starts_with_those_who_are_ready() -> None:
    shown = room("en", guest(b"mia", "Mia"), ready(b"jo", "Jonas"), guest(b"sam", "Sam"), None, game="mau-mau")
    assert "Start with 2" in text_of(shown)
    shown.key("s")
    assert list(shown.effects) == [Do("start")]


def test_a_start_that_cannot_be_says_why() -> None:
    shown = room("en", guest(b"mia", "Mia"), ready(b"jo", "Jonas"), ready(b"sam", "Sam"), None)
    assert "Start with" not in text_of(shown)
    shown.key("s")
    assert "4 players are ready" in prompt_of(shown)
    assert not shown.effects


def test_the_last_one_who_is_not_ready_hears_that_it_starts_the_match() -> None:
    shown = room("en", guest(b"mia", "Mia"), ready(b"jo", "Jonas"), ready(b"sam", "Sam"), None, game="mau-mau")
    assert prompt_of(shown) == "Everyone else is ready · Enter: start with 3"


def test_leaving_a_room_with_friends_asks_and_esc_stays() -> None:
    shown = room("en", guest(b"mia", "Mia"), guest(b"jo", "Jonas"), None)
    shown.key("escape")
    assert "Leave: Jonas hosts the room from then on" in text_of(shown)
    shown.key("escape")
    assert shown.overlay is None and not shown.effects
    for downs, effect in ((0, Do("back")), (1, Do("close-room"))):
        shown.key("escape")
        shown.key("home")
        for _down in range(downs):
            shown.key("down")
        shown.key("enter")
        assert shown.effects.pop() == effect


def test_leaving_a_room_of_bots_asks_nothing() -> None:
    shown = room("en", guest(b"mia", "Mia"), guest(b"ada", "Bot Ada", True), None)
    shown.key("escape")
    assert list(shown.effects) == [Do("back")]


def test_a_guest_is_asked_though_only_bots_are_here() -> None:
    """Somebody's computer may play by itself for the whole evening: a seat there is not given up by one swipe on a phone."""
    shown = room("en", guest(b"mia", "Mia", True), guest(b"jo", "Jonas"), None, me=b"jo")
    shown.key("escape")
    assert "Leave the room?" in text_of(shown) and not shown.effects


def test_the_host_hands_the_room_over() -> None:
    shown = room("en", guest(b"mia", "Mia"), guest(b"jo", "Jonas"), guest(b"ada", "Bot Ada", True), None)
    shown.key("m")
    assert "Bot Ada" not in text_of(shown), "bots host nothing"
    shown.key("enter")
    assert list(shown.effects) == [Do("hand-over", b"jo")]


def test_the_host_changes_the_game_and_others_hear_who_can() -> None:
    shown = room("en", guest(b"mia", "Mia"), guest(b"jo", "Jonas"), None, None)
    shown.key("o")
    assert "Play to" in text_of(shown)
    shown.key("enter")
    (effect,) = shown.effects
    assert isinstance(effect, Do) and effect.name == "choose"
    assert (effect.about.game, effect.about.options, effect.about.time_s) == ("tichu", {"target": 500}, 30)
    guests = room("en", guest(b"mia", "Mia"), guest(b"jo", "Jonas"), None, None, me=b"jo")
    guests.key("o")
    assert prompt_of(guests) == "Only Mia, who hosts this room, can change the game."


def test_who_arrives_during_a_match_watches_it_with_enter() -> None:
    players = (guest(b"mia", "Mia", playing=True), guest(b"jo", "Jonas", playing=True))
    shown = room("en", *players, guest(b"sam", "Sam"), None, me=b"sam", game="mau-mau")
    assert prompt_of(shown) == "A match is being played: you’ll play in the next one · Enter: watch"
    assert text_of(shown).count("playing") == 2
    shown.key("enter")
    assert list(shown.effects) == [Do("watch")]


def test_a_new_host_is_told_and_so_are_the_others() -> None:
    members = (guest(b"mia", "Mia"), guest(b"jo", "Jonas"), guest(b"sam", "Sam"))
    for me, told in ((b"jo", "You host this room now."), (b"sam", "Jonas hosts this room now.")):
        shown = room("en", *members, me=me)
        shown.send(Hear(RoomChanged(parlour(members[1:], host=b"jo"))))
        assert told in text_of(shown) and "Mia left." in text_of(shown)


def test_the_lobby_says_how_to_leave_and_escape_does_not() -> None:
    for tables in ((), TABLES):
        shown = lobby(*tables)
        assert "Ctrl-Q  quit" in text_of(shown).splitlines()[-1]
        shown.key("escape")
        assert "To quit Fairdeal, press Ctrl-Q" in prompt_of(shown)
        assert not shown.effects
        shown.key("c-q")
        assert list(shown.effects) == [Do("quit")]


def test_the_games_are_listed_to_choose_from() -> None:
    model = OpeningModel(TerminalSettings(), True, "")
    shown = on_screen(model)
    shown.key("down")
    assert enter_cap(shown) == "all games"
    shown.key("enter")
    assert "Which game?" in text_of(shown)
    shown.key("t")
    shown.key("t")
    shown.key("enter")
    assert shown.overlay is None
    assert not shown.effects, "the list's answer is no one else's"
    assert model.game in ("tichu", "two-four-jack")
    chosen = model.game
    shown.key("enter")
    shown.key("home")
    shown.key("escape")
    assert model.game == chosen
    shown.key("left")
    assert model.game != chosen


def test_a_row_that_cannot_be_changed_says_so() -> None:
    shown = on_screen(OpeningModel(TerminalSettings(), True, "", ("tichu",)))
    shown.went_to = "seats"
    for key in ("left", "right", "enter"):
        shown.key(key)
        assert prompt_of(shown) == "This game always has 4 players."
