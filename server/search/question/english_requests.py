"""What in an English question only asks: "list all", "what does the handbook say about", "how do I use". Pure.

No text has it that answers, so it is nothing to look for, and nothing that is missing.
"""

import re

from .english_courtesy import without_english_courtesy

_COULD_YOU = "(?:can|could|would|will) (?:you|anyone|anybody|someone|somebody)"
_PLEASE = f"(?:{_COULD_YOU} )?(?:(?:please|kindly) )?"
_TELL = "(?:list|show|find|give|get|name|enumerate|summari[sz]e|explain|describe|identify|collect|gather|quote|extract)"
# What shows that a request is meant: `find command` and `show databases` are what they are.
_ALL_OF_IT = "(?:all|every|each|any|the)(?: of)?(?: the)?(?: (?:complete|full|entire))?(?: list of)?"
_ON = "(?:on|about|regarding|concerning)"
_TO_ME = f"(?:(?: me| us)? {_ALL_OF_IT}| me| us)"
# Who is asked, or begged, is to tell: what is to be explained need not be all of it.
_ASKED_TO_TELL = (
    f"(?:{_COULD_YOU} )?(?:please|kindly) {_TELL}|{_COULD_YOU} (?:list|enumerate|summari[sz]e|explain|describe)"
)
_A_LIST = "(?:(?:a|the) )?(?:(?:complete|full|entire) )?list of (?:all|every)(?: of)?(?: the)?"
_NEED = "(?:i|we) (?:need|want)(?: to (?:see|know|read|find))? (?:all|every|each)(?: of)?(?: the)?"
_A_SUMMARY = "(?: me| us)? an? (?:overview|summary|explanation|description) of(?: the)?"
_REQUEST = re.compile(f"^(?:{_PLEASE}(?:{_TELL}(?:{_A_SUMMARY}|{_TO_ME})|{_NEED}|{_A_LIST})|{_ASKED_TO_TELL})(?= [^ ])")
_PASSAGES = (
    "(?:sections?|chapters?|documents?|pages?|passages?|rules?|provisions?|statements?|information|details"
    "|documentation)"
)
_ABOUT = (
    "(?:about|regarding|concerning|related to|relating to|dealing with|covering|mentioning"
    "|(?:that |which )?(?:talks? about|mentions?|covers?|deals? with|describes?|discuss(?:es)?|refers? to))"
)
# Passages on something, and mentions of it: the something. Files on the server are what they are.
_PASSAGES_ON = (
    f"(?:{_PASSAGES} on|(?:{_PASSAGES}|files?|parts?|places?) {_ABOUT}"
    "|(?:mentions?|references?|occurrences?) (?:of|to))"
)
_IS_REQUESTED = re.compile(f"^{_PASSAGES_ON}(?= [^ ])")
_DOCUMENT = "(?:the |our |this |these )?[a-z-]{1,20}(?: [a-z-]{1,20})?"
# What does not only say something, as an insurance covers it.
_BOOK = "(?:the |our |this |these )?(?:handbooks?|manuals?|guides?|books?|docs|documentation)"
# What a manual says about something: the something.
_WHAT_IS_SAID = re.compile(
    rf"^(?:what (?:do(?:es)? (?:{_DOCUMENT} say|(?:i|we) need to know)"
    rf"|is (?:said|written|known)) (?:on|{_ABOUT})"
    rf"|do(?:es)? (?:{_DOCUMENT} (?:say|state|mention|have|contain) (?:any|some)thing {_ON}"
    rf"|{_BOOK} (?:mention|discuss|describe))"
    rf"|(?:is|was) (?:any|some)thing (?:said|written|known|mentioned|stated) {_ON}"
    rf"|(?:is|are) there (?:anything (?:on|{_ABOUT})|(?:any|a) {_PASSAGES_ON})"
    rf"|(?:(?:any)?thing|everything) (?:on|{_ABOUT})"
    rf"|(?:all|any|every|which|what)(?: the)? {_PASSAGES_ON})(?= [^ ])"
)
# What section 9.3 says: section 9.3. According to it, too.
_SAYS = re.compile(r"^what do(?:es)? (.{1,200}) (?:say|state)(?=[?.]*$)")
_ACCORDING = re.compile(
    "^(?:according to|regarding|concerning|as regards|with (?:regard|respect) to|when it comes to) (?=[^ ])"
)
_WHERE = re.compile(
    r"^(?:where(?: is| are|'s)?|(?:place|section|passage|page|part|line)s? (?:where|in which)) (.{1,200}?)"
    r"(?: is| are)? (?:mentioned|described|documented|explained|covered|discussed)(?=[?.]*$)"
)
# Which settings concern it, the options related to it: the settings, and it.
_CONCERNED_ARE = re.compile(
    "^(?:all|any|every|which|what)(?: of)?(?: the)? ((?:[a-z-]{1,20} )?[a-z-]{1,20}) "
    "(?:(?<=s )concern|relates? to|(?:is|are) (?:related|relevant) to|(?:has|have) to do with|deals? with)(?= [^ ])"
)
_CONCERNING = re.compile(
    " (?:(?:(?:that|which) (?:is|are) )?(?:related|relating|relevant|pertaining) to|concerning|regarding"
    "|(?:that|which) (?:concerns?|relates? to|deals? with|(?:has|have) to do with))(?= [^ ])"
)
_ME = "(?:i|we|you|one)"
_IF = "(?:how|what|why|when|where|which|who|whether|if)"
_ME_NEED = "(?:i|we) (?:need|want)"
_FACTS = f"(?:(?:some|more|any|further) )?(?:(?:information|info|details|documentation)|(?:the|an?) {_PASSAGES})"
# Who asks, and that they ask: the rest is the question.
_IS_TOLD = re.compile(
    rf"^(?:{_PLEASE}(?:(?:explain|describe|show|tell)(?: me| us)?(?= {_IF} )"
    r"|help (?:me|us)(?: to)?(?: understand)?)"
    r"|(?:i|we)(?:'d| would)? (?:want|need|like|wish|have) to(?: (?:know|understand|learn|find out|see))?"
    r"|(?:i'm|i am|we're|we are) trying to"
    rf"|(?:(?:i'm|i am|we're|we are) looking for|{_ME_NEED}) {_FACTS} {_ON}"
    rf"|(?:i|we) have (?:a|another|one) (?:quick |short |simple )?question {_ON}|{_FACTS} {_ON}"
    rf"|(?:i(?:'m| was| am)?|we(?:'re| were| are)?) wonder(?:ing)?(?= {_IF} )"
    rf"|(?:do you have )?any idea(?= {_IF} )"
    r"|(?:i|we) (?:can't|cannot|can not|couldn't|could not) find(?: any(?:thing| information| info))?"
    r"(?: (?:about|on|regarding))?"
    r"|(?:(?:i|we) )?need (?:some |your )?help (?:with|on)|let's (?:say|assume)(?: that)?"
    r"|do(?:es)? (?:it|that) matter(?= (?:if|whether) )"
    r"|(?:i|we)(?: just)? (?:get|got|(?:am|are|keep) (?:getting|seeing))|(?:i'm|we're) (?:getting|seeing)"
    r")(?= [^ ])"
)
_GOOD = "(?:right|best|correct|proper|recommended|preferred|usual|easiest|simplest)"
_IS_DONE = re.compile(
    rf"^(?:how (?:(?:do|can|could|should|would) {_ME}|to) (?:use|go about)"
    rf"|(?:(?:what(?: is|'s| are)|is there|are there) (?:all )?(?:the|an?|any|some)(?: {_GOOD})?"
    rf"|any|(?:the )?{_GOOD}) ways? (?:to|of|for)"
    r"|(?:is it|would it be) (?:(?:possible|necessary|allowed|permitted) (?:to|for)"
    r"|(?:ok(?:ay)?|alright|all right|fine) (?:to|if))|may (?:i|we|one)|(?:am i|are we) (?:allowed|permitted) to"
    rf"|(?:what(?: is|'?s| are)|is there an?)(?: the)? (?:purpose|point|idea|use) (?:of|in)(?: having)?"
    r"|(?:what|which) (?:kinds?|sorts?) of"
    r"|how come|what (?:is|are) meant by|what do(?:es)? (?:you|they|it|this) mean by|what(?: is|'s) the meaning of"
    r"|what do(?:es)? it mean (?:to|when|if|that)|where do(?:es)? (?:it|they) say(?: that)?"
    rf"|where (?:can|could|do|should) {_ME} (?:find|look up|read|see|learn)(?: out)?(?: more)?"
    r"(?: information| details| documentation)?(?: (?:about|on|regarding))?"
    r"|(?:in|under) (?:what|which) (?:cases?|circumstances|conditions|situations?)"
    r")(?= [^ ])"
)
# How hot reload works or why it does not, what it is used for: hot reload.
_WORKS = re.compile(
    "^how (?:exactly |actually )?(?:(?:do|does) )?(.{1,200}?) (?:actually |really )?works?(?: exactly)?(?=[?.]*$)"
)
_DOES_NOT_WORK = re.compile(
    "^why (?:(?:does|do|did|is|are|will|would)(?:n't| not|nt)|won't|wont|can't) (.{1,200}?) work(?:ing)?(?=[?.]*$)"
)
_STANDS_FOR = re.compile("^what do(?:es)? (?:the (?:term|word|abbreviation) )?(.{1,200}) (?:stand for|mean)(?=[?.]*$)")
# Without such an end `explain` and `describe` are what a program is asked.
_IN_DETAIL = re.compile(
    f"^{_PLEASE}(?:explain|describe) (.{{1,200}}?)(?: to (?:me|us)| in (?:more |full |great )?detail){{1,2}}(?=[?.!]*$)"
)
# When a rule does not apply: the rule.
_DOES_NOT_APPLY = re.compile(
    "^(?:(?:when|where|to (?:whom|what|which)) )?"
    "(?:(?:do|does) (.{1,200}?) not|(?:do|does)(?:n't| not) (.{1,200}?)) apply(?= |[?.]*$)"
)
_TAKES = re.compile("^how (?:long|much time) (?:do|does|did|will|would|should) (.{1,200}?) (?:take|last)(?=[?.]*$)")
_EXIST = re.compile("^((?:which|what) .{1,200}?) (?:are there|(?:do )?exists?|are available)(?=[?.]*$)")
# What I use, and what gets done or is used: what, and done.
_USE = re.compile(rf"(?:^|(?<= ))(?:({_ME}) use|to use|be used)(?=[ ?.,]|$)")
_GETS = re.compile("(?<= )gets?(?= [a-z]{1,20}(?:ed|en)(?: |[?.,]|$))")
_USED_FOR = re.compile("^what (?:is|are) (.{1,200}) used for(?=[?.]*$)")
_FOR_EXAMPLE = re.compile(r"(?<![^ (])(?:e\.g|i\.e)\.?,? ")
# In the middle of what is told: as an admin, I want to reset a password.
_WANT = re.compile(
    r"(?:^|(?<=[ ,.;]))(?:i|we)(?:'d| would)? (?:really |just )?(?:want|need|like|wish) to(?! know about)(?= [^ ])"
)
_HOW = re.compile(r"(?:^|(?<= ))how (?:often|long|far|soon|early|late|large|big|old|quickly|fast)(?= [^ ])")


def without_english_request(question: str) -> str:
    """A normalised question without a request such as "list all" or "what does the handbook say about" at its
    beginning, or "what does" and "say" around it, and without "how often" or "how long" anywhere.
    """
    told = _FOR_EXAMPLE.sub("", without_english_courtesy(question))
    told = _IN_DETAIL.sub(r"\1", _WANT.sub("", _IS_TOLD.sub("", told).lstrip()).lstrip())
    told = _STANDS_FOR.sub(r"\1", _DOES_NOT_WORK.sub(r"\1", told))
    told = _USED_FOR.sub(r"\1", _WORKS.sub(r"\1", _IS_DONE.sub("", told).lstrip()))
    told = _EXIST.sub(r"\1", _TAKES.sub(r"\1", _DOES_NOT_APPLY.sub(r"\1\2", told)))
    asked = told
    told = _REQUEST.sub("", told).lstrip()
    is_requested = told != asked
    told = _WHAT_IS_SAID.sub("", _SAYS.sub(r"\1", _WHERE.sub(r"\1", told))).lstrip()
    told = _ACCORDING.sub("", told)
    if is_requested:
        told = _IS_REQUESTED.sub("", told)
    told = _CONCERNING.sub("", _CONCERNED_ARE.sub(r"\1", told))
    return _HOW.sub("", _GETS.sub("", _USE.sub(r"\1", told))).lstrip()
