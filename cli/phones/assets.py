"""Pyodide and libsodium for the page: files of the package `fairdeal-phones`, which `make phones` builds."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from cli.phones.compiling import unpacked
from protocol.errors import FairdealError

PACKAGE = "fairdeal_phones"
NAMES = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "pyodide-lock.json",
    "stdlib.zip",
    "libsodium-wrappers.mjs",
    "libsodium-sumo.mjs",
)
BARE = "python_stdlib.zip"
"""What Pyodide starts with by itself; no phone loads it."""
COMPILED = "compiled.zip"
TYPES = {
    ".mjs": "text/javascript; charset=utf-8",
    ".wasm": "application/wasm",
    ".json": "application/json",
    ".zip": "application/zip",
}


class NoAssets(FairdealError):
    """The package is not installed. The sentence says what to do."""


def folder() -> Path:
    """Return where the files are. Raises NoAssets."""
    found = find_spec(PACKAGE)
    for place in (found.submodule_search_locations or ()) if found else ():
        if all((Path(place) / name).exists() for name in NAMES):
            return Path(place)
    raise NoAssets(
        "phones need one more package: run pipx install --force 'fairdeal[phones]', or make phones in the source folder"
    )


@cache
def asset(name: str) -> tuple[str, bytes]:
    """Return a file's type and its bytes, gzipped. Raises NoAssets, and KeyError for a name that is not one of them."""
    if name not in (*NAMES, BARE):
        raise KeyError(name)
    path = folder() / name
    packed = path.with_name(f"{name}.gz")
    data = packed.read_bytes() if packed.exists() else gzip.compress(path.read_bytes(), 6, mtime=0)
    return TYPES[path.suffix], data


def digest(data: bytes) -> str:
    """Return a name for these bytes."""
    return sha256(data).hexdigest()[:16]


@cache
def version() -> str:
    """Return a name for this set of files. Raises NoAssets."""
    return digest(b"".join(digest((folder() / name).read_bytes()).encode() for name in NAMES))


@cache
def compiled() -> Mapping[str, bytes]:
    """Return our own Python, compiled, as `compiling.key_of` names it; nothing where the package is not installed."""
    try:
        path = folder() / COMPILED
    except NoAssets:
        return {}
    return unpacked(path.read_bytes()) if path.exists() else {}
