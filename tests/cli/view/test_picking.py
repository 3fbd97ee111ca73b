"""Where more are in the room than the game takes, the host picks who plays; by default whoever has waited longest does."""

from __future__ import annotations

import pytest

from cli.news import Do, RoomChanged
from cli.plain.room import RoomTalk
from cli.terminal.settings import TerminalSettings
from cli.text import Translator
from cli.view.inputs import Choose, Hear
from cli.view.room import RoomModel
from protocol.room.refusals import RoomRefusal
from protocol.room.values import Guest, Room
from protocol.values import replace
from tests.cli.screen.screens import guest, parlour

MIA, KIM, LENA, EMIL = (guest(name, name.decode().title()) for name in (b"mia", b"kim", b"lena", b"emil"))


def full(*, waited: int = 0) -> Room:
    """Mia hosts, Kim and Lena sit too, and Emil waits. `waited`: so many matches Kim has waited for."""
    room = parlour((MIA, replace(KIM, waited=waited), LENA), game="crazy-eights")
    three = tuple(key for key in room.seating if room.guest(key) is not None)
    return replace(room, seating=three, members=(*room.members, replace(EMIL, arrived=9)))


@pytest.mark.parametrize(("waited", "loser"), [(1, "Lena"), (0, "Lena")])
def test_whoever_came_last_gives_way_and_the_others_stay(waited: int, loser: str) -> None:
    room = full(waited=waited)
    room = replace(room, members=tuple(replace(g, arrived=at) for at, g in enumerate(room.members)))
    found = room.gives_way_to(EMIL.key)
    assert found is not None and found.name == loser
    after = room.picked(EMIL.key)
    assert [each.name for each in after.sitters] == ["Mia", "Kim", "Emil"]
    assert after.seated().seating == after.seating, "who waits does not take it back"
    with pytest.raises(RoomRefusal):
        after.picked(EMIL.key)


def test_a_bot_gives_way_first_and_the_host_never() -> None:
    room = full()
    bot = Guest(b"bot", "Bot Ada", MIA.key, True, b"", True)
    members = tuple(bot if each.key == KIM.key else each for each in room.members)
    seating = tuple(bot.key if key == KIM.key else key for key in room.seating)
    found = replace(room, members=members, seating=seating).gives_way_to(EMIL.key)
    assert found is not None and found.bot
    alone = replace(room, seating=(MIA.key,), members=(MIA, EMIL))
    assert alone.gives_way_to(EMIL.key) is None


@pytest.mark.parametrize("me", [MIA, KIM])
def test_the_host_picks_with_enter_on_the_row_or_by_name(me: Guest) -> None:
    is_host = me is MIA
    model, room = RoomModel(TerminalSettings(), me.key, is_host), full()
    model.update(Hear(RoomChanged(room)))
    (row,) = (each for each in model.view().rows if each.key == EMIL.key.hex())
    assert ("Emil play instead of" in row.prompt) is is_host
    assert (Do("pick", EMIL.key) in model.update(Choose(row.id))) is is_host
    talk = RoomTalk(Translator(), me.key, me.name, is_host)
    talk.changed(room)
    told, deed = talk.answer("pick emil")
    assert (deed == Do("pick", EMIL.key)) is is_host
    assert ("Emil plays the next match instead of" in " ".join(told)) is is_host
    if is_host:
        playing = replace(room, members=tuple(replace(each, playing=True) for each in room.members))
        model.update(Hear(RoomChanged(playing)))
        assert Do("pick", EMIL.key) not in model.update(Choose(row.id))
