"""Where lines break in the text of an element."""

from __future__ import annotations

import pytest

from yamlcrawl.parsers.html import html_fragment
from yamlcrawl.transforms.text import lines, one_line


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<table><tr><td>a<table><tr><td>b</td><td>c</td></tr></table>d</td><td>e</td></tr></table>f", "a b c d e f"),
        ("<table><caption>a</caption><tr><th>b</th></tr></table>", "a b"),
        ("<ul><li>a<ul><li>b<li>c</ul>d</li></ul>e", "a b c d e"), ("<dl><dt>a<dd>b</dl>", "a b"),
        ("<br>a<br><br>b<br>", "a b"), ("a<hr>b", "a b"), ("<p>a</p>b<div>c</div> d", "a b c d"),
        ("<span>a<div>b</div>c</span>", "a b c"), ("<div>a<!-- no --><div>b</div></div>", "a b"),
        ("<pre>a\n  b\n\nc</pre>d", "a b c d"), ("<pre>\na<br>b</pre>", "a b"), ("<textarea>a\nb</textarea>", "a b"),
        ("<fieldset><legend>a</legend>b</fieldset>", "a b"), ("<select><option>a<option>b</select>", "a b"),
        ("<details><summary>a</summary>b</details>", "a b"), ("<address>a</address>b", "a b"),
    ],
)  # fmt: skip
def test_a_line_begins_where_a_browser_begins_one(html: str, text: str) -> None:
    assert lines(html_fragment(html)) == text.replace(" ", "\n")
    assert one_line(html_fragment(html)) == text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("wo<b>r</b><i>d</i>", "word"), ("a <b> b</b>\n c", "a b c"), ("a<wbr>b<nobr>c</nobr>", "abc"),
        ("<button>a</button><label>b</label>", "ab"), ("a<img alt=no>b<input value=no>c", "abc"),
        ("<ruby>漢<rt>k</rt></ruby>", "漢k"),
        ("a<span hidden>b</span><i style='display: none'>c</i>", "abc"),
        ("a<script>no</script><style>no</style><template>no</template>b", "ab"),
    ],
)  # fmt: skip
def test_inline_tags_add_nothing(html: str, text: str) -> None:
    assert lines(html_fragment(html)) == one_line(html_fragment(html)) == text
