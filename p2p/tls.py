"""Authenticate both ends of a link: mutual TLS 1.3 with certificates over Ed25519 identities.

Python's ssl has no callback to inspect an unknown certificate, and a server that requests no certificate sees none. So
there is a certificate authority whose key is public, a constant of this program (below). Anyone can sign with it: THE
AUTHORITY PROVES NOTHING. It only makes both sides send certificates. What counts is that TLS proves possession of the
key in the certificate, and that the program then compares this key with the expected one. Certificates are valid from
1970 to 9999, since computers without internet access may have wrong clocks. PROTOCOL.md: "Links".
"""

from __future__ import annotations

import datetime
import hashlib
import secrets
import ssl
import tempfile
from functools import cache
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from p2p.errors import LinkLost
from p2p.home import writing
from protocol.ed25519 import PrivateKey, PublicKey
from protocol.values import dataclass

# Public on purpose: see above.
AUTHORITY_SEED = hashlib.sha256(b"fairdeal/v1/link-authority: this key is public and proves nothing").digest()
FIRST_DAY = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
LAST_DAY = datetime.datetime(9999, 12, 31, 23, 59, 59, tzinfo=datetime.UTC)
ALPN = "fairdeal/1"


def name_of(common: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common)])


def key_usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        key_cert_sign=signs_certificates,
        crl_sign=False,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def certificate(subject: str, public: PublicKey, *, is_authority: bool) -> x509.Certificate:
    """Return a certificate for `public`, signed by the public authority. The result is deterministic."""
    authority = PrivateKey.from_private_bytes(AUTHORITY_SEED)
    serial = int.from_bytes(hashlib.sha256(public.public_bytes_raw()).digest()[:19], "big") | 1
    builder = (
        x509.CertificateBuilder()
        .subject_name(name_of(subject))
        .issuer_name(name_of("fairdeal"))
        .public_key(public)
        .serial_number(serial)
        .not_valid_before(FIRST_DAY)
        .not_valid_after(LAST_DAY)
        .add_extension(x509.BasicConstraints(ca=is_authority, path_length=0 if is_authority else None), critical=True)
        .add_extension(key_usage(signs_certificates=is_authority), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.public_key()), critical=False)
    )
    if not is_authority:
        both = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH])
        builder = builder.add_extension(both, critical=False)
    return builder.sign(authority, None)


@cache
def authority_pem() -> str:
    public = PrivateKey.from_private_bytes(AUTHORITY_SEED).public_key()
    made = certificate("fairdeal", public, is_authority=True)
    return made.public_bytes(serialization.Encoding.PEM).decode("ascii")


def leaf_pem(public: PublicKey) -> bytes:
    """Return the certificate that a player shows."""
    return certificate("player", public, is_authority=False).public_bytes(serialization.Encoding.PEM)


@dataclass(frozen=True, slots=True)
class Credentials:
    """One identity's TLS credentials: its public key (32 bytes) and the contexts for calling and for answering."""

    public: bytes
    calling: ssl.SSLContext
    answering: ssl.SSLContext

    @classmethod
    def of(cls, seed: bytes) -> Credentials:
        """Create credentials from a 32-byte Ed25519 seed. Slow (milliseconds): ssl loads keys only from files."""
        key = PrivateKey.from_private_bytes(seed)
        # The file exists for a moment, in a private folder, encrypted with a password that is stored nowhere.
        password = secrets.token_bytes(24).hex().encode("ascii")
        pem = key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.BestAvailableEncryption(password),
        ) + leaf_pem(key.public_key())
        calling = context(ssl.PROTOCOL_TLS_CLIENT)
        answering = context(ssl.PROTOCOL_TLS_SERVER)
        with writing(Path(tempfile.gettempdir())), tempfile.TemporaryDirectory(prefix="fairdeal-") as folder:
            path = Path(folder) / "leaf.pem"
            path.touch(mode=0o600)
            path.write_bytes(pem)
            calling.load_cert_chain(path, password=password)
            answering.load_cert_chain(path, password=password)
        return cls(key.public_key().public_bytes_raw(), calling, answering)

    def __repr__(self) -> str:
        return f"Credentials({self.public.hex()[:16]})"


def context(purpose: int) -> ssl.SSLContext:
    made = ssl.SSLContext(purpose)
    made.minimum_version = ssl.TLSVersion.TLSv1_3
    made.check_hostname = False  # players have keys, not host names
    made.verify_mode = ssl.CERT_REQUIRED
    made.load_verify_locations(cadata=authority_pem())
    made.set_alpn_protocols([ALPN])
    if purpose == ssl.PROTOCOL_TLS_SERVER:
        made.num_tickets = 0  # every link proves its key afresh
    return made


def peer_key(tls: ssl.SSLObject | ssl.SSLSocket) -> bytes:
    """Return the public key (32 bytes) that the peer of a finished handshake has proved to hold. Raises LinkLost."""
    shown = tls.getpeercert(binary_form=True)
    if shown is not None and tls.version() == "TLSv1.3":
        try:
            public: object = x509.load_der_x509_certificate(shown).public_key()
        except (ValueError, UnsupportedAlgorithm):
            public = None
        if isinstance(public, PublicKey):
            return public.public_bytes_raw()
    raise LinkLost("the other computer did not show a Fairdeal identity", reason="identity")
