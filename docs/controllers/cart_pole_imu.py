"""The cart and pole with an encoder on the rail and an IMU at the bob."""

import sympy
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

from eomc import Model

x, theta, x_d, theta_d, F = dynamicsymbols("x theta x_d theta_d F")
M, m, length, g = sympy.symbols("M m l g", positive=True)

N = ReferenceFrame("N")
origin = Point("O")
origin.set_vel(N, 0)
A = N.orientnew("A", "Axis", [theta, N.z])  # turns with the pole: -A.y points from the cart to the bob
A.set_ang_vel(N, theta_d * N.z)
C = origin.locatenew("C", x * N.x)
C.set_vel(N, x_d * N.x)
P = C.locatenew("P", -length * A.y)
P.v2pt_theory(C, N, A)

measured = P.acc(N) + g * N.y  # an accelerometer does not feel its own free fall

model = Model(
    name="cart_pole_imu",
    inertial_frame=N,
    coordinates=[x, theta],
    speeds=[x_d, theta_d],
    kinematical_equations=[x.diff() - x_d, theta.diff() - theta_d],
    bodies=[Particle("cart", C, M), Particle("bob", P, m)],
    loads=[(C, F * N.x)],
    gravity=-g * N.y,
    inputs={F: (0.0, "N", "horizontal force on the cart")},
    parameters={M: (1.0, "kg"), m: (0.2, "kg"), length: (0.5, "m"), g: (9.81, "m/s^2")},
    outputs={
        "encoder": (x, "m", "position of the cart"),
        "gyro": (theta_d, "rad/s", "angular velocity of the pole"),
        "across": (measured.dot(A.x), "m/s^2", "specific force across the pole"),
        "along": (measured.dot(A.y), "m/s^2", "specific force along the pole"),
    },
    initial={x: 0.0, theta: 0.8, x_d: 0.0, theta_d: 0.0},
)
