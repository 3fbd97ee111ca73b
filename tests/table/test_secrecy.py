"""What a seat may not know, it cannot find in anything that it is given; and no message makes a seat tell more than the log
demands."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from protocol.dealing.elgamal import MaskedCard
from protocol.dealing.group import Point
from protocol.dealing.keys import RoundSecret
from protocol.messages import Message, MoveProposal, Remask, Reveal, Shares, Shuffled, Vote
from protocol.signed import Page, decode, decode_signed
from protocol.table.record import Phase
from protocol.table.roster import TableOptions
from protocol.table.round import Round
from protocol.table.step import Entry, Step
from protocol.table.table import Table
from protocol.values import replace
from tests.adversaries.declared import By, attack
from tests.table.adversaries.forger import CHEATER, Forger
from tests.table.tables import Tables, giving
from tests.table.watcher import ShareWatcher

ONE_ROUND = TableOptions(pause=0, grace=0, rounds=1)
SMALL: dict[str, Any] = {"hand": 5, "draw": "one", "target": 500}
TICHU: dict[str, Any] = {"game": "tichu", "seats": 4, "options": {}}


def secrets_of(table: Table) -> dict[str, bytes]:
    """What this seat keeps to itself, as long as it has not revealed it: by what it is."""
    found: dict[str, bytes] = {}
    for number, secret in table.hand.secrets.items():
        if table.record.from_seat(table.seat, "reveal", number) is None and number > table.record.rounds_closed:
            found |= {f"x of round {number}": secret.x.encode(), f"seed of round {number}": secret.seed}
    return found


def assert_hidden(text: str, secret: bytes, what: str) -> None:
    assert secret.hex() not in text, what
    assert repr(secret)[2:-1] not in text, what
    assert str(int.from_bytes(secret, "little")) not in text, what


# --- what is printed ---


def printed(value: object) -> str:
    """In both ways; as text most print what they do anyway."""
    return repr(value) + (str(value) if type(value).__str__ is not object.__str__ else "")


class Printing(Tables):
    """Prints everything that passes through a driver's hands, as a log or a traceback would."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.printed = 0
        self.shown: dict[int, Round] = {}

    def take(self, index: int, step: Step) -> None:
        table = self.clients[index].table
        private = [*step.events, *(entry for entry in step.records if entry.kind == "secret"), *step.work]
        text = "\n".join(map(printed, private))
        reveals = any(isinstance(m.message, Reveal) for m in map(self.read, step.outbox) if m is not None)
        if not reveals:
            text += printed(step)
        text += repr(table) + repr(table.hand) + repr(table.identity) + repr(table.record) + repr(table.choice.intent)
        round = table.record.round
        if round is not None and not round.secrets and round is not self.shown.get(index):
            self.shown[index] = round  # a round never changes
            text += repr(round)
        for seat, client in enumerate(self.clients):
            for what, secret in secrets_of(client.table).items():
                assert_hidden(text, secret, f"{what} of seat {seat}, at seat {index}")
            assert_hidden(text, client.identity.secret_seed, f"identity of seat {seat}")
        self.printed += len(text)
        super().take(index, step)

    @staticmethod
    def read(letter: Any) -> Any:
        found = decode(letter.data)
        return None if isinstance(found, Page) else found


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), [("crazy-eights", 2), pytest.param("tichu", 4, marks=pytest.mark.soak)])
def test_no_secret_stands_in_what_is_printed(game: str, seats: int) -> None:
    tables = Printing(game, seats, {"hand": 2} if seats == 2 else {}, 1, table=ONE_ROUND)
    tables.start()
    if game == "tichu":
        while tables.clients[0].table.record.height < 16:
            tables.move_someone()
            tables.turn()
    else:
        tables.play()
    assert tables.printed > 10_000


def test_secret_lines_of_the_journal_hide_themselves() -> None:
    assert "07" * 8 not in repr(Entry("secret", bytes([7]) * 64))
    assert "070707" not in repr(Step(records=(Entry("secret", bytes([7]) * 64),)))


# --- what is sent ---


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), [("crazy-eights", 3), ("tichu", 4)])
def test_no_secret_is_sent_before_the_round_is_over(game: str, seats: int) -> None:
    """Neither in a letter, nor in what the journal and the transcript keep of the match."""
    options = SMALL | {"hand": 2} if seats == 3 else {}
    tables = Tables(game, seats, options, 1, table=TableOptions(pause=0, grace=0, rounds=2))

    def listen(sender: int, to: int, data: bytes) -> bytes:
        for client in tables.clients:
            for what, secret in secrets_of(client.table).items():
                assert secret not in data, what
                assert client.identity.secret_seed not in data
        return data

    tables.tamper = listen
    tables.start()
    if game == "tichu":  # its exchange is over then
        while tables.clients[0].table.record.height < 20:
            tables.move_someone()
            tables.turn()
    else:
        tables.play()
    for client in tables.clients:
        assert {entry.kind for entry in client.journal} == {"in", "out", "secret", "mark"}


@pytest.mark.usefixtures("toy")
def test_a_nonce_is_not_sent_before_all_have_sealed() -> None:
    forger = Forger(lambda m, to: None if m.kind == "seal" else m)
    forger.start()
    forger.for_seconds(30)
    nonces = [forger.tables.clients[seat].nonce for seat in forger.honest]
    assert not [data for _, _, data in forger.honest_bytes if any(nonce in data for nonce in nonces)]


@pytest.mark.parametrize(("game", "seats"), [("crazy-eights", 3), ("tichu", 4)])
@pytest.mark.usefixtures("toy")
def test_faces_of_others_are_not_in_ones_view(game: str, seats: int) -> None:
    """Each client's own knowledge, at every step: its hand, and no slot of another's opens with what is public."""
    tables = Tables(game, seats, SMALL if seats == 3 else {}, 2, table=ONE_ROUND)
    tables.start()
    looked = 0
    while not tables.clients[0].table.is_over and looked < 40:
        tables.move_someone()
        tables.turn()
        for client in tables.clients:
            table, record = client.table, client.table.record
            if record.phase is not Phase.PLAYING or record.round is None:
                continue
            looked += 1
            view = table.view()
            shown = {seat for seat, each in enumerate(view.seats) if each.hand is not None}
            assert shown <= {table.seat}, "a view shows its own hand alone"
            known = set(table.hand.faces_known)
            for seat, hand in enumerate(record.round.hands):
                for place in hand:
                    if seat != table.seat:
                        assert place.card not in known
                        assert seat not in place.shares or place.face is not None, "its owner's share is not public"
            for place in record.round.stock:
                assert not place.shares, "nobody has taken a layer off the stock"
    assert looked >= 10


# --- decryption oracle ---


@pytest.mark.sample
@pytest.mark.parametrize(("game", "seats"), [("crazy-eights", 3), ("macau-wars", 3), ("tichu", 4)])
@pytest.mark.usefixtures("toy")
def test_honest_seats_open_what_the_log_demands_and_nothing_else(
    game: str, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {"crazy-eights": SMALL, "macau-wars": {"hand": 3}}.get(game, {})
    tables = Tables(game, seats, options, 3, table=ONE_ROUND)
    watcher = ShareWatcher(tables, range(seats), monkeypatch)
    tables.start()
    for _ in range(3000):
        if all(client.table.is_over for client in tables.clients):
            break
        tables.move_someone()
        tables.turn()
        watcher.note_remasks()
    assert watcher.count > 10 and watcher.gone


def mutated(random: Random, forger: Forger) -> Callable[[Message, int], Message | None]:
    """Changes about a message in six: its bytes, cards and places go astray, come from elsewhere, or not at all."""
    seen: list[bytes] = []

    def other(data: bytes) -> bytes:
        seen.append(data)
        fitting = [each for each in seen if len(each) == len(data)]
        cards = foreign_cards(forger)
        choice = random.randrange(4)
        if choice == 0 and len(data) >= 64 and cards:
            at = 64 * random.randrange(len(data) // 64)
            return data[:at] + random.choice(cards).encode() + data[at + 64 :]
        if choice == 1:
            return random.choice(fitting)
        if choice == 2 and len(data) >= 64:
            return data[32:64] + data[:32] + data[64:]
        return data[: -32 * random.randrange(3)] if random.random() < 0.3 else data

    def change(message: Message, to: int) -> Message | None:
        if random.random() > 1 / 6:
            return message
        if isinstance(message, Shuffled | Remask):
            return replace(message, cards=other(message.cards))
        if isinstance(message, Shares):
            return replace(message, shares=other(message.shares))
        if isinstance(message, MoveProposal):
            return replace(message, remask=other(message.remask), opening=other(message.opening))
        if isinstance(message, Vote):
            return replace(message, choice=other(message.choice))
        return message

    return change


def foreign_cards(forger: Forger) -> list[MaskedCard]:
    """Slots that are none of the cheater's business: others' hands, and the stock."""
    round = forger.record.round
    if round is None:
        return []
    hands = [place.card for seat, hand in enumerate(round.hands) if seat != CHEATER for place in hand]
    return hands + [place.card for place in round.stock[:10]]


@pytest.mark.slow
@attack(
    By.PLAYER,
    "Other computers are made to open a card that the rules do not open now.",
    "It does not work: computers open only what a certified move requires, once.",
)
@pytest.mark.parametrize("game", ["crazy-eights", "tichu"])
@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(2, 8))])
@pytest.mark.usefixtures("toy")
def test_no_message_makes_an_honest_seat_open_more(seed: int, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cheater sends what it likes, to each what it likes. Whatever comes of it, no honest seat takes its layer off a card of
    its own hand, of the stock, of a slot that is gone, or before all have signed the deck."""
    seats = 4 if game == "tichu" else 3
    forger = Forger(game=game, seats=seats, options={} if game == "tichu" else SMALL, seed=seed)
    watcher = ShareWatcher(forger.tables, forger.honest, monkeypatch)
    random = Random(seed)
    forger.start()
    forger.until_height(1 + seed % 4)
    forger.change = mutated(random, forger)
    for _ in range(1500):
        if forger.is_over():
            break
        forger.tables.move_someone()
        if not forger.tables.turn():
            break
        watcher.note_remasks()
    for seat in forger.honest:
        broken = forger.honest_record(seat).broken
        assert broken is None or broken.seat == CHEATER
    assert watcher.count


@pytest.mark.usefixtures("toy")
def test_a_slot_of_another_hand_cannot_be_drawn_into_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """The oracle attack: put the card that you want to see into your hand, and the others open it for you."""
    forger = Forger(seed=2, options={"hand": 5, "target": 500}, is_hasty=False)

    def stolen(message: Message, to: int) -> Message:
        if isinstance(message, MoveProposal) and message.remask:
            victim = forger.honest_record().round
            assert victim is not None
            targets.append(victim.hands[0][0].card)
            return replace(message, remask=targets[-1].encode() + message.remask[64:])
        return message

    targets: list[MaskedCard] = []
    forger.change = stolen
    watcher = ShareWatcher(forger.tables, forger.honest, monkeypatch)
    forger.start()
    forger.convicted("remask")
    assert targets
    assert not [card for _, card in watcher.given if card in targets and (0, card) in watcher.given]


@pytest.mark.slow
@attack(
    By.PLAYER,
    "Cards are requested before the deck is agreed on.",
    "It does not work: nobody opens anything before everyone has signed the deck.",
)
@pytest.mark.usefixtures("toy")
def test_shares_wait_for_everybodys_signature_on_the_deck(monkeypatch: pytest.MonkeyPatch) -> None:
    """One seat does not sign the deck: nobody opens anything, whatever else it sends."""
    forger = Forger(lambda m, to: None if isinstance(m, Vote) else m)
    watcher = ShareWatcher(forger.tables, forger.honest, monkeypatch)
    forger.start()
    forger.for_seconds(30)
    assert not watcher.count
    assert forger.honest_record().round is None
    for take in (None, 0, 1, 2):
        forger.inject(Shares(1, 0, take, bytes(32), bytes(32 * 10)))
    forger.for_seconds(5)
    for _, _, data in forger.honest_bytes:
        found = decode(data)
        inner = [decode_signed(each) for each in (found.messages if isinstance(found, Page) else (data,))]
        said = [each for each in inner if each.seat != CHEATER and isinstance(each.message, Shares)]
        assert not [each for each in said if each.epoch == 0], "a card of the deck that was never signed"


class Stingy(Table):
    """A Tichu player who gives no cards away."""

    @property
    def can_move(self) -> bool:
        return super().can_move and self.record.state.phase != "give"


@attack(
    By.PLAYER,
    "A player looks at the cards passed to them before passing on their own.",
    "It does not work: nobody opens any of these cards before everyone has passed theirs.",
)
@pytest.mark.usefixtures("toy")
def test_no_card_of_the_exchange_is_opened_before_all_have_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """One seat of a Tichu table gives nothing, whatever else it says. The others wait."""
    forger = Forger(game="tichu", seats=4, options={})
    forger.table.__class__ = Stingy
    watcher = ShareWatcher(forger.tables, forger.honest, monkeypatch)
    forger.start()

    def have_given() -> bool:
        round = forger.honest_record().round
        return round is not None and all(round.laid[seat] for seat in forger.honest)

    forger.until(have_given)
    forger.for_seconds(5)
    count, height = watcher.count, forger.honest_record().height
    for take in (None, *range(4)):
        forger.inject(Shares(height, 0, take, bytes(32), bytes(32 * 20)))
    forger.for_seconds(20)
    assert watcher.count == count and forger.honest_record().height == height


@pytest.mark.slow
@pytest.mark.usefixtures("toy")
def test_a_former_holder_never_opens_the_slot_that_it_gave_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the exchange a card changes hands: its old slot is closed for ever, also to the one who held it."""
    tables = Tables("tichu", 4, {}, 5, table=ONE_ROUND)
    watcher = ShareWatcher(tables, range(4), monkeypatch)
    tables.start()
    given: set[MaskedCard] = set()
    while tables.clients[0].table.record.state is None or tables.clients[0].table.record.state.phase in (
        "grand",
        "give",
    ):
        tables.move_someone()
        tables.turn()
        round = tables.clients[0].table.record.round
        if round is not None:
            given |= {place.card for laid in round.laid for place in laid}
    tables.play()
    owners = {card for seat, card in watcher.given}
    assert len(given) >= 9, "the last giver's cards move on at once"
    # each was opened to its giver by the three others when it was dealt, and by nobody since
    for card in given & owners:
        assert len([seat for seat, each in watcher.given if each == card]) == 3


# --- following a card through a hand ---


def partly_opened(cards: list[MaskedCard], secrets: list[RoundSecret]) -> list[Point]:
    """What all seats but one make of slots together: the face, still under the owner's layer."""
    found = []
    for card in cards:
        point = card.b
        for secret in secrets:
            point = point - secret.x * card.a
        found.append(point)
    return found


def assert_unlinkable(before: list[MaskedCard], after: list[MaskedCard], others: list[RoundSecret]) -> None:
    """Not one point of the old slots comes back in the new ones, nor in what the others can make of them."""
    old = {card.a for card in before} | {card.b for card in before}
    new = {card.a for card in after} | {card.b for card in after}
    assert not old & new
    assert not set(partly_opened(before, others)) & set(partly_opened(after, others))
    assert len(new) == 2 * len(after)


@pytest.mark.slow
@attack(
    By.PLAYER,
    "A card is tracked through a hand: whether the card played is the one just drawn.",
    "It does not work: every hand is masked and mixed again when a card enters it.",
)
def test_a_card_cannot_be_followed_through_a_draw() -> None:
    tables = Tables("crazy-eights", 3, {"hand": 5, "draw": "one", "target": 500}, 6, table=ONE_ROUND)
    tables.start()
    seen, positions = 0, []
    while seen < 12 and not tables.clients[0].table.is_over:
        record = tables.clients[0].table.record
        round, settling = record.round, giving(record)
        hands = [[place.card for place in hand] for hand in round.hands] if round else []
        stock = [place.card for place in round.stock] if round else []
        height = record.height
        tables.move_someone()
        tables.turn()
        begun = giving(record)
        if record.round is None or not hands or settling is not None or begun is None:
            continue
        for owner, before in begun.remasking.items():
            after = [place.card for place in record.round.hands[owner]]
            if owner not in begun.remasked:
                continue
            assert set(before) == {*hands[owner], stock[0]}
            others = [client.table.hand.secret(record.round) for client in tables.clients if client.table.seat != owner]
            assert_unlinkable(list(before), after, others)
            seen += 1
            drawer = tables.clients[owner].table
            tables.run(lambda: tables.clients[owner].table.record.height > height)  # noqa: B023  # asked at once
            reader = [client.table.hand.secrets[1].x for client in tables.clients]
            drawn = stock[0].b
            for x in reader:
                drawn = drawn - x * stock[0].a
            faces = drawer.hand.faces(drawer.record.round, owner)
            slots = [place.card for place in drawer.record.round.hands[owner]] if drawer.record.round else []
            opened = []
            for slot in slots:
                point = slot.b
                for x in reader:
                    point = point - x * slot.a
                opened.append(point)
            assert len(faces) == len(slots)
            positions.append(opened.index(drawn) / max(1, len(slots) - 1))
    assert seen >= 8
    assert len(set(positions)) > 2, "the drawn card lies anywhere in the new hand"


@pytest.mark.slow
def test_a_card_cannot_be_followed_through_the_exchange() -> None:
    tables = Tables("tichu", 4, {}, 7, table=ONE_ROUND)
    tables.start()
    record = tables.clients[0].table.record
    while not (record.state is not None and record.state.phase == "give"):
        tables.move_someone()
        tables.turn()
    while (settling := giving(record)) is None or not settling.remasking:
        tables.move_someone()
        tables.turn()
    before = {seat: list(cards) for seat, cards in settling.remasking.items()}
    assert sorted(before) == [0, 1, 2, 3]
    height = record.height
    tables.run(lambda: record.height > height)
    assert record.round is not None
    for owner, old in before.items():
        others = [c.table.hand.secret(record.round) for c in tables.clients if c.table.seat != owner]
        assert_unlinkable(old, [place.card for place in record.round.hands[owner]], others)


@pytest.mark.slow
def test_every_redraw_is_masked_afresh() -> None:
    """Two draws of one seat at two heights are masked with fresh randomness, though the hand is the same."""
    made: list[bytes] = []
    tables = Tables("crazy-eights", 3, SMALL, 6, table=ONE_ROUND)

    def listen(sender: int, to: int, data: bytes) -> bytes:
        found = decode(data)
        if not isinstance(found, Page) and isinstance(found.message, MoveProposal) and found.message.remask:
            made.append(found.message.remask)
        return data

    tables.tamper = listen
    tables.start()
    tables.play()
    unique = set(made)
    points = [each[at : at + 32] for each in unique for at in range(0, len(each), 32)]
    assert len(points) == len(set(points)) > 50
