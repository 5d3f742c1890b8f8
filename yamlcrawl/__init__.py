"""A declarative crawler: a spec in YAML goes in, exact and durable items come out."""

__version__ = "0.1.0"
