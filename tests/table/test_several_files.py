"""Several files of one match: seats that others took, who signed, and files that show different ends. The rest stands in
`test_verdicts` and in the vectors (`several.json`)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.main import main
from protocol.signed import decode_signed
from protocol.table.comparing import TWO_VERSIONS, compare, contradictory
from protocol.table.verify import Report, verify
from protocol.wire import frame, frames
from tests.independent.departures import taken
from tests.simulator.toy import toy_group
from tests.table.tables import Tables, stream
from tests.vectors.make_matches_altered import Change, changed
from tests.vectors.make_matches_several import (
    SEAT,
    Changing,
    a_newcomers_votes,
    one_player_of_a_seat_after_the_other,
    three_files_and_a_forgery,
)

Out = pytest.CaptureFixture[str]


@pytest.fixture
def hasty() -> None:
    """Not here: the matches are those of the vectors."""


@pytest.fixture(scope="module")
def toy() -> Iterator[None]:
    with toy_group():
        yield


@pytest.fixture(scope="module")
def played(toy: None) -> Tables:
    """A match in which somebody new takes the seat of who has left."""
    return taken(by_bot=False)


@pytest.fixture(scope="module")
def joined(played: Tables) -> Changing:
    return Changing(list(played.clients[0].transcript))


def reports(of: Changing, changes: list[Change]) -> list[Report]:
    found = [verify(changed(of.frames, each), stream(1)) for each in changes]
    assert all(each.ok or (each.failed and "signature" in each.failed.what) for each in found), found
    assert not any(each.convicted for each in found), "none of them shows anything alone"
    return found


@pytest.mark.slow
def test_the_files_of_who_left_and_who_came_agree(played: Tables) -> None:
    found = [verify(b"".join(map(frame, client.transcript)), stream(1)) for client in played.clients]
    assert all(each.ok for each in found) and not compare(found) and not contradictory(found)


@pytest.mark.slow
def test_somebody_who_took_a_seat_is_convicted_of_two_votes(joined: Changing) -> None:
    (found,) = compare(reports(joined, a_newcomers_votes(joined)))
    assert (found.seat, found.what, found.name, found.key) == (SEAT, TWO_VERSIONS, "P4", joined.newcomer.public)


@pytest.mark.slow
def test_who_took_the_seat_of_a_cheat_is_not_named_for_it(joined: Changing) -> None:
    (found,) = compare(reports(joined, one_player_of_a_seat_after_the_other(joined)))
    assert (found.seat, found.name, found.key) == (SEAT, "P1", joined.former.public)


@pytest.mark.sample
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2)])
def test_a_forgery_hides_no_true_difference_between_other_files(joined: Changing, order: tuple[int, ...]) -> None:
    changes = three_files_and_a_forgery(joined)
    (found,) = compare(reports(joined, [changes[at] for at in order]))
    assert (found.seat, found.what) == (2, TWO_VERSIONS)
    assert 0 not in {order[at] for at in found.files}, "the file with the forgery convicts nobody"


@pytest.mark.slow
def test_names_stand_in_what_is_printed(joined: Changing, tmp_path: Path, capsys: Out) -> None:
    for number, change in enumerate(one_player_of_a_seat_after_the_other(joined)):
        (tmp_path / str(number)).write_bytes(changed(joined.frames, change))
    names = [str(tmp_path / str(number)) for number in range(2)]
    assert main(["verify", *names]) == 1
    text = capsys.readouterr().out
    assert text.count("P1 cheated, and this file proves it.") == 2 and "P4 cheated" not in text
    assert main(["verify", *names, "--json"]) == 1
    for line in map(json.loads, capsys.readouterr().out.splitlines()):
        assert [(each["seat"], each["name"]) for each in line["evidence"] if each["what"] == TWO_VERSIONS] == [
            (SEAT, "P1")
        ]


def test_both_versions_are_kept_for_a_third_party(joined: Changing) -> None:
    (found,) = compare(reports(joined, a_newcomers_votes(joined)))
    one, other = map(decode_signed, found.messages)
    assert one.payload != other.payload and one.message.slot == other.message.slot == found.slot
    for each in (one, other):
        each.verify(found.key)


def test_a_file_compared_with_itself_shows_nothing(joined: Changing) -> None:
    data = b"".join(map(frame, joined.frames))
    assert [each for _, each in frames(data)] == joined.frames
    report = verify(data, stream(1))
    assert not compare([report, report, report])
