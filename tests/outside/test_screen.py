"""A game of which the client has never heard, on the screen: bids, tricks and their takers, trump, moves."""

from __future__ import annotations

from random import Random

import pytest

from cli.terminal.canvas import Action
from cli.terminal.settings import TerminalSettings
from cli.text import languages
from protocol.cards import Card
from protocol.games import LocalTable, load
from protocol.games.views import PublicView
from tests.cli.screen.stage import NAMES, Stage


def seated(name: str, seats: int = 3, lang: str = "en") -> Stage:
    """We bid first, and lead."""
    return Stage(LocalTable(load(name, seats), Random(3), dealer=seats - 1), settings=TerminalSettings(lang=lang))


def others_move(stage: Stage) -> None:
    """All others make their first legal move, as long as it is not our turn."""
    while (turn := stage.table.view(0)["turn"]) not in (0, None):
        stage.moves(turn, stage.table.game.encode(stage.table.legal(turn)[0]))


def bidden(name: str, seats: int = 3, lang: str = "en") -> Stage:
    stage = seated(name, seats, lang)
    stage.press("1", "enter")
    others_move(stage)
    stage.clock.passes(1)  # an Enter at once would be taken for a second one at the bid
    return stage


def test_a_bid_is_chosen_by_the_games_own_question_and_label(whisk: str) -> None:
    stage = seated(whisk)
    text = stage.text()
    assert "How many tricks?" in text
    assert "bid 6" in text
    assert "bid 7" not in text
    stage.press("3")
    assert "YOUR CHOICE  Bid 3" in stage.text()
    assert not stage.played
    stage.press("left", "enter")
    assert stage.played == [{"do": "bid", "tricks": 2}]


def test_a_bid_can_be_clicked(whisk: str) -> None:
    stage = seated(whisk)
    stage.click(Action("choose", 4))
    assert stage.played == [{"do": "bid", "tricks": 4}]


def test_the_seats_show_bids_and_tricks(whisk: str) -> None:
    stage = bidden(whisk)
    assert [tile.note for tile in stage.view.seats] == ["0 of 1 tricks", "0 of 0 tricks", "0 of 0 tricks"]
    assert "0/1" in stage.text(60, 20)


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (60, 20), (100, 30), (200, 60)])
def test_the_trick_shows_who_played_what(whisk: str, seats: int, columns: int, rows: int) -> None:
    stage = bidden(whisk, seats)
    stage.press("enter")
    played = stage.played[-1]["cards"]
    stage.moves(1, stage.table.game.encode(stage.table.legal(1)[0]))
    second = stage.table.public_view(0).trick
    assert second is not None
    faces = [stage.parts.at.cards.face(card) for card in (*played, second.plays[1].cards[0])]
    trick = stage.view.trick
    assert trick is not None
    assert trick.cards == tuple(faces)
    assert trick.players == ("you", "Jonas")
    assert trick.players[trick.best] == (NAMES[second.winner] if second.winner else "you")
    lines = stage.text(columns, rows).splitlines()
    below = next(y for y, line in enumerate(lines) if "you" in line.split() and "Jonas" in line.split())
    above = " ".join(lines[max(0, below - 5) : below])
    assert all(face.rank in above and face.suit in above for face in faces)


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (60, 20), (40, 12), (100, 30)])
def test_who_took_the_trick_is_told_until_the_next_lead(whisk: str, lang: str, columns: int, rows: int) -> None:
    stage = bidden(whisk, lang=lang)
    stage.press("enter")
    for seat in (1, 2):
        stage.moves(seat, stage.table.game.encode(stage.table.legal(seat)[0]))
    taken = stage.table.public_view(0).last_trick
    assert taken is not None
    assert taken.taker is not None
    trick = stage.view.trick
    assert trick is not None
    assert len(trick.cards) == 3
    told = {"en": "took the trick", "de": "den Stich", "ja": "トリックを取りました"}[lang]
    assert told in trick.label
    assert taken.taker == 0 or NAMES[taken.taker] in trick.label
    assert told in " ".join(stage.text(columns, rows).split())


def test_cards_that_follow_suit_are_bright_and_others_are_refused(whisk: str) -> None:
    stage = Stage(LocalTable(load(whisk, 3), Random(3), dealer=0))
    others_move(stage)
    stage.press("1", "enter")
    others_move(stage)
    stage.clock.passes(1)
    trick = stage.table.public_view(0).trick
    assert trick is not None
    led = trick.plays[0].cards[0][1]
    follows = {card for card in stage.hand if card[1] == led} or set(stage.hand)
    shown = {Card(held.card) for held, card in zip(stage.parts.hand.cards, stage.view.hand, strict=True) if card.fits}
    assert shown == follows != set(stage.hand), "else the deal shows nothing"
    wrong = next(place for place, card in enumerate(stage.hand) if card not in follows)
    count = len(stage.played)
    stage.click(Action("card", wrong))
    stage.press("enter")
    assert len(stage.played) == count
    assert "follow suit" in " ".join(stage.text().split())


def test_a_hint_names_only_cards_that_can_be_played(whisk: str) -> None:
    stage = bidden(whisk)
    stage.press("h")
    assert "Option 1 of 6: " in stage.prompt
    assert set(stage.chosen) <= set(stage.hand)
    stage.press("enter")
    assert stage.played[-1] == {"do": "play", "cards": [stage.played[-1]["cards"][0]]}


def test_a_whole_round_is_played_by_keys(whisk: str) -> None:
    stage = bidden(whisk, 4)
    for _card in range(6):
        others_move(stage)
        stage.press("h", "enter")
        stage.tick(1)
    others_move(stage)
    assert stage.table.last_round is not None
    assert len([move for move in stage.played if move["do"] == "play"]) == 6
    stage.tick(5)
    assert "Total" in stage.text()


def test_the_trump_is_always_seen(whisk: str) -> None:
    stage = seated(whisk)
    trump = stage.table.public_view(0).trump
    assert trump is not None
    assert f"Trump: {stage.parts.at.cards.suit_name(trump)}." in stage.text()
    stage = bidden(whisk)
    trick = stage.view.trick
    assert trick is not None
    assert trick.sign == ("trump", stage.parts.at.cards.glyph(trump))
    assert f"trump   {stage.parts.at.cards.glyph(trump)}" in stage.text()


def test_a_key_for_moves_of_other_games_is_refused_in_our_words(whisk: str) -> None:
    stage = bidden(whisk, 4)
    stage.press("d")
    assert stage.prompt.endswith("You can’t do that in this game.")


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (60, 20), (100, 30)])
def test_where_our_own_place_is_not_drawn_our_bid_and_points_are_seen(whisk: str, columns: int, rows: int) -> None:
    stage = bidden(whisk, 4)
    stage.press("escape")
    text = stage.text(columns, rows)
    assert "You 0" in text
    assert "0 of 1 tricks" in text


def test_a_face_is_asked_about_seats_only_once_cards_are_dealt(whisk: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until then the view is empty, and a face that reads a seat's view would crash the program."""
    stage = Stage(LocalTable(load(whisk, 3), Random(3), dealer=0), begun=False)
    monkeypatch.setattr(type(stage.playing), "view", lambda _playing: PublicView())
    face = stage.parts.face
    for name in ("seat_note", "seat_short", "chip"):
        monkeypatch.setattr(type(face), name, lambda face, seat: f"holds {face.at.view.seats[seat].hand_size}")
    assert "holds" not in stage.text()
    monkeypatch.undo()
