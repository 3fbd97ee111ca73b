"""Several files of one match as vectors: each is in order or ends where it is changed, and they differ. `make_matches` makes the
files."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from protocol.identity import Identity
from protocol.messages import Closed, Echo, Message, Vote, Without
from protocol.signed import Signed, decode_signed, sign
from protocol.table.comparing import compare
from protocol.table.verify import verify
from protocol.values import replace
from protocol.wire import frames
from tests.adversaries.signing import resigner
from tests.table.tables import stream
from tests.vectors import crafted_matches, make_matches
from tests.vectors.crafted_bounds import ends_with
from tests.vectors.crafted_leavers import who_joined, without_who_joined
from tests.vectors.make_matches_altered import Change, changed

NAME = "taken-by-a-newcomer"
SEAT = 1
"""Its player says goodbye in epoch 0; in epoch 2 somebody new sits there."""


class Changing:
    """The changes that a seat's own key, or a stranger, can make to a file of this match: it then ends with what was changed."""

    def __init__(self, files: list[bytes]) -> None:
        self.frames, self.file = files, crafted_matches.Changing(files)
        self.said = self.file.said
        self.newcomer = who_joined(self.file)[1]
        self.former = self.file.identity_of(SEAT)

    def said_by(self, seat: int, kind: str, epoch: int) -> tuple[int, Signed]:
        """The first message of this kind, and its place in the file."""
        return next(
            (at, each) for at, each in self.said if (each.seat, each.message.kind, each.epoch) == (seat, kind, epoch)
        )

    def identity(self, signed: Signed) -> Identity:
        is_new = signed.seat == SEAT and signed.epoch > 1
        return self.newcomer if is_new else self.file.identity_of(signed.seat)

    def ends_with(self, at: int, data: bytes) -> Change:
        return {"at": at, "remove": len(self.frames) - at, "put": [data.hex()]}

    def signed_anew(
        self, at: int, old: Signed, message: Message | None = None, by: Identity | None = None, **other: Any
    ) -> Change:
        """The file ends at this place, with another message instead."""
        said = message or replace(old.message, **other)
        signer = by or self.identity(old)
        return self.ends_with(at, sign(signer, old.table, old.epoch, old.epoch_hash, old.seat, said).data)

    def whole(self) -> Change:
        return {"at": 1, "remove": 0, "put": []}


def a_newcomers_votes(of: Changing) -> list[Change]:
    at, old = of.said_by(SEAT, "vote", 2)
    return [of.whole(), of.signed_anew(at, old, choice=bytes(32))]


def one_player_of_a_seat_after_the_other(of: Changing) -> list[Change]:
    at, old = of.said_by(SEAT, "vote", 0)
    return [of.whole(), of.signed_anew(at, old, choice=bytes(32))]


def three_files_and_a_forgery(of: Changing) -> list[Change]:
    at, old = of.said_by(2, "vote", 0)
    forged = of.signed_anew(at, old, by=Identity(bytes(range(32))), choice=bytes(32))
    return [forged, of.whole(), of.signed_anew(at, old, choice=bytes(32))]


def three_versions(of: Changing) -> list[Change]:
    at, old = of.said_by(2, "vote", 0)
    return [of.whole(), *(of.signed_anew(at, old, choice=bytes([number]) * 32) for number in (1, 2))]


def only_forgeries(of: Changing) -> list[Change]:
    at, old = of.said_by(SEAT, "vote", 2)
    return [of.whole(), of.signed_anew(at, old, by=of.former, choice=bytes(32))]


def second_signatures(of: Changing) -> list[Change]:
    at, old = of.said_by(SEAT, "vote", 2)
    return [of.whole(), of.ends_with(at, resigner(of.identity(old))(old))]


def goodbyes(of: Changing) -> list[Change]:
    at, old = of.said_by(SEAT, "goodbye", 0)
    return [of.whole(), of.signed_anew(at, old, number=7)]


def promises_of_one_number(of: Changing) -> list[Change]:
    """One of them is of an earlier epoch."""
    at, old = of.said_by(2, "without", 0)
    message = of.said_by(2, "without", 1)[1].message
    assert isinstance(message, Without) and isinstance(old.message, Without)
    return [of.whole(), of.signed_anew(at, old, replace(old.message, number=message.number, attempts=()))]


def concealed_promises(of: Changing) -> list[Change]:
    at, old = of.said_by(2, "without", 0)
    return [of.whole(), of.signed_anew(at, old, number=5, attempts=())]


def a_vote_that_a_promise_denies(of: Changing) -> list[Change]:
    """It says that the seat has voted for nothing yet at the next height; and one file shows that it has."""
    at, old = of.said_by(2, "without", 0)
    assert isinstance(old.message, Without)
    vote = Vote(old.message.height + 1, old.message.certificate, bytes(32), bytes(32))
    denied = of.signed_anew(at, old, replace(old.message, vote=None))
    return [denied, of.signed_anew(at, old, vote), of.signed_anew(at, old, replace(vote, previous=bytes(32)))]


def a_vote_far_above_a_promise(of: Changing) -> list[Change]:
    at, old = of.said_by(2, "without", 0)
    low = of.signed_anew(at, old, height=1)
    return [low, of.whole()]


def nonces(of: Changing) -> list[Change]:
    at, old = of.said_by(2, "nonce", 0)
    return [of.whole(), of.signed_anew(at, old, nonce=bytes(32))]


def promises_of_somebody_who_never_sat_down(of: Changing) -> list[Change]:
    """Anybody could sign such promises, for a key of their own."""
    at, old = of.said_by(SEAT, "without", 1)
    assert isinstance(old.message, Without)
    who = Identity(bytes(range(32)))
    message = replace(old.message, added=((SEAT, who.public, who.public, "New", False),))
    return [of.signed_anew(at, old, replace(message, height=height), by=who) for height in (1, 2)]


def two_ends(of: Changing) -> list[Change]:
    """An honest seat may come to one end in an epoch, give up what followed, and come to another one."""
    at, old = of.said_by(2, "vote", 2)
    return [of.signed_anew(at, old, Closed(bytes([number]) * 32)) for number in (1, 2)]


def in_an_empty_seat(of: Changing) -> list[Change]:
    """The others leave the seat out again. Two files show versions of what who sat there last says in that epoch; two more,
    versions of who sat there first."""
    at, _, epoch = who_joined(of.file)
    promises = without_who_joined(of.file, epoch)
    some = decode_signed(bytes.fromhex(promises[0]))
    begun = of.file.epoch_of([decode_signed(bytes.fromhex(each)) for each in promises])
    assert isinstance(some.message, Without)
    files = []
    for who in (of.newcomer, of.former):
        for number in (1, 2):
            echo = Echo(some.message.height + 1, bytes([number]) * 32)
            said = sign(who, some.table, *begun, SEAT, echo)
            files.append(ends_with(of.file, at, *promises, said.data.hex()))
    return files


CASES: dict[str, Callable[[Changing], list[Change]]] = {
    "two votes of somebody who took a seat": a_newcomers_votes,
    "two votes of somebody in whose seat another one sits later": one_player_of_a_seat_after_the_other,
    "two votes in the second and third file, and one that is not signed by its seat in the first": three_files_and_a_forgery,
    "three votes": three_versions,
    "a vote that is signed by who sat there before": only_forgeries,
    "two signatures of one vote": second_signatures,
    "two goodbyes": goodbyes,
    "two promises for one epoch, each from another one, the second of which conceals a third": promises_of_one_number,
    "a promise that conceals an earlier one": concealed_promises,
    "a promise that denies a vote; a third file has a vote on another certificate": a_vote_that_a_promise_denies,
    "two promises for one epoch, one of which names a height below the votes of its seat": a_vote_far_above_a_promise,
    "two nonces": nonces,
    "two promises of somebody who would take a seat and never sits there": promises_of_somebody_who_never_sat_down,
    "two versions of who sat last in a seat that is empty, and two of who sat there first": in_an_empty_seat,
    "two `closed` that name two ends, which bind nobody": two_ends,
}


def found(files: list[bytes]) -> list[list[Any]]:
    """What a comparison of these files finds: the two files, the seat, and what it did; nothing twice."""
    differences = compare([verify(data, stream(1)) for data in files])
    rows = {(*each.files, each.seat, each.what) for each in differences}
    return [list(each) for each in sorted(rows)]


def vectors() -> dict[str, Any]:
    of = Changing([each for _, each in frames((make_matches.FOLDER / f"{NAME}.match").read_bytes())])
    rows = []
    for about, case in CASES.items():
        changes = case(of)
        files = [changed(of.frames, each) for each in changes]
        rows.append({"about": about, "changes": changes, "found": found(files)})
    about = (
        "Several files of one match, each made from `file` by a change as in altered.json, and what their comparison finds: the "
        "two files, the seat, and what it did."
    )
    return {"about": about, "file": f"{NAME}.match", "rows": rows}


def main() -> None:
    data = vectors()
    lines = ",\n".join(json.dumps(row) for row in data["rows"])
    head = ", ".join(f"{json.dumps(key)}: {json.dumps(data[key])}" for key in ("about", "file"))
    text = "{" + head + ',\n"rows": [\n' + lines + "\n]}\n"
    (make_matches.FOLDER / "several.json").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
