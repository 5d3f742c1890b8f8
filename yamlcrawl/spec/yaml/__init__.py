"""YAML as specs use it: text to a tree in which every key and value knows its place."""
