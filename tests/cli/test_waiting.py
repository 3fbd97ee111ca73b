"""The waiting room for who hears lines and types them: every deed of its screen, and real programs that talk through it."""

from __future__ import annotations

import contextlib
import os
import queue
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from cli.news import Do, Say
from cli.plain.lines_in import LineQueue
from cli.plain.room import BACK, RoomTalk
from cli.plain.waiting import RoomWindow
from cli.text import Translator, languages, load_translator
from cli.view.in_room import InRoom
from cli.view.phones import trust_told
from cli.view.room_prompt import room_prompt
from protocol.room.values import NOBODY, Guest, Room
from protocol.table.roster import TableOptions
from protocol.values import replace
from tests.cli.test_pipes import TOY_RUN, fairdeal
from tests.e2e.clients import free_port, wait_for_port

ME, ROSA, ADA = b"m" * 32, b"r" * 32, b"a" * 32
WAIT_S = 240.0


def sitter(key: bytes, name: str, ready: bool = True, bot: bool = False) -> Guest:
    return Guest(key, name, ROSA if bot else key, bot, b"n" * 32, ready)


def room(*seats: Guest | None, host: bytes = ROSA, **options: object) -> Room:
    members = tuple(guest for guest in seats if guest is not None)
    seating = tuple(NOBODY if guest is None else guest.key for guest in seats)
    return Room(b"i" * 16, host, "Kitchen", "mau-mau", 1, options, TableOptions(), members, seating)


def talk(lang: str = "en", is_host: bool = False, coming: int = 0) -> RoomTalk:
    return RoomTalk(
        load_translator(lang), ME, "Sam", is_host, rules=lambda _r, asked: [asked], bots_coming=lambda _r: coming
    )


FULL = (sitter(ROSA, "Rosa"), sitter(ME, "Sam"), sitter(ADA, "Bot Ada", bot=True))


def seated(*seats: Guest | None, lang: str = "en", is_host: bool = False, coming: int = 0) -> RoomTalk:
    found = talk(lang, is_host, coming)
    found.changed(room(*(seats or (FULL[0], FULL[1], None)), host=ME if is_host else ROSA))
    return found


def test_free_seats_beside_each_other_are_told_together() -> None:
    told = " ".join(talk().changed(room(FULL[0], None, FULL[1], None, None, None)))
    assert "Seat 1: Rosa, host, ready. Seat 2: free. Seat 3: Sam, you, ready. Seats 4 to 6: free." in told


def test_who_sits_down_hears_where_as_whom_and_that_they_are_ready() -> None:
    told = " ".join(talk().changed(room(FULL[0], replace(FULL[1], ready=False), None, sevens=True)))
    assert "You joined the table “Kitchen”: Mau-Mau, 3 seats." in told
    assert "Seven: next player draws 2" in told
    assert "Your name here is Sam." in told
    assert "Seat 1: Rosa, host, ready. Seat 2: Sam, you, ready. Seat 3: free." in told
    assert "You’re ready." in told and "type not ready" in told
    assert "Type help to see what you can do." in told
    assert told.endswith("One seat is free.")


def test_who_comes_during_a_match_hears_that_it_can_be_watched() -> None:
    playing = replace(FULL[0], playing=True)
    told = " ".join(talk().changed(room(playing, FULL[1], None)))
    assert "A match is being played. Type watch to watch it." in told
    assert "The match starts when" not in told


def test_what_others_do_is_told() -> None:
    here = seated()
    assert here.changed(room(*FULL)) == ["Bot Ada joined.", "All seats are taken."]
    assert here.changed(room(replace(FULL[0], ready=False), *FULL[1:])) == ["Rosa is no longer ready."]
    assert here.changed(room(*FULL)) == ["Rosa is ready."]
    assert here.changed(room(None, *FULL[1:])) == ["Rosa left.", "One seat is free."]
    assert here.heard(ADA, "hi Sam") == ["Bot Ada: hi Sam"]
    assert here.heard(ME, "mine") == []


def test_the_first_phone_of_a_computer_makes_known_whom_it_trusts() -> None:
    here, lena = seated(), Guest(b"l" * 32, "Lena", ROSA, False, b"n" * 32, True, phone=True)
    trust = trust_told(load_translator("en"), "Rosa")
    assert trust in here.changed(room(FULL[0], FULL[1], lena))
    assert trust not in here.changed(room(FULL[0], FULL[1], replace(lena, ready=False)))
    assert trust in " ".join(here.answer("who")[0])


def test_that_all_sign_is_told_once() -> None:
    here = seated(*FULL)
    told = here.changed(replace(room(*FULL), sealing=True))
    assert told == ["Everyone is ready. Signing, then shuffling the cards…"]
    assert here.changed(replace(room(*FULL), sealing=True)) == []


@pytest.mark.parametrize(
    ("line", "deed"),
    [
        ("say hi there", Say("hi there")),
        ("/hi", Say("hi")),
        (":gg", Say(":gg")),
        ("not ready", Do("ready", False)),
        ("unready", Do("ready", False)),
        ("seat 3", Do("move", 2)),
        ("quit", BACK),
        ("QUIT", BACK),
    ],
)
def test_a_guests_deeds(line: str, deed: Do | Say) -> None:
    assert seated().answer(line)[1] == deed


@pytest.mark.parametrize(
    ("line", "deed"),
    [
        ("bot", Do("bot")),
        ("bot easy", Do("bot", "easy")),
        ("bot normal", Do("bot", "normal")),
        ("remove rosa", Do("refuse", ROSA)),
        ("kick 1", Do("refuse", ROSA)),
    ],
)
def test_only_the_host_seats_bots_and_sends_away(line: str, deed: Do) -> None:
    assert seated(is_host=True).answer(line)[1] == deed
    told, none = seated().answer(line)
    assert none is None and told == ["Only Rosa, who hosts this room, can do that."]


@pytest.mark.parametrize(
    ("line", "deed"),
    [
        ("phones", Do("phones")),
        ("phones next", Do("phones-next")),
        ("phones stop", Do("phones-stop")),
        ("phone hotspot", Do("phones-hotspot")),
    ],
)
@pytest.mark.parametrize("is_host", [False, True])
def test_everybody_may_let_phones_in(line: str, deed: Do, is_host: bool) -> None:
    assert seated(is_host=is_host).answer(line)[1] == deed


def test_who_is_not_ready_becomes_ready_by_typing() -> None:
    here = seated()
    waits = room(FULL[0], replace(FULL[1], ready=False), None)
    here.changed(room(FULL[0], FULL[1], None))
    assert here.changed(waits) == ["You’re not ready yet. Type ready when you are."]
    assert here.answer("ready")[1] == Do("ready", True)
    assert here.changed(room(FULL[0], FULL[1], None)) == ["You’re ready."]


@pytest.mark.parametrize("line", ["", "banana", "8s", "ready"])
def test_every_other_line_is_answered_with_what_is_awaited(line: str) -> None:
    told, deed = seated().answer(line)
    assert deed is None
    assert told[-1].endswith("You’re ready. Waiting for Rosa.")


def test_a_host_that_is_ready_at_once_is_told_to_start_as_soon_as_everyone_is_ready() -> None:
    """The match does not begin by itself then: somebody else may be on their way."""
    here = talk(is_host=True)
    greeting = here.changed(room(FULL[1], None, None, host=ME))
    assert "You’re ready. When everyone is here and ready, type start." in greeting
    here.changed(room(FULL[1], replace(FULL[0], ready=False), None, host=ME))
    told = here.changed(room(FULL[1], FULL[0], None, host=ME))
    assert told == ["Rosa is ready.", "You’re ready. Type start to start now."]


def test_who_waits_for_the_host_alone_is_told_so() -> None:
    standing = InRoom(room(FULL[0], FULL[1], None), ME)
    assert room_prompt(Translator(), standing) == "Ready · waiting for Rosa"


@pytest.mark.parametrize("plays", [True, False])
def test_of_a_match_that_was_never_sealed_nobody_says_that_it_is_over(plays: bool) -> None:
    """Who would have played is told why it could not begin."""
    here = seated(FULL[0], replace(FULL[1], plays=plays), None)
    waits = room(FULL[0], replace(FULL[1], plays=plays), None)
    seats = [replace(FULL[0], playing=True), replace(FULL[1], plays=plays, playing=plays), None]
    here.changed(replace(room(*seats), sealing=True, match=b"x" * 32))
    told = " ".join(here.changed(waits))
    assert "The match is over." not in told
    assert ("The match could not begin." in told) == (not plays)


def test_only_as_many_are_awaited_as_the_game_needs() -> None:
    """A chair that may stay empty is waited for by nobody."""
    told, _deed = seated(FULL[1], *[None] * 9, is_host=True).answer("")
    assert told[-1].endswith("You’re ready. Waiting for one more player.")


@pytest.mark.parametrize("line", ["seat", "seat 9", "seat 1", "seat two"])
def test_a_seat_that_cannot_be_taken_is_refused_with_why(line: str) -> None:
    told, deed = seated().answer(line)
    assert deed is None and ("taken by Rosa" in told[0] or "1 to 3" in told[0])


def test_help_tells_each_what_they_can_do() -> None:
    guest, host = ("\n".join(seated(is_host=is_host).help()) for is_host in (False, True))
    for line in ("who:", "rules:", "say TEXT:", "ready:", "not ready:", "seat", "help:", "quit:"):
        assert f"  {line}" in guest
    assert "bot:" in host and "remove" in host
    assert "bot:" not in guest and "remove" not in guest


@pytest.mark.parametrize("lang", languages())
def test_what_is_said_to_be_typed_is_understood(lang: str) -> None:
    """The word before each colon of the help, in every language."""
    here = seated(lang=lang, is_host=True)
    for line in here.help()[1:-2]:
        for typed in re.split(r"[(:)]", line.strip().split(":")[0].removesuffix("と番号").removesuffix("と名前")):
            whole = typed if len(typed.split()) == 2 and here.knows(typed) else (typed.split() or ["help"])[0]
            assert here.knows(whole), line


def test_rules_are_asked_for_in_parts() -> None:
    assert seated().answer("rules 3")[0] == ["3"]


def test_whether_anybody_is_awaited() -> None:
    """Where none is, a script's lines are the table's."""
    assert seated().is_waiting()
    assert not seated(coming=1).is_waiting()
    assert not seated(*FULL).is_waiting()
    assert seated(replace(FULL[0], ready=False), *FULL[1:]).is_waiting()
    assert not talk().is_waiting()


# --- real programs ---


class Program:
    """A client in plain mode with its pipes open."""

    def __init__(self, home: Path, *words: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", TOY_RUN, "--home", str(home), "--plain", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            env={**os.environ, "PYTHONIOENCODING": "utf-8", "LANG": "C"},
        )
        self.heard: list[str] = []
        self._lines: queue.Queue[str] = queue.Queue()
        self._reader = threading.Thread(target=self._pump, daemon=True)
        self._reader.start()

    def end(self) -> None:
        """Kill it. Its pipe is closed when the thread that reads it has come to its end: not under its hands."""
        self.process.kill()
        self._reader.join()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            with contextlib.suppress(BrokenPipeError):
                pipe.close()
        self.process.wait()

    def _pump(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)

    def types(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def says(self, text: str) -> None:
        """Until a line holds this that was not asked for before."""
        deadline = time.monotonic() + WAIT_S
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"{text!r} was not said:\n{''.join(self.heard)}") from None
            self.heard.append(line)
            if text in line:
                return


@contextmanager
def programs() -> Iterator[list[Program]]:
    found: list[Program] = []
    try:
        yield found
    finally:
        for each in found:
            each.end()


@pytest.mark.slow
@pytest.mark.sockets
def test_two_who_hear_lines_meet_in_a_waiting_room(tmp_path: Path) -> None:
    port = free_port()
    with programs() as running:
        host = Program(
            tmp_path / "h",
            "host",
            "mau-mau",
            "--seats",
            "3",
            "--name",
            "Rosa",
            "--port",
            str(port),
            "--option",
            "draw=one",
        )
        running.append(host)
        wait_for_port(port)
        guest = Program(tmp_path / "g", "join", f"127.0.0.1:{port}", "--name", "Sam")
        running.append(guest)
        guest.says("You joined the table")
        guest.says("Your name here is Sam.")
        host.says("Sam joined.")
        guest.types("not ready")
        guest.says("You’re not ready yet")
        host.says("Sam is no longer ready.")
        host.types("say hi Sam")
        guest.says("Rosa: hi Sam")
        guest.types("say hi Rosa")
        host.says("Sam: hi Rosa")
        host.types("bot")
        guest.says("Bot Ada joined.")
        # A move is the table's: it waits, and so does all behind it.
        guest.types("ready")
        guest.types("hand")
        for move in ("draw", "pass"):
            host.types(move)
        guest.says("You’re ready.")
        guest.says("Read them out once.")
        for _turn_and_answer in range(2):
            guest.says("Your hand:")
        assert sum("Read them out" in line for line in guest.heard) == 1


@pytest.mark.slow
@pytest.mark.sockets
def test_a_waiting_room_is_left_by_typing(tmp_path: Path) -> None:
    done = fairdeal(tmp_path, "host", "mau-mau", "--seats", "2", "--port", str(free_port()), typed="who\nquit\n")
    assert done.returncode == 0, done.stderr
    assert "Seat 2: free." in done.stdout
    assert done.stdout.rstrip().endswith("You left the room.")


@pytest.mark.slow
@pytest.mark.sockets
def test_a_script_for_the_table_is_not_read_in_the_waiting_room(tmp_path: Path) -> None:
    """With bots alone nobody is awaited: even what a waiting room would know belongs to the table."""
    script = "who\ndraw\nquit\nyes\n"
    words = ("host", "crazy-eights", "--seats", "3", "--bots", "2", "--port", str(free_port()))
    done = fairdeal(tmp_path, *words, typed=script, run=TOY_RUN)
    assert done.returncode == 0, done.stderr
    assert "left in the stock" in done.stdout
    assert "You drew " in done.stdout
    assert done.stdout.rstrip().endswith("You stepped away. Your seat is kept.")


def test_who_becomes_the_host_hears_what_friends_type_in_lines_of_its_own() -> None:
    told: list[str] = []
    node = SimpleNamespace(
        identity=SimpleNamespace(public=ME),
        settings=SimpleNamespace(name="Sam", auto_ready=True),
        waiting_room=SimpleNamespace(room=None),
    )
    session = SimpleNamespace(
        node=node,
        request=SimpleNamespace(command="join"),
        bots=SimpleNamespace(coming=lambda _room: 0),
        seat=SimpleNamespace(evening=None),
        addresses=("192.0.2.7:4711",),
    )
    voice = SimpleNamespace(tell=told.append, prompt=lambda: None)
    words = load_translator("en")
    context = SimpleNamespace(words=words, environ={}, terminal=SimpleNamespace(is_screen=False, ascii_only=False))
    waiting = RoomWindow(session, context, LineQueue(None), voice)  # type: ignore[arg-type]
    waiting._changed(room(*FULL))
    del told[:]
    waiting._changed(room(None, *FULL[1:], host=ME))
    assert told[0].startswith("Rosa left. You host this room now.")
    assert told[1] == "Friends can join with: fairdeal join 192.0.2.7:4711"
