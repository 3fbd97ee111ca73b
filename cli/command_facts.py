"""All commands with their help lines and examples, from which help and parser are built."""

from __future__ import annotations

from cli.text import key
from protocol.values import dataclass


@dataclass(frozen=True, slots=True)
class CommandFacts:
    """One command. `module` is its module in cli.commands; `example` is shown in its help."""

    name: str
    help: str
    example: str
    module: str


COMMANDS = (
    CommandFacts("play", key("play against bots on this computer"), "fairdeal play crazy-eights --bots 3", "play"),
    CommandFacts("host", key("open a table on this network"), "fairdeal host tichu --table Kitchen --bots 1", "host"),
    CommandFacts("join", key("join a table"), "fairdeal join Kitchen", "join"),
    CommandFacts("watch", key("watch a table"), "fairdeal watch 192.168.1.23:4711", "watch"),
    CommandFacts("tables", key("list the tables on this network"), "fairdeal tables --seconds 5", "tables"),
    CommandFacts("verify", key("verify match transcripts"), "fairdeal verify kitchen.fairdeal --json", "verify"),
    CommandFacts("replay", key("replay a match step by step"), "fairdeal replay kitchen.fairdeal", "replay"),
    CommandFacts("playthrough", key("run rule examples"), "fairdeal playthrough examples/*.jsonl", "playthrough"),
    CommandFacts("rules", key("show the rules of a game"), "fairdeal rules mau-mau --option sevens=true", "rules"),
    CommandFacts("scores", key("show past matches and standings"), "fairdeal scores", "scores"),
    CommandFacts("whoami", key("show or set your name"), "fairdeal whoami --name Hanako", "whoami"),
    CommandFacts("doctor", key("diagnose connection problems"), "fairdeal doctor", "doctor"),
    CommandFacts("bench", key("benchmark this computer"), "fairdeal bench --quick", "bench"),
    CommandFacts(
        "completions",
        key("print a script that lets your shell complete commands"),
        "fairdeal completions bash",
        "completions",
    ),
)
BY_NAME = {facts.name: facts for facts in COMMANDS}
LOBBY = CommandFacts("lobby", key("the tables on this network, full screen"), "fairdeal", "lobby")
