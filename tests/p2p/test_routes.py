"""Ways to peers, without links: who relays, what is told, and what is forgotten."""

from __future__ import annotations

from p2p.heartbeats import Heartbeat
from p2p.routes import MAX_INTRODUCED, Route, RouteChange, Routes

ANN, BEN, CEM, DEE = (bytes([number]) * 32 for number in range(4))


def told(
    routes: Routes,
    linked: tuple[bytes, ...],
    reached: dict[bytes, tuple[bytes, ...]] | None = None,
    reason: str | None = None,
) -> list[RouteChange]:
    """What Ann is told when she has these links; `reached`: whom each seat says that it reaches."""
    heartbeats = {seat: Heartbeat(0, {key: [] for key in keys}) for seat, keys in (reached or {}).items()}
    return list(routes.update(linked, (BEN, CEM, DEE), (ANN, BEN, CEM, DEE), heartbeats, reason))


def test_the_first_seat_that_reaches_a_peer_relays_for_it() -> None:
    routes = Routes()
    assert told(routes, (BEN, CEM), {BEN: (), CEM: (DEE,)}) == [
        RouteChange(BEN, Route.DIRECT),
        RouteChange(CEM, Route.DIRECT),
        RouteChange(DEE, Route.RELAYED, CEM),
    ]
    assert told(routes, (BEN, CEM), {BEN: (DEE,), CEM: (DEE,)}) == [RouteChange(DEE, Route.RELAYED, BEN)]
    assert told(routes, (BEN, CEM, DEE), {BEN: (DEE,)}) == [RouteChange(DEE, Route.DIRECT)]
    assert told(routes, (), {BEN: (DEE,)}, "bye") == [
        RouteChange(key, Route.NONE, None, "bye") for key in (BEN, CEM, DEE)
    ]


def test_a_new_link_to_a_peer_is_told_though_it_was_reached_before() -> None:
    routes = Routes()
    told(routes, (BEN, CEM), {BEN: (DEE,)})
    assert told(routes, (BEN, CEM), {BEN: (DEE,)}) == []
    routes.renew(BEN)
    assert told(routes, (BEN, CEM), {BEN: (DEE,)}) == [
        RouteChange(BEN, Route.DIRECT),
        RouteChange(DEE, Route.RELAYED, BEN),
    ]


def test_a_change_that_another_one_undoes_is_not_told() -> None:
    routes = Routes()
    changes = routes.update((BEN, CEM), (BEN, CEM), (ANN, BEN, CEM), {}, None)
    assert next(changes) == RouteChange(BEN, Route.DIRECT)
    assert told(routes, (BEN,)) == [RouteChange(CEM, Route.NONE)]  # whoever was told of the first has ended the second
    assert list(changes) == []


def test_whom_a_peer_introduced_is_reached_through_it_as_long_as_it_is_linked() -> None:
    routes, guest = Routes(), b"g" * 32
    routes.introduce(guest, BEN)
    assert told(routes, (BEN,))[-1] == RouteChange(guest, Route.RELAYED, BEN)
    routes.lose(BEN)
    assert RouteChange(guest, Route.NONE) in told(routes, ())
    assert told(routes, (BEN,)) == [RouteChange(BEN, Route.DIRECT)]


def test_where_too_many_are_introduced_the_oldest_of_who_introduced_most_gives_way() -> None:
    routes, guests = Routes(), [number.to_bytes(32, "big") for number in range(100, 200)]
    routes.introduce(DEE, CEM)
    for guest in guests:
        routes.introduce(guest, BEN)
    assert list(routes.introduced) == [DEE, *guests[1 - MAX_INTRODUCED :]]
    routes.introduce(ANN, CEM)
    assert list(routes.introduced) == [DEE, *guests[2 - MAX_INTRODUCED :], ANN]


def test_a_peer_that_introduced_as_many_as_any_other_makes_room_with_its_own() -> None:
    routes, guests = Routes(), [number.to_bytes(32, "big") for number in range(100, 100 + MAX_INTRODUCED)]
    for number, guest in enumerate(guests):
        routes.introduce(guest, BEN if number % 2 else CEM)
    routes.introduce(DEE, BEN)
    assert list(routes.introduced) == [guests[0], *guests[2:], DEE]
