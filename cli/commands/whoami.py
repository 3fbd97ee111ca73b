"""`fairdeal whoami`: show name, fingerprint and data folder beside a running client; only `--name` locks the home."""

from __future__ import annotations

from cli.clean import clean_name
from cli.client.tables import login_name
from cli.context import Context
from cli.faults import DONE, WrongUse
from cli.requests import WhoamiRequest
from p2p.home import Home, open_home, read_home


def run(request: WhoamiRequest, context: Context) -> int:
    _ = context.words
    if request.name is not None:
        name = clean_name(request.name, "")
        if not name:
            raise WrongUse("a name needs at least one visible character")
        with open_home(context.home, guests=False) as home:
            home.set_name(name)
            home.seed()
    home = read_home(context.home)
    words = fingerprint_of(home)
    name = home.name or login_name()
    if request.json:
        context.tell_json({"name": name, "fingerprint": words, "home": str(home.path)})
        return DONE
    context.tell(_("Name: {name}", name=clean_name(name)))
    if words:
        context.tell(_("Fingerprint: {words}", words=words))
    else:
        context.tell(_("Fingerprint: none yet (created when you first play)."))
    context.tell(_("Data: {path}", path=home.path))
    return DONE


def fingerprint_of(home: Home) -> str | None:
    """Return the words that stand for this person's key; None if there is none yet."""
    if not home.has_identity:
        return None
    from protocol.identity import Identity, fingerprint

    return fingerprint(Identity(home.seed()).public)
