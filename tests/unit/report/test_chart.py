"""Charts: curves where their numbers are, round numbers at the axes."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

import hypothesis
import hypothesis.strategies as st
import numpy as np
import pytest

from eomc.report.chart import chart, thinned, ticks

T = np.linspace(0.0, 2.0, 5001)


def read(text: str) -> tuple[dict[str, list[list[tuple[int, int]]]], ElementTree.Element]:
    """Return the strokes of each curve, by its name, and the picture."""
    root = ElementTree.fromstring(text)
    names = [one.text for one in root.iter("span")]
    found = {}
    for name, path in zip(names, (one for one in root.iter("path") if "stroke" in one.attrib), strict=True):
        strokes = []
        for stroke in path.attrib["d"].split("M")[1:]:
            numbers = [int(one) for one in re.findall(r"-?\d+", stroke)]
            strokes.append([tuple(one) for one in np.cumsum(np.reshape(numbers, (-1, 2)), axis=0).tolist()])
        found[str(name)] = strokes
    return found, root


def scale(root: ElementTree.Element, kind: str) -> np.ndarray:
    """Return value = a + b * place of an axis, from its numbers."""
    group = next(one for one in root.iter("g") if one.attrib["class"] == kind)
    lines = [one for one in root.iter("path") if "stroke" not in one.attrib]
    places = sorted({int(re.findall(r"\d+", one.attrib["d"])[0 if kind == "across" else 1]) for one in lines
                     if ("V" in one.attrib["d"]) == (kind == "across")})  # fmt: skip
    values = sorted(float(str(one.text)) for one in group)
    places = places if kind == "across" else places[::-1]
    return np.polynomial.Polynomial.fit(places, values, 1).convert().coef


def test_curves_are_where_their_numbers_are() -> None:
    """Read back by the numbers at the axes, each point is on its curve to a unit of the drawing."""
    curves = {"a sine": np.sin(4.0 * T), "a <line>": 0.2 * T - 0.5}
    found, root = read(chart("two curves", "J", T, curves))
    (a, b), (c, d) = scale(root, "across"), scale(root, "upwards")
    for name, formula in (("a sine", lambda t: np.sin(4.0 * t)), ("a <line>", lambda t: 0.2 * t - 0.5)):
        ((*stroke,),) = found[name]
        x, y = np.array(stroke).T
        t = a + b * x
        slack = abs(d) + 4.0 * abs(b)  # half a unit either way, and rounding of the axes' own
        assert np.abs(c + d * y - formula(t)).max() < 1.5 * slack
        assert t[0] == pytest.approx(0.0, abs=2 * b)
        assert t[-1] == pytest.approx(2.0, abs=2 * b)


def test_a_gap_is_a_gap() -> None:
    """What is no finite number is not drawn; where nothing is, there is no chart."""
    values = np.where((T > 0.9) & (T < 1.1), np.nan, T)
    found, _ = read(chart("a gap", "J", T, {"broken": values}))
    assert len(found["broken"]) == 2
    assert chart("nothing", "J", T, {"none": np.full_like(T, np.inf)}) == ""
    assert chart("nothing", "J", np.empty(0), {"none": np.empty(0)}) == ""


def test_a_curve_that_rests_and_a_point() -> None:
    """Constant values, one point, and values as large as doubles are drawn within the picture."""
    for t, values in ((T, np.full_like(T, 3.0)), (T[:1], np.zeros(1)), (T, np.where(T < 1.0, -1.7e308, 1.7e308))):
        found, root = read(chart("rests", "J", t, {"it": values}))
        wide, high = map(int, root.find("svg").attrib["viewBox"].split()[2:])
        points = np.concatenate([np.array(one) for one in found["it"]])
        assert (points >= 0).all()
        assert (points <= [wide, high]).all()


def test_no_extreme_is_lost() -> None:
    """A spike of one point of thousands is seen, and so are both ends."""
    values = np.zeros_like(T)
    values[1234], values[4321] = 5.0, -7.0
    points = thinned(T, values)
    assert len(points) < 400
    assert {(float(T[1234]), 5.0), (float(T[4321]), -7.0), (0.0, 0.0), (2.0, 0.0)} <= set(points)
    assert [at for at, _ in points] == sorted(at for at, _ in points)


FINITE = st.floats(-1e9, 1e9)


@hypothesis.given(FINITE, FINITE)
def test_numbers_at_an_axis_are_round(one: float, other: float) -> None:
    """At most five within the axis, equally spaced by 1, 2 or 5 times a power of ten."""
    low, high = sorted((one, other))
    hypothesis.assume(high - low > 1e-9 * max(abs(low), abs(high), 1e-9))
    found = ticks(low, high)
    assert 1 <= len(found) <= 5
    span = high - low
    assert all(low - 1e-6 * span <= value <= high + 1e-6 * span for value in found)
    if len(found) > 1:
        steps = np.diff(found)
        assert np.ptp(steps) <= 1e-6 * steps.max()
        mantissa = float(f"{steps[0]:.6e}".partition("e")[0])
        assert mantissa in (1.0, 2.0, 5.0)
