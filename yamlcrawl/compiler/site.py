"""The site's settings to the plan's: identity, politeness, scope, who may get which secret."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from yamlcrawl.compiler.scope import Scope
from yamlcrawl.compiler.templates import Names, Template
from yamlcrawl.errors import Path
from yamlcrawl.model.frontier import HostPlan
from yamlcrawl.model.plan import Credentials, RetryPlan, SitePlan, Timeouts
from yamlcrawl.model.secrets import MARK
from yamlcrawl.options import shown
from yamlcrawl.parsers.charset import forced_codec
from yamlcrawl.spec.site import AGENT, Auth, HostOptions, Site
from yamlcrawl.urls import Match, canonical, host_pattern

HeaderPairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Hosts:
    """The hosts that `site.hosts` names, with what each has of its own."""

    named: tuple[tuple[str, Match, HostOptions], ...]
    everything: bool
    headers: Mapping[str, HeaderPairs]
    secrets: Mapping[str, tuple[str, ...]]
    """Host pattern to the secrets that its own headers name."""

    def options(self, host: str) -> HostOptions:
        """What the first pattern that takes the host says."""
        return next((options for _, match, options in self.named if match(host)), HostOptions())

    def may(self, host: str) -> frozenset[str]:
        """The secrets that the host may get by its own headers."""
        return frozenset(name for text, match, _ in self.named if match(host) for name in self.secrets.get(text, ()))


def compile_hosts(site: Site, names: Names) -> Hosts:
    """The hosts of `site.hosts`; names that are none are noted."""
    if site.hosts == "any":
        return Hosts((), True, {}, {})
    named, headers, secrets, everything = [], {}, {}, False
    for text, options in site.hosts:
        path: Path = ("site", "hosts", text)
        match = (lambda _host: True) if text == "any" else host_pattern(text)
        if match is None:
            names.problems.error(path, f"{shown(text)} is no name of a host", "write a name such as *.example.org")
            continue
        everything = everything or text == "any"
        named.append((text, match, options))
        pairs, used = _headers(options.headers, (*path, "headers"), names)
        if text == "any" and used:
            fix = "name the host that is to get it"
            names.problems.error((*path, "headers"), f"the secret {used[0]} would go to every host", fix)
        headers[text], secrets[text] = pairs, used
    return Hosts(tuple(named), everything, {k: v for k, v in headers.items() if v}, secrets)


def compile_site(
    site: Site,
    names: Names,
    hosts: Hosts,
    scope: Scope,
    drop: Match | None,
    start: tuple[frozenset[str], frozenset[str]],
) -> SitePlan:
    """The plan's settings. `start` are the host names of the start requests, and ``host:port`` of each."""
    headers, _ = _headers(site.headers, ("site", "headers"), names)
    if site.encoding and forced_codec(site.encoding) is None:
        fix = "write a name such as windows-1252, or drop the key"
        names.problems.error(("site", "encoding"), f"{shown(site.encoding)} is no character encoding", fix)
    cookies = None if site.cookies is False else site.cookies
    return SitePlan(
        user_agent=_user_agent(site, names),
        headers=headers,
        host_headers=hosts.headers,
        cookies=None if cookies is None else dict(_headers(cookies, ("site", "cookies"), names)[0]),
        timeout=Timeouts(site.timeout.connect, site.timeout.read, site.timeout.total),
        retry=RetryPlan(site.retry.times, frozenset(site.retry.status), site.retry.wait, site.retry.max_wait),
        threads=site.threads,
        redirects=site.redirects,
        robots=site.robots == "obey",
        auth=_credentials(site.auth, names),
        max_body=site.max_body,
        max_file=site.max_file,
        private_addresses=site.private_addresses == "allow",
        private_hosts=start[1],
        encoding=site.encoding,
        meta_refresh=site.meta_refresh == "follow",
        start_hosts=start[0],
        secret_hosts={text: used for text, used in hosts.secrets.items() if used},
        in_scope=scope.__contains__,
        widen=scope.widen,
        canonical=lambda url: canonical(url, drop),
        host=_politeness(site, hosts),
    )


def _headers(written: Mapping[str, str], path: Path, names: Names) -> tuple[HeaderPairs, tuple[str, ...]]:
    """Names and texts, and the secrets that stand in them."""
    found: list[tuple[str, str]] = []
    secrets: dict[str, None] = {}
    for name, text in written.items():
        template = _settled(text, (*path, name), names)
        secrets.update(dict.fromkeys(template.secrets))
        found.append((name, template.text() or ""))
    return tuple(found), tuple(secrets)


def _settled(text: str, path: Path, names: Names) -> Template:
    """A template of the site's, which is one text for the whole crawl, and stands in a header."""
    template = names.header(text, path)
    many = next(template.slots("var"), None)
    if many:
        fix = "give it one value, or use it in start, follow or next"
        names.problems.error(path, f'"{many}" has many values, and here one is needed', fix)
    return template


def _user_agent(site: Site, names: Names) -> str:
    path: Path = ("site", "user_agent")
    agent = _settled(site.user_agent, path, names)
    text = agent.text() or AGENT
    if MARK in text:
        names.problems.error(path, "the user agent goes to every host, so it cannot hold a secret", "write it out")
    elif not re.search(r"https?://|\S@\S|mailto:", text):
        fix = "add an address, such as  mybot/1.0 (+https://example.org/bot)"
        names.problems.warn(path, "the user agent names nobody whom a site could write to", fix)
    return text


def _credentials(auth: Auth | None, names: Names) -> Credentials | None:
    if auth is None:
        return None
    path: Path = ("site", "auth")
    if auth.basic is not None:
        user = _settled(auth.basic.user, (*path, "basic", "user"), names)
        password = _settled(auth.basic.password, (*path, "basic", "password"), names)
        return Credentials("basic", user.text() or "", password.text() or "")
    return Credentials("bearer", "", _settled(auth.bearer or "", (*path, "bearer"), names).text() or "")


def _politeness(site: Site, hosts: Hosts) -> Callable[[str], HostPlan]:
    usual = HostPlan(site.sleep, site.per_host, site.retry.max_wait)

    def host(key: str) -> HostPlan:
        own = hosts.options(_name(key))
        if own.sleep is None and own.per_host is None:
            return usual
        return HostPlan(
            site.sleep if own.sleep is None else own.sleep,
            site.per_host if own.per_host is None else own.per_host,
            site.retry.max_wait,
        )

    return host


def _name(key: str) -> str:
    """The host of a host key, without its port."""
    return key.rpartition(":")[0] if ":" in key and not key.endswith("]") else key


def secrets_for(start_hosts: Iterable[str], hosts: Hosts, names: Names) -> Callable[[str], frozenset[str]]:
    """Which secrets a host may get: all of them a start host, another those that its own headers name."""
    trusted = frozenset(start_hosts)

    def may(host: str) -> frozenset[str]:
        return names.named if host in trusted else hosts.may(host)

    return may
