"""Stores for what is left to fetch, seen, due and undelivered: all keep the promises of `model.frontier.Frontier`."""
