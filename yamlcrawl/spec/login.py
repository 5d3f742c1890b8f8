"""Signing in, before the first page and whenever the session is lost."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field as Option
from pydantic import model_validator

from yamlcrawl.options import Expression, Named, Options, Text, Wrong, one_of
from yamlcrawl.spec.items import Field
from yamlcrawl.spec.names import Fields
from yamlcrawl.spec.selectors import Selector
from yamlcrawl.spec.sending import Body, Headers
from yamlcrawl.spec.start import StartUrl


class Login(Options):
    """How to sign in: the page with the form, or the address that takes the credentials."""

    url: StartUrl = Option(
        description="The page with the login form; with `body`, what that is sent to; with neither, it is only read.",
        examples=["https://portal.example/login"],
    )
    css: Expression | None = Option(
        None, description="The form on that page; default: the one with a password input.", examples=["form#login"]
    )
    form: Named[Text] | None = Option(
        None,
        description="Values of the form, over its own hidden and preset ones.",
        examples=[{"user": "${env.PORTAL_USER}", "password": "${env.PORTAL_PASSWORD}"}],
    )
    body: Body = Option(None, description="A mapping is sent as JSON, a text as it is, to `url`.")
    method: Annotated[str, *one_of("GET", "POST", "PUT")] | None = Option(
        None, description="The HTTP method of that request; default: the form's own, `POST` with `body`, else `GET`."
    )
    headers: Headers = Option({}, description="Headers of these requests, besides those of `site`.")
    take: Fields[Field] = Option(
        {},
        description="Values of the answer, such as a token; `${login.name}` may stand in headers, cookies, params, "
        "form and leaves of body. A bare text is JMESPath where the answer is JSON, else CSS.",
        examples=[{"token": "access_token"}],
    )
    check: Selector | None = Option(
        None,
        description="What must be there afterwards; a failed check stops the run (exit 3).",
        examples=['a[href="/logout"]'],
    )

    @model_validator(mode="after")
    def _together(self) -> Login:
        if self.body is not None and self.form is not None:
            raise Wrong("body and form stand in one login", "keep one of them", ("form",))
        if self.css is not None and self.form is None:
            raise Wrong("css names a form, and nothing is filled in", "add form: {…}, or drop css", ("css",))
        if self.method == "GET" and self.body is not None:
            raise Wrong("a GET request sends no body", "drop method", ("method",))
        for name, field in self.take.items():
            if not name.isidentifier():
                fix = "use letters, digits and _"
                raise Wrong(f'"{name}" cannot be named as ${{login.{name}}}', fix, ("take", name))
            if field.wants_file:
                raise Wrong("a file belongs to an item", "say another type", ("take", name, "type"))
            if field.has_value or field.from_ in ("outer", "before"):
                raise Wrong("take reads the answer of the login", "say css, xpath or json", ("take", name))
        return self
