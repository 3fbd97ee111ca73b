"""A game of which the client has never heard, in plain mode: its moves are typed, its tricks told."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cli.console import MONO, Terminal
from cli.games import registry
from cli.games.base.answers import Refusal, TypedMove, TypedQuestion
from cli.games.base.narrator import Narrator
from cli.games.face import Face
from cli.games.options import house_rules
from cli.games.position import Position
from cli.games.registry import face_of, face_type
from cli.games.rules_page import rules_lines
from cli.games.titles import game_title
from cli.plain.drawing import Drawing
from cli.plain.pages import part_of
from cli.plain.reader import Reader
from cli.text import languages, load_translator
from protocol.games import LocalTable, load
from protocol.games.game import Data
from protocol.games.views import PublicView, view_of
from protocol.table.roster import TableOptions
from tests.cli.practice import PracticeTable
from tests.cli.tables import NAMES, Typist, hear

EN = load_translator("en")
RUN = "import sys; from cli.main import main; sys.exit(main())"


def bidden(name: str, seed: int = 3) -> LocalTable:
    """Three players, each of whom has bid a trick; the player on the first seat leads."""
    table = LocalTable(load(name, 3), Random(seed), dealer=2)
    for seat in range(3):
        table.play(seat, {"do": "bid", "tricks": 1})
    return table


# --- told ---


def test_who_played_what_and_who_took_it_is_told(whisk: str) -> None:
    table = bidden(whisk)
    narrator = face_of(table.game).narrator(EN, NAMES[:3], 0)
    say = narrator.cards.say
    played = []
    for seat in range(3):
        before, card = table.public_view(0), table.legal(seat)[0].card
        table.play(seat, {"do": "play", "cards": [card]})
        played.append(say(card))
        told = narrator.moved(seat, {"do": "play", "cards": [card]}, before, table.public_view(0))
        assert told[0] == (f"You played {say(card)}." if seat == 0 else f"{NAMES[seat]} played {say(card)}.")
        if seat == 1:
            assert f"Trick: you {played[0]}, Jonas {played[1]}." in narrator.table(table.public_view(0))
    last = table.public_view().last_trick
    assert last is not None
    taker = last.taker
    assert taker is not None
    assert told[1] == ("You win the trick." if taker == 0 else f"{NAMES[taker]} wins the trick.")
    assert told[2] == ("Next: you." if taker == 0 else f"Next: {NAMES[taker]}."), "also where the last player leads"
    name = "you" if taker == 0 else NAMES[taker]
    situation = narrator.situation(table.public_view(0))
    assert f"Last trick, taken by {name}: you {played[0]}, Jonas {played[1]}, Hanako {played[2]}." in situation


def test_bids_and_trumps_are_told_in_the_games_own_words(whisk: str) -> None:
    table = LocalTable(load(whisk, 3), Random(3), dealer=2)
    narrator = face_of(table.game).narrator(EN, NAMES[:3], 0)
    assert "Now: bidding." in narrator.situation(table.public_view(0))
    stock = table.public_view().stock
    assert stock is not None
    trump = narrator.cards.suit(stock.open[0][1])
    assert f"Trump: {trump}." in narrator.round_began(1, table.public_view(0))
    before = table.public_view(0)
    table.play(0, {"do": "bid", "tricks": 2})
    assert narrator.moved(0, {"do": "bid", "tricks": 2}, before, table.public_view(0)) == ["You bid 2.", "Next: Jonas."]
    before = table.public_view(0)
    table.play(1, {"do": "bid", "tricks": 0})
    assert narrator.moved(1, {"do": "bid", "tricks": 0}, before, table.public_view(0))[0] == "Jonas bids 0."
    assert {"You: bid 2, 0 tricks.", "Jonas: bid 0, 0 tricks.", "Tricks bid: 2."} <= set(
        narrator.situation(table.public_view(0))
    )


@pytest.mark.parametrize("lang", languages())
def test_a_watcher_hears_a_round_of_bots(whisk: str, lang: str) -> None:
    table = PracticeTable(load(whisk, 4), NAMES[:4], (), Random(1), rounds=1)
    told, ended = hear(table, None, lang=lang, forever=True)
    assert ended.match is not None
    text, _ = "\n".join(told), load_translator(lang)
    assert "{" not in text
    taken = re.escape(_("{name} wins the trick.", name="@")).replace("@", "(?:Mia|Jonas|Hanako|Priya)")
    assert len(re.findall(taken, text)) == 6


# --- typed ---


def test_a_bid_is_typed_by_its_label_or_its_number_or_is_asked_for(whisk: str) -> None:
    def typist() -> Typist:
        return Typist(LocalTable(load(whisk, 3), Random(3), dealer=2))

    assert typist().plays("bid 3") == typist().plays("3") == {"do": "bid", "tricks": 3}
    mia = typist()
    assert mia.is_asked("bid") == "How many tricks? 0, 1, 2, 3, 4, 5 or 6."
    assert mia.plays("4") == {"do": "bid", "tricks": 4}
    assert typist().is_refused("bid 9") == "Bid once, and no more tricks than you hold cards."
    assert "“seven”" in typist().is_refused("bid seven")
    assert typist().plays("moves 2") == {"do": "bid", "tricks": 1}
    assert "moves" in typist().is_refused("moves 9")


def test_cards_are_played_by_number_or_name_and_a_refusal_names_what_fits(whisk: str) -> None:
    mia = Typist(bidden(whisk))
    hand = mia.position.hand
    assert mia.plays("2") == {"do": "play", "cards": [hand[1]]}
    jonas = Typist(mia.table, seat=1)
    assert jonas.is_refused("bid 2").startswith("Bid once, and no more tricks")
    assert mia.is_refused(mia.cards.say(hand[0])) == "It is Jonas’s turn."
    forbidden = [card for card in jonas.position.hand if card not in jonas.position.playable]
    for card in forbidden:
        refused = jonas.is_refused(card)
        assert refused.startswith("Play a card of your hand, and follow suit if you can.")
        assert "You can play " in refused
    fitting = next(iter(jonas.position.playable))
    assert jonas.plays(f"play {jonas.cards.say(fitting)}")["cards"] == [fitting]


def test_a_hint_can_be_typed_as_it_is_told(whisk: str) -> None:
    table = LocalTable(load(whisk, 3), Random(3), dealer=2)
    for _turn in range(3 + 18):
        typist = Typist(table, seat=table.to_act[0])
        told = typist.reader.moves.hint(typist.position)
        move = re.fullmatch(r"You can (?:play|type) (.*)\.", told)
        assert move, told
        typist.plays(move[1])


def test_words_of_games_that_are_known_here_mean_nothing(whisk: str) -> None:
    mia = Typist(bidden(whisk))
    for word in ("tichu", "give 1 2 3", "collect", "call"):
        assert mia.is_refused(word) == f"There is no “{word.split()[0]}” in this game. Type help."


@pytest.mark.slow
@pytest.mark.sockets
def test_a_script_plays_a_round_by_pipes(whisk_env: dict[str, str], tmp_path: Path) -> None:
    typed = "bid 1\n" + "hint\nmoves 1\n" * 6
    done = subprocess.run(
        [sys.executable, "-c", RUN, "--home", str(tmp_path), "play", "whisk", "--bots", "2", "--rounds", "1"],
        input=typed,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=240,
        env={**os.environ, **whisk_env, "PYTHONIOENCODING": "utf-8", "LANG": "C"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "You bid 1." in done.stdout
    assert len(re.findall(r"(?:You win|\w+ wins) the trick\.", done.stdout)) == 6
    assert "The round is over." in done.stdout
    assert "The match is over." in done.stdout


# --- named ---


def test_its_options_keep_their_own_labels(whisk: str) -> None:
    told = house_rules(EN, whisk, {"grand": True, "preset": "long", "target": 20}, TableOptions())
    assert told == [("Bonus for all tricks", "yes"), ("Length", "ten cards each"), ("Play to", "20 points")]
    assert house_rules(EN, whisk, {}, TableOptions(rounds=2)) == [("At most", "2 rounds")]
    assert game_title(EN, whisk) == "Whisk"
    page = "\n".join(rules_lines(EN, load(whisk, 3), 3, 80))
    assert page.startswith("There is no rules page for Whisk.")
    assert "- Length: six cards each" in page


def test_the_table_is_drawn_with_its_trick(whisk: str) -> None:
    table = bidden(whisk)
    card = table.legal(0)[0].card
    table.play(0, {"do": "play", "cards": [card]})
    narrator = face_of(table.game).narrator(EN, NAMES[:3], 1)
    drawing = Drawing(Terminal(True, False, False, MONO, 80), narrator.cards)
    lines = drawing.table(narrator, table.public_view(1), None)
    assert f"[{narrator.cards.short(card)}]" in "\n".join(lines)


def test_a_package_may_bring_a_face(whisk: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class WhiskFace(Face):
        pass

    class Entry:
        def __init__(self, found: Any) -> None:
            self.found = found

        def load(self) -> Any:
            if self.found is None:
                raise ImportError("a stranger's package is broken")
            return self.found

    for found, expected in ((WhiskFace, WhiskFace), ("no face", Face), (None, Face)):
        monkeypatch.setattr(registry, "entry_points", lambda group, name, found=found: [Entry(found)])
        face_type.cache_clear()
        assert type(face_of(load(whisk, 3))) is expected
    face_type.cache_clear()


# --- views of strangers ---


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"turn": 0},
        {"turn": 7, "hand_sizes": [1]},
        {"trick": ["Ks"], "owner": 9},
        {"trick": None, "turn": "Mia", "hand_sizes": "three", "scores": None, "out": [5]},
        {"top": "??", "suit": "x", "penalty": "many", "stock_size": -1},
    ],
)
def test_a_view_without_its_keys_breaks_nothing(whisk: str, data: Data) -> None:
    view = view_of(data)
    game = load(whisk, 3)
    narrator: Narrator = face_of(game).narrator(EN, NAMES[:3], 0)
    move = {"do": "swap", "with": 1}
    for told in (
        narrator.round_began(1, view),
        narrator.moved(1, move, view, view),
        narrator.moved(0, {"do": "play", "cards": ["Ks"]}, PublicView(), view),
        narrator.situation(view),
        narrator.announced(view),
        narrator.round_ended(view),
        narrator.match_ended(view),
    ):
        assert all(isinstance(each, str) for each in told)
    position = Position(game, face_of(game), 0, NAMES[:3], view, (), (), lambda _move: None)
    reader = Reader(EN, face_of(game), NAMES[:3], 0)
    assert reader.moves.hint(position) == "There is nothing for you to do right now."
    assert reader.help(position)
    for line in ("1", "bid 1", "pass", "Ks", "swap", "moves"):
        assert reader.read(line, position) is None or not isinstance(
            reader.read(line, position), (TypedMove, TypedQuestion)
        )
    assert isinstance(reader.read("9", position), Refusal)


def test_cards_that_lie_face_down_and_moves_without_words_are_told(whisk: str) -> None:
    narrator = face_of(load(whisk, 3)).narrator(EN, NAMES[:3], 0)
    assert narrator.deed(1, {"do": "play", "cards": 2}, PublicView(), PublicView()) == ["Jonas played 2 cards."]
    assert narrator.deed(0, {"do": "swap_hands", "seat": 2}, PublicView(), PublicView()) == ["You: swap hands Hanako."]
    assert narrator.deed(1, {"do": "bid"}, PublicView(), PublicView()) == ["Jonas: bid."], (
        "its words do not fit the move"
    )


def test_what_can_be_typed_instead_of_cards_is_told_with_the_hand(whisk: str) -> None:
    mia = Typist(LocalTable(load(whisk, 3), Random(3), dealer=2))
    narrator = face_of(mia.table.game).narrator(EN, NAMES[:3], 0)
    assert mia.reader.moves.hand(narrator, mia.position, False).endswith("You can type bid.")
    leading = Typist(bidden(whisk))
    assert "You can type" not in leading.reader.moves.hand(narrator, leading.position, False)


def test_rules_of_one_part_have_no_list_of_parts() -> None:
    assert part_of(EN, [("Options", ["- Cards: 5"])], "") == ["Options", "- Cards: 5"]
    assert part_of(EN, [("One", ["First."]), ("Two", ["Second."])], "")[0].startswith("The rules have 2 parts.")
