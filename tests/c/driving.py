"""Programs around emitted C: what belongs to a model is compiled once; one of them runs any integrator and prints."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

# After a run by single steps, with what lies within them, the same by one call.
DRIVER = """
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "MODEL_SCHEME.h"
static void row(const char *word, double t, const MODEL_real *x)
{
    int i;

    (void)printf("%s %.17g", word, t);
    for (i = 0; i < MACRO_NX; ++i) { (void)printf(" %.17g", (double)x[i]); }
    (void)puts("");
}
SOURCE
int main(int argc, char **argv)
{
    static MODEL_constants c;
    static MODEL_work work;
    static MODEL_SCHEME run;
    MODEL_options o = MODEL_default_options;
    MODEL_real x0[MACRO_NX];
    MODEL_real x[MACRO_NX];
    double t_end = 1.0;
    int many = 1;
    int status;
    int which;
    int i;
    int k;

    (void)memcpy(x0, MODEL_initial_state, sizeof(x0));
    for (i = 1; i + 1 < argc; i += 2) {
        const double value = atof(argv[i + 1]);
        if (strcmp(argv[i], "tol") == 0) { o.rtol = (MODEL_real)value; o.atol = (MODEL_real)value; }
        if (strcmp(argv[i], "rtol") == 0) { o.rtol = (MODEL_real)value; }
        if (strcmp(argv[i], "t_end") == 0) { t_end = value; }
        if (strcmp(argv[i], "first") == 0) { o.first_step = (MODEL_real)value; }
        if (strcmp(argv[i], "largest") == 0) { o.largest_step = (MODEL_real)value; }
        if (strcmp(argv[i], "most") == 0) { o.most_steps = (int)value; }
        if (strcmp(argv[i], "dense") == 0) { o.dense = (int)value; }
        if (strcmp(argv[i], "limits") == 0) { many = (int)value; }
        if (argv[i][0] == 'x') { x0[atoi(&argv[i][1])] = (MODEL_real)value; }
    }
    (void)MODEL_prepare(&MODEL_default_parameters, &c);
    status = MODEL_SCHEME_start((MODEL_real)0, x0, &source, &o, &c, &work, &run);
    row("start", 0.0, run.at.x);
    for (k = 1; (k <= many) && (status == MACRO_OK); ++k) {
        const MODEL_real limit = (MODEL_real)((t_end * k) / many);
        while ((status == MACRO_OK) && (run.at.t < limit)) {
            status = MODEL_SCHEME_advance(limit, &source, &c, &work, &run);
            if (status == MACRO_OK) {
                row("step", (double)run.at.t, run.at.x);
                AFTER
                if (run.at.dense) {
                    for (i = 1; i < 4; ++i) {
                        const MODEL_real t = run.at.from + ((run.at.t - run.at.from) * (MODEL_real)(0.25 * i));
                        MODEL_SCHEME_at(&run, t, x);
                        row("dense", (double)t, x);
                    }
                    MODEL_SCHEME_at(&run, run.at.t, x);
                    if (memcmp(x, run.at.x, sizeof(x)) != 0) { (void)puts("bad end"); }
                    MODEL_SCHEME_at(&run, run.at.from, x);
                    if (memcmp(x, run.at.before, sizeof(x)) != 0) { (void)puts("bad beginning"); }
                }
            }
        }
    }
    row("end", (double)run.at.t, run.at.x);
    (void)printf("status %d steps %d rejected %d", status, (int)run.at.steps, (int)run.at.rejected);
    (void)printf(" failed %d\\n", work.failed);
    status = MODEL_SCHEME_start((MODEL_real)0, x0, &source, &o, &c, &work, &run);
    i = MODEL_SCHEME_run((MODEL_real)t_end, &source, &c, &work, &run, &which);
    if ((status != MACRO_OK) && (i == MACRO_OK) && (t_end > 0.0)) { (void)puts("bad run of what did not start"); }
    row("run", (double)run.at.t, run.at.x);
    return 0;
}
"""
NONE = "static const MODEL_source source = {0};"
HELD = "static const MODEL_source source = {MACRO_HELD, &MODEL_default_inputs, 0, 0, 0, 0, 0, 0};"


@dataclass(frozen=True)
class Ran:
    """What a driver printed."""

    rows: dict[str, np.ndarray]  # t and x, by their word
    status: int
    steps: int
    rejected: int
    failed: int
    text: str

    @property
    def times(self) -> np.ndarray:
        """The start's, and that after each step."""
        return np.concatenate([[0.0], self.rows["step"][:, 0]])

    @property
    def t(self) -> float:
        """The time at the end."""
        return float(self.rows["end"][0, 0])

    @property
    def x(self) -> np.ndarray:
        """The state at the end."""
        return self.rows["end"][0, 1:]


Run: TypeAlias = Callable[..., Ran]

OBJECTS: dict[tuple[str, ...], list[Path]] = {}
"""What was compiled, by flags and texts: many drivers run the same model."""


def program(folder: Path, view: Any, text: str, *flags: str) -> Callable[..., str]:
    """Compile C text beside the files of an emitted model; return the function that runs it and returns its output.

    MODEL and MACRO in the text are the name and the macro of `view`, the model's.
    """
    sources = sorted(folder.glob(f"{view.name}*.c"))
    key = (*flags, *(file.read_text() for file in sorted(folder.glob(f"{view.name}*.[ch]"))))
    if key not in OBJECTS:
        call(folder, "gcc", "-std=c99", *flags, "-c", *(file.name for file in sources))
        made = [file.with_suffix(".o") for file in sources]
        OBJECTS[key] = [file.rename(file.with_suffix(f".{len(OBJECTS)}.o")) for file in made]
    name = f"driver_{len(list(folder.glob('driver_*.c')))}"
    (folder / f"{name}.c").write_text(text.replace("MODEL", view.name).replace("MACRO", view.macro))
    call(folder, "gcc", "-std=c99", *flags, f"{name}.c", *OBJECTS[key], "-o", name, "-lm")
    return lambda *words: call(folder, f"./{name}", *words)


def runner(
    folder: Path, view: Any, scheme: str, source: str = "", *flags: str, real: str = "double", after: str = ""
) -> Run:
    """Compile a driver beside an emitted model; return the function that runs it: ``run(tol=1e-6, t_end=2.0, x0=1.0)``.

    Inputs are held, where the C of a `source` is not given. Statements `after` each step may print further rows.
    """
    text = (
        DRIVER.replace("SOURCE", source or (HELD if view.variables.inputs else NONE))
        .replace("AFTER", after)
        .replace("SCHEME", scheme)
    )
    printed = program(folder, view, text, *(flags or ("-O0",)), f"-D{view.macro}_USE_{real.upper()}")

    def run(**options: float) -> Ran:
        ran = parsed(printed(*(word for option in options.items() for word in option)))
        assert options.get("limits", 1) > 1 or ran.rows["run"].tolist() == ran.rows["end"].tolist()
        return ran

    return run


def parsed(text: str) -> Ran:
    """Return what a driver printed."""
    assert "bad" not in text
    rows: dict[str, list[list[float]]] = {}
    numbers: dict[str, int] = {}
    for word, *values in map(str.split, text.splitlines()):
        if word == "status":
            numbers = dict(zip([word, *values[1::2]], map(int, values[::2]), strict=True))
        else:
            rows.setdefault(word, []).append([*map(float, values)])
    return Ran({word: np.array(of_word) for word, of_word in rows.items()}, **numbers, text=text)


def call(folder: Path, *command: Any) -> str:
    """Run a command in a folder, which must succeed, and return its output."""
    done = subprocess.run([*map(str, command)], cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, f"{command}: {done.stderr[:4000]}"
    return done.stdout
