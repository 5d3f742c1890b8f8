"""Which machine a name leads to: resolved, judged, and only then connected to."""

from __future__ import annotations

import ipaddress
import socket
import threading

from yamlcrawl import urls
from yamlcrawl.fetchers.transport import Allow, Deadline, TransportError
from yamlcrawl.model.plan import SitePlan

Address = tuple[socket.AddressFamily, tuple[str, int] | tuple[str, int, int, int]]
"""Family, and what `connect` takes; the IP address is its first part."""


def allowance(site: SitePlan, host: str, port: int) -> Allow:
    """What requests to a host may connect to: public addresses, and private ones where the site says so.

    `host` is spelled as in its URL. A start URL opens its own host and port, whatever that resolves to.
    """
    if site.private_addresses or f"{host}:{port}" in site.private_hosts:
        return lambda _ip, _port: True
    return lambda ip, _port: urls.is_public(ip)


def dial(host: str, port: int, deadline: Deadline, allow: Allow) -> socket.socket:
    """A connection to the first address of the host that is allowed and answers.

    What was judged is what is connected to, so a name that resolves otherwise the next moment gains nothing. Raises
    TransportError: `blocked_address`, `network_error`, `timeout`.
    """
    addresses = _resolve(host, port, deadline)
    allowed = [address for address in addresses if allow(address[1][0], port)]
    if not allowed:
        shown = ", ".join(address[1][0] for address in addresses[:3])
        reason = f"{host} leads to {shown}, which is not a public address (site.private_addresses)"
        raise TransportError("blocked_address", reason, contact=False, final=True)
    return _first_that_answers(host, allowed, deadline)


def _first_that_answers(host: str, addresses: list[Address], deadline: Deadline) -> socket.socket:
    error: TransportError
    for tried, address in enumerate(addresses):
        # each gets its share, so that one which swallows everything leaves time for the next
        seconds = deadline.connect() / (len(addresses) - tried)
        try:
            return _connected(address, seconds)
        except TimeoutError:
            error = deadline.connect_expired(host)
        except OSError as e:
            error = TransportError("network_error", f"no connection to {host}: {e.strerror or e}")
    raise error


def _connected(address: Address, seconds: float) -> socket.socket:
    sock = socket.socket(address[0], socket.SOCK_STREAM)
    try:
        sock.settimeout(seconds)
        sock.connect(address[1])
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except OSError:
        sock.close()
        raise
    return sock


def _resolve(host: str, port: int, deadline: Deadline) -> list[Address]:
    literal = ip_literal(host)
    if literal is not None:
        family = socket.AF_INET6 if literal.version == 6 else socket.AF_INET
        return [(family, (str(literal), port))]
    found: list[Address] = []
    failure: list[Exception] = []

    def look_up() -> None:
        try:
            for family, _, _, _, address in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM):
                if family in (socket.AF_INET, socket.AF_INET6):
                    found.append((family, address))  # type: ignore[arg-type]
        except (OSError, UnicodeError) as e:
            failure.append(e)

    # the system's resolver knows no timeout
    thread = threading.Thread(target=look_up, name=f"resolve {host}", daemon=True)
    thread.start()
    thread.join(deadline.connect())
    if thread.is_alive():
        error = deadline.connect_expired(host)
        error.contact = False
        raise error
    if failure or not found:
        raise _unknown_host(host, failure[0] if failure else None)
    return found


def ip_literal(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address that the host is itself, an IPv6 one without brackets; None for a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _unknown_host(host: str, cause: Exception | None) -> TransportError:
    if isinstance(cause, UnicodeError):
        return TransportError("bad_url", f"{host[:80]} is not a host name", contact=False, final=True)
    detail = f": {getattr(cause, 'strerror', None) or cause}" if cause else ""
    return TransportError("network_error", f"the name {host} does not resolve{detail}", contact=False)
