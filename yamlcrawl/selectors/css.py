"""CSS selectors, with ``@name`` at the end for an attribute; translated to XPath once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches

from cssselect import GenericTranslator, HTMLTranslator, SelectorError
from cssselect.xpath import ExpressionError as NotSupported

from yamlcrawl.selectors.expression import ExpressionError

_TRANSLATOR, _XML_TRANSLATOR = HTMLTranslator(), GenericTranslator()
_PSEUDO_CLASSES = (
    "active any-link checked contains disabled empty enabled first-child first-of-type focus has hover is lang "
    "last-child last-of-type link matches not nth-child nth-last-child nth-last-of-type nth-of-type only-child "
    "only-of-type root scope target visited where"
).split()
_OF_JQUERY = {
    "first": "drop it: the first match is taken anyway",
    "last": "write :last-of-type, or an XPath such as (…)[last()]",
    "eq": "write :nth-of-type(), which counts from 1",
}
"""Pseudo-classes that people know and CSS does not have, and what to write."""
_NAME = re.compile(r"[A-Za-z_][\w:.-]*")


def to_xpath(selector: str, *, inside: bool = False, xml: bool = False) -> str:
    """The XPath that finds what the selector does; raises ExpressionError.

    From the whole page everything is looked at; `inside` an `each` only what is below the element, which itself is
    ``:scope``. ``@name`` at the end gives that attribute, ``@name`` alone the element's own. In `xml` case counts.

    >>> to_xpath("li.next a@href", inside=True).endswith("/@href")
    True
    >>> to_xpath("@href"), to_xpath(":scope > a", inside=True)
    ('./@href', 'self::*/a')
    """
    if not selector.strip():
        raise ExpressionError("the selector is empty", "name an element, a class or an attribute")
    return " | ".join(_one(selector, part.strip(), inside=inside, xml=xml) for part in _split(selector, ","))


def attribute_of(selector: str) -> str | None:
    """The name after the last ``@``, None where there is none.

    >>> attribute_of("a.x@href"), attribute_of('a[title="a@b"]')
    ('href', None)
    """
    *_, last = _split(selector, ",")
    return _parts(last.strip())[1]


def _one(whole: str, part: str, *, inside: bool, xml: bool) -> str:
    element, attribute = _parts(part)
    if attribute is None and "@" in element and element.rstrip().endswith("@"):
        raise ExpressionError(f'"{whole}" ends in "@"', "name the attribute: a@href")
    suffix = f"/@{attribute if xml else attribute.lower()}" if attribute else ""
    if not element:
        if not attribute:
            raise ExpressionError(f'"{whole}" has an empty part', "drop the comma, or name what should follow it")
        return "." + suffix
    return _translated(whole, element, inside=inside, xml=xml) + suffix


def _translated(whole: str, element: str, *, inside: bool, xml: bool) -> str:
    prefix = "descendant::" if inside else "descendant-or-self::"
    if re.match(r":scope(?![\w-])", element):
        element, prefix = "*" + element[len(":scope") :], "self::"
    elif element[0] in ">+~":
        raise ExpressionError(f'"{whole}" begins with "{element[0]}"', f"write :scope {element}")
    if match := re.search(r"::([\w-]+)(\([^)]*\))?", re.sub(r"\"[^\"]*\"|'[^']*'", "", element)):
        raise ExpressionError(f'"{whole}": ::{match[1]} is no CSS', _pseudo_element(match[1], match[2]))
    try:
        return (_XML_TRANSLATOR if xml else _TRANSLATOR).css_to_xpath(element, prefix=prefix)
    except NotSupported as error:
        raise ExpressionError(f'"{whole}": {_in_words(str(error))}', _mend(str(error))) from error
    except SelectorError as error:
        raise ExpressionError(f'"{whole}" is no CSS selector: {_in_words(str(error))}', _mend(str(error))) from error


def _pseudo_element(name: str, argument: str | None) -> str:
    if name == "text":
        return "drop it: a selector gives its text anyway"
    if name == "attr":
        return f"write @{(argument or '(name)').strip('()')} at the end in place of it"
    return "drop it"


def _in_words(said: str) -> str:
    if match := re.search(r"xpected (.+?),? got <EOF|(operator) expected, got <EOF", said):
        return f"it ends where {_named(match[1] or match[2])} should follow"
    if match := re.search(r"Expected (.+), got <(\w+) '(.*)' at (\d+)>", said):
        return f'at character {int(match[4]) + 1}, "{match[3]}" stands where {_named(match[1])} should'
    if match := re.search(r"Expected (.+), got (.+)", said):
        return f"{match[2]} stands where {_named(match[1])} should"
    if match := re.search(r"The pseudo-class :?([\w-]+)(?:\(\))? is unknown", said):
        return f":{match[1]} is unknown"
    return said[:1].lower() + said[1:].rstrip(".")


def _named(token: str) -> str:
    words = {"ident": "a name", "selector": "a selector", "ident or '*'": "a name", "operator": 'a "]" or "="'}
    return words.get(token, token)


def _mend(said: str) -> str:
    if match := re.search(r"The pseudo-class :?([\w-]+)", said):
        if match[1] in _OF_JQUERY:
            return _OF_JQUERY[match[1]]
        close = get_close_matches(match[1], _PSEUDO_CLASSES, 1)
        return f'did you mean ":{close[0]}"?' if close else "use an attribute, :nth-child(), :has() or an XPath"
    if "EOF" in said:
        return "finish it, or drop what stands at its end"
    return "check it in a browser's console: document.querySelectorAll(…)"


def _parts(selector: str) -> tuple[str, str | None]:
    """Element selector and attribute name: cut at the last ``@`` outside brackets and quotes."""
    pieces = list(_split(selector, "@"))
    if len(pieces) > 1 and _NAME.fullmatch(pieces[-1].strip()):
        return "@".join(pieces[:-1]).strip(), pieces[-1].strip()
    return selector, None


def _split(selector: str, sign: str) -> Iterator[str]:
    """The parts between the signs that stand outside of brackets, quotes and escapes."""
    start, depth, quote, escaped = 0, 0, "", False
    for position, character in enumerate(selector):
        if escaped:
            escaped = False
        elif character == "\\":
            escaped = True
        elif quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character in "[(":
            depth += 1
        elif character in "])":
            depth -= 1
        elif character == sign and depth == 0:
            yield selector[start:position]
            start = position + 1
    yield selector[start:]
