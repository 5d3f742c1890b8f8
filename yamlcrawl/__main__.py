"""``python -m yamlcrawl`` is ``yamlcrawl``."""

from yamlcrawl.cli import main

main()
