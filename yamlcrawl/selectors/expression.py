"""What is wrong with an expression, found before the first request."""

from __future__ import annotations


class ExpressionError(ValueError):
    """The expression cannot be used: `what` says why, `fix` how to mend it."""

    def __init__(self, what: str, fix: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.fix = fix
