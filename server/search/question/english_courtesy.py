"""What an English question begins and ends with out of courtesy: hi, quick question, thanks in advance. Pure, on
normalised text.
"""

import re

_TO_ALL = "(?: (?:there|all|everyone|everybody|team|folks))?"
# What comes before the question, or leads to it.
_BEGINNING = (
    f"(?:hi|hello|hey|greetings|good (?:morning|afternoon|evening)){_TO_ALL}"
    "|(?:i )?hope (?:you(?:'re| are)|all is|this finds you)(?: all)?(?: doing)? (?:well|fine)"
    "|sorry|excuse me|(?:please )?help(?=[,.!:;]| -)|urgent|asap|(?:just )?curious|thanks|thank you"
    "|(?:one|another) (?:more )?thing"
    "|(?:a |one |just a |another |one more )?(?:quick |short |simple |follow-up )?(?:question|q)"
    "|ok(?:ay)?(?: so)?|so|and|also|actually|basically|by the way|btw|fyi|in (?:short|other words)"
)
# A greeting before anything else than a question is one of a program: hello, world.
_GREETING = re.compile(
    rf"^(?:(?:{_BEGINNING})(?:[,.!:;]{{1,3}}| -|) ){{1,4}}"
    r"(?=(?:how|what|when|where|why|who|whose|which|is|are|am|was|were|can|could|do|does|did|has|have|should|shall|would"
    r"|will|may|must|if|i|we|my|our|please|tell|list|show|explain)(?:'[a-z]{1,2})? )"
)
# Without a sign before it, it may be what is asked about: a page that says thank you.
_THANKS = re.compile(
    "[,.!?;:] ?(?:(?:many |please and )?thanks|thank you|thx|cheers)"
    "(?: (?:so much|very much|a lot|in advance|for (?:your|the|any) help)){0,2}[.!]*$"
)


def without_english_courtesy(question: str) -> str:
    """A normalised question without a greeting at its beginning and thanks at its end."""
    return _THANKS.sub("", _GREETING.sub("", question))
