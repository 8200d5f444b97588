/* A two-link arm follows a path by computed torque: inverse dynamics of the path and of its errors. */
#include "two_link_arm.h"

#include <math.h>
#include <stdio.h>

#define DT 1e-3      /* s, of the controller and of the plant */
#define STEPS 5000
#define OMEGA 15.0   /* 1/s, at which errors decay, critically damped */
#define UPWARD 1.5707963267948966

/* The path of one angle: offset + amplitude sin(rate t), and its derivatives. */
static void follow(double t, double offset, double amplitude, double rate, double path[3])
{
    path[0] = offset + (amplitude * sin(rate * t));
    path[1] = amplitude * rate * cos(rate * t);
    path[2] = -amplitude * rate * rate * sin(rate * t);
}

int main(void)
{
    two_link_arm_constants c;
    two_link_arm_work work;
    two_link_arm_inputs r = two_link_arm_default_inputs;
    two_link_arm_real x[TWO_LINK_ARM_NX];
    double worst = 0.0;
    int k;

    if (two_link_arm_prepare(&two_link_arm_default_parameters, &c) != TWO_LINK_ARM_OK) {
        return 1;
    }
    for (k = 0; k < TWO_LINK_ARM_NX; ++k) {
        x[k] = two_link_arm_initial_state[k]; /* off the path */
    }
    r.phi = UPWARD;
    for (k = 0; k < STEPS; ++k) {
        const double t = DT * k;
        double path[2][3];
        two_link_arm_real wanted[TWO_LINK_ARM_NV];
        two_link_arm_real forces[TWO_LINK_ARM_INVERSE_DYNAMICS_SIZE];
        int i;

        follow(t, 0.4, 0.5, 2.0, path[0]);
        follow(t, -0.2, 0.4, 3.0, path[1]);
        for (i = 0; i < 2; ++i) {
            const double error = path[i][0] - x[i];
            const double rate = path[i][1] - x[i + 2];

            wanted[i] = path[i][2] + (2.0 * OMEGA * rate) + (OMEGA * OMEGA * error);
            if ((k >= (STEPS / 2)) && (fabs(error) > worst)) {
                worst = fabs(error);
            }
        }
        if (two_link_arm_inverse_dynamics(t, x, wanted, &r, &c, &work, forces) != TWO_LINK_ARM_OK) {
            printf("no forces at t = %g\n", t);
            return 1;
        }
        r.M2 = forces[TWO_LINK_ARM_INVERSE_DYNAMICS_M2];
        r.F3 = forces[TWO_LINK_ARM_INVERSE_DYNAMICS_F3];
        if (two_link_arm_rk4_step_held(t, DT, &r, &c, &work, x) != TWO_LINK_ARM_OK) {
            return 1;
        }
    }
    printf("largest error of an angle in the second half: %.1e rad\n", worst);
    return (worst < 1e-3) ? 0 : 1;
}
