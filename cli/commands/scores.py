"""`fairdeal scores`: list past matches and who won how often. Reads the journal beside a running client.

A finished match's `result` in the journal is `{"game", "table", "names", "teams", "scores", "winners", "rounds",
"match"}`.
"""

from __future__ import annotations

from cli.client.results import finished_matches
from cli.context import Context
from cli.faults import DONE
from cli.news import Finished
from cli.requests import Common
from cli.view.results import score_lines

MOST_MATCHES = 200


def run(request: Common, context: Context) -> int:
    matches = finished_matches(context.home, MOST_MATCHES)
    if request.json:
        context.tell_json({"matches": [as_json(each) for each in matches]})
        return DONE
    for line in score_lines(context.words, matches):
        context.tell(line)
    return DONE


def as_json(match: Finished) -> dict[str, object]:
    return {
        "ended": int(match.ended),
        "status": match.status,
        "game": match.game,
        "names": list(match.names),
        "scores": list(match.scores),
        "winners": list(match.winners),
        "rounds": match.rounds,
    }
