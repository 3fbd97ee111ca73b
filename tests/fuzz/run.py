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

ORDINARY_S = 60
GUIDED = ("protocol", "p2p", "cli", "tests.fuzz")
"""The packages whose coverage guides a fuzzer. All else, the interpreter's own library above all, would only slow it down."""


def run_seeded(name: str, seconds: float, seed: int) -> int:
    """Play matches or evenings from a seed on; return how many changed messages were received."""
    from tests.fuzz.targets import SEEDED

    end, count = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        try:
            count += SEEDED[name](seed)
        except Exception:
            print(f"{name}, seed {seed}", file=sys.stderr)
            raise
        seed += 1
    return count


def run_mutated(name: str, seconds: float, seed: int) -> int:
    """Run one target on mutated inputs; return how many there were."""
    from tests.fuzz.mutation import mutated
    from tests.fuzz.targets import TARGETS, seeds

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
    """Run one target under atheris, which ends the process. It must not have been imported before."""
    import atheris

    with atheris.instrument_imports(include=list(GUIDED)):
        from tests.fuzz.targets import TARGETS, seeds

    with TemporaryDirectory() as folder:
        for index, data in enumerate(seeds(name)):
            with open(f"{folder}/{index}", "wb") as file:
                file.write(data)
        options: dict[str, object] = {"max_total_time": round(seconds), "max_len": 8192, "print_final_stats": 1}
        options["artifact_prefix"] = f"{folder}/"  # a fault is printed, so no file needs to stay
        arguments = [sys.argv[0], folder, *(f"-{name}={value}" for name, value in options.items())]
        atheris.Setup(arguments, TARGETS[name])
        atheris.Fuzz()


def main() -> int:
    """Run all targets, or those that are named; return 1 if one fails."""
    given = sys.argv[1:]
    if given[:1] == ["--one"]:
        name, seconds, is_seeded = given[1], float(given[2]), given[3:] == ["seeded"]
        if find_spec("atheris") is not None and not is_seeded:
            run_guided(name, seconds)
        else:
            seed = time.time_ns() % 1_000_000
            fuzz = run_seeded if is_seeded else run_mutated
            print(f"{name}: {fuzz(name, seconds, seed)} inputs without a fault (seed {seed})")
        return 0
    from tests.fuzz.targets import SEEDED, TARGETS

    seconds = float(given.pop(0)) if given and given[0].replace(".", "").isdecimal() else ORDINARY_S
    failed = []
    for name in given or (*TARGETS, *SEEDED):
        print(f"--- {name}", flush=True)
        how = ["seeded"] if name in SEEDED else []
        if subprocess.run([sys.executable, "-m", "tests.fuzz.run", "--one", name, str(seconds), *how]).returncode:
            failed.append(name)
    print("failed: " + ", ".join(failed) if failed else "no fault")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
