"""The full-screen client as people start it: several programs in tmux, played by what their screens show."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.windows import PROGRAM, TMUX, TOY_PROGRAM, Desk, Window, play_on

pytestmark = [
    pytest.mark.slow,
    pytest.mark.sockets,
    pytest.mark.skipif(TMUX is None, reason="tmux is not installed"),
    pytest.mark.skipif(not Path(PROGRAM).exists(), reason="the program is not installed beside this Python"),
]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    found = Desk(tmp_path)
    yield found
    subprocess.run([str(TMUX), "-L", found.socket, "kill-server"], capture_output=True, check=False)


def test_the_lobby_opens_and_leaves_the_terminal_as_it_was(desk: Desk) -> None:
    window = desk.open("mia", "; echo left with $?")
    window.shows("Tables on this network")
    window.press("F2")
    window.shows("Language")
    window.press("Right")
    window.shows("Sprache|言語")
    window.press("Left", "Escape")
    window.shows("Tables on this network")
    window.press("C-q")
    screen = window.shows("left with 0")
    assert "Tables on this network" not in screen


RESULT = "WON|DRAW"
"""What the score sheet says in the end. A round may end equal: a nine in hand counts nothing in Mau-Mau."""


@pytest.mark.parametrize("game", ["crazy-eights", pytest.param("tichu", marks=pytest.mark.soak)])
def test_practice_against_bots_to_the_end(desk: Desk, game: str) -> None:
    of_game = "" if game == "tichu" else "--option target=0 --option hand=3"
    window = desk.open_hasty("mia", f"play {game} --rounds 1 {of_game} ; echo left with $?")
    window.shows("fair deal")
    play_on([window], lambda: "Match over" in window.screen)
    # A picture may be taken of a half drawn screen.
    screen = window.shows("every move was rechecked: nobody cheated")
    assert re.search(RESULT, screen)
    window.press("v")
    window.shows(r"\(proof valid\)")
    window.press("Escape")
    window.press("Escape")
    window.shows("Tables on this network")
    window.shows("Match saved. Press R to replay it")
    window.press("C-q")
    window.shows("left with 0")


def test_two_clients_resize_lose_each_other_and_finish(desk: Desk) -> None:
    host = desk.open(
        "mia", "host mau-mau --seats 2 --table Kitchen --rounds 1 --option hand=3 --name Mia", program=TOY_PROGRAM
    )
    port = re.search(r"fairdeal join \S*?:(\d+)", host.shows(r"fairdeal join|Friends"))
    address = f"127.0.0.1:{port[1]}" if port else "127.0.0.1:4711"
    guest = desk.open("jonas", f"join {address} --name Jonas", program=TOY_PROGRAM)
    host.shows("Jonas")
    guest.sits()
    guest.press("/")
    guest.shows("Say:")
    guest.press("hello Mia", "Enter")
    host.shows("Jonas: hello Mia")
    for window in (host, guest):
        window.gets_ready()
    for window in (host, guest):
        window.shows("fair deal")
    for columns, rows, seen in ((60, 20, "Mau-Mau"), (40, 12, "Small window"), (80, 24, "Mau-Mau")):
        host.resize(columns, rows)
        host.shows(seen)
    os.kill(guest.program(), signal.SIGKILL)
    host.shows("Jonas is away|Paused")
    guest.press("reset", "Enter")
    guest.press(TOY_PROGRAM, "Enter")
    guest.shows("Rejoin your match")
    guest.press("u")
    host.shows("Jonas is back")
    guest.shows("Your hand")
    play_on([host, guest], lambda: all(re.search(RESULT, window.screen) for window in (host, guest)))
    assert re.search(RESULT, host.screen)
    assert re.search(RESULT, guest.screen)


def test_a_table_in_another_window_is_found_and_taken_with_enter(desk: Desk) -> None:
    """The second client of one person: it takes a guest profile and says so."""
    host = desk.open("mia", "host crazy-eights --seats 2 --table Kitchen --rounds 1 --option hand=2 --name Mia")
    host.shows("Room")
    guest = desk.open("second", "", home="mia")
    guest.shows(r"▶ Kitchen +Crazy Eights +1/2")
    guest.press("Enter")
    assert "you play here as guest 1" in guest.shows("Room")
    host.shows("all seats taken")
    for window in (host, guest):
        window.gets_ready()
    for window in (host, guest):
        window.shows("fair deal")
    play_on([host, guest], lambda: all(re.search(RESULT, window.screen) for window in (host, guest)))
    assert all(re.search(RESULT, window.screen) for window in (host, guest))


def test_after_a_match_all_are_back_in_the_room_and_a_guest_may_be_first(desk: Desk) -> None:
    """Guests that pressed Enter before the host had their programs end; who came late found no way in."""
    host = desk.open(
        "mia", "host crazy-eights --table Kitchen --rounds 1 --option hand=2 --name Mia --seats 4", program=TOY_PROGRAM
    )
    port = re.search(r"fairdeal join \S*?:(\d+)", host.shows(r"fairdeal join"))
    assert port is not None
    guests = [
        desk.open(name, f"join 127.0.0.1:{port[1]} --name {name}", program=TOY_PROGRAM) for name in ("jonas", "priya")
    ]
    for guest in guests:
        guest.shows("Enter: I’m ready")
        guest.press("Enter")
        guest.shows("Ready ·")
    host.shows("Everyone else is ready")
    host.press("Enter")
    three = [host, *guests]
    for window in three:
        window.shows(r"Your hand · 2")
    late = desk.open("lena", f"join 127.0.0.1:{port[1]} --name lena", program=TOY_PROGRAM)
    late.shows("you’ll play in the next one")
    late.press("Enter")
    late.shows("You are watching")
    play_on(three, lambda: all("Match over" in window.screen for window in three))
    guests[0].press("Enter")
    guests[0].shows("Ready · waiting for Mia")
    host.shows("jonas is ready")
    guests[1].press("Enter")
    late.shows("Match over · Enter: again")
    late.press("v")  # Enter does nothing on a sheet that has come this moment; whoever has read something means it
    late.shows("Esc  back")
    late.press("Escape")
    late.shows("Match over · Enter: again")
    late.press("Enter")
    late.shows("Ready")
    host.shows("lena (and|are)|lena, ")
    host.press("Enter")
    for window in (*three, late):
        window.shows(r"Your hand · 2")


def test_whoever_quits_a_match_for_good_stays_in_the_room_and_plays_in_the_next(desk: Desk) -> None:
    host = desk.open_hasty(
        "mia", "host crazy-eights --table Kitchen --rounds 1 --option hand=2 --name Mia --recovery off --seats 4"
    )
    port = re.search(r"fairdeal join \S*?:(\d+)", host.shows(r"fairdeal join"))
    assert port is not None
    guests = [desk.open_hasty(name, f"join 127.0.0.1:{port[1]} --name {name}") for name in ("jonas", "priya")]
    for guest in guests:
        guest.gets_ready()
    host.shows("Everyone else is ready")
    host.press("Enter")
    quitter, other = guests
    for window in (host, *guests):
        window.shows(r"Your hand · 2")
    quitter.press("C-q")
    quitter.shows("Quit for good")
    quitter.press("g", "Enter")
    quitter.shows("A match is being played")
    quitter.shows("You quit for good")
    play_on([host, other], lambda: all("Match over" in window.screen for window in (host, other)))
    quitter.shows("I’m ready|Everyone else is ready")
    for window in (quitter, host, other):
        window.press("Enter")
    for window in (host, *guests):
        window.shows(r"Your hand · 2")


@pytest.mark.soak
def test_eight_clients_play_and_one_is_killed_and_comes_back(desk: Desk) -> None:
    names = ["mia", "jonas", "priya", "sam", "lukas", "hanako", "yui", "ren"]
    first = desk.open(names[0], "host mau-mau --seats 8 --table Attic --rounds 1 --option hand=2 --name mia")
    port = re.search(r":(\d{4,5})", first.shows(r"fairdeal join \S*:\d|4711"))
    address = f"127.0.0.1:{port[1] if port else 4711}"
    windows: list[Window] = [first]
    for number, name in enumerate(names[1:]):
        windows.append(desk.open(name, f"join {'Attic' if number % 2 else address} --name {name}"))
        windows[-1].sits()
    first.shows("all seats taken")
    for window in windows:
        window.gets_ready()
    for window in windows:
        window.shows("fair deal")
    victim = windows[5]
    os.kill(victim.program(), signal.SIGKILL)
    first.shows("hanako is away|Paused|away")
    victim.press("reset", "Enter")
    victim.press(f"{PROGRAM}", "Enter")
    victim.shows("Rejoin your match")
    victim.press("u")
    victim.shows("Your hand")
    play_on(windows, lambda: all(re.search(RESULT, window.screen) for window in windows), within_s=400)
    assert len({re.search(rf"(\S+) .*({RESULT})", window.screen)[1].removesuffix("(you)") for window in windows}) == 1  # type: ignore[index]
