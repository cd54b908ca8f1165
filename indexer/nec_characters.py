"""Characters that NEC and IBM added to JIS X 0208, such as ①, ㈱, Ⅲ, № and 髙, in EUC-JP and ISO-2022-JP.

Windows, and most tools that convert from it, write them there in the rows that CP932 has them in; Python's codecs know
the standard's rows alone.
"""

from functools import cache

NEC_CHARACTERS = "morenashi.nec"
"""The name of how decoders and encoders treat what they do not know: these characters are known, all else is an
error.
"""

# NEC's own row, and the ones with what it took over from IBM.
_ROWS = (13, 89, 90, 91, 92)


def replace_unknown(error: UnicodeError) -> tuple[str | bytes, int]:
    """The handler of codec errors: what stands at the error, and where to go on. Raises the error for all else."""
    if isinstance(error, UnicodeDecodeError):
        return _character_at(error), error.start + 2
    # ISO-2022-JP has states, of which a handler is not told.
    if isinstance(error, UnicodeEncodeError) and error.encoding == "euc_jp":
        pair = _pairs().get(error.object[error.start])
        if pair is not None:
            return pair, error.start + 1
    raise error


def _character_at(error: UnicodeDecodeError) -> str:
    pair = error.object[error.start : error.start + 2]
    if error.encoding == "iso2022_jp":
        pair = bytes(byte | 0x80 for byte in pair)
    elif error.encoding != "euc_jp":
        raise error
    character = _characters().get(pair)
    if character is None:
        raise error
    return character


@cache
def _characters() -> dict[bytes, str]:
    """The characters by their bytes in EUC-JP."""
    found = {}
    for row in _ROWS:
        for cell in range(1, 95):
            character = _in_cp932(row, cell).decode("cp932", "replace")
            if len(character) == 1:
                found[bytes((row + 0xA0, cell + 0xA0))] = character
    return found


@cache
def _pairs() -> dict[str, bytes]:
    return {character: pair for pair, character in _characters().items()}


def _in_cp932(row: int, cell: int) -> bytes:
    """The bytes of a place of JIS X 0208: two rows of it make one row of CP932, which leaves out 0x7F."""
    lead = 0x81 + (row - 1) // 2
    trail = cell + 0x9E if row % 2 == 0 else cell + 0x3F + (cell > 63)
    return bytes((lead if lead < 0xA0 else lead + 0x40, trail))
