"""Pages that protection services send in place of a site's own: the marks by which they are known."""

from __future__ import annotations

import re
from typing import NamedTuple

from yamlcrawl.model.response import Response

LARGEST = 64_000
"""Bytes; challenge pages have seldom half of it, and longer pages are not looked through."""
FEW_WORDS = 150
"""A page that asks for a captcha says little else."""


class Mark(NamedTuple):
    """What the body of a page holds that only that service sends."""

    service: str
    sign: bytes
    """Found first, since that is quick; it may stand in other pages too."""
    proofs: tuple[re.Pattern[bytes], ...]
    """All of which are found, as markup or as the beginning of a script: a text that speaks of it has `&lt;` for `<`.

    None of them takes more than linear time, whatever a page holds: nothing runs on over the next `<`, or for long.
    """


def _mark(service: str, sign: bytes, *proofs: bytes) -> Mark:
    return Mark(service, sign, tuple(re.compile(proof, re.IGNORECASE | re.DOTALL) for proof in proofs))


HEADERS = {
    # https://developers.cloudflare.com/cloudflare-challenges/challenge-types/challenge-pages/detect-response
    "cf-mitigated": {"challenge": "Cloudflare"},
    # https://docs.aws.amazon.com/waf/latest/developerguide/waf-captcha-and-challenge-actions.html
    "x-amzn-waf-action": {"challenge": "AWS WAF", "captcha": "AWS WAF"},
}
"""Header to the values that say it, each with its service."""

_SCRIPT = rb"<script\b[^<>]*>\s*(?:\(\s*function\s*\(\s*\)\s*\{\s*)?"

MARKS = (
    # us/crw#213; the script of its JavaScript detections, which good pages hold, sets window.__CF$cv$params instead
    _mark("Cloudflare", b"_cf_chl_opt", _SCRIPT + rb"window\._cf_chl_opt\s*="),
    # psf/requests#5331; https://docs.datadome.co/docs/block-page
    _mark(
        "DataDome",
        b"'host':",
        _SCRIPT + rb"var dd\s*=\s*\{[^<}]{0,2000}'host'\s*:\s*'[\w.-]*(?:captcha-delivery|datado)\.",
    ),
    _mark("DataDome", b"captcha-delivery.com", rb'\A\s*\{\s*"url"\s*:\s*"https://[\w.-]*captcha-delivery\.com/'),
    # https://docs.humansecurity.com: block page, and its answer to those that ask for JSON (advanced blocking response)
    _mark(
        "PerimeterX",
        b"px-captcha",
        rb"<(?:div|meta)\b[^<>]{0,300}=\s*[\"']px-captcha[\"']",
        rb"\bwindow\._px\w{1,40}\s*=",
    ),
    _mark("PerimeterX", b"blockScript", rb'\A\s*\{\s*"appId"\s*:\s*"PX\w+"\s*,.*"blockScript"\s*:'),
    # EnableSecurity/wafw00f, plugins/incapsula.py; its script alone stands in good pages too, but then not alone
    _mark(
        "Incapsula",
        b"_Incapsula_Resource",
        rb"<iframe\b[^<>]*\bsrc=[\"']?/_Incapsula_Resource\?[^<>]*incident_id="
        rb"|<script\b[^<>]*\bsrc=[\"']?/_Incapsula_Resource\?[^<>]*>\s*</script>\s*(?:</head>\s*)?<body[^<>]*>\s*</body>",
    ),
    # https://docs.aws.amazon.com/waf/latest/developerguide/waf-captcha-and-challenge-actions.html: the interstitial
    _mark("AWS WAF", b"gokuProps", _SCRIPT + rb"[^<]*\bwindow\.gokuProps\s*="),
    # https://techdocs.akamai.com: the reference number of a denied request, and the page that waits for a proof
    _mark(
        "Akamai",
        b"Reference&#32;&#35;",
        rb"<title>\s*Access Denied\s*</title>",
        rb"Reference&#32;&#35;[\da-f]{1,40}&#46;",
    ),
    _mark("Akamai", b"sec-if-cpt-container", rb"<div\b[^<>]*\bid=[\"']sec-if-cpt-container[\"']"),
    # https://anubis.techaro.lol: what its page is to solve
    _mark("Anubis", b"anubis_challenge", rb"<script\b[^<>]*\bid=[\"']anubis_challenge[\"']"),
)

_TITLE = re.compile(
    rb"<title\b[^<>]*>\s*(?:captcha|robot check|(?:human|bot|captcha|browser) (?:check|verification)"
    rb"|(?:please )?(?:verify|verifying|confirm|prove)(?: that)? you(?: are|'re|&#39;re) (?:a |not a )?(?:human|robot)"
    rb"|are you (?:a )?(?:human|robot)|security (?:check|challenge|verification)|pardon our interruption"
    rb"|attention required|just a moment|one moment,? please|access (?:denied|to this page has been denied))"
    rb"[\s!?.]*(?:[-|:\xb7][^<]{0,60})?</title>",
    re.IGNORECASE,
)
_WIDGET = re.compile(
    rb"<\w{1,20}\b[^<>]{0,300}\b(?:class|id|name|action|src)\s*=\s*[\"']?[^\"'<>]{0,200}"
    rb"(?:g-recaptcha|recaptcha/|h-captcha|hcaptcha\.com|cf-turnstile|captcha)",
    re.IGNORECASE,
)
_NO_TEXT = re.compile(
    rb"<(script|style|title)\b.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)|<[^>]*(?:>|\Z)", re.IGNORECASE | re.DOTALL
)


def challenge(response: Response) -> str:
    """The service whose challenge or block page an answer is, in words; empty for any other answer."""
    for header, values in HEADERS.items():
        if (value := response.headers.get(header)) and (service := values.get(value.strip().lower())):
            return f"a challenge page of {service}"
    body = response.body
    if len(body) > LARGEST:
        return ""
    for mark in MARKS:
        if mark.sign in body and all(proof.search(body) for proof in mark.proofs):
            return f"a challenge page of {mark.service}"
    return "a page that asks for a captcha" if _asks_for_captcha(body) else ""


def _asks_for_captcha(body: bytes) -> bool:
    """Whether its title says so, it holds what asks for it, and hardly anything else can be read on it."""
    if not _TITLE.search(body, 0, 10_000) or not _WIDGET.search(body):
        return False
    return len(_NO_TEXT.sub(b" ", body).split()) < FEW_WORDS
