"""Bytes to documents, by format."""
