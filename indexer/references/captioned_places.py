"""Figures and tables by their captions: 図2　画面, **表3：料金**, Table 4-1, "Figure 1: Layout" of a picture. Pure."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from morenashi.indexer.markdown import Section, section_at

from .named_places import NamedPlace
from .place_keys import CAPTION_NUMBER, caption_key

_MARKUP = r"(?:#{1,6}[ \t]{1,3}|!\[|<[a-z]{1,10}(?: [^<>]{0,60})?>|[*_]{1,3}|[【\[<＜]){0,3}"
_CAPTION = re.compile(
    rf"[ \t\u3000]{{0,40}}{_MARKUP}"
    r"(?:(?P<japanese>[図表])|(?P<figure>Fig(?:ure|\.)?|FIG(?:URE|\.)?)|(?P<table>Table|TABLE))"
    rf"[ \t\u3000]{{0,2}}(?P<number>{CAPTION_NUMBER})(?P<closed>[*_】\]>＞]{{0,3}})"
    # What follows a blank alone begins as a title does, and no sentence.
    r"(?:[ \t\u3000]*$|[ \t\u3000]?[.．:：|–—-][^\d]|[*_<>】\]＞]|(?<=[】\]>＞])"
    r"|[ \t\u3000]{1,4}(?![にをはがのでもとへa-z]))"
    # Nor does a table of contents, which ends with a page behind dots.
    r"(?!.{0,120}(?:\. ?\.|…|・・))"
)
_MAY_BE = re.compile(
    r"[ \t\u3000#*_!\[<【＜]{0,60}(?:<[^<>]{0,70}>){0,3}(?:[図表]|Fig|FIG|T(?:able|ABLE))[^0-9０-９]{0,5}[0-9０-９]"
)
_LONGEST = 200


def captioned_places(lines: Sequence[str], sections: Sequence[Section]) -> Iterator[NamedPlace]:
    """The names that captions give. `lines` are as in the file.

    A number that two sections have means no place: nobody knows which is meant.
    """
    starts = [section.start_line for section in sections]
    found: defaultdict[str, list[NamedPlace]] = defaultdict(list)
    for line, text in enumerate(lines, 1):
        if _MAY_BE.match(text) and (match := _CAPTION.match(text)) and not _is_sentence(text):
            kind = match["japanese"] or ("figure " if match["figure"] else "table ")
            name = kind + caption_key(match["number"])
            found[name].append(NamedPlace(name, section_at(starts, line), line))
    for places in found.values():
        if len({place.section for place in places}) == 1:
            yield places[0]


def _is_sentence(text: str) -> bool:
    return len(text) > _LONGEST or text.rstrip().endswith("。")
