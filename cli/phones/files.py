"""What the phones' server answers: page files, which are never stored, and assets under their hash, which are."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from functools import cache

from cli.page.files import SAFETY, found_files
from cli.phones import assets
from cli.phones.assets import digest
from cli.phones.bundle import bundle, sources_digest
from cli.phones.texts import texts
from cli.text import languages, load_translator


def _policy(connects: str, scripts: str) -> str:
    none = ("base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'")
    files = ("worker-src 'self'", "style-src 'self'", "img-src 'self'")
    return "; ".join(
        ("default-src 'none'", f"script-src 'self'{scripts}", *files, f"connect-src 'self'{connects}", *none)
    )


POLICY = _policy("", "")
"""Of the page, which draws names and chat: it links to nobody, and runs no WebAssembly."""
WORKER_POLICY = _policy(" ws:", " 'wasm-unsafe-eval'")
"""Of the worker, which draws nothing. A worker obeys the policy that its own file comes with. `ws:`, because it links to each
machine of its room that serves phones, not only to the one that it came from: to which ones is known only as they come, and a
policy can't name a network."""
WORKER = "/worker.js"
YEAR_S = 365 * 24 * 3600
FRESH: Mapping[str, str] = {
    **{name: value for name, value in SAFETY.items() if name != "Cross-Origin-Opener-Policy"},
    "Content-Security-Policy": POLICY,
}
"""Headers of page files. Browsers take an opener policy only over HTTPS, and complain of it elsewhere."""
OF_WORKER: Mapping[str, str] = {**FRESH, "Content-Security-Policy": WORKER_POLICY}
LASTING: Mapping[str, str] = {**FRESH, "Cache-Control": f"public, max-age={YEAR_S}, immutable"}
"""Headers of files whose name tells their content."""
PACKED: Mapping[str, str] = {"Content-Encoding": "gzip"}
LOCAL = frozenset({"/index.html", "/local.js", "/link.js"})
"""Files of the page for this computer's own browser."""

Answer = tuple[str, bytes, Mapping[str, str]]


def prepare() -> None:
    """Read and pack all files: that takes a while, in which an event loop would answer nobody. Raises NoAssets."""
    for name in assets.NAMES:
        assets.asset(name)
    _packed_files()
    _packed_bundle()
    build(b"")


def answer(path: str, server: bytes) -> Answer | None:
    """Return type, bytes and headers for a path; None if there is no such file. `server`: our key."""
    if path == "/":
        return *found_files()["/phone.html"], FRESH
    if path == "/build.json":
        return "application/json", build(server), FRESH
    parts = path.split("/")
    try:
        match parts:
            case ["", "assets", version, name] if version == assets.version():
                kind, data = assets.asset(name)
                return kind, data, {**LASTING, **PACKED}
            case ["", "source", name] if name == _source_name():
                return "application/zip", _packed_bundle(), {**LASTING, **PACKED}
    except (KeyError, assets.NoAssets):
        return None
    found = None if path in LOCAL else _packed_files().get(path)
    return None if found is None else (*found, {**(OF_WORKER if path == WORKER else FRESH), **PACKED})


@cache
def _packed_files() -> Mapping[str, tuple[str, bytes]]:
    """The page's files, gzipped."""
    return {path: (kind, gzip.compress(data, 9, mtime=0)) for path, (kind, data) in found_files().items()}


@cache
def _packed_bundle() -> bytes:
    """Our own Python, gzipped as a whole: its zip holds the files as they are."""
    return gzip.compress(bundle(), 6, mtime=0)  # 9 takes more than twice as long for half a percent


@cache
def _source_name() -> str:
    return f"{digest(bundle())}.zip"


@cache
def build(server: bytes) -> bytes:
    """What the page reads first: where its parts are, whose computer this is, and what it says until Python runs."""
    try:
        place: str | None = f"/assets/{assets.version()}"
    except assets.NoAssets:
        place = None
    words = {lang: {"lang": lang, **texts(load_translator(lang))} for lang in languages()}
    said: dict[str, object] = {
        "assets": place,
        "source": f"/source/{_source_name()}",
        "page": page_version(),
        "words": words,
    }
    said["server"] = server.hex()
    return json.dumps(said, ensure_ascii=False).encode()


def download_bytes() -> int:
    """Return how much a phone loads the first time. Raises NoAssets."""
    page = sum(len(data) for path, (_kind, data) in _packed_files().items() if path not in LOCAL)
    return sum(len(assets.asset(name)[1]) for name in assets.NAMES) + len(_packed_bundle()) + page


@cache
def page_version() -> str:
    """Return a name for the page and everything it runs."""
    return digest(b"".join(data for _, data in found_files().values()) + sources_digest().encode())
