"""The check of the product's sentences finds what it is there for, and nothing in the product."""

from pathlib import Path

import pytest
from backend.tooling.words import (
    LANGUAGE,
    ROOT,
    Sentence,
    contract_texts,
    document_texts,
    page_strings,
    problems,
    python_strings,
    rust_strings,
    sentences_in,
    template_strings,
    unsaid,
)

NEVER = unsaid((ROOT / LANGUAGE).read_text())


def test_the_glossary_names_words() -> None:
    assert {"told", "looked at", "upright line"} <= set(NEVER)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("The files were looked at and refused.", "“looked at” is not said"),
        ("word " * 31, "31 words, 30 are the most"),
        ("A toldar is no word of the glossary.", None),
        ("Too few reads: 540,000 of at least 748,559 needed.", None),
    ],
)
def test_a_sentence_is_held_to_length_and_words(text: str, complaint: str | None) -> None:
    found = list(problems(Sentence("a.py:1", text), NEVER))
    assert found == [] if complaint is None else len(found) == 1 and complaint in found[0]


def test_a_number_on_a_page_is_not_parted_from_its_unit() -> None:
    def found(place: str, source: str) -> list[str]:
        return [
            problem
            for line, text in page_strings(source)
            for problem in problems(Sentence(f"{place}:{line}", text), NEVER)
        ]

    parted = 'a("Fewer than 5 % of all reads");\nb(`Read at ${rate} ops/s by each`);'
    assert len(found("frontend/src/a.ts", parted)) == 2
    assert found("frontend/src/a.ts", parted.replace(" %", "\\u00a0%").replace(" ops", "&nbsp;ops")) == []
    assert found("backend/src/a.py", parted) == []


def test_strings_of_the_agent_are_read_without_its_tests() -> None:
    source = (
        '/// Docs "are not of" the product.\n#[expect(lint, reason = "this is not said")]\n'
        'format!("no more than {count} \\\n      drives fit here");\n'
        '#[cfg(test)]\nfn f() { g("this is a test") }\n'
    )
    assert [text for _, text in rust_strings(source)] == ["no more than X drives fit here"]


def test_texts_of_templates_are_read() -> None:
    source = "<p>{% if a %}At most {{ most }} of the reads.{% endif %}</p>\n<b>Next</b>"
    found = [text for _, text in template_strings(source) if text.strip()]
    assert found == ["At most X of the reads.", "Next"]


def test_strings_of_python_are_read_without_docstrings() -> None:
    source = '"""Docs are not of the product."""\nx = 3\nraise E(f"No more than {x} drives fit here.")\n'
    assert list(python_strings(source)) == [(3, "No more than X drives fit here.")]


def test_texts_and_strings_of_pages_are_read_without_comments() -> None:
    source = '// "a comment in quotes"\nconst a = "Not assessed yet";\n<p>Every limit is {word}</p>\n'
    assert list(page_strings(source)) == [(2, "Not assessed yet"), (3, "Every limit is ")]


def test_texts_of_the_contract_are_read_once_without_examples() -> None:
    schema = {"description": "Takes `a_b` or longer.", "example": {"description": "Not of the product."}}
    document = {"paths": {"/a": {"get": {"summary": "A run", "parameters": [schema, schema]}}}}
    assert list(contract_texts(document)) == [
        ("/paths//a/get/summary", "A run"),
        ("/paths//a/get/parameters/0/description", "Takes X or longer."),
    ]


def test_texts_of_documents_are_read_without_code() -> None:
    source = (
        "# A heading is no sentence\n\nOne paragraph,\n[on two lines](there.md) with `code`.\n* An item\n"
        "  goes on\n```sh\nnot read at all\n```\n| a cell | **bold** is text |\n"
    )
    assert list(document_texts(source)) == [
        (3, "One paragraph, on two lines with X."),
        (5, "An item goes on"),
        (10, "a cell"),
        (10, "**bold** is text"),
    ]


def test_files_of_the_product_are_found() -> None:
    places = {Path(one.place.split(":")[0]).parts[0] for one in sentences_in(ROOT)}
    assert places == {
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "README.md",
        "SECURITY.md",
        "agent",
        "backend",
        "docs",
        "frontend",
    }
