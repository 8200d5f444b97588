"""The short form of a tree's equations: the formulas that are printed, evaluated, move a tree as the reference does."""

from __future__ import annotations

import random
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.backends.report.recursion import algebra as al
from eomc.backends.report.recursion.features import Variant
from eomc.backends.report.recursion.motions import motion
from eomc.backends.report.recursion.steps import sections
from eomc.errors import UsageError
from eomc.trees import Closure, Joint, JointLoad, JointTree, Link, LinkForce, Mimic

WIDE = {"ball": 3, "free": 6}
ROTOR = "the {tau_i} of such an origin is less by {J_i} ({wj_i} x {vj_i})"
UNITS = {
    "ball": [(np.eye(3)[k], np.zeros(3)) for k in range(3)],
    "free": [*((np.zeros(3), np.eye(3)[k]) for k in range(3)), *((np.eye(3)[k], np.zeros(3)) for k in range(3))],
}


def drawn(seed: int, count: int, kinds: tuple[str, ...]) -> JointTree:
    """Return a random tree with a link fixed to each body, rotors, dampers, torques and a force on the last link."""
    draw = random.Random(seed)

    def triple() -> list[float]:
        return [draw.uniform(-0.5, 0.5) for _ in range(3)]

    def turn() -> Any:
        q, r = np.linalg.qr(np.array([[draw.gauss(0, 1) for _ in range(3)] for _ in range(3)]))
        q = q * np.sign(np.diag(r))
        return q * np.linalg.det(q)

    def solid(name: str) -> Link:
        half = np.array([[draw.gauss(0, 1) for _ in range(3)] for _ in range(3)])
        second = half @ half.T + 0.15 * np.eye(3)  # moments of the mass: such a body there is
        inertia = np.trace(second) * np.eye(3) - second
        return Link(name=name, mass=draw.uniform(1, 2), centre=triple(), inertia=inertia.tolist())

    links, joints, loads = [Link(name="ground")], [], []
    carriers = ["ground"]
    for k in range(count):
        kind = draw.choice(kinds)
        links += [solid(f"l{k}"), solid(f"w{k}")]
        parent = draw.choice(carriers)
        carriers += [f"l{k}", f"w{k}"]
        speeds = WIDE.get(kind, 1)
        numbers = speeds + (kind in WIDE and draw.random() < 0.5)
        axis = np.array([draw.gauss(0, 1) for _ in range(3)])
        joints += [
            Joint(
                name=f"j{k}", kind=kind, parent=parent, child=f"l{k}", rotation=turn().tolist(), offset=triple(),
                axis=(axis / np.linalg.norm(axis)).tolist(), damping=0.2,
                armature=draw.choice([0, 0.4]),
                coordinates=[dynamicsymbols(f"q{k}_{i}") for i in range(numbers)],
                speeds=[dynamicsymbols(f"u{k}_{i}") for i in range(speeds)],
                speeds_in=draw.choice(["child", "parent"]),
            ),
            Joint(name=f"weld{k}", kind="fixed", parent=f"l{k}", child=f"w{k}", rotation=turn().tolist(),
                  offset=triple()),
        ]  # fmt: skip
        loads.append(JointLoad(joint=f"j{k}", loads=[draw.uniform(-1, 1) for _ in range(speeds)]))
    loads.append(LinkForce(link=f"w{count - 1}", at=triple(), force=triple()))
    return JointTree(links, joints, gravity=(0.3, -1.2, -9.81), loads=loads)


# -- the formulas in numbers -----------------------------------------------------------------------------------------


def skew(v: Any) -> Any:
    x, y, z = v
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def about(axis: Any, angle: float) -> Any:
    """Return Rodrigues' rotation."""
    k = skew(axis)
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


def turn(*args: Any) -> Any:
    if len(args) == 2:
        return about(*args)
    (q,) = args
    if len(q) == 3:
        x, y, z = (about(axis, angle) for axis, angle in zip(np.eye(3), q, strict=True))
        return x @ y @ z
    w, v = q[0], q[1:]
    return (w * w - v @ v) * np.eye(3) + 2 * np.outer(v, v) + 2 * w * skew(v)


def half(q: Any, w: Any) -> Any:
    return 0.5 * np.array([-q[1:] @ w, *(q[0] * w + np.cross(q[1:], w))])


def angular(q: Any, qd: Any) -> Any:
    y, z = about(np.eye(3)[1], q[1]), about(np.eye(3)[2], q[2])
    return z.T @ (y.T @ np.eye(3)[0]) * qd[0] + z.T @ np.eye(3)[1] * qd[1] + np.eye(3)[2] * qd[2]


class Numbers:
    """Values of quantities by name and place; a place is a joint (0: the ground) or a pair."""

    def __init__(self, parents: Mapping[int, int]) -> None:
        self.parents = parents
        self.known: dict[tuple[Any, ...], Any] = {}
        self.ranges: dict[str, list[int]] = {}

    def __call__(self, given: Any, at: Mapping[str, int]) -> Any:
        match given:
            case al.Sym("one", _):
                return np.eye(3)
            case al.Sym(name, index):
                return self.known[(name, *(at[one] for one in index))]
            case al.Number(value):
                return float(value)
            case al.Sum(terms):
                return sum((sign * self(term, at) for sign, term in terms), 0.0)
            case al.Product(a, b):
                x, y = np.asarray(self(a, at)), np.asarray(self(b, at))
                return x * y if 0 in (x.ndim, y.ndim) else x @ y
            case al.Quotient(a, b):
                return self(a, at) / self(b, at)
            case al.Cross(a, b):
                return np.cross(self(a, at), self(b, at))
            case al.Dot(a, b):
                return self(a, at) @ self(b, at)
            case al.Dyad(a, b):
                return np.outer(self(a, at), self(b, at))
            case al.Transposed(a):
                return self(a, at).T
            case al.Skew(a):
                return skew(self(a, at))
            case al.Over(index, a):
                return sum((self(a, {**at, index: one}) for one in self.ranges[index]), 0.0)
            case al.Call(name, args):
                return globals()[name](*(self(one, at) for one in args))
        raise AssertionError(given)

    def put(self, step: Any, at: Mapping[str, int]) -> None:
        if isinstance(step, al.Formula):
            self.known[(step.left.name, *(at[one] for one in step.left.index))] = self(step.right, at)


class Evaluated:
    """The printed recursion, run at a state as its sections say."""

    def __init__(self, tree: JointTree, printed: Any, state: Any) -> None:
        self.tree, self.short = tree, printed.short
        self.joints = [joint for joint in tree.joints if joint.kind.value != "fixed"]
        self.parents = {one.number: one.before for one in self.short.joints}
        self.number = Numbers(self.parents)
        self.units: dict[int, list[tuple[Any, Any]]] = {}
        self._given(state)
        _, outwards, *self.rest = sections(self.short.features, self.short.algorithm)
        self.words = [step for section in self.rest for step in section.steps if isinstance(step, str)]
        self.number.known |= {("w", 0): np.zeros(3), ("b", 0): np.zeros(3), ("c", 0): -np.array(tree.gravity, float)}
        self.number.known |= {("al", 0): np.zeros(3), ("a", 0): np.zeros(3)}
        self._positions(outwards)

    def _given(self, state: Any) -> None:
        """Take what is given: constants of the bodies with what is fixed to them, coordinates, speeds."""
        known, tree = self.number.known, self.tree
        place = {tree.root: (0, np.eye(3), np.zeros(3))}
        bodies = {number: [0.0, np.zeros(3), np.zeros((3, 3))] for number in self.parents}
        values = dict(zip([*tree.coordinates, *tree.speeds], state, strict=True))
        links, number = {link.name: link for link in tree.links}, 0
        for joint in tree.joints:
            above, turned, origin = place[joint.parent]
            C, d = turned @ np.array(joint.rotation, float), origin + turned @ np.array(joint.offset, float)
            if joint.kind.value == "fixed":
                place[joint.child] = above, C, d
            else:
                number += 1
                place[joint.child] = number, np.eye(3), np.zeros(3)
                q, u = (np.array([values[e] for e in one], float) for one in (joint.coordinates, joint.speeds))
                wide = joint.kind.value in WIDE
                free = joint.kind.value == "free"
                known |= {("C", number): C, ("d", number): d, ("P", number): turned, ("J", number): joint.armature}
                known |= {("e", number): np.array(joint.axis, float), ("s", number): q[:3], ("v", number): u[:3]}
                known |= {("q", number): (q[3:] if free else q) if wide else q[0]}
                known |= {("u", number): (u[3:] if free else u) if wide else u[0]}
                known[("speeds", number)] = u
            body, turned, origin = place[joint.child]
            link = links[joint.child]
            c = origin + turned @ np.array(link.centre, float)
            m, inertia = link.mass, turned @ np.array(link.inertia, float) @ turned.T
            sums = bodies[body]
            sums[0], sums[1] = sums[0] + m, sums[1] + m * c
            sums[2] = sums[2] + inertia + m * (c @ c * np.eye(3) - np.outer(c, c))
        for body, (m, h, inertia) in bodies.items():
            known |= {("m", body): m, ("h", body): h, ("I", body): inertia}
        self.place = place

    def _positions(self, outwards: Any) -> None:
        number, known = self.number, self.number.known
        world = {0: np.eye(3)}
        for i, joint in enumerate(self.joints, start=1):
            wide = joint.kind.value in WIDE
            mine = Variant(joint.kind.value, wide and not joint.quaternion, wide and joint.speeds_in == "parent")
            assert mine in self.short.features.variants
            for step in motion(mine):
                if not isinstance(step, str) and not (isinstance(step.right, al.Call) and step.right.name == "angular"):
                    number.put(step, {"i": i, "p": self.parents[i]})
            world[i] = world[self.parents[i]] @ known["R", i]
            for name in ("wj", "vj", "phi", "psi"):
                known[name, i] = np.zeros(3) + known.get((name, i), 0.0)
            self.units[i] = UNITS[joint.kind.value] if wide else [(known["phi", i], known["psi", i])]
            known |= {("F", i): np.zeros(3), ("N", i): np.zeros(3)}
            known[("tau", i)] = -joint.damping * known["speeds", i]
        for load in self.tree.loads:
            if isinstance(load, JointLoad):
                (i,) = (k for k, one in enumerate(self.joints, start=1) if one.name == load.joint)
                known[("tau", i)] = known["tau", i] + np.array(load.loads, float)
            else:
                i, turned, origin = self.place[load.link]
                force = world[i].T @ np.array(load.force, float)
                known[("F", i)] = force
                known[("N", i)] = np.cross(origin + turned @ np.array(load.at, float), force)
        for i, joint in enumerate(self.joints, start=1):
            for step in outwards.steps:
                number.put(step, {"i": i, "p": self.parents[i]})
            if joint.kind.value in WIDE and joint.speeds_in == "parent":
                turned = known["R", i].T @ known["P", i]
                parts = [turned @ part for part in np.split(known["tau", i], len(known["tau", i]) // 3)]
                if joint.armature and len(parts) == 2 and any(ROTOR in step for step in self.words):
                    parts[0] = parts[0] - known["J", i] * np.cross(known["wj", i], known["vj", i])
                known[("tau", i)] = np.concatenate(parts)

    def accelerations(self) -> Any:
        found = self._articulated() if self.short.algorithm == "articulated" else self._composite()
        for i, joint in enumerate(self.joints, start=1):
            if joint.kind.value in WIDE and joint.speeds_in == "parent":
                known = self.number.known
                back = known["P", i].T @ known["R", i]
                parts = [*np.split(found[i], len(found[i]) // 3)]
                if len(parts) == 2:
                    parts[0] = parts[0] + np.cross(known["wj", i], known["vj", i])
                found[i] = np.concatenate([back @ part for part in parts])
        return np.concatenate([found[i] for i in sorted(found)])

    def _rates(self, i: int) -> Iterator[tuple[int, Any]]:
        yield from enumerate(self.units[i])

    def _articulated(self) -> dict[int, Any]:
        number, known = self.number, self.number.known
        inwards, outwards = (section for section in self.rest if section.order in ("inwards", "outwards"))
        first = [
            step
            for step in inwards.steps
            if isinstance(step, al.Formula) and step.left.name in ("IA", "HA", "MA", "fA", "nA")
        ]
        each = [
            step
            for step in inwards.steps
            if step not in first and isinstance(step, al.Formula) and step.left.name != "K"
        ]
        last = [step for step in inwards.steps if isinstance(step, al.Formula) and step.left.name == "K"]
        saved: dict[tuple[int, int], dict[str, Any]] = {}
        for i in sorted(self.parents, reverse=True):
            at = {"i": i, "p": self.parents[i]}
            number.ranges["c"] = [c for c, p in self.parents.items() if p == i]
            tau = np.atleast_1d(known["tau", i])
            for step in first:
                number.put(step, at)
            for k, (phi, psi) in reversed(list(self._rates(i))):
                known |= {("phi", i): phi, ("psi", i): psi, ("tau", i): tau[k]}
                for step in each:
                    number.put(step, at)
                saved[i, k] = {name: known[name, i] for name in "klDT"}
                for name in ("I", "H", "M", "f", "n"):
                    known[f"{name}A", i] = known[f"{name}a", i]
            for step in last:
                number.put(step, at)
        found = {}
        for i in sorted(self.parents):
            at = {"i": i, "p": self.parents[i]}
            start, solve = outwards.steps[1:3], outwards.steps[3:6]
            for step in start:
                number.put(step, at)
            values = []
            for k, (phi, psi) in self._rates(i):
                known |= {("phi", i): phi, ("psi", i): psi, **{(name, i): one for name, one in saved[i, k].items()}}
                for step in solve:
                    number.put(step, at)
                values.append(known["ud", i])
                known |= {("al-", i): known["al", i], ("a-", i): known["a", i]}
            found[i] = np.array(values)
        return found

    def _composite(self) -> dict[int, Any]:
        number, known = self.number, self.number.known
        inwards, columns, factors, solution = self.rest[:4]
        for i in sorted(self.parents, reverse=True):
            number.ranges["c"] = [c for c, p in self.parents.items() if p == i]
            for step in inwards.steps:
                number.put(step, {"i": i, "p": self.parents[i]})
        # from here on a rate has a number of its own, 100 times its joint and its place there
        rates = [(100 * i + k, i, phi, psi) for i in sorted(self.parents) for k, (phi, psi) in self._rates(i)]
        above: dict[int, list[int]] = {}
        own, carry = columns.steps[:3], [step for step in columns.steps[3:] if isinstance(step, al.Formula)]
        for rate, i, phi, psi in rates:
            for name in ("hC", "IC", "mC", "J", "fC", "nC"):
                if (name, i) in known:
                    known[name, rate] = known[name, i]
            known |= {
                ("phi", rate): phi,
                ("psi", rate): psi,
                ("tau", rate): np.atleast_1d(known["tau", i])[rate - 100 * i],
                ("e", rate): known["e", i],
            }
            for step in own:
                number.put(step, {"i": rate})
            above[rate] = []
            last, j = i, i  # whose wrench is known, and the joint that reads it
            known |= {("Y", rate, i): known["Y", rate, rate], ("Z", rate, i): known["Z", rate, rate]}
            while j:
                for other, of, phi_j, psi_j in rates:
                    if of == j and other < rate:
                        known |= {("phi", 1000): phi_j, ("psi", 1000): psi_j, ("e", 1000): known["e", j]}
                        known |= {("Y", rate, 1000): known["Y", rate, j], ("Z", rate, 1000): known["Z", rate, j]}
                        number.put(carry[2], {"i": rate, "j": 1000})
                        known["M", rate, other] = known["M", rate, 1000]
                        above[rate].append(other)
                last, j = j, self.parents[j]
                for step in carry[:2] if j else ():
                    number.put(step, {"i": rate, "j": j, "k": last})
        below = {rate: [other for other in above if rate in above[other]] for rate in above}
        for rate in sorted(above, reverse=True):
            number.ranges["d"] = below[rate]
            lines = [step for step in factors.steps if isinstance(step, al.Formula)]
            number.put(lines[0], {"i": rate})
            for j in above[rate]:
                number.ranges["d"] = [d for d in below[rate] if j in above[d]]
                number.put(lines[1], {"i": rate, "j": j})
            number.ranges["d"] = below[rate]
            number.put(lines[2], {"i": rate})
        for rate in sorted(above):
            number.ranges["j"] = above[rate]
            number.put(solution.steps[0], {"i": rate})
        return {i: np.array([known["ud", rate] for rate, of, _, _ in rates if of == i]) for i in self.parents}


KINDS = [("revolute",), ("prismatic",), ("revolute", "prismatic"), ("ball",), ("free", "revolute"),
         ("revolute", "prismatic", "ball", "free")]  # fmt: skip


@pytest.mark.parametrize("algorithm", ["composite", "articulated"])
@pytest.mark.parametrize("kinds", KINDS, ids="-".join)
@settings(max_examples=6)
@given(seed=st.integers(0, 10_000), count=st.integers(1, 4))
def test_the_formulas_that_are_printed_move_the_tree(
    algorithm: str, kinds: tuple[str, ...], seed: int, count: int
) -> None:
    """Evaluated from the records that are spelled, section by section, they give the reference's accelerations."""
    tree = drawn(seed, count, kinds)
    model = eomc.from_tree(tree)
    printed = eomc.equations(model, algorithm=algorithm, form="short")
    rng = np.random.default_rng(seed)
    state = rng.uniform(-1, 1, len(tree.coordinates) + len(tree.speeds))
    names = list(tree.coordinates)
    for joint in tree.joints:
        if joint.quaternion:
            at = [names.index(e) for e in joint.quaternion]
            state[at] /= np.linalg.norm(state[at])
    expected = eomc.reference(model).rhs(0.0, state)
    evaluated = Evaluated(tree, printed, state)
    found = evaluated.accelerations()
    after = expected[len(names) :]
    assert np.allclose(found, after, rtol=1e-8, atol=1e-8 * (1 + abs(after).max()))
    known, rates = evaluated.number.known, dict(zip(names, expected, strict=False))
    for i, joint in enumerate(evaluated.joints, start=1):
        if joint.kind.value not in WIDE:
            continue
        qd = np.array([rates[e] for e in joint.coordinates])
        if joint.kind.value == "free":
            assert np.allclose(known["sd", i], qd[:3], atol=1e-10)
            qd = qd[3:]
        if joint.quaternion:
            assert np.allclose(half(known["q", i], known["wj", i]), qd, atol=1e-10)
        else:
            assert np.allclose(angular(known["q", i], qd), known["wj", i], atol=1e-10)


# -- what is printed -------------------------------------------------------------------------------------------------


def chain(count: int, **more: Any) -> eomc.Model:
    links = [Link(name="l0"), *(Link(name=f"l{k + 1}", mass=1.0, centre=(0.2, 0.1, 0)) for k in range(count))]
    joints = [
        Joint(
            name=f"j{k}", kind="revolute", parent=f"l{k}", child=f"l{k + 1}", axis=((1, 0, 0), (0, 0, 1))[k % 2],
            offset=(0.5, 0, 0), coordinates=[dynamicsymbols(f"q{k}")], speeds=[dynamicsymbols(f"u{k}")],
        )
        for k in range(count)
    ]  # fmt: skip
    return eomc.from_tree(JointTree(links, joints, gravity=(0, 0, -9.81), **more), name="chain")


def test_text_leaves_no_doubt_about_brackets() -> None:
    """A product inside of a cross product stands in brackets, so does a sum in a product; empty terms are left out."""
    text = eomc.equations(chain(5)).text
    for line in (
        "omega_i = R_i^T omega_p + omegaJ_i",
        "beta_i  = R_i^T beta_p + (R_i^T omega_p) x omegaJ_i",
        "gamma_i = R_i^T (gamma_p + beta_p x r_i + omega_p x (omega_p x r_i))",
        "f_i     = m_i gamma_i + beta_i x h_i + omega_i x (omega_i x h_i)",
        "M_ii = e_i . Z_ii",
        "x_i  = tau_i - e_i . nC_i - sum_d L_di x_d",
    ):
        assert f"  {line}\n" in text
    assert "psi" not in text
    assert "vJ" not in text
    assert "J_i + " not in text


@pytest.mark.parametrize("algorithm", ["composite", "articulated"])
def test_a_rotor_that_goes_with_outer_speeds_is_told(algorithm: str) -> None:
    """Of free joints alone, whose origin has another acceleration than its speeds; the formulas without it miss it."""
    told = {
        (kind, axes, armature): "a rotor goes with the speeds" in short(kind, axes, armature, algorithm)
        for kind in ("ball", "free")
        for axes in ("child", "parent")
        for armature in (0, 0.4)
    }
    assert [case for case, one in told.items() if one] == [("free", "parent", 0.4)]


def short(kind: str, axes: str, armature: float, algorithm: str) -> str:
    """Return the short form of two bodies, the first on a joint of a kind."""
    count = WIDE[kind]
    joints = [
        Joint(
            name="j0", kind=kind, parent="l0", child="l1", speeds_in=axes, armature=armature,
            coordinates=[dynamicsymbols(f"q0_{k}") for k in range(count)],
            speeds=[dynamicsymbols(f"u0_{k}") for k in range(count)],
        ),
        Joint(name="j1", kind="revolute", parent="l1", child="l2", axis=(0, 0, 1), armature=0.1,
              coordinates=[dynamicsymbols("q1")], speeds=[dynamicsymbols("u1")]),
    ]  # fmt: skip
    unit = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    links = [Link(name="l0"), *(Link(name=name, mass=1, inertia=unit) for name in ("l1", "l2"))]
    return eomc.equations(eomc.from_tree(JointTree(links, joints)), algorithm=algorithm, form="short").text


def test_every_symbol_is_explained() -> None:
    """Each symbol that a formula holds has its line under the heading of words, for every kind of joint."""
    for algorithm in ("composite", "articulated"):
        tree = drawn(3, 8, ("revolute", "prismatic", "ball", "free"))
        printed = eomc.equations(eomc.from_tree(tree), algorithm=algorithm, form="short")
        formulas, words = printed.text.split("\nWords\n")
        told = {line.split("  ")[1].strip() for line in words.splitlines() if line.startswith("  ") and line[2] != " "}
        used = set(re.findall(r"(\w+?)(?:_[a-z]{1,2})(?!\w)('?)", formulas.split("A joint i on body p")[1]))
        assert {name + dot for name, dot in used} - {"sum"} <= told
        for name in ("turn()", "half()", "angular()"):
            assert name in told


@pytest.mark.parametrize("algorithm", ["composite", "articulated"])
def test_pages_are_well_formed(algorithm: str) -> None:
    """HTML is XML with MathML in it, LaTeX closes every brace and environment, text is ASCII; all tell the joints."""
    printed = eomc.equations(chain(6), algorithm=algorithm, form="short")
    page = ET.fromstring(printed.html.split("\n", 1)[1])
    assert len(page.findall(".//{*}math")) > 40
    assert [cell.text for cell in page.findall(".//{*}tr")[3]] == ["3", "2", "j2", "revolute", "1 0 0", "l3", "1"]
    latex = printed.latex
    depth = 0
    for sign in re.findall(r"(?<!\\)[{}]", latex):
        depth += 1 if sign == "{" else -1
        assert depth >= 0
    assert depth == 0
    assert len(re.findall(r"\\begin\{(?:tabular|longtable)\}", latex)) == 2
    assert printed.text.isascii()
    assert latex.isascii()
    assert "<math" in printed._repr_html_()
    assert r"\begin{align*}" in printed._repr_latex_()


def test_a_thousand_joints_are_not_derived(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a long row the recursion is known beforehand: nothing is derived, and the table is abbreviated."""
    model = chain(1000)

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError

    with monkeypatch.context() as patched:
        patched.setattr("eomc.printed.derive", refuse)
        text = eomc.equations(model).text
    assert "u' by articulated bodies: at this depth composite bodies cost more" in text.replace("\n", " ")
    assert "  ...   ...  970 more\n" in text
    assert len(text.splitlines()) < 130


def test_the_form_follows_the_size() -> None:
    """Three joints are written out, four are not, unless it is asked for; other models are always written out."""
    assert eomc.equations(chain(3)).short is None
    assert eomc.equations(chain(4)).short is not None
    assert eomc.equations(chain(4), form="full").short is None
    assert "Mass matrix M" in eomc.equations(chain(4), form="full").text
    assert eomc.equations(chain(2), form="short").short is not None
    pendulum = eomc.load("double_pendulum")
    assert eomc.equations(pendulum).short is None
    with pytest.raises(UsageError, match="double_pendulum is no tree of joints: the short form"):
        eomc.equations(pendulum, form="short")
    with pytest.raises(UsageError, match="form is 'long': it must be 'auto' or 'short' or 'full'"):
        eomc.equations(pendulum, form="long")


def test_followers_and_closures_are_told() -> None:
    """What stands beside the recursion is said: G of joints that follow others, J of closed loops."""
    links = [Link(name="l0"), *(Link(name=f"l{k}", mass=1.0, centre=(0.2, 0, 0)) for k in (1, 2, 3))]
    joints = [
        Joint(name=f"j{k}", kind="revolute", parent="l0", child=f"l{k}", axis=(0, 0, 1), offset=(k, 0, 0), **more)
        for k, more in (
            (1, {"coordinates": [dynamicsymbols("q1")], "speeds": [dynamicsymbols("u1")]}),
            (2, {"mimic": Mimic(joint="j1", factor=0.5)}),
            (3, {"coordinates": [dynamicsymbols("q3")], "speeds": [dynamicsymbols("u3")]}),
        )
    ]
    text = eomc.equations(eomc.from_tree(JointTree(links, joints)), form="short").text
    assert "revolute, follows j1" in text
    assert "the speeds of all joints are G times those that follow none" in text
    closing = Closure(name="loop", kind="point", first="l0", second="l4", at_first=(0.4, 0, 0))
    assert "M u' + J^T lambda = x is solved" in eomc.equations(chain(4, closures=[closing]), form="short").text
