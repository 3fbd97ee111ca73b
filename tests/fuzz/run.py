"""Fuzz for a while: `python -m tests.fuzz.run [SECONDS] [TARGET]...`. With `atheris` installed it is guided by coverage.

Each target runs in a process of its own. Without atheris, real inputs are mutated at random from a printed seed.
"""

from __future__ import annotations

import subprocess
import sys
import time
from importlib.util import find_spec
from random import Random
from tempfile import TemporaryDirectory

from tests.fuzz.targets import TARGETS, seeds

ORDINARY_S = 60


def mutated(data: bytes, rng: Random) -> bytes:
    """Some bytes of an input changed, doubled, moved or left out."""
    new = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 4, 16))):
        at = rng.randrange(len(new) + 1)
        match rng.randrange(5):
            case 0 if new:
                new[at % len(new)] = rng.randrange(256)
            case 1:
                new[at:at] = rng.randbytes(rng.randrange(1, 9))
            case 2:
                del new[at : at + rng.randrange(1, 9)]
            case 3:
                new[at:at] = new[: rng.randrange(1, 40)]
            case _:
                new[at : at + 4] = rng.choice((b"\xff" * 4, bytes(4), b"\x80", b"\xc0", b"\xdc\xff\xff"))
    return bytes(new)


def run_mutated(name: str, seconds: float, seed: int) -> int:
    """Run one target on mutated inputs; return how many there were."""
    target, rng, corpus = TARGETS[name], Random(seed), seeds(name)
    end, count = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        data = mutated(rng.choice(corpus), rng)
        try:
            target(data)
        except Exception:
            print(f"{name}, seed {seed}, input {count}: {data.hex()}", file=sys.stderr)
            raise
        count += 1
    return count


def run_guided(name: str, seconds: float) -> None:
    """Run one target under atheris, which ends the process."""
    import atheris

    with TemporaryDirectory() as folder:
        for index, data in enumerate(seeds(name)):
            with open(f"{folder}/{index}", "wb") as file:
                file.write(data)
        atheris.instrument_all()
        options: dict[str, object] = {"max_total_time": round(seconds), "max_len": 8192, "print_final_stats": 1}
        options["artifact_prefix"] = f"{folder}/"  # a fault is printed, so no file needs to stay
        arguments = [sys.argv[0], folder, *(f"-{name}={value}" for name, value in options.items())]
        atheris.Setup(arguments, TARGETS[name])
        atheris.Fuzz()


def main() -> int:
    """Run all targets, or those that are named; return 1 if one fails."""
    given = sys.argv[1:]
    if given[:1] == ["--one"]:
        name, seconds = given[1], float(given[2])
        if find_spec("atheris") is not None:
            run_guided(name, seconds)
        else:
            seed = time.time_ns() % 1_000_000
            print(f"{name}: {run_mutated(name, seconds, seed)} inputs without a fault (seed {seed})")
        return 0
    seconds = float(given.pop(0)) if given and given[0].replace(".", "").isdecimal() else ORDINARY_S
    failed = []
    for name in given or TARGETS:
        print(f"--- {name}", flush=True)
        if subprocess.run([sys.executable, "-m", "tests.fuzz.run", "--one", name, str(seconds)]).returncode:
            failed.append(name)
    print("failed: " + ", ".join(failed) if failed else "no fault")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
