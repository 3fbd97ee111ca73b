"""The application itself: keys and mouse through a pipe, its output through a terminal emulator."""

from __future__ import annotations

import asyncio
import io
import os
import re
import signal
import time
from collections.abc import Awaitable, Callable
from typing import Any

import pyte
import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import DummyInput, PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput
from prompt_toolkit.output.vt100 import Vt100_Output

from cli import news
from cli.clean import clean_name, width
from cli.console import SIXTEEN, TRUE
from cli.faults import ToldToEnd
from cli.flow.seat import SeatSession
from cli.terminal.app import HELD_S, TerminalApp
from cli.terminal.canvas import Canvas
from cli.terminal.settings import TerminalSettings
from cli.terminal.table import TableScreen
from cli.view.effects import AskText
from protocol.games import LocalTable
from tests.cli.practice import PracticeTable
from tests.cli.screen.stage import NAMES
from tests.cli.tables import scripted

MOST_DRAWINGS = 5
"""So many times the cost of drawing everything a key may take until its answer is on, beside the poll of the test itself."""
POLL_S = 0.005


class Terminal(io.StringIO):
    """What the application writes goes into an emulator."""

    encoding = "utf-8"

    def __init__(self, columns: int, rows: int) -> None:
        super().__init__()
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.Stream(self.screen)
        self.raw = ""

    def write(self, text: str) -> int:
        self.raw += text
        # The emulator knows no private modes beyond the usual ones; they show nothing.
        self.stream.feed(text)
        return len(text)

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return 1

    @property
    def bells(self) -> int:
        """How often it rang; the end of a window's title is the same sign."""
        return re.sub("\x1b][^\x07]*\x07", "", self.raw).count("\x07")

    @property
    def lines(self) -> list[str]:
        return [line.rstrip() for line in self.screen.display]


class Run:
    """An application in a test: type into it, wait for what it shows."""

    def __init__(self, app: TerminalApp, terminal: Terminal, keys: PipeInput, size: list[int]) -> None:
        self.app, self.terminal, self.keys, self.size = app, terminal, keys, size

    async def shows(self, text: str, within_s: float = 60.0) -> None:
        deadline = time.monotonic() + within_s
        while text not in "\n".join(self.terminal.lines):
            assert time.monotonic() < deadline, f"{text!r} is not on\n" + "\n".join(self.terminal.lines)
            await asyncio.sleep(POLL_S)

    async def becomes(self, is_so: Callable[[], bool], within_s: float = 60.0) -> None:
        deadline = time.monotonic() + within_s
        while not is_so():
            assert time.monotonic() < deadline, "\n".join(self.terminal.lines)
            await asyncio.sleep(POLL_S)

    def types(self, text: str) -> None:
        self.keys.send_text(text)

    def resize(self, columns: int, rows: int) -> None:
        self.size[:] = [columns, rows]
        self.terminal.screen.resize(rows, columns)
        self.app.application._on_resize()


def plays(
    act: Callable[[Run, PracticeTable], Awaitable[None]],
    table: LocalTable | None = None,
    names: tuple[str, ...] = NAMES,
    columns: int = 80,
    rows: int = 24,
    settings: TerminalSettings | None = None,
) -> Terminal:
    """Runs `act` against an application at a table; seat 0 is ours, all seats are people."""
    table = table or scripted("crazy-eights", ["5h 6h 8s", "9c Tc Jc", "2d 3d"], up="9h", stock="2c 3c 4c")
    terminal = Terminal(columns, rows)
    size = [columns, rows]

    async def go() -> None:
        with create_pipe_input() as keys:
            output = Vt100_Output(terminal, lambda: Size(rows=size[1], columns=size[0]), term="xterm-256color")
            app = TerminalApp(settings or TerminalSettings(), TRUE, keys, output)
            practice = PracticeTable(
                table.game, names[: table.game.seats], tuple(range(table.game.seats)), _rng(), table=table
            )
            session = SeatSession(app, practice.people[0])
            run = Run(app, terminal, keys, size)

            async def script() -> None:
                async with practice:
                    sitting, acting = asyncio.ensure_future(session.run()), asyncio.ensure_future(act(run, practice))
                    sitting.add_done_callback(
                        lambda done: acting.cancel() if not done.cancelled() and done.exception() else None
                    )
                    try:
                        await acting
                    finally:
                        sitting.cancel()
                        (left,) = await asyncio.gather(sitting, return_exceptions=True)
                        if isinstance(left, Exception):
                            raise left

            await asyncio.wait_for(app.run(script), 240)

    asyncio.run(go())
    return terminal


def _rng() -> Any:
    from random import Random

    return Random(1)


def same(run: Run) -> None:
    """Every row of the terminal is the canvas's row."""
    wanted = ["".join(row).rstrip() for row in run.app.canvas.glyphs]
    # The emulator keeps an empty cell behind each wide sign, as the canvas does.
    assert [line.replace("\x00", "") for line in run.terminal.lines] == wanted


def test_the_terminal_shows_the_canvas() -> None:
    async def act(run: Run, practice: PracticeTable) -> None:
        await run.shows("YOUR TURN")
        same(run)
        run.types("?")
        await run.shows("move through your hand")
        same(run)

    plays(act)


def test_a_card_is_played_with_keys() -> None:
    async def act(run: Run, practice: PracticeTable) -> None:
        await run.shows("YOUR TURN")
        run.types("6\r")
        await run.becomes(lambda: practice.table.state.pile[-1] == "6h")
        await run.shows("You played 6♥")

    plays(act)


def test_an_enter_that_is_held_down_plays_one_card() -> None:
    async def act(run: Run, practice: PracticeTable) -> None:
        now = [100.0]
        run.app.clock = lambda: now[0]

        async def enter(after_s: float) -> None:
            now[0] += after_s
            run.types("\r")
            await run.becomes(lambda: run.app._last_key == now[0])

        await run.shows("YOUR TURN")
        run.types("6")
        await enter(1.0)
        await run.shows("You played 6♥")
        for _repeat in range(4):
            await enter(0.03)
        await run.becomes(lambda: "You played 6♥" in run.terminal.lines[22])
        assert "It is Jonas’s turn" not in "\n".join(run.terminal.lines)  # what a new Enter is told
        await enter(HELD_S + 0.01)
        await run.shows("It is Jonas’s turn")

    plays(act)


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_who_is_told_to_end_leaves_the_terminal_as_it_was(name: str) -> None:
    terminals: list[Terminal] = []

    async def act(run: Run, practice: PracticeTable) -> None:
        await run.shows("YOUR TURN")
        terminals.append(run.terminal)
        os.kill(os.getpid(), getattr(signal, name))
        await asyncio.sleep(20)

    with pytest.raises(ToldToEnd) as told_so:
        plays(act)
    assert told_so.value.status == 128 + getattr(signal, name)
    left = terminals[0].raw.rpartition("\x1b[?1049l")[2]
    assert "\x1b[?1000l" in left and "\x1b[?2004l" in left and "\x1b[?1049h" not in left


def rows_of(run: Run, rank: str) -> list[int]:
    """Where a card of this rank is seen: below the heading stand nothing but cards."""
    return [y for y, line in enumerate(run.terminal.lines) if y > 16 and rank in line]


def click(run: Run, row: int, text: str) -> None:
    column = run.terminal.lines[row].index(text)
    run.types(f"\x1b[<0;{column + 1};{row + 1}M\x1b[<0;{column + 1};{row + 1}m")


def test_a_card_is_played_with_the_mouse() -> None:
    async def act(run: Run, practice: PracticeTable) -> None:
        await run.shows("YOUR TURN")
        await run.becomes(lambda: bool(rows_of(run, "5")))
        lying = rows_of(run, "5")
        click(run, lying[0], "5")
        await run.becomes(lambda: rows_of(run, "5") not in ([], lying))  # a picked card is lifted by a row
        click(run, rows_of(run, "5")[0], "5")
        await run.becomes(lambda: practice.table.state.pile[-1] == "5h")

    plays(act)


def test_the_key_bar_can_be_clicked() -> None:
    async def act(run: Run, practice: PracticeTable) -> None:
        await run.shows("YOUR TURN")
        column = run.terminal.lines[23].index("draw")
        run.types(f"\x1b[<0;{column + 1};24M\x1b[<0;{column + 1};24m")
        await run.becomes(lambda: len(practice.table.hands[0]) == 4)

    plays(act)


def test_a_click_hits_what_stands_there_behind_wide_letters() -> None:
    """Japanese letters are two cells wide; the terminal tells cells."""

    async def act(run: Run, practice: PracticeTable) -> None:
        await run.shows("D  引く")
        line = run.terminal.lines[23]
        before = line[: line.index("D  引く")]
        assert width(before) > len(before)  # wide letters stand in front of it
        column = width(before)
        run.types(f"\x1b[<0;{column + 1};24M\x1b[<0;{column + 1};24m")
        await run.becomes(lambda: len(practice.table.hands[0]) == 4)

    plays(act, settings=TerminalSettings("ja"))


def test_characters_and_cells_are_told_apart() -> None:
    canvas = Canvas(12, 1)
    canvas.put(0, 0, "a引くb\u0301c", "felt.text")
    # a 引 . く . b c: six cells of letters with a mark on the b, which is a character but no cell.
    for x, index in ((0, 0), (1, 1), (3, 2), (5, 3), (6, 5), (7, 6)):
        assert canvas.index_of(x, 0) == index
        assert canvas.cell_of(index, 0) == x
    assert canvas.cell_of(4, 0) == 5  # the mark belongs to the b
    assert canvas.cell_of(99, 0) == 12


def test_a_key_is_answered_without_waiting_for_anything_but_the_drawing() -> None:
    taken: dict[str, list[float]] = {"\x1b[C": [], " ": [], "x": [], "s": []}
    drawing: list[float] = []

    async def act(run: Run, practice: PracticeTable) -> None:
        await run.shows("YOUR TURN")
        for key in [*taken] * 4:
            start = time.perf_counter()
            run.app.application.renderer.reset()  # so that all is drawn
            run.app.application._redraw()
            drawing.append(time.perf_counter() - start)
            before = run.app.application.render_counter
            start = time.perf_counter()
            run.types(key)
            await run.becomes(lambda before=before: run.app.application.render_counter > before)  # type: ignore[misc]
            taken[key].append(time.perf_counter() - start)

    plays(act)
    for key, times in taken.items():  # the least of each: what else this computer does only adds to it
        assert min(times) < MOST_DRAWINGS * min(drawing) + 2 * POLL_S, (key, times, drawing)


def test_escape_needs_no_second_key() -> None:
    async def act(run: Run, practice: PracticeTable) -> None:
        await run.shows("YOUR TURN")
        run.types("8\r")
        await run.shows("choose a suit")
        run.types("\x1b")
        await run.becomes(lambda: "choose a suit" not in "\n".join(run.terminal.lines))
        assert run.app.application.ttimeoutlen <= 0.1, "so long it may wait for the rest of a sequence, in seconds"

    plays(act)


def test_chat_is_typed_sent_and_shown() -> None:
    async def act(run: Run, practice: PracticeTable) -> None:
        await run.shows("YOUR TURN")
        run.types("/")
        await run.shows("Say:")
        run.types("hello d q\r")
        await run.shows("you: hello d q")
        assert practice.table.state.turn == 0

    plays(act)


def test_while_a_text_is_typed_its_own_keys_stand_below() -> None:
    async def act(run: Run, practice: PracticeTable) -> None:
        await run.shows("YOUR TURN")
        run.types("/")
        await run.shows("Enter  send  Esc  cancel")
        bottom = run.terminal.lines[-1]
        assert "draw" not in bottom
        assert "YOUR TURN" in bottom, "that the turn has come is seen while one types"
        run.types("\x1b")
        await run.shows("D  draw")

    plays(act)


def test_emotes_are_offered_above_the_line_and_need_only_their_beginning() -> None:
    async def act(run: Run, practice: PracticeTable) -> None:
        await run.shows("YOUR TURN")
        run.types("/:wo")
        await run.becomes(lambda: ":wow" in "\n".join(run.terminal.lines[:-2]))
        assert "Enter  send  Esc  cancel" in run.terminal.lines[-1]
        run.types("\r")
        await run.shows("you: wow")

    plays(act)


@pytest.mark.parametrize("typed", [":", ":?"])
def test_who_asks_for_the_emotes_is_shown_them_and_heard_by_nobody(typed: str) -> None:
    async def act(run: Run, practice: PracticeTable) -> None:
        await run.shows("YOUR TURN")
        run.types("/" + typed + "\r")
        await run.shows(":clap")
        await run.shows("Say: :")
        run.types("\x1b")
        await run.becomes(lambda: "Say:" not in "\n".join(run.terminal.lines))
        assert "you: :" not in "\n".join(run.terminal.lines)

    plays(act)


def test_a_name_is_typed_over_the_old_one_and_must_not_be_empty() -> None:
    named: list[str] = []

    def ask(run: Run) -> None:
        assert run.app.presenter is not None
        run.app.presenter.effects.append(AskText("Your name", named.append, "Root", needed="A name is needed"))
        run.app.after()

    async def act(run: Run, practice: PracticeTable) -> None:
        await run.shows("YOUR TURN")
        ask(run)
        await run.shows("Your name: Root")
        run.types("Mira")
        await run.shows("Your name: Mira")
        run.types("\r")
        await run.becomes(lambda: named == ["Mira"])
        ask(run)
        await run.shows("Your name: Root")
        run.types("\x1b[D\x1b[F2")  # an arrow keeps the old one
        await run.shows("Your name: Root2")
        run.types("\x7f" * 5 + "\r")
        await run.shows("A name is needed")
        run.types("d")
        await run.shows("Your name: d")
        run.types("\r")
        await run.becomes(lambda: named == ["Mira", "d"])

    plays(act)


def test_a_card_is_seen_on_its_way_and_arrives(monkeypatch: pytest.MonkeyPatch) -> None:
    for place in ("terminal.app", "terminal.table"):  # slow enough to be seen on a busy machine
        monkeypatch.setattr(f"cli.{place}.FLASH_S", 1.0)
    monkeypatch.setattr("cli.terminal.app.SLOW_S", 60.0)
    steps: list[int | None] = []

    async def act(run: Run, practice: PracticeTable) -> None:
        await run.shows("YOUR TURN")
        run.app.is_still = False
        run.app.after()
        drawn = run.app.draw

        def noted(width: int, height: int) -> Canvas:
            canvas = drawn(width, height)
            look = run.app.presenter.picture(width, height)[1] if run.app.presenter else None
            steps.append(None if look is None or look.flash_step < 0 else look.flash_step)
            return canvas

        run.app.draw = noted  # type: ignore[method-assign]
        run.types("5\r")
        await run.shows("Waiting for Jonas")
        await run.becomes(lambda: 1 in steps and steps[-1] is None)

    plays(act)
    assert [step for step, was in zip(steps, [None, *steps], strict=False) if step != was] == [0, 1, None]


def test_no_card_moves_where_the_terminal_is_far_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSH_CONNECTION", "10.0.0.2 50000 10.0.0.1 22")

    async def act(run: Run, practice: PracticeTable) -> None:
        await run.shows("YOUR TURN")
        run.types("5\r")
        await run.shows("Waiting for Jonas")
        assert run.app.presenter is not None
        assert not run.app.presenter.is_moving()

    plays(act)


def test_a_key_without_a_letter_is_no_row_of_letters() -> None:
    """Shift-Tab comes as an escape sequence that ends in a Z."""

    async def act(run: Run, practice: PracticeTable) -> None:
        heard: list[str] = []
        run.app.pressed = heard.append  # type: ignore[method-assign, assignment]
        run.types("\x1b[Z\x1b[15~z")
        await run.becomes(lambda: "z" in heard)
        assert heard == ["s-tab", "f5", "z"]

    plays(act)


def test_what_is_pasted_is_no_row_of_keys() -> None:
    async def act(run: Run, practice: PracticeTable) -> None:
        await run.shows("YOUR TURN")
        run.types("\x1b[200~ddd\r\x1b[201~")
        run.types("s")
        await run.shows("sorted by rank")
        assert len(practice.table.hands[0]) == 3

    plays(act)


def test_it_lives_through_any_size() -> None:
    async def act(run: Run, practice: PracticeTable) -> None:
        await run.shows("YOUR TURN")
        for columns, rows in ((60, 20), (40, 12), (10, 3), (200, 60), (80, 24)):
            run.resize(columns, rows)
            await run.becomes(lambda c=columns: run.app.canvas.columns == c)  # type: ignore[misc]
        await run.shows("YOUR TURN")
        same(run)

    plays(act)


def test_a_small_terminal_is_told_so() -> None:
    async def act(run: Run, practice: PracticeTable) -> None:
        await run.shows("Small window")
        await run.shows("58x18")
        run.resize(29, 9)
        await run.shows("Too small")

    plays(act, columns=40, rows=12)


def test_hostile_names_send_no_escape_sequences() -> None:
    evil = clean_name("\x1b[2J\x1b]0;pwned\x07Eve\u202e")

    async def act(run: Run, practice: PracticeTable) -> None:
        await run.shows("Eve")
        practice.say(1, "\x1b[31mred\x1b]52;c;aGk=\x07\u202e")
        await run.shows("red")

    terminal = plays(act, names=("Mia", evil, "Jonas"))
    assert "pwned\x07" not in terminal.raw
    assert "\x1b]52" not in terminal.raw
    assert "\x1b[31m" not in terminal.raw
    assert "\u202e" not in terminal.raw


def test_the_bell_rings_only_for_who_is_away_from_the_keys() -> None:
    async def act(run: Run, practice: PracticeTable) -> None:
        await run.shows("YOUR TURN")
        run.types("6\r")
        await run.becomes(lambda: practice.table.state.turn == 1)
        await run.shows("You played")
        before = run.terminal.bells
        practice.play(1, practice.game.decode({"do": "draw"}))
        run.app._last_key = time.monotonic()
        while practice.table.state.turn != 0:
            turn = practice.table.state.turn
            practice.play(turn, practice.table.legal(turn)[0])
        await run.shows("YOUR TURN")
        assert run.terminal.bells == before
        run.app._last_key = time.monotonic() - 60
        practice.people[0].put(news.RoundBegan(2, practice.table.public_view(0)))
        await run.becomes(lambda: run.terminal.bells == before + 1)

    plays(act)


def test_colours_and_language_change_while_it_runs() -> None:
    async def act(run: Run, practice: PracticeTable) -> None:
        await run.shows("YOUR TURN")
        assert "48;2;14;59;46" in run.terminal.raw
        run.app.settings.theme = "light"
        run.app.settings.lang = "ja"
        run.app.redraw()
        await run.shows("あなたの番")
        await run.becomes(lambda: "48;2;228;236;230" in run.terminal.raw)

    plays(act)


def test_a_fault_gives_the_terminal_back_and_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    terminals: list[Terminal] = []

    async def act(run: Run, practice: PracticeTable) -> None:
        terminals.append(run.terminal)
        await run.shows("YOUR TURN")

        def fails(self: TableScreen, news: Any) -> None:
            raise ZeroDivisionError

        monkeypatch.setattr(TableScreen, "hear", fails)
        practice.say(1, "boom")
        await asyncio.sleep(60)

    with pytest.raises(ZeroDivisionError):
        plays(act)
    assert "\x1b[?1049l" in terminals[0].raw


@pytest.mark.sample
@pytest.mark.parametrize("name", ["own_picture", "key", "click", "scroll", "tick"])
def test_a_fault_in_what_the_terminal_calls_ends_the_table(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The event loop alone passes over it: the table would stand still, and no key would lead away."""

    async def act(run: Run, practice: PracticeTable) -> None:
        await run.shows("YOUR TURN")

        def fails(*_: Any) -> None:
            raise ZeroDivisionError

        monkeypatch.setattr(TableScreen, name, fails)
        on = run.terminal.lines[23].index("help") + 1
        run.types({"click": f"\x1b[<0;{on};24M\x1b[<0;{on};24m", "scroll": "\x1b[<64;60;10M"}.get(name, "s"))
        await asyncio.sleep(60)
        pytest.fail("the program goes on")

    with pytest.raises(ZeroDivisionError):
        plays(act)


def test_the_screen_is_given_back_at_the_end() -> None:
    async def act(run: Run, practice: PracticeTable) -> None:
        await run.shows("YOUR TURN")

    terminal = plays(act)
    assert terminal.raw.rindex("\x1b[?1049l") > terminal.raw.rindex("\x1b[?1049h")
    assert terminal.raw.rindex("\x1b[?25h") > terminal.raw.rindex("\x1b[?25l")


def test_a_long_text_leaves_the_line_for_typing_at_its_beginning() -> None:
    async def act(run: Run, practice: PracticeTable) -> None:
        await run.shows("YOUR TURN")
        run.types("/" + "so " * 29)
        await run.becomes(lambda: "Say:" not in "\n".join(run.terminal.lines) and "so so" in run.terminal.lines[22])
        run.types("\r")
        await run.shows("you: so so")
        run.types("/gg")
        await run.becomes(lambda: run.terminal.lines[22].startswith(" Say: gg"))

    plays(act)


@pytest.mark.parametrize(("colours", "wanted"), [(SIXTEEN, "ansiblack bg:ansigray"), (TRUE, "bg:#f7f2e4")])
def test_a_terminal_of_sixteen_colours_gets_colours_of_its_own(colours: int, wanted: str) -> None:
    for theme in ("felt", "light"):
        app = TerminalApp(TerminalSettings(theme=theme), colours, DummyInput(), DummyOutput())
        spelled = dict(app.style.style_rules)["card.s"]
        assert (wanted in spelled) == (colours == SIXTEEN or theme == "felt")


@pytest.mark.skipif(not hasattr(signal, "SIGCONT"), reason="nothing stops and continues a program here")
def test_who_was_stopped_draws_everything_again() -> None:
    """The shell has written over the screen meanwhile, and left the alternate one."""

    async def act(run: Run, practice: PracticeTable) -> None:
        await run.shows("YOUR TURN")
        run.terminal.write("\x1b[?1049l\x1b[2J\x1b[H[1]+  Stopped")
        before = len(run.terminal.raw)
        os.kill(os.getpid(), signal.SIGCONT)
        await run.shows("YOUR TURN")
        assert "\x1b[?1049h" in run.terminal.raw[before:]
        run.types("2")
        await run.becomes(lambda: "Stopped" not in "\n".join(run.terminal.lines))

    plays(act)
