"""Views as JSON. The same goes to any page, whatever carries it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from cli.text import Translator
from cli.view.actions import LABELS
from cli.view.views import ListView, Offer, PageView, ScoreView, TableView, View

KINDS: dict[type, str] = {TableView: "table", ListView: "list", ScoreView: "scores", PageView: "page"}
MOST_LOG = 40
"""The page shows so many entries of the log beside the table; the rest is on the log's own page."""
NOT_HERE = frozenset({"ascii", "mouse", "big"})
"""Settings that mean nothing in a browser."""


def view_json(_: Translator, view: View) -> dict[str, Any]:
    """A view with its kind; each action with what it is called."""
    told: dict[str, Any] = {"kind": KINDS[type(view)], **plain(view)}
    told["frame"]["actions"] = [_offer(_, offer) for offer in view.frame.actions]
    if isinstance(view, TableView):
        told["log"] = told["log"][-MOST_LOG:]
    if isinstance(view, ListView):
        told["list"] = told.pop("kind_of_list")
        if view.kind == "settings":
            told["rows"] = [row for row in told["rows"] if row["id"] not in NOT_HERE]
    if isinstance(view, PageView):
        told["keys"] = [
            [" · ".join(_(LABELS[name]) for name in names.split() if name in LABELS), text]
            for names, text in view.keys
            if any(name in LABELS for name in names.split())
        ]
    return told


def _offer(_: Translator, offer: Offer) -> dict[str, Any]:
    label = offer.label or (_(LABELS[offer.name]) if offer.name in LABELS else offer.name)
    return {"name": offer.name, "label": label, "arg": plain(offer.arg), "glows": offer.glows, "is_loud": offer.is_loud}


def plain(value: Any) -> Any:
    """Values without classes: dataclasses as objects, sequences and sets as lists."""
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        names = [each.name for each in fields(value)]
        is_list = isinstance(value, ListView)
        return {"kind_of_list" if is_list and name == "kind" else name: plain(getattr(value, name)) for name in names}
    if isinstance(value, frozenset):
        return sorted(plain(each) for each in value)
    if isinstance(value, Sequence):
        return [plain(each) for each in value]
    raise TypeError(f"{type(value).__name__} is nothing that a page can be told")
