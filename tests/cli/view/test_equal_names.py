"""Two of one name in a room are told apart, as they are at the table."""

from __future__ import annotations

from cli.text import Translator
from cli.view.in_room import InRoom
from cli.view.room_rows import room_rows, shown_name
from tests.cli.screen.screens import guest, parlour


def test_equal_names_are_numbered_in_the_order_of_arrival() -> None:
    first, second, other = guest(b"a", "Mia"), guest(b"b", " Mia "), guest(b"c", "Kim")
    room = parlour((first, second, other), game="crazy-eights")
    assert [shown_name(room, each) for each in room.members] == ["Mia", "Mia 2", "Kim"]
    rows = room_rows(Translator(), InRoom(room, other.key), "", "")
    assert [row.cells[1] for row in rows][:3] == ["Mia", "Mia 2", "Kim"]
