"""Python compiled for the phone, when its package is built: a browser that compiles everything itself starts much later.

Only Pyodide's own Python can do that. So what is compiled is known by its source: where the source has changed since, the phone
gets the source.
"""

from __future__ import annotations

import io
import subprocess
import tempfile
import zipfile
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

SCRIPT = Path(__file__).parent / "npm" / "compile.mjs"
HOME = "fairdeal/"
"""Where our own Python lies in the phone."""
LIBRARY = "lib/python{0}{1}.zip/"
"""Where Pyodide's standard library lies."""
NOT_ON_PHONES = (
    *("_pyrepl/", "bdb.py", "cmd.py", "doctest.py", "pdb.py", "pydoc.py", "pydoc_data/", "pickletools.py", "this.py"),
    *("profile.py", "cProfile.py", "pstats.py", "trace.py", "tracemalloc.py", "unittest/", "modulefinder.py"),
    *("ensurepip/", "venv/", "zipapp.py", "webbrowser.py", "turtle", "tkinter/", "idlelib/", "curses/", "dbm/"),
    *("imaplib.py", "smtplib.py", "poplib.py", "ftplib.py", "mailbox.py", "wsgiref/", "xmlrpc/", "socketserver.py"),
    *(
        "http/server.py",
        "http/cookie",
        "logging/config.py",
        "logging/handlers.py",
        "asyncio/windows_",
        "asyncio/tools.py",
    ),
    *(
        "asyncio/proactor_events.py",
        "concurrent/futures/process.py",
        "multiprocessing/",
        "sqlite3/",
        "pty.py",
        "tty.py",
    ),
    *("_pyio.py", "_pydatetime.py", "_pydecimal.py", "wave.py", "plistlib.py", "html/", "ctypes/", "tarfile.py"),
    *("xml/dom/", "xml/etree/", "xml/sax/expatreader.py", "optparse.py", "antigravity.py", "__phello__/", "_android"),
    *("_ios_support.py", "_sysconfigdata_", "rlcompleter.py", "fileinput.py", "filecmp.py"),
    *(
        "argparse.py",
        "compileall.py",
        "configparser.py",
        "netrc.py",
        "pyclbr.py",
        "symtable.py",
        "tabnanny.py",
        "timeit.py",
    ),
)
"""Of the standard library, what nobody runs in a browser: for terminals, servers and other processes, and programmers' tools."""
CODECS = frozenset(
    {
        *("__init__", "aliases", "ascii", "charmap", "cp437", "cp1252", "idna", "iso8859_1", "iso8859_15", "latin_1"),
        *("punycode", "raw_unicode_escape", "undefined", "unicode_escape", "utf_8", "utf_8_sig", "hex_codec"),
        *("utf_16", "utf_16_be", "utf_16_le", "utf_32", "utf_32_be", "utf_32_le", "base64_codec"),
    }
)
SOON = (
    "concurrent/",
    "datetime.py",
    "getpass.py",
    "hashlib.py",
    "hmac.py",
    "ipaddress.py",
    "platform.py",
    "queue.py",
    "tomllib/",
)
"""What our own Python imports of the standard library beside what Pyodide begins with."""
SELDOM = (
    *("cli/phones/assets", "cli/phones/files", "cli/phones/serving", "cli/client/subprocess", "cli/log", "cli/crash"),
    *("p2p/database", "p2p/dialing", "p2p/discovery", "p2p/journal", "p2p/listening", "p2p/mdns"),
    *("p2p/presence", "p2p/reception", "p2p/tcp", "p2p/tls", "p2p/guests/page_server", "segno/writers"),
)
"""What a phone does not run of our own Python, or seldom: source is smaller."""
BEGUN_WITH = "begun-with"
"""Among what was compiled: a list of what Pyodide begins with."""


def key_of(name: str, source: bytes) -> str:
    """Return a name for what this source in this place compiles to."""
    return sha256(name.encode() + b"\0" + source).hexdigest()


def packed(files: Mapping[str, bytes]) -> bytes:
    """Return a zip that holds these files as they are: whoever sends it packs it as a whole."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), data)
    return out.getvalue()


def unpacked(data: bytes) -> dict[str, bytes]:
    """Return the files of a zip."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}


def compiled(pyodide: Path, sources: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return compiled Python by the same names, and what Pyodide begins with. `pyodide`: its folder.

    Raises OSError and CalledProcessError.
    """
    with tempfile.TemporaryDirectory() as folder:
        given, made = Path(folder, "sources.zip"), Path(folder, "compiled.zip")
        given.write_bytes(packed(sources))
        subprocess.run(["node", str(SCRIPT), str(pyodide), str(given), str(made)], check=True)
        return unpacked(made.read_bytes())


def library(pyodide: Path, version: tuple[int, int]) -> bytes:
    """Return Pyodide's standard library without what no phone needs; compiled is what every phone runs. Raises as `compiled`."""
    place = LIBRARY.format(*version)
    kept = {
        name: data for name, data in unpacked((pyodide / "python_stdlib.zip").read_bytes()).items() if is_kept(name)
    }
    made = compiled(pyodide, {place + name: data for name, data in kept.items() if name.endswith(".py")})
    at_once = {path.removeprefix("/" + place) for path in made[BEGUN_WITH].decode().splitlines()}
    found: dict[str, bytes] = {}
    for name, data in kept.items():
        is_run = name.endswith(".py") and (name in at_once or name.startswith(SOON))
        found[f"{name}c" if is_run else name] = made[place + name] if is_run else data
    return packed(found)


def is_kept(name: str) -> bool:
    """Whether a phone gets this file of the standard library."""
    folder, _, rest = name.partition("/")
    return not name.startswith(NOT_ON_PHONES) and (folder != "encodings" or rest.removesuffix(".py") in CODECS)


def own(pyodide: Path, files: Mapping[str, bytes]) -> bytes:
    """Return a zip of our own Python, compiled, each under its key. Raises as `compiled`."""
    sources = {
        HOME + name: data for name, data in files.items() if name.endswith(".py") and not name.startswith(SELDOM)
    }
    made = compiled(pyodide, sources)
    return packed({key_of(name.removeprefix(HOME), data): made[name] for name, data in sources.items()})
