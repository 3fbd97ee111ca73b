"""`verify` on several cores: the same verdicts, from the one path that assumes nothing wherever something is wrong."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import BrokenExecutor, Future
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from cli.client import verifying
from cli.client.verifying import Assumed, Refuted, Verifier
from cli.main import main
from protocol.checks import Decide, at_once
from protocol.dealing.group import Combination, G, Scalar
from protocol.dealing.seed_claim import SeedClaim
from protocol.table import verify
from protocol.table.verify import verify as plainly
from tests.dealing.conftest import make_seats, make_shuffled
from tests.table.tables import stream

pytestmark = pytest.mark.usefixtures("with_compiled_sums")

MATCHES = Path(__file__).parent.parent / "vectors" / "matches"
GOOD, FALSE = "left-by-one-of-two", "false-share"


@pytest.fixture
def passes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Files of any length are long; how often each is read, and how."""
    found: list[str] = []
    really = verify.verify

    def noting(data: bytes, rng: Any, progress: Any = None, decide: Decide = at_once) -> verify.Report:
        found.append("at once" if decide is at_once else "assumed")
        return really(data, rng, progress, decide)

    monkeypatch.setattr(verifying, "LEAST_BYTES", 0)
    monkeypatch.setattr(verify, "verify", noting)
    return found


class Pool:
    """Stands for other processes: answers at once, never, or cannot."""

    def __init__(self, how: str = "at once") -> None:
        self.how, self.count = how, 0

    def submit(self, function: Any, *arguments: Any) -> Future[bool]:
        self.count += 1
        if self.how == "broken":
            raise BrokenExecutor
        future: Future[bool] = Future()
        if self.how == "at once":
            future.set_result(function(*arguments))
        return future

    def shutdown(self, **how: Any) -> None:
        self.how = "closed"


def verifier_with(pool: Pool) -> Verifier:
    found = Verifier(2)
    found._pool = pool  # type: ignore[assignment]
    return found


def data_of(name: str) -> bytes:
    return (MATCHES / f"{name}.match").read_bytes()


@cache
def reports(name: str) -> verify.Report:
    """What is found by reading it once and assuming nothing, which `passes` does not count."""
    return plainly(data_of(name), stream(1))


@pytest.mark.slow
def test_other_processes_answer_and_find_what_is_false(passes: list[str]) -> None:
    with Verifier(2) as verifier:
        good = verifier.verify(data_of(GOOD))
        assert passes == ["assumed"]
        false = verifier.verify(data_of(FALSE))
        assert passes == ["assumed", "assumed", "at once"]
    assert good == reports(GOOD)
    assert false == reports(FALSE)
    assert [each["what"] for each in false.evidence if each["what"] != "goodbye"] == ["share"]


BY_ITSELF = """
import sys, threading
from pathlib import Path
from cli.client import verifying
done = threading.Event()
if __name__ == "__main__":
    if sys.argv[1] == "threads":
        threading.Thread(target=done.wait).start()
    verifying.LEAST_BYTES = 0
    with verifying.Verifier(2) as verifier:
        ok = [verifier.verify(Path(each).read_bytes()).convicted for each in sys.argv[2:]]
        print(verifier._pool._mp_context.get_start_method(), ok)
    done.set()
"""


@pytest.mark.slow
@pytest.mark.parametrize(("beside", "starts"), [("nothing", "fork"), ("threads", "spawn")])
def test_a_helper_is_a_copy_of_the_reader_unless_the_reader_has_threads(
    beside: str, starts: str, tmp_path: Path
) -> None:
    script, files = tmp_path / "verify.py", [str(MATCHES / f"{name}.match") for name in (GOOD, FALSE)]
    script.write_text(BY_ITSELF, encoding="utf-8")
    done = subprocess.run([sys.executable, script, beside, *files], capture_output=True, text=True, check=True)
    how = starts if sys.platform == "linux" else "spawn"
    assert done.stdout.split() == [how, *f"{[reports(name).convicted for name in (GOOD, FALSE)]}".split()]


@pytest.mark.slow
@pytest.mark.parametrize("how", ["at once", "never", "broken"])
def test_the_verdict_is_the_same_whatever_the_helpers_do(how: str, passes: list[str]) -> None:
    pool = Pool(how)
    assert verifier_with(pool).verify(data_of(FALSE)) == reports(FALSE)
    assert passes[-2:] == ["assumed", "at once"]


def test_short_files_and_one_core_need_no_helper(passes: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    pool = Pool()
    alone = Verifier(1)
    assert alone.verify(data_of(GOOD)).ok and alone._pool is None
    monkeypatch.setattr(verifying, "LEAST_BYTES", 1 << 30)
    assert verifier_with(pool).verify(data_of(GOOD)).ok
    assert passes == ["assumed", "assumed"] and pool.count == 0


def test_who_has_no_helper_reads_again_what_is_false(passes: list[str]) -> None:
    assert Verifier(1).verify(data_of(FALSE)) == reports(FALSE)
    assert passes == ["assumed", "at once"]


def test_what_cannot_be_read_raises_the_same(passes: list[str]) -> None:
    with pytest.raises(verify.Unreadable):
        verifier_with(Pool()).verify(b"\0" * 40)


class Slow:
    """A check that is heavy, and true or not."""

    weight = verifying.MOST

    def __init__(self, is_so: bool = True) -> None:
        self.is_so = is_so

    def holds(self) -> bool:
        return self.is_so


def test_who_reads_is_not_far_ahead_and_helps() -> None:
    """Two batches wait for others; everything else the reader answers by itself, at last those two as well."""
    pool = Pool("never")
    assumed = Assumed(pool, 2)  # type: ignore[arg-type]
    for _ in range(5):
        assert assumed(Slow())
        assumed.look()
    assert pool.count == 2
    assumed(Slow())
    assumed.finish()
    assumed(Slow(is_so=False))
    with pytest.raises(Refuted):
        assumed.finish()


def test_what_a_round_needs_is_sent_when_it_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its sums share points with each other. Several short rounds are sent together."""
    monkeypatch.setattr(verifying, "BATCH", 40)
    pool = Pool()
    assumed = Assumed(pool, 2)  # type: ignore[arg-type]
    seats = make_seats(1)
    made = make_shuffled(seats, 10)
    closing = SeedClaim(made.ctx, made.joint, seats.secrets[0].seed, made.before, made.after)
    vanishing = Combination()
    for number in range(40):
        vanishing.add(Scalar(0), Scalar(number + 1) * G)
    for check, sent in (closing, 0), (closing, 1), (vanishing, 1), (closing, 2), (closing, 2):
        assumed(check)
        assumed.look()
        assert pool.count == sent, check
    assumed.finish()


@pytest.mark.parametrize("how", ["at once", "never"])
def test_a_wrong_answer_stops_the_reader_soon(how: str) -> None:
    assumed = Assumed(Pool(how), 1)  # type: ignore[arg-type]
    read: list[int] = []

    def read_on() -> None:
        for number in range(10):
            assumed(Slow(is_so=number != 1))
            assumed.look()
            read.append(number)

    with pytest.raises(Refuted):
        read_on()
    assert len(read) < 4


@pytest.mark.slow
def test_the_command_says_the_same_with_helpers(
    passes: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--home", str(tmp_path), "verify", *(str(MATCHES / f"{name}.match") for name in (GOOD, FALSE))]
    for more in ([], ["--json"], ["--all"]):
        said = []
        for cores in (1, 2):
            monkeypatch.setattr(verifying, "cores", lambda count=cores: count)
            said.append((main([*words, *more]), capsys.readouterr()))
        assert said[0] == said[1]
        assert said[0][0] == 1
    assert passes.count("assumed") == 12
