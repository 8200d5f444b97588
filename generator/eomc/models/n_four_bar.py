r"""N four-bar linkages in a row: N + 1 equal links on fixed pivots, their ends joined by N links of the same length.

::

       B0 o--beta1--o--beta2--o BN     psi0 .. psiN    angle of each pivoted link from the upward vertical, clockwise
         /         /         /         beta1 .. betaN  angle of each joining link from +x, counter-clockwise
        /)psi0    /)psi1    /)psiN     2 N + 1 uniform links of length and mass link_length and link_mass,
       A0        A1        AN          pivots A_i at (i link_length, 0); y up, gravity is -g y

Each of the N loops is closed by two configuration constraints, A_i B_i = A_(i-1) B_(i-1) + link i: there are 2 N + 1
coordinates, 2 N constraints, and one degree of freedom, the parallelograms' common angle. When all links are
horizontal the constraints are dependent and the mechanism could leave that motion in N ways: passing through there
is what makes it a benchmark, and its usual run is kept on the constraints by projection.

``n_four_bar`` has N = 2, ``n_four_bar:40`` has N = 40 and is named ``n_four_bar_40``. It starts upright, B0 moving
along x with 1 m/s.

Coordinates ``psi0 psi1 psi2 beta1 beta2``, speeds ``psi0_d psi1_d psi2_d beta1_d beta2_d`` (their rates) for N = 2,
parameters ``link_mass link_length g``. Outputs are position and velocity of B0.

Source: M. Gonzalez, D. Dopico, U. Lugris, J. Cuadrado, A benchmarking system for MBS simulation software, *Multibody
Syst. Dyn.* 16 (2006), problem A02; after E. Bayo and A. Avello, *Nonlinear Dyn.* 5 (1994).
"""

from __future__ import annotations

from sympy import Expr, cos, pi, sin, symbols
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

from eomc.errors import UsageError
from eomc.model import Model, Shape


def model(n: int = 2) -> Model:
    """Return `n` linkages, upright and moving.

    Raises
    ------
    UsageError
        `n` is not a positive whole number.
    """
    loops = int(n)
    if loops < 1 or loops != n:
        raise UsageError(f"n_four_bar: the number of linkages must be a positive whole number, not {n!r}")
    psi = [dynamicsymbols(f"psi{i}") for i in range(loops + 1)]
    beta = [dynamicsymbols(f"beta{i}") for i in range(1, loops + 1)]
    psi_d = [dynamicsymbols(f"psi{i}_d") for i in range(loops + 1)]
    beta_d = [dynamicsymbols(f"beta{i}_d") for i in range(1, loops + 1)]
    coordinates, speeds = [*psi, *beta], [*psi_d, *beta_d]
    mass, length, g = symbols("link_mass link_length g", positive=True)

    N = ReferenceFrame("N")
    bodies = []

    def link(name: str, root: Point, angle: Expr, rate: Expr) -> Point:
        """Add a link from `root` at an angle from +x, and return its far end."""
        frame = ReferenceFrame(f"frame_of_{name}")
        frame.orient_axis(N, N.z, angle)
        frame.set_ang_vel(N, rate * N.z)
        centre = root.locatenew(f"centre_of_{name}", length / 2 * frame.x)
        centre.v2pt_theory(root, N, frame)
        end = root.locatenew(f"end_of_{name}", length * frame.x)
        end.v2pt_theory(root, N, frame)
        moment = mass * length**2 / 12
        bodies.append(RigidBody(name, centre, frame, mass, (inertia(frame, 0, moment, moment), centre)))
        return end

    origin = Point("O")
    ends = []
    for i in range(loops + 1):
        pivot = origin.locatenew(f"A{i}", i * length * N.x)
        pivot.set_vel(N, 0)
        ends.append(link(f"pivoted{i}", pivot, pi / 2 - psi[i], -psi_d[i]))
    closing = []
    for i in range(loops):
        link(f"joining{i + 1}", ends[i], beta[i], beta_d[i])
        closing += [
            length * (sin(psi[i]) + cos(beta[i]) - 1 - sin(psi[i + 1])),
            length * (cos(psi[i]) + sin(beta[i]) - cos(psi[i + 1])),
        ]

    initial = {p: (0.0, "rad", f"angle of pivoted link {i} from the upward vertical") for i, p in enumerate(psi)}
    initial |= {b: (0.0, "rad", f"angle of joining link {i} from +x") for i, b in enumerate(beta, 1)}
    initial |= {p: (None, "rad/s", f"angular velocity of pivoted link {i}") for i, p in enumerate(psi_d)}
    initial |= {b: (None, "rad/s", f"angular velocity of joining link {i}") for i, b in enumerate(beta_d, 1)}
    initial[psi_d[0]] = (1.0, "rad/s", "angular velocity of pivoted link 0")
    return Model(
        name="n_four_bar",
        description=f"{loops} four-bar linkage{'s' if loops > 1 else ''} in a row, all links equal",
        inertial_frame=N,
        coordinates=coordinates,
        speeds=speeds,
        kinematical_equations=[q.diff() - u for q, u in zip(coordinates, speeds, strict=True)],
        bodies=bodies,
        gravity=-g * N.y,
        configuration_constraints=closing,
        parameters={
            mass: (1.0, "kg", "mass of each link"),
            length: (1.0, "m", "length of each link, distance of the pivots"),
            g: (9.81, "m/s^2", "acceleration of free fall"),
        },
        outputs={
            "B0_x": (length * sin(psi[0]), "m", "position of B0 along x"),
            "B0_y": (length * cos(psi[0]), "m", "height of B0"),
            "B0_xd": (length * cos(psi[0]) * psi_d[0], "m/s", "velocity of B0 along x"),
            "B0_yd": (-length * sin(psi[0]) * psi_d[0], "m/s", "velocity of B0 upwards"),
        },
        shapes={body: [Shape.box(length, length / 14, length / 14)] for body in bodies},
        ground=[Shape.sphere(length / 12, offset=(i * length, 0, 0)) for i in range(loops + 1)],
        origin=origin,
        run={"stabilization": "projection"},
        initial=initial,
        ranges={psi[0]: (-1.2, 1.2)} | dict.fromkeys([*psi[1:], *beta], (-0.3, 0.3)),
    )
