"""`fairdeal playthrough FILE...`: run rule examples against the engines, one line per file."""

from __future__ import annotations

from cli.clean import clean
from cli.client.game_failures import noted
from cli.context import Context
from cli.faults import DONE, FAILED, WRONG_USE
from cli.games.explain import explain
from cli.requests import FilesRequest
from protocol.errors import FairdealError, GameFailed


def run(request: FilesRequest, context: Context) -> int:
    """Return 0 if every file holds, 1 if one does not, 2 if one cannot be read."""
    from protocol.games.playthrough import PlaythroughFailed, run_playthrough

    _ = context.words
    status = DONE
    for path in request.files:
        name = clean(str(path))
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as fault:
            context.note(_("Cannot read {path}: {reason}", path=name, reason=fault.strerror or str(fault)))
            status = WRONG_USE
            continue
        except UnicodeDecodeError as fault:
            line = fault.object.count(b"\n", 0, fault.start) + 1
            context.note(_("{path}: line {line} is not valid UTF-8 text", path=name, line=line))
            status = WRONG_USE
            continue
        try:
            run_playthrough(text)
        except PlaythroughFailed as fault:
            context.tell(_("{path}: {reason}", path=name, reason=explain(_, fault)))
            status = max(status, FAILED)
        except GameFailed as fault:
            context.note(_("{path}: {reason}", path=name, reason=explain(_, noted(fault, context.home))))
            status = max(status, FAILED)
        except FairdealError as fault:
            context.note(_("{path}: {reason}", path=name, reason=explain(_, fault)))
            status = WRONG_USE
        else:
            context.tell(_("{path}: ok", path=name))
    return status
