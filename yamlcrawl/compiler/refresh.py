"""Meta refresh: a page that sends its reader on."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from yamlcrawl.compiler.frame import Frame
from yamlcrawl.compiler.templates import without_references
from yamlcrawl.model.plan import View
from yamlcrawl.model.request import Request
from yamlcrawl.selectors.xpath import compile_xpath
from yamlcrawl.urls import host_name, in_charset, join

SECONDS = 5.0
"""A page that waits so long is there to be read; its refresh is not followed."""

# the declarative refresh of the HTML standard, section 4.2.5.3
_REFRESH = re.compile(
    r"\s*(\d*)(\.[\d.]*)?[\s;,]*(?:url\s*=\s*)?(?:'([^']*)|\"([^\"]*)|(.*))", re.IGNORECASE | re.DOTALL
)
_METAS = "//meta[translate(@http-equiv, 'REFSH', 'refsh') = 'refresh'][not(ancestor::noscript)]/@content"


def compile_refresh(frame: Frame) -> Callable[[View], Request | None]:
    """The target of a refresh as one more request: same kind, carry, vars, priority and depth."""
    find = compile_xpath(_METAS)
    most = frame.spec.site.redirects

    def refresh(view: View) -> Request | None:
        request = view.request
        for content in find(view.document.tree):
            address = target_of(content)
            if not address:
                continue
            url = join(view.document.base, in_charset(without_references(address), view.document.query_charset))
            if url is None:
                continue
            canonical = frame.canonical(url)
            if canonical == request.canonical:
                continue
            if url not in frame.scope:
                view.tally.note(f"offsite:{host_name(url)}", url)
                continue
            if request.redirects >= most:
                view.tally.note("cut:refresh", url)
                continue
            return _onward(request, view.document.response.url, url, canonical)
        return None

    return refresh


def _onward(request: Request, page: str, url: str, canonical: str) -> Request:
    same_host = host_name(url) == host_name(request.url)
    return replace(
        request,
        url=url,
        canonical=canonical,
        method="GET",
        body=None,
        via="site.meta_refresh",
        parent=page,
        redirects=request.redirects + 1,
        headers=request.headers if same_host else (),
        secrets=request.secrets if same_host else (),
        chain=replace(request.chain, hops=()),
        attempt=0,
        throttled=0,
        renewed=0,
        front=False,
        again=0,
    )


def target_of(content: str) -> str | None:
    """The address in the content of a refresh; None where there is none, or it waits too long.

    >>> target_of("0; url=/next"), target_of("2;URL='a b'"), target_of("30;url=/x"), target_of("5")
    ('/next', 'a b', None, None)
    """
    found = _REFRESH.match(content)
    if found is None or not (found[1] or found[2]) or float(found[1] or 0) >= SECONDS:
        return None
    return (found[3] or found[4] or found[5] or "").strip() or None
