"""What is hidden stays hidden: every decryption share that an honest seat signs is for a card that the rules open just then.

The test knows all round keys, so that it can tell from a share D = x A alone which masked card it opens, whatever the message
around it says. A card of which all seats' shares are out is open to everybody; nothing else may ever become so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from protocol.cards import Seat
from protocol.dealing.elgamal import Deck, MaskedCard, decode_deck, encode_deck
from protocol.dealing.faces import card_point
from protocol.dealing.group import Point, Scalar, decode_point
from protocol.dealing.halves import HalfRemask
from protocol.dealing.keys import RoundSecret
from protocol.dealing.remasking import ShuffleWitness
from protocol.dealing.shares import open_with_secret
from protocol.dealing.shuffle import prove_shuffle
from protocol.messages import MoveProposal, Shares
from protocol.signed import Page, Signed, decode, decode_signed
from protocol.table import proposals, proposing
from protocol.table.events import Accused, CardOpened
from protocol.table.record import Record
from protocol.table.roster import TableOptions
from protocol.table.round import Round
from protocol.table.step import Step
from protocol.table.work import expand
from protocol.values import replace
from tests.table.matches import assert_all_agree
from tests.table.tables import Link, Tables, giving, printed

pytestmark = pytest.mark.usefixtures("toy")

ONE_ROUND = TableOptions(pause=0, grace=0, rounds=1)


@dataclass
class Onlooker:
    """Sees every letter and every table, and knows all secrets."""

    tables: Tables
    owner: dict[Point, Seat | None] = field(default_factory=dict)
    """By the A of a masked card: in whose hand it was seen first, None for the stock."""
    given: dict[Point, set[Seat]] = field(default_factory=lambda: defaultdict(set))
    """Whose shares are out."""
    played: set[Point] = field(default_factory=set)
    """What its owner opened in a proposal."""
    opened: int = 0
    read: set[bytes] = field(default_factory=set)

    def watch(self) -> None:
        take = self.tables.take

        def observed(index: int, step: Step) -> None:
            self.look(self.tables.clients[index].table.record)
            for letter in step.outbox:
                self.hear(letter.data, index)
            if index == 0:
                self.opened += sum(isinstance(event, CardOpened) for event in step.events)
            take(index, step)

        self.tables.take = observed  # type: ignore[method-assign]

    def look(self, record: Record) -> None:
        round = record.round
        if round is None:
            return
        settling = giving(record)
        turned_up = [settling.opening] if settling is not None and settling.opening is not None else []
        for place in (*round.stock, *turned_up):
            self.owner.setdefault(place.card.a, None)
        for seat, hand in enumerate(round.hands):
            for place in hand:
                # A gift that lies in the next hand, not masked yet, was the giver's.
                if self.owner.get(place.card.a) is None:
                    self.owner[place.card.a] = seat

    def hear(self, data: bytes, index: int) -> None:
        found = decode(data)
        for signed in map(decode_signed, found.messages) if isinstance(found, Page) else [found]:
            if signed.data not in self.read:
                self.read.add(signed.data)
                self.note(signed, index)

    def note(self, signed: Signed, index: int) -> None:
        message, seat = signed.message, signed.seat
        if not isinstance(message, Shares | MoveProposal):
            return
        round = self.tables.clients[index].table.record.round
        assert round is not None
        body = message.shares if isinstance(message, Shares) else message.opening
        row = [decode_point(body[at : at + 32]) for at in range(0, len(body), 32)[:-3]]
        inverse = self.secret(seat, round.number).x.inverse()
        for place, share in enumerate(row):
            a = inverse * share
            assert a in self.owner, "a share for what never lay on the table"
            if isinstance(message, MoveProposal):
                assert self.owner[a] == seat, "a card was played from another's hand"
                assert a == round.hands[seat][message.places[place]].card.a
                self.played.add(a)
            else:
                assert self.owner[a] != seat, "a share for a card in one's own hand"
            self.given[a].add(seat)

    def secret(self, seat: Seat, number: int) -> RoundSecret:
        return self.tables.clients[self.tables.at_seat(seat)].table.hand.secrets[number]

    def settle(self) -> None:
        """At the end, before any key was revealed for it: what is open is what was played or turned up."""
        seats = set(range(len(self.tables.clients)))
        wide_open = {a for a, givers in self.given.items() if givers == seats}
        turned_up = {a for a in wide_open if self.owner[a] is None}
        assert len(turned_up) == self.opened
        assert wide_open - turned_up == self.played
        for a, givers in self.given.items():
            if a not in wide_open:
                assert self.owner[a] is not None, "a share for a card of the stock that nobody took"
                assert givers <= seats - {self.owner[a]}


def watched(game: str, seats: int, options: dict[str, Any], seed: int, link: Link | None = None) -> Onlooker:
    tables = Tables(game, seats, options, seed, link, ONE_ROUND)
    onlooker = Onlooker(tables)
    onlooker.watch()
    return onlooker


@pytest.mark.sample
@pytest.mark.parametrize(
    ("game", "seats", "options", "link"),
    [
        ("crazy-eights", 3, {"recycle": True, "hand": 14}, None),
        ("crazy-eights", 2, {"target": 30}, Link(loss=0.05, double=0.1, delay=0.4)),
        pytest.param("macau-wars", 3, {"target": 0, "hand": 3}, None, marks=pytest.mark.soak),
        ("tichu", 4, {}, Link(delay=1.0)),
    ],
    ids=["recycled", "two", "macau-wars", "tichu"],
)
def test_only_what_the_rules_open_is_opened(game: str, seats: int, options: dict[str, Any], link: Link | None) -> None:
    onlooker = watched(game, seats, options, 2, link)
    with printed(2):
        onlooker.tables.start()
        onlooker.tables.play()
        assert_all_agree(onlooker.tables)
    onlooker.settle()
    assert onlooker.played
    assert len(onlooker.given) > len(onlooker.played)


# --- a cheat whose re-masked hand holds another's card ---


CHEAT = 1


def related(round: Round, secrets: list[RoundSecret], before: Deck) -> Deck:
    """The first card of another's hand with the face of our own first card: true, had we masked it so. The cheat has guessed
    the face; the test looks it up."""
    theirs = next(hand for seat, hand in enumerate(round.hands) if seat != CHEAT and hand)[0].card
    x_sum = sum((secret.x for secret in secrets), Scalar(0))
    guess, own = (card_point(open_with_secret(x_sum, card)) for card in (theirs, before[0]))
    return (MaskedCard(theirs.a, theirs.b - guess + own), *before[1:])


def unmasked(round: Round, secrets: list[RoundSecret], before: Deck) -> Deck:
    """The hand as it was."""
    return before


@pytest.fixture
def onlooker(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Onlooker]:
    """A table where the cheat's proposals that draw hold the hand of the parameter, proved as well as it can."""
    onlooker = watched("crazy-eights", 3, {"hand": 5}, 4)
    complete = proposing.complete

    def cheating(
        round: Round, seat: Seat, secret: RoundSecret, draft: proposing.Draft, seed: bytes, half: HalfRemask | None
    ) -> proposing.Composed:
        made = complete(round, seat, secret, draft, seed, half)
        message = made.message
        if seat != CHEAT or not draft.remask_before:
            return made
        assert isinstance(message, MoveProposal)
        before = draft.remask_before
        after = request.param(round, [onlooker.secret(each, round.number) for each in round.holders], before)
        witness = ShuffleWitness(tuple(range(len(before))), (Scalar(0),) * len(before))
        context = round.context(message.height, seat, proposals.REMASK_PURPOSE)
        proof = prove_shuffle(context, round.joint, before, after, witness, expand(seed))
        cheated.append(after)
        return proposing.Composed(replace(message, remask=encode_deck(after), remask_proof=proof))

    cheated: list[Deck] = []
    monkeypatch.setattr(proposing, "complete", cheating)
    onlooker.tables.start()
    yield onlooker
    assert cheated, "the cheat never drew"


@pytest.mark.parametrize("onlooker", [related], indirect=True)
def test_a_hand_that_holds_anothers_card_is_refused(onlooker: Onlooker) -> None:
    tables = onlooker.tables
    honest = [client for client in tables.clients if client.table.seat != CHEAT]
    while not all(any(isinstance(event, Accused) for event in client.events) for client in honest):
        tables.move_someone()
        tables.turn()
    for index, client in enumerate(tables.clients):
        if client.table.seat != CHEAT:
            accused = [(event.seat, event.what) for event in client.events if isinstance(event, Accused)]
            assert accused == [(CHEAT, "remask")], index
    onlooker.settle()


@pytest.mark.slow
@pytest.mark.parametrize("onlooker", [unmasked], indirect=True)
def test_a_hand_that_is_not_masked_again_shows_nothing_of_others(onlooker: Onlooker) -> None:
    """Zeros are masks too. The others cannot know, play on, and open nothing that they would not have opened."""
    onlooker.tables.play()
    assert_all_agree(onlooker.tables)
    onlooker.settle()


def test_the_onlooker_reads_a_deck_as_the_tables_do() -> None:
    """It goes by A alone: no two cards on the table may share it."""
    onlooker = watched("crazy-eights", 3, {"hand": 5}, 4)
    tables = onlooker.tables
    tables.start()
    tables.run(lambda: all(client.table.can_move for client in tables.clients))
    round = tables.clients[0].table.record.round
    assert round is not None
    deck = decode_deck(encode_deck(round.chains[0].top), len(round.chains[0].faces))
    assert len({card.a for card in deck}) == len(deck) == len(onlooker.owner)
