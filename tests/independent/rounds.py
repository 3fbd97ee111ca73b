"""The rounds of a match: seats, preparation, votes, proposals, closings. (PROTOCOL.md, "The table".)"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from protocol.errors import BadMessage, IllegalMove
from protocol.games.game import OpenAll, Shuffle, Take
from tests.independent import dealing
from tests.independent.dealing import Wrong
from tests.independent.duties import Duties
from tests.independent.encoding import (
    Message,
    Refused,
    demand,
    digest,
    draw,
    encode,
    n,
)
from tests.independent.values import Convicted, Entry, Place, Proposal, Round, Story


class Rounds(Duties):
    """Tells the match from round to round."""

    def _rounds(self) -> Story:
        while self.phase != "over":
            if self._is_short:
                choice = self._closing_choice
                assert choice is not None
                yield from self._unanimous(choice)
                self._compare()
                self._ended_short()
                return
            if self.phase == "between":
                yield from self._opening()
            while self.phase == "playing":
                yield from self._playing()
            yield from self._closing()

    def _sealing(self) -> Story:
        yield from self._until(lambda: self._all_said("seal") and self._all_said("nonce"))
        nonces = []
        for member, message in zip(self.members, self._of_all("nonce"), strict=True):
            if digest("nonce", member["key"], message["nonce"]) != member["nonce"]:
                raise Convicted(message.seat, "nonce")
            nonces.append(message["nonce"])
        self._keep((0,), self._of_all("seal"))
        self._keep((1,), self._of_all("nonce"))
        self._compare()
        self.seed = digest("seed", self.table, *nonces)
        self.dealer = draw(self.seed, b"dealer", self.size)
        if self.roster["table"]["lots"]:
            for i in range(self.size - 1, 0, -1):
                j = draw(self.seed, b"seat" + n(i), i + 1)
                self.seating[i], self.seating[j] = self.seating[j], self.seating[i]
        self.state_hash = digest("state", self.seed)
        self.phase = "between"
        self._mark(None)
        self._prepare_round(1)
        yield from self._rounds()

    def _vote_of(self, seat: int) -> Message | None:
        """A vote that stands on our certificate and state."""
        message = self._get(seat, "vote", self.height)
        if message is None or (message["previous"], message["state"]) != (self.previous, self.state_hash):
            return None
        return message

    def _votes(self) -> list[Message]:
        return [message for seat in self.present if (message := self._vote_of(seat)) is not None]

    def _unanimous(self, choice: bytes) -> Story:
        def agreed() -> bool:
            for message in self._votes():
                if message.kind != "vote":
                    raise Convicted(message.seat, "illegal-move")
            votes = self._votes()
            is_full = self._may_certify and len(votes) == len(self.present)
            return is_full and all(choice_of(message) == choice for message in votes)

        yield from self._until(agreed)
        self._certify_votes()

    def _certify_votes(self) -> bool:
        """All votes are there; whether they were split."""
        votes = self._votes()
        self._keep((0,), votes)
        choices = {message.seat: choice_of(message) for message in votes}
        self._certify(choices)
        return len(set(choices.values())) > 1

    def _opening(self) -> Story:
        def prepared() -> bool:
            return self.next_round is not None and self.next_round.is_prepared

        yield from self._until(prepared)
        round = self.next_round
        assert round is not None
        preparation = digest("preparation", *round.key_bytes, b"".join(round.chains[0].decks[-1]))
        yield from self._unanimous(digest("open", n(round.number), n(self.dealer), bytes(self.present), preparation))
        self.block += round.preparation
        self.round, self.next_round, self._preparing = round, None, iter(())
        round.stock = [Place(card) for card in round.chains[0].decks[-1]]
        round.hands = [[] for _ in range(self.size)]
        round.laid = [[] for _ in range(self.size)]
        outcome = self.game.start(self.dealer, self.scores, self.present)
        assert isinstance(outcome.demands[0], Shuffle)
        self.state, self.phase = outcome.state, "settling"
        entry = Entry(outcome.demands[1:])
        self._mark(entry)
        yield from self._splitting(round)
        yield from self._settle(entry, must_echo=False)

    def _splitting(self, round: Round) -> Story:
        """Every seat splits its key among the others."""
        keepers = len({self._member(seat).keeper for seat in round.holders})
        wish = self.roster["table"]["recovery"]
        if wish == "off" or keepers < (3 if wish == "on" else 4):
            return
        yield from self._until(lambda: self._all_said("recovery-shares", round.number))
        for message in self._of_all("recovery-shares", round.number):
            try:
                dealing.decode_split(len(round.keys) - 1, message["shares"])
            except Wrong:
                raise Convicted(message.seat, "recovery") from None
        for message in self._of_all("recovery-shares", round.number):
            seat = message.seat
            others = {other: Y for other, (Y, _) in round.keys.items() if other != seat}
            contexts = {other: self._context(round, 0, seat, "recovery", to=other) for other in others}
            try:
                round.splits[seat] = dealing.read_split(contexts, round.keys[seat][0], others, message["shares"])
            except Wrong:
                raise Convicted(seat, "recovery") from None
            round.split_hashes[seat] = digest("split", message["shares"])
        self._keep((1,), self._of_all("recovery-shares", round.number))

    def _playing(self) -> Story:
        defaults = self._default_moves()
        checked: dict[bytes, Proposal] = dict(defaults)

        def decided() -> bool:
            votes = self._votes()
            for message in votes:
                if message.kind != "vote" and choice_of(message) not in checked:
                    checked[choice_of(message)] = self._check_proposal(message)
            is_full = self._may_certify and len(votes) == len(self.present)
            return is_full and all(choice_of(message) in checked for message in votes)

        yield from self._until(decided)
        votes = Counter(choice_of(message) for message in self._votes())
        best, epoch = max(votes.values()), n(self.epoch.number)
        assert self.seed is not None
        seed = self.seed
        winner = min(
            (each for choice, each in checked.items() if votes[choice] == best),
            key=lambda each: digest("tie", seed, epoch, n(self.height), n(each.seat)),
        )
        is_split = self._certify_votes()
        entry = self._committed(winner)
        yield from self._settle(entry, must_echo=is_split and bool(entry.demands))

    def _default_moves(self) -> dict[bytes, Proposal]:
        """What is moved for the seats whose keys are open, by what votes for it name."""
        round, game = self.round, self.game
        assert round is not None
        found = {}
        for seat in game.awaited(self.state):
            if seat not in round.open_keys:
                continue
            hand = round.hands[seat]
            faces: list[Any] = [self._face_in_open_hand(seat, place) for place in hand]
            move = game.default(self.state, seat, faces)
            if move is None:
                continue
            uses, places = game.uses(move), list[int]()
            for face in (*uses.played, *uses.shown, *game.hidden(move)):
                places.append(next(i for i, each in enumerate(faces) if each == face and i not in places))
            public = game.public(move)
            outcome = game.apply(self.state, seat, public)
            played, laid = places[: len(uses.played)], places[len(uses.played) + len(uses.shown) :]
            choice = digest("default", n(seat), encode(game.encode(public)), bytes(places))
            found[choice] = Proposal(seat, None, public, outcome.state, outcome.demands, played, laid, None)
        return found

    def _face_in_open_hand(self, seat: int, place: Place) -> str:
        round = self.round
        assert round is not None
        others = [share for giver, share in place.shares.items() if giver != seat]
        return dealing.opened(
            place.card, dealing.add(dealing.mul(round.open_keys[seat], place.card[:32]), *others), self.faces
        )

    def _check_proposal(self, message: Message) -> Proposal:
        round, game, seat = self.round, self.game, message.seat
        assert round is not None
        if message.kind == "break-off":
            if not game.is_stalled(self.state):
                raise Convicted(seat, "illegal-move")
            return Proposal(seat, message, None, self.state, (OpenAll(),), [], [], None)
        hand, places = round.hands[seat], message["places"]
        try:
            move = game.decode(message["move"])
            demand(game.encode(game.public(move)) == message["move"], "not the public form")
            outcome = game.apply(self.state, seat, move)
            uses = game.uses(move)
            faces = [*uses.played, *uses.shown]
            demand(len(places) == len(faces) + uses.laid and len(set(places)) == len(places), "wrong places")
            demand(all(place < len(hand) for place in places), "a place that the hand does not have")
            if faces:
                demand(len(message["opening"]) == 32 * (len(faces) + 3), "an opening of another size")
                for part in dealing.split(message["opening"])[:-1]:
                    dealing.point(part)
                dealing.scalar(message["opening"][-32:])
            else:
                demand(message["opening"] == b"", "an opening of nothing")
            played = places[: len(uses.played)]
            before = self._foreseen(seat, outcome.demands, played)
            after = None
            if before is None:
                demand(message["remask"] == b"" and message["remask_proof"] == b"", "a re-mask of nothing")
            else:
                demand(len(message["remask_proof"]) == dealing.proof_size(len(before)), "a proof of another size")
                after = dealing.read_cards(message["remask"], len(before))
        except IllegalMove:
            raise Convicted(seat, "illegal-move") from None
        except (BadMessage, Refused, Wrong):
            raise Convicted(seat, "bad-move") from None
        try:
            if faces:
                cards = [hand[place] for place in places[: len(faces)]]
                context = self._context(round, self.height, seat, "play")
                own = dealing.read_shares(
                    context, round.keys[seat][0], [each.card for each in cards], message["opening"]
                )
                for place, share, face in zip(cards, own, faces, strict=True):
                    layers = dealing.add(share, *[each for giver, each in place.shares.items() if giver != seat])
                    dealing.check(dealing.opened(place.card, layers, self.faces) == face)
            if before is not None and after is not None:
                context = self._context(round, self.height, seat, "remask")
                dealing.check_shuffle(context, round.joint, before, after, message["remask_proof"])
        except Wrong:
            raise Convicted(seat, "false-card" if faces else "remask") from None
        return Proposal(seat, message, move, outcome.state, outcome.demands, played, places[len(faces) :], after)

    def _foreseen(self, seat: int, demands: Sequence[Any], played: Sequence[int]) -> dealing.Cards | None:
        """The hand that the proposal itself has to re-mask."""
        round = self.round
        assert round is not None
        kept = [place.card for index, place in enumerate(round.hands[seat]) if index not in played]
        at = 0
        if not kept or any(isinstance(each, Shuffle) for each in demands):
            return None
        for take in demands:
            if isinstance(take, Take):
                if take.seat == seat:
                    return None if take.laid else kept + [each.card for each in round.stock[at : at + take.stock]]
                at += take.stock
        return None

    def _committed(self, proposal: Proposal) -> Entry:
        round, seat = self.round, proposal.seat
        assert round is not None
        entry = Entry(proposal.demands, None if proposal.remask is None else (seat, proposal.remask))
        if proposal.move is None:
            round.is_void = True
        else:
            hand = round.hands[seat]
            move = self.game.public(proposal.move)
            round.moves.append((self.height, seat, self.state, move, [each.card for each in hand], proposal.laid))
            if proposal.laid:
                round.laid[seat] = [hand[index] for index in proposal.laid]
            round.hands[seat] = [place for index, place in enumerate(hand) if index not in proposal.played]
            self.state = proposal.state
        self.phase = "settling"
        self._mark(entry)
        return entry

    def _closing(self) -> Story:
        choice = self._closing_choice
        assert choice is not None
        yield from self._unanimous(choice)
        self._compare()
        self._closed()

    def _closed(self) -> None:
        round = self.round
        assert round is not None
        self.breaches += round.breaches
        self.rounds_closed, self.closed_scores = round.number, self.scores
        if self._is_last_round:
            self.phase = "over"
            self._mark(None)
            return
        if not round.is_void:
            self.dealer = self._next_present(self.game.next_dealer(self.state))
        self._settled()
        self.phase = "between"
        self._mark(None)
        if self.next_round is None:
            self._prepare_round(round.number + 1)


def choice_of(message: Message) -> bytes:
    """What a vote is for; a proposal is a vote for itself."""
    if message.kind == "vote":
        choice: bytes = message["choice"]
        return choice
    return digest("proposal", message.payload)
