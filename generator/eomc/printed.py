"""A model's equations of motion for reading: as text, LaTeX and HTML, and in notebooks."""

from __future__ import annotations

from dataclasses import dataclass

from eomc.backends.report import render_equations, render_fragment
from eomc.derivation.apart import forces_apart
from eomc.derivation.derive import derive
from eomc.derivation.methods import choose_method
from eomc.derivation.options import Options, refuse_unknown
from eomc.derivation.pose import pose
from eomc.errors import UsageError
from eomc.ir.equations import EquationsOfMotion, ForcesApart
from eomc.ir.method import SecondHalf
from eomc.model.model import Model

FORCES = ("together", "apart")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Equations:
    """Equations of motion that print themselves; a notebook shows them set.

    Attributes
    ----------
    text
        Plain ASCII, which can be pasted into SymPy; what `print` shows.
    latex
        A LaTeX document.
    html
        A web page that needs nothing else.
    """

    model: Model
    method: str
    equations: EquationsOfMotion
    apart: ForcesApart | None = None  # active and inertia forces, where they are printed

    @property
    def text(self) -> str:
        """The equations in plain ASCII."""
        return render_equations(self, "text", self.apart)

    @property
    def latex(self) -> str:
        """The equations as a LaTeX document."""
        return render_equations(self, "latex", self.apart)

    @property
    def html(self) -> str:
        """The equations as a web page, its formulas in MathML."""
        return render_equations(self, "html", self.apart)

    def _repr_latex_(self) -> str:
        """Return the equations as displays for MathJax, without the legend."""
        return render_fragment(self, "latex", self.apart)

    def _repr_html_(self) -> str:
        """Return the page's content, which styles nothing around it."""
        return render_fragment(self, "html", self.apart)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<eomc.Equations of {self.model.name!r} by {self.method}; print them, or see .text, .latex, .html>"


def equations(
    model: Model,
    method: str | None = None,
    *,
    constraints: str = "eliminated",
    stabilization: str = "none",
    forces: str = "together",
    algorithm: str = "auto",
) -> Equations:
    """Derive a model's equations of motion for reading; no C is made.

    Parameters
    ----------
    model
        The mechanism.
    method
        One of ``model.methods``; None: the model's native one.
    constraints, stabilization
        As `eomc.compile` takes them.
    forces
        ``apart``: generalized active forces F_r and inertia forces F*_r, too, where the motion is written in speeds.
    algorithm
        As `eomc.compile` takes it.

    Returns
    -------
    Equations
        ``print(...)`` shows the text; ``.latex`` and ``.html`` are documents; a notebook sets the formulas.

    Raises
    ------
    UsageError
        An argument that is not among those listed.
    UnsupportedError
        A method that cannot serve the model.
    DerivationError, LoweringError
        The equations do not exist, or an expression has no meaning in real arithmetic.

    Examples
    --------
    >>> import eomc
    >>> printed = eomc.equations(eomc.load("double_pendulum"), "lagrange")
    >>> print([line.strip() for line in printed.text.splitlines() if "f2" in line][0])
    f2 = m2*l1*l2*th1'^2*sin(th1 - th2) - m2*l2*g*sin(th2)
    """
    if not isinstance(model, Model):
        raise UsageError(
            f"eomc.equations takes an eomc.Model, not {type(model).__name__}; eomc.load makes one from a name or file"
        )
    chosen = choose_method(model, method)
    refuse_unknown("forces", forces, FORCES)
    options = Options(constraints, stabilization, algorithm)
    if forces == "together":
        return Equations(model, chosen.name, derive(model, chosen, options=options))
    if chosen.second is not SecondHalf.SPEEDS:
        raise UsageError(f"active and inertia forces are told apart by kane and gibbs-appell, not by {chosen.name}")
    problem = pose(model, options=options)
    return Equations(model, chosen.name, derive(model, chosen, problem, options), forces_apart(problem))
