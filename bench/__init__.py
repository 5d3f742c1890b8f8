"""What is measured and shown: not part of the package."""
