"""The home: one folder with a person's identity, name, journal and transcripts, for one process at a time.

A second client on the same machine becomes a guest: `guests/1`, `guests/2` and so on inside the same folder, each a whole
home with an identity of its own. Bots live in `bots/NAME` inside their keeper's home and come back with it. `library` holds a
copy of libsodium (protocol.dealing.library). What the files of a match contain is p2p.journal's and p2p.transcripts' business.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import platformdirs

from p2p.errors import DiskFull, HomeFault, HomeLocked, HomeUnwritable, IdentityDamaged, IdentityExposed
from p2p.text import clean
from protocol.identity import Identity

MAX_GUESTS = 32
MAX_NAME_BYTES = 64
SEED_BYTES = 32
BOT_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
FULL_DISK = {errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC), errno.EFBIG}


def default_root() -> Path:
    """FAIRDEAL_HOME if it is set, else the platform's folder for this person's data."""
    named = os.environ.get("FAIRDEAL_HOME")
    return Path(named).expanduser() if named else platformdirs.user_data_path("fairdeal", appauthor=False)


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turns what the system says while writing at `path` into a sentence with advice."""
    try:
        yield
    except OSError as fault:
        if fault.errno in FULL_DISK:
            raise DiskFull(
                "no room on the disk to write {path}: free some space, then start again", path=path
            ) from fault
        raise HomeUnwritable(
            "{path} cannot be written ({reason}): name another folder with --home or FAIRDEAL_HOME",
            path=path,
            reason=fault.strerror or str(fault),
        ) from fault


def make_private_folder(path: Path) -> None:
    """Makes `path`, readable by its owner alone. A folder that is there and not empty keeps the rights it has."""
    with writing(path):
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        if os.name == "posix" and not any(path.iterdir()):
            path.chmod(0o700)


def write_private_file(path: Path, data: bytes) -> None:
    """Replaces `path` in one step, readable by its owner alone: after a crash the file is the old one or the new one."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}.new")
    with writing(path):
        try:
            with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
                out.write(data)
                out.flush()
                os.fsync(out.fileno())
            os.replace(fresh, path)
        except OSError:
            fresh.unlink(missing_ok=True)
            raise
        sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    """Makes the names in a folder durable, where the system can (Windows does it by itself)."""
    if os.name != "posix":
        return
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    except OSError:
        pass  # some network file systems refuse; the file itself has been synced
    finally:
        os.close(folder)


def lock_file(path: Path) -> IO[bytes] | None:
    """Holds `path` for this process until the answer is closed; None if somebody else holds it.

    The system lets go of it however the process ends, so no lock outlives a crash. The file itself stays: removing
    it would let two processes hold two different files of one name.
    """
    with writing(path):
        file = open(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b", buffering=0)  # noqa: SIM115
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as fault:
        file.close()
        if fault.errno in (errno.EACCES, errno.EAGAIN, errno.EDEADLK, errno.EWOULDBLOCK):
            return None
        with writing(path):
            raise
    return file


@dataclass(slots=True)
class Home:
    """A home in use: `path` and what lies in it. `guest` is 0 for the person's own, else the number of the guest profile."""

    path: Path
    guest: int = 0
    _lock: IO[bytes] | None = field(default=None, repr=False)

    @property
    def journal(self) -> Path:
        return self.path / "journal.sqlite"

    @property
    def transcripts(self) -> Path:
        return self.path / "transcripts"

    @property
    def log(self) -> Path:
        return self.path / "fairdeal.log"

    @property
    def is_locked(self) -> bool:
        """Whether this process holds it (a home opened for reading is not)."""
        return self._lock is not None

    def seed(self) -> bytes:
        """The person's Ed25519 seed, 32 bytes, made on first use. Refuses a file that others can read or that was damaged."""
        path = self.path / "identity"
        try:
            stored = read_owned_file(path)
        except FileNotFoundError:
            return self._first_seed(path)
        except OSError as fault:
            raise HomeFault(
                "the identity file {path} cannot be read ({reason})", path=path, reason=fault.strerror or str(fault)
            ) from fault
        seed, public = stored[:SEED_BYTES], stored[SEED_BYTES:]
        if len(stored) != 2 * SEED_BYTES or public_of(seed) != public:
            raise IdentityDamaged(
                "the identity file {path} is damaged: put back a copy, or move it away to begin as somebody new",
                path=path,
            )
        return seed

    def _first_seed(self, path: Path) -> bytes:
        if self.journal.exists():
            raise IdentityDamaged(
                "the identity file {path} is missing, though matches are saved beside it: put back a copy, "
                "or move the whole folder away to begin as somebody new",
                path=path,
            )
        if not self.is_locked:
            raise HomeFault("nobody has played from {path} yet", path=self.path)
        seed = os.urandom(SEED_BYTES)
        # The public key behind the seed shows later whether a byte has changed; a changed seed would be another person.
        write_private_file(path, seed + public_of(seed))
        return seed

    @property
    def has_identity(self) -> bool:
        return (self.path / "identity").exists()

    @property
    def name(self) -> str | None:
        """The name that the person gave, if any."""
        try:
            stored = (self.path / "name").read_bytes()[: 4 * MAX_NAME_BYTES]
        except OSError:
            return None
        return clean(stored.decode("utf-8", "replace"), MAX_NAME_BYTES) or None

    def set_name(self, name: str) -> None:
        write_private_file(self.path / "name", clean(name, MAX_NAME_BYTES).encode("utf-8"))

    def bot(self, name: str) -> Home:
        """The home of a bot kept here, locked. `name`: lower-case letters, digits and hyphens, 32 at most."""
        if not BOT_NAME.fullmatch(name):
            raise ValueError(f"not a bot's folder name: {name!r}")
        return take(self.path / "bots" / name)

    def close(self) -> None:
        """Lets the next process have it; safe to call twice."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def __enter__(self) -> Home:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_home(root: Path | None = None, *, guests: bool = True) -> Home:
    """The home at `root` (default: the platform's), locked; if another process has it, the first free guest profile in it.

    Whoever opens one shows `guest` when it is not 0. Raises HomeLocked with guests=False, or when no profile is free.
    """
    root = root or default_root()
    try:
        return take(root)
    except HomeLocked:
        if not guests:
            raise
    for number in range(1, MAX_GUESTS + 1):
        with contextlib.suppress(HomeLocked):
            home = take(root / "guests" / str(number))
            home.guest = number
            return home
    raise HomeLocked(
        "{path} and its {count} guest profiles are all in use: close a client, or name another folder with --home",
        path=root,
        count=MAX_GUESTS,
    )


def read_home(root: Path | None = None) -> Home:
    """The home at `root` for commands that only read: not locked, nothing is made, it may not exist."""
    return Home(root or default_root())


def take(path: Path) -> Home:
    """Makes and locks exactly this home. HomeLocked if another process has it."""
    make_private_folder(path)
    lock = lock_file(path / "lock")
    if lock is None:
        raise HomeLocked("another client is using {path}: close it, or name another folder with --home", path=path)
    return Home(path, _lock=lock)


def read_owned_file(path: Path) -> bytes:
    """A secret's bytes, refused when others on this machine can read them or when they are somebody else's."""
    with path.open("rb") as file:
        if sys.platform != "win32":
            found = os.fstat(file.fileno())
            if found.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
                raise IdentityExposed("others on this machine can read {path}: run `chmod 600 {path}`", path=path)
            if found.st_uid != os.geteuid():
                raise IdentityExposed("{path} belongs to another user of this machine", path=path)
        return file.read(1024)


def public_of(seed: bytes) -> bytes:
    return Identity(seed).public if len(seed) == SEED_BYTES else b""
