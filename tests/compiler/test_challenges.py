"""Challenge pages of protection services as they come, and pages that are none though they hold something of them."""

from __future__ import annotations

import pytest

from yamlcrawl.compiler.challenges import LARGEST, MARKS, challenge
from yamlcrawl.model.request import Request
from yamlcrawl.model.response import Headers, Response

URL = "https://shop.test/1"


def answer(body: str | bytes, status: int = 200, **headers: str) -> Response:
    pairs = [("content-type", "text/html"), *((name.replace("_", "-"), value) for name, value in headers.items())]
    body = body.encode() if isinstance(body, str) else body
    return Response(Request(URL, URL), URL, status, Headers(pairs), body, len(body), 0.1, 0.0)


AKAMAI = """<HTML><HEAD>
<TITLE>Access Denied</TITLE>
</HEAD><BODY>
<H1>Access Denied</H1>
You don't have permission to access "http&#58;&#47;&#47;shop&#46;test&#47;" on this server.<P>
Reference&#32;&#35;18&#46;9d1b2c17&#46;1700000000&#46;1a2b3c
</BODY></HTML>"""


@pytest.mark.parametrize(
    ("service", "page"),
    [
        ("Cloudflare", answer("", 403, cf_mitigated="challenge")),
        ("Cloudflare", answer("<html><body><script nonce='x'>(function(){window._cf_chl_opt = {cvId: '3'", 403)),
        ("Cloudflare", answer("<title>Einen Moment</title><script>\n window._cf_chl_opt={cvId:'2'}</script>", 503)),
        (
            "DataDome",
            answer(
                "<html><head><title>shop.test</title></head><body><p id=cmsg>Please enable JS</p><script>var dd={'rt':"
                "'c','cid':'AHr','hsh':'5','t':'fe','host':'geo.captcha-delivery.com'}</script>",
                403,
            ),
        ),
        ("DataDome", answer('{"url":"https://geo.captcha-delivery.com/captcha/?initialCid=AHr"}', 403)),
        (
            "PerimeterX",
            answer(
                '<title>Access to this page has been denied</title><meta name="description" content="px-captcha">'
                "<script>window._pxAppId = 'PXabc';window._pxHostUrl='/abc/xhr';</script>",
                403,
            ),
        ),
        ("PerimeterX", answer("<script>window._pxAppId='PXabc';</script><div id=\"px-captcha\"></div>", 403)),
        ("PerimeterX", answer('{"appId":"PXabc","jsClientSrc":"/a/init.js","blockScript":"/a/captcha.js"}', 403)),
        (
            "Incapsula",
            answer(
                '<iframe id="main-iframe" src="/_Incapsula_Resource?SWUDNSAI=31&xinfo=1&incident_id=7-8" frameborder=0>'
                "Request unsuccessful. Incapsula incident ID: 7-8</iframe>"
            ),
        ),
        (
            "Incapsula",
            answer('<html><head><script src="/_Incapsula_Resource?SWJIYLWA=5"></script></head><body>\n</body></html>'),
        ),
        ("AWS WAF", answer("", 202, x_amzn_waf_action="challenge")),
        ("AWS WAF", answer("<h1>captcha</h1>", 405, x_amzn_waf_action="captcha")),
        (
            "AWS WAF",
            answer(
                "<script>window.awsWafCookieDomainList = [];\n window.gokuProps = {'key':'x'};</script>"
                "<script src='https://a.token.awswaf.com/challenge.js'></script>"
            ),
        ),
        ("Akamai", answer(AKAMAI, 403)),
        ("Akamai", answer('<div id="sec-if-cpt-container" role="main"></div>')),
        ("Anubis", answer('<script id="anubis_challenge" type="application/json">{"challenge":"x"}</script>')),
    ],
)
def test_challenge_pages_are_known(service: str, page: Response) -> None:
    assert challenge(page) == f"a challenge page of {service}"


@pytest.mark.parametrize(
    "page",
    [
        "<title>Robot Check</title><form action='/errors/validateCaptcha'><img src='/captcha/1.jpg'><input></form>",
        "<title>Security check - Shop</title><p>One step left.</p><div class='g-recaptcha' data-sitekey=x></div>",
        "<title>Are you a robot?</title><div class='x h-captcha'></div><script>var a = 1 < 2;</script>",
        "<title>Just a moment...</title><form id=challenge-form><div class=cf-turnstile></div></form>",
    ],
)
def test_pages_that_ask_for_a_captcha_and_no_more(page: str) -> None:
    assert challenge(answer(page)) == "a page that asks for a captcha"


ARTICLE = "<p>" + "How a captcha tells people from robots is a long story. " * 30


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(
            f"<title>Just a moment...</title><h1>The Cloudflare page</h1>{ARTICLE}<pre>&lt;script&gt;"
            "window._cf_chl_opt={cvId:'3'}&lt;/script&gt;"
            "/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1</pre>",
            id="an article about Cloudflare",
        ),
        pytest.param(
            "<h1>Shop</h1><script>(function(){function c(){window.__CF$cv$params={r:'8'};}})();</script>"
            '<script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>',
            id="a good page behind Cloudflare",
        ),
        pytest.param(
            '<script id="__NEXT_DATA__" type="application/json">{"text":"<script>window._cf_chl_opt={}"}</script>'
            f"<h1>x</h1>{ARTICLE}".replace("<script>window", "\\u003cscript>window"),
            id="an article in the data of a page",
        ),
        pytest.param(f"<title>Are you a robot?</title>{ARTICLE}<div class=g-recaptcha></div>", id="with comments"),
        pytest.param("<title>CAPTCHA - Encyclopedia</title><h1>CAPTCHA</h1><p>A test.</p>", id="a short article"),
        pytest.param("<title>Sign up</title><form><input><div class=h-captcha></div></form>", id="a sign-up form"),
        pytest.param("<title>Access Denied</title><p>Members only. Reference #18.9</p>", id="a page of the site's own"),
        pytest.param(
            '<h1>Shop</h1><script src="/_Incapsula_Resource?SWJIYLWA=5"></script><body><p>Shoes</p></body>',
            id="a good page behind Incapsula",
        ),
        pytest.param("<script>window._pxAppId='PXabc';</script><h1>Shoes</h1>", id="a good page behind PerimeterX"),
        pytest.param("<script src='https://js.datadome.co/tags.js'></script><h1>x</h1>", id="a good page of DataDome"),
        pytest.param(b"\x00\xff" * 1000, id="bytes"),
        pytest.param("", id="nothing"),
    ],
)
def test_pages_that_only_hold_something_of_them_are_none(page: str | bytes) -> None:
    assert challenge(answer(page)) == ""


def test_header_values_of_other_meanings_are_none() -> None:
    assert challenge(answer("<h1>x</h1>", cf_mitigated="block", x_amzn_waf_action="count")) == ""


def test_long_pages_are_not_looked_through() -> None:
    page = "<script>window._cf_chl_opt={}</script>" + "<p>text " * 10_000
    assert challenge(answer(page)) == ""


@pytest.mark.parametrize(
    "piece",
    [
        "<script ",
        "<script>var dd={",
        "<script>window.gokuProps ",
        "window._pxA= ",
        "<div a='px-captcha' ",
        "<title>Access Denied</title>",
        "<iframe src=/_Incapsula_Resource?",
        "<a class=class=class=",
        "<!--",
    ],
)
def test_pages_made_to_be_searched_long_are_searched(piece: str) -> None:
    signs = " ".join(mark.sign.decode() for mark in MARKS)
    page = f"<title>Captcha</title><p class=captcha>{signs}"
    assert challenge(answer(page + piece * ((LARGEST - len(page)) // len(piece)))) in (
        "",
        "a page that asks for a captcha",
    )
