"""Structured data of HTML pages (JSON-LD, microdata, RDFa) as nodes of one form."""

from yamlcrawl.selectors.structured.page import Structured
from yamlcrawl.selectors.structured.vocabulary import ANY, wanted_types

__all__ = ["ANY", "Structured", "wanted_types"]
