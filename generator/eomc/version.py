"""The version, as people ask for it and as emitted files state it."""

__version__ = "0.1.0"
