"""The home: a folder with one person's identity, name, journal and transcripts, used by one process at a time.

A second client on the same computer becomes a guest: `guests/1`, `guests/2` and so on inside the same folder, each a
complete home with its own identity. Bots have homes in `bots/NAME` inside their keeper's home. `library` holds a copy of
libsodium (protocol.dealing.library). The contents of a match's files are described in p2p.journal and p2p.transcripts.
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

from p2p.errors import DiskFull, HomeFault, HomeLocked, HomeUnwritable, IdentityDamaged, IdentityExposed
from p2p.text import clean
from protocol.identity import Identity

MAX_GUESTS = 32
MAX_NAME_BYTES = 64
SEED_BYTES = 32
BOT_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
FULL_DISK = {errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC), errno.EFBIG}


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn OSError while writing at `path` into DiskFull or HomeUnwritable, with advice for the user."""
    try:
        yield
    except OSError as fault:
        if fault.errno in FULL_DISK:
            raise DiskFull(
                "the disk is too full to write {path}: free up some space, then start again", path=path
            ) from fault
        raise HomeUnwritable(
            "cannot write to {path} ({reason}): choose another folder with --home or FAIRDEAL_HOME",
            path=path,
            reason=fault.strerror or str(fault),
        ) from fault


def make_private_folder(path: Path) -> None:
    """Create `path`, readable by its owner only. An existing folder that is not empty keeps its permissions."""
    with writing(path):
        is_new = not path.exists()
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        if os.name == "posix" and (is_new or not any(path.iterdir())):
            path.chmod(0o700)


def write_private_file(path: Path, data: bytes) -> None:
    """Replace `path` atomically, readable by its owner only: after a crash the file is the old one or the new one."""
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
    """Make the names in a folder durable where the system needs that (Windows does it by itself)."""
    if os.name != "posix":
        return
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    except OSError:
        pass  # some network file systems refuse; the file itself is synced
    finally:
        os.close(folder)


def lock_file(path: Path) -> IO[bytes] | None:
    """Lock `path` for this process until the returned file is closed; None if another process holds it.

    The system releases the lock however the process ends. The file itself stays: removing it would let two processes
    lock two different files of the same name.
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
    """An open home. `guest` is 0 for the person's own home, otherwise the number of the guest profile."""

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
    def is_locked(self) -> bool:
        """Whether this process holds the lock (not so for a home opened for reading)."""
        return self._lock is not None

    def seed(self) -> bytes:
        """Return the person's Ed25519 seed, 32 bytes, created on first use.

        Raises IdentityExposed if others can read the file, IdentityDamaged if it has changed, HomeFault if it cannot be
        read.
        """
        path = self.path / "identity"
        try:
            stored = read_owned_file(path)
        except FileNotFoundError:
            return self._first_seed(path)
        except OSError as fault:
            raise HomeFault(
                "cannot read the identity file {path} ({reason})", path=path, reason=fault.strerror or str(fault)
            ) from fault
        seed, public = stored[:SEED_BYTES], stored[SEED_BYTES:]
        if len(stored) != 2 * SEED_BYTES or public_key_of(seed) != public:
            raise IdentityDamaged(
                "the identity file {path} is damaged: restore a backup, or move the file away to start "
                "over as a new player",
                path=path,
            )
        return seed

    def _first_seed(self, path: Path) -> bytes:
        if self.journal.exists():
            raise IdentityDamaged(
                "the identity file {path} is missing, but there are saved matches next to it: restore a "
                "backup, or move the whole folder away to start over as a new player",
                path=path,
            )
        if not self.is_locked:
            raise HomeFault("nobody has played from the folder {path} yet", path=self.path)
        seed = os.urandom(SEED_BYTES)
        # The public key reveals later whether the seed has changed, which would be another identity.
        write_private_file(path, seed + public_key_of(seed))
        return seed

    @property
    def has_identity(self) -> bool:
        return (self.path / "identity").exists()

    @property
    def name(self) -> str | None:
        """The name that the person chose, or None."""
        try:
            stored = (self.path / "name").read_bytes()[: 4 * MAX_NAME_BYTES]
        except OSError:
            return None
        return clean(stored.decode("utf-8", "replace"), MAX_NAME_BYTES) or None

    def set_name(self, name: str) -> None:
        write_private_file(self.path / "name", clean(name, MAX_NAME_BYTES).encode("utf-8"))

    def bot(self, name: str) -> Home:
        """Return the locked home of a bot kept here. `name`: lower-case letters, digits and hyphens, at most 32."""
        if not BOT_NAME.fullmatch(name):
            raise ValueError(f"not a bot's folder name: {name!r}")
        return lock_home(self.path / "bots" / name)

    def close(self) -> None:
        """Release the lock. Safe to call twice."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def __enter__(self) -> Home:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_home(root: Path, *, guests: bool = True) -> Home:
    """Lock and return the home at `root`, or its first free guest profile if it is in use.

    The caller tells the user when `guest` is not 0. Raises HomeLocked with guests=False, or when no profile is free.
    """
    try:
        return lock_home(root)
    except HomeLocked:
        if not guests:
            raise
    for number in range(1, MAX_GUESTS + 1):
        with contextlib.suppress(HomeLocked):
            home = lock_home(root / "guests" / str(number))
            home.guest = number
            return home
    raise HomeLocked(
        "{path} and all its {count} guest profiles are in use: close a Fairdeal window, or choose "
        "another folder with --home",
        path=root,
        count=MAX_GUESTS,
    )


def read_home(root: Path) -> Home:
    """Return the home at `root` for commands that only read: nothing is locked or created, and it may not exist."""
    return Home(root)


def lock_home(path: Path) -> Home:
    """Create and lock exactly this home. Raises HomeLocked if another process has it."""
    make_private_folder(path)
    lock = lock_file(path / "lock")
    if lock is None:
        raise HomeLocked("another Fairdeal is using {path}: close it, or choose another folder with --home", path=path)
    return Home(path, _lock=lock)


def is_locked(path: Path) -> bool:
    """Return whether another process uses the home at this path now."""
    lock = path / "lock"
    if sys.platform == "win32":
        import msvcrt

        try:
            with lock.open("r+b") as file:
                msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
                msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)
        except FileNotFoundError:
            return False
        except OSError:
            return True
        return False
    import fcntl

    try:
        with lock.open("rb") as file:
            # Shared and released at once, so that a client that starts right now does not become a guest.
            fcntl.flock(file.fileno(), fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def read_owned_file(path: Path) -> bytes:
    """Return a secret file's bytes. Raises IdentityExposed if other users can read it or own it."""
    with path.open("rb") as file:
        if sys.platform not in ("win32", "emscripten"):  # a page's files are its own
            found = os.fstat(file.fileno())
            if found.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
                raise IdentityExposed("other users of this computer can read {path}: run `chmod 600 {path}`", path=path)
            if found.st_uid != os.geteuid():
                raise IdentityExposed("{path} belongs to another user of this computer", path=path)
        return file.read(1024)


def public_key_of(seed: bytes) -> bytes:
    """Return the public key of a seed; empty for a seed of the wrong length."""
    return Identity(seed).public if len(seed) == SEED_BYTES else b""
