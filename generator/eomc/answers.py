"""Questions that a layer asks of those above it: it knows what to ask, and not who answers.

`eomc/__init__.py` runs before any module of the package and says where the answers are; a module that answers is
imported when it is first asked.
"""

from __future__ import annotations

import importlib
from typing import Any

ANSWERS: dict[str, tuple[str, str]] = {}  # question -> module and its function


def answered_by(**answers: tuple[str, str]) -> None:
    """Say which function answers each question, and its module."""
    ANSWERS.update(answers)


def ask(question: str, *given: Any) -> Any:
    """Return the answer to a question about something."""
    module, function = ANSWERS[question]
    return getattr(importlib.import_module(module), function)(*given)
