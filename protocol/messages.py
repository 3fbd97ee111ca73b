"""Every message that seats of a sealed table sign, typed. `protocol.table` says what they mean and when they are due.

A class a message: its `kind` is also the label of its signature, `codecs` give its fields' form on the wire in order. `slot`
names what a seat may say once: two different signed messages of one seat with one slot are proof of cheating (also where
only a proof's nonces differ: a seat sends again what it has saved, it never makes a thing twice).
Messages with no slot may be said again and again. (PROTOCOL.md, "Messages".)
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar, TypeAlias

from protocol.hashing import digest
from protocol.levels import HINT_LEVELS
from protocol.schema import HASH, HEIGHT, SEAT, SEATS, Codec, Flag, Maybe, Plain, Raw, Seq, String, Uint

Slot: TypeAlias = tuple[str | int | None, ...]

MAX_CARDS = 216
"""Four packs of 52 and two jokers each: the most that any game of the table deals from."""
MASKED_BYTES = 64
MAX_PROOF_BYTES = 32 * 1024
MAX_SHARES_BYTES = MAX_CARDS * 32 + 128
MAX_CHAT_BYTES = 400
MAX_EVIDENCE = 4
MAX_EVIDENCE_BYTES = 128 * 1024
MAX_STATE_BYTES = 256 * 1024

ROUND = Uint(1 << 20)
DECK = Uint(1 << 10)
STAGE = Uint(1 << 10)
COUNTER = Uint(1 << 40)
EPOCH = Uint(1 << 20)
CARDS = Raw(0, MAX_CARDS * MASKED_BYTES)
PROOF = Raw(0, MAX_PROOF_BYTES)


@dataclass(frozen=True, slots=True)
class Message:
    """Base class of all messages."""

    kind: ClassVar[str]
    codecs: ClassVar[tuple[Codec[Any], ...]] = ()

    @property
    def slot(self) -> Slot | None:
        """What this message settles for its seat, or None where it may be said again."""
        return None

    def body(self) -> list[Any]:
        """The fields as plain data, in order."""
        return [codec.encode(getattr(self, field.name)) for field, codec in zip(fields(self), self.codecs, strict=True)]


# --- sealing a table ---


@dataclass(frozen=True, slots=True)
class Seal(Message):
    """I take part in the table whose roster has this id."""

    kind: ClassVar[str] = "seal"

    @property
    def slot(self) -> Slot:
        return ("seal",)


@dataclass(frozen=True, slots=True)
class Nonce(Message):
    """My part of the table seed, whose hash stands in the roster. Sent when all have sealed."""

    kind: ClassVar[str] = "nonce"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (HASH,)
    nonce: bytes

    @property
    def slot(self) -> Slot:
        return ("nonce",)


# --- preparing a round ---


@dataclass(frozen=True, slots=True)
class Prepare(Message):
    """My round key, its proof, and the commitment to my shuffle seed."""

    kind: ClassVar[str] = "prepare"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (ROUND, Raw(1, 256))
    round: int
    key: bytes

    @property
    def slot(self) -> Slot:
        return ("prepare", self.round)


@dataclass(frozen=True, slots=True)
class Shuffled(Message):
    """My step of a deck's shuffle chain. Deck 0 is the round's first, the others are recycled cards. `before` is the hash of
    the joint key and the deck that came to me: where somebody showed others another deck, mine is not blamed for it."""

    kind: ClassVar[str] = "shuffled"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (ROUND, DECK, HASH, CARDS)
    round: int
    deck: int
    before: bytes
    cards: bytes

    @property
    def slot(self) -> Slot:
        return ("shuffled", self.round, self.deck)


@dataclass(frozen=True, slots=True)
class ShuffleProof(Message):
    """The proof of my step."""

    kind: ClassVar[str] = "shuffle-proof"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (ROUND, DECK, PROOF)
    round: int
    deck: int
    proof: bytes

    @property
    def slot(self) -> Slot:
        return ("shuffle-proof", self.round, self.deck)


@dataclass(frozen=True, slots=True)
class DeckAgreed(Message):
    """All proofs of this recycled deck hold on my machine, and this is its hash."""

    kind: ClassVar[str] = "deck-agreed"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (ROUND, DECK, HASH)
    round: int
    deck: int
    hash: bytes

    @property
    def slot(self) -> Slot:
        return ("deck-agreed", self.round, self.deck)


# --- entries: proposed and voted ---


@dataclass(frozen=True, slots=True)
class Proposal(Message):
    """An entry that its author wants at this height; it is its author's vote too."""

    kind: ClassVar[str] = ""
    height: int
    previous: bytes
    state: bytes

    @property
    def slot(self) -> Slot:
        return ("vote", self.height)


@dataclass(frozen=True, slots=True)
class MoveProposal(Proposal):
    """A move: its object, the places in the hand of the cards concerned, the opening of those that become public, and,
    where its own take can be foreseen, the re-masked hand with its proof."""

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
    """The round is stuck in a way that the game declares: let it be void and its keys opened."""

    kind: ClassVar[str] = "break-off"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (HEIGHT, HASH, HASH)


@dataclass(frozen=True, slots=True)
class SeatsChange(Proposal):
    """An empty seat is taken: by its old key, a newcomer or a bot. `taker` signs over the table, the seat and its nonce."""

    kind: ClassVar[str] = "seats"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (HEIGHT, HASH, HASH, SEAT, Plain(), Raw(64, 64))
    taken: int
    member: dict[str, Any]
    taker: bytes


@dataclass(frozen=True, slots=True)
class Vote(Message):
    """My one vote at a height: for a proposal, or for the opening or closing entry, which nobody authors."""

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
    """After a split vote: the certificate that I saw, before any card is opened on it."""

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
    """My decryption shares for the cards that an entry gives away: `take` names the hand whose re-masked cards they open;
    without it, the cards dealt straight from the stock and the card turned up. `cards` is the hash of what they open."""

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
    """My hand with the cards that enter it, re-masked and permuted, and the proof."""

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
    """My secret key of a round that is over, and my shuffle seed."""

    kind: ClassVar[str] = "reveal"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (ROUND, Raw(64, 64))
    round: int
    secret: bytes

    @property
    def slot(self) -> Slot:
        return ("reveal", self.round)


# --- recovery of a seat's key (typed; in force from a later version on) ---


@dataclass(frozen=True, slots=True)
class RecoveryShares(Message):
    """My round key in additive shares, sealed to the others' round keys."""

    kind: ClassVar[str] = "recovery-shares"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (ROUND, Raw(1, 4096))
    round: int
    shares: bytes

    @property
    def slot(self) -> Slot:
        return ("recovery-shares", self.round)


@dataclass(frozen=True, slots=True)
class Complaint(Message):
    """A recovery share that does not open: my part of its opening, with a proof, so that all see who is wrong."""

    kind: ClassVar[str] = "complaint"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (ROUND, SEAT, Raw(1, 256))
    round: int
    against: int
    opening: bytes

    @property
    def slot(self) -> Slot:
        return ("complaint", self.round, self.against)


@dataclass(frozen=True, slots=True)
class RecoveryOpen(Message):
    """My share of the key of a seat that was given up."""

    kind: ClassVar[str] = "recovery-open"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (ROUND, SEAT, HASH)
    round: int
    of: int
    share: bytes

    @property
    def slot(self) -> Slot:
        return ("recovery-open", self.round, self.of)


# --- going on without a seat (typed; in force from a later version on) ---


@dataclass(frozen=True, slots=True)
class Without(Message):
    """I sign nothing more in a lower epoch: the next one leaves these seats out, and starts where I stand."""

    kind: ClassVar[str] = "without"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (EPOCH, SEATS, HEIGHT, HASH, Seq(HASH, 256))
    number: int
    left_out: tuple[int, ...]
    height: int
    certificate: bytes
    duties: tuple[bytes, ...]

    @property
    def slot(self) -> Slot:
        return ("without", self.number)


@dataclass(frozen=True, slots=True)
class Goodbye(Message):
    """I leave for good. With recovery it carries my round key, else nothing."""

    kind: ClassVar[str] = "goodbye"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (Raw(0, 64),)
    secret: bytes

    @property
    def slot(self) -> Slot:
        return ("goodbye",)


# --- beside the match: signed, outside the log ---


@dataclass(frozen=True, slots=True)
class Chat(Message):
    """Something said at the table."""

    kind: ClassVar[str] = "chat"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (COUNTER, String(MAX_CHAT_BYTES, 1))
    counter: int
    text: str


@dataclass(frozen=True, slots=True)
class Emote(Message):
    """One of the emotes that clients know by name."""

    kind: ClassVar[str] = "emote"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (COUNTER, String(32, 1))
    counter: int
    name: str


@dataclass(frozen=True, slots=True)
class WishOn(Message):
    """I wish (or no longer wish) to go on without this seat, which is awaited. The highest counter holds."""

    kind: ClassVar[str] = "wish-on"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (COUNTER, SEAT, Flag())
    counter: int
    awaited: int
    wish: bool


@dataclass(frozen=True, slots=True)
class Hints(Message):
    """How much my client helps me with my hand, a place in HINT_LEVELS. The highest counter holds."""

    kind: ClassVar[str] = "hints"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (COUNTER, Uint(len(HINT_LEVELS) - 1))
    counter: int
    level: int


@dataclass(frozen=True, slots=True)
class Ready(Message):
    """I am ready for this round; it need not wait for the pause's end on my account."""

    kind: ClassVar[str] = "ready"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (ROUND,)
    round: int


# --- keeping the copies equal ---


@dataclass(frozen=True, slots=True)
class Ask(Message):
    """Send me what you hold from this height on; with `own`, my own messages first: I am back and may have lost some."""

    kind: ClassVar[str] = "ask"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (COUNTER, HEIGHT, Flag())
    counter: int
    height: int
    own: bool


@dataclass(frozen=True, slots=True)
class StateReport(Message):
    """My settled state before a height, in full, as ours differ."""

    kind: ClassVar[str] = "state-report"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (HEIGHT, Raw(1, MAX_STATE_BYTES))
    height: int
    state: bytes


@dataclass(frozen=True, slots=True)
class Evidence(Message):
    """Signed messages of one seat that convict it: whoever reads them finds the same."""

    kind: ClassVar[str] = "evidence"
    codecs: ClassVar[tuple[Codec[Any], ...]] = (SEAT, String(64, 1), Seq(Raw(1, MAX_EVIDENCE_BYTES), MAX_EVIDENCE, 1))
    accused: int
    what: str
    messages: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Closed(Message):
    """I hold the certificate that closed the match."""

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
    SeatsChange,
    Vote,
    Echo,
    Shares,
    Remask,
    Reveal,
    RecoveryShares,
    Complaint,
    RecoveryOpen,
    Without,
    Goodbye,
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

LATER: tuple[type[Message], ...] = (
    SeatsChange,
    RecoveryShares,
    Complaint,
    RecoveryOpen,
    Without,
)
"""Part of the wire format and not yet in force: a table refuses them, politely and without blame."""


def present_hash(epoch: int, present: tuple[int, ...]) -> bytes:
    """Return the hash that names the present seats of an epoch."""
    return digest("present", epoch.to_bytes(8, "big"), bytes(present))
