/* The cart balances its pole and stands where it should, though its motor pushes by half a newton too much: state
 * feedback with an integral of the error, sampled each 20 ms, and the motion in between to a tolerance.
 *
 * Writes time, state and force at each sample to sampled.csv.
 */
#include "cart_pole_dop853.h"

#include <math.h>
#include <stdio.h>

#define SAMPLE_TIME 0.02 /* s */
#define SAMPLES 1000
#define BIAS 0.5 /* N */

/* The force that is asked for; `integral` [m s] is the controller's own state. */
static double feedback(double *integral, const cart_pole_real x[CART_POLE_NX])
{
    const double lean = x[CART_POLE_X_THETA] - 3.141592653589793;
    const double force = 20.36 * x[CART_POLE_X_X] - 68.64 * lean + 14.33 * x[CART_POLE_X_X_D]
                         - 15.18 * x[CART_POLE_X_THETA_D] + 11.85 * *integral;

    *integral += SAMPLE_TIME * x[CART_POLE_X_X];
    return force;
}

int main(void)
{
    const cart_pole_real start[CART_POLE_NX] = {0.5, 2.9, 0.0, 0.0}; /* half a metre away, leaning by 14 degrees */
    static cart_pole_dop853 run;
    cart_pole_constants c;
    cart_pole_work work;
    cart_pole_inputs r = cart_pole_default_inputs;
    cart_pole_source source = {0};
    cart_pole_clock clock;
    FILE *const rows = fopen("sampled.csv", "w");
    double integral = 0.0;
    int which;
    int i;

    source.kind = CART_POLE_HELD;
    source.values = &r;
    cart_pole_clock_start(0.0, SAMPLE_TIME, &clock);
    if (rows == NULL || cart_pole_prepare(&cart_pole_default_parameters, &c) != CART_POLE_OK
        || cart_pole_dop853_start(0.0, start, &source, &cart_pole_default_options, &c, &work, &run) != CART_POLE_OK) {
        return 1;
    }
    while (clock.tick < SAMPLES) {
        r.F = feedback(&integral, run.at.x) + BIAS;
        cart_pole_run_jumped(&run.at); /* the input has */
        fprintf(rows, "%.17g", run.at.t);
        for (i = 0; i < CART_POLE_NX; ++i) {
            fprintf(rows, ",%.17g", run.at.x[i]);
        }
        fprintf(rows, ",%.17g\n", r.F);
        ++clock.tick;
        if (cart_pole_dop853_run(cart_pole_clock_time(&clock), &source, &c, &work, &run, &which) != CART_POLE_OK) {
            return 1;
        }
    }
    printf("after %g s the pole leans by %.1e rad, %.1e m away\n", run.at.t,
           run.at.x[CART_POLE_X_THETA] - 3.141592653589793, run.at.x[CART_POLE_X_X]);
    return (fclose(rows) == 0 && fabs(run.at.x[CART_POLE_X_X]) < 1e-6) ? 0 : 1;
}
