"""The project's Makefile explains itself."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

TARGETS = "demo test install lint type format golden generated wheel bench docs clean ci".split()


def test_make_prints_help(root: Path) -> None:
    """`make` alone lists every target with a sentence, and runs nothing."""
    done = subprocess.run(["make", "--no-print-directory"], cwd=root, capture_output=True, text=True, check=True)
    lines = dict(re.findall(r"^  make (\w+) +(\S.*)$", done.stdout, flags=re.MULTILINE))
    assert set(TARGETS) <= set(lines)


def test_every_target_is_phony_and_explained(root: Path) -> None:
    """No target without a line of help, none that a file of its name would hide."""
    text = (root / "Makefile").read_text(encoding="utf-8")
    named = set(re.findall(r"^([a-z]+):", text, flags=re.MULTILINE))
    explained = set(re.findall(r"^([a-z]+):.*## ", text, flags=re.MULTILINE))
    phony = set(re.search(r"^\.PHONY: (.*)$", text, flags=re.MULTILINE).group(1).split())
    assert named == explained == phony


def test_the_first_lines_say_what_it_is_not(root: Path) -> None:
    """Nobody takes it for the Makefile of emitted code."""
    head = (root / "Makefile").read_text(encoding="utf-8").splitlines()[:3]
    assert all(line.startswith("#") for line in head[:2])
    assert "Not the Makefile of emitted code" in "\n".join(head)
