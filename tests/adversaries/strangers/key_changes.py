"""A stranger's TLS by OpenSSL itself, which can change its keys without a word: Python's ssl cannot."""

from __future__ import annotations

import ctypes
import ctypes.util
import socket
from ctypes import c_void_p
from pathlib import Path

from cryptography.hazmat.primitives import serialization

from p2p.frames import FrameKind, Hello, encode_frame
from p2p.tls import ALPN, certificate
from protocol.ed25519 import PrivateKey
from tests.adversaries.strangers.flooding import HOME, STRANGER

SSL, CRYPTO = ctypes.util.find_library("ssl"), ctypes.util.find_library("crypto")
PEM_FILE = 1
REQUESTED = 1
"""The other side is to change its keys, too."""


class KeyChanger:
    """A link to a port of this computer, from STRANGER's address. Raises OSError when it is cut."""

    def __init__(self, port: int, folder: Path) -> None:
        assert SSL is not None and CRYPTO is not None
        self._ssl, self._crypto = ctypes.CDLL(SSL), ctypes.CDLL(CRYPTO)
        for library, name in (
            (self._ssl, "TLS_client_method"),
            (self._ssl, "SSL_CTX_new"),
            (self._ssl, "SSL_new"),
            (self._crypto, "BIO_new"),
            (self._crypto, "BIO_s_mem"),
        ):
            getattr(library, name).restype = c_void_p
        context = c_void_p(self._ssl.SSL_CTX_new(c_void_p(self._ssl.TLS_client_method())))
        pem = str(_written(folder)).encode()
        assert self._ssl.SSL_CTX_use_certificate_file(context, pem, PEM_FILE) == 1
        assert self._ssl.SSL_CTX_use_PrivateKey_file(context, pem, PEM_FILE) == 1
        protocols = bytes([len(ALPN)]) + ALPN.encode()
        self._ssl.SSL_CTX_set_alpn_protos(context, protocols, len(protocols))
        self._tls = c_void_p(self._ssl.SSL_new(context))
        self._in, self._out = (c_void_p(self._crypto.BIO_new(c_void_p(self._crypto.BIO_s_mem()))) for _ in range(2))
        self._ssl.SSL_set_bio(self._tls, self._in, self._out)
        self._ssl.SSL_set_connect_state(self._tls)
        self._sock = socket.create_connection((HOME, port), source_address=(STRANGER, 0), timeout=60)
        while self._ssl.SSL_do_handshake(self._tls) != 1:
            self._flush()
            self._read()
        self._flush()
        self._write(encode_frame(FrameKind.HELLO, Hello(b"stranger", 0, {"want": "look"}).encode()))
        self._read()
        self._write(encode_frame(FrameKind.WELCOME))

    def change_keys(self, count: int) -> None:
        """Change the keys so many times."""
        for _time in range(count):
            self._ssl.SSL_key_update(self._tls, REQUESTED)
            self._ssl.SSL_do_handshake(self._tls)
        self._flush()

    def beat(self) -> None:
        """Say that we are there."""
        self._write(encode_frame(FrameKind.BEAT))

    def close(self) -> None:
        self._sock.close()

    def _write(self, data: bytes) -> None:
        self._ssl.SSL_write(self._tls, data, len(data))
        self._flush()

    def _flush(self) -> None:
        buffer, said = ctypes.create_string_buffer(1 << 16), b""
        while (count := self._crypto.BIO_read(self._out, buffer, len(buffer))) > 0:
            said += buffer.raw[:count]
        self._sock.sendall(said)

    def _read(self) -> None:
        data = self._sock.recv(1 << 16)
        if not data:
            raise OSError("cut")
        self._crypto.BIO_write(self._in, data, len(data))


def _written(folder: Path) -> Path:
    key = PrivateKey.generate()
    leaf = certificate("player", key.public_key(), is_authority=False)
    path = folder / "leaf.pem"
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(secret + leaf.public_bytes(serialization.Encoding.PEM))
    return path
