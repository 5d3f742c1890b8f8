"""What the examples in specs/ crawl: a module each, with the pages of its site and the rows that must come out."""
