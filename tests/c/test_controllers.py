"""The loop of a sampled controller in C and in Python: the same bits; steps with held inputs, too."""

from __future__ import annotations

import math
import subprocess

import numpy as np
import pytest

import eomc

pytestmark = pytest.mark.needs_cc

SCHEMES = ("rk4", "dopri5", "dop853", "taylor", "rodas5p", "gauss3")
START = [0.5, 2.9, 0.0, 0.0]
STEP = """
#include <stdio.h>
#include "cart_pole.h"
int main(void)
{
    static cart_pole_constants c;
    static cart_pole_work work;
    const cart_pole_inputs r = {1.7};
    cart_pole_real x[4] = {0.5, 2.9, 0.0, 0.0};
    int i;

    (void)cart_pole_prepare(&cart_pole_default_parameters, &c);
    if (cart_pole_SCHEME_step_held(0.3, 0.02, &r, &c, &work, x) != CART_POLE_OK) {
        return 1;
    }
    for (i = 0; i < 4; ++i) {
        (void)printf("%.17g ", x[i]);
    }
    return 0;
}
"""


class Feedback:
    """Of docs/controllers/sampled.c."""

    def __init__(self, sample_time=0.02):
        self.integral, self.sample_time = 0.0, sample_time

    def __call__(self, t, x):
        place, angle, speed, rate = x.tolist()
        force = 20.36 * place - 68.64 * (angle - math.pi) + 14.33 * speed - 15.18 * rate + 11.85 * self.integral
        self.integral += self.sample_time * place
        return [force + 0.5]


@pytest.fixture(scope="module")
def sim():
    """Return the simulator of the cart and pole, of the same bits everywhere."""
    return eomc.compile(eomc.load("cart_pole"), math="strict", functions=[]).load()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with the C of all schemes, and the model as an object."""
    found = tmp_path_factory.mktemp("sampled")
    model = eomc.load("cart_pole")
    eomc.compile(model, math="strict", functions=["run"], integrator=SCHEMES).write(found, library=True)
    sources = sorted(path.name for path in found.glob("*.c"))
    subprocess.run(["gcc", "-std=c99", "-O1", "-c", *sources], cwd=found, check=True)
    return found


def compiled(folder, text, *objects):
    """Return what a program writes that is linked with these objects."""
    (folder / "program.c").write_text(text, encoding="utf-8")
    command = ["gcc", "-std=c99", "-O1", "-I.", "-o", "program", "program.c", *objects, "-lm"]
    subprocess.run(command, cwd=folder, check=True)
    return subprocess.run(["./program"], cwd=folder, check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_sampled_controller_has_the_same_bits(scheme, folder, sim, root):
    """The program of docs/controllers by every kind of scheme; 200 samples of the controller's own state among them."""
    text = (root / "docs" / "controllers" / "sampled.c").read_text(encoding="utf-8").replace("dop853", scheme)
    compiled(folder, text, "cart_pole.o", "cart_pole_run.o", f"cart_pole_{scheme}.o")
    in_c = np.loadtxt(folder / "sampled.csv", delimiter=",")[:200]
    run = sim.simulate(4.0, x0=START, integrator=scheme, controller=Feedback(), sample_time=0.02)
    found = np.column_stack([run.t, run.x, run.inputs])[np.isin(run.t, in_c[:, 0])]
    np.testing.assert_array_equal(found, in_c)


@pytest.mark.parametrize(("h", "limit"), [(0.015625, None), (0.02, "(cart_pole_real)((double)clock.tick * 0.02)")])
def test_in_float_too(h, limit, tmp_path, root):
    """By the clock where the sample time is a float; else C has to round k h to a float, as Python does."""
    model, schemes = eomc.load("cart_pole"), ["rk4", "dop853"]
    build = eomc.compile(model, math="strict", real="float", functions=["run"], integrator=schemes)
    build.write(tmp_path, library=True)
    text = (root / "docs" / "controllers" / "sampled.c").read_text(encoding="utf-8")
    text = text.replace("SAMPLE_TIME 0.02", f"SAMPLE_TIME {h}").replace("< 1e-6", "< 1e-3")
    text = text.replace("cart_pole_clock_time(&clock)", limit or "cart_pole_clock_time(&clock)")
    for scheme in schemes:
        objects = ["cart_pole.c", "cart_pole_run.c", f"cart_pole_{scheme}.c"]
        compiled(tmp_path, text.replace("dop853", scheme), *objects)
        in_c = np.loadtxt(tmp_path / "sampled.csv", delimiter=",")[:200, :5]
        run = build.load().simulate(200 * h, x0=START, integrator=scheme, controller=Feedback(h), sample_time=h)
        found = np.column_stack([run.t, run.x])[np.isin(run.t, in_c[:, 0])]
        np.testing.assert_array_equal(found, in_c)


@pytest.mark.parametrize("scheme", ["rk4", "heun", "semi_implicit_euler", "gauss3"])
def test_a_step_has_the_bits_of_the_emitted_one(scheme, tmp_path, sim):
    """sim.step is `_step_held` of its scheme."""
    eomc.compile(eomc.load("cart_pole"), math="strict", functions=[], integrator=scheme).write(tmp_path, library=True)
    in_c = compiled(tmp_path, STEP.replace("SCHEME", scheme), "cart_pole.c").split()
    np.testing.assert_array_equal(sim.step(0.3, START, 0.02, {"F": 1.7}, integrator=scheme), np.array(in_c, float))
