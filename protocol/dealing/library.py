"""Load libsodium once, on first use, and call the six operations of ristretto255 on encoded points; and its check of signatures.

The package rbcl ships libsodium as hexadecimal text in a Python file (on Linux, macOS and Windows) and, when imported, unpacks
it into the temporary folder at every start. So rbcl is never imported here. Its file is read, and one copy of the library is
kept in a folder that the caller sets with `use`. Before loading, the copy is compared with what rbcl ships, and replaced if it
differs. If the folder cannot be used (read-only, mounted noexec, missing), the library is loaded without leaving a copy, or the
system's libsodium is used. A loaded library must pass a self-test with the vectors of RFC 9496.

Beside `sums`, this is the only module of `protocol` that accesses files. To use another implementation of the group, change only
this module: everything else calls `load()` and the methods of `Library`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

from protocol.errors import FairdealError

if TYPE_CHECKING:
    from ctypes import CDLL

SYSTEM_NAMES: Final = {
    "win32": ("libsodium.dll",),
    "darwin": ("libsodium.dylib", "/opt/homebrew/lib/libsodium.dylib", "/usr/local/lib/libsodium.dylib"),
}.get(sys.platform, ("libsodium.so.26", "libsodium.so.23", "libsodium.so"))
"""Names of the system's libsodium. Versions without ristretto255 (before 1.0.18) fail the self-test."""
SUFFIX: Final = ".dll" if sys.platform == "win32" else ".so"
STALE_S: Final = 3600.0
"""Age in seconds after which an unfinished copy is assumed to be left by a killed process."""

ORDER: Final = 2**252 + 27742317777372353535851937790883648493
"""The number of the group's elements, a prime (RFC 9496, section 4.1)."""
ONE: Final = bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76")
TWO: Final = bytes.fromhex("6a493210f7499cd17fecb510ae0cea23a110e8d5b901f8acadd3095c73a3b919")
THREE: Final = bytes.fromhex("94741f5d5d52755ece4f23f044ee27d5d1ea1e2bd196b462166b16152a9d0259")
"""The first multiples of the generator (RFC 9496, appendix A.1)."""
NO_POINT: Final = b"\1" + bytes(31)
"""An invalid encoding: a negative field element (RFC 9496, appendix A.2)."""
HASHED: Final = (
    bytes.fromhex(
        "5d1be09e3d0c82fc538112490e35701979d99e06ca3e2b5b54bffe8b4dc772c1"
        "4d98b696a1bbfb5ca32c436cc61c16563790306c79eaca7705668b47dffe5bb6"
    ),
    bytes.fromhex("3066f82a1a747d45120d1740f14358531a8f04bbffe6a819f86dfe50f44a0a46"),
)
"""64 uniform bytes and their element (RFC 9496, appendix A.3)."""
MIXED_KEY: Final = bytes.fromhex("8d335f930ff4df99543e814adbd24e1ca1081ab3eb515e75d3ea65247e03f302")
MIXED_R: Final = bytes.fromhex("8230cb94968404b87488fc6e99b05bfef2b7b4545f70fae0b002ddb9826f8fba")
"""A key of Ed25519 with a part of order 8, and the R of its signatures."""
EXACT: Final = b"message 0", bytes.fromhex("3ccb77e3322954632d906b7e4175d0d9ac06ffd5811e9fbfd22013c539210602")
"""A text that it has signed, and the S."""
LOOSE: Final = b"message 1", bytes.fromhex("459c69a3c70f3beb6f40c7f0aa9100496a0d5c40a03512bf531ba89d6ba2500b")
"""Another text, and an S with which the equation holds only times 8."""


class LibraryUnusable(FairdealError):
    """No libsodium could be loaded. The text gives the reasons and what to do."""


SignatureCheck: TypeAlias = Callable[[bytes, bytes, bytes], bool]
"""Whether an Ed25519 signature is valid: (key of 32 bytes, message, signature of 64 bytes)."""


class LoadedGroup(Protocol):
    """The operations of a loaded libsodium. Points are 32 bytes, scalars 32 bytes little-endian.

    No argument may be the identity or the zero scalar, because libsodium reports a product that is the identity as an error.
    Methods raise ValueError for bytes that are not a point.
    """

    source: str
    """Where it was found."""
    version: str

    def mul(self, k: bytes, p: bytes) -> bytes: ...

    def mul_base(self, k: bytes) -> bytes: ...

    def add(self, p: bytes, r: bytes) -> bytes: ...

    def sub(self, p: bytes, r: bytes) -> bytes: ...

    def is_point(self, data: bytes) -> bool: ...

    def from_hash(self, data: bytes) -> bytes: ...


class Library:
    """A `LoadedGroup` from a shared library. The constructor raises AttributeError if the library is too old."""

    def __init__(self, sodium: CDLL, source: str) -> None:
        import ctypes

        if sodium.sodium_init() < 0:
            raise ValueError("sodium_init failed")
        self.sodium = sodium
        self.source = source
        sodium.sodium_version_string.restype = ctypes.c_char_p
        version: bytes = sodium.sodium_version_string()
        self.version = version.decode()
        self._buffer: Any = ctypes.c_char * 32
        self._mul = sodium.crypto_scalarmult_ristretto255
        self._base = sodium.crypto_scalarmult_ristretto255_base
        self._add = sodium.crypto_core_ristretto255_add
        self._sub = sodium.crypto_core_ristretto255_sub
        self._valid = sodium.crypto_core_ristretto255_is_valid_point
        self._from_hash = sodium.crypto_core_ristretto255_from_hash
        self._verify = sodium.crypto_sign_ed25519_verify_detached
        self._verify.argtypes = (ctypes.c_char_p, ctypes.c_char_p, ctypes.c_ulonglong, ctypes.c_char_p)

    def mul(self, k: bytes, p: bytes) -> bytes:
        """Return k p."""
        out = self._buffer()
        if self._mul(out, k, p):
            raise ValueError("not a point of the group")
        return bytes(out.raw)

    def mul_base(self, k: bytes) -> bytes:
        """Return k G, for the generator G."""
        out = self._buffer()
        if self._base(out, k):
            raise ValueError("the scalar is zero")
        return bytes(out.raw)

    def add(self, p: bytes, r: bytes) -> bytes:
        """Return p + r."""
        out = self._buffer()
        if self._add(out, p, r):
            raise ValueError("not a point of the group")
        return bytes(out.raw)

    def sub(self, p: bytes, r: bytes) -> bytes:
        """Return p - r."""
        out = self._buffer()
        if self._sub(out, p, r):
            raise ValueError("not a point of the group")
        return bytes(out.raw)

    def is_point(self, data: bytes) -> bool:
        """Whether 32 bytes encode a point. The caller must check the highest bit, which versions before 1.0.19 ignore."""
        return bool(self._valid(data) == 1)

    def from_hash(self, data: bytes) -> bytes:
        """Derive an element from 64 uniform bytes (RFC 9496, section 4.3.4)."""
        out = self._buffer()
        self._from_hash(out, data)
        return bytes(out.raw)

    def is_signed(self, public: bytes, message: bytes, signature: bytes) -> bool:
        """Whether an Ed25519 signature of a message is valid. The key must have 32 bytes, the signature 64."""
        return bool(self._verify(signature, message, len(message), public) == 0)


def check(group: LoadedGroup) -> None:
    """Check each operation with known vectors. Raises ValueError."""
    two = (2).to_bytes(32, "little")
    hashed, element = HASHED
    works = (
        group.mul_base(two) == group.mul(two, ONE) == group.add(ONE, ONE) == group.sub(THREE, ONE) == TWO
        and group.is_point(TWO)
        and not group.is_point(NO_POINT)
        and group.from_hash(hashed) == element
    )
    if not works:
        raise ValueError("it computes wrong results")


def is_exact(is_signed: SignatureCheck) -> bool:
    """Whether a check of signatures judges by the equation without the cofactor, and refuses an S that is not below the order.

    Not every version and build of libsodium does.
    """
    (text, s), (loose_text, loose_s) = EXACT, LOOSE
    larger = int.from_bytes(s, "little") + ORDER
    return (
        is_signed(MIXED_KEY, text, MIXED_R + s)
        and not is_signed(MIXED_KEY, text + b"!", MIXED_R + s)
        and not is_signed(MIXED_KEY, loose_text, MIXED_R + loose_s)
        and not is_signed(MIXED_KEY, text, MIXED_R + larger.to_bytes(32, "little"))
    )


_folder: Path | None = None
_loaded: LoadedGroup | None = None
_is_signed: SignatureCheck | None = None


def use(folder: Path) -> None:
    """Set the folder for the copy of libsodium. Only its owner may have write access. Nothing is loaded or written yet.

    The folder is created when it is needed, but not its parent, so that commands which only read leave no trace.
    """
    global _folder
    _folder = folder


def folder_in_use() -> Path | None:
    """Return the folder set with `use`, for child processes."""
    return _folder


def load() -> LoadedGroup:
    """Return the library, which the first call loads. Raises LibraryUnusable.

    Call it once before play begins, so that a library which cannot be loaded is reported before any cards are dealt.
    """
    global _loaded, _is_signed
    if _loaded is None:  # two threads may load the same file at once; that is harmless
        _loaded = find(_folder)
        if isinstance(_loaded, Library) and is_exact(_loaded.is_signed):
            _is_signed = _loaded.is_signed
    return _loaded


def signature_check() -> SignatureCheck | None:
    """Return the loaded library's check of signatures; None if none is loaded, or if it judges by another rule than ours."""
    return _is_signed


def replace(group: LoadedGroup) -> LoadedGroup:
    """Use another implementation from now on, such as one that counts operations for a benchmark, and return the one before."""
    global _loaded
    before, _loaded = load(), group
    return before


def find(folder: Path | None) -> LoadedGroup:
    """Load the library from the first place that works. Raises LibraryUnusable."""
    if sys.platform == "emscripten":
        from protocol.browser import BrowserGroup

        found = BrowserGroup()
        check(found)
        return found
    reasons: list[str] = []
    for source, get in places(folder):
        try:
            library = Library(get(), source)
            check(library)
            return library
        except (ImportError, OSError, ValueError, AttributeError) as fault:
            reason = getattr(fault, "strerror", None) or str(fault)
            reasons.append(reason if source in reason else f"{source}: {reason}")
    raise LibraryUnusable(
        "No cards can be dealt: libsodium does not load ({reason}). Choose a data folder in which programs may run with "
        "--home or FAIRDEAL_HOME, or install libsodium with your system’s package manager.",
        reason="; ".join(reasons),
    )


def places(folder: Path | None) -> Iterator[tuple[str, Callable[[], CDLL]]]:
    """Yield the places to look, best first: a name for people, and a function that loads the library or raises OSError."""
    content = shipped()
    if content is None:
        yield "rbcl", _missing
    else:
        if folder is not None:
            yield str(folder), lambda: _open(str(installed(folder, content).resolve()))
        yield "rbcl", lambda: _in_passing(content)
    for name in SYSTEM_NAMES:
        yield name, lambda name=name: _open(name)  # type: ignore[misc]  # mypy cannot infer lambdas with defaults


def shipped() -> bytes | None:
    """Return the library that rbcl ships, without importing rbcl. None if rbcl is missing or was built in another way."""
    from importlib.util import find_spec

    found = find_spec("rbcl")
    for folder in (found.submodule_search_locations or ()) if found else ():
        with suppress(OSError, ValueError):
            text = (Path(folder) / "_sodium.py").read_bytes()
            start = text.index(b"fromhex('") + len(b"fromhex('")
            return bytes.fromhex(text[start : text.index(b"'", start)].decode("ascii"))
    return None


def installed(folder: Path, content: bytes) -> Path:
    """Return the path of the copy of `content` in `folder`, and write it if it is missing or differs. Raises OSError.

    The file name contains the hash, so that two versions can coexist. The file is put in place atomically, so that other
    processes find a complete copy or none.
    """
    from hashlib import sha256
    from tempfile import mkstemp

    path = folder / f"libsodium-{sha256(content).hexdigest()[:16]}{SUFFIX}"
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    if sys.platform != "win32":
        found = folder.stat()
        if found.st_uid != os.geteuid() or found.st_mode & 0o022:
            raise OSError("other users of this machine can write there")
    if _is(path, content):
        return path
    _drop_stale(folder)
    handle, fresh = mkstemp(".new", "libsodium-", folder)  # only the owner can read and write it
    try:
        with open(handle, "wb") as file:
            file.write(content)
        os.replace(fresh, path)
    except OSError:
        os.unlink(fresh)
        # Windows cannot replace a library in use; then another process has just installed the same one.
        if not _is(path, content):
            raise
    return path


def _is(path: Path, content: bytes) -> bool:
    try:
        return path.read_bytes() == content
    except OSError:
        return False


def _drop_stale(folder: Path) -> None:
    import time

    for path in folder.glob("libsodium-*.new"):
        with suppress(OSError):
            if path.stat().st_mtime < time.time() - STALE_S:
                path.unlink()


def _in_passing(content: bytes) -> CDLL:
    """Load the library without keeping a copy: from memory on Linux, elsewhere from a temporary file, which is then removed
    (Windows cannot remove it while it is loaded)."""
    from tempfile import mkstemp

    if sys.platform == "linux":
        handle = os.memfd_create("libsodium")
        with open(handle, "wb") as file:
            file.write(content)
            file.flush()
            return _open(f"/proc/self/fd/{handle}")
    handle, path = mkstemp(SUFFIX, "libsodium-")
    try:
        with open(handle, "wb") as file:
            file.write(content)
        return _open(path)
    finally:
        with suppress(OSError):
            os.unlink(path)


def _open(name: str) -> CDLL:
    from ctypes import CDLL

    return CDLL(name)


def _missing() -> CDLL:
    raise OSError("the package holds no libsodium")
