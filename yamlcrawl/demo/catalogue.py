"""What the demo shop sells, and what people say about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Review(NamedTuple):
    """What one customer wrote."""

    id: int
    sku: str
    author: str
    stars: int
    text: str


@dataclass(frozen=True, slots=True)
class Product:
    """One thing on a shelf."""

    sku: str
    name: str
    category: str
    price: str
    """As the page shows it: ``€ 12.50``, or words where there is no price."""
    before: str
    """The price before a reduction; empty where there is none."""
    stock: int
    tags: tuple[str, ...]
    text: str

    @property
    def path(self) -> str:
        """Where its page is."""
        return f"/product/{self.sku}"

    @property
    def reviews(self) -> tuple[Review, ...]:
        """What was written about it; the same at every call."""
        number = int(self.sku[1:])
        first = number * 10
        return tuple(
            Review(
                first + i,
                self.sku,
                _AUTHORS[(number + i) % len(_AUTHORS)],
                5 - (number * 3 + i * 2) % 4,
                _VOICES[(number * 5 + i) % len(_VOICES)],
            )
            for i in range(number % 6)
        )


CATEGORIES = {"cups": "Cups", "pots": "Pots", "tea": "Tea", "sweets": "Sweets"}
"""Path of each category to its name."""

_AUTHORS = ("Ines", "Jürgen", "Maud", "Ōe", "Pál", "Rosa", "Søren")
_VOICES = (
    "Just as in the picture.",
    "A present; it was liked.",
    "Smaller than I thought, but good.",
    "I have bought it twice.",
    "It came with a crack and was replaced at once.",
    "“Lovely”, says my mother.",
)

_SHELVES = """
cups   | Breakfast bowl     | € 9.80     |         | 14 | stoneware blue    | Holds half a litre; a spoon stands in it.
cups   | Espresso cup       | € 6.50     | € 7.90  | 40 | porcelain small   | Thick walls, so the coffee stays warm.
cups   | Glass with handle  | € 5.20     |         | 0  | glass             | For mint tea; you see the leaves.
cups   | Mug, tall          | € 11.00    |         | 7  | stoneware grey    | For those who forget their tea.
cups   | Mug, travelling    | € 24.90    | € 29.90 | 3  | steel lid         | Closes tight & fits a bicycle's holder.
cups   | Tasting cup        | € 4.40     |         | 55 | porcelain small   | What the tea merchant drinks from.
cups   | Yunomi             | € 18.00    |         | 5  | stoneware green   | Japanese, without a handle, no two alike.
pots   | Iron kettle        | € 79.00    |         | 2  | iron heavy        | Needs care: dry it after each use.
pots   | Kyusu              | € 46.00    | € 52.00 | 4  | clay handmade     | The handle is on the right-hand side.
pots   | Left-handed kyusu  | € 49.00    |         | 1  | clay handmade     | The handle is on the other side.
pots   | Glass pot, 1 l     | € 21.50    |         | 11 | glass             | With a strainer of steel.
pots   | Samovar            | on request |         | 0  | brass heavy       | We order it for you; ask for the price.
pots   | Tin pot            | € 8.90     |         | 23 | tin camping       | Light, dented soon, loved for that.
tea    | Assam, 100 g       | € 6.90     |         | 60 | black strong      | Takes milk well.
tea    | Camomile, 50 g     | € 3.90     |         | 31 | herbs             | From one field, whole flowers.
tea    | Darjeeling, 100 g  | € 12.40    | € 14.80 | 18 | black first-flush | Spring harvest; three minutes will do.
tea    | Gyokuro, 50 g      | € 28.00    |         | 6  | green shaded      | At 55 °C, not hotter.
tea    | Lapsang, 100 g     | € 8.20     |         | 12 | black smoked      | Smells of a camp fire.
tea    | Mint, 50 g         | € 3.60     |         | 44 | herbs             | Dried in the shade.
tea    | Pu-erh cake, 357 g | € 1,240.00 |         | 1  | dark aged         | Pressed in 1998; rounder every year.
tea    | Rooibos, 250 g     | € 5.70     |         | 27 | herbs red         | No caffeine.
tea    | Sencha, 100 g      | € 9.90     |         | 33 | green             | For every day.
sweets | Candied ginger     | € 4.80     |         | 20 | ginger hot        | Sharp, then sweet.
sweets | Oat biscuits       | € 3.20     | € 3.90  | 65 | biscuit           | They break when dipped; we have tried.
sweets | Rock sugar, 500 g  | € 2.90     |         | 80 | sugar             | Crackles in hot tea.
"""


def _product(number: int, line: str) -> Product:
    category, name, price, before, stock, tags, text = (cell.strip() for cell in line.split("|"))
    return Product(f"p{number:02}", name, category, price, before, int(stock), tuple(tags.split()), text)


PRODUCTS = tuple(_product(n, line) for n, line in enumerate(_SHELVES.strip().splitlines(), start=1))
BY_SKU = {product.sku: product for product in PRODUCTS}
