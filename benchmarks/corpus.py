"""Corpora of any size: real manuals, replicated with changed words so that no two copies are equal."""

import os
import random
import re
import shutil
from functools import partial
from pathlib import Path

DEVSET = Path(os.environ.get("MORENASHI_DEVSET", Path(__file__).parents[2] / "shared" / "devset"))
"""Graded material beside the checkout. What needs it says so and is left out where it is absent."""

# Not after a backslash: \n and \u3042 have to stay what they are in JSON.
_WORD = re.compile(r"(?<![\\a-zA-Z])[a-z]{5,}(?![a-zA-Z])|[\u4e00-\u9fff]{2,}")
_CHANGED_SHARE = 0.12


def replicate(source: Path, target: Path, megabytes: float) -> int:
    """Copy the manuals below `source` as often as it takes; return the bytes written.

    The first copy is unchanged. In the others about an eighth of the distinct words is exchanged
    for other words of the corpus, the same way throughout a copy. Raises `FileNotFoundError` if there are no manuals.
    """
    shutil.rmtree(target, ignore_errors=True)
    files = [path for path in sorted(source.rglob("*")) if path.suffix in (".md", ".json")]
    if not files:
        raise FileNotFoundError(f"no manuals below {source}")
    random.Random(0).shuffle(files)
    vocabulary: set[str] = set()
    written = copy = 0
    while written < megabytes * 1e6:
        exchange = _exchange(vocabulary, copy)
        for path in files:
            text = path.read_text("utf-8")
            if copy == 0:
                vocabulary.update(_WORD.findall(text))
            else:
                text = _WORD.sub(partial(_exchanged, exchange), text)
            relative = path.relative_to(source)
            place = target / f"{relative.parts[0]}-{copy:02}" / Path(*relative.parts[1:])
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, "utf-8")
            written += place.stat().st_size
            if written >= megabytes * 1e6:
                break
        copy += 1
    return written


def _exchange(vocabulary: set[str], copy: int) -> dict[str, str]:
    words = sorted(vocabulary)
    chance = random.Random(copy)
    return {word: chance.choice(words) for word in words if chance.random() < _CHANGED_SHARE}


def _exchanged(exchange: dict[str, str], match: re.Match[str]) -> str:
    return exchange.get(match[0], match[0])
