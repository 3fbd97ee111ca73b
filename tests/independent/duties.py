"""The preparation of a round, what an entry demands, and the audit. (PROTOCOL.md, "Preparing a round", "Duties".)"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from protocol.errors import IllegalMove
from protocol.games.game import Open, OpenAll, Shuffle, Take
from tests.independent import dealing
from tests.independent.dealing import Wrong
from tests.independent.encoding import (
    digest,
)
from tests.independent.state import State
from tests.independent.values import Chain, Convicted, Entry, Place, Round, Story


class Duties(State):
    """Prepares rounds, and carries out what was committed."""

    def _prepare_round(self, number: int) -> None:
        if not self.game.can_deal_to(self.present):
            return
        self.next_round = Round(number, self.epoch.number, self.present)
        self._preparing = self._preparation(self.next_round)

    def _preparation(self, round: Round) -> Story:
        number = round.number
        yield from self._until(lambda: self._all_said("prepare", number))
        for message in self._of_all("prepare", number):
            seat = message.seat
            try:
                key = dealing.read_round_key(
                    self._context(round, 0, seat, "round-key"), self._key(seat), message["key"]
                )
            except Wrong:
                raise Convicted(seat, "round-key") from None
            if key[0] in [Y for Y, _ in round.keys.values()]:
                raise Convicted(seat, "round-key")
            round.keys[seat] = key
            round.key_bytes.append(message["key"])
        round.joint = dealing.add(*[Y for Y, _ in round.keys.values()])
        if round.joint == dealing.IDENTITY:
            raise Convicted(round.holders[-1], "round-key")
        yield from self._chain(round, 0, 0, self.game.deck)
        round.preparation = [((-3, message.seat), message) for message in self._of_all("prepare", number)]
        for order, kind in ((-2, "shuffled"), (-1, "shuffle-proof")):
            round.preparation += [((order, message.seat), message) for message in self._of_all(kind, number, 0)]
        round.is_prepared = True

    def _chain(self, round: Round, deck: int, step: int, faces: Sequence[str]) -> Story:
        number, order, decks = round.number, self.present, [dealing.starting_deck(faces)]
        for seat in order:
            yield from self._until(lambda seat=seat: self._get(seat, "shuffled", number, deck) is not None)  # type: ignore[misc]
            (message,) = self._of_all("shuffled", number, deck, of=[seat])
            if message["before"] != digest("incoming", round.joint, b"".join(decks[-1])):
                yield from self._until(lambda: False)
            if message["step"] != step:
                raise Convicted(seat, "shuffle")
            try:
                decks.append(dealing.read_cards(message["cards"], len(faces)))
            except Wrong:
                raise Convicted(seat, "shuffle") from None
        yield from self._until(lambda: self._all_said("shuffle-proof", number, deck))
        proofs = self._of_all("shuffle-proof", number, deck)
        wrong = []
        for index, (seat, message) in enumerate(zip(order, proofs, strict=True)):
            proof = message["proof"]
            context = self._context(round, step, seat, "shuffle", deck)
            try:
                dealing.check(message["step"] == step and len(proof) == dealing.proof_size(len(faces)))
                dealing.check_shuffle(context, round.joint, decks[index], decks[index + 1], proof)
            except Wrong:
                wrong.append(seat)
        if wrong:
            raise Convicted(wrong[0], "shuffle", *wrong[1:])
        round.chains.append(Chain(deck, step, order, decks))

    def _settle(self, entry: Entry, must_echo: bool) -> Story:
        round = self.round
        assert round is not None
        demands, foreseen = entry.demands, entry.foreseen
        if must_echo:
            height, hash = self.height, self.previous
            yield from self._until(
                lambda: (
                    self._all_said("echo", height)
                    and all(each["certificate"] == hash for each in self._of_all("echo", height))
                )
            )
            self._keep((1,), self._of_all("echo", height))
        stage = 0
        while True:
            shuffles = [place for place, each in enumerate(demands) if isinstance(each, Shuffle)]
            end = shuffles[1] if len(shuffles) > 1 else len(demands)
            yield from self._stage(stage, demands[:end], foreseen)
            if end < len(demands):
                demands, stage, foreseen = demands[end:], stage + 1, None
                continue
            if not any(isinstance(each, Open) for each in demands):
                break
            foreseen = None
            outcome = self.game.opened(self.state, round.opened[-1])  # type: ignore[arg-type]
            self.state, demands, stage = outcome.state, outcome.demands, stage + 1
        if any(isinstance(each, OpenAll) for each in demands):
            yield from self._audit()
            self.phase = "closing"
        else:
            self.phase = "playing"
        self._settled()
        self._open()
        may_go_on = not self.roster["table"]["rounds"] or round.number < self.roster["table"]["rounds"]
        if self.phase == "playing" and self.next_round is None and may_go_on:
            self._prepare_round(round.number + 1)

    def _stage(self, stage: int, demands: tuple[Any, ...], foreseen: tuple[int, dealing.Cards] | None) -> Story:
        round = self.round
        assert round is not None
        for each in demands:
            if isinstance(each, Shuffle):
                yield from self._recycle(round, stage, each.faces)
        takes = [each for each in demands if isinstance(each, Take)]
        given = {(giver, index): round.laid[giver][index] for take in takes for giver, index in take.laid}
        for giver in range(self.size):
            gone = [place for (owner, _), place in given.items() if owner == giver]
            round.hands[giver] = [place for place in round.hands[giver] if place not in gone]
            round.laid[giver] = [place for place in round.laid[giver] if place not in gone]
        direct: list[int] = []
        remasking: dict[int, dealing.Cards] = {}
        for take in takes:
            drawn, round.stock = round.stock[: take.stock], round.stock[take.stock :]
            entered = drawn + [given[each] for each in take.laid]
            is_direct = (not round.hands[take.seat] and not take.laid) or take.seat in round.open_keys
            round.hands[take.seat] = round.hands[take.seat] + entered
            if is_direct:
                direct.append(take.seat)
            else:
                remasking[take.seat] = [place.card for place in round.hands[take.seat]]
        turned_up = round.stock.pop(0) if any(isinstance(each, Open) for each in demands) else None

        waiting = set(remasking)
        groups: list[int | None] = [*([None] if direct or turned_up else []), *sorted(remasking)]

        def done() -> bool:
            for seat in sorted(waiting):
                after = self._remasked(seat, stage, remasking[seat], foreseen)
                if after is not None:
                    round.hands[seat] = [Place(card) for card in after]
                    waiting.discard(seat)
            for group in list(groups):
                if group not in waiting and self._granted(group, stage, direct, turned_up):
                    groups.remove(group)
            return not waiting and not groups

        yield from self._until(done)
        if turned_up is not None:
            round.opened.append(dealing.opened(turned_up.card, dealing.add(*turned_up.shares.values()), self.faces))

    def _recycle(self, round: Round, stage: int, faces: Sequence[str]) -> Story:
        deck = len(round.chains)
        yield from self._chain(round, deck, self.height, faces)
        final = round.chains[deck].decks[-1]
        slot, agreed = ("deck-agreed", round.number, deck), (self.height, digest("deck", b"".join(final)))
        yield from self._until(
            lambda: (
                self._all_said(*slot) and all((each["step"], each["hash"]) == agreed for each in self._of_all(*slot))
            )
        )
        for order, kind in enumerate(("shuffled", "shuffle-proof", "deck-agreed")):
            self._keep((2 + stage, 0, order), self._of_all(kind, round.number, deck))
        round.stock += [Place(card) for card in final]

    def _remasked(
        self, seat: int, stage: int, before: dealing.Cards, foreseen: tuple[int, dealing.Cards] | None
    ) -> dealing.Cards | None:
        if foreseen is not None and foreseen[0] == seat:
            return foreseen[1]
        message = self._get(seat, "remask", self.height, stage)
        if message is None:
            return None
        round = self.round
        assert round is not None
        purpose = "remask" if stage == 0 else f"remask/{stage}"
        try:
            dealing.check(len(message["proof"]) == dealing.proof_size(len(before)))
            after = dealing.read_cards(message["cards"], len(before))
            context = self._context(round, self.height, seat, purpose)
            dealing.check_shuffle(context, round.joint, before, after, message["proof"])
        except Wrong:
            raise Convicted(seat, "remask") from None
        self.block.append(((2 + stage, 1, seat), message))
        return after

    def _plan(
        self, group: int | None, givers: Iterable[int], direct: Sequence[int], turned_up: Place | None
    ) -> dict[int, list[Place]]:
        """Whose shares of which cards a group needs."""
        round = self.round
        assert round is not None
        plan: dict[int, list[Place]] = {}
        for giver in givers:
            if group is not None:
                places = [] if giver == group else round.hands[group]
            else:
                hands = [round.hands[seat] for seat in direct if seat != giver]
                places = [place for hand in hands for place in hand if giver not in place.shares]
                places += [] if turned_up is None else [turned_up]
            if places:
                plan[giver] = places
        return plan

    def _granted(self, group: int | None, stage: int, direct: Sequence[int], turned_up: Place | None) -> bool:
        """Whether all shares of a group are there."""
        round = self.round
        assert round is not None
        if stage == 0 and not round.moves and round.epoch == self.epoch.number:
            self._judge_complaints()
        plan = self._plan(group, round.active, direct, turned_up)
        slot = ("shares", self.height, stage, group)
        if not self._all_said(*slot, of=plan):
            return False
        found: dict[int, list[bytes]] = {}
        said = self._of_all(*slot, of=plan)
        cards_of = {giver: [place.card for place in places] for giver, places in plan.items()}
        if any(each["cards"] != digest("opened", b"".join(cards_of[each.seat])) for each in said):
            return False
        for message in said:
            try:
                dealing.decode_shares(len(cards_of[message.seat]), message["shares"])
            except Wrong:
                raise Convicted(message.seat, "share") from None
        for message in said:
            giver = message.seat
            cards = cards_of[giver]
            context = self._context(round, self.height, giver, f"shares/{stage}", to=group)
            try:
                found[giver] = dealing.read_shares(context, round.keys[giver][0], cards, message["shares"])
            except Wrong:
                raise Convicted(giver, "share") from None
        computed = self._plan(group, round.open_keys, direct, turned_up)
        for giver, places in computed.items():
            found[giver] = [dealing.mul(round.open_keys[giver], place.card[:32]) for place in places]
        for giver, places in (plan | computed).items():
            for place, share in zip(places, found[giver], strict=True):
                place.shares[giver] = share
        for message in self._of_all(*slot, of=plan):
            self.block.append(((2 + stage, 2, -1 if group is None else group, message.seat), message))
        return True

    def _judge_complaints(self) -> None:
        """Each convicts its sender, or whom it is about."""
        round = self.round
        assert round is not None
        for against, split in round.splits.items():
            for seat in round.holders:
                message = self._get(seat, "complaint", round.number, against)
                if message is None or seat == against or message["split"] != round.split_hashes[against]:
                    continue
                sealed, Y = split[seat], round.keys[seat][0]
                context = self._context(round, 0, seat, "recovery-complaint", to=against)
                try:
                    (common,) = dealing.read_shares(context, Y, [sealed.E + sealed.S], message["opening"])
                except Wrong:
                    raise Convicted(seat, "complaint") from None
                try:
                    dealing.unsealed(self._context(round, 0, against, "recovery", to=seat), sealed, common)
                except Wrong:
                    raise Convicted(against, "recovery") from None
                raise Convicted(seat, "complaint")

    def _audit(self) -> Story:
        round, game = self.round, self.game
        assert round is not None
        slot = ("reveal", round.number)
        yield from self._until(lambda: self._all_said(*slot, of=round.active))
        secrets = {}
        for message in self._of_all(*slot, of=round.active):
            context = self._context(round, 0, message.seat, "round-key")
            try:
                secrets[message.seat] = dealing.read_reveal(context, *round.keys[message.seat], message["secret"])
            except Wrong:
                raise Convicted(message.seat, "reveal") from None
        self._keep((1 << 29,), self._of_all(*slot, of=round.active))
        for chain in round.chains:
            for index, seat in enumerate(chain.order):
                if seat in round.open_keys:
                    continue
                context = self._context(round, chain.step, seat, "shuffle", chain.deck)
                _, seed = secrets[seat]
                if dealing.shuffled(context, round.joint, seed, chain.decks[index]) != chain.decks[index + 1]:
                    raise Convicted(seat, "reveal")
        x = sum(x for x, _ in secrets.values()) + sum(round.open_keys.values())
        read: dict[bytes, str] = {}

        def face(card: bytes) -> str:
            if card not in read:
                read[card] = dealing.opened(card, dealing.mul(x, card[:32]), self.faces)
            return read[card]

        for height, seat, state, move, cards, laid in round.moves:
            hand: list[Any] = [face(card) for card in cards]
            try:
                game.check(state, seat, hand, game.fill(move, [hand[index] for index in laid]))
            except IllegalMove:
                round.breaches.append((height, seat))
        hands: list[list[Any]] = [[face(place.card) for place in each] for each in round.hands]
        if round.is_void:
            round.breaches += [(self.height, seat) for seat in game.holding_up(self.state, hands)]
        else:
            self.state = game.opened_all(self.state, hands)
            self.scores = game.scores(self.state)
