from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from yamlcrawl.fetchers import addresses
from yamlcrawl.fetchers.addresses import allowance, dial
from yamlcrawl.fetchers.transport import Deadline, TransportError
from yamlcrawl.model.plan import SitePlan, Timeouts

USUAL = Timeouts()


def test_private_addresses_are_denied_by_default() -> None:
    allow = allowance(SitePlan("a"), "shop.test", 80)
    denied = ["127.0.0.1", "10.1.2.3", "192.168.0.1", "172.16.0.1", "169.254.169.254", "::1", "fe80::1", "fd00::1"]
    assert [ip for ip in denied if allow(ip, 80)] == []
    assert allow("93.184.216.34", 80)
    assert allow("2606:2800:220:1:248:1893:25c8:1946", 80)


def test_a_private_start_opens_its_own_host_and_port_only() -> None:
    site = SitePlan("a", private_hosts=frozenset({"127.0.0.1:8080", "[::1]:8080"}))
    assert allowance(site, "127.0.0.1", 8080)("127.0.0.1", 8080)
    assert allowance(site, "[::1]", 8080)("::1", 8080)
    assert not allowance(site, "127.0.0.1", 8081)("127.0.0.1", 8081)
    assert not allowance(site, "localhost", 8080)("127.0.0.1", 8080)
    assert not allowance(site, "rebound.test", 80)("127.0.0.1", 80)


def test_all_is_open_where_the_site_says_so() -> None:
    assert allowance(SitePlan("a", private_addresses=True), "shop.test", 80)("127.0.0.1", 80)


@pytest.fixture
def port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


class Names:
    """A resolver that knows what it is told."""

    def __init__(self, **known: list[str]) -> None:
        self.known = known
        self.asked: list[str] = []

    def __call__(self, host: str, port: int, **_: Any) -> list[tuple[Any, ...]]:
        self.asked.append(host)
        if host not in self.known:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (ip, port)) for ip in self.known[host]]


def resolve_with(monkeypatch: pytest.MonkeyPatch, names: Any) -> Any:
    monkeypatch.setattr(addresses.socket, "getaddrinfo", names)
    return names


def error(host: str, port: int, *, timeouts: Timeouts = USUAL, public_only: bool = False) -> TransportError:
    allow = allowance(SitePlan("a", private_addresses=not public_only), host, port)
    with pytest.raises(TransportError) as caught:
        dial(host, port, Deadline(timeouts), allow)
    return caught.value


def test_the_next_address_is_tried_where_one_refuses(monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    names = resolve_with(monkeypatch, Names(shop=["127.0.0.9", "127.0.0.1"]))
    with dial("shop", port, Deadline(Timeouts()), lambda _ip, _port: True) as sock:
        assert sock.getpeername() == ("127.0.0.1", port)
    assert names.asked == ["shop"]


def test_an_address_that_is_denied_is_passed_over(monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    resolve_with(monkeypatch, Names(shop=["127.0.0.9", "127.0.0.1"]))
    with dial("shop", port, Deadline(Timeouts()), lambda ip, _port: ip == "127.0.0.1") as sock:
        assert sock.getpeername() == ("127.0.0.1", port)


def test_a_public_name_for_a_private_address_is_blocked(monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    resolve_with(monkeypatch, Names(shop=["127.0.0.1", "169.254.169.254"]))
    failed = error("shop", port, public_only=True)
    assert (failed.outcome, failed.contact, failed.final) == ("blocked_address", False, True)
    assert "site.private_addresses" in failed.reason


def test_addresses_in_the_url_are_not_looked_up(monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    names = resolve_with(monkeypatch, Names())
    dial("127.0.0.1", port, Deadline(Timeouts()), lambda _ip, _port: True).close()
    assert error("127.0.0.1", port, public_only=True).outcome == "blocked_address"
    assert names.asked == []


def test_a_name_that_does_not_resolve_is_no_contact(monkeypatch: pytest.MonkeyPatch) -> None:
    resolve_with(monkeypatch, Names())
    failed = error("nowhere", 80)
    assert (failed.outcome, failed.contact, failed.final) == ("network_error", False, False)
    assert "nowhere does not resolve" in failed.reason


def test_a_name_that_is_none_is_no_url() -> None:
    failed = error("a" * 300 + ".test", 80)
    assert (failed.outcome, failed.contact, failed.final) == ("bad_url", False, True)


def test_a_resolver_that_hangs_runs_out_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    hangs = threading.Event()

    def hanging(*_: Any, **__: Any) -> list[Any]:
        hangs.wait(10)
        return []

    resolve_with(monkeypatch, hanging)
    failed = error("slow", 80, timeouts=Timeouts(connect=0.1, read=5, total=5))
    hangs.set()
    assert (failed.outcome, failed.contact) == ("timeout", False)
    assert "site.timeout.connect" in failed.reason


def test_a_host_that_swallows_connections_runs_out_of_time() -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=0) as full:
        port = full.getsockname()[1]
        waiting = []
        for _ in range(4):  # the queue of a listener that accepts nothing fills up
            sock = socket.socket()
            sock.setblocking(False)
            sock.connect_ex(("127.0.0.1", port))
            waiting.append(sock)
        failed = error("127.0.0.1", port, timeouts=Timeouts(connect=0.2, read=5, total=5))
        for sock in waiting:
            sock.close()
    assert (failed.outcome, failed.contact) == ("timeout", True)
    assert "site.timeout.connect" in failed.reason
