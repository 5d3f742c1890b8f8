"""Structured data: JSON-LD, microdata, RDFa, Open Graph and Dublin Core."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urljoin

from tests.commandline import CommandLine
from tests.conformance.suite import Suite, assert_conforms, rows_of
from tests.shared import FOLDER
from tests.site import Answer, Site

NODES = {"schema": "any", "fields": {"node": {"json": "@", "type": "json"}}}
METAS = {"each": "meta", "fields": {"property": "@property", "name": "@name", "content": "@content"}}
SCHEMA_ORG = ("http://schema.org/", "https://schema.org/")
NOT_OF_THE_PAGE = "http://www.w3.org/ns/rdfa#usesVocabulary"
"""What RDFa says about its own markup."""

METAS_OF = ", its meta elements"

Node = dict[str, Any]


def test_structured(site: Site, crawl: CommandLine) -> None:
    cases = {case["page"]: case for case in rows_of("structured/cases.jsonl")}
    suite = Suite(site, crawl, "structured")
    for page in cases:
        body = (FOLDER / "structured" / page).read_bytes()
        answer = Answer(body, headers=[("Content-Type", "text/html; charset=utf-8")])
        suite.add(page, answer, NODES, target=target(page))
        suite.add(page + METAS_OF, answer, METAS, target=target(page) + "?metas")
    found = suite.crawl_all()
    verdicts = {}
    for page, files in cases.items():
        address = site.url(target(page))
        nodes, metas = [row["node"] for row in found[page]], found[page + METAS_OF]
        ((kind, file),) = [(kind, file) for kind, file in files.items() if kind in HOLDS]
        expected = json.loads((FOLDER / "structured" / file).read_text("utf-8"), parse_float=str)
        verdicts[page] = HOLDS[kind](nodes, metas, expected, address)
    assert_conforms("structured", verdicts)


def target(page: str) -> str:
    """The pages lie beside each other, as relative addresses in them want it."""
    return "/" + page.replace("/", "-")


def json_ld(nodes: list[Node], _metas: list[Node], expected: Any, _address: str) -> bool:
    """The nodes of the scripts come first, without their contexts."""
    if isinstance(expected, dict):
        expected = [one for script in expected["items"] for one in script]
    wanted = [plain(one) for one in expected]
    rest = nodes[len(wanted) :]
    return nodes[: len(wanted)] == wanted and not any(node in wanted for node in rest)


def plain(value: Any) -> Any:
    """The JSON-LD without its contexts."""
    if isinstance(value, list):
        return [plain(one) for one in value]
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items() if name != "@context"}
    return value


def by_kind(nodes: list[Node], metas: list[Node], expected: Any, address: str) -> bool:
    """Microdata, Open Graph, or several syntaxes side by side."""
    if isinstance(expected, Mapping):
        said = [named(one) | {"@id": address} for one in expected["rdfa"]]
        (dublin_core,) = expected["dublincore"]
        return (
            nodes == [plain(one) for one in expected["json-ld"]] + said
            and expected["microdata"] == []
            and open_graph(metas, expected["opengraph"])
            and all(
                {"property": None, "name": one["name"], "content": one["content"]} in metas
                for one in dublin_core["elements"]
            )
        )
    if "namespace" in expected[0]:
        return open_graph(metas, expected)
    return len(nodes) == len(expected) and all(
        same(node, item, address) for node, item in zip(nodes, expected, strict=True)
    )


def same(value: Any, expected: Any, address: str) -> bool:
    """Whether a value of microdata is the expected one, which knows no address of the page."""
    if isinstance(expected, list):
        expected = expected[0] if len(expected) == 1 else expected
    if isinstance(expected, list):
        return isinstance(value, list) and all(same(*pair, address) for pair in zip(value, expected, strict=True))
    if isinstance(expected, dict):
        properties = dict(value)
        types = [expected["type"]] if isinstance(expected.get("type"), str) else expected.get("type", [])
        written = properties.pop("@type", [])
        return (
            (written if isinstance(written, list) else [written]) == [local(one) for one in types]
            and properties.keys() == expected["properties"].keys()
            and all(same(properties[name], one, address) for name, one in expected["properties"].items())
        )
    return bool(value in (expected, urljoin(address, expected), expected + "/"))


def local(name: str) -> str:
    """The name without schema.org before it."""
    return next((name.removeprefix(vocabulary) for vocabulary in SCHEMA_ORG if name.startswith(vocabulary)), name)


def open_graph(metas: list[Node], expected: list[Any]) -> bool:
    """Each property in its order; prefixes that the case does not know are left out of it."""
    (graph,) = expected
    prefixes = tuple(f"{prefix}:" for prefix in graph["namespace"])
    found = [[meta["property"], meta["content"]] for meta in metas if (meta["property"] or "").startswith(prefixes)]
    return found == graph["properties"]


def rdfa(nodes: list[Node], _metas: list[Node], expected: list[Node], address: str) -> bool:
    """Each node that is no other's value, whatever their order."""
    nodes = moved(
        nodes, {address: "http://www.example.com/index.html", urljoin(address, "/"): "http://www.example.com/"}
    )
    wanted = [named(one) for one in expected]
    inner = {}
    for node in wanted:
        name = node.get("@id", "")
        if name.startswith("_:") or "@type" in node:
            inner[name] = node
    used = set()
    for node in wanted:
        for name, value in node.items():
            if name[0] != "@" and isinstance(value, str) and value in inner:
                node[name] = inner[value]
                used.add(value)
    for name, node in inner.items():
        if name.startswith("_:"):
            del node["@id"]
    tops = [node for node in wanted if set(node) - {"@id"} and not any(node is inner[name] for name in used)]
    return len(nodes) == len(tops) and all(node in nodes for node in tops)


def moved(nodes: list[Node], places: Mapping[str, str]) -> list[Node]:
    """The nodes as if the page had been served somewhere else."""
    text = json.dumps(nodes)
    for here, there in places.items():
        text = text.replace(here, there)
    elsewhere: list[Node] = json.loads(text)
    return elsewhere


def named(expected: Node) -> Node:
    """An expanded node as yamlcrawl has nodes: plain names, single values, texts without their language."""
    node: Node = {"@id": expected["@id"]}
    for name, values in expected.items():
        if name not in ("@id", NOT_OF_THE_PAGE):
            several = [
                local(value) if isinstance(value, str) else value.get("@id", value.get("@value")) for value in values
            ]
            node[local(name)] = several[0] if len(several) == 1 else several
    return node


HOLDS: dict[str, Callable[[list[Node], list[Node], Any, str], bool]] = {
    "expected_json_ld": json_ld,
    "expected": by_kind,
    "expected_rdfa": rdfa,
}
