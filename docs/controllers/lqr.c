/* The cart balances its pole by state feedback, with the gains that lqr.py found. */
#include "cart_pole.h"
#include "lqr_gains.h"

#include <math.h>
#include <stdio.h>

#define DT 0.01 /* s */
#define STEPS 1000

int main(void)
{
    static const double upright[CART_POLE_NX] = {0.0, 3.141592653589793, 0.0, 0.0};
    cart_pole_constants c;
    cart_pole_work work;
    cart_pole_inputs r = cart_pole_default_inputs;
    cart_pole_real x[CART_POLE_NX] = {0.5, 2.8, 0.0, 0.0}; /* half a metre away, leaning by 20 degrees */
    int k;

    if (cart_pole_prepare(&cart_pole_default_parameters, &c) != CART_POLE_OK) {
        return 1;
    }
    for (k = 0; k < STEPS; ++k) {
        int i;

        r.F = 0.0;
        for (i = 0; i < CART_POLE_NX; ++i) {
            r.F -= gains[i] * (x[i] - upright[i]);
        }
        if (cart_pole_rk4_step_held(DT * k, DT, &r, &c, &work, x) != CART_POLE_OK) {
            return 1;
        }
    }
    printf("after %g s the pole leans by %.1e rad, %.1e m away\n", DT * STEPS, x[CART_POLE_X_THETA] - upright[1],
           x[CART_POLE_X_X]);
    return ((fabs(x[CART_POLE_X_THETA] - upright[1]) < 1e-3) && (fabs(x[CART_POLE_X_X]) < 1e-3)) ? 0 : 1;
}
