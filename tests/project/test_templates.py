"""Templates and the code that uses them know each other."""

from __future__ import annotations

import ast
import re
from fnmatch import fnmatch
from pathlib import Path

import jinja2
import jinja2.meta

from eomc.backends.c99.kernels import KERNELS, kernel_templates
from eomc.backends.c99.mathematics import OWN_FUNCTIONS
from eomc.targets import TARGETS

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = ROOT / "templates"


def test_every_template_is_used() -> None:
    """No template that neither the code nor another template names; none named that is not there."""
    there = {str(path.relative_to(TEMPLATES)) for path in TEMPLATES.rglob("*.jinja")}
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "generator" / "eomc").rglob("*.py")]
    literals = {
        node.value
        for source in sources
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    named = {literal for literal in literals if literal.endswith(".jinja") and not literal.startswith(".")}
    named |= {f"c99/kernels/{name}.c.jinja" for name in kernel_templates(KERNELS.values())}
    named |= {f"c99/mathematics/{record.template or name}.c.jinja" for name, record in OWN_FUNCTIONS.items()}
    named |= {f"c99/targets/ports/{row.port}.c.jinja" for row in TARGETS}
    named |= {f"c99/targets/ports/{row.port}.ld.jinja" for row in TARGETS if row.memory}
    environment = jinja2.Environment()
    for path in TEMPLATES.rglob("*.jinja"):
        tree = environment.parse(path.read_text(encoding="utf-8"))
        named |= {reference for reference in jinja2.meta.find_referenced_templates(tree) if reference}
    assert there == named


def test_only_templates_and_their_explanation_lie_there() -> None:
    """The folder holds Jinja and README.md, nothing else."""
    others = {path.name for path in TEMPLATES.rglob("*") if path.is_file() and path.suffix != ".jinja"}
    assert others == {"README.md"}


def test_each_template_is_explained() -> None:
    """templates/README.md speaks of every template."""
    text = (TEMPLATES / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"`([\w./*]+\.jinja)`", text)  # one row speaks of all kernels, one of own functions
    there = [str(path.relative_to(TEMPLATES)) for path in TEMPLATES.rglob("*.jinja")]
    assert [path for path in there if not any(fnmatch(path, row) for row in rows)] == []
