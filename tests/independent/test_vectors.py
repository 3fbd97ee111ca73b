"""The vectors, read by the second program; and the page itself: what refers to it, and its example."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from protocol import wire
from protocol.errors import BadMessage
from protocol.games.catalogue import BUILT_IN, game_class
from protocol.table.verify import verify
from tests.independent import encoding
from tests.independent.encoding import Refused
from tests.independent.match import Match
from tests.rows import row
from tests.table.tables import stream
from tests.vectors import make_exchange, make_hashes

ROOT = Path(__file__).parent.parent.parent
VECTORS = ROOT / "tests" / "vectors"
HASHES: dict[str, Any] = json.loads((VECTORS / "hashes.json").read_text(encoding="utf-8"))
MESSAGES: dict[str, Any] = json.loads((VECTORS / "messages.json").read_text(encoding="utf-8"))
EXCHANGE: dict[str, Any] = json.loads((VECTORS / "exchange.json").read_text(encoding="utf-8"))
PAGE = (ROOT / "PROTOCOL.md").read_text(encoding="utf-8")


def value_of(data: Any) -> Any:
    """Plain data out of JSON: bytes stand as {"bytes": hex}."""
    if isinstance(data, dict) and list(data) == ["bytes"]:
        return bytes.fromhex(data["bytes"])
    if isinstance(data, list):
        return [value_of(item) for item in data]
    return {key: value_of(item) for key, item in data.items()} if isinstance(data, dict) else data


def unhexed(data: Any) -> Any:
    """The same where bytes stand as "hex:…"."""
    if isinstance(data, str) and data.startswith("hex:"):
        return bytes.fromhex(data[4:])
    if isinstance(data, list):
        return [unhexed(item) for item in data]
    return {key: unhexed(item) for key, item in data.items()} if isinstance(data, dict) else data


def lengthened(data: Any) -> bytes:
    if isinstance(data, str):
        return bytes.fromhex(data)
    return (
        bytes.fromhex(data["head"]) + bytes.fromhex(data["repeat"]) * int(data["count"]) + bytes.fromhex(data["tail"])
    )


# --- plain data and hashes ---


def test_plain_data() -> None:
    for case in HASHES["encodings"]:
        assert encoding.encode(value_of(case["value"])).hex() == case["bytes"]
        assert encoding.decode(bytes.fromhex(case["bytes"])) == value_of(case["value"])

        assert wire.unpack(bytes.fromhex(case["bytes"])) == value_of(case["value"])


@pytest.mark.parametrize("name", HASHES["invalid_encodings"])
def test_what_is_not_canonical_is_refused(name: str) -> None:
    data = bytes.fromhex(HASHES["invalid_encodings"][name])
    with pytest.raises(Refused):
        encoding.decode(data)
    with pytest.raises(BadMessage):
        wire.unpack(data)


def test_digests_and_draws() -> None:
    for case in HASHES["digests"]:
        assert encoding.digest(case["word"], *map(bytes.fromhex, case["parts"])).hex() == case["digest"]
    assert len({case["digest"] for case in HASHES["digests"]}) == len(HASHES["digests"])
    for case in HASHES["draws"]:
        seed, what = bytes.fromhex(case["seed"]), bytes.fromhex(case["what"])
        assert encoding.draw(seed, what, case["below"]) == case["value"]
    for case in HASHES["seats_by_lot"]:
        order = list(range(4))
        for i in range(3, 0, -1):
            j = encoding.draw(bytes.fromhex(case["seed"]), b"seat" + encoding.n(i), i + 1)
            order[i], order[j] = order[j], order[i]
        assert order == case["order"]
    case = HASHES["first_epoch"]
    assert encoding.digest("epoch", encoding.n(0), bytes.fromhex(case["table"])).hex() == case["hash"]


def test_words_are_those_of_the_page() -> None:
    block = PAGE.split("counted from 0.")[1].split("```text")[1].split("```")[0]
    words = block.split()
    assert len(words) == 256
    seed = encoding.digest("words", bytes.fromhex(HASHES["words"]["seed"]))
    assert [words[byte] for byte in seed[:4]] == HASHES["words"]["words"]
    key = encoding.digest("fingerprint", bytes.fromhex(HASHES["fingerprint"]["key"]))
    assert [words[byte] for byte in key[:8]] == HASHES["fingerprint"]["words"]


def test_the_vectors_are_those_that_this_program_makes() -> None:
    made = json.loads(json.dumps(make_hashes.vectors()))
    assert made == HASHES


# --- signed messages ---


def test_messages() -> None:
    key = bytes.fromhex(MESSAGES["key"])
    for case in MESSAGES["valid"]:
        found = encoding.read_message(bytes.fromhex(case["data"]))
        assert encoding.is_signed_by(key, found)
        assert (found.kind, found.seat, found.table.hex()) == (case["kind"], MESSAGES["seat"], MESSAGES["table"])
        assert list(found.body.values()) == unhexed(case["fields"])
        assert found.slot == (None if case["slot"] is None else tuple(case["slot"]))
        assert encoding.encode(["m", found.payload, found.signature]) == found.data
    assert {case["kind"] for case in MESSAGES["valid"]} == set(encoding.KINDS)


def test_forged_messages_are_not_signed() -> None:
    for case in MESSAGES["forged"]:
        found = encoding.read_message(bytes.fromhex(case["data"]))
        assert not encoding.is_signed_by(bytes.fromhex(MESSAGES["key"]), found), case["why"]


def test_malformed_messages_are_refused() -> None:
    for case in MESSAGES["invalid"]:
        with row(case["why"]), pytest.raises(Refused):
            encoding.read_message(lengthened(case["data"]))


def test_keys_of_small_order_sign_nothing() -> None:
    message = encoding.read_message(bytes.fromhex(MESSAGES["valid"][0]["data"]))
    forged = encoding.Message(
        **{**vars(message), "signature": bytes.fromhex(HASHES["keys_that_sign_nothing"]["signature"])}
    )
    for key in HASHES["keys_that_sign_nothing"]["keys"]:
        assert not encoding.is_signed_by(bytes.fromhex(key), forged)


def test_frames() -> None:
    for case in MESSAGES["frames"]:
        assert [data.hex() for data in encoding.frames(bytes.fromhex(case["frame"]))] == [case["content"]]
    for case in MESSAGES["not_frames"]:
        with pytest.raises(Refused):
            list(encoding.frames(bytes.fromhex(case["data"])))


# --- the example ---


def test_the_example_is_a_match() -> None:
    """Message by message, with all that the vector says in between."""
    match = Match(bytes.fromhex(EXCHANGE["roster"]["wire"]))
    assert match.table.hex() == EXCHANGE["table"]
    shown = set()
    for each in EXCHANGE["messages"]:
        round = match.next_round or match.round
        match.feed(bytes.fromhex(each["wire"]))
        then = each.get("then", {})
        shown |= set(then)
        found = {
            "seed": match.seed,
            "dealer": match.dealer,
            "seating": match.seating,
            "state_hash": match.state_hash,
            "height": match.height,
            "certificate": match.previous,
            "joint_key": round and round.joint,
        }
        for name in set(found) & set(then):
            value: Any = found[name]
            assert (value.hex() if isinstance(value, bytes) else value) == then[name], (each["kind"], name)
        if "state" in then:
            assert encoding.digest("state", bytes.fromhex(then["state"])) == match.state_hash
    assert shown >= {"seed", "joint_key", "preparation", "choice", "certificate", "state", "state_hash", "height"}
    assert match.phase == "over"
    assert (match.previous.hex(), list(match.scores)) == (EXCHANGE["match"], EXCHANGE["scores"])


def test_the_example_is_the_same_match_to_this_program() -> None:
    frames = [EXCHANGE["roster"]["wire"], *(each["wire"] for each in EXCHANGE["messages"])]
    report = verify(b"".join(wire.frame(bytes.fromhex(data)) for data in frames), stream(1))
    assert report.complete
    assert report.match.hex() == EXCHANGE["match"]


def test_the_page_shows_this_example() -> None:
    """`make vectors` writes both."""
    assert make_exchange.with_example(PAGE, EXCHANGE) == PAGE


# --- the page ---

HEADINGS = [re.sub(r"^[\d.]+ ", "", line) for line in re.findall(r"^#+ (.*)$", PAGE, re.MULTILINE)]


def test_links_within_the_page_lead_somewhere() -> None:
    slugs = {
        re.sub(r"[^\w\- ]", "", line.lower()).replace(" ", "-") for line in re.findall(r"^#+ (.*)$", PAGE, re.MULTILINE)
    }
    assert not [link for link in re.findall(r"\]\(#([^)]*)\)", PAGE) if link not in slugs]


def test_the_code_refers_to_sections_that_exist() -> None:
    missing = []
    for folder in ("protocol", "p2p", "cli", "tests"):
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            for names in re.findall(r"PROTOCOL\.md(?:,|:) ((?:\"[^\"]+\"(?:, | and )?)+)", text):
                missing += [(path.name, name) for name in re.findall(r'"([^"]+)"', names) if name not in HEADINGS]
    assert not missing


def test_the_page_lists_the_vectors() -> None:
    listed = set(re.findall(r"^\| `([\w/]+\.json)`", PAGE, re.MULTILINE))
    assert listed == {path.relative_to(VECTORS).as_posix() for path in VECTORS.rglob("*.json")}


def rows(after: str) -> list[list[str]]:
    """The cells of the first table behind some text, without its head."""
    lines = PAGE.split(after, 1)[1].split("\n")
    first = next(at for at, line in enumerate(lines) if line.startswith("| --- |"))
    found = []
    for line in lines[first + 1 :]:
        if not line.startswith("|"):
            break
        found.append([cell.strip() for cell in line.strip("|").split(" | ")])
    return found


def test_the_page_lists_the_fields_of_every_message() -> None:
    shown = {}
    for kind, fields, slot, *_ in rows("The fields are listed in order."):
        flat = re.sub(r"\([^()]*\)", "", re.sub(r"\([^()]*\)", "", re.sub(r"\[[^\[\]]*\]", "", fields)))
        names = [] if flat == "–" else [each.split(":")[0].strip() for each in flat.split(",")]
        shown[kind.strip("`")] = (names, slot.split(", in")[0])
    assert {kind: names for kind, (names, _) in shown.items()} == {
        kind: list(fields) for kind, (fields, _) in encoding.KINDS.items()
    }
    for kind, (_, slot) in shown.items():
        parts = encoding.KINDS[kind][1]
        said = "–" if parts is None else f"({', '.join(parts.split())})".replace("(vote", '("vote"')
        assert slot == said, kind


def test_the_page_lists_every_option() -> None:
    shown: dict[str, set[str]] = {}
    game = ""
    for first, options, *_ in rows("### 14.1 Options"):
        game = first or game
        shown.setdefault(game, set()).update(re.findall(r"`(\w+)`", options))
    assert shown == {name: set(game_class(name).OPTIONS) for name in BUILT_IN}
