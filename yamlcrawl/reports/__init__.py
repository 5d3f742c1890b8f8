"""A run told: problems before it, progress during it, the report after it."""
