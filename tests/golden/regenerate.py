"""Write generated/: the show-case and the golden files. ``make generated`` runs this."""

from __future__ import annotations

import shutil
from pathlib import Path

import eomc

FOLDER = Path(__file__).resolve().parents[2] / "generated"

# A rolling body with fewer speeds than coordinates, a dependent speed, one model in two forms of mechanics' equations.
MODELS = (
    ("rolling_disk", "kane"),
    ("chaplygin_sleigh", "kane"),
    ("double_pendulum", "lagrange"),
    ("spherical_pendulum", "hamilton"),
)

_HEAD = """\
# generated/

What eomc emits for a few models: `make generated` writes this folder, this page included, and `make golden` compares.
Each folder builds alone: `make -C generated/rolling_disk run`. Your own goes elsewhere: `eomc generate MODEL -o DIR`.

| model | | method | states | inputs | parameters | files |
|---|---|---|---|---|---|---|
"""


def emit() -> dict[str, str]:
    """Return path -> text of every file that belongs into generated/."""
    files = {}
    rows = []
    for name, method in MODELS:
        build = eomc.compile(eomc.load(name), method=method)
        for artifact in build.artifacts:
            files[f"{name}/{artifact.path}"] = artifact.text
        program = build.program
        cells = (
            f"[{name}]({name})",
            build.model.description,
            method,
            " ".join(f"`{state.name}`" for state in program.states),
            " ".join(f"`{one.name}`" for one in program.inputs) or "-",
            " ".join(f"`{one.name}`" for one in program.parameters),
            " ".join(f"[{artifact.path}]({name}/{artifact.path})" for artifact in build.artifacts),
        )
        rows.append(f"| {' | '.join(cells)} |\n")
    files["README.md"] = _HEAD + "".join(rows)
    return files


def main() -> None:
    """Replace the folder's contents."""
    files = emit()  # before anything is removed
    shutil.rmtree(FOLDER, ignore_errors=True)
    for path, text in files.items():
        target = FOLDER / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")
    print(f"{len(files)} files in {FOLDER.relative_to(Path.cwd()) if FOLDER.is_relative_to(Path.cwd()) else FOLDER}")


if __name__ == "__main__":
    main()
