"""A file's bytes to text: UTF-8, UTF-16, ISO-2022-JP, CP932 and EUC-JP. Pure.

Whatever decodes strictly is a candidate; between two, the one that reads like Japanese wins. On
1,294 files made from real manuals this is right every time; the general detectors that were tried
were wrong on a tenth and on half of them (docs/decisions/0008).
"""

import codecs
import contextlib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from .nec_characters import NEC_CHARACTERS, replace_unknown

codecs.register_error(NEC_CHARACTERS, replace_unknown)

_CODEC_OF_MARK = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
# What begins JIS X 0208, of 1983 and of 1978.
_ISO_2022_ESCAPES = (b"\x1b$B", b"\x1b$@")
_NO_ISO_2022 = "it changes character sets as ISO-2022-JP does, its bytes do not fit"
_SAMPLE_CHARACTERS = 100_000

# What is common in Japanese text, and what common text turns into when it is read in another encoding.
_ORDINARY = re.compile(r"[ぁ-んァ-ー、。「」（）・\u3000]")
_SUSPICIOUS = re.compile(r"[\uff61-\uff9f]")
_COMMON = re.compile(r"[ぁ-んァ-ー、。「」（）・\u3000\n\r\t -~]")
# Also what letters of Western encodings turn into, mostly with the ASCII letter behind them: Don’t is Don稚.
_BY_CHANCE = "\uff61-\uff9f\ue000-\uf8ff\u4e00-\u9fff\uf900-\ufaff"
_SURELY_JAPANESE = re.compile(f"[^\0-\x7f{_BY_CHANCE}]")
_RUN = re.compile(r"[^\0-\x7f]+")
_LONE_LETTER = re.compile(r"(?<![^\0-\x7f])(?:[\uff61-\uff9f]|(?<=[a-z])[^\0-\x7f]|[^\0-\x7f](?=[a-z]))(?![^\0-\x7f])")
# Not 0x1A, with which DOS ended its texts.
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x19\x1c-\x1f\x7f]")
_LEAST_COMMON_SHARE = 0.2
_NULS = re.compile("\0+")
_MOST_SET_APART_SHARE = 0.25
_SET_APART = "its letters are set apart by NUL as those of UTF-16 or UTF-32 are, its bytes do not fit"


class UndecodableError(Exception):
    """No encoding that Morenashi reads fits these bytes."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """A file's text as it stands (line breaks untouched, byte order mark gone) and its encoding."""

    text: str
    encoding: str


@dataclass(frozen=True, slots=True)
class FileEncoding:
    """How a file writes its text: a codec of Python's, after a byte order mark or none."""

    codec: str
    mark: bytes = b""


Blocks = Callable[[], Iterable[bytes]]
"""Gives a file's bytes from their beginning, as often as it is called, in blocks of any size."""


_Sampled = tuple[str, str]
"""A codec, and the beginning of the text in it."""


def decode(data: bytes) -> Decoded:
    """Decode a file, or raise `UndecodableError`. Never replaces a byte it does not understand."""
    # Most files are UTF-8, and have nothing that another encoding could be told by: quicker than to find that out.
    if b"\0" not in data and b"\x1b" not in data and not data.startswith(codecs.BOM_UTF8):
        with contextlib.suppress(UnicodeDecodeError):
            return Decoded(data.decode(), "utf-8")
    encoding = find_encoding(lambda: [data])
    return Decoded(data[len(encoding.mark) :].decode(encoding.codec, NEC_CHARACTERS), encoding.codec)


def find_encoding(blocks: Blocks) -> FileEncoding:
    """How a file is encoded, told without ever holding all of it. Raises `UndecodableError`."""
    traits = _Traits(blocks())
    for mark, codec in _CODEC_OF_MARK.items():
        if traits.head.startswith(mark):
            if samples := _samples(blocks, [codec], mark):
                _refuse_set_apart(samples[codec])
                return FileEncoding(codec, mark)
            raise UndecodableError(f"its byte order mark says {codec}, its bytes do not")
    found = (
        _best_utf16(_samples(blocks, ["utf-16-le", "utf-16-be"]) if traits.may_be_utf16 else {})
        or _iso_2022_of(_samples(blocks, ["iso2022_jp"]) if traits.is_iso_2022 else None)
        or next(iter(_samples(blocks, ["utf-8"]).items()), None)
        or _likeliest(_samples(blocks, ["cp932", "euc_jp"], admits_controls=False))
    )
    if found is None:
        raise UndecodableError("neither UTF-8, UTF-16 nor a Japanese legacy encoding")
    codec, sample = found
    _refuse_set_apart(sample)
    return FileEncoding(codec)


class _Traits:
    """What has to be known of all bytes before they are decoded."""

    def __init__(self, blocks: Iterable[bytes]) -> None:
        self.head = tail = b""
        length, has_nul, has_escape, is_ascii = 0, False, False, True
        for block in blocks:
            if len(self.head) < len(codecs.BOM_UTF8):
                self.head += block[: len(codecs.BOM_UTF8)]
            length += len(block)
            has_nul = has_nul or b"\0" in block
            is_ascii = is_ascii and block.isascii()
            has_escape = has_escape or any(escape in tail + block for escape in _ISO_2022_ESCAPES)
            tail = (tail + block)[-2:]
        self.may_be_utf16 = has_nul and length % 2 == 0
        self.is_iso_2022 = has_escape and is_ascii


def _samples(blocks: Blocks, names: list[str], mark: bytes = b"", *, admits_controls: bool = True) -> dict[str, str]:
    """The beginning of the text in each codec that decodes all of it."""
    samples = {}
    for name in names:
        sample = ""
        try:
            for text in decode_blocks(blocks(), FileEncoding(name, mark)):
                if not admits_controls and _CONTROL.search(text):
                    break
                if len(sample) < _SAMPLE_CHARACTERS:
                    sample += text
            else:
                samples[name] = sample
        except UnicodeDecodeError:
            continue
    return samples


def decode_blocks(blocks: Iterable[bytes], encoding: FileEncoding) -> Iterator[str]:
    """A file's text, a block at a time, without its byte order mark. Raises `UnicodeDecodeError`."""
    decoder = new_decoder(encoding)
    to_skip = len(encoding.mark)
    for block in blocks:
        yield decoder.decode(block[to_skip:])
        to_skip = max(to_skip - len(block), 0)
    yield decoder.decode(b"", final=True)


def new_decoder(encoding: FileEncoding) -> codecs.IncrementalDecoder:
    """What decodes a file piece by piece as `decode` does, behind its byte order mark."""
    return codecs.getincrementaldecoder(encoding.codec)(NEC_CHARACTERS)


def _best_utf16(samples: dict[str, str]) -> _Sampled | None:
    best = max(samples.items(), key=lambda sampled: _common_share(sampled[1]), default=None)
    return best if best and _common_share(best[1]) >= _LEAST_COMMON_SHARE else None


def _iso_2022_of(samples: dict[str, str] | None) -> _Sampled | None:
    """The encoding of a file that begins JIS X 0208 somewhere; `None` for any other file."""
    if samples is None:
        return None
    if not samples:
        raise UndecodableError(_NO_ISO_2022)
    return next(iter(samples.items()))


def _likeliest(samples: dict[str, str]) -> _Sampled | None:
    likely = [sampled for sampled in samples.items() if not _may_be_western(sampled[1])]
    return max(likely, key=lambda sampled: _likeness(sampled[1]), default=None)


def _may_be_western(text: str) -> bool:
    """Whether it is English or the like in an encoding that is not read here, whose bytes fit a Japanese one by chance:
    it has no kana, no signs of Japanese, and of its other characters half stand alone beside small letters.
    """
    sample = text[:_SAMPLE_CHARACTERS]
    runs = 0 if _SURELY_JAPANESE.search(sample) else len(_RUN.findall(sample))
    return runs > 0 and 2 * len(_LONE_LETTER.findall(sample)) >= runs


def _refuse_set_apart(text: str) -> None:
    """Raise `UndecodableError` if it is no text in this encoding, though its bytes fit: NUL is valid UTF-8 and UTF-16,
    and whoever wrote one of 16 or 32 bits wrote it beside each letter. Read so, it would be found by nothing that it
    says.
    """
    # A file that was cut off may end in many of them, and has one run.
    if "\0" in (sample := text[:_SAMPLE_CHARACTERS]):
        others = len(sample) - sample.count("\0")
        if others and len(_NULS.findall(sample)) >= _MOST_SET_APART_SHARE * others:
            raise UndecodableError(_SET_APART)


def _common_share(text: str) -> float:
    sample = text[:_SAMPLE_CHARACTERS]
    return 0.0 if _CONTROL.search(sample) else len(_COMMON.findall(sample)) / max(len(sample), 1)


def _likeness(text: str) -> int:
    sample = text[:_SAMPLE_CHARACTERS]
    return len(_ORDINARY.findall(sample)) - len(_SUSPICIOUS.findall(sample))
