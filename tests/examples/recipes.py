"""Recipes in JSON-LD, microdata and RDFa, and one without any."""

import json

OUTPUT = "recipes.json"

_GRAPH = {
    "@context": "https://schema.org",
    "@graph": [
        {
            "@type": ["Recipe", "NewsArticle"],
            "name": "<b>Soup</b>",
            "author": {"@id": "#maud"},
            "image": [{"@type": "ImageObject", "url": "/soup.png"}],
            "recipeYield": ["4", "4 servings"],
            "prepTime": "PT5M",
            "cookTime": "PT1H30M",
            "totalTime": "PT95M",
            "recipeIngredient": ["1.5 l water", "2 tbsp salt"],
            "recipeInstructions": [
                {"@type": "HowToSection", "itemListElement": [{"@type": "HowToStep", "text": "Boil &amp; stir."}]},
                {"@type": "HowToStep", "text": "<i>Salt.</i>"},
            ],
        },
        {"@type": "Person", "@id": "#maud", "name": "Maud"},
    ],
}

PAGES = {
    "/": "<main>" + "".join(f"<a rel=recipe href=/{name}>{name}</a>" for name in ("soup", "cake", "tea", "toast")),
    "/soup": (
        '<html lang=en><meta property="og:site_name" content="Kitchen"><meta property="og:title" content="Our soup">'
        '<script type="application/ld+json">{"@type": "Recipe", "name": </script>'
        f'<script type="application/ld+json">{json.dumps(_GRAPH)}</script><h1>Kitchen</h1>'
    ),
    "/cake": (
        '<html lang=de><link rel=canonical href="/recipes/cake"><h1>Kitchen</h1>'
        '<div itemscope itemtype="http://schema.org/Recipe">'
        "<h2 itemprop=name>Cake</h2><img itemprop=image src=cake.png>"
        '<b itemprop=author itemscope itemtype="http://schema.org/Person"><i itemprop=name>Rosa</i></b>'
        "<b itemprop=recipeYield>1</b><time itemprop=cookTime datetime=PT1H>an hour</time>"
        "<ul><li itemprop=ingredients>flour<li itemprop=ingredients>eggs</ul><p itemprop=recipeInstructions>Bake."
    ),
    "/tea": (
        '<div vocab="https://schema.org/" typeof=Recipe><h1 property=name>Tea</h1><b property=recipeYield>2 cups</b>'
        "<i property=author typeof=Person><b property=name>Jo</b></i>"
        "<i property=author typeof=Person><b property=name>Al</b></i>"
        "<ul><li property=recipeIngredient>tea</ul><p property=recipeInstructions>Brew.</div>"
    ),
    "/toast": (
        '<meta property="og:image" content="http://cdn.test/toast.png"><h1>Toast</h1><p>Serves 1</p>'
        "<h2>Ingredients</h2><div><ul><li>bread<li>butter</ul></div><h2>Directions</h2><ol><li>Toast.<li>Spread.</ol>"
    ),
}


def _recipe(url: str, name: str, **more: object) -> dict[str, object]:
    missing = dict.fromkeys("site language name author image yield prep_time cook_time total_time".split())
    return {"url": "{site}" + url, **missing, "name": name, **more}


ROWS = [
    _recipe(
        "/recipes/cake",
        "Cake",
        language="de",
        author="Rosa",
        image="{site}/cake.png",
        **{"yield": "1"},
        cook_time=60,
        ingredients=["flour", "eggs"],
        steps=["Bake."],
    ),
    _recipe(
        "/soup",
        "Soup",
        site="Kitchen",
        language="en",
        author="Maud",
        image="{site}/soup.png",
        **{"yield": "4 servings"},
        prep_time=5,
        cook_time=90,
        total_time=95,
        ingredients=["1.5 l water", "2 tbsp salt"],
        steps=["Boil & stir.", "Salt."],
    ),
    _recipe("/tea", "Tea", author="Jo", **{"yield": "2 cups"}, ingredients=["tea"], steps=["Brew."]),
    _recipe(
        "/toast",
        "Toast",
        image="http://cdn.test/toast.png",
        **{"yield": "Serves 1"},
        ingredients=["bread", "butter"],
        steps=["Toast.", "Spread."],
    ),
]
