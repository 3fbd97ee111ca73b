"""The compiled sums (`make native`), for tests of them and for tests that check many proofs."""

from __future__ import annotations

import os
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path

from protocol.dealing import sums

COMPILER = shutil.which("cc")
SOURCE = Path(sums.__file__).with_suffix(".c")


def compiled_sums(folder: Path) -> sums.Sums | None:
    """The module as `make native` compiles it, or None where there is no compiler. It is kept in this folder for the next run, as
    compiling takes some seconds."""
    if COMPILER is None:
        return None
    path = folder / f"libsums-{sha256(SOURCE.read_bytes()).hexdigest()[:16]}{sums.SUFFIX}"
    if not path.exists():
        made = path.with_suffix(f".{os.getpid()}")
        compile_to(made, SOURCE, "-O3")
        made.replace(path)
    found = sums.found(path)
    assert found is not None
    return found


def compile_to(path: Path, source: Path, optimised: str) -> None:
    assert COMPILER is not None
    words = ["-std=c11", optimised, "-Wall", "-Wextra", "-shared", "-fPIC", "-fvisibility=hidden"]
    subprocess.run([COMPILER, *words, "-o", str(path), str(source)], check=True)
