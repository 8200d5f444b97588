"""Linearly implicit schemes of Rosenbrock, each a row: for stiff motions, with the Jacobian of the motion in each step.

A step of length h from x at the time t, with J = df/dx and f_t = df/dt + df/dr r' there, solves one after the other::

    (1/(h gamma) - J) U_i = f(t + c_i h, x + sum_j a_ij U_j) + (1/h) sum_j C_ij U_j + h d_i f_t

and ends at x + sum_i b_i U_i. The last state at which f is evaluated is the end of the embedded scheme, so that the
last U is the estimate of the error. Between the ends, with theta from 0 to 1 and K_j = sum_i h_ji U_i, x is::

    x + theta (d + (1 - theta) (K_1 + theta (K_2 + theta K_3))),    d = x(t + h) - x(t)

References: Hairer and Wanner, *Solving Ordinary Differential Equations II*, sec. IV.7; Steinebach, *Construction of
Rosenbrock-Wanner method Rodas5P and numerical benchmarks within the Julia Differential Equations package* (2023), whose
sixteen digits the second half of this file has.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from eomc.pairs import Control


class Rosenbrock(NamedTuple):
    """One scheme; row i of `a` and of `couplings` has i entries."""

    name: str
    title: str
    order: int
    gamma: Fraction
    a: tuple[tuple[Fraction, ...], ...]
    couplings: tuple[tuple[Fraction, ...], ...]  # C
    c: tuple[Fraction, ...]
    d: tuple[Fraction, ...]
    dense: tuple[tuple[Fraction, ...], ...]  # rows of h
    dense_order: int
    control: Control

    def times(self, projected: bool) -> tuple[Fraction, ...]:
        """Return when a step takes inputs, in order; those at its end serve a projection, too."""
        del projected
        return tuple(sorted(set(self.c)))

    @property
    def b(self) -> tuple[Fraction, ...]:
        """Weights of the step: those of the embedded scheme and the estimate."""
        return (*self.a[-1], Fraction(1))

    @property
    def rounding(self) -> float:
        """How much larger the variance of the estimate is than that of a solution for the rounding of one slope.

        For J = 0, U = h (1/gamma - C)^-1 k: the sum of the squares of the last row, over that of h gamma. For a stiff
        J, of which slopes of later stages hear nothing, it is 1.
        """
        row = [Fraction(0)] * len(self.c)
        row[-1] = self.gamma
        for i in reversed(range(len(self.c))):  # by columns: row (1/gamma - C) = e_last
            row[i] = self.gamma * (
                int(i == len(self.c) - 1) + sum(row[j] * self.couplings[j][i] for j in range(i + 1, len(self.c)))
            )
        return float(sum(weight**2 for weight in row) / self.gamma**2)


def _rows(*texts: str) -> tuple[tuple[Fraction, ...], ...]:
    return tuple(tuple(map(Fraction, text.split())) for text in texts)


_GAMMA = "0.21193756319429014"
_EMBEDDED = "-7.502846399306121 2.561846144803919 -11.627539656261098 -0.18268767659942256 0.030198172008377946"
RODAS5P = Rosenbrock(
    "rodas5p",
    "Steinebach's scheme of Rosenbrock and Wanner",
    5,
    gamma=Fraction(_GAMMA),
    a=_rows(
        "",
        "3",
        "2.849394379747939 0.45842242204463923",
        "-6.954028509809101 2.489845061869568 -10.358996098473584",
        "2.8029986275628964 0.5072464736228206 -0.3988312541770524 -0.04721187230404641",
        _EMBEDDED,
        f"{_EMBEDDED} 1",
        f"{_EMBEDDED} 1 1",
    ),
    couplings=_rows(
        "",
        "-14.155112264123755",
        "-17.97296035885952 -2.859693295451294",
        "147.12150275711716 -1.41221402718213 71.68940251302358",
        "165.43517024871676 -0.4592823456491126 42.90938336958603 -5.961986721573306",
        "24.854864614690072 -3.0009227002832186 47.4931110020768 5.5814197821558125 -0.6610691825249471",
        "30.91273214028599 -3.1208243349937974 77.79954646070892 34.28646028294783 -19.097331116725623 "
        "-28.087943162872662",
        "37.80277123390563 -3.2571969029072276 112.26918849496327 66.9347231244047 -40.06618937091002 "
        "-54.66780262877968 -9.48861652309627",
    ),
    c=_rows("0 0.6358126895828704 0.4095798393397535 0.9769306725060716 0.4288403609558664 1 1 1")[0],
    d=_rows(f"{_GAMMA} -0.42387512638858027 -0.3384627126235924 1.8046452872882734 2.325825639765069 0 0 0")[0],
    dense=_rows(
        "25.948786856663858 -2.5579724845846235 10.433815404888879 -2.3679251022685204 0.524948541321073 "
        "1.1241088310450404 0.4272876194431874 -0.17202221070155493",
        "-9.91568850695171 -0.9689944594115154 3.0438037242978453 -24.495224566215796 20.176138334709044 "
        "15.98066361424651 -6.789040303419874 -6.710236069923372",
        "11.419903575922262 2.8879645146136994 72.92137995996029 80.12511834622643 -52.072871366152654 "
        "-59.78993625266729 -0.15582684282751913 4.883087185713722",
    ),
    dense_order=4,
    control=Control(Fraction(1, 5), Fraction(0), Fraction(1, 5), Fraction(6)),
)
ROSENBROCK = (RODAS5P,)
NEEDED = ("jacobian", "time_derivative")
"""Functions of the model that such a step evaluates beside its rates."""
