"""Between the name of a secret and its value: how people and programs say that the one is the other's."""

# Of a value that ends its pattern, the pattern has the first characters alone, so that the next name may stand in the
# same run without blanks: {"password":"...","db_password":"..."}. The rest is read behind them.
BEGIN_CHARS = 4
VALUE_BEGINS = f"([!-~]{{{BEGIN_CHARS}}})"
# Quotes in a text that is quoted itself have strokes before them; in an address, = and : are %3D and %3A. Of any number
# are the blanks alone, with which people align what they write below each other: all of this is RE2.
IS = (
    r"(?:[*_]{0,3}\\{0,3}[\"'`」』)]?\]?[ \t]*(?::=|=>|->|→|:|=|は、?|が、?| is |%3[AaDd]|value=)"
    r"[*_]{0,3}[ \t]*(?:\\{0,3}[\"'`「『(]|[bu]['\"])?"
    # Below, as YAML has texts of several lines.
    r"|[\"']?: {1,4}[|>][-+]?[ \t]{0,4}\r?\n[ \t]{1,40}"
    # The next field of an entry has the value: name: DB_PASSWORD, value: ...
    r"|[\"']?[:,]?\s{1,40}value: {1,4}[\"']?|[\"'],\s{0,20}[\"']value[\"']:\s{0,4}[\"'])"
)
NEXT_ARGUMENT = r"[\"'], ?[\"']"
CELL = r"[*`]{0,3}[ \t]*\|[ \t]*[*`\"']{0,3}"
MARKUP = r"(?:</[A-Za-z0-9]{1,10}>\s{0,20}<[A-Za-z0-9]{1,10})?[^<>\n]{0,80}>"
NAME_GOES_ON = r"s?[0-9]{0,2}(?:[-_][A-Za-z0-9]{1,12}){0,2}(?: ?\([^()\n]{1,16}\)| ?の[一-龥ァ-ヶ]{1,4})?"
JAPANESE_GOES_ON = r"[ぁ-んァ-ヶ一-龥()]{0,8}?"
# Behind blank lines or the dashes that make a heading.
LINE_BELOW = r"\r?\n(?:[ \t]{0,8}(?:[-=]{3,80}[ \t]{0,8})?\r?\n){0,2}[-*>・•` \t]{0,8}"
