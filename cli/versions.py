"""Which versions of Fairdeal and of the libraries that it needs are installed."""

from __future__ import annotations

LIBRARIES = (
    "cryptography",
    "msgpack",
    "platformdirs",
    "prompt_toolkit",
    "rbcl",
    "segno",
    "wcwidth",
    "websockets",
    "zeroconf",
)


def installed(name: str) -> str | None:
    """Return a package's version; None if it is not installed."""
    from importlib.metadata import PackageNotFoundError, version  # slow to import

    try:
        return version(name)
    except PackageNotFoundError:
        return None
