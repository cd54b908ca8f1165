"""What only asks in a question (何日前までに, を教えてください) is no term of it, and nothing that is missing."""

from collections.abc import Iterator

import pytest

from morenashi.server.search.question.asked import without_denial, without_request
from morenashi.server.search.question.pieces import normal_text
from morenashi.server.search.question.query import parse_query

from ..limited_work import RunWithin
from ..server.serving import Serve, Serving, serving_indexed
from ..workspaces import WorkspaceFolder

RULES = """# 規程

## 慶弔休暇

慶弔休暇の申請は前日までに行う。

## 手当

通勤手当の申請は三か月以内に行う。
"""


@pytest.mark.parametrize(
    "question",
    [
        "慶弔休暇は何日前までに申請すればよいですか",
        "慶弔休暇は年に何回まで申請できるのですか",
        "慶弔休暇は何か月以内に申請すればよいですか",
        "慶弔休暇は給与の何パーセントまで申請するのですか",
        "慶弔休暇の申請について全部知りたいのですが",
        "慶弔休暇の申請を具体的に説明していただけますか",
        "慶弔休暇の申請を一覧にしてください",
        "慶弔休暇の申請についてすべて",
        "慶弔休暇で申請するもの全部",
        "慶弔休暇で申請すること全部",
        "慶弔休暇に関する記述をすべて抜き出して",
        "慶弔休暇の規定を漏れなく列挙して",
        "慶弔休暇についてどのような規定があるか",
        "慶弔休暇に関係するところを全部洗い出したい",
        "慶弔休暇について書かれている箇所を探してください",
        "慶弔休暇に関連する条文を一覧で",
        "慶弔休暇に関する情報",
        "慶弔休暇ってどうなってる",
        "慶弔休暇と手当の違い",
        "慶弔休暇を勝手に申請しても大丈夫ですか",
    ],
)
def test_what_only_asks_is_no_gap(workspace: WorkspaceFolder, serve: Serve, question: str) -> None:
    workspace.write("m/x.md", RULES + "\n年に一度、給与の額を示す。\n")
    found = serve().find(question)
    assert found.hits("gaps") == []
    assert found.hits()[0]["ref"]["title"] == "慶弔休暇"


@pytest.mark.parametrize(
    "message",
    [
        "お世話になっております。{}を教えていただけますでしょうか。",
        "お疲れ様です。{}を教えてください。よろしくお願いいたします。",
        "質問です。{}は？",
        "質問があります。{}について教えて下さい",
        "【至急】{}",
        "至急 {}",
        "{}についてご教示いただけますと幸いです",
        "{}について、ご回答のほどよろしくお願いします",
        "お手数ですが、お忙しいところ恐れ入りますが、{}を教えてください",
        "教えてください。{}",
        "{}ってご存知ですか",
    ],
)
def test_what_greets_or_begs_is_nothing_to_look_for(workspace: WorkspaceFolder, serve: Serve, message: str) -> None:
    other = "質問は至急、世話人へ。\n\n回答、教示、確認の手数に疲労する。存知、初心者、教えてください。\n"
    workspace.write("m/x.md", f"{RULES}\n## 他\n\n{other}")
    found = serve().find(message.format("慶弔休暇"))
    assert (found.lines["matched"], found.hits("gaps")) == (2, [])


@pytest.mark.parametrize(
    "question",
    [
        *(
            "慶弔休暇 いつまで",
            "慶弔休暇 どこ",
            "慶弔休暇 誰",
            "慶弔休暇 何日前",
            "慶弔休暇 お願いします",
            "慶弔休暇 したい",
        ),
        *("慶弔休暇 できない", "慶弔休暇 しない場合", "慶弔休暇 等", "慶弔休暇 以外", "慶弔休暇 について教えて"),
        *("慶弔休暇 に関して", "※慶弔休暇"),
    ],
)
def test_a_word_apart_that_only_asks_is_no_term_beside_others(
    workspace: WorkspaceFolder, serve: Serve, question: str
) -> None:
    workspace.write(
        "m/x.md", RULES + "\nいつまで、どこ、誰、何日前。お願いします。したい、できない、しない場合、等、以外。\n"
    )
    found = serve().find(question)
    assert (found.lines["matched"], found.hits("gaps")) == (2, [])


@pytest.mark.parametrize(
    "words",
    [
        "いつ どこ どれ 誰 だれ いくら いくつ なに なん なぜ どう どのくらい どのように",
        "いつから いつまでに どこに どこで どこへ どれが どれを 誰は どうですか いくらか どうすれば",
        "お願いします おねがいします お願いいたします お願い致します",
        "する した しない したら して できる できない したい ある あり ない です ます",
        "したか ありますか するですか するの した場合 しないとき 等 以外",
        "してよいか してもよいですか してもいい しても大丈夫か しても問題ないですか しなくてもよいか してはいけないか",
        "できますか できました できません すべきか するべきか したほうがよいか しなければならない してはならない場合",
        "するには しないとどうなる しないとどうなりますか したらどうなるか した場合は する方法 するのか するときには",
    ],
)
def test_whatever_only_asks_is_no_term_beside_others(words: str) -> None:
    for word in words.split():
        assert [term.text for term in parse_query(f"慶弔休暇 {word}", {}, {}).terms] == ["慶弔休暇"], word


def test_a_word_that_only_asks_is_a_term_where_it_is_quoted_or_alone(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", RULES + "\nいつまでと書く。\n")
    manuals = serve()
    assert [manuals.find(question).lines["matched"] for question in ("いつまで", '"いつまで" 慶弔休暇')] == [1, 3]


def test_what_says_for_whom_is_a_term_where_it_stands_apart(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", RULES + "\n社員 向けの案内。\n")
    assert serve().find("慶弔休暇 向け").lines["matched"] == 3


def test_particles_apart_before_a_word_are_no_part_of_it(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", RULES)
    manuals = serve()
    for question in ("慶弔休暇 に関する手当", "慶弔休暇 における手当", "慶弔休暇 についての手当"):
        found = manuals.find(question)
        assert (found.lines["matched"], found.hits("gaps")) == (4, [])


@pytest.mark.parametrize(
    ("question", "matched"), [("質問です", 1), ("ご回答ください", 0), ('"質問です" 慶弔休暇', 3), ("質問の受付", 1)]
)
def test_what_asks_for_questions_is_looked_for(
    workspace: WorkspaceFolder, serve: Serve, question: str, matched: int
) -> None:
    workspace.write("m/x.md", RULES + "\n## 他\n\n質問ですの欄に書く。\n")
    assert serve().find(question).lines["matched"] == matched


@pytest.mark.parametrize(
    ("question", "line"), [("慶弔休暇は何日もらえますか", 5), ("慶弔休暇を詳しく説明してください", 3)]
)
def test_a_sentence_with_one_word_beside_what_asks_is_found_by_it(
    workspace: WorkspaceFolder, serve: Serve, question: str, line: int
) -> None:
    """On the line that says most of the sentence beside the title."""
    workspace.write("m/x.md", RULES)
    found = serve().find(question)
    assert (found.places(), found.lines["matched"], found.hits("gaps")) == ({("x.md", line)}, 2, [])


@pytest.mark.parametrize(
    ("question", "term"),
    [
        ("幾何学の用語を説明してください", "幾何学"),
        ("何人も閲覧を請求できる書類がありますか", "何人"),
        ("第20回総会が開かれたのは西暦何年ですか", "西暦"),
        ("説明を求める権利があるのですか教えて", "説明"),
    ],
)
def test_a_word_that_has_what_asks_in_it_stays_a_term(
    workspace: WorkspaceFolder, serve: Serve, question: str, term: str
) -> None:
    workspace.write("m/x.md", RULES)
    assert term in [gap["gap_hint"] for gap in serve().find(question).hits("gaps")]


@pytest.mark.parametrize(
    "question",
    [
        "How many days do I have to appeal?",
        "Would you please tell me how I could appeal?",
        "What was the difference between an appeal and a complaint?",
        "Who is not to appeal?",
        "appeal vs. complaint",
        "Everything about an appeal",
        "What happens if I appeal?",
        "How often can I appeal, and how long is an appeal?",
        "What's an appeal? Don't I appeal?",
        "Where's the appeal?",
        "Couldn't I appeal? Shouldn’t I? Haven't I? Wasn't it an appeal? Who wouldn't appeal?",
        "To whom might I appeal, and whether?",
        "whats an appeal, cant i appeal, doesnt it",
        "Why doesn't an appeal work?",
        "I cannot appeal",
        "You've an appeal and they're to appeal, we'll be",
    ],
)
def test_what_only_asks_in_english_is_no_term(workspace: WorkspaceFolder, serve: Serve, question: str) -> None:
    workspace.write(
        "m/x.md", "# Rules\n\nAn appeal is a letter, and takes ten days. A complaint makes no difference.\n"
    )
    asking = (
        "You would not have many. ",
        "Please tell us if there were.",
        "It was much, vs. what it had between.",
        "Everything about what happens, and what did happen.",
        "It may take long, and often. Whether it might work, to whom, significant.",
        "They couldn't and cannot, you shouldn't, it hasn't and wasn't, we wouldn't and we'll not.",
        "They're here, you've seen.",
    )
    workspace.write("m/y.md", "# Remarks\n\n" + "\n\n".join(asking) + "\n")
    found = serve().find(question)
    assert (found.lines["matched"], found.hits("gaps")) == (1, [])


def test_an_option_of_one_letter_is_a_term_by_itself_alone(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "# tar\n\nExtract with -x.\n\n# Other\n\nAn axe, a box.\n")
    manuals = serve()
    assert manuals.find("tar -x").places() == {("x.md", 1)}
    assert ("x.md", 3) in manuals.find("-x").places()


def test_words_that_only_ask_are_terms_where_there_is_nothing_else(workspace: WorkspaceFolder, serve: Serve) -> None:
    workspace.write("m/x.md", "# Names\n\nTo have and have not.\n")
    assert serve().find("have not").lines["matched"] == 1


REQUESTS = [
    *("list all {}", "List all of the {}", "show me every {}", "please give me the {}", "Explain the {}"),
    *("give me the complete list of {}", "what does the handbook say about {}", "which sections talk about {}"),
    *("anything related to {}", "everything that mentions {}", "all rules about {}", "where is {} mentioned"),
    *("list all sections on {}", "find every mention of {}", "I need all the provisions regarding {}"),
    *("what is said about {}", "what do I need to know about {}", "is there any section on {}"),
    *("how does {} work?", "explain how {} works"),
    *("I need to understand {}", "I'm trying to find all {}", "could you please help me understand {}"),
    *("what’s the best way of {}", "is there a way to {}", "is it possible to {}", "where can I find out about {}"),
    *("does the handbook say anything about {}", "Does the manual mention {}?", "Is anything said about {}?"),
    *("find every place where {} is mentioned", "Where's {} described?", "all occurrences of {}"),
    *(
        "I need some information about {}",
        "info on {}",
        "I'm looking for the section on {}",
        "explain {} to me in detail",
    ),
    *("I have a question about {}", "I was wondering what {}", "any idea why {}", "how exactly does {} work?"),
    *("Regarding {}", "with respect to {}", "when it comes to {}"),
    *("what are all the ways to {}", "what does {} stand for?", "how {} really works", "may I {}"),
    *("can you describe what {}", "give me an overview of {}", "under what circumstances {}"),
    *("what does {} mean?", "what do you mean by {}", "what does it mean when {}", "how come {}"),
    *("any way to {}", "best way to {}", "is it ok to {}", "I can't find anything about {}", "need help with {}"),
    *(
        "please explain {}",
        "could you explain {}?",
        "could you kindly list {}",
        "list of all {}",
        "a full list of all {}",
    ),
    *("what is the purpose of {}", "what's the point of {}", "is it necessary to {}"),
    *("how long does {} take?", "what {} are there"),
    *("which {} are available?", "what kinds of {}", "we keep getting {}", "can I use {}", "when to use {}?"),
    *("is {} still there, actually", "can {} be used", "when should one use {}", "I got {}, what can I do?"),
    *("where does it say that {}", "could anyone explain what {}", "does it matter whether {}", "we just want to {}"),
]


@pytest.fixture(scope="module")
def leave(shared_workspace: WorkspaceFolder) -> Iterator[Serving]:
    """A page about leave, and many that hold the words of a request."""
    shared_workspace.write("m/x.md", "# Leave\n\n## Parents\n\nParental leave has conditions of its own.\n")
    for number in range(30):
        shared_workspace.write(
            f"m/{number}.md",
            f"# Page {number}\n\nList, show, give and explain all of every page, where rules and sections are\n"
            "Find and describe the best way, an overview of what works in circumstances that are possible\n"
            "I need to try, and help to understand\n"
            "Information and info: in detail, anything may be said, mentioned and described in the manual\n"
            "It comes to respect, regarding that\n"
            "Occurrences wonder about an idea, look for questions and answer exactly what stands here\n",
        )
    with serving_indexed(shared_workspace) as manuals:
        yield manuals


@pytest.mark.parametrize("asking", REQUESTS)
def test_a_request_at_the_beginning_is_nothing_to_look_for(leave: Serving, asking: str) -> None:
    bare, asked = leave.find("parental leave"), leave.find(asking.format("parental leave"))
    assert (asked.hits(), asked.hits("gaps")) == (bare.hits(), [])
    assert asked.summary["sufficiency_score"] == bare.summary["sufficiency_score"]


@pytest.mark.parametrize(
    "question",
    [
        *("Hi, how do I appeal? Thank you.", "Hello there! Could you tell me how to appeal? Thanks in advance!"),
        *("Quick question: can I appeal, thanks", "Good morning, we would like to appeal. Many thanks!"),
        *("hey how do I appeal? thx", "Sorry, may I appeal? Thank you very much for your help!!"),
        *("Hi team, I hope you're well! Another question: may I appeal? Thanks!", "OK, so can I appeal?"),
        *("By the way, I was wondering if I can appeal", "Can I appeal, e.g. today, instead of both, however?"),
    ],
)
def test_courtesy_is_nothing_to_look_for(workspace: WorkspaceFolder, serve: Serve, question: str) -> None:
    workspace.write("m/x.md", "# Rules\n\nAn appeal takes ten days, not one of today.\n")
    workspace.write(
        "m/y.md",
        "# Remarks\n\nThis, which may help in advance, is quick, many thank it, and hello, sorry.\n"
        "I hope a team is well, by another way, and wonder but rather e.g. of both, however.\n",
    )
    found = serve().find(question)
    assert (found.lines["matched"], found.paths()) == (1, {"x.md"})


@pytest.mark.parametrize("question", ["hello, world", "say thank you", "hi", "question mark", "Thanks"])
def test_a_greeting_that_asks_nothing_is_looked_for(workspace: WorkspaceFolder, serve: Serve, question: str) -> None:
    workspace.write("m/x.md", "# Names\n\nPrint hello, thanks and thank you to the world. A hi, a question mark.\n")
    assert (serve().find(question).lines["matched"]) == 1


@pytest.mark.parametrize(
    "question",
    [
        *("which forms concern leave?", "any forms related to leave", "the forms that deal with leave"),
        *("list the forms relating to leave", "which forms have to do with leave", "every form relevant to leave"),
    ],
)
def test_what_concerns_something_is_looked_for_by_both(workspace: WorkspaceFolder, serve: Serve, question: str) -> None:
    """Not by the words between them."""
    workspace.write("m/x.md", "# Forms\n\nThe form for leave.\n")
    workspace.write("m/y.md", "# Remarks\n\nOf concern, related, relating and relevant to a deal, to do with it.\n")
    found = serve().find(question)
    assert (found.paths(), found.lines["matched"], found.hits("gaps")) == ({"x.md"}, 2, [])


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("when does the discount not apply to members", "the discount to members"),
        ("in which cases does the discount not apply?", "the discount?"),
        ("to whom doesn't the discount apply", "the discount"),
        ("are we allowed to take leave", "take leave"),
        ("where do I apply?", "where do i apply?"),
        ("what security concerns apply", "what security concerns apply"),
        ("why does my worker get killed?", "why does my worker killed?"),
        ("how do I get a permit", "how do i get a permit"),
        ("terms of use", "terms of use"),
        ("list of strings", "list of strings"),
        ("what do I need to know about leave", "leave"),
        ("do I need to sign", "do sign"),
    ],
)
def test_of_a_question_what_only_asks_is_left_out(question: str, left: str) -> None:
    assert " ".join(without_request(normal_text(question)).split()) == left


@pytest.mark.parametrize("question", ["how do I use {}?", "how to use {}", "what is {} used for?"])
def test_use_is_nothing_to_look_for_where_it_is_asked_how(
    workspace: WorkspaceFolder, serve: Serve, question: str
) -> None:
    workspace.write("m/x.md", "# Kettle\n\nUse: fill the kettle.\n\n# Other\n\nOf no use, though it is used.\n")
    found = serve().find(question.format("the kettle"))
    assert found.places() == {("x.md", 1)}


@pytest.mark.parametrize(
    "question",
    [
        *("list comprehension", "show databases", "find command", "explain", "references to a command"),
        *("use of a command", "work of a command", "help command", "way to a command"),
        *("keep a command", "kinds of a command", "purpose of a command", "exist or a command", "available a command"),
        *("explain a command", "question a command", "information command", "describe a command"),
    ],
)
def test_a_command_that_is_called_like_a_request_is_looked_for(
    workspace: WorkspaceFolder, serve: Serve, question: str
) -> None:
    workspace.write("m/x.md", "# Other\n\nA comprehension, databases, a command.\n")
    assert [gap["gap_hint"] for gap in serve().find(question).hits("gaps")] == [question.split()[0]]


@pytest.mark.parametrize("question", ["how long", '"how long is" complaint'])
def test_words_that_ask_how_much_are_terms_where_they_are_quoted_or_alone(
    workspace: WorkspaceFolder, serve: Serve, question: str
) -> None:
    workspace.write("m/x.md", "# Names\n\nHow long is it?\n")
    assert serve().find(question).lines["matched"] == 1


@pytest.mark.parametrize("question", ["慶弔休暇の取り方", "慶弔休暇の数え方を教えて"])
def test_how_something_is_done_need_not_be_called_so(workspace: WorkspaceFolder, serve: Serve, question: str) -> None:
    workspace.write("m/x.md", RULES + "\n慶弔休暇は次のように届け出る。\n")
    assert serve().find(question).hits("gaps") == []


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("副業の手続と、認められない場合", "副業の手続と "),
        ("休暇を取れない人", "休暇 "),
        ("手当を払わなくてもいいケースの例", "手当 の例"),
        ("認められない場合", "認められない場合"),
        ("ログインできない場合", "ログインできない場合"),
        ("電源が入らないとき", "電源が入らないとき"),
    ],
)
def test_who_has_no_right_or_no_duty_is_no_wording_of_what_answers(question: str, left: str) -> None:
    assert without_denial(question) == left


def test_a_text_that_has_the_denial_of_a_question_stays_behind_what_has_its_subject(
    workspace: WorkspaceFolder, serve: Serve
) -> None:
    workspace.write("m/a.md", "# 特約\n\n休暇の申請が認められない場合は、認められない者とする。\n")
    workspace.write("m/b.md", f"# 副業\n\n副業をする社員は{'、その旨を書いて' * 4}届け出る。\n")
    for number in range(9):
        workspace.write(f"m/{number}.md", f"# 題{number}\n\n申請を書く。\n")
    assert serve().find("副業の申請が認められない場合").hits()[0]["path"] == "b.md"


def test_a_question_of_nothing_but_what_asks_is_read_in_linear_time(run_within: RunWithin) -> None:
    """A second; a way that takes quadratic time needs a quarter of a minute."""
    run_within(
        8,
        """
from morenashi.server.search.question.asked import without_asking, without_courtesy, without_denial, without_request

texts = ["全部", "何", "何月", "教えて", "を", "に関する", "に関する記述", "の規定", "に関する規定をすべて", "向け"]
texts += ["を取れない", "を認め", "お世話に", "質問です", "ご回答", "至急です", "お手数"]
for text in texts:
    without_asking(text * 8_000)
    without_asking(text * 8_000 + "申請")
    without_request(text * 8_000 + "申請")
    without_denial(text * 8_000 + "申請")
    without_courtesy(text * 8_000 + "申請")
for text in ("hi ", ", thanks", ". thank you ", "how do ", "work ", "where ", "described ", "explain to me "):
    without_request(text * 8_000)
    without_request("how does x work" + text * 8_000 + "x")
""",
    )


@pytest.mark.parametrize("asking", ["{}について全部教えて", "{}をすべて説明してください", "{}を一覧にして"])
def test_a_request_makes_no_set_look_incomplete(workspace: WorkspaceFolder, serve: Serve, asking: str) -> None:
    workspace.write("m/x.md", RULES)
    for number in range(30):
        workspace.write(f"m/{number}.md", f"# 題{number}\n\n一覧にして、全部を教えて説明する。\n")
    manuals = serve()
    bare = manuals.find("慶弔休暇").summary
    asked = manuals.find(asking.format("慶弔休暇")).summary
    assert (bare["integration_status"], asked["integration_status"]) == ("ready", "ready")
