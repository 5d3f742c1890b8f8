"""From a node to what an expression finds there; each language is a file and knows nothing of the others' pages."""

from yamlcrawl.selectors.expression import ExpressionError

__all__ = ["ExpressionError"]
