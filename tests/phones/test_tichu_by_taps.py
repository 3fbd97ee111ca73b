"""Two phones at a table of Tichu, by taps alone: whoever plays them looks into both hands, so that bombs come soon."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from cli.bench.chrome import Tab
from tests.phones.test_browser import Evening, evening, join_port, near, press, reason
from tests.web.thumbs import Thumb

pytestmark = [
    pytest.mark.soak,
    pytest.mark.sockets,
    pytest.mark.timeout(3600),
    pytest.mark.skipif(bool(reason()), reason=reason() or "-"),
]
MATCHES = 12
ROUND_S = 400.0
WANTED = {"bomb", "dragon", "wish", "tichu", "grand", "give"}
LOOK = """(() => {
  const shown = (each) => each.innerText.replace(/\\s+/g, ' ').trim();
  const all = (selector) => [...document.querySelectorAll(selector)];
  return JSON.stringify({
    scores: Boolean(document.querySelector('main.scores')),
    mood: document.querySelector('.table .prompt')?.dataset.mood ?? '',
    prompt: all('.table .prompt').map(shown).join(),
    hand: all('.slot').map((each) => each.getAttribute('aria-label').split(',')[0]),
    picked: all('.slot[aria-selected="true"]').length,
    answers: all('.answers button').map(shown),
    receivers: all('.place .name').map(shown),
    given: all('.place .card').length,
    buttons: Object.fromEntries(all('.table .actions [data-key]').map((each) => [each.dataset.key, shown(each)])),
  });
})()"""


class Player(Thumb):
    """`done`: what was tapped; `gifts`: what goes to whom in the exchange."""

    def __init__(self, tab: Tab, name: str) -> None:
        super().__init__(tab)
        self.name = name
        self.gifts: list[str] = []
        self.has_asked = False
        """For a hint, to which nothing was answered."""

    def look(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.tab.js(LOOK))
        return found

    def plays_on(self) -> bool:
        """Tap once if there is something to do; return whether the score sheet is there."""
        now = self.look()
        buttons = now["buttons"]
        if now["scores"] or now["mood"] not in ("turn", "wait", "no"):
            return bool(now["scores"])
        if buttons.get("bomb") == "Bomb now":
            self._tap('[data-key="bomb"]', "bomb")
        elif now["mood"] == "wait":
            pass
        elif now["answers"]:
            self._answer(now)
        elif now["receivers"]:
            self._give(now)
        elif "tichu" in buttons and "tichu" not in self.done and len(now["hand"]) == 14:
            self._tap('[data-key="tichu"]', "asked")
        elif "bomb" in buttons and "pass" in buttons:
            self._tap('[data-key="pass"]', "kept")
        elif now["picked"] and "play" in buttons:
            self._tap('[data-key="play"]', "play")
        elif "hint" in buttons and not self.has_asked:
            self.has_asked = True
            self._tap('[data-key="hint"]', "hint")
            return False
        else:
            self._tap(f'[data-key="{"pass" if "pass" in buttons else "play"}"]', "pass")
        self.has_asked = False
        return False

    def _answer(self, now: dict[str, Any]) -> None:
        answers = now["answers"]
        if "Grand Tichu?" in now["prompt"]:
            calls = self.name == "Lena" and "grand" not in self.done
            self._tap(f'[data-key="choice-{0 if calls else 1}"]', "grand" if calls else "no")
        elif answers[0].startswith("Call Tichu"):
            self._tap('[data-key="choice-0"]', "tichu")
        elif "Dragon" in now["prompt"]:
            self._tap('[data-key="choice-1"]', "dragon")
        elif "wish for a rank" in now["prompt"]:
            self._tap('[data-key="choice-7"]', "wish")
        else:
            self._tap('[data-key="choice-0"]', "answer")

    def _give(self, now: dict[str, Any]) -> None:
        if now["given"] == 3:
            self._tap('[data-key="play"]', "give")
        elif self.gifts:
            self._tap_card(now["hand"].index(self.gifts[now["given"]]), "gift")


def rank_of(card: str) -> str:
    """Of special cards: nothing."""
    return card.partition(" of ")[0] if " of " in card else ""


def agree(one: Player, other: Player) -> None:
    """Choose the gifts of both so that a player who holds three of a kind gets the fourth from the other."""
    hands = {each.name: each.look() for each in (one, other)}
    if any(len(found["hand"]) != 14 or not found["receivers"] or found["given"] for found in hands.values()):
        return
    for giver, taker in ((one, other), (other, one)):
        hand, receivers = hands[giver.name]["hand"], hands[giver.name]["receivers"]
        own = Counter(map(rank_of, hand))
        missing = {rank for rank, count in Counter(map(rank_of, hands[taker.name]["hand"])).items() if count == 3}
        usual = sorted((each for each in hand if rank_of(each)), key=lambda each: own[rank_of(each)] > 2)
        fourth = next((each for each in usual if rank_of(each) in missing and own[rank_of(each)] == 1), usual[0])
        rest = [each for each in usual if each != fourth]
        at = next(place for place, name in enumerate(receivers) if taker.name in name)
        giver.gifts = [*rest[:at], fourth, *rest[at:]][:3]


def play_round(players: Sequence[Player]) -> None:
    until = time.monotonic() + ROUND_S
    for each in players:
        each.gifts = []
    are_done = [False]
    while not all(are_done):
        are_done = [each.plays_on() for each in players]
        if not players[0].gifts:
            agree(*players)
        assert time.monotonic() < until, [(each.look(), each.tab.told, each.tab.text()) for each in players]
        time.sleep(0.03)


def sits_down(at: Evening, address: str, name: str) -> Player:
    tab = at.browser().tab()
    tab.open(f"{address}&name={name}")
    press(tab, "Ready")
    return Player(tab, name)


def test_all_of_tichu_by_taps_among_real_peers(tmp_path: Path) -> None:
    """Bombs out of turn, the Dragon's gift, the wish, both calls, the exchange: match after match until all were seen."""
    done: set[str] = set()
    for number in range(MATCHES):
        folder = tmp_path / str(number)
        folder.mkdir()
        with evening(folder) as at:
            host = at.start("Mia", "host", "tichu", "--phones", "--rounds", "1", "--grace", "3")
            at.start("Jonas", "join", join_port(host), "--matches", "1")
            players = [sits_down(at, near(host.said("phones")), name) for name in ("Lena", "Paul")]
            for each in players:
                each.done |= done
            play_round(players)
            done |= players[0].done | players[1].done
            assert [each.tab.told for each in players] == [[], []]
            at.assert_equal_files()
        if done >= WANTED:
            return
    raise AssertionError(f"not seen in {MATCHES} matches: {WANTED - done}")
