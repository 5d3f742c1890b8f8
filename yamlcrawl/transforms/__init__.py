"""Value to value, by subject: pure functions."""
