"""A campaign's text is hostile."""

from html import unescape

import nh3
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from reportgen.report import escaping

HOSTILE = [
    "<script>alert(1)</script>",
    '<img src=x onerror="alert(1)">',
    "![x](https://example.org/x.png)",
    "[x](javascript:alert(1))",
    "<a href='javascript:alert(1)'>x</a>",
    '<p style="position:fixed">x</p>',
    "<iframe src=x></iframe>",
    "[x]: javascript:alert(1)\n\n[x]",
    "<svg/onload=alert(1)>",
    "`<script>`",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_in_a_campaigns_markdown_runs_or_is_fetched(text: str) -> None:
    html = escaping.to_html(text).lower()
    for part in ("<script", "<img", "<iframe", "<svg", 'href="javascript', "onerror=", "style="):
        assert part not in html


def test_the_markdown_that_people_write_survives() -> None:
    html = escaping.to_html("*a* **b** `c`\n\n- d\n\n[e](https://example.org)")
    assert "<em>a</em>" in html
    assert "<strong>b</strong>" in html
    assert "<code>c</code>" in html
    assert "<li>d</li>" in html
    assert 'href="https://example.org"' in html


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("Names:\n- gene\n- protein", "<p>Names:</p>\n<ul>\n<li>gene</li>\n<li>protein</li>\n</ul>"),
        (
            "- gene\n  - locus\n- protein",
            "<ul>\n<li>gene\n<ul>\n<li>locus</li>\n</ul>\n</li>\n<li>protein</li>\n</ul>",
        ),
        ("1) gene", "<ol>\n<li>gene</li>\n</ol>"),
        ("#hashtag", "<p>#hashtag</p>"),
        ("one\\\ntwo", "<p>one<br>\ntwo</p>"),
        ("an_odd_name, un*usu*al", "<p>an_odd_name, un<em>usu</em>al</p>"),
    ],
)
def test_markdown_is_read_as_where_people_write_it(text: str, html: str) -> None:
    assert escaping.to_html(text) == html


@pytest.mark.parametrize("text", HOSTILE)
def test_a_campaigns_markdown_in_the_markdown_report_holds_no_html_link_or_image(text: str) -> None:
    html = MarkdownIt("commonmark").render(escaping.to_markdown(text))
    for part in ("<script", "<img", "<iframe", "<svg", "<a "):
        assert part not in html.lower()


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=40))
def test_escaped_text_stands_in_a_rendered_report_as_it_was_written(text: str) -> None:
    html = MarkdownIt("commonmark").render(escaping.escape_markdown(f"x {text} x"))
    plain = unescape(nh3.clean(html, tags=set()))
    assert " ".join(plain.split()) == " ".join(f"x {text} x".split())
