"""A model's equations of motion for reading: as text, LaTeX and HTML, and in notebooks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from eomc.analysis.dimensions import refuse_disagreeing
from eomc.backends.report import render_equations, render_fragment, render_sections, render_short
from eomc.backends.report.recursion import ShortForm
from eomc.derivation.apart import forces_apart
from eomc.derivation.derive import derive
from eomc.derivation.methods import choose_method
from eomc.derivation.methods.record import Derivation
from eomc.derivation.options import Options, refuse_unknown
from eomc.derivation.pose import pose
from eomc.derivation.trees.foretold import foretold
from eomc.errors import UsageError
from eomc.ir.equations import EquationsOfMotion, ForcesApart
from eomc.ir.method import SecondHalf
from eomc.listed import short_form
from eomc.model.model import Model
from eomc.model.trees.tree import JointTree
from eomc.passes.cost import cost

FORCES = ("together", "apart")
FORMS = ("auto", "short", "full")

READABLE = 200
"""Operations of the motion of a tree up to which its equations are written out: two or three joints."""


@dataclass(frozen=True, eq=False, repr=False)
class Equations:
    """Equations of motion that print themselves; a notebook shows them set.

    Attributes
    ----------
    short
        Of a tree of joints, where the recursion over one joint is printed in place of what it comes to; else None.
    text
        Plain ASCII; of the long form, such that it can be pasted into SymPy; what `print` shows.
    latex
        A LaTeX document.
    html
        A web page that needs nothing else.
    sections
        What of it are equations, in MathML, for a page that has the rest; `eomc.report` puts them into its own.

    Notes
    -----
    `model` and `method` tell whose they are; `apart` has active and inertia forces where they are printed.

    Examples
    --------
    >>> import eomc
    >>> printed = eomc.equations(eomc.load("simple_pendulum"))
    >>> printed.method, "documentclass" in printed.latex
    ('kane', True)
    """

    model: Model
    method: str
    short: ShortForm | None
    apart: ForcesApart | None  # active and inertia forces, where they are printed
    _derived: Callable[[], EquationsOfMotion]

    @cached_property
    def equations(self) -> EquationsOfMotion:
        """The equations over their graph."""
        return self._derived()

    @property
    def text(self) -> str:
        """The equations in plain ASCII."""
        return self._rendered("text")

    @property
    def latex(self) -> str:
        """The equations as a LaTeX document."""
        return self._rendered("latex")

    @property
    def html(self) -> str:
        """The equations as a web page, its formulas in MathML."""
        return self._rendered("html")

    @property
    def sections(self) -> str:
        """The equations alone, in MathML: no heading, no legend, no styles."""
        if self.short is not None:
            return render_short(self.model, self.short, "html", "sections")
        return render_sections(self, self.apart)

    def _rendered(self, format: str, fragment: bool = False) -> str:
        if self.short is not None:
            return render_short(self.model, self.short, format, "fragment" if fragment else "template")
        if fragment:
            return render_fragment(self, format, self.apart)
        return render_equations(self, format, self.apart)

    def _repr_latex_(self) -> str:
        """Return the equations as displays for MathJax, without the legend."""
        return self._rendered("latex", fragment=True)

    def _repr_html_(self) -> str:
        """Return the page's content, which styles nothing around it."""
        return self._rendered("html", fragment=True)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<eomc.Equations of {self.model.name!r} by {self.method}; print them, or see .text, .latex, .html>"


def equations(
    model: Model,
    method: str | None = None,
    *,
    constraints: str = "eliminated",
    stabilization: str | None = None,
    forces: str = "together",
    algorithm: str = "auto",
    form: str = "auto",
    units: str = "check",
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
    form
        Of a tree of joints, ``short``: its joints in a table and the recursion over one of them, with its symbols; or
        ``full``: all that the recursion comes to. ``auto``: the full form of two or three joints, of more the short
        one. Other models have the full form alone.
    units
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
    ModelError
        The model's units do not agree.
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
    refuse_unknown("form", form, FORMS)
    refuse_disagreeing(model, units)
    # unless asked, equations are those of the frames given
    options = Options.of(model.run, constraints, stabilization, algorithm, trees=False)
    if forces == "together":
        return _together(model, chosen, options, form)
    if chosen.second is not SecondHalf.SPEEDS:
        raise UsageError(f"active and inertia forces are told apart by kane and gibbs-appell, not by {chosen.name}")
    if form == "short":
        raise UsageError("active and inertia forces are told apart in the long form alone: give form='full'")
    problem = pose(model, options=options)
    derived = derive(model, chosen, problem, options)
    return Equations(model, chosen.name, None, forces_apart(problem), lambda: derived)


def _together(model: Model, chosen: Derivation, options: Options, form: str) -> Equations:
    """Return equations in full, or of a tree of joints in the short form where that is wanted or better read."""
    tree = model.dynamics
    if form == "short" and not isinstance(tree, JointTree):
        raise UsageError(f"{model.name} is no tree of joints: the short form, of one joint, is for those alone")
    if isinstance(tree, JointTree) and form != "full":
        recursion = foretold(model.name, tree, options.algorithm)
        if recursion is not None:
            return Equations(
                model, chosen.name, short_form(tree, recursion), None, lambda: derive(model, chosen, options=options)
            )
    derived = derive(model, chosen, options=options)
    recursion = derived.motion.recursion
    short = None
    if isinstance(tree, JointTree) and recursion is not None and (form == "short" or not _is_readable(derived, form)):
        short = short_form(tree, recursion)
    return Equations(model, chosen.name, short, None, lambda: derived)


def _is_readable(derived: EquationsOfMotion, form: str) -> bool:
    """Whether the long form is asked for, or short enough to be read."""
    return form == "full" or cost(derived.graph, derived.motion.derivative) <= READABLE
