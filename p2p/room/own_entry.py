"""Our own entry in the room's list: who we are, whether we play and are ready, and the number for the next draw of lots."""

from __future__ import annotations

import os
from typing import Any

from p2p.room.membership import Membership
from p2p.routes import Route
from protocol.room.values import Guest
from protocol.table.roster import nonce_hash

SIT_AGAIN_S = 1.0


class OwnEntry:
    """What our player wants, and how the host is told."""

    def __init__(self, place: Membership) -> None:
        self.nonce = b""
        """Our contribution to the next draw of lots; our signature commits to it. Used once."""
        self.is_ready = False
        """Whether our player wants the next match to start."""
        self.plays = True
        self._place = place

    @property
    def nonce_hash(self) -> bytes:
        return nonce_hash(self._place.own_key, self.nonce)

    def renew(self) -> None:
        """Take a new number: each is used for one draw of lots."""
        self.nonce = os.urandom(32)

    def keeper(self) -> bytes:
        """Return who is responsible for us: for a phone, a machine that serves it now, the one that gave it its page first."""
        settings, mesh = self._place.node.settings, self._place.node.mesh
        keeper = settings.keeper or self._place.own_key
        if not settings.is_phone or mesh.route(keeper) is Route.DIRECT:
            return keeper
        return next(iter(mesh.links), keeper)

    def guest(self) -> Guest:
        """Return the entry as the list has it."""
        settings = self._place.node.settings
        return Guest(
            self._place.own_key,
            settings.name,
            self.keeper(),
            settings.bot,
            self.nonce_hash,
            self.is_ready,
            phone=settings.is_phone,
            plays=self.plays,
            serves=settings.serves,
        )

    def say_ready(self) -> None:
        """Tell the host whether we are ready and want to play."""
        self._place.ask("ready", ready=self.is_ready and self.plays, plays=self.plays, nonce=self.nonce_hash)

    def chosen_anew(self) -> None:
        """Another game or other options were chosen, to which our player has not said Ready. An unattended client plays any."""
        if self.is_ready and not self._place.node.settings.bot:
            self.is_ready = False
            if self._place.hosting is None:
                self.say_ready()  # what we said before may reach the host only now

    def sit(self, host: bytes, room: bytes) -> None:
        """Ask the host of a room for our place in it."""
        self._place.send(host, "sit", room, **self._body())

    def say_anew(self) -> None:
        """Tell the host, who may be us, what is new about our computer."""
        self._place.ask("sit", **self._body())

    def review(self) -> None:
        """Tell the host who serves us now, or that we serve phones, if the room shows something else."""
        room, own = self._place.room, self.guest()
        shown = room.guest(own.key) if room is not None else None
        if room is None or shown is None or room.sealing or self._place.hosting is not None:
            return
        if (shown.keeper, shown.serves) != (own.keeper, own.serves):
            self.sit(room.host, room.id)

    def _body(self) -> dict[str, Any]:
        own = self.guest()
        is_playing = self._place.node.driver is not None
        return {
            "name": own.name,
            "keeper": own.keeper,
            "bot": own.bot,
            "nonce": own.nonce_hash,
            "phone": own.phone,
            "playing": is_playing,
            "plays": own.plays,
            "ready": own.ready and not is_playing,
            "serves": own.serves,
        }

    def sit_down(self) -> None:
        """Ask for our place until the host's word names us: where two links crossed, a request is lost with one of them."""
        room, asked = self._place.room, self._place.joining
        if room is not None:
            asked = (room.host, room.id) if room.guest(self._place.own_key) is None else None
        if asked is not None:
            self.sit(*asked)
            self._place.timers.set("sit", SIT_AGAIN_S, self.sit_down)
