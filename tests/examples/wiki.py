"""Two articles that link to each other, to pages that are no articles, and to places outside the pattern."""

OUTPUT = "wiki.jsonl"

_MAIN = (
    "<title>Main – Wiki</title><h1>Main</h1><a href=/wiki/Nowhere>not content</a>"
    "<div id=content><p>All about <a href=/wiki/Tea#history>tea</a>.</p><h2>See</h2>"
    "<a href=/wiki/Talk:Main>talk</a> <a href='/wiki/Main?action=edit'>edit</a> <a href=/static/a.png>image</a></div>"
)
_TEA = "<title>Tea</title><div id=content><p>A leaf.</p><h2>History</h2><h2>Use</h2><a href=Main>back</a></div>"

PAGES = {"/wiki/Main": _MAIN, "/wiki/Tea": _TEA}

ROWS = [
    {
        "url": "{site}/wiki/Main",
        "title": "Main",
        "summary": "All about tea.",
        "sections": ["See"],
        "links": [
            "{site}/wiki/Tea",
            "{site}/wiki/Talk:Main",
            "{site}/wiki/Main?action=edit",
            "{site}/static/a.png",
        ],
        "size": len(_MAIN.encode()),
    },
    {
        "url": "{site}/wiki/Tea",
        "title": "Tea",
        "summary": "A leaf.",
        "sections": ["History", "Use"],
        "links": ["{site}/wiki/Main"],
        "size": len(_TEA.encode()),
    },
]
