"""Signing in: the requests that do it, what is taken from the answer, and how a page shows that it is over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from yamlcrawl.compiler.bench import Bench
from yamlcrawl.compiler.fields import compile_fields, missing
from yamlcrawl.compiler.frame import Frame
from yamlcrawl.compiler.selectors import compile_selector, nodes
from yamlcrawl.compiler.sending import Message, Outgoing, compile_sending
from yamlcrawl.compiler.spots import Spot, spot_of
from yamlcrawl.compiler.start import absolute
from yamlcrawl.compiler.templates import Template
from yamlcrawl.errors import LoginError, ParseError, Path, Problems
from yamlcrawl.model.document import Parse
from yamlcrawl.model.item import json_text
from yamlcrawl.model.plan import FieldPlan, LoginPlan, View
from yamlcrawl.model.request import Request
from yamlcrawl.model.response import Response
from yamlcrawl.model.secrets import LOGIN, Secrets
from yamlcrawl.model.tally import Tally
from yamlcrawl.options import shown
from yamlcrawl.parsers.html import html_parser
from yamlcrawl.parsers.json import json_parser
from yamlcrawl.parsers.media import media_type
from yamlcrawl.selectors.forms import controls, entered
from yamlcrawl.spec.login import Login
from yamlcrawl.spec.selectors import Selector
from yamlcrawl.spec.sending import Sending
from yamlcrawl.urls import join

NAME = "login"
PATH: Path = (NAME,)

T = TypeVar("T")
Found = Callable[[View], Iterable[Any]]


def compile_login(login: Login, url: Template, frame: Frame) -> LoginPlan | None:
    """How to sign in at the address; None, and noted, where it is none."""
    sending = Sending.model_construct(
        params={}, headers=login.headers, body=login.body, form=login.form, method=login.method
    )
    outgoing = compile_sending(sending, PATH, frame.names)
    forms, take, check = _forms(login, frame), _take(login, frame), _check(login, frame)
    address = _address(login, url, frame)
    if address is None:
        return None
    login_ = _Login(login, address, url.secrets, outgoing, forms, take, check, frame)
    return LoginPlan(
        NAME,
        login_.first(),
        login_.submit if login.form is not None else None,
        login_.accept,
        lambda view: login_.form_on(view) is not None,
        login_.refuses,
        login_.is_login,
    )


def _address(login: Login, url: Template, frame: Frame) -> str | None:
    path = (*PATH, "url")
    if any(True for _ in url.slots("var")):
        frame.problems.error(path, "a variable with many values stands in it", "sign in at one address")
        return None
    address = absolute(url.text() or "")
    if address is None:
        frame.problems.error(path, f"{shown(login.url)} is no address", "write https://host/path")
    return address


@dataclass(frozen=True, slots=True)
class _Login:
    """The login of a spec, compiled."""

    login: Login
    url: str
    secrets: tuple[str, ...]
    outgoing: Outgoing
    forms: Found
    take: Callable[[View], tuple[FieldPlan, ...]]
    check: Callable[[View], bool] | None
    frame: Frame

    def first(self) -> Request:
        """The page with the form, or what takes the credentials."""
        outgoing = self.outgoing
        if self.login.form is not None:
            outgoing = replace(outgoing, method="GET", form=None)
        return self._request(outgoing.message(self.url, self.frame.may, secrets=self.secrets))

    def _request(self, message: Message, parent: str = "") -> Request:
        return Request(
            message.url,
            self.frame.canonical(message.url),
            method=message.method,
            headers=message.headers,
            body=message.body,
            purpose="login",
            via=NAME,
            parent=parent,
            secrets=message.secrets,
        )

    def submit(self, response: Response) -> Request:
        """The request that sends the form, filled in."""
        view = self._view(response)
        form = self.form_on(view, whole=False)
        sent = None if form is None else entered(form)
        if sent is None:
            wanted = self.login.css or "form with a password input"
            raise LoginError(f"there is no {wanted} on {response.url} ({response.status})", "look at login.css")
        names = [name for name, _ in self.outgoing.form or ()]
        if lost := [name for name in names if name not in sent.names]:
            known = ", ".join(sorted(sent.names)) or "no fields"
            raise LoginError(
                f"the login form on {response.url} has no field {lost[0]}; it has {known}", "mend login.form"
            )
        if self.login.method is not None:
            sent = replace(sent, method="POST" if self.login.method != "GET" else "GET")
        url = join(view.document.base, sent.action) if sent.action else response.url
        if url is None:
            raise LoginError(f"the login form on {response.url} leads to {sent.action!r}, which is no address")
        message = self.outgoing.message(url, self.frame.may, sent=sent)
        if not set(self.outgoing.secrets).issubset(message.secrets):
            raise LoginError(f"the login form leads to {url}, which must not get the secrets", "name it in site.hosts")
        return self._request(message, response.url)

    def accept(self, response: Response) -> Mapping[str, str]:
        """The values to take, once the answer is judged as good."""
        if not 200 <= response.status < 300:
            raise LoginError(f"signing in was answered {response.status} by {response.url}", "check user and password")
        view = self._view(response)
        if self.check is not None:
            if not self.check(view):
                said = f"the check found nothing on {response.url} after signing in"
                raise LoginError(said, "check user and password, and login.check")
        elif self.login.form is not None and self.form_on(view) is not None:
            said = f"{response.url} shows the login form again after signing in"
            raise LoginError(said, "check user and password; login.check can say better what must be there")
        taken = {}
        for field in self.take(view):
            value = field.read(view.top)
            if missing(value):
                raise LoginError(f"{field.path} found nothing on {response.url}", "look at what the login answers")
            taken[LOGIN + field.name] = value if isinstance(value, str) else json_text(value)
        return taken

    def form_on(self, view: View, *, whole: bool = True) -> Any:
        """The login form on a page; None where there is none. `whole`: with all the fields that are filled in."""
        names = {name for name, _ in self.outgoing.form or ()} if whole else set()
        if self.login.form is None or view.document.format != "html":
            return None
        found = (form for form in self.forms(view) if getattr(form, "tag", None) == "form")
        return next((form for form in found if names.issubset(c.get("name") for c in controls(form))), None)

    def refuses(self, response: Response) -> bool:
        """Whether the answer holds the login form."""
        try:
            return self.login.form is not None and self.form_on(self._view(response)) is not None
        except LoginError:
            return False

    def is_login(self, url: str) -> bool:
        """Whether it is the address of the login page."""
        return self.frame.canonical(url).partition("?")[0] == self.frame.canonical(self.url).partition("?")[0]

    def _view(self, response: Response) -> View:
        json = media_type(response).endswith("json") or response.body.lstrip()[:1] in (b"{", b"[")
        parse: Parse = (json_parser if json else html_parser)(self.frame.spec.site.encoding)
        try:
            document = parse(response)
        except ParseError as error:
            raise LoginError(f"{response.url} cannot be read: {error.what}") from error
        return View(document, response.request, Tally(), Secrets(), self.frame.names.now)


def _forms(login: Login, frame: Frame) -> Found:
    """The forms of a page that may be the one."""
    if login.css is None:
        return lambda view: (form for form in view.document.tree.iter("form") if _asks_password(form))
    find = compile_selector(Selector(css=login.css), (), spot_of("html"), PATH, _bench(frame, frame.problems)).find
    return lambda view: nodes(find(view.top, view.document.tree))


def _asks_password(form: Any) -> bool:
    return any(str(control.get("type", "")).lower() == "password" for control in controls(form))


def _take(login: Login, frame: Frame) -> Callable[[View], tuple[FieldPlan, ...]]:
    return _on_both(lambda spot, bench: compile_fields(login.take, spot, (*PATH, "take"), bench), frame)


def _check(login: Login, frame: Frame) -> Callable[[View], bool] | None:
    check = login.check
    if check is None:
        return None
    finds = _on_both(lambda spot, bench: compile_selector(check, check.any, spot, (*PATH, "check"), bench).find, frame)

    def holds(view: View) -> bool:
        return any(found is not False and found != "" for found in nodes(finds(view)(view.top, view.document.tree)))

    return holds


def _on_both(make: Callable[[Spot, Bench], T], frame: Frame) -> Callable[[View], T]:
    """What is made for HTML and for JSON: bare texts mean another language there. One of them must be right."""
    made: dict[str, T] = {}
    wrong: dict[str, Problems] = {}
    for form in ("html", "json"):
        problems = Problems(frame.problems.locate)
        made[form] = make(spot_of(form), _bench(frame, problems))
        if problems.found:
            wrong[form] = problems
    if len(wrong) == len(made):
        frame.problems.found += wrong["html"].found
    return lambda view: made[view.document.format]


def _bench(frame: Frame, problems: Problems) -> Bench:
    return Bench(problems, frame.names, "", drop=frame.drop, locale=frame.spec.site.locale)
