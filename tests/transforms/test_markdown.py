"""HTML to Markdown: what is markup becomes markup, what is text stays text."""

from __future__ import annotations

import pytest

from yamlcrawl.transforms.markdown import NoMarkdown, markdown

pytest.importorskip("markdownify", reason="the extra markdown is not installed")


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<h1>a</h1><h3>b</h3>", "# a\n\n### b"),
        ("<p>a <b>b</b> <i>c</i> <code>d_e*</code></p>", "a **b** *c* `d_e*`"),
        ("<p>a\n\n   b</p>\n\n\n<p>c</p>", "a b\n\nc"),
        ("a<br>b", "a  \nb"),
        ("<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>", "- a\n  - b\n- c"),
        ("<ol><li>a</li><li>b<p>c</p></li></ol>", "1. a\n2. b\n\n   c"),
        ("<blockquote><p>q</p></blockquote><hr><p>x</p>", "> q\n\n---\n\nx"),
        ("<pre><code>x\n  y_z</code></pre>after", "```\nx\n  y_z\n```\n\nafter"),
        ("<pre>```\nx\n```</pre>", "````\n```\nx\n```\n````"),
        ("<table><tr><th>a|b</th><th>c</th></tr><tr><td>1<br>2</td><td>x</td></tr></table>",
         "| a\\|b | c |\n| --- | --- |\n| 1 2 | x |"),
        ('<a href="http://x.test/a_b">[t]</a>', "[\\[t\\]](http://x.test/a_b)"),
        ('<a href="http://x.test/a_b">http://x.test/a_b</a>', "<http://x.test/a_b>"),
        ('<img src="http://x.test/i.png" alt="i">', "![i](http://x.test/i.png)"),
        ("", ""), ("   ", ""), ("<p> </p>", ""),
    ],
)  # fmt: skip
def test_markup(html: str, text: str) -> None:
    assert markdown(html) == text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>1. not list</p>", "1\\. not list"), ("<p>2) no</p>", "2\\) no"), ("<p># no</p>", "\\# no"),
        ("<p> - no</p>", "\\- no"), ("<p>+ no</p>", "\\+ no"), ("<p>&gt; no</p>", "\\> no"), ("<p>===</p>", "\\==="),
        ("a<br># no", "a  \n\\# no"), ("<p>a\n# no</p>", "a # no"), ("<p><b>Name</b> - text</p>", "**Name** - text"),
        ("<p>-5 and 3.14 and #tag</p>", "-5 and 3.14 and #tag"),
        ("<p>*no* _no_ `no` [no](x) ~~no~~</p>", "\\*no\\* \\_no\\_ \\`no\\` \\[no\\](x) \\~~no\\~~"),
        ("<p>snake_case __init__ 5 * 6 &lt; 31</p>", "snake_case \\_\\_init\\_\\_ 5 \\* 6 < 31"),
        ("<p>&lt;b&gt; &amp;amp; R&amp;D \\</p>", "\\<b> \\&amp; R&D \\\\"),
    ],
)  # fmt: skip
def test_text_is_no_markup(html: str, text: str) -> None:
    assert markdown(html) == text


def test_what_nests_too_deeply_is_none() -> None:
    with pytest.raises(NoMarkdown, match="nested too deeply"):
        markdown("<div>" * 2000 + "x")
