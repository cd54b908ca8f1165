"""Who signed a policy: Ed25519 (RFC 8032) over its YAML, UTF-8, against the keys of those who may."""

import base64
import binascii
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

Keys = dict[str, Ed25519PublicKey]

_RAW_BYTES = 32
# SubjectPublicKeyInfo of RFC 8410, as `openssl pkey -pubout` writes it between its first and last line.
_DER_HEAD = bytes.fromhex("302a300506032b6570032100")


class SignatureError(Exception):
    """A policy that is unsigned, signed by somebody else, or changed after it was signed."""


class KeyFileError(Exception):
    """The file of keys cannot be read: nobody may apply a policy until it can."""


def read_keys(path: Path) -> Keys:
    """The keys of a file with lines of a name and a key in base64; # begins a remark. Raises `KeyFileError`."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise KeyFileError(f"POLICY_KEYS: {path.name} cannot be read") from None
    keys: Keys = {}
    for number, line in enumerate(lines, 1):
        words = line.partition("#")[0].split()
        if words:
            name, key = _read_key(path, number, words)
            if name in keys:
                raise KeyFileError(f"POLICY_KEYS: {path.name}, line {number}: each name once")
            keys[name] = key
    if not keys:
        raise KeyFileError(f"POLICY_KEYS: {path.name} names no key")
    return keys


def verify(keys: Keys, yaml: str, signature: str | None, approver: str | None) -> str:
    """The name whose key signed the YAML; with `approver`, it has to be that one's. Raises `SignatureError`."""
    if signature is None:
        raise SignatureError("this server takes signed policies only: send `signature`")
    if approver is not None and approver not in keys:
        raise SignatureError("the approver is none of those who may sign")
    try:
        signed = base64.b64decode(signature, validate=True)
    except (binascii.Error, ValueError):
        raise SignatureError("the signature is not base64") from None
    for name, key in keys.items():
        if approver in (None, name) and _is_signed(key, signed, yaml):
            return name
    raise SignatureError("the signature does not fit the policy and the key")


def _read_key(path: Path, number: int, words: list[str]) -> tuple[str, Ed25519PublicKey]:
    try:
        name, text = words
        key = base64.b64decode(text, validate=True).removeprefix(_DER_HEAD)
        return name, Ed25519PublicKey.from_public_bytes(key)
    except (binascii.Error, ValueError):
        expected = f"a name and an Ed25519 key of {_RAW_BYTES} bytes in base64"
        raise KeyFileError(f"POLICY_KEYS: {path.name}, line {number}: expected {expected}") from None


def _is_signed(key: Ed25519PublicKey, signature: bytes, yaml: str) -> bool:
    try:
        key.verify(signature, yaml.encode())
    except InvalidSignature:
        return False
    return True
