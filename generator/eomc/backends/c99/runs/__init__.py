"""Runs in C: `schemes.py` makes their view, `files.py` their files, a module each what a kind of scheme places."""
