"""A stranger's TLS by OpenSSL itself, which can change its keys without a word: Python's ssl cannot."""

from __future__ import annotations

import base64
import ctypes
import ctypes.util
import secrets
import socket
from ctypes import c_void_p
from pathlib import Path

from p2p.frames import FrameKind, Hello, encode_frame
from p2p.tls import ALPN, leaf_pem
from protocol.ed25519 import PrivateKey

SSL, CRYPTO = ctypes.util.find_library("ssl"), ctypes.util.find_library("crypto")
PKCS8_ED25519 = bytes.fromhex("302e020100300506032b657004220420")
"""What stands before the seed of a private key (RFC 8410)."""
PEM_FILE = 1
REQUESTED = 1
"""The other side is to change its keys, too."""


class KeyChanger:
    """A link to this address, from another one of this computer (empty: any). Raises OSError when it is cut."""

    def __init__(self, host: str, port: int, source: str, folder: Path) -> None:
        """`folder`: for the key that it proves."""
        if SSL is None or CRYPTO is None:
            raise OSError("OpenSSL is not there as a library")
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
        self._sock = socket.create_connection((host, port), source_address=(source, 0) if source else None, timeout=60)
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

    def beat(self, size: int = 0) -> None:
        """Say that we are there. `size`: with so many bytes, which mean nothing to a stranger."""
        self._write(encode_frame(FrameKind.BEAT, bytes(size)))

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
    seed, path = secrets.token_bytes(32), folder / "leaf.pem"
    secret = base64.b64encode(PKCS8_ED25519 + seed)
    pem = b"-----BEGIN PRIVATE KEY-----\n" + secret + b"\n-----END PRIVATE KEY-----\n"
    path.write_bytes(pem + leaf_pem(PrivateKey.from_private_bytes(seed).public_key()))
    return path
