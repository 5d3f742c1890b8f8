"""Structured data of HTML pages (JSON-LD, microdata, RDFa) as nodes of one form."""

from yamlcrawl.selectors.structured.jsonld import is_jsonld
from yamlcrawl.selectors.structured.lenient import BrokenError, read_lenient
from yamlcrawl.selectors.structured.page import Structured
from yamlcrawl.selectors.structured.vocabulary import wanted_types

__all__ = ["BrokenError", "Structured", "is_jsonld", "read_lenient", "wanted_types"]
