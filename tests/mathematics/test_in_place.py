"""What loops over lanes call stands in them, also at -O2, where compilers leave what is long as a call."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from harness import COMPILERS, STRICT, TYPES

from eomc.backends.c99.cores import CORES
from eomc.backends.c99.mathematics import INCLUDES, OWN_FUNCTIONS, own_text

_ALONE = [record for record in CORES.values() if record.core and record.core != f"real_{record.name}"]
_USES = 4  # loops over each: of what is called once a compiler leaves no call


def _loops(precision: str) -> str:
    """Return functions with several loops over every core, and nothing that calls another function."""
    parts = [f"{one.name}_core" if f"{one.name}_core" in OWN_FUNCTIONS else one.name for one in _ALONE]
    ranges = [one.range for one in _ALONE if one.range]
    lines = [
        *(f"#include <{name}>" for name in INCLUDES),
        f"typedef {TYPES[precision][1]} own_real;",
        "#define REAL(x) ((own_real)(x))",
        "#define REAL_RARELY(condition) (condition)",
        own_text([*parts, "sincos_core", *ranges], "own_real", precision),  # type: ignore[arg-type]  # one of the literals
    ]
    for name, call in [*((one.name, f"{one.core}(x[i])") for one in _ALONE), ("both", "real_sincos_core(x[i]).sin")]:
        loops = [f"    for (int i = 0; i < 4; ++i) {{ y[i + {4 * k}] = {call}; }}" for k in range(_USES)]
        lines += [f"void use_{name}(const own_real *x, own_real *restrict y);"]
        lines += [f"void use_{name}(const own_real *x, own_real *restrict y)", "{", *loops, "}"]
    return "\n".join([*lines, ""])


@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.parametrize("compiler", COMPILERS)
def test_no_core_is_called(precision: str, compiler: str, tmp_path: Path) -> None:
    """An object file with loops over cores alone has no function beside these loops."""
    (tmp_path / "loops.c").write_text(_loops(precision))
    command = [compiler, *STRICT, "-c", "loops.c", "-o", "loops.o"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    told = subprocess.run(["nm", "loops.o"], cwd=tmp_path, check=True, capture_output=True, text=True)
    symbols = [line.split()[-1] for line in told.stdout.splitlines()]
    assert "use_sin" in symbols
    assert [name for name in symbols if name.startswith("real_")] == []
