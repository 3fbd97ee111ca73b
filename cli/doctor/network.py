"""Explain what p2p.doctor saw: what it means for finding and reaching friends, and what to do about it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from cli.clean import clean_name
from cli.client.discovery import rows
from cli.doctor.check_result import Finding, State
from cli.news import FoundTable
from cli.phones.serving import PORT as PHONES_PORT
from cli.text import Translator, key
from cli.text.hotspot import HOTSPOT, hotspot_steps
from p2p.announcements import Sighting
from p2p.doctor import Examination, MdnsPort, PortUse
from p2p.network_adapters import Adapter, AdapterKind
from p2p.probing import ProbeResult

MAX_TABLES = 12
ADVICE_BY_ADDRESS = key("Until then, join tables by address, for example: fairdeal join 192.168.1.23")
ADVICE_FIREWALL = {
    "ufw": key(
        "If friends cannot join you: sudo ufw allow {port}/tcp, and so that tables are found: sudo ufw allow 5353/udp"
    ),
    "firewalld": key(
        "If friends cannot join you: sudo firewall-cmd --add-port={port}/tcp, and so that tables "
        "are found: --add-service=mdns"
    ),
}
ADVICE_PHONES = {
    "ufw": key("So that friends can join by phone: sudo ufw allow {port}/tcp"),
    "firewalld": key("So that friends can join by phone: sudo firewall-cmd --add-port={port}/tcp"),
}


def look_at_network(
    _: Translator, seen: Examination, addresses: Sequence[str], platform: str = sys.platform
) -> list[Finding]:
    """Return all findings about the network. `addresses`: what to tell friends, each with its port."""
    found = [adapters(_, seen), *other_adapters(_, seen)]
    has_network = any(adapter.kind is not AdapterKind.LOOPBACK for adapter in seen.adapters)
    if has_network:
        found += [
            friends(_, addresses),
            port(_, seen),
            own_calls(_, seen),
            multicast(_, seen),
            neighbours(_, seen),
        ]
    if has_network or seen.sightings:
        found += tables(_, seen)
    found += firewalls(_, seen, platform)
    if {("network", State.BAD), ("neighbours", State.UNKNOWN)} & {(finding.id, finding.state) for finding in found}:
        found.append(Finding("hotspot", State.OK, _(HOTSPOT), "\n".join(hotspot_steps(_))))
    return found


# --- adapters and addresses ---


def adapters(_: Translator, seen: Examination) -> Finding:
    room = [adapter for adapter in seen.adapters if adapter.kind is AdapterKind.ROOM]
    others = [adapter for adapter in seen.adapters if adapter.kind not in (AdapterKind.ROOM, AdapterKind.LOOPBACK)]
    details = {
        "cards": [{"name": c.name, "kind": c.kind.name.lower(), "addresses": list(c.hosts)} for c in seen.adapters]
    }
    if not room:
        if others:
            what = _("No Wi-Fi or cable connected, only {names}", names=_.list(adapter.name for adapter in others))
        else:
            what = _("This computer is not connected to any network")
        advice = _("Connect to Wi-Fi or plug in a cable. You can still play against bots.")
        return Finding("network", State.BAD, what, advice, details)
    numbered = [adapter for adapter in room if adapter.is_numbered]
    named = _.list(label(adapter) for adapter in numbered or room)
    if not numbered:
        return Finding(
            "network",
            State.WARN,
            _("Connected, but this computer has not been given an address: {cards}", cards=named),
            _("Turn Wi-Fi off and on again, or check the router. Friends on the same cable may still see you."),
            details,
        )
    if not any(not host.startswith("169.254.") for adapter in numbered for host in adapter.v4):
        return Finding(
            "network",
            State.WARN,
            _("Connected with IPv6 only: {cards}", cards=named),
            _(
                "Friends whose computers only have IPv4 cannot reach you: turn on IPv4 in the router or on "
                "this computer."
            ),
            details,
        )
    if len(numbered) > 1:
        what = _("Connected in more than one way: {cards}", cards=named)
        advice = _("That is fine as long as your friends are on one of these networks.")
        return Finding("network", State.OK, what, advice, details)
    return Finding("network", State.OK, _("Connected: {cards}", cards=named), details=details)


def label(adapter: Adapter) -> str:
    """Return an adapter's name with the address that identifies its network."""
    numbered = [host for host in adapter.hosts if not host.startswith(("169.254.", "fe80:"))]
    return f"{clean_name(adapter.name)} ({(numbered or adapter.hosts)[0]})"


def other_adapters(_: Translator, seen: Examination) -> Iterator[Finding]:
    """Yield findings about adapters that do not lead to friends."""
    tunnels = [adapter for adapter in seen.adapters if adapter.kind is AdapterKind.TUNNEL and adapter.is_numbered]
    virtual = [adapter for adapter in seen.adapters if adapter.kind is AdapterKind.VIRTUAL]
    if tunnels:
        yield Finding(
            "vpn",
            State.WARN,
            _("A VPN seems to be on: {cards}", cards=_.list(label(adapter) for adapter in tunnels)),
            _("Some VPNs block the local network: if friends cannot see you, turn it off while you play."),
            {"cards": [adapter.name for adapter in tunnels]},
        )
    if virtual:
        what = _(
            "Networks inside this computer, for containers and the like: {names}",
            names=_.list(adapter.name for adapter in virtual),
        )
        advice = _("Friends cannot reach you at those addresses.")
        yield Finding("virtual", State.OK, what, advice, {"cards": [adapter.name for adapter in virtual]})


def friends(_: Translator, addresses: Sequence[str]) -> Finding:
    details = {"addresses": list(addresses)}
    if not addresses:
        what = _("There is no address to give to friends: they must find your table automatically")
        return Finding("address", State.WARN, what, _("See above: this computer has no address yet."), details)
    first, *more = addresses
    what = _("Friends can join your table with: fairdeal join {address}", address=first)
    if more:
        what = _("{what} (or {others})", what=what, others=_.either(more))
    return Finding("address", State.OK, what, details=details)


# --- reaching ---


def port(_: Translator, seen: Examination) -> Finding:
    details = {"port": seen.port, "use": seen.port_use.value}
    by_itself = _("A table opened now will use another port: give friends the address it shows, including the port.")
    match seen.port_use:
        case PortUse.FREE:
            return Finding("port", State.OK, _("Port {port} is free for your table", port=seen.port), details=details)
        case PortUse.FAIRDEAL:
            what = _("Port {port} is used by your own table", port=seen.port)
            return Finding("port", State.OK, what, by_itself, details)
        case PortUse.TAKEN:
            return Finding(
                "port", State.WARN, _("Port {port} is used by another program", port=seen.port), by_itself, details
            )
        case PortUse.FORBIDDEN:
            what = _("The system does not allow Fairdeal to listen on port {port}", port=seen.port)
            return Finding("port", State.WARN, what, by_itself, details)
        case PortUse.NONE:
            what = _("No connections are possible: this computer has no network at all")
            return Finding("port", State.BAD, what, _("Connect to Wi-Fi or plug in a cable."), details)


def to_friends(seen: Examination) -> list[Adapter]:
    """Return the adapters that matter: without an assigned address, one may fail without consequence."""
    room = [adapter for adapter in seen.adapters if adapter.kind is AdapterKind.ROOM]
    return [adapter for adapter in room if adapter.is_numbered] or room


def own_calls(_: Translator, seen: Examination) -> Finding:
    """Check the calls to our own addresses. They may succeed although a firewall blocks the network."""
    counted = {host for adapter in to_friends(seen) for host in adapter.hosts}
    answers = {host: answer for host, answer in seen.own.items() if host in counted} or dict(seen.own)
    failed = {host for host, answer in answers.items() if answer.ms is None}
    details = {"addresses": {host: as_json(answer) for host, answer in seen.own.items()}}
    if answers and not failed:
        slowest = max(answer.ms or 0.0 for answer in answers.values())
        what = _("This computer can reach itself at all its addresses ({ms} ms)", ms=max(1, round(slowest)))
        return Finding("self", State.OK, what, details=details)
    advice = _("A firewall or security program on this computer is in the way: allow Fairdeal (or Python) there.")
    if len(failed) == len(answers):
        what = _("This computer cannot even reach itself: nobody can join your table")
        return Finding("self", State.BAD, what, advice, details)
    what = _("This computer cannot reach itself at {addresses}", addresses=_.list(sorted(failed)))
    return Finding("self", State.WARN, what, advice, details)


def as_json(answer: ProbeResult) -> dict[str, object]:
    return {"ms": None if answer.ms is None else round(answer.ms, 1), "reason": answer.reason or None}


# --- finding ---


def multicast(_: Translator, seen: Examination) -> Finding:
    """Check whether we receive our own announcements, which tests this computer but not the network behind it."""
    details = {
        "mdns_port": seen.mdns_port.value,
        "heard_ms": {name: None if at is None else round(at * 1000, 1) for name, at in seen.echo_s.items()},
    }
    if seen.mdns_port is MdnsPort.REFUSED:
        return Finding(
            "multicast",
            State.BAD,
            _("Another program blocks port 5353: tables are not found automatically"),
            _.join([_("Close that program (some phone and music programs do this)."), _(ADVICE_BY_ADDRESS)]),
            details,
        )
    room = [adapter.name for adapter in to_friends(seen)] or list(seen.echo_s)
    silent = [name for name in room if seen.echo_s.get(name) is None]
    if not silent:
        what = _("This computer’s announcements are sent and heard: {names}", names=_.list(room))
        return Finding("multicast", State.OK, what, details=details)
    advice = _.join([_("Allow UDP port 5353 (mDNS), in and out, in this computer’s firewall."), _(ADVICE_BY_ADDRESS)])
    if len(silent) == len(room):
        what = _("This computer cannot even hear its own announcements: tables are not found automatically")
        return Finding("multicast", State.BAD, what, advice, details)
    what = _("This computer’s announcements are not heard on {names}", names=_.list(silent))
    return Finding("multicast", State.WARN, what, advice, details)


def neighbours(_: Translator, seen: Examination) -> Finding:
    """Check whether multicast arrives from outside. Silence may mean that nobody is there."""
    count = len(seen.neighbours)
    details = {"count": count}
    if count or not all(seen.is_own(sighting) for sighting in seen.sightings):
        what = _.n("{n} other device found on this network", "{n} other devices found on this network", max(count, 1))
        return Finding("neighbours", State.OK, what, details=details)
    return Finding(
        "neighbours",
        State.UNKNOWN,
        _("No other device found: either none is active, or this network keeps devices apart"),
        _("Guest networks and some access points do that: use the main Wi-Fi, a phone’s hotspot or a cable."),
        details,
    )


# --- tables ---


def _rows(sightings: Sequence[Sighting]) -> list[FoundTable]:
    """Return the tables as they are announced: nobody goes there from here, so nobody has to prove a seat."""
    return rows(sightings, lambda _: True)


def tables(_: Translator, seen: Examination) -> Iterator[Finding]:
    """Yield one finding per table, or one if there is none."""
    found = _rows(seen.sightings)[:MAX_TABLES]
    elsewhere = {row.id for row in _rows([each for each in seen.sightings if not seen.is_own(each)])}
    if not found:
        yield Finding(
            "tables",
            State.UNKNOWN,
            _("No tables found, which is normal if nobody has one open"),
            _("To test it: run fairdeal host crazy-eights on another computer, then fairdeal doctor here again."),
            {"count": 0},
        )
    for row in found:
        answers = {address: seen.answers[address] for address in row.addresses if address in seen.answers}
        times = [answer.ms for answer in answers.values() if answer.ms is not None]
        details = {
            "table": row.title,
            "game": row.game,
            "id": row.id,
            "own": row.id not in elsewhere,
            "addresses": {f"{host} {number}": as_json(answer) for (host, number), answer in answers.items()},
        }
        if times and row.id not in elsewhere:
            what = _("Table {table} on this computer can be seen", table=row.title)
            yield Finding("tables", State.OK, what, details=details)
        elif times:
            what = _("Table {table} can be seen and reached ({ms} ms)", table=row.title, ms=max(1, round(min(times))))
            yield Finding("tables", State.OK, what, details=details)
        elif any(answer.reason == "refused" for answer in answers.values()):
            what = _("Table {table} is still listed, but it is no longer there", table=row.title)
            advice = _("It was probably just closed; the entry will disappear by itself.")
            yield Finding("tables", State.UNKNOWN, what, advice, details)
        else:
            yield Finding(
                "tables",
                State.BAD,
                _("Table {table} can be seen but not reached", table=row.title),
                _(
                    "Either a firewall on that computer, or an access point that keeps devices apart: allow "
                    "Fairdeal (or Python) there."
                ),
                details,
            )


# --- firewalls ---


def firewalls(_: Translator, seen: Examination, platform: str) -> Iterator[Finding]:
    """Yield what can be known about firewalls without special rights, and the platform's usual behaviour otherwise."""
    for name in seen.firewalls:
        what = _("The {name} firewall is on; only an administrator can see what it allows", name=name)
        advice = [_(ADVICE_FIREWALL[name], port=seen.port), _(ADVICE_PHONES[name], port=PHONES_PORT)]
        yield Finding("firewall", State.WARN, what, "\n".join(advice), {"name": name})
    if platform == "win32":
        yield Finding(
            "firewall",
            State.UNKNOWN,
            _("Windows keeps friends out on networks it treats as public"),
            _("In Settings, Network: make this network private, and allow Python when Windows asks."),
            {"name": "windows"},
        )
    elif platform == "darwin":
        yield Finding(
            "firewall",
            State.UNKNOWN,
            _("The macOS firewall, if it is on, may keep friends out"),
            _("System Settings, Network, Firewall: allow incoming connections for Python or your terminal."),
            {"name": "macos"},
        )
    elif not seen.firewalls:
        what = _("No firewall found (there may still be one)")
        yield Finding("firewall", State.OK, what, details={"name": None})
