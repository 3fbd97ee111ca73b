"""The code that phones scan: read again by a decoder, from the modules and from what the terminal draws."""

from __future__ import annotations

import dataclasses

import pytest
import zxingcpp

from cli.news import Do, Hotspot, PhonesServed, Reconnecting, RoomChanged
from cli.terminal.settings import TerminalSettings
from cli.terminal.theme import THEMES
from cli.text import languages, load_translator
from cli.view.effects import Close, Tell
from cli.view.inputs import Act, Choose, Hear
from cli.view.phones import HELP_AFTER_S, PhonesPage, is_phone_near, no_page_told, trust_told
from cli.view.qr import half_blocks, modules
from cli.view.room import RoomModel
from tests.cli.screen.screens import guest, parlour
from tests.cli.screen.stage import Clock
from tests.cli.terminal.drawn import keys_of, on_screen, text_of
from tests.cli.terminal.test_colours import luminance

ADDRESS = "http://192.168.178.123:54712/#" + "Aq_-" * 10 + "Aq"
"""As long as an IPv4 address gets."""
PIXELS = 6
"""Side of a module in a picture."""
DARK_ROOM, PAPER = 30, 240
"""Grey values of what lies around the code, and of its light modules."""
BLOCKS = {" ": "00", "\u2580": "10", "\u2584": "01", "\u2588": "11"}


def rows_of(lines: tuple[str, ...]) -> tuple[str, ...]:
    """The rows of modules that half blocks show."""
    return tuple("".join(BLOCKS[sign][half] for sign in line) for line in lines for half in (0, 1))


def read(rows: tuple[str, ...]) -> list[str]:
    """What a camera reads from these modules on a dark ground."""
    margin = [DARK_ROOM] * (8 * PIXELS)
    around = [DARK_ROOM] * (len(rows[0]) * PIXELS + 2 * len(margin))
    picture = [around] * (8 * PIXELS)
    for row in rows:
        line = [*margin, *(grey for sign in row for grey in [0 if sign == "1" else PAPER] * PIXELS), *margin]
        picture += [line] * PIXELS
    picture += [around] * (8 * PIXELS)
    data = bytes(grey for line in picture for grey in line)
    image = memoryview(data).cast("B", (len(picture), len(around)))
    return [found.text for found in zxingcpp.read_barcodes(image)]


class Shown:
    """The page over the room, with a clock of its own."""

    def __init__(self, lang: str = "en", address: str = ADDRESS, ascii_only: bool = False) -> None:
        self.clock = Clock()
        self.served = PhonesServed(address, "Mia")
        settings = TerminalSettings(lang=lang, ascii_only=ascii_only)
        self.page = PhonesPage(settings, lambda: "Mia's table", lambda: self.served, self.clock)
        self.screen = on_screen(self.page, self.clock)

    def told(self) -> str:
        return "\n".join("".join(text for text, _ink in line) for line in self.page.view().lines)


def code_in(text: str) -> tuple[str, ...]:
    """The part of a screen that is made of half blocks."""
    lines = [line for line in text.splitlines() if set(line) & {"\u2580", "\u2584", "\u2588"}]
    left = min(len(line) - len(line.lstrip()) for line in lines)
    right = max(line.rfind(sign) for line in lines for sign in ("\u2580", "\u2584", "\u2588"))
    return tuple(line[left : right + 1].ljust(right + 1 - left) for line in lines)


@pytest.mark.parametrize("address", [ADDRESS, "http://10.0.0.1:4712/", "http://[fd00::1:2:3:4]:4712/#" + "x" * 43])
def test_a_code_is_read_again(address: str) -> None:
    assert read(modules(address)) == [address]
    assert read(rows_of(half_blocks(modules(address)))) == [address]


def test_two_codes_are_told_apart() -> None:
    assert modules(ADDRESS) != modules(ADDRESS[:-1] + "g")
    assert read(modules(ADDRESS[:-1] + "g")) == [ADDRESS[:-1] + "g"]


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (120, 40)])
def test_the_terminal_draws_the_code_beside_the_text(lang: str, columns: int, rows: int) -> None:
    text = text_of(Shown(lang).screen, columns, rows)
    code = rows_of(code_in(text))
    around = "0" * (len(code[0]) + 2)
    assert read((around, *(f"0{row}0" for row in code), around)) == [ADDRESS]
    assert ADDRESS.partition("#")[0] in text


@pytest.mark.parametrize("theme", [name for name, theme in THEMES.items() if not theme.is_mono])
def test_a_code_is_dark_on_light_in_every_theme(theme: str) -> None:
    look = THEMES[theme].look("card.strong")
    if look.fg.startswith("#"):
        assert luminance(look.fg) < 0.1 < 0.5 < luminance(look.bg)
    else:
        assert (look.fg, look.bg) == ("ansiblack", "ansiwhite")


@pytest.mark.parametrize("lang", languages())
def test_where_the_code_has_no_room_the_address_is_there_and_what_to_do(lang: str) -> None:
    shown = Shown(lang)
    text = text_of(shown.screen, 60, 18)
    assert "\u2588" not in text
    assert ADDRESS.partition("#")[0] in text
    assert load_translator(lang)("Make this window larger to see the code.")[:12] in text


def test_in_ascii_there_is_the_address_alone() -> None:
    text = text_of(Shown(ascii_only=True).screen)
    assert text.isascii()
    assert ADDRESS.partition("#")[0] in text


def test_the_address_can_be_put_together_from_its_parts() -> None:
    told = Shown().told().splitlines()
    at = told.index(ADDRESS.partition("#")[0] + "#")
    assert "".join(told[at : at + 3]) == ADDRESS


@pytest.mark.parametrize("lang", languages())
def test_help_comes_only_if_no_phone_has_loaded_the_page_in_time(lang: str) -> None:
    shown = Shown(lang)
    first = no_page_told(load_translator(lang), shown.served)[0]
    shown.clock.passes(HELP_AFTER_S - 0.1)
    assert first not in shown.told()
    shown.clock.passes(0.2)
    assert first in shown.told()
    shown.served = dataclasses.replace(shown.served, loaded=1)
    assert first not in shown.told()


@pytest.mark.parametrize("lang", languages())
def test_without_a_network_that_is_said_at_once(lang: str) -> None:
    shown = Shown(lang)
    shown.served = dataclasses.replace(shown.served, is_alone=True)
    told = no_page_told(load_translator(lang), shown.served)
    assert told[0] in shown.told() and told[0] != no_page_told(load_translator(lang), PhonesServed(ADDRESS, "Mia"))[0]


def test_the_next_address_is_given_time_again() -> None:
    shown = Shown()
    shown.clock.passes(HELP_AFTER_S + 1)
    assert shown.page.update(Act("phones-next")) == (Do("phones-next"),)
    assert no_page_told(load_translator("en"), shown.served)[0] not in shown.told()


def test_the_page_says_what_its_keys_do() -> None:
    shown = Shown()
    keys = keys_of(shown.screen)
    assert (keys["N"], keys["X"]) == ("another address", "no more phones")
    assert shown.page.update(Act("phones-stop")) == (Do("phones-stop"), Close())
    assert shown.page.update(Act("back")) == (Close(),)


@pytest.mark.parametrize("lang", languages())
def test_every_key_is_named_in_an_ordinary_window(lang: str) -> None:
    shown = Shown(lang)
    shown.clock.passes(HELP_AFTER_S)
    bar = text_of(shown.screen).splitlines()[-1]
    assert set(keys_of(shown.screen)) >= {"Esc", "N", "X", "H"}
    assert all(f" {key}  " in bar for key in ("↑↓", "Esc", "N", "X", "H"))


@pytest.mark.parametrize("lang", languages())
def test_a_key_explains_the_hotspot_and_shows_the_code_again(lang: str) -> None:
    shown = Shown(lang)
    assert shown.page.update(Act("hotspot")) == ()
    text = text_of(shown.screen)
    assert "Android" in text and "\u2588" not in text
    assert shown.page.update(Act("phones-next")) == ()
    assert shown.page.update(Act("hotspot")) == ()
    assert "Android" not in text_of(shown.screen) and "\u2588" in text_of(shown.screen)


@pytest.mark.parametrize("lang", languages())
def test_whom_a_phone_has_to_trust_is_said_by_name(lang: str) -> None:
    shown = Shown(lang)
    assert trust_told(load_translator(lang), "Mia") in shown.told()
    assert "Mia" in text_of(shown.screen)


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("me", [b"mia", b"jo"])
def test_everybody_with_a_computer_may_let_phones_in(lang: str, me: bytes) -> None:
    model = RoomModel(TerminalSettings(lang=lang), me, me == b"mia", ("192.168.1.23:4711",))
    shown = on_screen(model)
    jonas = dataclasses.replace(guest(b"jo", "Jonas"), phone=False)
    shown.send(Hear(RoomChanged(parlour((guest(b"mia", "Mia"), jonas, None)))))
    assert "phones" in [row.id for row in model.view().deeds]
    assert model.update(Act("phones")) == model.update(Choose("phones")) == (Do("phones"),)


@pytest.mark.parametrize("lang", languages())
def test_a_phone_lets_nobody_else_in(lang: str) -> None:
    model = RoomModel(TerminalSettings(lang=lang), b"lena", False, ("192.168.1.23:4711",))
    lena = dataclasses.replace(guest(b"lena", "Lena"), phone=True, keeper=b"mia")
    on_screen(model).send(Hear(RoomChanged(parlour((guest(b"mia", "Mia"), lena, None)))))
    assert "phones" not in [row.id for row in model.view().deeds]
    (told,) = model.update(Act("phones"))
    assert isinstance(told, Tell) and told.is_no


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("me", [b"mia", b"jo", b"lena"])
def test_a_room_with_phones_says_to_everybody_whom_they_trust(lang: str, me: bytes) -> None:
    """Once for each computer that serves phones, however many; not for a phone that serves itself."""
    mia, jonas = guest(b"mia", "Mia"), guest(b"jo", "Jonas")
    lena, sam = (
        dataclasses.replace(guest(key, name), phone=True, keeper=b"mia")
        for key, name in ((b"lena", "Lena"), (b"s", "Sam"))
    )
    model = RoomModel(TerminalSettings(lang=lang), me, me == b"mia", ())
    shown = on_screen(model)
    told = trust_told(load_translator(lang), "Mia")

    def facts() -> list[str]:
        return ["".join(text for text, _ink in line) for line in model.view().facts]

    shown.send(Hear(RoomChanged(parlour((mia, jonas, dataclasses.replace(lena, keeper=b"lena"), None)))))
    assert told not in facts()
    shown.send(Hear(RoomChanged(parlour((mia, jonas, lena, sam)))))
    assert facts().count(told) == 1
    assert "".join(told.split()) in "".join(text_of(shown).split())


@pytest.mark.parametrize("lang", languages())
def test_a_phone_in_the_room_whose_computer_does_not_answer_says_so(lang: str) -> None:
    model = RoomModel(TerminalSettings(lang=lang), b"lena", False)
    lena = dataclasses.replace(guest(b"lena", "Lena"), phone=True, keeper=b"mia")
    on_screen(model).send(Hear(RoomChanged(parlour((guest(b"mia", "Mia"), lena, None)))))
    assert model.view().frame.mood == "turn"
    model.reconnecting = lambda: Reconnecting(3, 1.2, through="Mia")
    frame = model.view().frame
    assert frame.mood == "alarm" and frame.head
    assert frame.prompt == is_phone_near(load_translator(lang), "Mia", False)


WIFI = Hotspot("Hut", "WIFI:T:WPA;S:Hut;P:come in please;;")


@pytest.mark.parametrize("lang", languages())
def test_where_this_computer_is_the_wifi_there_is_a_code_for_it_too(lang: str) -> None:
    shown = Shown(lang)
    shown.served = dataclasses.replace(shown.served, hotspot=WIFI)
    assert read(shown.page.view().code) == [ADDRESS]
    assert load_translator(lang)("Wi-Fi code")[:5] in text_of(shown.screen)
    shown.page.update(Act("hotspot"))
    assert read(shown.page.view().code) == [WIFI.code]
    assert "Hut" in shown.told()
    shown.page.update(Act("hotspot"))
    assert read(shown.page.view().code) == [ADDRESS]
