"""A whole spec: its top level, and the checks that span several of its keys."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import Field as Option
from pydantic import model_validator

from yamlcrawl.options import EMPTY, Filled, Later, Listed, Options, Several, Written, Wrong, nearest, shape
from yamlcrawl.spec.expect import OF_RUN, RUN, Expected
from yamlcrawl.spec.limits import Limits
from yamlcrawl.spec.login import Login
from yamlcrawl.spec.names import Kinds, SpecName
from yamlcrawl.spec.pages import Page
from yamlcrawl.spec.pipelines import Pipelines
from yamlcrawl.spec.site import Site
from yamlcrawl.spec.start import Start
from yamlcrawl.spec.tests import Test
from yamlcrawl.spec.variables import Var


class Spec(Options):
    """What a user wrote, checked."""

    name: SpecName = Option(description="Names the state folder and the default output.", examples=["books"])
    description: Filled | None = Option(None, description="One line about the crawl.")
    vars: Kinds[Var] = Option(
        {},
        description="Variables for templates; lists and ranges multiply the requests that use them.",
        examples=[{"year": "2015..2024", "country": ["de", "fr"]}],
    )
    site: Site = Option(Site(), description="Who we are, how fast, how stubborn.")
    limits: Limits = Option(Limits(), description="When to stop.")
    login: Login | None = Option(
        None, description="How to sign in, before the first page and whenever the session is lost."
    )
    start: Kinds[Listed[Start]] = Option(
        description="Start requests, by the kind of page they open.", examples=[{"listing": "https://shop.example/"}]
    )
    pages: Kinds[Page] = Option(description="The kinds of page.")
    pipelines: Pipelines | None = Option(
        None, description="Where items go; default: `<name>.jsonl`.", examples=["books.csv", ["-", "books.jsonl"]]
    )
    expect: Kinds[Expected] = Option(
        {},
        description="What a good run looks like, by item type, and under `run` for the whole; missing it is exit 2. "
        "Where nothing is said every item type must match, and no field may be empty in every item.",
        examples=[{"book": {"min": "900", "filled": {"price": "95%"}}, "run": {"errors": "1%"}}],
    )
    archive: Later = Option(None, description="Keep the fetched bytes.")
    tests: Listed[Test] = Option([], description="Saved pages and what they must give, for `yamlcrawl test`.")

    @model_validator(mode="before")
    @classmethod
    def _free_keys(cls, value: Any) -> Any:
        if isinstance(value, Mapping):
            return Written((key, inner) for key, inner in value.items() if not str(key).startswith("x-"))
        if value is None:
            raise EMPTY
        if isinstance(value, Options):
            return value
        raise Wrong(f"a spec is a mapping, and this is {shape(value)}", "begin with  name: …")

    @model_validator(mode="after")
    def _together(self) -> Spec:
        found = [*self._page_names(), *self._keys(), *self._item_types(), *self._expected(), *self._tests()]
        if found:
            raise Several(found)
        return self

    def _page_names(self) -> Iterator[Wrong]:
        kinds = list(self.pages)
        if not kinds:
            yield Wrong("the spec has no pages", "name at least one kind of page", ("pages",))
            return
        if not self.start:
            yield Wrong("the spec does not say where to begin", "write  start: {PAGE: https://…}", ("start",))
        used: list[tuple[str, ...]] = [("start", kind) for kind in self.start]
        used += [("pages", page, "follow", kind) for page, rules in self.pages.items() for kind in rules.follow]
        for path in used:
            if path[-1] not in self.pages:
                fix = nearest(path[-1], kinds) or f"add it to pages, or name one of: {', '.join(kinds)}"
                yield Wrong(f'there is no page kind "{path[-1]}"', fix, path, named=True)

    def carried(self, page: str) -> tuple[str, ...]:
        """The names that are carried to pages of the kind, by any way that leads to it."""
        starts = self.start.get(page, [])
        names = [name for start in starts for name in (*start.carry, *(start.columns or ()))]
        links = [link for rules in self.pages.values() for link in rules.follow.get(page, [])]
        names += [name for link in links for name in link.carry]
        if any(start.columns is None for start in starts):
            names += self._counted_on(page)
        return tuple(dict.fromkeys(names))

    def _counted_on(self, page: str) -> Iterator[str]:
        """The names that the rules of a page count on and do not give: columns of a file that cannot be read here."""
        for item, rule in self.pages[page].items.items():
            expected = self.expect.get(item)
            named = [*rule.key, *((*expected.filled, *expected.unique) if expected else ())]
            named += [name for test in self.tests if item in test.expect for name in test.expect[item].first]
            yield from (name for name in named if name not in rule.fields)
        yield from re.findall(r"\$\{carry\.([^}]+)\}", self.pages[page].model_dump_json())

    def _keys(self) -> Iterator[Wrong]:
        for kind, page in self.pages.items():
            for item, rule in page.items.items():
                known = [*self.carried(kind), *rule.fields]
                for i, name in enumerate(rule.key):
                    path = ("pages", kind, "items", item, "key", i)
                    if name not in known:
                        fix = nearest(name, known) or f"name one of: {', '.join(known)}"
                        yield Wrong(f'key names a field "{name}" that the item does not have', fix, path)

    def _item_types(self) -> Iterator[Wrong]:
        types = list(dict.fromkeys(item for page in self.pages.values() for item in page.items))
        for i, target in enumerate(self.pipelines or ()):
            for j, name in enumerate(target.items or ()):
                if name not in types:
                    fix = nearest(name, types) or (f"name one of: {', '.join(types)}" if types else "no page has items")
                    yield Wrong(f'no page gives items of type "{name}"', fix, ("pipelines", i, "items", j))

    def _tests(self) -> Iterator[Wrong]:
        files: dict[str, str] = {test.file: "a saved page" for test in self.tests}
        for i, test in enumerate(self.tests):
            if test.page not in self.pages:
                fix = nearest(test.page, list(self.pages)) or f"name one of: {', '.join(self.pages)}"
                yield Wrong(f'there is no page kind "{test.page}"', fix, ("tests", i, "page"))
                continue
            rules, carried = self.pages[test.page].items, self.carried(test.page)
            for item, gives in test.expect.items():
                at = ("tests", i, "expect", item)
                if item not in rules:
                    known = f"name one of: {', '.join(rules)}" if rules else "that kind of page has no items at all"
                    what = f'pages of the kind {test.page} give no items of type "{item}"'
                    yield Wrong(what, nearest(item, list(rules)) or known, at, named=True)
                    continue
                columns = list(dict.fromkeys([*carried, *rules[item].fields]))
                for name in gives.first:
                    if name not in columns:
                        fix = nearest(name, columns) or f"name one of: {', '.join(columns)}"
                        yield Wrong(f'{item} has no field "{name}"', fix, (*at, "first", name), named=True)
                if gives.items is not None:
                    if gives.items in files:
                        what = f"{gives.items} is {files[gives.items]} already"
                        yield Wrong(what, "give each its own file", (*at, "items"))
                    files[gives.items] = "the items file of another expectation"

    def _expected(self) -> Iterator[Wrong]:
        columns: dict[str, list[str]] = {}
        for kind, page in self.pages.items():
            for item, rule in page.items.items():
                columns.setdefault(item, []).extend([*self.carried(kind), *rule.fields])
        for name, expected in self.expect.items():
            wrong_place = [
                key for key in expected.model_fields_set if (key in OF_RUN) != (name == RUN) and key != "max_drop"
            ]
            for key in sorted(wrong_place):
                fix = f"put it under {'run' if key in OF_RUN else 'an item type'}"
                yield Wrong(f"{key} does not stand under {name}", fix, ("expect", name, key), named=True)
            if name == RUN:
                continue
            if name not in columns:
                fix = nearest(name, list(columns)) or (f"name one of: {', '.join(columns)}" if columns else "drop it")
                yield Wrong(f'no page gives items of type "{name}"', fix, ("expect", name), named=True)
                continue
            named: list[tuple[tuple[str | int, ...], str]] = [(("filled", f), f) for f in expected.filled]
            for way, field in [*named, *((("unique", n), f) for n, f in enumerate(expected.unique))]:
                if field not in columns[name]:
                    fix = nearest(field, columns[name]) or f"name one of: {', '.join(dict.fromkeys(columns[name]))}"
                    yield Wrong(f'{name} has no field "{field}"', fix, ("expect", name, *way))
