/* An extended Kalman filter of the cart and pole: an encoder on the rail, an IMU at the bob. */
#include "cart_pole_imu.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

#define NX CART_POLE_IMU_NX
#define NY CART_POLE_IMU_OUTPUTS_SIZE
#define DT 0.01 /* s */
#define STEPS 1000

typedef cart_pole_imu_real real;

static const real noise[NY] = {0.01, 0.02, 0.2, 0.2}; /* standard deviations of what is measured */
static const real drift[NX] = {1e-4, 1e-4, 1e-3, 1e-3}; /* and of what a step does not know */

/* A number of mean 0 and deviation 1, nearly normal: twelve uniform ones, the same on every machine. */
static real normal(uint32_t *seed)
{
    real sum = -6.0;
    int i;

    for (i = 0; i < 12; ++i) {
        *seed = (1664525u * *seed) + 1013904223u;
        sum += (real)*seed / 4294967296.0;
    }
    return sum;
}

/* P = F P F^T + Q */
static void spread(const real F[NX * NX], real P[NX][NX])
{
    real FP[NX][NX];
    int i;
    int j;
    int k;

    for (i = 0; i < NX; ++i) {
        for (j = 0; j < NX; ++j) {
            FP[i][j] = 0.0;
            for (k = 0; k < NX; ++k) {
                FP[i][j] += F[(i * NX) + k] * P[k][j];
            }
        }
    }
    for (i = 0; i < NX; ++i) {
        for (j = 0; j < NX; ++j) {
            P[i][j] = (i == j) ? drift[i] * drift[i] : 0.0;
            for (k = 0; k < NX; ++k) {
                P[i][j] += FP[i][k] * F[(j * NX) + k];
            }
        }
    }
}

/* Measurements one after the other, for their noises know nothing of each other. */
static void correct(const real z[NY], const real y[NY], const real C[NY * NX], real x[NX], real P[NX][NX])
{
    real at[NX];
    int i;
    int j;
    int n;

    for (i = 0; i < NX; ++i) {
        at[i] = x[i];
    }
    for (n = 0; n < NY; ++n) {
        const real *const row = &C[n * NX];
        real PC[NX];
        real innovation = z[n] - y[n];
        real variance = noise[n] * noise[n];

        for (i = 0; i < NX; ++i) {
            PC[i] = 0.0;
            for (j = 0; j < NX; ++j) {
                PC[i] += P[i][j] * row[j];
            }
        }
        for (i = 0; i < NX; ++i) {
            innovation -= row[i] * (x[i] - at[i]);
            variance += row[i] * PC[i];
        }
        for (i = 0; i < NX; ++i) {
            x[i] += PC[i] * innovation / variance;
            for (j = 0; j < NX; ++j) {
                P[i][j] -= PC[i] * PC[j] / variance;
            }
        }
    }
}

int main(void)
{
    cart_pole_imu_constants c;
    cart_pole_imu_work work;
    cart_pole_imu_inputs r = cart_pole_imu_default_inputs;
    real x[NX], estimate[NX], blind[NX]; /* the truth, the filter, a simulation that measures nothing */
    real P[NX][NX] = {{0.0}};
    real filtered = 0.0;
    real unfiltered = 0.0;
    uint32_t seed = 1u;
    int k;

    if (cart_pole_imu_prepare(&cart_pole_imu_default_parameters, &c) != CART_POLE_IMU_OK) {
        return 1;
    }
    for (k = 0; k < NX; ++k) {
        x[k] = cart_pole_imu_initial_state[k];
        blind[k] = estimate[k] = 0.0; /* nobody told where the pole hangs */
        P[k][k] = 1.0;
    }
    for (k = 0; k < STEPS; ++k) {
        const real t = DT * k;
        real F[NX * NX], G[NX * CART_POLE_IMU_NR], y[NY], z[NY], C[NY * NX], D[NY * CART_POLE_IMU_NR];
        int i;

        r.F = 2.0 * sin(3.0 * t);
        if ((cart_pole_imu_rk4_step_held(t, DT, &r, &c, &work, x) != CART_POLE_IMU_OK)
            || (cart_pole_imu_rk4_step_held(t, DT, &r, &c, &work, blind) != CART_POLE_IMU_OK)
            || (cart_pole_imu_outputs(t + DT, x, &r, &c, &work, z) != CART_POLE_IMU_OK)) {
            return 1;
        }
        for (i = 0; i < NY; ++i) {
            z[i] += noise[i] * normal(&seed);
        }
        if ((cart_pole_imu_rk4_step_jacobian(t, DT, &r, &c, &work, estimate, F, G) != CART_POLE_IMU_OK)
            || (cart_pole_imu_outputs(t + DT, estimate, &r, &c, &work, y) != CART_POLE_IMU_OK)
            || (cart_pole_imu_outputs_jacobian(t + DT, estimate, &r, &c, &work, C, D) != CART_POLE_IMU_OK)) {
            return 1;
        }
        spread(F, P);
        correct(z, y, C, estimate, P);
        if (k >= (STEPS / 2)) {
            const real error = estimate[CART_POLE_IMU_X_THETA] - x[CART_POLE_IMU_X_THETA];
            const real without = blind[CART_POLE_IMU_X_THETA] - x[CART_POLE_IMU_X_THETA];

            filtered += error * error;
            unfiltered += without * without;
        }
    }
    filtered = sqrt(filtered / (STEPS / 2));
    unfiltered = sqrt(unfiltered / (STEPS / 2));
    printf("error of the pole's angle in the second half: %.1e rad, without measurements %.1e rad\n", filtered, unfiltered);
    return ((filtered < 0.01) && (filtered < (0.1 * unfiltered))) ? 0 : 1;
}
