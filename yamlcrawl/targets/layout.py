"""How rows become the bytes of a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from yamlcrawl.model.frontier import ItemRow


@dataclass(frozen=True, slots=True)
class Layout:
    """The bytes of a file: head, rows with something between them, tail."""

    row: Callable[[ItemRow], bytes]
    head: bytes = b""
    between: bytes = b""
    tail: bytes = b""
    empty: bytes | None = None
    """The whole file where there is no row, if that is not head and tail."""
    begins: Callable[[bytes], str] = lambda _start: ""
    """Why rows cannot be added to a file that starts so (its first 64 KiB); empty where they can."""

    def whole(self, rows: Iterable[ItemRow]) -> Iterator[bytes]:
        """The pieces of a file that holds these rows.

        >>> row = ItemRow(1, "book", "{}", "", 0.0)
        >>> array = Layout(lambda row: row.text.encode(), b"[", b",", b"]")
        >>> b"".join(array.whole([row, row])), b"".join(array.whole([]))
        (b'[{},{}]', b'[]')
        """
        rows = iter(rows)
        first = next(rows, None)
        if first is None:
            yield self.head + self.tail if self.empty is None else self.empty
            return
        yield self.head + self.row(first)
        for row in rows:
            yield self.between + self.row(row)
        yield self.tail


def json_bytes(text: str) -> bytes:
    """The text in UTF-8; half a surrogate pair, which has no UTF-8, becomes the JSON escape that means it."""
    return text.encode("utf-8", "backslashreplace")
