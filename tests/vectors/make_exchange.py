"""A whole short match as a vector: every message of its file, and what is hashed between; and PROTOCOL.md's "An example",
which tells of its first steps.
"""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import fill
from typing import Any

from protocol.messages import MoveProposal
from protocol.signed import Signed, decode_signed
from protocol.table import ballot, proposals
from protocol.table.events import CardOpened
from protocol.table.preparation import preparation_hash
from protocol.table.roster import TableOptions
from protocol.table.verify import Follower
from tests.table.tables import Tables, stream
from tests.vectors.make_messages import shown as plain

HERE = Path(__file__).parent
TINY = {"hand": 2, "target": 0}


def played(seed: int = 35, most: int = 4) -> Tables:
    """Two seats with two cards each, who draw a card and play a few: so many moves at most, and one card turned up.
    That is so with few seeds: where the bytes of a match change, look for another one."""
    tables = Tables("crazy-eights", 2, TINY, seed, None, TableOptions(pause=0, grace=0))
    tables.start()
    tables.play()
    moves = [
        message for data in tables.clients[0].transcript[1:] if (message := decode_signed(data).message).kind == "move"
    ]
    opened = [event for event in tables.clients[0].events if isinstance(event, CardOpened)]
    draws = [message for message in moves if isinstance(message, MoveProposal) and message.remask]
    assert len(opened) == 1 and len(moves) <= most and draws, "choose another seed"
    return tables


def vectors() -> dict[str, Any]:
    """The match, message by message; `then` is what a reader knows once it has taken this message in."""
    tables = played()
    frames = tables.clients[0].transcript
    follower = Follower(frames[0], stream(1))
    record = follower.record
    found: list[dict[str, Any]] = []
    for data in frames[1:]:
        signed = decode_signed(data)
        before = (record.seed, record.preparing and record.preparing.joint, record.height, record.previous)
        follower.feed(data)
        round = record.preparing
        assert follower.report.failed is None
        then: dict[str, Any] = {}
        if record.seed != before[0]:
            assert record.seed is not None
            then |= {"seed": record.seed.hex(), "words": list(record.words), "seating": list(record.seating)}
            then |= {"dealer": record.dealer, "state_hash": record.state_hash.hex()}
        if round is not None and round.joint is not None and signed.message.kind == "prepare":
            then["joint_key"] = round.joint.encode().hex()
        if round is not None and signed.message.kind == "shuffle-proof" and round.is_done:
            then["preparation"] = preparation_hash(round).hex()
            then["choice"] = ballot.opening_hash(record.match, round).hex()
        if signed.message.kind == "move":
            then["choice"] = proposals.proposal_hash(signed).hex()
        if record.previous != before[3]:
            then["certificate"] = record.previous.hex()
        if record.height != before[2]:
            then |= {"height": record.height, "state": record.state_bytes.hex(), "state_hash": record.state_hash.hex()}
        found.append(described(signed) | ({"then": then} if then else {}))
    report = follower.end()
    return {
        "about": "A match of two seats at Crazy Eights with two cards each, from its roster to its last vote.",
        "roster": {"wire": frames[0].hex(), "members": [member(tables, index) for index in range(2)]},
        "table": record.table.hex(),
        "messages": found,
        "scores": list(report.scores),
        "match": report.match.hex(),
    }


def member(tables: Tables, index: int) -> dict[str, str]:
    """What a seat keeps to itself; its round secrets are revealed in the match."""
    client = tables.clients[index]
    return {"key_seed": client.identity.secret_seed.hex(), "nonce": client.nonce.hex()}


def described(signed: Signed) -> dict[str, Any]:
    """A message with its fields, and as it stands on the wire."""
    fields = plain(signed.message.body())
    return {"kind": signed.message.kind, "seat": signed.seat, "fields": fields, "wire": signed.data.hex()}


# --- the page ---

PAGE = HERE.parent.parent / "PROTOCOL.md"
HEADING, NEXT = "## 16 An example\n", "\n## 17 "
LINE = 112


def page(data: dict[str, Any]) -> str:
    """The section of PROTOCOL.md without its heading."""
    messages = data["messages"]

    def first(kind: str, seat: int = 0) -> dict[str, Any]:
        found: dict[str, Any] = next(each for each in messages if each["kind"] == kind and each["seat"] == seat)
        return found

    sealed, keys = first("nonce", 1)["then"], first("prepare", 1)["then"]
    prepared = first("shuffle-proof", 1)["then"]
    opening, dealt = first("vote", 1), first("shares", 1)
    played = next(each for each in messages if each["kind"] == "move")
    drawn = next(each for each in messages if each["kind"] == "move" and each["fields"][3]["do"] == "draw")
    after = next(each["then"] for each in messages[messages.index(played) :] if "certificate" in each.get("then", {}))
    card, place = played["fields"][3]["cards"][0], played["fields"][4][0]
    held = len(drawn["fields"][6].removeprefix("hex:")) // 128
    parts = [
        say("""These are the first steps of the match in `tests/vectors/exchange.json`: Crazy Eights for two seats, with two
            cards each. All bytes are in hex. Long values are cut (`…`) here; the file has them in full. In a match file,
            each message is preceded by its length (4 bytes)."""),
        say("""**The roster** is in the file's first frame. The frame is an array of `"r"` (`a172`) and the roster as a byte
            string. The hash of the roster itself, without the bytes before it, is the table's id."""),
        block(data["roster"]["wire"]),
        block(data["table"], "digest(roster, …) = "),
        say(f"""**Sealing.** Seat 0 signs with the key from the seed `{data["roster"]["members"][0]["key_seed"]}`. `93 a16d` is
            an array of three that begins with `"m"`. `c44d` begins the payload of 77 bytes, an array of six (`96`): `"seal"`,
            the table's id, epoch 0, the epoch's hash ([5](#5-signed-messages)), seat 0, and no fields (`90`). `c440` begins
            the signature. The `nonce` message of seat 0 follows."""),
        block(first("seal")["wire"]),
        block(first("nonce")["wire"]),
        say(f"""When both nonces have arrived, they give the seed and the words “{" ".join(sealed["words"])}”.
            Seat {sealed["dealer"]} deals. The state's hash before height 1 is computed from the seed."""),
        block(sealed["seed"], "seed       "),
        block(sealed["state_hash"], "state hash "),
        say(
            "**Preparing.** Each seat sends its round key: Y, U, s, h. The sum of both Y is the joint key. Seat 0 sends:"
        ),
        block(first("prepare")["wire"]),
        block(keys["joint_key"], "joint key "),
        say("""Seat 0 shuffles the starting deck of 52 cards. Its message begins as below, with `before` (`c420…`) and the first
            masked cards (`c50d00…`). Seat 1 then shuffles the result, and both seats send their proofs."""),
        block(cut(first("shuffled")["wire"], 4 * LINE)),
        say("""**Opening.** Both seats vote for the same bytes, so no echo is needed. These are the preparation's hash, the
            choice, the vote of seat 1, and the certificate:"""),
        block(prepared["preparation"], "preparation "),
        block(prepared["choice"], "choice      "),
        block(opening["wire"]),
        block(opening["then"]["certificate"], "certificate "),
        say("""**Dealing.** Cards 0 and 1 of the stock go to seat 0, cards 2 and 3 to seat 1, and card 4 is turned up. Each
            seat therefore sends its shares of the other seat's two cards and of the card turned up, with one proof for all
            three: D_1, D_2, D_3, U, V, s. Seat 1 sends:"""),
        block(dealt["wire"]),
        say("Then height 1 is settled. This is the state before height 2 (a map of eleven, `8b`), and its hash:"),
        block(cut(dealt["then"]["state"], 6 * LINE)),
        block(dealt["then"]["state_hash"], "state hash "),
        say(f"""**A move.** Seat {played["seat"]} plays `{card}`, which is at place {place} of its hand. It adds its share of
            that card, and the proof. It draws nothing, so there is no re-mask (`c400c400` before the signature)."""),
        block(played["wire"]),
        block(played["then"]["choice"], "choice      "),
        block(after["certificate"], "certificate "),
        say(f"""**A draw.** Seat {drawn["seat"]} draws. Its proposal contains its cards and the stock's top card, {held} in all,
            re-masked in another order, and a proof that they are the same cards. When the proposal is committed, the other
            seat sends its shares of all of them."""),
        block(cut(drawn["wire"], 6 * LINE)),
        say(f"""**The end.** The last play ends the round. Both seats reveal, audit, and vote for the closing. The scores are
            {data["scores"][0]} and {data["scores"][1]}. The hash of the last certificate is the hash of the match."""),
        block(data["match"], "match "),
    ]
    return "\n\n".join(parts)


def say(text: str) -> str:
    """A paragraph."""
    return fill(" ".join(text.split()), 120, break_long_words=False, break_on_hyphens=False)


def block(digits: str, name: str = "") -> str:
    """Hex as a block of lines."""
    lines = [digits[at : at + LINE] for at in range(0, len(digits), LINE)]
    return "```text\n" + name + "\n".join(lines) + "\n```"


def cut(digits: str, at: int) -> str:
    """The front of what is long."""
    return digits if len(digits) <= at else digits[: at - 1 - at % 2] + "…"


def with_example(text: str, data: dict[str, Any]) -> str:
    """The page with this example in it."""
    before, _, rest = text.partition(HEADING)
    _, _, after = rest.partition(NEXT)
    return before + HEADING + page(data).strip("\n") + "\n" + NEXT + after


def main() -> None:
    data = vectors()
    (HERE / "exchange.json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8", newline="\n")
    PAGE.write_text(with_example(PAGE.read_text(encoding="utf-8"), data), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
