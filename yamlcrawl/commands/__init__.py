"""The commands, a file each: read the flags, call a verb, print, give the exit code."""
