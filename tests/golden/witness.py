"""Every file that the shipped models give, in every method, constraint form, stabilization and precision.

    python tests/golden/witness.py > before.txt             SHA-256 and name of each file, in the same order every time
    python tests/golden/witness.py --write before/          the files themselves, to be compared with `diff -r`
    python tests/golden/witness.py --against before.txt     what is new, gone or other than listed; exit code 1 then

A change that is meant to keep what is emitted is measured with it: make the list before the first change and compare.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path

import eomc
from eomc.backends.report import FORMATS, render_equations
from eomc.derivation.options import CONSTRAINTS, STABILIZATIONS
from eomc.errors import EomcError
from eomc.frontends.loading import shipped_models
from eomc.model.model import Model


def settings(model: Model) -> Iterator[tuple[str, str, str]]:
    """Yield method, constraint form and stabilization; a model without constraints has one form, and no drift."""
    constrained = model.is_constrained
    for method in model.methods:
        for form in CONSTRAINTS if constrained else CONSTRAINTS[:1]:
            for stabilization in STABILIZATIONS if constrained else STABILIZATIONS[:1]:
                yield method, form, stabilization


def files(name: str) -> Iterator[tuple[str, str]]:
    """Yield path and text of all files of a shipped model, or the sentence that refuses a setting."""
    model = eomc.load(name)
    for method, form, stabilization in settings(model):
        for functions in (None, "all"):
            for real in ("double", "float") if functions else ("double",):
                place = f"{name}/{method}/{form}/{stabilization}/{'all' if functions else 'usual'}/{real}"
                try:
                    build = eomc.compile(
                        model, method, real=real, constraints=form, stabilization=stabilization, functions=functions
                    )
                except EomcError as error:
                    yield f"{place}/refused.txt", str(error)
                    continue
                for artifact in build.artifacts:
                    yield f"{place}/{artifact.path}", artifact.text
                if functions is None:
                    for format in FORMATS:
                        yield f"{place}/report.{format}", render_equations(build, format)


def main() -> int:
    """List, write or compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", help="all shipped ones by default")
    parser.add_argument("--write", type=Path, metavar="DIR", help="write the files below this folder, too")
    parser.add_argument("--against", type=Path, metavar="LIST", help="print what differs from an earlier list")
    options = parser.parse_args()
    found = {}
    for name in options.models or shipped_models():
        for path, text in files(name):
            found[path] = hashlib.sha256(text.encode()).hexdigest()
            if options.against is None:
                print(found[path], path, flush=True)
            if options.write is not None:
                target = options.write / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(text, encoding="utf-8")
    if options.against is None:
        return 0
    lines = options.against.read_text(encoding="utf-8").splitlines()
    before = {path: digest for digest, path in (line.split(" ", 1) for line in lines)}
    if options.models:
        before = {path: digest for path, digest in before.items() if path.split("/")[0] in options.models}
    for path in sorted(before.keys() | found.keys()):
        if before.get(path) != found.get(path):
            print("gone" if path not in found else "new" if path not in before else "differs", path)
    return int(before != found)


if __name__ == "__main__":
    sys.exit(main())
