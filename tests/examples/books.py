"""Three books on two pages, one of them without a number."""

OUTPUT = "books.csv"


def _tile(name: str, price: str) -> str:
    return (
        f'<article class="product_pod"><h3><a href="{name}.html">…</a></h3><p class="price_color">{price}</p></article>'
    )


def _book(title: str, upc: str, stock: str, tags: str) -> str:
    row = f"<tr><th>UPC</th><td>{upc}</td></tr>" if upc else ""
    return f"{title}<table>{row}<tr><th>Tax</th><td>none</td></tr></table><p class=availability>{stock}</p>{tags}"


PAGES = {
    "/": _tile("one", "£51.77") + _tile("two", "£1,053.74") + '<li class="next"><a href="page-2.html">next</a></li>',
    "/page-2.html": _tile("three", "£17.00") + '<li class="next"><a></a></li>',
    "/one.html": _book(
        "<h1>One</h1>", "a897fe39b1053632", "In stock (22 available)", "<i class=tag>Poetry</i> <i class=tag>New</i>"
    ),
    "/two.html": _book("<h1>Cover</h1><h1 class=title>Two, or more</h1>", "90fa61229261140a", "In stock", ""),
    "/three.html": _book("<h1>Three</h1>", "", "In stock (1 available)", ""),
}

ROWS = [
    {
        "list_price": "1053.74",
        "url": "{site}/two.html",
        "upc": "90fa61229261140a",
        "title": "Two, or more",
        "tags": "[]",
        "stock": "",
    },
    {
        "list_price": "51.77",
        "url": "{site}/one.html",
        "upc": "a897fe39b1053632",
        "title": "One",
        "tags": '["Poetry", "New"]',
        "stock": "22",
    },
]
