"""Build and install `fairdeal-phones`: Pyodide and libsodium.js, from npm, pinned with hashes. `make phones` runs this.

It brings our own Python, too, compiled, so that phones start sooner. A second run needs no network: what npm fetched is kept,
and the wheel, until our own Python changes.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from cli.phones import compiling
from cli.phones.assets import BARE, COMPILED, PACKAGE
from cli.phones.bundle import files as own_files
from cli.phones.bundle import sources_digest

NPM = Path(__file__).parent / "npm"
LOCK = "package-lock.json"
INDEX = "pyodide-lock.json"
SOURCES = {
    **dict.fromkeys(("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", BARE), "pyodide"),
    "libsodium-wrappers.mjs": "libsodium-wrappers-sumo/dist/modules-sumo-esm",
    "libsodium-sumo.mjs": "libsodium-sumo/dist/modules-sumo-esm",
}
MODULES = ("pyodide", "libsodium-wrappers-sumo", "libsodium-sumo")
STAMP = (2020, 1, 1, 0, 0, 0)
TAG = "py3-none-any"


def main(keep: Path) -> int:
    """Build the wheel in the folder `keep` if it is not there, and install it for this Python. Raises SystemExit."""
    locked = json.loads((NPM / "package.json").read_text())["dependencies"]
    version = f"{locked['pyodide']}+{sources_digest()}"
    wheel = keep / f"{PACKAGE}-{version}-{TAG}.whl"
    if not wheel.exists():
        modules = _fetched(keep / "npm")
        for old in keep.glob("*.whl"):
            old.unlink()
        try:
            write_wheel(wheel, modules, version)
        except (OSError, subprocess.CalledProcessError) as fault:
            sys.exit(f"Node.js could not compile the files for phones: {fault}")
    install = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        "--no-index",
    ]
    return subprocess.run([*install, "--force-reinstall", str(wheel)], check=False).returncode


def _fetched(folder: Path) -> Path:
    """Return where npm has put the modules, and let it fetch them if they are not there. Raises SystemExit."""
    modules, lock = folder / "node_modules", folder / LOCK
    is_there = (modules / f".{LOCK}").exists() and lock.exists()
    if is_there and lock.read_bytes() == (NPM / LOCK).read_bytes():
        return modules
    npm = shutil.which("npm")
    if npm is None:
        sys.exit("npm is missing: install Node.js (https://nodejs.org), then try again")
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", LOCK):
        shutil.copy(NPM / name, folder)
    command = [npm, "ci", "--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund"]
    if subprocess.run(command, cwd=folder, check=False).returncode:
        sys.exit("npm could not fetch the files for phones: is there a network?")
    return modules


def write_wheel(wheel: Path, modules: Path, version: str) -> None:
    """Write a wheel (PEP 427) with the files, their gzipped forms and their licences. Raises OSError and CalledProcessError."""
    files: dict[str, bytes] = {f"{PACKAGE}/__init__.py": b'"""Pyodide and libsodium.js for Fairdeal on phones."""\n'}
    for name, data in {**_fetched_files(modules), **_made_files(modules / "pyodide")}.items():
        files[f"{PACKAGE}/{name}"] = data
        if name != COMPILED:
            files[f"{PACKAGE}/{name}.gz"] = gzip.compress(data, 9, mtime=0)
    info = f"{PACKAGE}-{version}.dist-info"
    licences = []
    for module in MODULES:
        about = json.loads((modules / module / "package.json").read_text())
        licences.append(f"{about['name']} {about['version']}: {about['license']}, {_source(about)}")
        for path in sorted((modules / module).glob("LICENSE*")):
            files[f"{info}/licenses/{module}/{path.name}"] = path.read_bytes()
    told = "\n".join(licences)
    files[f"{info}/METADATA"] = (
        f"Metadata-Version: 2.1\nName: fairdeal-phones\nVersion: {version}\n"
        f"Summary: Pyodide and libsodium.js for Fairdeal on phones\n\n{told}\n"
    ).encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: fairdeal\nRoot-Is-Purelib: true\nTag: {TAG}\n".encode()
    record = "".join(f"{name},sha256={_hash(data)},{len(data)}\n" for name, data in files.items())
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    unfinished = wheel.with_suffix(".part")
    with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name, STAMP), data, zipfile.ZIP_DEFLATED)
    unfinished.replace(wheel)


def _fetched_files(modules: Path) -> dict[str, bytes]:
    found = {name: (modules / folder / name).read_bytes() for name, folder in SOURCES.items()}
    name = "libsodium-wrappers.mjs"  # a browser finds no package by its name
    found[name] = found[name].replace(b'from"libsodium-sumo"', b'from"./libsodium-sumo.mjs"')
    return found


def _made_files(pyodide: Path) -> dict[str, bytes]:
    """What is made of Pyodide and of our own Python: no phone loads further packages, so the index of packages is empty."""
    index = json.loads((pyodide / INDEX).read_text())
    major, minor = map(int, index["info"]["python"].split(".")[:2])
    return {
        INDEX: json.dumps({**index, "packages": {}}).encode(),
        "stdlib.zip": compiling.library(pyodide, (major, minor)),
        COMPILED: compiling.own(pyodide, dict(own_files())),
    }


def _source(about: dict[str, object]) -> object:
    repository = about.get("repository")
    return repository.get("url") if isinstance(repository, dict) else repository


def _hash(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1])))
