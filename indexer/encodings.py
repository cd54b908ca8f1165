"""A file's bytes to text: UTF-8, UTF-16, ISO-2022-JP, and CP932 and EUC-JP by a detector. Pure."""

import codecs
from dataclasses import dataclass

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_LEGACY = ["cp932", "euc_jp"]
_ISO_2022_ESCAPE = b"\x1b$"
_SAMPLE_BYTES = 65_536


class UndecodableError(Exception):
    """No encoding that Morenashi reads fits these bytes."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """A file's text as it stands (line breaks untouched, byte order mark gone) and its encoding."""

    text: str
    encoding: str


def decode(data: bytes) -> Decoded:
    """Decode a file, or raise `UndecodableError`. Never replaces a byte it does not understand."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _strictly(data, encoding)
    if wide := _utf16_without_mark(data):
        return _strictly(data, wide)
    if _ISO_2022_ESCAPE in data:
        return _strictly(data, "iso2022_jp")
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        return _strictly(data, _detect_legacy(data))


def _strictly(data: bytes, encoding: str) -> Decoded:
    try:
        return Decoded(data.decode(encoding), encoding)
    except UnicodeDecodeError as error:
        raise UndecodableError(f"not valid {encoding}") from error


def _utf16_without_mark(data: bytes) -> str | None:
    # NUL is valid UTF-8, so UTF-16 has to be asked first: a tenth of NULs, all on one side, is it.
    if len(data) % 2 or data.count(0) * 10 < len(data) or not data:
        return None
    even, odd = data[0::2].count(0), data[1::2].count(0)
    if odd > 9 * even:
        return "utf-16-le"
    return "utf-16-be" if even > 9 * odd else None


def _detect_legacy(data: bytes) -> str:
    # Imported where it is needed: nearly every file is UTF-8.
    import charset_normalizer

    # The detector is quadratic on some inputs: it sees a sample, the codec then has to fit the whole.
    best = charset_normalizer.from_bytes(data[:_SAMPLE_BYTES], cp_isolation=_LEGACY).best()
    if best is None:
        raise UndecodableError("neither UTF-8, UTF-16 nor a Japanese legacy encoding")
    return best.encoding
