"""What a selector points at: an element stands for what a click on it asks for, a text is an address."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from yamlcrawl.compiler.bench import Bench
from yamlcrawl.compiler.fields import compile_field
from yamlcrawl.compiler.selectors import compile_selector, nodes, pointed
from yamlcrawl.compiler.spots import Spot
from yamlcrawl.compiler.steps import Step, compile_text_steps
from yamlcrawl.compiler.values import ADDRESSES, element_of
from yamlcrawl.errors import Path, dotted
from yamlcrawl.model.plan import Place
from yamlcrawl.model.secrets import MARK
from yamlcrawl.selectors.forms import Submission, postback, submission
from yamlcrawl.spec.items import Field
from yamlcrawl.spec.reading import Reading
from yamlcrawl.spec.selectors import Selector
from yamlcrawl.transforms.text import collapsed, xml_text
from yamlcrawl.urls import in_charset, join


@dataclass(frozen=True, slots=True)
class Clicked:
    """What clicks on the matches ask for, each kind in document order."""

    hrefs: list[str]
    """Addresses as they are written."""
    forms: list[Submission] = field(default_factory=list)


Find = Callable[[Place], Clicked]
"""What is none of both is noted in the tally."""

_XLINK = "{http://www.w3.org/1999/xlink}href"
_PLAYED = frozenset(["img", "iframe", "frame", "embed", "source", "video", "audio", "script", "track"])
_SENDING = frozenset(["form", "button", "input", "select"])


@dataclass(frozen=True, slots=True)
class Clicks:
    """Where a rule finds its addresses and forms."""

    find: Find
    simple: bool
    """Nothing but the written addresses of what the selector matches."""


def compile_clicks(
    reading: Reading, alternatives: list[Selector], spot: Spot, path: Path, bench: Bench, *, obey: bool = False
) -> Clicks:
    """The addresses that a link rule or `next` points at; with `obey` without those that are marked nofollow."""
    reading = pointed(reading, spot)
    if reading.from_ in ("url", "response") or reading.remove or not (alternatives or _points(reading)):
        return Clicks(_read_as_text(reading, alternatives, spot, path, bench), simple=False)
    here, start = _start(reading, spot)
    here = replace(here, located=obey or here.located)
    locator = compile_selector(reading, alternatives, here, path, bench)
    steps = compile_text_steps(reading, path, bench)
    full, elements = dotted(path), locator.kind == "element"
    click_of = _xml_address if here.top == "xml" else _click
    quick = elements and steps is None and here.top != "xml"
    is_address = locator.attribute in ADDRESSES

    def changed(href: str, node: Any, place: Place, steps: Step) -> str | None:
        if isinstance(node, str) and not is_address:
            text = collapsed(href)
        else:
            document = place.view.document
            text = join(document.base, in_charset(href, document.query_charset)) or href
        value = steps(text, place)
        return value if isinstance(value, str) else None

    def gathered(place: Place) -> Clicked:
        found = nodes(locator.find(place, start(place)))
        if obey:
            found = [node for node in found if not _is_nofollow(node, place, full)]
        if quick and (hrefs := _hrefs(found)) is not None:
            return Clicked(hrefs)
        clicked = Clicked([])
        for node in found:
            click = click_of(node, place, full)
            if isinstance(click, Submission):
                clicked.forms.append(click)
            elif click is not None and steps is None:
                clicked.hrefs.append(click)
            elif click is not None and steps and (href := changed(click, node, place, steps)):
                clicked.hrefs.append(href)
        return clicked

    def find(place: Place) -> Clicked:
        clicked, charset = gathered(place), place.view.document.query_charset
        if charset == "utf-8":
            return clicked
        return Clicked([in_charset(href, charset) for href in clicked.hrefs], clicked.forms)

    return Clicks(find, simple=steps is None)


def _hrefs(found: list[Any]) -> list[str] | None:
    """The addresses of elements of which each is a plain link, as most are; None where one is not."""
    try:
        written = [node.get("href") for node in found]
    except AttributeError:  # an XPath may find texts beside elements
        return None
    return None if None in written or any(map(_is_script, written)) else written


def as_field(reading: Reading, alternatives: list[Selector], **more: Any) -> Field:
    """The field that reads what the rule points at."""
    return Field.model_construct(
        bare=reading.bare,
        css=reading.css,
        xpath=reading.xpath,
        js=reading.js,
        schema_=reading.schema_,
        json_=reading.json_,
        any=[_way(way) for way in alternatives],
        from_=reading.from_,
        remove=reading.remove,
        regex=reading.regex,
        replace=reading.replace,
        **more,
    )


def _way(selector: Selector) -> Field:
    return Field.model_construct(
        bare=selector.bare,
        css=selector.css,
        xpath=selector.xpath,
        js=selector.js,
        schema_=selector.schema_,
        json_=selector.json_,
        any=[_way(way) for way in selector.any or ()],
    )


def _points(reading: Reading) -> bool:
    return reading.bare is not None or bool(reading.languages)


def _start(reading: Reading, spot: Spot) -> tuple[Spot, Callable[[Place], Any]]:
    if reading.from_ == "page":
        return Spot(spot.top, top=spot.top), lambda place: place.view.document.tree
    if reading.from_ == "outer":
        return replace(spot, kind=spot.outer or spot.kind, outer=None), lambda place: place.outer
    return spot, lambda place: place.node


def _read_as_text(reading: Reading, alternatives: list[Selector], spot: Spot, path: Path, bench: Bench) -> Find:
    read = compile_field(as_field(reading, alternatives), spot, path, bench)

    def find(place: Place) -> Clicked:
        value = read(place)
        return Clicked([one for one in (value if isinstance(value, list) else [value]) if isinstance(one, str) and one])

    return find


def _xml_address(node: Any, place: Place, path: str) -> str | None:
    """What a match in XML stands for: its `href` (of XLink too), else its text where it holds nothing but text.

    Absolute where it has its own base.
    """
    element = element_of(node)
    if not hasattr(node, "tag"):
        click = _click(node, place, path)
    else:
        holds_more = any(isinstance(child.tag, str) for child in node)
        click = node.get("href") or node.get(_XLINK) or ("" if holds_more else xml_text(node))
        if not click:
            place.view.tally.note(f"bad_url:{path}", f"<{node.tag}> is no link, on {place.view.document.response.url}")
    if not isinstance(click, str) or not click:
        return None
    href, base_of = str(click).strip(), place.view.document.base_of
    return join(base_of(element), href) or href if base_of and element is not None else href


def _is_nofollow(node: Any, place: Place, path: str) -> bool:
    element = element_of(node)
    links = () if element is None else (element, *element.iterancestors("a"))
    link = next((link for link in links if "nofollow" in (link.get("rel") or "").lower().split()), None)
    if link is None:
        return False
    place.view.tally.note(f"nofollow:{path}", f"{link.get('href')} on {place.view.document.response.url}")
    return True


def _is_script(href: str) -> bool:
    return href[:11].lower() == "javascript:"


def _click(node: Any, place: Place, path: str) -> str | Submission | None:
    """What a click on a match asks for; None, and noted, where it asks for nothing."""
    if isinstance(node, str):
        return node or None
    if isinstance(node, (int, Decimal)) and not isinstance(node, bool):
        return str(node)
    tally, page = place.view.tally, place.view.document.response.url
    tag = getattr(node, "tag", None)
    if not isinstance(tag, str):
        tally.note(f"bad_url:{path}", f"no text where an address should be, on {page}")
        return None
    link = node if node.get("href") is not None else next(node.iterancestors("a"), None)
    href = link.get("href") if link is not None else None
    if href is None and tag in _PLAYED:
        href = node.get("src")
    if href is not None:
        sent = postback(link, href) if link is not None and _is_script(str(href)) else None
        return str(href) if sent is None else _harmless(sent)
    if sent := submission(node):
        return _harmless(sent)
    if tag in _SENDING:
        tally.note(f"form:{path}", f"<{tag}> sends nothing, on {page}")
    elif tag != "a":
        tally.note(f"bad_url:{path}", f"<{tag}> is no link, on {page}")
    return None


def _harmless(sent: Submission) -> Submission:
    """The submission without what could be taken for the reference to a secret."""
    return replace(sent, pairs=tuple((name.replace(MARK, ""), value.replace(MARK, "")) for name, value in sent.pairs))
