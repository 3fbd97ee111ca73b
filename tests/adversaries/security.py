"""Write SECURITY.md from what the tests of attacks declare: `make security`, or `python -m tests.adversaries.security`."""

from __future__ import annotations

import importlib
from pathlib import Path

from tests.adversaries.declared import ATTACKS, LINKED, Attack, By

ROOT = Path(__file__).parent.parent.parent
FILE = ROOT / "SECURITY.md"

HEAD = """\
<!-- Written by `make security` from the tests of these attacks. Change the tests, not this page. -->
# Security

Fairdeal needs no server and trusts nobody to deal. This page says which attacks have been tried, by tests that play the
attacker with a modified program, and what came of each: when it is noticed and by whom, who is named, and what evidence
convinces somebody who was not there. In every one of these tests no honest player is accused.

Evidence consists of messages that bear the cheater’s signature. They are in the file of the match that every player keeps,
and `fairdeal verify FILE` checks them on any computer.
"""

TAIL = """\
## What Fairdeal does not defend against
- **Talk outside the program.** Players who tell each other their cards, or share a screen, cannot be stopped or noticed.
- **Everyone else working together.** Where a round can be finished after somebody vanished (from four players on, unless the
  table turns it off), all *other* players together can read your hand. The program says so where it matters. Bots and
  phones on one computer count as one player.
- **Silence.** Nobody can prove why a computer stopped answering or takes its time. The table waits for a player who vanishes,
  then the others may play on; a player who left finishes last, so leaving does not pay. A program that floods the table also
  delays its own messages, which queue behind the flood.
- **Making a round void.** A player who pretends not to see the others can call for playing on twice and then stay: the round
  counts for nobody, though it could have been finished. A player who calls without having voted leaves no evidence. Both
  cost everybody the same round and win nothing, and the match file shows who called.
- **Who a person is.** A name is only a label, and a key is only a key. The words on all screens show that everybody sits at
  the same table: compare them aloud. Without that, somebody in between could pretend to be two players.
- **A compromised computer.** Anyone who controls your computer sees your cards and can sign for you. Keys are stored in your
  home folder, readable only by you; they are not encrypted.
- **The computer that serves a phone.** A phone’s cards are hidden from everybody at the table as long as the computer whose
  code it scanned runs the real Fairdeal. The page comes from there over plain HTTP: anyone who controls that computer, or the
  network in between, can send another page. An open page may move on to another computer; it is still the page that came from
  the first. Phones and the computer that serves them count as one player for secrecy. A computer’s own client needs no such
  trust.
- **Being on the network at all.** Others on the network can see that you play, with whom, and how fast you answer. Somebody
  who can saturate the network, or unplug it, can interrupt a match. It continues when the network is back.
- **A computer with hundreds of addresses.** Limits apply to each address. Somebody who can use any number of the network’s
  addresses makes friends who are not in yet wait for some seconds; friends who are in play on.
- **A player who refuses to begin.** Anyone who sits down can refuse to sign the list of players, or withhold their number,
  and then no match begins. Everybody sees who it was; the host can remove them, and the next match begins without them.
- **Who hosts a room.** Anyone in the room can claim to host it: it looks like a network that was split. Everybody sees who
  hosts. A host decides who is admitted and what is played, but sees no card and cannot change what everyone signs.
- **A stranger’s table with a friend’s name.** Both are shown, and marked, but nothing stops you from joining the wrong one. If
  you join by that name, you are told both addresses and have to choose, even if the stranger’s computer delays the call and
  proves nothing. While your friends play, a stranger’s open table of the same name has a free seat, and is joined before theirs.
- **Mathematics.** Hidden cards rest on the hardness of discrete logarithms (the decisional Diffie-Hellman problem in
  ristretto255). A large quantum computer would break it, including recordings made today.

## Reporting a vulnerability
If you can read a hidden card, influence the deck, get an honest player accused, stop a match cheaply, or make the program
run or write something it should not, please report it in private first. Where you got the source, open “Security”, then
“Report a vulnerability”; if there is no such page, ask in a public issue whom to contact, without describing the vulnerability.
Say what you did, what happened, and which version you used (`fairdeal --version`); a file of the match, or a test like those
in `tests/adversaries/`, helps most. You will get an answer, the fix will include a test that plays your attack, and the
change log will name you if you like. Please do not publish details before that.
"""


def declared() -> list[Attack]:
    """Return what all tests declare, by attacker, in the order of the files."""
    ATTACKS.clear()
    LINKED.clear()
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        if "import" in (text := path.read_text(encoding="utf-8")) and ("\n@attack(" in text or "\nover_links(" in text):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            importlib.reload(importlib.import_module(name))
    found, order = list(dict.fromkeys(ATTACKS)), list(By)
    return sorted(found, key=lambda each: (order.index(each.by), each.files, each.what))


def text() -> str:
    """Return the whole page."""
    parts, attacks = [HEAD], declared()
    for by in By:
        parts.append(f"## {by.value}\n")
        for each in attacks:
            if each.by is by:
                lines = [
                    f"**{each.what}**",
                    f"*Noticed:* {each.noticed}",
                    f"*Named:* {each.evidence}",
                    ", over real connections ".join(f"`{file}`" for file in each.files),
                ]
                parts.append("- " + "  \n  ".join(lines) + "\n")
    return "\n".join([*parts, TAIL])


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
