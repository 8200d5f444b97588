"""Robots whose limbs are alike: loops over limbs against the reference, and against the same nodes without loops."""

from __future__ import annotations

import ctypes
import itertools
import re
import shutil
import subprocess
from dataclasses import replace

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.backends.c99 import generate
from eomc.backends.writing import write
from eomc.derivation.trees.placed import PlacedTree
from eomc.derivation.trees.rows import list_rows
from eomc.derivation.trees.siblings import corresponding, find_alike, mark_siblings
from eomc.ir.graph import Graph
from eomc.ir.program import Function
from eomc.ir.symbols import Role, Symbol, Tabled
from eomc.passes.steps import Loop
from eomc.passes.transplant import transplant
from eomc.trees import Joint, JointKind, JointLoad, JointTree, Link, LinkForce

COMPILERS = [name for name in ("gcc", "clang") if shutil.which(name)]
IDENTITY = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
TO_Y = ((1, 0, 0), (0, 0, 1), (0, -1, 0))
k, m = sympy.symbols("k m")


def limbed(
    count: int = 4,
    *,
    depth: int = 3,
    parameters: bool = False,
    springs: bool = False,
    kinds: str = "rrp",
    rotors: bool = True,
) -> eomc.Model:
    """Return a floating body with mirrored limbs, no two of which have the same numbers, and zeros in some alone."""
    draw = np.random.default_rng(count)
    base = JointKind.FREE
    q = dynamicsymbols("x y z w a b c")
    u = dynamicsymbols("vx vy vz wx wy wz")
    links = [Link(name="world"), Link(name="trunk", mass=9.0, centre=(0.01, 0, 0.1), inertia=np.diag((0.3, 0.5, 0.6)))]
    joints = [Joint(name="base", kind=base, parent="world", child="trunk", coordinates=q, speeds=u)]
    loads, inputs, given = [], [], {}
    for limb, place in itertools.product(range(count), range(depth)):
        side = -1.0 if limb % 2 else 1.0
        name = f"{limb}_{place}"
        mass, centre = 1.0 + 0.1 * limb + place, (0.1, side * 0.05 * (limb != 2), 0.0)
        if parameters:
            symbol = sympy.Symbol(f"m_{name}")
            given[symbol], mass = mass, symbol
        root = draw.normal(size=(3, 3)) * 0.1
        second = root @ root.T + 0.025 * np.eye(3)  # moments of the mass: such a body there is
        inertia = np.trace(second) * np.eye(3) - second
        links.append(Link(name=name, mass=mass, centre=centre, inertia=inertia.tolist()))
        kind = {"r": JointKind.REVOLUTE, "p": JointKind.PRISMATIC}[kinds[place % len(kinds)]]
        (angle,), (speed,) = [dynamicsymbols(f"q_{name}")], [dynamicsymbols(f"u_{name}")]
        turn = 0.3 * side if place == 0 else 0.0
        tilted = ((np.cos(turn), 0, np.sin(turn)), (0, 1, 0), (-np.sin(turn), 0, np.cos(turn)))
        joints.append(
            Joint(
                name=f"j_{name}", kind=kind, parent="trunk" if place == 0 else f"{limb}_{place - 1}", child=name,
                rotation=tilted if place == 0 else TO_Y if place == 1 else IDENTITY,
                offset=(0.3 - 0.2 * (limb % 3), side * 0.2, -0.1) if place == 0 else (0.25, 0.02 * side, 0),
                coordinates=[angle], speeds=[speed], damping=0.1, armature=0.01 * (rotors and place == 1),
            )
        )  # fmt: skip
        inputs.append(dynamicsymbols(f"r_{name}"))
        loads.append(JointLoad(joint=f"j_{name}", loads=[inputs[-1]]))
    tree = JointTree(links, joints, gravity=(0, 0, -9.81), loads=loads)
    if springs:
        feet = [
            LinkForce(
                link=f"{i}_{depth - 1}", at=(0.2, 0, 0), force=[-k * e for e in tree.position(f"{i}_{depth - 1}")]
            )
            for i in range(count)
        ]
        tree = tree.with_loads(*feet)
        given[k] = 30.0
    return eomc.from_tree(tree, name="limbed", inputs=inputs, parameters=given, initial={q[3]: 1.0})


def loops(plan) -> list[Loop]:
    """Return the loops of the state derivative."""
    chunks = plan.routines[0].all_chunks
    return [step for chunk in chunks for step in chunk.steps if isinstance(step, Loop)]


def states(model: eomc.Model, number: int) -> np.ndarray:
    """Return random states with quaternions of length one."""
    size = len(model.coordinates) + len(model.speeds)
    x = np.random.default_rng(1).uniform(-1, 1, (number, size))
    x[:, 3:7] /= np.linalg.norm(x[:, 3:7], axis=1, keepdims=True)
    return x


@pytest.mark.needs_cc
@pytest.mark.parametrize("real", ["double", "float"])
@pytest.mark.parametrize("parameters", [False, True])
def test_the_motion_is_that_of_the_reference(parameters, real):
    """Four limbs in lanes, mirrored, no two with the same numbers: u' as the reference has it."""
    model = limbed(parameters=parameters, springs=parameters)
    build = eomc.compile(model, real=real, functions="rhs")
    counts = [loop.repeat.count for loop in loops(build.schedule) if loop.repeat.arithmetic]
    assert len(counts) > 1  # towards the trunk, and outwards again
    assert set(counts) == {4}
    reference, sim, bound = eomc.reference(model), build.load(), 1e-11 if real == "double" else 1e-3
    inputs = np.linspace(-1, 1, len(model.inputs))
    for x in states(model, 4):
        expected = reference.rhs(0.0, x, inputs=inputs)
        found = sim.rhs(0.0, x, inputs=inputs)
        assert abs(found - expected).max() <= bound * abs(expected).max()


@pytest.mark.needs_cc
@pytest.mark.parametrize(("count", "depth", "kinds"), [(2, 3, "rrr"), (3, 2, "pr"), (5, 2, "rr")])
def test_other_numbers_of_limbs(count, depth, kinds):
    """Pairs, threes and fives; joints in parallel and slides."""
    model = limbed(count, depth=depth, kinds=kinds)
    build = eomc.compile(model, functions="rhs,mass_matrix,energy")
    assert {loop.repeat.count for loop in loops(build.schedule)} == {count}
    reference, sim = eomc.reference(model), build.load()
    for x in states(model, 2):
        for name in ("rhs", "energy", "mass_matrix"):
            expected, found = getattr(reference, name)(0.0, x), getattr(sim, name)(0.0, x)
            expected, found = (
                np.asarray([*one.values()] if isinstance(one, dict) else one) for one in (expected, found)
            )
            assert abs(found - expected).max() <= 1e-11 * abs(expected).max(), name


@pytest.mark.needs_cc
@pytest.mark.parametrize("parameters", [False, True])
def test_limbs_that_were_found_in_bodies(tmp_path, parameters):
    """The frames of a user make the same loops: u' of the reference of the robot, bits of straight lines."""
    robot = limbed(4, depth=2, kinds="rr", parameters=parameters, springs=parameters, rotors=False)
    program = eomc.compile(robot.as_bodies(), functions="rhs", algorithm="articulated").program
    options = {"real": "double", "math": "libm", "command": ["cc", "-O2", "-ffp-contract=off"]}
    plan, together = compiled(program, tmp_path / "together", **options)
    _, apart = compiled(replace(program, siblings=()), tmp_path / "apart", **options)
    spared = sum(loop.repeat.spared for loop in loops(plan.schedule))
    assert spared > (0.1 if parameters else 0.3) * len(program.graph.reachable(program.functions[0].outputs))
    reference, inputs = eomc.reference(robot), np.linspace(-1, 1, len(robot.inputs))
    for x in states(robot, 3):
        status, found = together(x, inputs)
        expected = reference.rhs(0.0, x, inputs)
        assert status == 0
        assert abs(found - expected).max() <= 1e-11 * abs(expected).max()
        assert (status, found) == apart(x, inputs)


@pytest.mark.needs_cc
@pytest.mark.parametrize("algorithm", ["articulated", "composite"])
def test_columns_of_sliding_limbs(algorithm):
    """Tests of a loop may need what another loop makes that reads the first one: they come after both."""
    model = limbed(2, depth=2, kinds="rp")
    sim = eomc.compile(model, functions="jacobian", algorithm=algorithm).load()
    (x,) = states(model, 1)
    h = 1e-3
    steps = h * np.eye(x.size)
    one, two = (sim.rhs(0.0, x + k * steps) - sim.rhs(0.0, x - k * steps) for k in (1, 2))
    by_differences = (8 * one - two).T / (12 * h)
    columns, _ = sim.jacobian(0.0, x)
    assert abs(columns - by_differences).max() <= 1e-8 * abs(columns).max()


def compiled(program, where, *, real, math, command):
    """Return a function that calls the emitted rhs."""
    result = generate(program, real=real, math=math, version="0.0.0")
    write(result.artifacts, where)
    name, size = result.view.name, len(program.states)
    flags = ["-std=c99", "-shared", "-fPIC", f"-D{result.view.macro}_USE_{real.upper()}"]
    caller = f'#include "{name}.h"\nint call(const {name}_real *x, const {name}_inputs *r, {name}_real *dx);\n'
    caller += f"int call(const {name}_real *x, const {name}_inputs *r, {name}_real *dx) {{\n"
    caller += f"    static {name}_constants c;\n    static {name}_work work;\n"
    caller += f"    (void){name}_prepare(&{name}_default_parameters, &c);\n"
    caller += f"    return (int){name}_rhs(({name}_real)0, x, r, &c, &work, dx);\n}}\n"
    (where / "caller.c").write_text(caller)
    subprocess.run([*command, *flags, "-o", "one.so", f"{name}.c", "caller.c", "-lm"], cwd=where, check=True)
    library = ctypes.CDLL(str(where / "one.so"))
    scalar = ctypes.c_double if real == "double" else ctypes.c_float

    def call(x, r):
        dx = (scalar * size)()
        status = library.call((scalar * size)(*x), (scalar * len(r))(*r), dx)
        return status, list(dx)

    return result, call


@pytest.mark.needs_cc
@pytest.mark.sampled(4)
@pytest.mark.parametrize("math", ["libm", "strict", "fast"])
@pytest.mark.parametrize("real", ["double", "float"])
@pytest.mark.parametrize("compiler", COMPILERS)
def test_loops_give_the_same_bits(tmp_path, compiler, real, math):
    """With loops and without, angles near and far: the same bits without contraction, whoever compiles."""
    model = limbed(4, depth=2, kinds="rr")
    program = eomc.compile(model, functions="rhs").program
    x = np.vstack([states(model, 3), states(model, 1)])
    x[-1, 7:] *= 1e5  # beyond what is computed several lanes at a time
    inputs = np.linspace(-1, 1, len(model.inputs))
    command = [compiler, "-O2", "-ffp-contract=off"]
    options = {"real": real, "math": math, "command": command}
    plan, together = compiled(program, tmp_path / "together", **options)
    apart_plan, apart = compiled(replace(program, siblings=()), tmp_path / "apart", **options)
    assert loops(plan.schedule)
    assert not loops(apart_plan.schedule)
    for state in x:
        assert together(state, inputs) == apart(state, inputs)


@pytest.mark.needs_cc
def test_strict_compilers_find_nothing(tmp_path):
    """Loops of all kinds compile without one warning, in both precisions, by gcc and by clang."""
    build = eomc.compile(limbed(4, depth=2, kinds="rr", parameters=True), math="fast", functions="rhs,energy")
    build.write(tmp_path)
    strict = (
        "-std=c99 -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wdouble-promotion -Wshadow -Wundef -Wvla"
    )
    for compiler, real in itertools.product(COMPILERS, ("DOUBLE", "FLOAT")):
        flags = [*strict.split(), "-Wcast-qual", "-Wfloat-equal", "-Werror", f"-DLIMBED_USE_{real}"]
        subprocess.run([compiler, *flags, "-O1", "-c", "limbed.c", "-o", "one.o"], cwd=tmp_path, check=True)


# -- which branches are alike ------------------------------------------------------------------------------------------


def rows_of(model: eomc.Model):
    """Return the rows of a model's tree, and their graph."""
    graph, tree = Graph(), model.dynamics

    def scalars(entry):
        if isinstance(entry, (int, float)):
            return graph.constant(entry)
        return graph.symbol(Symbol(Role.PARAMETER, 0, str(entry)))

    return graph, list_rows(graph, scalars, tree.links, tree.joints)


def test_branches_differ_by_joints_and_by_what_mimics():
    """Groups have the same joints in the same order; a joint that others follow, or that follows, is in none."""
    _, rows = rows_of(limbed(4, depth=2))
    assert find_alike(rows, frozenset()) == [((1, 2), (3, 4), (5, 6), (7, 8))]
    assert find_alike(rows, frozenset({"j_0_1"})) == [((3, 4), (5, 6), (7, 8))]
    _, single = rows_of(limbed(1, depth=3))
    assert find_alike(single, frozenset()) == []


def test_entries_are_tabled_where_they_differ():
    """What is equal in all limbs stays a number, a zero first of all; what differs is looked into by nobody."""
    graph, rows = rows_of(limbed(4, depth=2, parameters=True))
    marked = mark_siblings(graph, rows).rows.rows
    heights, sides = ([marked[i].offset[k] for i in (1, 3, 5, 7)] for k in (2, 1))
    assert {graph.number(node) for node in heights} == {-0.1}
    assert [graph.number(node) for node in sides] == [None] * 4
    assert [float(graph.data[node]) for node in sides] == [0.2, -0.2, 0.2, -0.2]
    assert marked[1].offset[2] == graph.constant(-0.1)
    assert all(marked[i].moments.first[2] == graph.zero for i in (1, 3))


def test_leaves_correspond_by_where_they_stand():
    """Symbols in expressions of the same shape; what is common to branches corresponds to nothing."""
    graph = Graph()
    a, b, c, d, e = (graph.symbol(Symbol(Role.STATE, i, f"s{i}")) for i in range(5))
    one, other = (graph.sub(x, graph.mul(y, e)) for x, y in ((a, b), (c, d)))
    assert sorted(corresponding(graph, [[one], [other]])) == [(a, c), (b, d)]
    assert corresponding(graph, [[graph.add(a, b)], [graph.mul(c, d)]]) == []


def test_a_model_without_branches_is_emitted_as_before(monkeypatch):
    """The marking of a chain changes no byte."""
    model = limbed(1, depth=3)
    ours = [one.text for one in eomc.compile(model).artifacts]
    monkeypatch.setattr(PlacedTree, "siblings", lambda *_: ())
    assert [one.text for one in eomc.compile(model).artifacts] == ours


def test_tabled_numbers_are_folded_without_a_look_into_them():
    """Arithmetic of such numbers is done at once; a zero, a one or a sign in them changes no form."""
    graph = Graph()
    x = graph.symbol(Symbol(Role.STATE, 0, "x"))
    zero, one, less = (graph.constant(Tabled(value, ("entry", i))) for i, value in enumerate((0.0, 1.0, -2.0)))
    for node in (graph.mul(x, zero), graph.mul(x, one), graph.mul(x, less)):
        assert graph.args[node][0] == x
    assert graph.add(x, zero) != x
    total = graph.mul(graph.add(one, less), graph.constant(3))
    assert isinstance(graph.data[total], Tabled)
    assert float(graph.data[total]) == -3.0
    assert graph.number(total) is None
    assert graph.add(one, less) != graph.add(one, graph.constant(Tabled(-2.0, ("entry", 9))))
    assert graph.div(x, zero) != x  # by such a zero as C divides


def test_tabled_numbers_keep_their_values_on_another_graph():
    """A function that is written on another graph has the same numbers, which belong to no branch there."""
    source, target = Graph(), Graph()
    x = source.symbol(Symbol(Role.STATE, 0, "x"))
    product = source.mul(*(source.constant(Tabled(value, ("entry", i))) for i, value in enumerate((3.0, -0.5))))
    (moved,) = transplant(source, [Function("f", "", (source.mul(x, product),), (), (1,))], target, {})
    data = target.data[target.args[moved.outputs[0]][1]]
    assert isinstance(data, Tabled)
    assert float(data) == -1.5
    assert data.args == ()


def test_a_number_that_all_limbs_have_is_no_table():
    """Of limbs that mirror each other some numbers are the same again after they were multiplied: they are literals."""
    ends, joints = [], []
    for side, name in ((1, "left"), (-1, "right")):
        inertia = ((0.2, 0.01 * side, 0), (0.01 * side, 0.3, 0.02 * side), (0, 0.02 * side, 0.4))
        above = "trunk"
        for place in range(3):
            link = f"{name}_{place}"
            ends.append(Link(name=link, mass=1.0, centre=(0.1, 0.03 * side, 0.02), inertia=inertia))
            q, u = dynamicsymbols(f"q_{link} u_{link}")
            turned, axis = (IDENTITY, (0, 0, 1)) if place else (TO_Y, (1, 0, 0))
            joints.append(
                Joint(name=f"j_{link}", kind="revolute", parent=above, child=link, coordinates=[q], speeds=[u],
                      axis=axis, rotation=turned, offset=(0.3, 0.1 * side, 0))
            )  # fmt: skip
            above = link
    free = dynamicsymbols("x y z w a b c"), dynamicsymbols("vx vy vz wx wy wz")
    base = Joint(name="base", kind="free", parent="world", child="trunk", coordinates=free[0], speeds=free[1])
    trunk = Link(name="trunk", mass=5.0, inertia=np.diag((0.3, 0.5, 0.6)))
    tree = JointTree([Link(name="world"), trunk, *ends], [base, *joints], gravity=(0, 0, -9.81))
    build = eomc.compile(eomc.from_tree(tree, name="mirrored", initial={free[0][3]: 1.0}), functions="rhs")
    text = "".join(one.text for one in build.artifacts if one.path.endswith("mirrored.c"))
    tables = re.findall(r"static const mirrored_real \w+\[2\] = \{(.*?)\};", text, re.DOTALL)
    assert tables
    for table in tables:
        one, other = (entry.strip() for entry in table.split(","))
        assert one != other
