"""URLs as text: joining, the canonical form, hosts, patterns and addresses; pure functions.

`join` reads an address as a browser does (the URL standard of WHATWG); what it gives is what is sent. All other
functions take URLs that `join` gave.
"""

from __future__ import annotations

import re
from codecs import register_error
from collections.abc import Callable, Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from ada_url import idna_to_ascii, join_url, normalize_url

Match = Callable[[str], bool]
"""Whether a canonical URL fits a pattern."""

DROP_PARAMS = (
    "utm_*", "gclid", "gclsrc", "dclid", "gbraid", "wbraid", "_ga", "_gl", "fbclid", "msclkid", "yclid", "ysclid",
    "twclid", "ttclid", "li_fat_id", "igshid", "mc_cid", "mc_eid", "_hsenc", "_hsmi", "mkt_tok", "vero_id",
    "oly_anon_id", "oly_enc_id", "wickedid", "_openstat", "mtm_*", "matomo_*", "pk_campaign", "pk_kwd", "pk_source",
    "pk_medium", "pk_content",
)  # fmt: skip
"""Query parameters that campaigns and click counters add; they never tell pages apart."""

_WEB = ("http://", "https://")


def join(base: str, href: str) -> str | None:
    """The absolute URL that a click on the href asks for, without fragment; None where it asks no web server.

    Blanks around it, tabs and line breaks are dropped, backslashes are slashes, host names become ASCII, dot segments
    are resolved. None for other schemes (``mailto:``, ``javascript:``, ``data:`` …) and for what is no URL. An empty
    base will do where the address is absolute.

    >>> join("http://shop.example/a/b?c", " ../x y.html#top ")
    'http://shop.example/x%20y.html'
    >>> join("http://shop.example/", "mailto:jo@shop.example") is None
    True
    """
    try:
        url = join_url(base, href) if base else normalize_url(href)
    except ValueError:
        return None
    if not url.startswith(_WEB):
        return None
    if "xn--" in url and not _is_punycode(host_name(url)):
        return None
    return str(url).partition("#")[0]


def in_charset(address: str, charset: str) -> str:
    """The address with its query percent-encoded in the charset of the page that it stands on, as browsers send it.

    What the charset has not becomes a character reference (URL standard, "percent-encode after encoding").

    >>> in_charset("/find?q=цена", "windows-1251"), in_charset("/é?q=€#ü", "iso-8859-1")
    ('/find?q=%F6%E5%ED%E0', '/é?q=%26%238364%3B#ü')
    """
    if charset == "utf-8" or address.isascii():
        return address
    address, hash_mark, fragment = address.partition("#")
    path, mark, query = address.partition("?")
    if not query.isascii():
        sent = query.encode(charset, "yamlcrawl.query")
        query = "".join(chr(b) if 0x20 <= b <= 0x7E and b not in b'"<>' else f"%{b:02X}" for b in sent)
    return path + mark + query + hash_mark + fragment


def _as_reference(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    unknown = error.object[error.start : error.end]
    return "".join(f"%26%23{ord(c)}%3B" for c in unknown), error.end


register_error("yamlcrawl.query", _as_reference)


def absolute(base: str, address: str) -> str:
    """The address made absolute, with its fragment; what is no web address stays as it is.

    >>> absolute("http://shop.example/a/", "../b#top"), absolute("http://shop.example/", "tel:555")
    ('http://shop.example/b#top', 'tel:555')
    """
    url = join(base, address)
    if url is None:
        return address
    _, mark, fragment = address.partition("#")
    return url + mark + fragment


def _is_punycode(host: str) -> bool:
    """Whether every label that claims to be encoded is what its name encodes to (RFC 5891, 4.4 and 5.4)."""
    for label in host.split("."):
        if label.startswith("xn--"):
            try:
                decoded = label[4:].encode("ascii").decode("punycode")
            except UnicodeError:
                return False
            if idna_to_ascii(decoded) != label.encode():
                return False
    return True


def canonical(url: str, drop: Match | None = None) -> str:
    """The one spelling under which a URL is remembered.

    URLs that fetch the same thing come out equal: host in lower case, default port and fragment gone, dot segments
    resolved, percent-encoding the same (RFC 3986, 6.2.2: unreserved signs decoded, hex digits upper case), an empty
    query and the parameters whose names `drop` takes gone. The order of the query stays, and the case of the path. What
    is no web URL comes back as it is. Giving it its own result changes nothing.

    >>> canonical("HTTP://Shop.example:80/a/../b%7e?x=1&utm_source=mail#top", drop_params(DROP_PARAMS))
    'http://shop.example/b~?x=1'
    """
    url = join("", url) or url
    if "%" in url or _ODD.search(url):
        url = _ODD.sub(_encode, _ESCAPE.sub(_normal_escape, url))
    if "?" in url:
        address, _, query = url.partition("?")
        if drop is not None:
            query = "&".join([part for part in query.split("&") if not drop(part.partition("=")[0])])
        url = f"{address}?{query}" if query else address
    return url


def without_params(url: str, drop: Match | None) -> str:
    """The URL without its fragment and the query parameters that `drop` takes, spelled as it was otherwise.

    >>> without_params("http://a.test/x%7e?b=1&utm_id=2#top", drop_params(DROP_PARAMS))
    'http://a.test/x%7e?b=1'
    """
    url = url.partition("#")[0]
    if drop is None or "?" not in url:
        return url
    address, _, query = url.partition("?")
    kept = "&".join([part for part in query.split("&") if not drop(part.partition("=")[0])])
    return f"{address}?{kept}" if kept else address


_ESCAPE = re.compile("%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_ODD = re.compile(r"[^A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=%-]")


def _normal_escape(match: re.Match[str]) -> str:
    sign = chr(int(match[1], 16))
    return sign if sign in _UNRESERVED else match[0].upper()


def _encode(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8", "surrogatepass"))


def drop_params(names: Iterable[str]) -> Match | None:
    """A test for the names of query parameters, ``*`` standing for any signs; None where there are no names.

    >>> drop = drop_params(["utm_*", "sid"])
    >>> drop("utm_campaign"), drop("sid"), drop("inside")
    (True, True, False)
    """
    parts = [".*".join(map(re.escape, name.split("*"))) for name in names]
    if not parts:
        return None
    matches = re.compile("|".join(parts), re.DOTALL).fullmatch
    return lambda name: matches(name) is not None


def _authority(url: str) -> str:
    return url.split("/", 3)[2].rpartition("@")[2]


def _host_and_port(url: str) -> tuple[str, str]:
    authority = _authority(url)
    host, colon, port = authority.rpartition(":")
    if not colon or authority.endswith("]"):
        return authority, "443" if url.startswith("https:") else "80"
    return host, port


def host_name(url: str) -> str:
    """The host of the URL without its port; an IPv6 address in brackets.

    >>> host_name("http://shop.test@evil.test:81/e")
    'evil.test'
    """
    return _host_and_port(url)[0]


def port(url: str) -> int:
    """The port of the URL, the scheme's own where it names none."""
    return int(_host_and_port(url)[1])


def host_key(url: str) -> str:
    """The host as politeness knows it: with its port, but 80 and 443 are one host.

    >>> host_key("https://shop.test/"), host_key("http://shop.test/"), host_key("http://shop.test:8080/")
    ('shop.test', 'shop.test', 'shop.test:8080')
    """
    host, port = _host_and_port(url)
    return host if port in ("80", "443") else f"{host}:{port}"


def origin(url: str) -> str:
    """Scheme, host and port, the port always written.

    >>> origin("https://shop.test/a?b")
    'https://shop.test:443'
    """
    return f"{url.partition(':')[0]}://{':'.join(_host_and_port(url))}"


def ascii_host(name: str) -> str | None:
    """The host name as it stands in a URL: lower case, ASCII (IDNA); None where it is no host name.

    >>> ascii_host("Bücher.Example")
    'xn--bcher-kva.example'
    """
    if set(name) & set("/?#@\\") or (":" in name and not name.endswith("]")):
        return None
    url = join("", f"http://{name}/")
    return host_name(url) if url else None


def host_pattern(text: str) -> Match | None:
    """A test for host names: a name, or ``*.example.org``, which takes example.org too; None where it is neither.

    >>> match = host_pattern("*.example.org")
    >>> match("example.org"), match("a.b.example.org"), match("notexample.org")
    (True, True, False)
    """
    under = text.startswith("*.")
    name = ascii_host(text[2:] if under else text)
    if name is None or "*" in name:
        return None
    suffix = f".{name}"
    if under:
        return lambda host: host == name or host.endswith(suffix)
    return lambda host: host == name


def glob(text: str) -> Match:
    """The test of a pattern: ``*`` stops at ``/`` and ``?``, ``**`` does not; everything else is literal.

    Matched against the whole canonical URL where the pattern has ``://``, else against its path; one that does not
    begin with ``/`` stands anywhere below it (``*.pdf``). The query takes part only where the pattern has a ``?``.

    >>> [glob("/news/*")(f"http://a.test{path}") for path in ("/news/1", "/news/1/2", "/news/1?page=2")]
    [True, False, True]
    >>> glob("*.pdf")("http://a.test/x/y.pdf"), glob("/**/y")("http://a.test/y")
    (True, True)
    """
    whole, queried = "://" in text, "?" in text
    text = _canonical_pattern(text) if whole else text if text.startswith("/") else f"/**/{text}"
    matches = re.compile("".join(map(_glob_part, _GLOB.split(text))), re.DOTALL).fullmatch

    def match(url: str) -> bool:
        if not queried:
            url = url.partition("?")[0]
        if not whole:
            url = "/" + url.split("/", 3)[3]
        return matches(url) is not None

    return match


_GLOB = re.compile(r"(/\*\*+/|\*+)")


def _canonical_pattern(text: str) -> str:
    scheme, _, rest = text.partition("://")
    host = re.split("[/?]", rest, maxsplit=1)[0]
    tail = rest[len(host) :]
    return f"{scheme.lower()}://{host.lower()}{tail if tail.startswith('/') else '/' + tail}"


def _glob_part(part: str) -> str:
    if part == "*":
        return "[^/?]*"
    if part.startswith("/**") and part.endswith("*/"):
        return "/(?:.*/)?"
    if part.startswith("**"):
        return ".*"
    # spelled as the canonical URL spells it, so that a pattern may say ü, or %c3%bc
    return re.escape(_ODD.sub(_encode, _ESCAPE.sub(_normal_escape, part)))


_REGEX_SIGNS = re.compile(
    r"\.\*|\.\+|\\[dwsb.?/]|^\^|\$$|\[[^\]]*-[^\]]*\]|\(\?:|\([^)]*\|[^)]*\)|\]\+|\)[+?*]|\{\d+,?\d*\}"
)


def looks_like_regex(pattern: str) -> bool:
    r"""Whether the text of a glob was probably meant as a regular expression.

    >>> [looks_like_regex(text) for text in (r"/book/\d+", "^/a/.*", "/wiki/C++", "*.pdf")]
    [True, True, False, False]
    """
    return _REGEX_SIGNS.search(pattern) is not None


def is_public(ip: str | IPv4Address | IPv6Address) -> bool:
    """Whether an address is one of the open internet: not loopback, private, link-local, multicast, shared, reserved or
    the metadata service of a cloud; an IPv6 address that carries an IPv4 address is judged by it too.

    >>> [is_public(ip) for ip in ("93.184.216.34", "127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "100.64.0.1")]
    [True, False, False, False, False]
    """
    address = ip_address(ip.strip("[]").partition("%")[0]) if isinstance(ip, str) else ip
    if isinstance(address, IPv6Address):
        inner = _embedded(address)
        if inner is not None:
            return is_public(inner)
        if any(address in network for network in _LOCAL_6):
            return False
    elif any(address in network for network in _LOCAL_4):
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


# what is_global leaves out, or left out in older releases of Python
_LOCAL_4 = tuple(
    IPv4Network(network)
    for network in ("0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.88.99.0/24", "198.18.0.0/15", "168.63.129.16/32")
)
_LOCAL_6 = tuple(
    IPv6Network(network)
    for network in ("::/96", "64:ff9b:1::/48", "2001::/23", "2001:db8::/32", "fc00::/7", "fec0::/10")
)
_NAT64 = ip_network("64:ff9b::/96")


def _embedded(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address that a mapped (RFC 4291), 6to4 (RFC 3056) or NAT64 (RFC 6052) address leads to."""
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.sixtofour
