"""What others may call a document: its title, its file's name, the chapter that it is. Pure.

Title and file name count without what only numbers or marks them, too, of 株式会社甲 就業規則 the rules alone, and of a
law on something its short name, and of any that has one.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from morenashi.indexer.markdown import Section
from morenashi.indexer.text import normalise

from .document_codes import codes_of
from .law_short_names import short_names
from .place_keys import DIVISION_HEADING, ENGLISH_DIVISIONS, back_matter_name, branched, plain_title

# As collections of bylaws begin a page that has no heading: ○若葉市体育館条例.
_TITLE_MARK = re.compile("^[○◯〇] ?")
_MARKED_TITLE = re.compile("[○◯〇][ \u3000]?([^。、]{2,80}(?:条例|規則|規程|要綱|要領|細則|規約|規定))")
_RULES_OF_SOMEBODY = re.compile(" ([^ ()]{2,40}(?:規則|規程|規定|細則|約款|要綱|規約|条例|定款)|定款|会則)$")
# As it is called in short: 個人情報保護法 for 個人情報の保護に関する法律.
_LAW_ON = re.compile("(.{2,30})に関する法律(施行令|施行規則|)")
_FILE_NUMBER = re.compile("^[0-9]{1,4}[-_. ]+(?=[^0-9])")
_SECTION_NUMBER = re.compile(r"((?:[0-9]{1,3}|[a-z])(?:\.[0-9]{1,3})+)[. ]")
_NUMBERED_FILE = re.compile(r"(ch|chapter|appendix)[-_ ]?([0-9]+|[a-z])(?:[-_ ]0+)?(?:$|[-_ ](?![0-9]))")


def document_titles(path: str, lines: Sequence[str], sections: Sequence[Section]) -> Iterator[str]:
    """The names of a document, each once. `path` is from its manual's root; `lines` are as in the file."""
    stem = normalise(PurePosixPath(path).stem).strip()
    names = [stem]
    top = next((section for section in sections if section.level == 1 or (section.level == 0 and section.title)), None)
    whole = top or _whole_page(sections)
    title = normalise(whole.title).strip() if whole else ""
    if not title and (marked := _MARKED_TITLE.fullmatch(next(filter(str.strip, lines), "").strip())):
        title = normalise(marked[1]).strip()
    if title:
        names = [title, title.partition("(")[0].strip(), stem]
    names += [_TITLE_MARK.sub("", plain_title(title)), _FILE_NUMBER.sub("", stem)]
    names += [match[1] for name in names if (match := _RULES_OF_SOMEBODY.search(name))]
    names += [f"{match[1].replace('の', '')}法{match[2]}" for name in names if (match := _LAW_ON.fullmatch(name))]
    names += [short for name in names for short in short_names(name)]
    names += codes_of(names, lines)
    for name in names[:]:
        if match := re.match(rf"({ENGLISH_DIVISIONS}) +([0-9]+|[a-z])\b", name):
            names.append(f"{match[1]} {match[2]}")
    # A file of its own: 別紙2 副業の手続. One without a number is that of any other document.
    names += [part for part in map(back_matter_name, names) if part and part[-1].isascii()]
    # Of several headings of level 1 each would be a chapter.
    if top is not None and sum(section.level == 1 for section in sections) == 1:
        names += [f"chapter {number}" for number in _own_chapter(top.title)]
    if top is None and whole and (match := _SECTION_NUMBER.match(plain_title(whole.title))):
        names.append(f"section {match[1]}")
    if match := _NUMBERED_FILE.match(stem):
        kind = "appendix" if match[1] == "appendix" else "chapter"
        names.append(f"{kind} {int(match[2]) if match[2].isdigit() else match[2]}")
    # As wikis name the file of a page: [[Getting started]] is Getting-started.md.
    names.append(stem.replace("-", " "))
    yield from dict.fromkeys(name for name in names if name)


def _whole_page(sections: Sequence[Section]) -> Section | None:
    """The first heading, of whatever level, if all others lie under it: of a book with a page each for its sections and
    appendices (## 4.2. Settings, ## Appendix C: Keywords) it is the title of the page.
    """
    headed = [section for section in sections if section.level]
    is_whole = headed and all(section.level > headed[0].level for section in headed[1:])
    return headed[0] if is_whole else None


def _own_chapter(title: str) -> Iterator[str]:
    """The number of a chapter that begins with it: 第4章　設定, 4. Settings."""
    plain = plain_title(title)
    if (match := DIVISION_HEADING.match(plain)) and match[2] == "章":
        yield branched(match[1], match[3])
    elif match := re.match(r"([0-9]{1,3})\. ", plain):
        yield match[1]
