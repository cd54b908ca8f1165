"""The words of a question, piece by piece: what quotes and blanks set apart, and in a sentence its runs. Pure."""

import re
from collections.abc import Iterable, Set
from dataclasses import dataclass, field
from typing import NamedTuple

from morenashi.indexer.tokens import is_kanji, runs

from .asked import without_asking
from .cited_words import find_cited, is_place_of_named, names_of_place, with_names_of_cited, without_cited
from .counted import ends_of_span, find_counted, parts_of_date, without_bound, without_counted
from .counting_marks import COUNTED
from .dates import find_dates
from .english_cited_words import find_cited_words
from .english_requests import without_english_request
from .english_units import find_measures
from .hiragana import find_words
from .latin_names import find_latin_names, without_latin_names, words_of_latin_name
from .mixed_words import find_mixed_words
from .pieces import is_long, split_pieces, without_punctuation
from .spellings import Spellings, find_spelt
from .stop_words import NO_TERMS
from .terms import Synonyms

_POSSESSIVE = re.compile("(?<=[a-z0-9])'s$")
_HIRAGANA = re.compile("[\u3041-\u309f]")
# An option of one letter, too: -a, which as a loose match nearly every line holds.
_LONE = re.compile("-*[\x00-\x7f\u3041-\u309f]")
# Neither Latin nor Japanese nor what separates: letters of other scripts with their marks, or signs.
_OTHER_RUN = re.compile("[^\x00-\x7f\u3000-\u30ff\u3400-\u9fff]{2,}")
# Alone they ask, or only say how two times lie, or which one: 2週間前まで, 第3回.
_SAYS_NOTHING = frozenset("何誰前後第")
# 第3条、第4条, 第3条及び第5条: of two places one alone says something.
_CITED_TOGETHER = re.compile("(?<=[条項号章節款編])(?:[、,と]|及び|又は|並びに|若しくは)(?=第)")
# 3.2 節.
_UNIT_APART = re.compile("([.][0-9]+) (?=[章節項](?![一-龠]))")
# 2023 年 4 月 1 日, as typography has it.
_DATE_APART = re.compile("(?<=[0-9]) (?=[年月日](?![一-龠]))|(?<=年) (?=[0-9]{1,2} ?月)|(?<=月) (?=[0-9]{1,2} ?日)")
# 持ち物, ガソリン代: neither hiragana alone, of which a part of another word may look the same, nor one run.
_OF_SEVERAL_SCRIPTS = re.compile("(?=.{3})(?!(?:[\u3041-\u3096ー]+|[\u30a1-\u30faー]+|[\u4e00-\u9fff々]+|[!-~ ]+)$).+")
_PARTICLE = re.compile(
    "^(?:に(?:(?:関|対)(?:する|して)(?:の)?|係る|おける|よる|ついて(?:の)?)|[のをがはにでと])(?=[^\u3041-\u309f])"
)
# What joins a place to its document: readme.mdのsection 2.1.
_PARTICLE_BEHIND_LATIN = re.compile("(?<=[a-z0-9])[のをがはにでと]$")
# してもよいか, すべきか, しないとどうなるか, after the word that says what: reboot してもよいか.
_DOES = (
    "(?:する(?:べき)?|すべき|すれば|し(?:た|て|ない|たら|たい|なければ|なくて|ます|ました|ません)"
    "|でき(?:る|ない|た|て|れば|なければ|ます|ました|ません))"
)
_MAY_OR_MUST = (
    "(?:よい|いい|良い|よろしい|構わない|かまわない|大丈夫|問題(?:が)?ない|(?:だ|ダ|駄)め|いけない|いけません|ならない|なりません"
    "|どう(?:なる|なります|すれば|したら)(?:よい|いい|良い)?)"
)
_DOES_IT = (
    f"{_DOES}(?:[もはとに]|には|(?:ほう|方)が|の[はが])?{_MAY_OR_MUST}?(?:です|でしょう)?(?:[かの]|のか|のですか)?"
)
# いつまで, お願いします, したい: what only asks, though in hiragana alone.
_ASKS_ALONE = re.compile(
    "(?:いつ|どこ|どれ|誰|だれ|いくら|いくつ|なに|なん|なぜ|どう|どの(?:くらい|ように))(?:から|まで|に|で|へ|が|を|は|です|か|すれば)*"
    "|(?:お願い|おねがい)(?:いた|致)?します|(?:ある|あり|ない|です|ます)(?:か|ます|ますか|ですか|の|場合|とき)?|等|以外"
    f"|{_DOES_IT}(?:場合|ケース|とき|時|際|方法)?(?:には?|は)?"
)
# 型付け, 取り扱い: a word by itself, not 使用する.
_INFLECTED_WORD = re.compile(
    "[\u4e00-\u9fff]+(?:(?!す[るれ]|し[たてな]|さ[れせ])[\u3041-\u309f]{1,2}(?:[\u4e00-\u9fff]+|$))+[\u3041-\u309f]{0,2}"
)
# 鍵を: a word, though a short one.
_KANJI_AND_PARTICLES = re.compile("^[\u4e00-\u9fff](?<![何誰])(?=[のをがはにでとへも]+$)")
_KANJI_AND_HIRAGANA = re.compile("[\u4e00-\u9fff][\u3041-\u309f]")
# A particle with a verb after another word, which asks what happens: にすると遅くなるか.
_GOES_ON = re.compile("[にと](?:する|なる)と(?:[\u3041-\u309f]*[\u4e00-\u9fff])?[\u3041-\u309f]+か[?。]*$")
# Between the words of a list: 年休や育休, 年休および育休, 年休+育休. Where no kanji is beside it, a sign belongs to a
# name: Q&A. What ・ and / join is one word, also where a line has it without them: 利用・規約.
_AND_IN_LIST = (
    f"[^\u3041-\u309f](?:や|とか|か(?!{COUNTED})|かつ|および|あるいは|または|ならびに|もしくは)(?=[^\u3041-\u309f])"
    "|(?<=[\u4e00-\u9fff])(?:[+&]|vs)|[+&](?=[\u4e00-\u9fff])|vs(?=[\u4e00-\u9fff])"
)
_BETWEEN_KNOWN, _WORD_OF_KANJI = re.compile("[・/+&]"), re.compile("[一-龠々]{2,}")
# A particle between words, or after one: 配偶者控除の要件, 医療費控除とは, 前日から翌日, but not 申込み手続き.
_JOINED = re.compile(
    "及び|又は|並びに|若しくは|(?<=[^0-9])[、,](?=[^0-9])"
    "|[^\u3041-\u309f](?:[のをがはにでとへも]|(?:から|まで|より)(?=[^\u3041-\u309f]))"
    "|[のをがはにでとへも](?=[^\u3041-\u309f])"
    f"|{_AND_IN_LIST}"
)
# What a verb is said of: ファイルを of ファイルを削除する; 注入できる and 有効にする are words by themselves.
_OF_A_VERB = re.compile("[^\u3041-\u309f](?:[をがはへ]|に(?![すしな])|で(?!き))(?=.)")
# グリーン車, サーバー室: one word, whose kanji alone says nothing. Not データ用, nor the verb of ボタン押すと.
_KATAKANA_AND_KANJI = re.compile(
    "(?<![\u4e00-\u9fff\u30a1-\u30fa\u30fc])([\u30a1-\u30fa\u30fc]{2,})"
    "[\u4e00-\u9fff](?<![用間上中側毎内外等時後前別的化系型式製])"
    "(?=[のをがはにでとへもや、]|から|まで|より|$|[^\u3041-\u309f\u30a1-\u30fc\u4e00-\u9fff])"
)
# Of 年休及び育休: a kanji that no word ends with.
_CONJUNCTION = re.compile("及び|又は|並びに|若しくは")
# Verbs before a noun, of which no text need have these forms: 使うべきでない理由, 切ってはならない物.
_TOLD = re.compile(
    "[^\u3041-\u309f][\u3041-\u309f]{4,}[^\u3041-\u309f]{2}|(?<=[てで])は(?:いけ|なら|だめ|ダメ|駄目)(?:な|ませ)"
)
# 通勤手当(上限), 通勤手当)上限 as its first bracket fell away, loading(N+1問題); but not rate(errors).
_BRACKETED = re.compile("[^ -~][()](?=.)|[!-~]\\((?=[^()]*[^ -~])")
# Words either of which is meant: getter/setter, async'/'await of two code spans. A path and a type of media are one,
# and so is what has an abbreviation of two letters: TCP/IP.
_EITHER = re.compile(
    "(?!(?:application|audio|font|image|multipart|text|video|bin|config|docs?|etc|home|lib|opt|origin|refs|src|tests?|tmp"
    "|usr|var)/)[a-z]{3,30}(?:'?/'?[a-z]{3,30}){1,3}"
)
# A setting with its value: YII_DEBUG=false, --retention=15d.
_WITH_VALUE = re.compile("((?:--)?[a-z][a-z0-9_.-]{2,80})=[^=].*")
# 副業してもいいですか, 残業できる?, フレックスって何
_IS_ASKED = re.compile(
    "(?:[うくすつぬむるたいのん]か|[\u3041-\u3096]\\?+|(?:って|は)(?:何|なに)|どう[なすしや][\u3041-\u3096]{0,8}"
    "|のは(?:どんな|どういう|どういった|どのような)[^のをがはにでとへも]{1,4}(?:です|でしょう)?か?)[?。]*$"
)
# Asked as one chats, or with a verb: 給料日いつ, 残業代って, パスワード忘れた, プリンター使えない, 申請しなかったら.
_IS_CHATTED = re.compile(
    "(?:以[内上下降前後]|未満|いつ(?:から|まで)?に?|どこ(?:に|で|へ)?|[いよ]い(?:の|よね?)|どれ|どっち|だれ|いくら|なぜ|どのくらい|って|かな|っけ|よね|のですが|んですが|ですけど|けど"
    "|(?:な(?:い|し|かった|くて|ければ)|ませ(?:ん|んでした)|ます|た(?:い|ら)?"
    "|[\u4e00-\u9fff](?:[うくぐすつぬぶむる]|[えけげせてねべめれいきぎしちびみりまわが]る|れば|[高安多長短早遅重悪]い)"
    "|(?:あ|い|す|な|つ|とれ|もらえ|でき|れ)る|もらう)(?:の|と|とき|時|には?)?)$"
)
_ABOUT = re.compile("(?:について|とは|における|に関して|を教えて(?:ください)?)$")
# 通勤手当など, 通勤手当一覧, 休暇申請やり方; but not 平等 or 人間関係.
_AND_SO_ON = re.compile(
    "(?<=..)(?:など|だけ|のみ|まとめ|まわり|やり方|しかた|一覧|関連|全般|以外|(?<=.[^平均対同上高初優])等|(?<=...)関係)$"
)


class Known(NamedTuple):
    """The words that the dictionaries know, for telling them in a sentence."""

    synonyms: Synonyms
    spellings: Spellings


@dataclass(slots=True)
class Said:
    """What a question says: its words, the words inside these, and what its phrases may be taken apart into; `asking`
    are those of its words that only ask, `sentences` the phrases that ask something of a word, or say it with a verb.
    """

    words: list[str] = field(default_factory=list)
    inner: list[str] = field(default_factory=list)
    phrases: dict[str, list[str]] = field(default_factory=dict)
    asking: set[str] = field(default_factory=set)
    sentences: set[str] = field(default_factory=set)


def read_words(text: str, known: Known) -> Said:
    """The words of a normalised question, piece by piece; it is one phrase if all of them are lone characters."""
    said = Said()
    apart = text if '"' in text else _CITED_TOGETHER.sub(" ", text)
    apart = _DATE_APART.sub("", _UNIT_APART.sub(r"\1", without_english_request(apart)))
    told, cited = _with_cited_in_quotes(apart)
    for quoted, bare, in_sentence in split_pieces(told):
        if said.words and not quoted and _GOES_ON.match(bare):
            continue
        if quoted in cited:
            said.words.append(quoted)
            said.phrases |= {quoted: cited[quoted]} if cited[quoted] else {}
        else:
            _read_piece(said, quoted, bare, known, in_sentence=in_sentence)
    if len(said.words) > 1 and all(map(_LONE.fullmatch, said.words)):
        return Said([text], [], {text: said.words})
    return said


def _read_piece(said: Said, quoted: str, bare: str, known: Known, *, in_sentence: bool) -> None:
    """Take what a piece says, `quoted` or `bare`: a sentence is its words, all else is one. What a part of a sentence
    only joins or asks is nothing: とは何ですか.
    """
    piece = quoted or _bare_word(bare, is_first=not said.words)
    if in_sentence:
        piece = _ABOUT.sub("", piece)
    is_part = in_sentence and _HIRAGANA.search(piece) is not None and not _is_inflected_word(piece)
    parts = _content_words(piece, known, is_phrase=not is_part and not is_long(piece))
    named = with_names_of_cited(piece, parts)
    if is_part or (not quoted and is_long(piece) and len(parts) > 1):
        said.words += named or _KANJI_AND_PARTICLES.findall(piece)
        said.phrases |= {part: names for part in named if (names := _meant_by_part(part, parts))}
        return
    whole = piece.strip() or bare.strip()
    said.words.append(whole)
    if not quoted and (_ASKS_ALONE.fullmatch(whole) or not without_asking(whole).strip("、")):
        said.asking.add(whole)
        return
    is_asked = not quoted and _is_asked(piece, bare)
    if not quoted and (meant := _words_of_phrase(piece, named, is_asked=is_asked or _is_list(piece, known))):
        said.phrases |= {part: names for part in meant if (names := words_of_latin_name(part))} | {whole: meant}
        said.sentences |= {whole} if is_asked and _OF_A_VERB.search(piece) else set()
    if whole not in NO_TERMS:
        said.inner += parts if _content_runs(piece) else parts + _remains(piece)
        said.inner += _KATAKANA_AND_KANJI.findall(" ".join(parts))


def _is_asked(piece: str, bare: str) -> bool:
    """Whether it asks something, or has something in it that only asks: 慶弔休暇何日, 慶弔休暇まとめて."""
    return bool(_IS_ASKED.search(bare) or _IS_CHATTED.search(piece)) or without_asking(piece) != piece


def _is_list(piece: str, known: Known) -> bool:
    """Whether it lists words that the dictionaries know, or three of kanji: セクハラ・パワハラ, 遅刻・早退・欠勤; not
    アクティブ・レコード or 利用・規約.
    """
    words = _BETWEEN_KNOWN.split(piece)
    is_known = len(words) > 1 and all(word in known.synonyms for word in words)
    return is_known or (len(words) > 2 and all(map(_WORD_OF_KANJI.fullmatch, words)))


def _is_inflected_word(piece: str) -> bool:
    return _INFLECTED_WORD.fullmatch(piece) is not None and _JOINED.search(piece) is None


def _with_cited_in_quotes(question: str) -> tuple[str, dict[str, list[str]]]:
    """The question with what it cites in English in quotes, its dates and its numbers with their units, and what these
    mean where no line holds them. Where a question has quotes of its own, they say what belongs together.
    """
    if '"' in question:
        return question, {}
    cited = find_cited_words(question)
    numbers = find_dates(question) + find_measures(question)
    cited += [one for one in numbers if not any(one.start < other.end and other.start < one.end for other in cited)]
    cited.sort()
    meant = {question[start:end]: words for start, end, words in cited}
    for start, end, _ in reversed(cited):
        before = _PARTICLE_BEHIND_LATIN.sub(r" \g<0>", question[:start])
        question = f'{before} "{question[start:end]}" {question[end:]}'
    return question, meant


def _bare_word(piece: str, *, is_first: bool) -> str:
    """Without punctuation at its ends or an 's, and, after another word, without the particle that joins them."""
    bare = _POSSESSIVE.sub("", without_punctuation(piece))
    return bare if is_first else _PARTICLE.sub("", bare)


def _content_words(piece: str, known: Known, *, is_phrase: bool) -> list[str]:
    """The words that a piece without blanks, a phrase or of a sentence, can be known by, if it has any."""
    words = find_words(piece, is_phrase=is_phrase)
    told = without_asking(piece)
    spelt = list(filter(_HIRAGANA.search, find_spelt(without_counted(told), known.spellings)))
    words += spelt
    listed = filter(_OF_SEVERAL_SCRIPTS.fullmatch, find_spelt(told, known.synonyms))
    words += [word for word in listed if not any(word in other for other in words)]
    mixed = find_mixed_words(piece, is_phrase=is_phrase)
    # 立ち入り検査: the words that are known say more.
    words += [word for word in mixed if not any(word in other or other in word for other in words)]
    return words + [run for run in _content_runs(piece, spelt) if not any(run in word for word in words)]


def _content_runs(piece: str, spelt: Iterable[str] = ()) -> list[str]:
    """Its runs of several characters. 第27条 is one, as 第二十七条 is, and 30日 is: what stands between digits is no
    word. Nor is the first kanji of a word that is `spelt` in several ways part of the noun before it: 有給買い取り.
    """
    told = _CONJUNCTION.sub(" ", without_asking(piece))
    for word in filter(_KANJI_AND_HIRAGANA.match, spelt):
        told = re.sub(f"(?<=[\u4e00-\u9fff]{{2}}){re.escape(word)}", " ", told)
    uncited = without_cited(told)
    uncounted = without_counted(uncited)
    left = without_latin_names(uncounted)
    mixed = [match[0] for match in _KATAKANA_AND_KANJI.finditer(left)]
    others = [run for run in runs(_KATAKANA_AND_KANJI.sub(" ", left)) if len(run) > 1]
    return find_cited(told) + find_counted(uncited) + find_latin_names(uncounted) + mixed + others


def _meant_by_part(part: str, words: list[str]) -> list[str]:
    """What a word of a sentence is known by where no line holds it; `words` are all of the sentence."""
    return _known_by(part) or _KATAKANA_AND_KANJI.findall(part) or _runs_of_name(part, words)


def _runs_of_name(name: str, words: list[str]) -> list[str]:
    """What a name is known by where no line holds it; nothing of a lone word."""
    return words_of_latin_name(name) if name in words else [run for run in runs(name) if len(run) > 1]


def _words_of_phrase(piece: str, words: list[str], *, is_asked: bool) -> list[str]:
    """Those of its words that particles or verbs join in a phrase or a short question, or what it is about; none if it
    is neither. A place inside an article is known by its article, too, and by whose it is, a heading by its number.
    """
    if ends := ends_of_span(piece):
        return ends
    if is_place_of_named(piece) or without_bound(piece):
        return _known_by(piece)
    words = list(dict.fromkeys(name for word in words for name in _means_in(piece, word)))
    is_told = _TOLD.search(piece) is not None and not NO_TERMS.issuperset(words)
    if setting := _WITH_VALUE.fullmatch(piece):
        return [setting[1]]
    is_either = _EITHER.fullmatch(piece) and not NO_TERMS.issuperset(words)
    is_joined = is_either or _JOINED.search(piece) or _BRACKETED.search(piece)
    if words and (is_asked or is_told or is_joined or _known_by(piece)):
        return words
    subject = _ABOUT.sub("", piece)
    return [subject] * (subject not in ("", piece))


def _means_in(piece: str, word: str) -> list[str]:
    """What a word of a phrase is called where nothing calls it so. Of 放送等のための固定 a 等 stays: it says what is
    meant; the end of IT機器等 is called what the whole is.
    """
    if word == piece:
        return _known_by(word) or [word]
    if parts := parts_of_date(word):
        # It may stand by itself, in whatever notation.
        return [word, *parts]
    if word[-1] != "等":
        return _known_by(word) or [word]
    return (_known_by(piece) if piece.endswith(word) and not _JOINED.search(piece) else []) or [word]


def _known_by(word: str) -> list[str]:
    """What a place, a date, a bound or a word with 等 behind it is called where nothing calls it as the question does;
    nothing if the word is none.
    """
    subject = _AND_SO_ON.sub("", word)
    return names_of_place(word) or without_bound(word) or parts_of_date(word) or [subject] * (subject != word)


def _remains(piece: str) -> list[str]:
    """What a piece without such runs may be known by: 逃 of 逃げた, a word of another script, a run of signs; a
    sentence by its kanji alone, if it has any (赤い旗を掲げる船は何ですか).
    """
    kanji = [run for run in runs(without_counted(without_asking(piece))) if is_kanji(run) and run not in _SAYS_NOTHING]
    others = [] if kanji and is_long(piece) else _OTHER_RUN.findall(piece)
    return list(dict.fromkeys([*kanji, *others]))


def without_stop_words(words: list[str], no_terms: Set[str]) -> list[str]:
    """Words that say something beside others; all of them if none does. A lone letter or particle does not."""
    return [word for word in words if word not in no_terms and not _LONE.fullmatch(word)] or words
