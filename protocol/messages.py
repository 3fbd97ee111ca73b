"""Define every message that the seats of a sealed table sign. `protocol.table` decides what they mean and when they are due.

Each message is a class. Its `kind` is also the label of its signature; `codecs` are the wire formats of its fields, in order.
`slot` names what a seat may say only once: two different signed messages of one seat for one slot prove that it cheated, even
if they differ only in the nonces of a proof, because an honest seat resends what it saved and never makes a message twice.
Messages without a slot may be repeated. (PROTOCOL.md, "Messages".)
"""

from __future__ import annotations

from dataclasses import fields
from enum import IntEnum
from typing import Any, ClassVar, TypeAlias

from protocol.levels import HINT_LEVELS
from protocol.schema import (
    HASH,
    HEIGHT,
    KEY,
    MAX_HEIGHT,
    MAX_SEATS,
    NAME,
    SEAT,
    SEATS,
    Codec,
    FixedList,
    Flag,
    Maybe,
    Pair,
    Plain,
    Raw,
    Seq,
    String,
    Uint,
)
from protocol.values import dataclass

Slot: TypeAlias = tuple[str | int | None, ...]

MAX_CARDS = 216
"""The largest deck that any game deals from: four packs of 52 cards and two jokers each."""
MASKED_BYTES = 64
MAX_PROOF_BYTES = 32 * 1024
MAX_SHARES_BYTES = MAX_CARDS * 32 + 128
MAX_CHAT_BYTES = 400
MAX_EVIDENCE = 4
MAX_EVIDENCE_BYTES = 128 * 1024
MAX_STATE_BYTES = 256 * 1024

ROUND = Uint(1 << 20)
DECK = Uint(1 << 10)
STEP = Uint(MAX_HEIGHT)
STAGE = Uint(1 << 10)
COUNTER = Uint(1 << 40)
EPOCH = Uint(1 << 20)
MAX_ATTEMPTS = 256
ATTEMPTS = Seq(FixedList((EPOCH, SEATS, Seq(KEY, MAX_SEATS))), MAX_ATTEMPTS)
OUT = Seq(Pair(SEAT, Maybe(HASH)), MAX_SEATS)
ADDED = Seq(FixedList((SEAT, KEY, KEY, NAME, Flag())), MAX_SEATS)
CARDS = Raw(0, MAX_CARDS * MASKED_BYTES)
PROOF = Raw(0, MAX_PROOF_BYTES)


@dataclass(frozen=True, slots=True)
class Message:
    """Base class of all messages."""

    kind: ClassVar[str]
    codecs: ClassVar[tuple[Codec[Any], ...]] = ()

    @property
    def slot(self) -> Slot | None:
        """Return what a seat may say only once, or None if this message may be repeated."""
        return None

    def body(self) -> list[Any]:
        """Return the fields as plain data, in order."""
        return [codec.encode(getattr(self, field.name)) for field, codec in zip(fields(self), self.codecs, strict=True)]


# --- sealing a table ---


@dataclass(frozen=True, slots=True)
class Seal(Message):
    """Takes part in the table whose roster has this id."""

    kind: ClassVar[str] = "seal"

    @property
    def slot(self) -> Slot:
        return ("seal",)


@dataclass(frozen=True, slots=True)
class Nonce(Message):
    """Reveals the sender's part of the table seed, whose hash is in the roster. Sent once everyone has sealed."""

    kind: ClassVar[str] = "nonce"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (HASH,)
    nonce: bytes

    @property
    def slot(self) -> Slot:
        return ("nonce",)


# --- preparing a round ---


@dataclass(frozen=True, slots=True)
class Prepare(Message):
    """Gives the sender's round key with its proof, and the commitment to its shuffle seed."""

    kind: ClassVar[str] = "prepare"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (ROUND, Raw(1, 256))
    round: int
    key: bytes

    @property
    def slot(self) -> Slot:
        return ("prepare", self.round)


@dataclass(frozen=True, slots=True)
class Shuffled(Message):
    """Gives the sender's step of a deck's shuffle chain. Deck 0 is the round's first; later decks are recycled cards.

    `step` is the height that recycles them, here and in the two messages below; 0 for deck 0.
    `before` is the hash of the joint key and the deck that the sender received, so that it is not blamed if an earlier seat
    showed different decks to different seats.
    """

    kind: ClassVar[str] = "shuffled"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (ROUND, DECK, STEP, HASH, CARDS)
    round: int
    deck: int
    step: int
    before: bytes
    cards: bytes

    @property
    def slot(self) -> Slot:
        return ("shuffled", self.round, self.deck)


@dataclass(frozen=True, slots=True)
class ShuffleProof(Message):
    """Proves the sender's step of a shuffle chain."""

    kind: ClassVar[str] = "shuffle-proof"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (ROUND, DECK, STEP, PROOF)
    round: int
    deck: int
    step: int
    proof: bytes

    @property
    def slot(self) -> Slot:
        return ("shuffle-proof", self.round, self.deck)


@dataclass(frozen=True, slots=True)
class DeckAgreed(Message):
    """Confirms that the sender has checked all proofs of a recycled deck, and gives the deck's hash."""

    kind: ClassVar[str] = "deck-agreed"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (ROUND, DECK, STEP, HASH)
    round: int
    deck: int
    step: int
    hash: bytes

    @property
    def slot(self) -> Slot:
        return ("deck-agreed", self.round, self.deck)


# --- entries: proposed and voted ---


@dataclass(frozen=True, slots=True)
class Proposal(Message):
    """Base class of proposals: the entry that the author wants at this height. It is also the author's vote."""

    kind: ClassVar[str] = ""
    height: int
    previous: bytes
    state: bytes

    @property
    def slot(self) -> Slot:
        return ("vote", self.height)


@dataclass(frozen=True, slots=True)
class MoveProposal(Proposal):
    """Proposes a move: its data, the places of its cards in the hand, and the opening of those that become public.

    If the cards that the author itself draws can be foreseen, the re-masked hand and its proof are included.
    """

    kind: ClassVar[str] = "move"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (
        HEIGHT,
        HASH,
        HASH,
        Plain(),
        Seq(Uint(MAX_CARDS), MAX_CARDS),
        Raw(0, MAX_SHARES_BYTES),
        CARDS,
        PROOF,
    )
    move: dict[str, Any]
    places: tuple[int, ...]
    opening: bytes
    remask: bytes
    remask_proof: bytes


@dataclass(frozen=True, slots=True)
class BreakOff(Proposal):
    """Proposes to void a round that is stuck, as declared by the game, and to reveal its keys."""

    kind: ClassVar[str] = "break-off"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (HEIGHT, HASH, HASH)


@dataclass(frozen=True, slots=True)
class Vote(Message):
    """Gives the sender's only vote at a height: for a proposal, or for an opening or closing entry, which has no author."""

    kind: ClassVar[str] = "vote"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (HEIGHT, HASH, HASH, HASH)
    height: int
    previous: bytes
    state: bytes
    choice: bytes

    @property
    def slot(self) -> Slot:
        return ("vote", self.height)


@dataclass(frozen=True, slots=True)
class Echo(Message):
    """Confirms, after a split vote, which certificate the sender holds, before any card is opened on it."""

    kind: ClassVar[str] = "echo"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (HEIGHT, HASH)
    height: int
    certificate: bytes

    @property
    def slot(self) -> Slot:
        return ("echo", self.height)


# --- duties that an entry demands ---


@dataclass(frozen=True, slots=True)
class Shares(Message):
    """Gives the sender's decryption shares for cards that an entry deals.

    `take` is the seat whose re-masked hand they open; None means the cards dealt straight from the stock and the card turned
    up. `cards` is the hash of the masked cards that they open.
    """

    kind: ClassVar[str] = "shares"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (HEIGHT, STAGE, Maybe(SEAT), HASH, Raw(0, MAX_SHARES_BYTES))
    height: int
    stage: int
    take: int | None
    cards: bytes
    shares: bytes

    @property
    def slot(self) -> Slot:
        return ("shares", self.height, self.stage, self.take)


@dataclass(frozen=True, slots=True)
class Remask(Message):
    """Gives the sender's hand with the cards that enter it, re-masked and permuted, with its proof."""

    kind: ClassVar[str] = "remask"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (HEIGHT, STAGE, CARDS, PROOF)
    height: int
    stage: int
    cards: bytes
    proof: bytes

    @property
    def slot(self) -> Slot:
        return ("remask", self.height, self.stage)


@dataclass(frozen=True, slots=True)
class Reveal(Message):
    """Reveals the sender's secret key and shuffle seed of a round that is over."""

    kind: ClassVar[str] = "reveal"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (ROUND, Raw(64, 64))
    round: int
    secret: bytes

    @property
    def slot(self) -> Slot:
        return ("reveal", self.round)


# --- recovery of a seat's key ---


@dataclass(frozen=True, slots=True)
class RecoveryShares(Message):
    """Gives the sender's round key in additive shares, encrypted to the other seats' round keys."""

    kind: ClassVar[str] = "recovery-shares"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (ROUND, Raw(1, 4096))
    round: int
    shares: bytes

    @property
    def slot(self) -> Slot:
        return ("recovery-shares", self.round)


@dataclass(frozen=True, slots=True)
class Complaint(Message):
    """Reports a recovery share that does not open: the sender's part of its opening, with a proof that shows who is wrong.

    `split` is the hash of the split that holds this share, in case its sender showed different ones.
    """

    kind: ClassVar[str] = "complaint"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (ROUND, SEAT, HASH, Raw(1, 256))
    round: int
    against: int
    split: bytes
    opening: bytes

    @property
    def slot(self) -> Slot:
        return ("complaint", self.round, self.against)


@dataclass(frozen=True, slots=True)
class RecoveryOpen(Message):
    """Gives the sender's share of the key of a seat that was given up."""

    kind: ClassVar[str] = "recovery-open"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (ROUND, SEAT, HASH)
    round: int
    of: int
    share: bytes

    @property
    def slot(self) -> Slot:
        return ("recovery-open", self.round, self.of)


@dataclass(frozen=True, slots=True)
class Lost(Message):
    """Says that the sender has lost its secret of this round, as after a restart from an older copy of its files."""

    kind: ClassVar[str] = "lost"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (ROUND,)
    round: int

    @property
    def slot(self) -> Slot:
        return ("lost", self.round)


# --- going on without a seat ---


@dataclass(frozen=True, slots=True)
class Without(Message):
    """Promises to sign nothing more in a lower epoch, and proposes the next one. Its own epoch is the sender's last one.

    `stay` are the seats that go on, `base` those of the sender's last epoch. `height` and `certificate` name the sender's
    highest certificate, `vote` its vote above it. `attempts` are the sender's earlier proposals since its last epoch: (number,
    seats that stay, keepers of those that are added). `out` are the seats that the sender counts as out for good: with the hash
    of the goodbye, or None if the seat was caught cheating. `added` are the empty seats that are taken: (seat, key, keeper,
    name, whether it is a bot).
    """

    kind: ClassVar[str] = "without"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (
        EPOCH,
        SEATS,
        SEATS,
        Uint(MAX_HEIGHT),
        HASH,
        Maybe(HASH),
        ATTEMPTS,
        OUT,
        ADDED,
    )
    number: int
    stay: tuple[int, ...]
    base: tuple[int, ...]
    height: int
    certificate: bytes
    vote: bytes | None
    attempts: tuple[tuple[int, tuple[int, ...], tuple[bytes, ...]], ...]
    out: tuple[tuple[int, bytes | None], ...] = ()
    added: tuple[tuple[int, bytes, bytes, str, bool], ...] = ()

    @property
    def slot(self) -> Slot:
        return ("without", self.number)


@dataclass(frozen=True, slots=True)
class Goodbye(Message):
    """Leaves for good. `number` is the highest epoch for which the sender signed, `attempts` are its proposals since its last
    epoch, and that epoch itself."""

    kind: ClassVar[str] = "goodbye"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (EPOCH, ATTEMPTS)
    number: int = 0
    attempts: tuple[tuple[int, tuple[int, ...], tuple[bytes, ...]], ...] = ()

    @property
    def slot(self) -> Slot:
        return ("goodbye",)


# --- beside the match: signed, outside the log ---


@dataclass(frozen=True, slots=True)
class TakeSeat(Message):
    """Offers to take an empty seat between rounds: its old key, a newcomer or a bot. Signed by that key, for that seat.

    `number` is the highest epoch for which this key has signed. The highest counter is valid.
    """

    kind: ClassVar[str] = "take-seat"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (COUNTER, EPOCH, KEY, KEY, NAME, Flag())
    counter: int
    number: int
    key: bytes
    keeper: bytes
    name: str
    bot: bool


@dataclass(frozen=True, slots=True)
class Aside(Message):
    """Base class of what is said to the others without any effect on the match. `counter` tells equal ones apart."""

    kind: ClassVar[str] = ""
    counter: int


@dataclass(frozen=True, slots=True)
class Chat(Aside):
    """A chat message."""

    kind: ClassVar[str] = "chat"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (COUNTER, String(MAX_CHAT_BYTES, 1))
    text: str


@dataclass(frozen=True, slots=True)
class Emote(Aside):
    """An emote, by name."""

    kind: ClassVar[str] = "emote"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (COUNTER, String(32, 1))
    name: str


class Opinion(IntEnum):
    """A vote on playing on without a seat: none (also: taken back), for it, or against it, which blocks it."""

    NONE = 0
    FOR = 1
    AGAINST = 2


@dataclass(frozen=True, slots=True)
class WishOn(Message):
    """Votes on playing on without a seat that is awaited: an `Opinion`. The highest counter is valid."""

    kind: ClassVar[str] = "wish-on"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (COUNTER, SEAT, Uint(2))
    counter: int
    awaited: int
    wish: int


@dataclass(frozen=True, slots=True)
class Hints(Message):
    """Says how much the sender's client helps its player: an index of HINT_LEVELS. The highest counter is valid."""

    kind: ClassVar[str] = "hints"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (COUNTER, Uint(len(HINT_LEVELS) - 1))
    counter: int
    level: int


@dataclass(frozen=True, slots=True)
class Ready(Message):
    """Says that the sender does not need the rest of the pause before this round."""

    kind: ClassVar[str] = "ready"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (ROUND,)
    round: int


# --- keeping the copies equal ---


@dataclass(frozen=True, slots=True)
class Ask(Message):
    """Asks for everything from a height on. With `own`, also for the sender's own messages, which it may have lost.

    `copy` is the digest of what the sender's transcript holds of earlier heights: where copies differ, somebody may have told
    two seats two things.
    """

    kind: ClassVar[str] = "ask"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (COUNTER, HEIGHT, Flag(), HASH)
    counter: int
    height: int
    own: bool
    copy: bytes


@dataclass(frozen=True, slots=True)
class StateReport(Message):
    """Gives the sender's full settled state before a height, because it differs from the receiver's."""

    kind: ClassVar[str] = "state-report"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (HEIGHT, Raw(1, MAX_STATE_BYTES))
    height: int
    state: bytes


@dataclass(frozen=True, slots=True)
class Evidence(Message):
    """Passes on signed messages of one seat that prove it cheated. Anyone can check them."""

    kind: ClassVar[str] = "evidence"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (SEAT, String(64, 1), Seq(Raw(1, MAX_EVIDENCE_BYTES), MAX_EVIDENCE, 1))
    accused: int
    what: str
    messages: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Closed(Message):
    """Confirms that the sender holds the certificate that closed the match."""

    kind: ClassVar[str] = "closed"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (HASH,)
    certificate: bytes

    @property
    def slot(self) -> Slot:
        return ("closed",)


ALL: tuple[type[Message], ...] = (
    Seal,
    Nonce,
    Prepare,
    Shuffled,
    ShuffleProof,
    DeckAgreed,
    MoveProposal,
    BreakOff,
    Vote,
    Echo,
    Shares,
    Remask,
    Reveal,
    RecoveryShares,
    Complaint,
    RecoveryOpen,
    Lost,
    Without,
    Goodbye,
    TakeSeat,
    Chat,
    Emote,
    WishOn,
    Hints,
    Ready,
    Ask,
    StateReport,
    Evidence,
    Closed,
)
BY_KIND: dict[str, type[Message]] = {each.kind: each for each in ALL}
