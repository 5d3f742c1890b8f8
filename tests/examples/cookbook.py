"""Three recipes that look a little different from each other."""

OUTPUT = "cookbook.json"


def _part(amount: str, unit: str, what: str) -> str:
    return f"<li><b class=amount>{amount}</b> <b class=unit>{unit}</b> <b class=what>{what}</b>"


PAGES = {
    "/": "<main><a rel=recipe href=/r/soup/>Soup</a> <a rel=recipe href=/r/cake>Cake</a> <a href=/about>us</a></main>",
    "/r/soup/": (
        "<meta name=author content=Maud><h1>Soup</h1><i class=badge>Vegan</i><i class=time>about 25 min</i>"
        "<p class=tags>winter, quick ,</p><ul class=ingredients>"
        + _part("1.5", "l", "water")
        + _part("2", "tablespoon", "salt")
        + _part("", "", "")
        + "</ul><div class=method>Boil.<br>Salt.<div class=advert>Buy pots!</div></div>"
    ),
    "/r/cake": (
        "<h1>Cake</h1><i class=byline>Baked by Rosa</i><i class=badge>With luck</i>"
        "<ul class=ingredients>" + _part("200", "g", "flour") + "</ul><p class=method>Bake.</p>"
    ),
}

ROWS = [
    {
        "slug": "cake",
        "name": "Cake",
        "author": "Rosa",
        "vegetarian": None,
        "minutes": None,
        "tags": None,
        "ingredients": [{"amount": 200, "unit": "g", "what": "flour"}],
        "method": "Bake.",
    },
    {
        "slug": "soup",
        "name": "Soup",
        "author": "Maud",
        "vegetarian": True,
        "minutes": 25,
        "tags": ["winter", "quick"],
        "ingredients": [
            {"amount": 1.5, "unit": "l", "what": "water"},
            {"amount": 2, "unit": "tbsp", "what": "salt"},
        ],
        "method": "Boil.\nSalt.",
    },
]
