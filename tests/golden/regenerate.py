"""Write generated/, show-case and golden files, and the emitted C in README.md. ``make generated`` runs this."""

from __future__ import annotations

import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

import eomc

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "generated"
README = ROOT / "README.md"

# A rolling body with fewer speeds than coordinates, a dependent speed, one model in two forms of mechanics' equations,
# several states side by side with own mathematics.
MODELS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("rolling_disk", "kane", {}),
    ("chaplygin_sleigh", "kane", {}),
    ("double_pendulum", "lagrange", {}),
    ("spherical_pendulum", "hamilton", {}),
    ("cart_pole", "kane", {"functions": ["step_lanes"], "math": "strict"}),
)

_HEAD = """\
# generated/

What eomc emits for a few models: `make generated` writes this folder, this page included, and `make golden` compares.
Each folder builds alone: `make -C generated/rolling_disk run`. Your own goes elsewhere: `eomc generate MODEL -o DIR`.

| model | | method | options | states | inputs | parameters | files |
|---|---|---|---|---|---|---|---|
"""


def emit() -> dict[str, str]:
    """Return path -> text of every file that belongs into generated/."""
    files = {}
    rows = []
    for name, method, options in MODELS:
        build = eomc.compile(eomc.load(name), method=method, **options)
        for artifact in build.artifacts:
            files[f"{name}/{artifact.path}"] = artifact.text
        program = build.program
        cells = (
            f"[{name}]({name})",
            build.model.description,
            method,
            " ".join(f"`{key}={''.join(value)}`" for key, value in options.items()) or "-",
            " ".join(f"`{state.name}`" for state in program.states),
            " ".join(f"`{one.name}`" for one in program.inputs) or "-",
            " ".join(f"`{one.name}`" for one in program.parameters),
            " ".join(f"[{artifact.path}]({name}/{artifact.path})" for artifact in build.artifacts),
        )
        rows.append(f"| {' | '.join(cells)} |\n")
    files["README.md"] = _HEAD + "".join(rows)
    return files


def readme() -> str:
    """Return README.md with the C that its own example makes."""
    text = README.read_text(encoding="utf-8")
    example = re.search(r"^```python\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    assert example is not None
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "bead.py")
        file.write_text(example[1], encoding="utf-8")
        artifacts = eomc.compile(eomc.load(file)).artifacts
    (source,) = (artifact.text for artifact in artifacts if artifact.kind == "source")
    body = re.search(
        r"^static REAL_INLINE bead_on_rod_status derivative\(.*?^}$", source, flags=re.MULTILINE | re.DOTALL
    )
    assert body is not None
    return re.sub(
        r"(?<=<!-- emitted C: begin -->\n).*?(?=<!-- emitted C: end -->)",
        lambda _: f"```c\n{body[0]}\n```\n",
        text,
        flags=re.DOTALL,
    )


def main() -> None:
    """Replace the folder's contents."""
    files = emit()  # before anything is removed
    README.write_text(readme(), encoding="utf-8", newline="\n")
    shutil.rmtree(FOLDER, ignore_errors=True)
    for path, text in files.items():
        target = FOLDER / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")
    print(f"{len(files)} files in {FOLDER.relative_to(Path.cwd()) if FOLDER.is_relative_to(Path.cwd()) else FOLDER}")


if __name__ == "__main__":
    main()
