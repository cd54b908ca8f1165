"""Words of a question that say nothing of what it is about. Pure."""

STOP_WORDS = frozenset(
    "a an and any are as at be by can do does for from how i if in into is it me my of on or our "
    "should that the their there this to was we what when where which who why will with you your "
    "について において における とは での では には への からの までの より など です ます する "
    "関する 関して 対する 対して 教えて 教えてください".split()
)
# Besides, what stands in most questions, and on lines about anything.
NO_TERMS = STOP_WORDS | frozenset(
    "about all also am anybody anyone anything been being between could did every everybody everyone everything had "
    "happen happens has have its know many much must not please shall so somebody someone something tell than then "
    "these they those up versus vs was were whose would 場合 大丈夫 勝手 出来 至急 大至急 "
    # Behind what is no number to the question: 4コア以上, iOS 15以降.
    "以上 以下 以内 以前 以後 以降 未満 "
    "although because both but etc ever however instead neither nor rather says since such therefore though thus "
    "whereas wonder wondering wonders still yet really actually kindly one ones "
    "what's where's who's how's that's there's it's i'm i've i'd we're you're don't doesn't didn't can't isn't "
    "aren't won't couldn't shouldn't wouldn't wasn't weren't haven't hasn't hadn't mustn't needn't cannot we've we'll "
    "i'll you've you'll you'd they're they've they'll what're who're whom whether might "
    # As who types fast has them.
    "whats dont doesnt didnt cant isnt arent wont couldnt shouldnt wouldnt wasnt werent havent hasnt".split()
)
