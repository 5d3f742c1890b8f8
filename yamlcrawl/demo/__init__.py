"""A small shop that ships with yamlcrawl: its pages, a server for them, and the spec that crawls it."""
