"""A CSV as rules see it: a row after the other, its cells under their headings."""

from __future__ import annotations

from yamlcrawl.compiler.spots import Spot
from yamlcrawl.model.plan import Place
from yamlcrawl.selectors.table import Columns, Row


def rows_of_sheet(place: Place) -> list[Place]:
    """A place for each data row."""
    headings, *rows = place.view.document.tree or [[]]
    columns = Columns(tuple(" ".join(heading.split()) for heading in headings))
    return [Place(place.view, row, row=Row(row, tuple(row), columns)) for row in rows]


def row_spot(sheet: Spot) -> Spot:
    """Where the fields of a row stand."""
    return Spot("row", inside=True, top=sheet.top, table=True)
