"""Loops along joints in a row: the bits of straight lines by several compilers, every failure, and size that stays."""

from __future__ import annotations

import random
import re
import shutil
from dataclasses import replace
from functools import cache

import pytest
import sympy
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

import eomc
from eomc.passes.side_by_side import Repeating
from eomc.passes.steps import Loop
from eomc.trees import Joint, JointKind, JointLoad, JointTree, Link

pytestmark = pytest.mark.needs_cc

COMPILERS = [name for name in ("gcc", "clang") if shutil.which(name)]
Z, X = (0, 0, 1), (1, 0, 0)
HINGED, SLIDING = JointKind.REVOLUTE, JointKind.PRISMATIC


def row(count, first="root", tag="", kinds=(HINGED,), axes=(Z, X), growing=False, uneven=False):
    """Return links and joints in a row, each link with numbers of its own where it is uneven."""
    links, joints = [], []
    rng = random.Random(count)
    for k in range(count):
        inertia, centre = ((0.02, 0, 0), (0, 0.03, 0), (0, 0, 0.04)), (0.25, 0, 0)
        if uneven:
            p, q, s = (0.01 * rng.choice((-1, 0, 1)) for _ in range(3))
            inertia = ((0.08 + 0.001 * k, p, q), (p, 0.09, s), (q, s, 0.1))
            centre = tuple(rng.choice((-0.2, 0.0, 0.1)) for _ in range(3))
        links.append(Link(name=f"{tag}l{k}", mass=1.0 + growing * k, centre=centre, inertia=inertia))
        joints.append(
            Joint(
                name=f"{tag}j{k}",
                kind=kinds[k % len(kinds)],
                parent=f"{tag}l{k - 1}" if k else first,
                child=f"{tag}l{k}",
                offset=(0.5, 0, 0) if k else (0, 0, 0),
                axis=axes[k % len(axes)],
                coordinates=[dynamicsymbols(f"{tag}q{k}")],
                speeds=[dynamicsymbols(f"{tag}u{k}")],
                damping=0.3,
            )
        )
    return links, joints


TREES = {
    "planar": lambda: (row(50, axes=(Z,)),),
    "growing": lambda: (row(53, growing=True),),
    "sliding": lambda: (row(52, kinds=(HINGED, SLIDING)),),
    "three": lambda: (row(54, axes=(Z, (0, 1, 0), X)),),
    "uneven": lambda: (row(52, uneven=True),),
    "hand": lambda: (row(51), row(3, "l50", "thumb"), row(4, "l50", "finger")),
    "tentacles": lambda: (row(52), row(58, tag="b", axes=(Z,), growing=True)),
}
COMBED = {"combed": lambda: (row(52), row(4, "l51", "b"), row(4, "l51", "c"))}  # two limbs at the end of a row


@cache
def program(name):
    """Return the program of a tree with inputs and springs on its joints."""
    rows = (TREES | COMBED)[name]()
    links = [Link(name="root"), *(link for one in rows for link in one[0])]
    tree = JointTree(links, [joint for one in rows for joint in one[1]])
    torques = [dynamicsymbols(f"tau{k}") for k in range(len(tree.joints))]
    tree = tree.with_loads(
        *(
            JointLoad(joint=joint.name, loads=[torque - 3 * joint.coordinates[0]])
            for joint, torque in zip(tree.joints, torques, strict=True)
        )
    )
    model = eomc.from_tree(tree, name=name, inputs={torque: 0.1 * k for k, torque in enumerate(torques)})
    return eomc.compile(model, functions=["energy"]).program


def arm(count, numbers=False):
    """Return bodies on frames that turn by angles to the one before, about two axes by turns."""
    q, u = dynamicsymbols(f"q:{count}"), dynamicsymbols(f"u:{count}")
    m, length = sympy.symbols(f"m:{count}"), sympy.Symbol("l")
    m, length = ([1.0 + 0.01 * k for k in range(count)], 0.5) if numbers else (m, length)
    N, joint = ReferenceFrame("N"), Point("O")
    joint.set_vel(N, 0)
    frame, bodies = N, []
    for k in range(count):
        link = ReferenceFrame(f"A{k}")
        link.orient_axis(frame, frame.x if k % 2 else frame.z, q[k])
        link.set_ang_vel(frame, u[k] * (frame.x if k % 2 else frame.z))
        centre = joint.locatenew(f"C{k}", length * link.x / 3 + link.y / 9)
        bodies.append(RigidBody(f"L{k}", centre, link, m[k], (inertia(link, 0.2, m[k] * length**2, 0.4), centre)))
        joint, frame = joint.locatenew(f"P{k}", length * link.x), link
    return eomc.Model(
        name="arm", inertial_frame=N, coordinates=q, speeds=u, bodies=bodies, gravity=-9.81 * N.y,
        kinematical_equations=[one.diff() - speed for one, speed in zip(q, u, strict=True)],
        parameters={} if numbers else {length: 0.5} | dict.fromkeys(m, 1.0),
    )  # fmt: skip


def given(count):
    """Return a row whose links have masses, centres and inertias as parameters."""
    links, joints = row(count)
    changed, parameters = [], {}
    for link in links:
        m, c, p, q = (sympy.Symbol(f"{name}_{link.name}") for name in "mcpq")
        parameters |= {m: 1.0, c: 0.1, p: 0.1, q: 0.01}
        tensor = ((p, q, 0), (q, 2 * p, 0), (0, 0, 2 * p))
        changed.append(replace(link, mass=m, centre=(c, 0.02, -c), inertia=tensor))
    return eomc.from_tree(JointTree([Link(name="root"), *changed], joints), name="given", parameters=parameters)


OF_PARAMETERS = {
    "arm": lambda: arm(51),
    "numbers": lambda: arm(50, numbers=True),
    "given": lambda: given(52),
    "cart": lambda: eomc.load("n_link_pendulum:53"),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("real", ["double", "float"])
@pytest.mark.parametrize("name", OF_PARAMETERS)
def test_what_links_have_of_their_own_is_read_by_index(emit, name, real):
    """Bits of straight lines for trees that were found and for a robot's, every parameter another number."""
    one = eomc.compile(OF_PARAMETERS[name](), functions=["energy"]).program
    rng = random.Random(3)
    parameters = tuple(replace(v, value=v.value * rng.uniform(0.7, 1.3)) for v in one.parameters)
    one = replace(one, parameters=parameters)
    ours, theirs = emit(one, real=real), emit(straight_of(one), real=real)
    found = loops(ours)
    assert len(found) >= 3
    plan = ours.result.schedule
    filling = [step for chunk in plan.prepare.chunks for step in chunk.steps if isinstance(step, Loop)]
    assert bool(plan.tables) == bool(filling) == (name != "numbers")
    evaluated = one.graph.reachable(next(f for f in one.functions if f.name == "rhs").outputs)
    assert sum(step.repeat.spared for step in found) > 0.7 * len(evaluated) / 2
    for compiler in COMPILERS:
        loaded, straight = ours.load(real, "-O1", compiler), theirs.load(real, "-O0", compiler)
        assert loaded.prepare() == straight.prepare() == 0
        for x in states(len(one.states), 2):
            for function in ("rhs", "energy"):
                assert loaded.call(function, 0.0, x) == straight.call(function, 0.0, x)


def loops(folder):
    """Return the loops of all functions."""
    routines = folder.result.schedule.all_routines
    return [step for one in routines for chunk in one.chunks for step in chunk.steps if isinstance(step, Loop)]


def straight_of(one):
    """Return a program without loops."""
    return replace(one, name=f"{one.name}_straight", in_a_row=0, siblings=())


def states(count, number, seed=0):
    """Return random states."""
    rng = random.Random(seed)
    return [[rng.uniform(-1.0, 1.0) for _ in range(count)] for _ in range(number)]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("real", ["double", "float"])
@pytest.mark.parametrize("name", TREES)
def test_loops_give_the_same_bits(emit, name, real):
    """Rates and energies of a row are those of straight lines, whose text is several times as long."""
    one = program(name)
    ours, theirs = emit(one, real=real), emit(straight_of(one), real=real)
    assert len(loops(ours)) >= 5
    assert not loops(theirs)
    assert ours.result.statistics.lines < 0.5 * theirs.result.statistics.lines
    for compiler in COMPILERS:
        loaded, straight = (folder.load(real, "-O1", compiler) for folder in (ours, theirs))
        assert loaded.prepare() == straight.prepare() == 0
        for x in states(len(one.states), 2):
            for function in ("rhs", "energy"):
                assert loaded.call(function, 0.0, x) == straight.call(function, 0.0, x)


def test_a_function_has_loops_along_rows_or_over_branches(emit):
    """Of a long row with limbs at its end every function has those loops that spare more, and one kind alone."""
    one = program("combed")
    ours, theirs = emit(one), emit(straight_of(one))
    in_limbs = Repeating(one.graph, one.roots, one.siblings, one.checks)
    for routine in ours.result.schedule.all_routines:
        found = [step.repeat for chunk in routine.chunks for step in chunk.steps if isinstance(step, Loop)]
        assert {repeat.in_a_row for repeat in found} <= {True}  # 52 joints spare more than four twice
        if routine.function.name == "rhs":
            assert (
                sum(repeat.spared for repeat in found)
                > in_limbs.spared(one.graph.reachable(routine.function.outputs))
                > 0
            )
    loaded, straight = ours.load(optimize="-O1"), theirs.load(optimize="-O1")
    assert loaded.prepare() == straight.prepare() == 0
    for x in states(len(one.states), 2):
        for function in ("rhs", "energy"):
            assert loaded.call(function, 0.0, x) == straight.call(function, 0.0, x)


def test_a_pivot_that_vanishes_is_told_by_its_joint(emit):
    """The status and the number of the pivot are those of straight lines."""
    one = program("growing")
    for folder in (emit(one), emit(replace(one, name="growing_straight", in_a_row=0))):
        loaded = folder.load()
        assert loaded.prepare() == 0
        (x,) = states(len(one.states), 1)
        x[30] = float("nan")
        status, found = loaded.call("rhs", 0.0, x)
        assert status != 0
        assert folder.result.schedule.check_labels[loaded.failed()] == "j29"
        assert set(found) == {-77.0}


@pytest.mark.parametrize("parameters", [False, True])
def test_the_text_is_as_long_for_more_joints(emit, parameters):
    """Beside names, defaults and the tables nothing grows with the number of joints."""
    sizes = []
    for count in (60, 120):
        links, joints = row(count)
        model = eomc.from_tree(JointTree([Link(name="root"), *links], joints), name="row")
        model = given(count) if parameters else model
        text = next(one.text for one in eomc.compile(model).artifacts if one.path == f"{model.name}.c")
        lists = r"static const [^;]*;|const \w+ \w+_(initial_state|default_parameters)[^;]*;|\"[^\"]*\""
        sizes.append(len(re.sub(lists, "", text)))
    assert sizes[1] < 1.1 * sizes[0]


def test_below_fifty_joints_in_a_row_nothing_changes(emit):
    """There are straight lines, byte for byte those of a program that knows of no row."""
    links, joints = row(49)
    one = eomc.compile(eomc.from_tree(JointTree([Link(name="root"), *links], joints), name="row")).program
    assert one.in_a_row == 49
    first, second = emit(one), emit(replace(one, in_a_row=0))
    assert [a.text for a in first.result.artifacts] == [a.text for a in second.result.artifacts]


def test_a_column_of_equal_numbers_is_no_column():
    """Links that grow heavier have inertias alike: these are literals in the loop, and tables hold what differs."""
    links, joints = row(54, growing=True)
    model = eomc.from_tree(JointTree([Link(name="root"), *links], joints, gravity=(0, -9.81, 0)), name="row")
    build = eomc.compile(model, functions=["rhs"])
    text = next(one.text for one in build.artifacts if one.path.endswith("row.c"))
    tables = re.findall(r"static const row_real \w+\[\d+\](?:\[\d+\])? = \{(.*?)\};", text, re.DOTALL)
    assert tables
    for table in tables:
        lines = re.findall(r"\{(.*?)\}", table, re.DOTALL) or table.split(",")
        for column in zip(*(line.split(",") for line in lines), strict=True):
            assert len({entry.strip() for entry in column}) > 1
