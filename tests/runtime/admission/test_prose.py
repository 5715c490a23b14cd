"""PROSE: what is left out and said to be, what never is, and texts of lines that are no prose."""

from __future__ import annotations

import re

import pytest
from cablese.runtime.admission import prose
from cablese.runtime.admission.choice import choose_form
from cablese.runtime.admission.classify import classify
from cablese.runtime.admission.kinds import ContentKind, NotThisKindError
from cablese.runtime.admission.router import ContentRouter
from hypothesis import given
from hypothesis import strategies as st

CLOSING = "Please keep this message for your records. Write to the desk that sent it."
LETTER = "\n\n".join(f"The parcel with number {n} has left the depot. {CLOSING}" for n in range(12)) + "\n"
SCRIPTS = {
    "cyrillic": ("Партия номер {0} отправлена со склада в город. ", "Сохраните это сообщение для отчётности. "),
    "greek": ("Το δέμα με αριθμό {0} έφυγε από την αποθήκη. ", "Κρατήστε αυτό το μήνυμα στο αρχείο σας. "),
    "chinese": ("编号为{0}的货物今天由北方仓库发出。", "请保留此信息以备日后查阅使用。"),
    "japanese": ("番号{0}の荷物は本日倉庫から発送されました。", "この案内は大切に保管してください。"),
    "devanagari": ("खेप संख्या {0} आज गोदाम से भेजी गई है। ", "कृपया यह संदेश अपने पास संभाल कर रखें। "),
    "arabic": ("غادرت الشحنة رقم {0} المستودع اليوم. ", "هل تحتفظ بهذه الرسالة في سجلاتك؟ "),
    "korean": ("번호 {0} 화물이 오늘 창고에서 출발했습니다. ", "이 안내를 기록으로 보관해 주시기 바랍니다. "),
}


def shown_of(text, budget=None):
    """Show a text."""
    return prose.encode(prose.recognise(text), budget)


def body(shown):
    """Return a form without its head line."""
    return shown.partition("\n")[2]


def test_repeated_sentences_are_shown_once_and_counted():
    """The first of each stays, as do lines and paragraphs."""
    shown = shown_of(LETTER)
    assert shown.startswith("[prose: 22 repeated sentences left out]\n")
    assert shown.count(CLOSING) == 1
    assert body(shown).startswith(
        f"The parcel with number 0 has left the depot. {CLOSING}\n\nThe parcel with number 1 "
    )
    assert body(shown).split("\n\n")[1:] == [
        f"The parcel with number {n} has left the depot." + ("\n" if n == 11 else "") for n in range(1, 12)
    ]


@pytest.mark.parametrize(("sentence", "closing"), SCRIPTS.values(), ids=SCRIPTS)
def test_any_script_counts_as_prose(sentence, closing):
    """The documented one called other scripts unknown; this reverses it on purpose."""
    text = "".join(sentence.format(n) + closing for n in range(20)).rstrip() + "\n"
    assert classify(text)[0] is ContentKind.PROSE
    shown = shown_of(text)
    assert shown.startswith("[prose: 19 repeated sentences left out]\n")
    assert shown.count(closing.strip()) == 1
    assert all(sentence.format(n).strip() in shown for n in range(20))


def test_text_that_repeats_nothing_is_itself():
    """And so it is not shorter, and passes."""
    text = " ".join(f"The number {n} is the one that follows {n - 1} here." for n in range(40))
    assert body(shown_of(text)) == text
    admitted = ContentRouter(level="normal", unrecoverable_ok=True).admit(text)
    assert (admitted.content is text, admitted.kind) == (True, ContentKind.PROSE)


def test_short_answers_stay():
    """A second `Yes.` answers another question."""
    text = "".join(f"Is number {n} the one that was ordered? Yes. " for n in range(20))
    assert body(shown_of(text)).count("Yes.") == 20


def test_abbreviations_end_no_sentence():
    """What is left out is whole."""
    text = "".join(
        f"Number {n} was sent to another town. Dr. Smith of St. Ives will open it, e.g. today. " for n in range(9)
    )
    assert body(shown_of(text)).count("Dr.") == 1
    assert "Dr. N" not in shown_of(text)


def test_wrapped_sentences_are_compared_by_their_words():
    """Where lines end makes no other sentence."""
    text = (
        "The parcel has left the depot early in the morning, and it\nwill be there. Nothing else is to be done now.\n\n"
        "The parcel has left the depot early in the\nmorning, and it will be there. That is all that there is to say.\n"
    )
    assert "[prose: 1 repeated sentence left out]\n" in shown_of(text)


def test_budget_is_taken_at_aggressive_only():
    """There the end goes, sentence by sentence, and the text says how much."""
    for level in ("normal", "aggressive"):
        choice = choose_form(LETTER, level, recoverable=True, budget_tokens=60)
        found = re.search(r"\n\[(\d+) more sentences of (\d+) characters left out\]$", choice.shown)
        assert (found is not None) == (level == "aggressive")
    assert len(choice.shown) <= 4 * 60
    head, _, rest = choice.shown.partition("\n")
    assert head == "[prose: 22 repeated sentences left out]"
    whole = body(shown_of(LETTER))
    kept = rest.rpartition("\n[")[0]
    assert whole.startswith(kept)
    assert int(found[2]) == len(whole) - len(kept) - len("\n\n")


@pytest.mark.parametrize("budget", [-5, 0, 1, 8, 30])
def test_first_sentence_always_stays(budget):
    """The documented one deleted everything, and left a bare `…`; here what was left out is counted."""
    shown = shown_of(LETTER, budget)
    assert "The parcel with number 0 has left the depot." in shown
    assert re.search(r"\[\d+ more sentences of \d+ characters left out\]$", shown)


def test_long_text_without_an_end_of_a_sentence_is_no_prose():
    """The documented one took it for one sentence, and replaced it by `…`."""
    text = "word " * 4000
    with pytest.raises(NotThisKindError, match="fewer than 4 sentences"):
        prose.recognise(text)
    admitted = ContentRouter(level="aggressive", unrecoverable_ok=True).admit(text, budget_tokens=8)
    assert admitted.content is text


LINES = {
    "log": "2026-01-05 10:00:00 INFO The server has started on the port. It waits for calls.\n" * 9,
    "log without time": "INFO: The server has started. It waits for calls.\n" * 9,
    "log in brackets": "main [INFO] The server has started. It waits for calls.\n" * 9,
    "syslog": "Jan  5 10:00:00 host app[1]: The server has started. It waits for calls.\n" * 9,
    "list": "- The first thing to do is this one.\n- The second thing to do is that one.\n" * 9,
    "numbers": "1. The first thing to do is this one.\n2. The second thing to do is that one.\n" * 9,
    "fields": "name: The first thing.\nplace: The second thing.\nreason: The third thing.\n" * 9,
    "lines": "Loading the settings\nChecking the store\nAll is fine. Starting now\nWaiting\n" * 9,
    "quotes": "> The first thing to do is this one. It is short.\n" * 9,
    "matches": "docs/a.md:12:The first thing to do is this. It is short.\n" * 9,
    "traceback": 'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    load(a, b)\nKeyError: no.\n' * 9,
    "table": "| The first thing. | It is this one. |\n|---|---|\n| The second. | That. |\n" * 9,
    "code": "    total = a.b. c\n    return total. d\n" * 9,
    "diff": "-The first thing to do. It is this one.\n+The second thing to do. It is that.\n" * 9,
    "signs": "a = b(c[d], e{f}); g -> h. i <- j! k => l? m != n. " * 9,
    "words": "alpha\nbeta\ngamma\n" * 30,
    "names of files": "README.md\nsetup.py\nmain.rs\n" * 30,
    "numbers alone": "12 13 14. 15 16 17. 18 19 20. 21 22 23. " * 9,
    "form": f"{prose.HEAD}2 repeated sentences left out]\n{LETTER}",
    "empty": "",
    "words of a language": "Builtin loop again while! drop swap? over dup! rotate the stack and keep? at end! of it\n"
    * 9,
}


@pytest.mark.parametrize("text", LINES.values(), ids=LINES)
def test_text_of_lines_is_no_prose(text):
    """The documented one collapsed the lines of a log and of a traceback into one."""
    with pytest.raises(NotThisKindError):
        prose.recognise(text)
    assert classify(text)[0] is not ContentKind.PROSE


SENTENCES = st.lists(
    st.tuples(
        st.sampled_from(
            [
                "The parcel with this number has left the depot.",
                "Was it opened, and by whom (if at all)?",
                "Yes.",
                'She said: "Nothing of that kind was found here!"',
                "这批货物今天由北方仓库发出。",
                "खेप आज गोदाम से भेजी गई है।",
                "It costs 3.50 in all, i.e. more than before.",
                "A line that ends nowhere in particular",
            ]
        ),
        st.sampled_from([" ", "  ", "\n", "\n\n", "\r\n", " \n \n"]),
    ),
    max_size=30,
)


@given(SENTENCES, st.none() | st.integers(-3, 200))
def test_any_prose_keeps_the_first_of_each_sentence(pieces, budget):
    """In order, whole; what is shown holds nothing that the text does not."""
    text = "".join(sentence + gap for sentence, gap in pieces)
    try:
        sentences = prose.split_sentences(prose.recognise(text))
    except NotThisKindError:
        return
    assert "".join(each.text + each.gap for each in sentences) == text
    words = [" ".join(each.text.split()) for each in sentences]
    shown = prose.encode(text, budget)
    assert words[0] in " ".join(body(shown).split())
    if budget is None:
        once = " ".join(body(shown).split())
        assert all(each in once for each in words)
        assert "".join(once.split()) in "".join(text.split()) or "0 repeated" not in shown.partition("\n")[0]
    else:
        kept = body(shown).rpartition("\n[")[0] or body(shown)
        assert body(prose.encode(text, None)).startswith(kept)


@given(st.text(max_size=400))
def test_any_text_is_read_or_refused(text):
    """Nothing else comes out."""
    try:
        sentences = prose.split_sentences(prose.recognise(text))
    except NotThisKindError:
        return
    assert "".join(each.text + each.gap for each in sentences) == text


@pytest.mark.parametrize("piece", ["a. ", "a.", "\n \n", ". ", ')."', "。", "Yes. No! ", "\n" + " " * 50, "A.\n"])
def test_a_megabyte_of_anything_is_read_or_refused(piece):
    """Sentences without end, or none."""
    text = piece * (1_000_000 // len(piece))
    try:
        sentences = prose.split_sentences(prose.recognise(text))
    except NotThisKindError:
        return
    assert len(sentences) * 6 < len(text) + 600
    assert body(prose.encode(text, 8))
