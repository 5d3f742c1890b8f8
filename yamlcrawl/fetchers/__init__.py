"""Requests to answers."""

from yamlcrawl.fetchers.cookies import Jar
from yamlcrawl.fetchers.http import HttpFetcher, open_jar

__all__ = ["HttpFetcher", "Jar", "open_jar"]
